// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prints each map as soon as it is verified, so that findings need not be kept.
// The table has a row for a map and a line below it for each finding.

#include "config.h"

#include "blockmap/blockmap-report.h"
#include "blockmap/clip.h"
#include "report.h"
#include "verify/verify.h"

#include <inttypes.h>
#include <string.h>

enum {
    MOST_LINES = 20,     // for a kind of finding, below a map
    LONG_LINEDEF = 2048, // units
    NO_LIMIT = 1 << 30,
};

static const char *const status_names[] = {"good", "harmless", "wrong", "empty",
                                           "failed"};

// ---------------------------------------------------------------------------
// Findings below a map

static void describe_length(struct clip clip, char *text, size_t size)
{
    if (clip.length >= 0.05)
        snprintf(text, size, "%.1f units", clip.length);
    else
        snprintf(text, size, "%s",
                 clip.length > 0  ? "less than 0.1 units"
                 : clip.is_corner ? "a corner touched"
                                  : "a point touched");
}

// Prints how many findings of a kind were not printed.
static void print_more(size_t count, size_t printed)
{
    if (count > printed)
        finding_print("... and %zu more", count - printed);
}

// `text` is "missing linedef" or "extra linedef"; `end` comes last.
static void print_mismatch(const struct open_map *map, const char *text,
                           const struct mismatch *mismatch, const char *end)
{
    finding_print("%s %" PRIu32 " in block %" PRId64 ",%" PRId64 " at %" PRId64
                  ",%" PRId64 "%s",
                  text, mismatch->linedef, mismatch->column, mismatch->row,
                  mismatch_x(map, mismatch), mismatch_y(map, mismatch), end);
}

// Prints the missing entries of a list that matter; with `all` the others, too.
// `where` follows the place of each.
static void print_missing(const struct open_map *map,
                          const struct mismatch_list *list, const char *where,
                          bool all)
{
    size_t limit = all ? NO_LIMIT : MOST_LINES;
    size_t printed = 0;
    for (size_t i = 0; i < list->count && printed < limit; i++) {
        const struct mismatch *mismatch = &list->mismatch[i];
        bool is_harmless =
            expected_is_harmless(&map->expected, mismatch->linedef);
        const char *reason = expected_reason(&map->expected, mismatch->linedef);
        char length[64];
        char end[128];
        if (is_harmless && !all)
            continue;
        describe_length(mismatch_clip(map, mismatch), length, sizeof length);
        snprintf(end, sizeof end, "%s: %s%s%s%s", where, length,
                 is_harmless ? ", harmless" : "", reason ? ", " : "",
                 reason ? reason : "");
        print_mismatch(map, "missing linedef", mismatch, end);
        printed++;
    }
    print_more(all ? list->found : list->harmful, printed);
}

static void print_extra(const struct open_map *map,
                        const struct mismatch_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        print_mismatch(map, "extra linedef", &list->mismatch[i], "");
    print_more(list->found, list->count);
}

static void print_list_faults(const struct blockmap *present, size_t limit)
{
    size_t printed = 0;
    for (size_t b = 0; b < present->block_count && printed < limit; b++) {
        const struct blockmap_list *list = &present->lists[b];
        if (list->fault == LIST_READABLE)
            continue;
        finding_print("unreadable block %zu,%zu at %.10g,%.10g, offset %" PRIu32
                      ": %s",
                      b % present->columns, b / present->columns,
                      blockmap_edge(present->origin_x, b % present->columns),
                      blockmap_edge(present->origin_y, b / present->columns),
                      list->offset, blockmap_report_reason(list->fault));
        printed++;
    }
    print_more(present->unreadable_count, printed);
}

