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
// Words in the environment variable OTHER_STAGE are its bad manners: a stage
// that "forgets" the BLOCKMAP, one that "warns" of each map, in a sentence with
// control characters, one that says "farewell" when it ends, and one that is
// "silent" about its failures.  kit-stage.c is unfit to be used at all.

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

enum { LARGEST_SIZE = 1000, LUMPS = 2, FACTS = 5 };

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
    struct made *made; // NULL if it failed
    char given[100];
};

// What a build makes.
struct made {
    struct nbstage_lump lumps[LUMPS];
    unsigned char behind_lumps[64];
    struct nbstage_fact facts[FACTS];
    unsigned char behind_facts[64];
    char bytes[LARGEST_SIZE];
};

static int has_fault(const char *name)
{
    const char *faults = getenv("OTHER_STAGE");
    return faults && strstr(faults, name);
}

// Reads a structure of another size.
static void read_structure(void *target, size_t target_size, const void *source,
                           size_t source_size)
{
    memset(target, 0, target_size);
    memcpy(target, source,
           source_size < target_size ? source_size : target_size);
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

static struct nbstage_instance *NBSTAGE_CALL
create(const struct nbstage_host *host)
{
    struct nbstage_instance *instance = calloc(1, sizeof *instance);
    if (!instance)
        return NULL;
    if (host)
        read_structure(&instance->host, sizeof instance->host, host,
                       host->size);
    instance->size = 4;
    tell(instance, NBSTAGE_LOG_DEBUG, "a word to authors");
    return instance;
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

static nbstage_status NBSTAGE_CALL set_option(struct nbstage_instance *instance,
                                              const char *name,
                                              const char *value, int32_t by)
{
    if (by != NBSTAGE_BY_USER)
        return fail(instance, NBSTAGE_UNSUPPORTED, "only users set options");
    if (strcmp(name, "size") == 0)
        return set_number(instance, value, 0, LARGEST_SIZE, &instance->size);
    if (strcmp(name, "delay") == 0)
        return set_number(instance, value, SMALLEST_DELAY, LARGEST_DELAY,
                          &instance->delay);
    if (strcmp(name, "mood") == 0)
        instance->sulking = strcmp(value, "bad") == 0;
    else if (strcmp(name, "motto") == 0)
        snprintf(instance->motto, sizeof instance->motto, "%s", value);
    else if (strcmp(name, "prune") == 0)
        snprintf(instance->prune, sizeof instance->prune, "%s", value);
    else
        return fail(instance, NBSTAGE_UNKNOWN_OPTION, "no such option");
    return NBSTAGE_OK;
}

static const char *NBSTAGE_CALL last_error(struct nbstage_instance *instance)
{
    return has_fault("silent") ? "" : instance->message;
}

static void forget_build(struct nbstage_instance *instance)
{
    const struct nbstage_host *host = &instance->host;
    if (instance->made && host->release)
        host->release(host->context, instance->made);
    else
        free(instance->made);
    instance->made = NULL;
}

static void NBSTAGE_CALL destroy(struct nbstage_instance *instance)
{
    if (!instance)
        return;
    if (has_fault("farewell"))
        tell(instance, NBSTAGE_LOG_WARNING, "farewell");
    forget_build(instance);
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
        tell(instance, NBSTAGE_LOG_WARNING, "weather\nto be \033[1mexpected");
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
        const struct nbstage_lump *lump = &map->lumps[i];
        sum = add_bytes(sum, lump->name, strlen(lump->name));
        sum = add_bytes(sum, lump->data, lump->data_size);
    }
    sum = add_array(add_array(sum, map->vertices), map->lines);
    return add_array(sum, map->sectors);
}

// One of the names is of no fact.
static const char *const lump_names[] = {"REJECT", "BLOCKMAP", NULL};
static const char *const fact_names[] = {
    "sunny", "motto", "lumps_seen", "least", "given", "never", NULL};

static struct nbstage_fact make_fact(int64_t number, const char *text)
{
    return (struct nbstage_fact){.size = sizeof(struct nbstage_fact),
                                 .number = number,
                                 .text = text,
                                 LATER};
}

static void fill(struct nbstage_instance *instance,
                 const struct nbstage_map *map, struct made *made)
{
    memset(made, 0xA5, sizeof *made);
    memset(made->bytes, 'x', sizeof made->bytes);
    snprintf(instance->given, sizeof instance->given,
             "%s %" PRIu32 " %zu %zu %zu %zu %" PRIu32, map->name, map->format,
             map->lump_count, count_elements(map->vertices),
             count_elements(map->lines), count_elements(map->sectors),
             add_map(map));
    made->lumps[0] = (struct nbstage_lump){"REJECT", "a reject", 8};
    made->lumps[1] =
        (struct nbstage_lump){"BLOCKMAP", made->bytes, (size_t)instance->size};
    made->facts[0] = make_fact(1, "yes");
    made->facts[1] = make_fact(0, instance->motto);
    made->facts[2] = make_fact((int64_t)map->lump_count, NULL);
    made->facts[3] = make_fact(-1, NULL);
    made->facts[4] = make_fact(0, instance->given);
}

static nbstage_status NBSTAGE_CALL build(struct nbstage_instance *instance,
                                         const struct nbstage_map *given)
{
    const struct nbstage_host *host = &instance->host;
    struct nbstage_map map;
    forget_build(instance);
    const nbstage_status status = begin(instance);
    if (status != NBSTAGE_OK)
        return status;
    instance->made = host->allocate
                         ? host->allocate(host->context, sizeof *instance->made)
                         : malloc(sizeof *instance->made);
    if (!instance->made)
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, "out of memory");
    read_structure(&map, sizeof map, given, given->size);
    fill(instance, &map, instance->made);
    return NBSTAGE_OK;
}

