// SPDX-License-Identifier: GPL-2.0-or-later
//
// What blocksweep-stage(7) says about engines, read out of the page, so that
// it and what tests prove cannot differ.

#ifndef ENGINE_TABLE_H
#define ENGINE_TABLE_H

#include <stddef.h>

// "ZDoom family" makes of "header" "any": "rebuilds".
struct engine_table_cell {
    char engine[40];
    char option[16];
    char choice[16];
    char word[16];
};

enum { ENGINE_TABLE_MOST_CELLS = 200 };

struct engine_table {
    struct engine_table_cell cell[ENGINE_TABLE_MOST_CELLS];
    size_t count;
};

// Reads the tables in the section ENGINES.
struct engine_table engine_table_read(void);

// What an engine makes of a choice.  A cell that is not there ends the test.
const char *engine_table_find(const struct engine_table *table,
                              const char *engine, const char *option,
                              const char *choice);

#endif
