// SPDX-License-Identifier: GPL-2.0-or-later
//
// WAD files: read, and written anew with some lumps replaced or added.

#ifndef WAD_H
#define WAD_H

#include "message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

enum { WAD_NAME_SIZE = 8, WAD_HEADER_SIZE = 12, WAD_ENTRY_SIZE = 16 };

struct wad_lump {
    char raw_name[WAD_NAME_SIZE]; // as it stands in the directory
    char name[WAD_NAME_SIZE + 1]; // upper case, ends at the first NUL
    uint32_t position;            // bytes, from the start of the file
    uint32_t size;                // bytes
};

struct wad {
    unsigned char *bytes; // the whole file
    size_t size;
    struct wad_lump *lumps; // the directory, in order
    size_t lump_count;
    bool compressed; // whether the file was, with gzip
};

// Reads a file.  STATUS_FILE if it cannot be read; STATUS_MAP_FAILED if it is
// not a WAD or its directory is not whole, each with a message.  Lumps may
// still lie outside the file: see wad_lump_is_whole.
enum exit_status wad_read(const char *path, struct wad *wad);

// Reads the directory alone, without `bytes`, and tells nothing of what is
// wrong.  False if this is not a regular file, or one that takes long to read:
// with more than a million lumps, or its directory far behind in a compressed
// file.
bool wad_read_directory(const char *path, struct wad *wad);

// Makes a WAD of the bytes of a file, which it takes, for free, whatever
// happens.  STATUS_MAP_FAILED if they are none, with the reason as a sentence
// for the caller to tell; STATUS_FILE with a message if memory runs out.
enum exit_status wad_parse(unsigned char *bytes, size_t size, struct wad *wad,
                           char *flaw, size_t flaw_size);

void wad_free(struct wad *wad);

// Whether all bytes of the lump are inside the file.
bool wad_lump_is_whole(const struct wad *wad, size_t index);

// Says where a lump is that is not whole; `map` is the name of its map, or
// NULL.
void wad_describe_cut_lump(const struct wad *wad, size_t index, const char *map,
                           char *sentence, size_t size);

// A lump of the file to be written: `bytes` if not NULL, else those of lump
// `source` in the file that was read.  An empty lump has a source of NO_SOURCE
// and NULL bytes.
struct wad_entry {
    char raw_name[WAD_NAME_SIZE];
    size_t source;
    const unsigned char *bytes;
    size_t size; // of `bytes`

    // An entry before this one with the same bytes, where they are to be
    // written only once; else NO_SOURCE.
    size_t shares_with;
};

#define NO_SOURCE SIZE_MAX

// Writes a WAD of the same kind with these lumps in this order.  Lumps of
// `wad` whose bytes overlap in its file overlap in the same way afterwards.
// STATUS_FILE with a message if the result is too large for a WAD or memory
// runs out; errors of writing stay in the stream for gzerror.
enum exit_status wad_write(const struct wad *wad,
                           const struct wad_entry *entries, size_t entry_count,
                           gzFile stream);

#endif
