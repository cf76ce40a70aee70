// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves what the stage as a whole promises: what it does with the lump that a
// map has, which limit a map meets, what is told of one that does not, and that
// the advice it gives helps.

#include "base/context.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "plugin.h"
#include "random-map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 1 << 16, BLOCK = 128 }; // a map unit in 16.16; map units

// --- Maps ---

// A map, and the lump that it has.
struct subject {
    struct random_map lines;
    struct nbstage_lump blockmap;
    struct nbstage_map map;
    struct kept_arrays arrays;
};

// Lines of no length: line i is at vertex i, if there is one, and else at
// vertex 0.
static void open_subject(struct subject *subject, size_t vertex_count,
                         size_t line_count)
{
    struct random_map *lines = &subject->lines;
    random_map_allocate(lines, vertex_count, line_count);
    for (uint32_t i = 0; i < line_count && i < vertex_count; i++)
        lines->lines[i].v1 = lines->lines[i].v2 = i;
    struct nbstage_map map = RANDOM_MAP(lines, "MAP01");
    arrays_keep(&map, &subject->arrays);
    subject->map = map;
}

static void close_subject(struct subject *subject)
{
    random_map_free(&subject->lines);
}

// Two points, one at 0,0; each is a line.
static void open_points(struct subject *subject, int32_t x, int32_t y)
{
    open_subject(subject, 2, 2);
    subject->lines.vertices[1] = (struct plain_vertex){x * UNIT, y * UNIT};
}

// A field of blocks with a line of its own in each: fitted and shared, B
// blocks make a lump of 4 + B + 3 * B words, the last list at 4 * B + 1.
static void open_field(struct subject *subject, int32_t columns, int32_t rows)
{
    size_t count = (size_t)columns * (size_t)rows;
    open_subject(subject, count, count);
    for (int32_t i = 0; i < columns * rows; i++)
        subject->lines.vertices[i] = (struct plain_vertex){
            i % columns * BLOCK * UNIT, i / columns * BLOCK * UNIT};
}

static void set_blockmap(struct subject *subject, const void *bytes,
                         size_t size)
{
    subject->blockmap = (struct nbstage_lump){
        .name = "BLOCKMAP", .data = bytes, .data_size = size};
    subject->map.lumps = &subject->blockmap;
    subject->map.lump_count = 1;
}

// The header of a lump that the map has, origin 0,0 and 256 x 256 blocks: all
// that is needed to keep its grid, which is over every limit.
static const unsigned char vast_blockmap[] = {0, 0, 0, 0, 0, 1, 0, 1};

// --- Lumps ---

static struct plugin_lump build(const struct subject *subject,
                                const char *options)
{
    return plugin_build_for(&test_callbacks, &subject->map, options);
}

static void assert_word(const struct plugin_lump *lump, const char *fact,
                        const char *expected)
{
    ck_assert_str_eq(plugin_stage()->get_fact(lump->instance, fact)->text,
                     expected);
}

static void assert_bytes(const struct plugin_lump *lump, const void *expected,
                         size_t size)
{
    ck_assert_uint_eq(lump->size, size);
    ck_assert_mem_eq(lump->bytes, expected, size);
}

// --- The present lump ---

// A lump may be damaged and still say which grid it had.
LOOP_TEST(grid_of_the_present_lump_is_kept, 2)
{
    static const unsigned char classic[] = {0xF8, 0xFF, 0xF0, 0xFF, 2, 0, 1, 0};
    static const unsigned char xbm1[24] =
        "XBM1\0\0\0\0\0\0\xF8\xFF\0\0\xF0\xFF\2\0\0\0\1\0\0";
    struct subject subject;
    open_points(&subject, 200, 10);
    if (_i == 0)
        set_blockmap(&subject, classic, sizeof classic);
    else
        set_blockmap(&subject, xbm1, sizeof xbm1);
    struct plugin_lump lump = build(&subject, "");
    assert_word(&lump, "grid", "keep");
    ck_assert_mem_eq(lump.bytes, classic, sizeof classic);
    plugin_free(&lump);
    subject.blockmap.data_size--;
    lump = build(&subject, "");
    assert_word(&lump, "grid", "fit");
    plugin_free(&lump);
    close_subject(&subject);
}

