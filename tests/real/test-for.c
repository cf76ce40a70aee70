// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves of the option for, with each family of engines, each two of them and
// any:
//
// - on Freedoom's maps every engine of these tests the lines of each block, and
//   little else; of the lumps with each header, none that all these engines
//   read right has fewer bytes;
// - so it is on small maps, of which many have linedef 0 in every block;
// - a map past the vanilla limit fails if Doom 1.9 is among them;
// - a map that is too large for a classic lump becomes XBM1 if all of them read
//   it, an empty lump if all of them build their own, and else fails.
//
// A model in the tests reads lumps as engines do, and the oracle gives what
// they should find.  FREEDOOM_DIR names the folder of the WAD files; without
// them the test is skipped.  The seed is printed; SEED=number in the
// environment repeats a run.

#include "blocklists.h"
#include "buffer.h"
#include "engines.h"
#include "freedoom.h"
#include "run-suite.h"
#include "tiles.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    BLOCK = 128,    // map units
    FAMILIES = 7,
    SMALL_MAPS = 300,
    MOST_LINES = 8,              // of these
    MOST_LINES_EXTENDED = 30000, // of large maps: a classic lump has room
    TOO_MANY_LINES = 60000,      // it has not
    TEXT_SIZE = 128,
};

static uint64_t seed;

// What is checked, for messages.
static char where[2 * TEXT_SIZE];

// ---------------------------------------------------------------------------
// Families

// The engines of a family, each a row of the model.
static const struct {
    const char *name;
    const char *engines[3];
} families[FAMILIES] = {
    {"doom19", {"Doom 1.9, Chocolate Doom"}},
    {"crispy", {"Crispy Doom"}},
    {"boom",
     {"Boom family, vanilla level", "Boom family, below MBF21", "SRB2"}},
    {"mbf21", {"Boom family, MBF21", "Eternity since 2016"}},
    {"zdoom", {"ZDoom family"}},
    {"woof",
     {"Woof since 2026, vanilla level", "Woof since 2026, below MBF21",
      "Woof since 2026, MBF21"}},
    {"odamex", {"Odamex since 2026, demos", "Odamex since 2026"}},
};

// A value of the option, and the engines that it names, a bit for each.
struct choice {
    char option[32]; // "for=boom,woof"
    unsigned engines;
};

enum { CHOICES = FAMILIES + FAMILIES * (FAMILIES - 1) / 2 + 1 };

static struct choice choices[CHOICES];

static unsigned find_engine(const char *name)
{
    for (unsigned e = 0; e < ENGINE_COUNT; e++)
        if (strcmp(engines[e].name, name) == 0)
            return 1u << e;
    ck_abort_msg("the model has no engine '%s'", name);
}

static unsigned find_engines(size_t family)
{
    unsigned found = 0;
    for (size_t i = 0; i < COUNT(families->engines); i++)
        if (families[family].engines[i])
            found |= find_engine(families[family].engines[i]);
    return found;
}

// The last choice is any: for Doom 1.9 not every map is small enough.
static void make_choices(void)
{
    struct choice *choice = choices;
    for (size_t a = 0; a < FAMILIES; a++) {
        for (size_t b = a; b < FAMILIES; b++, choice++) {
            snprintf(choice->option, sizeof choice->option,
                     a == b ? "for=%s" : "for=%s,%s", families[a].name,
                     families[b].name);
            choice->engines = find_engines(a) | find_engines(b);
        }
    }
    snprintf(choice->option, sizeof choice->option, "for=any");
    for (size_t family = 1; family < FAMILIES; family++)
        choice->engines |= find_engines(family);
}

// ---------------------------------------------------------------------------
// What engines read

