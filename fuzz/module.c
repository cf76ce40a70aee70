// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "module.h"

#include "target.h"

#include <stdlib.h>
#include <string.h>

// A host need not give what is asked for.  This much at once is refused.
enum { MOST_BYTES = 1 << 28 };

const struct nbstage_descriptor *nbstage_describe(uint32_t abi);

// ---------------------------------------------------------------------------
// Callbacks

static void *allocate(void *context, size_t bytes)
{
    struct module *module = context;
    REQUIRE(bytes > 0, "the stage never asks for 0 bytes");
    void *memory = bytes <= MOST_BYTES ? malloc(bytes) : NULL;
    module->block_count += memory != NULL;
    return memory;
}

static void release(void *context, void *memory)
{
    struct module *module = context;
    REQUIRE(memory, "the stage never releases NULL");
    module->block_count--;
    free(memory);
}

static void log_message(void *context, int32_t level, const char *message)
{
    (void)context;
    REQUIRE(level >= NBSTAGE_LOG_WARNING && level <= NBSTAGE_LOG_DEBUG,
            "a message has a level");
    require_sentence(message);
}

static int32_t take_progress(void *context, uint32_t done, uint32_t total)
{
    (void)context;
    REQUIRE(total > 0 && done <= total, "progress is part of a total");
    return 0;
}

// ---------------------------------------------------------------------------
// Instances

bool module_set(struct module *module, const char *name, const char *value)
{
    const struct nbstage *stage = &module->stage;
    nbstage_status status =
        stage->descriptor->set_option(stage->instance, name, value);
    REQUIRE(status == NBSTAGE_OK ||
                stage->descriptor->last_error(stage->instance)[0] != '\0',
            "an option that is not taken leaves a sentence");
    return status == NBSTAGE_OK;
}

void module_open(struct module *module, const char *options)
{
    const struct nbstage_host host = {
        .size = sizeof host,
        .context = module,
        .allocate = allocate,
        .release = release,
        .log = log_message,
        .progress = take_progress,
    };
    *module = (struct module){
        .stage = {.descriptor = nbstage_describe(NBSTAGE_ABI),
                  .lump_name = "BLOCKMAP"},
    };
    bool is_made = nbstage_create(&module->stage, &host);
    REQUIRE(is_made, "an instance can be made");
    module_set(module, "threads", "1");
    module_set(module, "inflate-limit", "1");
    char *copy = strdup(options);
    char *rest;
    REQUIRE(copy, "there is memory for the options");
    for (char *name = strtok_r(copy, " ", &rest); name;
         name = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(name, '=');
        if (value) {
            *value++ = '\0';
            module_set(module, name, value);
        }
    }
    free(copy);
}

void module_close(struct module *module)
{
    nbstage_close(&module->stage);
    REQUIRE(module->block_count == 0, "destroy releases all memory");
}

// Requires of a call that did not work that it failed in one of the ways that a
// map may fail, and said so.
static void require_failure(const struct module *module, nbstage_status status)
{
    const struct nbstage *stage = &module->stage;
    REQUIRE(status == NBSTAGE_BAD_MAP || status == NBSTAGE_UNSUPPORTED ||
                status == NBSTAGE_OVER_LIMIT || status == NBSTAGE_OUT_OF_MEMORY,
            "a map fails in one of four ways");
    require_sentence(stage->descriptor->last_error(stage->instance));
}

const struct nbstage_lump *module_build(struct module *module,
                                        const struct nbstage_map *map)
{
    const struct nbstage_lump *lump = nbstage_build(&module->stage, map);
    const struct nbstage_result *result = &module->stage.result;
    if (lump) {
        REQUIRE(result->lump_count == 1, "the stage makes one lump");
        return lump;
    }
    require_failure(module, module->stage.status);
    REQUIRE(!result->lumps && !result->lump_count,
            "a build that fails leaves no lumps");
    for (size_t i = 0; i < result->fact_count; i++)
        REQUIRE(strncmp(NBSTAGE_AT(struct nbstage_fact, result->facts, i)->name,
                        i == 0 ? "steps" : "failed_", i == 0 ? 6 : 7) == 0,
                "a build that fails leaves only the facts of its steps and "
                "check");
    return NULL;
}

bool module_decode(struct module *module, const struct nbstage_map *map,
                   struct nbstage_decoded *decoded)
{
    const struct nbstage *stage = &module->stage;
    *decoded = (struct nbstage_decoded){.size = sizeof *decoded};
    nbstage_status status =
        stage->descriptor->decode(stage->instance, map, decoded);
    if (status != NBSTAGE_OK)
        require_failure(module, status);
    return status == NBSTAGE_OK;
}

