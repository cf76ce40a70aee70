// SPDX-License-Identifier: GPL-2.0-or-later
//
// A host that writes down all that a stage tells it, to be compiled with any
// nbstage.h: a stage must tell the same to hosts of every header.
//
//     abi-host STAGE.so [NAME=VALUE]...
//
// With a header of the future (NBSTAGE_LATER) structures have members that no
// stage of today knows, and those of the stage may lack them.

#include "nbstage.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define UNIT 65536 // a map unit in 16.16

#ifdef NBSTAGE_LATER
#define LATER .later = {2, 2, 2}
// What the stage hands over has the members after 1.0 only if it knew them.
#define CHECK_LATER(type, structure) \
    check_later(#type, NBSTAGE_HAS(struct type, structure, later) \
                           ? (structure)->later \
                           : NULL)
#else
#define LATER
#define CHECK_LATER(type, structure) (void)(structure)
#endif

// What the callbacks are about.
struct user {
    long blocks; // of memory that the stage has
    int cancels; // what to answer to reports
};

static const struct nbstage_descriptor *stage;
static struct nbstage_instance *instance;
static struct user user;

// --- Callbacks ---

static void *take(void *context, size_t bytes)
{
    struct user *owner = context;
    void *memory = malloc(bytes);
    if (memory)
        memset(memory, 0xA5, bytes);
    owner->blocks += memory != NULL;
    return memory;
}

static void give_back(void *context, void *memory)
{
    struct user *owner = context;
    owner->blocks--;
    free(memory);
}

static void print_message(void *context, int32_t level, const char *message)
{
    (void)context;
    printf("message %" PRId32 " %s\n", level, message);
}

static int32_t watch(void *context, uint32_t done, uint32_t total)
{
    const struct user *watcher = context;
    if (total == 0 || done > total)
        printf("progress %" PRIu32 " of %" PRIu32 "\n", done, total);
    return watcher->cancels;
}

// --- What the stage is ---

#ifdef NBSTAGE_LATER
static void check_later(const char *type, const size_t *later)
{
    if (later && later[0] != 3)
        fprintf(stderr, "%s: a later member is %zu\n", type, later[0]);
}
#endif

static const struct nbstage_descriptor *load_stage(const char *path)
{
    nbstage_describe_function describe = NULL;
    void *library = dlopen(path, RTLD_NOW);
    void *symbol = library ? dlsym(library, NBSTAGE_SYMBOL) : NULL;
    if (symbol)
        memcpy(&describe, &symbol, sizeof describe);
    return describe ? describe(NBSTAGE_ABI) : NULL;
}

static const char *or_none(const char *text)
{
    return text ? text : "(none)";
}

static void print_option(const struct nbstage_option *option)
{
    printf("option %s %" PRId32 " %s %s %s %s %" PRId64 " %" PRId64 "\n",
           option->name, option->type, option->default_value,
           or_none(option->group), or_none(option->form), option->help,
           option->minimum, option->maximum);
    for (size_t i = 0; i < option->choice_count; i++)
        printf("choice %s %s\n", option->choices[i].name,
               option->choices[i].help);
    CHECK_LATER(nbstage_option, option);
}

static void print_stage(void)
{
    printf("stage %s %s %s\n", stage->name, stage->version, stage->summary);
    for (size_t i = 0; stage->lump_names[i]; i++)
        printf("makes %s\n", stage->lump_names[i]);
    for (size_t i = 0; stage->fact_names[i]; i++)
        printf("tells %s\n", stage->fact_names[i]);
    for (size_t i = 0; stage->options[i]; i++)
        print_option(stage->options[i]);
    CHECK_LATER(nbstage_descriptor, stage);
}

// --- What it makes of a map ---

static void print_failure(const char *call, nbstage_status status)
{
    printf("%s failed %" PRId32 " %s\n", call, status,
           stage->last_error(instance));
}

static void print_lump(const struct nbstage_lump *lump)
{
    const unsigned char *bytes = lump->data;
    printf("lump %s %zu ", lump->name, lump->data_size);
    for (size_t i = 0; i < lump->data_size; i++)
        printf("%02x", bytes[i]);
    putchar('\n');
}

static void print_results(void)
{
    for (size_t i = 0; stage->lump_names[i]; i++) {
        const struct nbstage_lump *lump =
            stage->get_lump(instance, stage->lump_names[i]);
        if (lump)
            print_lump(lump);
    }
    for (size_t i = 0; stage->fact_names[i]; i++) {
        const struct nbstage_fact *fact =
            stage->get_fact(instance, stage->fact_names[i]);
        if (!fact)
            continue;
        printf("fact %s %" PRId64 " %s\n", stage->fact_names[i], fact->number,
               or_none(fact->text));
        CHECK_LATER(nbstage_fact, fact);
    }
}

