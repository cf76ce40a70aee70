// SPDX-License-Identifier: GPL-2.0-or-later
//
// A BLOCKMAP lump in the reports of verify, show and diff, which all describe
// it with the same members.

#ifndef BLOCKMAP_JSON_H
#define BLOCKMAP_JSON_H

#include "blockmap/engines.h"

// Writes the members of an object that describe a lump; `form` is the name of
// its form, or "none" for a map that has no lump.
void blockmap_json_write(const struct blockmap *blockmap, const char *form);

// Writes what the first so many families of engines make of a lump.
void blockmap_json_write_engines(const enum engine_verdict *verdicts,
                                 size_t count);

#endif
