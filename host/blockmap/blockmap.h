// SPDX-License-Identifier: GPL-2.0-or-later
//
// BLOCKMAP lumps of any builder, read however damaged they are: nothing that
// is in a lump is an error here, it is told of.

#ifndef BLOCKMAP_H
#define BLOCKMAP_H

#include "blockmap/read-lists.h"

enum blockmap_form {
    BLOCKMAP_EMPTY, // no bytes: engines build their own
    BLOCKMAP_CLASSIC,
    BLOCKMAP_XBM1,
};

// What is wrong with a lump as a whole.  There are no lists then.
enum blockmap_fault {
    BLOCKMAP_SOUND,
    BLOCKMAP_NO_GRID,  // too few words for origin, columns and rows
    BLOCKMAP_NO_TABLE, // too few words for the offsets
};

// What the lists that can be read begin with.
enum blockmap_headers {
    HEADERS_ZERO,  // all with a 0, which is no linedef
    HEADERS_ANY,   // all with some word that is none; only the map tells
    HEADERS_MIXED, // some with a 0
    HEADERS_NONE,  // none with a 0; or where it is, it is linedef 0
};

// Why the list of a block cannot be read.
enum list_fault {
    LIST_READABLE,
    LIST_IN_TABLE, // the offset is before the end of the table of offsets
    LIST_OUTSIDE,  // the offset is behind the last word
    LIST_ENDLESS,  // there is no terminator
    LIST_FAULT_COUNT,
};

struct blockmap_list {
    enum list_fault fault;
    uint32_t offset; // in words from the origin word
    size_t begin;    // the word with its first linedef, behind its header
    size_t end;      // its terminator; `begin` if it cannot be read
    bool has_zero;   // whether the word at the offset is a 0
    bool is_unsorted;
    size_t repeats;   // words with a linedef that stands behind them again
    size_t too_large; // words that number no linedef of the map
};

struct blockmap {
    enum blockmap_form form;
    enum blockmap_fault fault;
    const unsigned char *lump; // the caller's bytes
    size_t bytes;              // of the lump
    struct words words;        // of the lump, without the name of XBM1
    size_t odd_bytes;          // behind the last whole word
    int32_t origin_x;          // 16.16
    int32_t origin_y;          // 16.16
    uint32_t columns;
    uint32_t rows;
    enum blockmap_headers headers;

    // For each block, east first, then north; 0 blocks if there is a fault.
    size_t block_count;
    struct blockmap_list *lists;

    // Over all lists but those in the table or outside.  A list is what begins
    // at an offset, however many blocks have that offset.
    size_t list_count;
    size_t nested_count;    // of these, which have linedefs and end another one
    size_t duplicate_count; // of these, which are stored a second time or more
    size_t unsorted_count;  // of these, whose linedefs do not ascend
    size_t repeating_count; // of these, which have a linedef more than once
    size_t
        too_large_count; // of these, which number a linedef that is not there
    size_t unreached_words; // behind the table, in no list
    uint32_t largest_offset;
    size_t fault_count[LIST_FAULT_COUNT]; // of blocks
};

enum {
    BLOCKMAP_GRID_WORDS = 4,
    BLOCKMAP_XBM1_NAME_SIZE = 8,
    BLOCKMAP_UNIT = 1 << 16, // a map unit in 16.16
    BLOCKMAP_SIDE = 128,     // of a block, in map units
    BLOCKMAP_FIXED_SIDE = BLOCKMAP_SIDE * BLOCKMAP_UNIT, // the same in 16.16
};

// Reads a lump of a map with so many linedefs.  The bytes must stay.
void blockmap_read(const unsigned char *bytes, size_t size, size_t line_count,
                   struct blockmap *blockmap);

// The same where it is known what lists begin with.
void blockmap_read_as(const unsigned char *bytes, size_t size,
                      size_t line_count, enum blockmap_headers headers,
                      struct blockmap *blockmap);

void blockmap_free(struct blockmap *blockmap);

// Whether a lump has the words of a grid.
bool blockmap_has_grid(const struct blockmap *blockmap);

enum { BLOCKMAP_GRID_TEXT = 64 }; // room for a description of a grid

// "-328,-1796 20x28": origin, columns and rows; "none" without a grid.
void blockmap_describe_grid(const struct blockmap *blockmap, char *text,
                            size_t size);

// Whether a lump has a grid and all of its offsets, be they none.
bool blockmap_has_table(const struct blockmap *blockmap);

// The same with at least one block.
bool blockmap_has_blocks(const struct blockmap *blockmap);

// How many blocks have a list that cannot be read.
size_t blockmap_count_unreadable(const struct blockmap *blockmap);

// Whether something cannot be read: the lump, a list, or a linedef in one.
bool blockmap_has_unreadable(const struct blockmap *blockmap);

// Columns, or rows; none where both are the same.
struct blockmap_span {
    uint32_t begin;
    uint32_t end; // behind the last
};

struct blockmap_area {
    struct blockmap_span columns;
    struct blockmap_span rows;
};

// The blocks of a grid that have a point in common with the block whose
// south-west corner is at x,y in 16.16, be that one of the grid or of another.
struct blockmap_area blockmap_across(const struct blockmap *blockmap, int64_t x,
                                     int64_t y);

bool blockmap_area_is_empty(const struct blockmap_area *area);

// The west edge of a column, or the south edge of a row, in map units.
double blockmap_edge(int32_t origin, size_t index);

// A lump's words as of this form, be it of another one.
struct words blockmap_words(const unsigned char *bytes, size_t size,
                            enum blockmap_form form);

// The form that a lump says it has.
enum blockmap_form blockmap_form(const unsigned char *bytes, size_t size);

// "classic", "xbm1" or "empty", as the facts of a build have it.
const char *blockmap_form_name(enum blockmap_form form);

// "zero", "any", "mixed" or "none".
const char *blockmap_headers_name(enum blockmap_headers headers);

// "none", "no_grid" or "no_table".
const char *blockmap_fault_name(enum blockmap_fault fault);

// "none", "in_table", "outside" or "endless".
const char *blockmap_list_fault_name(enum list_fault fault);

// Calls `visit` for each block whose offset is neither in the table nor
// outside, those stored last first; see lists_read.
void blockmap_read_lists(const struct blockmap *blockmap, size_t line_count,
                         list_visit *visit, void *context);

#endif