void module_free_decoded(struct module *module, struct nbstage_decoded *decoded)
{
    module->stage.descriptor->free_decoded(module->stage.instance, decoded);
}

// ---------------------------------------------------------------------------
// Lines

void take_lines(struct input *input, size_t most,
                int32_t (*take)(struct input *input, unsigned kind),
                unsigned kind, struct taken_lines *lines)
{
    for (lines->count = 0; input->size > 0 && lines->count < most;
         lines->count++) {
        uint32_t v1 = 2 * (uint32_t)lines->count;
        struct oracle_line *line = &lines->true_lines[lines->count];
        line->x1 = take(input, kind);
        line->y1 = take(input, kind);
        line->x2 = take(input, kind);
        line->y2 = take(input, kind);
        lines->vertices[v1] = (struct nbstage_vertex){line->x1, line->y1};
        lines->vertices[v1 + 1] = (struct nbstage_vertex){line->x2, line->y2};
        lines->lines[lines->count] =
            (struct nbstage_line){.v1 = v1, .v2 = v1 + 1};
    }
}

// ---------------------------------------------------------------------------
// Lists

enum blocklists_header expected_header(const char *name)
{
    if (strcmp(name, "any") == 0)
        return LISTS_ANY;
    return strcmp(name, "none") == 0 ? LISTS_NONE : LISTS_ZERO;
}

// Blocks that brute force may try lines in.
enum { MOST_TRIES = 1 << 18 };

static bool all_have_line_0(const struct blocklists *lists)
{
    for (size_t b = 0; b < lists->block_count; b++) {
        size_t begin, end;
        bool has_line_0 = false;
        bool is_readable = blocklists_find(lists, LISTS_NONE, b, &begin, &end);
        REQUIRE(is_readable, "every list can be read");
        for (; begin < end && !has_line_0; begin++)
            has_line_0 = lists->words[begin] == 0;
        if (!has_line_0)
            return false;
    }
    return true;
}

enum blocklists_header expected_actual_header(const struct blocklists *lists,
                                              enum blocklists_header header)
{
    return header == LISTS_NONE && all_have_line_0(lists) ? LISTS_ANY : header;
}

void expected_counts(const struct blocklists_counts *counts,
                     const struct expected_form *form)
{
    REQUIRE(counts->unreadable == 0, "every list can be read");
    REQUIRE(counts->unknown == 0, "only lines that exist are listed");
    REQUIRE(counts->missing == 0, "no line is missing in a block");
    REQUIRE(counts->extra == 0 || form->has_extra_lines,
            "no block has an extra entry");
}

// The true entries of the lines that brute force has tries for; of others,
// those that are listed.
static struct oracle_entry_list find_entries(const struct blocklists *lists,
                                             enum blocklists_header header,
                                             const struct oracle_line *lines,
                                             size_t line_count)
{
    struct oracle_entry_list entries = {0};
    struct oracle_entry_list listed = blocklists_entries(lists, header);
    uint64_t tries_left = MOST_TRIES;
    bool *is_tried = calloc(line_count + 1, sizeof *is_tried);
    REQUIRE(is_tried, "there is memory for the lines");
    for (size_t i = 0; i < line_count; i++) {
        uint64_t tries = oracle_box_size(&lists->grid, &lines[i]);
        is_tried[i] = tries <= tries_left;
        if (!is_tried[i])
            continue;
        tries_left -= tries;
        oracle_add_line(&lists->grid, &lines[i], (uint32_t)i, &entries);
    }
    for (size_t e = 0; e < listed.count; e++)
        if (listed.entry[e].line < line_count &&
            !is_tried[listed.entry[e].line])
            oracle_add_entry(&entries, listed.entry[e].block,
                             listed.entry[e].line);
    oracle_sort_entries(&entries);
    oracle_free_entries(&listed);
    free(is_tried);
    return entries;
}

void expected_check(const struct nbstage_lump *lump,
                    const struct oracle_line *lines, size_t line_count,
                    const struct expected_form *form)
{
    if (lump->data_size == 0)
        return;
    struct blocklists lists = blocklists_read(lump->data, lump->data_size);
    REQUIRE(oracle_encloses(&lists.grid, lines, line_count),
            "the grid encloses all lines");
    enum blocklists_header header =
        expected_actual_header(&lists, form->header);
    struct oracle_entry_list truth =
        find_entries(&lists, header, lines, line_count);
    struct blocklists_counts counts =
        blocklists_compare(&lists, header, &truth, line_count, NULL);
    expected_counts(&counts, form);
    oracle_free_entries(&truth);
    blocklists_free(&lists);
}
