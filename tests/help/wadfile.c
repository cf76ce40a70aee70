// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the whole file into memory; lumps and maps point into it.

#include "wadfile.h"

#include "buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sizes in bytes.
enum { HEADER_SIZE = 12, ENTRY_SIZE = 16, NAME_SIZE = 8 };

static uint32_t wad_number(const unsigned char *bytes, size_t size)
{
    uint32_t value = 0;
    for (size_t i = size; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static bool is_inside(const struct wadfile *wad, uint64_t position,
                      uint64_t size)
{
    return position + size <= wad->size;
}

static void read_entry(const struct wadfile *wad, const unsigned char *entry,
                       struct wadfile_lump *lump)
{
    uint32_t position = wad_number(entry, 4);
    lump->size = wad_number(entry + 4, 4);
    memcpy(lump->name, entry + 8, NAME_SIZE);
    if (!is_inside(wad, position, lump->size))
        abort_with("lump %s lies outside the file", lump->name);
    lump->data = wad->bytes + position;
}

static void read_directory(struct wadfile *wad, const char *path)
{
    uint32_t position = wad_number(wad->bytes + 8, 4);
    wad->lump_count = wad_number(wad->bytes + 4, 4);
    if (!is_inside(wad, position, (uint64_t)wad->lump_count * ENTRY_SIZE))
        abort_with("the directory of %s lies outside the file", path);
    wad->lumps = allocate_zeros(wad->lump_count, sizeof *wad->lumps);
    for (size_t i = 0; i < wad->lump_count; i++)
        read_entry(wad, wad->bytes + position + i * ENTRY_SIZE, &wad->lumps[i]);
}

static bool is_map_lump(const char *name)
{
    static const char *const names[] = {
        "THINGS",   "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS",
        "SSECTORS", "NODES",    "SECTORS",  "REJECT",   "BLOCKMAP",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

// A marker is a lump that lumps of a map follow.
static void find_maps(struct wadfile *wad)
{
    wad->maps = allocate_zeros(wad->lump_count, sizeof *wad->maps);
    for (size_t i = 1; i < wad->lump_count; i++) {
        if (!is_map_lump(wad->lumps[i].name))
            continue;
        struct wadfile_map *map = &wad->maps[wad->map_count++];
        map->name = wad->lumps[i - 1].name;
        map->lumps = &wad->lumps[i];
        while (i < wad->lump_count && is_map_lump(wad->lumps[i].name))
            i++;
        map->lump_count = (size_t)(&wad->lumps[i] - map->lumps);
    }
}

struct wadfile wadfile_read(const char *path)
{
    struct buffer file = buffer_read_file(path);
    struct wadfile wad = {.bytes = file.bytes, .size = file.size};
    if (wad.size < HEADER_SIZE)
        abort_with("%s is too short for a WAD file", path);
    read_directory(&wad, path);
    find_maps(&wad);
    return wad;
}

void wadfile_write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort_with("%s cannot be written", path);
}

const struct wadfile_lump *wadfile_find_lump(const struct wadfile_map *map,
                                             const char *name)
{
    for (size_t i = 0; i < map->lump_count; i++)
        if (strcmp(map->lumps[i].name, name) == 0)
            return &map->lumps[i];
    abort_with("%s has no lump %s", map->name, name);
}

struct random_map wadfile_arrays(const struct wadfile_map *map)
{
    enum { UNIT = 1 << 16, VERTEX_SIZE = 4, LINEDEF_SIZE = 14 };
    const struct wadfile_lump *vertexes = wadfile_find_lump(map, "VERTEXES");
    const struct wadfile_lump *linedefs = wadfile_find_lump(map, "LINEDEFS");
    struct random_map arrays = {.step = UNIT};
    random_map_allocate(&arrays, vertexes->size / VERTEX_SIZE,
                        linedefs->size / LINEDEF_SIZE);
    for (size_t i = 0; i < arrays.vertex_count; i++) {
        const unsigned char *at = vertexes->data + i * VERTEX_SIZE;
        arrays.vertices[i].x = (int16_t)wad_number(at, 2) * UNIT;
        arrays.vertices[i].y = (int16_t)wad_number(at + 2, 2) * UNIT;
    }
    for (size_t i = 0; i < arrays.line_count; i++) {
        const unsigned char *at = linedefs->data + i * LINEDEF_SIZE;
        arrays.lines[i].v1 = wad_number(at, 2);
        arrays.lines[i].v2 = wad_number(at + 2, 2);
        arrays.lines[i].flags = wad_number(at + 4, 2);
        arrays.lines[i].special = wad_number(at + 6, 2);
        arrays.lines[i].tag = wad_number(at + 8, 2);
    }
    return arrays;
}

void wadfile_free(struct wadfile *wad)
{
    free(wad->maps);
    free(wad->lumps);
    free(wad->bytes);
    *wad = (struct wadfile){0};
}
