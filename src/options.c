// SPDX-License-Identifier: GPL-2.0-or-later
//
// The choices of options, and the parsing of their values.

#include "options.h"

#include "base/context.h"
#include "base/macros.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lists/pack.h"
#include "lump/engines.h"
#include "nbstage.h"
#include "prune/games.h"
#include "prune/prune.h"
#include "request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CHOICE(name, help) \
    { \
        name, help \
    }

// The values that each preset sets; NULL: it does not set the option.
static const struct preset {
    bool keeps_smaller;
    const char *values[OPTION_COUNT];
} options_presets[PRESET_COUNT] = {
    [PRESET_COMPATIBLE] = {false,
                           {[OPTION_GRID] = "auto", [OPTION_PACK] = "share"}},
    [PRESET_REPACK] = {true, {[OPTION_GRID] = "keep", [OPTION_PACK] = "nest"}},
    [PRESET_SMALL] = {false,
                      {[OPTION_GRID] = "search", [OPTION_PACK] = "nest"}},
    [PRESET_VANILLA] = {false,
                        {[OPTION_GRID] = "search",
                         [OPTION_PACK] = "nest",
                         [OPTION_FOR] = "doom19",
                         [OPTION_OVERFLOW] = "merge,error"}},
};

static const struct nbstage_choice preset_choices[PRESET_COUNT] = {
    [PRESET_COMPATIBLE] =
        CHOICE("compatible", "for every port, on the grid that demos need"),
    [PRESET_REPACK] =
        CHOICE("repack", "a correct lump: smaller on its grid, or unchanged"),
    [PRESET_SMALL] = CHOICE("small", "the smallest, on the best grid"),
    [PRESET_VANILLA] =
        CHOICE("vanilla", "the smallest for Doom 1.9, by any means"),
};

static const struct nbstage_choice engine_choices[] = {
#define ENGINE(...)
#define NAME(word, engines, help) CHOICE(word, help),
#define GAME(...)
#include "lump/engine-table.h"
};

// The engines of each of these names.
static const engine_set engine_sets[COUNT(engine_choices)] = {
#define ENGINE(...)
#define NAME(word, engines, help) engines,
#define GAME(...)
#define E(id) ENGINE_BIT(ENGINE_##id)
#include "lump/engine-table.h"
};

// Games, which are refused as names of ports, and the ports that play them.
static const struct options_game {
    const char *name, *ports;
} options_games[] = {
#define ENGINE(...)
#define NAME(...)
#define GAME(name, ports) {name, ports},
#include "lump/engine-table.h"
};

static const struct nbstage_choice lists_choices[] = {
    [BUILD_LISTS_EXACT] = CHOICE("exact", "the lines that are in each block"),
    [BUILD_LISTS_LUMP] =
        CHOICE("lump", "the lists of the present lump, on its grid"),
};

static const struct nbstage_choice grid_choices[] = {
    [GRID_AUTO] =
        CHOICE("auto", "the present grid if it fits the map, else fit"),
    [GRID_KEEP] = CHOICE("keep", "the present grid, as demos need it"),
    [GRID_FIT] = CHOICE("fit", "at the lowest coordinates of the lines"),
    [GRID_ID] =
        CHOICE("id", "8 units south-west of all vertices, as with DoomBSP"),
    [GRID_SEARCH] = CHOICE("search", "the best of 16,384 places"),
};

static const struct nbstage_choice pack_choices[] = {
    [PACK_SHARE] = CHOICE("share", "equal lists once"),
    [PACK_NEST] =
        CHOICE("nest", "also lists inside others, as many as possible"),
};

static const struct nbstage_choice prune_choices[] = {
    [PRUNE_TAGGED] = CHOICE("tagged", "lines marked for it, e.g. tag 999"),
    [PRUNE_INERT] =
        CHOICE("inert", "also two-sided lines between like sectors"),
    [PRUNE_NONE] = CHOICE("none", "no line"),
};

