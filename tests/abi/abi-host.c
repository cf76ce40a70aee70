// SPDX-License-Identifier: GPL-2.0-or-later
//
// A host that writes down all that a stage tells it, to be compiled with any
// nbstage.h: a stage must tell the same to hosts of every header.
//
//     abi-host STAGE.so [NAME=VALUE]...
//
// Every structure that a stage may write to has bytes after it that must stay
// as they are, and with a header of the future (NBSTAGE_LATER) members that no
// stage of today knows, which it must not write to either.

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
#define LATER_OF(structure) (structure).later
#define KNOWS_LATER NBSTAGE_HAS(struct nbstage_descriptor, stage, later)
#else
#define LATER
#define LATER_OF(structure) NULL
#define KNOWS_LATER 1
#endif

// A structure that the stage writes to.
#define FRAMED(type) \
    struct { \
        type it; \
        unsigned char after[64]; \
    }

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
    printf("option %s %" PRId32 " %s %s %s %" PRId64 " %" PRId64 "\n",
           option->name, option->type, option->default_value,
           or_none(option->form), option->help, option->minimum,
           option->maximum);
    for (size_t i = 0; i < option->choice_count; i++) {
        const struct nbstage_choice *choice =
            NBSTAGE_AT(struct nbstage_choice, option->choices, i);
        printf("choice %s %s\n", choice->name, choice->help);
    }
}

static void print_stage(void)
{
    printf("stage %s %s %s\n", stage->name, stage->version, stage->summary);
    for (size_t i = 0; i < stage->lump_name_count; i++)
        printf("makes %s\n", stage->lump_names[i]);
    for (size_t i = 0; i < stage->option_count; i++)
        print_option(NBSTAGE_AT(struct nbstage_option, stage->options, i));
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
    printf("lump %s %zu %" PRIu32 " ", lump->name, lump->data_size,
           lump->compression);
    for (size_t i = 0; i < lump->data_size; i++)
        printf("%02x", bytes[i]);
    putchar('\n');
}

static void print_fact(const struct nbstage_fact *fact)
{
    printf("fact %s %" PRId64 " %s\n", fact->name, fact->value,
           or_none(fact->text));
    printf("kind %" PRIu32 "\n", fact->kind);
}

// Complains of a framed structure in which the call has changed what it must
// not.
#define CHECK_FRAME(call, framed) \
    check_frame(call, (framed).it.size == sizeof(framed).it, \
                LATER_OF((framed).it), (framed).after, sizeof(framed).after)

static void check_frame(const char *call, int has_size, const size_t *later,
                        const unsigned char *after, size_t after_size)
{
    if (!has_size)
        fprintf(stderr, "%s: the structure has another size\n", call);
    for (size_t i = 0; !KNOWS_LATER && i < 3; i++)
        if (later[i] != 2)
            fprintf(stderr, "%s: an unknown member is written to\n", call);
    for (size_t i = 0; i < after_size; i++)
        if (after[i] != 0xA5)
            fprintf(stderr, "%s: written after the structure, byte %zu\n", call,
                    i);
}

static void print_result(const struct nbstage_result *result)
{
    FRAMED(struct nbstage_fact) fact;
    for (size_t i = 0; i < result->lump_count; i++)
        print_lump(NBSTAGE_AT(struct nbstage_lump, result->lumps, i));
    memset(&fact, 0xA5, sizeof fact);
    fact.it = (struct nbstage_fact){.size = sizeof fact.it, LATER};
    for (size_t i = 0; stage->get_fact(instance, i, &fact.it); i++) {
        print_fact(&fact.it);
        CHECK_FRAME("get_fact", fact);
    }
}