// --- The present lump as the source ---

// A grid of 2 x 1 blocks that has nothing to do with points at 0,0 and 300,0,
// with line 1 in the first of them and no line in the other, 0 before neither.
static const unsigned char other_blockmap[] = {
    0xF6, 0xFF, 20,   0,    2, 0, 1, 0,       // -10,20; 2 x 1 blocks
    9,    0,    10,   0,    0, 0, 0, 0, 0, 0, // offsets; not used
    1,    0,    0xFF, 0xFF,                   // line 1; nothing
};

TEST(present_lists_are_repacked)
{
    static const unsigned char expected[] = {
        0xF6, 0xFF, 20,   0,    2,    0,    1, 0, // the same grid
        6,    0,    9,    0,                      // offsets
        0,    0,    1,    0,    0xFF, 0xFF,       // line 1
        0,    0,    0xFF, 0xFF,                   // nothing
    };
    static const char *const options[] = {"lists=lump", "lists=lump grid=keep",
                                          "lists=lump grid=fit",
                                          "lists=lump grid=search"};
    static const struct plugin_fact facts[] = {
        {"entries", 1}, {"lists", 2}, {"linedefs", 2}, {"placements", 0}};
    struct subject subject;
    open_points(&subject, 300, 0);
    set_blockmap(&subject, other_blockmap, sizeof other_blockmap);
    for (size_t i = 0; i < COUNT(options); i++) {
        struct plugin_lump lump = build(&subject, options[i]);
        assert_bytes(&lump, expected, sizeof expected);
        assert_word(&lump, "grid", "keep");
        plugin_check_facts(options[i], &lump, facts, COUNT(facts));
        plugin_free(&lump);
    }
    // The host leaves out lines, in vain; and offsets or lists are not there.
    struct nbstage_lines lines = *subject.map.lines;
    subject.lines.lines[0].special = 1;
    lines.left_out = lines.special;
    subject.map.lines = &lines;
    test_host.message_count = 0;
    struct plugin_lump lump = build(&subject, "lists=lump");
    assert_tells(test_host.first_message, "MAP01", "leaves out", "lists=lump");
    plugin_free(&lump);
    for (size_t size = 8; size <= 12; size += 2) {
        set_blockmap(&subject, other_blockmap, size);
        lump = build(&subject, "preset=repack");
        ck_assert_int_eq(plugin_number(&lump, "kept"), 0);
        plugin_free(&lump);
    }
    close_subject(&subject);
}

// What games do not read is told with the first map, fails it or not, and again
// when an option is set.
TEST(options_that_games_do_not_read_are_told_once)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct subject points;
    struct nbstage_instance *instance =
        plugin_create_for(&test_callbacks, "for=everywhere overflow=xbm1");
    open_points(&points, 200, 0);
    for (size_t i = 0; i < 4; i++) {
        if (i == 2)
            stage->set_option(instance, "overflow", "empty", NBSTAGE_BY_USER);
        points.lines.lines[0].v2 = i == 0 ? 2 : 0; // does not exist, or does
        test_host.message_count = 0;
        ck_assert_int_eq(stage->build(instance, &points.map),
                         i == 0 ? NBSTAGE_BAD_MAP : NBSTAGE_OK);
        ck_assert_uint_eq(test_host.message_count, i % 2 == 0);
    }
    stage->destroy(instance);
    close_subject(&points);
}

// --- Advice ---

