// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pictures of a blockmap as files: SVG, and a page for a browser.

#ifndef PICTURE_H
#define PICTURE_H

#include "commands.h"
#include "inspect/inspect.h"
#include "message.h"

#include <stdbool.h>

// Returns STATUS_USAGE with a message if --svg or --html names a file that is
// read, both name one file, two outputs want standard output, standard output
// is a file that is read or written otherwise, or what is there is no picture
// or page; STATUS_FILE with a message if no file can be written there.
enum exit_status picture_check_paths(const struct arguments *arguments);

// The first option that asks for a picture, "svg" or "html"; NULL if none does.
const char *picture_option(const struct arguments *arguments);

// Whether one of them goes to standard output, so that no report may.
bool picture_is_standard(const struct arguments *arguments);

// Writes the files of --svg and --html, compressed if their names end in ".gz"
// or ".svgz", of a map that was judged.  With a message STATUS_MAP_FAILED if
// the map has no lines or blocks, and STATUS_FILE.
enum exit_status picture_save(struct inspect_file *file,
                              struct inspect_map *map);

#endif
