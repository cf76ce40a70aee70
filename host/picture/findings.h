// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a picture points out: entries that are missing, extra or only in one of
// two lumps, and lists that cannot be read.  Every block that has some is
// marked; of the entries only the first of each kind are kept.

#ifndef FINDINGS_H
#define FINDINGS_H

#include "lines/lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum finding_kind {
    FINDING_MISSING,  // and it matters
    FINDING_HARMLESS, // missing, and it does not
    FINDING_EXTRA,
    FINDING_ONLY_OLD,
    FINDING_ONLY_NEW,
    FINDING_UNREADABLE, // a whole list
    FINDING_KIND_COUNT,
};

// Kinds differ in colour, and without colour in the pattern of their blocks.
struct finding_style {
    const char *id;
    const char *label;
    const char *tile; // of the pattern, 8 by 8
};

extern const struct finding_style finding_styles[FINDING_KIND_COUNT];

struct finding {
    enum finding_kind kind;
    uint32_t linedef; // NBSTAGE_NONE for a whole list
    int64_t x;        // of the block's south-west corner, 16.16
    int64_t y;
};

struct finding_list {
    struct finding *finding;
    size_t count;
    size_t capacity;
};

enum { MOST_FINDINGS = 10000 }; // entries of a kind

struct findings {
    unsigned kinds;                   // those that the legend has, as bits
    size_t found[FINDING_KIND_COUNT]; // entries, kept or not
    size_t kept[FINDING_KIND_COUNT];
    struct finding_list entries;
    struct finding_list blocks; // those of a kind row by row
};

void findings_mark_block(struct findings *findings, enum finding_kind kind,
                         int64_t x, int64_t y);

// Keeps an entry if there is room; its kind's `found` is left alone.
void findings_add(struct findings *findings, enum finding_kind kind, int64_t x,
                  int64_t y, uint32_t linedef);

// Keeps the entries of others for which there is room.
void findings_add_entries(struct findings *findings,
                          const struct findings *others);

// Marks and counts a block whose list, or a linedef in it, cannot be read.
void findings_add_unreadable(struct findings *findings, int64_t x, int64_t y);

// Puts the entries in order: by block, row by row, then by kind and linedef.
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
