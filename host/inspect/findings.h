// SPDX-License-Identifier: GPL-2.0-or-later
//
// Entries that are missing or extra.  Only the first of each kind are kept.

#ifndef FINDINGS_H
#define FINDINGS_H

#include "lines/lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum finding_kind {
    FINDING_SOLID, // missing
    FINDING_HARMLESS,
    FINDING_EXTRA,
    FINDING_KIND_COUNT,
};

struct finding {
    enum finding_kind kind;
    uint32_t linedef;
    int64_t x; // of the block's south-west corner, 16.16
    int64_t y;
};

enum { MOST_FINDINGS = 10000 }; // of a kind

struct findings {
    struct finding *finding;
    size_t count;
    size_t capacity;
    size_t kept[FINDING_KIND_COUNT];
};

// Keeps an entry if there is room.
void findings_add(struct findings *findings, enum finding_kind kind, int64_t x,
                  int64_t y, uint32_t linedef);

// Puts the entries in order: by block, row by row, then by linedef.
void findings_sort(struct findings *findings);

void findings_free(struct findings *findings);

// What of a linedef lies in a block that it is in, in map units: 0 if only a
// point does, which may be the block's south-west corner.
struct finding_piece {
    double length;
    bool is_corner;
    double x1, y1; // where it begins and ends
    double x2, y2;
};

struct finding_piece finding_piece(const struct lines *lines,
                                   const struct finding *finding);

#endif
