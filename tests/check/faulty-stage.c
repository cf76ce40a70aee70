// SPDX-License-Identifier: GPL-2.0-or-later
//
// A small stage that keeps every promise of nbstage.h, but for the one fault
// that the environment variable FAULT names, if there is one.
//
// It reads plain lumps of Doom's format and arrays.  Its lump has the
// coordinates of the ends of each line.

#include "nbstage.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The faults, each with the test that finds it, which test-check-stage.sh reads
// here; "load" is for what is no stage.
#define FAULTS \
    FAULT(refuses, load, "describe returns NULL") \
    FAULT(no_functions, load, "build is NULL") \
    FAULT(summary, descriptor, "the summary has a full stop") \
    FAULT(lower_lump, descriptor, "the name of the lump is in lower case") \
    FAULT(option_name, options, "the name of an option has a capital") \
    FAULT(option_twice, options, "two options have a name") \
    FAULT(flag_choices, options, "a flag is off or yes") \
    FAULT(default_refused, values, "the default is not accepted") \
    FAULT(maximum, values, "the maximum is not accepted") \
    FAULT(global_options, values, "options are those of all instances") \
    FAULT(keeps_pointer, values, "the value is not copied") \
    FAULT(takes_more, bad_values, "more than the maximum is accepted") \
    FAULT(refused_is_set, bad_values, "what is refused is set") \
    FAULT(unknown_is_bad, bad_values, "an unknown option has a bad value") \
    FAULT(null, null, "NULL is read") \
    FAULT(null_destroy, null, "destroy reads NULL") \
    FAULT(host_size, sizes, "a host of any size is read") \
    FAULT(map_size, sizes, "a map of any size is read") \
    FAULT(lump_cut, sizes, "a lump of any size is read") \
    FAULT(result_size, sizes, "a result of any size is written to") \
    FAULT(create_keeps, sizes, "create leaves the instance when it fails") \
    FAULT(ignores_step, longer, "lumps are stepped over by index") \
    FAULT(longer_result, longer, "a longer result is cut off") \
    FAULT(needs_callbacks, callbacks, "callbacks are called that are NULL") \
    FAULT(half_pair, callbacks, "allocate is accepted without release") \
    FAULT(leaves_results, live, "destroy does not free results") \
    FAULT(option_spoils, live, "an option changes what was built") \
    FAULT(shared_result, live, "all results have the same bytes") \
    FAULT(keeps_result, live, "a freed result is not emptied") \
    FAULT(uses_map_later, live, "freeing a result reads the map") \
    FAULT(leaks, results, "memory is not released") \
    FAULT(ignores_allocate, results, "memory is not the host's") \
    FAULT(releases_twice, results, "memory is released twice") \
    FAULT(other_thread, results, "another thread calls back") \
    FAULT(log_level, results, "a message has no level") \
    FAULT(log_newline, results, "a message has a newline") \
    FAULT(error_missing, ended, "a failure has no sentence") \
    FAULT(error_null, results, "last_error returns NULL") \
    FAULT(error_at_first, results, "there is a sentence at first") \
    FAULT(wrong_status, damaged, "build returns the status of an option") \
    FAULT(failed_with_lumps, damaged, "a build that failed has lumps") \
    FAULT(fact_name, results, "the name of a fact has a capital") \
    FAULT(fact_flag, results, "a flag is 7") \
    FAULT(fact_size, results, "the size of a fact is changed") \
    FAULT(endless_facts, results, "there is a fact of any number") \
    FAULT(lump_name, results, "the lump is another than the descriptor's") \
    FAULT(reject_size, results, "a REJECT has not a bit for each pair") \
    FAULT(lump_packed, results, "the lump is compressed") \
    FAULT(lump_null, results, "the lump's data is NULL") \
    FAULT(no_lumps, results, "there is OK, but no lump") \
    FAULT(size_changed, results, "the size of the result is changed") \
    FAULT(prints, results, "standard output is written to") \
    FAULT(exits, results, "the process is ended") \
    FAULT(aborts, results, "the process crashes") \
    FAULT(hangs, results, "build does not return") \
    FAULT(writes_map, results, "the host's map is written to") \
    FAULT(reads_beyond, results, "the byte after a lump is read") \
    FAULT(unstable, results, "the lump is another at times") \
    FAULT(rounding_matters, results, "the mode of rounding changes the lump") \
    FAULT(sets_rounding, results, "the mode of rounding is changed") \
    FAULT(not_for_threads, threads, "instances share memory") \
    FAULT(ignores_stride, strides, "strides are taken for the sizes") \
    FAULT(damage_crashes, damaged, "an impossible vertex ends the process") \
    FAULT(unchecked_memory, ended, "NULL from allocate is written to") \
    FAULT(spoilt_by_memory, ended, "an instance without memory stays so") \
    FAULT(leaks_when_it_fails, ended, "a build that fails leaves memory") \
    FAULT(ignores_cancel, ended, "build goes on when it is cancelled") \
    FAULT(progress_total, ended, "progress has no parts")

