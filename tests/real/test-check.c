// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that check-nodes=yes holds the lists against the segs: it passes on
// the 100 maps of Freedoom and FreeDM with the segs they come with, and fails
// with a sentence that names seg, linedef and block when a seg is given a
// linedef that is elsewhere, or when there are no segs.  On a handmade map, it
// allows a seg's end to be a map unit off, and no more, whether the lists are
// made from the lines or taken from the lump that the map has.
//
// Without Freedoom's files the test is skipped.

#include "doom-map.h"
#include "freedoom.h"
#include "run-suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    SEG_SIZE = 12,  // bytes
    LINEDEF_AT = 6, // in a seg
    PART_SIZE = 80, // of a sentence
};

// Builds with the check, which must pass; returns how many segs were checked.
static int64_t count_checked(const struct lump_set *set, const char *options)
{
    struct nbstage_map map = lump_set_map(set);
    struct plugin_lump lump = plugin_build(&map, options);
    int64_t checked = plugin_number(&lump, "checked_segs");
    plugin_free(&lump);
    return checked;
}

// The facts about a seg that fails have the numbers of the sentence.  Other
// failures have none.
static void check_facts(const struct nbstage_result *result,
                        const char *sentence)
{
    const struct nbstage_fact *seg = plugin_find_fact(result, "failed_seg");
    const struct nbstage_fact *linedef =
        plugin_find_fact(result, "failed_linedef");
    const struct nbstage_fact *block = plugin_find_fact(result, "failed_block");
    char parts[2][PART_SIZE];
    ck_assert_uint_eq(result->lump_count, 0);
    ck_assert_uint_eq(result->fact_count,
                      strstr(sentence, "does not list") ? 3 : 0);
    if (result->fact_count == 0)
        return;
    ck_assert(seg && linedef && block);
    snprintf(parts[0], sizeof parts[0],
             "seg %" PRId64 " of linedef %" PRId64 " ", seg->value,
             linedef->value);
    snprintf(parts[1], sizeof parts[1], "block %" PRId64 " ", block->value);
    for (size_t i = 0; i < COUNT(parts); i++)
        ck_assert_msg(strstr(sentence, parts[i]), "%s\nexpected ...%s...",
                      sentence, parts[i]);
}

// Builds with the check, which must fail with a sentence that has all of
// `parts`.
static void check_fails(const struct lump_set *set, const char *options,
                        char parts[][PART_SIZE], size_t part_count)
{
    struct nbstage_map map = lump_set_map(set);
    struct nbstage_instance *instance = plugin_create(options);
    struct nbstage_result result = {.size = sizeof result};
    nbstage_status status = plugin_stage()->build(instance, &map, &result);
    const char *sentence = plugin_stage()->last_error(instance);
    ck_assert_msg(status == NBSTAGE_BAD_MAP, "%s passes", set->map_name);
    for (size_t i = 0; i < part_count; i++)
        ck_assert_msg(strstr(sentence, parts[i]) != NULL,
                      "%s\nexpected ...%s...", sentence, parts[i]);
    check_facts(&result, sentence);
    plugin_stage()->free_result(instance, &result);
    plugin_stage()->destroy(instance);
}

static void check_fails_for_want_of_segs(const struct lump_set *set)
{
    char parts[][PART_SIZE] = {"SEGS", "no segs"};
    check_fails(set, "check-nodes=yes", parts, COUNT(parts));
}

// ---------------------------------------------------------------------------
// Real maps

START_TEST(real_segs_pass)
{
    static const char *const options[] = {
        "check-nodes=yes",
        "check-nodes=yes grid=fit pack=none overflow=xbm1",
        "check-nodes=yes grid=id",
    };
    struct wadfile wad = freedoom_read((size_t)_i);
    int64_t total = 0;
    for (size_t m = 0; m < wad.map_count; m++) {
        struct lump_set set = lump_set_from_wad(&wad.maps[m]);
        size_t seg_count = lump_set_find(&set, "SEGS")->data_size / SEG_SIZE;
        for (size_t i = 0; i < COUNT(options); i++)
            ck_assert_int_eq(count_checked(&set, options[i]),
                             (int64_t)seg_count);
        ck_assert_int_eq(count_checked(&set, "check-nodes=no"), 0);
        total += (int64_t)seg_count;
        lump_set_free(&set);
    }
    printf("%s: %" PRId64 " segs\n", freedoom_name((size_t)_i), total);
    wadfile_free(&wad);
}
END_TEST

static int64_t distance(int32_t a, int32_t b)
{
    return a < b ? (int64_t)b - a : (int64_t)a - b;
}

// A linedef that has its first vertex far from a point, and so short that all
// of it is.
static uint32_t find_far_linedef(const struct doom_map *map,
                                 struct nbstage_vertex point)
{
    enum { FAR = 1000, SHORT = 500 };
    for (size_t i = 0; i < map->linedef_count; i++) {
        struct nbstage_vertex start = map->vertices[map->linedefs[i].v1];
        struct nbstage_vertex end = map->vertices[map->linedefs[i].v2];
        if (distance(start.x, point.x) > (int64_t)FAR * UNIT &&
            distance(start.x, end.x) < (int64_t)SHORT * UNIT)
            return (uint32_t)i;
    }
    ck_abort_msg("%s has no linedef far from a seg", map->name);
}

