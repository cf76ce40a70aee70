// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads BLOCKMAP lumps of any builder, however damaged they are: nothing in a
// lump is an error here, everything is counted.

#ifndef BLOCKMAP_H
#define BLOCKMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---------------------------------------------------------------------------
// Words, and the lists that begin at them

// Words, counted from the origin word of the lump.
struct words {
    const unsigned char *bytes;
    size_t count;
    bool are_wide; // 32 bits, else 16
};

uint32_t words_get(const struct words *words, size_t index);

// The word that ends a list.
uint32_t words_end(const struct words *words);

struct list_reader;

// A list: the words from where a block's list begins to its terminator.
struct list_view {
    size_t end;        // index of the terminator; the word count without one
    bool has_end;      // whether there is a terminator
    bool is_ascending; // whether no linedef comes before a lower one
    size_t distinct;   // different linedefs in it, without headers
    size_t repeats;    // words with a linedef that comes again
    size_t too_large;  // words that are not the number of a linedef
    uint64_t digest;   // of all words: equal for equal lists
    const struct list_reader *reader;
};

// Whether the list has a linedef.  A header, its own or one of another list
// inside this one, counts as linedef 0, because engines may read it so.
bool list_has(const struct list_view *list_view, uint32_t linedef);

// The same without headers.
bool list_has_linedef(const struct list_view *list_view, uint32_t linedef);

// The different linedefs of the list, from its end to its beginning; the number
// is below `distinct`.
uint32_t list_linedef_at(const struct list_view *list_view, size_t number);

// ---------------------------------------------------------------------------
// Lumps

enum blockmap_form {
    BLOCKMAP_EMPTY, // no bytes: engines build their own
    BLOCKMAP_CLASSIC,
    BLOCKMAP_XBM1,
};

// Why there are no lists.
enum blockmap_fault {
    BLOCKMAP_SOUND,
    BLOCKMAP_NO_GRID,         // too few words for origin, columns and rows
    BLOCKMAP_NO_TABLE,        // too few words for the offsets
    BLOCKMAP_TOO_MANY_BLOCKS, // for the limits
    BLOCKMAP_TOO_MUCH_MEMORY,
};

// What the lists that can be read begin with.
enum blockmap_headers {
    HEADERS_ZERO,  // all with a 0 that is not a linedef
    HEADERS_ANY,   // all with some word that is not a linedef
    HEADERS_MIXED, // some with a 0
    HEADERS_NONE,  // none; a 0 is linedef 0
    HEADERS_UNKNOWN,
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
    uint32_t offset;   // in words from the origin word
    uint32_t begin;    // the word with its first linedef, after its header
    uint32_t end;      // its terminator; `begin` if it cannot be read
    uint32_t distinct; // as in list_view; 0 if it cannot be read
    uint32_t repeats;  // as in list_view, and the next
    uint32_t too_large;
    bool has_zero; // whether the word at the offset is a 0

    // Where the blocks with the same offset begin in by_offset, and for the
    // first of them how many they are.
    uint32_t first_sharer, sharer_count;
};

struct blockmap {
    enum blockmap_form form;
    enum blockmap_fault fault;
    uint64_t limit;            // that the fault is over
    const unsigned char *lump; // the caller's bytes
    size_t bytes;              // of the lump
    struct words words;        // of the lump, without the name of XBM1
    size_t odd_bytes;          // after the last whole word
    int32_t origin_x;          // 16.16
    int32_t origin_y;          // 16.16
    uint32_t columns;
    uint32_t rows;
    enum blockmap_headers headers;

    // For each block, east first, then north; 0 blocks if there is a fault.
    size_t block_count;
    struct blockmap_list *lists;

    // The blocks whose offset is in the lump, by offset, then by number; first
    // come those whose offset is in the table.
    uint32_t *by_offset;
    size_t by_offset_count;
    size_t in_table_count;

    // For each word, whether it is at the offset of a list that can be read.
    bool *is_offset;

