// SPDX-License-Identifier: GPL-2.0-or-later
//
// The door: blocksweep as an nbstage module.  Translates between the
// interface's structures, which may come from another version, and the
// stage's own.

#include "config.h"

#include "build-lists.h"
#include "build.h"
#include "lump/engines.h"
#include "nbstage.h"
#include "options.h"
#include "pool.h"
#include "prune/attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the host has not freed yet, in a ring, and what belongs to it.
struct returned {
    struct returned *previous;
    struct returned *next;
    void *arrays[3]; // may be NULL
};

// Found from the lump that a result points to.
struct made_result {
    struct returned returned; // with the lump's bytes, and arrays of `pruning`
    struct pruning pruning;   // without fates
    struct nbstage_lump lump;
};

// Found from the vertices, of which every map has some.
struct made_map {
    struct returned returned; // with the other arrays
    struct nbstage_vertex vertices[];
};

struct nbstage_instance {
    struct pool pool;
    struct context context; // whose memory is from the pool
    struct build_options options;
    bool options_are_told; // the warnings about them
    bool empty_is_told;
    struct nbstage_fact failure[4]; // facts about the last build that failed
    struct returned returned;       // the head of the ring
};

// All that its size says there is of a structure, without contents; `known` is
// the size of this version.
static void empty_structure(void *structure, size_t known)
{
    size_t size;
    memcpy(&size, structure, sizeof size);
    memset(structure, 0, size < known ? size : known);
    memcpy(structure, &size, sizeof size);
}

// Copies a structure that says its own size into one of this version.
static void read_structure(void *target, size_t target_size, const void *source,
                           size_t source_size)
{
    size_t common = source_size < target_size ? source_size : target_size;
    memset(target, 0, target_size);
    memcpy(target, source, common);
}

static nbstage_status NBSTAGE_CALL create(const struct nbstage_host *given_host,
                                          struct nbstage_instance **instance)
{
    if (!instance)
        return NBSTAGE_BAD_CALL;
    *instance = NULL;
    struct nbstage_host host = {0};
    if (given_host && !NBSTAGE_HAS(struct nbstage_host, given_host, progress))
        return NBSTAGE_BAD_CALL;
    if (given_host)
        read_structure(&host, sizeof host, given_host, given_host->size);
    if (!host.allocate != !host.release)
        return NBSTAGE_BAD_CALL;
    struct nbstage_instance *made =
        host.allocate ? host.allocate(host.context, sizeof *made)
                      : malloc(sizeof *made);
    if (!made)
        return NBSTAGE_OUT_OF_MEMORY;
    *made = (struct nbstage_instance){
        .pool = {.user = host.context,
                 .allocate = host.allocate,
                 .release = host.release},
        .context = {.user = &made->pool,
                    .allocate = pool_allocate,
                    .release = pool_release,
                    .host = host.context,
                    .log = host.log,
                    .progress = host.progress},
    };
    made->returned.previous = made->returned.next = &made->returned;
    options_set_defaults(&made->options);
    *instance = made;
    return NBSTAGE_OK;
}

static nbstage_status bad_call(struct nbstage_instance *instance,
                               const char *what)
{
    instance->context.map_name = NULL;
    context_fail(&instance->context, NBSTAGE_OK, NULL, "%s", what);
    return NBSTAGE_BAD_CALL;
}

static nbstage_status set(struct nbstage_instance *instance, const char *name,
                          const char *value, bool by_default)
{
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!name || !value)
        return bad_call(instance, "an option needs a name and a value");
    instance->options_are_told = instance->empty_is_told = false;
    return options_set(&instance->options, name, value, by_default,
                       instance->context.message,
                       sizeof instance->context.message);
}

static nbstage_status NBSTAGE_CALL set_option(struct nbstage_instance *instance,
                                              const char *name,
                                              const char *value)
{
    return set(instance, name, value, false);
}

