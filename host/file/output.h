// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writing a file of pieces, most of which are in another file as they are.

#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

struct output {
    gzFile stream;  // to be compressed, or NULL; keeps errors, for gzerror
    int descriptor; // where plain bytes go
    int error;      // errno of the first call that could not write these
};

// So many bytes in memory, or, if `bytes` is NULL, of the other file.
struct output_piece {
    const unsigned char *bytes;
    uint64_t position; // in the other file
    uint64_t size;
};

// Writes pieces.  False with errno if the other file, `source`, could not be
// read.  As it may change meanwhile, the caller has to look whether it has.
bool output_write(struct output *output, int source,
                  const struct output_piece *pieces, size_t count);

#endif