static const struct nbstage_choice format_choices[] = {
    [BUILD_FORMAT_AUTO] = CHOICE("auto", "classic; if oversized, see overflow"),
    [BUILD_FORMAT_DOOM] = CHOICE("doom", "classic, never XBM1"),
    [BUILD_FORMAT_XBM1] = CHOICE("xbm1", "extended, with 32-bit words"),
};

static const struct nbstage_choice flag_choices[] = {
    CHOICE("no", "do not check"),
    CHOICE("yes", "check"),
};

static const struct nbstage_choice overflow_choices[] = {
    [BUILD_OVERFLOW_AUTO] =
        CHOICE("auto", "xbm1 or empty if your ports play it, else error"),
    [BUILD_OVERFLOW_MERGE] =
        CHOICE("merge", "several blocks get one larger list"),
    [BUILD_OVERFLOW_XBM1] = CHOICE("xbm1", "an extended lump"),
    [BUILD_OVERFLOW_EMPTY] =
        CHOICE("empty", "an empty lump and a warning; ports build their own"),
    [BUILD_OVERFLOW_ERROR] = CHOICE("error", "the map fails"),
};

// ---------------------------------------------------------------------------
// The table: public descriptions, and offsets in struct options

#define GROUP_PORTS "Ports and limits"
#define GROUP_LISTS "Lists"
#define GROUP_GRID "Grid"
#define GROUP_MAP "Memory"