static nbstage_status NBSTAGE_CALL set_default(
    struct nbstage_instance *instance, const char *name, const char *value)
{
    return set(instance, name, value, true);
}

// ---------------------------------------------------------------------------
// What the host has to free

static void keep_returned(struct nbstage_instance *instance,
                          struct returned *returned)
{
    returned->previous = &instance->returned;
    returned->next = instance->returned.next;
    returned->next->previous = returned;
    instance->returned.next = returned;
}

static void free_returned(struct nbstage_instance *instance,
                          struct returned *returned)
{
    struct context *context = &instance->context;
    returned->previous->next = returned->next;
    returned->next->previous = returned->previous;
    for (size_t i = 0; i < sizeof returned->arrays / sizeof *returned->arrays;
         i++)
        context_release(context, returned->arrays[i]);
    context_release(context, returned);
}

// What a structure begins with that has a member at `offset`.
static struct returned *returned_of(const void *member, size_t offset)
{
    return (void *)((unsigned char *)member - offset);
}

static int32_t NBSTAGE_CALL needs_lump(const struct nbstage_instance *instance,
                                       const char *name)
{
    if (!instance || !name)
        return 1;
    const struct build_options *options = &instance->options;
    bool attributes = prune_reads_attributes(options->prune);
    for (size_t i = 0; choice_at(options->overflow, i) > 0; i++)
        attributes |=
            choice_at(options->overflow, i) == BUILD_OVERFLOW_INERT ||
            choice_at(options->overflow, i) == BUILD_OVERFLOW_UNREACHABLE;
    return map_reads(name, attributes, options->check_nodes);
}

// ---------------------------------------------------------------------------
// Limits

enum {
    MEMORY_FOR_BYTE = 64, // of the map
    WORK_FOR_BYTE = 4096, // steps
    BYTES_OF_LINE = 128,  // in lumps, where arrays have less
};
static const uint64_t MEMORY_FOR_ANY = (uint64_t)2 << 30;

// A tenth of that is enough to search the grids of every map of Freedoom for
// lists that are nested.
static const uint64_t WORK_FOR_ANY = (uint64_t)1 << 28;
static const uint64_t WORK_AT_MOST = (uint64_t)1 << 33;
static const uint64_t USUAL_ENTRIES = 1 << 24;

// Far more than any machine has, so that sums of it have room.
static const uint64_t BYTES_AT_MOST = (uint64_t)1 << 48;

static uint64_t add_bytes(uint64_t sum, size_t count, size_t size)
{
    if (sum >= BYTES_AT_MOST || (size > 0 && count > BYTES_AT_MOST / size))
        return BYTES_AT_MOST;
    return sum + (uint64_t)count * size;
}

// The size of all that the host has handed over and the stage may read.
static uint64_t measure_map(const struct nbstage_instance *instance,
                            const struct nbstage_map *map)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, map->lumps, i);
        if (needs_lump(instance, lump->name))
            bytes = add_bytes(bytes, lump->data_size, 1);
    }
    bytes = add_bytes(bytes, map->vertex_count, sizeof(struct nbstage_vertex));
    bytes = add_bytes(bytes, map->line_count, map->line_size);
    return add_bytes(bytes, map->sector_count, map->sector_size);
}

// Sets the limits for a map of so many bytes, but for work.
static void limit_memory(struct nbstage_instance *instance, uint64_t map_bytes)
{
    struct limits limits = instance->options.limits;
    if (limits.memory == 0) {
        uint64_t bytes = MEMORY_FOR_ANY + MEMORY_FOR_BYTE * map_bytes;
        limits.memory = bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
    }
    instance->context.limits = limits;
    pool_limit(&instance->pool, limits.memory);
}

