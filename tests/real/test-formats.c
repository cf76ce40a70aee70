// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on the 100 maps of Freedoom and FreeDM that the form in which a map
// comes makes no difference: converted to Hexen, Doom 64 and UDMF format and
// to arrays, with compressed lumps, and with some of its vertices among the
// nodes, it gets the lump that the Doom form gets.  In UDMF, with fractions of
// all kinds, the lists are exact.
//
// Without Freedoom's files the test is skipped.  The seed is printed;
// SEED=number in the environment repeats a run.

#include "compress.h"
#include "doom-map.h"
#include "freedoom.h"
#include "oracle.h"
#include "random-map.h"
#include "run-suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { UNIT = 1 << 16, BLOCK = 128 }; // a map unit in 16.16; map units

static uint64_t seed;

// Without grid=fit the grid is that of the BLOCKMAP lump the map comes with.
static const char *const placements[] = {"grid=auto prune=none",
                                         "grid=fit prune=none"};

static struct plugin_lump build_set(const struct lump_set *set,
                                    const char *options)
{
    struct nbstage_map map = lump_set_map(set);
    return plugin_build(&map, options);
}

// Builds from a set of lumps, which is freed, and compares.
static void check_set(const struct plugin_lump *expected, struct lump_set set,
                      const char *options, const char *what)
{
    struct plugin_lump lump = build_set(&set, options);
    ck_assert_msg(lump.size == expected->size &&
                      memcmp(lump.bytes, expected->bytes, lump.size) == 0,
                  "%s, %s: %s gives other bytes", set.map_name, options, what);
    plugin_free(&lump);
    lump_set_free(&set);
}

// ---------------------------------------------------------------------------
// The same map in other forms

static void check_converted(const struct plugin_lump *expected,
                            const struct doom_map *map, const char *options)
{
    check_set(expected, doom_map_to_doom(map), options, "Doom");
    check_set(expected, doom_map_to_hexen(map), options, "Hexen");
    check_set(expected, doom_map_to_doom64(map), options, "Doom 64");
    check_set(expected, doom_map_to_udmf(map, doom_map_print_exactly), options,
              "UDMF");
}

static void check_arrays(const struct plugin_lump *expected,
                         const struct doom_map *map, const char *options)
{
    struct nbstage_line *lines = doom_map_to_lines(map);
    struct lump_set set = {.map_name = map->name};
    lump_set_view(&set, "BLOCKMAP", map->blockmap, map->blockmap_size);
    struct nbstage_map arrays = plugin_map_from_arrays(
        map->name, map->vertices, map->vertex_count, lines, map->linedef_count);
    arrays.lumps = set.lumps;
    arrays.lump_count = set.count;
    struct plugin_lump lump = plugin_build(&arrays, options);
    ck_assert_msg(lump.size == expected->size &&
                      memcmp(lump.bytes, expected->bytes, lump.size) == 0,
                  "%s, %s: arrays give other bytes", map->name, options);
    plugin_free(&lump);
    free(lines);
}

static void check_compressed(const struct plugin_lump *expected,
                             const struct lump_set *set, const char *options)
{
    static const struct {
        uint32_t compression;
        const char *name;
    } kinds[] = {
        {NBSTAGE_ZLIB, "zlib"},
        {NBSTAGE_GZIP, "gzip"},
        {NBSTAGE_DEFLATE, "deflate"},
    };
    for (size_t i = 0; i < COUNT(kinds); i++)
        check_set(expected, lump_set_compressed(set, kinds[i].compression),
                  options, kinds[i].name);
}

static bool has_kept_grid(const struct plugin_lump *lump)
{
    return strcmp(plugin_find_fact(&lump->result, "grid")->text, "keep") == 0;
}

START_TEST(every_form_gives_the_same_lump)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    size_t kept = 0;
    for (size_t m = 0; m < wad.map_count; m++) {
        struct lump_set set = lump_set_from_wad(&wad.maps[m]);
        struct doom_map map = doom_map_decode(&wad.maps[m]);
        for (size_t p = 0; p < COUNT(placements); p++) {
            struct plugin_lump lump = build_set(&set, placements[p]);
            check_converted(&lump, &map, placements[p]);
            check_arrays(&lump, &map, placements[p]);
            check_compressed(&lump, &set, placements[p]);
            kept += has_kept_grid(&lump);
            plugin_free(&lump);
        }
        doom_map_free(&map);
        lump_set_free(&set);
    }
    ck_assert_uint_gt(kept, 0); // or BLOCKMAP would go unread
    wadfile_free(&wad);
}
END_TEST

