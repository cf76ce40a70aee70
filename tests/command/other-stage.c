// SPDX-License-Identifier: GPL-2.0-or-later
//
// A stage unlike blocksweep, as somebody else might write it with any nbstage.h
// since the first form of version 1: hosts of every header must make the same
// of what it hands back.  The tests of the command load it as compiled with a
// header of the future, whose structures have more members.
//
// It makes two lumps, and has options and facts of its own, of which one tells
// what map it was given.  Its BLOCKMAP is as many times the letter x as the
// option `size` says.  Maps fail with what the option `prune` says, unless that
// is "none" or nothing.
//
// After all that it hands over there are bytes that no host may take for
// members, and after its descriptor functions that end the process.
//
// Words in the environment variable OTHER_STAGE make it unfit to be used: it
// "refuses" this version, has a descriptor that is "cut-off", makes
// "other-lumps" or "no-instances".  Others are bad manners of builds, one that
// "forgets" the BLOCKMAP, one that "warns", and a last word of instances,
// "farewell"; and failures of which it is "silent".

// For nanosleep.
#define _POSIX_C_SOURCE 200809L

#include "nbstage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#ifdef NBSTAGE_LATER
#define LATER .later = {3, 3, 3}
#else
#define LATER
#endif

enum { LARGEST_SIZE = 1000, LUMPS = 2 };

// A range that needs 64 bits and a sign; less than 0 is no delay.
#define SMALLEST_DELAY (-7)
#define LARGEST_DELAY (INT64_C(1) << 40)

struct nbstage_instance {
    struct nbstage_host host;
    long size;  // of the BLOCKMAP, bytes
    long delay; // of a build, milliseconds
    int sulking;
    char motto[32];
    char prune[128];
    char message[128];
    // Of the last build.
    size_t lump_count;
    char given[100];
};

// What a result points to; its lumps come first.
struct made {
    struct nbstage_lump lumps[LUMPS];
    unsigned char behind_lumps[64];
    char bytes[LARGEST_SIZE];
};

static int has_fault(const char *name)
{
    const char *faults = getenv("OTHER_STAGE");
    return faults && strstr(faults, name);
}

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

static void tell(const struct nbstage_instance *instance, int32_t level,
                 const char *message)
{
    if (instance->host.log)
        instance->host.log(instance->host.context, level, message);
}

static nbstage_status create(const struct nbstage_host *host,
                             struct nbstage_instance **instance)
{
    *instance = NULL;
    if (has_fault("no-instances"))
        return NBSTAGE_UNSUPPORTED;
    *instance = calloc(1, sizeof **instance);
    if (!*instance)
        return NBSTAGE_OUT_OF_MEMORY;
    if (host)
        read_structure(&(*instance)->host, sizeof(*instance)->host, host,
                       host->size);
    (*instance)->size = 4;
    tell(*instance, NBSTAGE_LOG_DEBUG, "a word to authors");
    return NBSTAGE_OK;
}

static nbstage_status set_number(struct nbstage_instance *instance,
                                 const char *value, int64_t smallest,
                                 int64_t largest, long *number)
{
    char *end;
    long given = strtol(value, &end, 10);
    if (end == value || *end != '\0' || given < smallest || given > largest)
        return fail(instance, NBSTAGE_BAD_VALUE, "another number was expected");
    *number = given;
    return NBSTAGE_OK;
}

static nbstage_status set_option(struct nbstage_instance *instance,
                                 const char *name, const char *value)
{
    if (strcmp(name, "size") == 0)
        return set_number(instance, value, 0, LARGEST_SIZE, &instance->size);
    if (strcmp(name, "delay") == 0)
        return set_number(instance, value, SMALLEST_DELAY, LARGEST_DELAY,
                          &instance->delay);
    if (strcmp(name, "mood") == 0)
        instance->sulking = strcmp(value, "bad") == 0;
    if (strcmp(name, "motto") == 0)
        snprintf(instance->motto, sizeof instance->motto, "%s", value);
    if (strcmp(name, "prune") == 0)
        snprintf(instance->prune, sizeof instance->prune, "%s", value);
    return NBSTAGE_OK;
}