static void build(const struct nbstage_map *map)
{
    printf("map %s\n", map->name);
    nbstage_status status = stage->build(instance, map);
    if (status != NBSTAGE_OK)
        print_failure("build", status);
    print_results();
}

// --- Maps ---

// A triangle.
static const char text[] =
    "namespace = \"zdoom\";\n"
    "vertex { x = 0.5; y = 0; } vertex { x = 0.5; y = 256; }\n"
    "vertex { x = 256.5; y = 256; }\n"
    "linedef { v1 = 0; v2 = 1; sidefront = 0; blocking = true; }\n"
    "linedef { v1 = 1; v2 = 2; sidefront = 0; id = 7; }\n"
    "linedef { v1 = 2; v2 = 0; sidefront = 0; arg0 = 3; special = 9; }\n"
    "sidedef { sector = 0; } sector { heightceiling = 128; }\n";

// Two vertices and two linedefs, of which the second has no second vertex.
static const unsigned char vertexes[] = {0, 0, 0, 0, 200, 0, 100, 0};
static const unsigned char linedefs[] = {
    0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 255, 255, 255, 255,
    1, 0, 2, 0, 1, 0, 0, 0, 0, 0, 255, 255, 255, 255,
};

static void use_lumps(const char *name, uint32_t format,
                      const struct nbstage_lump *lumps, size_t lump_count)
{
    struct nbstage_map map = {.size = sizeof map,
                              .name = name,
                              .format = format,
                              .lumps = lumps,
                              .lump_count = lump_count,
                              LATER};
    build(&map);
}

#define LUMP(lump_name, bytes, bytes_size) \
    { \
        lump_name, bytes, bytes_size \
    }

static void use_maps_of_lumps(void)
{
    const struct nbstage_lump textmap[] = {
        LUMP("TEXTMAP", text, sizeof text - 1), LUMP("ENDMAP", NULL, 0)};
    const struct nbstage_lump sound[] = {
        LUMP("LINEDEFS", linedefs, sizeof linedefs / 2),
        LUMP("VERTEXES", vertexes, sizeof vertexes)};
    const struct nbstage_lump damaged[] = {
        LUMP("LINEDEFS", linedefs, sizeof linedefs),
        LUMP("VERTEXES", vertexes, sizeof vertexes)};
    use_lumps("TEXT", NBSTAGE_FORMAT_DETECT, textmap, COUNT(textmap));
    use_lumps("SOUND", NBSTAGE_FORMAT_DOOM, sound, COUNT(sound));
    use_lumps("DAMAGED", NBSTAGE_FORMAT_DETECT, damaged, COUNT(damaged));
}

