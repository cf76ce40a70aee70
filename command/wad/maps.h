// SPDX-License-Identifier: GPL-2.0-or-later
//
// The maps in a WAD, and which of them the user selected.

#ifndef MAPS_H
#define MAPS_H

#include "lump/engines.h"
#include "nbstage.h"
#include "platform/status.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#define NO_LUMP SIZE_MAX

// The index of the map's own BLOCKMAP, as for maps_find_lump.  Of several in a
// UDMF map the last counts, for all engines.
size_t maps_present_blockmap(const struct wad *wad,
                             const struct map_place *map);

// The index of a BLOCKMAP behind the map, before the next one, that no engine
// takes; NO_LUMP if there is none.
size_t maps_spare_blockmap(const struct wad *wad, const struct map_place *map);

// Lists the other lumps with names of a map's that stand there.
void maps_list_spare(const struct wad *wad, const struct map_place *map,
                     char *names, size_t size);

// ---------------------------------------------------------------------------
// find-blockmap.c: which lump engines take for a map's BLOCKMAP

// From THINGS to BLOCKMAP, in the canonical order.
enum { MAPS_LUMPS = 10 };

enum maps_finding {
    MAPS_FINDS,    // it takes the lump, which is named BLOCKMAP
    MAPS_MISREADS, // it takes the lump, which has another name
    MAPS_BUILDS,   // it sees no BLOCKMAP and builds its own
    MAPS_ENDS,     // it ends or crashes: it takes a lump for another one
    MAPS_REFUSES,  // it ends with an error, as the lumps are not as expected
    MAPS_NEVER,    // it never uses the lump
};

struct maps_found {
    enum maps_finding finding;
    size_t lump; // its index, if the engine takes one; else NO_LUMP
    // Why the engine does not find a BLOCKMAP, such as "reads NOTES as SEGS";
    // "" if it does.
    char why[WAD_FLAW_SIZE];
    // The name of the lump in the place of BLOCKMAP, if only this is wrong.
    const char *tenth;
};

// Finds which lump an engine takes for the BLOCKMAP of a map, or what it does
// instead.  If `added` is not NO_LUMP, a BLOCKMAP is to be inserted at that
// index, and counts as if it were there.
void maps_find_blockmap(const struct wad *wad, const struct map_place *map,
                        size_t added, const struct engine *engine,
                        struct maps_found *found);

// Whether a map is in order and without any lump for nodes, so that it has to
// go through a node builder before engines play it.
bool maps_is_unbuilt(const struct wad *wad, const struct map_place *map);

// Whether all of a set of engines that use the lump take `blockmap`, the index
// of the map's own or `added`.  If not, the sentence says what stands in the
// way, and what engines make of it.  An unbuilt map is in place.
bool maps_are_in_place(const struct wad *wad, const struct map_place *map,
                       size_t blockmap, size_t added, engine_set engines,
                       char sentence[WAD_FLAW_SIZE]);

// ---------------------------------------------------------------------------
// Lumps of maps

// Whether all lumps of a map lie inside the file, and a UDMF map has its
// ENDMAP.  If not, the sentence says what is wrong.
bool maps_is_whole(const struct wad *wad, const struct map_place *map,
                   char sentence[WAD_FLAW_SIZE]);

// Reads the lumps of a map, which must be whole; a marker with bytes comes last.
// The array has room for one more, and is freed with their bytes.  NULL with a
// sentence if they cannot be read; the sentence is empty if memory runs out.
struct nbstage_lump *maps_read_lumps(const struct wad *wad,
                                     const struct map_place *map, size_t *count,
                                     char flaw[WAD_FLAW_SIZE]);

#endif
