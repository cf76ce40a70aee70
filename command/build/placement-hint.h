// SPDX-License-Identifier: GPL-2.0-or-later
//
// A hint for maps whose lumps are not where ports find them: ZDBSP, if it
// helps.

#ifndef PLACEMENT_HINT_H
#define PLACEMENT_HINT_H

#include "wad/placement.h"
#include "wad/wad.h"

#include <stdbool.h>

// What ZDBSP made of a file; it is run once, when a hint is first wanted.
// Begins with zeros.
struct placement_trial {
    bool is_made;
    bool is_good; // all selected maps are built and in place
    struct wad wad;
};

// Appends a hint to the sentence of placement_is_right, if ZDBSP helps.
// Changes the partners of maps.
void placement_add_hint(struct placement_trial *trial, struct wad *wad,
                        const struct placement *placement,
                        char sentence[PLACEMENT_TEXT]);

void placement_free_trial(struct placement_trial *trial);

#endif
