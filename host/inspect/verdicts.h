// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each engine does with a lump.

#ifndef VERDICTS_H
#define VERDICTS_H

#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/judge.h"

#include <stddef.h>

enum verdict_kind {
    VERDICT_LOADS,
    VERDICT_REBUILDS, // ignores the lump and builds its own
    VERDICT_WRONG,    // uses it, and misses solid lines
    VERDICT_CRASHES,  // when something comes to a certain block, or earlier
    VERDICT_UNKNOWN, // the map cannot be read; or the engine uses the lump, and
                     // it is not known what should be in it
};

extern const char *const verdict_names[]; // "loads", ...

struct verdict {
    enum verdict_kind kind;
    const char *why; // NULL if the kind needs no reason
};

// What engines do with a lump; with the option for only those that it names.
struct engine_verdicts {
    engine_set named; // or 0
    size_t count;
    const struct engine *engine[ENGINE_COUNT];
    struct verdict verdict[ENGINE_COUNT];
};

// Judges a lump of a map with so many linedefs, 0 if they cannot be read.
// `expected` is NULL if it is not known.
struct engine_verdicts verdicts_find(const struct expected *expected,
                                     const struct blockmap *blockmap,
                                     size_t line_count, engine_set named);

#endif