    // Lists whose offset is neither in the table nor outside.  Blocks with the
    // same offset have the same list.
    size_t list_count;
    size_t nested_count;    // lists with linedefs that end another list
    size_t duplicate_count; // lists stored a second time or more
    size_t unsorted_count;  // lists whose linedefs do not ascend
    size_t repeating_count; // lists with a linedef more than once
    size_t too_large_count; // lists with a linedef that the map does not have
    size_t unreached_words; // after the table, in no list
    uint32_t largest_offset;
    size_t unreadable_count; // blocks whose list cannot be read
};

enum {
    BLOCKMAP_GRID_WORDS = 4,
    BLOCKMAP_XBM1_NAME_SIZE = 8,
    BLOCKMAP_UNIT = 1 << 16, // a map unit in 16.16
    BLOCKMAP_SIDE = 128,     // of a block, in map units
    BLOCKMAP_FIXED_SIDE = BLOCKMAP_SIDE * BLOCKMAP_UNIT, // the same in 16.16
};

// Reads the grid of a lump as one of this form, and no lists.  The bytes must
// stay.
void blockmap_open(const unsigned char *bytes, size_t size,
                   enum blockmap_form form, struct blockmap *blockmap);

// What a lump may have, and what examining it may take.
struct blockmap_limits {
    uint64_t blocks;
    uint64_t memory; // bytes
};

// Reads a lump of a map with so many linedefs, for blockmap_free.  The bytes
// must stay.  A lump over the limits, which may be NULL, has a fault.
void blockmap_read(const unsigned char *bytes, size_t size, size_t line_count,
                   const struct blockmap_limits *limits,
                   struct blockmap *blockmap);

// The same without limits, if it is known what lists begin with.
void blockmap_read_as(const unsigned char *bytes, size_t size,
                      size_t line_count, enum blockmap_headers headers,
                      struct blockmap *blockmap);

void blockmap_free(struct blockmap *blockmap);

typedef void list_visit(void *context, size_t block,
                        const struct list_view *list_view);

// Calls `visit` for each block whose list is readable or endless, those that
// begin later in the lump first.  It reads each word once, however lists
// overlap.
//
// Where the lists of blocks begin depends on `headers` alone, and lists are
// read in the table, too, if in_table_count is 0: an engine's view of a lump is
// a copy with other values of these.
void blockmap_read_lists(const struct blockmap *blockmap, size_t line_count,
                         list_visit *visit, void *context);

// Whether a lump has a grid and all of its offsets, maybe none.
bool blockmap_has_table(const struct blockmap *blockmap);

// Whether a lump has too many blocks to be examined, or takes too much memory.
bool blockmap_is_over_limits(const struct blockmap *blockmap);

// Whether the lump, a list, or a linedef in a list cannot be read.
bool blockmap_has_unreadable(const struct blockmap *blockmap);

// Columns or rows; none if both are the same.
struct blockmap_span {
    uint32_t begin;
    uint32_t end; // after the last
};

struct blockmap_area {
    struct blockmap_span columns;
    struct blockmap_span rows;
};

// The blocks of a grid that overlap the block, of this grid or another, whose
// south-west corner is at x,y in 16.16.
struct blockmap_area blockmap_across(const struct blockmap *blockmap, int64_t x,
                                     int64_t y);

bool blockmap_area_is_empty(const struct blockmap_area *area);

// The west edge of a column, or the south edge of a row, in map units.
double blockmap_edge(int32_t origin, size_t index);

// Whether the block whose south-west corner is at x,y in 16.16 lies on those of
// this grid, if that went on; then its column and row.
bool blockmap_find_cell(const struct blockmap *blockmap, int64_t x, int64_t y,
                        int64_t *column, int64_t *row);

enum { BLOCKMAP_GRID_TEXT = 64 }; // room for a description of a grid

// "-328,-1796 20x28": origin, columns and rows; "none" without a grid.
void blockmap_describe_grid(const struct blockmap *blockmap, char *text,
                            size_t size);

// The words that reports use.
extern const char *const blockmap_form_names[];
extern const char *const blockmap_headers_names[];
extern const char *const blockmap_fault_names[];
extern const char *const blockmap_list_fault_names[];

#endif
