// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lumps held against brute force.

#ifndef EXPECTED_LISTS_H
#define EXPECTED_LISTS_H

#include "blocklists.h"
#include "nbstage.h"

#include <stdbool.h>

// What there is to know about a lump to read it.
struct expected_form {
    enum blocklists_header header;
    bool has_extra_lines; // blocks may list lines that do not touch them
};

// The lines of a decoded map, for free.
struct oracle_line *expected_lines(const struct nbstage_decoded *decoded);

// Checks a lump that lists all of the lines, unless brute force would take too
// long.
void expected_check(const struct nbstage_lump *lump,
                    const struct oracle_line *lines, size_t line_count,
                    const struct expected_form *form);

#endif
