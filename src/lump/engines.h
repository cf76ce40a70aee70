// SPDX-License-Identifier: GPL-2.0-or-later
//
// How engines read a BLOCKMAP lump, and the form that all of a set of engines
// read.

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

// Pseudo-engines: "any" was named; a port that plays only this game.
#define ENGINES_ANY ENGINE_BIT(31)
#define ENGINES_HERETIC ENGINE_BIT(30)
#define ENGINES_STRIFE ENGINE_BIT(29)

// How an engine treats the word at a block's offset.
enum engine_first_word {
    FIRST_WORD_READ,                // as a linedef
    FIRST_WORD_SKIPPED,             // as a header
    FIRST_WORD_SKIPPED_IF_ALL_ZERO, // as a header if it is 0 in all lists
};

// The checks of an engine when it loads a lump.  If one fails, it builds its
// own.  Each row includes those before it.
enum engine_checks {
    CHECKS_NOTHING,
    CHECKS_LISTS,   // lists have an end, and linedefs exist
    CHECKS_OFFSETS, // offsets are neither below 4 nor past the end
    CHECKS_HEADERS, // lists begin with 0
};

// How an engine finds the lump of a map.
enum engine_find {
    FIND_PLACE,       // the tenth lump after the marker, whatever its name
    FIND_PLACE_NAMED, // that lump, if it is named BLOCKMAP
    FIND_ALL_NAMES,   // that lump, if all ten have their names
    FIND_ORDER, // by name, in the order of names; another name ends the map
    FIND_NAME,  // by name, up to the next marker
    FIND_NEVER, // it always builds its own
};

struct engine {
    const char *name;
    const char *level; // of compatibility, or another setting; or NULL
    const char *word;  // its name in the option "for"
    enum engine_first_word first_word;
    // The minimum lump size; an engine with one also ignores classic lumps of
    // 65,536 words or more.  0: it uses every lump.
    unsigned char least_bytes;
    enum engine_checks checks;
    bool has_signed_words; // reads 16-bit words as signed numbers
    bool reads_xbm1;
    enum engine_find find;
    uint16_t reach; // columns and rows that it reaches from the origin; 0: all
};

extern const struct engine engine_table[ENGINE_COUNT];

// The combined requirements of several engines.
struct engines_needs {
    enum list_header header; // the least compatible that all read right
    enum lump_limit limit;   // for classic lumps
    bool read_xbm1;
    bool build_their_own;    // if the lump is empty
    engine_set skip;         // engines that miss lines in headerless lumps
    engine_set without_xbm1; // engines that misread XBM1
};

// Combines the requirements of named engines.  If `named` is empty: those of
// all engines, but without the limit of Doom 1.9, as not every map targets it.
struct engines_needs engines_need(engine_set named);

// Writes the words for engines, each once, separated by commas.
void engines_list(engine_set engines, char *text, size_t size);

#endif
