// SPDX-License-Identifier: GPL-2.0-or-later
//
// A stage to be compiled with any nbstage.h since the first form of version 1:
// hosts of every header must make the same of what it hands back.  Its BLOCKMAP
// says what map it was given.
//
// After all that it hands over there are bytes that no host may take for
// members, and after its descriptor functions that end the process.

#include "nbstage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#ifdef NBSTAGE_LATER
#define LATER .later = {3, 3, 3}
#else
#define LATER
#endif

enum { FACTS = 4 };

struct nbstage_instance {
    struct nbstage_host host;
    int is_loud;
    int is_sulking;
    char motto[32];
    char message[64];
};

// What a result points to.
struct made {
    struct nbstage_lump lumps[1];
    unsigned char behind_lumps[64];
    struct nbstage_fact facts[FACTS];
    unsigned char behind_facts[64];
    char text[100];
};

// ---------------------------------------------------------------------------
// Structures of another size

static void read_structure(void *target, size_t target_size, const void *source,
                           size_t source_size)
{
    memset(target, 0, target_size);
    memcpy(target, source,
           source_size < target_size ? source_size : target_size);
}

// Keeps the size that the host has set.
static void write_structure(void *target, const void *source,
                            size_t source_size)
{
    size_t size;
    memcpy(&size, target, sizeof size);
    memcpy(target, source, source_size < size ? source_size : size);
    memcpy(target, &size, sizeof size);
}

// ---------------------------------------------------------------------------
// Instances

static nbstage_status fail(struct nbstage_instance *instance,
                           nbstage_status status, const char *sentence)
{
    snprintf(instance->message, sizeof instance->message, "%s", sentence);
    return status;
}

static nbstage_status create(const struct nbstage_host *host,
                             struct nbstage_instance **instance)
{
    *instance = calloc(1, sizeof **instance);
    if (!*instance)
        return NBSTAGE_OUT_OF_MEMORY;
    if (host)
        read_structure(&(*instance)->host, sizeof(*instance)->host, host,
                       host->size);
    return NBSTAGE_OK;
}

static nbstage_status set_option(struct nbstage_instance *instance,
                                 const char *name, const char *value)
{
    if (strcmp(name, "loud") == 0)
        instance->is_loud = strcmp(value, "yes") == 0;
    else if (strcmp(name, "mood") == 0)
        instance->is_sulking = strcmp(value, "bad") == 0;
    else if (strcmp(name, "motto") == 0)
        snprintf(instance->motto, sizeof instance->motto, "%s", value);
    else if (strcmp(name, "size") != 0)
        return fail(instance, NBSTAGE_UNKNOWN_OPTION, "no such option");
    return NBSTAGE_OK;
}

static const char *last_error(const struct nbstage_instance *instance)
{
    return instance->message;
}

static void destroy(struct nbstage_instance *instance)
{
    free(instance);
}

// ---------------------------------------------------------------------------
// Builds

#ifdef NBSTAGE_LISTED // as old as is_item
#define ITEM(value) .is_item = value,
#else
#define ITEM(value)
#endif

#define FACT(fact_name, fact_value, fact_text, item) \
    (struct nbstage_fact) \
    { \
        .size = sizeof(struct nbstage_fact), .name = fact_name, \
        .value = fact_value, .text = fact_text, ITEM(item) LATER \
    }

static uint32_t add_bytes(uint32_t sum, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum = 31 * sum + ((const unsigned char *)bytes)[i];
    return sum;
}

// Adds the first words of each element, as many as all versions know.
static uint32_t add_elements(uint32_t sum, const void *elements, size_t count,
                             size_t size, size_t words)
{
    const size_t known = words * sizeof(int32_t);
    for (size_t i = 0; i < count; i++)
        sum = add_bytes(sum, (const unsigned char *)elements + i * size,
                        size < known ? size : known);
    return sum;
}

