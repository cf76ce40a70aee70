// SPDX-License-Identifier: GPL-2.0-or-later
//
// The directory of a WAD written as words.

#ifndef DIRECTORY_H
#define DIRECTORY_H

#include "wad/wad.h"

// Makes a directory of up to 24 lumps from their names, separated by spaces.  A
// name may have its size in bytes behind it: "MAP01 THINGS SECTORS=26".  The
// lumps stay until the next one is made.
void directory_make(const char *words, struct wad *wad);

#endif
