// SPDX-License-Identifier: GPL-2.0-or-later
//
// Entry points of the plugin.  They translate between the interface's
// structures, which may come from another version, and the core's own.

#include "config.h"

#include "advice.h"
#include "arena.h"
#include "base/context.h"
#include "base/macros.h"
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

// The facts about a build that made a lump, then those about the seg that
// failed the check of the nodes.  In the order of the command's report.
#define MODULE_FACTS(WORD, NUMBER, FLAG) \
    WORD("form", build->size == 0           ? "empty" \
                 : build->form == LUMP_XBM1 ? "xbm1" \
                                            : "classic") \
    NUMBER("linedefs", instance->line_count) \
    WORD("grid", build->placement == GRID_AT \
                     ? "at" \
                     : options_table[OPTION_GRID] \
                           .choices[build->placement] \
                           .name) \
    NUMBER("origin_x", build->grid.origin_x) \
    NUMBER("origin_y", build->grid.origin_y) \
    NUMBER("columns", build->grid.columns) \
    NUMBER("rows", build->grid.rows) \
    NUMBER("distance", build->distance) \
    NUMBER("placements", build->search.scored_count) \
    NUMBER("placements_built", build->search.built_count) \
    WORD("header", module_header_names[build->header]) \
    NUMBER("entries", build->entry_count) \
    NUMBER("lists", build->list_count) \
    NUMBER("nested_lists", build->nested_count) \
    NUMBER("merges", build->merge_count) \
    NUMBER("extra_entries", build->extra_count) \
    NUMBER("extra_at_worst", build->extra_at_worst) \
    NUMBER("unmerged_words", build->unmerged_words) \
    FLAG("packed_early", build->is_early) \
    NUMBER("words", build->measure.word_count) \
    NUMBER("words_limit", LUMP_EXTENDED_WORDS) \
    NUMBER("largest_offset", build->measure.largest_offset) \
    NUMBER("vanilla_offset_limit", LUMP_VANILLA_OFFSET) \
    FLAG("meets_vanilla", lump_meets(&build->measure, LIMIT_VANILLA)) \
    FLAG("meets_extended", lump_meets(&build->measure, LIMIT_EXTENDED)) \
    NUMBER("checked_segs", build->check.seg_count) \
    FLAG("over_limit", build->over_limit) \
    FLAG("lost_limit", build->lost_limit != LIMIT_NONE) \
    FLAG("kept", build->is_kept) \
    FLAG("grid_moved", build->is_moved) \
    NUMBER("missing_solid", build->missing_count) \
    NUMBER("missing_harmless", build->harmless_count) \
    NUMBER("steps", instance->context.work) \
    NUMBER("pruned_tagged", build->pruned[FATE_TAGGED]) \
    NUMBER("pruned_by_host", build->pruned[FATE_BY_HOST]) \
    NUMBER("pruned_inert", build->pruned[FATE_INERT]) \
    NUMBER("failed_seg", build->check.seg) \
    NUMBER("failed_linedef", build->check.linedef) \
    NUMBER("failed_block", build->check.block)

static const char *const module_fact_names[] = {
#define NAME(name, value) name,
    MODULE_FACTS(NAME, NAME, NAME) NULL
#undef NAME
};

enum { MODULE_FACT_COUNT = COUNT(module_fact_names) - 1 };

struct nbstage_instance {
    struct arena arena;
    struct context context; // allocates from the arena
    struct options options;
    // About the options as they are set now.
    bool has_warned, has_warned_headerless;

    // The last build.
    enum { MODULE_NOTHING, MODULE_FAILED, MODULE_BUILT } outcome;
    struct build_result build;
    struct nbstage_lump lump; // of MODULE_BUILT
    size_t line_count;
    bool facts_are_told; // `facts` are those of this build
    struct nbstage_fact facts[MODULE_FACT_COUNT];
};

// Copies a structure with a `size` into one of this version.
static void module_read_structure(void *target, size_t target_size,
                                  const void *source, size_t source_size)
{
    size_t common = source_size < target_size ? source_size : target_size;
    memset(target, 0, target_size);
    memcpy(target, source, common);
}

