// SPDX-License-Identifier: GPL-2.0-or-later
//
// Entry points of the plugin.  They translate between the interface's
// structures, which may come from another version, and the core's own.

#include "config.h"

#include "arena.h"
#include "base/context.h"
#include "base/macros.h"
#include "build.h"
#include "check/check-nodes.h"
#include "lines/lines.h"
#include "lists/lists.h"
#include "lump/lump.h"
#include "map/map.h"
#include "nbstage.h"
#include "options.h"
#include "prune/prune.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A result that the host has not freed yet, in a circular list.  The host has a
// pointer to `lump`, from which module_free_result recovers the result.
struct module_result {
    struct module_result *previous;
    struct module_result *next;
    unsigned char *bytes; // of the lump
    struct nbstage_lump lump;
};

struct nbstage_instance {
    struct arena arena;
    struct context context; // allocates from the arena
    struct options options;
    bool has_warned;              // about the options as they are set now
    struct module_result results; // the head of the list

    // The result of the last build, and facts about it, which are collected
    // when the host gets the first.
    struct build_result build;
    size_t line_count;
    enum {
        MODULE_TOLD,   // `facts` is up to date
        MODULE_MADE,   // the build made a lump
        MODULE_FAILED, // the build failed
    } facts_of;
    size_t fact_count;
    struct nbstage_fact facts[40];
};

// Zeroes a caller's structure, keeping its `size`; `known` is the size in this
// version.
static void module_empty_structure(void *structure, size_t known)
{
    size_t size;
    memcpy(&size, structure, sizeof size);
    memset(structure, 0, size < known ? size : known);
    memcpy(structure, &size, sizeof size);
}

// Copies a structure with a `size` into one of this version.
static void module_read_structure(void *target, size_t target_size,
                                  const void *source, size_t source_size)
{
    size_t common = source_size < target_size ? source_size : target_size;
    memset(target, 0, target_size);
    memcpy(target, source, common);
}

static nbstage_status NBSTAGE_CALL module_create(
    const struct nbstage_host *given_host, struct nbstage_instance **instance)
{
    if (!instance)
        return NBSTAGE_BAD_CALL;
    *instance = NULL;
    struct nbstage_host host = {0};
    if (given_host && !NBSTAGE_HAS(struct nbstage_host, given_host, progress))
        return NBSTAGE_BAD_CALL;
    if (given_host)
        module_read_structure(&host, sizeof host, given_host, given_host->size);
    if (!host.allocate != !host.release)
        return NBSTAGE_BAD_CALL;
    struct nbstage_instance *made =
        host.allocate ? host.allocate(host.context, sizeof *made)
                      : malloc(sizeof *made);
    if (!made)
        return NBSTAGE_OUT_OF_MEMORY;
    *made = (struct nbstage_instance){
        .arena = {.user = host.context,
                  .allocate = host.allocate,
                  .release = host.release},
        .context = {.user = &made->arena,
                    .allocate = arena_allocate,
                    .release = arena_release,
                    .host = host.context,
                    .log = host.log,
                    .progress = host.progress},
    };
    made->results.previous = made->results.next = &made->results;
    options_reset(&made->options);
    *instance = made;
    return NBSTAGE_OK;
}

static nbstage_status module_bad_call(struct nbstage_instance *instance,
                                      const char *what)
{
    instance->context.map_name = NULL;
    context_fail(&instance->context, NBSTAGE_OK, NULL, "%s", what);
    return NBSTAGE_BAD_CALL;
}

// Checks a call that sets an option, and makes its warnings due again.
static nbstage_status module_begin_setting(struct nbstage_instance *instance,
                                           const char *name, const char *value)
{
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!name || !value)
        return module_bad_call(instance, "an option needs a name and a value");
    instance->has_warned = false;
    return NBSTAGE_OK;
}

static nbstage_status NBSTAGE_CALL module_set_option(
    struct nbstage_instance *instance, const char *name, const char *value)
{
    NEED(module_begin_setting(instance, name, value));
    return options_set(&instance->context, &instance->options, name, value);
}

static nbstage_status NBSTAGE_CALL module_set_default(
    struct nbstage_instance *instance, const char *name, const char *value)
{
    NEED(module_begin_setting(instance, name, value));
    return options_set_default(&instance->context, &instance->options, name,
                               value);
}

// ---------------------------------------------------------------------------
// Memory of results, and lumps

static void module_drop_result(struct nbstage_instance *instance,
                               struct module_result *result)
{
    result->previous->next = result->next;
    result->next->previous = result->previous;
    context_release(&instance->context, result->bytes);
    context_release(&instance->context, result);
}

