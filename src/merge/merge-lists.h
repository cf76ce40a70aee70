// SPDX-License-Identifier: GPL-2.0-or-later
//
// Merged chains back to lists.

#ifndef MERGE_LISTS_H
#define MERGE_LISTS_H

#include "merge/merge-chains.h"

// Makes lists in which every block has the list that its own has become.
nbstage_status merge_lists_write(const struct chain_set *set,
                                 struct lists *merged);

#endif
