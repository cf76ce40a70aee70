// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds every map of Freedoom Phase 2 again and again, which tells what the
// work itself takes, and then all of them in turn, round after round, which
// tells what it takes when each map is new to the machine's caches.  After each
// build of the latter kind the bytes that it had to read (LINEDEFS and
// VERTEXES) and those that it wrote (the lump) are copied with memcpy: no
// builder can do with less.

#include "config.h"

#include "bench.h"

#include "fail.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINEDEF_SIZE = 14 }; // bytes

static const char options[] = "grid=fit overflow=xbm1 threads=1";

struct row {
    const struct wad_map *map;
    struct built built;
    struct samples build_times;
    struct samples turn_times;
    struct samples copy_times;
    size_t peak_bytes;
    double build;   // medians, nanoseconds
    double in_turn; // of builds
    double copy;
};

struct total {
    size_t lines;
    int64_t entries;
    size_t lump_bytes;
    double build; // sums of medians, nanoseconds
    double in_turn;
    double copy;
    const struct row *worst; // most memory for the size of its lump
};

// ---------------------------------------------------------------------------
// Measuring

// A compiler does not know what this does, so it cannot leave copies out.
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

static size_t input_bytes(const struct wad_map *map)
{
    return maps_find_lump(map, "LINEDEFS")->data_size +
           maps_find_lump(map, "VERTEXES")->data_size;
}

static size_t count_lines(const struct wad_map *map)
{
    return maps_find_lump(map, "LINEDEFS")->data_size / LINEDEF_SIZE;
}

static void time_copies(const struct row *row, unsigned char *buffer,
                        struct samples *times)
{
    const struct nbstage_lump *lines = maps_find_lump(row->map, "LINEDEFS");
    const struct nbstage_lump *vertices = maps_find_lump(row->map, "VERTEXES");
    unsigned char *after_lines = buffer + lines->data_size;
    unsigned char *after_vertices = after_lines + vertices->data_size;
    uint64_t start = clock_now();
    copy_bytes(buffer, lines->data, lines->data_size);
    copy_bytes(after_lines, vertices->data, vertices->data_size);
    copy_bytes(after_vertices, row->built.lump, row->built.lump_bytes);
    samples_add_since(times, start);
}

static void measure_round(const struct bench *bench,
                          struct nbstage_instance *instance, struct row *rows,
                          unsigned char *buffer, bool is_warm)
{
    for (size_t i = 0; i < bench->maps.count; i++) {
        struct row *row = &rows[i];
        struct nbstage_map map = maps_view(row->map);
        struct nbstage_result result;
        struct samples build_ignored = {0};
        struct samples copy_ignored = {0};
        row->built =
            module_build(&bench->module, instance, &map,
                         is_warm ? &row->turn_times : &build_ignored, &result);
        time_copies(row, buffer, is_warm ? &row->copy_times : &copy_ignored);
        bench->module.stage->free_result(instance, &result);
    }
}

// One build more than is counted, to warm up.
static void measure_again_and_again(const struct bench *bench,
                                    struct nbstage_instance *instance,
                                    struct row *row, size_t rounds)
{
    struct nbstage_map map = maps_view(row->map);
    for (size_t round = 0; round <= rounds; round++) {
        struct nbstage_result result;
        module_build(&bench->module, instance, &map,
                     round > 0 ? &row->build_times : NULL, &result);
        bench->module.stage->free_result(instance, &result);
    }
}

// Memory is counted first, which also tells how long the buffer has to be.
static unsigned char *measure_memory(const struct bench *bench,
                                     struct row *rows)
{
    size_t size = 0;
    for (size_t i = 0; i < bench->maps.count; i++) {
        struct row *row = &rows[i];
        row->map = &bench->maps.map[i];
        struct nbstage_map map = maps_view(row->map);
        row->peak_bytes =
            module_peak_memory(&bench->module, options, &map, &row->built);
        size_t needed = input_bytes(row->map) + row->built.lump_bytes;
        size = needed > size ? needed : size;
    }
    return allocate(size, 1);
}

// ---------------------------------------------------------------------------
// Telling

static double memory_ratio(const struct row *row)
{
    return (double)row->peak_bytes / (double)row->built.lump_bytes;
}

// To the bound that the stage is meant to keep.
static double bound_ratio(const struct row *row)
{
    return (double)row->peak_bytes /
           (double)(input_bytes(row->map) + 3 * row->built.lump_bytes);
}

static struct total add_up(const struct row *rows, size_t count)
{
    struct total total = {.worst = rows};
    for (const struct row *row = rows; row < rows + count; row++) {
        total.lines += count_lines(row->map);
        total.entries += row->built.entries;
        total.lump_bytes += row->built.lump_bytes;
        total.build += row->build;
        total.in_turn += row->in_turn;
        total.copy += row->copy;
        if (memory_ratio(row) > memory_ratio(total.worst))
            total.worst = row;
    }
    return total;
}