// Lines that cross each other all over the place, between two sectors: of one
// kind of elements, or lines that point to vertices and sectors, which there
// are pointers to.
static void use_map_of_arrays(int has_pointers)
{
    enum { LINES = 60 };
    struct vertex {
        int32_t x, y;
    } vertices[LINES], *vertex_pointers[LINES];
    static const struct sector {
        float floor, ceiling;
        uint8_t special, tag, spare[2];
    } sectors[] = {{0, 128, 0, 1, {0, 0}}, {8, 128, 9, 2, {0, 0}}};
    struct line {
        uint32_t v1, v2, flags, special;
        uint16_t tag, front, back;
        uint8_t left_out, spare;
    } lines[LINES];
    struct pointing_line {
        const struct vertex *start, *end;
        const struct sector *sectors[2];
        int64_t special, tag;
        uint16_t flags;
        uint8_t left_out;
    } pointing[LINES];
    for (uint32_t i = 0; i < LINES; i++) {
        const uint32_t next = (i + 1) % LINES;
        vertices[i] = (struct vertex){(int32_t)(i * 617 % 1009) * UNIT,
                                      (int32_t)(i * 919 % 707) * UNIT};
        vertex_pointers[i] = &vertices[i];
        lines[i] = (struct line){.v1 = i,
                                 .v2 = next,
                                 .flags = i % 5,
                                 .special = i % 3,
                                 .tag = i % 7,
                                 .front = i % 2,
                                 .back = i % 4 ? 1 - i % 2 : UINT16_MAX,
                                 .left_out = i == 9};
        pointing[i] = (struct pointing_line){
            .start = &vertices[i],
            .end = &vertices[next],
            .sectors = {&sectors[i % 2], i % 4 ? &sectors[1 - i % 2] : NULL},
            .special = i % 3,
            .tag = i % 7,
            .flags = i % 5,
            .left_out = i == 9};
    }
    struct nbstage_vertices points = {.array.size = sizeof points, LATER};
    struct nbstage_lines walls = {.array.size = sizeof walls, LATER};
    struct nbstage_sectors areas = {.array.size = sizeof areas, LATER};
    struct nbstage_things none = {.array.size = sizeof none, LATER};
    NBSTAGE_SET(points.x, NBSTAGE_FIXED, struct vertex, x);
    NBSTAGE_SET(points.y, NBSTAGE_FIXED, struct vertex, y);
    if (has_pointers) {
        NBSTAGE_SET_POINTERS(points, vertex_pointers, LINES);
        NBSTAGE_SET_ARRAY(walls, pointing, LINES);
        NBSTAGE_SET(walls.v1, NBSTAGE_POINTER, struct pointing_line, start);
        NBSTAGE_SET(walls.v2, NBSTAGE_POINTER, struct pointing_line, end);
        NBSTAGE_SET(walls.flags, NBSTAGE_U16, struct pointing_line, flags);
        NBSTAGE_SET(walls.special, NBSTAGE_I64, struct pointing_line, special);
        NBSTAGE_SET(walls.tag, NBSTAGE_I64, struct pointing_line, tag);
        NBSTAGE_SET(walls.front_sector, NBSTAGE_POINTER, struct pointing_line,
                    sectors[0]);
        NBSTAGE_SET(walls.back_sector, NBSTAGE_POINTER, struct pointing_line,
                    sectors[1]);
        NBSTAGE_SET(walls.left_out, NBSTAGE_U8, struct pointing_line, left_out);
    } else {
        NBSTAGE_SET_ARRAY(points, vertices, LINES);
        NBSTAGE_SET_ARRAY(walls, lines, LINES);
        NBSTAGE_SET(walls.flags, NBSTAGE_U32, struct line, flags);
        NBSTAGE_SET(walls.special, NBSTAGE_U32, struct line, special);
        NBSTAGE_SET(walls.left_out, NBSTAGE_U8, struct line, left_out);
        NBSTAGE_SET(walls.v1, NBSTAGE_U32, struct line, v1);
        NBSTAGE_SET(walls.v2, NBSTAGE_U32, struct line, v2);
        NBSTAGE_SET(walls.tag, NBSTAGE_U16, struct line, tag);
        NBSTAGE_SET(walls.front_sector, NBSTAGE_U16, struct line, front);
        NBSTAGE_SET(walls.back_sector, NBSTAGE_U16, struct line, back);
    }
    NBSTAGE_SET_ARRAY(areas, sectors, COUNT(sectors));
    NBSTAGE_SET(areas.floor, NBSTAGE_FLOAT, struct sector, floor);
    NBSTAGE_SET(areas.ceiling, NBSTAGE_FLOAT, struct sector, ceiling);
    NBSTAGE_SET(areas.special, NBSTAGE_U8, struct sector, special);
    NBSTAGE_SET(areas.tag, NBSTAGE_U8, struct sector, tag);
    struct nbstage_map map = {.size = sizeof map,
                              .name = has_pointers ? "POINTERS" : "ARRAYS",
                              .vertices = &points,
                              .lines = &walls,
                              .sectors = &areas,
                              .things = &none,
                              LATER};
    build(&map);
}

// Overwrites the text.
static void set_option(char *setting)
{
    char *value = strchr(setting, '=');
    if (!value)
        return;
    *value++ = '\0';
    nbstage_status status =
        stage->set_option(instance, setting, value, NBSTAGE_BY_USER);
    if (status != NBSTAGE_OK)
        print_failure("option", status);
}

int main(int argc, char **argv)
{
    struct nbstage_host host = {.size = sizeof host,
                                .context = &user,
                                .allocate = take,
                                .release = give_back,
                                .log = print_message,
                                .progress = watch,
                                LATER};
    stage = argc > 1 ? load_stage(argv[1]) : NULL;
    instance = stage ? stage->create(&host) : NULL;
    if (!instance) {
        fputs("usage: abi-host STAGE.so [NAME=VALUE]...\n", stderr);
        return 2;
    }
    print_stage();
    print_results(); // none yet
    for (int i = 2; i < argc; i++)
        set_option(argv[i]);
    use_maps_of_lumps();
    use_map_of_arrays(0);
    if (strcmp(stage->name, "other") != 0) // it tells what bytes it got
        use_map_of_arrays(1);
    user.cancels = 1;
    use_map_of_arrays(0);
    stage->destroy(instance);
    printf("%ld blocks of memory are left\n", user.blocks);
    return 0;
}
