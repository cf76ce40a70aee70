// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the module serves a host of four threads, each with an instance
// of its own, as it serves one of a single thread: all 100 maps of Freedoom and
// FreeDM are built at the same time, by each thread in an order of its own, and
// every lump has the bytes that one thread makes.
//
// FREEDOOM_DIR names the folder of the WAD files; without them the test is
// skipped.

#include "config.h"

#include "context-for-tests.h"
#include "freedoom.h"
#include "plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 4,
    MAPS = 100,
    MOST_LUMPS = 16, // of a map
};

// A map, and the lump that one thread makes of it.
struct subject {
    const struct wadfile_map *source;
    struct nbstage_lump lumps[MOST_LUMPS];
    struct nbstage_map map;
    unsigned char *bytes;
    size_t size;
};

static struct wadfile wads[FREEDOOM_FILES];
static struct subject subjects[MAPS];

// A thread takes every `step`-th map from `first` on, round and round, until it
// has had all of them: the steps have no divisor in common with 100.
static const struct order {
    size_t first;
    size_t step;
} orders[THREADS] = {{0, 1}, {99, 99}, {50, 37}, {25, 3}};

static const char *const options[] = {
    "", "grid=id pack=nest header=any prune=inert", "pack=cover header=none"};

// ---------------------------------------------------------------------------
// Maps

static void find_lumps(struct subject *subject)
{
    const struct wadfile_map *source = subject->source;
    ck_assert_uint_le(source->lump_count, MOST_LUMPS);
    for (size_t i = 0; i < source->lump_count; i++)
        subject->lumps[i] = (struct nbstage_lump){
            .size = sizeof(struct nbstage_lump),
            .name = source->lumps[i].name,
            .data = source->lumps[i].data,
            .data_size = source->lumps[i].size,
        };
    subject->map = nbstage_map_from_lumps(source->name, subject->lumps,
                                          source->lump_count);
}

static void read_subjects(void)
{
    size_t count = 0;
    for (size_t file = 0; file < FREEDOOM_FILES; file++) {
        wads[file] = freedoom_read(file);
        for (size_t m = 0; m < wads[file].map_count; m++) {
            ck_assert_uint_lt(count, MAPS);
            subjects[count].source = &wads[file].maps[m];
            find_lumps(&subjects[count++]);
        }
    }
    ck_assert_uint_eq(count, MAPS);
}

static void free_subjects(void)
{
    for (size_t i = 0; i < MAPS; i++)
        free(subjects[i].bytes);
    for (size_t file = 0; file < FREEDOOM_FILES; file++)
        wadfile_free(&wads[file]);
}

// ---------------------------------------------------------------------------
// One thread

static void keep_bytes(struct subject *subject, const struct nbstage_lump *lump)
{
    ck_assert_uint_gt(lump->data_size, 0);
    subject->size = lump->data_size;
    subject->bytes = malloc(subject->size);
    ck_assert_ptr_nonnull(subject->bytes);
    memcpy(subject->bytes, lump->data, subject->size);
}

static void build_with_one_thread(const char *chosen)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_instance *instance = plugin_create(chosen);
    for (size_t i = 0; i < MAPS; i++) {
        struct nbstage_result result = {.size = sizeof result};
        nbstage_status status =
            stage->build(instance, &subjects[i].map, &result);
        ck_assert_msg(status == NBSTAGE_OK, "%s", stage->last_error(instance));
        keep_bytes(&subjects[i], result.lumps);
        stage->free_result(instance, &result);
    }
    stage->destroy(instance);
}

// ---------------------------------------------------------------------------
// Four threads

struct worker {
    pthread_t thread;
    pthread_barrier_t *start; // of all of them
    const struct order *order;
    struct nbstage_instance *instance;
    char verdict[256]; // a sentence about what went wrong, or ""
};

static void build_and_compare(struct worker *worker,
                              const struct subject *subject)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_result result = {.size = sizeof result};
    if (stage->build(worker->instance, &subject->map, &result) != NBSTAGE_OK)
        snprintf(worker->verdict, sizeof worker->verdict, "%s",
                 stage->last_error(worker->instance));
    else if (result.lumps->data_size != subject->size ||
             memcmp(result.lumps->data, subject->bytes, subject->size) != 0)
        snprintf(worker->verdict, sizeof worker->verdict,
                 "%s: one thread makes other bytes", subject->map.name);
    stage->free_result(worker->instance, &result);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    pthread_barrier_wait(worker->start);
    size_t next = worker->order->first;
    for (size_t i = 0; i < MAPS && !*worker->verdict; i++) {
        build_and_compare(worker, &subjects[next]);
        next = (next + worker->order->step) % MAPS;
    }
    return NULL;
}

static void build_with_four_threads(const char *chosen)
{
    struct worker workers[THREADS];
    pthread_barrier_t start;
    ck_assert_int_eq(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (size_t i = 0; i < THREADS; i++) {
        struct worker *worker = &workers[i];
        *worker = (struct worker){.start = &start,
                                  .order = &orders[i],
                                  .instance = plugin_create(chosen)};
        ck_assert_int_eq(pthread_create(&worker->thread, NULL, work, worker),
                         0);
    }
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
    pthread_barrier_destroy(&start);
    for (size_t i = 0; i < THREADS; i++) {
        plugin_stage()->destroy(workers[i].instance);
        ck_assert_msg(!*workers[i].verdict, "thread %zu: %s", i,
                      workers[i].verdict);
    }
}

START_TEST(four_threads_make_the_bytes_of_one)
{
    read_subjects();
    build_with_one_thread(options[_i]);
    build_with_four_threads(options[_i]);
    free_subjects();
}
END_TEST

int main(void)
{
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    TCase *tests = tcase_create("four threads");
    tcase_add_loop_test(tests, four_threads_make_the_bytes_of_one, 0,
                        COUNT(options));
    return run_tests(tests);
}
