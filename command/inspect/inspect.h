// SPDX-License-Identifier: GPL-2.0-or-later
//
// The data of verify, show and diff: a WAD and its maps, and for each map its
// lumps, its lines, the present blockmap, the expected lists, and the findings.

#ifndef INSPECT_H
#define INSPECT_H

#include "arena.h"
#include "base/context.h"
#include "check/judge.h"
#include "check/reading.h"
#include "common/arguments.h"
#include "common/message.h"
#include "common/report.h"
#include "inspect/pass.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "map/map.h"
#include "nbstage.h"
#include "options.h"
#include "platform/status.h"
#include "prune/line.h"
#include "prune/prune.h"
#include "wad/budget.h"
#include "wad/maps.h"
#include "wad/placement.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct inspect_file {
    const struct arguments *arguments;
    struct options options; // of the stage
    const char *path;
    bool is_trial; // nothing is printed
    struct wad wad;
    enum exit_status status; // STATUS_FILE: it could not be read to the end

    // The selected maps, in the order of the file.
    const struct map_place **places;
    size_t count;

    struct budget budget; // used by the maps so far

    // For reading maps, limited by max-memory.  Warnings go to `warnings`; NULL
    // drops them.
    struct context context;
    struct arena arena;
    struct sentences *warnings;
    char sentence[2 * CONTEXT_MESSAGE_SIZE]; // of inspect_end

    // For reading blockmaps, which have a limit of their own.
    struct context lump_context;
    struct arena lump_arena;
};

// The options of the stage.  These commands read them without loading a stage.
extern const struct nbstage_descriptor inspect_options;

// Opens a file and selects its maps.  Prints a message on failure; a file
// without maps is STATUS_MAP_FAILED.  Call inspect_close in any case.
enum exit_status inspect_open(const struct arguments *arguments,
                              const char *path, struct inspect_file *file);

// The same for the two files of diff.  Each name in --map must be in at least
// one of them.  Call inspect_close on both in any case.
enum exit_status inspect_open_pair(const struct arguments *arguments,
                                   struct inspect_file *old,
                                   struct inspect_file *new);

void inspect_close(struct inspect_file *file);

// Opens a trial, in silence and with a copy of the file's budget.  It has the
// file's selected maps; or, if `wad` is not NULL, it finds the maps of that
// WAD, and the caller lists them in `places`.  The WAD stays the caller's.
void inspect_open_trial(const struct inspect_file *file, struct wad *wad,
                        struct inspect_file *trial);
void inspect_close_trial(struct inspect_file *trial);

// If `option` is not NULL, checks that exactly one map is selected, as this
// option needs.  STATUS_USAGE with a message.
enum exit_status inspect_check_one(const struct inspect_file *file,
                                   const char *option);

// ---------------------------------------------------------------------------
// Missing and extra entries

// The south-west corner of a block, 16.16.
struct lump_place {
    int64_t x, y;
};

enum { BLOCK_FIXED_SIZE = BLOCK_SIZE * BLOCKMAP_UNIT }; // its sides, 16.16

struct finding {
    uint32_t linedef;
    bool is_solid; // for missing entries
    struct lump_place place;
};

// The first findings, by block, row by row, then by linedef.
enum { MOST_FINDINGS = 10000 }; // per kind: extra, missing solid and harmless
struct findings {
    struct finding *finding;
    size_t count;
};

// A linedef clipped to a block, in map units.
struct finding_piece {
    double length;  // 0 if they only touch in a point
    bool is_corner; // the point is the block's south-west corner
    double x1, y1;  // the ends
    double x2, y2;
};

struct finding_piece finding_piece(const struct lines *lines,
                                   const struct finding *finding);

// ---------------------------------------------------------------------------
// walls.c: which walls can be crossed

// What can cross a wall at most.
enum wall_kind {
    WALL_PLAYERS, // and missiles and shots, too
    WALL_MISSILES,
    WALL_SHOTS,
    WALL_SLIDES, // nothing, but a mover may stick where it would slide
    WALL_KINDS,
};

// A solid linedef that some block should list but does not.
struct inspect_wall {
    uint32_t linedef;
    bool is_one_sided;
    enum wall_kind kind;
    struct pass_lengths lengths;
};

// How much of the wall can be crossed by the first in the kind's list; 0 for
// WALL_SLIDES.
double wall_length(const struct inspect_wall *wall);

// ---------------------------------------------------------------------------
// groups.c: what each group of engines makes of a lump

enum group_verdict {
    GROUP_GOOD,     // it uses the lump, and no wall can be crossed
    GROUP_WRONG,    // it uses the lump, and some can
    GROUP_REBUILDS, // it ignores the lump and builds its own
    GROUP_CRASHES,
    GROUP_UNKNOWN, // the map cannot be read, or the expected lists are unknown
};

// Engines that read the lump of a map alike.
struct inspect_group {
    struct reading reading;
    enum group_verdict verdict;
    struct lump_judgement judgement; // of GROUP_GOOD and GROUP_WRONG