#define FAULT(name, test, what) name,
enum fault { NONE, FAULTS };
#undef FAULT
#define FAULT(name, test, what) #name,
static const char *const fault_names[] = {"", FAULTS};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static enum fault fault; // set before the descriptor is returned
static const char *lump_names[] = {"LINES"};

// What an instance has handed over, for destroy.
struct made {
    struct made *next;
    struct nbstage_lump lump;
    unsigned char bytes[];
};

struct options {
    int extra, mood;
    const char *pointer; // of the host
};

struct nbstage_instance {
    struct nbstage_host host;
    struct options options;
    const struct nbstage_map *map;
    struct made *made;
    int is_spoilt;
    char error[100];
};

static struct options common; // of all instances

static void *take(struct nbstage_instance *instance, size_t size)
{
    const struct nbstage_host *host = &instance->host;
    if (!host->allocate || fault == ignores_allocate)
        return malloc(size);
    return host->allocate(host->context, size);
}

static void give(struct nbstage_instance *instance, void *memory)
{
    const struct nbstage_host *host = &instance->host;
    if (!host->release || fault == ignores_allocate)
        free(memory);
    else
        host->release(host->context, memory);
}

static nbstage_status fail(struct nbstage_instance *instance,
                           nbstage_status status, const char *sentence)
{
    snprintf(instance->error, sizeof instance->error, "%s",
             fault == error_missing ? "" : sentence);
    return status == NBSTAGE_BAD_MAP && fault == wrong_status
               ? NBSTAGE_BAD_VALUE
               : status;
}

// ---------------------------------------------------------------------------
// Instances

static nbstage_status create(const struct nbstage_host *given,
                             struct nbstage_instance **instance)
{
    struct nbstage_instance begin = {.is_spoilt = 0};
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (fault != create_keeps)
        *instance = NULL;
    if (given && given->size < sizeof *given && fault != host_size)
        return NBSTAGE_BAD_CALL;
    if (given)
        begin.host = *given;
    if (!begin.host.allocate != !begin.host.release && fault != half_pair)
        return NBSTAGE_BAD_CALL;
    struct nbstage_instance *made = take(&begin, sizeof *made);
    if (!made)
        return NBSTAGE_OUT_OF_MEMORY;
    *made = begin;
    if (fault == error_at_first)
        strcpy(made->error, "nothing has happened");
    *instance = made;
    return NBSTAGE_OK;
}

static nbstage_status set_option(struct nbstage_instance *instance,
                                 const char *name, const char *value)
{
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (fault != null && (!name || !value))
        return fail(instance, NBSTAGE_BAD_CALL, "an option has a name");
    struct options *options =
        fault == global_options ? &common : &instance->options;
    if (fault == option_spoils && instance->made)
        instance->made->bytes[0] = 'x';
    if (fault == keeps_pointer)
        options->pointer = value;
    if (strcmp(name, "extra") == 0) {
        const char most = fault == takes_more ? '8' : '7';
        const int number = value[0] - '0';
        if (value[0] < (fault == default_refused ? '1' : '0') ||
            value[0] > most || value[1])
            return fail(instance, NBSTAGE_BAD_VALUE, "it goes from 0 to 7");
        options->extra = number;
        return NBSTAGE_OK;
    }
    if (strcmp(name, "mood") != 0)
        return fail(instance,
                    fault == unknown_is_bad ? NBSTAGE_BAD_VALUE
                                            : NBSTAGE_UNKNOWN_OPTION,
                    "there are other options");
    const int is_known = strcmp(value, "no") == 0 || strcmp(value, "yes") == 0;
    if (is_known || fault == refused_is_set)
        options->mood = value[0] != 'n' || value[1] != 'o' || value[2];
    return is_known ? NBSTAGE_OK
                    : fail(instance, NBSTAGE_BAD_VALUE, "it is no or yes");
}

