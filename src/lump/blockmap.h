// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads a BLOCKMAP lump, whoever built it and however damaged it is.

#ifndef BLOCKMAP_H
#define BLOCKMAP_H

#include "base/bytes.h"
#include "base/context.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lump/blockmap.h"
#include "lump/lump.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BLOCKMAP_UNIT = 1 << 16, // a map unit in 16.16
    BLOCKMAP_TEXT_SIZE = 200,
};

// The different linedefs of a list, until another one is read.
struct linedef_set {
    uint32_t *linedefs;
    size_t count;
    uint32_t *places; // where in `linedefs` each linedef of the set is
    size_t headers;   // 0s that are headers, its own or of nested lists
    size_t too_large; // words that are not the number of a linedef
};

struct blockmap {
    enum lump_form form;        // LUMP_EMPTY: engines build their own
    const unsigned char *lump;  // the caller's bytes
    size_t bytes;               // of the lump
    size_t odd_bytes;           // after the last whole word
    size_t word_count;          // without the prefix of XBM1
    uint32_t terminator;        // the word that ends a list
    int32_t origin_x, origin_y; // 16.16
    struct grid grid;           // the same in whole map units
    bool has_grid;              // with blocks, and an origin without a fraction
    size_t block_count;         // east first, then north; 0 without lists
    size_t lists_begin;         // the word after all offsets; 0 without lists
    uint64_t exceeded_memory;   // the limit, if lists may need more; else 0

    // What follows is known of lumps that were read.  What lists begin with is
    // what it seems to be, until a caller knows better.
    enum list_header headers;
    uint64_t linedef_count; // of all lists, at most, but for 0s that begin them
    size_t line_count;      // of the map
    struct linedef_set set; // empty, with the memory for those of lists

    // For each word, that of the next terminator, or the word count.
    uint32_t *ends;

    // For each word of the lists, that of an offset which leads there; for this
    // word, that of the next such offset; 0 for none.
    uint32_t *offset_at;
};

// A word, counted from the origin word of the lump.
static inline uint32_t blockmap_word(const struct blockmap *blockmap,
                                     size_t index)
{
    const unsigned char *at = blockmap->lump + lump_size(blockmap->form, index);
    return blockmap->form == LUMP_XBM1 ? bytes_get_u32(at) : bytes_get_u16(at);
}

// Reads the grid of a lump, and no lists.  The bytes must stay.
void blockmap_open(const unsigned char *bytes, size_t size,
                   struct blockmap *blockmap);

// Reads a lump of a map with so many linedefs, for blockmap_free, also after a
// failure.  The bytes must stay.  Linedefs count as memory and steps for each
// block that uses their list.  NBSTAGE_OUT_OF_MEMORY.
nbstage_status blockmap_read(struct context *context,
                             const unsigned char *bytes, size_t size,
                             size_t line_count, struct blockmap *blockmap);

void blockmap_free(struct context *context, struct blockmap *blockmap);

struct blockmap_list {
    const char *fault; // why it cannot be read, or NULL
    size_t offset;     // in words from the origin word
    size_t begin;      // its first linedef; a header with HEADER_MIXED
    size_t end;        // its terminator; `begin` if it cannot be read
};

struct blockmap_list blockmap_list(const struct blockmap *blockmap,
                                   size_t block);

// Reads the words from one on to the next terminator or the end of the lump.
// With HEADER_ZERO and HEADER_MIXED a 0 to which an offset leads is a header;
// then the list must not begin in the offsets.
struct linedef_set blockmap_read_list(const struct blockmap *blockmap,
                                      size_t begin);

// `linedef` is one that the map has.
static inline bool linedef_set_has(const struct linedef_set *set,
                                   uint32_t linedef)
{
    return set->places[linedef] < set->count &&
           set->linedefs[set->places[linedef]] == linedef;
}

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

#endif
