// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on the 100 maps of Freedoom and FreeDM that the lists are exact,
// that the default keeps the grid a map has, that a lump is the same bytes
// however the map is handed over and however often it is built, and that
// totals known from other measurements come out.
//
// FREEDOOM_DIR names the folder of the WAD files; without them the test is
// skipped.

#include "freedoom.h"
#include "oracle.h"
#include "plugin.h"
#include "run-suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16,    // a map unit in 16.16
    LINEDEF_SIZE = 14, // bytes
    VERTEX_SIZE = 4,   // bytes
    MOST_LUMPS = 16,   // of a map
    FREEDOOM2 = 1,     // of the files
};

// What is known of Freedoom: Phase 2 0.12.1, told by its size, with grid=fit
// and pack=share.  The list of the empty blocks may be the end of another,
// which saves two words a map.
enum {
    KNOWN_WAD_SIZE = 28544136,
    KNOWN_ENTRIES = 119016,
    KNOWN_LUMP_BYTES = 414450,
    EMPTY_LIST_BYTES = 4,
};

// ---------------------------------------------------------------------------
// A map in all the ways it is handed over

struct subject {
    const char *name;
    struct nbstage_lump lumps[MOST_LUMPS];
    size_t lump_count;
    size_t blockmap; // index in lumps

    struct nbstage_vertex *vertices;
    size_t vertex_count;
    struct nbstage_line *lines;
    size_t line_count;

    // For the oracle.
    struct oracle_line *segments;
};

static uint32_t read_word(const unsigned char *bytes)
{
    return bytes[0] + 256u * bytes[1];
}

// A signed word of map units in 16.16.
static int32_t read_coordinate(const unsigned char *bytes)
{
    int32_t word = (int32_t)read_word(bytes);
    return (word < 32768 ? word : word - 65536) * UNIT;
}

static void find_lumps(const struct wadfile_map *map, struct subject *subject)
{
    ck_assert_uint_le(map->lump_count, MOST_LUMPS);
    subject->lump_count = map->lump_count;
    for (size_t i = 0; i < map->lump_count; i++)
        subject->lumps[i] = (struct nbstage_lump){
            .size = sizeof(struct nbstage_lump),
            .name = map->lumps[i].name,
            .data = map->lumps[i].data,
            .data_size = map->lumps[i].size,
        };
    subject->blockmap =
        (size_t)(wadfile_find_lump(map, "BLOCKMAP") - map->lumps);
}

static void decode_vertices(const struct wadfile_lump *lump,
                            struct subject *subject)
{
    subject->vertex_count = lump->size / VERTEX_SIZE;
    subject->vertices =
        calloc(subject->vertex_count, sizeof *subject->vertices);
    ck_assert_ptr_nonnull(subject->vertices);
    for (size_t i = 0; i < subject->vertex_count; i++) {
        const unsigned char *vertex = lump->data + i * VERTEX_SIZE;
        subject->vertices[i] = (struct nbstage_vertex){
            read_coordinate(vertex), read_coordinate(vertex + 2)};
    }
}

static void decode_lines(const struct wadfile_lump *lump,
                         struct subject *subject)
{
    subject->line_count = lump->size / LINEDEF_SIZE;
    subject->lines = calloc(subject->line_count, sizeof *subject->lines);
    ck_assert_ptr_nonnull(subject->lines);
    for (size_t i = 0; i < subject->line_count; i++) {
        const unsigned char *linedef = lump->data + i * LINEDEF_SIZE;
        subject->lines[i] = (struct nbstage_line){
            .v1 = read_word(linedef),
            .v2 = read_word(linedef + 2),
            .front_sector = NBSTAGE_NONE,
            .back_sector = NBSTAGE_NONE,
        };
        ck_assert_uint_lt(subject->lines[i].v1, subject->vertex_count);
        ck_assert_uint_lt(subject->lines[i].v2, subject->vertex_count);
    }
}

static void find_segments(struct subject *subject)
{
    subject->segments = calloc(subject->line_count, sizeof *subject->segments);
    ck_assert_ptr_nonnull(subject->segments);
    for (size_t i = 0; i < subject->line_count; i++) {
        struct nbstage_vertex start = subject->vertices[subject->lines[i].v1];
        struct nbstage_vertex end = subject->vertices[subject->lines[i].v2];
        subject->segments[i] =
            (struct oracle_line){start.x, start.y, end.x, end.y};
    }
}

