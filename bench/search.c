// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times the search for the grid with the smallest lump, map by map, with each
// number of threads, against one build on a single grid; and the nested search
// of preset=small.

#include "config.h"

#include "bench.h"

#include "fail.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAYS_MAXIMUM = 5 };

// A way to build: one grid, or a search with some threads.
struct way {
    long threads; // 0: no search
    bool is_nested;
    struct nbstage_instance *instance;
};

struct ways {
    size_t count;
    struct way way[WAYS_MAXIMUM]; // the first does not search
};

struct row {
    const char *name;
    size_t fit_bytes;
    size_t search_bytes[2];       // second: nested
    double times[WAYS_MAXIMUM];   // medians, nanoseconds
    double spreads[WAYS_MAXIMUM]; // of quartiles
};

static void add_way(const struct bench *bench, struct ways *ways, long threads,
                    const char *choices)
{
    char options[64];
    bool is_nested = strncmp(choices, "preset=", 7) == 0;
    for (size_t i = 0; i < ways->count; i++)
        if (ways->way[i].threads == threads &&
            ways->way[i].is_nested == is_nested)
            return;
    snprintf(options, sizeof options, "%s overflow=xbm1 threads=%ld", choices,
             threads > 0 ? threads : 1);
    ways->way[ways->count++] = (struct way){
        threads, is_nested, module_create(&bench->module, NULL, options)};
}

static struct ways make_ways(const struct bench *bench)
{
    struct ways ways = {0};
    bool has_threads = module_has(&bench->module, "threads", NULL);
    add_way(bench, &ways, 0, "grid=fit");
    add_way(bench, &ways, 1, "grid=search");
    if (has_threads) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        add_way(bench, &ways, 2, "grid=search");
        if (processors > 0)
            add_way(bench, &ways, processors, "grid=search");
    }
    if (module_has(&bench->module, "preset", "small"))
        add_way(bench, &ways, has_threads ? 2 : 1, "preset=small");
    return ways;
}

// ---------------------------------------------------------------------------
// Measuring

static void note_size(struct row *row, const struct way *way, size_t bytes)
{
    size_t *search_bytes = &row->search_bytes[way->is_nested];
    if (way->threads == 0)
        row->fit_bytes = bytes;
    else if (*search_bytes == 0)
        *search_bytes = bytes;
    else if (*search_bytes != bytes)
        fail("%s: the search found a lump of %zu bytes with %ld threads and "
             "one of %zu with others",
             row->name, bytes, way->threads, *search_bytes);
}

// One round more than is counted, to warm up, and one build more on a single
// grid, as the searches have had the caches.
static struct row measure(const struct bench *bench, const struct ways *ways,
                          const struct wad_map *wad_map, size_t rounds)
{
    struct row row = {.name = wad_map->name};
    struct samples times[WAYS_MAXIMUM] = {0};
    struct nbstage_map map = maps_view(wad_map);
    for (size_t turn = 0; turn < (rounds + 1) * (ways->count + 1); turn++) {
        size_t place = turn % (ways->count + 1);
        size_t i = place > 0 ? place - 1 : 0;
        bool is_warm = place > 0 && turn > ways->count;
        const struct way *way = &ways->way[i];
        struct nbstage_result result;
        struct built built = module_build(&bench->module, way->instance, &map,
                                          is_warm ? &times[i] : NULL, &result);
        note_size(&row, way, built.lump_bytes);
        bench->module.stage->free_result(way->instance, &result);
    }
    for (size_t i = 0; i < ways->count; i++) {
        row.times[i] = samples_median(&times[i]);
        row.spreads[i] = samples_spread(&times[i]);
    }
    return row;
}

static struct row add_up(const struct row *rows, size_t count)
{
    struct row total = {.name = "Total"};
    for (const struct row *row = rows; row < rows + count; row++) {
        total.fit_bytes += row->fit_bytes;
        for (size_t i = 0; i < 2; i++)
            total.search_bytes[i] += row->search_bytes[i];
        for (size_t i = 0; i < WAYS_MAXIMUM; i++) {
            total.times[i] += row->times[i];
            total.spreads[i] += row->spreads[i];
        }
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
    printf("%-7s %7zu %7zu %7zu %7.3f", row->name, row->fit_bytes,
           row->search_bytes[0], row->search_bytes[1], row->times[0] / 1e6);
    for (size_t i = 1; i < ways->count; i++)
        printf(" %7.4f", row->times[i] / 1e9);
    printf(" %6.0f\n", ratio(row, ways));
}

static void print_spread(const struct row *row, const struct ways *ways)
{
    printf("%-31s", "Spread, %");
    for (size_t i = 0; i < ways->count; i++)
        printf(" %7.1f", 100 * row->spreads[i] / row->times[i]);
    printf("\n\n");
}

static void print_heading(const struct ways *ways, size_t rounds)
{
    printf(
        "The search, grid=search against grid=fit, and nested, preset=small; "
        "medians of\n%zu rounds by turns for each map.  Search / fit: times, "
        "the search with two\nthreads.  Spread: the distance of the "
        "quartiles.\n\n"
        "%-7s %7s %7s %7s %7s",
        rounds, "Map", "Fit", "Search", "Nested", "Fit");
    for (size_t i = 1; i < ways->count; i++)
        printf(" %2ld %s", ways->way[i].threads,
               ways->way[i].is_nested ? "nest" : "thr.");
    printf(" %6s\n%-7s %7s %7s %7s %7s", "Search", "", "bytes", "bytes",
           "bytes", "ms");
    for (size_t i = 1; i < ways->count; i++)
        printf(" %7s", "s");
    printf(" %6s\n", "/ fit");
}

static void record_figures(const struct row *row, const struct ways *ways)
{
    record_integer("fit_lump_bytes", (int64_t)row->fit_bytes);
    record_integer("search_lump_bytes", (int64_t)row->search_bytes[0]);
    record_integer("nested_lump_bytes", (int64_t)row->search_bytes[1]);
    record_number("fit_seconds", row->times[0] / 1e9);
    record_open_array("searches");
    for (size_t i = 1; i < ways->count; i++) {
        record_open_object(NULL);
        record_string("search", ways->way[i].is_nested ? "nested" : "shared");
        record_integer("threads", ways->way[i].threads);
        record_number("search_seconds", row->times[i] / 1e9);
        record_number("search_spread_seconds", row->spreads[i] / 1e9);
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
    print_spread(&total, &ways);
    record_all(rows, count, &total, &ways, rounds);
    for (size_t i = 0; i < ways.count; i++)
        bench->module.stage->destroy(ways.way[i].instance);
    free(rows);
}
