// SPDX-License-Identifier: GPL-2.0-or-later
//
// bench: measures the stage through its interface, and the command, and prints
// two tables.
//
//   bench [--freedoom=DIR] [--against=FOLDER] [--zdbsp=MODULE] [--quick]
//
// BUILD_DIR in the environment is the build tree that is measured, FOLDER
// another one, such as that of the commit before.  Both take turns, so that
// whatever else the machine does is the same for both.  All times are processor
// time; the command's are with that of the system.

#include "config.h"

#include "buffer.h"
#include "doom-map.h"
#include "plugin.h"
#include "random-map.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
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

// Those of Freedoom, in both forms.
struct maps {
    struct wadfile wad;
    struct lump_set lumps[MAPS_AT_MOST];
    struct random_map arrays[MAPS_AT_MOST];
    struct kept_arrays kept[MAPS_AT_MOST];
    size_t count;
};

static void read_freedoom(const char *path, struct maps *maps)
{
    const size_t most = is_quick ? 4 : MAPS_AT_MOST;
    if (access(path, R_OK) != 0) {
        printf("%s is not there, so its maps are left out.\n\n", path);
        return;
    }
    maps->wad = wadfile_read(path);
    while (maps->count < maps->wad.map_count && maps->count < most) {
        const struct wadfile_map *map = &maps->wad.maps[maps->count];
        struct doom_map decoded = doom_map_decode(map);
        maps->lumps[maps->count] = lump_set_from_wad(map);
        maps->arrays[maps->count++] = (struct random_map){
            .vertices = decoded.vertices,
            .vertex_count = decoded.vertex_count,
            .lines = doom_map_to_lines(&decoded),
            .line_count = decoded.linedef_count,
        };
        free(decoded.linedefs);
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
    static uint32_t state = 1;
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

static void open_stage(struct nbstage *stage, const char *folder,
                       const char *options)
{
    static const struct nbstage_host silent = {.size = sizeof silent};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/plugin/.libs/blocksweep.so", folder);
    if (!nbstage_find(stage, path, NULL, "BLOCKMAP") ||
        !nbstage_create(stage, &silent) || !nbstage_set_options(stage, options))
        fail("%s", stage->error);
}

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The structures of a builder, and what is described of them; examples/ has
// programs with these.  Bytes of an element, which pointers may lead to.
struct shape {
    const char *name;
    size_t vertex_size, line_size;
    struct nbstage_vertices vertices;
    struct nbstage_lines lines;
};

static const struct shape shapes[] = {
    {.name = "as ZDBSP has them",
     .vertex_size = 12,
     .line_size = 64,
     .vertices = {.x = {NBSTAGE_FIXED, 0, 0}, .y = {NBSTAGE_FIXED, 4, 0}},
     .lines = {.v1 = {NBSTAGE_U32, 0, 0},
               .v2 = {NBSTAGE_U32, 4, 0},
               .flags = {NBSTAGE_I32, 8, 0},
               .special = {NBSTAGE_I32, 16, 0},
               .tag = {NBSTAGE_I32, 20, 0}}},
    {.name = "as ELFBSP has them",
     .vertex_size = 48,
     .line_size = 72,
     .vertices = {.array.is_indirect = 1,
                  .x = {NBSTAGE_DOUBLE, 0, 0},
                  .y = {NBSTAGE_DOUBLE, 8, 0}},
     .lines = {.array.is_indirect = 1,
               .v1 = {NBSTAGE_U64 + NBSTAGE_BEHIND, 8, 16},
               .v2 = {NBSTAGE_U64 + NBSTAGE_BEHIND, 16, 16},
               .special = {NBSTAGE_I32, 40, 0},
               .tag = {NBSTAGE_U16, 44, 0}}},
    {.name = "as ZokumBSP has them",
     .vertex_size = 4,
     .line_size = 20,
     .vertices = {.x = {NBSTAGE_I16, 0, 0}, .y = {NBSTAGE_I16, 2, 0}},
     .lines = {.v1 = {NBSTAGE_U16, 0, 0},
               .v2 = {NBSTAGE_U16, 2, 0},
               .flags = {NBSTAGE_U16, 4, 0},
               .special = {NBSTAGE_U16, 6, 0},
               .tag = {NBSTAGE_U16, 8, 0}}},
};

// What is built in a row of the table.
struct subject {
    const char *name;
    const char *options;
    struct nbstage_map maps[MAPS_AT_MOST];
    const struct shape *shape; // in which maps are described for each build
    size_t map_count;
    size_t rounds;
    size_t repetitions; // of all maps in a round
};

// What an instance builds with.
struct runner {
    struct nbstage stage;
    struct samples samples;
    int64_t entries;
    size_t bytes;
};

static void describe(const struct shape *shape, const struct nbstage_map *map,
                     struct kept_arrays *kept)
{
    kept->vertices = shape->vertices;
    kept->vertices.array = map->vertices->array;
    kept->lines = shape->lines;
    kept->lines.array = map->lines->array;
}

// Builds all maps one after the other, so that each is new to the caches.
static void build_round(const struct subject *subject, struct runner *runner)
{
    runner->entries = 0;
    runner->bytes = 0;
    double start = processor_seconds();
    for (size_t r = 0; r < subject->repetitions; r++) {
        for (size_t m = 0; m < subject->map_count; m++) {
            struct nbstage_map map = subject->maps[m];
            struct kept_arrays kept;
            if (subject->shape) {
                describe(subject->shape, &map, &kept);
                map.vertices = &kept.vertices;
                map.lines = &kept.lines;
            }
            const struct nbstage_lump *lump =
                nbstage_build(&runner->stage, &map);
            if (!lump)
                fail("%s", runner->stage.error);
            if (r > 0)
                continue;
            runner->entries +=
                plugin_find_fact(runner->stage.descriptor,
                                 runner->stage.instance, "entries")
                    ->value;
            runner->bytes += lump->data_size;
        }
    }
    runner->samples.seconds[runner->samples.count++] =
        (processor_seconds() - start) / (double)subject->repetitions;
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
    struct runner *own = &runners[0];
    double seconds = median(&own->samples);
    printf("%-24s %8lld %9zu ", subject->name, (long long)own->entries,
           own->bytes);
    if (seconds < 1e-4)
        printf("%7.2f us", seconds * 1e6);
    else
        printf("%7.2f ms", seconds * 1e3);
    printf(" %8.2f %5.1f %%", seconds * 1e9 / (double)own->entries,
           spread(&own->samples));
    if (runner_count > 1)
        printf(" %8.2f", seconds / median(&runners[1].samples));
    printf("\n");
    fflush(stdout);
}

// Measures by turns; one round more than is counted, to warm up.
static void measure(const struct subject *subject, const char *const *builds,
                    size_t build_count)
{
    struct runner *runners = allocate_zeros(build_count, sizeof *runners);
    for (size_t b = 0; b < build_count; b++)
        open_stage(&runners[b].stage, builds[b], subject->options);
    size_t rounds = count_rounds(subject->rounds);
    for (size_t round = 0; round <= rounds; round++) {
        for (size_t b = 0; b < build_count; b++) {
            build_round(subject, &runners[b]);
            if (round == 0)
                runners[b].samples.count = 0;
        }
    }
    print_row(subject, runners, build_count);
    for (size_t b = 0; b < build_count; b++)
        nbstage_close(&runners[b].stage);
    free(runners);
}

static void measure_freedoom(struct maps *maps, const char *const *builds,
                             size_t build_count)
{
    static const struct {
        const char *name;
        const char *options;
        bool are_arrays;
        size_t rounds, repetitions;
    } ways[] = {
        {"Freedoom, lumps", "", false, 51, 5},
        {"Freedoom, arrays", "", true, 51, 5},
        {"Freedoom, inert pruned", "prune=inert", false, 21, 1},
        {"Freedoom, nested", "pack=nest", false, 21, 2},
        {"Freedoom, search", "grid=search", false, 5, 1},
        {"Freedoom, search, nested", "grid=search,pack=nest", false, 5, 1},
    };
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct subject subject = {.name = ways[w].name,
                                  .options = ways[w].options,
                                  .map_count = maps->count,
                                  .rounds = ways[w].rounds,
                                  .repetitions = ways[w].repetitions};
        for (size_t m = 0; m < maps->count; m++)
            subject.maps[m] =
                ways[w].are_arrays
                    ? view_arrays(&maps->arrays[m], maps->lumps[m].map_name,
                                  &maps->kept[m])
                    : lump_set_map(&maps->lumps[m]);
        measure(&subject, builds, build_count);
    }
}

// Makes an array of zeroed elements, or of pointers to such.
static struct nbstage_array make_array(size_t description, size_t count,
                                       size_t size, uint32_t is_indirect)
{
    struct nbstage_array array = {description, NULL, count, size, is_indirect};
    if (!is_indirect) {
        array.data = allocate_zeros(count, size);
        return array;
    }
    void **pointers = allocate_zeros(count, sizeof *pointers);
    for (size_t i = 0; i < count; i++)
        pointers[i] = allocate_zeros(1, size);
    array.data = pointers;
    array.stride = sizeof *pointers;
    return array;
}

static unsigned char *find_element(const struct nbstage_array *array, size_t i)
{
    return array->is_indirect
               ? ((unsigned char *const *)array->data)[i]
               : (unsigned char *)array->data + i * array->stride;
}

// Stores a coordinate, 16.16, or another number, on a little-endian machine.
static void put(unsigned char *element, struct nbstage_member member,
                int32_t number, bool is_coordinate)
{
    double units = number / 65536.0;
    if (member.type == NBSTAGE_DOUBLE)
        memcpy(element + member.offset, &units, sizeof units);
    else if (member.type == NBSTAGE_I16 && is_coordinate)
        memcpy(element + member.offset, &(int16_t){(int16_t)units}, 2);
    else if (member.type != NBSTAGE_ABSENT)
        memcpy(element + member.offset, &number,
               member.type <= NBSTAGE_I16 ? 2 : 4);
}

// The same map in other structures, to be described with `shape`.
static void take_shape(const struct random_map *from, const struct shape *shape,
                       struct kept_arrays *to)
{
    to->vertices.array =
        make_array(sizeof to->vertices, from->vertex_count, shape->vertex_size,
                   shape->vertices.array.is_indirect);
    to->lines.array =
        make_array(sizeof to->lines, from->line_count, shape->line_size,
                   shape->lines.array.is_indirect);
    for (size_t i = 0; i < from->vertex_count; i++) {
        unsigned char *vertex = find_element(&to->vertices.array, i);
        put(vertex, shape->vertices.x, from->vertices[i].x, true);
        put(vertex, shape->vertices.y, from->vertices[i].y, true);
        if (to->vertices.array.is_indirect)
            memcpy(vertex + shape->lines.v1.target, &i, sizeof i);
    }
    for (size_t i = 0; i < from->line_count; i++) {
        const struct plain_line *line = &from->lines[i];
        unsigned char *element = find_element(&to->lines.array, i);
        const unsigned char *const ends[] = {
            find_element(&to->vertices.array, line->v1),
            find_element(&to->vertices.array, line->v2)};
        if (to->lines.array.is_indirect) {
            memcpy(element + shape->lines.v1.offset, ends, sizeof ends);
        } else {
            put(element, shape->lines.v1, (int32_t)line->v1, false);
            put(element, shape->lines.v2, (int32_t)line->v2, false);
        }
        put(element, shape->lines.flags, (int32_t)line->flags, false);
        put(element, shape->lines.special, (int32_t)line->special, false);
        put(element, shape->lines.tag, (int32_t)line->tag, false);
    }
}

// Describing and building maps in the structures of builders, against building
// those that are described in the plainest form.
static void measure_shapes(struct maps *maps, const char *build)
{
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    static struct kept_arrays kept[SHAPES][MAPS_AT_MOST];
    static struct subject subjects[2];
    struct runner *runners = allocate_zeros(2, sizeof *runners);
    printf("\n");
    print_heads("plain arrays");
    for (size_t s = 0; s < SHAPES; s++) {
        for (size_t i = 0; i < 2; i++) {
            subjects[i].name = shapes[s].name;
            subjects[i].map_count = maps->count;
            subjects[i].repetitions = 5;
            subjects[i].shape = i == 0 ? &shapes[s] : NULL;
            runners[i] = (struct runner){0};
            open_stage(&runners[i].stage, build, "");
        }
        for (size_t m = 0; m < maps->count; m++) {
            const char *name = maps->lumps[m].map_name;
            subjects[1].maps[m] =
                view_arrays(&maps->arrays[m], name, &maps->kept[m]);
            subjects[0].maps[m] = subjects[1].maps[m];
            take_shape(&maps->arrays[m], &shapes[s], &kept[s][m]);
            subjects[0].maps[m].vertices = &kept[s][m].vertices;
            subjects[0].maps[m].lines = &kept[s][m].lines;
        }
        for (size_t round = 0; round <= count_rounds(51); round++) {
            for (size_t i = 0; i < 2; i++) {
                build_round(&subjects[i], &runners[i]);
                if (round == 0)
                    runners[i].samples.count = 0;
            }
        }
        if (runners[0].bytes != runners[1].bytes)
            fail("structures %s make other lumps", shapes[s].name);
        print_row(&subjects[0], runners, 2);
        for (size_t i = 0; i < 2; i++)
            nbstage_close(&runners[i].stage);
    }
    free(runners);
}

// The functions of zdbsp.cpp.
struct zdbsp {
    void *(*open)(const int32_t *vertices, size_t vertex_count,
                  const uint32_t *ends, size_t line_count);
    size_t (*build)(void *level);
    void (*close)(void *level);
};

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
static void measure_zdbsp(const struct maps *maps, const char *build,
                          const char *path)
{
    enum { REPETITIONS = 5 };
    const struct zdbsp zdbsp = zdbsp_load(path);
    void *levels[MAPS_AT_MOST];
    struct runner *runners = allocate_zeros(2, sizeof *runners);
    static struct subject subject = {.name = "ZDBSP's arrays",
                                     .repetitions = REPETITIONS};
    static struct kept_arrays kept[MAPS_AT_MOST];
    open_stage(&runners[0].stage, build, "");
    subject.map_count = maps->count;
    for (size_t m = 0; m < maps->count; m++) {
        subject.maps[m] = view_arrays(&maps->arrays[m], "MAP", &kept[m]);
        levels[m] = zdbsp_take(&zdbsp, &maps->arrays[m]);
    }
    for (size_t round = 0; round <= count_rounds(51); round++) {
        struct samples *samples = &runners[1].samples;
        build_round(&subject, &runners[0]);
        double start = processor_seconds();
        for (size_t r = 0; r < REPETITIONS; r++)
            for (size_t m = 0; m < maps->count; m++)
                zdbsp.build(levels[m]);
        samples->seconds[samples->count++] =
            (processor_seconds() - start) / REPETITIONS;
        if (round == 0)
            runners[0].samples.count = samples->count = 0;
    }
    printf("\n");
    print_heads("ZDBSP's own code");
    print_row(&subject, runners, 2);
    for (size_t m = 0; m < maps->count; m++)
        zdbsp.close(levels[m]);
    nbstage_close(&runners[0].stage);
    free(runners);
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
    static const size_t sizes[] = {10000, 100000, 1000000};
    for (size_t i = 0; i < (is_quick ? 2 : 3); i++) {
        char name[32];
        struct random_map rooms = {0};
        make_rooms(&rooms, sizes[i]);
        snprintf(name, sizeof name, "%zu lines", sizes[i]);
        const struct subject large = {
            .name = name,
            .options = "overflow=xbm1",
            .maps = {view_arrays(&rooms, "ROOMS", &kept)},
            .map_count = 1,
            .rounds = 11,
            .repetitions = 1000000 / sizes[i]};
        measure(&large, builds, build_count);
        random_map_free(&rooms);
    }
}

// --- Whole processes ---

enum { NOT_INSTALLED = 127, PROCESSES_AT_MOST = 4 };

struct process {
    const char *name;
    const char *build; // whose stage it loads; NULL: none
    const char *words[8];
    struct samples samples;
    bool is_missing;
};

static _Noreturn void become(const struct process *process)
{
    char path[PATH_SIZE];
    int null = open("/dev/null", O_RDWR);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        dup2(null, i);
    if (process->build) {
        snprintf(path, sizeof path, "%s/plugin/.libs", process->build);
        setenv("NBSTAGE_PLUGIN_PATH", path, 1);
    }
    execvp(process->words[0], (char *const *)process->words);
    _exit(NOT_INSTALLED);
}

static double in_seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void run(struct process *process)
{
    struct rusage used;
    int ended;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        become(process);
    if (child < 0 || wait4(child, &ended, 0, &used) != child)
        fail("%s cannot be run", process->name);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == NOT_INSTALLED)
        process->is_missing = true;
    else if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        fail("%s has failed", process->name);
    process->samples.seconds[process->samples.count++] =
        in_seconds(used.ru_utime) + in_seconds(used.ru_stime);
}

