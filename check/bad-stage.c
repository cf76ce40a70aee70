// SPDX-License-Identifier: GPL-2.0-or-later
//
// A stage that behaves as a variable of the environment says, mostly badly, for
// nbstage-check --host; check-host.c has the list.  Without the variable it is
// a plain stage, whose BLOCKMAP is that of bad-stage.h.
//
// However it behaves, it watches the host: what breaks the contract is appended
// to a file.  Results that are freed are overwritten at once, and their memory
// is kept until the instance is destroyed, so a host that uses them is caught.

#define _POSIX_C_SOURCE 200809L // for nanosleep()

#include "bad-stage.h"
#include "nbstage.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    LATER = 40, // bytes that a later version appends to its structures
    MOST_ELEMENTS = 12,
    JUNK = 0xA5,
};

// What a result points to.
struct made {
    struct made *next; // of the same instance
    bool is_freed;
    unsigned char *data;
    size_t data_size;
    alignas(16) unsigned char lumps[2 * (sizeof(struct nbstage_lump) + LATER)];
    unsigned char facts[MOST_ELEMENTS * (sizeof(struct nbstage_fact) + LATER)];
};

struct nbstage_instance {
    struct nbstage_host host;
    struct made *made;
    const char *sentence;
};

static bool behaves(const char *behaviour)
{
    const char *wanted = getenv(BAD_STAGE_BEHAVIOUR);
    return wanted && strcmp(wanted, behaviour) == 0;
}

static void complain(const char *sentence)
{
    const char *path = getenv(BAD_STAGE_COMPLAINTS);
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s\n", sentence);
    fclose(file);
}

static nbstage_status fail(struct nbstage_instance *instance,
                           nbstage_status status, const char *sentence)
{
    instance->sentence = sentence;
    return status;
}

// ---------------------------------------------------------------------------
// Arrays of structures, which may be longer than those of the header

static size_t size_of_element(size_t size)
{
    return size + (behaves("longer-structures") ? LATER : 0);
}

// Stores a structure as an element of an array, with its new size.
static void put(unsigned char *array, size_t index, const void *element,
                size_t size)
{
    const size_t larger = size_of_element(size);
    unsigned char *at = array + index * larger;
    memset(at, JUNK, larger);
    memcpy(at, element, size);
    memcpy(at, &larger, sizeof larger);
}

// ---------------------------------------------------------------------------
// Memory

static void give_back(const struct nbstage_host *host, void *memory)
{
    if (memory && host->allocate)
        host->release(host->context, memory);
    else
        free(memory);
}

static void *take(const struct nbstage_host *host, size_t size)
{
    void *memory =
        host->allocate ? host->allocate(host->context, size) : malloc(size);
    if ((uintptr_t)memory % alignof(max_align_t) == 0)
        return memory;
    complain("allocate() returns memory that is not aligned for any type");
    give_back(host, memory);
    return NULL;
}

// ---------------------------------------------------------------------------
// Instances

static nbstage_status NBSTAGE_CALL create(const struct nbstage_host *host,
                                          struct nbstage_instance **instance)
{
    struct nbstage_host copy = {0};
    *instance = NULL;
    if (host && host->size < sizeof copy) {
        complain("the size of nbstage_host is less than in version 1");
        return NBSTAGE_BAD_CALL;
    }
    if (behaves("no-instance"))
        return NBSTAGE_UNSUPPORTED;
    if (host)
        copy = *host;
    if (!copy.allocate != !copy.release) {
        complain("the host has only one of allocate() and release()");
        return NBSTAGE_BAD_CALL;
    }
    *instance = take(&copy, sizeof **instance);
    if (!*instance)
        return NBSTAGE_OUT_OF_MEMORY;
    **instance = (struct nbstage_instance){.host = copy, .sentence = ""};
    return NBSTAGE_OK;
}