// More than usual for those who allow for more entries than usual.
static void limit_work(struct limits *limits, uint64_t map_bytes)
{
    limits->work = WORK_FOR_ANY + WORK_FOR_BYTE * map_bytes;
    if (limits->work > WORK_AT_MOST)
        limits->work = WORK_AT_MOST;
    if (limits->entries > USUAL_ENTRIES)
        limits->work = limits->work / USUAL_ENTRIES * limits->entries;
}

// ---------------------------------------------------------------------------
// A call with a map

// The steps of the current call so far.
static uint64_t count_steps(const struct nbstage_instance *instance)
{
    return instance->context.earlier_work + instance->context.work;
}

// Reads the host's map, for map_free.  Whether it fails or not, end_call ends
// the call.
static nbstage_status open_map(struct nbstage_instance *instance,
                               const struct nbstage_map *given, struct map *map)
{
    struct nbstage_map known;
    instance->context.work = instance->context.earlier_work = 0;
    if (!given || !NBSTAGE_HAS(struct nbstage_map, given, left_out_count))
        return bad_call(instance, "the map is NULL, or its size is not set");
    read_structure(&known, sizeof known, given, given->size);
    if (!known.lumps && known.lump_count > 0)
        return bad_call(instance, "lump_count is not 0, but lumps is NULL");
    if (known.lump_count > 0 &&
        !NBSTAGE_HAS(struct nbstage_lump, known.lumps, compression))
        return bad_call(instance, "the size of a lump's structure is not set");
    struct context *context = &instance->context;
    uint64_t bytes = measure_map(instance, &known);
    context->map_name = known.name;
    limit_memory(instance, bytes);
    nbstage_status status =
        map_read(context, &known, instance->options.inflate_limit, map);
    if (status != NBSTAGE_OK)
        return status;
    bytes = add_bytes(bytes, map->inflated_bytes, 1);
    bytes = add_bytes(bytes, known.line_count, BYTES_OF_LINE);
    limit_work(&context->limits, bytes);
    return NBSTAGE_OK;
}

// Returns the status of the call.  Lack of memory is NBSTAGE_OVER_LIMIT if the
// option max-memory caused it.
static nbstage_status end_call(struct nbstage_instance *instance,
                               nbstage_status status)
{
    if (status == NBSTAGE_OUT_OF_MEMORY && instance->pool.met_limit)
        status = context_fail(&instance->context, NBSTAGE_OVER_LIMIT, NULL,
                              "the map takes more than the %zu MiB of memory "
                              "that max-memory allows for",
                              instance->context.limits.memory >> 20);
    instance->context.map_name = NULL;
    return status;
}

// ---------------------------------------------------------------------------
// The result

static const char *placement_name(enum grid_placement placement)
{
    return placement == GRID_AT
               ? "at"
               : options_table[OPTION_GRID].choices[placement].name;
}

static struct nbstage_fact number(const char *name, uint64_t value)
{
    return (struct nbstage_fact){.size = sizeof(struct nbstage_fact),
                                 .name = name,
                                 .value = (int64_t)value};
}

static struct nbstage_fact flag(const char *name, bool value)
{
    struct nbstage_fact fact = number(name, value);
    fact.kind = NBSTAGE_FACT_FLAG;
    return fact;
}

static struct nbstage_fact word(const char *name, const char *text)
{
    return (struct nbstage_fact){
        .size = sizeof(struct nbstage_fact), .name = name, .text = text};
}

enum { FACT_COUNT = 37 };

_Static_assert(PRUNE_TEXT_SIZE <= NBSTAGE_TEXT_SIZE, "a text is not cut off");

