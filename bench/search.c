// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times the search for the grid with the smallest lump, map by map, with each
// number of threads, against one build on a single grid.

#include "config.h"

#include "bench.h"

#include "fail.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAYS_MAXIMUM = 4 };

// A way to build: one grid, or a search with some threads.
struct way {
    long threads; // 0: no search
    struct nbstage_instance *instance;
};

struct ways {
    size_t count;
    struct way way[WAYS_MAXIMUM]; // the first does not search
};

struct row {
    const char *name;
    size_t fit_bytes;
    size_t search_bytes;
    double times[WAYS_MAXIMUM]; // medians, nanoseconds
};

static void add_way(const struct bench *bench, struct ways *ways, long threads)
{
    char options[64] = "grid=fit overflow=xbm1 threads=1";
    for (size_t i = 0; i < ways->count; i++)
        if (ways->way[i].threads == threads)
            return;
    if (threads > 0)
        snprintf(options, sizeof options,
                 "grid=search overflow=xbm1 threads=%ld", threads);
    ways->way[ways->count++] =
        (struct way){threads, module_create(&bench->module, NULL, options)};
}

static struct ways make_ways(const struct bench *bench)
{
    struct ways ways = {0};
    add_way(bench, &ways, 0);
    add_way(bench, &ways, 1);
    if (module_has(&bench->module, "threads", NULL)) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        add_way(bench, &ways, 2);
        if (processors > 0)
            add_way(bench, &ways, processors);
    }
    return ways;
}

// ---------------------------------------------------------------------------
// Measuring

static void note_size(struct row *row, const struct way *way, size_t bytes)
{
    if (way->threads == 0)
        row->fit_bytes = bytes;
    else if (row->search_bytes == 0)
        row->search_bytes = bytes;
    else if (row->search_bytes != bytes)
        fail("%s: the search found a lump of %zu bytes with %ld threads and "
             "one of %zu with others",
             row->name, bytes, way->threads, row->search_bytes);
}

// One build more than is counted, to warm up.
static struct row measure(const struct bench *bench, const struct ways *ways,
                          const struct wad_map *wad_map, size_t rounds)
{
    struct row row = {.name = wad_map->name};
    struct samples times[WAYS_MAXIMUM] = {0};
    struct nbstage_map map = maps_view(wad_map);
    for (size_t i = 0; i < ways->count; i++) {
        const struct way *way = &ways->way[i];
        for (size_t round = 0; round <= rounds; round++) {
            struct nbstage_result result;
            struct built built =
                module_build(&bench->module, way->instance, &map,
                             round > 0 ? &times[i] : NULL, &result);
            note_size(&row, way, built.lump_bytes);
            bench->module.stage->free_result(way->instance, &result);
        }
        row.times[i] = samples_median(&times[i]);
    }
    return row;
}

static struct row add_up(const struct row *rows, size_t count)
{
    struct row total = {.name = "Total"};
    for (const struct row *row = rows; row < rows + count; row++) {
        total.fit_bytes += row->fit_bytes;
        total.search_bytes += row->search_bytes;
        for (size_t i = 0; i < WAYS_MAXIMUM; i++)
            total.times[i] += row->times[i];
    }
    return total;
}

// ---------------------------------------------------------------------------
// Telling

// How many builds take as long as a search with two threads, or with one
// where there are no more.
static double ratio(const struct row *row, const struct ways *ways)
{
    return row->times[ways->count > 2 ? 2 : 1] / row->times[0];
}

static void print_row(const struct row *row, const struct ways *ways)
{
    printf("%-8s %9zu %9zu %8.3f", row->name, row->fit_bytes, row->search_bytes,
           row->times[0] / 1e6);
    for (size_t i = 1; i < ways->count; i++)
        printf(" %9.4f", row->times[i] / 1e9);
    printf(" %9.0f\n", ratio(row, ways));
}

static void print_heading(const struct ways *ways, size_t rounds)
{
    printf("The search, grid=search against grid=fit; medians of %zu rounds "
           "for each map.\n"
           "Search / fit: times, the search with two threads.\n\n"
           "%-8s %9s %9s %8s",
           rounds, "Map", "Fit", "Search", "Fit");
    for (size_t i = 1; i < ways->count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%ld thr.", ways->way[i].threads);
        printf(" %9s", text);
    }
    printf(" %9s\n%-8s %9s %9s %8s", "Search", "", "bytes", "bytes", "ms");
    for (size_t i = 1; i < ways->count; i++)
        printf(" %9s", "s");
    printf(" %9s\n", "/ fit");
}

static void record_figures(const struct row *row, const struct ways *ways)
{
    record_integer("fit_lump_bytes", (int64_t)row->fit_bytes);
    record_integer("search_lump_bytes", (int64_t)row->search_bytes);
    record_number("fit_seconds", row->times[0] / 1e9);
    record_open_array("searches");
    for (size_t i = 1; i < ways->count; i++) {
        record_open_object(NULL);
        record_integer("threads", ways->way[i].threads);
        record_number("search_seconds", row->times[i] / 1e9);
        record_number("search_to_fit_ratio", row->times[i] / row->times[0]);
        record_close_object();
    }
    record_close_array();
}

static void record_all(const struct row *rows, size_t count,
                       const struct row *total, const struct ways *ways,
                       size_t rounds)
{
    record_open_object("search");
    record_integer("rounds", (int64_t)rounds);
    record_open_array("maps");
    for (const struct row *row = rows; row < rows + count; row++) {
        record_open_object(NULL);
        record_string("map", row->name);
        record_figures(row, ways);
        record_close_object();
    }
    record_close_array();
    record_open_object("total");
    record_figures(total, ways);
    record_close_object();
    record_close_object();
}

void bench_search(const struct bench *bench)
{
    if (!module_has(&bench->module, "grid", "search")) {
        printf("The search is left out: the stage has no grid=search.\n\n");
        return;
    }
    size_t count = bench->maps.count;
    size_t rounds = bench_rounds(bench, 21);
    struct ways ways = make_ways(bench);
    struct row *rows = allocate(count, sizeof *rows);
    print_heading(&ways, rounds);
    for (size_t i = 0; i < count; i++) {
        rows[i] = measure(bench, &ways, &bench->maps.map[i], rounds);
        print_row(&rows[i], &ways);
        fflush(stdout);
    }
    struct row total = add_up(rows, count);
    print_row(&total, &ways);
    putchar('\n');
    record_all(rows, count, &total, &ways, rounds);
    for (size_t i = 0; i < ways.count; i++)
        bench->module.stage->destroy(ways.way[i].instance);
    free(rows);
}