static struct subject make_subject(const struct wadfile_map *map)
{
    struct subject subject = {.name = map->name};
    find_lumps(map, &subject);
    decode_vertices(wadfile_find_lump(map, "VERTEXES"), &subject);
    decode_lines(wadfile_find_lump(map, "LINEDEFS"), &subject);
    find_segments(&subject);
    return subject;
}

static void free_subject(struct subject *subject)
{
    free(subject->segments);
    free(subject->lines);
    free(subject->vertices);
}

static struct plugin_lump build_from_lumps(const struct subject *subject,
                                           const char *options)
{
    struct nbstage_map map = nbstage_map_from_lumps(
        subject->name, subject->lumps, subject->lump_count);
    return plugin_build(&map, options);
}

// Builds from arrays, and the map's own BLOCKMAP lump for its grid.
static struct plugin_lump build_from_arrays(const struct subject *subject,
                                            const char *options)
{
    struct nbstage_map map = plugin_map_from_arrays(
        subject->name, subject->vertices, subject->vertex_count, subject->lines,
        subject->line_count);
    map.lumps = &subject->lumps[subject->blockmap];
    map.lump_count = 1;
    return plugin_build(&map, options);
}

// Builds with a lump that was built in place of the map's own.
static struct plugin_lump build_after(const struct subject *subject,
                                      const struct plugin_lump *lump,
                                      const char *options)
{
    struct subject fed = *subject;
    fed.lumps[fed.blockmap].data = lump->bytes;
    fed.lumps[fed.blockmap].data_size = lump->size;
    return build_from_lumps(&fed, options);
}

// ---------------------------------------------------------------------------
// Checks of one map

static const char *const placements[] = {"grid=auto", "grid=fit"};

enum { PLACEMENT_COUNT = sizeof placements / sizeof *placements };

// Returns how many entries were compared.
static size_t check_lists(const struct subject *subject,
                          const struct plugin_lump *lump, const char *options)
{
    char name[64];
    snprintf(name, sizeof name, "%s, %s", subject->name, options);
    struct oracle_report report = {.file = stderr, .map = name};
    struct oracle_grid grid;
    if (!oracle_read_grid(lump->bytes, lump->size, &grid))
        ck_abort_msg("%s: the lump has no header", name);
    struct oracle_entry_list truth =
        oracle_find_entries(&grid, subject->segments, subject->line_count);
    struct oracle_entry_list found =
        oracle_read_lump(lump->bytes, lump->size, &report);
    oracle_compare(&grid, &truth, &found, &report);
    size_t entry_count = truth.count;
    oracle_free_entries(&truth);
    oracle_free_entries(&found);
    ck_assert_msg(report.fault_count == 0, "%s: %zu faults, told above", name,
                  report.fault_count);
    ck_assert_msg(plugin_number(lump, "entries") == (int64_t)entry_count,
                  "%s: told of %" PRId64 " touches; there are %zu", name,
                  plugin_number(lump, "entries"), entry_count);
    return entry_count;
}

// Frees `other`.
static void check_same_bytes(const struct subject *subject,
                             const struct plugin_lump *lump,
                             struct plugin_lump other, const char *options,
                             const char *what)
{
    ck_assert_msg(lump->size == other.size &&
                      memcmp(lump->bytes, other.bytes, lump->size) == 0,
                  "%s, %s: %s gives other bytes", subject->name, options, what);
    plugin_free(&other);
}

// Whether the grid that the map came with encloses all its lines.
static bool has_good_grid(const struct subject *subject,
                          struct oracle_grid *grid)
{
    const struct nbstage_lump *lump = &subject->lumps[subject->blockmap];
    return oracle_read_grid(lump->data, lump->data_size, grid) &&
           oracle_encloses(grid, subject->segments, subject->line_count);
}

static bool is_same_grid(const struct oracle_grid *a,
                         const struct oracle_grid *b)
{
    return a->origin_x == b->origin_x && a->origin_y == b->origin_y &&
           a->columns == b->columns && a->rows == b->rows;
}

// ---------------------------------------------------------------------------
// The tests