// Whether sides, sectors and things are read: for pruning, or to judge the
// present lump.
static bool module_needs_attributes(const struct build_request *options)
{
    return options->prune == PRUNE_INERT || options->keeps_smaller;
}

static int32_t NBSTAGE_CALL
module_needs_lump(const struct nbstage_instance *instance, const char *name)
{
    if (!instance || !name)
        return 1;
    const struct build_request *options = &instance->options.build;
    return map_reads(name, module_needs_attributes(options),
                     options->check_nodes);
}

// ---------------------------------------------------------------------------
// Limits

enum { BYTES_OF_LINE = 128 }; // a linedef and its sides in lumps

// A cap on sums, so that they cannot overflow.
static const uint64_t BYTES_AT_MOST = (uint64_t)1 << 48;

static uint64_t module_add_bytes(uint64_t sum, size_t count, size_t size)
{
    if (sum >= BYTES_AT_MOST || (size > 0 && count > BYTES_AT_MOST / size))
        return BYTES_AT_MOST;
    return sum + (uint64_t)count * size;
}

// Adds up the bytes of a host's map that the stage may read.
static uint64_t module_measure_map(const struct nbstage_instance *instance,
                                   const struct nbstage_map *map)
{
    const struct {
        const struct nbstage_array *array;
        size_t element_size; // upper bound on the bytes read from an element
    } arrays[] = {
        {(const void *)map->vertices, 8}, {(const void *)map->lines, 48},
        {(const void *)map->sides, 4},    {(const void *)map->sectors, 20},
        {(const void *)map->things, 12},
    };
    uint64_t bytes = 0;
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, map->lumps, i);
        if (module_needs_lump(instance, lump->name))
            bytes = module_add_bytes(bytes, lump->data_size, 1);
    }
    for (size_t i = 0; i < COUNT(arrays); i++)
        if (arrays[i].array)
            bytes = module_add_bytes(bytes, arrays[i].array->count,
                                     arrays[i].element_size);
    return bytes;
}

// ---------------------------------------------------------------------------
// A call with a map

// Reads the host's map; free it with map_free.  End the call with
// module_end_call, even on failure.
static nbstage_status module_open_map(struct nbstage_instance *instance,
                                      const struct nbstage_map *given,
                                      struct map *map)
{
    struct nbstage_map known;
    instance->context.work = 0;
    if (!given || !NBSTAGE_HAS(struct nbstage_map, given, things))
        return module_bad_call(instance,
                               "the map is NULL, or its size is not set");
    module_read_structure(&known, sizeof known, given, given->size);
    if (!known.lumps && known.lump_count > 0)
        return module_bad_call(instance,
                               "lump_count is not 0, but lumps is NULL");
    if (known.lump_count > 0 &&
        !NBSTAGE_HAS(struct nbstage_lump, known.lumps, compression))
        return module_bad_call(instance,
                               "the size of a lump's structure is not set");
    struct context *context = &instance->context;
    uint64_t bytes = module_measure_map(instance, &known);
    context->map_name = known.name;
    context->limits = options_limits(&instance->options, bytes);
    arena_limit(&instance->arena, context->limits.memory);
    NEED(map_read(context, &known,
                  module_needs_attributes(&instance->options.build), map));
    bytes = module_add_bytes(bytes, map->inflated_bytes, 1);
    if (known.lines)
        bytes = module_add_bytes(bytes, map->line_count, BYTES_OF_LINE);
    context->limits.work = options_limits(&instance->options, bytes).work;
    return NBSTAGE_OK;
}

// Ends a call and returns its status: NBSTAGE_OVER_LIMIT if memory was refused
// because of the option max-memory.
static nbstage_status module_end_call(struct nbstage_instance *instance,
                                      nbstage_status status)
{
    if (status == NBSTAGE_OUT_OF_MEMORY && instance->arena.met_limit)
        status = context_fail(&instance->context, NBSTAGE_OVER_LIMIT, NULL,
                              "the map takes more than the %zu MiB of memory "
                              "that max-memory allows for",
                              instance->context.limits.memory >> 20);
    instance->context.map_name = NULL;
    return status;
}

// ---------------------------------------------------------------------------
// The result

static const char *const module_header_names[] = {
    [HEADER_ZERO] = "zero", [HEADER_ANY] = "any", [HEADER_NONE] = "none"};

#define FACT(fact_name, ...) \
    { \
        .size = sizeof(struct nbstage_fact), .name = fact_name, __VA_ARGS__ \
    }
