// SPDX-License-Identifier: GPL-2.0-or-later
//
// What to say of a lump that is over the limit.

#ifndef REMEDY_H
#define REMEDY_H

#include "build-lists.h"

enum { REMEDY_TEXT_SIZE = 320 };

bool remedy_limit_is_met(const struct lump_measure *measure,
                         enum stage_limit limit);

// The lump that the limit concerns.
const char *remedy_lump(const struct walk *walk);

// By how much the limit is missed.
void remedy_describe_excess(const struct walk *walk,
                            char text[REMEDY_TEXT_SIZE]);

// Which options would do without loss, tried by building with them; or what
// else there is.
enum status remedy_find(struct walk *walk, char text[REMEDY_TEXT_SIZE]);

#endif
