// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds generated maps, handed over as arrays, from a thousand lines to ten
// million, large ones by turns with one thread and with two.  Memory is counted
// in a build of its own, which is not timed.

#include "config.h"

#include "bench.h"

#include "generate.h"
#include "record.h"

#include <stdio.h>
#include <time.h>

#define OPTIONS "grid=fit format=auto overflow=xbm1 threads="

static const char *const options[] = {OPTIONS "1", OPTIONS "2"};

enum { THREADS = 2, LEAST_LINES = 200000 }; // for two threads

struct size {
    size_t lines;
    size_t rounds;
};

static const struct size sizes[] = {{1000, 21},    {10000, 21},
                                    {100000, 21},  {200000, 21},
                                    {1000000, 21}, {10000000, 21}};

enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 4, BASE = 1 };

struct row {
    size_t lines;
    size_t rounds;
    size_t input_bytes; // of the arrays
    size_t peak_bytes;  // of the stage
    struct built built;
    double build; // median, nanoseconds
    struct threaded {
        double wall, wall_spread; // median and quartiles, nanoseconds
        double processor;
    } threaded[THREADS]; // by threads - 1; 0 if the map is too small
};

static double per_entry(const struct row *row)
{
    return row->build / (double)row->built.entries;
}

static double memory_ratio(const struct row *row)
{
    return (double)row->peak_bytes / (double)row->built.lump_bytes;
}

// To the bound that the stage is meant to keep: the input and three lumps.
static double bound_ratio(const struct row *row)
{
    return (double)row->peak_bytes /
           (double)(row->input_bytes + 3 * row->built.lump_bytes);
}

