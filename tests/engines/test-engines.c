// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves what blocksweep-stage(7) says about engines, in both directions, with
// a model of each family: where a lump is used, every line is tested in each
// block that it touches, so that what engines ask of a blockmap, a box or a
// trace, meets it there; where it is not, some of the maps show it.
//
// The maps are real ones, and small ones made for the lists that begin with
// linedef 0 by accident.  test-freedoom holds lumps of more maps against the
// model.

#include "engines.h"
#include "freedoom.h"
#include "oracle.h"
#include "plugin.h"
#include "random-map.h"
#include "run-suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    UNIT = 1 << 16,      // a map unit in 16.16
    FREEDOOM_STRIDE = 8, // between the maps of Freedoom that are taken
};

// ---------------------------------------------------------------------------
// The table of the page
//
// It is a list with columns.  In the first row are kinds of lumps, in the
// others an engine and a word for each kind:
//
//     .It Em lump Ta Em zero Ta Em any
//     .It Crispy, International Doom Ta loads Ta loads

enum { MOST_COLUMNS = 8, MOST_CELLS = 200 };

struct cell {
    char *engine, *lump, *word;
};

static struct cell cells[MOST_CELLS];
static size_t cell_count;

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

// Splits what follows ".It " into columns, in place; returns how many.
static size_t split_row(char *text, char *columns[MOST_COLUMNS])
{
    size_t count = 0;
    for (char *next = text; next; text = next) {
        ck_assert_uint_lt(count, MOST_COLUMNS);
        next = strstr(text, " Ta ");
        if (next) {
            *next = '\0';
            next += strlen(" Ta ");
        }
        columns[count++] = begins_with(text, "Em ") ? text + 3 : text;
    }
    return count;
}

static void add_cells(char *const *head, size_t head_count, char *const *row,
                      size_t row_count)
{
    ck_assert_msg(row_count == head_count,
                  "%s: a row of %zu columns below one of %zu", row[0],
                  row_count, head_count);
    for (size_t c = 1; c < row_count; c++) {
        ck_assert_uint_lt(cell_count, MOST_CELLS);
        cells[cell_count++] = (struct cell){row[0], head[c], row[c]};
    }
}

// Reads the page, which has what cells point to.
static char *read_page(void)
{
    static char page[1 << 17];
    const char *folder = getenv("SOURCE_DIR");
    char path[512];
    snprintf(path, sizeof path, "%s/man/blocksweep-stage.7",
             folder ? folder : ".");
    FILE *file = fopen(path, "r");
    ck_assert_msg(file, "%s cannot be read; SOURCE_DIR names the sources",
                  path);
    ck_assert_uint_lt(fread(page, 1, sizeof page, file), sizeof page);
    fclose(file);
    return page;
}

// Reads the table in the section ENGINES.
static void read_table(void)
{
    bool in_section = false;
    char *head[MOST_COLUMNS], *row[MOST_COLUMNS];
    size_t head_count = 0;
    for (char *line = strtok(read_page(), "\n"); line;
         line = strtok(NULL, "\n")) {
        in_section |= strcmp(line, ".Sh ENGINES") == 0;
        if (begins_with(line, ".El"))
            head_count = 0;
        else if (in_section && begins_with(line, ".It Em "))
            head_count = split_row(line + 4, head);
        else if (head_count > 0 && begins_with(line, ".It "))
            add_cells(head, head_count, row, split_row(line + 4, row));
    }
    ck_assert_uint_gt(cell_count, 0);
}

// What an engine makes of a kind of lumps.
static const char *find_word(const char *engine, const char *lump)
{
    for (size_t c = 0; c < cell_count; c++)
        if (strcmp(cells[c].engine, engine) == 0 &&
            strcmp(cells[c].lump, lump) == 0)
            return cells[c].word;
    ck_abort_msg("the page has no word on %s, %s", engine, lump);
    return NULL;
}

// --- Maps, and what engines make of their lumps ---

struct subject {
    struct nbstage_map map;
    const struct oracle_line *lines;
    size_t line_count;
    // The lines that each block of a grid has to list.
    struct oracle_grid grid;
    struct oracle_entry_list truth;
};

// What an engine made of the lumps of a combination.
struct tally {
    size_t maps, rebuilt, crashed;
    size_t missed; // entries, on maps loaded
};

// Has the truth be that of the grid which the stage says a lump has.
static void find_truth(struct subject *subject, const struct plugin_lump *lump)
{
    struct oracle_grid grid = {
        .origin_x = (int32_t)plugin_number(lump, "origin_x"),
        .origin_y = (int32_t)plugin_number(lump, "origin_y"),
        .columns = (uint32_t)plugin_number(lump, "columns"),
        .rows = (uint32_t)plugin_number(lump, "rows")};
    if (subject->truth.entry && memcmp(&grid, &subject->grid, sizeof grid) == 0)
        return;
    oracle_free_entries(&subject->truth);
    subject->grid = grid;
    subject->truth =
        oracle_find_entries(&grid, subject->lines, subject->line_count);
}

