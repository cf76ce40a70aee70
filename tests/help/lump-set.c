// SPDX-License-Identifier: GPL-2.0-or-later

#include "lump-set.h"

#include <string.h>

void lump_set_view(struct lump_set *set, const char *name, const void *bytes,
                   size_t size)
{
    if (set->count == LUMP_SET_MOST)
        abort_with("no room for lump %s", name);
    set->lumps[set->count++] = (struct nbstage_lump){
        .name = name,
        .data = bytes,
        .data_size = size,
    };
}

void lump_set_add(struct lump_set *set, const char *name, struct buffer bytes)
{
    lump_set_view(set, name, bytes.bytes, bytes.size);
    set->owned[set->count - 1] = bytes;
}

struct lump_set lump_set_from_wad(const struct wadfile_map *map)
{
    struct lump_set set = {.map_name = map->name};
    for (size_t i = 0; i < map->lump_count; i++)
        lump_set_view(&set, map->lumps[i].name, map->lumps[i].data,
                      map->lumps[i].size);
    return set;
}

const struct nbstage_lump *lump_set_find(const struct lump_set *set,
                                         const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->lumps[i].name, name) == 0)
            return &set->lumps[i];
    abort_with("%s has no lump %s", set->map_name, name);
}

struct nbstage_map lump_set_map(const struct lump_set *set)
{
    struct nbstage_map map =
        map_of_lumps(set->map_name, set->lumps, set->count);
    map.format = set->format;
    return map;
}

struct buffer lump_set_to_wad(const struct lump_set *set)
{
    enum { HEADER_SIZE = 12, NAME_SIZE = 8 };
    struct lump_set all = {0};
    struct buffer wad = {0}, lumps = {0}, directory = {0};
    lump_set_view(&all, set->map_name, NULL, 0);
    for (size_t i = 0; i < set->count; i++)
        lump_set_view(&all, set->lumps[i].name, set->lumps[i].data,
                      set->lumps[i].data_size);
    if (strcmp(all.lumps[1].name, "TEXTMAP") == 0)
        lump_set_view(&all, "ENDMAP", NULL, 0);
    for (size_t i = 0; i < all.count; i++) {
        const struct nbstage_lump *lump = &all.lumps[i];
        char name[NAME_SIZE + 1] = "";
        strncpy(name, lump->name, NAME_SIZE);
        buffer_put_u32(&directory, (uint32_t)(HEADER_SIZE + lumps.size));
        buffer_put_u32(&directory, (uint32_t)lump->data_size);
        buffer_put(&directory, name, NAME_SIZE);
        buffer_put(&lumps, lump->data, lump->data_size);
    }
    buffer_put(&wad, "PWAD", 4);
    buffer_put_u32(&wad, (uint32_t)all.count);
    buffer_put_u32(&wad, (uint32_t)(HEADER_SIZE + lumps.size));
    buffer_put(&wad, lumps.bytes, lumps.size);
    buffer_put(&wad, directory.bytes, directory.size);
    buffer_free(&lumps);
    buffer_free(&directory);
    return wad;
}

struct plugin_lump lump_set_build(const struct lump_set *set,
                                  const char *options)
{
    struct nbstage_map map = lump_set_map(set);
    return plugin_build(&map, options);
}

void lump_set_free(struct lump_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        buffer_free(&set->owned[i]);
    *set = (struct lump_set){0};
}
