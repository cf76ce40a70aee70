// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prints what the stage tells in its facts.  The table shows those of a
// blockmap; JSON passes on every fact that a stage has, whatever its name.

#include "config.h"

#include "build/build-report.h"

#include "json.h"
#include "message.h"
#include "platform/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------------------
// Progress and messages

enum { PROGRESS_WIDTH = 60 };

static const double first_shown_after = 1.0; // seconds
static const double shown_every = 0.1;       // seconds

static struct {
    double started;
    double shown;
    bool visible;
} progress;

// Removes the line of progress, before anything else is printed.
static void clear_progress(void)
{
    if (!progress.visible)
        return;
    fprintf(stderr, "\r%*s\r", PROGRESS_WIDTH, "");
    fflush(stderr);
    progress.visible = false;
}

bool build_report_progress(const char *map, size_t map_index, size_t map_count,
                           uint32_t done, uint32_t total)
{
    double now = clock_now();
    if (progress.started == 0)
        progress.started = now;
    if (now - progress.started < first_shown_after ||
        now - progress.shown < shown_every || !isatty(STDERR_FILENO))
        return true;
    char line[PROGRESS_WIDTH];
    snprintf(line, sizeof line, "%s: map %zu of %zu, %d %%", map, map_index + 1,
             map_count, (int)(100.0 * done / total));
    message_make_printable(line);
    fprintf(stderr, "\r%-*s", PROGRESS_WIDTH, line);
    fflush(stderr);
    progress.shown = now;
    progress.visible = true;
    return true;
}

void build_report_message(const char *line)
{
    clear_progress();
    fprintf(stderr, "%s\n", line);
}

// ---------------------------------------------------------------------------
// Facts

static const struct nbstage_fact *fact_at(const struct nbstage_result *result,
                                          size_t index)
{
    return NBSTAGE_AT(struct nbstage_fact, result->facts, index);
}

static const struct nbstage_fact *find_fact(const struct map_report *map,
                                            const char *name)
{
    for (size_t i = 0; i < map->result->fact_count; i++)
        if (strcmp(fact_at(map->result, i)->name, name) == 0)
            return fact_at(map->result, i);
    return NULL;
}

// A fact's number; 0 if the stage does not tell it.
static long long number_of(const struct map_report *map, const char *name)
{
    const struct nbstage_fact *fact = find_fact(map, name);
    return fact ? (long long)fact->value : 0;
}

// ---------------------------------------------------------------------------
// The table

void build_report_builder(const char *name, double seconds)
{
    printf("Builder %s took %.2f s\n", name, seconds);
}

void build_report_heading(void)
{
    printf("%-8s %8s  %-27s %8s %8s  %-16s %9s\n", "Map", "Linedefs", "Grid",
           "Before", "After", "Largest offset", "Time");
}

static void print_milliseconds(double seconds)
{
    printf(" %6.2f ms", seconds * 1e3);
}

// "20076 of 32767": the largest offset and vanilla's limit, which does not
// concern XBM1.
static void print_offset(const struct map_report *map)
{
    char text[48];
    long long limit = number_of(map, "vanilla_offset_limit");
    long long offset = number_of(map, "largest_offset");
    const struct nbstage_fact *form = find_fact(map, "form");
    if (form && form->text && strcmp(form->text, "xbm1") == 0)
        snprintf(text, sizeof text, "%lld, XBM1", offset);
    else if (offset > limit)
        snprintf(text, sizeof text, "%lld over %lld", offset, limit);
    else
        snprintf(text, sizeof text, "%lld of %lld", offset, limit);
    printf("  %-16s", offset > 0 ? text : "-");
}

// The linedefs that are not in the blockmap, if there are any.
static void print_left_out(const struct map_report *map)
{
    long long tagged = number_of(map, "pruned_tagged");
    long long inert = number_of(map, "pruned_inert");
    if (tagged > 0 || inert > 0)
        printf("%-8s %8lld  left out: %lld tagged, %lld inert\n", "",
               tagged + inert, tagged, inert);
}

// What blocks list in vain, if they do.
static void print_price(const struct map_report *map)
{
    long long extra = number_of(map, "extra_entries");
    if (extra > 0)
        printf("%-8s %8lld  listed in blocks that they are not in, at most "
               "%lld in one\n",
               "", extra, number_of(map, "extra_at_worst"));
}

void build_report_map(const struct map_report *map)
{
    char name[MESSAGE_NAME_SIZE];
    message_name(map->name, name);
    clear_progress();
    if (map->error) {
        printf("%-8s failed, its lumps are kept\n", name);
        return;
    }
    const struct nbstage_fact *grid = find_fact(map, "grid");
    char text[64];
    snprintf(text, sizeof text, "%-6s %lld,%lld %lldx%lld",
             grid && grid->text ? grid->text : "-", number_of(map, "origin_x"),
             number_of(map, "origin_y"), number_of(map, "columns"),
             number_of(map, "rows"));
    printf("%-8s %8lld  %-27s %8zu %8zu", name, number_of(map, "linedefs"),
           text, map->bytes_before, map->bytes_after);
    print_offset(map);
    print_milliseconds(map->seconds);
    putchar('\n');
    print_left_out(map);
    print_price(map);
}

