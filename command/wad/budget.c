// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "wad/budget.h"

#include "common/stage.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// The limit for a file is `any`, plus `more_for_byte` for each `bytes_for_one`
// bytes of the file.  With any preset Freedoom's WADs use less than 1/4 of the
// limit for lumps and 1/15 of the others.
static const struct {
    const char *unit;
    uint64_t any;
    uint64_t bytes_for_one;
    uint64_t more_for_byte;
} budget_shares[BUDGET_KINDS] = {
    [BUDGET_LUMPS] = {"bytes of lumps", 16 << 20, 1, 4},
    [BUDGET_BLOCKS] = {"blocks", 1 << 23, 2, 1},
    [BUDGET_ENTRIES] = {"entries", 1 << 24, 1, 4},
    [BUDGET_STEPS] = {"steps", 1 << 30, 1, 1024},
    [BUDGET_BYTES] = {"bytes", 64 << 20, 1, 16},
};

// Of 991 public WADs, 982 are at most this many times as large as what gzip -9
// makes of them, and none 40 times.  So the limit for a compressed file follows
// no larger a size.
enum { BUDGET_RATIO = 16 };

enum { BUDGET_LIMIT_SIZE = 96 }; // room for the end of a sentence

void budget_begin(struct budget *budget, const struct wad *wad)
{
    const uint64_t most = wad->packed_size * BUDGET_RATIO;
    *budget = (struct budget){.file_size = wad->size};
    if (wad->packed_size == 0 || wad->size <= most)
        return;
    budget->file_size = most;
    budget->packed_size = wad->packed_size;
}

void budget_rewind(struct budget *budget)
{
    const uint64_t steps = budget->used[BUDGET_STEPS];
    memset(budget->used, 0, sizeof budget->used);
    budget->used[BUDGET_STEPS] = steps;
}

static uint64_t budget_limit(const struct budget *budget, enum budget_kind kind)
{
    return budget_shares[kind].any + budget->file_size /
                                         budget_shares[kind].bytes_for_one *
                                         budget_shares[kind].more_for_byte;
}

// Prints the end of a sentence: for which file `most` is the limit.
static void budget_print_limit(const struct budget *budget, uint64_t most,
                               char text[BUDGET_LIMIT_SIZE])
{
    snprintf(text, BUDGET_LIMIT_SIZE,
             "the limit for a %sfile of %llu bytes is %llu",
             budget->packed_size > 0 ? "compressed " : "",
             (unsigned long long)(budget->packed_size > 0 ? budget->packed_size
                                                          : budget->file_size),
             (unsigned long long)most);
}

// Negative counts are taken as 0.
static uint64_t budget_count(const struct stage_facts *facts, const char *name)
{
    const long long number = stage_number(facts, name);
    return number > 0 ? (uint64_t)number : 0;
}

void budget_take_facts(struct budget *budget, const struct stage_facts *facts)
{
    budget->used[BUDGET_BLOCKS] +=
        budget_count(facts, "columns") * budget_count(facts, "rows");
    budget->used[BUDGET_ENTRIES] += budget_count(facts, "entries");
    budget->used[BUDGET_STEPS] += budget_count(facts, "steps");
}

// Whether the maps so far exceed a limit; if so, the sentence says at which
// map.
static bool budget_is_used_up(const struct budget *budget,
                              char sentence[WAD_FLAW_SIZE])
{
    char limit[BUDGET_LIMIT_SIZE];
    for (int kind = 0; kind < BUDGET_KINDS; kind++) {
        uint64_t most = budget_limit(budget, (enum budget_kind)kind);
        if (budget->used[kind] <= most)
            continue;
        budget_print_limit(budget, most, limit);
        snprintf(sentence, WAD_FLAW_SIZE,
                 "the maps up to %s used %llu %s; %s; choose maps with --map",
                 budget->last_map, (unsigned long long)budget->used[kind],
                 budget_shares[kind].unit, limit);
        return true;
    }
    return false;
}

bool budget_admits(struct budget *budget, const struct wad *wad,
                   const struct map_place *map, char sentence[WAD_FLAW_SIZE],
                   bool *is_told)
{
    const char *name = wad->lumps[map->marker].name;
    const uint64_t most = budget_limit(budget, BUDGET_LUMPS);
    uint64_t bytes = 0;
    char limit[BUDGET_LIMIT_SIZE];
    const bool used_up = budget_is_used_up(budget, sentence);
    *is_told = used_up && budget->is_told;
    budget->is_told |= used_up;
    if (used_up || !maps_is_whole(wad, map, sentence))
        return false;
    for (size_t i = map->marker; i < map->end; i++)
        bytes += wad->lumps[i].size;
    if (bytes > most) {
        budget_print_limit(budget, most, limit);
        snprintf(sentence, WAD_FLAW_SIZE,
                 "%s: its lumps %s %llu bytes in total; %s", name,
                 bytes > wad->size ? "overlap and have" : "have",
                 (unsigned long long)bytes, limit);
        return false;
    }
    budget->used[BUDGET_LUMPS] += bytes;
    budget->last_map = name;
    return true;
}
