// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is wrong with the lists of a blockmap, counted by brute force.

#ifndef JUDGE_H
#define JUDGE_H

#include "blocklists.h"

struct judgement {
    size_t entries; // of lines in blocks, these in the grid or not
    size_t outside; // of these, in blocks that the grid does not have
    struct blocklists_counts counts;
};

// Tries each line in every block of its bounding box.  Lines that `left_out`
// has, which may be NULL, may be listed or not, and are not counted.  False if
// more than so many blocks would be tried.
bool judge(const struct blocklists *lists, enum blocklists_header header,
           const struct oracle_line *lines, size_t line_count,
           const uint8_t *left_out, size_t most_tries,
           struct judgement *judgement);

#endif