#define FACT_NUMBER(name, number) FACT(name, .value = (int64_t)(number))
#define FACT_WORD(name, word) FACT(name, .text = word)
#define FACT_FLAG(name, flag) \
    FACT(name, .value = flag, .kind = NBSTAGE_FACT_FLAG)

static void module_add_facts(struct nbstage_instance *instance)
{
    const struct build_result *build = &instance->build;
    const struct lump_measure *measure = &build->measure;
    const size_t *pruned = build->pruned;
    const struct nbstage_fact facts[] = {
        FACT_WORD("form", build->size == 0           ? "empty"
                          : build->form == LUMP_XBM1 ? "xbm1"
                                                     : "classic"),
        FACT_NUMBER("linedefs", instance->line_count),
        FACT_WORD(
            "grid",
            build->placement == GRID_AT
                ? "at"
                : options_table[OPTION_GRID].choices[build->placement].name),
        FACT_NUMBER("origin_x", build->grid.origin_x),
        FACT_NUMBER("origin_y", build->grid.origin_y),
        FACT_NUMBER("columns", build->grid.columns),
        FACT_NUMBER("rows", build->grid.rows),
        FACT_NUMBER("placements", build->search.scored_count),
        FACT_NUMBER("placements_built", build->search.built_count),
        FACT_WORD("header", module_header_names[build->header]),
        FACT_NUMBER("entries", build->entry_count),
        FACT_NUMBER("lists", build->list_count),
        FACT_NUMBER("nested_lists", build->nested_count),
        FACT_NUMBER("merges", build->merge_count),
        FACT_NUMBER("extra_entries", build->extra_count),
        FACT_NUMBER("extra_at_worst", build->extra_at_worst),
        FACT_NUMBER("unmerged_words", build->unmerged_words),
        FACT_FLAG("packed_early", build->is_early),
        FACT_NUMBER("words", measure->word_count),
        FACT_NUMBER("words_limit", LUMP_EXTENDED_WORDS),
        FACT_NUMBER("largest_offset", measure->largest_offset),
        FACT_NUMBER("vanilla_offset_limit", LUMP_VANILLA_OFFSET),
        FACT_FLAG("meets_vanilla", lump_meets(measure, LIMIT_VANILLA)),
        FACT_FLAG("meets_extended", lump_meets(measure, LIMIT_EXTENDED)),
        FACT_NUMBER("checked_segs", build->check.seg_count),
        FACT_FLAG("over_limit", build->over_limit),
        FACT_FLAG("lost_limit", build->lost_limit != LIMIT_NONE),
        FACT_FLAG("kept", build->is_kept),
        FACT_FLAG("grid_moved", build->is_moved),
        FACT_NUMBER("missing_solid", build->missing_count),
        FACT_NUMBER("steps", instance->context.work),
        FACT_NUMBER("pruned_tagged", pruned[FATE_TAGGED]),
        FACT_NUMBER("pruned_by_host", pruned[FATE_BY_HOST]),
        FACT_NUMBER("pruned_inert", pruned[FATE_INERT]),
    };
    _Static_assert(sizeof facts <= sizeof instance->facts, "facts have room");
    memcpy(instance->facts, facts, sizeof facts);
    instance->fact_count = COUNT(facts);
}

// Adds facts about a failed build, and about the seg that failed the check, if
// any.
static void module_add_failure(struct nbstage_instance *instance)
{
    const struct nodes_check *check = &instance->build.check;
    const struct nbstage_fact facts[] = {
        FACT_NUMBER("steps", instance->context.work),
        FACT_NUMBER("failed_seg", check->seg),
        FACT_NUMBER("failed_linedef", check->linedef),
        FACT_NUMBER("failed_block", check->block),
    };
    memcpy(instance->facts, facts, sizeof facts);
    instance->fact_count = check->has_failed ? COUNT(facts) : 1;
}

static int32_t NBSTAGE_CALL module_get_fact(struct nbstage_instance *instance,
                                            size_t index,
                                            struct nbstage_fact *fact)
{
    if (!instance || !fact || !NBSTAGE_HAS(struct nbstage_fact, fact, kind))
        return 0;
    if (instance->facts_of == MODULE_MADE)
        module_add_facts(instance);
    else if (instance->facts_of == MODULE_FAILED)
        module_add_failure(instance);
    instance->facts_of = MODULE_TOLD;
    module_empty_structure(fact, sizeof *fact);
    if (index >= instance->fact_count)
        return 0;
    const size_t size = fact->size;
    *fact = instance->facts[index];
    fact->size = size;
    return 1;
}

