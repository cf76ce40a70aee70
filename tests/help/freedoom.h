// SPDX-License-Identifier: GPL-2.0-or-later
//
// The three WAD files of Freedoom and FreeDM, 100 real maps.  FREEDOOM_DIR
// names their folder.

#ifndef FREEDOOM_H
#define FREEDOOM_H

#include "doom-map.h"
#include "oracle.h"

#include <check.h>

enum {
    FREEDOOM_FILES = 3,
    FREEDOOM_MAPS = 100,
    FREEDOOM_SKIPPED = 77, // the exit status of a test without them
};

// Whether all of them can be read; says so if not.
bool freedoom_is_there(void);

const char *freedoom_name(size_t file);

// A map, as its lumps and decoded.
struct freedoom_map {
    size_t file;
    struct lump_set set;
    struct doom_map map;
    struct oracle_line *lines; // as many as the map has linedefs
};

// All of them, file by file, once freedoom_load has read them.
extern struct freedoom_map freedoom_maps[FREEDOOM_MAPS];

// An unchecked fixture: every test of a case finds the maps.
void freedoom_load(void);
void freedoom_unload(void);

// Whether a file that is loaded is of the release of which totals are known,
// 0.12.1; says so if not.
bool freedoom_is_known(size_t file);

// A check of a map.  Returns how much it has compared.
struct freedoom_check {
    const char *name;
    size_t (*check)(const struct freedoom_map *map);
};

// What is checked, with the map and the seed, for messages.
extern char freedoom_where[128];
extern uint64_t freedoom_seed;

// Checks those maps of a file whose number is a multiple of `stride`.  Fails if
// nothing was compared on any of them.
void freedoom_run_check(const struct freedoom_check *check, size_t file,
                        size_t stride);

// The main function of a program: runs all its tests.  Every test has the maps,
// and the fixture of run_tests.
int freedoom_main(void);

#endif
