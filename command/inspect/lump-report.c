// SPDX-License-Identifier: GPL-2.0-or-later
//
// The facts of a lump and its missing entries for reports.

#include "config.h"

#include "inspect/inspect.h"

#include "common/report.h"
#include "common/stage.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "lump/reach.h"
#include "prune/line.h"
#include "request.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

const char *const verify_status_names[] = {"good", "harmless", "wrong", "empty",
                                           "failed"};
const char *const list_header_names[] = {"zero", "any", "none"};

const char *lump_form_name(const struct inspect_map *map)
{
    static const char *const names[] = {"classic", "xbm1", "empty"};
    return map->lump ? names[map->present.form] : "none";
}

const char *lump_add_grid(struct facts *facts, const char *name,
                          const struct blockmap *blockmap, const char *none)
{
    if (blockmap->word_count < LUMP_HEADER_WORDS)
        return facts_text(facts, name, none);
    return facts_format(facts, name, "%.10g,%.10g %" PRIu32 "x%" PRIu32,
                        lump_edge(blockmap->origin_x, 0),
                        lump_edge(blockmap->origin_y, 0),
                        blockmap->grid.columns, blockmap->grid.rows);
}

struct lump_place lump_block_place(const struct blockmap *blockmap,
                                   size_t block)
{
    const int64_t side = BLOCK_FIXED_SIZE;
    return (struct lump_place){
        blockmap->origin_x + (int64_t)(block % blockmap->grid.columns) * side,
        blockmap->origin_y + (int64_t)(block / blockmap->grid.columns) * side,
    };
}

bool lump_find_block(const struct blockmap *blockmap, struct lump_place place,
                     int64_t *column, int64_t *row)
{
    *column = (place.x - blockmap->origin_x) / BLOCK_FIXED_SIZE;
    *row = (place.y - blockmap->origin_y) / BLOCK_FIXED_SIZE;
    return *column >= 0 && *column < blockmap->grid.columns && *row >= 0 &&
           *row < blockmap->grid.rows;
}

bool lump_add_block(struct facts *facts, const struct blockmap *blockmap,
                    struct lump_place place)
{
    int64_t column, row;
    const bool is_inside = lump_find_block(blockmap, place, &column, &row);
    if (is_inside)
        facts_number(facts, "block", row * blockmap->grid.columns + column);
    facts_number(facts, "column", column);
    facts_number(facts, "row", row);
    facts_number(facts, "x", (double)place.x / BLOCKMAP_UNIT);
    facts_number(facts, "y", (double)place.y / BLOCKMAP_UNIT);
    return is_inside;
}

bool lump_has_unreadable(const struct inspect_map *map)
{
    return map->present.form != LUMP_EMPTY &&
           (map->present.lists_begin == 0 || map->statistics.unreadable > 0 ||
            map->statistics.too_large > 0);
}

// Adds how far lines are from the grid's origin, and what is lost there.
static void lump_add_distance(struct facts *facts,
                              const struct inspect_map *map)
{
    const engine_set named = map->groups.named;
    char text[REACH_TEXT], advice[REACH_TEXT];
    if (map->distance < 0)
        return;
    const struct grid least = grid_fit(&map->lines);
    const struct reach reach = reach_find(named, map->distance);
    reach_describe(&reach, map->distance, text);
    facts_number(facts, "distance", map->distance);
    stage_type_options(
        &inspect_options,
        reach_advise(&reach, named,
                     grid_distance(&least, map->lines.max_x, map->lines.max_y)),
        advice, sizeof advice);
    if (*text)
        facts_format(facts, "reach", "%s; %s", text, advice);
}

// Origins are in map units; XBM1 allows fractions.
void lump_add_facts(struct facts *facts, const struct inspect_map *map)
{
    const struct blockmap *blockmap = &map->present;
    const struct statistics *counts = &map->statistics;
    facts_sum(facts, "bytes", blockmap->bytes);
    facts_text(facts, "form", lump_form_name(map));
    lump_add_flaw(facts, "fault", blockmap);
    facts_number(facts, "origin_x", lump_edge(blockmap->origin_x, 0));
    facts_number(facts, "origin_y", lump_edge(blockmap->origin_y, 0));
    facts_number(facts, "columns", blockmap->grid.columns);
    facts_number(facts, "rows", blockmap->grid.rows);
    lump_add_distance(facts, map);
    facts_number(facts, "words", blockmap->word_count);
    facts_number(facts, "largest_offset", counts->largest_offset);
    facts_text(facts, "headers", list_header_names[blockmap->headers]);
    facts_number(facts, "lists", counts->stored);
    facts_number(facts, "nested_lists", counts->nested);
    facts_number(facts, "unsorted_lists", counts->unsorted);
    facts_number(facts, "repeating_lists", counts->repeating);
    facts_number(facts, "too_large_lists", counts->too_large);
    facts_number(facts, "unreached_words", counts->unreached_words);
    facts_number(facts, "odd_bytes", blockmap->odd_bytes);
    facts_number(facts, "unreadable_blocks", counts->unreadable);
}