struct totals {
    size_t failed;
    long long linedefs;
    size_t bytes_before;
    size_t bytes_after;
    double seconds;
};

// Over the maps that did not fail.
static struct totals add_up(const struct build_report *report)
{
    struct totals totals = {0};
    for (size_t i = 0; i < report->map_count; i++) {
        const struct map_report *map = &report->maps[i];
        if (map->error) {
            totals.failed++;
            continue;
        }
        totals.linedefs += number_of(map, "linedefs");
        totals.bytes_before += map->bytes_before;
        totals.bytes_after += map->bytes_after;
        totals.seconds += map->seconds;
    }
    return totals;
}

void build_report_total(const struct build_report *report)
{
    struct totals totals = add_up(report);
    char maps[48];
    clear_progress();
    snprintf(maps, sizeof maps, "%zu map%s", report->map_count - totals.failed,
             report->map_count - totals.failed == 1 ? "" : "s");
    printf("%-8s %8lld  %-27s %8zu %8zu  %-16s", "Total", totals.linedefs, maps,
           totals.bytes_before, totals.bytes_after, "");
    print_milliseconds(totals.seconds);
    putchar('\n');
    if (totals.failed > 0)
        printf("%zu failed\n", totals.failed);
    if (report->written)
        printf("Wrote %s\n", report->output);
}

// ---------------------------------------------------------------------------
// JSON

// Whether a fact says that it is an item of a list.
static bool is_item(const struct nbstage_fact *fact)
{
    return NBSTAGE_HAS(struct nbstage_fact, fact, is_item) && fact->is_item;
}

// The length of the list that begins with a fact: of facts with its name, a
// number and a text.
static size_t list_length(const struct nbstage_result *result, size_t first)
{
    size_t length = 1;
    while (first + length < result->fact_count &&
           strcmp(fact_at(result, first + length)->name,
                  fact_at(result, first)->name) == 0)
        length++;
    return length;
}

static void print_fact(const struct nbstage_fact *fact)
{
    if (fact->text)
        json_string(fact->name, fact->text);
    else
        json_integer(fact->name, (long long)fact->value);
}

// "sectors": [{"sector": 0, "text": "fixed"}, ...]
static void print_list(const struct nbstage_result *result, size_t first,
                       size_t length)
{
    char key[64];
    snprintf(key, sizeof key, "%ss", fact_at(result, first)->name);
    json_key(key);
    json_open('[');
    for (size_t i = 0; i < length; i++) {
        const struct nbstage_fact *fact = fact_at(result, first + i);
        json_open('{');
        json_integer(fact->name, (long long)fact->value);
        json_string("text", fact->text ? fact->text : "");
        json_close('}');
    }
    json_close(']');
}

static void print_facts(const struct nbstage_result *result)
{
    for (size_t i = 0; i < result->fact_count;) {
        size_t length = list_length(result, i);
        const struct nbstage_fact *fact = fact_at(result, i);
        if (length > 1 || is_item(fact))
            print_list(result, i, length);
        else
            print_fact(fact);
        i += length;
    }
}

static void print_map_json(const struct map_report *map)
{
    json_open('{');
    json_string("map", map->name);
    json_string("status", map->error ? "failed" : "done");
    if (map->error)
        json_string("error", map->error);
    json_sentences("warnings", &map->warnings);
    json_integer("bytes_before", (long long)map->bytes_before);
    if (!map->error) {
        json_integer("bytes_after", (long long)map->bytes_after);
        json_seconds("seconds", map->seconds);
        print_facts(map->result);
    }
    json_close('}');
}

static void print_builder_json(const struct build_report *report)
{
    json_key("builder");
    json_open('{');
    json_string("command", report->builder);
    json_seconds("seconds", report->builder_seconds);
    json_close('}');
}

static void print_total_json(const struct build_report *report)
{
    struct totals totals = add_up(report);
    json_key("total");
    json_open('{');
    json_integer("maps", (long long)report->map_count);
    json_integer("failed", (long long)totals.failed);
    json_integer("linedefs", totals.linedefs);
    json_integer("bytes_before", (long long)totals.bytes_before);
    json_integer("bytes_after", (long long)totals.bytes_after);
    json_seconds("seconds", totals.seconds);
    json_close('}');
}

void build_report_json(const struct build_report *report)
{
    clear_progress();
    json_begin_report("build", report->stage);
    json_string("input", report->input);
    json_string("output", report->output);
    json_boolean("written", report->written);
    if (report->builder)
        print_builder_json(report);
    json_key("maps");
    json_open('[');
    for (size_t i = 0; i < report->map_count; i++)
        print_map_json(&report->maps[i]);
    json_close(']');
    print_total_json(report);
    json_close('}');
}