static uint32_t add_map(const struct nbstage_map *map)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, map->lumps, i);
        sum = add_bytes(sum, lump->name, strlen(lump->name));
        sum = add_bytes(sum, lump->data, lump->data_size) + lump->compression;
    }
    sum = add_elements(sum, map->vertices, map->vertex_count, map->vertex_size,
                       2);
    sum = add_elements(sum, map->lines, map->line_count, map->line_size, 12);
    return add_elements(sum, map->sectors, map->sector_count, map->sector_size,
                        5);
}

static void fill(struct nbstage_instance *instance,
                 const struct nbstage_map *map, struct made *made)
{
    int length = snprintf(made->text, sizeof made->text,
                          "%s %" PRIu32 " %zu %zu %zu %zu %" PRIu32, map->name,
                          map->format, map->lump_count, map->vertex_count,
                          map->line_count, map->sector_count, add_map(map));
    made->lumps[0] = (struct nbstage_lump){.size = sizeof(struct nbstage_lump),
                                           .name = "BLOCKMAP",
                                           .data = made->text,
                                           .data_size = (size_t)length,
                                           LATER};
    made->facts[0] = FACT("wall", 5, "the first", 1);
    made->facts[1] = FACT("wall", 7, "the second", 1);
    made->facts[2] = FACT("motto", 0, instance->motto, 0);
    made->facts[3] = FACT("lumps_seen", (int64_t)map->lump_count, NULL, 0);
}

static nbstage_status report(struct nbstage_instance *instance)
{
    const struct nbstage_host *host = &instance->host;
    if (instance->is_loud && host->log)
        host->log(host->context, NBSTAGE_LOG_WARNING, "loud as asked");
    if (host->progress && host->progress(host->context, 1, 2) != 0)
        return fail(instance, NBSTAGE_CANCELLED, "cancelled");
    if (instance->is_sulking)
        return fail(instance, NBSTAGE_UNSUPPORTED, "not in this mood");
    return NBSTAGE_OK;
}

static nbstage_status build(struct nbstage_instance *instance,
                            const struct nbstage_map *given,
                            struct nbstage_result *result)
{
    const struct nbstage_host *host = &instance->host;
    nbstage_status status = report(instance);
    if (status != NBSTAGE_OK)
        return status;
    struct made *made = host->allocate
                            ? host->allocate(host->context, sizeof *made)
                            : malloc(sizeof *made);
    if (!made)
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, "out of memory");
    struct nbstage_map map;
    read_structure(&map, sizeof map, given, given->size);
    memset(made, 0xA5, sizeof *made);
    fill(instance, &map, made);
    const struct nbstage_result filled = {.lumps = made->lumps,
                                          .lump_count = COUNT(made->lumps),
                                          .facts = made->facts,
                                          .fact_count = COUNT(made->facts),
                                          LATER};
    write_structure(result, &filled, sizeof filled);
    return NBSTAGE_OK;
}

static void free_result(struct nbstage_instance *instance,
                        struct nbstage_result *result)
{
    const struct nbstage_host *host = &instance->host;
    const struct nbstage_result empty = {0};
    void *made = (void *)(uintptr_t)result->lumps;
    if (made && host->release)
        host->release(host->context, made);
    else
        free(made);
    write_structure(result, &empty, sizeof empty);
}

// ---------------------------------------------------------------------------
// Maps as arrays

#ifdef NBSTAGE_LISTED

// A triangle, whatever the map.
static const struct nbstage_vertex vertices[] = {
    {0, 0, LATER}, {0, 1 << 22, LATER}, {1 << 22, 0, LATER}};
static const struct nbstage_line lines[] = {
    {.v1 = 0, .v2 = 1, .back_sector = NBSTAGE_NONE, LATER},
    {.v1 = 1, .v2 = 2, .back_sector = NBSTAGE_NONE, LATER},
    {.v1 = 2, .v2 = 0, .back_sector = NBSTAGE_NONE, LATER}};