// Stores FACT_COUNT facts.
static void tell_facts(const struct build_output *output, uint64_t steps,
                       struct nbstage_fact *fact)
{
    const struct lump_measure *measure = &output->measure;
    const size_t *pruned = output->pruning.counts;
    *fact++ = word("form", !output->bytes              ? "empty"
                           : output->form == LUMP_XBM1 ? "xbm1"
                                                       : "classic");
    *fact++ = number("linedefs", output->line_count);
    *fact++ = word("grid", placement_name(output->placement));
    *fact++ = number("origin_x", (uint64_t)(int64_t)output->grid.origin_x);
    *fact++ = number("origin_y", (uint64_t)(int64_t)output->grid.origin_y);
    *fact++ = number("columns", output->grid.columns);
    *fact++ = number("rows", output->grid.rows);
    *fact++ = number("placements", output->scored_count);
    *fact++ = number("placements_built", output->built_count);
    *fact++ = word("header",
                   options_table[OPTION_HEADER].choices[output->header].name);
    *fact++ = number("entries", output->entry_count);
    *fact++ = number("lists", output->list_count);
    *fact++ = number("nested_lists", output->nested_count);
    *fact++ = number("merges", output->merge_count);
    *fact++ = number("extra_entries", output->price.extra_count);
    *fact++ = number("extra_at_worst", output->price.extra_at_worst);
    *fact++ = number("unmerged_words", output->unmerged_words);
    *fact++ = flag("packed_early", output->is_early);
    *fact++ = number("words", measure->word_count);
    *fact++ = number("words_limit", LUMP_EXTENDED_WORDS);
    *fact++ = number("largest_offset", measure->largest_offset);
    *fact++ = number("vanilla_offset_limit", LUMP_VANILLA_OFFSET);
    *fact++ = flag("meets_vanilla", measure->meets_vanilla);
    *fact++ = flag("meets_extended", measure->meets_extended);
    *fact++ = number("checked_segs", output->check.seg_count);
    *fact++ = flag("over_limit", output->over_limit);
    *fact++ = flag("lost_limit", output->lost_limit);
    *fact++ = flag("kept", output->is_kept);
    *fact++ = number("steps", steps);
    *fact++ = number("pruned_tagged", pruned[NBSTAGE_LEFT_OUT_TAGGED]);
    *fact++ = number("pruned_by_host", pruned[NBSTAGE_LEFT_OUT_BY_HOST]);
    *fact++ = number("pruned_inert", pruned[NBSTAGE_LEFT_OUT_INERT]);
    *fact++ = number("pruned_rule_3", pruned[NBSTAGE_LEFT_OUT_BEFORE_CLOSED]);
    *fact++ = number("pruned_rule_4", pruned[NBSTAGE_LEFT_OUT_INSIDE_CLOSED]);
    *fact++ = number("pruned_rule_5", pruned[NBSTAGE_LEFT_OUT_BETWEEN_CLOSED]);
    *fact++ = number("pruned_rule_6", pruned[NBSTAGE_LEFT_OUT_NO_WAY_IN]);
    *fact++ = number("sectors", output->pruning.sector_count);
}

static nbstage_status make_result(struct nbstage_instance *instance,
                                  const struct build_output *output,
                                  struct nbstage_result *result)
{
    struct made_result *made;
    struct nbstage_fact *facts;
    const struct context_array arrays[] = {
        {&made, 1, sizeof *made},
        {&facts, FACT_COUNT, sizeof *facts},
    };
    nbstage_status status = context_allocate_arrays(
        &instance->context, arrays, sizeof arrays / sizeof *arrays);
    if (status != NBSTAGE_OK)
        return status;
    context_release(&instance->context, output->pruning.fates);
    made->pruning = output->pruning;
    made->pruning.fates = NULL;
    made->returned.arrays[0] = output->bytes;
    made->returned.arrays[1] = made->pruning.sectors;
    made->returned.arrays[2] = made->pruning.borders;
    made->lump = (struct nbstage_lump){
        .size = sizeof made->lump,
        .name = "BLOCKMAP",
        .data = output->bytes,
        .data_size = output->size,
        .compression = NBSTAGE_PLAIN,
    };
    tell_facts(output, count_steps(instance), facts);
    keep_returned(instance, &made->returned);
    result->lumps = &made->lump;
    result->lump_count = 1;
    result->facts = facts;
    result->fact_count = FACT_COUNT;
    return NBSTAGE_OK;
}

