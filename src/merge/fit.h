// SPDX-License-Identifier: GPL-2.0-or-later
//
// Packs lists into a limit.  If necessary, blocks get extra entries.

#ifndef FIT_H
#define FIT_H

#include "lump/lump.h"

struct fit {
    size_t merge_count;      // times that two lists or chains became one
    uint64_t unmerged_words; // of the whole lump, without merging
    // Whether merging was given up, as it would take more extra entries than
    // there are entries.
    bool is_too_dear;
};

// Packs lists as pack_lists does, into the limit if that is possible; not with
// PACK_NONE.  Lists that may have a weak header are never merged at a higher
// price than with a stronger one.
nbstage_status fit_pack(struct context *context, struct lists *lists,
                        struct pack_form form, enum lump_limit limit,
                        struct list_area *area, struct fit *fit);

// Whether the table of offsets leaves no room for any list.
bool fit_is_hopeless(uint64_t block_count, enum lump_limit limit);

#endif