    // Its walls by kind, one-sided ones first, the longest first.
    struct inspect_wall *walls;
    size_t wall_count;
    size_t wall_counts[WALL_KINDS];
    bool are_at_most; // not all were measured; these count as crossed
};

// All engines or, with --for, the named ones, in groups.
struct inspect_groups {
    engine_set named; // 0 without --for

    // Of the engines that count: those named by --for, else all but those that
    // cannot read XBM1, and Doom 1.9 if the lump is over its limit.
    engine_set wrong_for; // walls can be crossed, or it crashes
    size_t most_crossed;  // walls that can be crossed in one of them
    bool miss_any;        // entries

    uint64_t steps_left; // for measuring walls

    size_t count;
    struct inspect_group group[ENGINE_COUNT];
};

// ---------------------------------------------------------------------------
// statistics.c: lengths of lists, sharing, and the role of each word

enum statistics_part {
    PART_NONE,   // in no readable list
    PART_HEADER, // of a list
    PART_TERMINATOR,
    PART_LINEDEF, // or an invalid number in a list
};

struct statistics {
    size_t unreadable; // blocks whose list cannot be read

    // Distinct lists that some offset reaches.
    size_t stored;
    size_t nested;          // stored as the tail of another list
    size_t unsorted;        // linedefs do not ascend
    size_t repeating;       // with a linedef more than once
    size_t too_large;       // with nonexistent linedefs
    size_t unreached_words; // after the table, in no list
    uint32_t largest_offset;

    // Distinct linedefs in the list of each block; 0 if it is unreadable.
    uint32_t *lengths;
    size_t longest;
    size_t listed; // the sum of all lengths

    // Lists that several blocks share, and the number of these blocks.
    size_t shared_lists;
    size_t shared_blocks;

    unsigned char *parts; // for each word, an enum statistics_part
    bool *is_listed;      // for each linedef: some list has it
};

// Counts a blockmap of a map with `line_count` linedefs.  All is 0 if there is
// no table of offsets.  Call statistics_free.
void statistics_count(const struct blockmap *blockmap, size_t line_count,
                      struct statistics *statistics);

void statistics_free(struct statistics *statistics);

// ---------------------------------------------------------------------------
// Maps

enum verify_status {
    VERIFY_GOOD,
    VERIFY_HARMLESS, // only harmless entries are missing
    VERIFY_WRONG,
    VERIFY_EMPTY, // the map has no lump, or an empty one
    VERIFY_FAILED,
    VERIFY_STATUS_COUNT,
};

enum { PLACES_TEXT = WAD_FLAW_SIZE + 16 };

struct inspect_map {
    const char *name;
    char *error; // why the map cannot be read or compared; else NULL
    struct sentences warnings;
    const char *doubt; // why the expected lists are unknown, or NULL
    struct nbstage_lump *lumps;
    size_t lump_count;

    // The lines, and which of them are pruned or solid.
    bool has_lines;
    struct map map;
    struct lines lines;
    struct pruning pruned;
    struct line_verdict *solid; // or NULL
    size_t line_count;          // 0 if unknown

    // The present blockmap.  It is unread if lumps of the map lie outside the
    // file or have no end, or if the file's budget is used up.
    bool is_unread;
    struct nbstage_lump *lump; // one of `lumps`, or NULL
    struct blockmap present;
    struct statistics statistics;

    bool has_expected;
    struct expected expected;

    // The results of inspect_judge.
    enum verify_status status;
    bool rejected; // verify fails because of this map
    struct lump_judgement judgement;
    // Missing entries in readable lists and outside the grid; with --verbose
    // also extra entries.
    struct findings missing, extra;
    size_t missing_count; // entries, inside and outside the grid
    size_t solid_count;   // solid ones among them
    // How engines find and read the lump; `whys` has the texts of those that do
    // not take it.
    struct readings readings;
    char whys[ENGINE_COUNT][PLACES_TEXT];
    char misplaced[PLACEMENT_TEXT]; // why they do not find what a build writes
    int32_t distance;      // of lines from the grid's origin; -1 if unknown
    size_t spare_blockmap; // the number in the file of a lump none takes, or 0
    struct inspect_groups groups;
    // With --nodes: the number of segs whose blocks list their linedefs, and
    // a sentence about the first bad seg, or why the segs were not checked;
    // NULL if all are good.
    size_t checked_segs;
    char *segs_error;
};

// Reads selected map `index` of a file.  On failure prints and sets map->error.
// The present blockmap is read even then, unless map->is_unread is set; if the
// linedef count is unknown, 65,536 is assumed.  Call inspect_free in any case.
void inspect_read(struct inspect_file *file, size_t index,
                  struct inspect_map *map);

// The same, and compares the blockmap with the expected lists.  On failure sets
// map->error and compares nothing.
void inspect_judge(struct inspect_file *file, size_t index,
                   struct inspect_map *map);