static uint64_t processor_time(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

// One build more than is counted, to warm up.
static void time_builds(const struct bench *bench,
                        const struct nbstage_map *map, size_t threads,
                        struct row *row)
{
    struct samples wall[THREADS] = {0};
    struct samples processor[THREADS] = {0};
    struct nbstage_instance *instances[THREADS];
    for (size_t t = 0; t < threads; t++)
        instances[t] = module_create(&bench->module, NULL, options[t]);
    for (size_t round = 0; round <= row->rounds; round++)
        for (size_t t = 0; t < threads; t++) {
            struct nbstage_result result;
            uint64_t used_before = processor_time();
            module_build(&bench->module, instances[t], map,
                         round > 0 ? &wall[t] : NULL, &result);
            if (round > 0)
                samples_add(&processor[t], processor_time() - used_before);
            bench->module.stage->free_result(instances[t], &result);
        }
    for (size_t t = 0; t < threads; t++) {
        bench->module.stage->destroy(instances[t]);
        row->threaded[t].wall = samples_median(&wall[t]);
        row->threaded[t].wall_spread = samples_spread(&wall[t]);
        row->threaded[t].processor = samples_median(&processor[t]);
    }
    row->build = row->threaded[0].wall;
}

static struct row measure(const struct bench *bench, const struct size *size)
{
    struct generated_map generated = generate_map(size->lines);
    struct nbstage_map map = generate_view(&generated);
    struct row row = {
        .lines = size->lines,
        .rounds = bench_rounds(bench, size->rounds),
        .input_bytes = map.vertex_count * map.vertex_stride +
                       map.line_count * map.line_size,
    };
    bool has_threads =
        row.lines >= LEAST_LINES && module_has(&bench->module, "threads", NULL);
    time_builds(bench, &map, has_threads ? THREADS : 1, &row);
    row.peak_bytes =
        module_peak_memory(&bench->module, options[0], &map, &row.built);
    generate_free(&generated);
    return row;
}

static void print_times(const struct row *rows, size_t count)
{
    printf("Growth: generated maps as arrays, grid=fit, overflow=xbm1, one "
           "thread; medians.\n\n"
           "%9s %9s %10s %8s %7s %10s %8s %8s\n"
           "%39s %7s %10s %8s %8s\n",
           "Lines", "Entries", "Lump bytes", "Form", "Builds", "Build", "Build",
           "Against", "", "timed", "ms", "ns/entry", "10,000");
    for (const struct row *row = rows; row < rows + count; row++)
        printf("%9zu %9lld %10zu %8s %7zu %10.3f %8.2f %8.2f\n", row->lines,
               (long long)row->built.entries, row->built.lump_bytes,
               row->built.form, row->rounds, row->build / 1e6, per_entry(row),
               per_entry(row) / per_entry(&rows[BASE]));
    putchar('\n');
}

static void print_memory(const struct row *rows, size_t count)
{
    printf("Peak memory of the stage on the same maps, bytes asked for at one "
           "time.\n\n"
           "%9s %12s %12s %12s %14s %14s\n"
           "%48s %14s %14s\n",
           "Lines", "Input bytes", "Lump bytes", "Peak bytes", "Peak /",
           "Peak / (input", "", "lump", "+ 3 lumps)");
    for (const struct row *row = rows; row < rows + count; row++)
        printf("%9zu %12zu %12zu %12zu %14.2f %14.2f\n", row->lines,
               row->input_bytes, row->built.lump_bytes, row->peak_bytes,
               memory_ratio(row), bound_ratio(row));
    putchar('\n');
}

static void print_threads(const struct row *rows, size_t count)
{
    printf("Growth with one thread and with two, by turns: time on the wall, "
           "its spread, and\nprocessor time of all threads.\n\n"
           "%9s %9s %6s %9s %9s %6s %9s %9s\n"
           "%9s %9s %6s %9s %9s %6s %9s %9s\n",
           "", "One", "Spread", "Processor", "Two", "Spread", "Processor",
           "One / two", "Lines", "ms", "%", "ms", "ms", "%", "ms", "wall");
    for (const struct row *row = rows; row < rows + count; row++) {
        const struct threaded *threaded = row->threaded;
        if (threaded[1].wall == 0)
            continue;
        printf("%9zu", row->lines);
        for (size_t t = 0; t < THREADS; t++)
            printf(" %9.3f %6.1f %9.3f", threaded[t].wall / 1e6,
                   100 * threaded[t].wall_spread / threaded[t].wall,
                   threaded[t].processor / 1e6);
        printf(" %9.2f\n", threaded[0].wall / threaded[1].wall);
    }
    putchar('\n');
}

static void record_row(const struct row *row, const struct row *base)
{
    record_open_object(NULL);
    record_integer("lines", (int64_t)row->lines);
    record_integer("entries", row->built.entries);
    record_integer("lump_bytes", (int64_t)row->built.lump_bytes);
    record_string("form", row->built.form);
    record_integer("rounds", (int64_t)row->rounds);
    record_number("build_ns", row->build);
    record_number("build_ns_per_entry", per_entry(row));
    record_number("ns_per_entry_to_10000_lines_ratio",
                  per_entry(row) / per_entry(base));
    record_integer("input_bytes", (int64_t)row->input_bytes);
    record_integer("peak_memory_bytes", (int64_t)row->peak_bytes);
    record_number("peak_memory_to_lump_ratio", memory_ratio(row));
    record_number("peak_memory_to_bound_ratio", bound_ratio(row));
    record_open_array("threads");
    for (size_t t = 0; t < THREADS && row->threaded[t].wall > 0; t++) {
        record_open_object(NULL);
        record_number("wall_ns", row->threaded[t].wall);
        record_number("wall_spread_ns", row->threaded[t].wall_spread);
        record_number("processor_ns", row->threaded[t].processor);
        record_close_object();
    }
    record_close_array();
    record_close_object();
}

void bench_growth(const struct bench *bench)
{
    struct row rows[SIZES];
    size_t count = bench->quick ? QUICK_SIZES : SIZES;
    for (size_t i = 0; i < count; i++)
        rows[i] = measure(bench, &sizes[i]);
    print_times(rows, count);
    print_memory(rows, count);
    print_threads(rows, count);
    record_open_array("growth");
    for (size_t i = 0; i < count; i++)
        record_row(&rows[i], &rows[BASE]);
    record_close_array();
}
