// SPDX-License-Identifier: GPL-2.0-or-later
//
// WAD files for tests: a file's maps in Doom format and their lumps.

#ifndef WADFILE_H
#define WADFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Numbers are little-endian.
uint16_t wad_u16(const unsigned char *bytes);
int32_t wad_i16(const unsigned char *bytes);

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

void wadfile_free(struct wadfile *wad);

#endif
