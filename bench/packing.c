// SPDX-License-Identifier: GPL-2.0-or-later
//
// What nesting and covering lists save and take, map by map, against lists that
// are shared; and the same with a search.

#include "config.h"

#include "bench.h"

#include "fail.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>

// A way to pack.  The first is what the others are held against.
static const struct {
    const char *name;
    const char *options;
    const char *search_options;
} packings[] = {
    {"share", "grid=fit pack=share", "grid=search pack=share"},
    {"zero", "grid=fit pack=nest header=zero",
     "grid=search pack=nest header=zero"},
    {"any", "grid=fit pack=nest header=any",
     "grid=search pack=nest header=any"},
    {"none", "grid=fit pack=nest header=none",
     "grid=search pack=nest header=none"},
    {"cover", "grid=fit pack=cover header=none",
     "grid=search pack=cover header=none"},
};

enum { PACKINGS = sizeof packings / sizeof *packings };

struct row {
    const char *name;
    size_t bytes[PACKINGS];
    double times[PACKINGS]; // medians, nanoseconds
};

// One build more than is counted, to warm up.
static struct row measure(const struct bench *bench,
                          struct nbstage_instance *const *instances,
                          const struct wad_map *wad_map, size_t rounds)
{
    struct row row = {.name = wad_map->name};
    struct nbstage_map map = maps_view(wad_map);
    for (size_t p = 0; p < PACKINGS; p++) {
        struct samples times = {0};
        for (size_t round = 0; round <= rounds; round++) {
            struct nbstage_result result;
            struct built built =
                module_build(&bench->module, instances[p], &map,
                             round > 0 ? &times : NULL, &result);
            row.bytes[p] = built.lump_bytes;
            bench->module.stage->free_result(instances[p], &result);
        }
        row.times[p] = samples_median(&times);
    }
    return row;
}

static struct row add_up(const struct row *rows, size_t count)
{
    struct row total = {.name = "Total"};
    for (const struct row *row = rows; row < rows + count; row++)
        for (size_t p = 0; p < PACKINGS; p++) {
            total.bytes[p] += row->bytes[p];
            total.times[p] += row->times[p];
        }
    return total;
}

// How many times that of shared lists a build takes, for each packing the most
// of all maps.
static void print_most(const struct row *rows, size_t count)
{
    printf("%-8s %39s %9s", "Most", "", "");
    for (size_t p = 1; p < PACKINGS; p++) {
        double most = 0;
        for (const struct row *row = rows; row < rows + count; row++)
            if (row->times[p] / row->times[0] > most)
                most = row->times[p] / row->times[0];
        printf(" %4.1f", most);
    }
    putchar('\n');
}

static void print_row(const struct row *row, double unit)
{
    printf("%-8s", row->name);
    for (size_t p = 0; p < PACKINGS; p++)
        printf(" %7zu", row->bytes[p]);
    printf(" %9.3f", row->times[0] / unit);
    for (size_t p = 1; p < PACKINGS; p++)
        printf(" %4.1f", row->times[p] / row->times[0]);
    putchar('\n');
}

static void print_heading(const char *title, const char *unit)
{
    printf("%s  Times: that of shared lists, and how many times it\n"
           "the others take.\n\n"
           "%-8s %7s %-23s %7s %9s %-14s %4s\n%-8s %7s",
           title, "", "Bytes", "Nested", "Covered", "Time", "Nested", "Cov.",
           "Map", "share");
    for (size_t p = 1; p < PACKINGS - 1; p++)
        printf(" %7s", packings[p].name);
    printf(" %7s %9s", "none", unit);
    for (size_t p = 1; p < PACKINGS - 1; p++)
        printf(" %4s", packings[p].name);
    printf(" %4s\n", "none");
}

static void record_row(const struct row *row)
{
    record_open_object(NULL);
    record_string("map", row->name);
    record_open_array("packings");
    for (size_t p = 0; p < PACKINGS; p++) {
        record_open_object(NULL);
        record_string("packing", packings[p].name);
        record_integer("lump_bytes", (int64_t)row->bytes[p]);
        record_number("seconds", row->times[p] / 1e9);
        record_close_object();
    }
    record_close_array();
    record_close_object();
}

// Measures all maps with one set of options and prints the table.
static void run(const struct bench *bench, bool search, size_t rounds)
{
    const size_t count = bench->maps.count;
    const double unit = search ? 1e6 : 1e3;
    struct nbstage_instance *instances[PACKINGS];
    struct row *rows = allocate(count, sizeof *rows);
    for (size_t p = 0; p < PACKINGS; p++)
        instances[p] = module_create(&bench->module, NULL,
                                     search ? packings[p].search_options
                                            : packings[p].options);
    print_heading(search ? "Packing with grid=search." : "Packing, grid=fit.",
                  search ? "ms" : "us");
    record_open_array(search ? "searched" : "fit");
    for (size_t m = 0; m < count; m++) {
        rows[m] = measure(bench, instances, &bench->maps.map[m], rounds);
        print_row(&rows[m], unit);
        record_row(&rows[m]);
    }
    struct row total = add_up(rows, count);
    print_row(&total, unit);
    record_row(&total);
    record_close_array();
    print_most(rows, count);
    putchar('\n');
    for (size_t p = 0; p < PACKINGS; p++)
        bench->module.stage->destroy(instances[p]);
    free(rows);
}

void bench_packing(const struct bench *bench)
{
    if (!module_has(&bench->module, "pack", "nest")) {
        printf("Packing is left out: the stage has no pack=nest.\n\n");
        return;
    }
    record_open_object("packing");
    run(bench, false, bench_rounds(bench, 21));
    run(bench, true, bench_rounds(bench, 3));
    record_close_object();
}
