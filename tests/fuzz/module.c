// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A host need not give what is asked for.  This much at once is refused.
enum { MOST_BYTES = 1 << 28 };

const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi);

// --- Inputs ---

struct input input_bytes(struct input *input, size_t size)
{
    struct input taken = *input;
    if (taken.size > size)
        taken.size = size;
    input->bytes += taken.size;
    input->size -= taken.size;
    return taken;
}

void input_line(struct input *input, char *line, size_t size)
{
    size_t length = 0;
    while (length < input->size && input->bytes[length] != '\n')
        length++;
    struct input text = input_bytes(input, length);
    input_bytes(input, 1); // the newline
    snprintf(line, size, "%.*s", (int)text.size, (const char *)text.bytes);
}

// --- Callbacks ---

// A sentence is a line of printable characters.
static void require_sentence(const char *sentence)
{
    REQUIRE(sentence[0] != '\0', "a sentence is not empty");
    while (*sentence >= ' ' && *sentence <= '~')
        sentence++;
    REQUIRE(*sentence == '\0', "a sentence is a line of printable characters");
}

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
    struct module *module = context;
    REQUIRE(total > 0 && done <= total, "progress is part of a total");
    REQUIRE(module->total == 0 || (uint64_t)done * module->total >=
                                      (uint64_t)module->done * total,
            "progress never falls");
    module->done = done;
    module->total = total;
    return 0;
}

// --- Instances ---

// Sets an option, if the stage takes it.
static void module_set(struct module *module, const char *name,
                       const char *value)
{
    const struct nbstage *stage = &module->stage;
    nbstage_status status = stage->descriptor->set_option(
        stage->instance, name, value, NBSTAGE_BY_USER);
    REQUIRE(status == NBSTAGE_OK ||
                stage->descriptor->last_error(stage->instance)[0] != '\0',
            "an option that is not taken leaves a sentence");
    if (status != NBSTAGE_OK || module->setting_count == MOST_SETTINGS)
        return;
    module->settings[module->setting_count].name = name;
    module->settings[module->setting_count++].value = value;
}

void module_open(struct module *module, const char *options)
{
    *module = (struct module){
        .stage = {.host = {.context = module,
                           .allocate = allocate,
                           .release = release,
                           .log = log_message,
                           .progress = take_progress},
                  .describe = nbstage_describe},
    };
    bool is_made = nbstage_open(&module->stage, "blocksweep", NULL, "BLOCKMAP");
    REQUIRE(is_made, "an instance can be made");
    snprintf(module->options, sizeof module->options, "max-memory=1024 %s",
             options);
    char *rest;
    for (char *name = strtok_r(module->options, " ", &rest); name;
         name = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(name, '=');
        if (value) {
            *value++ = '\0';
            module_set(module, name, value);
        }
    }
}

void module_close(struct module *module)
{
    nbstage_close(&module->stage);
    REQUIRE(module->block_count == 0, "destroy releases all memory");
}

const struct nbstage_lump *module_build(struct module *module,
                                        const struct nbstage_map *map)
{
    const struct nbstage_descriptor *descriptor = module->stage.descriptor;
    struct nbstage_instance *instance = module->stage.instance;
    const struct nbstage_lump *lump;
    module->total = 0; // progress begins again
    if (nbstage_build(&module->stage, map, &lump)) {
        REQUIRE(lump, "a build that is well makes a lump");
        return lump;
    }
    const nbstage_status status = module->stage.status;
    REQUIRE(status == NBSTAGE_BAD_MAP || status == NBSTAGE_UNSUPPORTED ||
                status == NBSTAGE_OVER_LIMIT || status == NBSTAGE_OUT_OF_MEMORY,
            "a map fails in one of four ways");
    require_sentence(descriptor->last_error(instance));
    REQUIRE(!descriptor->get_lump(instance, "BLOCKMAP"),
            "a build that fails leaves no lump");
    for (size_t i = 0; descriptor->fact_names[i]; i++) {
        const char *name = descriptor->fact_names[i];
        REQUIRE(!descriptor->get_fact(instance, name) ||
                    strcmp(name, "steps") == 0 ||
                    strncmp(name, "failed_", 7) == 0,
                "a build that fails leaves only the facts of its steps and "
                "check");
    }
    return NULL;
}

// --- Lists ---

enum { MOST_TRIES = 1 << 18 }; // of lines and blocks

void require_exact(const struct nbstage_lump *lump,
                   const struct oracle_line *lines, size_t line_count)
{
    if (lump->data_size == 0)
        return;
    struct blocklists lists = blocklists_read(lump->data, lump->data_size);
    struct judgement judgement;
    if (blocklists_judge(&lists, LISTS_ZERO, lines, line_count, NULL,
                         MOST_TRIES, &judgement)) {
        const struct blocklists_counts *counts = &judgement.counts;
        REQUIRE(judgement.outside == 0, "the grid encloses all lines");
        REQUIRE(counts->unreadable == 0, "every list can be read");
        REQUIRE(counts->unknown == 0, "only lines that exist are listed");
        REQUIRE(counts->missing == 0, "no line is missing in a block");
        REQUIRE(counts->extra == 0, "no block has an extra entry");
    }
    blocklists_free(&lists);
}