// Whether an engine that has loaded a lump tests at most one other linedef in
// each block, the header, besides those in the block and linedef 0.
static bool tests_little_else(const struct engine_blockmap *blockmap,
                              const struct oracle_entry_list *truth)
{
    size_t first = 0; // true entry of the block
    size_t others = 0;
    uint32_t block = 0;
    for (size_t t = 0; t < blockmap->tested.count; t++) {
        const struct oracle_entry *tested = &blockmap->tested.entry[t];
        others = tested->block == block ? others : 0;
        block = tested->block;
        while (first < truth->count && truth->entry[first].block < block)
            first++;
        bool is_true = tested->line == 0;
        for (size_t e = first;
             e < truth->count && truth->entry[e].block == block; e++)
            is_true |= truth->entry[e].line == tested->line;
        others += !is_true;
        if (others > 1)
            return false;
    }
    return true;
}

// A map and what engines are to test in the blocks of its grid.
struct input {
    struct nbstage_map map;
    size_t line_count;
    struct oracle_entry_list truth;
};

// For oracle_free_entries; the grid is that of a lump with these options.
static struct input make_input(const struct nbstage_map *map,
                               const struct oracle_line *lines,
                               size_t line_count, const char *options)
{
    struct oracle_grid grid;
    struct plugin_lump lump = plugin_build(map, options);
    ck_assert(oracle_read_grid(lump.bytes, lump.size, &grid));
    plugin_free(&lump);
    return (struct input){*map, line_count,
                          oracle_find_entries(&grid, lines, line_count)};
}

// The engines that read a lump right, a bit for each.
static unsigned find_readers(const struct plugin_lump *lump,
                             const struct input *input)
{
    unsigned readers = 0;
    for (unsigned e = 0; e < ENGINE_COUNT; e++) {
        struct engine_blockmap blockmap;
        if (engine_load(&engines[e], lump->bytes, lump->size, input->line_count,
                        &blockmap) == ENGINE_LOADS &&
            engine_count_missed(&blockmap, &input->truth, input->line_count) ==
                0 &&
            tests_little_else(&blockmap, &input->truth))
            readers |= 1u << e;
        engine_blockmap_free(&blockmap);
    }
    return readers;
}

// ---------------------------------------------------------------------------
// Lumps

// With each header: the bytes of the lump, and which engines read it right.
struct with_headers {
    size_t size[3];
    unsigned readers[3];
};

static struct with_headers build_all_headers(const struct input *input,
                                             const char *pack)
{
    static const char *const headers[] = {"zero", "any", "none"};
    struct with_headers with = {0};
    for (size_t h = 0; h < COUNT(headers); h++) {
        char options[TEXT_SIZE];
        snprintf(options, sizeof options, "%s header=%s", pack, headers[h]);
        struct plugin_lump lump = plugin_build(&input->map, options);
        with.size[h] = lump.size;
        with.readers[h] = find_readers(&lump, input);
        plugin_free(&lump);
    }
    return with;
}

static bool are_in(unsigned some, unsigned all)
{
    return (some & ~all) == 0;
}

static void check_choice(const struct input *input, const char *pack,
                         const struct choice *choice,
                         const struct with_headers *with)
{
    char options[2 * TEXT_SIZE];
    struct plugin_lump lump;
    bool can_be = false;
    snprintf(options, sizeof options, "%s %.31s", pack, choice->option);
    for (size_t h = 0; h < COUNT(with->size); h++)
        can_be |= are_in(choice->engines, with->readers[h]);
    bool is_there = plugin_build_within(&input->map, options, &lump);
    ck_assert_msg(is_there == can_be,
                  "%s, %s: a lump that these engines read right %s", where,
                  options, can_be ? "can be" : "cannot be");
    if (!is_there)
        return;
    unsigned readers = find_readers(&lump, input);
    ck_assert_msg(are_in(choice->engines, readers),
                  "%s, %s: the engines %#x are to read it right; %#x do", where,
                  options, choice->engines, readers);
    for (size_t h = 0; h < COUNT(with->size); h++)
        ck_assert_msg(!are_in(choice->engines, with->readers[h]) ||
                          lump.size <= with->size[h],
                      "%s, %s: %zu bytes; header %zu has %zu", where, options,
                      lump.size, h, with->size[h]);
    plugin_free(&lump);
}

