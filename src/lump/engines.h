// SPDX-License-Identifier: GPL-2.0-or-later
//
// How engines read a BLOCKMAP lump, and what a lump has to be that several of
// them read right.

#ifndef ENGINES_H
#define ENGINES_H

#include "lists/lists.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
#define ENGINE(id, ...) ENGINE_##id,
#define NAME(...)
#define GAME(...)
#include "lump/engine-table.h"
    ENGINE_COUNT
};

// A set of engines, a bit for each.
typedef uint32_t engine_set;
#define ENGINE_BIT(id) (UINT32_C(1) << (id))
#define ENGINES_ALL (ENGINE_BIT(ENGINE_COUNT) - 1)
#define ENGINES_ANY ENGINE_BIT(31) // beside these: any engine at all

// What an engine does with the word at a block's offset.
enum engine_first_word {
    FIRST_WORD_READ,                // it is a linedef
    FIRST_WORD_SKIPPED,             // it is a header
    FIRST_WORD_SKIPPED_IF_ALL_ZERO, // a header if it is 0 in all lists
};

// What an engine checks when it loads a lump.  If a check fails, it builds its
// own.  Each includes those before it.
enum engine_checks {
    CHECKS_NOTHING,
    CHECKS_LISTS,   // that lists have an end, and linedefs exist
    CHECKS_OFFSETS, // neither below 4 nor past the end
    CHECKS_HEADERS, // that lists begin with 0
};

struct engine {
    const char *name;
    const char *word; // that stands for it in the option "for"
    enum engine_first_word first_word;
    // A smaller lump is not used, nor is a classic one of 65,536 words; 0 if
    // all are.
    unsigned char least_bytes;
    enum engine_checks checks;
    bool has_signed_words; // reads words of 16 bits as signed numbers
    bool reads_xbm1;
    bool builds_its_own; // whatever the lump is
};

extern const struct engine engine_table[ENGINE_COUNT];

// What several engines agree on.
struct engines_needs {
    enum list_header header; // the weakest that all of them read right
    enum lump_limit limit;   // that a classic lump must meet
    bool read_xbm1;
    bool build_their_own;    // where the lump is empty
    engine_set skip;         // that miss lines in a lump without headers
    engine_set without_xbm1; // that take it for something else
};

// If `named` is empty: what all engines that read the classic form agree on,
// but for the limit of Doom 1.9, which not every map is made for.
struct engines_needs engines_need(engine_set named);

// Writes the words for engines, each once and with commas between.
void engines_list(engine_set engines, char *text, size_t size);

#endif
