// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares a WAD with the one that a node builder made of it, to find losses.
//
// Every lump that is no map's stays, with its bytes and its place in the order.
// So do THINGS, BEHAVIOR and the like of each map.  Its linedefs stay with
// their ends, flags, specials, tags, sides and sectors, in any order; lumps may
// number them anew.  Nodes, REJECT and BLOCKMAP are the builder's to make, and
// linedefs of no length, unused sides, sectors and vertices its to drop.

#ifndef LOSSES_H
#define LOSSES_H

#include "platform/status.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdbool.h>

// Compares two files, whose maps were found, whose bytes are in memory, and of
// which the lumps of `after` lie inside the file.  `program` is the builder's:
// what it is documented to change is allowed.  At the first difference returns
// STATUS_MAP_FAILED with a sentence; STATUS_FILE with a message if memory runs
// out.
enum exit_status losses_check(const struct wad *before, const struct wad *after,
                              const char *program, char flaw[WAD_FLAW_SIZE]);

// Whether a map has nodes in any form: plain, extended, or for GL.
bool losses_has_nodes(const struct wad *wad, const struct map_place *map);

// Whether the builder left a binary map as it was: it has no nodes, or its
// lumps are in an order in which builders do not find them, and have the bytes
// that they had.  Both maps are whole.
bool losses_is_unbuilt(const struct wad *before,
                       const struct map_place *map_before,
                       const struct wad *after,
                       const struct map_place *map_after);

#endif
