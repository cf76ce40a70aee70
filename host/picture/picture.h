// SPDX-License-Identifier: GPL-2.0-or-later
//
// A picture of a blockmap: the map's lines on its blocks, which are coloured by
// how many linedefs they list.  It is SVG, by itself or inside of a page.
//
// In the picture block 7 is the element "b7", and linedef 7 is "l7", which are
// not seen but have a tooltip, as far as there is room for them.  The colour of
// blocks is in the elements "colour-0", "colour-1" and so on, in the
// coordinates of columns and rows; lines are in map units.

#ifndef PICTURE_H
#define PICTURE_H

#include "blockmap/statistics.h"
#include "message.h"
#include "nbstage.h"

#include <zlib.h>

enum { PICTURE_MOST_BYTES = 10000000 };

struct picture {
    const char *name;                // the map's
    const struct blockmap *blockmap; // sound
    const struct statistics *statistics;
    const struct nbstage_decoded *decoded;

    // For each block, the group that it is marked as one of, with a border
    // around each group; 0 for blocks that are not marked.  NULL for none.
    const uint32_t *groups;
    const char *group_label; // what the legend says of marked blocks
};

// Writes the element <svg>, with at most PICTURE_MOST_BYTES if that can be:
// tooltips are left out first; at last lines are written to half a pixel, and
// everything takes at most 16 bytes for each block and 22 for each linedef on
// grids of up to 1000 by 1000 blocks.  Errors stay in the stream, for gzerror.
void picture_write(const struct picture *picture, gzFile stream);

// Writes it to a file, which is compressed if its name ends in ".svgz" or
// ".gz".  STATUS_FILE with a message on failure.
enum exit_status picture_save(const struct picture *picture, const char *path);

#endif
