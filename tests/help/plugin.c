// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "plugin.h"

#include "buffer.h"
#include "context-for-tests.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct nbstage_descriptor *plugin_stage(void)
{
    static struct nbstage stage;
    const char *path = getenv("PLUGIN");
    if (stage.descriptor)
        return stage.descriptor;
    if (!path)
        abort_with("PLUGIN is not set; it names the module to test");
    if (!nbstage_open(&stage, path, NULL, "BLOCKMAP"))
        abort_with("%s", stage.error);
    return stage.descriptor;
}

// Without a host's callbacks, warnings are not printed.  Check's assertions are
// not for use outside of tests.
struct nbstage_instance *plugin_create_for(const struct nbstage_host *host,
                                           const char *options)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_instance *instance = stage->create(host);
    char text[256];
    char *rest;
    if (!instance)
        abort_with("no instance was made");
    if (snprintf(text, sizeof text, "%s", options) >= (int)sizeof text)
        abort_with("'%s' is too long", options);
    for (char *name = strtok_r(text, " ", &rest); name;
         name = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(name, '=');
        if (!value)
            abort_with("'%s' is no option", name);
        *value++ = '\0';
        if (stage->set_option(instance, name, value, NBSTAGE_BY_USER) !=
            NBSTAGE_OK)
            abort_with("%s", stage->last_error(instance));
    }
    return instance;
}

struct nbstage_instance *plugin_create(const char *options)
{
    return plugin_create_for(NULL, options);
}

struct plugin_lump plugin_build(const struct nbstage_map *map,
                                const char *options)
{
    return plugin_build_for(NULL, map, options);
}

struct plugin_lump plugin_build_for(const struct nbstage_host *host,
                                    const struct nbstage_map *map,
                                    const char *options)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_instance *instance = plugin_create_for(host, options);
    if (stage->build(instance, map) != NBSTAGE_OK)
        abort_with("%s", stage->last_error(instance));
    const struct nbstage_lump *lump = stage->get_lump(instance, "BLOCKMAP");
    if (!lump)
        abort_with("no lump was made");
    return (struct plugin_lump){instance, lump->data, lump->data_size};
}

nbstage_status plugin_try(const struct nbstage_map *map, const char *options,
                          const char **sentence)
{
    static char told[512];
    struct nbstage_instance *instance = plugin_create(options);
    nbstage_status status = plugin_stage()->build(instance, map);
    snprintf(told, sizeof told, "%s", plugin_stage()->last_error(instance));
    plugin_stage()->destroy(instance); // with its lump
    *sentence = told;
    return status;
}

void plugin_free(struct plugin_lump *lump)
{
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
    struct nbstage_instance *instance = plugin_create_for(host, options);
    nbstage_status was = plugin_stage()->build(instance, map);
    const char *sentence = plugin_stage()->last_error(instance);
    ck_assert_msg(was == status, "%s: expected status %d, was %d: %s", options,
                  (int)status, (int)was, sentence);
    ck_assert_ptr_null(plugin_stage()->get_lump(instance, "BLOCKMAP"));
    assert_tells_all(sentence, facts);
    plugin_stage()->destroy(instance);
}

int64_t plugin_number(const struct plugin_lump *lump, const char *name)
{
    const struct nbstage_fact *fact =
        plugin_stage()->get_fact(lump->instance, name);
    if (!fact)
        abort_with("there is no fact '%s'", name);
    return fact->number;
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
