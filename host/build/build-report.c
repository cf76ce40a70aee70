// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prints the facts of a build.  The table shows those of a blockmap; JSON has
// every fact of the stage, whatever its name.

#include "config.h"

#include "build/build.h"
#include "platform/system.h"
#include "report.h"

#include <string.h>
#include <unistd.h>

bool build_report_progress(const struct build_report *report, size_t map_index,
                           uint32_t done, uint32_t total)
{
    static const double first_shown_after = 1.0; // seconds
    static const double shown_every = 0.1;       // seconds
    static double started;
    static double shown;
    double now = clock_now();
    if (started == 0)
        started = now;
    if (report->arguments->quiet || now - started < first_shown_after ||
        now - shown < shown_every || !isatty(STDERR_FILENO))
        return true;
    char text[80];
    snprintf(text, sizeof text, "%s: map %zu of %zu, %d %%",
             report->maps[map_index].name, map_index + 1, report->map_count,
             (int)(100.0 * done / total));
    message_show_progress(text);
    shown = now;
    return true;
}

// ---------------------------------------------------------------------------
// Facts

static const struct nbstage_fact *fact_at(const struct nbstage_result *result,
                                          size_t index)
{
    return NBSTAGE_AT(struct nbstage_fact, result->facts, index);
}

// A fact's number or text; 0 or "" if the stage does not report it.
static long long number_of(const struct map_report *map, const char *name)
{
    const struct nbstage_fact *fact = stage_find_fact(map->result, name);
    return fact ? (long long)fact->value : 0;
}

static const char *text_of(const struct map_report *map, const char *name)
{
    const struct nbstage_fact *fact = stage_find_fact(map->result, name);
    return fact && fact->text ? fact->text : "";
}

// ---------------------------------------------------------------------------
// The table

enum { MAP, LINEDEFS, GRID, BEFORE, AFTER, OFFSET, TIME };

static const struct column columns[] = {
    [MAP] = {"Map", NULL, COLUMN_TEXT, 8},
    [LINEDEFS] = {"Linedefs", "linedefs", COLUMN_COUNT, 8},
    [GRID] = {"Grid", NULL, COLUMN_TEXT, 27},
    [BEFORE] = {"Before", "bytes_before", COLUMN_COUNT, 8},
    [AFTER] = {"After", "bytes_after", COLUMN_COUNT, 8},
    [OFFSET] = {"Largest offset", NULL, COLUMN_TEXT, 16},
    [TIME] = {"Time", "seconds", COLUMN_TIME, 9},
    {0},
};

static void fill_numbers(const struct map_report *map, struct cell *row)
{
    row[LINEDEFS].number = (double)map->linedefs;
    row[BEFORE].number = (double)map->bytes_before;
    row[AFTER].number = (double)map->bytes_after;
    row[TIME].number = map->seconds;
}

// "20076 of 32767": the largest offset and vanilla's limit, which does not
// concern XBM1.
static void describe_offset(const struct map_report *map, char *text,
                            size_t size)
{
    long long limit = number_of(map, "vanilla_offset_limit");
    long long offset = number_of(map, "largest_offset");
    if (offset <= 0)
        snprintf(text, size, "-");
    else if (strcmp(text_of(map, "form"), "xbm1") == 0)
        snprintf(text, size, "%lld, XBM1", offset);
    else
        snprintf(text, size, "%lld %s %lld", offset,
                 offset > limit ? "over" : "of", limit);
}

// Prints what the numbers do not tell: that the lump was kept, or of a new one
// linedefs that are pruned and extra entries.
static void print_remarks(const struct map_report *map)
{
    long long tagged = number_of(map, "pruned_tagged");
    long long inert = number_of(map, "pruned_inert");
    long long extra = number_of(map, "extra_entries");
    long long unreachable = 0;
    char rules[160] = "";
    if (number_of(map, "kept") > 0) {
        printf("%-8s %8s  kept: a new lump would be larger or miss a limit; "
               "check it with verify\n",
               "", "");
        return;
    }
    for (int rule = 3; rule <= 6; rule++) {
        const size_t length = strlen(rules);
        char name[32];
        snprintf(name, sizeof name, "pruned_rule_%d", rule);
        const long long count = number_of(map, name);
        unreachable += count;
        if (count > 0)
            snprintf(rules + length, sizeof rules - length, ", %lld by rule %d",
                     count, rule);
    }
    if (tagged + inert + unreachable > 0)
        printf("%-8s %8lld  pruned: %lld tagged, %lld inert%s\n", "",
               tagged + inert + unreachable, tagged, inert, rules);
    if (extra > 0)
        printf("%-8s %8lld  extra entries, at most %lld in a block\n", "",
               extra, number_of(map, "extra_at_worst"));
}

