// SPDX-License-Identifier: GPL-2.0-or-later
//
// WAD files for tests: a file's maps in Doom format and their lumps.

#ifndef WADFILE_H
#define WADFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Numbers are little-endian.
uint32_t wad_number(const unsigned char *bytes, size_t size);
uint16_t wad_u16(const unsigned char *bytes);
int32_t wad_i16(const unsigned char *bytes);

struct wadfile_lump {
    char name[9];
    const unsigned char *data;
    size_t size;     // bytes in the file
    size_t position; // as in the directory
    size_t size_told;
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

// The same for one whose lumps may be cut off or outside the file.
struct wadfile wadfile_read_damaged(const char *path);

// The entry of a lump in the directory: 4 bytes of position, 4 of size, a name.
unsigned char *wadfile_entry(const struct wadfile *wad, size_t lump);

void wadfile_write_bytes(const char *path, const void *bytes, size_t size);

// The map of this name, which must be there; the last one, as in engines.
const struct wadfile_map *wadfile_find_map(const struct wadfile *wad,
                                           const char *name);

// A lump of a map, which must be there.
const struct wadfile_lump *wadfile_find_lump(const struct wadfile_map *map,
                                             const char *name);

void wadfile_free(struct wadfile *wad);

#endif