START_TEST(compressed_text_gives_the_same_lump)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    struct doom_map map = doom_map_decode(&wad.maps[0]);
    struct lump_set set = doom_map_to_udmf(&map, doom_map_print_exactly);
    struct plugin_lump lump = build_set(&set, "grid=auto prune=none");
    check_compressed(&lump, &set, "grid=auto prune=none");
    plugin_free(&lump);
    lump_set_free(&set);
    doom_map_free(&map);
    wadfile_free(&wad);
}
END_TEST

// The lumps that tell a format are not there, but the host says what it is.
START_TEST(the_host_may_tell_the_format)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    struct doom_map map = doom_map_decode(&wad.maps[0]);
    struct lump_set doom = doom_map_to_doom(&map);
    struct lump_set hexen = doom_map_to_hexen(&map);
    struct lump_set doom64 = doom_map_to_doom64(&map);
    struct plugin_lump lump = build_set(&doom, "grid=auto prune=none");
    lump_set_remove(&hexen, "BEHAVIOR");
    hexen.format = NBSTAGE_FORMAT_HEXEN;
    lump_set_remove(&doom64, "LEAFS");
    lump_set_remove(&doom64, "LIGHTS");
    lump_set_remove(&doom64, "MACROS");
    doom64.format = NBSTAGE_FORMAT_DOOM64;
    // A lump of another format does no harm either.
    lump_set_view(&doom, "BEHAVIOR", NULL, 0);
    doom.format = NBSTAGE_FORMAT_DOOM;
    check_set(&lump, doom, "grid=auto prune=none", "Doom, told");
    check_set(&lump, hexen, "grid=auto prune=none", "Hexen, told");
    check_set(&lump, doom64, "grid=auto prune=none", "Doom 64, told");
    plugin_free(&lump);
    doom_map_free(&map);
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------
// Fractions

