// SPDX-License-Identifier: GPL-2.0-or-later
//
// The maps in a WAD, and which of them were asked for.

#ifndef MAPS_H
#define MAPS_H

#include "file/wad.h"
#include "nbstage.h"

// A marker lump followed by the lumps of its map.
struct map_place {
    size_t marker; // index of the marker lump
    size_t end;    // index behind the last lump of the map
    bool udmf;     // TEXTMAP to ENDMAP
    bool selected;
};

struct map_places {
    struct map_place *places; // in the order of the file
    size_t count;
};

// Finds the maps; all are selected.  STATUS_FILE if memory runs out.
enum exit_status maps_find(const struct wad *wad, struct map_places *maps);

void maps_free(struct map_places *maps);

// STATUS_MAP_FAILED: the lumps of maps have the same bytes so often that they
// are far more together than the file, which is told in `flaw`.
enum exit_status maps_check_size(const struct wad *wad,
                                 const struct map_places *maps, char *flaw,
                                 size_t flaw_size);

// Reads a WAD and finds its maps, of which it must have one, and which must not
// be far more than the file.  STATUS_FILE or
// STATUS_MAP_FAILED with a message; what there is is for wad_free and maps_free
// either way.
enum exit_status maps_read(const char *path, struct wad *wad,
                           struct map_places *maps);

// A file whose maps may be selected, of which it has one at least.
struct map_file {
    const char *path;
    const struct wad *wad;
    struct map_places *maps;
};

// Selects only what the lists name, such as "MAP01,MAP04-MAP07", in each of one
// or two files; `lists` has list_count of them, and with none everything stays
// selected.  Upper and lower case are the same.
// STATUS_USAGE with a message if a name or range stands for no map of any file.
enum exit_status maps_select(const struct map_file *files, size_t file_count,
                             char *const *lists, size_t list_count);

// A map of a list, by its name.
struct named_map {
    const char *name;
    size_t index;
};

// Which maps of two lists belong together.
struct map_pairs {
    size_t *of_old; // for each map of one list, its partner's index or NO_MAP
    size_t *of_new; // the same for the other
};

#define NO_MAP SIZE_MAX

// Pairs the maps of the same names; where a list has several of a name, the
// first belongs to the first.  Each list has every index below its count once,
// and is sorted.  STATUS_FILE if memory runs out; the pairs are for
// maps_free_pairs either way.
enum exit_status maps_pair(struct named_map *old, size_t old_count,
                           struct named_map *new, size_t new_count,
                           struct map_pairs *pairs);

void maps_free_pairs(struct map_pairs *pairs);

// The index of the map's lump of this name; its `end` if there is none.
size_t maps_find_lump(const struct wad *wad, const struct map_place *map,
                      const char *name);

// Where a BLOCKMAP that the map has not got belongs: in a UDMF map before
// ENDMAP, in others behind the last lump that the canonical order puts before
// it.
size_t maps_blockmap_place(const struct wad *wad, const struct map_place *map);

// Whether all lumps of a map are in the file and belong to it, as those of a
// UDMF map do if there is its ENDMAP; else what is wrong.
bool maps_is_whole(const struct wad *wad, const struct map_place *map,
                   char *sentence, size_t size);

// The lumps of a map as a stage takes them, without the marker; they must be
// whole.  For free; NULL if memory runs out.
struct nbstage_lump *maps_collect_lumps(const struct wad *wad,
                                        const struct map_place *map);

#endif
