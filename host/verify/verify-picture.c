// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pictures of verify: a map with all that is wrong with its blockmap.

#include "config.h"

#include "verify/verify.h"

#include "memory.h"
#include "picture/picture.h"

#include <stdlib.h>

// Marks blocks of a grid, for each of which there are bits.
static void mark_blocks(struct findings *findings, const struct blockmap *grid,
                        const unsigned char *bits, unsigned char bit,
                        enum finding_kind kind)
{
    for (size_t b = 0; b < grid->block_count; b++)
        if (bits[b] & bit)
            findings_mark_block(findings, kind,
                                grid->origin_x + (int64_t)(b % grid->columns) *
                                                     BLOCKMAP_FIXED_SIDE,
                                grid->origin_y + (int64_t)(b / grid->columns) *
                                                     BLOCKMAP_FIXED_SIDE);
}

static void add_entries(struct findings *findings, const struct open_map *map,
                        const struct mismatch_list *list, bool is_missing)
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
static void add_unreadable(struct findings *findings,
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

static struct findings collect_findings(const struct verify_map *found)
{
    const struct open_map *map = found->map;
    const struct mismatches *mismatches = &found->mismatches;
    const struct blockmap *expected = &map->expected.blockmap;
    struct findings findings = {
        .kinds = 1u << FINDING_MISSING | 1u << FINDING_HARMLESS |
                 1u << FINDING_EXTRA,
        .found = {[FINDING_MISSING] = found->harmful,
                  [FINDING_HARMLESS] = found->missing - found->harmful,
                  [FINDING_EXTRA] = mismatches->extra.found},
    };
    mark_blocks(&findings, expected, mismatches->in_expected, MISMATCH_HARMFUL,
                FINDING_MISSING);
    mark_blocks(&findings, expected, mismatches->in_expected, MISMATCH_HARMLESS,
                FINDING_HARMLESS);
    mark_blocks(&findings, &map->present, mismatches->in_present,
                MISMATCH_EXTRA, FINDING_EXTRA);
    add_entries(&findings, map, &mismatches->missing, true);
    add_entries(&findings, map, &mismatches->outside, true);
    add_entries(&findings, map, &mismatches->extra, false);
    add_unreadable(&findings, &map->present);
    findings_sort(&findings);
    return findings;
}

// For each linedef how many blocks should list it.
static size_t *count_expected(const struct open_map *map)
{
    const struct blockmap *expected = &map->expected.blockmap;
    size_t *counts = memory_get(map->line_count, sizeof *counts);
    for (size_t b = 0; b < expected->block_count; b++)
        for (size_t w = expected->lists[b].begin; w < expected->lists[b].end;
             w++) {
            uint32_t linedef = words_get(&expected->words, w);
            counts[linedef] += !expected_leaves_out(&map->expected, linedef);
        }
    return counts;
}

enum exit_status verify_draw_map(const struct open_file *file,
                                 const struct verify_map *found)
{
    const struct open_map *map = found->map;
    struct statistics statistics;
    if (!map->has_expected)
        return STATUS_MAP_FAILED; // a message has said why
    if (map->present.block_count == 0) {
        message_print("%s: %s has no blockmap that can be drawn", file->path,
                      map->name);
        return STATUS_MAP_FAILED;
    }
    struct findings findings = collect_findings(found);
    size_t *expected = count_expected(map);
    statistics_count(&map->present, map->line_count, &statistics);
    struct picture picture = {
        .name = map->name,
        .path = file->path,
        .lump = "BLOCKMAP of",
        .blockmap = &map->present,
        .statistics = &statistics,
        .decoded = &map->decoded,
        .reasons = &map->expected,
        .findings = &findings,
        .expected = expected,
    };
    enum exit_status status = picture_save(&picture, file->arguments);
    statistics_free(&statistics);
    findings_free(&findings);
    free(expected);
    return status;
}