// Hands over the lump of the build to the host.
static nbstage_status module_make_result(struct nbstage_instance *instance,
                                         struct nbstage_result *result)
{
    struct build_result *build = &instance->build;
    struct module_result *made;
    nbstage_status status =
        context_allocate(&instance->context, 1, sizeof *made, &made);
    if (status != NBSTAGE_OK) {
        context_release(&instance->context, build->bytes);
        return status;
    }
    *made = (struct module_result){
        .previous = &instance->results,
        .next = instance->results.next,
        .bytes = build->bytes,
        .lump = {.size = sizeof made->lump,
                 .name = "BLOCKMAP",
                 .data = build->bytes,
                 .data_size = build->size,
                 .compression = NBSTAGE_PLAIN},
    };
    build->bytes = NULL; // now owned by the result
    made->next->previous = instance->results.next = made;
    result->lumps = &made->lump;
    result->lump_count = 1;
    return NBSTAGE_OK;
}

static void NBSTAGE_CALL module_free_result(struct nbstage_instance *instance,
                                            struct nbstage_result *result)
{
    if (!instance || !result ||
        !NBSTAGE_HAS(struct nbstage_result, result, lump_count))
        return;
    if (result->lumps)
        module_drop_result(instance,
                           (void *)((unsigned char *)result->lumps -
                                    offsetof(struct module_result, lump)));
    module_empty_structure(result, sizeof *result);
}

// ---------------------------------------------------------------------------
// Building

// Warns about the options once after each change.
static void module_warn(struct nbstage_instance *instance)
{
    if (!instance->has_warned)
        options_warn(&instance->context, &instance->options);
    instance->has_warned = true;
}

static nbstage_status module_build_lump(struct nbstage_instance *instance,
                                        struct map *map,
                                        struct nbstage_result *result)
{
    NEED(build_lump(&instance->context, map, &instance->options.build,
                    &instance->build));
    return module_make_result(instance, result);
}

static nbstage_status module_build_map(struct nbstage_instance *instance,
                                       const struct nbstage_map *given,
                                       struct nbstage_result *result)
{
    struct context *context = &instance->context;
    struct map map;
    nbstage_status status = module_open_map(instance, given, &map);
    if (status != NBSTAGE_OK) {
        instance->facts_of = context->work > 0 ? MODULE_FAILED : MODULE_TOLD;
        return module_end_call(instance, status);
    }
    instance->line_count = map.line_count;
    status = module_build_lump(instance, &map, result);
    instance->facts_of = status == NBSTAGE_OK ? MODULE_MADE : MODULE_FAILED;
    map_free(context, &map);
    status = module_end_call(instance, status);
    module_warn(instance);
    return status;
}

static nbstage_status NBSTAGE_CALL
module_build(struct nbstage_instance *instance, const struct nbstage_map *given,
             struct nbstage_result *result)
{
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!result || !NBSTAGE_HAS(struct nbstage_result, result, lump_count))
        return module_bad_call(instance,
                               "build needs a result whose size is set");
    module_empty_structure(result, sizeof *result);
    instance->build = (struct build_result){0};
    instance->fact_count = 0;
    instance->facts_of = MODULE_TOLD;
    return module_build_map(instance, given, result);
}

static const char *NBSTAGE_CALL
module_last_error(const struct nbstage_instance *instance)
{
    return instance ? instance->context.message : "";
}

static void NBSTAGE_CALL module_destroy(struct nbstage_instance *instance)
{
    if (!instance)
        return;
    while (instance->results.next != &instance->results)
        module_drop_result(instance, instance->results.next);
    arena_empty(&instance->arena);
    if (instance->arena.release)
        instance->arena.release(instance->arena.user, instance);
    else
        free(instance);
}

static const char *const module_lump_names[] = {"BLOCKMAP"};

static const struct nbstage_descriptor module_descriptor = {
    .size = sizeof module_descriptor,
    .abi = NBSTAGE_ABI,
    .name = PACKAGE_NAME,
    .version = PACKAGE_VERSION,
    .summary = "exact BLOCKMAP lumps, as small as the packing allows",
    .lump_names = module_lump_names,
    .lump_name_count = COUNT(module_lump_names),
    .options = options_table,
    .option_count = OPTION_COUNT,
    .create = module_create,
    .set_option = module_set_option,
    .build = module_build,
    .get_fact = module_get_fact,
    .free_result = module_free_result,
    .last_error = module_last_error,
    .destroy = module_destroy,
    .set_default = module_set_default,
    .needs_lump = module_needs_lump,
};

NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    return abi == NBSTAGE_ABI ? &module_descriptor : NULL;
}
