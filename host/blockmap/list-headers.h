// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the lists of a map begin with, where that is not a 0 in all of them.

#ifndef HEADERS_H
#define HEADERS_H

#include "blockmap/open-map.h"

// Decides on the headers of a map that has a truth, and reads its present
// blockmap anew if that changes its lists.
void list_headers_find(struct open_map *map);

#endif