// The block that a point is in.
static int64_t find_block(const struct plugin_lump *lump,
                          struct nbstage_vertex point)
{
    int64_t x = point.x / UNIT - plugin_number(lump, "origin_x");
    int64_t y = point.y / UNIT - plugin_number(lump, "origin_y");
    return y / 128 * plugin_number(lump, "columns") + x / 128;
}

static uint32_t read_word(const unsigned char *bytes)
{
    return bytes[0] + 256u * bytes[1];
}

// Gives a seg a far linedef and looks for the sentence about it.
static void check_far_linedef(const struct lump_set *original,
                              const struct doom_map *map,
                              const struct plugin_lump *lump, size_t seg)
{
    const struct nbstage_lump *segs = lump_set_find(original, "SEGS");
    struct buffer changed = {0};
    buffer_put(&changed, segs->data, segs->data_size);
    unsigned char *at = changed.bytes + seg * SEG_SIZE;
    struct nbstage_vertex start = map->vertices[read_word(at)];
    uint32_t linedef = find_far_linedef(map, start);
    at[LINEDEF_AT] = (unsigned char)(linedef & 0xFF);
    at[LINEDEF_AT + 1] = (unsigned char)(linedef >> 8);
    struct lump_set set = *original; // whose lumps are all the file's
    lump_set_replace(&set, "SEGS", changed);
    char parts[4][PART_SIZE];
    snprintf(parts[0], sizeof parts[0], "%s: SEGS: ", map->name);
    snprintf(parts[1], sizeof parts[1], "seg %zu of linedef %" PRIu32 " ", seg,
             linedef);
    snprintf(parts[2], sizeof parts[2], "%" PRId32 ".00000,%" PRId32 ".00000",
             start.x / UNIT, start.y / UNIT);
    snprintf(parts[3], sizeof parts[3], "block %" PRId64 " ",
             find_block(lump, start));
    check_fails(&set, "check-nodes=yes", parts, COUNT(parts));
    lump_set_free(&set);
}

START_TEST(a_far_linedef_is_noticed)
{
    enum { SEGS_TRIED = 20 };
    struct wadfile wad = freedoom_read((size_t)_i);
    struct lump_set set = lump_set_from_wad(&wad.maps[0]);
    struct doom_map map = doom_map_decode(&wad.maps[0]);
    struct nbstage_map given = lump_set_map(&set);
    struct plugin_lump lump = plugin_build(&given, "");
    size_t seg_count = lump_set_find(&set, "SEGS")->data_size / SEG_SIZE;
    for (size_t i = 0; i < SEGS_TRIED; i++)
        check_far_linedef(&set, &map, &lump, i * (seg_count - 1) / SEGS_TRIED);
    check_far_linedef(&set, &map, &lump, seg_count - 1);
    plugin_free(&lump);
    doom_map_free(&map);
    lump_set_free(&set);
    wadfile_free(&wad);
}
END_TEST

START_TEST(a_map_without_segs_is_refused)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    struct lump_set set = lump_set_from_wad(&wad.maps[0]);
    lump_set_replace(&set, "SEGS", (struct buffer){0});
    check_fails_for_want_of_segs(&set);
    lump_set_remove(&set, "SEGS");
    check_fails_for_want_of_segs(&set);
    ck_assert_int_eq(count_checked(&set, "check-nodes=no"), 0);
    lump_set_free(&set);
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------
// A handmade map

// On a grid at 0,0: linedef 0 is in the last unit of a column, linedef 1 in
// the first units of a column and a row.
#define AT(x, y) \
    { \
        (x) * UNIT, (y)*UNIT \
    }
static struct nbstage_vertex vertices[] = {
    AT(127, 10),  AT(127, 100), AT(256, 256), AT(256, 500), // of the linedefs
    AT(128, 50),  AT(129, 50),  AT(127, 128), AT(127, 129), // of segs alone
    AT(255, 300), AT(254, 300), AT(256, 255), AT(256, 254),
};
static struct doom_linedef linedefs[] = {
    {.v1 = 0, .v2 = 1},
    {.v1 = 2, .v2 = 3},
};
static const struct doom_map handmade = {
    .name = "MAP01",
    .vertices = vertices,
    .vertex_count = COUNT(vertices),
    .linedefs = linedefs,
    .linedef_count = COUNT(linedefs),
};

