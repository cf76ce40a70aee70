// SPDX-License-Identifier: GPL-2.0-or-later
//
// A model of the engines that read BLOCKMAP lumps: what each family makes of
// a lump, and which lines it then tests in a block.

#ifndef ENGINES_H
#define ENGINES_H

#include "oracle.h"

enum engine_first_word {
    FIRST_WORD_READ, // as a line like any other
    FIRST_WORD_SKIPPED,
    FIRST_WORD_SKIPPED_IF_ALL_ZERO, // if every list of the map begins with 0
};

// What of a lump an engine looks at before it uses it, else it makes its own;
// each looks at what those before it do.
enum engine_look {
    LOOKS_AT_NOTHING,
    LOOKS_AT_LISTS,   // their ends, and whether the lines exist
    LOOKS_AT_OFFSETS, // none into the header
    LOOKS_AT_HEADERS, // all lists begin with 0
};

struct engine {
    const char *name; // as blocksweep-stage(7) has it
    const char *game; // a value of the option for
    enum engine_first_word first_word;
    enum engine_look looks;
    bool signed_words; // above 32767 they are negative
    size_t least;      // bytes that it takes; 0: it takes any lump, also those
                       // of 65536 words or more
    bool reads_xbm1;
    bool makes_its_own; // always
};

enum { ENGINE_COUNT = 18 };

extern const struct engine engines[ENGINE_COUNT];

enum engine_verdict {
    ENGINE_LOADS,
    ENGINE_REBUILDS, // leaves the lump and makes its own
    ENGINE_CRASHES,  // at the latest when something comes to a certain block
};

// A lump as an engine reads it.
struct engine_blockmap {
    int32_t origin_x, origin_y; // 16.16
    size_t columns, rows;
    struct oracle_entry_list tested; // lines by block, in the engine's order
};

// Reads a lump of a map with so many lines; the blockmap is for
// engine_blockmap_free, and empty unless the engine loads the lump.  Nothing
// outside the lump is read, be it ever so damaged.
enum engine_verdict engine_load(const struct engine *engine,
                                const unsigned char *bytes, size_t size,
                                size_t line_count,
                                struct engine_blockmap *blockmap);

// How many of the true entries an engine does not test.
size_t engine_count_missed(const struct engine_blockmap *blockmap,
                           const struct oracle_entry_list *truth,
                           size_t line_count);

void engine_blockmap_free(struct engine_blockmap *blockmap);

#endif