static void print_map(const struct map_report *map)
{
    char grid[64];
    char offset[48];
    struct cell row[MOST_COLUMNS] = {0};
    const char *chosen = text_of(map, "grid");
    if (map->error) {
        line_print("%-8s failed, its lumps are kept", map->name);
        return;
    }
    snprintf(grid, sizeof grid, "%-6s %lld,%lld %lldx%lld",
             *chosen ? chosen : "-", number_of(map, "origin_x"),
             number_of(map, "origin_y"), number_of(map, "columns"),
             number_of(map, "rows"));
    describe_offset(map, offset, sizeof offset);
    row[MAP].text = map->name;
    row[GRID].text = grid;
    row[OFFSET].text = offset;
    fill_numbers(map, row);
    table_print(columns, row);
    print_remarks(map);
}

// Adds up the maps that did not fail; returns how many these are.
static size_t add_up(const struct build_report *report, struct cell *total)
{
    size_t done = 0;
    for (size_t i = 0; i < report->finished_count; i++) {
        struct cell row[MOST_COLUMNS] = {0};
        if (report->maps[i].error)
            continue;
        fill_numbers(&report->maps[i], row);
        table_add(columns, total, row);
        done++;
    }
    return done;
}

// What each preset would make.
static void print_presets(const struct build_report *report)
{
    puts("\nNothing was written.  What the presets would make:\n"
         "Preset         Bytes  Vanilla  Extended  Empty  Failed");
    for (size_t i = 0; i < report->preset_count; i++) {
        const struct preset_report *preset = &report->presets[i];
        printf("%-10s %9zu %8zu %9zu %6zu %7zu\n", preset->name, preset->bytes,
               preset->meeting_vanilla, preset->meeting_extended, preset->empty,
               preset->failed);
    }
    printf("Vanilla and Extended: how many of %zu maps meet this limit\n",
           report->map_count);
}

static void print_total(const struct build_report *report)
{
    char maps[48];
    struct cell total[MOST_COLUMNS] = {
        [MAP].text = "Total",
        [GRID].text = maps,
        [OFFSET].text = "",
    };
    size_t done = add_up(report, total);
    snprintf(maps, sizeof maps, "%zu map%s", done, done == 1 ? "" : "s");
    table_print(columns, total);
    size_t failed = report->map_count - done;
    if (report->written && failed > 0)
        line_print("Wrote %s, %zu of %zu maps kept their old lump",
                   report->output, failed, report->map_count);
    else if (report->written)
        line_print("Wrote %s", report->output);
    else if (failed > 0)
        printf("%zu failed\n", failed);
    if (report->presets)
        print_presets(report);
}

// ---------------------------------------------------------------------------
// JSON

// The length of the list that a fact begins: of facts with its name, a number
// and a text.  0 if the fact is none of a list.
static size_t list_length(const struct nbstage_result *result, size_t first)
{
    const struct nbstage_fact *fact = fact_at(result, first);
    size_t length = 1;
    while (first + length < result->fact_count &&
           strcmp(fact_at(result, first + length)->name, fact->name) == 0)
        length++;
    return length > 1 || fact->kind == NBSTAGE_FACT_ITEM ? length : 0;
}

// "walls": [{"wall": 0, "text": "thick"}, ...]
static void print_list(const struct nbstage_result *result, size_t first,
                       size_t length)
{
    char key[64];
    snprintf(key, sizeof key, "%ss", fact_at(result, first)->name);
    json_open(key, '[');
    for (size_t i = 0; i < length; i++) {
        const struct nbstage_fact *fact = fact_at(result, first + i);
        json_open(NULL, '{');
        json_integer(fact->name, (long long)fact->value);
        json_string("text", fact->text ? fact->text : "");
        json_close('}');
    }
    json_close(']');
}

// Whether a fact counts sectors that the stage explains.
static bool counts_sectors(const struct nbstage_descriptor *stage,
                           const struct nbstage_fact *fact)
{
    return strcmp(fact->name, "sectors") == 0 && !fact->text && stage->explain;
}

