// SPDX-License-Identifier: GPL-2.0-or-later
//
// An input, taken apart from its beginning.  Past its end there are zeros, so
// that every input means something.

#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>
#include <stdint.h>

struct input {
    const uint8_t *bytes;
    size_t size; // that are left
};

// Numbers are little-endian.
uint8_t input_u8(struct input *input);
uint16_t input_u16(struct input *input);
uint32_t input_u32(struct input *input);

// At most `size` bytes, as many as are left; they stay the input's.
struct input input_bytes(struct input *input, size_t size);

// A line of text, without its newline and cut to what `line` has room for.
void input_line(struct input *input, char *line, size_t size);

// A copy of all that is left in memory of just that size, so that reading
// past it is noticed; for free.
uint8_t *input_copy(const struct input *input);

#endif