static const char *last_error(const struct nbstage_instance *instance)
{
    return fault == error_null ? NULL : instance->error;
}

static void free_made(struct nbstage_instance *instance, struct made *made)
{
    struct made **link = &instance->made;
    if (fault == uses_map_later && instance->map->size == 0)
        abort();
    while (*link && *link != made)
        link = &(*link)->next;
    if (!*link)
        return;
    *link = made->next;
    if (fault != leaks)
        give(instance, made);
    if (fault == releases_twice)
        give(instance, made);
}

static void destroy(struct nbstage_instance *instance)
{
    if (!instance && fault != null_destroy)
        return;
    while (instance->made && fault != leaves_results)
        free_made(instance, instance->made);
    give(instance, instance);
}

// ---------------------------------------------------------------------------
// Building

// A line's ends, or a vertex's coordinates in map units.
static void read_pair(const void *bytes, int pair[2])
{
    int16_t words[2];
    memcpy(words, bytes, sizeof words);
    pair[0] = words[0];
    pair[1] = words[1];
}

// Vertices and lines, which begin with two numbers of 16 bits.
struct view {
    const void *lines, *vertices;
    size_t line_count, line_stride;
    size_t vertex_count, vertex_stride;
};

// Takes arrays, or lumps for arrays.
static nbstage_status read_arrays(struct nbstage_instance *instance,
                                  const struct nbstage_map *map,
                                  struct view *view)
{
    const struct nbstage_lump *lines = NULL, *vertices = NULL;
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct nbstage_lump *lump =
            fault == ignores_step
                ? &map->lumps[i]
                : NBSTAGE_AT(struct nbstage_lump, map->lumps, i);
        if (lump->compression != NBSTAGE_PLAIN)
            return fail(instance, NBSTAGE_UNSUPPORTED, "a lump is packed");
        if (strcmp(lump->name, "LINEDEFS") == 0)
            lines = lump;
        if (strcmp(lump->name, "VERTEXES") == 0)
            vertices = lump;
    }
    if (map->lines && map->vertices && map->lines->v1.type == NBSTAGE_U16) {
        const struct nbstage_array *line = &map->lines->array;
        const struct nbstage_array *vertex = &map->vertices->array;
        *view = (struct view){line->data,   vertex->data,  line->count,
                              line->stride, vertex->count, vertex->stride};
        return NBSTAGE_OK;
    }
    if (map->lines || map->vertices || !lines || !vertices)
        return fail(instance, NBSTAGE_BAD_MAP, "expected two lumps or arrays");
    *view = (struct view){
        lines->data, vertices->data,          lines->data_size / 14,
        14,          vertices->data_size / 4, 4};
    if (fault == reads_beyond)
        instance->is_spoilt +=
            ((const volatile char *)lines->data)[lines->data_size];
    return NBSTAGE_OK;
}

static nbstage_status read_map(struct nbstage_instance *instance,
                               const struct nbstage_map *given,
                               struct view *view)
{
    if (!given || (given->size < sizeof *given && fault != map_size))
        return fail(instance, NBSTAGE_BAD_CALL, "the map has no size");
    struct nbstage_map all = *given, *map = &all;
    instance->map = given;
    if (map->lump_count > 0 && fault != lump_cut &&
        !NBSTAGE_HAS(struct nbstage_lump, map->lumps, compression))
        return fail(instance, NBSTAGE_BAD_CALL, "a lump has no size");
    const nbstage_status status = read_arrays(instance, map, view);
    if (status != NBSTAGE_OK)
        return status;
    if (!view->lines || !view->vertices || view->line_count == 0)
        return fail(instance, NBSTAGE_BAD_MAP, "an array is impossible");
    if (fault == writes_map)
        *(unsigned char *)view->lines = 0;
    return NBSTAGE_OK;
}

