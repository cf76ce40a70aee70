// SPDX-License-Identifier: GPL-2.0-or-later
//
// Markup that is written, or counted to see whether there is room for it.

#ifndef MARKUP_H
#define MARKUP_H

#include "message.h"

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

struct markup {
    gzFile stream; // whose errors are for gzerror; NULL to count only
    size_t bytes;  // so far
    size_t most;   // with more than these, counting ends
};

// Prints at most some thousand bytes.
void markup_print(struct markup *markup, const char *format, ...)
    PRINTF_LIKE(2, 3);

// Whether counting has ended.
bool markup_is_full(const struct markup *markup);

// Prints text as it is in XML, with question marks for what cannot be there.
// Bytes beyond ASCII are taken to be Latin-1.
void markup_print_text(struct markup *markup, const char *text);

#endif