#define CHOICES(list) .choices = list, .choice_count = COUNT(list)
#define OPTION(id, member, ...) \
    [OPTION_##id] = {.size = sizeof(struct nbstage_option), __VA_ARGS__},
const struct nbstage_option options_table[OPTION_COUNT] = {
#include "option-table.h"
};
#undef OPTION

#define OPTION(id, ...) [OPTION_##id] = &options_table[OPTION_##id],
const struct nbstage_option *const options_list[OPTION_COUNT + 1] = {
#include "option-table.h"
};
#undef OPTION

#define OPTION(id, member, ...) \
    [OPTION_##id] = {offsetof(struct options, member), \
                     sizeof(((struct options *)NULL)->member)},
static const struct {
    size_t offset, size;
} options_places[OPTION_COUNT] = {
#include "option-table.h"
};
#undef OPTION

// Stores a number in the member of an option.
static void options_store(struct options *options, size_t option,
                          int64_t number)
{
    unsigned char *member =
        (unsigned char *)options + options_places[option].offset;
    if (options_places[option].size == sizeof number)
        memcpy(member, &number, sizeof number);
    else if (options_places[option].size == sizeof(uint32_t))
        memcpy(member, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
    else if (options_places[option].size == sizeof(bool))
        memcpy(member, &(bool){number != 0}, sizeof(bool));
}

// ---------------------------------------------------------------------------
// The origin of the grid

// Reads the digits of a number up to `most`; returns the text after them, or
// NULL if there are none or the number is larger.  Unlike strtol, it ignores
// the host's locale.
static const char *options_read_digits(const char *text, int64_t most,
                                       int64_t *number)
{
    const char *digit = text;
    *number = 0;
    for (; *digit >= '0' && *digit <= '9'; digit++) {
        *number = *number * 10 + (*digit - '0');
        if (*number > most)
            return NULL;
    }
    return digit > text ? digit : NULL;
}

// Reads a signed decimal 16-bit number in the same way.
static const char *options_read_coordinate(const char *text, int32_t *value)
{
    const bool negative = *text == '-';
    int64_t number;
    text = options_read_digits(text + (negative || *text == '+'),
                               negative ? -INT16_MIN : INT16_MAX, &number);
    *value = (int32_t)(negative ? -number : number);
    return text;
}

// Reads "X,Y", the origin in map units.
static bool options_read_origin(const char *value, struct grid *grid)
{
    *grid = (struct grid){0};
    const char *rest = options_read_coordinate(value, &grid->origin_x);
    if (!rest || *rest != ',')
        return false;
    rest = options_read_coordinate(rest + 1, &grid->origin_y);
    return rest && *rest == '\0';
}

// ---------------------------------------------------------------------------
// Values

// Finds a choice by name; `name` need not be NUL-terminated.
static bool options_find_choice(const struct nbstage_option *option,
                                const char *name, size_t length,
                                int64_t *number)
{
    for (size_t i = 0; i < option->choice_count; i++) {
        const char *choice = option->choices[i].name;
        if (strncmp(choice, name, length) == 0 && choice[length] == '\0') {
            *number = (int64_t)i;
            return true;
        }
    }
    return false;
}

enum { OPTIONS_NAME_SIZE = 64 };

// Normalises a name: lower case, without spaces and optional punctuation.
// Unlike tolower, it ignores the host's locale.
static void options_simplify(const char *name, size_t length,
                             char simple[OPTIONS_NAME_SIZE])
{
    size_t count = 0;
    for (size_t i = 0; i < length && count + 1 < OPTIONS_NAME_SIZE; i++) {
        const char letter = name[i];
        if (!strchr(" -+_.", letter))
            simple[count++] = letter >= 'A' && letter <= 'Z'
                                  ? (char)(letter - 'A' + 'a')
                                  : letter;
    }
    simple[count] = '\0';
}

static bool options_is_name(const char *word, size_t length, const char *name)
{
    char typed[OPTIONS_NAME_SIZE], known[OPTIONS_NAME_SIZE];
    options_simplify(word, length, typed);
    options_simplify(name, strlen(name), known);
    return strcmp(typed, known) == 0;
}

// Reads names of ports, separated by commas, as a set of engines.  It has a
// game only if all names are of ports for one.
static bool options_read_ports(const char *value, int64_t *set)
{
    const engine_set games = ENGINES_HERETIC | ENGINES_STRIFE;
    engine_set named = 0, without = 0;
    for (;; value++) {
        const size_t length = strcspn(value, ",");
        size_t name = 0;
        while (name < COUNT(engine_sets) &&
               !options_is_name(value, length, engine_choices[name].name))
            name++;
        if (name == COUNT(engine_sets))
            return false;
        named |= engine_sets[name];
        if (!(engine_sets[name] & games))
            without = games;
        value += length;
        if (*value == '\0')
            break;
    }
    *set = named & ~without;
    return true;
}

// Reads choices, separated by commas, each at most once.
static bool options_read_list(const struct nbstage_option *option,
                              const char *value, int64_t *list)
{
    uint32_t seen = 0;
    *list = 0;
    for (size_t i = 0;; i++) {
        size_t length = strcspn(value, ",");
        int64_t choice;
        if (!options_find_choice(option, value, length, &choice) ||
            (seen >> choice & 1) != 0)
            return false;
        seen |= UINT32_C(1) << choice;
        *list |= (choice + 1) << (4 * i);
        if (value[length] == '\0')
            return true;
        value += length + 1;
    }
}

// Reads a value as the number to store.
static bool options_read_number(const struct nbstage_option *option,
                                const char *value, int64_t *number)
{
    if (option == &options_table[OPTION_FOR])
        return options_read_ports(value, number);
    if (option->type == NBSTAGE_OPTION_INTEGER) {
        const char *rest = options_read_digits(value, option->maximum, number);
        return rest && !*rest && *number >= option->minimum;
    }
    if (option->type == NBSTAGE_OPTION_LIST)
        return options_read_list(option, value, number);
    return options_find_choice(option, value, strlen(value), number);
}

// Finds a game among names separated by commas; NULL if there is none.
static const struct options_game *options_find_game(const char *value)
{
    for (;; value++) {
        const size_t length = strcspn(value, ",");
        for (size_t i = 0; i < COUNT(options_games); i++)
            if (options_is_name(value, length, options_games[i].name))
                return &options_games[i];
        value += length;
        if (*value == '\0')
            return NULL;
    }
}

// Appends item `index` of `count` to a text of limited size, with a conjunction
// before the last item.
static void options_append(char *list, size_t size, const char *item,
                           size_t index, size_t count, const char *conjunction)
{
    const size_t length = strlen(list);
    snprintf(list + length, size - length, "%s%s",
             index == 0           ? ""
             : index + 1 == count ? conjunction
                                  : ", ",
             item);
}

// Lists the valid values of an option.
static void options_list_values(const struct nbstage_option *option,
                                char values[CONTEXT_MESSAGE_SIZE])
{
    const size_t count = option->choice_count + (option->form ? 1 : 0);
    values[0] = '\0';
    if (option->type == NBSTAGE_OPTION_INTEGER)
        snprintf(values, CONTEXT_MESSAGE_SIZE, "%lld to %lld",
                 (long long)option->minimum, (long long)option->maximum);
    for (size_t i = 0; i < count; i++)
        options_append(values, CONTEXT_MESSAGE_SIZE,
                       i < option->choice_count ? option->choices[i].name
                                                : option->form,
                       i, count, " or ");
}

static nbstage_status
options_fail_for_value(struct context *context,
                       const struct nbstage_option *option, const char *value)
{
    const bool is_list = option->type == NBSTAGE_OPTION_LIST;
    const bool is_for = option == &options_table[OPTION_FOR];
    const struct options_game *game = is_for ? options_find_game(value) : NULL;
    char values[CONTEXT_MESSAGE_SIZE];
    if (game)
        return context_fail(context, NBSTAGE_BAD_VALUE, NULL,
                            "'%s' is a game, which these ports play: %s; name "
                            "yours, or leave out for= for all of them",
                            game->name, game->ports);
    options_list_values(option, values);
    return context_fail(context, NBSTAGE_BAD_VALUE, NULL,
                        "option '%s' does not take '%.40s'; expected %s%s%s%s",
                        option->name, value, is_list ? "some of " : "", values,
                        is_list && !is_for ? ", each once" : "",
                        is_list ? ", with commas between them" : "");
}

// Reads a value of an option as the number to store, and for grid=X,Y also the
// grid.
static nbstage_status options_read_value(struct context *context,
                                         struct options *options, size_t option,
                                         const char *value, int64_t *number)
{
    const struct nbstage_option *row = &options_table[option];
    struct grid grid;
    if (options_read_number(row, value, number))
        return NBSTAGE_OK;
    if (option != OPTION_GRID || !options_read_origin(value, &grid))
        return options_fail_for_value(context, row, value);
    options->build.grid = grid;
    *number = GRID_AT;
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Setting

static nbstage_status options_find(struct context *context, const char *name,
                                   size_t *option)
{
    for (*option = 0; *option < OPTION_COUNT; ++*option)
        if (strcmp(options_table[*option].name, name) == 0)
            return NBSTAGE_OK;
    char names[CONTEXT_MESSAGE_SIZE] = "";
    for (size_t i = 0; i < OPTION_COUNT; i++)
        options_append(names, sizeof names, options_table[i].name, i,
                       OPTION_COUNT, " or ");
    return context_fail(context, NBSTAGE_UNKNOWN_OPTION, NULL,
                        "no option is named '%.40s'; expected %s", name, names);
}

// Whether the host, or the user, has set an option by name.
static bool options_was_set(const struct options *options, size_t option,
                            int32_t by)
{
    return (options->were_set[by] >> option & 1) != 0;
}

// Whether the user has said which ports the map is for, so that what the host
// would do for others does not count.
static bool options_are_for_users_ports(const struct options *options,
                                        size_t option)
{
    return (option == OPTION_FORMAT || option == OPTION_OVERFLOW) &&
           (options_was_set(options, OPTION_FOR, NBSTAGE_BY_USER) ||
            options_was_set(options, OPTION_PRESET, NBSTAGE_BY_USER));
}

// Decides on the value of an option, from the weakest to the strongest: its
// default, the host's preset, the host by name, the user's preset, the user by
// name.
static int64_t options_decide(const struct options *options, size_t option,
                              const struct preset *preset, bool is_users_preset)
{
    const struct nbstage_option *row = &options_table[option];
    const char *of_preset = preset->values[option];
    int64_t number = 0;
    if (options_was_set(options, option, NBSTAGE_BY_USER))
        return options->values[NBSTAGE_BY_USER][option];
    if (options_was_set(options, option, NBSTAGE_BY_HOST) &&
        !(of_preset && is_users_preset) &&
        !options_are_for_users_ports(options, option))
        return options->values[NBSTAGE_BY_HOST][option];
    options_read_number(row, of_preset ? of_preset : row->default_value,
                        &number);
    return number;
}

// Completes the options and the request after a change.  "any", alone or beside
// others, is the empty set of engines; with Doom 1.9 it is the set of all.
static void options_complete(struct options *options)
{
    // No preset sets another, so any will do to decide on the preset.
    options->preset = (enum options_preset)options_decide(
        options, OPTION_PRESET, &options_presets[PRESET_COMPATIBLE], false);
    const struct preset *preset = &options_presets[options->preset];
    const bool is_users =
        options_was_set(options, OPTION_PRESET, NBSTAGE_BY_USER);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        options_store(options, i, options_decide(options, i, preset, is_users));
    const engine_set named = options->engines;
    options->build.games = games_named(named);
    options->build.engines = !(named & ENGINES_ANY) ? named & ENGINES_ALL
                             : named & ENGINE_BIT(ENGINE_DOOM19) ? ENGINES_ALL
                                                                 : 0;
    options->build.keeps_smaller =
        preset->keeps_smaller || options->build.lists == BUILD_LISTS_LUMP;
}

nbstage_status options_set(struct context *context, struct options *options,
                           const char *name, const char *value, int32_t by)
{
    struct options changed = *options;
    size_t option;
    int64_t number;
    if (by != NBSTAGE_BY_HOST && by != NBSTAGE_BY_USER)
        return context_fail(context, NBSTAGE_UNSUPPORTED, NULL,
                            "options are set by %d, the host, or %d, the user, "
                            "not by %ld",
                            NBSTAGE_BY_HOST, NBSTAGE_BY_USER, (long)by);
    NEED(options_find(context, name, &option));
    NEED(options_read_value(context, &changed, option, value, &number));
    if (by == NBSTAGE_BY_HOST &&
        options_was_set(options, option, NBSTAGE_BY_USER))
        return NBSTAGE_OK;
    changed.values[by][option] = number;
    changed.were_set[by] |= UINT32_C(1) << option;
    options_complete(&changed);
    *options = changed;
    return NBSTAGE_OK;
}

void options_reset(struct options *options)
{
    *options = (struct options){0};
    options_complete(options);
}

// ---------------------------------------------------------------------------
// Warnings

static void options_warn_unused(struct context *context,
                                const struct options *options, size_t option,
                                const char *beside)
{
    if (options_was_set(options, option, NBSTAGE_BY_USER))
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "the option %s has no effect %s",
                    options_table[option].name, beside);
}

// Warns if a named engine misreads the lumps that an option's choice makes; if
// none is named, considers all engines.
static void options_warn_of_engines(struct context *context,
                                    const struct options *options,
                                    size_t option, int64_t choice,
                                    engine_set wrong)
{
    const engine_set named = options->build.engines;
    char list[200];
    engines_list(named ? named & wrong : wrong, list, sizeof list);
    if (options_was_set(options, option, NBSTAGE_BY_USER) && *list)
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "these ports misread %s=%s: %s", options_table[option].name,
                    options_table[option].choices[choice].name, list);
}

// Names engines, "a, b and c", without groups and aliases.  A port that is also
// in `named`, at another level, gets its level: "dsda-doom below MBF21".
static void options_name_engines(engine_set engines, engine_set named,
                                 char *text, size_t size)
{
    const engine_set all_but_vanilla = ENGINES_ALL & ~ENGINE_BIT(ENGINE_DOOM19);
    char words[COUNT(engine_sets)][OPTIONS_NAME_SIZE];
    const char *help = "";
    size_t count = 0;
    for (size_t i = 0; i < COUNT(engine_sets); i++) {
        const struct nbstage_choice *choice = &engine_choices[i];
        if (!(engine_sets[i] & engines) || engine_sets[i] >= all_but_vanilla ||
            strcmp(choice->help, help) == 0)
            continue;
        size_t first = 0;
        while (!(engine_sets[i] & engines & ENGINE_BIT(first)))
            first++;
        const bool has_level =
            engine_sets[i] & named && engine_table[first].level;
        snprintf(words[count++], OPTIONS_NAME_SIZE, "%s%s%s", choice->name,
                 has_level ? " " : "",
                 has_level ? engine_table[first].level : "");
        help = choice->help;
    }
    for (size_t i = 0; i < count; i++)
        options_append(text, size, words[i], i, count, " and ");
}

void options_warn_headerless(struct context *context,
                             const struct options *options)
{
    const engine_set named = options->build.engines;
    char list[200], others[200] = "";
    engines_list(named, list, sizeof list);
    options_name_engines(engines_need(0).skip, named, others, sizeof others);
    context_log(context, NBSTAGE_LOG_WARNING, NULL,
                "these lumps have no headers: they work in %s and ports that "
                "read them alike, but %s will miss lines",
                list, others);
}

void options_warn(struct context *context, const struct options *options)
{
    const struct build_request *build = &options->build;
    const engine_set without_xbm1 = engines_need(0).without_xbm1;
    const struct {
        int choice;
        engine_set wrong;
    } overflows[] = {{BUILD_OVERFLOW_XBM1, without_xbm1},
                     {BUILD_OVERFLOW_EMPTY, ENGINE_BIT(ENGINE_DOOM19)}};
    if (build->lists == BUILD_LISTS_LUMP) {
        const char *beside = "with lists=lump, which keeps grid and lists";
        if (build->placement != GRID_KEEP)
            options_warn_unused(context, options, OPTION_GRID, beside);
        if (build->prune != PRUNE_NONE)
            options_warn_unused(context, options, OPTION_PRUNE, beside);
    }
    if (build->format == BUILD_FORMAT_XBM1) {
        options_warn_unused(context, options, OPTION_OVERFLOW,
                            "with format=xbm1");
        options_warn_of_engines(context, options, OPTION_FORMAT, build->format,
                                without_xbm1);
    }
    for (size_t c = 0; choice_at(build->overflow, c) >= 0; c++)
        if (choice_at(build->overflow, c) == BUILD_OVERFLOW_XBM1 &&
            choice_at(build->overflow, c + 1) < 0 &&
            build->format == BUILD_FORMAT_DOOM)
            context_log(context, NBSTAGE_LOG_WARNING, NULL,
                        "format=doom rules out overflow=xbm1; leave out one of "
                        "them");
    if (build->engines == 0)
        return;
    for (size_t i = 0; i < COUNT(overflows); i++)
        for (size_t c = 0; choice_at(build->overflow, c) >= 0; c++)
            if (choice_at(build->overflow, c) == overflows[i].choice)
                options_warn_of_engines(context, options, OPTION_OVERFLOW,
                                        overflows[i].choice,
                                        overflows[i].wrong);
}

// ---------------------------------------------------------------------------
// Limits

enum {
    MEMORY_FOR_BYTE = 64, // of the map
    WORK_FOR_BYTE = 4096, // steps
};
static const uint64_t MEMORY_FOR_ANY = (uint64_t)2 << 30;
static const uint64_t MEMORY_AT_MOST = (uint64_t)MOST_MEMORY << 20;

// A tenth of this suffices to search all grids of any Freedoom map with nested
// lists.
static const uint64_t WORK_FOR_ANY = (uint64_t)1 << 28;
static const uint64_t WORK_AT_MOST = (uint64_t)1 << 33;

// The work limit grows with a larger max-memory.
struct limits options_limits(const struct options *options, uint64_t map_bytes)
{
    uint64_t memory = (uint64_t)options->memory_mib << 20;
    uint64_t work = WORK_FOR_ANY + WORK_FOR_BYTE * map_bytes;
    if (memory == 0)
        memory = MEMORY_FOR_ANY + MEMORY_FOR_BYTE * map_bytes;
    if (memory > MEMORY_AT_MOST)
        memory = MEMORY_AT_MOST;
    if (work > WORK_AT_MOST)
        work = WORK_AT_MOST;
    if (options->memory_mib > MEMORY_FOR_ANY >> 20)
        work = work / (MEMORY_FOR_ANY >> 20) * options->memory_mib;
    return (struct limits){
        .work = work, .memory = memory < SIZE_MAX ? (size_t)memory : SIZE_MAX};
}