static const struct nbstage_sector sectors[] = {{0, 1 << 22, 1, 2, 3, LATER}};
static const unsigned char left_out[] = {
    NBSTAGE_LISTED, NBSTAGE_LEFT_OUT_TAGGED, NBSTAGE_LEFT_OUT_INERT};

static nbstage_status decode(struct nbstage_instance *instance,
                             const struct nbstage_map *map,
                             struct nbstage_decoded *decoded)
{
    (void)map;
    const struct nbstage_decoded filled = {.format = NBSTAGE_FORMAT_DOOM,
                                           .vertices = vertices,
                                           .vertex_count = COUNT(vertices),
                                           .vertex_size = sizeof *vertices,
                                           .lines = lines,
                                           .line_count = COUNT(lines),
                                           .line_size = sizeof *lines,
                                           .sectors = sectors,
                                           .sector_count = COUNT(sectors),
                                           .sector_size = sizeof *sectors,
                                           .left_out = left_out,
                                           LATER};
    nbstage_status status = report(instance);
    if (status == NBSTAGE_OK)
        write_structure(decoded, &filled, sizeof filled);
    return status;
}

static void free_decoded(struct nbstage_instance *instance,
                         struct nbstage_decoded *decoded)
{
    (void)instance;
    const struct nbstage_decoded empty = {0};
    write_structure(decoded, &empty, sizeof empty);
}

#define DECODE .decode = decode, .free_decoded = free_decoded,
#else
#define DECODE
#endif

// ---------------------------------------------------------------------------
// The descriptor

#define CHOICE(choice_name, choice_help) \
    { \
        .size = sizeof(struct nbstage_choice), .name = choice_name, \
        .help = choice_help, LATER \
    }
#define OPTION(option_name, option_type, value, option_help) \
    .size = sizeof(struct nbstage_option), .name = option_name, \
    .type = option_type, .default_value = value, .help = option_help

static const struct nbstage_choice moods[] = {
    CHOICE("good", "maps are built"),
    CHOICE("bad", "every map fails"),
};
static const struct nbstage_choice answers[] = {
    CHOICE("no", "be quiet"),
    CHOICE("yes", "warn of every map"),
};

static const struct nbstage_option options[] = {
    {OPTION("mood", NBSTAGE_OPTION_CHOICE, "good", "how the stage feels"),
     .choices = moods, .choice_count = COUNT(moods), .form = "WORD", LATER},
    {OPTION("size", NBSTAGE_OPTION_INTEGER, "4", "means nothing"),
     .minimum = -7, .maximum = INT64_C(1) << 40, LATER},
    {OPTION("motto", NBSTAGE_OPTION_TEXT, "", "becomes a fact"),
     .form = "WORDS", LATER},
    {OPTION("loud", NBSTAGE_OPTION_FLAG, "no", "whether to warn"),
     .choices = answers, .choice_count = COUNT(answers), LATER},
};

static const char *const lump_names[] = {"BLOCKMAP"};

static void is_no_member(void)
{
    fputs("what is behind the descriptor was called\n", stderr);
    abort();
}

static const struct {
    struct nbstage_descriptor descriptor;
    void (*behind[8])(void);
} stage = {.descriptor = {.size = sizeof stage.descriptor,
                          .abi = NBSTAGE_ABI,
                          .name = "notes",
                          .version = "1.2.3",
                          .summary = "says what it is given",
                          .lump_names = lump_names,
                          .lump_name_count = COUNT(lump_names),
                          .options = options,
                          .option_count = COUNT(options),
                          .create = create,
                          .set_option = set_option,
                          .build = build,
                          .free_result = free_result,
                          .last_error = last_error,
                          .destroy = destroy,
                          DECODE LATER},
           .behind = {is_no_member, is_no_member, is_no_member, is_no_member,
                      is_no_member, is_no_member, is_no_member, is_no_member}};

const struct nbstage_descriptor *nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *nbstage_describe(uint32_t abi)
{
    return abi >= 1 ? &stage.descriptor : NULL;
}