// Writes the lump and returns where it ends; NULL if a line has no such vertex.
static unsigned char *write_lines(const struct view *map, unsigned char *next)
{
    const size_t sizes[] = {4, 14};
    const int ignores = fault == ignores_stride;
    for (size_t i = 0; i < map->line_count; i++) {
        int ends[2];
        read_pair((const char *)map->lines +
                      i * (ignores ? sizes[1] : map->line_stride),
                  ends);
        for (int e = 0; e < 2; e++, next += 8) {
            int place[2];
            if (ends[e] < 0 || (size_t)ends[e] >= map->vertex_count) {
                if (fault == damage_crashes)
                    abort();
                return NULL;
            }
            const size_t at =
                (size_t)ends[e] * (ignores ? sizes[0] : map->vertex_stride);
            read_pair((const char *)map->vertices + at, place);
            memcpy(next, place, sizeof place);
        }
    }
    return next;
}

// What is in the lump before the lines.
static int first_byte(struct nbstage_instance *instance, const struct view *map)
{
    static int calls;
    static volatile size_t shared;
    const struct options *options =
        fault == global_options ? &common : &instance->options;
    if (options->pointer)
        return options->pointer[0];
    if (fault == unstable)
        return calls++ % 7;
    if (fault == rounding_matters)
        return (int)lrint((double)map->line_count + 0.3) % 7;
    if (fault == sets_rounding)
        fesetround(FE_TOWARDZERO);
    shared = (uintptr_t)instance % 251;
    for (int i = 0; fault == not_for_threads && i < 20; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        if (shared != (uintptr_t)instance % 251)
            return 1 + calls++ % 7; // not the same each time, too
    }
    return options->extra + options->mood;
}

static void fill(struct made *made, size_t size, struct nbstage_result *result)
{
    made->lump = (struct nbstage_lump){
        .size = sizeof made->lump,
        .name = fault == lump_name ? "OTHER" : lump_names[0],
        .data = fault == lump_null ? NULL : made->bytes,
        .data_size = size,
        .compression = fault == lump_packed};
    *result = (struct nbstage_result){
        .size = fault == size_changed ? 100 : result->size,
        .lumps = &made->lump,
        .lump_count = fault != no_lumps};
}

static int32_t get_fact(struct nbstage_instance *instance, size_t index,
                        struct nbstage_fact *fact)
{
    (void)instance;
    if (index == 1 && fault != endless_facts)
        return 0;
    *fact = (struct nbstage_fact){.size = fault == fact_size ? 8 : fact->size,
                                  .name = fault == fact_name ? "Is_large"
                                                             : "is_large",
                                  .value = fault == fact_flag ? 7 : 1,
                                  .kind = NBSTAGE_FACT_FLAG};
    return 1;
}

// Also the work of a thread.
static void *report(void *given)
{
    struct nbstage_instance *instance = given;
    const struct nbstage_host *host = &instance->host;
    if (host->log || fault == needs_callbacks)
        host->log(host->context, fault == log_level ? 9 : NBSTAGE_LOG_INFO,
                  fault == log_newline ? "a map\n" : "a map is built");
    return NULL;
}

static nbstage_status go_on(struct nbstage_instance *instance)
{
    const struct nbstage_host *host = &instance->host;
    pthread_t thread;
    switch (fault) {
    case prints:
        fputs("hello\n", stdout);
        break;
    case exits:
        exit(0);
    case aborts:
        abort();
    case hangs:
        for (;;)
            usleep(1000);
    case other_thread:
        if (pthread_create(&thread, NULL, report, instance) == 0)
            pthread_join(thread, NULL);
        break;
    default:
        report(instance);
    }
    for (uint32_t i = 0; host->progress && i < 5; i++)
        if (host->progress(host->context, i, fault == progress_total ? 0 : 5) !=
                0 &&
            fault != ignores_cancel)
            return fail(instance, NBSTAGE_CANCELLED, "the host cancelled");
    return NBSTAGE_OK;
}