void lump_add_flaw(struct facts *facts, const char *name,
                   const struct blockmap *blockmap)
{
    char flaw[BLOCKMAP_TEXT_SIZE], text[BLOCKMAP_TEXT_SIZE + 2];
    if (blockmap->form == LUMP_EMPTY || blockmap->lists_begin > 0)
        return;
    blockmap_find_flaw(blockmap, flaw);
    stage_type_options(&inspect_options, flaw, text, sizeof text);
    facts_format(facts, name, "%s", text);
}

// ---------------------------------------------------------------------------
// Missing entries

// Clipping by Liang and Barsky: each axis leaves a part of the linedef, from 0
// at its start to 1 at its end.
//
// Blocks are half-open, without their north and east edges.  The linedef is
// known to be in the block, so it does not run along these, and clipping to the
// closed block adds at most a point.
struct finding_part {
    double begin, end;
};

// Clips a part on one axis.
static void finding_narrow(struct finding_part *part, double start,
                           double delta, double low)
{
    if (delta == 0)
        return;
    double first = (low - start) / delta;
    double last = (low + BLOCK_SIZE - start) / delta;
    part->begin = fmax(part->begin, fmin(first, last));
    part->end = fmin(part->end, fmax(first, last));
}

struct finding_piece finding_piece(const struct lines *lines,
                                   const struct finding *finding)
{
    // Shorter pieces count as points.  With whole coordinates there are none:
    // two crossings of edges are equal or at least 1/65536 of a unit apart.
    static const double least_length = 1.0 / (2 * BLOCKMAP_UNIT);
    const struct fixed_line line = lines_fixed_at(lines, finding->linedef);
    const double unit = BLOCKMAP_UNIT;
    const double west = (double)finding->place.x / unit;
    const double south = (double)finding->place.y / unit;
    const double x = line.x1 / unit, dx = ((double)line.x2 - line.x1) / unit;
    const double y = line.y1 / unit, dy = ((double)line.y2 - line.y1) / unit;
    struct finding_part part = {.end = 1};
    finding_narrow(&part, x, dx, west);
    finding_narrow(&part, y, dy, south);
    struct finding_piece piece = {
        .length = (part.end - part.begin) * hypot(dx, dy),
        .x1 = x + part.begin * dx,
        .y1 = y + part.begin * dy,
        .x2 = x + part.end * dx,
        .y2 = y + part.end * dy,
    };
    if (piece.length < least_length) {
        piece.length = 0;
        piece.is_corner =
            hypot(piece.x1 - west, piece.y1 - south) < least_length;
    }
    return piece;
}

static void lump_add_length(struct facts *facts, struct finding_piece piece)
{
    facts_number(facts, "units", piece.length);
    if (piece.length >= 0.05)
        facts_format(facts, ".length", "%.1f units", piece.length);
    else
        facts_text(facts, ".length",
                   piece.length > 0  ? "less than 0.1 units"
                   : piece.is_corner ? "a corner touched"
                                     : "a point touched");
}

void lump_list_missing(struct report *report, const struct inspect_map *map,
                       bool all)
{
    report_open_list(report, "missing", SIZE_MAX);
    for (size_t i = 0; i < map->missing.count; i++) {
        const struct finding *entry = &map->missing.finding[i];
        const bool is_harmless = !entry->is_solid;
        char reason[LINE_TEXT];
        struct facts facts = {0};
        facts_number(&facts, "linedef", entry->linedef);
        const bool is_inside =
            lump_add_block(&facts, &map->present, entry->place);
        lump_add_length(&facts, finding_piece(&map->lines, entry));
        line_describe(map->solid[entry->linedef], reason);
        facts_text(&facts, "class", is_harmless ? "harmless" : "solid");
        facts_text(&facts, "reason", is_harmless ? NULL : reason);
        facts_text(&facts, ".outside", is_inside ? "" : ", outside the grid");
        report_item(report, &facts,
                    all ? BELOW "missing linedef {linedef} in block "
                                "{column},{row} at {x},{y}{outside}: "
                                "{length}, {class}[: {reason}]"
                        : NULL);
    }
    report_close_list(report, all ? map->missing_count : 0);
}

// Whether the words for `--for` name no engine that the lump is right for.
static bool lump_is_wrong_for_words(const struct inspect_map *map)
{
    const struct inspect_groups *groups = &map->groups;
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        for (size_t other = 0; other < ENGINE_COUNT; other++)
            if (groups->wrong_for & ENGINE_BIT(i) &&
                !(groups->wrong_for & ENGINE_BIT(other)) &&
                strcmp(engine_table[i].word, engine_table[other].word) == 0)
                return false;
    return true;
}

void lump_add_verdict(struct facts *facts, const char *name,
                      const struct inspect_map *map)
{
    const char *status = verify_status_names[map->status];
    char wrong_for[200];
    engines_list(map->groups.wrong_for, wrong_for, sizeof wrong_for);
    if (map->status != VERIFY_WRONG)
        facts_format(
            facts, name, "%s%s", status,
            map->rejected && map->status != VERIFY_FAILED ? ", rejected" : "");
    else if (map->groups.most_crossed > 0)
        facts_format(facts, name, "wrong, %zu %s", map->groups.most_crossed,
                     map->groups.most_crossed == 1 ? "wall" : "walls");
    else if (map->groups.wrong_for && lump_is_wrong_for_words(map) &&
             !lump_has_unreadable(map))
        facts_format(facts, name, "wrong for %s", wrong_for);
    else
        facts_text(facts, name, status);
}