// Gives a result the facts about a build that failed, and about the seg that
// failed the check, if one did.
static void tell_failure(struct nbstage_instance *instance,
                         const struct nodes_check *check,
                         struct nbstage_result *result)
{
    instance->failure[0] = number("steps", count_steps(instance));
    instance->failure[1] = number("failed_seg", check->seg);
    instance->failure[2] = number("failed_linedef", check->linedef);
    instance->failure[3] = number("failed_block", check->block);
    result->facts = instance->failure;
    result->fact_count = check->has_failed ? 4 : 1;
}

static void NBSTAGE_CALL free_result(struct nbstage_instance *instance,
                                     struct nbstage_result *result)
{
    if (!instance || !result ||
        !NBSTAGE_HAS(struct nbstage_result, result, fact_count))
        return;
    if (result->lumps)
        free_returned(
            instance,
            returned_of(result->lumps, offsetof(struct made_result, lump)));
    empty_structure(result, sizeof *result);
}

static nbstage_status NBSTAGE_CALL explain(struct nbstage_instance *instance,
                                           const struct nbstage_result *result,
                                           const char *part, size_t index,
                                           char *text, size_t text_size)
{
    char sentence[PRUNE_TEXT_SIZE];
    if (text && text_size > 0)
        text[0] = '\0';
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!result || !NBSTAGE_HAS(struct nbstage_result, result, fact_count) ||
        !result->lumps || !part || !text || text_size == 0)
        return bad_call(instance, "explain needs a result of a build, a part "
                                  "of its map and room for a text");
    const struct made_result *made = (const void *)returned_of(
        result->lumps, offsetof(struct made_result, lump));
    const size_t count = made->pruning.sector_count;
    if (strcmp(part, "sector") != 0 || count == 0)
        return bad_call(instance, "explain tells of sectors only, and only "
                                  "after a build with prune=inert");
    if (index >= count)
        return context_fail(&instance->context, NBSTAGE_BAD_CALL, NULL,
                            "there is no sector %zu; the map has %zu", index,
                            count);
    prune_explain(&made->pruning, index, sentence);
    snprintf(text, text_size, "%s", sentence);
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// Building

// Once for all maps until an option is set again.
static void warn_of_options(struct nbstage_instance *instance,
                            size_t line_count, bool left_empty)
{
    const char *map_name = instance->context.map_name;
    instance->context.map_name = NULL;
    if (!instance->options_are_told)
        options_warn(&instance->context, &instance->options, line_count);
    if (left_empty && !instance->empty_is_told)
        options_warn_of_empty(&instance->context, &instance->options);
    instance->empty_is_told |= left_empty;
    instance->options_are_told = true;
    instance->context.map_name = map_name;
}

static nbstage_status build_map(struct nbstage_instance *instance,
                                struct map *map, struct nbstage_result *result)
{
    struct context *context = &instance->context;
    struct build_output output;
    context->threads =
        options_count_threads(&instance->options, map->line_count);
    nbstage_status status =
        build_lump(context, map, &instance->options, &output);
    map_free(context, map);
    warn_of_options(instance, map->line_count,
                    status == NBSTAGE_OK && !output.bytes);
    if (status != NBSTAGE_OK) {
        tell_failure(instance, &output.check, result);
        return status;
    }
    status = make_result(instance, &output, result);
    if (status != NBSTAGE_OK) {
        prune_free(context, &output.pruning);
        context_release(context, output.bytes);
    }
    return status;
}

static nbstage_status NBSTAGE_CALL build(struct nbstage_instance *instance,
                                         const struct nbstage_map *given,
                                         struct nbstage_result *result)
{
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!result || !NBSTAGE_HAS(struct nbstage_result, result, fact_count))
        return bad_call(instance, "build needs a result whose size is set");
    empty_structure(result, sizeof *result);
    struct map map;
    nbstage_status status = open_map(instance, given, &map);
    if (status == NBSTAGE_OK)
        status = build_map(instance, &map, result);
    else if (count_steps(instance) > 0)
        tell_failure(instance, &(struct nodes_check){0}, result);
    return end_call(instance, status);
}

