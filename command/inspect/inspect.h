// SPDX-License-Identifier: GPL-2.0-or-later
//
// What verify, show and diff look at: a WAD and its maps, and for each map its
// lumps, its lines, the blockmap that it has, the lists that this should have,
// and what is wrong with it.

#ifndef INSPECT_H
#define INSPECT_H

#include "arena.h"
#include "base/context.h"
#include "common/arguments.h"
#include "lines/lines.h"
#include "lump/engines.h"
#include "check/judge.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "map/map.h"
#include "common/message.h"
#include "nbstage.h"
#include "options.h"
#include "prune/line.h"
#include "prune/prune.h"
#include "common/report.h"
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
    char sentence[2 * CONTEXT_MESSAGE_SIZE]; // of inspect_end

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

// ---------------------------------------------------------------------------
// Entries that are missing or extra

// The south-west corner of a block, 16.16.
struct lump_place {
    int64_t x, y;
};

enum { BLOCK_FIXED_SIZE = BLOCK_SIZE * BLOCKMAP_UNIT }; // its sides, 16.16

struct finding {
    uint32_t linedef;
    bool is_solid; // and missing
    struct lump_place place;
};

// The first ones, by block, row by row, then by linedef.
enum { MOST_FINDINGS = 10000 }; // extra ones; missing ones of either kind
struct findings {
    struct finding *finding;
    size_t count;
};

// What of a linedef lies in a block that it is in, in map units: 0 if only a
// point does, which may be the block's south-west corner.
struct finding_piece {
    double length;
    bool is_corner;
    double x1, y1; // where it begins and ends
    double x2, y2;
};

struct finding_piece finding_piece(const struct lines *lines,
                                   const struct finding *finding);

// ---------------------------------------------------------------------------
// verdicts.c: what each engine does with a lump

enum verdict_kind {
    VERDICT_LOADS,
    VERDICT_REBUILDS, // ignores the lump and builds its own
    VERDICT_WRONG,    // uses it, and misses solid lines
    VERDICT_CRASHES,  // when something comes to a certain block, or earlier
    VERDICT_UNKNOWN, // the map cannot be read; or the engine uses the lump, and
                     // it is not known what should be in it
};

// A kind in reports, such as "loads", and above the engines on the page.
extern const struct verdict_words {
    const char *word, *heading;
} verdict_words[];

struct verdict {
    enum verdict_kind kind;
    const char *why; // NULL if the kind needs no reason
};

// What engines do with a lump; with the option for only those that it names.
struct engine_verdicts {
    engine_set named; // or 0
    size_t count;
    const struct engine *engine[ENGINE_COUNT];
    struct verdict verdict[ENGINE_COUNT];
};

// Judges a lump of a map with so many linedefs, 0 if they cannot be read.
// `expected` is NULL if it is not known.
struct engine_verdicts verdicts_find(const struct expected *expected,
                                     const struct blockmap *blockmap,
                                     size_t line_count, engine_set named);

// ---------------------------------------------------------------------------
// statistics.c: how long the lists of a blockmap are, which blocks share them,
// and what its words are

// What a word of a lump is.
enum statistics_part {
    PART_NONE,   // in no list that can be read
    PART_HEADER, // what a list begins with that is not a linedef
    PART_TERMINATOR,
    PART_LINEDEF, // or what is in a list instead of one
};

struct statistics {
    size_t unreadable; // blocks whose list cannot be read

    // Lists that are stored, of blocks whose offset leads to one.
    size_t stored;
    size_t nested;          // that end another list
    size_t unsorted;        // whose linedefs do not ascend
    size_t repeating;       // with a linedef more than once
    size_t too_large;       // with a linedef that the map does not have
    size_t unreached_words; // after the table, in no list
    uint32_t largest_offset;

    // For each block, how many different linedefs its list has; 0 if it cannot
    // be read.
    uint32_t *lengths;
    size_t longest;
    size_t listed; // the sum of all lengths

    // Lists that several blocks have, and how many blocks these are.
    size_t shared_lists;
    size_t shared_blocks;

    unsigned char *parts; // for each word, an enum statistics_part
    bool *is_listed;      // for each linedef, whether a list has it
};

// Counts a blockmap of a map with so many linedefs, for statistics_free.  All
// is 0 if there is no table of offsets.
void statistics_count(const struct blockmap *blockmap, size_t line_count,
                      struct statistics *statistics);

void statistics_free(struct statistics *statistics);

// ---------------------------------------------------------------------------
// Maps

enum verify_status {
    VERIFY_GOOD,
    VERIFY_HARMLESS, // all that is missing may be
    VERIFY_WRONG,
    VERIFY_EMPTY, // the map has no lump, or an empty one
    VERIFY_FAILED,
    VERIFY_STATUS_COUNT,
};

struct inspect_map {
    const char *name;
    char *error; // why the map cannot be read or compared; else NULL
    struct sentences warnings;
    const char *doubt; // the last of them: why nothing is expected; else NULL
    struct nbstage_lump *lumps;
    size_t lump_count;

    // The lines, which of them the option prune leaves out, and which are
    // solid.
    bool has_lines;
    struct map map;
    struct lines lines;
    struct pruning pruned;
    struct line_verdict *solid; // or NULL
    size_t line_count;          // 0 if that is not known

    // The lump that the map has.  It is not read if lumps of the map are
    // outside the file or have no end, or the budget of the file is used up.
    bool is_unread;
    struct nbstage_lump *lump; // one of `lumps`, or NULL
    struct blockmap present;
    struct statistics statistics;