// Rounded down to whole map units.
static int32_t floor_units(int32_t coordinate)
{
    int32_t units = coordinate / UNIT;
    return coordinate % UNIT < 0 ? units - 1 : units;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static uint32_t count_blocks(int32_t low, int32_t high)
{
    return (uint32_t)(floor_units(high) - floor_units(low)) / BLOCK + 1;
}

// The grid that begins at the lowest coordinates.
static struct oracle_grid fit_grid(const struct oracle_line *lines,
                                   size_t count)
{
    struct oracle_line box = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (size_t i = 0; i < count; i++) {
        box.x1 = smaller(box.x1, smaller(lines[i].x1, lines[i].x2));
        box.y1 = smaller(box.y1, smaller(lines[i].y1, lines[i].y2));
        box.x2 = larger(box.x2, larger(lines[i].x1, lines[i].x2));
        box.y2 = larger(box.y2, larger(lines[i].y1, lines[i].y2));
    }
    return (struct oracle_grid){floor_units(box.x1), floor_units(box.y1),
                                count_blocks(box.x1, box.x2),
                                count_blocks(box.y1, box.y2)};
}

static void check_grid(const struct plugin_lump *lump,
                       const struct oracle_grid *expected, const char *name)
{
    struct oracle_grid grid;
    ck_assert_msg(oracle_read_grid(lump->bytes, lump->size, &grid),
                  "%s: the lump has no header", name);
    ck_assert_msg(grid.origin_x == expected->origin_x &&
                      grid.origin_y == expected->origin_y &&
                      grid.columns == expected->columns &&
                      grid.rows == expected->rows,
                  "%s: the grid is %" PRId32 ",%" PRId32 " %" PRIu32 "x%" PRIu32
                  " instead of %" PRId32 ",%" PRId32 " %" PRIu32 "x%" PRIu32,
                  name, grid.origin_x, grid.origin_y, grid.columns, grid.rows,
                  expected->origin_x, expected->origin_y, expected->columns,
                  expected->rows);
}

// Holds a lump against the oracle; returns how many facts were compared.
static size_t check_lists(const struct plugin_lump *lump,
                          const struct oracle_grid *grid,
                          const struct oracle_line *lines, size_t line_count,
                          const char *name)
{
    struct oracle_report report = {.file = stderr, .map = name};
    check_grid(lump, grid, name);
    struct oracle_entry_list truth =
        oracle_find_entries(grid, lines, line_count);
    struct oracle_entry_list found =
        oracle_read_lump(lump->bytes, lump->size, &report);
    oracle_compare(grid, &truth, &found, &report);
    size_t fact_count = truth.count;
    oracle_free_entries(&truth);
    oracle_free_entries(&found);
    ck_assert_msg(report.fault_count == 0, "%s: %zu faults, told above", name,
                  report.fault_count);
    return fact_count;
}

// The maps have whole coordinates.
static void print_half(struct buffer *text, int32_t coordinate)
{
    int32_t units = abs(coordinate / UNIT);
    buffer_print(text, "%s%" PRId32 ".%d", coordinate < 0 ? "-" : "", units / 2,
                 units % 2 ? 5 : 0);
}

static int32_t half(int32_t coordinate)
{
    return coordinate / 2;
}

static void print_tenth(struct buffer *text, int32_t coordinate)
{
    int32_t units = abs(coordinate / UNIT);
    buffer_print(text, "%s%" PRId32 ".%" PRId32, coordinate < 0 ? "-" : "",
                 units / 10, units % 10);
}

// C truncates toward zero, as the stage ought to.
static int32_t tenth(int32_t coordinate)
{
    return coordinate / 10;
}

static int32_t same(int32_t coordinate)
{
    return coordinate;
}

static const struct {
    const char *name;
    doom_map_print *print;
    int32_t (*value)(int32_t coordinate); // what the text comes to
    bool moved; // by random 65,536ths, less than a unit in all
} scales[] = {
    {"halves", print_half, half, false},
    {"tenths", print_tenth, tenth, false},
    {"moved at random", doom_map_print_exactly, same, true},
};

static void move_vertices(struct doom_map *map, struct random_stream *stream)
{
    for (size_t i = 0; i < map->vertex_count; i++) {
        map->vertices[i].x += (int32_t)random_below(stream, UNIT);
        map->vertices[i].y += (int32_t)random_below(stream, UNIT);
    }
}

static struct oracle_line *make_lines(const struct doom_map *map,
                                      int32_t (*value)(int32_t))
{
    struct oracle_line *lines = calloc(map->linedef_count, sizeof *lines);
    ck_assert_ptr_nonnull(lines);
    for (size_t i = 0; i < map->linedef_count; i++) {
        struct nbstage_vertex start = map->vertices[map->linedefs[i].v1];
        struct nbstage_vertex end = map->vertices[map->linedefs[i].v2];
        lines[i] = (struct oracle_line){value(start.x), value(start.y),
                                        value(end.x), value(end.y)};
    }
    return lines;
}

// Returns how many facts were compared.
static size_t check_scaled(const struct doom_map *map, size_t scale)
{
    char name[64];
    snprintf(name, sizeof name, "SEED=%" PRIu64 " %s, %s", seed, map->name,
             scales[scale].name);
    struct lump_set set = doom_map_to_udmf(map, scales[scale].print);
    struct plugin_lump lump = build_set(&set, "grid=fit prune=none");
    struct oracle_line *lines = make_lines(map, scales[scale].value);
    struct oracle_grid grid = fit_grid(lines, map->linedef_count);
    size_t facts = check_lists(&lump, &grid, lines, map->linedef_count, name);
    free(lines);
    plugin_free(&lump);
    lump_set_free(&set);
    return facts;
}

START_TEST(fractions_are_exact)
{
    size_t file = (size_t)_i / COUNT(scales);
    size_t scale = (size_t)_i % COUNT(scales);
    struct random_stream stream = {seed + file};
    struct wadfile wad = freedoom_read(file);
    size_t facts = 0;
    for (size_t m = 0; m < wad.map_count; m++) {
        struct doom_map map = doom_map_decode(&wad.maps[m]);
        if (scales[scale].moved)
            move_vertices(&map, &stream);
        facts += check_scaled(&map, scale);
        doom_map_free(&map);
    }
    printf("%s, %s: %zu facts\n", freedoom_name(file), scales[scale].name,
           facts);
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------
// Vertices among the nodes

static const struct place {
    const char *lump;
    const char *signature;
    bool text; // the map is in UDMF format
} places[] = {
    {"NODES", "XNOD", false},
    {"NODES", "ZNOD", false},
    {"SSECTORS", "XGLN", false},
    {"ZNODES", "XGL3", true},
};

// Nodes with the vertices of the map from number `first` to before `end`, and
// without anything else.
static struct buffer make_nodes(const struct doom_map *map, uint32_t first,
                                uint32_t end, const char *signature)
{
    struct buffer payload = {0};
    struct buffer lump = {0};
    buffer_put_u32(&payload, first);
    buffer_put_u32(&payload, end - first);
    for (uint32_t i = first; i < end; i++) {
        buffer_put_u32(&payload, (uint32_t)map->vertices[i].x);
        buffer_put_u32(&payload, (uint32_t)map->vertices[i].y);
    }
    for (int part = 0; part < 3; part++) // subsectors, segs, nodes
        buffer_put_u32(&payload, 0);
    buffer_print(&lump, "%s", signature);
    if (signature[0] == 'Z') {
        struct buffer stream =
            compress_bytes(NBSTAGE_ZLIB, payload.bytes, payload.size);
        buffer_put(&lump, stream.bytes, stream.size);
        buffer_free(&stream);
    } else {
        buffer_put(&lump, payload.bytes, payload.size);
    }
    buffer_free(&payload);
    return lump;
}

static uint32_t highest_vertex(const struct doom_map *map)
{
    uint32_t highest = 0;
    for (size_t i = 0; i < map->linedef_count; i++) {
        uint32_t v1 = map->linedefs[i].v1;
        uint32_t v2 = map->linedefs[i].v2;
        highest = v1 > highest ? v1 : highest;
        highest = v2 > highest ? v2 : highest;
    }
    return highest;
}

// The map with its vertices from number `first` to before `end` in the nodes
// and those behind nowhere.
static struct lump_set make_set(const struct doom_map *map, uint32_t first,
                                uint32_t end, const struct place *place)
{
    struct doom_map shorter = *map;
    shorter.vertex_count = first;
    struct lump_set set =
        place->text ? doom_map_to_udmf(&shorter, doom_map_print_exactly)
                    : doom_map_to_doom(&shorter);
    lump_set_add(&set, place->lump,
                 make_nodes(map, first, end, place->signature));
    return set;
}

START_TEST(vertices_are_found_among_the_nodes)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    for (size_t m = 0; m < wad.map_count; m++) {
        struct lump_set whole = lump_set_from_wad(&wad.maps[m]);
        struct doom_map map = doom_map_decode(&wad.maps[m]);
        struct plugin_lump lump = build_set(&whole, "grid=auto prune=none");
        uint32_t first = highest_vertex(&map) / 2;
        uint32_t end = (uint32_t)map.vertex_count;
        for (size_t i = 0; i < COUNT(places); i++)
            check_set(&lump, make_set(&map, first, end, &places[i]),
                      "grid=auto prune=none", places[i].signature);
        plugin_free(&lump);
        doom_map_free(&map);
        lump_set_free(&whole);
    }
    wadfile_free(&wad);
}
END_TEST

// Builds from a map that must be refused, with a sentence that has `what`.
static void check_refused(struct lump_set set, const char *what)
{
    struct nbstage_instance *instance = plugin_create("");
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_result result = {.size = sizeof result};
    ck_assert_int_eq(plugin_stage()->build(instance, &map, &result),
                     NBSTAGE_BAD_MAP);
    const char *sentence = plugin_stage()->last_error(instance);
    ck_assert_msg(strncmp(sentence, set.map_name, strlen(set.map_name)) == 0 &&
                      strstr(sentence, what),
                  "%s: %s\nexpected ...%s...", set.map_name, sentence, what);
    plugin_stage()->destroy(instance);
    lump_set_free(&set);
}

START_TEST(a_vertex_that_is_nowhere_is_refused)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    struct doom_map map = doom_map_decode(&wad.maps[0]);
    uint32_t highest = highest_vertex(&map);
    for (size_t i = 0; i < COUNT(places); i++) {
        char what[64];
        snprintf(what, sizeof what,
                 "refers to vertex %" PRIu32 ", which does not exist", highest);
        check_refused(make_set(&map, highest / 2, highest, &places[i]), what);
        // Not even nodes are there.
        struct lump_set set = make_set(&map, highest, highest, &places[i]);
        lump_set_remove(&set, places[i].lump);
        check_refused(set, what);
    }
    doom_map_free(&map);
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------
// Bounds

// A square and far from it a vertex that no line uses.
#define AT(x, y) \
    { \
        (x) * UNIT, (y)*UNIT \
    }
static struct nbstage_vertex far_vertices[] = {
    AT(0, 0), AT(1000, 0), AT(1000, 1000), AT(0, 1000), AT(3000, -300),
};
static struct doom_linedef far_linedefs[] = {
    {.v1 = 0, .v2 = 1},
    {.v1 = 1, .v2 = 2},
    {.v1 = 2, .v2 = 3},
    {.v1 = 3, .v2 = 0},
};
static const struct doom_map far_map = {
    .name = "FAR",
    .vertices = far_vertices,
    .vertex_count = COUNT(far_vertices),
    .linedefs = far_linedefs,
    .linedef_count = COUNT(far_linedefs),
};

static const struct {
    const char *options;
    struct oracle_grid grid;
} bounds[] = {
    {"grid=fit", {0, 0, 8, 8}},
    {"grid=fit bounds=lines", {0, 0, 8, 8}},
    {"grid=fit bounds=vertices", {0, -300, 24, 11}},
    {"grid=keep bounds=vertices", {0, -300, 24, 11}}, // there is none to keep
    {"grid=-8,-301 bounds=vertices", {-8, -301, 24, 11}},
};

// Frees the set.
static void check_bounds(struct lump_set set, size_t i)
{
    struct plugin_lump lump = build_set(&set, bounds[i].options);
    struct oracle_line *lines = make_lines(&far_map, same);
    check_lists(&lump, &bounds[i].grid, lines, far_map.linedef_count,
                bounds[i].options);
    free(lines);
    plugin_free(&lump);
    lump_set_free(&set);
}

START_TEST(bounds_enclose_what_they_say)
{
    check_bounds(doom_map_to_doom(&far_map), (size_t)_i);
    check_bounds(doom_map_to_hexen(&far_map), (size_t)_i);
    check_bounds(doom_map_to_doom64(&far_map), (size_t)_i);
    check_bounds(doom_map_to_udmf(&far_map, doom_map_print_exactly),
                 (size_t)_i);
}
END_TEST

// A grid that encloses the lines alone is not the map's own any more.
START_TEST(a_grid_that_leaves_out_a_vertex_is_not_kept)
{
    struct lump_set set = doom_map_to_doom(&far_map);
    struct plugin_lump small = build_set(&set, "bounds=lines");
    lump_set_view(&set, "BLOCKMAP", small.bytes, small.size);
    struct plugin_lump kept = build_set(&set, "bounds=lines");
    struct plugin_lump wider = build_set(&set, "bounds=vertices");
    check_grid(&kept, &bounds[1].grid, "bounds=lines");
    check_grid(&wider, &bounds[2].grid, "bounds=vertices");
    plugin_free(&wider);
    plugin_free(&kept);
    plugin_free(&small);
    lump_set_free(&set);
}
END_TEST

// ---------------------------------------------------------------------------

static Suite *make_suite(void)
{
    Suite *suite = suite_create("formats");
    TCase *forms = tcase_create("forms");
    tcase_set_timeout(forms, 600);
    tcase_add_loop_test(forms, every_form_gives_the_same_lump, 0,
                        FREEDOOM_FILES);
    tcase_add_loop_test(forms, compressed_text_gives_the_same_lump, 0,
                        FREEDOOM_FILES);
    tcase_add_loop_test(forms, the_host_may_tell_the_format, 0, FREEDOOM_FILES);
    suite_add_tcase(suite, forms);
    TCase *fractions = tcase_create("fractions");
    tcase_set_timeout(fractions, 600);
    tcase_add_loop_test(fractions, fractions_are_exact, 0,
                        FREEDOOM_FILES * COUNT(scales));
    suite_add_tcase(suite, fractions);
    TCase *vertices = tcase_create("vertices");
    tcase_set_timeout(vertices, 600);
    tcase_add_loop_test(vertices, vertices_are_found_among_the_nodes, 0,
                        FREEDOOM_FILES);
    tcase_add_loop_test(vertices, a_vertex_that_is_nowhere_is_refused, 0,
                        FREEDOOM_FILES);
    tcase_add_loop_test(vertices, bounds_enclose_what_they_say, 0,
                        COUNT(bounds));
    tcase_add_test(vertices, a_grid_that_leaves_out_a_vertex_is_not_kept);
    suite_add_tcase(suite, vertices);
    return suite;
}

int main(void)
{
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    seed = choose_seed();
    return run_suite(make_suite());
}
