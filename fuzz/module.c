// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "module.h"

#include "target.h"

#include <stdlib.h>
#include <string.h>

// A host need not give what is asked for.  This much at once is refused.
enum { MOST_BYTES = 1 << 28 };

const struct nbstage_descriptor *nbstage_describe(uint32_t abi);

static const struct nbstage_descriptor *stage(void)
{
    return nbstage_describe(NBSTAGE_ABI);
}

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

static void require_sentence(const char *sentence)
{
    REQUIRE(sentence[0] != '\0', "a sentence is not empty");
    while (*sentence >= ' ' && *sentence <= '~')
        sentence++;
    REQUIRE(*sentence == '\0', "a sentence is a line of printable characters");
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

// Sets options from "name=value", with spaces between them; overwrites text.
static void set_options(struct nbstage_instance *instance, char *text)
{
    char *rest;
    for (char *name = strtok_r(text, " ", &rest); name;
         name = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(name, '=');
        if (!value)
            continue;
        *value++ = '\0';
        if (stage()->set_option(instance, name, value) != NBSTAGE_OK)
            REQUIRE(stage()->last_error(instance)[0] != '\0',
                    "an option that is not taken leaves a sentence");
    }
}

void module_open(struct module *module, const char *options)
{
    char bounded[] = "threads=1 inflate-limit=1";
    struct nbstage_host host = {
        .size = sizeof host,
        .context = module,
        .allocate = allocate,
        .release = release,
        .log = log_message,
        .progress = take_progress,
    };
    *module = (struct module){0};
    nbstage_status status = stage()->create(&host, &module->instance);
    REQUIRE(status == NBSTAGE_OK, "an instance can be made");
    set_options(module->instance, bounded);
    char *copy = strdup(options);
    REQUIRE(copy, "there is memory for the options");
    set_options(module->instance, copy);
    free(copy);
}

void module_close(struct module *module)
{
    stage()->destroy(module->instance);
    REQUIRE(module->block_count == 0, "destroy releases all memory");
}

// Whether a call worked; if not, it has to have failed in one of the ways that
// a map may fail, and to say so.
static bool worked(const struct module *module, nbstage_status status)
{
    if (status == NBSTAGE_OK)
        return true;
    REQUIRE(status == NBSTAGE_BAD_MAP || status == NBSTAGE_UNSUPPORTED ||
                status == NBSTAGE_OVER_LIMIT || status == NBSTAGE_OUT_OF_MEMORY,
            "a map fails in one of four ways");
    require_sentence(stage()->last_error(module->instance));
    return false;
}

struct nbstage_map module_map_of(const struct nbstage_lump *lump)
{
    return (struct nbstage_map){
        .size = sizeof(struct nbstage_map),
        .name = "MAP01",
        .lumps = lump,
        .lump_count = 1,
    };
}

bool module_build(struct module *module, const struct nbstage_map *map,
                  struct nbstage_result *result)
{
    *result = (struct nbstage_result){.size = sizeof *result};
    if (worked(module, stage()->build(module->instance, map, result))) {
        REQUIRE(result->lump_count == 1, "the stage makes one lump");
        return true;
    }
    REQUIRE(!result->lumps && !result->lump_count,
            "a build that fails leaves no lumps");
    REQUIRE(!result->fact_count ||
                strcmp(result->facts->name, "failed_seg") == 0,
            "a build that fails leaves no facts but those of its check");
    return false;
}

void module_free_result(struct module *module, struct nbstage_result *result)
{
    stage()->free_result(module->instance, result);
}

bool module_decode(struct module *module, const struct nbstage_map *map,
                   struct nbstage_decoded *decoded)
{
    *decoded = (struct nbstage_decoded){.size = sizeof *decoded};
    return worked(module, stage()->decode(module->instance, map, decoded));
}

void module_free_decoded(struct module *module, struct nbstage_decoded *decoded)
{
    stage()->free_decoded(module->instance, decoded);
}

const struct nbstage_lump *module_lump(const struct nbstage_result *result)
{
    return NBSTAGE_AT(struct nbstage_lump, result->lumps, 0);
}
