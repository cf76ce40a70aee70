// SPDX-License-Identifier: GPL-2.0-or-later
//
// The maps in a WAD, and which of them the user selected.

#ifndef MAPS_H
#define MAPS_H

#include "nbstage.h"
#include "platform/status.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>

// Finds the maps; all are selected.  STATUS_FILE if memory runs out.
enum exit_status maps_find(struct wad *wad);

// Reads a WAD as wad_read does and finds its maps; there must be one.
// STATUS_FILE or STATUS_MAP_FAILED with a message.  Call wad_free also after a
// failure.
enum exit_status maps_read(const char *path, int locked, struct wad *wad);

// Selects only the maps that the lists name, such as "MAP01,MAP04-MAP07", in
// one or two files that have maps.  Ignores case.  Without lists all maps stay
// selected.  STATUS_USAGE with a message if no file has a map of a name or in a
// range.
enum exit_status maps_select(struct wad *const *wads, size_t wad_count,
                             char *const *lists, size_t list_count);

// Pairs maps with the same name, as partners.  If a file has several maps of a
// name, the first is paired with the first.  With `only_selected` only selected
// maps are paired and indexed.  STATUS_FILE if memory runs out.
enum exit_status maps_pair(struct wad *old, struct wad *new,
                           bool only_selected);

// The name of a map, by its index.
const char *maps_name(const struct wad *wad, size_t index);

// The index of the map's lump of this name; its `end` if there is none.
size_t maps_find_lump(const struct wad *wad, const struct map_place *map,
                      const char *name);

// The index at which to insert a BLOCKMAP: in a UDMF map before ENDMAP, in
// other maps after the last lump that precedes it in the canonical order.
size_t maps_blockmap_place(const struct wad *wad, const struct map_place *map);

// Whether all lumps of a map lie inside the file, and a UDMF map has its
// ENDMAP.  If not, the sentence says what is wrong.
bool maps_is_whole(const struct wad *wad, const struct map_place *map,
                   char sentence[WAD_FLAW_SIZE]);

// The lumps of a map, which must be whole; a marker with bytes comes last.  The
// array has room for one more.  To be freed; NULL if memory runs out.
struct nbstage_lump *maps_list_lumps(const struct wad *wad,
                                     const struct map_place *map,
                                     size_t *count);

#endif
