// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads BLOCKMAP lumps of any builder, however damaged they are.

#ifndef BLOCKMAP_H
#define BLOCKMAP_H

#include "base/bytes.h"
#include "base/context.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lump/lump.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BLOCKMAP_UNIT = 1 << 16, // a map unit in 16.16
    BLOCK_FIXED_SIZE = BLOCK_SIZE * BLOCKMAP_UNIT,
    BLOCKMAP_TEXT_SIZE = 200,
};

// Why there are no lists.
enum blockmap_fault {
    BLOCKMAP_SOUND,
    BLOCKMAP_NO_GRID,  // too few words for origin, columns and rows
    BLOCKMAP_NO_TABLE, // too few words for the offsets
    BLOCKMAP_TOO_MUCH_MEMORY,
};

struct blockmap {
    enum lump_form form; // LUMP_EMPTY: engines build their own
    enum blockmap_fault fault;
    const unsigned char *lump;  // the caller's bytes
    size_t bytes;               // of the lump
    size_t odd_bytes;           // after the last whole word
    size_t word_count;          // without the prefix of XBM1
    uint32_t terminator;        // the word that ends a list
    int32_t origin_x, origin_y; // 16.16
    struct grid grid;           // the same in whole map units
    bool has_grid;              // with blocks, and an origin without a fraction
    size_t block_count;         // east first, then north; 0 if there is a fault
    size_t lists_begin;         // the word after the table of offsets, or 0

    // What follows is known of lumps that were read.  What lists begin with is
    // what it seems to be, until a caller knows better.
    enum list_header headers;
    uint64_t linedef_count; // at most, in the lists of all blocks
    uint64_t most_memory;   // bytes that it may take

    // For each word, that of the next terminator, or the word count; and the
    // first block whose offset leads there, plus 1; 0 for none.  For each
    // block, the next one with the same offset, likewise.
    uint32_t *ends, *first_block, *next_block;

    // The memory of linedef sets.
    size_t line_count;
    uint32_t *linedefs, *places;
};

// A word, counted from the origin word of the lump.
static inline uint32_t blockmap_word(const struct blockmap *blockmap,
                                     size_t index)
{
    return blockmap->form == LUMP_XBM1
               ? bytes_get_u32(blockmap->lump + LUMP_XBM1_PREFIX_SIZE +
                               sizeof(uint32_t) * index)
               : bytes_get_u16(blockmap->lump + sizeof(uint16_t) * index);
}

// Reads the grid of a lump, and no lists.  The bytes must stay.
void blockmap_open(const unsigned char *bytes, size_t size,
                   struct blockmap *blockmap);

// Reads a lump of a map with so many linedefs, for blockmap_free, also after a
// failure.  The bytes must stay.  A lump has a fault if it may take more memory
// than the context allows; linedefs count again for each block that uses a
// list, and take steps each time.  NBSTAGE_OUT_OF_MEMORY.
nbstage_status blockmap_read(struct context *context,
                             const unsigned char *bytes, size_t size,
                             size_t line_count, struct blockmap *blockmap);

void blockmap_free(struct context *context, struct blockmap *blockmap);

// Whether anything is wrong with a lump that was read, or with one of its
// lists; if so, writes a sentence.
bool blockmap_find_flaw(const struct blockmap *blockmap,
                        char text[BLOCKMAP_TEXT_SIZE]);

// Reads the grid of the map's own lump, and its lists as entries, for
// entries_free, also after a failure.  Every block gets the linedefs that an
// engine can find in its list, each once.  If all lists begin with a 0, that is
// a header; any other 0 is linedef 0, even where another list begins.  The grid
// need not enclose the map.
// NBSTAGE_BAD_MAP: the lump has a flaw.
// NBSTAGE_OVER_LIMIT: it has more blocks or linedefs than the context allows.
nbstage_status blockmap_read_entries(struct context *context,
                                     const unsigned char *bytes, size_t size,
                                     size_t line_count, struct grid *grid,
                                     struct entries *entries);

// ---------------------------------------------------------------------------
// Lists

// Why the list of a block cannot be read.
enum list_fault {
    LIST_READABLE,
    LIST_IN_TABLE, // the offset is before the end of the table of offsets
    LIST_OUTSIDE,  // the offset is after the last word
    LIST_ENDLESS,  // there is no terminator
};

extern const char *const list_fault_texts[]; // the first is NULL

struct blockmap_list {
    enum list_fault fault;
    uint32_t offset; // in words from the origin word
    size_t begin;    // its first linedef; a header with HEADER_MIXED
    size_t end;      // its terminator; `begin` if it cannot be read
};

struct blockmap_list blockmap_list(const struct blockmap *blockmap,
                                   size_t block);

// The different linedefs of a list, until another one is read.
struct linedef_set {
    uint32_t *linedefs;
    size_t count;
    uint32_t *places; // of linedefs in the set
    size_t headers;   // 0s that are headers, its own or of nested lists
    size_t too_large; // words that are not the number of a linedef
};

// Reads the words from one on to the next terminator or the end of the lump.
// With HEADER_ZERO and HEADER_MIXED a 0 to which an offset leads is a header.
struct linedef_set blockmap_read_list(const struct blockmap *blockmap,
                                      size_t begin);

// `linedef` is one that the map has.
static inline bool linedef_set_has(const struct linedef_set *set,
                                   uint32_t linedef)
{
    return set->places[linedef] < set->count &&
           set->linedefs[set->places[linedef]] == linedef;
}

// Returns whether it was there.
bool linedef_set_remove(struct linedef_set *set, uint32_t linedef);

#endif
