// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage checks the segs while it builds from the present lists.  If the
// build fails without facts about a seg, it is the lists or the segs that the
// stage cannot read.

#include "config.h"

#include "verify/segs.h"

#include "memory.h"

#include <stdlib.h>

static void settle(struct segs *segs, enum segs_verdict verdict,
                   const char *sentence)
{
    segs->verdict = verdict;
    segs->sentence = memory_copy_text(sentence);
}

static void build(struct open_file *file, const struct open_map *map,
                  struct segs *segs)
{
    const struct stage_setting settings[] = {
        {"source", "lump"},
        {"check-nodes", "yes"},
        {"prune", open_map_prune(file)},
        {"pack", "none"},
        {"header", "zero"},
        {"fit", "none"},
        {"format", "xbm1"},
        {"overflow", "xbm1"},
    };
    struct nbstage_result result;
    const char *sentence = open_map_build(
        file, map, settings, sizeof settings / sizeof *settings, &result);
    segs->verdict = SEGS_PASS;
    const struct nbstage_fact *checked = open_map_fact(&result, "checked_segs");
    segs->checked = checked ? checked->value : 0;
    bool has_failed = open_map_fact(&result, "failed_seg");
    if (sentence)
        settle(segs, has_failed ? SEGS_FAIL : SEGS_UNCHECKED, sentence);
    file->stage.descriptor->free_result(file->stage.instance, &result);
}

void segs_check(struct open_file *file, const struct open_map *map,
                struct segs *segs)
{
    if (blockmap_has_unreadable(&map->present))
        settle(segs, SEGS_UNCHECKED, "not all of the lump can be read");
    else if (map->present.block_count == 0)
        settle(segs, SEGS_UNCHECKED, "there are no lists");
    else
        build(file, map, segs);
}

void segs_free(struct segs *segs)
{
    free(segs->sentence);
    *segs = (struct segs){0};
}
