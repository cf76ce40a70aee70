// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packs lists into a limit.  If necessary, blocks get extra entries.

#ifndef FIT_H
#define FIT_H

#include "lump/lump.h"

enum fit_limit {
    FIT_NONE, // lists stay as they are
    FIT_VANILLA,
    FIT_EXTENDED,
};

// Packs lists as pack_lists does.  If the lump is over the limit, shared lists
// are nested, and if that is not enough, lists are merged, no further than is
// needed; not with PACK_NONE.  *merge_count is how many times two lists or
// chains became one.  If no merging meets the limit, nothing is merged.
nbstage_status fit_pack(struct context *context, struct lists *lists,
                        struct pack_form form, enum fit_limit limit,
                        struct list_area *area, size_t *merge_count);

// Whether the table of offsets leaves no room for any list.
bool fit_is_hopeless(uint64_t block_count, enum fit_limit limit);

#endif