static nbstage_status NBSTAGE_CALL set_option(struct nbstage_instance *instance,
                                              const char *name,
                                              const char *value)
{
    if (strcmp(name, "word") != 0)
        return fail(instance, NBSTAGE_UNKNOWN_OPTION, BAD_STAGE_SENTENCE);
    if (strcmp(value, "refused") == 0)
        return fail(instance, NBSTAGE_BAD_VALUE, BAD_STAGE_SENTENCE);
    return NBSTAGE_OK;
}

static const char *NBSTAGE_CALL
last_error(const struct nbstage_instance *instance)
{
    return instance->sentence;
}

static void NBSTAGE_CALL destroy(struct nbstage_instance *instance)
{
    if (!instance)
        return;
    const struct nbstage_host host = instance->host;
    while (instance->made) {
        struct made *made = instance->made;
        instance->made = made->next;
        memset(made->data, JUNK, made->data_size);
        give_back(&host, made->data);
        give_back(&host, made);
    }
    give_back(&host, instance);
}

// ---------------------------------------------------------------------------
// Watching what the host hands over

// Whether a vertex of the arrays is in the room; `is_far` learns whether it
// is far from the origin.
static bool is_good_vertex(const struct nbstage_map *map, uint32_t index,
                           bool *is_far)
{
    const char *at = (const char *)map->vertices + index * map->vertex_stride;
    struct nbstage_vertex wide;
    struct nbstage_vertex16 narrow;
    double x, y;
    if (index >= map->vertex_count)
        return false;
    if (map->vertex_form == NBSTAGE_FORM_16) {
        memcpy(&narrow, at, sizeof narrow);
        x = narrow.x;
        y = narrow.y;
    } else {
        memcpy(&wide, at, sizeof wide);
        x = wide.x / 65536.0;
        y = wide.y / 65536.0;
    }
    *is_far |= x > BAD_STAGE_WIDTH - 1;
    return x >= 0 && x <= BAD_STAGE_WIDTH && y >= 0 && y <= BAD_STAGE_HEIGHT;
}

static const char *find_flaw_in_arrays(const struct nbstage_map *map)
{
    const bool is_narrow = map->line_form == NBSTAGE_FORM_16;
    bool is_far = false;
    if (!map->lines || !map->vertices)
        return "the map has only one of the arrays lines and vertices";
    if (map->line_size < (is_narrow ? 4 : 8) ||
        map->line_stride < map->line_size)
        return "the map's line_size or line_stride is too small";
    for (size_t i = 0; i < map->line_count; i++) {
        const char *at = (const char *)map->lines + i * map->line_stride;
        uint32_t wide[2];
        uint16_t narrow[2];
        memcpy(wide, at, is_narrow ? sizeof narrow : sizeof wide);
        memcpy(narrow, at, sizeof narrow);
        for (size_t end = 0; end < 2; end++)
            if (!is_good_vertex(map, is_narrow ? narrow[end] : wide[end],
                                &is_far))
                return "the arrays are not those of the map: a line has a "
                       "vertex that does not exist or is outside the room";
    }
    return is_far ? NULL
                  : "the arrays are not those of the map: coordinates are "
                    "too small for their form";
}

// Stores the number of lines; returns what is wrong with the call, or NULL.
static const char *find_flaw(const struct nbstage_map *map,
                             const struct nbstage_result *result, size_t *lines)
{
    enum { LINEDEF_SIZE = 14 };
    const bool has_arrays = map->lines || map->vertices;
    if (map->size < sizeof *map || result->size < sizeof *result)
        return "the size of nbstage_map or nbstage_result is less than in "
               "version 1";
    if (result->lumps || result->facts)
        return "the result is not zeroed before build()";
    *lines = map->lines ? map->line_count : 0;
    for (size_t i = 0; !has_arrays && i < map->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, map->lumps, i);
        if (lump->size < sizeof *lump)
            return "the size of a nbstage_lump is less than in version 1";
        if (strcmp(lump->name, "LINEDEFS") == 0)
            *lines = lump->data_size / LINEDEF_SIZE;
    }
    if (*lines < BAD_STAGE_FEWEST_LINES ||
        *lines >= BAD_STAGE_FEWEST_LINES + BAD_STAGE_MAPS)
        return "the map has not the lines of one of the maps in the input";
    return has_arrays ? find_flaw_in_arrays(map) : NULL;
}

