// SPDX-License-Identifier: GPL-2.0-or-later
//
// A stage unlike blocksweep, as somebody else might write it later: its
// structures have more members than those of this version, it makes two lumps,
// and it has options of every type and facts of its own.  Its BLOCKMAP is as
// many times the letter x as the option `size` says.  Maps fail with what the
// option `prune` says, unless that is "none" or nothing.
//
// What the environment variable OTHER_STAGE says makes it unfit to be used:
// "refuses" this version, has a descriptor that is "cut-off", makes
// "other-lumps" or "no-instances"; or has it be an "early" one, with a
// descriptor that ends before decode, one that "decodes" every map as the same
// line, or a "terse" one, without a word of help.
// Others that it says are bad manners of builds, one that "forgets" the
// BLOCKMAP, one that "warns", and a last word of instances, "farewell".  What
// "crashes" does so while it is loaded, in the older version alone.

#include "config.h"

#include "nbstage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef STAGE_VERSION
#define STAGE_VERSION "9.9"
#endif

// Structures of a later version.
#define LATER(type) \
    struct later_##type { \
        struct nbstage_##type now; \
        long more[3]; \
    }
LATER(choice);
LATER(option);
LATER(lump);
LATER(fact);
LATER(descriptor);

enum { LARGEST_SIZE = 1000, LARGEST_DELAY = 60000, LUMPS = 2, FACTS = 3 };

struct nbstage_instance {
    struct nbstage_host host;
    long size;  // of the BLOCKMAP, bytes
    long delay; // of a build, milliseconds
    int sulking;
    char motto[32];
    char prune[128];
    char message[128];
};

// What a result points to; its lumps come first.
struct made {
    struct later_lump lumps[LUMPS];
    struct later_fact facts[FACTS];
    char bytes[LARGEST_SIZE];
};

static int has_fault(const char *name)
{
    const char *fault = getenv("OTHER_STAGE");
    return fault && strcmp(fault, name) == 0;
}

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
        (*instance)->host = *host;
    (*instance)->size = 4;
    tell(*instance, NBSTAGE_LOG_DEBUG, "a word to authors");
    return NBSTAGE_OK;
}

static nbstage_status set_number(struct nbstage_instance *instance,
                                 const char *value, long largest, long *number)
{
    char *end;
    long given = strtol(value, &end, 10);
    if (end == value || *end != '\0' || given < 0 || given > largest)
        return fail(instance, NBSTAGE_BAD_VALUE, "another number was expected");
    *number = given;
    return NBSTAGE_OK;
}

static nbstage_status set_option(struct nbstage_instance *instance,
                                 const char *name, const char *value)
{
    if (strcmp(name, "size") == 0)
        return set_number(instance, value, LARGEST_SIZE, &instance->size);
    if (strcmp(name, "delay") == 0)
        return set_number(instance, value, LARGEST_DELAY, &instance->delay);
    if (strcmp(name, "mood") == 0)
        instance->sulking = strcmp(value, "bad") == 0;
    if (strcmp(name, "motto") == 0)
        snprintf(instance->motto, sizeof instance->motto, "%s", value);
    if (strcmp(name, "prune") == 0)
        snprintf(instance->prune, sizeof instance->prune, "%s", value);
    return NBSTAGE_OK;
}

// Memory of results is the host's, and not kept.
static void *allocate(const struct nbstage_instance *instance, size_t bytes)
{
    const struct nbstage_host *host = &instance->host;
    return host->allocate ? host->allocate(host->context, bytes)
                          : malloc(bytes);
}

static void release(const struct nbstage_instance *instance, void *memory)
{
    const struct nbstage_host *host = &instance->host;
    if (host->release && memory)
        host->release(host->context, memory);
    else
        free(memory);
}

// Lets the time go by, and tells of it every 10 milliseconds.
static void take_time(const struct nbstage_instance *instance)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    long parts = instance->delay / 10;
    for (long i = 0; i < parts; i++) {
        if (instance->host.progress)
            instance->host.progress(instance->host.context, (uint32_t)i,
                                    (uint32_t)parts);
        nanosleep(&pause, NULL);
    }
}

static struct later_lump make_lump(const char *name, const char *bytes,
                                   long size)
{
    return (struct later_lump){.now = {.size = sizeof(struct later_lump),
                                       .name = name,
                                       .data = bytes,
                                       .data_size = (size_t)size}};
}

static struct later_fact make_fact(const char *name, long value,
                                   const char *text)
{
    return (struct later_fact){.now = {.size = sizeof(struct later_fact),
                                       .name = name,
                                       .value = value,
                                       .text = text}};
}