// Prints what is not wrong but could be better.
static void print_remarks(const struct verify_map *found)
{
    const struct blockmap *present = &found->map->present;
    const struct {
        size_t count;
        const char *text;
    } remarks[] = {
        {found->map->line_count > 0 ? present->too_large_count : 0,
         "lists that number linedefs which the map does not have"},
        {present->duplicate_count, "lists stored once more"},
        {present->unsorted_count, "lists not in ascending order"},
        {present->repeating_count, "lists with a linedef more than once"},
        {present->unreached_words, "words in no list"},
        {present->odd_bytes, "bytes after the last word"},
    };
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++)
        if (remarks[i].count > 0)
            finding_print("%s: %zu", remarks[i].text, remarks[i].count);
}

static void print_segs(const struct segs *segs)
{
    if (segs->verdict == SEGS_PASS)
        finding_print("segs in blocks that list their linedefs: %" PRId64,
                      segs->checked);
    else if (segs->verdict == SEGS_FAIL)
        finding_print("segs: %s", segs->sentence);
    else if (segs->verdict == SEGS_UNCHECKED)
        finding_print("segs not checked: %s", segs->sentence);
}

static void print_maker(const struct verify_map *found)
{
    const struct maker_verdict *made = &found->made;
    const uint32_t columns = found->map->present.columns;
    switch (made->match) {
    case MAKER_NOT_ASKED:
        break;
    case MAKER_UNKNOWN:
        finding_print("lists=%s: %s", made->maker->name, made->sentence);
        break;
    case MAKER_DIFFERS:
        if (made->has_grid)
            finding_print("lists=%s: other lists; the first is in block "
                          "%zu,%zu",
                          made->maker->name, made->block % columns,
                          made->block / columns);
        else
            finding_print("lists=%s: another grid", made->maker->name);
        break;
    case MAKER_LISTS:
        finding_print("lists=%s: the same lists, stored otherwise",
                      made->maker->name);
        break;
    case MAKER_WORDS:
        finding_print("lists=%s: the same to the last word", made->maker->name);
        break;
    }
}

static void print_verdict(const char *name, enum engine_verdict verdict)
{
    finding_print("%-30s  %s", name, engine_verdict_names[verdict]);
}

// Prints the engines that do not use the lump as intended; with `all` every
// engine.
static void print_engines(const struct engine_verdicts *verdicts, bool all)
{
    const enum engine_verdict *verdict = verdicts->verdict;
    bool agree = verdicts->count > 1 && !verdicts->are_named;
    for (size_t i = 1; i < verdicts->count; i++)
        agree = agree && verdict[i] == verdict[0];
    if (!all && agree) {
        if (verdict[0] != ENGINE_LOADS && verdict[0] != ENGINE_UNKNOWN)
            print_verdict("every engine", verdict[0]);
        return;
    }
    for (size_t i = 0; i < verdicts->count; i++)
        if (all || verdict[i] != ENGINE_LOADS)
            print_verdict(verdicts->engine[i]->name, verdict[i]);
}

// Whether an engine tests linedef 0 in every block.
static bool tests_first_linedef(const struct verify_map *found, size_t engine)
{
    enum engine_verdict verdict = found->verdicts.verdict[engine];
    return (verdict == ENGINE_LOADS || verdict == ENGINE_WRONG) &&
           engine_reads_headers(found->verdicts.engine[engine],
                                &found->map->present);
}

static double first_linedef_length(const struct open_map *map)
{
    return map->line_count > 0 ? clip_length(&map->decoded, 0) : 0;
}

// Prints the engines that test a linedef 0 which is too long for that.  They
// compute where a shot meets a line in 32 bits.
static void print_first_linedef(const struct verify_map *found)
{
    double length = first_linedef_length(found->map);
    size_t printed = 0;
    for (size_t i = 0; i < found->verdicts.count && length > LONG_LINEDEF;
         i++) {
        if (!tests_first_linedef(found, i))
            continue;
        if (printed++ == 0) {
            finding_print("linedef 0 is %.0f units long, and these engines "
                          "test it in every block, as they",
                          length);
            finding_print("read the 0 before a list as a linedef; over %d "
                          "units shots may hit it from afar:",
                          LONG_LINEDEF);
        }
        finding_print("  %s", found->verdicts.engine[i]->name);
    }
}

