// SPDX-License-Identifier: GPL-2.0-or-later
//
// The show command describes the blockmaps of maps.  show.c finds out what
// there is to show; show-report.c prints it.

#ifndef SHOW_H
#define SHOW_H

#include "blockmap/engines.h"
#include "blockmap/makers.h"
#include "blockmap/open-map.h"
#include "blockmap/statistics.h"

// A map, and what is shown of it.
struct show_map {
    const struct open_map *map;
    char *error; // why nothing can be shown; else NULL

    // The blockmap: the map's own one, or, if that has no blocks, what a build
    // makes.
    const struct blockmap *blockmap;
    bool is_built;
    struct nbstage_result result; // of the build
    struct blockmap built;

    struct statistics statistics;

    // Of the map's own lump.
    struct engine_verdicts verdicts;
    size_t missing; // how many times a block misses a linedef

    // Builders that make the same lists.
    const struct nbstage_choice *makers[MOST_MAKERS];
    size_t maker_count;

    // A block to print, if has_block.
    bool has_block;
    size_t block;
};

// The table of several maps on standard output: its headings, and a row.
void show_report_headings(void);
void show_report_row(const struct show_map *shown);

// The summary of a map, or the block that was asked for, on standard output.
void show_report_map(const struct show_map *shown);

// The same as JSON, map by map between a beginning and an end.  blocksweep(1)
// has the schema.
void show_report_begin_json(const struct nbstage_descriptor *stage,
                            const char *path);
void show_report_map_json(const struct show_map *shown);
void show_report_end_json(void);

#endif