// Maps over the limit, what they are built with, and the advice: the options to
// add, or why none helps.
#define TRY_FIT "try grid=fit"
#define SPLIT "split the map"
#define BOUND "merging stopped at 4 extra entries for each entry"
static const struct {
    int32_t columns, rows; // of a field; 0: two points far apart
    uint16_t blocks;       // of the map's own lump, as the source
    const char *options;   // grid=keep: that of the vast lump
    const char *advice;
} advised[] = {
    {64, 128, 0, "for=everywhere", "add preset=vanilla overflow=merge,error:"},
    {64, 128, 0, "for=everywhere grid=keep", 
     "add preset=vanilla grid=search overflow=merge,error:"},
    {64, 128, 0, "grid=keep", "add grid=fit:"},
    {90, 90, 0, "grid=keep", "add grid=fit:"},
    {0, 0, 0, "grid=keep", "add grid=fit:"}, // 200 x 200 blocks
    {0, 0, 0, "for=everywhere grid=fit", SPLIT},
    {128, 128, 0, "for=doom19 grid=fit preset=vanilla", BOUND},
    {181, 181, 0, "for=doom19 grid=fit", BOUND},
    {181, 182, 0, "for=doom19 grid=fit", SPLIT}, // too many linedefs
    {150, 150, 0, "grid=fit", "add preset=small overflow=merge,auto:"},
    // The lump that the map has.
    {0, 0, 40000, "lists=lump for=everywhere", SPLIT},
    {0, 0, 65530, "lists=lump", SPLIT},
};

// A classic lump of so many blocks in a row, all with one empty list.
static struct buffer make_vast_row(uint16_t blocks)
{
    struct buffer bytes = {0};
    buffer_put_u32(&bytes, 0);
    buffer_put_u16(&bytes, blocks);
    buffer_put_u16(&bytes, 1);
    for (size_t b = 0; b < blocks; b++)
        buffer_put_u16(&bytes, 4U + blocks);
    buffer_put_u16(&bytes, 0);
    buffer_put_u16(&bytes, 0xFFFF);
    return bytes;
}

// Makes the map of a row of `advised`, which may have the lump at *row.
static void open_advised(struct subject *subject, int row,
                         struct buffer *blockmap)
{
    const int32_t far = 199 * BLOCK; // 200 x 200 blocks
    if (advised[row].columns > 0)
        open_field(subject, advised[row].columns, advised[row].rows);
    else
        open_points(subject, far, far);
    if (advised[row].blocks > 0) {
        *blockmap = make_vast_row(advised[row].blocks);
        set_blockmap(subject, blockmap->bytes, blockmap->size);
    } else if (strstr(advised[row].options, "grid=keep")) {
        set_blockmap(subject, vast_blockmap, sizeof vast_blockmap);
    }
}

// What is advised works, and its lump has as many bytes as are told.
static void expect_that_it_works(const struct subject *subject,
                                 const char *options, const char *sentence)
{
    const char *added = strstr(sentence, "; add ") + strlen("; add ");
    char all[200], bytes[40];
    snprintf(all, sizeof all, "%s %.*s", options, (int)strcspn(added, ":"),
             added);
    struct plugin_lump lump = build(subject, all);
    snprintf(bytes, sizeof bytes, "%zu bytes", lump.size);
    ck_assert_uint_gt(lump.size, 0);
    assert_tells(added, bytes);
    plugin_free(&lump);
}

LOOP_TEST(the_advice_is_one_sentence, COUNT(advised))
{
    struct subject subject;
    struct buffer row = {0};
    char options[80];
    open_advised(&subject, _i, &row);
    snprintf(options, sizeof options, "%s overflow=error", advised[_i].options);
    const char *sentence;
    ck_assert_int_eq(plugin_try(&subject.map, options, &sentence),
                     NBSTAGE_OVER_LIMIT);
    assert_tells(sentence, "MAP01", "BLOCKMAP", advised[_i].advice);
    if (strncmp(advised[_i].advice, "add", 3) == 0)
        expect_that_it_works(&subject, options, sentence);
    buffer_free(&row);
    close_subject(&subject);
}

