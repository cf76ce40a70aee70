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

// ---------------------------------------------------------------------------
// Maps

// A map, and the lump that it has.
struct subject {
    struct random_map lines;
    struct nbstage_lump blockmap;
    struct nbstage_map map;
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
    subject->map = random_map_arrays(lines, "MAP01");
}

static void close_subject(struct subject *subject)
{
    random_map_free(&subject->lines);
}

// Two points, one at 0,0; each is a line.
static void open_points(struct subject *subject, int32_t x, int32_t y)
{
    open_subject(subject, 2, 2);
    subject->lines.vertices[1] = (struct nbstage_vertex){x * UNIT, y * UNIT};
}

// A field of blocks with a line of its own in each: fitted and shared, B
// blocks make a lump of 4 + B + 3 * B words, the last list at 4 * B + 1.
static void open_field(struct subject *subject, int32_t columns, int32_t rows)
{
    size_t count = (size_t)columns * (size_t)rows;
    open_subject(subject, count, count);
    for (int32_t i = 0; i < columns * rows; i++)
        subject->lines.vertices[i] = (struct nbstage_vertex){
            i % columns * BLOCK * UNIT, i / columns * BLOCK * UNIT};
}

static void set_blockmap(struct subject *subject, const void *bytes,
                         size_t size)
{
    subject->blockmap = (struct nbstage_lump){.size = sizeof subject->blockmap,
                                              .name = "BLOCKMAP",
                                              .data = bytes,
                                              .data_size = size};
    subject->map.lumps = &subject->blockmap;
    subject->map.lump_count = 1;
}

// The header of a lump that the map has, origin 0,0 and 256 x 256 blocks: all
// that is needed to keep its grid, which is over every limit.
static const unsigned char vast_blockmap[] = {0, 0, 0, 0, 0, 1, 0, 1};

// ---------------------------------------------------------------------------
// Lumps

static struct plugin_lump build(const struct subject *subject,
                                const char *options)
{
    return plugin_build_for(&test_callbacks, &subject->map, options);
}

static void assert_word(const struct plugin_lump *lump, const char *fact,
                        const char *expected)
{
    ck_assert_str_eq(plugin_find_fact(&lump->result, fact)->text, expected);
}

static void assert_bytes(const struct plugin_lump *lump, const void *expected,
                         size_t size)
{
    ck_assert_uint_eq(lump->size, size);
    ck_assert_mem_eq(lump->bytes, expected, size);
}

// ---------------------------------------------------------------------------
// The present lump

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

// ---------------------------------------------------------------------------
// The present lump as the source

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
    close_subject(&subject);
}

// What is asked for besides and cannot matter is told with the first map, and
// again when an option is set.
TEST(options_that_are_not_used_are_told_once)
{
    static const struct {
        const char *overflow; // what is set before, if anything
        bool is_vast;
        size_t message_count;
    } builds[] = {
        {"error", true, 1}, // threads, for a map that fails
        {NULL, false, 0},   {"empty", false, 1}, {NULL, false, 0},
        {NULL, true, 2}, // the lump is empty, and so the header not used
        {NULL, true, 1},    {"empty", true, 3},
    };
    const struct nbstage_descriptor *stage = plugin_stage();
    struct subject points[2];
    struct nbstage_instance *instance =
        plugin_create_for(&test_callbacks, "grid=keep threads=2 header=zero");
    open_points(&points[0], 200, 0);
    set_blockmap(&points[0], other_blockmap, sizeof other_blockmap);
    open_points(&points[1], 300, 0);
    set_blockmap(&points[1], vast_blockmap, sizeof vast_blockmap);
    points[0].lines.vertices[0].y = points[0].lines.vertices[1].y = 20 * UNIT;
    for (size_t i = 0; i < COUNT(builds); i++) {
        struct nbstage_result result = {.size = sizeof result};
        if (builds[i].overflow)
            stage->set_option(instance, "overflow", builds[i].overflow);
        test_host.message_count = 0;
        stage->build(instance, &points[builds[i].is_vast].map, &result);
        ck_assert_msg(test_host.message_count == builds[i].message_count,
                      "build %zu: %zu messages, the last is %s", i,
                      test_host.message_count, test_host.message);
        stage->free_result(instance, &result);
    }
    stage->destroy(instance);
    close_subject(&points[0]);
    close_subject(&points[1]);
}

