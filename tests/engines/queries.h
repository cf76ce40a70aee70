// SPDX-License-Identifier: GPL-2.0-or-later
//
// What engines ask a blockmap: which lines does a thing's box meet, which
// lines does a shot meet.  The truth is found by brute force over all lines.

#ifndef QUERIES_H
#define QUERIES_H

#include "engines.h"
#include "oracle.h"
#include "random-map.h"

// Coordinates are 16.16.  A box goes from its south-west corner to its
// north-east one, a trace from its start to its end, at most 2048 map units
// away along each axis.
struct query {
    int64_t x1, y1, x2, y2;
    bool is_trace;
};

struct queries {
    struct query *query;
    size_t count;

    // The lines that query q meets: met[begin[q]] to met[begin[q + 1] - 1].
    size_t *begin;
    uint32_t *met;
    size_t met_capacity;
    size_t line_count; // of the map
};

// Makes as many boxes as traces, with what they meet, for queries_free.  Half
// of them are about the ends of lines.
struct queries queries_make(const struct oracle_line *lines, size_t line_count,
                            size_t each_count, struct random_stream *stream);

void queries_free(struct queries *queries);

// Columns or rows of blocks, both ends included.  They may be outside the
// grid.
struct query_span {
    int64_t first, last;
};

// The rows that a query comes to, and the columns that it comes to in one of
// them.  A box comes to all blocks that it covers, as engines have it; a trace
// to those that it touches, and no others.
struct query_span query_rows(const struct query *query, int32_t origin_y);
struct query_span query_columns(const struct query *query, int32_t origin_x,
                                int32_t origin_y, int64_t row);

// How many lines the queries miss, all told, if only those are tested that an
// engine tests in the blocks that they come to.  A line that is tested and not
// met changes nothing, so with none missed an engine meets exactly the lines
// that brute force meets.
size_t queries_count_missed(const struct queries *queries,
                            const struct engine_blockmap *blockmap);

#endif
