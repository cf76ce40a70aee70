// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lumps of a map as a host hands them over, some of them made by a test.

#ifndef LUMP_SET_H
#define LUMP_SET_H

#include "buffer.h"
#include "plugin.h"
#include "wadfile.h"

enum { LUMP_SET_MOST = 24 };

struct lump_set {
    const char *map_name;
    uint32_t format; // NBSTAGE_FORMAT_DETECT, ...
    struct nbstage_lump lumps[LUMP_SET_MOST];
    struct buffer owned[LUMP_SET_MOST]; // the bytes of those made
    size_t count;
};

// The lumps of a map in a WAD file, which stay the file's.
struct lump_set lump_set_from_wad(const struct wadfile_map *map);

// Adds a lump whose bytes stay the caller's.
void lump_set_view(struct lump_set *set, const char *name, const void *bytes,
                   size_t size);

// Adds a lump and takes over its bytes.
void lump_set_add(struct lump_set *set, const char *name, struct buffer bytes);

const struct nbstage_lump *lump_set_find(const struct lump_set *set,
                                         const char *name);

// The map, which points to the set.
struct nbstage_map lump_set_map(const struct lump_set *set);

// A PWAD of the map, with ENDMAP after TEXTMAP, for buffer_free.
struct buffer lump_set_to_wad(const struct lump_set *set);

// Builds its lump, for plugin_free.
struct plugin_lump lump_set_build(const struct lump_set *set,
                                  const char *options);

void lump_set_free(struct lump_set *set);

#endif