static void print_findings(const struct arguments *arguments,
                           const struct verify_map *found)
{
    const struct open_map *map = found->map;
    const struct mismatches *mismatches = &found->mismatches;
    size_t limit = arguments->verbose ? NO_LIMIT : MOST_LINES;
    blockmap_report_fault("", &map->present);
    print_list_faults(&map->present, limit);
    print_missing(map, &mismatches->missing, "", arguments->verbose);
    if (mismatches->outside.found > 0)
        finding_print("the grid does not enclose the lines; linedefs in blocks "
                      "outside it: %zu",
                      mismatches->outside.found);
    print_missing(map, &mismatches->outside, ", outside the grid",
                  arguments->verbose);
    if (found->missing > found->harmful)
        finding_print("missing entries that nothing can collide with or reach: "
                      "%zu",
                      found->missing - found->harmful);
    if (arguments->verbose)
        print_extra(map, &mismatches->extra);
    print_remarks(found);
    print_segs(&found->segs);
    print_maker(found);
    print_first_linedef(found);
    if (map->line_count > 0)
        print_engines(&found->verdicts, arguments->verbose);
}

// ---------------------------------------------------------------------------
// The table

enum {
    MAP,
    LINEDEFS,
    GRID,
    BYTES,
    LISTS,
    HEADERS,
    ENTRIES,
    MISSING,
    HARMFUL,
    EXTRA,
    VERDICT
};

static const struct column columns[] = {
    [MAP] = {"Map", NULL, COLUMN_TEXT, 8},
    [LINEDEFS] = {"Linedefs", "linedefs", COLUMN_COUNT, 8},
    [GRID] = {"Grid", NULL, COLUMN_TEXT, 22},
    [BYTES] = {"Bytes", "bytes", COLUMN_COUNT, 8},
    [LISTS] = {"Lists", NULL, COLUMN_COUNT, 7},
    [HEADERS] = {"Headers", NULL, COLUMN_TEXT, 7},
    [ENTRIES] = {NULL, "entries", COLUMN_COUNT, 0},
    [MISSING] = {"Missing", "missing_entries", COLUMN_COUNT, 8},
    [HARMFUL] = {NULL, "harmful_entries", COLUMN_COUNT, 0},
    [EXTRA] = {"Extra", "extra_entries", COLUMN_COUNT, 8},
    [VERDICT] = {"Verdict", NULL, COLUMN_TEXT, 0},
    {0},
};

static void fill_numbers(const struct verify_map *found, struct cell *row)
{
    const struct mismatches *mismatches = &found->mismatches;
    row[LINEDEFS].number = (double)found->map->line_count;
    row[BYTES].number = (double)found->map->present.bytes;
    row[LISTS].number = (double)found->map->present.list_count;
    row[ENTRIES].number = (double)mismatches->entry_count;
    row[MISSING].number = (double)found->missing;
    row[HARMFUL].number = (double)found->harmful;
    row[EXTRA].number = (double)mismatches->extra.found;
}

// "wrong for boom, woof": the families that read a lump wrong in which nothing
// that matters is missing and everything is readable.
static void describe_wrong(const struct verify_map *found, char *text,
                           size_t size)
{
    const char *before = "";
    size_t length = (size_t)snprintf(text, size, "wrong");
    if (found->harmful > 0) {
        snprintf(text, size, "wrong, %zu matter%s", found->harmful,
                 found->harmful == 1 ? "s" : "");
        return;
    }
    if (blockmap_has_unreadable(&found->map->present))
        return;
    for (size_t i = 0; i < found->verdicts.count && length < size; i++) {
        const char *family = found->verdicts.engine[i]->family;
        if (!verify_is_wrong_for(found, i) || strcmp(family, before) == 0)
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s %s",
                                   *before ? "," : " for", family);
        before = family;
    }
}

