// SPDX-License-Identifier: GPL-2.0-or-later
//
// A file being written, compressed or plain.

#ifndef OUTPUT_H
#define OUTPUT_H

#include "platform/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

struct output {
    gzFile stream; // NULL: not open
    int plain;     // its descriptor, if it is not compressed; else -1
    int error;     // errno of the first write that failed
};

// Opens an output on a descriptor, which it takes over.  False with errno; if
// the descriptor is -1, fails and leaves errno as it is.
bool output_open(struct output *output, int descriptor, bool compressed);

// Writes pieces one after the other; to a plain output without a copy, so
// nothing may be in its stream.  output_close reports errors.
void output_write(struct output *output, const struct file_piece *pieces,
                  size_t count);

// Flushes and closes the output.  False with errno if a write failed.
bool output_close(struct output *output);

#endif