// --- Reach ---

// Two points, one at 0,0 and one this far east, the options, and what is told.
#define SHOTS "over 30720 units from the grid's origin shots may pass walls in"
#define WALLS "over 32752 units from the grid's origin walls may not block in"
static const struct {
    int32_t east;
    const char *options;
    const char *sentence; // its beginning, or NULL
    const char *ending;
    int32_t distance;
} distances[] = {
    {30720, "", NULL, NULL, 30720},
    {30721, "", SHOTS " doom19, crispy-doom",
     "and lines reach 30721; no blockmap can help, as the map is too large for these ports", 30721},
    {30720, "grid=-1,0", SHOTS, "and lines reach 30721; " TRY_FIT, 30721},
    {32752, "", SHOTS, "the map is too large for these ports", 32752},
    {32752, "grid=-1,0", WALLS, "and lines reach 32753; " TRY_FIT, 32753},
    {100, "grid=0,-32752", SHOTS, "and lines reach 32752; " TRY_FIT, 32752},
    {100, "grid=0,-32753", WALLS, "and lines reach 32753; " TRY_FIT, 32753},
    {32753, "", WALLS, "the map is too large for these ports", 32753},
    {32753, "grid=search", WALLS, "the map is too large for these ports", 0},
    {32753, "for=boom", WALLS " boom, and lines reach 32753; no blockmap", "",
     32753},
    {32753, "for=gzdoom", NULL, NULL, 32753},
    {32753, "for=zdoom,srb2,doom-retro", NULL, NULL, 32753},
    // These find twice as much.
    {32767, "for=zdoom grid=-30721,0", NULL, NULL, 63488},
    {32767, "for=zdoom grid=-30722,0",
     "over 63488 units from the grid's origin shots may pass walls in zdoom",
     "and lines reach 63489; " TRY_FIT, 63489},
    {32767, "for=zdoom grid=-32754,0",
     "over 65520 units from the grid's origin walls may not block in zdoom",
     "and lines reach 65521; " TRY_FIT, 65521},
    {32767, "for=gzdoom grid=-32768,0", NULL, NULL, 65535},
};

LOOP_TEST(lines_that_are_too_far_are_told, COUNT(distances))
{
    struct subject subject;
    open_points(&subject, distances[_i].east, 0);
    test_host.message_count = 0;
    struct plugin_lump lump = build(&subject, distances[_i].options);
    ck_assert_uint_eq(test_host.message_count, distances[_i].sentence != NULL);
    if (distances[_i].sentence)
        assert_tells(test_host.message, "MAP01: BLOCKMAP",
                     distances[_i].sentence, distances[_i].ending);
    if (distances[_i].distance > 0)
        ck_assert_int_eq(plugin_number(&lump, "distance"),
                         distances[_i].distance);
    plugin_free(&lump);
    close_subject(&subject);
}

// A margin of 8 units, kept because demos depend on it; the advice helps.
TEST(kept_grid_that_is_too_far_is_told)
{
    static const unsigned char margin[] = {0xF8, 0xFF, 0xF8, 0xFF, 0, 1, 1, 0};
    struct subject subject;
    open_points(&subject, 32750, 0);
    set_blockmap(&subject, margin, sizeof margin);
    test_host.message_count = 0;
    struct plugin_lump lump = build(&subject, "");
    assert_word(&lump, "grid", "keep");
    ck_assert_uint_eq(test_host.message_count, 1);
    assert_tells(test_host.message, WALLS, "and lines reach 32758; " TRY_FIT);
    plugin_free(&lump);
    test_host.message_count = 0;
    lump = build(&subject, "grid=fit");
    ck_assert_uint_eq(test_host.message_count, 1);
    assert_tells(test_host.message, SHOTS, "and lines reach 32750");
    plugin_free(&lump);
    // DoomBSP's margin is cut, and a search does not move the grid as far.
    static const char *const options[] = {"grid=id", "grid=search",
                                          "preset=small", "preset=vanilla"};
    for (size_t i = 0; i < COUNT(options); i++) {
        lump = build(&subject, options[i]);
        ck_assert_int_le(plugin_number(&lump, "distance"), 32752);
        plugin_free(&lump);
    }
    close_subject(&subject);
}

