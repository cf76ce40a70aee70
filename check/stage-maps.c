// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps: that they stay the host's, their forms, and damaged ones.

#include "stage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The memory of the map is gone when build returns.
static void test_unused(void)
{
    stage_load();
    for (struct walk walk = {0}; next_map(&walk);) {
        struct session session;
        struct nbstage_result result;
        struct text expected = {0}, made = {0};
        write_afresh(walk.map.map, true, &expected);
        session_open(&session);
        session_build(&session, walk.map.map, &result);
        doing("using a result when the map of it, %s, is gone", walk.map.what);
        map_free(&walk.map);
        result_write(&made, &result, true);
        check_same("a result, when its map is gone", &made, &expected);
        stage->last_error(session.instance);
        session_free(&session, &result);
        session_close(&session);
        free(expected.bytes);
    }
}

// The lumps of one form and of another that says the same.
static void test_forms(void)
{
    static const enum form pairs[][2] = {{FORM_ARRAYS, FORM_SPREAD},
                                         {FORM_KNOWN, FORM_HALF},
                                         {FORM_DOOM, FORM_ZLIB},
                                         {FORM_DOOM, FORM_GZIP},
                                         {FORM_DOOM, FORM_DEFLATE}};
    stage_load();
    for (size_t i = 0; i < DRAWINGS * COUNT(pairs); i++) {
        struct drawing drawing = drawing_make(i % DRAWINGS, settings.seed);
        const enum form *pair = pairs[i / DRAWINGS];
        struct map maps[2];
        struct text texts[2] = {0};
        nbstage_status status[2];
        for (size_t m = 0; m < 2; m++) {
            maps[m] = map_make(&drawing, pair[m]);
            doing("building %s", maps[m].what);
            status[m] = write_afresh(maps[m].map, false, &texts[m]);
        }
        char what[128];
        snprintf(what, sizeof what, "%s, compared with %s", maps[1].what,
                 maps[0].what);
        if (status[0] == NBSTAGE_OK && status[1] != NBSTAGE_UNSUPPORTED)
            check_same(what, &texts[1], &texts[0]);
        for (size_t m = 0; m < 2; m++)
            map_free(&maps[m]);
    }
}

static bool makes_blockmap(void)
{
    for (size_t i = 0; i < stage->lump_name_count; i++)
        if (strcmp(stage->lump_names[i], "BLOCKMAP") == 0)
            return true;
    return false;
}

// Lines that the host leaves out: none, all, and in an array that is too short.
static void test_left_out(void)
{
    stage_load();
    for (struct walk walk = {0}; next_map(&walk);) {
        struct drawing drawing =
            drawing_make((walk.index - 1) / FORM_COUNT, settings.seed);
        struct nbstage_map map = *walk.map.map;
        struct text expected = {0}, made = {0}, other = {0};
        unsigned char fates[COUNT(drawing.lines)] = {0};
        doing("leaving out lines of %s", walk.map.what);
        write_afresh(&map, false, &expected);
        map.left_out_count = drawing.line_count;
        map.left_out = map_add_piece(&walk.map, fates, drawing.line_count);
        write_afresh(&map, false, &made);
        check_same("left_out that leaves out none", &made, &expected);
        memset(fates, NBSTAGE_LEFT_OUT_BY_HOST, sizeof fates);
        map.left_out = map_add_piece(&walk.map, fates, drawing.line_count);
        write_afresh(&map, false, &made);
        if (makes_blockmap() && made.size == expected.size &&
            memcmp(made.bytes, expected.bytes, made.size) == 0)
            fail("left_out leaves out all lines, but changes nothing");
        map.left_out_count = 1;
        map.left_out = map_add_piece(&walk.map, fates, 1);
        write_afresh(&map, false, &other);
        free(other.bytes);
        free(made.bytes);
        free(expected.bytes);
    }
}

// ---------------------------------------------------------------------------
// Damage

// Members as no host should have them: NULL with a count, sizes of nothing.
#define DAMAGE(member, number) \
    { \
#member, offsetof(struct nbstage_map, member), \
            sizeof((struct nbstage_map *)0)->member, number \
    }
static const struct {
    const char *name;
    size_t offset;
    size_t size;
    size_t value;
} damages[] = {
    DAMAGE(format, 99),      DAMAGE(name, 0),
    DAMAGE(lumps, 0),        DAMAGE(lump_count, 0),
    DAMAGE(vertices, 0),     DAMAGE(vertex_count, 0),
    DAMAGE(vertex_count, 1), DAMAGE(vertex_stride, 0),
    DAMAGE(vertex_form, 9),  DAMAGE(lines, 0),
    DAMAGE(line_count, 0),   DAMAGE(line_stride, 0),
    DAMAGE(line_size, 0),    DAMAGE(line_size, 7),
    DAMAGE(line_form, 9),    DAMAGE(sectors, 0),
    DAMAGE(sector_count, 0), DAMAGE(sector_stride, 0),
    DAMAGE(sector_size, 0),  DAMAGE(left_out_count, 3),
};

