// SPDX-License-Identifier: GPL-2.0-or-later

#include "lump-set.h"

#include "compress.h"

#include <check.h>
#include <string.h>

void lump_set_view(struct lump_set *set, const char *name, const void *bytes,
                   size_t size)
{
    if (set->count == LUMP_SET_MOST)
        ck_abort_msg("no room for lump %s", name);
    set->lumps[set->count++] = (struct nbstage_lump){
        .size = sizeof(struct nbstage_lump),
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

struct lump_set lump_set_compressed(const struct lump_set *set,
                                    uint32_t compression)
{
    struct lump_set result = {.map_name = set->map_name, .format = set->format};
    for (size_t i = 0; i < set->count; i++) {
        const struct nbstage_lump *lump = &set->lumps[i];
        lump_set_add(&result, lump->name,
                     compress_bytes(compression, lump->data, lump->data_size));
        result.lumps[i].compression = compression;
    }
    return result;
}

const struct nbstage_lump *lump_set_find(const struct lump_set *set,
                                         const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->lumps[i].name, name) == 0)
            return &set->lumps[i];
    ck_abort_msg("%s has no lump %s", set->map_name, name);
}

struct nbstage_map lump_set_map(const struct lump_set *set)
{
    struct nbstage_map map =
        nbstage_map_from_lumps(set->map_name, set->lumps, set->count);
    map.format = set->format;
    return map;
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
