// SPDX-License-Identifier: GPL-2.0-or-later
//
// How families of engines read a BLOCKMAP lump, and what a lump has to be that
// several of them read right.

#ifndef ENGINES_H
#define ENGINES_H

#include "lump/lump.h"

// Families of engines; sets of them have these bits.
enum engine_family {
    FAMILY_DOOM19,
    FAMILY_CRISPY,
    FAMILY_BOOM,
    FAMILY_MBF21,
    FAMILY_ZDOOM,
    FAMILY_WOOF,
    FAMILY_ODAMEX,
    FAMILY_COUNT,
};

typedef uint32_t families;

static inline families family_bit(enum engine_family family)
{
    return UINT32_C(1) << family;
}

enum { ENGINE_COUNT = 13 };

// A row an engine, or a level of one.
extern const struct nbstage_engine engine_table[ENGINE_COUNT];

// What the engines of families agree on.
struct engines_needs {
    enum pack_header header; // the weakest that all of them read right
    enum lump_limit limit;   // that a classic lump must meet
    bool read_xbm1;
    bool build_their_own; // where the lump is empty
};

// Of no family: what all engines that read the classic form agree on, but for
// the limit of Doom 1.9, which not every map is made for.
struct engines_needs engines_need(families named);

// The families that do not read a lump with this header right, and those that
// do not read XBM1.
families engines_without_header(enum pack_header header);
families engines_without_xbm1(void);

#endif