// ---------------------------------------------------------------------------
// Decoding gathers the lines as a build does, which finds the vertices that
// count and the lines that are pruned, and reads the attributes.  Damaged
// attributes are no failure, as the geometry is useful by itself.

// Copies the vertices, into what the host gets.
static nbstage_status copy_vertices(struct context *context,
                                    const struct map *map,
                                    const struct nodes *nodes,
                                    struct made_map **made)
{
    const size_t count = map->vertex_count + nodes->vertex_count;
    const uint64_t size =
        sizeof **made + (uint64_t)count * sizeof *(*made)->vertices;
    nbstage_status status =
        context_allocate(context, context_count(size), 1, made);
    if (status != NBSTAGE_OK)
        return status;
    **made = (struct made_map){0};
    for (size_t i = 0; i < count; i++)
        (*made)->vertices[i] = nodes_vertex_at(map, nodes, i);
    return status;
}

// Copies the vertices, and takes over which lines are left out.
static nbstage_status decode_geometry(struct context *context, struct map *map,
                                      const struct build_options *options,
                                      struct made_map **made,
                                      struct nbstage_decoded *decoded)
{
    struct build_output output = {0};
    struct build build = {.context = context,
                          .map = map,
                          .options = {.prune = options->prune},
                          .output = &output};
    nbstage_status status = build_lines(&build);
    if (status == NBSTAGE_OK)
        status = copy_vertices(context, map, &build.nodes, made);
    if (status == NBSTAGE_OK) {
        decoded->vertices = (*made)->vertices;
        decoded->vertex_count = map->vertex_count + build.nodes.vertex_count;
        decoded->left_out = output.pruning.fates;
        (*made)->returned.arrays[0] = output.pruning.fates;
        output.pruning.fates = NULL;
    }
    prune_free(context, &output.pruning);
    build_free(&build);
    return status;
}

// Whether something that is not in the arrays may move any sector.
static bool anything_moves(const struct attributes *attributes)
{
    for (size_t i = 0; i < attributes->thing_count; i++) {
        const struct attributes_thing *thing = &attributes->things[i];
        if (thing_makes_slopes(thing->type) ||
            special_may_move_any(attributes->specials, thing->special,
                                 thing->tag))
            return true;
    }
    return attributes->has_scripts;
}

// Takes over lines and sectors.
static nbstage_status decode_attributes(struct context *context,
                                        struct map *map,
                                        struct returned *returned,
                                        struct nbstage_decoded *decoded)
{
    struct attributes attributes;
    bool are_complete;
    nbstage_status status = attributes_read(
        context, map, NBSTAGE_LOG_INFO, "not all sides and sectors are known",
        &attributes, &are_complete);
    if (status != NBSTAGE_OK)
        return status;
    uint32_t flags = 0; // of all sectors
    if (!are_complete)
        flags = NBSTAGE_SECTOR_MOVES | NBSTAGE_SECTOR_IN_DOUBT;
    else if (map->format == NBSTAGE_FORMAT_DOOM64 ||
             anything_moves(&attributes))
        flags = NBSTAGE_SECTOR_MOVES;
    for (size_t i = 0; i < attributes.sector_count; i++)
        attributes.sectors[i].flags |= flags;
    returned->arrays[1] = attributes.lines;
    returned->arrays[2] = attributes.sectors;
    decoded->lines = attributes.lines;
    decoded->line_count = attributes.line_count;
    decoded->sectors = attributes.sectors;
    decoded->sector_count = attributes.sector_count;
    attributes.lines = NULL;
    attributes.sectors = NULL;
    attributes_free(context, &attributes);
    return NBSTAGE_OK;
}