    bool has_expected;
    struct expected expected;

    // What inspect_judge finds.
    enum verify_status status;
    bool rejected; // the command fails because of this map
    struct lump_judgement judgement;
    // What is missing in lists that can be read and in blocks that the grid
    // does not have, and, with --verbose, what is extra.
    struct findings missing, extra;
    size_t missing_count; // entries, in the grid or not
    size_t solid_count;   // of these
    struct engine_verdicts engines;
    // Those of the games that are asked for which miss solid lines or crash.
    // With --for=any an engine that cannot read XBM1, or Doom 1.9 over its
    // limit, does not count.
    engine_set wrong_for;
    // With --nodes: the segs in blocks that list their linedefs, and which one
    // is not, or could not be looked at; else NULL.
    size_t checked_segs;
    char *segs_error;
};

// Reads selected map `index` of a file.  A map that cannot be read has an
// error, which has been printed.  Unless it is unread it has its present
// blockmap, too; where the linedefs cannot be counted, all numbers below 65,536
// are taken for linedefs.
void inspect_read(struct inspect_file *file, size_t index,
                  struct inspect_map *map);

// The same, and compares the blockmap with what is expected.  After a failure,
// which is an error of the map, nothing is.
void inspect_judge(struct inspect_file *file, size_t index,
                   struct inspect_map *map);

void inspect_free(struct inspect_file *file, struct inspect_map *map);

// Keeps why a map cannot be read or shown, unless it has an error already, and
// prints that unless it is told.
void inspect_fail(const struct inspect_file *file, struct inspect_map *map,
                  const char *sentence, bool is_told);

// Begins another look at a map, which takes from the budget of steps when it
// has ended.  Returns NULL, or why it failed.
void inspect_begin(struct inspect_file *file, const struct inspect_map *map);
const char *inspect_end(struct inspect_file *file, nbstage_status status);

// ---------------------------------------------------------------------------
// lump-report.c: a lump in reports

extern const char *const verify_status_names[], *const list_header_names[];

// Adds the facts of the lump that a map has.
void lump_add_facts(struct facts *facts, const struct inspect_map *map);

// Its form; "none" without a lump.
const char *lump_form_name(const struct inspect_map *map);

// Whether the lump, a list, or a linedef in a list cannot be read.
bool lump_has_unreadable(const struct inspect_map *map);

// Adds what is wrong with a lump as a whole, if anything is.
void lump_add_flaw(struct facts *facts, const char *name,
                   const struct blockmap *blockmap);

// The west edge of a column, or the south edge of a row, in map units.
static inline double lump_edge(int32_t origin, size_t index)
{
    return origin / (double)BLOCKMAP_UNIT + (double)index * BLOCK_SIZE;
}

struct lump_place lump_block_place(const struct blockmap *blockmap,
                                   size_t block);

// Finds the block of a lump's grid that has this corner; false if it is
// outside.
bool lump_find_block(const struct blockmap *blockmap, struct lump_place place,
                     int64_t *column, int64_t *row);

// Adds this block: its number if it is in the grid, which is returned, column,
// row and place.
bool lump_add_block(struct facts *facts, const struct blockmap *blockmap,
                    struct lump_place place);

// Adds "-328,-1796 20x28": origin, columns and rows; without a grid `none`.
// Returns the text.
const char *lump_add_grid(struct facts *facts, const char *name,
                          const struct blockmap *blockmap, const char *none);

// Lists what is missing.  People see harmless entries only if `most` is
// SIZE_MAX.
void lump_list_missing(struct report *report, const struct inspect_map *map,
                       size_t most);

// Adds the verdict: "good", "wrong, 3 solid", "harmless, rejected".
void lump_add_verdict(struct facts *facts, const char *name,
                      const struct inspect_map *map);

// ---------------------------------------------------------------------------
// compare.c: two lumps of a map: which linedefs only one of them lists, and
// where

// How two grids lie to each other.
enum compare_grids {
    GRIDS_NONE,    // at least one lump has no lists
    GRIDS_ALIGNED, // with origins that are whole blocks apart
    GRIDS_OTHER,   // with blocks that overlap several of the other grid
};

// What one lump has in a block that differs.
struct compare_list {
    const char *fault;        // NULL outside of its grid, too
    const uint32_t *linedefs; // that only this one lists, in ascending order
    size_t count;
};

// A block that differs.
struct compare_block {
    struct lump_place place;
    struct compare_list old;
    struct compare_list new;
};

// Looks at a block, whose linedefs are valid during the call.
typedef void compare_visit(void *context, const struct compare_block *block);

// All is 0 unless the grids are aligned.
struct comparison {
    enum compare_grids grids;
    size_t block_count;     // that at least one of the grids has
    size_t differing_count; // of these, blocks that differ
    size_t reordered_count; // the same linedefs in another order or number
    size_t only_old;        // linedefs in blocks, over all that differ
    size_t only_new;
};

// Compares the blocks at each place of the map.  Calls `visit`, unless it is
// NULL, for each block that differs: those of the old grid, then those that
// only the new one has.  The blocks are not kept, as they may have far more
// linedefs than the lumps words; to see them twice, compare twice.
struct comparison compare_blockmaps(const struct blockmap *old,
                                    const struct blockmap *new,
                                    compare_visit *visit, void *context);

#endif
