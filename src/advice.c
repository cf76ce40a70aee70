// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tells about a lump over a limit: by how much, and which options make one that
// fits.
//
// Only what was tried is told, and nothing is tried if the host does not
// listen.  The ways below are built in order, each with the options of the
// build besides its own, until one fits.  The sentence names the options of
// this way that change the build, and what its lump costs.

#include "advice.h"

#include "base/macros.h"
#include "build.h"
#include "lists/lists.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "lump/reach.h"
#include "merge/merge.h"
#include "search/search.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    ADVICE_MOST_SETTINGS = 5, // of a way
    ADVICE_MOST_WAYS = 6,
};

// An option and its value.
struct advice_setting {
    const char *name, *value;
};

struct advice_way {
    struct advice_setting settings[ADVICE_MOST_SETTINGS];
};

// The later ways of a kind are for users who have set the options of a preset.
static const struct advice_way advice_for_vanilla[ADVICE_MOST_WAYS] = {
    {{{"for", "any,doom19"}}}, // nests, then searches
    {{{"for", "any,doom19"}, {"grid", "fit"}}},
    {{{"for", "any,doom19"}, {"preset", "vanilla"}}},
    {{{"for", "any,doom19"},
      {"preset", "vanilla"},
      {"grid", "search"},
      {"pack", "nest"},
      {"overflow", "merge,error"}}},
    {{{"for", "doom19"}, {"preset", "vanilla"}}},
    {{{"for", "doom19"},
      {"preset", "vanilla"},
      {"grid", "search"},
      {"pack", "nest"},
      {"overflow", "merge,error"}}},
};
static const struct advice_way advice_for_ports[ADVICE_MOST_WAYS] = {
    {{{"pack", "nest"}}},
    {{{"grid", "fit"}}},
    {{{"preset", "small"}}},
    {{{"preset", "small"}, {"grid", "search"}, {"pack", "nest"}}},
    {{{"preset", "small"}, {"overflow", "merge,auto"}}},
    {{{"preset", "small"},
      {"grid", "search"},
      {"pack", "nest"},
      {"overflow", "merge,auto"}}},
};

struct advice {
    struct context *context;
    struct map *map;
    const struct options *options;
    const struct build_result *result;
    enum lump_limit limit; // that the lump misses
    struct search_memory searches;

    // The builds so far.
    struct build_request tried[ADVICE_MOST_WAYS + 1];
    size_t tried_count;
    uint64_t least_over; // words of the best lump over the limit
    bool is_bounded;     // merging stopped at its bound there
    bool is_early;       // or at its work limit

    char text[CONTEXT_MESSAGE_SIZE];
};

// ---------------------------------------------------------------------------
// Ways

static bool advice_is_same(const struct build_request *a,
                           const struct build_request *b)
{
    return a->engines == b->engines && a->games == b->games &&
           a->lists == b->lists && a->placement == b->placement &&
           a->grid.origin_x == b->grid.origin_x &&
           a->grid.origin_y == b->grid.origin_y && a->prune == b->prune &&
           a->pack == b->pack && a->format == b->format &&
           a->overflow == b->overflow && a->keeps_smaller == b->keeps_smaller &&
           a->check_nodes == b->check_nodes;
}

// The options of the build with those settings of a way whose bits are set.
static void advice_set(const struct advice *advice,
                       const struct advice_way *way, unsigned set,
                       struct options *options)
{
    struct context quiet = {0};
    *options = *advice->options;
    for (size_t i = 0; i < ADVICE_MOST_SETTINGS; i++)
        if (way->settings[i].name && set >> i & 1)
            (void)options_set(&quiet, options, way->settings[i].name,
                              way->settings[i].value, NBSTAGE_BY_USER);
}

// The settings of a way, a bit for each, without the ports if those that the
// user has named will do.
static unsigned advice_wanted(const struct advice *advice,
                              const struct advice_way *way)
{
    const engine_set doom19 = ENGINE_BIT(ENGINE_DOOM19);
    const engine_set engines = advice->options->build.engines;
    const unsigned all = (1U << ADVICE_MOST_SETTINGS) - 1;
    const bool is_doom19 = strcmp(way->settings[0].value, "doom19") == 0;
    const bool will_do = is_doom19 ? engines == doom19 : engines & doom19;
    return strcmp(way->settings[0].name, "for") == 0 && will_do ? all & ~1U
                                                                : all;
}

