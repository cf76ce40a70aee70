// SPDX-License-Identifier: GPL-2.0-or-later
//
// What comes of a node builder: the file that it wrote, which may be damaged.

#ifndef BUILDER_OUTPUT_H
#define BUILDER_OUTPUT_H

#include "build/build.h"

#include <stddef.h>

// Reads the file that a builder made of the input, whose maps these are, into
// *built, and closes the descriptor.
//
// STATUS_MAP_FAILED, with a sentence without a line's end, if it is not a WAD
// that is whole, with all the maps of the input and lines in them; STATUS_FILE
// with a message if memory runs out.  *built is for the caller to free either
// way.
enum exit_status builder_output_take(int descriptor, const struct wad *input,
                                     const struct map_places *maps,
                                     struct built_file *built, char *sentence,
                                     size_t size);

#endif