// Returns how many choices no lump is right for.
static size_t check_map(const struct input *input, const char *pack)
{
    const struct with_headers with = build_all_headers(input, pack);
    size_t impossible = 0;
    for (size_t c = 0; c < CHOICES; c++) {
        check_choice(input, pack, &choices[c], &with);
        impossible += !are_in(choices[c].engines, with.readers[0]) &&
                      !are_in(choices[c].engines, with.readers[1]) &&
                      !are_in(choices[c].engines, with.readers[2]);
    }
    return impossible;
}

LOOP_TEST(named_engines_read_freedoom, 2)
{
    static const char *const packs[] = {"pack=share", "pack=nest"};
    size_t impossible = 0;
    for (size_t m = 0; m < FREEDOOM_MAPS; m += SLOWNESS) {
        const struct freedoom_map *freedoom = &freedoom_maps[m];
        const struct nbstage_map map = lump_set_map(&freedoom->set);
        snprintf(where, sizeof where, "%s, %s", freedoom_name(freedoom->file),
                 map.name);
        struct input input =
            make_input(&map, freedoom->lines, freedoom->map.linedef_count, "");
        impossible += check_map(&input, packs[_i]);
        oracle_free_entries(&input.truth);
    }
    printf("%s: %d choices, %zu times no lump is right\n", packs[_i], CHOICES,
           impossible);
}

// ---------------------------------------------------------------------------
// Small maps

struct small_map {
    struct nbstage_vertex vertices[2 * MOST_LINES];
    struct nbstage_line lines[MOST_LINES];
    size_t line_count;
};

static void add_line(struct small_map *map, int32_t x1, int32_t y1, int32_t x2,
                     int32_t y2)
{
    const uint32_t v = 2 * (uint32_t)map->line_count;
    map->vertices[v] = (struct nbstage_vertex){x1 * UNIT, y1 * UNIT};
    map->vertices[v + 1] = (struct nbstage_vertex){x2 * UNIT, y2 * UNIT};
    map->lines[map->line_count++] = (struct nbstage_line){
        .v1 = v,
        .v2 = v + 1,
        .front_sector = NBSTAGE_NONE,
        .back_sector = NBSTAGE_NONE,
    };
}

// Some blocks in a row and a line through all of them, mostly linedef 0; the
// other lines are in one of them, or in some.
static struct small_map make_small_map(struct random_stream *stream)
{
    struct small_map map = {0};
    const int32_t width = BLOCK * (1 + (int32_t)random_below(stream, 5));
    const size_t count = 1 + random_below(stream, MOST_LINES - 1);
    const size_t longest = random_below(stream, 4) == 0
                               ? random_below(stream, (uint32_t)count)
                               : 0;
    for (size_t i = 0; i < count; i++) {
        int32_t x = (int32_t)random_below(stream, (uint32_t)width);
        int32_t end = (int32_t)random_below(stream, (uint32_t)width);
        int32_t y = (int32_t)random_below(stream, BLOCK);
        if (i == longest)
            add_line(&map, 0, 0, width - 1, 0);
        else
            add_line(&map, x, y, random_below(stream, 2) ? x : end, y);
    }
    return map;
}

static bool has_line_0_everywhere(const struct oracle_entry_list *truth)
{
    uint32_t block = 0; // the next one
    for (size_t e = 0; e < truth->count; e++) {
        if (truth->entry[e].block < block)
            continue;
        if (truth->entry[e].block != block || truth->entry[e].line != 0)
            return false;
        block++;
    }
    return true;
}