START_TEST(lists_are_exact)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    size_t entry_count = 0;
    for (size_t m = 0; m < wad.map_count; m++) {
        struct subject subject = make_subject(&wad.maps[m]);
        for (size_t p = 0; p < PLACEMENT_COUNT; p++) {
            struct plugin_lump lump = build_from_lumps(&subject, placements[p]);
            entry_count += check_lists(&subject, &lump, placements[p]);
            plugin_free(&lump);
        }
        free_subject(&subject);
    }
    printf("%s: %zu maps, %zu facts\n", freedoom_name((size_t)_i),
           wad.map_count, entry_count);
    wadfile_free(&wad);
}
END_TEST

START_TEST(lumps_are_the_same_bytes_each_time)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    for (size_t m = 0; m < wad.map_count; m++) {
        struct subject subject = make_subject(&wad.maps[m]);
        for (size_t p = 0; p < PLACEMENT_COUNT; p++) {
            const char *options = placements[p];
            struct plugin_lump lump = build_from_lumps(&subject, options);
            check_same_bytes(&subject, &lump,
                             build_from_lumps(&subject, options), options,
                             "the second build");
            check_same_bytes(&subject, &lump,
                             build_from_arrays(&subject, options), options,
                             "a build from arrays");
            check_same_bytes(&subject, &lump,
                             build_after(&subject, &lump, "grid=auto"), options,
                             "a build on the lump itself");
            plugin_free(&lump);
        }
        free_subject(&subject);
    }
    wadfile_free(&wad);
}
END_TEST

START_TEST(default_keeps_the_grid)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    size_t kept_count = 0;
    for (size_t m = 0; m < wad.map_count; m++) {
        struct subject subject = make_subject(&wad.maps[m]);
        struct oracle_grid shipped, built;
        if (has_good_grid(&subject, &shipped)) {
            struct plugin_lump lump = build_from_lumps(&subject, "");
            ck_assert(oracle_read_grid(lump.bytes, lump.size, &built));
            ck_assert_msg(is_same_grid(&shipped, &built),
                          "%s: the grid is not kept", subject.name);
            plugin_free(&lump);
            kept_count++;
        }
        free_subject(&subject);
    }
    printf("%s: %zu of %zu grids kept\n", freedoom_name((size_t)_i), kept_count,
           wad.map_count);
    wadfile_free(&wad);
    ck_assert_uint_gt(kept_count, 0);
}
END_TEST

START_TEST(known_totals_come_out)
{
    struct wadfile wad = freedoom_read(FREEDOOM2);
    int64_t entries = 0;
    size_t bytes = 0;
    for (size_t m = 0; m < wad.map_count; m++) {
        struct subject subject = make_subject(&wad.maps[m]);
        struct plugin_lump lump =
            build_from_lumps(&subject, "grid=fit pack=share");
        entries += plugin_number(&lump, "entries");
        bytes += lump.size;
        plugin_free(&lump);
        free_subject(&subject);
    }
    printf("%s: %" PRId64 " touches, %zu bytes\n", freedoom_name(FREEDOOM2),
           entries, bytes);
    if (wad.size == KNOWN_WAD_SIZE) {
        size_t slack = wad.map_count * EMPTY_LIST_BYTES;
        ck_assert_int_eq(entries, KNOWN_ENTRIES);
        ck_assert_uint_ge(bytes, KNOWN_LUMP_BYTES - slack);
        ck_assert_uint_le(bytes, KNOWN_LUMP_BYTES + slack);
    } else {
        printf("another release than that of the known totals\n");
    }
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------

static Suite *make_suite(void)
{
    Suite *suite = suite_create("freedoom");
    TCase *maps = tcase_create("maps");
    tcase_set_timeout(maps, 600);
    tcase_add_loop_test(maps, lists_are_exact, 0, FREEDOOM_FILES);
    tcase_add_loop_test(maps, lumps_are_the_same_bytes_each_time, 0,
                        FREEDOOM_FILES);
    tcase_add_loop_test(maps, default_keeps_the_grid, 0, FREEDOOM_FILES);
    tcase_add_test(maps, known_totals_come_out);
    suite_add_tcase(suite, maps);
    return suite;
}

int main(void)
{
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    return run_suite(make_suite());
}