static const char *last_error(const struct nbstage_instance *instance)
{
    return has_fault("silent") ? "" : instance->message;
}

static void destroy(struct nbstage_instance *instance)
{
    if (instance && has_fault("farewell"))
        tell(instance, NBSTAGE_LOG_WARNING, "farewell");
    free(instance);
}

// ---------------------------------------------------------------------------
// Builds

// Lets the time go by, and tells of it every 10 milliseconds, each time asking
// whether to go on.
static nbstage_status take_time(struct nbstage_instance *instance)
{
    const struct nbstage_host *host = &instance->host;
    const struct timespec pause = {.tv_nsec = 10000000};
    long parts = instance->delay / 10;
    for (long i = 0; i < parts; i++) {
        if (host->progress &&
            host->progress(host->context, (uint32_t)i, (uint32_t)parts) != 0)
            return fail(instance, NBSTAGE_CANCELLED, "cancelled");
        nanosleep(&pause, NULL);
    }
    return NBSTAGE_OK;
}

// What happens to every map first.
static nbstage_status begin(struct nbstage_instance *instance)
{
    nbstage_status status = take_time(instance);
    if (status != NBSTAGE_OK)
        return status;
    if (has_fault("warns"))
        tell(instance, NBSTAGE_LOG_WARNING, "weather to be expected");
    if (instance->prune[0] != '\0' && strcmp(instance->prune, "none") != 0)
        return fail(instance, NBSTAGE_UNSUPPORTED, instance->prune);
    if (instance->sulking)
        return fail(instance, NBSTAGE_UNSUPPORTED, "not in this mood");
    return NBSTAGE_OK;
}

static uint32_t add_bytes(uint32_t sum, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum = 31 * sum + ((const unsigned char *)bytes)[i];
    return sum;
}

static size_t count_elements(const void *array)
{
    return array ? ((const struct nbstage_array *)array)->count : 0;
}

static uint32_t add_array(uint32_t sum, const void *given)
{
    const struct nbstage_array *array = given;
    return array ? add_bytes(sum, array->data, array->count * array->stride)
                 : sum;
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
    sum = add_array(add_array(sum, map->vertices), map->lines);
    return add_array(sum, map->sectors);
}

static struct nbstage_lump make_lump(const char *name, const char *bytes,
                                     long size)
{
    return (struct nbstage_lump){.size = sizeof(struct nbstage_lump),
                                 .name = name,
                                 .data = bytes,
                                 .data_size = (size_t)size,
                                 LATER};
}

#define FACT(fact_name, fact_value, fact_text, fact_kind) \
    (struct nbstage_fact) \
    { \
        .size = sizeof(struct nbstage_fact), .name = fact_name, \
        .value = fact_value, .text = fact_text, .kind = fact_kind, LATER \
    }

static void fill(struct nbstage_instance *instance,
                 const struct nbstage_map *map, struct made *made)
{
    memset(made, 0xA5, sizeof *made);
    memset(made->bytes, 'x', sizeof made->bytes);
    instance->lump_count = map->lump_count;
    snprintf(instance->given, sizeof instance->given,
             "%s %" PRIu32 " %zu %zu %zu %zu %" PRIu32, map->name, map->format,
             map->lump_count, count_elements(map->vertices),
             count_elements(map->lines), count_elements(map->sectors),
             add_map(map));
    made->lumps[0] = make_lump("REJECT", "a reject", 8);
    made->lumps[1] = make_lump("BLOCKMAP", made->bytes, instance->size);
}