static void print_row(const struct verify_map *found, struct cell *row)
{
    const struct blockmap *present = &found->map->present;
    bool is_surprising = found->rejected && found->status != VERIFY_FAILED;
    char grid[BLOCKMAP_GRID_TEXT] = "-";
    char verdict[256];
    if (present->words.count >= BLOCKMAP_GRID_WORDS)
        blockmap_describe_grid(present, grid, sizeof grid);
    if (found->status == VERIFY_WRONG)
        describe_wrong(found, verdict, sizeof verdict);
    else
        snprintf(verdict, sizeof verdict, "%s%s", status_names[found->status],
                 is_surprising ? ", rejected" : "");
    row[MAP].text = found->map->name;
    row[GRID].text = grid;
    row[HEADERS].text = present->list_count > 0
                            ? blockmap_headers_names[present->headers]
                            : "-";
    row[VERDICT].text = verdict;
    table_print(columns, row);
}

static void print_total(struct verify_total *total)
{
    char maps[48];
    char rejected[48] = "";
    snprintf(maps, sizeof maps, "%zu map%s", total->maps,
             total->maps == 1 ? "" : "s");
    if (total->rejected > 0)
        snprintf(rejected, sizeof rejected, "%zu rejected", total->rejected);
    total->row[MAP].text = "Total";
    total->row[GRID].text = maps;
    total->row[LISTS].text = "";
    total->row[HEADERS].text = "";
    total->row[VERDICT].text = rejected;
    table_print(columns, total->row);
}

// ---------------------------------------------------------------------------
// JSON

static void print_json_mismatches(const struct open_map *map,
                                  const struct mismatch_list *mismatches,
                                  bool in_grid, bool is_missing)
{
    for (size_t i = 0; i < mismatches->count; i++) {
        const struct mismatch *mismatch = &mismatches->mismatch[i];
        json_open(NULL, '{');
        json_integer("linedef", mismatch->linedef);
        if (in_grid)
            json_integer("block", mismatch->row * map->present.columns +
                                      mismatch->column);
        json_integer("column", mismatch->column);
        json_integer("row", mismatch->row);
        json_integer("x", mismatch_x(map, mismatch));
        json_integer("y", mismatch_y(map, mismatch));
        if (is_missing) {
            json_number("units", mismatch_clip(map, mismatch).length);
            json_boolean("harmless", expected_is_harmless(&map->expected,
                                                          mismatch->linedef));
            json_string("reason",
                        expected_reason(&map->expected, mismatch->linedef));
        }
        json_close('}');
    }
}

static void print_json_lump(const struct open_map *map)
{
    const struct blockmap *present = &map->present;
    size_t printed = 0;
    blockmap_report_json(present, open_map_form_name(map));
    json_open("unreadable", '[');
    for (size_t b = 0; b < present->block_count && printed < MOST_MISMATCHES;
         b++) {
        const struct blockmap_list *list = &present->lists[b];
        if (list->fault == LIST_READABLE)
            continue;
        json_open(NULL, '{');
        json_count("block", b);
        json_integer("offset", list->offset);
        json_string("fault", blockmap_list_fault_names[list->fault]);
        json_close('}');
        printed++;
    }
    json_close(']');
}

static void print_json_segs(const struct segs *segs)
{
    bool are_checked = segs->verdict == SEGS_PASS || segs->verdict == SEGS_FAIL;
    json_boolean("nodes_checked", are_checked);
    if (segs->verdict == SEGS_PASS)
        json_integer("checked_segs", segs->checked);
    else
        json_string(are_checked ? "nodes_error" : "nodes_unchecked",
                    segs->sentence);
}

