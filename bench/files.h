// SPDX-License-Identifier: GPL-2.0-or-later
//
// WADs made of others, for whole processes.

#ifndef FILES_H
#define FILES_H

#include "maps.h"

// Writes a file with all lumps of the file of these maps so many times.
void files_write_copies(const char *path, const struct maps *maps,
                        size_t copies);

// Bytes of a map's lumps.
size_t files_map_size(const struct wad_map *map);

// Writes a file with this map only.
void files_write_map(const char *path, const struct wad_map *map);

// Removes what is in a folder.  Returns how many files that were.
size_t files_empty(const char *folder);

#endif
