// SPDX-License-Identifier: GPL-2.0-or-later
//
// bench: measures the stage through its interface, and prints a table.
//
//   bench [--freedoom=DIR] [--against=FOLDER] [--zdbsp=MODULE] [--quick]
//
// BUILD_DIR in the environment is the build tree that is measured, FOLDER
// another one, such as that of the commit before.  Both take turns, so that
// whatever else the machine does is the same for both.  All times are processor
// time.

#include "config.h"

#include "base/macros.h"
#include "buffer.h"
#include "lump-set.h"

#include <dlfcn.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MAPS_AT_MOST = 64,
    ROUNDS_AT_MOST = 101,
    BUILDS_AT_MOST = 2, // build trees
    PATH_SIZE = 4096,
};

static bool is_quick; // a few rounds of a few maps, to see that all works

static _Noreturn void fail(const char *format, ...)
{
    va_list arguments;
    fputs("bench: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

// --- Samples ---

struct samples {
    double seconds[ROUNDS_AT_MOST];
    size_t count;
};

static int compare_seconds(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(struct samples *samples)
{
    qsort(samples->seconds, samples->count, sizeof *samples->seconds,
          compare_seconds);
    return samples->seconds[samples->count / 2];
}

// The distance of the quartiles in percent of the median; call median() first.
static double spread(const struct samples *samples)
{
    size_t quarter = samples->count / 4;
    return 100 *
           (samples->seconds[samples->count - 1 - quarter] -
            samples->seconds[quarter]) /
           samples->seconds[samples->count / 2];
}

static size_t count_rounds(size_t rounds)
{
    return is_quick ? 2 : rounds;
}

// --- Maps ---

// A line and a vertex as ELFBSP has them, each in memory of its own.
struct far_vertex {
    double x, y;
    char others[32];
};

struct far_line {
    void *other;
    struct far_vertex *start, *end;
    char others[16];
    int32_t special;
    uint16_t tag;
    char more[26];
};

// Those of Freedoom, in each form.
struct maps {
    struct wadfile wad;
    struct lump_set lumps[MAPS_AT_MOST];
    struct random_map arrays[MAPS_AT_MOST];
    struct kept_arrays kept[MAPS_AT_MOST], far[MAPS_AT_MOST];
    size_t count;
};

// Describes copies of the arrays, each element behind a pointer, with lines
// that point to their vertices.
static struct kept_arrays make_far(const struct random_map *from)
{
    struct far_vertex **vertices =
        allocate_zeros(from->vertex_count, sizeof *vertices);
    struct far_line **lines = allocate_zeros(from->line_count, sizeof *lines);
    for (size_t i = 0; i < from->vertex_count; i++) {
        vertices[i] = allocate_zeros(1, sizeof **vertices);
        vertices[i]->x = from->vertices[i].x / 65536.0;
        vertices[i]->y = from->vertices[i].y / 65536.0;
    }
    for (size_t i = 0; i < from->line_count; i++) {
        const struct plain_line *line = &from->lines[i];
        lines[i] = allocate_zeros(1, sizeof **lines);
        lines[i]->start = vertices[line->v1];
        lines[i]->end = vertices[line->v2];
        lines[i]->special = (int32_t)line->special;
        lines[i]->tag = (uint16_t)line->tag;
    }
    struct kept_arrays far = {0};
    NBSTAGE_SET_POINTERS(far.vertices, vertices, from->vertex_count);
    NBSTAGE_SET_POINTERS(far.lines, lines, from->line_count);
    NBSTAGE_SET(far.vertices.x, NBSTAGE_DOUBLE, struct far_vertex, x);
    NBSTAGE_SET(far.vertices.y, NBSTAGE_DOUBLE, struct far_vertex, y);
    NBSTAGE_SET(far.lines.v1, NBSTAGE_POINTER, struct far_line, start);
    NBSTAGE_SET(far.lines.v2, NBSTAGE_POINTER, struct far_line, end);
    NBSTAGE_SET(far.lines.special, NBSTAGE_I32, struct far_line, special);
    NBSTAGE_SET(far.lines.tag, NBSTAGE_U16, struct far_line, tag);
    return far;
}

static void read_freedoom(const char *path, struct maps *maps)
{
    const size_t most = is_quick ? 4 : MAPS_AT_MOST;
    if (access(path, R_OK) != 0) {
        printf("%s is not there, so its maps are left out.\n\n", path);
        return;
    }
    maps->wad = wadfile_read(path);
    for (size_t m = 0; m < maps->wad.map_count && m < most; m++) {
        const struct wadfile_map *map = &maps->wad.maps[m];
        maps->lumps[m] = lump_set_from_wad(map);
        maps->arrays[m] = wadfile_arrays(map);
        maps->far[m] = make_far(&maps->arrays[m]);
        maps->count++;
    }
}

static struct nbstage_map view_arrays(const struct random_map *arrays,
                                      const char *name,
                                      struct kept_arrays *kept)
{
    struct nbstage_map map = RANDOM_MAP(arrays, name);
    map.format = NBSTAGE_FORMAT_DOOM;
    arrays_keep(&map, kept);
    return map;
}

// The same numbers every time; notes have figures of these rooms.
static int32_t draw_below(uint32_t limit)
{
    static uint32_t state = 3421607089u;
    state = state * 1664525 + 1013904223;
    return (int32_t)((uint64_t)(state >> 8) * limit >> 24);
}

// Round rooms of CORNERS lines each, side by side in a square, each with walls
// that go in and out: 1.6 entries a line, as in Freedoom.
static void make_rooms(struct random_map *map, size_t line_count)
{
    enum { CORNERS = 48, RANGE = 65000 };
    static const int32_t across[CORNERS / 8 + 1] = {0,   131, 259, 383,
                                                    500, 609, 707};
    size_t room_count = (line_count + CORNERS - 1) / CORNERS;
    size_t columns = 1;
    while (columns * columns < room_count)
        columns++;
    int32_t plot = (int32_t)(RANGE / columns);
    plot = plot < 900 ? plot : 900;
    random_map_allocate(map, room_count * CORNERS, line_count);
    for (size_t i = 0; i < map->vertex_count; i++) {
        size_t room = i / CORNERS;
        uint32_t corner = (uint32_t)(i % CORNERS);
        // Sine and cosine of its angle in thousandths, nearly.
        uint32_t eighth = corner / (CORNERS / 8);
        uint32_t step = corner % (CORNERS / 8);
        step = eighth % 2 == 0 ? step : CORNERS / 8 - step;
        int32_t least = across[step], most = 1000 - least * 2 / 5;
        int32_t x = (eighth + 1) / 2 % 2 == 0 ? most : least;
        int32_t y = (eighth + 1) / 2 % 2 == 0 ? least : most;
        x = eighth >= 2 && eighth < 6 ? -x : x;
        y = eighth >= 4 ? -y : y;
        int32_t radius = plot * (30 + draw_below(18)) / 100;
        int32_t east = (int32_t)(room % columns) * plot + plot / 2;
        int32_t north = (int32_t)(room / columns) * plot + plot / 2;
        map->vertices[i] = (struct plain_vertex){
            (east + x * radius / 1000 - RANGE / 2) * 65536,
            (north + y * radius / 1000 - RANGE / 2) * 65536};
        if (i < line_count) {
            map->lines[i].v1 = (uint32_t)i;
            map->lines[i].v2 =
                (uint32_t)(corner + 1 < CORNERS ? i + 1 : i + 1 - CORNERS);
        }
    }
}

// A square of 100 units.
static void make_four_lines(struct random_map *map)
{
    random_map_allocate(map, 4, 4);
    for (uint32_t i = 0; i < 4; i++) {
        map->vertices[i] = (struct plain_vertex){(i > 1) * 100 * 65536,
                                                 (i % 3 > 0) * 100 * 65536};
        map->lines[i].v1 = i;
        map->lines[i].v2 = (i + 1) % 4;
    }
}

// --- The stage ---

static void be_silent(void *context, int32_t level, const char *text)
{
    (void)context;
    (void)level;
    (void)text;
}

static void open_stage(struct nbstage *stage, const char *folder,
                       const char *options)
{
    char asked[PATH_SIZE];
    snprintf(asked, sizeof asked, "%s/plugin/.libs/blocksweep.so%s%s", folder,
             *options ? "," : "", options);
    stage->host.log = be_silent;
    if (!nbstage_open(stage, asked, NULL, "BLOCKMAP"))
        fail("%s", stage->error);
}

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// What is built in a row of the table.
struct subject {
    const char *name;
    const char *options;
    struct nbstage_map maps[MAPS_AT_MOST];
    size_t map_count;
    size_t rounds;
    size_t repetitions; // of all maps in a round
    bool is_cold;       // other data is in the caches before each map
};

// The functions of zdbsp.cpp.
struct zdbsp {
    void *(*open)(const int32_t *vertices, size_t vertex_count,
                  const uint32_t *ends, size_t line_count);
    size_t (*build)(void *level);
    void (*close)(void *level);
};

// What builds: an instance of a stage, or ZDBSP's own code.
struct runner {
    struct nbstage stage;
    struct zdbsp zdbsp; // all NULL: the stage
    void *levels[MAPS_AT_MOST];
    struct samples samples;
};

static const struct nbstage_lump *build(struct runner *runner,
                                        const struct nbstage_map *map)
{
    const struct nbstage_lump *lump;
    if (!nbstage_build(&runner->stage, map, &lump))
        fail("%s", runner->stage.error);
    return lump;
}

// Fills the caches with other data, as an editor does between two builds.
static void empty_caches(void)
{
    static unsigned char other[1 << 26];
    for (size_t i = 0; i < sizeof other; i += 64)
        other[i]++;
}

static void build_one(const struct subject *subject, struct runner *runner,
                      size_t map)
{
    if (runner->zdbsp.build)
        runner->zdbsp.build(runner->levels[map]);
    else
        build(runner, &subject->maps[map]);
}

// Builds all maps one after the other, so that each is new to the caches.
static void build_round(const struct subject *subject, struct runner *runner)
{
    const double start = processor_seconds();
    double emptying = 0;
    for (size_t r = 0; r < subject->repetitions; r++)
        for (size_t m = 0; m < subject->map_count; m++) {
            if (subject->is_cold) {
                const double began = processor_seconds();
                empty_caches();
                emptying += processor_seconds() - began;
            }
            build_one(subject, runner, m);
        }
    runner->samples.seconds[runner->samples.count++] =
        (processor_seconds() - start - emptying) / (double)subject->repetitions;
}

static void print_heads(const char *against)
{
    printf("%-24s %8s %9s %10s %8s %7s", "Processor time of", "entries",
           "bytes", "", "ns/entry", "spread");
    if (against)
        printf(" %8s", "ratio");
    printf("\n");
}

static void print_row(const struct subject *subject, struct runner *runners,
                      size_t runner_count)
{
    double seconds = median(&runners[0].samples);
    int64_t entries = 0;
    size_t bytes = 0;
    for (size_t m = 0; m < subject->map_count; m++) {
        bytes += build(&runners[0], &subject->maps[m])->data_size;
        entries += runners[0]
                       .stage.descriptor
                       ->get_fact(runners[0].stage.instance, "entries")
                       ->number;
    }
    printf("%-24s %8lld %9zu ", subject->name, (long long)entries, bytes);
    if (seconds < 1e-4)
        printf("%7.2f us", seconds * 1e6);
    else
        printf("%7.2f ms", seconds * 1e3);
    printf(" %8.2f %5.1f %%", seconds * 1e9 / (double)entries,
           spread(&runners[0].samples));
    if (runner_count > 1)
        printf(" %8.2f", seconds / median(&runners[1].samples));
    printf("\n");
    fflush(stdout);
}

// Measures by turns; one round more than is counted, to warm up.
static void measure_by_turns(const struct subject *subject,
                             struct runner *runners, size_t runner_count)
{
    size_t rounds = count_rounds(subject->rounds);
    for (size_t round = 0; round <= rounds; round++)
        for (size_t i = 0; i < runner_count; i++) {
            build_round(subject, &runners[i]);
            if (round == 0)
                runners[i].samples.count = 0;
        }
    print_row(subject, runners, runner_count);
}

static void measure(const struct subject *subject, const char *const *builds,
                    size_t build_count)
{
    struct runner *runners = allocate_zeros(build_count, sizeof *runners);
    for (size_t b = 0; b < build_count; b++)
        open_stage(&runners[b].stage, builds[b], subject->options);
    measure_by_turns(subject, runners, build_count);
    for (size_t b = 0; b < build_count; b++)
        nbstage_close(&runners[b].stage);
    free(runners);
}

// A map in one of its forms.
enum form { LUMPS, ARRAYS, POINTERS };

static struct nbstage_map view(struct maps *maps, size_t m, enum form form)
{
    if (form == LUMPS)
        return lump_set_map(&maps->lumps[m]);
    struct nbstage_map map =
        view_arrays(&maps->arrays[m], maps->lumps[m].map_name, &maps->kept[m]);
    if (form == POINTERS) {
        map.vertices = &maps->far[m].vertices;
        map.lines = &maps->far[m].lines;
    }
    return map;
}

static void measure_freedoom(struct maps *maps, const char *const *builds,
                             size_t build_count)
{
    static const struct {
        const char *name;
        const char *options;
        enum form form;
        size_t rounds, repetitions;
        bool is_cold;
    } ways[] = {
        {"Freedoom, lumps", "", LUMPS, 51, 5, false},
        {"Freedoom, arrays", "", ARRAYS, 51, 5, false},
        {"Freedoom, pointers", "", POINTERS, 51, 5, false},
        {"Freedoom, lumps, cold", "", LUMPS, 15, 1, true},
        {"Freedoom, arrays, cold", "", ARRAYS, 15, 1, true},
        {"Freedoom, pointers, cold", "", POINTERS, 15, 1, true},
        {"Freedoom, inert pruned", "prune=inert", LUMPS, 21, 1, false},
        {"Freedoom, nested", "pack=nest", LUMPS, 21, 2, false},
        {"Freedoom, search", "grid=search", LUMPS, 5, 1, false},
    };
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct subject subject = {.name = ways[w].name,
                                  .options = ways[w].options,
                                  .map_count = maps->count,
                                  .rounds = ways[w].rounds,
                                  .repetitions = ways[w].repetitions,
                                  .is_cold = ways[w].is_cold};
        for (size_t m = 0; m < maps->count; m++)
            subject.maps[m] = view(maps, m, ways[w].form);
        measure(&subject, builds, build_count);
    }
}

static struct zdbsp zdbsp_load(const char *path)
{
    struct zdbsp zdbsp;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *functions[] = {module ? dlsym(module, "zdbsp_open") : NULL,
                         module ? dlsym(module, "zdbsp_build") : NULL,
                         module ? dlsym(module, "zdbsp_close") : NULL};
    if (!functions[0] || !functions[1] || !functions[2])
        fail("%s: %s", path, dlerror());
    memcpy(&zdbsp, functions, sizeof zdbsp);
    return zdbsp;
}

static void *zdbsp_take(const struct zdbsp *zdbsp, const struct random_map *map)
{
    uint32_t *ends = allocate_zeros(2 * map->line_count, sizeof *ends);
    for (size_t i = 0; i < map->line_count; i++) {
        ends[2 * i] = map->lines[i].v1;
        ends[2 * i + 1] = map->lines[i].v2;
    }
    void *level = zdbsp->open(&map->vertices->x, map->vertex_count, ends,
                              map->line_count);
    free(ends);
    return level;
}

// Building from arrays, against ZDBSP's own code with its own structures.
static void measure_zdbsp(struct maps *maps, const char *build,
                          const char *path)
{
    struct runner *runners = allocate_zeros(2, sizeof *runners);
    struct subject subject = {.name = "ZDBSP's arrays",
                              .map_count = maps->count,
                              .rounds = 51,
                              .repetitions = 5};
    open_stage(&runners[0].stage, build, "");
    runners[1].zdbsp = zdbsp_load(path);
    for (size_t m = 0; m < maps->count; m++) {
        subject.maps[m] = view(maps, m, ARRAYS);
        runners[1].levels[m] = zdbsp_take(&runners[1].zdbsp, &maps->arrays[m]);
    }
    printf("\n");
    print_heads("ZDBSP's own code");
    measure_by_turns(&subject, runners, 2);
    for (size_t m = 0; m < maps->count; m++)
        runners[1].zdbsp.close(runners[1].levels[m]);
    nbstage_close(&runners[0].stage);
    free(runners);
}

// A line as source ports have it.
struct pointing_line {
    const struct plain_vertex *v1, *v2;
};

static struct pointing_line *make_pointing(const struct random_map *from)
{
    struct pointing_line *lines =
        allocate_zeros(from->line_count, sizeof *lines);
    for (size_t i = 0; i < from->line_count; i++)
        lines[i] = (struct pointing_line){&from->vertices[from->lines[i].v1],
                                          &from->vertices[from->lines[i].v2]};
    return lines;
}

static void measure_large(const struct nbstage_map *map, const char *form,
                          const char *const *builds, size_t build_count)
{
    const size_t count = map->lines->array.count;
    char name[48];
    snprintf(name, sizeof name, "%zu lines%s", count, form);
    const struct subject large = {.name = name,
                                  .options = "overflow=xbm1",
                                  .maps = {*map},
                                  .map_count = 1,
                                  .rounds = 11,
                                  .repetitions = 1000000 / count};
    measure(&large, builds, build_count);
}

static void measure_made(const char *const *builds, size_t build_count)
{
    struct random_map four = {0};
    struct kept_arrays kept;
    make_four_lines(&four);
    const struct subject small = {.name = "A map of four lines",
                                  .options = "",
                                  .maps = {view_arrays(&four, "FOUR", &kept)},
                                  .map_count = 1,
                                  .rounds = 51,
                                  .repetitions = 1000};
    measure(&small, builds, build_count);
    random_map_free(&four);
    static const size_t sizes[] = {100000, 1000000, 65536};
    for (size_t i = 0; i < (is_quick ? 1 : COUNT(sizes)); i++) {
        struct random_map rooms = {0};
        make_rooms(&rooms, sizes[i]);
        struct nbstage_map map = view_arrays(&rooms, "ROOMS", &kept);
        measure_large(&map, "", builds, build_count);
        // Lines point to vertices: in place, and both behind pointers.
        struct pointing_line *lines = make_pointing(&rooms);
        struct nbstage_lines pointing = {0};
        NBSTAGE_SET_ARRAY(pointing, lines, sizes[i]);
        NBSTAGE_SET(pointing.v1, NBSTAGE_POINTER, struct pointing_line, v1);
        NBSTAGE_SET(pointing.v2, NBSTAGE_POINTER, struct pointing_line, v2);
        map.lines = &pointing;
        measure_large(&map, ", pointers", builds, build_count);
        free(lines);
        struct kept_arrays far = make_far(&rooms);
        map.vertices = &far.vertices;
        map.lines = &far.lines;
        measure_large(&map, ", all far", builds, build_count);
        random_map_free(&rooms);
    }
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"freedoom", required_argument, NULL, 'f'},
        {"against", required_argument, NULL, 'a'},
        {"zdbsp", required_argument, NULL, 'z'},
        {"quick", no_argument, NULL, 'q'},
        {0},
    };
    const char *freedoom = "/usr/share/games/doom", *zdbsp = NULL;
    const char *builds[BUILDS_AT_MOST] = {getenv("BUILD_DIR"), NULL};
    int letter;
    while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (letter == 'f')
            freedoom = optarg;
        else if (letter == 'a')
            builds[1] = optarg;
        else if (letter == 'z')
            zdbsp = optarg;
        else if (letter == 'q')
            is_quick = true;
        else
            return EXIT_FAILURE;
    }
    if (optind < argc || !builds[0])
        fail("expected BUILD_DIR in the environment, and --freedoom=DIR, "
             "--against=FOLDER, --zdbsp=MODULE or --quick");
    size_t build_count = builds[1] ? 2 : 1;
    char wad[PATH_SIZE];
    snprintf(wad, sizeof wad, "%s/freedoom2.wad", freedoom);
    static struct maps maps;
    read_freedoom(wad, &maps);
    print_heads(builds[1]);
    if (maps.count > 0)
        measure_freedoom(&maps, builds, build_count);
    measure_made(builds, build_count);
    if (maps.count > 0 && zdbsp)
        measure_zdbsp(&maps, builds[0], zdbsp);
    for (size_t i = 0; i < maps.count; i++)
        random_map_free(&maps.arrays[i]);
    wadfile_free(&maps.wad);
    return EXIT_SUCCESS;
}
