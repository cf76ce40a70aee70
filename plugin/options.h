// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage's options: the one table that the interface, the command line and
// the documentation are made from and held against.

#ifndef OPTIONS_H
#define OPTIONS_H

#include "build.h"
#include "nbstage.h"

enum {
    OPTION_PRESET,
    OPTION_SOURCE,
    OPTION_GRID,
    OPTION_GOAL,
    OPTION_THREADS,
    OPTION_BOUNDS,
    OPTION_PRUNE,
    OPTION_PACK,
    OPTION_HEADER,
    OPTION_FIT,
    OPTION_FORMAT,
    OPTION_LIMIT,
    OPTION_OVERFLOW,
    OPTION_CHECK_NODES,
    OPTION_INFLATE_LIMIT,
    OPTION_MAX_BLOCKS,
    OPTION_MAX_ENTRIES,
    OPTION_MAX_MEMORY,
    OPTION_COUNT
};

extern const struct nbstage_option options_table[OPTION_COUNT];

// Sets every option to its default.
void options_set_defaults(struct build_options *options);

// Sets one option from text.  NBSTAGE_UNKNOWN_OPTION or NBSTAGE_BAD_VALUE
// with a sentence, at most `message_size` bytes, that names what is valid.
nbstage_status options_set(struct build_options *options, const char *name,
                           const char *value, char *message,
                           size_t message_size);

#endif