static void print_json_entries(const struct arguments *arguments,
                               const struct verify_map *found)
{
    const struct mismatches *mismatches = &found->mismatches;
    json_count("entries", mismatches->entry_count);
    json_count("missing_entries", mismatches->missing.found);
    json_count("outside_entries", mismatches->outside.found);
    json_count("harmful_entries", found->harmful);
    json_count("harmless_entries", found->missing - found->harmful);
    json_count("extra_entries", mismatches->extra.found);
    json_count("extra_at_worst", mismatches->extra_at_worst);
    json_open("missing", '[');
    print_json_mismatches(found->map, &mismatches->missing, true, true);
    print_json_mismatches(found->map, &mismatches->outside, false, true);
    json_close(']');
    if (arguments->verbose) {
        json_open("extra", '[');
        print_json_mismatches(found->map, &mismatches->extra, true, false);
        json_close(']');
    }
    json_number("first_linedef_units", first_linedef_length(found->map));
    json_open("first_linedef_engines", '[');
    for (size_t i = 0; i < found->verdicts.count; i++)
        if (tests_first_linedef(found, i))
            json_string(NULL, found->verdicts.engine[i]->name);
    json_close(']');
    if (arguments->nodes)
        print_json_segs(&found->segs);
    if (found->made.match != MAKER_NOT_ASKED) {
        json_boolean("same_lists", found->made.match >= MAKER_LISTS);
        json_boolean("same_words", found->made.match == MAKER_WORDS);
    }
}

static void print_json_map(const struct arguments *arguments,
                           const struct verify_map *found)
{
    const struct open_map *map = found->map;
    json_open(NULL, '{');
    json_string("map", map->name);
    json_string("status", status_names[found->status]);
    json_boolean("rejected", found->rejected);
    json_string("error", map->error ? map->error : map->doubt);
    json_sentences("warnings", &map->warnings);
    json_seconds("seconds", found->seconds);
    json_count("linedefs", map->line_count);
    if (!map->is_unread)
        print_json_lump(map);
    if (found->status != VERIFY_FAILED)
        print_json_entries(arguments, found);
    blockmap_report_engines_json(&found->verdicts);
    json_close('}');
}

static void print_json_total(const struct verify_total *total)
{
    json_close(']');
    json_open("total", '{');
    json_count("maps", total->maps);
    for (int status = 0; status < VERIFY_STATUS_COUNT; status++)
        json_count(status_names[status], total->count[status]);
    json_count("rejected", total->rejected);
    table_print_json(columns, total->row);
    json_close('}');
    json_close('}');
}

void verify_report_file(const struct arguments *arguments,
                        const struct nbstage_descriptor *stage,
                        const char *path, bool is_open,
                        struct verify_total *total)
{
    if (arguments->json) {
        if (total->files == 0) {
            json_begin_report("verify", stage);
            json_open("files", '[');
        }
        json_open(NULL, '{');
        json_string("input", path);
        json_open("maps", '[');
    } else if (is_open && !arguments->quiet) {
        if (total->open_files == 0)
            table_print(columns, NULL);
        if (arguments->file_count > 1)
            line_print("%s:", path);
    }
    total->files++;
    total->open_files += is_open;
}

void verify_report_map(const struct arguments *arguments,
                       const struct verify_map *found,
                       struct verify_total *total)
{
    struct cell row[MOST_COLUMNS] = {0};
    fill_numbers(found, row);
    table_add(columns, total->row, row);
    total->maps++;
    total->count[found->status]++;
    total->rejected += found->rejected;
    if (arguments->json) {
        print_json_map(arguments, found);
    } else if (!arguments->quiet) {
        print_row(found, row);
        print_findings(arguments, found);
    }
}

void verify_report_file_end(const struct arguments *arguments, bool read)
{
    if (!arguments->json)
        return;
    json_close(']');
    json_boolean("read", read);
    json_close('}');
}

void verify_report_end(const struct arguments *arguments,
                       struct verify_total *total)
{
    if (total->files == 0)
        return;
    if (arguments->json)
        print_json_total(total);
    else if (total->open_files > 0 && !arguments->quiet)
        print_total(total);
}
