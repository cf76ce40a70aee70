// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds maps as a node builder does: it loads a map into its own structures,
// does its own work, and then calls the stage.  All ways to hand a map over
// take turns, and so does plain.c, which stands for the builder's own code.

#include "config.h"

#include "bench.h"

#include "counted.h"
#include "fail.h"
#include "plain.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char options[] = "grid=fit overflow=xbm1 threads=1";

// How a builder holds a map.  Sizes are those of its structures, in bytes.
static const struct way {
    const char *name;
    size_t vertex_size;
    size_t line_size;
    uint32_t form;
    bool allocates; // the host has callbacks for memory
    bool are_lumps; // what is handed over
    bool is_plain;
} ways[] = {
    {.name = "packed", .vertex_size = 8, .line_size = 20},
    {.name = "ends", .vertex_size = 8, .line_size = 8},
    {.name = "strided", .vertex_size = 16, .line_size = 64},
    {.name = "allocate", .vertex_size = 16, .line_size = 64, .allocates = true},
    {.name = "wide", .vertex_size = 32, .line_size = 72},
    {.name = "16-bit", .vertex_size = 4, .line_size = 20, .form = 1},
    {.name = "lumps", .vertex_size = 8, .line_size = 20, .are_lumps = true},
    {.name = "plain", .vertex_size = 16, .line_size = 64, .is_plain = true},
};

enum { WAYS = sizeof ways / sizeof *ways, PACKED = 0, PLAIN = WAYS - 1 };

// A map as one way has it.
struct held {
    struct nbstage_map map;
    unsigned char *vertices;
    unsigned char *lines;
    int bounds[4];
};

struct times {
    struct samples first; // with an instance of its own
    struct samples later;
};

struct row {
    double first, later;               // nanoseconds, sums of medians
    double first_spread, later_spread; // sums of distances of quartiles
};

// ---------------------------------------------------------------------------
// The builder

static int read_word(const unsigned char *bytes)
{
    int value = bytes[0] | bytes[1] << 8;
    return value < 0x8000 ? value : value - 0x10000;
}

static void hold_vertices(const struct way *way,
                          const struct nbstage_lump *lump, struct held *held)
{
    const unsigned char *bytes = lump->data;
    const size_t count = lump->data_size / 4;
    int *bounds = held->bounds;
    bounds[0] = bounds[1] = INT16_MAX;
    bounds[2] = bounds[3] = INT16_MIN;
    held->vertices = allocate(count, way->vertex_size);
    for (size_t i = 0; i < count; i++) {
        unsigned char *at = held->vertices + i * way->vertex_size;
        const int x = read_word(bytes + 4 * i);
        const int y = read_word(bytes + 4 * i + 2);
        const struct nbstage_vertex16 narrow = {(int16_t)x, (int16_t)y};
        const struct nbstage_vertex vertex = {x * 65536, y * 65536};
        memset(at, 0x55, way->vertex_size);
        if (way->form == NBSTAGE_FORM_16)
            memcpy(at, &narrow, sizeof narrow);
        else
            memcpy(at, &vertex, sizeof vertex);
        bounds[0] = x < bounds[0] ? x : bounds[0];
        bounds[1] = y < bounds[1] ? y : bounds[1];
        bounds[2] = x > bounds[2] ? x : bounds[2];
        bounds[3] = y > bounds[3] ? y : bounds[3];
    }
    held->map.vertices = held->vertices;
    held->map.vertex_count = count;
    held->map.vertex_stride = way->vertex_size;
    held->map.vertex_form = way->form;
}

static void hold_lines(const struct way *way, const struct nbstage_lump *lump,
                       struct held *held)
{
    const unsigned char *bytes = lump->data;
    const size_t count = lump->data_size / 14;
    held->lines = allocate(count, way->line_size);
    for (size_t i = 0; i < count; i++, bytes += 14) {
        unsigned char *at = held->lines + i * way->line_size;
        uint32_t line[5]; // up to the tag
        uint16_t narrow[5];
        for (int j = 0; j < 5; j++)
            line[j] = narrow[j] = (uint16_t)read_word(bytes + 2 * j);
        memset(at, 0x55, way->line_size);
        if (way->form == NBSTAGE_FORM_16)
            memcpy(at, narrow, sizeof narrow);
        else
            memcpy(at, line, way->line_size < sizeof line ? 8 : sizeof line);
    }
    held->map.lines = held->lines;
    held->map.line_count = count;
    held->map.line_stride = way->line_size;
    held->map.line_size = way->form == NBSTAGE_FORM_16 ? 10
                          : way->line_size < 20        ? 8
                                                       : 20;
    held->map.line_form = way->form;
}

static struct held hold(const struct way *way, const struct wad_map *map)
{
    struct held held = {.map = {.size = sizeof held.map}};
    hold_vertices(way, maps_find_lump(map, "VERTEXES"), &held);
    hold_lines(way, maps_find_lump(map, "LINEDEFS"), &held);
    if (way->are_lumps)
        held.map = maps_view(map);
    return held;
}

// The builder's own work: it reads and writes 4 MB in no order, with branches
// that cannot be foreseen.  That is twice the second cache here, and less than
// ZDBSP has for a large map.  plain.c takes a tenth longer after it; ZDBSP's
// own takes as much longer after its node builder.
static void work(void)
{
    enum { LINE = 64, LINES = (4 << 20) / LINE };
    static uint32_t memory[LINES][LINE / sizeof(uint32_t)];
    uint32_t at = 1, sum = 1;
    for (int i = 0; i < LINES; i++) {
        at = at * 1664525 + 1013904223;
        uint32_t *word = memory[at % LINES]; // each of them once
        if ((*word ^ at >> 20) & 1)
            sum += *word;
        *word += sum ^ at;
    }
}

