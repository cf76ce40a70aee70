// SPDX-License-Identifier: GPL-2.0-or-later
//
// Results: what they have, how long they are valid, and that they are always
// the same.

#define _POSIX_C_SOURCE 200809L // for barriers

#include "stage.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Every map gives a result or a sentence; some map has to be built.
static void test_results(void)
{
    stage_load();
    char why[256] = "";
    size_t built = 0;
    for (size_t i = 0; i < DRAWINGS * FORM_COUNT; i++) {
        struct drawing drawing = drawing_make(i / FORM_COUNT, settings.seed);
        struct map map = map_make(&drawing, i % FORM_COUNT);
        struct text text = {0};
        doing("building the map %s, in memory that cannot be written to or "
              "read beyond its end",
              map.what);
        if (write_afresh(map.map, true, &text) == NBSTAGE_OK)
            built++;
        else
            snprintf(why, sizeof why, "%s: %.*s", map.what, (int)text.size,
                     (const char *)text.bytes);
        free(text.bytes);
        map_free(&map);
    }
    if (built == 0)
        fail("the stage built none of %d maps, such as %s",
             DRAWINGS * FORM_COUNT, why);
}

// Builds and other calls of an instance leave its results alone, and they can
// be freed in any order, and when they are empty.
static void test_live(void)
{
    stage_load();
    for (struct walk walk = {0}; next_map(&walk);) {
        static const unsigned char order[] = {2, 0, 3, 1};
        struct nbstage_result results[COUNT(order)];
        struct text texts[COUNT(order)] = {0}, made = {0}, ignored = {0};
        struct session session;
        struct drawing drawing = drawing_make(0, settings.seed);
        struct map other = map_make(&drawing, walk.index % FORM_COUNT);
        session_open(&session);
        doing("building %s and others", walk.map.what);
        for (size_t i = 0; i < COUNT(order); i++) {
            session_build(&session, i % 2 ? other.map : walk.map.map,
                          &results[i]);
            result_write(&texts[i], &results[i], true);
        }
        doing("freeing a result that was never built");
        session_free(&session,
                     &(struct nbstage_result){.size = sizeof *results});
        doing("building %s and others", walk.map.what);
        struct values value = {0};
        while (next_value(&value) && !value.is_default)
            ;
        if (stage->option_count > 0)
            session_set(&session, value.name, value.text);
        session_set(&session, "no-such-option", "x");
        for (size_t i = 0; i < COUNT(order); i++) {
            struct nbstage_result *result = &results[order[i]];
            result_write(&made, result, true);
            check_same("a result, after later calls", &made, &texts[order[i]]);
            session_free(&session, result);
            doing("freeing a result that is empty");
            session_free(&session, result);
            free(texts[order[i]].bytes);
        }
        session_write(&session, walk.map.map, true, &ignored);
        free(ignored.bytes);
        map_free(&other);
        session_close(&session);
    }
}

// The same instance builds others in between; another has been used as well.
static void test_repeated(void)
{
    stage_load();
    struct session used;
    session_open(&used);
    for (struct walk walk = {0}; next_map(&walk);) {
        struct text expected = {0}, made = {0};
        write_afresh(walk.map.map, true, &expected);
        doing("building %s again", walk.map.what);
        write_afresh(walk.map.map, true, &made);
        check_same("the same map in another instance", &made, &expected);
        for (int i = 0; i < 2; i++) {
            session_write(&used, walk.map.map, true, &made);
            check_same("the same map in an instance that has built others",
                       &made, &expected);
        }
        free(expected.bytes);
    }
    session_close(&used);
}

// ---------------------------------------------------------------------------
// Threads

enum { THREADS = 8, MOST_RESULTS = DRAWINGS * FORM_COUNT };

static struct {
    struct map map;
    struct text expected;
} shared[MOST_RESULTS];
static size_t shared_count;
static pthread_barrier_t barrier;

static void *build_all(void *nothing)
{
    struct text made = {0};
    pthread_barrier_wait(&barrier);
    for (size_t i = 0; i < shared_count; i++) {
        write_afresh(shared[i].map.map, true, &made);
        check_same("in one of eight threads", &made, &shared[i].expected);
    }
    return nothing;
}