static void set_member(struct nbstage_map *map, size_t index, size_t value)
{
    char *member = (char *)map + damages[index].offset;
    if (damages[index].size == sizeof(uint32_t))
        memcpy(member, &(uint32_t){(uint32_t)value}, sizeof(uint32_t));
    else
        memcpy(member, &value, sizeof value);
}

static void test_members(void)
{
    static const char odd[] = "\xFF\n\x1B[31m.";
    stage_load();
    struct session session;
    session_open(&session);
    for (struct walk walk = {0}; next_map(&walk);)
        for (size_t i = 0; i < 2 * COUNT(damages); i++) {
            const size_t index = i / 2;
            struct nbstage_map map = *walk.map.map;
            struct text ignored = {0};
            // Once by itself, once in a map of which nothing else is right.
            map.name = i % 2 ? odd : map.name;
            if (i % 2 && !map.lines)
                map.line_count = map.vertex_count = SIZE_MAX;
            set_member(&map, index, damages[index].value);
            doing("building %s with %zu as %s", walk.map.what,
                  damages[index].value, damages[index].name);
            session_write(&session, &map, true, &ignored);
            free(ignored.bytes);
        }
    session_close(&session);
}

// Writes over some bytes, and may cut off the end.
static size_t damage_bytes(unsigned char *bytes, size_t size,
                           struct random *random)
{
    static const unsigned char values[] = {0, 0xFF, 0x7F, 0x80, '"', '{', '9'};
    if (size > 0 && random_below(random, 3) == 0)
        size = random_below(random, (uint32_t)size);
    size_t count = size > 0 ? random_below(random, 4) : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t value = random_below(random, 2 * COUNT(values));
        bytes[random_below(random, (uint32_t)size)] =
            value < COUNT(values) ? values[value]
                                  : (unsigned char)random_below(random, 256);
    }
    return size;
}

// Damages the lumps and arrays of a map.
static void damage_pieces(struct map *made, struct nbstage_map *map,
                          struct random *random)
{
    struct nbstage_lump lumps[8];
    const size_t count = map->lump_count;
    for (size_t i = 0; i < count; i++) {
        lumps[i] = map->lumps[i];
        if (random_below(random, 3) > 0)
            continue;
        unsigned char *bytes = malloc(lumps[i].data_size + 1);
        memcpy(bytes, lumps[i].data, lumps[i].data_size);
        lumps[i].data_size = damage_bytes(bytes, lumps[i].data_size, random);
        lumps[i].data = map_add_piece(made, bytes, lumps[i].data_size);
        if (random_below(random, 16) == 0)
            lumps[i].compression = random_below(random, 6);
        free(bytes);
    }
    if (count > 0)
        map->lumps = map_add_piece(made, lumps, count * sizeof *lumps);
    if (count > 0 && random_below(random, 8) == 0)
        map->lump_count--;
    if (!map->lines)
        return;
    size_t size = (map->line_count - 1) * map->line_stride + map->line_size;
    unsigned char *lines = malloc(size);
    memcpy(lines, map->lines, size);
    damage_bytes(lines, size, random);
    map->lines = map_add_piece(made, lines, size);
    free(lines);
}

// Whatever a map is, it gives a result or a sentence, and the same one again.
static void test_damaged(void)
{
    enum { ROUNDS = 40 };
    stage_load();
    struct random random = {settings.seed};
    struct session session;
    session_open(&session);
    for (size_t i = 0; i < ROUNDS * FORM_COUNT; i++) {
        struct drawing drawing =
            drawing_make(random_below(&random, 3), settings.seed);
        struct map made = map_make(&drawing, i % FORM_COUNT);
        struct nbstage_map map = *made.map;
        struct text expected = {0}, again = {0};
        damage_pieces(&made, &map, &random);
        doing("building a damaged map, %zu, %s", i, made.what);
        session_write(&session, &map, false, &expected);
        write_afresh(&map, false, &again);
        check_same("a damaged map, built again", &again, &expected);
        free(expected.bytes);
        map_free(&made);
    }
    session_close(&session);
}

const struct test map_tests[] = {
    {"map-unused", "a map is not used after the build", test_unused},
    {"forms", "strides, 16 bits and compression give the same", test_forms},
    {"left-out", "lines that the host leaves out", test_left_out},
    {"members", "maps with members that contradict each other", test_members},
    {"damaged", "lumps and arrays with wrong bytes", test_damaged},
    {0}};
