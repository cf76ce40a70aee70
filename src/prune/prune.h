// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which lines are left out of the blockmap.

#ifndef PRUNE_H
#define PRUNE_H

#include "lines/lines.h"

enum prune_policy {
    PRUNE_TAGGED,      // lines that ask for it in their map format
    PRUNE_INERT,       // and lines that nothing can collide with
    PRUNE_UNREACHABLE, // and lines that nothing can get to
    PRUNE_NONE,
};

// Whether pruning looks at sides, sectors and things, too.
static inline bool prune_reads_attributes(enum prune_policy policy)
{
    return policy == PRUNE_INERT || policy == PRUNE_UNREACHABLE;
}

// Whether a sector stays as it is.
enum prune_sector_state {
    PRUNE_SECTOR_FIXED,
    PRUNE_SECTOR_IN_DOUBT,   // `doubt` says why, and there is no number
    PRUNE_SECTOR_TAGGED,     // `number` is the tag
    PRUNE_SECTOR_SPECIAL,    // `number` is the special
    PRUNE_SECTOR_BY_SPECIAL, // linedef `number` has the border's special
};

// Why a line stays.
enum prune_reason {
    PRUNE_ONE_SIDED,
    PRUNE_SPECIAL,
    PRUNE_NOT_HARMLESS, // a tag, id, flag or field
    PRUNE_NOT_FIXED,    // one of its two sectors, or anything may move
    PRUNE_UNEVEN,       // its two sectors
    PRUNE_NOT_SEEN,     // its sectors are not seen around it
    PRUNE_REASONS,
    PRUNE_NO_REASON = PRUNE_REASONS, // it does not stay
};

enum {
    PRUNE_FATES = NBSTAGE_LEFT_OUT_NO_WAY_IN + 1,
    PRUNE_FIRST_RULE = NBSTAGE_LEFT_OUT_BEFORE_CLOSED, // of PRUNE_UNREACHABLE
};

// Small, as maps of a few bytes may have millions of sectors without lines.
struct prune_sector {
    union {
        uint32_t number;
        const char *doubt;
    };
    enum prune_sector_state state;
    uint32_t border; // its number, 0 if no line borders on the sector
};

// The lines that border on a sector.
struct prune_border {
    uint32_t special; // of one of them
    // How many there are, by why they stay; of those that are left out, the
    // fates.
    uint32_t line_counts[PRUNE_REASONS + PRUNE_FATES];
};

enum { PRUNE_CAUSE_SIZE = 96, PRUNE_TEXT_SIZE = 384 };

struct pruning {
    bool is_begun;  // whether tagged lines and the host's are decided
    bool is_judged; // whether inert ones are, or a message says why not
    bool has_polyobjects;

    // For each line NBSTAGE_LISTED or why not; NULL if all are listed.
    uint8_t *fates;
    size_t counts[PRUNE_FATES]; // of lines that are left out

    // With PRUNE_INERT and PRUNE_UNREACHABLE, unless the map's attributes
    // cannot be read.
    struct prune_sector *sectors;
    size_t sector_count;
    struct prune_border *borders;    // the first has no lines
    char may_move[PRUNE_CAUSE_SIZE]; // what may move any sector, else ""
};

// Decides for every line of the map; `lines` are all of them.  `pruning` is all
// zero, or what a weaker policy has found, which this adds to.  If attributes
// that these two need are missing or damaged, no line is inert or unreachable,
// and a warning says so. NBSTAGE_OUT_OF_MEMORY, NBSTAGE_CANCELLED.
nbstage_status prune_lines(struct context *context, struct map *map,
                           const struct lines *lines, enum prune_policy policy,
                           struct pruning *pruning);

// Whether a sector stays as it is.
static inline bool prune_is_fixed(const struct pruning *pruning,
                                  uint32_t sector)
{
    return !pruning->may_move[0] &&
           pruning->sectors[sector].state == PRUNE_SECTOR_FIXED;
}

// Says in one sentence what is known of a sector, how many of its lines are
// left out, and why the others stay.
void prune_explain(const struct pruning *pruning, size_t sector,
                   char text[PRUNE_TEXT_SIZE]);

// Makes pruning->fates, with all lines listed, unless it is there.
nbstage_status prune_make_fates(struct context *context, const struct map *map,
                                struct pruning *pruning);

// Marks the tagged lines with NBSTAGE_LEFT_OUT_TAGGED in pruning->fates, which
// stays NULL if there are none.
nbstage_status tagged_find(struct context *context, const struct map *map,
                           struct pruning *pruning);

struct attributes;
struct sight;

// Marks the unreachable lines.  pruning->sectors, may_move and fates have to be
// there; this takes up the work of `sight`.  Where nothing is known, or the
// work ends early, a warning says so.  NBSTAGE_OUT_OF_MEMORY,
// NBSTAGE_CANCELLED.
nbstage_status unreachable_find(struct context *context,
                                const struct attributes *attributes,
                                struct sight *sight, struct pruning *pruning);

void prune_free(struct context *context, struct pruning *pruning);

#endif