static struct nbstage_instance *NBSTAGE_CALL
module_create(const struct nbstage_host *given_host)
{
    struct nbstage_host host = {0};
    if (given_host && !NBSTAGE_HAS(struct nbstage_host, given_host, progress))
        return NULL;
    if (given_host)
        module_read_structure(&host, sizeof host, given_host, given_host->size);
    if (!host.allocate != !host.release)
        return NULL;
    struct nbstage_instance *instance =
        host.allocate ? host.allocate(host.context, sizeof *instance)
                      : malloc(sizeof *instance);
    if (!instance)
        return NULL;
    *instance = (struct nbstage_instance){
        .arena = {.user = host.context,
                  .allocate = host.allocate,
                  .release = host.release},
        .context = {.user = &instance->arena,
                    .allocate = arena_allocate,
                    .release = arena_release,
                    .host = host.context,
                    .log = host.log,
                    .progress = host.progress},
    };
    options_reset(&instance->options);
    return instance;
}

static nbstage_status module_bad_call(struct nbstage_instance *instance,
                                      const char *what)
{
    instance->context.map_name = NULL;
    context_fail(&instance->context, NBSTAGE_OK, NULL, "%s", what);
    return NBSTAGE_BAD_CALL;
}

static nbstage_status NBSTAGE_CALL
module_set_option(struct nbstage_instance *instance, const char *name,
                  const char *value, int32_t by)
{
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!name || !value)
        return module_bad_call(instance, "an option needs a name and a value");
    instance->has_warned = instance->has_warned_headerless = false;
    return options_set(&instance->context, &instance->options, name, value, by);
}

// Whether sides, sectors and things are read: for pruning, or to judge the
// present lump.
static bool module_needs_attributes(const struct build_request *options)
{
    return options->prune == PRUNE_INERT || options->keeps_smaller;
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
    const struct build_request *options = &instance->options.build;
    const bool needs_attributes = module_needs_attributes(options);
    uint64_t bytes = 0;
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct nbstage_lump *lump = &map->lumps[i];
        if (lump->name &&
            map_reads(lump->name, needs_attributes, options->check_nodes))
            bytes = module_add_bytes(bytes, lump->data_size, 1);
    }
    for (size_t i = 0; i < COUNT(arrays); i++)
        if (arrays[i].array && // a short one fails later
            NBSTAGE_HAS(struct nbstage_array, arrays[i].array, count))
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
    context_begin_build(&instance->context);
    if (!given || !NBSTAGE_HAS(struct nbstage_map, given, things))
        return module_bad_call(instance,
                               "the map is NULL, or its size is not set");
    module_read_structure(&known, sizeof known, given, given->size);
    if (!known.lumps && known.lump_count > 0)
        return module_bad_call(instance,
                               "lump_count is not 0, but lumps is NULL");
    struct context *context = &instance->context;
    uint64_t bytes = module_measure_map(instance, &known);
    context->map_name = known.name;
    context->limits = options_limits(&instance->options, bytes);
    arena_limit(&instance->arena, context->limits.memory);
    NEED(map_read(context, &known,
                  module_needs_attributes(&instance->options.build), map));
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

static void module_tell_facts(struct nbstage_instance *instance)
{
    const struct build_result *build = &instance->build;
    const size_t size = sizeof(struct nbstage_fact);
    const struct nbstage_fact facts[] = {
#define WORD(name, word) {size, 0, word},
#define NUMBER(name, value) {size, (int64_t)(value), NULL},
#define FLAG(name, flag) {size, flag, (flag) ? "yes" : "no"},
        MODULE_FACTS(WORD, NUMBER, FLAG)
#undef WORD
#undef NUMBER
#undef FLAG
    };
    memcpy(instance->facts, facts, sizeof facts);
    instance->facts_are_told = true;
}

// Whether there is a fact of this name about the last build.
static bool module_has_fact(const struct nbstage_instance *instance,
                            const char *name)
{
    if (strncmp(name, "failed_", strlen("failed_")) == 0)
        return instance->build.check.has_failed;
    return instance->outcome == MODULE_BUILT ||
           (instance->outcome == MODULE_FAILED && strcmp(name, "steps") == 0);
}