// ---------------------------------------------------------------------------
// Measuring

static void build(const struct bench *bench, struct nbstage_instance *instance,
                  const struct way *way, const struct wad_map *map,
                  struct samples *times)
{
    struct held held = hold(way, map);
    work();
    if (way->is_plain) {
        uint64_t start = clock_now();
        struct plain_lump lump = plain_build(&held.map, held.bounds);
        samples_add_since(times, start);
        free(lump.words);
    } else {
        struct nbstage_result result;
        module_build(&bench->module, instance, &held.map, times, &result);
        bench->module.stage->free_result(instance, &result);
    }
    free(held.vertices);
    free(held.lines);
}

// All maps, one after the other, with an instance that has built them before
// or, if `is_first`, each with a new one.
static void measure_turn(const struct bench *bench, const struct way *way,
                         struct nbstage_instance *kept, bool is_first,
                         struct times *times)
{
    struct counted counted = {0};
    const struct nbstage_host host = counted_host(&counted);
    for (size_t m = 0; m < bench->maps.count; m++) {
        struct nbstage_instance *instance = kept;
        if (is_first)
            instance = module_create(&bench->module,
                                     way->allocates ? &host : NULL, options);
        build(bench, instance, way, &bench->maps.map[m],
              is_first ? &times[m].first : &times[m].later);
        if (is_first)
            bench->module.stage->destroy(instance);
    }
}

static void measure(const struct bench *bench, size_t rounds,
                    struct times *times)
{
    const size_t count = bench->maps.count;
    struct counted counted = {0};
    const struct nbstage_host host = counted_host(&counted);
    struct nbstage_instance *instances[WAYS];
    for (size_t w = 0; w < WAYS; w++)
        instances[w] = module_create(&bench->module,
                                     ways[w].allocates ? &host : NULL, options);
    for (size_t turn = 0; turn < rounds * WAYS * 2; turn++) {
        const size_t w = turn % WAYS;
        measure_turn(bench, &ways[w], instances[w], turn / WAYS % 2 > 0,
                     times + w * count);
    }
    for (size_t w = 0; w < WAYS; w++)
        bench->module.stage->destroy(instances[w]);
}

static struct row add_up(struct times *times, size_t count)
{
    struct row row = {0};
    for (size_t m = 0; m < count; m++) {
        row.first += samples_median(&times[m].first);
        row.later += samples_median(&times[m].later);
        row.first_spread += samples_spread(&times[m].first);
        row.later_spread += samples_spread(&times[m].later);
    }
    return row;
}

// ---------------------------------------------------------------------------
// Telling

static void print_rows(const struct row *rows, size_t rounds)
{
    printf("As hosted: Freedoom Phase 2 in a builder that works between two "
           "maps, grid=fit,\none thread; sums of medians of %zu turns.  Later: "
           "with an instance that has built\nmaps before; first: with a new "
           "one.  Plain: as ZDBSP builds by itself.\n\n"
           "%-9s %7s %7s %9s %7s %8s %7s %9s %8s\n"
           "%-9s %7s %7s %9s %7s %8s %7s %9s %8s\n",
           rounds, "", "Vertex", "Line", "Later", "Spread", "Later /",
           "Plain /", "First", "Spread", "Held", "bytes", "bytes", "us", "%",
           "packed", "later", "us", "%");
    for (size_t w = 0; w < WAYS; w++)
        printf("%-9s %7zu %7zu %9.1f %7.1f %8.2f %7.2f %9.1f %8.1f\n",
               ways[w].name, ways[w].vertex_size, ways[w].line_size,
               rows[w].later / 1e3, 100 * rows[w].later_spread / rows[w].later,
               rows[w].later / rows[PACKED].later,
               rows[PLAIN].later / rows[w].later, rows[w].first / 1e3,
               100 * rows[w].first_spread / rows[w].first);
    putchar('\n');
}

static void record_rows(const struct row *rows, size_t rounds)
{
    record_open_object("hosted");
    record_integer("rounds", (int64_t)rounds);
    record_open_array("ways");
    for (size_t w = 0; w < WAYS; w++) {
        record_open_object(NULL);
        record_string("way", ways[w].name);
        record_number("later_ns", rows[w].later);
        record_number("later_spread_ns", rows[w].later_spread);
        record_number("first_ns", rows[w].first);
        record_number("first_spread_ns", rows[w].first_spread);
        record_number("later_to_packed_ratio",
                      rows[w].later / rows[PACKED].later);
        record_number("plain_to_later_ratio",
                      rows[PLAIN].later / rows[w].later);
        record_close_object();
    }
    record_close_array();
    record_close_object();
}

void bench_hosted(const struct bench *bench)
{
    const size_t count = bench->maps.count;
    const size_t rounds = bench_rounds(bench, 21);
    struct times *times = calloc(WAYS * count, sizeof *times);
    struct row rows[WAYS];
    if (!times)
        fail("no memory for the times of %zu maps", count);
    measure(bench, rounds, times);
    for (size_t w = 0; w < WAYS; w++)
        rows[w] = add_up(times + w * count, count);
    print_rows(rows, rounds);
    record_rows(rows, rounds);
    free(times);
}
