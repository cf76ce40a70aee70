// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each group of engines makes of a lump.  A group are the engines that
// read the lump alike, so everything is counted once for all of them.

#include "config.h"

#include "inspect/inspect.h"

#include "check/judge.h"
#include "check/reading.h"
#include "common/message.h"
#include "common/report.h"
#include "inspect/engine-names.h"
#include "lines/lines.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "prune/line.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The most steps of pass_find for a map, about two seconds of work.  The walls
// of Freedoom's E2M1 take 7,237 at Boom's level.
enum { GROUPS_MOST_STEPS = 1 << 18 };

enum {
    GROUP_TEXT = 400, // what a line says of a group
    MOST_WALLS = 20,  // below a group
};

static const char *const wall_movers[] = {"players", "missiles", "shots",
                                          "nothing"};

// In JSON, and in texts.
static const struct {
    const char *word, *text;
} group_verdicts[] = {
    [GROUP_GOOD] = {"loads", "good"},
    [GROUP_WRONG] = {"wrong", "wrong"},
    [GROUP_REBUILDS] = {"rebuilds", "builds its own"},
    [GROUP_CRASHES] = {"crashes", "crashes"},
    [GROUP_UNKNOWN] = {"unknown", "unknown"},
};

// How many walls something can cross.
static size_t group_count_crossed(const struct inspect_group *group)
{
    return group->wall_count - group->wall_counts[WALL_SLIDES];
}

// The wall of a kind that can be crossed along the most units; NULL without
// such walls.
static const struct inspect_wall *
group_longest(const struct inspect_group *group, enum wall_kind kind)
{
    const struct inspect_wall *longest = NULL;
    for (size_t w = 0; w < group->wall_count; w++) {
        const struct inspect_wall *wall = &group->walls[w];
        if (wall->kind == kind &&
            (!longest || wall_length(wall) > wall_length(longest)))
            longest = wall;
    }
    return longest;
}

static enum group_verdict group_find_verdict(const struct inspect_group *group,
                                             bool has_expected)
{
    switch (group->reading.kind) {
    case READING_REBUILDS:
        return GROUP_REBUILDS;
    case READING_CRASHES:
        return GROUP_CRASHES;
    case READING_LISTS:
        if (has_expected)
            return group_count_crossed(group) > 0 ||
                           group->reading.loss == GRID_MAY_PASS_ALL
                       ? GROUP_WRONG
                       : GROUP_GOOD;
        break;
    case READING_UNKNOWN:
        break;
    }
    return GROUP_UNKNOWN;
}

// Whether a verdict on a group counts although no game was named.  A lump over
// the limit of Doom 1.9, or in XBM1, is not meant for all games.
static bool group_counts(const struct inspect_map *map,
                         const struct engine *engine)
{
    const bool is_over_limit =
        map->statistics.largest_offset > LUMP_VANILLA_OFFSET ||
        map->line_count > LUMP_VANILLA_LINES;
    return !(engine->has_signed_words && is_over_limit) &&
           !(map->present.form == LUMP_XBM1 && !engine->reads_xbm1);
}

// Adds what a group makes of the lump to the results for all groups.
static void groups_add_up(struct inspect_map *map,
                          const struct inspect_group *group)
{
    struct inspect_groups *groups = &map->groups;
    const bool is_wrong =
        group->verdict == GROUP_WRONG || group->verdict == GROUP_CRASHES;
    engine_set counting = 0;
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        if (group->reading.engines & ENGINE_BIT(i) &&
            (groups->named || group_counts(map, &engine_table[i])))
            counting |= ENGINE_BIT(i);
    if (!counting)
        return;
    if (is_wrong)
        groups->wrong_for |= counting;
    if (group_count_crossed(group) > groups->most_crossed)
        groups->most_crossed = group_count_crossed(group);
    groups->miss_any |= judge_missing(&group->judgement) > 0;
}