static const struct nbstage_fact *NBSTAGE_CALL
module_get_fact(struct nbstage_instance *instance, const char *name)
{
    size_t i = 0;
    if (!instance || !name || !module_has_fact(instance, name))
        return NULL;
    if (!instance->facts_are_told)
        module_tell_facts(instance);
    while (i < MODULE_FACT_COUNT && strcmp(module_fact_names[i], name) != 0)
        i++;
    return i < MODULE_FACT_COUNT ? &instance->facts[i] : NULL;
}

static const struct nbstage_lump *NBSTAGE_CALL
module_get_lump(struct nbstage_instance *instance, const char *name)
{
    if (!instance || !name || instance->outcome != MODULE_BUILT ||
        strcmp(name, instance->lump.name) != 0)
        return NULL;
    return &instance->lump;
}

// ---------------------------------------------------------------------------
// Building

static void module_drop_build(struct nbstage_instance *instance)
{
    context_release(&instance->context, instance->build.bytes);
    instance->build = (struct build_result){0};
    instance->outcome = MODULE_NOTHING;
    instance->facts_are_told = false;
}

// Warns about the options once after each change, and about lumps without
// headers with the first of them.
static void module_warn(struct nbstage_instance *instance)
{
    const struct build_result *build = &instance->build;
    const bool is_headerless =
        build->size > 0 && !build->is_kept && build->header == HEADER_NONE;
    if (!instance->has_warned)
        options_warn(&instance->context, &instance->options);
    instance->has_warned = true;
    if (is_headerless && !instance->has_warned_headerless) {
        options_warn_headerless(&instance->context, &instance->options);
        instance->has_warned_headerless = true;
    }
}

static nbstage_status module_build_map(struct nbstage_instance *instance,
                                       const struct nbstage_map *given)
{
    struct context *context = &instance->context;
    struct build_result *build = &instance->build;
    struct map map;
    nbstage_status status = module_open_map(instance, given, &map);
    if (status != NBSTAGE_OK) {
        if (context->work > 0)
            instance->outcome = MODULE_FAILED;
        return module_end_call(instance, status);
    }
    instance->line_count = map.line_count;
    status = advice_build(context, &map, &instance->options, build);
    instance->outcome = status == NBSTAGE_OK ? MODULE_BUILT : MODULE_FAILED;
    instance->lump =
        (struct nbstage_lump){"BLOCKMAP", build->bytes, build->size};
    map_free(context, &map);
    status = module_end_call(instance, status);
    module_warn(instance);
    return status;
}

static nbstage_status NBSTAGE_CALL module_build(
    struct nbstage_instance *instance, const struct nbstage_map *given)
{
    if (!instance)
        return NBSTAGE_BAD_CALL;
    module_drop_build(instance);
    return module_build_map(instance, given);
}

static const char *NBSTAGE_CALL
module_last_error(struct nbstage_instance *instance)
{
    return instance ? instance->context.message : "";
}

static void NBSTAGE_CALL module_destroy(struct nbstage_instance *instance)
{
    if (!instance)
        return;
    module_drop_build(instance);
    arena_empty(&instance->arena);
    if (instance->arena.release)
        instance->arena.release(instance->arena.user, instance);
    else
        free(instance);
}

static const char *const module_lump_names[] = {"BLOCKMAP", NULL};

static const struct nbstage_descriptor module_descriptor = {
    .size = sizeof module_descriptor,
    .abi = NBSTAGE_ABI,
    .name = PACKAGE_NAME,
    .version = PACKAGE_VERSION,
    .summary = "exact BLOCKMAP lumps, as small as the packing allows",
    .lump_names = module_lump_names,
    .fact_names = module_fact_names,
    .options = options_list,
    .create = module_create,
    .destroy = module_destroy,
    .set_option = module_set_option,
    .build = module_build,
    .get_lump = module_get_lump,
    .get_fact = module_get_fact,
    .last_error = module_last_error,
};

NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    return abi == NBSTAGE_ABI ? &module_descriptor : NULL;
}
