// SPDX-License-Identifier: GPL-2.0-or-later
//
// The text of a UDMF map, by the grammar of the Universal Doom Map Format
// Specification 1.1: what is in it is told to a visitor.

#ifndef UDMF_H
#define UDMF_H

#include "base/context.h"

// A stretch of the text: a name or a value.  That of a string has its quotes.
struct udmf_token {
    const char *begin;
    const char *end;
};

// What is told of the text on a walk.  Where a status is not NBSTAGE_OK the
// walk ends with it.
struct udmf_visitor {
    void *user;
    // A "name = value;" outside of blocks; may be NULL.
    void (*assignment)(void *user, const struct udmf_token *name,
                       const struct udmf_token *value);
    // A block begins; whether to tell its fields and its end.
    bool (*block)(void *user, const struct udmf_token *name);
    // A field of the block.
    nbstage_status (*field)(void *user, const struct udmf_token *name,
                            const struct udmf_token *value);
    // The end of the block; may be NULL.
    nbstage_status (*end)(void *user);
};

// Goes over all of the text.  Every namespace is read alike.
// NBSTAGE_BAD_MAP: the text breaks the grammar; with line and column.
nbstage_status udmf_read(struct context *context, const char *text, size_t size,
                         const struct udmf_visitor *visitor);

// Says in a sentence with line and column what is wrong at a place in the text.
// Returns NBSTAGE_BAD_MAP.
nbstage_status udmf_fail(struct context *context, const char *text,
                         const char *at, const char *sentence);

// Whether a name is this one; names are the same in upper and lower case.
static inline bool udmf_token_is(const struct udmf_token *token,
                                 const char *lower)
{
    const char *c = token->begin;
    for (; c < token->end && *lower; c++, lower++)
        if ((*c >= 'A' && *c <= 'Z' ? *c + 32 : *c) != *lower)
            return false;
    return c == token->end && !*lower;
}

#endif
