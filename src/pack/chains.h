// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writing lists as chains: each list of a chain is the tail of the one before.

#ifndef CHAINS_H
#define CHAINS_H

#include "pack/nest.h"
#include "pack/pack.h"

// Writes lists as the chains of a nesting into an area, whose words and
// offsets are allocated.  Uses up what stands between the lists' linedefs.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_OVER_LIMIT.
nbstage_status chains_write(struct context *context, struct lists *lists,
                            const struct nesting *nesting,
                            enum pack_header header, struct list_area *area);

#endif
