// SPDX-License-Identifier: GPL-2.0-or-later
//
// WADs made of others, for whole processes.

#ifndef FILES_H
#define FILES_H

#include "maps.h"

// Writes a file that holds the file of these maps this many times.
void files_write_copies(const char *path, const struct maps *maps,
                        size_t copies);

// Bytes of a map's lumps.
size_t files_map_size(const struct wad_map *map);

// Writes a file with this map only.
void files_write_map(const char *path, const struct wad_map *map);

// Removes the files in a folder.  Returns how many there were.
size_t files_empty(const char *folder);

#endif