// ---------------------------------------------------------------------------
// Failing

// Reports progress for half a second, unless the host cancels.
static nbstage_status hang(struct nbstage_instance *instance)
{
    const struct nbstage_host *host = &instance->host;
    const struct timespec pause = {.tv_nsec = 10000000};
    for (uint32_t i = 0; i < 50; i++) {
        if (host->progress && host->progress(host->context, i, 50) != 0)
            return fail(instance, NBSTAGE_CANCELLED, BAD_STAGE_SENTENCE);
        nanosleep(&pause, NULL);
    }
    return fail(instance, NBSTAGE_BAD_MAP, BAD_STAGE_SENTENCE);
}

static const char *get_long_sentence(void)
{
    static char sentence[100000];
    const size_t length = strlen(BAD_STAGE_SENTENCE);
    memset(sentence, 'x', sizeof sentence - 1);
    memcpy(sentence, BAD_STAGE_SENTENCE " ", length + 1);
    memcpy(sentence + sizeof sentence - length - 2, " " BAD_STAGE_SENTENCE,
           length + 1);
    return sentence;
}

static const char *get_raw_sentence(void)
{
    static const char *const raw[] = {BAD_STAGE_RAW};
    static char sentence[200];
    strcpy(sentence, BAD_STAGE_SENTENCE);
    for (size_t i = 0; i < COUNT(raw); i++)
        strcat(strcat(sentence, " "), raw[i]);
    return sentence;
}

static nbstage_status fail_if_wanted(struct nbstage_instance *instance,
                                     size_t lines)
{
    const bool is_first = lines == BAD_STAGE_FEWEST_LINES;
    static const struct {
        const char *behaviour;
        nbstage_status status;
        const char *sentence;
    } failures[] = {
        {"fails", NBSTAGE_BAD_MAP, BAD_STAGE_SENTENCE},
        {"hangs", NBSTAGE_BAD_MAP, BAD_STAGE_SENTENCE},
        {"says-nothing", NBSTAGE_UNSUPPORTED, ""},
        {"no-memory", NBSTAGE_OUT_OF_MEMORY, BAD_STAGE_SENTENCE},
        {"cancelled", NBSTAGE_CANCELLED, BAD_STAGE_SENTENCE},
        {"unknown-status", 12345, BAD_STAGE_SENTENCE},
        {"negative-status", -1, BAD_STAGE_SENTENCE},
    };
    if (is_first && behaves("hangs"))
        return hang(instance);
    for (size_t i = 0; i < COUNT(failures); i++)
        if (behaves(failures[i].behaviour))
            return fail(instance, failures[i].status, failures[i].sentence);
    if (lines == BAD_STAGE_FEWEST_LINES + 1 && behaves("fails-once"))
        return fail(instance, NBSTAGE_OVER_LIMIT, BAD_STAGE_SENTENCE);
    if (behaves("long-sentence"))
        return fail(instance, NBSTAGE_BAD_MAP, get_long_sentence());
    if (behaves("raw-sentence"))
        return fail(instance, NBSTAGE_BAD_MAP, get_raw_sentence());
    return NBSTAGE_OK;
}

static void warn_often(const struct nbstage_host *host)
{
    for (int i = 0; host->log && i < 10000; i++)
        host->log(host->context, i % 5, get_raw_sentence());
}

// ---------------------------------------------------------------------------
// Building

#define FACT(fact_name, fact_value, fact_text, fact_kind) \
    { \
        .size = sizeof(struct nbstage_fact), .name = fact_name, \
        .value = fact_value, .text = fact_text, .kind = fact_kind \
    }

