// SPDX-License-Identifier: GPL-2.0-or-later

#include "plugin.h"

#include "buffer.h"
#include "context-for-tests.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The module, without an instance.
static const struct nbstage *load(void)
{
    static struct nbstage stage;
    const char *path = getenv("PLUGIN");
    if (stage.descriptor)
        return &stage;
    if (!path)
        abort_with("PLUGIN is not set; it names the module to test");
    if (!nbstage_find(&stage, path, NULL, "BLOCKMAP"))
        abort_with("%s", stage.error);
    return &stage;
}

const struct nbstage_descriptor *plugin_stage(void)
{
    return load()->descriptor;
}

// Without a host's callbacks, warnings are not printed.  Check's assertions are
// not for use outside of tests.
static struct nbstage create(const struct nbstage_host *host,
                             const char *options)
{
    static const struct nbstage_host silent = {.size = sizeof silent};
    struct nbstage stage = *load();
    char text[256];
    char *rest;
    if (snprintf(text, sizeof text, "%s", options) >= (int)sizeof text)
        abort_with("'%s' is too long", options);
    bool works = nbstage_create(&stage, host ? host : &silent);
    for (char *option = strtok_r(text, " ", &rest); works && option;
         option = strtok_r(NULL, " ", &rest))
        works = nbstage_set_options(&stage, option);
    if (!works)
        abort_with("%s", stage.error);
    return stage;
}

struct nbstage_instance *plugin_create_for(const struct nbstage_host *host,
                                           const char *options)
{
    return create(host, options).instance;
}

struct nbstage_instance *plugin_create(const char *options)
{
    return create(NULL, options).instance;
}

struct plugin_lump plugin_build(const struct nbstage_map *map,
                                const char *options)
{
    return plugin_build_for(NULL, map, options);
}

// False if the stage fails.
static bool build(struct nbstage *stage, const struct nbstage_map *map,
                  struct plugin_lump *lump)
{
    const struct nbstage_lump *made = nbstage_build(stage, map);
    if (!made)
        return false;
    if (stage->result.lump_count != 1)
        abort_with("%zu lumps were made", stage->result.lump_count);
    *lump = (struct plugin_lump){stage->instance, stage->result, made->data,
                                 made->data_size};
    return true;
}

struct plugin_lump plugin_build_for(const struct nbstage_host *host,
                                    const struct nbstage_map *map,
                                    const char *options)
{
    struct nbstage stage = create(host, options);
    struct plugin_lump lump;
    if (!build(&stage, map, &lump))
        abort_with("%s", stage.error);
    return lump;
}

nbstage_status plugin_try(const struct nbstage_map *map, const char *options,
                          const char **sentence)
{
    static char told[512];
    struct nbstage_instance *instance = plugin_create(options);
    struct nbstage_result result = {.size = sizeof result};
    nbstage_status status = plugin_stage()->build(instance, map, &result);
    snprintf(told, sizeof told, "%s", plugin_stage()->last_error(instance));
    plugin_stage()->destroy(instance); // with its result
    *sentence = told;
    return status;
}

void plugin_free(struct plugin_lump *lump)
{
    plugin_stage()->free_result(lump->instance, &lump->result);
    plugin_stage()->destroy(lump->instance);
}

void plugin_check_same(const char *what, const struct plugin_lump *lump,
                       const struct plugin_lump *expected)
{
    if (lump->size != expected->size ||
        (lump->size > 0 &&
         memcmp(lump->bytes, expected->bytes, lump->size) != 0))
        abort_with("%s: expected another lump of %zu bytes, was %zu bytes",
                   what, expected->size, lump->size);
}

void plugin_check_failure_all(const struct nbstage_host *host,
                              const struct nbstage_map *map,
                              const char *options, nbstage_status status,
                              const char *const *facts)
{
    struct nbstage stage = create(host, options);
    stage.result = (struct nbstage_result){.size = sizeof stage.result};
    nbstage_status was =
        plugin_stage()->build(stage.instance, map, &stage.result);
    const char *sentence = plugin_stage()->last_error(stage.instance);
    ck_assert_msg(was == status, "%s: expected status %d, was %d: %s", options,
                  (int)status, (int)was, sentence);
    ck_assert(!stage.result.lumps && stage.result.lump_count == 0);
    assert_tells_all(sentence, facts);
    plugin_stage()->free_result(stage.instance, &stage.result);
    plugin_stage()->destroy(stage.instance);
}

const struct nbstage_fact *
plugin_find_fact(const struct nbstage_descriptor *stage,
                 struct nbstage_instance *instance, const char *name)
{
    static struct nbstage_fact fact = {.size = sizeof fact};
    size_t i = 0;
    while (stage->get_fact(instance, i, &fact)) {
        if (strcmp(fact.name, name) == 0)
            return &fact;
        i++;
    }
    return NULL;
}

int64_t plugin_number(const struct plugin_lump *lump, const char *name)
{
    const struct nbstage_fact *fact =
        plugin_find_fact(plugin_stage(), lump->instance, name);
    if (!fact || fact->text)
        abort_with("the result has no number '%s'", name);
    return fact->value;
}

void plugin_check_facts(const char *where, const struct plugin_lump *lump,
                        const struct plugin_fact *facts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t told = plugin_number(lump, facts[i].name);
        if (told != facts[i].value)
            abort_with("%s: the fact %s is %" PRId64 "; expected %" PRId64,
                       where, facts[i].name, told, facts[i].value);
    }
}
