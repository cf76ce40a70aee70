// SPDX-License-Identifier: GPL-2.0-or-later
//
// A file or pipe being read from start to end, compressed with gzip or plain.

#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

enum { INPUT_BUFFER = 1 << 16 };

enum input_flaw {
    INPUT_SOUND,
    INPUT_UNREADABLE, // errno has the reason
    INPUT_DAMAGED,    // the compressed bytes are damaged or cut off
    INPUT_NO_MEMORY,
};

struct input {
    bool compressed;   // known after the first input_read
    uint64_t consumed; // compressed bytes that were unpacked, or plain ones

    // Private.
    int descriptor; // the caller's
    bool is_begun, is_at_end;
    z_stream stream;
    unsigned char bytes[INPUT_BUFFER]; // not yet consumed: see `stream`
};

// Begins to read a descriptor, which stays the caller's; for input_end.
void input_begin(struct input *input, int descriptor);

// Reads up to `size` bytes; sets *count to 0 only at the end.  Bytes after
// compressed ones that are not compressed themselves are ignored, as gzip does.
enum input_flaw input_read(struct input *input, void *bytes, size_t size,
                           size_t *count);

void input_end(struct input *input);

#endif