// Finds the walls of a group after its judgement, which marks what is missing.
void walls_find(struct inspect_file *file, struct inspect_map *map,
                struct inspect_group *group);

// places.c: finds how engines read a map, each with the lump that it takes for
// the BLOCKMAP; with --for only those.
void places_find(struct inspect_file *file, size_t index,
                 struct inspect_map *map);

// Finds the groups of a map from its readings.  Call groups_free.
void groups_find(struct inspect_file *file, struct inspect_map *map);

void groups_free(struct inspect_groups *groups);

// Lists the groups.  Text reports have those whose verdict is of note, or with
// `all` every one.
void groups_list(struct report *report, const struct inspect_map *map,
                 bool all);

// The group to show first: one for which the lump is wrong, else one that can
// use it.
const struct inspect_group *groups_first(const struct inspect_groups *groups);

void inspect_free(struct inspect_file *file, struct inspect_map *map);

// Prints why a map cannot be read or shown, and keeps that as its error.  Only
// the first error of a map counts.
void inspect_fail(const struct inspect_file *file, struct inspect_map *map,
                  const char *sentence);

// The same, if the file cannot be read; it is told for the first map alone.
void inspect_fail_file(struct inspect_file *file, struct inspect_map *map,
                       const char *sentence);

// Begin and end work on a map.  The end charges its steps to the budget, and
// returns NULL, or why the work failed.
void inspect_begin(struct inspect_file *file, const struct inspect_map *map);
const char *inspect_end(struct inspect_file *file, nbstage_status status);

// ---------------------------------------------------------------------------
// lump-report.c: facts of a lump

extern const char *const verify_status_names[], *const list_header_names[];

// Adds the facts of a map's present blockmap.
void lump_add_facts(struct facts *facts, const struct inspect_map *map);

// Returns the form of the lump; "none" without a lump.
const char *lump_form_name(const struct inspect_map *map);

// Whether the lump or a list is unreadable, or a linedef does not exist.
bool lump_has_unreadable(const struct inspect_map *map);

// If the whole lump is unreadable, adds the reason.
void lump_add_flaw(struct facts *facts, const char *name,
                   const struct blockmap *blockmap);

// Returns the west edge of a column, or the south edge of a row, in map units.
static inline double lump_edge(int32_t origin, size_t index)
{
    return origin / (double)BLOCKMAP_UNIT + (double)index * BLOCK_SIZE;
}

struct lump_place lump_block_place(const struct blockmap *blockmap,
                                   size_t block);

// Finds the block of a lump's grid with this corner; false if it is outside.
bool lump_find_block(const struct blockmap *blockmap, struct lump_place place,
                     int64_t *column, int64_t *row);

// Adds the column, row and place of a block and, if it is in the grid, its
// number.  Returns whether it is in the grid.
bool lump_add_block(struct facts *facts, const struct blockmap *blockmap,
                    struct lump_place place);

// Adds origin, columns and rows, "-328,-1796 20x28", or `none` without a grid.
// Returns the text.
const char *lump_add_grid(struct facts *facts, const char *name,
                          const struct blockmap *blockmap, const char *none);

// Lists missing entries; in text reports only with `all`.
void lump_list_missing(struct report *report, const struct inspect_map *map,
                       bool all);

// Adds the verdict: "good", "wrong, 3 walls", "harmless, rejected".
void lump_add_verdict(struct facts *facts, const char *name,
                      const struct inspect_map *map);

// ---------------------------------------------------------------------------
// compare.c: the differences of two lumps of a map

// The relation of two grids.
enum compare_grids {
    GRIDS_NONE,    // at least one lump has no lists
    GRIDS_ALIGNED, // origins are whole blocks apart
    GRIDS_OTHER,   // blocks overlap several blocks of the other grid
};

// The list of one lump for a block that differs.
struct compare_list {
    const char *fault;        // NULL also outside the grid
    const uint32_t *linedefs; // only in this lump, in ascending order
    size_t count;
};

// A block that differs.
struct compare_block {
    struct lump_place place;
    struct compare_list old;
    struct compare_list new;
};

// Called for a block; its linedefs are valid during the call.
typedef void compare_visit(void *context, const struct compare_block *block);

// All is 0 unless the grids are aligned.
struct comparison {
    enum compare_grids grids;
    size_t block_count;     // blocks of both grids together
    size_t differing_count; // of these, blocks that differ
    size_t reordered_count; // same set of linedefs; order or repeats differ
    bool has_other_headers; // the word before a list of the same set differs
    size_t only_old;        // entries that only one lump has
    size_t only_new;
};

// Compares the blocks at each place of the map.  Calls `visit`, unless it is
// NULL, for each block that differs: first in the old grid, then in the rest of
// the new one.  Blocks are not stored, as overlapping lists can expand to far
// more linedefs than the lumps have words; to visit them twice, compare twice.
struct comparison compare_blockmaps(const struct blockmap *old,
                                    const struct blockmap *new,
                                    compare_visit *visit, void *context);

#endif
