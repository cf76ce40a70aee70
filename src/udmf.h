// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the text of a UDMF map, by the Universal Doom Map Format
// Specification 1.1.

#ifndef UDMF_H
#define UDMF_H

#include "context.h"

struct udmf_vertex {
    int32_t x, y; // 16.16, truncated toward zero
};

struct udmf_line {
    uint32_t v1, v2;
};

struct udmf {
    struct udmf_vertex *vertices;
    size_t vertex_count;
    struct udmf_line *lines;
    size_t line_count;
};

// Reads `size` bytes of text.  Every namespace is read alike; fields and
// blocks that are not needed are skipped.
// STATUS_BAD_MAP: the text breaks the grammar, a vertex lacks a coordinate or
// has one beyond 16.16, a linedef lacks a vertex; with line and column.
enum status udmf_read(struct context *context, const char *text, size_t size,
                      struct udmf *udmf);

// A stretch of the text: a name or a value.  That of a string has its quotes.
struct udmf_token {
    const char *begin;
    const char *end;
};

// What is told of the text on a walk.
struct udmf_visitor {
    void *user;
    // A "name = value;" outside of blocks; may be NULL.
    void (*assignment)(void *user, const struct udmf_token *name,
                       const struct udmf_token *value);
    // A block begins; whether to tell its fields.
    bool (*block)(void *user, const struct udmf_token *name);
    // A field of the block.
    void (*field)(void *user, const struct udmf_token *name,
                  const struct udmf_token *value);
};

// Goes over all of the text.
// STATUS_BAD_MAP: the text breaks the grammar.
enum status udmf_walk(struct context *context, const char *text, size_t size,
                      const struct udmf_visitor *visitor);

// Whether a name is this one; names are the same in upper and lower case.
bool udmf_token_is(const struct udmf_token *token, const char *lower);

// Reads an integer in any notation, of 32 bits and a sign.
bool udmf_read_integer(const struct udmf_token *token, int64_t *value);

// Reads a float or an integer in any notation as 16.16.
bool udmf_read_fixed(const struct udmf_token *token, int32_t *value);

void udmf_free(struct context *context, struct udmf *udmf);

#endif