// --- Never worse ---

// Where lists are not merged a limit is lost by another form, or by no lump.
enum outcome { NEW, NESTED, KEPT, LOST, LOST_TO_FORM };

// Maps of so many lines, the options that their own lump was built with, and
// what becomes of it.
static const struct {
    uint32_t lines;
    const char *own, *options;
    enum outcome outcome;
} owned[] = {
    {2100, "pack=nest", "", NESTED},
    {2100, "pack=nest", "preset=repack", NEW},
    {2100, "pack=nest", "for=woof-dev format=xbm1", NEW},
    {2100, "pack=nest", "for=boom", NESTED},
    {2100, "pack=nest", "for=mbf21", NEW},
    {2100, "pack=nest", "lists=lump", KEPT},
    {2100, "pack=nest for=doom19", "preset=repack for=doom19 pack=share", KEPT},
    {2100, "pack=share", "", NEW}, // did not meet it
    {2500, "for=everywhere overflow=merge", "", LOST},
    {2500, "for=everywhere overflow=merge", "preset=repack", KEPT},
    {2500, "for=everywhere overflow=merge", "for=everywhere overflow=xbm1",
     LOST_TO_FORM},
    {2500, "for=everywhere overflow=merge", "for=everywhere overflow=empty",
     LOST_TO_FORM},
    {2500, "pack=share", "preset=repack for=everywhere overflow=empty", NEW},
    {4860, "pack=nest", "", NESTED},
    {2500, "for=everywhere overflow=merge", "preset=vanilla grid=fit", NEW},
    // Only lumps of which every list can be read are kept.
    {2500, NULL, "", NEW},
    {2500, NULL, "preset=repack", NEW},
    {2100, "format=xbm1 pack=nest", "", NEW},
    {2100, "format=xbm1 pack=nest", "lists=lump format=xbm1", KEPT},
};

// What is told of an outcome, in one sentence; `plain` is the lump without the
// map's own.
static void expect_sentence(int row, const struct plugin_lump *own,
                            const struct plugin_lump *lump,
                            const struct plugin_lump *plain)
{
    char sentence[CONTEXT_MESSAGE_SIZE] = "";
    if (owned[row].outcome == NESTED)
        snprintf(sentence, sizeof sentence,
                 "MAP01: BLOCKMAP: lists were nested: otherwise the lump, with "
                 "%d words and %d as the largest offset, would miss the %s "
                 "limit that the present one meets",
                 (int)plugin_number(plain, "words"),
                 (int)plugin_number(plain, "largest_offset"),
                 owned[row].lines > 4000 ? "extended" : "vanilla");
    else if (owned[row].outcome == LOST)
        snprintf(sentence, sizeof sentence,
                 "MAP01: BLOCKMAP: the largest offset is %d and was %d; "
                 "offsets over 32767 crash Doom 1.9 and Chocolate Doom; add "
                 "for=any,doom19 preset=vanilla: 65580 bytes, grid moves, 2224 "
                 "extra entries, demos differ",
                 (int)plugin_number(lump, "largest_offset"),
                 (int)plugin_number(own, "largest_offset"));
    if (*sentence) { // and what is said of a lump over the vanilla limit
        ck_assert_str_eq(test_host.first_message, sentence);
        const bool is_extended =
            owned[row].outcome == NESTED && owned[row].lines > 4000;
        ck_assert_uint_eq(test_host.message_count, is_extended ? 2 : 1);
    }
}

