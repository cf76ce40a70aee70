// SPDX-License-Identifier: GPL-2.0-or-later
//
// A build, and what is told about its lump.

#ifndef ADVICE_H
#define ADVICE_H

#include "base/context.h"
#include "map/map.h"
#include "nbstage.h"
#include "options.h"
#include "request.h"

// Builds the lump of a map as build_lump does.  If a limit is missed, builds it
// with other options, too, to tell which ones help.  A lump that is left empty
// is NULL.  NBSTAGE_OVER_LIMIT: also if no lump meets the limit of the ports.
nbstage_status advice_build(struct context *context, struct map *map,
                            const struct options *options,
                            struct build_result *result);

#endif
