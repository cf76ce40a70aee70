// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a fuzz target is: one function that takes any bytes.  libFuzzer calls
// it with inputs that it makes up, replay.c with those that are kept.  An input
// is taken apart from its beginning; past its end there are zeros, so that
// every input means something.

#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads one input; returns 0.  The name is libFuzzer's.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// Ends the process with a sentence about a promise that was broken.
_Noreturn void target_fail(const char *file, int line, const char *sentence);

// Holds the code to a promise.
#define REQUIRE(condition, sentence) \
    ((condition) ? (void)0 : target_fail(__FILE__, __LINE__, sentence))

// Holds it to what sentences are.
void require_sentence(const char *sentence);

struct input {
    const uint8_t *bytes;
    size_t size; // that are left
};

// Numbers are little-endian.
uint8_t input_u8(struct input *input);
uint16_t input_u16(struct input *input);

// At most `size` bytes, as many as are left; they stay the input's.
struct input input_bytes(struct input *input, size_t size);

// A line of text, without its newline and cut to what `line` has room for.
void input_line(struct input *input, char *line, size_t size);

// A copy of all that is left in memory of just that size, so that reading
// past it is noticed; for free.
uint8_t *input_copy(const struct input *input);

#endif
