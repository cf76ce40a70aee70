// SPDX-License-Identifier: GPL-2.0-or-later
//
// "Did you mean": finds the known word nearest to an unknown one.

#ifndef SUGGEST_H
#define SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

struct suggestion {
    const char *word;    // as typed
    size_t length;       // of the prefix to compare
    const char *nearest; // offered word; NULL if none is near
    size_t distance;     // a nearer word has less than this
    bool is_known;       // exact match: no suggestion needed
};

// Begins a search for a word, or the first `length` characters of one.
struct suggestion suggest_begin(const char *word, size_t length);

// Keeps a word if it is nearer than all before.  A word of `length`
// characters allows (length + 1) / 4 edits.  A word that
// begins with the typed one has distance 0.  Case does not matter.
void suggest_offer(struct suggestion *suggestion, const char *word);

enum { SUGGEST_SIZE = 64 };

// Writes "; did you mean WORD?", with `before` before the word, or "".
const char *suggest_text(const struct suggestion *suggestion,
                         const char *before, char text[SUGGEST_SIZE]);

#endif