LOOP_TEST(the_maps_own_lump_is_never_better, COUNT(owned))
{
    const struct scatter scatter = {2, owned[_i].lines, 8000, 2000};
    const enum outcome outcome = owned[_i].outcome;
    const bool is_damaged = owned[_i].own == NULL;
    struct subject subject = {.lines = scattered_map_make(&scatter)};
    subject.map = RANDOM_MAP(&subject.lines, "MAP01");
    struct plugin_lump own =
        build(&subject, is_damaged ? "pack=nest" : owned[_i].own);
    struct plugin_lump plain =
        build(&subject, outcome == NESTED ? owned[_i].options : "");
    set_blockmap(&subject, own.bytes, own.size - (is_damaged ? 2 : 0));
    test_host.message_count = 0;
    struct plugin_lump lump = build(&subject, owned[_i].options);
    expect_sentence(_i, &own, &lump, &plain);
    ck_assert_int_eq(plugin_number(&lump, "kept"), outcome == KEPT);
    ck_assert_int_eq(plugin_number(&lump, "lost_limit"), outcome >= LOST);
    if (strstr(owned[_i].options, "=repack") ||
        strstr(owned[_i].options, "=lump"))
        ck_assert_uint_le(lump.size, own.size);
    if (outcome == KEPT) {
        assert_bytes(&lump, own.bytes, own.size);
        assert_word(&lump, "form",
                    plugin_stage()->get_fact(own.instance, "form")->text);
    }
    if (outcome == NESTED || outcome == KEPT) // twice is the same as once
        set_blockmap(&subject, lump.bytes, lump.size);
    struct plugin_lump again = build(&subject, owned[_i].options);
    plugin_check_same(owned[_i].options, &again, &lump);
    plugin_free(&again);
    plugin_free(&lump);
    plugin_free(&plain);
    plugin_free(&own);
    close_subject(&subject);
}

// --- The context that all steps share ---

TEST(arrays_are_as_large_as_can_be_addressed)
{
    void *array = &array;
    ck_assert_int_eq(
        context_allocate(&test_context, SIZE_MAX / 8 + 1, 8, &array),
        NBSTAGE_OUT_OF_MEMORY);
    ck_assert_ptr_null(array);
    array = &array;
    ck_assert_int_eq(
        context_allocate_zeroed(&test_context, SIZE_MAX, 2, &array),
        NBSTAGE_OUT_OF_MEMORY);
    ck_assert_ptr_null(array);
    array = &array;
    ck_assert_int_eq(context_allocate(&test_context, 0, 8, &array), NBSTAGE_OK);
    ck_assert_ptr_null(array);
    ck_assert_uint_eq(test_host.request_count, 0);
    context_release(&test_context, array);
}

// The name of a map can be longer than any sentence.
TEST(long_names_are_cut)
{
    struct {
        struct context context;
        char behind[CONTEXT_MESSAGE_SIZE];
    } guarded = {.context = test_context};
    static const char untouched[sizeof guarded.behind];
    char name[CONTEXT_MESSAGE_SIZE + 10];
    memset(name, 'M', sizeof name);
    guarded.context.map_name = name;
    for (size_t length = CONTEXT_MESSAGE_SIZE - 50; length < sizeof name;
         length++) {
        name[length] = '\0';
        context_fail(&guarded.context, NBSTAGE_BAD_MAP, "LUMP",
                     "what is wrong");
        context_log(&guarded.context, NBSTAGE_LOG_INFO, "LUMP",
                    "what is wrong");
        size_t kept = strlen(guarded.context.message);
        ck_assert_uint_ge(kept, CONTEXT_MESSAGE_SIZE - 51);
        ck_assert_uint_lt(kept, CONTEXT_MESSAGE_SIZE);
        ck_assert_int_eq(memcmp(name, guarded.context.message,
                                kept < length ? kept : length),
                         0);
        ck_assert_str_eq(test_host.message, guarded.context.message);
        ck_assert_mem_eq(guarded.behind, untouched, sizeof untouched);
        name[length] = 'M';
    }
}
