// SPDX-License-Identifier: GPL-2.0-or-later
//
// The maps in a WAD, and which of them the user selected.

#ifndef MAPS_H
#define MAPS_H

#include "common/stage.h"
#include "common/message.h"
#include "nbstage.h"
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
// each of one or two files that have maps.  Upper and lower case are the same.
// Without lists all stay selected.  STATUS_USAGE with a message if no file has
// a map of a name or in a range.
enum exit_status maps_select(struct wad *const *wads, size_t wad_count,
                             char *const *lists, size_t list_count);

// Gives maps with the same name each other as partners.  If a file has several
// maps of a name, the first belongs to the first.  With `only_selected` other
// maps do not count, in the indices either.  STATUS_FILE if memory runs out.
enum exit_status maps_pair(struct wad *old, struct wad *new,
                           bool only_selected);

// The name of a map, by its index.
const char *maps_name(const struct wad *wad, size_t index);

// The index of the map's lump of this name; its `end` if there is none.
size_t maps_find_lump(const struct wad *wad, const struct map_place *map,
                      const char *name);

// Where to insert a BLOCKMAP: in a UDMF map before ENDMAP, in others after the
// last lump that comes before it in the canonical order.
size_t maps_blockmap_place(const struct wad *wad, const struct map_place *map);

// Whether all lumps of a map are inside the file, and a UDMF map has its
// ENDMAP; if not, the sentence says what is wrong.
bool maps_is_whole(const struct wad *wad, const struct map_place *map,
                   char sentence[WAD_FLAW_SIZE]);

// The lumps of a map, which must be whole.  The marker is the last one, if it
// has bytes.  There is room for one more.  They are to be freed; NULL if memory
// runs out.
struct nbstage_lump *maps_list_lumps(const struct wad *wad,
                                     const struct map_place *map,
                                     size_t *count);

// ---------------------------------------------------------------------------
// What all maps of a file may take together.  The limits of the stage are for
// one map, but maps may share bytes, so a file of some kilobytes can have
// thousands that each take as much as a map may.

enum budget_kind {
    BUDGET_LUMPS,   // of the maps that are read; they may share bytes
    BUDGET_BLOCKS,  // of the grids that are built or read
    BUDGET_ENTRIES, // of their lists
    BUDGET_STEPS,   // of searching, packing and merging
    BUDGET_BYTES,   // of what is kept until it is written
    BUDGET_KINDS,
};

struct budget {
    size_t file_size; // uncompressed
    uint64_t used[BUDGET_KINDS];
    const char *last_map; // the name of the last one that took anything
    bool is_told;         // that it is used up
};

// Takes the blocks, entries and steps that the facts of a result tell.
void budget_take_facts(struct budget *budget, const struct stage_facts *facts);

// Whether to read a map.  No if the maps before it used more than a file of
// this size may, if it is not whole, or if its own lumps exceed the limit for
// all maps.  Then the sentence says why; *is_told is true if a map before had
// the same sentence.
bool budget_admits(struct budget *budget, const struct wad *wad,
                   const struct map_place *map, char sentence[WAD_FLAW_SIZE],
                   bool *is_told);

#endif
