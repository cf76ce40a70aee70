// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a build has to tell: a table, JSON, messages, and a line of progress.
// The command prints it; an adapter has these functions of its own, which tell
// it by the means of the builder that it works in.

#ifndef BUILD_REPORT_H
#define BUILD_REPORT_H

#include "nbstage.h"
#include "sentences.h"

#include <stdbool.h>
#include <stddef.h>

// What became of one map.
struct map_report {
    const char *name;
    char *error; // the sentence if it failed, else NULL
    struct sentences warnings;
    size_t bytes_before; // of the BLOCKMAP lump, 0 if there was none
    size_t bytes_after;
    double seconds;
    const struct nbstage_result *result; // its facts; none if it failed
};

struct build_report {
    const char *input;
    const char *output;
    const struct nbstage_descriptor *stage;
    const char *builder; // the command that ran first; NULL if none did
    double builder_seconds;
    const struct map_report *maps;
    size_t map_count;
    bool written; // whether the output was
};

// The table on standard output, line by line as maps get done.
void build_report_builder(const char *name, double seconds);
void build_report_heading(void);
void build_report_map(const struct map_report *map);
void build_report_total(const struct build_report *report);

// All of it as JSON on standard output.  blocksweep(1) has the schema.
void build_report_json(const struct build_report *report);

// Shows how far the work is, on standard error if that is a terminal and the
// first call was over a second ago.  Returns whether to go on.
bool build_report_progress(const char *map, size_t map_index, size_t map_count,
                           uint32_t done, uint32_t total);

// Shows one line, without a newline.
void build_report_message(const char *line);

#endif
