// SPDX-License-Identifier: GPL-2.0-or-later
//
// A BLOCKMAP lump in the reports of verify, show and diff.

#ifndef BLOCKMAP_REPORT_H
#define BLOCKMAP_REPORT_H

#include "blockmap/engines.h"

// Writes the members of an object that describe a lump; `form` is the name of
// its form, or "none" for a map without a lump.
void blockmap_report_json(const struct blockmap *blockmap, const char *form);

// Writes what each family of engines does with a lump, or with NULL an empty
// array.
void blockmap_report_engines_json(const struct engine_verdicts *verdicts);

// Prints what is wrong with a lump as a whole, if something is; `which` is ""
// or a word for it and a space.
void blockmap_report_fault(const char *which, const struct blockmap *blockmap);

// Why a list cannot be read, as the end of a sentence.
const char *blockmap_report_reason(enum list_fault fault);

#endif
