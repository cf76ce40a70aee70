// SPDX-License-Identifier: GPL-2.0-or-later
//
// The words of a BLOCKMAP lump, and what the lists that begin at them hold.

#ifndef READ_LISTS_H
#define READ_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Words, counted from the origin word of the lump.
struct words {
    const unsigned char *bytes;
    size_t count;
    bool are_wide; // 32 bits, else 16
};

uint32_t words_get(const struct words *words, size_t index);

// The word that ends a list.
uint32_t words_end(const struct words *words);

// What a walk has seen on its way to a word.
struct list_reader;

// A list: the words from one where a block's list begins to its terminator.
struct list_view {
    size_t end;        // index of the terminator; the word count without one
    bool has_end;      // whether there is one
    bool is_ascending; // whether no linedef stands before a lower one
    size_t distinct;   // different linedefs in it, headers left out
    size_t repeats;    // words with a linedef that stands behind them again
    size_t too_large;  // words that number no linedef of the map
    uint64_t digest;   // of all words: equal for equal lists
    const struct list_reader *list_reader;
};

// Whether the list has a linedef.  A header, its own or that of another list in
// the middle of this one, is linedef 0 to an engine that reads it.
bool list_has(const struct list_view *list_view, uint32_t linedef);

// The same, but such headers are none.
bool list_has_linedef(const struct list_view *list_view, uint32_t linedef);

// The different linedefs in the list, those that stand last in it first; the
// number is below `distinct`.
uint32_t list_linedef_at(const struct list_view *list_view, size_t number);

// A block without a list.
#define NO_START UINT32_MAX

// Which words that are 0 are headers, and no linedefs.
enum list_headers {
    LIST_HEADERS_NONE,
    LIST_HEADERS_BEFORE, // those before a start
    LIST_HEADERS_AT,     // those at a start
};

// Where the lists of blocks begin.
struct list_starts {
    const uint32_t *start; // for each block, an index of a word, or NO_START
    size_t block_count;
    enum list_headers headers;
};

typedef void list_visit(void *context, size_t block,
                        const struct list_view *list_view);

// Calls `visit` for each block that has a list, those that begin later in the
// lump before those that begin earlier.  It takes time for each word and block
// once, however lists overlap.  The map has `line_count` linedefs.
void lists_read(const struct words *words, size_t line_count,
                const struct list_starts *starts, list_visit *visit,
                void *context);

#endif
