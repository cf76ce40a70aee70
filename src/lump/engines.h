// SPDX-License-Identifier: GPL-2.0-or-later
//
// How families of engines read a BLOCKMAP lump, and what a lump has to be that
// several of them read right.

#ifndef ENGINES_H
#define ENGINES_H

#include "lists/pack.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stdint.h>

// Families of engines; sets of them have these bits.
enum engine_family {
#define FAMILY(id, ...) FAMILY_##id,
#define ENGINE(...)
#include "lump/engine-table.h"
    FAMILY_COUNT
};

typedef uint32_t families;

static inline families family_bit(enum engine_family family)
{
    return UINT32_C(1) << family;
}

// What an engine does with the word at a block's offset.
enum engine_first_word {
    FIRST_WORD_READ,                // it is a linedef
    FIRST_WORD_SKIPPED,             // it is a header
    FIRST_WORD_SKIPPED_IF_ALL_ZERO, // a header if it is 0 in all lists
};

struct engine {
    enum engine_family family;
    const char *name;
    enum engine_first_word first_word;
    bool has_signed_words; // reads words of 16 bits as signed numbers
    bool rebuilds;         // a lump that is empty or too large
    bool checks_lists;     // and rebuilds one that leads outside
    bool reads_xbm1;
};

enum {
    ENGINE_COUNT = 0
#define FAMILY(...)
#define ENGINE(...) +1
#include "lump/engine-table.h"
};

extern const struct engine engine_table[ENGINE_COUNT];

// What the engines of families agree on.
struct engines_needs {
    enum list_header header; // the weakest that all of them read right
    enum lump_limit limit;   // that a classic lump must meet
    bool read_xbm1;
    bool build_their_own; // where the lump is empty
};

// Of no family: what all engines that read the classic form agree on, but for
// the limit of Doom 1.9, which not every map is made for.
struct engines_needs engines_need(families named);

// The families that do not read XBM1.
families engines_without_xbm1(void);

#endif