// The first seg is another linedef's, and sound.
static const struct {
    unsigned v1, v2, linedef;
    const char *fault; // in the sentence; NULL: there is none
} segs[] = {
    {0, 1, 0, NULL},
    {1, 0, 0, NULL},
    // A unit off and two: to the east,
    {4, 1, 0, NULL},
    {0, 4, 0, NULL},
    {5, 1, 0, "seg 1 of linedef 0 ends at 129.00000,50.00000, but block 1 "},
    {0, 5, 0, "seg 1 of linedef 0 ends at 129.00000,50.00000, but block 1 "},
    // to the north,
    {0, 6, 0, NULL},
    {0, 7, 0, "seg 1 of linedef 0 ends at 127.00000,129.00000, but block 3 "},
    // to the west,
    {2, 8, 1, NULL},
    {2, 9, 1, "seg 1 of linedef 1 ends at 254.00000,300.00000, but block 7 "},
    // to the south.
    {10, 3, 1, NULL},
    {11, 3, 1, "seg 1 of linedef 1 ends at 256.00000,254.00000, but block 5 "},
    // Another linedef, and none.
    {0, 1, 1, "seg 1 of linedef 1 ends at 127.00000,10.00000, but block 0 "},
    {5, 7, 0xFFFF, NULL},
    // What does not exist.
    {0, 12, 0, "seg 1 refers to vertex 12, which does not exist"},
    {12, 0, 0, "seg 1 refers to vertex 12, which does not exist"},
    {0, 1, 2, "seg 1 refers to linedef 2, which does not exist"},
};

static void put_seg(struct buffer *bytes, unsigned v1, unsigned v2,
                    unsigned linedef)
{
    buffer_put_u16(bytes, v1);
    buffer_put_u16(bytes, v2);
    buffer_put_u16(bytes, 0);
    buffer_put_u16(bytes, linedef);
    buffer_put_u32(bytes, 0);
}

static void check_handmade(const struct lump_set *set, const char *options,
                           const char *fault, int64_t count)
{
    if (fault) {
        char parts[2][PART_SIZE] = {"MAP01: SEGS: "};
        snprintf(parts[1], sizeof parts[1], "%s", fault);
        check_fails(set, options, parts, COUNT(parts));
    } else {
        ck_assert_int_eq(count_checked(set, options), count);
    }
}

START_TEST(a_map_unit_is_allowed)
{
    struct lump_set set = doom_map_to_doom(&handmade);
    struct buffer bytes = {0};
    put_seg(&bytes, 2, 3, 1);
    put_seg(&bytes, segs[_i].v1, segs[_i].v2, segs[_i].linedef);
    lump_set_add(&set, "SEGS", bytes);
    int64_t count = segs[_i].linedef == 0xFFFF ? 1 : 2;
    check_handmade(&set, "check-nodes=yes grid=0,0", segs[_i].fault, count);
    struct nbstage_map map = lump_set_map(&set);
    struct plugin_lump lump = plugin_build(&map, "grid=0,0");
    lump_set_view(&set, "BLOCKMAP", lump.bytes, lump.size);
    check_handmade(&set, "check-nodes=yes source=lump", segs[_i].fault, count);
    plugin_free(&lump);
    lump_set_free(&set);
}
END_TEST

// The lists of the lines have the linedef, those of the lump do not.
START_TEST(the_present_lists_are_held_against_the_segs)
{
    enum { COLUMNS = 3, ROWS = 4, LISTS_BEGIN = 4 + COLUMNS * ROWS };
    struct lump_set set = doom_map_to_doom(&handmade);
    struct buffer bytes = {0};
    struct buffer blockmap = {0};
    put_seg(&bytes, 0, 1, 0);
    put_seg(&bytes, 2, 3, 1);
    lump_set_add(&set, "SEGS", bytes);
    buffer_put_u32(&blockmap, 0);
    buffer_put_u16(&blockmap, COLUMNS);
    buffer_put_u16(&blockmap, ROWS);
    for (unsigned b = 0; b < COLUMNS * ROWS; b++)
        buffer_put_u16(&blockmap, b == 0 ? LISTS_BEGIN : LISTS_BEGIN + 3);
    // Linedef 0 in the first block, none in the others.
    static const unsigned words[] = {0, 0, 0xFFFF, 0, 0xFFFF};
    for (size_t w = 0; w < COUNT(words); w++)
        buffer_put_u16(&blockmap, words[w]);
    lump_set_add(&set, "BLOCKMAP", blockmap);
    check_handmade(&set, "check-nodes=yes grid=keep", NULL, 2);
    check_handmade(&set, "check-nodes=yes source=lump",
                   "seg 1 of linedef 1 ends at 256.00000,256.00000, but "
                   "block 8 ",
                   0);
    lump_set_free(&set);
}
END_TEST

// ---------------------------------------------------------------------------

static Suite *make_suite(void)
{
    Suite *suite = suite_create("check");
    TCase *real = tcase_create("real maps");
    tcase_set_timeout(real, 600);
    tcase_add_loop_test(real, real_segs_pass, 0, FREEDOOM_FILES);
    tcase_add_loop_test(real, a_far_linedef_is_noticed, 0, FREEDOOM_FILES);
    tcase_add_loop_test(real, a_map_without_segs_is_refused, 0, FREEDOOM_FILES);
    suite_add_tcase(suite, real);
    TCase *made = tcase_create("handmade map");
    tcase_add_loop_test(made, a_map_unit_is_allowed, 0, COUNT(segs));
    tcase_add_test(made, the_present_lists_are_held_against_the_segs);
    suite_add_tcase(suite, made);
    return suite;
}

int main(void)
{
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    return run_suite(make_suite());
}
