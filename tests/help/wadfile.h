// SPDX-License-Identifier: GPL-2.0-or-later
//
// WAD files for tests: a file's maps in Doom format, their lumps and arrays.

#ifndef WADFILE_H
#define WADFILE_H

#include "random-map.h"

#include <stddef.h>

struct wadfile_lump {
    char name[9];
    const unsigned char *data;
    size_t size; // bytes
};

// A map: a marker's name and the lumps that follow it.
struct wadfile_map {
    const char *name;
    const struct wadfile_lump *lumps;
    size_t lump_count;
};

struct wadfile {
    unsigned char *bytes;
    size_t size; // bytes
    struct wadfile_lump *lumps;
    size_t lump_count;
    struct wadfile_map *maps;
    size_t map_count;
};

// Reads a file that must be there.  A damaged file ends the test.
struct wadfile wadfile_read(const char *path);

void wadfile_write_bytes(const char *path, const void *bytes, size_t size);

// A lump of a map, which must be there.
const struct wadfile_lump *wadfile_find_lump(const struct wadfile_map *map,
                                             const char *name);

// The vertices and lines of a map, for random_map_free.
struct random_map wadfile_arrays(const struct wadfile_map *map);

void wadfile_free(struct wadfile *wad);

#endif
