// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the whole file into memory; lumps point into it.

#include "config.h"

#include "maps.h"

#include "fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sizes in bytes.
enum { HEADER_SIZE = 12, ENTRY_SIZE = 16, NAME_SIZE = 8 };

static bool read_file(const char *path, struct maps *maps)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < HEADER_SIZE)
        fail("%s is too short for a WAD file", path);
    rewind(file);
    maps->size = (size_t)size;
    maps->bytes = allocate(maps->size, 1);
    if (fread(maps->bytes, 1, maps->size, file) != maps->size)
        fail("%s cannot be read", path);
    fclose(file);
    return true;
}

uint32_t maps_number(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static bool is_inside(const struct maps *maps, uint64_t position, uint64_t size)
{
    return position + size <= maps->size;
}

static bool is_map_lump(const char *name)
{
    static const char *const names[MAP_LUMPS] = {
        "THINGS",   "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS",
        "SSECTORS", "NODES",    "SECTORS",  "REJECT",   "BLOCKMAP",
    };
    for (size_t i = 0; i < MAP_LUMPS; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void add_lump(const struct maps *maps, struct wad_map *map,
                     const char *name, const unsigned char *entry)
{
    uint32_t position = maps_number(entry);
    uint32_t size = maps_number(entry + 4);
    if (!is_inside(maps, position, size))
        fail("%s: lump %s lies outside the file", map->name, name);
    if (map->lump_count == MAP_LUMPS)
        fail("%s has more than %d lumps", map->name, MAP_LUMPS);
    size_t index = map->lump_count++;
    strcpy(map->lump_names[index], name);
    map->lumps[index] = (struct nbstage_lump){
        .size = sizeof(struct nbstage_lump),
        .name = map->lump_names[index],
        .data = maps->bytes + position,
        .data_size = size,
    };
}

// A marker is an entry that lumps of a map follow.
static void read_entries(struct maps *maps, const unsigned char *directory,
                         size_t count)
{
    char marker[NAME_SIZE + 1] = "";
    bool in_map = false;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *entry = directory + i * ENTRY_SIZE;
        char name[NAME_SIZE + 1] = "";
        memcpy(name, entry + 8, NAME_SIZE);
        bool is_part = is_map_lump(name);
        if (is_part && !in_map)
            strcpy(maps->map[maps->count++].name, marker);
        if (is_part)
            add_lump(maps, &maps->map[maps->count - 1], name, entry);
        in_map = is_part;
        strcpy(marker, name);
    }
}

bool maps_read(const char *path, struct maps *maps)
{
    *maps = (struct maps){0};
    if (!read_file(path, maps))
        return false;
    uint32_t count = maps_number(maps->bytes + 4);
    uint32_t position = maps_number(maps->bytes + 8);
    if (!is_inside(maps, position, (uint64_t)count * ENTRY_SIZE))
        fail("the directory of %s lies outside the file", path);
    maps->map = calloc(count + 1u, sizeof *maps->map);
    if (!maps->map)
        fail("no memory for the maps of %s", path);
    read_entries(maps, maps->bytes + position, count);
    return true;
}

struct nbstage_map maps_view(const struct wad_map *map)
{
    return (struct nbstage_map){
        .size = sizeof(struct nbstage_map),
        .name = map->name,
        .lumps = map->lumps,
        .lump_count = map->lump_count,
    };
}

const struct nbstage_lump *maps_find_lump(const struct wad_map *map,
                                          const char *name)
{
    for (size_t i = 0; i < map->lump_count; i++)
        if (strcmp(map->lumps[i].name, name) == 0)
            return &map->lumps[i];
    fail("%s has no lump %s", map->name, name);
}

void maps_free(struct maps *maps)
{
    free(maps->map);
    free(maps->bytes);
    *maps = (struct maps){0};
}
