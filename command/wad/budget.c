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

// The limit for a file is `any`, plus `more_for_byte` for each `bytes_for_one`
// bytes of the file.  With any preset Freedoom's WADs use less than 1/4 of the
// limit for lumps and 1/40 of the others.
static const struct {
    const char *unit;
    uint64_t any;
    uint64_t bytes_for_one;
    uint64_t more_for_byte;
} budget_shares[BUDGET_KINDS] = {
    [BUDGET_LUMPS] = {"bytes of lumps", 16 << 20, 1, 4},
    [BUDGET_BLOCKS] = {"blocks", 1 << 23, 2, 1},
    [BUDGET_ENTRIES] = {"entries", 1 << 24, 1, 4},
    [BUDGET_STEPS] = {"steps", 1 << 30, 1, 8192},
    [BUDGET_BYTES] = {"bytes", 64 << 20, 1, 16},
};

static uint64_t budget_limit(const struct budget *budget, enum budget_kind kind)
{
    return budget_shares[kind].any + budget->file_size /
                                         budget_shares[kind].bytes_for_one *
                                         budget_shares[kind].more_for_byte;
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
    for (int kind = 0; kind < BUDGET_KINDS; kind++) {
        uint64_t most = budget_limit(budget, (enum budget_kind)kind);
        if (budget->used[kind] <= most)
            continue;
        snprintf(sentence, WAD_FLAW_SIZE,
                 "the maps up to %s need %llu %s; the limit for a file of %zu "
                 "bytes is %llu; choose maps with --map",
                 budget->last_map, (unsigned long long)budget->used[kind],
                 budget_shares[kind].unit, budget->file_size,
                 (unsigned long long)most);
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
    const bool used_up = budget_is_used_up(budget, sentence);
    *is_told = used_up && budget->is_told;
    budget->is_told |= used_up;
    if (used_up || !maps_is_whole(wad, map, sentence))
        return false;
    for (size_t i = map->marker; i < map->end; i++)
        bytes += wad->lumps[i].size;
    if (bytes > most) {
        snprintf(sentence, WAD_FLAW_SIZE,
                 "%s: its lumps overlap and have %llu bytes in total; the "
                 "limit for a file of %zu bytes is %llu",
                 name, (unsigned long long)bytes, budget->file_size,
                 (unsigned long long)most);
        return false;
    }
    budget->used[BUDGET_LUMPS] += bytes;
    budget->last_map = name;
    return true;
}
