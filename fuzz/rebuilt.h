// SPDX-License-Identifier: GPL-2.0-or-later
//
// A WAD in memory whose maps get blockmaps anew, as the command writes it.

#ifndef REBUILT_H
#define REBUILT_H

#include "file/maps.h"
#include "file/wad.h"
#include "target.h"

enum { REBUILT_MOST_LUMPS = 256 };

struct rebuilt {
    struct wad wad; // as it was
    struct wad_entry entries[REBUILT_MOST_LUMPS];
    void *made[REBUILT_MOST_LUMPS];    // the bytes of entries that were built
    bool is_built[REBUILT_MOST_LUMPS]; // of markers: whether the map has one
};

// Reads a WAD; false if it is none, or has too many lumps.  It is for
// rebuilt_close then, too.
bool rebuilt_open(struct rebuilt *rebuilt, const struct input *bytes);

void rebuilt_close(struct rebuilt *rebuilt);

// Builds the maps that are whole and have a BLOCKMAP to take the lump of.
void rebuilt_build(struct rebuilt *rebuilt, const char *options);

// Writes the WAD into a file in memory; its descriptor.
int rebuilt_write(const struct rebuilt *rebuilt);

#endif
