// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage's options: their table, see option-table.h, and their values.

#ifndef OPTIONS_H
#define OPTIONS_H

#include "base/context.h"
#include "lump/engines.h"
#include "nbstage.h"
#include "request.h"

#include <stdint.h>

// MiB: more than blocks and entries with 32-bit numbers need.
enum { MOST_MEMORY = 1 << 17 };

enum {
#define OPTION(id, ...) OPTION_##id,
#include "option-table.h"
#undef OPTION
    OPTION_COUNT
};

extern const struct nbstage_option options_table[OPTION_COUNT];

// The same options; NULL ends them.
extern const struct nbstage_option *const options_list[OPTION_COUNT + 1];

// A name for the values of several options.
enum options_preset {
    PRESET_COMPATIBLE,
    PRESET_REPACK,
    PRESET_SMALL,
    PRESET_VANILLA,
    PRESET_COUNT,
};

struct options {
    struct build_request build;
    enum options_preset preset;
    uint32_t memory_mib; // limit per map; 0: from its size
    engine_set engines;  // as named; build.engines follows from it

    // As NBSTAGE_BY_HOST and NBSTAGE_BY_USER set them by name: a bit for each
    // option that was set, and the numbers.
    uint32_t were_set[2];
    int64_t values[2][OPTION_COUNT];
};

// Warns of options without effect, and of options whose lumps a named engine
// misreads.
void options_warn(struct context *context, const struct options *options);

// Warns that lumps without headers work in some ports only.
void options_warn_headerless(struct context *context,
                             const struct options *options);

// Sets every option to the stage's default.
void options_reset(struct options *options);

// Sets one option from text by NBSTAGE_BY_HOST or NBSTAGE_BY_USER; nbstage.h
// has the rule.  NBSTAGE_UNKNOWN_OPTION or NBSTAGE_BAD_VALUE with a sentence
// that lists the valid names or values; NBSTAGE_UNSUPPORTED: another `by`.
nbstage_status options_set(struct context *context, struct options *options,
                           const char *name, const char *value, int32_t by);

// The limits of a map of this size.
struct limits options_limits(const struct options *options, uint64_t map_bytes);

#endif
