// SPDX-License-Identifier: GPL-2.0-or-later
//
// Texts of UDMF that no editor writes: a room, each time with another oddity in
// its names, values, comments, blocks or between them.

#ifndef UDMF_ODDITIES_H
#define UDMF_ODDITIES_H

#include "buffer.h"

#include <stdbool.h>

// `differs` if ZDBSP is known to read the text otherwise.
typedef void udmf_oddity_visit(void *user, const struct buffer *text,
                               bool differs);

// Visits each text once.
void udmf_oddities_visit(udmf_oddity_visit *visit, void *user);

#endif