// Returns where a name is in a list of `count`, or `count`.
static size_t find(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static const struct nbstage_lump *NBSTAGE_CALL
get_lump(struct nbstage_instance *instance, const char *name)
{
    const size_t count = has_fault("forgets") ? LUMPS - 1 : LUMPS;
    const size_t i = find(lump_names, count, name);
    return instance->made && i < count ? &instance->made->lumps[i] : NULL;
}

static const struct nbstage_fact *NBSTAGE_CALL
get_fact(struct nbstage_instance *instance, const char *name)
{
    const size_t i = find(fact_names, FACTS, name);
    return instance->made && i < FACTS ? &instance->made->facts[i] : NULL;
}

// ---------------------------------------------------------------------------
// The descriptor

static const struct nbstage_choice moods[] = {
    {"good", "maps are built"},
    {"bad", "maps are not built"},
};

#define OPTION(option_name, option_type, value) \
    .size = sizeof(struct nbstage_option), .name = option_name, \
    .type = option_type, .default_value = value, .help = "no help at all"

static const struct nbstage_option
    option_size = {OPTION("size", NBSTAGE_OPTION_INTEGER, "4"),
                   .maximum = LARGEST_SIZE, LATER},
    option_mood = {OPTION("mood", NBSTAGE_OPTION_CHOICE, "good"),
                   .choices = moods, .choice_count = COUNT(moods), LATER},
    option_motto = {OPTION("motto", NBSTAGE_OPTION_TEXT, ""), .form = "WORDS",
                    LATER},
    option_prune = {OPTION("prune", NBSTAGE_OPTION_TEXT, ""), .form = "WORDS",
                    LATER},
    option_delay = {OPTION("delay", NBSTAGE_OPTION_INTEGER, "0"),
                    .minimum = SMALLEST_DELAY, .maximum = LARGEST_DELAY, LATER};

static const struct nbstage_option *const options[] = {
    &option_size,  &option_mood,  &option_motto,
    &option_prune, &option_delay, NULL};

static void is_no_member(void)
{
    fputs("a function beyond the size of the descriptor was called\n", stderr);
    abort();
}

static const struct {
    struct nbstage_descriptor descriptor;
    void (*behind[8])(void);
} stage = {.descriptor = {.size = sizeof stage.descriptor,
                          .abi = NBSTAGE_ABI,
                          .name = "other",
                          .version = "9.9",
                          .summary = "lumps of the letter x",
                          .lump_names = lump_names,
                          .fact_names = fact_names,
                          .options = options,
                          .create = create,
                          .destroy = destroy,
                          .set_option = set_option,
                          .build = build,
                          .get_lump = get_lump,
                          .get_fact = get_fact,
                          .last_error = last_error,
                          LATER},
           .behind = {is_no_member, is_no_member, is_no_member, is_no_member,
                      is_no_member, is_no_member, is_no_member, is_no_member}};

NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    return abi == NBSTAGE_ABI ? &stage.descriptor : NULL;
}