// How many lines are not tested in blocks that they touch, over all blocks; in
// a grid of another place or size, all are not.
static size_t count_missed(const struct engine_blockmap *blockmap,
                           const struct subject *subject)
{
    const struct oracle_entry_list *truth = &subject->truth;
    const struct oracle_grid *grid = &subject->grid;
    if (blockmap->origin_x != grid->origin_x * UNIT ||
        blockmap->origin_y != grid->origin_y * UNIT ||
        blockmap->columns != grid->columns || blockmap->rows != grid->rows)
        return truth->count;
    return engine_count_missed(blockmap, truth, subject->line_count);
}

static void try_engine(const struct engine *engine,
                       const struct subject *subject,
                       const struct plugin_lump *lump, struct tally *tally)
{
    struct engine_blockmap blockmap;
    enum engine_verdict verdict = engine_load(engine, lump->bytes, lump->size,
                                              subject->line_count, &blockmap);
    tally->maps++;
    tally->rebuilt += verdict == ENGINE_REBUILDS;
    tally->crashed += verdict == ENGINE_CRASHES;
    if (verdict != ENGINE_LOADS)
        return;
    tally->missed += count_missed(&blockmap, subject);
    engine_blockmap_free(&blockmap);
}

static void try_engines(struct subject *subject, const struct plugin_lump *lump,
                        struct tally tallies[ENGINE_COUNT])
{
    find_truth(subject, lump);
    for (size_t e = 0; e < ENGINE_COUNT; e++)
        try_engine(&engines[e], subject, lump, &tallies[e]);
}

// --- What the table says of it ---

// Where it says "rebuilds" or "wrong", maps that do no harm are allowed, but
// not they alone.
static bool is_proven(const char *word, const struct tally *tally)
{
    bool is_safe = tally->crashed == 0 && tally->missed == 0;
    if (strcmp(word, "loads") == 0)
        return is_safe && tally->rebuilt == 0;
    if (strcmp(word, "rebuilds") == 0)
        return is_safe && tally->rebuilt > 0;
    if (strcmp(word, "wrong") == 0)
        return tally->missed > 0;
    if (strcmp(word, "crashes") == 0)
        return tally->crashed == tally->maps;
    ck_abort_msg("'%s' is not a word of the table", word);
    return false;
}

// Returns how many of the engines are not as the page says.
static size_t judge(const char *kind, const char *options,
                    const struct tally tallies[ENGINE_COUNT])
{
    size_t failures = 0;
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        const struct tally *tally = &tallies[e];
        const char *word = engines[e].makes_its_own ? "rebuilds"
                           : strcmp(kind, "zero") == 0
                               ? "loads"
                               : find_word(engines[e].name, kind);
        bool proven = is_proven(word, tally);
        if (!proven)
            printf("%s, %s: not %s; of %zu maps %zu rebuilt, %zu crash, and "
                   "%zu entries are missed\n",
                   engines[e].name, options, word, tally->maps, tally->rebuilt,
                   tally->crashed, tally->missed);
        failures += !proven;
    }
    return failures;
}

// --- Headers ---

static const struct combination {
    const char *lump; // as the page has it
    const char *options;
} combinations[] = {
    {"zero", "grid=fit pack=share"},
    {"zero", "preset=small"},
    {"any", "grid=fit pack=share for=dsda-doom"},
    {"any", "grid=fit pack=nest for=zandronum"},
    {"none", "grid=fit pack=share for=doom19,crispy,mbf21"},
    {"none", "grid=fit pack=nest for=eternity"},
    {"none", "preset=vanilla"},
};

static struct tally tallies[COUNT(combinations)][ENGINE_COUNT];

static void try_combinations(struct subject subject)
{
    for (size_t c = 0; c < COUNT(combinations); c++) {
        struct plugin_lump lump =
            plugin_build(&subject.map, combinations[c].options);
        try_engines(&subject, &lump, tallies[c]);
        plugin_free(&lump);
    }
    oracle_free_entries(&subject.truth);
}

static void try_freedoom(void)
{
    for (size_t m = 0; m < FREEDOOM_MAPS; m += FREEDOOM_STRIDE) {
        const struct freedoom_map *map = &freedoom_maps[m];
        try_combinations(
            (struct subject){.map = lump_set_map(&map->set),
                             .lines = map->lines,
                             .line_count = map->map.linedef_count});
    }
}

