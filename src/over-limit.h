// SPDX-License-Identifier: GPL-2.0-or-later
//
// What to say of a lump that is over the limit.

#ifndef OVER_LIMIT_H
#define OVER_LIMIT_H

#include "build-lists.h"

enum { OVER_LIMIT_TEXT_SIZE = 320 };

bool over_limit_is_met(const struct lump_measure *measure,
                       enum build_limit limit);

// The lump that the limit concerns.
const char *over_limit_lump(const struct build *build);

// By how much the limit is missed.
void over_limit_describe(const struct build *build,
                         char text[OVER_LIMIT_TEXT_SIZE]);

// Which options would do without loss, tried by building with them; or what
// else there is.
nbstage_status over_limit_advise(struct build *build,
                                 char text[OVER_LIMIT_TEXT_SIZE]);

#endif