static void build(const struct nbstage_map *map)
{
    FRAMED(struct nbstage_result) result;
    printf("map %s\n", map->name);
    memset(&result, 0xA5, sizeof result);
    result.it = (struct nbstage_result){.size = sizeof result.it, LATER};
    nbstage_status status = stage->build(instance, map, &result.it);
    CHECK_FRAME("build", result);
    if (status == NBSTAGE_OK)
        print_result(&result.it);
    else
        print_failure("build", status);
    stage->free_result(instance, &result.it);
    printf("left %zu lumps\n", result.it.lump_count);
    CHECK_FRAME("free_result", result);
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
        .size = sizeof(struct nbstage_lump), .name = lump_name, .data = bytes, \
        .data_size = bytes_size, LATER \
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

// Lines that cross each other all over the place, between two sectors.
static void use_map_of_arrays(void)
{
    enum { LINES = 60 };
    struct vertex {
        int32_t x, y;
    } vertices[LINES];
    struct line {
        uint32_t v1, v2, flags, special;
        uint16_t tag, front, back, spare;
    } lines[LINES];
    static const struct sector {
        float floor, ceiling;
        uint8_t special, tag, flags, spare;
    } sectors[] = {{0, 128, 0, 1, 0, 0},
                   {8, 128, 9, 2, NBSTAGE_SECTOR_SLOPED, 0}};
    for (uint32_t i = 0; i < LINES; i++) {
        vertices[i] = (struct vertex){(int32_t)(i * 617 % 1009) * UNIT,
                                      (int32_t)(i * 919 % 707) * UNIT};
        lines[i] = (struct line){.v1 = i,
                                 .v2 = (i + 1) % LINES,
                                 .flags = i % 5,
                                 .special = i % 3,
                                 .tag = i % 7,
                                 .front = i % 2,
                                 .back = i % 4 ? 1 - i % 2 : UINT16_MAX};
    }
    struct nbstage_vertices points = {LATER};
    struct nbstage_lines walls = {LATER};
    struct nbstage_sectors areas = {LATER};
    struct nbstage_things none = {.array.size = sizeof none, LATER};
    NBSTAGE_SET_ARRAY(points, vertices, LINES);
    NBSTAGE_SET(points.x, NBSTAGE_FIXED, struct vertex, x);
    NBSTAGE_SET(points.y, NBSTAGE_FIXED, struct vertex, y);
    NBSTAGE_SET_ARRAY(walls, lines, LINES);
    NBSTAGE_SET(walls.v1, NBSTAGE_U32, struct line, v1);
    NBSTAGE_SET(walls.v2, NBSTAGE_U32, struct line, v2);
    NBSTAGE_SET(walls.flags, NBSTAGE_U32, struct line, flags);
    NBSTAGE_SET(walls.special, NBSTAGE_U32, struct line, special);
    NBSTAGE_SET(walls.tag, NBSTAGE_U16, struct line, tag);
    NBSTAGE_SET(walls.front_sector, NBSTAGE_U16, struct line, front);
    NBSTAGE_SET(walls.back_sector, NBSTAGE_U16, struct line, back);
    NBSTAGE_SET_ARRAY(areas, sectors, COUNT(sectors));
    NBSTAGE_SET(areas.floor, NBSTAGE_FLOAT, struct sector, floor);
    NBSTAGE_SET(areas.ceiling, NBSTAGE_FLOAT, struct sector, ceiling);
    NBSTAGE_SET(areas.special, NBSTAGE_U8, struct sector, special);
    NBSTAGE_SET(areas.tag, NBSTAGE_U8, struct sector, tag);
    NBSTAGE_SET(areas.flags, NBSTAGE_U8, struct sector, flags);
    struct nbstage_map map = {.size = sizeof map,
                              .name = "ARRAYS",
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
    nbstage_status status = stage->set_option(instance, setting, value);
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
    if (!stage || stage->create(&host, &instance) != NBSTAGE_OK) {
        fputs("usage: abi-host STAGE.so [NAME=VALUE]...\n", stderr);
        return 2;
    }
    print_stage();
    for (int i = 2; i < argc; i++)
        set_option(argv[i]);
    use_maps_of_lumps();
    use_map_of_arrays();
    user.cancels = 1;
    use_map_of_arrays();
    stage->destroy(instance);
    printf("%ld blocks of memory are left\n", user.blocks);
    return 0;
}