// Maps where all lists, or some, would begin with linedef 0 if nothing stood
// before it.
enum { MOST_ZERO_LINES = 3 };
static const struct zero_map {
    const char *name;
    uint32_t line_count;
    struct oracle_line lines[MOST_ZERO_LINES]; // in map units
} zero_maps[] = {
    {"one block", 1, {{0, 0, 100, 100}}},
    {"one row", 1, {{0, 0, 500, 0}}},
    {"one line", 1, {{0, 0, 300, 400}}},
    {"0 inside", 2, {{0, 0, 500, 0}, {10, 10, 20, 20}}},
    {"0 outside", 2, {{10, 10, 20, 20}, {0, 0, 500, 0}}},
    {"0 between", 3, {{0, 9, 200, 9}, {0, 0, 500, 0}, {0, 5, 90, 5}}},
};

static void try_zero_map(const struct zero_map *zero_map)
{
    struct random_map map = {0};
    random_map_allocate_pairs(&map, zero_map->line_count);
    for (uint32_t i = 0; i < zero_map->line_count; i++) {
        const struct oracle_line *line = &zero_map->lines[i];
        struct plain_vertex *ends = &map.vertices[2 * i];
        ends[0] = (struct plain_vertex){line->x1 * UNIT, line->y1 * UNIT};
        ends[1] = (struct plain_vertex){line->x2 * UNIT, line->y2 * UNIT};
    }
    struct nbstage_map arrays = RANDOM_MAP(&map, zero_map->name);
    struct oracle_line *lines = plugin_oracle_lines(&arrays);
    try_combinations((struct subject){
        .map = arrays, .lines = lines, .line_count = map.line_count});
    free(lines);
    random_map_free(&map);
}

TEST(headers_are_read_as_the_page_says)
{
    try_freedoom();
    for (size_t i = 0; i < COUNT(zero_maps); i++)
        try_zero_map(&zero_maps[i]);
    size_t failures = 0;
    for (size_t c = 0; c < COUNT(combinations); c++)
        failures +=
            judge(combinations[c].lump, combinations[c].options, tallies[c]);
    ck_assert_msg(failures == 0, "%zu cells are not proven", failures);
    ck_assert_uint_gt(tallies[0]->maps, 0);
}

// --- Sizes and forms ---

static const struct lump_case {
    const char *lump; // as the page has it
    uint32_t lines;
    const char *options;
    bool meets_vanilla, meets_extended;
} lump_cases[] = {
    {"zero", 2000, "for=everywhere", true, true},
    {"extended", 16000, "overflow=error", false, true},
    {"empty", 60000, "overflow=empty", false, false},
    {"XBM1", 2000, "format=xbm1", true, true},
};

LOOP_TEST(limits_and_forms_are_what_the_page_says, COUNT(lump_cases))
{
    const struct lump_case *test = &lump_cases[_i];
    const struct scatter scatter = {
        .seed = 1, .lines = test->lines, .side = 8000, .length = 100};
    struct random_map map = scattered_map_make(&scatter);
    struct nbstage_map arrays = RANDOM_MAP(&map, test->lump);
    struct oracle_line *lines = plugin_oracle_lines(&arrays);
    struct subject subject = {
        .map = arrays, .lines = lines, .line_count = map.line_count};
    struct plugin_lump lump = plugin_build(&subject.map, test->options);
    ck_assert_int_eq(plugin_number(&lump, "meets_vanilla"),
                     test->meets_vanilla);
    ck_assert_int_eq(plugin_number(&lump, "meets_extended"),
                     test->meets_extended);
    struct tally results[ENGINE_COUNT] = {0};
    try_engines(&subject, &lump, results);
    ck_assert_uint_eq(judge(test->lump, test->options, results), 0);
    plugin_free(&lump);
    oracle_free_entries(&subject.truth);
    free(lines);
    random_map_free(&map);
}

// --- Nothing is left out ---

static bool is_engine(const char *name)
{
    for (size_t e = 0; e < ENGINE_COUNT; e++)
        if (strcmp(engines[e].name, name) == 0)
            return true;
    return false;
}

static bool is_tried(const char *lump)
{
    for (size_t c = 0; c < COUNT(combinations); c++)
        if (strcmp(combinations[c].lump, lump) == 0)
            return true;
    for (size_t i = 0; i < COUNT(lump_cases); i++)
        if (strcmp(lump_cases[i].lump, lump) == 0)
            return true;
    return false;
}

TEST(all_that_the_page_says_is_tried)
{
    for (const struct cell *cell = cells; cell < cells + cell_count; cell++) {
        ck_assert_msg(is_engine(cell->engine), "there is no model of '%s'",
                      cell->engine);
        ck_assert_msg(is_tried(cell->lump), "nothing is tried with '%s'",
                      cell->lump);
    }
}

int main(void)
{
    TCase *tests = all_tests();
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    tcase_set_timeout(tests, 600);
    tcase_add_unchecked_fixture(tests, read_table, NULL);
    tcase_add_unchecked_fixture(tests, freedoom_load, freedoom_unload);
    return run_suite(tests);
}
