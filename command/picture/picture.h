// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pictures of a blockmap as files: SVG, and a page for a browser.

#ifndef PICTURE_H
#define PICTURE_H

#include "common/arguments.h"
#include "inspect/inspect.h"
#include "platform/status.h"

// Checks the paths of --svg and --html.  STATUS_USAGE with a message if one is
// an input, both are one file, two outputs go to standard output, standard
// output is another file of the command, or an existing file is neither an SVG
// nor a page; STATUS_FILE with a message if a file cannot be written there.
enum exit_status picture_check_paths(const struct arguments *arguments);

// The first option that asks for a picture, "svg" or "html"; NULL if none does.
const char *picture_option(const struct arguments *arguments);

// The number of pictures that go to standard output.  If there are any, the
// report must not go there.
int picture_count_standard(const struct arguments *arguments);

// Draws a map that was judged into the files of --svg and --html, compressed if
// their names end in ".gz" or ".svgz".  With a message STATUS_MAP_FAILED if the
// map has no lines, or neither blocks nor expected ones, and STATUS_FILE.
enum exit_status picture_save(struct inspect_file *file,
                              struct inspect_map *map);

#endif
