// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists that are contained in others give way to these.

#ifndef COVER_H
#define COVER_H

#include "lists/lists.h"

// Leaves only lists that no other contains.  Blocks with a list that one does
// contain get the smallest such list, of equally small ones the first.  The
// empty list stays.  *is_complete is false if the work limit ended it early.
// NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status cover_lists(struct context *context, struct lists *lists,
                           bool *is_complete);

#endif
