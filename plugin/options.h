// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage's options: one table, which the interface, the command line and the
// manuals follow.

#ifndef OPTIONS_H
#define OPTIONS_H

#include "build.h"

// An option a row.  Its number; its name; its group; where struct build_options
// has it; what it takes; its default; a line of help.
//   CHOICE takes one of a list in options.c.  The place in the list is the
//   value.  Other values have the form that stands after the list, or NULL.
//   LIST takes some of a list as a choice_list, the first one only alone.
//   FLAG takes yes or no.
//   INTEGER takes a number in a unit, from a minimum to a maximum.
// clang-format off
#define OPTION_ROWS(CHOICE, LIST, FLAG, INTEGER) \
    LIST(FOR, "for", GROUP_GAMES, FIELD(engines), engine_choices, \
         "any", "the games that have to play the map") \
    CHOICE(PRESET, "preset", GROUP_GAMES, FIELD(preset), preset_choices, NULL, \
           "compatible", "several options by one name") \
    CHOICE(HEADER, "header", GROUP_GAMES, FIELD(pack.header), header_choices, NULL, \
           "auto", "what stands before a list's linedefs") \
    CHOICE(FORMAT, "format", GROUP_GAMES, FIELD(format), format_choices, NULL, \
           "auto", "the form of the lump") \
    CHOICE(LIMIT, "limit", GROUP_GAMES, FIELD(limit), limit_choices, NULL, \
           "auto", "what a classic lump has to meet") \
    LIST(OVERFLOW, "overflow", GROUP_GAMES, FIELD(overflow), overflow_choices, \
         "auto", "what is tried for a map over the limit") \
    CHOICE(LISTS, "lists", GROUP_LISTS, FIELD(lists), lists_choices, NULL, \
           "exact", "which lists are stored") \
    CHOICE(PRUNE, "prune", GROUP_LISTS, FIELD(prune), prune_choices, NULL, \
           "tagged", "which lines are left out") \
    CHOICE(PACK, "pack", GROUP_LISTS, FIELD(pack.mode), pack_choices, NULL, \
           "share", "how lists are stored") \
    FLAG(CHECK_NODES, "check-nodes", GROUP_LISTS, FIELD(check_nodes), \
         "no", "check the lists against the map's segs") \
    CHOICE(GRID, "grid", GROUP_GRID, FIELD(grid.placement), grid_choices, "X,Y", \
           "auto", "where the grid of blocks begins") \
    CHOICE(BOUNDS, "bounds", GROUP_GRID, FIELD(bounds), bounds_choices, NULL, \
           "lines", "what the grid has to enclose") \
    INTEGER(THREADS, "threads", GROUP_GRID, FIELD(threads), 1, 0, SCORE_OFFSETS, \
            "0", "for searches, large maps; 0: one a CPU") \
    INTEGER(INFLATE_LIMIT, "inflate-limit", GROUP_MAP, FIELD(inflate_limit), \
            MEBIBYTE, 1, 1 << 20, "1024", "MiB a compressed lump may grow to") \
    INTEGER(MAX_BLOCKS, "max-blocks", GROUP_MAP, FIELD(limits.blocks), 1, \
            1, INT64_C(1) << ENTRY_BLOCK_BITS, \
            "262144", "blocks that the grid may have") \
    INTEGER(MAX_ENTRIES, "max-entries", GROUP_MAP, FIELD(limits.entries), 1, \
            1, UINT32_MAX, "16777216", "entries that all blocks may have") \
    INTEGER(MAX_MEMORY, "max-memory", GROUP_MAP, FIELD(limits.memory), MEBIBYTE, \
            0, 1 << 20, "0", "MiB that a map may take; 0: by its size")
// clang-format on

#define OPTION_NUMBER(id, ...) OPTION_##id,
enum {
    OPTION_ROWS(OPTION_NUMBER, OPTION_NUMBER, OPTION_NUMBER, OPTION_NUMBER)
        OPTION_COUNT
};

extern const struct nbstage_option options_table[OPTION_COUNT];

// How many threads a map of so many lines is built with: one, unless it is
// large and the user or the host has set the option.
size_t options_count_threads(const struct build_options *options,
                             size_t line_count);

// Warns of options that cannot matter beside others for a map of so many lines,
// and of those with which an engine that is to read the lump right will not.
void options_warn(struct context *context, const struct build_options *options,
                  size_t line_count);

// The same for a lump that was left empty.
void options_warn_of_empty(struct context *context,
                           const struct build_options *options);

// Sets every option to its default.
void options_set_defaults(struct build_options *options);

// Sets one option from text, or its default, which gives way to options and
// presets that are set.  NBSTAGE_UNKNOWN_OPTION or NBSTAGE_BAD_VALUE
// with a sentence, at most `message_size` bytes, that names what is valid.
nbstage_status options_set(struct build_options *options, const char *name,
                           const char *value, bool by_default, char *message,
                           size_t message_size);

#endif
