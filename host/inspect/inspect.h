// SPDX-License-Identifier: GPL-2.0-or-later
//
// What verify, show and diff begin with: a WAD and its maps, and for each map
// its lumps, its lines, the blockmap that it has, and the lists that this
// should have.

#ifndef INSPECT_H
#define INSPECT_H

#include "arena.h"
#include "base/context.h"
#include "commands.h"
#include "inspect/verdicts.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/judge.h"
#include "map/map.h"
#include "map/nodes.h"
#include "message.h"
#include "nbstage.h"
#include "options.h"
#include "picture/drawing.h"
#include "prune/prune.h"
#include "report.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct inspect_file {
    const struct arguments *arguments;
    struct options options; // those that these commands take
    const char *path;
    struct wad wad;

    // The maps selected, in the order of the file.
    const struct map_place **places;
    size_t count;

    struct budget budget; // what the maps so far have used

    // What reads maps, within the option max-memory.  Its warnings go to
    // `warnings`; NULL drops them.
    struct context context;
    struct arena arena;
    struct sentences *warnings;

    // What reads their lumps, which have a limit of their own.
    struct context memory;
    struct arena lump_arena;
};

// The options of the stage, which these commands read without one.
extern const struct nbstage_descriptor inspect_options;

// Opens a file, and another one unless that is NULL; what --map names must be
// in at least one of them.  A file without maps is STATUS_MAP_FAILED.  On
// failure there has been a message; close the files either way, `other` all
// zero if it was not reached.
enum exit_status inspect_open(const struct arguments *arguments,
                              const char *const *paths,
                              struct inspect_file *file,
                              struct inspect_file *other);

void inspect_close(struct inspect_file *file);

// Checks that one map is selected for an option, which may be NULL, that takes
// no more.  STATUS_USAGE with a message.
enum exit_status inspect_check_one(const struct inspect_file *file,
                                   const char *option);

struct inspect_map {
    const char *name;
    char *error; // why the map cannot be read or compared; else NULL
    char *doubt; // why nothing is expected though it can be read; else NULL
    struct sentences warnings; // the doubt is one of them
    struct nbstage_lump *lumps;
    size_t lump_count;

    // The lines, which of them the option prune leaves out, and which are
    // solid.
    bool has_lines;
    struct map map;
    struct nodes nodes;
    struct lines lines;
    struct pruning pruned;
    struct line_verdict *verdicts; // or NULL
    size_t line_count;             // 0 if that is not known

    // The lump that the map has.  It is not read if lumps of the map are
    // outside the file or have no end, or the budget of the file is used up.
    bool is_unread;
    struct nbstage_lump *lump; // one of `lumps`, or NULL
    struct blockmap present;

    bool has_expected;
    struct expected expected;
};

// Reads selected map `index` of a file.  A map that cannot be read has an
// error, which has been printed.  Unless it is unread it has its present
// blockmap, too; where the linedefs cannot be counted, all numbers below 65,536
// are taken for linedefs.
void inspect_read_map(struct inspect_file *file, size_t index,
                      struct inspect_map *map);

// Keeps why a map cannot be read or shown, unless it has an error already, and
// prints that unless it is told.
void inspect_fail(const struct inspect_file *file, struct inspect_map *map,
                  const char *sentence, bool is_told);

// Finds the linedefs that are solid, for verdicts.  After a
// failure, which is an error of the map, nothing is expected of it.
void inspect_find_solid(struct inspect_file *file, struct inspect_map *map);

// Writes the pictures of --svg and --html.  Of `picture`, what a map has is set
// here.  STATUS_MAP_FAILED, and there has been a message, if the map has no
// lines or blocks.
enum exit_status inspect_draw(struct inspect_file *file,
                              struct inspect_map *map, struct picture *picture);

void inspect_free_map(struct inspect_file *file, struct inspect_map *map);

// Ends the command if memory ran out, for what takes that of file->memory.
void inspect_need(nbstage_status status);

// Begins another look at a map, which takes from the budget of steps when it
// has ended.  Returns NULL, or why it failed.
void inspect_begin(struct inspect_file *file, const struct inspect_map *map);
const char *inspect_end(struct inspect_file *file, nbstage_status status);

// ---------------------------------------------------------------------------
// lump-report.c: a lump in reports

extern const char *const list_header_names[];

// Adds the facts of the lump that a map has.
void lump_add_facts(struct facts *facts, const struct inspect_map *map);

// Its form; "none" without a lump.
const char *lump_form_name(const struct inspect_map *map);

// Whether the lump, a list, or a linedef in a list cannot be read.
bool lump_has_unreadable(const struct blockmap *blockmap);

// Adds what is wrong with a lump as a whole, if anything is.
void lump_add_flaw(struct facts *facts, const char *name,
                   const struct blockmap *blockmap);

// Adds why a list cannot be read, unless it can.
void lump_add_fault(struct facts *facts, const char *name,
                    enum list_fault fault);

// The south-west corner of a block, 16.16.
struct lump_place {
    int64_t x, y;
};

struct lump_place lump_block_place(const struct blockmap *blockmap,
                                   size_t block);

// Adds the block of a lump's grid that has this corner: its number if it is in
// the grid, which is returned, column, row and place.
bool lump_add_block(struct facts *facts, const struct blockmap *blockmap,
                    int64_t x, int64_t y);

enum { LUMP_GRID_TEXT = 64 }; // room for a description of a grid

// "-328,-1796 20x28": origin, columns and rows; "none" without a grid.
void lump_describe_grid(const struct blockmap *blockmap, char *text,
                        size_t size);

#endif
