// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each group of engines makes of a lump.  A group are the engines that
// read the lump alike, so everything is counted once for all of them.

#include "config.h"

#include "inspect/inspect.h"

#include "check/judge.h"
#include "check/reading.h"
#include "common/report.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/lump.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// In JSON, in texts, and as headings of the page.
static const struct {
    const char *word, *text, *heading;
} group_verdicts[] = {
    [GROUP_GOOD] = {"loads", "good", "Read right by"},
    [GROUP_WRONG] = {"wrong", "wrong", "Read wrong by"},
    [GROUP_REBUILDS] = {"rebuilds", "builds its own",
                        "Ignored by (they build their own)"},
    [GROUP_CRASHES] = {"crashes", "crashes", "Crashes"},
    [GROUP_UNKNOWN] = {"unknown", "unknown", "Unknown for"},
};

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
            return judge_solid(&group->judgement) > 0 ? GROUP_WRONG
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

// The engines of a group for which the lump is wrong.
static engine_set group_find_wrong(const struct inspect_map *map,
                                   const struct inspect_group *group)
{
    engine_set wrong = 0;
    if (group->verdict != GROUP_WRONG && group->verdict != GROUP_CRASHES)
        return 0;
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        if (group->reading.engines & ENGINE_BIT(i) &&
            (map->groups.named || group_counts(map, &engine_table[i])))
            wrong |= ENGINE_BIT(i);
    return wrong;
}

void groups_find(struct inspect_map *map, engine_set named)
{
    const struct readings readings =
        readings_find(&map->present, map->line_count, named);
    struct inspect_groups *groups = &map->groups;
    *groups = (struct inspect_groups){.named = named, .count = readings.count};
    map->wrong_for = 0;
    for (size_t i = 0; i < readings.count; i++) {
        struct inspect_group *group = &groups->group[i];
        group->reading = readings.reading[i];
        if (map->has_expected && group->reading.kind == READING_LISTS)
            group->judgement =
                judge_reading(&map->expected, &map->present, &group->reading);
        group->verdict = group_find_verdict(group, map->has_expected);
        map->wrong_for |= group_find_wrong(map, group);
    }
}

// ---------------------------------------------------------------------------
// Reports

// "Eternity, Doom Retro; DSDA-Doom, Woof, Nugget Doom (MBF21)"
static void group_list_engines(engine_set engines, char *text, size_t size)
{
    const char *level = ""; // of the names before, not printed yet
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < ENGINE_COUNT && length < size; i++) {
        const struct engine *engine = &engine_table[i];
        if (!(engines & ENGINE_BIT(i)))
            continue;
        const char *next = engine->level ? engine->level : "";
        const bool is_same = strcmp(level, next) == 0;
        if (!is_same && *level)
            length +=
                (size_t)snprintf(text + length, size - length, " (%s)", level);
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       length == 0 ? ""
                                       : is_same   ? ", "
                                                   : "; ",
                                       engine->name);
        level = next;
    }
    if (*level && length < size)
        snprintf(text + length, size - length, " (%s)", level);
}

// The engines for programs: "Eternity; Doom Retro; DSDA-Doom (MBF21)".
static void group_name_engines(engine_set engines, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < ENGINE_COUNT && length < size; i++) {
        const struct engine *engine = &engine_table[i];
        if (engines & ENGINE_BIT(i))
            length += (size_t)snprintf(
                text + length, size - length, "%s%s%s%s%s",
                length > 0 ? "; " : "", engine->name, engine->level ? " (" : "",
                engine->level ? engine->level : "", engine->level ? ")" : "");
    }
}

// Adds the counts of missing and extra entries.
static void group_add_counts(struct facts *facts,
                             const struct inspect_group *group, bool all)
{
    const size_t missing = judge_missing(&group->judgement);
    const size_t solid = judge_solid(&group->judgement);
    facts_number(facts, "missing_entries", missing);
    facts_number(facts, "solid_entries", solid);
    facts_number(facts, ".harmless_entries", missing - solid);
    facts_number(facts, "extra_entries", group->judgement.extra_count);
    facts_flag(facts, "reads_headers", group->reading.finds_0);
    facts_text(facts, ".of_headers",
               all && group->reading.finds_0 ? "linedef 0 in every block" : "");
}

// Whether the same is true of two groups, apart from headers.
static bool group_is_alike(const struct inspect_group *a,
                           const struct inspect_group *b)
{
    return a->verdict == b->verdict && a->reading.why == b->reading.why &&
           memcmp(&a->judgement, &b->judgement, sizeof a->judgement) == 0;
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
    const enum group_verdict verdict = groups->group[index].verdict;
    if (verdict == GROUP_GOOD || verdict == GROUP_UNKNOWN)
        return 0;
    const engine_set alike = group_find_alike(groups, index);
    return groups->named ? alike : alike & group_find_users();
}

// Adds the names of the games that a line of the text report is about.
static void group_add_games(struct facts *facts,
                            const struct inspect_groups *groups,
                            engine_set engines, bool all)
{
    char games[1000];
    group_list_engines(engines, games, sizeof games);
    if (!all && !groups->named && engines == group_find_users())
        facts_text(facts, ".games", "every game that uses the lump");
    else
        facts_format(facts, ".games", "%s", games);
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
        char engines[1000];
        struct facts facts = {0};
        group_name_engines(group->reading.engines, engines, sizeof engines);
        facts_text(&facts, "engines", engines);
        group_add_games(&facts, groups, told, all);
        facts_text(&facts, "verdict", group_verdicts[group->verdict].word);
        facts_text(&facts, ".says", group_verdicts[group->verdict].text);
        facts_text(&facts, "why",
                   group->verdict == GROUP_GOOD ? NULL : group->reading.why);
        if (group->verdict == GROUP_GOOD || group->verdict == GROUP_WRONG)
            group_add_counts(&facts, group, all);
        report_item(report, &facts,
                    told ? BELOW "{games}: {says}[: {why}]"
                                 "[, {solid_entries} solid missing]"
                                 "[, {harmless_entries} harmless missing]"
                                 "[, {extra_entries} extra][, {of_headers}]"
                         : NULL);
    }
    report_close_list(report, 0);
}

void groups_add_headings(struct facts *facts, const struct inspect_map *map)
{
    const struct inspect_groups *groups = &map->groups;
    for (int verdict = GROUP_GOOD; verdict <= GROUP_UNKNOWN; verdict++) {
        engine_set engines = 0;
        char text[1000];
        for (size_t i = 0; i < groups->count; i++)
            if (groups->group[i].verdict == (enum group_verdict)verdict)
                engines |= groups->group[i].reading.engines;
        group_list_engines(engines, text, sizeof text);
        if (engines)
            facts_format(facts, group_verdicts[verdict].heading, "%s", text);
    }
}
