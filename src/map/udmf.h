// SPDX-License-Identifier: GPL-2.0-or-later
//
// The text of a UDMF map, by the Universal Doom Map Format Specification 1.1,
// and whatever else ZDBSP reads.

#ifndef UDMF_H
#define UDMF_H

#include "base/context.h"
#include "map/elements.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// ---------------------------------------------------------------------------
// The text

// A part of the text: a name or a value.  A string includes its quotes.
struct udmf_token {
    const char *begin;
    const char *end;
};

// The blocks that are known.
enum udmf_block {
    UDMF_LINEDEF,
    UDMF_VERTEX,
    UDMF_SIDEDEF,
    UDMF_SECTOR,
    UDMF_THING,
    UDMF_BLOCK_COUNT,
};

// What becomes of the fields of a block.
enum udmf_wish {
    UDMF_SKIP, // whatever they are
    UDMF_READ, // the text is damaged if they are
    UDMF_TRY,  // skipped after all if they are damaged
};

// What is called in the order of the text.  Reading stops at a status other
// than NBSTAGE_OK.
struct udmf_visitor {
    void *user;
    // A "name = value;" outside of known blocks.
    void (*assignment)(void *user, const struct udmf_token *name,
                       const struct udmf_token *value);
    // A block begins.  Stores what becomes of its fields.
    nbstage_status (*block)(void *user, enum udmf_block block,
                            const char *begin, enum udmf_wish *wish);
    // A field of the block.
    nbstage_status (*field)(void *user, const struct udmf_token *name,
                            const struct udmf_token *value);
    // The end of the block.
    nbstage_status (*end)(void *user);
    // A block that was tried is damaged: the sentence, without the map's name.
    void (*flaw)(void *user, const char *sentence);
};

// Whether a name is this one, in upper or lower case.
static inline bool udmf_token_is(const struct udmf_token *token,
                                 const char *lower)
{
    const char *c = token->begin;
    for (; c < token->end && *lower; c++, lower++)
        if (*c != *lower && ((*c ^ *lower) != 32 || *lower < 'a'))
            return false;
    return c == token->end && !*lower;
}

// Whether a part of the text begins like this.
static inline bool udmf_token_begins(const char *begin, const char *end,
                                     const char *lower)
{
    const size_t length = strlen(lower);
    return (size_t)(end - begin) >= length &&
           udmf_token_is(&(struct udmf_token){begin, begin + length}, lower);
}

// Reads a decimal or hexadecimal integer of 32 bits and a sign.  Returns false
// if the value is none, or might be octal.
bool udmf_read_integer(const struct udmf_token *token, int64_t *value);

// Reads such an integer or a float as 16.16.  Returns false if the value is
// none, or outside 16.16.
bool udmf_read_fixed(const struct udmf_token *token, int32_t *value);

// ---------------------------------------------------------------------------
// Vertices and linedefs

struct udmf_line {
    uint32_t v1, v2;
};

struct udmf_geometry {
    struct map_vertex *vertices; // 16.16, truncated toward zero
    size_t vertex_count;
    struct udmf_line *lines;
    size_t line_count;
};

// Reads `size` bytes of text, every namespace alike.  `more`, unless it is
// NULL, sees all assignments, blocks and fields in the same reading, but no
// end; it may wish to try blocks.  The caller releases both arrays.  Warns of
// the first value that should be a number and is not, and of the first
// coordinate that is missing. NBSTAGE_BAD_MAP: not even ZDBSP can read the
// text, a coordinate is beyond 16.16, a linedef lacks a vertex; with line and
// column.
nbstage_status udmf_geometry_read(struct context *context, const char *text,
                                  size_t size, const struct udmf_visitor *more,
                                  struct udmf_geometry *geometry);

#endif
