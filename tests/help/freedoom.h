// SPDX-License-Identifier: GPL-2.0-or-later
//
// The three WAD files of Freedoom and FreeDM, 100 real maps.  FREEDOOM_DIR
// names their folder.

#ifndef FREEDOOM_H
#define FREEDOOM_H

#include "wadfile.h"

enum {
    FREEDOOM_FILES = 3,
    FREEDOOM_SKIPPED = 77, // the exit status of a test without them
};

// Whether all of them can be read; says so if not.
bool freedoom_is_there(void);

// Reads one, for wadfile_free.
struct wadfile freedoom_read(size_t file);

const char *freedoom_name(size_t file);

#endif
