// SPDX-License-Identifier: GPL-2.0-or-later
//
// Extended nodes of a room, in every form that there is, also in those that
// node builders make only of large maps.

#ifndef MADE_NODES_H
#define MADE_NODES_H

#include "pruned-room.h"

enum { MADE_NODES_FORMS = 8 };

// "XNOD", "ZNOD" and so on.
const char *made_nodes_signature(size_t form);

// The lump, for buffer_free.
struct buffer made_nodes(const struct room *room, size_t form);

#endif
