// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which lines are left out of the blockmap.

#ifndef PRUNE_H
#define PRUNE_H

#include "attributes.h"
#include "lines.h"

enum prune_policy {
    PRUNE_TAGGED, // lines that ask for it in their map format
    PRUNE_INERT,  // and lines that nothing can collide with
    PRUNE_NONE,
};

enum prune_fate { LINE_KEPT, LINE_TAGGED, LINE_INERT };

// What is known of a sector that things may pass into unseen.
enum prune_sector_state {
    SECTOR_FIXED,
    SECTOR_IN_DOUBT,   // attributes_sector.doubt
    SECTOR_TAGGED,     // `number` is the tag
    SECTOR_SPECIAL,    // `number` is the special
    SECTOR_BY_SPECIAL, // `number` is a linedef, `special` what it has
};

struct prune_sector {
    enum prune_sector_state state;
    uint32_t number;
    uint32_t special;
    const char *doubt;
    uint32_t line_count;     // that border on it
    uint32_t left_out_count; // of these
};

enum { PRUNE_CAUSE_SIZE = 96, PRUNE_TEXT_SIZE = 160 };

struct pruning {
    uint8_t *fates; // enum prune_fate of each line; NULL where all are kept
    size_t tagged_count;
    size_t inert_count;

    // With PRUNE_INERT, unless the map's attributes cannot be read.
    struct prune_sector *sectors;
    size_t sector_count;
    char may_move[PRUNE_CAUSE_SIZE]; // what may move any sector, else ""
};

// Decides for every line of the map; `lines` are all of them.  Where the
// attributes that PRUNE_INERT needs are missing or damaged, no line is inert,
// and a message says so.
// STATUS_OUT_OF_MEMORY, STATUS_CANCELLED.
enum status prune_lines(struct context *context, struct map *map,
                        const struct lines *lines, enum prune_policy policy,
                        struct pruning *pruning);

// Says what is known of a sector and how many of its lines are left out.
void prune_explain(const struct pruning *pruning, size_t sector,
                   char text[PRUNE_TEXT_SIZE]);

void prune_free(struct context *context, struct pruning *pruning);

#endif
