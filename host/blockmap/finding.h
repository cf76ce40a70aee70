// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines below a map in the tables of verify and diff, each of which tells of
// something that was found.

#ifndef FINDING_H
#define FINDING_H

#include "blockmap/blockmap.h"
#include "message.h"

void finding_print(const char *format, ...) PRINTF_LIKE(1, 2);

// Tells what is wrong with a lump as a whole, if something is; `which` is "" or
// a word for it with a space behind.
void finding_print_fault(const char *which, const struct blockmap *blockmap);

#endif
