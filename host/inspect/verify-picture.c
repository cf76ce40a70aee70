// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pictures of verify: a map with all that is wrong with its blockmap.

#include "config.h"

#include "inspect/inspect.h"
#include "inspect/verify.h"
#include "lines/grid.h"
#include "lump/blockmap.h"
#include "lump/judge.h"
#include "memory.h"
#include "nbstage.h"
#include "picture/drawing.h"
#include "picture/findings.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Marks the blocks of the expected grid where entries are missing.
static void verify_mark_missing(struct findings *findings,
                                const struct verify_map *found,
                                bool is_harmless)
{
    const struct expected *expected = &found->map->expected;
    const struct grid *grid = &expected->grid;
    for (size_t b = 0; b < expected->block_count; b++) {
        bool is_marked = false;
        for (size_t e = expected->starts[b]; e < expected->starts[b + 1]; e++)
            is_marked |= found->mismatches.judgement.is_missing[e] &&
                         is_harmless == expected_is_harmless(
                                            expected, expected->linedefs[e]);
        if (is_marked)
            findings_mark_block(
                findings, is_harmless ? FINDING_HARMLESS : FINDING_MISSING,
                (grid->origin_x + (int64_t)(b % grid->columns) * BLOCK_SIZE) *
                    BLOCKMAP_UNIT,
                (grid->origin_y + (int64_t)(b / grid->columns) * BLOCK_SIZE) *
                    BLOCKMAP_UNIT);
    }
}

// Marks the blocks of the map's own grid with extra entries.
static void verify_mark_extra(struct findings *findings,
                              const struct verify_map *found)
{
    const struct blockmap *present = &found->map->present;
    for (size_t b = 0; b < present->block_count; b++)
        if (found->mismatches.judgement.extra[b] > 0)
            findings_mark_block(
                findings, FINDING_EXTRA,
                present->origin_x +
                    (int64_t)(b % present->columns) * BLOCKMAP_FIXED_SIDE,
                present->origin_y +
                    (int64_t)(b / present->columns) * BLOCKMAP_FIXED_SIDE);
}

static void verify_draw_add_entries(struct findings *findings,
                                    const struct inspect_map *map,
                                    const struct mismatch_list *list,
                                    bool is_missing)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct mismatch *mismatch = &list->mismatch[i];
        enum finding_kind kind =
            !is_missing ? FINDING_EXTRA
            : expected_is_harmless(&map->expected, mismatch->linedef)
                ? FINDING_HARMLESS
                : FINDING_MISSING;
        findings_add(findings, kind, mismatch_x(map, mismatch) * BLOCKMAP_UNIT,
                     mismatch_y(map, mismatch) * BLOCKMAP_UNIT,
                     mismatch->linedef);
    }
}

// Adds the blocks whose list, or a linedef in it, cannot be read.
static void verify_draw_add_unreadable(struct findings *findings,
                                       const struct blockmap *present)
{
    const enum finding_kind kind = FINDING_UNREADABLE;
    for (size_t b = 0; b < present->block_count; b++) {
        const struct blockmap_list *list = &present->lists[b];
        int64_t x = present->origin_x +
                    (int64_t)(b % present->columns) * BLOCKMAP_FIXED_SIDE;
        int64_t y = present->origin_y +
                    (int64_t)(b / present->columns) * BLOCKMAP_FIXED_SIDE;
        if (list->fault == LIST_READABLE && list->too_large == 0)
            continue;
        findings_mark_block(findings, kind, x, y);
        findings_add(findings, kind, x, y, NBSTAGE_NONE);
        findings->found[kind]++;
    }
    if (findings->found[kind] > 0)
        findings->kinds |= 1u << kind;
}

static struct findings
verify_draw_collect_findings(const struct verify_map *found)
{
    const struct inspect_map *map = found->map;
    const struct mismatches *mismatches = &found->mismatches;
    struct findings findings = {
        .kinds = 1u << FINDING_MISSING | 1u << FINDING_HARMLESS |
                 1u << FINDING_EXTRA,
        .found = {[FINDING_MISSING] = found->harmful,
                  [FINDING_HARMLESS] = found->missing - found->harmful,
                  [FINDING_EXTRA] = mismatches->judgement.extra_count},
    };
    verify_mark_missing(&findings, found, false);
    verify_mark_missing(&findings, found, true);
    verify_mark_extra(&findings, found);
    verify_draw_add_entries(&findings, map, &mismatches->missing, true);
    verify_draw_add_entries(&findings, map, &mismatches->outside, true);
    verify_draw_add_entries(&findings, map, &mismatches->extra, false);
    verify_draw_add_unreadable(&findings, &map->present);
    findings_sort(&findings);
    return findings;
}

// For each linedef how many blocks should list it.
static size_t *verify_draw_count_expected(const struct inspect_map *map)
{
    const struct expected *expected = &map->expected;
    size_t *counts = memory_get(map->line_count, sizeof *counts);
    for (size_t e = 0; e < expected->starts[expected->block_count]; e++)
        counts[expected->linedefs[e]] +=
            !expected_leaves_out(expected, expected->linedefs[e]);
    return counts;
}

enum exit_status verify_draw_map(struct inspect_file *file,
                                 const struct verify_map *found)
{
    struct inspect_map *map = found->map;
    if (!map->has_expected)
        return STATUS_MAP_FAILED; // a message has said why
    struct findings findings = {0};
    if (map->present.block_count > 0)
        findings = verify_draw_collect_findings(found);
    size_t *expected = verify_draw_count_expected(map);
    struct picture picture = {.findings = &findings, .expected = expected};
    enum exit_status status = inspect_draw(file, map, &picture);
    findings_free(&findings);
    free(expected);
    return status;
}
