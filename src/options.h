// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage's options: the table in option-table.h, and how values are set.

#ifndef OPTIONS_H
#define OPTIONS_H

#include "base/context.h"
#include "nbstage.h"
#include "request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MiB: more than blocks and entries can take that are numbered with 32 bits.
enum { MOST_MEMORY = 1 << 17 };

enum {
#define OPTION(id, ...) OPTION_##id,
#include "option-table.h"
#undef OPTION
    OPTION_COUNT
};

extern const struct nbstage_option options_table[OPTION_COUNT];

// Several options by one name.
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
    uint32_t memory_mib; // that a map may take; 0: chosen by its size
    engine_set engines;  // build.engines as it is set

    // As bits: the options that were set, and those that the host has defaults
    // for.
    uint32_t were_set;
    uint32_t have_defaults;
    // What is stored where neither the user nor a preset decides.
    int64_t usual[OPTION_COUNT];
};

// Warns of options that have no effect beside others, and of those with which a
// named engine does not read the lump right.
void options_warn(struct context *context, const struct options *options);

// Sets every option to its default.
void options_set_defaults(struct options *options);

// Sets one option from text, or its default, which gives way to options and
// presets that are set.  NBSTAGE_UNKNOWN_OPTION or NBSTAGE_BAD_VALUE with a
// sentence that names what is valid.
nbstage_status options_set(struct context *context, struct options *options,
                           const char *name, const char *value,
                           bool by_default);

// What a map of so many bytes may take.
struct limits options_limits(const struct options *options, uint64_t map_bytes);

#endif