static int32_t get_fact(struct nbstage_instance *instance, size_t index,
                        struct nbstage_fact *fact)
{
    const struct nbstage_fact facts[] = {
        FACT("sunny", 1, NULL, NBSTAGE_FACT_FLAG),
        FACT("motto", 0, instance->motto, 0),
        FACT("lumps_seen", (int64_t)instance->lump_count, NULL, 0),
        FACT("least", -1, NULL, 0),
        FACT("given", 0, instance->given, 0),
    };
    if (index >= COUNT(facts) || !*instance->given)
        return 0;
    write_structure(fact, &facts[index], sizeof *facts);
    return 1;
}

static nbstage_status build(struct nbstage_instance *instance,
                            const struct nbstage_map *given,
                            struct nbstage_result *result)
{
    const struct nbstage_host *host = &instance->host;
    nbstage_status status = begin(instance);
    if (status != NBSTAGE_OK)
        return status;
    struct made *made = host->allocate
                            ? host->allocate(host->context, sizeof *made)
                            : malloc(sizeof *made);
    if (!made)
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, "out of memory");
    struct nbstage_map map;
    read_structure(&map, sizeof map, given, given->size);
    fill(instance, &map, made);
    const struct nbstage_result filled = {.lumps = made->lumps,
                                          .lump_count =
                                              has_fault("forgets") ? 1 : LUMPS,
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
// The descriptor

#define CHOICE(choice_name, choice_help) \
    { \
        .size = sizeof(struct nbstage_choice), .name = choice_name, \
        .help = choice_help, LATER \
    }
#define OPTION(option_name, option_type, value) \
    .size = sizeof(struct nbstage_option), .name = option_name, \
    .type = option_type, .default_value = value, .help = "no help at all"

static const struct nbstage_choice moods[] = {
    CHOICE("good", "maps are built"),
    CHOICE("bad", "maps are not built"),
};

static const struct nbstage_option options[] = {
    {OPTION("size", NBSTAGE_OPTION_INTEGER, "4"), .maximum = LARGEST_SIZE,
     LATER},
    {OPTION("mood", NBSTAGE_OPTION_CHOICE, "good"), .choices = moods,
     .choice_count = COUNT(moods), LATER},
    {OPTION("motto", NBSTAGE_OPTION_TEXT, ""), .form = "WORDS", LATER},
    {OPTION("prune", NBSTAGE_OPTION_TEXT, ""), .form = "WORDS", LATER},
    {OPTION("delay", NBSTAGE_OPTION_INTEGER, "0"), .minimum = SMALLEST_DELAY,
     .maximum = LARGEST_DELAY, LATER},
};

static const char *const lump_names[] = {"REJECT", "BLOCKMAP"};

static void is_no_member(void)
{
    fputs("a function beyond the size of the descriptor was called\n", stderr);
    abort();
}

static struct {
    struct nbstage_descriptor descriptor;
    void (*behind[8])(void);
} stage = {.descriptor = {.size = sizeof stage.descriptor,
                          .abi = NBSTAGE_ABI,
                          .name = "other",
                          .version = "9.9",
                          .summary = "lumps of the letter x",
                          .lump_names = lump_names,
                          .lump_name_count = LUMPS,
                          .options = options,
                          .option_count = COUNT(options),
                          .create = create,
                          .set_option = set_option,
                          .build = build,
                          .get_fact = get_fact,
                          .free_result = free_result,
                          .last_error = last_error,
                          .destroy = destroy,
                          LATER},
           .behind = {is_no_member, is_no_member, is_no_member, is_no_member,
                      is_no_member, is_no_member, is_no_member, is_no_member}};

const struct nbstage_descriptor *nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *nbstage_describe(uint32_t abi)
{
    struct nbstage_descriptor *descriptor = &stage.descriptor;
    if (abi != NBSTAGE_ABI || has_fault("refuses"))
        return NULL;
    if (has_fault("cut-off"))
        descriptor->size = offsetof(struct nbstage_descriptor, destroy);
    if (has_fault("other-lumps"))
        descriptor->lump_name_count = 1;
    return descriptor;
}
