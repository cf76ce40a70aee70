// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads BLOCKMAP lumps of any builder, however damaged they are: nothing in a
// lump is an error here, everything is counted.

#ifndef BLOCKMAP_H
#define BLOCKMAP_H

#include "base/context.h"
#include "lines/grid.h"
#include "lists/pack.h"
#include "lump/lump.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---------------------------------------------------------------------------
// Words

// Words, counted from the origin word of the lump.
struct words {
    const unsigned char *bytes;
    size_t count;
    bool are_wide; // 32 bits, else 16
};

uint32_t words_get(const struct words *words, size_t index);

// The word that ends a list.
uint32_t words_end(const struct words *words);

// ---------------------------------------------------------------------------
// Lumps

enum {
    BLOCKMAP_UNIT = 1 << 16, // a map unit in 16.16
    BLOCK_FIXED_SIZE = BLOCK_SIZE * BLOCKMAP_UNIT,
};

// Why there are no lists.
enum blockmap_fault {
    BLOCKMAP_SOUND,
    BLOCKMAP_NO_GRID,  // too few words for origin, columns and rows
    BLOCKMAP_NO_TABLE, // too few words for the offsets
    BLOCKMAP_TOO_MUCH_MEMORY,
};

// Why the list of a block cannot be read.
enum list_fault {
    LIST_READABLE,
    LIST_IN_TABLE, // the offset is before the end of the table of offsets
    LIST_OUTSIDE,  // the offset is after the last word
    LIST_ENDLESS,  // there is no terminator
};

struct blockmap_list {
    enum list_fault fault;
    uint32_t offset;    // in words from the origin word
    uint32_t next;      // block with the same offset, and 1; 0 after the last
    uint32_t begin;     // its first linedef; a header with HEADER_MIXED
    uint32_t end;       // its terminator; `begin` if it cannot be read
    uint32_t distinct;  // as in list_view; 0 if it cannot be read
    uint32_t too_large; // as in list_view
};

struct blockmap {
    enum lump_form form; // LUMP_EMPTY: engines build their own
    enum blockmap_fault fault;
    uint64_t limit;             // bytes of memory that it may take
    const unsigned char *lump;  // the caller's bytes
    size_t bytes;               // of the lump
    size_t odd_bytes;           // after the last whole word
    struct words words;         // of the lump, without the prefix of XBM1
    int32_t origin_x, origin_y; // 16.16
    uint32_t columns, rows;
    enum list_header headers; // of the lists that can be read

    // For each block, east first, then north; 0 blocks if there is a fault.
    size_t block_count;
    struct blockmap_list *lists;

    // For each word, the first block whose offset leads there, plus 1; 0 for
    // none.
    uint32_t *first_block;

    // For reading lists: as in list_view.
    uint32_t *linedefs;
    uint32_t *run_seen;
    size_t line_count;

    // Lists whose offset is neither in the table nor outside.  Blocks with the
    // same offset have the same list.
    size_t list_count;
    size_t too_large_count; // lists with a linedef that the map does not have
    uint32_t largest_offset;
    size_t unreadable_count; // blocks whose list cannot be read
};

// Reads the grid of a lump, and no lists.  The bytes must stay.
void blockmap_open(const unsigned char *bytes, size_t size,
                   struct blockmap *blockmap);

// The grid in whole map units.  False if there is no header, no block, or the
// origin has a fraction.
bool blockmap_get_grid(const struct blockmap *blockmap, struct grid *grid);

// Reads a lump of a map with so many linedefs, for blockmap_free, also after a
// failure.  The bytes must stay.  A lump that would take more than so many
// bytes of memory has a fault; 0 is what lumps of its size with the largest
// grid of a map take.  NBSTAGE_OUT_OF_MEMORY.
nbstage_status blockmap_read(struct context *context,
                             const unsigned char *bytes, size_t size,
                             size_t line_count, uint64_t memory,
                             struct blockmap *blockmap);

// Reads the lists of a lump again, as lists with other headers.
void blockmap_read_as(struct blockmap *blockmap, enum list_header headers);

void blockmap_free(struct context *context, struct blockmap *blockmap);

// Whether a lump has a grid and all of its offsets, maybe none.
bool blockmap_has_table(const struct blockmap *blockmap);

// The west edge of a column, or the south edge of a row, in map units.
static inline double blockmap_edge(int32_t origin, size_t index)
{
    return origin / (double)BLOCKMAP_UNIT + (double)index * BLOCK_SIZE;
}

// ---------------------------------------------------------------------------
// The lists that begin at words

// A list: the words from where a block's list begins to its terminator.
struct list_view {
    size_t block;      // whose list it is
    size_t begin;      // index of the first word
    size_t end;        // index of the terminator; the word count without one
    bool has_end;      // whether there is a terminator
    bool is_ascending; // whether no linedef comes before a lower one
    bool has_header;   // whether a header is in it, its own or a nested list's
    size_t distinct;   // different linedefs in it, without headers
    size_t repeats;    // words with a linedef that comes again
    size_t too_large;  // words that are not the number of a linedef
    uint64_t digest;   // of all words: equal for equal lists

    // The different linedefs, from the list's end to its beginning; and for
    // each linedef the last run of words that it was seen in.
    uint32_t *linedefs;
    uint32_t *run_seen;
    uint32_t run;

    // How the lump is read.  An engine may read it in other ways.
    const struct blockmap *blockmap;
    size_t line_count;    // linedefs from this one on are too large
    size_t least_offset;  // of lists: that after the table
    bool skips_word;      // whether lists begin after the word at their offset
    bool may_have_header; // whether a 0 at the offset of a list is a header

    uint32_t next_block; // plus 1; 0 for none
};

// The place after the last list, for list_next.  Only one reading of a lump
// goes on at a time.
struct list_view list_after_last(const struct blockmap *blockmap);

// Goes on to the list of another block whose list is readable or endless, those
// that begin later in the lump first, and of equal ones the lower block.
// Returns false if there is none: all words have been read then.  It reads each
// word once, however lists overlap.
bool list_next(struct list_view *view);

// Whether the list has a linedef.
static inline bool list_has_linedef(const struct list_view *view,
                                    uint32_t linedef)
{
    return linedef < view->line_count && view->run_seen[linedef] == view->run;
}

#endif