TEST(named_engines_read_small_maps)
{
    static const char *const packs[] = {"pack=none", "pack=share", "pack=nest"};
    struct random_stream stream = {seed};
    size_t degenerate = 0;
    for (size_t m = 0; m < SMALL_MAPS; m++) {
        struct small_map small = make_small_map(&stream);
        const struct nbstage_map map = plugin_map_from_arrays(
            "SMALL", small.vertices, 2 * small.line_count, small.lines,
            small.line_count);
        struct oracle_line *lines = plugin_oracle_lines(&map);
        struct input input = make_input(&map, lines, map.line_count, "");
        snprintf(where, sizeof where, "map %zu, SEED=%" PRIu64, m, seed);
        degenerate += has_line_0_everywhere(&input.truth);
        for (size_t p = 0; p < COUNT(packs); p++)
            ck_assert_uint_eq(check_map(&input, packs[p]), 0);
        oracle_free_entries(&input.truth);
        free(lines);
    }
    printf("%zu of %d small maps have linedef 0 in every block\n", degenerate,
           SMALL_MAPS);
    ck_assert_uint_ge(degenerate, SMALL_MAPS / 4);
    ck_assert_uint_le(degenerate, SMALL_MAPS * 15 / 16);
}

// ---------------------------------------------------------------------------
// Too large

// The largest map of Freedoom so often that it has nearly so many lines.
static struct random_map make_large_map(size_t lines)
{
    const struct doom_map *largest = &freedoom_maps[0].map;
    struct random_map tiled;
    for (size_t m = 1; m < FREEDOOM_MAPS; m++)
        if (freedoom_maps[m].map.linedef_count > largest->linedef_count)
            largest = &freedoom_maps[m].map;
    uint32_t tiles = (uint32_t)(lines / largest->linedef_count);
    ck_assert(tiles_make(largest, tiles, &tiled));
    return tiled;
}

// Only Doom 1.9 and those beside it in a choice go without a lump.
TEST(lumps_past_vanilla_are_not_for_doom19)
{
    struct random_map tiled = make_large_map(MOST_LINES_EXTENDED);
    struct nbstage_map map = random_map_arrays(&tiled, "LARGE");
    struct oracle_line *lines = plugin_oracle_lines(&map);
    struct input input = make_input(&map, lines, map.line_count, "");
    snprintf(where, sizeof where, "past vanilla");
    ck_assert_uint_eq(check_map(&input, "pack=share"), FAMILIES);
    oracle_free_entries(&input.truth);
    free(lines);
    random_map_free(&tiled);
}

TEST(large_maps_become_what_engines_play)
{
    struct random_map tiled = make_large_map(TOO_MANY_LINES);
    struct nbstage_map map = random_map_arrays(&tiled, "LARGE");
    struct oracle_line *lines = plugin_oracle_lines(&map);
    struct input input = make_input(&map, lines, map.line_count, "format=xbm1");
    for (size_t c = 0; c < CHOICES; c++) {
        const char *option = choices[c].option;
        bool read_xbm1 = true, rebuild = true;
        struct plugin_lump lump;
        for (unsigned e = 0; e < ENGINE_COUNT; e++) {
            if ((choices[c].engines >> e & 1) == 0)
                continue;
            read_xbm1 &= engines[e].reads_xbm1;
            rebuild &= engines[e].rebuilds || engines[e].checks_lists;
        }
        bool is_there = plugin_build_within(&map, option, &lump);
        ck_assert_msg(is_there == (read_xbm1 || rebuild), "%s", option);
        if (!is_there)
            continue;
        ck_assert_msg((lump.size > 0) == read_xbm1, "%s: %zu bytes", option,
                      lump.size);
        if (read_xbm1)
            ck_assert(are_in(choices[c].engines, find_readers(&lump, &input)));
        plugin_free(&lump);
    }
    oracle_free_entries(&input.truth);
    free(lines);
    random_map_free(&tiled);
}

int main(void)
{
    TCase *maps = all_tests();
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    seed = choose_seed();
    tcase_set_timeout(maps, 600);
    tcase_add_unchecked_fixture(maps, freedoom_load, freedoom_unload);
    tcase_add_unchecked_fixture(maps, make_choices, NULL);
    return run_suite(maps);
}
