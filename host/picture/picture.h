// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pictures of a blockmap as files: SVG, and a page for a browser.

#ifndef PICTURE_H
#define PICTURE_H

#include "arguments.h"
#include "picture/drawing.h"

// Refuses --svg and --html with a file that is also read, or with the same file
// for both, under any name, and with standard output for two of them or --json:
// STATUS_USAGE with a message.
enum exit_status picture_check_paths(const struct arguments *arguments);

// The first option that asks for a picture, "svg" or "html"; NULL if none does.
const char *picture_option(const struct arguments *arguments);

// Whether one of them goes to standard output, so that no report may.
bool picture_is_standard(const struct arguments *arguments);

// Writes the files of --svg, compressed if its name ends in ".svgz" or ".gz",
// and --html.  STATUS_FILE with a message on failure.
enum exit_status picture_save(const struct picture *picture,
                              const struct arguments *arguments);

// Writes the page of page.c, which needs no other file, compressed if its name
// ends in ".gz".  STATUS_FILE with a message on failure.
enum exit_status page_save(const struct picture *picture, const char *path);

#endif