static nbstage_status decode_map(struct nbstage_instance *instance,
                                 struct map *map,
                                 struct nbstage_decoded *decoded)
{
    struct context *context = &instance->context;
    struct made_map *made;
    *decoded = (struct nbstage_decoded){
        .format = map->format,
        .vertex_stride = sizeof *decoded->vertices,
        .line_stride = sizeof *decoded->lines,
        .line_size = sizeof *decoded->lines,
        .sector_stride = sizeof *decoded->sectors,
        .sector_size = sizeof *decoded->sectors,
        .flags_complete = !map->from_arrays || map->flags_complete,
    };
    nbstage_status status =
        decode_geometry(context, map, &instance->options, &made, decoded);
    if (status != NBSTAGE_OK)
        return status;
    keep_returned(instance, &made->returned);
    status = decode_attributes(context, map, &made->returned, decoded);
    if (status != NBSTAGE_OK)
        free_returned(instance, &made->returned);
    return status;
}

static nbstage_status NBSTAGE_CALL decode(struct nbstage_instance *instance,
                                          const struct nbstage_map *given,
                                          struct nbstage_decoded *told)
{
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!told || !NBSTAGE_HAS(struct nbstage_decoded, told, steps))
        return bad_call(instance, "decode needs a decoded map whose size is "
                                  "set");
    empty_structure(told, sizeof *told);
    struct map map;
    struct nbstage_decoded decoded;
    nbstage_status status = open_map(instance, given, &map);
    if (status == NBSTAGE_OK) {
        status = decode_map(instance, &map, &decoded);
        map_free(&instance->context, &map);
    }
    if (status == NBSTAGE_OK) {
        decoded.size = told->size;
        memcpy(told, &decoded,
               told->size < sizeof decoded ? told->size : sizeof decoded);
    }
    told->steps = count_steps(instance);
    return end_call(instance, status);
}

static void NBSTAGE_CALL free_decoded(struct nbstage_instance *instance,
                                      struct nbstage_decoded *told)
{
    if (!instance || !told || !NBSTAGE_HAS(struct nbstage_decoded, told, steps))
        return;
    if (told->vertices)
        free_returned(
            instance,
            returned_of(told->vertices, offsetof(struct made_map, vertices)));
    empty_structure(told, sizeof *told);
}

static const char *NBSTAGE_CALL
last_error(const struct nbstage_instance *instance)
{
    return instance ? instance->context.message : "";
}

static void NBSTAGE_CALL destroy(struct nbstage_instance *instance)
{
    if (!instance)
        return;
    while (instance->returned.next != &instance->returned)
        free_returned(instance, instance->returned.next);
    pool_empty(&instance->pool);
    if (instance->pool.release)
        instance->pool.release(instance->pool.user, instance);
    else
        free(instance);
}

static const char *const lump_names[] = {"BLOCKMAP"};

static const struct nbstage_descriptor descriptor = {
    .size = sizeof descriptor,
    .abi = NBSTAGE_ABI,
    .name = PACKAGE_NAME,
    .version = PACKAGE_VERSION,
    .summary = "exact BLOCKMAP lumps, as small as the packing allows",
    .lump_names = lump_names,
    .lump_name_count = sizeof lump_names / sizeof *lump_names,
    .options = options_table,
    .option_count = OPTION_COUNT,
    .create = create,
    .set_option = set_option,
    .build = build,
    .free_result = free_result,
    .last_error = last_error,
    .destroy = destroy,
    .set_default = set_default,
    .decode = decode,
    .free_decoded = free_decoded,
    .engines = engine_table,
    .engine_count = ENGINE_COUNT,
    .explain = explain,
    .needs_lump = needs_lump,
};

NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    // Every version so far can be served: structures tell their sizes.
    return abi >= 1 ? &descriptor : NULL;
}