static void print_line(const char *name, size_t lines, int64_t entries,
                       size_t lump_bytes, double build, double in_turn,
                       double copy)
{
    printf("%-8s %8zu %8lld %11zu %10.1f %8.2f %8.2f %8.3f\n", name, lines,
           (long long)entries, lump_bytes, build / 1e3, build / (double)entries,
           in_turn / (double)entries, copy / (double)entries);
}

static void print_table(const struct row *rows, size_t count,
                        const struct total *total, size_t rounds)
{
    printf("Freedoom Phase 2, grid=fit, one thread; medians of %zu builds.  An "
           "entry is\na linedef in a block's list.  In turn: all maps one "
           "after the other, so that\nnone is in caches.  Copy: memcpy of the "
           "bytes read and of the lump.\n\n"
           "%-8s %8s %8s %11s %10s %8s %8s %8s\n"
           "%38s %10s %8s %8s %8s\n",
           rounds, "Map", "Linedefs", "Entries", "Lump bytes", "Build", "Build",
           "In turn", "Copy", "", "us", "ns/entry", "ns/entry", "ns/entry");
    for (const struct row *row = rows; row < rows + count; row++)
        print_line(row->map->name, count_lines(row->map), row->built.entries,
                   row->built.lump_bytes, row->build, row->in_turn, row->copy);
    print_line("Total", total->lines, total->entries, total->lump_bytes,
               total->build, total->in_turn, total->copy);
    printf("\nPeak memory of the stage: %zu bytes for %s, %.2f times its "
           "lump and %.2f\ntimes the sum of LINEDEFS, VERTEXES and three "
           "lumps, which is the most of\nthese maps.\n\n",
           total->worst->peak_bytes, total->worst->map->name,
           memory_ratio(total->worst), bound_ratio(total->worst));
}

static void record_figures(size_t lines, int64_t entries, size_t lump_bytes,
                           double build, double in_turn, double copy)
{
    record_integer("linedefs", (int64_t)lines);
    record_integer("entries", entries);
    record_integer("lump_bytes", (int64_t)lump_bytes);
    record_number("build_ns", build);
    record_number("build_in_turn_ns", in_turn);
    record_number("copy_ns", copy);
    record_number("build_ns_per_entry", build / (double)entries);
    record_number("build_in_turn_ns_per_entry", in_turn / (double)entries);
    record_number("copy_ns_per_entry", copy / (double)entries);
    record_number("build_to_copy_ratio", build / copy);
}

static void record_all(const struct row *rows, size_t count,
                       const struct total *total, size_t rounds)
{
    record_open_object("freedoom");
    record_integer("rounds", (int64_t)rounds);
    record_open_array("maps");
    for (const struct row *row = rows; row < rows + count; row++) {
        record_open_object(NULL);
        record_string("map", row->map->name);
        record_figures(count_lines(row->map), row->built.entries,
                       row->built.lump_bytes, row->build, row->in_turn,
                       row->copy);
        record_integer("input_bytes", (int64_t)input_bytes(row->map));
        record_integer("peak_memory_bytes", (int64_t)row->peak_bytes);
        record_number("peak_memory_to_lump_ratio", memory_ratio(row));
        record_number("peak_memory_to_bound_ratio", bound_ratio(row));

        record_close_object();
    }
    record_close_array();
    record_open_object("total");
    record_figures(total->lines, total->entries, total->lump_bytes,
                   total->build, total->in_turn, total->copy);
    record_number("worst_peak_memory_to_lump_ratio",
                  memory_ratio(total->worst));
    record_close_object();
    record_close_object();
}

void bench_freedoom(const struct bench *bench)
{
    size_t count = bench->maps.count;
    size_t rounds = bench_rounds(bench, 21);
    struct row *rows = calloc(count, sizeof *rows);
    if (!rows)
        fail("no memory for %zu maps", count);
    unsigned char *buffer = measure_memory(bench, rows);
    struct nbstage_instance *instance =
        module_create(&bench->module, NULL, options);
    for (size_t i = 0; i < count; i++)
        measure_again_and_again(bench, instance, &rows[i], rounds);
    for (size_t round = 0; round <= rounds; round++)
        measure_round(bench, instance, rows, buffer, round > 0);
    bench->module.stage->destroy(instance);
    for (size_t i = 0; i < count; i++) {
        rows[i].build = samples_median(&rows[i].build_times);
        rows[i].in_turn = samples_median(&rows[i].turn_times);
        rows[i].copy = samples_median(&rows[i].copy_times);
    }
    struct total total = add_up(rows, count);
    print_table(rows, count, &total, rounds);
    record_all(rows, count, &total, rounds);
    free(buffer);
    free(rows);
}
