// SPDX-License-Identifier: GPL-2.0-or-later
//
// A page to walk about in a blockmap with a browser: the picture, and the lists
// behind it.

#ifndef PAGE_H
#define PAGE_H

#include "picture/picture.h"

// Writes the page to a file that needs no other one, and that is compressed if
// its name ends in ".gz".  STATUS_FILE with a message on failure.
enum exit_status page_save(const struct picture *picture, const char *path);

#endif