static nbstage_status build(struct nbstage_instance *instance,
                            const struct nbstage_map *given,
                            struct nbstage_result *result)
{
    struct view map;
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!result || (result->size < sizeof *result && fault != result_size))
        return fail(instance, NBSTAGE_BAD_CALL, "the result has no size");
    *result = (struct nbstage_result){
        .size = fault == longer_result ? sizeof *result : result->size};
    nbstage_status status = read_map(instance, given, &map);
    if (status != NBSTAGE_OK)
        return status;
    struct made *made =
        fault == shared_result && instance->made
            ? instance->made
            : take(instance, sizeof *made + 1 + 16 * map.line_count);
    if (!made && fault != unchecked_memory)
        instance->is_spoilt = fault == spoilt_by_memory;
    if ((!made && fault != unchecked_memory) || instance->is_spoilt)
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, "there is no memory");
    made->bytes[0] = (unsigned char)first_byte(instance, &map);
    const unsigned char *end = write_lines(&map, made->bytes + 1);
    status = end ? go_on(instance)
                 : fail(instance, NBSTAGE_BAD_MAP, "there is no such vertex");
    if (status == NBSTAGE_OK || fault == failed_with_lumps)
        fill(made, end ? (size_t)(end - made->bytes) : 0, result);
    if (status == NBSTAGE_OK && made != instance->made) {
        made->next = instance->made;
        instance->made = made;
    } else if (status != NBSTAGE_OK && fault != leaks_when_it_fails) {
        give(instance, made);
    }
    return status;
}

static void free_result(struct nbstage_instance *instance,
                        struct nbstage_result *result)
{
    if (result->lumps)
        free_made(instance, (void *)((char *)result->lumps -
                                     offsetof(struct made, lump)));
    if (fault != keeps_result)
        *result = (struct nbstage_result){.size = result->size};
}

// ---------------------------------------------------------------------------
// The descriptor

static struct nbstage_choice choices[] = {{sizeof *choices, "no", "a choice"},
                                          {sizeof *choices, "yes", "another"}};
static struct nbstage_option options[] = {
    {.size = sizeof *options,
     .name = "extra",
     .help = "an option",
     .type = NBSTAGE_OPTION_INTEGER,
     .default_value = "0",
     .maximum = 7},
    {.size = sizeof *options,
     .name = "mood",
     .help = "an option",
     .type = NBSTAGE_OPTION_FLAG,
     .default_value = "no",
     .choices = choices,
     .choice_count = COUNT(choices)},
};
static struct nbstage_descriptor descriptor = {sizeof descriptor,
                                               NBSTAGE_ABI,
                                               "faulty",
                                               "1.0",
                                               "a stage for tests",
                                               lump_names,
                                               COUNT(lump_names),
                                               options,
                                               COUNT(options),
                                               create,
                                               set_option,
                                               build,
                                               get_fact,
                                               free_result,
                                               last_error,
                                               destroy,
                                               .needs_lump = NULL};

NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    const char *name = getenv("FAULT");
    for (size_t i = 1; name && i < COUNT(fault_names); i++)
        if (strcmp(name, fault_names[i]) == 0)
            fault = (enum fault)i;
    if (abi != NBSTAGE_ABI || fault == refuses)
        return NULL;
    if (fault == no_functions)
        descriptor.build = NULL;
    if (fault == summary)
        descriptor.summary = "a stage.";
    if (fault == lower_lump)
        lump_names[0] = "lines";
    if (fault == reject_size)
        lump_names[0] = "REJECT";
    if (fault == option_name)
        options[1].name = "Mood";
    if (fault == option_twice)
        options[1].name = "extra";
    if (fault == flag_choices)
        choices[0].name = "off";
    if (fault == maximum)
        options[0].maximum = 70;
    return &descriptor;
}
