// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads a BLOCKMAP lump of any builder, also a damaged one.

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
    BLOCKMAP_TEXT_SIZE = 200,
};

// The distinct linedefs of the list read last, as a sparse set: entries of
// `places` for other linedefs are stale, and harmless.
struct linedef_set {
    uint32_t *linedefs;
    size_t count;
    uint32_t *places; // the index in `linedefs` of each linedef of the set
    size_t too_large; // words that exceed the highest linedef number
};

struct blockmap {
    enum lump_form form;        // LUMP_EMPTY: engines build their own
    const unsigned char *lump;  // the caller's bytes
    size_t bytes;               // of the lump
    size_t odd_bytes;           // after the last whole word
    size_t word_count;          // without the XBM1 signature
    uint32_t terminator;        // the word that ends a list
    int32_t origin_x, origin_y; // 16.16
    struct grid grid;           // in whole map units
    bool has_grid;              // with blocks and a whole-number origin
    size_t block_count;         // east first, then north; 0 without lists
    size_t lists_begin;         // the word after all offsets; 0 without lists
    uint64_t exceeded_memory; // the memory limit if lists may need more; else 0
    uint64_t needed_memory;   // then: how much they may need, as far as known

    // Valid after blockmap_read; `headers` is HEADER_ZERO or HEADER_NONE until
    // judge_headers.
    enum list_header headers;
    uint64_t linedef_count; // upper bound over all lists, without leading 0s
    size_t line_count;      // of the map
    struct linedef_set set; // scratch memory for blockmap_read_list

    // The index of the next terminator for each word, or word_count.
    uint32_t *ends;

    // For each word of the lists, the linked list of table words with this
    // offset: offset_at[word] is the first, offset_at[first] the next; 0 ends.
    uint32_t *offset_at;
};

// A word of the lump; word 0 is the origin's x.
static inline uint32_t blockmap_word(const struct blockmap *blockmap,
                                     size_t index)
{
    const unsigned char *at = blockmap->lump + lump_size(blockmap->form, index);
    return blockmap->form == LUMP_XBM1 ? bytes_get_u32(at) : bytes_get_u16(at);
}

// Reads the grid of a lump, without its lists.  The bytes must outlive
// *blockmap.
void blockmap_open(const unsigned char *bytes, size_t size,
                   struct blockmap *blockmap);

// Reads a lump of a map with `line_count` linedefs, to be freed with
// blockmap_free, even on failure.  The bytes must outlive *blockmap.  Memory
// and steps are budgeted as if every block had its own copy of its list.
// NBSTAGE_OUT_OF_MEMORY.
nbstage_status blockmap_read(struct context *context,
                             const unsigned char *bytes, size_t size,
                             size_t line_count, struct blockmap *blockmap);

void blockmap_free(struct context *context, struct blockmap *blockmap);

struct blockmap_list {
    const char *fault; // why the list cannot be read, or NULL
    size_t offset;     // in words
    size_t begin;      // the first linedef
    size_t end;        // the terminator; `begin` if the list cannot be read
};

struct blockmap_list blockmap_list(const struct blockmap *blockmap,
                                   size_t block);

// Reads the words from `begin` up to the terminator or the end of the lump.  A
// 0 is linedef 0, as it is to all engines, even if it is the header of a list
// that is nested in this one.
struct linedef_set blockmap_read_list(const struct blockmap *blockmap,
                                      size_t begin);

// Whether a linedef of the map is in a set.
static inline bool linedef_set_has(const struct linedef_set *set,
                                   uint32_t linedef)
{
    return set->places[linedef] < set->count &&
           set->linedefs[set->places[linedef]] == linedef;
}

// Whether a lump that blockmap_read has read, or one of its lists, has a flaw;
// describes the first one.
bool blockmap_find_flaw(const struct blockmap *blockmap,
                        char text[BLOCKMAP_TEXT_SIZE]);

// Reads the grid of the map's own lump, and its lists as entries; free these
// with entries_free, even on failure.  Every block gets the linedefs that an
// engine can find in its list, each once.  If all lists begin with a 0, it is a
// header; any other 0 is linedef 0, also at the start of another list.  The
// grid need not enclose the map.
// NBSTAGE_BAD_MAP: the lump has a flaw.
// NBSTAGE_OVER_LIMIT: the lump has more blocks or linedefs than the context
// allows.
nbstage_status blockmap_read_entries(struct context *context,
                                     const unsigned char *bytes, size_t size,
                                     size_t line_count, struct grid *grid,
                                     struct entries *entries);

#endif