static void test_threads(void)
{
    stage_load();
    pthread_t threads[THREADS];
    for (struct walk walk = {0}; next_map(&walk); shared_count++) {
        write_afresh(walk.map.map, true, &shared[shared_count].expected);
        shared[shared_count].map = walk.map;
        walk.map.piece_count = 0; // it is kept
    }
    doing("building in eight threads");
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, build_all, NULL) != 0)
            fail("nbstage-check itself could not start a thread");
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

// ---------------------------------------------------------------------------
// The BLOCKMAP lump, of stages that make one: every line is in the list of each
// block that has one of 17 points of the line inside of it.

static uint32_t word(const struct nbstage_lump *lump, size_t index)
{
    const unsigned char *bytes = lump->data;
    if (2 * index + 2 > lump->data_size)
        fail("the BLOCKMAP has %zu bytes, but refers to word %zu",
             lump->data_size, index);
    return bytes[2 * index] | (uint32_t)bytes[2 * index + 1] << 8;
}

static void check_listed(const struct nbstage_lump *lump, size_t line,
                         long block_x, long block_y)
{
    const long columns = (long)word(lump, 2), rows = (long)word(lump, 3);
    if (block_x < 0 || block_x >= columns || block_y < 0 || block_y >= rows)
        fail("linedef %zu is outside the grid of the BLOCKMAP", line);
    size_t block = (size_t)(block_y * columns + block_x);
    size_t next = word(lump, 4 + block);
    while (word(lump, next) != line) {
        if (word(lump, next) == 0xFFFF)
            fail("block %zu of the BLOCKMAP does not list linedef %zu", block,
                 line);
        next++;
    }
}

static void check_blockmap(const struct nbstage_lump *lump,
                           const struct drawing *drawing)
{
    enum { STEPS = 16, SIDE = 128 * STEPS };
    for (size_t i = 0; i < drawing->line_count; i++) {
        const int16_t *v1 = drawing->vertices[drawing->lines[i].v1];
        const int16_t *v2 = drawing->vertices[drawing->lines[i].v2];
        for (long step = 0; step <= STEPS; step++) {
            long place[2];
            for (size_t axis = 0; axis < 2; axis++)
                place[axis] = v1[axis] * (STEPS - step) + v2[axis] * step -
                              (int16_t)word(lump, axis) * STEPS;
            if (place[0] < 0 || place[1] < 0)
                fail("linedef %zu is outside the grid of the BLOCKMAP", i);
            if (place[0] % SIDE != 0 && place[1] % SIDE != 0)
                check_listed(lump, i, place[0] / SIDE, place[1] / SIDE);
        }
    }
}

static void test_blockmap(void)
{
    stage_load();
    bool is_made = false;
    for (struct walk walk = {0}; next_map(&walk);) {
        struct drawing drawing =
            drawing_make((walk.index - 1) / FORM_COUNT, settings.seed);
        struct session session;
        struct nbstage_result result;
        session_open(&session);
        session_build(&session, walk.map.map, &result);
        doing("reading the BLOCKMAP of %s", walk.map.what);
        for (size_t i = 0; i < result.lump_count; i++) {
            const struct nbstage_lump *lump =
                NBSTAGE_AT(struct nbstage_lump, result.lumps, i);
            bool is_classic = strcmp(lump->name, "BLOCKMAP") == 0 &&
                              lump->data_size >= 8 &&
                              memcmp(lump->data, "XBM1", 4) != 0;
            is_made |= is_classic;
            if (is_classic)
                check_blockmap(lump, &drawing);
        }
        session_free(&session, &result);
        session_close(&session);
    }
    if (!is_made)
        skip("the stage makes no BLOCKMAP of these maps");
}

const struct test result_tests[] = {
    {"results",
     "lumps, facts and sentences are well-formed; maps are not "
     "written to, nor read beyond their ends",
     test_results},
    {"live", "a result is valid until it is freed, once or twice", test_live},
    {"repeated", "the same bytes in any instance, at any time", test_repeated},
    {"threads", "the same bytes in eight threads at once", test_threads},
    {"blockmap", "the BLOCKMAP lists each line where it is", test_blockmap},
    {0}};
