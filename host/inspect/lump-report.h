// SPDX-License-Identifier: GPL-2.0-or-later
//
// A lump, and what engines do with it, in the reports of verify, show and diff.

#ifndef LUMP_REPORT_H
#define LUMP_REPORT_H

#include "inspect/inspect.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/verdicts.h"
#include "report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What engines do with a map's lump; with the option for only those of the
// families that it names.
struct engine_verdicts {
    families named; // or 0
    size_t count;
    const struct engine *engine[ENGINE_COUNT];
    enum verdict verdict[ENGINE_COUNT];
};

// Judges the lump of a map.
void lump_judge(const struct inspect_file *file, const struct inspect_map *map,
                struct engine_verdicts *verdicts);

// Lists what engines do with a lump; NULL is for no lump.  People see a line
// for the engines for which `is_shown` is set, or with NULL for all.
void lump_list_engines(struct report *report,
                       const struct engine_verdicts *verdicts,
                       const bool *is_shown, const char *line);

extern const char *const verdict_names[];
extern const char *const blockmap_headers_names[];

// Adds the facts of a lump; `form` is the name of its form.
void lump_add_facts(struct facts *facts, const struct blockmap *blockmap,
                    const char *form);

// The form of a lump, and of the lump that a map has, or "none" without one.
const char *lump_form_name(const struct blockmap *blockmap);
const char *lump_map_form_name(const struct inspect_map *map);

// Adds what is wrong with a lump as a whole, or "", under a name.
void lump_add_flaw(struct facts *facts, const char *name,
                   const struct blockmap *blockmap);

// Adds why a list cannot be read, by name and as the end of a sentence, unless
// it can.
void lump_add_fault(struct facts *facts, const char *name,
                    const char *sentence_name, enum list_fault fault);

// The south-west corner of a block, 16.16.
struct lump_place {
    int64_t x, y;
};

struct lump_place lump_block_place(const struct blockmap *blockmap,
                                   size_t block);

// Adds the block of a lump's grid that has this corner: its number if it is in
// the grid, column, row and place.
void lump_add_block(struct facts *facts, const struct blockmap *blockmap,
                    int64_t x, int64_t y);

enum { LUMP_GRID_TEXT = 64 }; // room for a description of a grid

// "-328,-1796 20x28": origin, columns and rows; "none" without a grid.
void lump_describe_grid(const struct blockmap *blockmap, char *text,
                        size_t size);

#endif