TEST(present_lump_that_cannot_be_read_is_told)
{
    struct subject subject;
    open_points(&subject, 300, 0);
    plugin_check_failure(NULL, &subject.map, "lists=lump", NBSTAGE_BAD_MAP,
                         "MAP01", "BLOCKMAP", "no blockmap");
    set_blockmap(&subject, other_blockmap, sizeof other_blockmap - 2);
    plugin_check_failure(NULL, &subject.map, "lists=lump", NBSTAGE_BAD_MAP,
                         "MAP01", "BLOCKMAP", "block 0", "no end");
    close_subject(&subject);
}

// ---------------------------------------------------------------------------
// Limits

// Fields of blocks, the limit they are built for, and if they are over it: what
// they have, by how much that is more, and than what.
static const struct {
    int32_t columns, rows;
    const char *options, *size, *excess, *most;
} fields[] = {
    {90, 91, "limit=vanilla", NULL, NULL, NULL}, // 8,190 blocks
    {64, 128, "limit=vanilla", "32769", "2", "32767"},
    {64, 128, "limit=extended", NULL, NULL, NULL},
    {126, 130, "limit=extended", NULL, NULL, NULL}, // 16,380 blocks
    {127, 129, "limit=extended", "65536", "1", "65535"},
    {127, 129, "limit=vanilla", "65536", "1", "65535"},
    {128, 128, "limit=extended", "65540", "5", "65535"},
};

LOOP_TEST(over_limit_leaves_an_empty_lump, COUNT(fields))
{
    struct subject subject;
    open_field(&subject, fields[_i].columns, fields[_i].rows);
    const int64_t count = (int64_t)subject.map.line_count;
    struct plugin_lump lump = build(&subject, fields[_i].options);
    bool over = fields[_i].size != NULL;
    ck_assert_uint_eq(lump.size,
                      over ? 0 : 2 * (4 + 4 * subject.map.line_count));
    const struct plugin_fact facts[] = {{"over_limit", over},
                                        {"words", 4 + 4 * count},
                                        {"largest_offset", 4 * count + 1}};
    plugin_check_facts(fields[_i].options, &lump, facts, COUNT(facts));
    ck_assert_uint_eq(test_host.message_count, over);
    if (over)
        assert_tells(test_host.message, "MAP01", "BLOCKMAP", fields[_i].size,
                     fields[_i].excess, fields[_i].most);
    plugin_free(&lump);
    close_subject(&subject);
}

// ---------------------------------------------------------------------------
// Advice

// Maps over the limit, what they are built with, and the advice.
static const struct {
    int32_t columns, rows; // of a field; 0: two points far apart
    uint16_t blocks;       // of the map's own lump, as the source
    const char *options;   // grid=keep: that of the vast lump
    const char *advice;
} advised[] = {
    {0, 0, 0, "grid=keep", "grid=fit"},
    {0, 0, 0, "grid=fit pack=none", "pack=share"},
    {0, 0, 0, "grid=keep pack=none", "grid=fit"},
    {0, 0, 0, "grid=keep pack=none", "pack=share"},
    {64, 128, 0, "grid=fit limit=vanilla",
     "pack=nest with for=doom19 would meet it"},
    {64, 128, 0, "grid=id limit=vanilla header=zero",
     "pack=nest with header=none"},
    {64, 128, 0, "grid=keep", "grid=fit"},
    // Over it by a little, with nothing but merging to help.
    {128, 128, 0, "pack=nest format=doom",
     "overflow=merge could meet it by merging lists"},
    {86, 128, 0, "pack=nest limit=vanilla for=doom19",
     "overflow=merge could meet it by merging lists"},
    // Nothing classic helps.
    {128, 128, 0, "", "overflow=xbm1"},
    // The lump that the map has.
    {0, 0, 40000, "limit=vanilla", "limit=extended"},
    {0, 0, 40000, "pack=none limit=vanilla", "overflow=xbm1"},
    {0, 0, 40000, "pack=none limit=vanilla format=doom", "would meet it"},
    {0, 0, 65530, "", "overflow=xbm1"},
    {0, 0, 65530, "format=doom", "would meet it"},
};