void groups_find(struct inspect_file *file, struct inspect_map *map)
{
    struct inspect_groups *groups = &map->groups;
    groups->named = file->options.build.engines;
    groups->steps_left = GROUPS_MOST_STEPS;
    groups->count = map->readings.count;
    for (size_t i = 0; i < groups->count; i++) {
        struct inspect_group *group = &groups->group[i];
        group->reading = map->readings.reading[i];
        if (map->has_expected && group->reading.kind == READING_LISTS) {
            group->judgement =
                judge_reading(&map->expected, &map->present, &group->reading);
            walls_find(file, map, group);
        }
        group->verdict = group_find_verdict(group, map->has_expected);
        groups_add_up(map, group);
    }
}

const struct inspect_group *groups_first(const struct inspect_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        if (groups->group[i].reading.engines & groups->wrong_for)
            return &groups->group[i];
    for (size_t i = 0; i < groups->count; i++)
        if (groups->group[i].verdict == GROUP_GOOD)
            return &groups->group[i];
    return groups->group;
}

void groups_free(struct inspect_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        free(groups->group[i].walls);
}

// ---------------------------------------------------------------------------
// Reports

// Appends a part of a sentence, after "; " unless it is the first.
static void PRINTF_LIKE(2, 3)
    group_append(char text[GROUP_TEXT], const char *format, ...)
{
    char part[GROUP_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    const size_t length = strlen(text);
    snprintf(text + length, GROUP_TEXT - length, "%s%s", length > 0 ? "; " : "",
             part);
}

// Appends how many walls of the first kind there are, and the longest; its
// number, too, unless it is listed first.
static void group_append_longest(char text[GROUP_TEXT],
                                 const struct inspect_group *group,
                                 const struct inspect_wall *longest)
{
    const size_t count = group->wall_counts[longest->kind];
    char number[40] = "";
    if (longest != &group->walls[0])
        snprintf(number, sizeof number, " (linedef %lu)",
                 (unsigned long)longest->linedef);
    group_append(text, "%s can cross %s%zu %s, longest %.10g units%s",
                 wall_movers[longest->kind],
                 group->are_at_most ? "at most " : "", count,
                 count == 1 ? "wall" : "walls",
                 round(10 * wall_length(longest)) / 10, number);
}

// Appends how many walls of a kind there are.
static void group_append_walls(char text[GROUP_TEXT],
                               const struct inspect_group *group,
                               enum wall_kind kind)
{
    const size_t count = group->wall_counts[kind];
    const char *walls = count == 1 ? "wall" : "walls";
    const char *most = group->are_at_most ? "at most " : "";
    if (count == 0)
        return;
    if (group->walls[0].kind < kind)
        group_append(text, "%s %s%zu more",
                     kind == WALL_SLIDES ? "slides may differ at"
                                         : wall_movers[kind],
                     most, count);
    else if (kind == WALL_SLIDES)
        group_append(text, "nothing can cross %s%zu %s, but slides may differ",
                     most, count, walls);
    else
        group_append_longest(text, group, group_longest(group, kind));
}

// Appends what lines far from the grid's origin do not do.
static void group_append_loss(char text[GROUP_TEXT],
                              const struct reading *reading)
{
    const struct engine *engine = engine_table;
    while (!(reading->engines & ENGINE_BIT(engine - engine_table)))
        engine++;
    if (reading->loss != GRID_HOLDS)
        group_append(text, "%s over %ld units from the grid's origin",
                     reading->loss == GRID_MAY_PASS_ALL ? "walls may not block"
                                                        : "shots may pass",
                     (long)grid_loss_begins(reading->loss, engine->reach));
}

// Adds what can cross how many walls, and what is missing or extra.
static void group_describe(struct facts *facts,
                           const struct inspect_group *group, bool all)
{
    const struct lump_judgement *found = &group->judgement;
    const size_t harmless = judge_missing(found) - judge_solid(found);
    char text[GROUP_TEXT] = "";
    for (int kind = 0; kind < WALL_KINDS; kind++)
        group_append_walls(text, group, (enum wall_kind)kind);
    if (harmless > 0)
        group_append(text, "%zu harmless missing", harmless);
    if (found->extra_count > 0)
        group_append(text, "%zu extra", found->extra_count);
    group_append_loss(text, &group->reading);
    if (*text == '\0')
        group_append(text, "good");
    if (all && group->reading.finds_0)
        group_append(text, "linedef 0 in every block");
    facts_format(facts, ".says", "%s", text);
}

// Adds the counts of walls and entries.
static void group_add_counts(struct facts *facts,
                             const struct inspect_group *group)
{
    static const char *const losses[] = {NULL, "shots", "walls"};
    const struct lump_judgement *found = &group->judgement;
    facts_number(facts, "players_cross", group->wall_counts[WALL_PLAYERS]);
    facts_number(facts, "missiles_cross", group->wall_counts[WALL_MISSILES]);
    facts_number(facts, "shots_cross", group->wall_counts[WALL_SHOTS]);
    facts_number(facts, "slides_only", group->wall_counts[WALL_SLIDES]);
    const struct inspect_wall *longest = group_longest(group, WALL_PLAYERS);
    facts_number(facts, "longest", longest ? wall_length(longest) : 0);
    facts_flag(facts, "at_most", group->are_at_most);
    facts_number(facts, "missing_entries", judge_missing(found));
    facts_number(facts, "solid_entries", judge_solid(found));
    facts_number(facts, "extra_entries", found->extra_count);
    facts_flag(facts, "reads_headers", group->reading.finds_0);
    facts_text(facts, "far", losses[group->reading.loss]);
    facts_flag(facts, "skips_first_word", group->reading.skips);
    if (group->reading.reach != REACH_ALL)
        facts_number(facts, "blocks_found", group->reading.reach);
}

static void group_list_walls(struct report *report,
                             const struct inspect_map *map,
                             const struct inspect_group *group, bool told,
                             bool all)
{
    const size_t crossed = group_count_crossed(group);
    report_open_list(report, "walls", all ? SIZE_MAX : MOST_WALLS);
    for (size_t w = 0; w < group->wall_count; w++) {
        const struct inspect_wall *wall = &group->walls[w];
        const struct fixed_line line =
            lines_fixed_at(&map->lines, wall->linedef);
        const bool is_shown = told && (all || wall->kind != WALL_SLIDES);
        char reason[LINE_TEXT];
        struct facts facts = {0};
        facts_number(&facts, "linedef", wall->linedef);
        facts_number(&facts, "x1", (double)line.x1 / BLOCKMAP_UNIT);
        facts_number(&facts, "y1", (double)line.y1 / BLOCKMAP_UNIT);
        facts_number(&facts, "x2", (double)line.x2 / BLOCKMAP_UNIT);
        facts_number(&facts, "y2", (double)line.y2 / BLOCKMAP_UNIT);
        facts_number(&facts, "players", wall->lengths.player);
        facts_number(&facts, "missiles", wall->lengths.missile);
        facts_number(&facts, "shots", wall->lengths.shot);
        line_describe(map->solid[wall->linedef], reason);
        facts_text(&facts, "reason", reason);
        facts_text(&facts, ".crossed_by", wall_movers[wall->kind]);
        facts_format(&facts, ".length", "%.1f", wall_length(wall));
        report_item(report, &facts,
                    is_shown ? BELOW
                        "  linedef {linedef}, {x1},{y1} to {x2},{y2}, "
                        "{reason}: {crossed_by} along {length} units"
                             : NULL);
    }
    report_close_list(report, !told ? 0 : all ? group->wall_count : crossed);
}

// Whether the same is true of two groups, apart from headers.
static bool group_is_alike(const struct inspect_group *a,
                           const struct inspect_group *b)
{
    if (a->verdict != b->verdict || a->reading.why != b->reading.why ||
        a->reading.loss != b->reading.loss ||
        memcmp(&a->judgement, &b->judgement, sizeof a->judgement) != 0 ||
        a->wall_count != b->wall_count)
        return false;
    for (size_t w = 0; w < a->wall_count; w++)
        if (a->walls[w].linedef != b->walls[w].linedef ||
            a->walls[w].kind != b->walls[w].kind)
            return false;
    return true;
}

// The engines of all groups that are alike; 0 if an earlier group has them.
static engine_set group_find_alike(const struct inspect_groups *groups,
                                   size_t index)
{
    engine_set engines = 0;
    for (size_t i = 0; i < groups->count; i++) {
        if (!group_is_alike(&groups->group[i], &groups->group[index]))
            continue;
        if (i < index)
            return 0;
        engines |= groups->group[i].reading.engines;
    }
    return engines;
}

// The engines that may use a lump.
static engine_set group_find_users(void)
{
    engine_set engines = 0;
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        if (engine_table[i].find != FIND_NEVER)
            engines |= ENGINE_BIT(i);
    return engines;
}

// The engines that a short report tells of with a group, and with all groups
// that are alike; 0 if there is nothing to tell.
static engine_set group_find_told(const struct inspect_groups *groups,
                                  size_t index)
{
    const struct inspect_group *group = &groups->group[index];
    if ((group->verdict == GROUP_GOOD && group->wall_count == 0 &&
         group->reading.loss == GRID_HOLDS) ||
        group->verdict == GROUP_UNKNOWN)
        return 0;
    const engine_set alike = group_find_alike(groups, index);
    return groups->named ? alike : alike & group_find_users();
}

// Adds the names of the games that a line of the text report is about.
static void group_add_told(struct facts *facts,
                           const struct inspect_groups *groups,
                           engine_set engines, bool all)
{
    char games[1000];
    engine_names_write(engines, games, sizeof games);
    if (!all && !groups->named && engines == group_find_users())
        facts_text(facts, ".told", "every game that uses the lump");
    else
        facts_format(facts, ".told", "%s", games);
}

// Reports a group; with `told`, also as text.
static void groups_list_one(struct report *report,
                            const struct inspect_map *map,
                            const struct inspect_group *group, engine_set told,
                            bool all)
{
    static const char *const lines[] = {BELOW "{told}: {says}[: {why}]", NULL};
    const bool is_read =
        group->verdict == GROUP_GOOD || group->verdict == GROUP_WRONG;
    struct facts facts = {0};
    struct sentences engines = {0};
    char games[1000];
    engine_names_add(group->reading.engines, &engines);
    facts_sentences(&facts, "engines", &engines);
    engine_names_write(group->reading.engines, games, sizeof games);
    facts_text(&facts, "games", games);
    group_add_told(&facts, &map->groups, told, all);
    facts_text(&facts, "verdict", group_verdicts[group->verdict].word);
    facts_flag(&facts, "fails", group->reading.engines & map->groups.wrong_for);
    facts_text(&facts, "why",
               group->verdict == GROUP_GOOD ? NULL : group->reading.why);
    if (is_read) {
        group_describe(&facts, group, all);
        group_add_counts(&facts, group);
    } else {
        facts_text(&facts, ".says", group_verdicts[group->verdict].text);
    }
    report_open(report, NULL, &facts, told ? lines : NULL);
    if (is_read)
        group_list_walls(report, map, group, told, all);
    report_close(report);
    sentences_free(&engines);
}

void groups_list(struct report *report, const struct inspect_map *map, bool all)
{
    const struct inspect_groups *groups = &map->groups;
    report_open_list(report, "groups", SIZE_MAX);
    for (size_t i = 0; i < groups->count; i++) {
        const struct inspect_group *group = &groups->group[i];
        const engine_set told = map->line_count == 0 ? 0
                                : all                ? group->reading.engines
                                      : group_find_told(groups, i);
        groups_list_one(report, map, group, told, all);
    }
    report_close_list(report, 0);
}
