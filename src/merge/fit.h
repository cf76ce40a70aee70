// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packs lists into a limit.  If necessary, blocks get extra entries.

#ifndef FIT_H
#define FIT_H

#include "lump/lump.h"

// Packs lists as pack_lists does, into the limit if that is possible; not with
// PACK_NONE.  *merge_count is how many times two lists or chains became one.
nbstage_status fit_pack(struct context *context, struct lists *lists,
                        struct pack_form form, enum lump_limit limit,
                        struct list_area *area, size_t *merge_count);

// Whether the table of offsets leaves no room for any list.
bool fit_is_hopeless(uint64_t block_count, enum lump_limit limit);

#endif