enum { MOST_OPTIONS = 250 }; // bytes

// Appends the options that a sentence names.
static void follow_advice(const char *sentence, char options[MOST_OPTIONS])
{
    static const char *const names[] = {
        " grid=fit",   " pack=share",     " pack=nest",      " header=none",
        " for=doom19", " overflow=merge", " limit=extended", " overflow=xbm1"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strstr(sentence, names[i] + 1))
            strcat(options, names[i]);
}

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

LOOP_TEST(the_advice_given_helps, COUNT(advised))
{
    const char *advice = advised[_i].advice;
    bool is_xbm1 = strcmp(advice, "overflow=xbm1") == 0;
    bool merges = strstr(advice, "overflow=merge") != NULL;
    struct subject subject;
    struct buffer row = {0};
    char options[MOST_OPTIONS];
    open_advised(&subject, _i, &row);
    snprintf(options, sizeof options, "%s lists=%s overflow=error",
             advised[_i].options, row.size > 0 ? "lump" : "exact");
    const char *sentence;
    ck_assert_int_eq(plugin_try(&subject.map, options, &sentence),
                     NBSTAGE_OVER_LIMIT);
    assert_tells(sentence, "MAP01", "BLOCKMAP", advice);
    bool helps = strchr(sentence, '=') != NULL;
    strcat(options, " overflow=empty");
    follow_advice(is_xbm1 || merges ? advice : sentence, options);
    struct plugin_lump lump = build(&subject, options);
    ck_assert_int_eq(lump.size > 0, helps);
    ck_assert_int_eq(plugin_number(&lump, "merges") > 0, merges);
    ck_assert_int_eq(plugin_number(&lump, "over_limit"), is_xbm1 || !helps);
    assert_word(&lump, "form", is_xbm1 ? "xbm1" : helps ? "classic" : "empty");
    if (is_xbm1) { // a format that is asked for is not left
        ck_assert_int_eq(plugin_number(&lump, "words"),
                         (int64_t)(lump.size - 8) / 4);
        strcat(options, " format=doom");
        plugin_check_failure(NULL, &subject.map, options, NBSTAGE_OVER_LIMIT,
                             "MAP01", "BLOCKMAP");
    }
    plugin_free(&lump);
    buffer_free(&row);
    close_subject(&subject);
}

// ---------------------------------------------------------------------------
// Never worse

enum outcome { NEW, NESTED, KEPT, LOST };

#define MAY_MERGE \
    "limit=vanilla with overflow=merge could meet it by merging lists; no " \
    "packing without loss would meet it"