static nbstage_status build(struct nbstage_instance *instance,
                            const struct nbstage_map *map,
                            struct nbstage_result *result)
{
    take_time(instance);
    if (has_fault("warns"))
        tell(instance, NBSTAGE_LOG_WARNING, "weather to be expected");
    if (instance->prune[0] != '\0' && strcmp(instance->prune, "none") != 0)
        return fail(instance, NBSTAGE_UNSUPPORTED, instance->prune);
    if (instance->sulking)
        return fail(instance, NBSTAGE_UNSUPPORTED, "not in this mood");
    struct made *made = allocate(instance, sizeof *made);
    if (!made)
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, "out of memory");
    memset(made, 0, sizeof *made);
    memset(made->bytes, 'x', sizeof made->bytes);
    made->lumps[0] = make_lump("REJECT", "a reject", 8);
    made->lumps[1] = make_lump("BLOCKMAP", made->bytes, instance->size);
    made->facts[0] = make_fact("lumps_seen", (long)map->lump_count, NULL);
    made->facts[1] = make_fact("motto", 0, instance->motto);
    made->facts[2] = make_fact("least", -1, NULL);
    result->lumps = &made->lumps[0].now;
    result->lump_count = has_fault("forgets") ? 1 : LUMPS;
    result->facts = &made->facts[0].now;
    result->fact_count = FACTS;
    return NBSTAGE_OK;
}

static void free_result(struct nbstage_instance *instance,
                        struct nbstage_result *result)
{
    release(instance, (void *)(uintptr_t)result->lumps);
    *result = (struct nbstage_result){.size = result->size};
}

static const char *last_error(const struct nbstage_instance *instance)
{
    return instance->message;
}

static void destroy(struct nbstage_instance *instance)
{
    if (instance && has_fault("farewell"))
        tell(instance, NBSTAGE_LOG_WARNING, "farewell");
    free(instance);
}

#define CHOICE(choice_name, choice_help) \
    { \
        .now = { sizeof(struct later_choice), choice_name, choice_help } \
    }
#define OPTION(option_name, option_type, value) \
    .size = sizeof(struct later_option), .name = option_name, \
    .type = option_type, .default_value = value, .help = "no help at all"

static struct later_choice moods[] = {
    CHOICE("good", "maps are built"),
    CHOICE("bad", "maps are not built"),
};

static struct later_option options[] = {
    {.now = {OPTION("size", NBSTAGE_OPTION_INTEGER, "4"),
             .maximum = LARGEST_SIZE}},
    {.now = {OPTION("mood", NBSTAGE_OPTION_CHOICE, "good"),
             .choices = &moods[0].now,
             .choice_count = sizeof moods / sizeof *moods}},
    {.now = {OPTION("motto", NBSTAGE_OPTION_TEXT, ""), .form = "WORDS"}},
    {.now = {OPTION("prune", NBSTAGE_OPTION_TEXT, ""), .form = "WORDS"}},
    {.now = {OPTION("delay", NBSTAGE_OPTION_INTEGER, "0"),
             .maximum = LARGEST_DELAY}},
};

static const char *const lump_names[] = {"REJECT", "BLOCKMAP"};

static struct later_descriptor descriptor = {
    .now = {
        .size = sizeof descriptor,
        .abi = NBSTAGE_ABI + 1,
        .name = "other",
        .version = STAGE_VERSION,
        .summary = "lumps of the letter x",
        .lump_names = lump_names,
        .lump_name_count = LUMPS,
        .options = &options[0].now,
        .option_count = sizeof options / sizeof *options,
        .create = create,
        .set_option = set_option,
        .build = build,
        .free_result = free_result,
        .last_error = last_error,
        .destroy = destroy,
    }};

// An early descriptor ends before this and the next function.
static nbstage_status decode(struct nbstage_instance *instance,
                             const struct nbstage_map *map,
                             struct nbstage_decoded *decoded)
{
    static const struct nbstage_vertex vertices[2];
    static const struct nbstage_line line = {.v2 = 1};
    (void)map;
    if (has_fault("early"))
        abort();
    if (instance->prune[0] != '\0' && strcmp(instance->prune, "none") != 0)
        return fail(instance, NBSTAGE_UNSUPPORTED, instance->prune);
    decoded->vertices = vertices;
    decoded->vertex_count = 2;
    decoded->vertex_size = sizeof *vertices;
    decoded->lines = &line;
    decoded->line_count = 1;
    decoded->line_size = sizeof line;
    return NBSTAGE_OK;
}

static void free_decoded(struct nbstage_instance *instance,
                         struct nbstage_decoded *decoded)
{
    (void)instance;
    if (has_fault("early"))
        abort();
    *decoded = (struct nbstage_decoded){.size = decoded->size};
}

static void leave_out_help(struct nbstage_descriptor *terse)
{
    terse->summary = NULL;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        options[i].now.help = NULL;
    for (size_t i = 0; i < sizeof moods / sizeof *moods; i++)
        moods[i].now.help = NULL;
}

const struct nbstage_descriptor *nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *nbstage_describe(uint32_t abi)
{
    if (has_fault("crashes") && strcmp(descriptor.now.version, "9.9") != 0)
        abort();
    if (abi < 1 || has_fault("refuses"))
        return NULL;
    if (has_fault("cut-off"))
        descriptor.now.size = offsetof(struct nbstage_descriptor, destroy);
    if (has_fault("early"))
        descriptor.now.size = offsetof(struct nbstage_descriptor, decode);
    if (has_fault("early") || has_fault("decodes")) {
        descriptor.now.decode = decode;
        descriptor.now.free_decoded = free_decoded;
    }
    if (has_fault("terse"))
        leave_out_help(&descriptor.now);
    if (has_fault("other-lumps"))
        descriptor.now.lump_name_count = 1;
    return &descriptor.now;
}