static const struct nbstage_fact plain_facts[] = {
    FACT("bytes", 48, NULL, NBSTAGE_FACT_VALUE),
    FACT("header", 0, "any", NBSTAGE_FACT_VALUE),
};
static const struct nbstage_fact unknown_facts[] = {
    FACT("bytes", 48, "not a number", 77),
    FACT("weather", 3, "rain", NBSTAGE_FACT_ITEM),
    FACT("weather", 3, "snow", NBSTAGE_FACT_ITEM),
    FACT("moon", -1, NULL, 0xFFFFFFFF),
    FACT("weather", 0, "", NBSTAGE_FACT_ITEM),
    FACT("sun", 7, NULL, NBSTAGE_FACT_FLAG),
};
static const struct nbstage_fact huge_facts[] = {
    FACT("bytes", INT64_MAX, NULL, NBSTAGE_FACT_VALUE),
    FACT("linedefs", INT64_MIN, NULL, NBSTAGE_FACT_VALUE),
    FACT("entries", INT64_MAX, NULL, NBSTAGE_FACT_VALUE),
    FACT("columns", INT64_MAX, NULL, NBSTAGE_FACT_VALUE),
    FACT("rows", INT64_MAX, NULL, NBSTAGE_FACT_VALUE),
    FACT("sectors", INT64_MAX, NULL, NBSTAGE_FACT_VALUE),
    FACT("steps", INT64_MAX, NULL, NBSTAGE_FACT_VALUE),
};

static void put_facts(struct made *made, struct nbstage_result *result)
{
    const struct nbstage_fact *facts = plain_facts;
    size_t count = COUNT(plain_facts);
    if (behaves("unknown-facts")) {
        facts = unknown_facts;
        count = COUNT(unknown_facts);
    } else if (behaves("huge-facts")) {
        facts = huge_facts;
        count = COUNT(huge_facts);
    }
    for (size_t i = 0; i < count; i++)
        put(made->facts, i, &facts[i], sizeof facts[i]);
    result->facts = (const void *)made->facts;
    result->fact_count = count;
}

static void put_lump(struct made *made, struct nbstage_result *result,
                     const char *name, const void *data, size_t size)
{
    const struct nbstage_lump lump = {
        .name = name, .data = size > 0 ? data : NULL, .data_size = size};
    put(made->lumps, result->lump_count++, &lump, sizeof lump);
    result->lumps = (const void *)made->lumps;
}

static nbstage_status NBSTAGE_CALL build(struct nbstage_instance *instance,
                                         const struct nbstage_map *map,
                                         struct nbstage_result *result)
{
    const struct nbstage_host *host = &instance->host;
    size_t lines = 0;
    const char *flaw = find_flaw(map, result, &lines);
    if (flaw) {
        complain(flaw);
        return fail(instance, NBSTAGE_BAD_CALL, flaw);
    }
    nbstage_status status = fail_if_wanted(instance, lines);
    if (status != NBSTAGE_OK)
        return status;
    const size_t size = behaves("large-lump") ? (size_t)BAD_STAGE_LARGE_SIZE
                                              : (size_t)BAD_STAGE_LUMP_SIZE;
    struct made *made = take(host, sizeof *made);
    unsigned char *data = made ? take(host, size) : NULL;
    if (!data) {
        give_back(host, made);
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, "out of memory");
    }
    *made = (struct made){instance->made, .data = data, .data_size = size};
    instance->made = made;
    memset(data, 0, size);
    size_t used = bad_stage_write_lump(data, lines);
    if (behaves("warnings"))
        warn_often(host);
    if (behaves("other-lump-first") || behaves("no-blockmap") ||
        behaves("longer-structures"))
        put_lump(made, result, "REJECT", "another lump", 12);
    if (!behaves("no-blockmap"))
        put_lump(made, result, "BLOCKMAP", data,
                 behaves("empty-lump")   ? 0
                 : behaves("large-lump") ? size
                                         : used);
    put_facts(made, result);
    return NBSTAGE_OK;
}