// Maps of so many lines, the options that their own lump was built with, and
// what becomes of it.
static const struct {
    uint32_t lines;
    const char *own, *options;
    enum outcome outcome;
    const char *advice;
} owned[] = {
    {2100, "pack=nest", "", NESTED, NULL},
    {2100, "pack=nest", "limit=extended", LOST, "pack=nest would meet it"},
    {2100, "pack=nest", "preset=repack", NEW, NULL},
    {2100, "pack=nest", "lists=lump limit=extended", KEPT, NULL},
    {2100, "pack=nest", "for=woof format=xbm1", NEW, NULL},
    {2100, "pack=nest for=doom19", "preset=repack", KEPT, NULL},
    {2100, "pack=share", "", NEW, NULL}, // did not meet it
    {2500, "limit=vanilla overflow=merge", "", LOST, MAY_MERGE},
    {2500, "limit=vanilla overflow=merge", "preset=repack", KEPT, NULL},
    {2500, "limit=vanilla overflow=merge", "lists=lump pack=none", KEPT, NULL},
    {2500, "limit=vanilla overflow=merge", "preset=vanilla grid=fit", NEW,
     NULL},
    // Only lumps of which every list can be read are kept.
    {2500, NULL, "", NEW, NULL},
    {2500, NULL, "preset=repack", NEW, NULL},
    {2100, "format=xbm1 pack=nest", "", NEW, NULL},
    {2100, "format=xbm1 pack=nest", "lists=lump format=xbm1", KEPT, NULL},
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
                 "MAP01: BLOCKMAP: lists are nested, as the lump would else "
                 "have %d words with %d as the largest offset, and miss the "
                 "vanilla limit that the present one meets",
                 (int)plugin_number(plain, "words"),
                 (int)plugin_number(plain, "largest_offset"));
    else if (owned[row].outcome == LOST)
        snprintf(sentence, sizeof sentence,
                 "MAP01: BLOCKMAP: the largest offset is %d and was %d; "
                 "offsets over 32767 crash Doom 1.9, Chocolate Doom; %s",
                 (int)plugin_number(lump, "largest_offset"),
                 (int)plugin_number(own, "largest_offset"), owned[row].advice);
    if (*sentence) {
        ck_assert_str_eq(test_host.message, sentence);
        ck_assert_uint_eq(test_host.message_count, 1);
    }
}

LOOP_TEST(the_maps_own_lump_is_never_better, COUNT(owned))
{
    const struct scatter scatter = {2, owned[_i].lines, 8000, 2000};
    const enum outcome outcome = owned[_i].outcome;
    const bool is_damaged = owned[_i].own == NULL;
    struct subject subject = {.lines = scattered_map_make(&scatter)};
    subject.map = random_map_arrays(&subject.lines, "MAP01");
    struct plugin_lump own =
        build(&subject, is_damaged ? "pack=nest" : owned[_i].own);
    struct plugin_lump plain = build(&subject, "");
    set_blockmap(&subject, own.bytes, own.size - (is_damaged ? 2 : 0));
    test_host.message_count = 0;
    struct plugin_lump lump = build(&subject, owned[_i].options);
    expect_sentence(_i, &own, &lump, &plain);
    ck_assert_int_eq(plugin_number(&lump, "kept"), outcome == KEPT);
    ck_assert_int_eq(plugin_number(&lump, "lost_limit"), outcome == LOST);
    if (strstr(owned[_i].options, "=repack") ||
        strstr(owned[_i].options, "=lump"))
        ck_assert_uint_le(lump.size, own.size);
    if (outcome == KEPT) {
        assert_bytes(&lump, own.bytes, own.size);
        assert_word(&lump, "form", plugin_find_fact(&own.result, "form")->text);
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

// The header that is chosen for games, of lists that all begin with linedef 0
// and of others.
static const struct {
    const char *options, *header, *header_of_zeros;
} chosen[] = {
    {"", "zero", "zero"},
    {"for=doom19", "none", "any"},
    {"for=boom", "any", "any"},
    {"for=mbf21", "none", "any"},
    {"for=mbf21 pack=nest", "none", "any"},
    {"for=doom19,mbf21", "none", "any"},
    {"for=mbf21 header=none", "none", "any"},
    {"for=zdoom,doom19", "zero", "zero"},
};

LOOP_TEST(header_is_the_weakest_that_games_read, COUNT(chosen))
{
    struct subject subject;
    open_points(&subject, 300, 0);
    struct plugin_lump lump = build(&subject, chosen[_i].options);
    assert_word(&lump, "header", chosen[_i].header);
    plugin_free(&lump);
    subject.lines.lines[0].v2 = 1; // in all blocks
    lump = build(&subject, chosen[_i].options);
    assert_word(&lump, "header", chosen[_i].header_of_zeros);
    plugin_free(&lump);
    close_subject(&subject);
}

// ---------------------------------------------------------------------------
// The context that all steps share

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

int main(void)
{
    return run_tests(all_tests());
}