static void print_processes(struct process *processes, size_t count)
{
    double own = median(&processes[0].samples);
    printf("\n%-24s %10s %7s %8s\n", "Processor time of", "", "spread",
           "ratio");
    for (size_t p = 0; p < count; p++) {
        struct process *process = &processes[p];
        if (process->is_missing) {
            printf("%-24s is not installed\n", process->name);
            continue;
        }
        double seconds = median(&process->samples);
        printf("%-24s %7.2f ms %5.1f %%", process->name, seconds * 1e3,
               spread(&process->samples));
        if (p > 0)
            printf(" %8.2f", own / seconds);
        printf("\n");
    }
}

// The whole command against other programs that write the WAD anew.
static void measure_processes(const char *wad, const char *const *builds,
                              size_t build_count)
{
    char programs[BUILDS_AT_MOST][PATH_SIZE], out[PATH_SIZE];
    const char *folder = getenv("TMPDIR");
    struct process processes[PROCESSES_AT_MOST];
    size_t count = 0;
    snprintf(out, sizeof out, "%s/bench-XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(out);
    if (file < 0)
        fail("%s cannot be written", out);
    close(file);
    for (size_t b = 0; b < build_count; b++) {
        snprintf(programs[b], PATH_SIZE, "%s/host/blocksweep", builds[b]);
        processes[count++] = (struct process){
            .name = b == 0 ? "blocksweep build" : "the other build's",
            .build = builds[b],
            .words = {programs[b], "build", "--quiet", wad, "-o", out}};
    }
    processes[count++] = (struct process){
        .name = "zdbsp -N -E", .words = {"zdbsp", "-N", "-E", "-o", out, wad}};
    processes[count++] =
        (struct process){.name = "cp", .words = {"cp", wad, out}};
    size_t rounds = count_rounds(21);
    for (size_t round = 0; round <= rounds; round++) {
        for (size_t p = 0; p < count; p++) {
            if (!processes[p].is_missing)
                run(&processes[p]);
            if (round == 0)
                processes[p].samples.count = 0;
        }
    }
    unlink(out);
    print_processes(processes, count);
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
    if (maps.count > 0)
        measure_shapes(&maps, builds[0]);
    if (maps.count > 0 && zdbsp)
        measure_zdbsp(&maps, builds[0], zdbsp);
    if (maps.count > 0)
        measure_processes(wad, builds, build_count);
    for (size_t i = 0; i < maps.count; i++)
        random_map_free(&maps.arrays[i]);
    wadfile_free(&maps.wad);
    return EXIT_SUCCESS;
}
