// SPDX-License-Identifier: GPL-2.0-or-later
//
// What to say about a lump that is over the limit.

#ifndef OVER_LIMIT_H
#define OVER_LIMIT_H

#include "build-lists.h"

// Says by how much the limit is missed, and which options would meet it.  With
// BUILD_OVERFLOW_EMPTY that is a warning, otherwise NBSTAGE_OVER_LIMIT.
nbstage_status over_limit_fail_or_warn(struct build *build);

#endif
