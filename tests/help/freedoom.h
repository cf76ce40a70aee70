// SPDX-License-Identifier: GPL-2.0-or-later
//
// The three WAD files of Freedoom and FreeDM, 100 real maps.  FREEDOOM_DIR
// names their folder.

#ifndef FREEDOOM_H
#define FREEDOOM_H

#include "lump-set.h"

#include <check.h>

enum {
    FREEDOOM_FILES = 3,
    FREEDOOM_MAPS = 100,
    FREEDOOM_SKIPPED = 77, // the exit status of a test without them
};

// Whether all of them can be read; says so if not.
bool freedoom_is_there(void);

const char *freedoom_name(size_t file);

// A map, as its lumps and as arrays.
struct freedoom_map {
    size_t file;
    struct lump_set set;
    struct random_map arrays;
    const struct nbstage_lump *blockmap;
    struct oracle_line *lines; // as many as the arrays have
};

// All of them, file by file, once freedoom_load has read them.
extern struct freedoom_map freedoom_maps[FREEDOOM_MAPS];

// An unchecked fixture: every test of a case finds the maps.
void freedoom_load(void);
void freedoom_unload(void);

// Whether a file that is loaded is of the release of which totals are known,
// 0.12.1; says so if not.
bool freedoom_is_known(size_t file);

#endif
