// SPDX-License-Identifier: GPL-2.0-or-later
//
// PWADs that programs for tests write.

#ifndef WADWRITER_H
#define WADWRITER_H

#include "buffer.h"

#include <stddef.h>
#include <stdint.h>

// A file in the making, all zero at the start.
struct wadwriter {
    struct buffer lumps;     // what follows the header
    struct buffer directory; // what follows the lumps
    uint32_t count;          // lumps
};

// Adds a lump; of a name longer than 8 bytes only these are taken.
void wadwriter_put(struct wadwriter *writer, const char *name,
                   const void *bytes, size_t size);

// The bytes of the file, an "IWAD" or "PWAD", for buffer_free; frees the rest.
struct buffer wadwriter_finish(struct wadwriter *writer, const char *kind);

// Writes the file and frees what is in memory.  A failure ends the program.
void wadwriter_write(struct wadwriter *writer, const char *path);

#endif