static void NBSTAGE_CALL free_result(struct nbstage_instance *instance,
                                     struct nbstage_result *result)
{
    struct made *made = instance->made;
    if (!result->lumps)
        return;
    while (made && (const void *)made->lumps != (const void *)result->lumps)
        made = made->next;
    if (!made)
        complain("free_result() gets a result that this instance did not make");
    else if (made->is_freed)
        complain("free_result() gets the same result twice");
    if (!made)
        return;
    made->is_freed = true;
    memset(made->data, JUNK, made->data_size);
    memset(made->facts, JUNK, sizeof made->facts);
    for (size_t i = 0; i < result->lump_count; i++)
        put(made->lumps, i,
            &(struct nbstage_lump){.name = "BLOCKMAP",
                                   .data = made->data,
                                   .data_size = made->data_size},
            sizeof(struct nbstage_lump));
    const size_t size = result->size;
    memset(result, 0, sizeof *result);
    result->size = size;
}

// ---------------------------------------------------------------------------
// The descriptor

static nbstage_status NBSTAGE_CALL explain(struct nbstage_instance *instance,
                                           const struct nbstage_result *result,
                                           const char *part, size_t index,
                                           char *text, size_t text_size)
{
    (void)result;
    (void)part;
    (void)index;
    if (text_size > 0)
        *text = '\0';
    return fail(instance, NBSTAGE_BAD_CALL, "the result has no such part");
}

static const struct nbstage_choice choices[] = {
    {sizeof *choices, "accepted", "a word that the stage takes"},
    {sizeof *choices, "refused", "a word that it refuses all the same"},
};
static const struct nbstage_option options[] = {
    {.name = "first",
     .type = NBSTAGE_OPTION_FLAG,
     .default_value = "no",
     .help = "does nothing"},
    {.name = "word",
     .type = NBSTAGE_OPTION_CHOICE,
     .form = "WORD",
     .default_value = "accepted",
     .help = "takes a word",
     .choice_count = 2},
    {.name = "later", .type = 99, .default_value = "", .help = ""},
    {.name = "latest", .type = -1},
};

static void put_options(struct nbstage_descriptor *descriptor)
{
    static alignas(16) unsigned char
        put_choices[COUNT(choices) * (sizeof *choices + LATER)];
    static alignas(16) unsigned char
        put_options[COUNT(options) * (sizeof *options + LATER)];
    for (size_t i = 0; i < COUNT(choices); i++)
        put(put_choices, i, &choices[i], sizeof choices[i]);
    for (size_t i = 0; i < COUNT(options); i++) {
        struct nbstage_option option = options[i];
        if (option.choice_count > 0)
            option.choices = (const void *)put_choices;
        put(put_options, i, &option, sizeof option);
    }
    descriptor->options = (const void *)put_options;
    descriptor->option_count = behaves("unknown-options") ? COUNT(options) : 2;
}

NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi)
{
    static const char *const names[] = {"REJECT", "BLOCKMAP"};
    static struct {
        struct nbstage_descriptor known;
        unsigned char later[LATER];
    } described;
    struct nbstage_descriptor *known = &described.known;
    if (abi != NBSTAGE_ABI || behaves("other-version"))
        return NULL;
    *known = (struct nbstage_descriptor){
        .size = sizeof *known,
        .abi = NBSTAGE_ABI,
        .name = BAD_STAGE,
        .version = "1.0",
        .summary = "misbehaves for nbstage-check",
        .lump_names = names,
        .lump_name_count = behaves("other-lumps") ? 1 : 2,
        .create = create,
        .set_option = set_option,
        .build = build,
        .free_result = free_result,
        .last_error = last_error,
        .destroy = destroy,
    };
    put_options(known);
    if (!behaves("bare")) {
        known->set_default = set_option;
        known->explain = explain;
    }
    if (behaves("newer-interface") || behaves("longer-structures")) {
        memset(described.later, JUNK, sizeof described.later);
        known->size = sizeof described;
        known->abi = behaves("newer-interface") ? NBSTAGE_ABI + 1 : NBSTAGE_ABI;
    }
    return known;
}