// The same of sectors.  Texts are made one at a time, as there may be millions.
static void print_sectors(const struct nbstage *stage,
                          const struct nbstage_result *result, int64_t count)
{
    char text[NBSTAGE_TEXT_SIZE];
    json_open("sectors", '[');
    for (int64_t i = 0; i < count; i++) {
        if (stage->descriptor->explain(stage->instance, result, "sector",
                                       (size_t)i, text,
                                       sizeof text) != NBSTAGE_OK)
            break;
        json_open(NULL, '{');
        json_integer("sector", i);
        json_string("text", text);
        json_close('}');
    }
    json_close(']');
}

static void print_facts(const struct nbstage *stage,
                        const struct nbstage_result *result)
{
    for (size_t i = 0; i < result->fact_count;) {
        const struct nbstage_fact *fact = fact_at(result, i);
        size_t length = list_length(result, i);
        if (length > 0)
            print_list(result, i, length);
        else if (counts_sectors(stage->descriptor, fact))
            print_sectors(stage, result, fact->value);
        else if (fact->text)
            json_string(fact->name, fact->text);
        else if (fact->kind == NBSTAGE_FACT_FLAG)
            json_boolean(fact->name, fact->value != 0);
        else
            json_integer(fact->name, (long long)fact->value);
        i += length > 0 ? length : 1;
    }
}

static void print_map_json(const struct nbstage *stage,
                           const struct map_report *map)
{
    json_open(NULL, '{');
    json_string("map", map->name);
    json_string("status", map->error ? "failed" : "done");
    json_string("error", map->error);
    json_sentences("warnings", &map->warnings);
    json_count("bytes_before", map->bytes_before);
    if (!map->error) {
        json_count("bytes_after", map->bytes_after);
        json_seconds("seconds", map->seconds);
        print_facts(stage, map->result);
    }
    json_close('}');
}

void build_report_begin_files(const struct nbstage_descriptor *stage)
{
    json_begin_report("build", stage);
    json_open("files", '[');
}

void build_report_end_files(void)
{
    json_close(']');
    json_close('}');
}

static void print_presets_json(const struct build_report *report)
{
    if (!report->presets)
        return;
    json_open("presets", '[');
    for (size_t i = 0; i < report->preset_count; i++) {
        const struct preset_report *preset = &report->presets[i];
        json_open(NULL, '{');
        json_string("preset", preset->name);
        json_count("bytes", preset->bytes);
        json_count("meeting_vanilla", preset->meeting_vanilla);
        json_count("meeting_extended", preset->meeting_extended);
        json_count("empty", preset->empty);
        json_count("failed", preset->failed);
        json_close('}');
    }
    json_close(']');
}

static void print_json(const struct build_report *report)
{
    struct cell total[MOST_COLUMNS] = {0};
    bool is_alone = report->arguments->file_count == 1;
    if (is_alone)
        build_report_begin_files(report->stage->descriptor);
    json_open(NULL, '{');
    json_string("input", report->arguments->input);
    json_string("output", report->output);
    json_boolean("written", report->written);
    json_string("error", report->error);
    if (report->builder) {
        json_open("builder", '{');
        json_string("command", report->builder->command);
        json_seconds("seconds", report->builder_seconds);
        json_close('}');
    }
    json_open("maps", '[');
    for (size_t i = 0; i < report->finished_count; i++)
        print_map_json(report->stage, &report->maps[i]);
    json_close(']');
    print_presets_json(report);
    json_open("total", '{');
    json_count("maps", report->map_count);
    json_count("failed", report->map_count - add_up(report, total));
    table_print_json(columns, total);
    json_close('}');
    json_close('}');
    if (is_alone)
        build_report_end_files();
}

static bool has_table(const struct build_report *report)
{
    return !report->arguments->quiet && !report->arguments->json;
}

void build_report_begin(const struct build_report *report)
{
    if (!has_table(report))
        return;
    if (report->builder)
        line_print("Builder %s took %.2f s", report->builder->name,
                   report->builder_seconds);
    table_print(columns, NULL);
}

void build_report_map(const struct build_report *report, size_t map_index)
{
    message_remove_progress();
    if (has_table(report))
        print_map(&report->maps[map_index]);
}

void build_report_end(const struct build_report *report)
{
    message_remove_progress();
    if (report->arguments->json)
        print_json(report);
    else if (has_table(report) && report->map_count > 0)
        print_total(report);
}