// Leaves out settings without which the build is the same.
static unsigned advice_needed(const struct advice *advice,
                              const struct advice_way *way, unsigned set)
{
    struct options with, without;
    advice_set(advice, way, set, &with);
    for (unsigned i = ADVICE_MOST_SETTINGS; i-- > 0;) {
        advice_set(advice, way, set & ~(1U << i), &without);
        if (advice_is_same(&with.build, &without.build))
            set &= ~(1U << i);
    }
    return set;
}

static void advice_append(struct advice *advice, const char *format, ...)
    PRINTF_LIKE(2, 3);
static void advice_append(struct advice *advice, const char *format, ...)
{
    const size_t length = strlen(advice->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(advice->text + length, sizeof advice->text - length, format,
              arguments);
    va_end(arguments);
}

// "add pack=nest: 63120 bytes, demos may differ"
static void advice_describe(struct advice *advice, const struct advice_way *way,
                            unsigned set, const struct build_request *request,
                            const struct build_result *made)
{
    const engine_set doom19 = ENGINE_BIT(ENGINE_DOOM19);
    const struct map_bytes *present = &advice->map->blockmap;
    const bool is_present =
        made->size == present->size &&
        memcmp(made->bytes, present->bytes, made->size) == 0;
    const unsigned needed = advice_needed(advice, way, set);
    const bool is_other =
        made->is_moved || made->header != HEADER_ZERO || made->extra_count > 0;
    advice->text[0] = '\0';
    if (request->engines == doom19 &&
        advice->options->build.engines != request->engines)
        advice_append(advice, "for Doom 1.9 alone, ");
    advice_append(advice, "add");
    for (size_t i = 0; i < ADVICE_MOST_SETTINGS; i++)
        if (needed >> i & 1)
            advice_append(advice, " %s=%s", way->settings[i].name,
                          way->settings[i].value);
    advice_append(advice, ": %zu bytes%s", made->size,
                  made->is_moved ? ", grid moves" : "");
    if (made->extra_count > 0)
        advice_append(advice, ", %llu extra entries",
                      (unsigned long long)made->extra_count);
    if (made->header == HEADER_NONE)
        advice_append(advice, ", no headers");
    if (is_present)
        advice_append(advice, ", the present lump");
    else if (present->size > 0)
        advice_append(advice, ", demos %s", is_other ? "differ" : "may differ");
}

// Builds with other options, and describes them if the lump fits.  A build that
// fails does not help.
static nbstage_status advice_try(struct advice *advice,
                                 const struct advice_way *way, bool *fits)
{
    const unsigned set = advice_wanted(advice, way);
    struct context *context = advice->context;
    struct context quiet = *context;
    struct options options;
    struct build_result made;
    advice_set(advice, way, set, &options);
    for (size_t i = 0; i < advice->tried_count; i++)
        if (advice_is_same(&options.build, &advice->tried[i]))
            return NBSTAGE_OK;
    advice->tried[advice->tried_count++] = options.build;
    quiet.log = NULL;
    const nbstage_status status = build_lump(
        &quiet, advice->map, &options.build, &advice->searches, &made);
    context->work = quiet.work;
    context->reported = quiet.reported;
    if (status == NBSTAGE_CANCELLED || status == NBSTAGE_OUT_OF_MEMORY) {
        memcpy(context->message, quiet.message, sizeof quiet.message);
        return status;
    }
    // Walls must not get lost by distance instead.
    const bool is_sound =
        status == NBSTAGE_OK &&
        reach_find(options.build.engines, made.distance).loss !=
            GRID_MAY_PASS_ALL;
    *fits = is_sound && made.bytes && !made.is_kept &&
            made.form == LUMP_CLASSIC &&
            lump_meets(&made.measure, advice->limit);
    if (*fits)
        advice_describe(advice, way, set, &options.build, &made);
    if (is_sound && made.least_over < advice->least_over) {
        advice->least_over = made.least_over;
        advice->is_bounded = made.is_bounded;
        advice->is_early = made.is_early;
    }
    context_release(context, made.bytes);
    return NBSTAGE_OK;
}

static bool advice_may_fit(const struct advice *advice, const struct grid *grid)
{
    return build_may_meet(advice->limit, grid,
                          advice->result->measure.linedef_end);
}

// Says that no way fits, and what stopped it.
static void advice_give_up(struct advice *advice)
{
    if (advice->least_over == UINT64_MAX) {
        snprintf(advice->text, sizeof advice->text,
                 "no other options make a lump");
        return;
    }
    snprintf(advice->text, sizeof advice->text,
             "no options help: the best lump that was tried is %llu words over "
             "the %s limit",
             (unsigned long long)advice->least_over,
             advice->limit == LIMIT_VANILLA ? "vanilla" : "extended");
    if (advice->is_bounded)
        advice_append(advice,
                      "; merging stopped at %d extra entries for each entry",
                      MERGE_MOST_EXTRA);
    else if (advice->is_early)
        advice_append(advice, "; packing stopped at its work limit");
}

// Finds what helps against a missed limit.  Nothing helps a map with too many
// linedefs or blocks.
static nbstage_status advice_find(struct advice *advice, enum lump_limit limit)
{
    const struct advice_way *ways =
        limit == LIMIT_VANILLA ? advice_for_vanilla : advice_for_ports;
    const struct build_request *request = &advice->options->build;
    const bool is_same = engines_need(request->engines).limit == limit;
    bool fits = false;
    advice->limit = limit;
    if (!advice_may_fit(advice, &advice->result->least_grid)) {
        snprintf(advice->text, sizeof advice->text,
                 request->engines == 0 && limit == LIMIT_VANILLA
                     ? "split the map if they must play it"
                     : "split the map");
        return NBSTAGE_OK;
    }
    advice->tried_count = 0;
    advice->tried[advice->tried_count++] = *request;
    advice->least_over = is_same ? advice->result->least_over : UINT64_MAX;
    advice->is_bounded = advice->result->is_bounded;
    advice->is_early = advice->result->is_early;
    for (size_t i = 0; i < ADVICE_MOST_WAYS && !fits; i++)
        NEED(advice_try(advice, &ways[i], &fits));
    if (!fits)
        advice_give_up(advice);
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Warnings

static void advice_warn(const struct advice *advice, const char *where,
                        const char *sentence)
{
    context_log(advice->context, NBSTAGE_LOG_WARNING, where, "%s; %s", sentence,
                advice->text);
}

// Describes how far the lump exceeds the limit of the ports.
static const char *advice_describe_excess(const struct advice *advice,
                                          char text[CONTEXT_MESSAGE_SIZE])
{
    const struct lump_measure *measure = &advice->result->measure;
    const engine_set engines = advice->options->build.engines;
    const unsigned long long lines = measure->linedef_end;
    const unsigned long long words = measure->word_count;
    const unsigned long long offset = measure->largest_offset;
    const bool is_classic = lines <= LUMP_CLASSIC_LINES;
    const bool is_vanilla =
        is_classic && engines_need(engines).limit == LIMIT_VANILLA;
    const size_t most = is_vanilla ? LUMP_VANILLA_LINES : LUMP_CLASSIC_LINES;
    if (lines > most)
        snprintf(text, CONTEXT_MESSAGE_SIZE,
                 "%llu linedefs are %llu more than the %zu that %s can number",
                 lines, lines - most, most,
                 is_vanilla ? "vanilla" : "a classic lump");
    else if (is_vanilla && offset > LUMP_VANILLA_OFFSET)
        snprintf(text, CONTEXT_MESSAGE_SIZE,
                 "the largest offset is %llu, %llu over the vanilla limit of "
                 "%d",
                 offset, offset - LUMP_VANILLA_OFFSET, LUMP_VANILLA_OFFSET);
    else
        snprintf(text, CONTEXT_MESSAGE_SIZE,
                 "the lump has %llu words, %llu over the extended limit of %d",
                 words, words - LUMP_EXTENDED_WORDS, LUMP_EXTENDED_WORDS);
    return is_classic ? "BLOCKMAP" : "LINEDEFS";
}

// Tells that no lump met the limit of the ports, so that it is left empty, or
// the build fails.
static nbstage_status advice_tell_of_none(struct advice *advice)
{
    const struct build_result *result = advice->result;
    char excess[CONTEXT_MESSAGE_SIZE], loss[CONTEXT_MESSAGE_SIZE] = "";
    const char *where = advice_describe_excess(advice, excess);
    if (result->overflow == BUILD_OVERFLOW_EMPTY && !advice->context->log)
        return NBSTAGE_OK;
    NEED(advice_find(advice,
                     engines_need(advice->options->build.engines).limit));
    if (result->overflow != BUILD_OVERFLOW_EMPTY)
        return context_fail(advice->context, NBSTAGE_OVER_LIMIT, where,
                            "%s; %s", excess, advice->text);
    if (result->lost_limit == LIMIT_VANILLA)
        snprintf(loss, sizeof loss,
                 ", which Doom 1.9 and Chocolate Doom cannot play; the largest "
                 "offset was %llu",
                 (unsigned long long)result->present.largest_offset);
    // Nobody has to split a map that every game that counts plays.
    const bool is_played =
        engines_need(advice->options->build.engines).build_their_own &&
        result->lost_limit != LIMIT_VANILLA;
    const bool is_enough =
        is_played && !advice_may_fit(advice, &result->least_grid);
    context_log(advice->context, NBSTAGE_LOG_WARNING, where,
                "%s; the lump was left empty%s%s%s%s", excess, loss,
                is_played ? ", and ports build their own" : "",
                is_enough ? "" : "; ", is_enough ? "" : advice->text);
    return NBSTAGE_OK;
}

// Warns about lines that are too far from the grid's origin.  Only a grid that
// was kept or given is further away than the lowest coordinates, where ports
// that build their own begin theirs.
static void advice_tell_reach(const struct advice *advice)
{
    const engine_set engines = advice->options->build.engines;
    const struct build_result *result = advice->result;
    const int32_t distance =
        result->bytes ? result->distance : result->least_distance;
    const struct reach reach = reach_find(engines, distance);
    const bool keeps_lists = advice->options->build.lists == BUILD_LISTS_LUMP;
    const bool is_helped =
        reach_find(engines, result->least_distance).loss < reach.loss;
    char text[REACH_TEXT];
    reach_describe(&reach, distance, text);
    if (*text)
        context_log(advice->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                    "%s; %s%s", text,
                    reach_advise(&reach, engines, result->least_distance),
                    keeps_lists && is_helped ? " lists=exact" : "");
}

// Warns about solid entries that the present lump lacks.
static nbstage_status advice_tell_missing(struct advice *advice)
{
    const struct build_result *result = advice->result;
    const bool has_advice =
        result->is_kept && advice->options->build.lists != BUILD_LISTS_LUMP;
    const char *ending = "so it was built anew";
    if (result->missing_count == 0 || !advice->context->log)
        return NBSTAGE_OK;
    if (advice->options->build.lists == BUILD_LISTS_LUMP)
        ending = "which lists=lump does not add; try lists=exact";
    else if (has_advice)
        ending =
            "but is kept, because a new one would miss a limit that it meets; ";
    if (has_advice)
        NEED(advice_find(advice, lump_meets(&result->measure, LIMIT_VANILLA)
                                     ? LIMIT_VANILLA
                                     : LIMIT_EXTENDED));
    context_log(advice->context, NBSTAGE_LOG_WARNING, "BLOCKMAP",
                "the present lump lacks solid entries (%zu), %s%s",
                result->missing_count, ending, advice->text);
    return NBSTAGE_OK;
}

// Warns if the lump exceeds a limit that the present one meets, or if no port
// is named and it exceeds that of Doom 1.9.
static nbstage_status advice_tell_of_limit(struct advice *advice)
{
    const struct build_result *result = advice->result;
    char sentence[CONTEXT_MESSAGE_SIZE] =
        "Doom 1.9 and Chocolate Doom crash on this map";
    const bool is_lost = result->lost_limit != LIMIT_NONE;
    const bool is_told =
        is_lost ||
        (advice->options->build.engines == 0 && result->form == LUMP_CLASSIC &&
         !result->is_kept && !lump_meets(&result->measure, LIMIT_VANILLA));
    if (!is_told || !advice->context->log)
        return NBSTAGE_OK;
    if (is_lost)
        snprintf(sentence, sizeof sentence,
                 "the largest offset is %llu and was %llu; %s",
                 (unsigned long long)result->measure.largest_offset,
                 (unsigned long long)result->present.largest_offset,
                 result->form == LUMP_XBM1
                     ? "the lump is XBM1 now, which no released port reads"
                     : "offsets over 32767 crash Doom 1.9 and Chocolate Doom");
    NEED(advice_find(advice, is_lost ? result->lost_limit : LIMIT_VANILLA));
    advice_warn(advice, "BLOCKMAP", sentence);
    return NBSTAGE_OK;
}

static nbstage_status advice_tell(struct advice *advice)
{
    NEED(advice_tell_missing(advice));
    const bool is_empty = !advice->result->bytes;
    if (is_empty)
        NEED(advice_tell_of_none(advice));
    advice_tell_reach(advice);
    return is_empty ? NBSTAGE_OK : advice_tell_of_limit(advice);
}

nbstage_status advice_build(struct context *context, struct map *map,
                            const struct options *options,
                            struct build_result *result)
{
    struct advice advice = {
        .context = context, .map = map, .options = options, .result = result};
    NEED(build_lump(context, map, &options->build, &advice.searches, result));
    const nbstage_status status = advice_tell(&advice);
    if (status == NBSTAGE_OK)
        return NBSTAGE_OK;
    context_release(context, result->bytes);
    result->bytes = NULL;
    return status;
}
