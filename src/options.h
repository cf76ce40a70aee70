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

    // A bit for each option that the user has set, or the host has given a
    // default.
    uint32_t were_set;
    uint32_t have_defaults;

    int64_t defaults[OPTION_COUNT]; // of the host, or else of the stage
};

// Warns of options without effect, and of options whose lumps a named engine
// misreads.
void options_warn(struct context *context, const struct options *options);

// Sets every option to the stage's default.
void options_reset(struct options *options);

// Sets one option from text.  NBSTAGE_UNKNOWN_OPTION or NBSTAGE_BAD_VALUE with
// a sentence that lists the valid names or values.
nbstage_status options_set(struct context *context, struct options *options,
                           const char *name, const char *value);

// Sets the host's default of an option in the same way.  Options and presets
// that the user sets override it, in any order.
nbstage_status options_set_default(struct context *context,
                                   struct options *options, const char *name,
                                   const char *value);

// The limits of a map of this size.
struct limits options_limits(const struct options *options, uint64_t map_bytes);

#endif
