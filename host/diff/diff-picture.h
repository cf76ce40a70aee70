// SPDX-License-Identifier: GPL-2.0-or-later
//
// The picture of what differs between two blockmaps.

#ifndef DIFF_PICTURE_H
#define DIFF_PICTURE_H

#include "diff/diff-report.h"

// Writes a picture of the new map and its blockmap to a file, with the blocks
// marked that differ, or that lie across one of the old grid that does.  A map
// that cannot be drawn is STATUS_MAP_FAILED with a message.
enum exit_status diff_picture_write(const char *path, struct open_file *file,
                                    const struct diff_map *found);

#endif
