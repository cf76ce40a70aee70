// SPDX-License-Identifier: GPL-2.0-or-later
//
// Knows the module by its interface alone.

#include "plugin.h"

#include <check.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const struct nbstage_descriptor *load(void)
{
    const char *path = getenv("PLUGIN");
    if (!path)
        ck_abort_msg("PLUGIN is not set; it names the module to test");
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        ck_abort_msg("%s", dlerror());
    // What dlsym returns may be a function, which ISO C cannot say.
    nbstage_describe_function describe;
    *(void **)&describe = dlsym(module, NBSTAGE_SYMBOL);
    if (!describe)
        ck_abort_msg("%s", dlerror());
    const struct nbstage_descriptor *stage = describe(NBSTAGE_ABI);
    if (!stage)
        ck_abort_msg("%s does not serve version %d", path, NBSTAGE_ABI);
    return stage;
}

const struct nbstage_descriptor *plugin_stage(void)
{
    static const struct nbstage_descriptor *stage;
    if (!stage)
        stage = load();
    return stage;
}

// Sets options from "name=value", with spaces between them; overwrites text.
static void set_options(struct nbstage_instance *instance, char *text)
{
    char *rest;
    for (char *name = strtok_r(text, " ", &rest); name;
         name = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(name, '=');
        if (!value)
            ck_abort_msg("'%s' is not of the form name=value", name);
        *value++ = '\0';
        if (plugin_stage()->set_option(instance, name, value) != NBSTAGE_OK)
            ck_abort_msg("%s", plugin_stage()->last_error(instance));
    }
}

struct nbstage_instance *plugin_create_for(const struct nbstage_host *host,
                                           const char *options)
{
    struct nbstage_instance *instance;
    if (plugin_stage()->create(host, &instance) != NBSTAGE_OK)
        ck_abort_msg("the module makes no instance");
    char text[256];
    if (strlen(options) >= sizeof text)
        ck_abort_msg("'%s' is too long", options);
    strcpy(text, options);
    set_options(instance, text);
    return instance;
}

struct nbstage_instance *plugin_create(const char *options)
{
    return plugin_create_for(NULL, options);
}

struct nbstage_map plugin_map_from_lumps(const char *name,
                                         const struct nbstage_lump *lumps,
                                         size_t lump_count)
{
    return (struct nbstage_map){
        .size = sizeof(struct nbstage_map),
        .name = name,
        .lumps = lumps,
        .lump_count = lump_count,
    };
}

struct nbstage_map plugin_map_from_arrays(const char *name,
                                          const struct nbstage_vertex *vertices,
                                          size_t vertex_count,
                                          const struct nbstage_line *lines,
                                          size_t line_count)
{
    return (struct nbstage_map){
        .size = sizeof(struct nbstage_map),
        .name = name,
        .vertices = vertices,
        .vertex_count = vertex_count,
        .vertex_size = sizeof *vertices,
        .lines = lines,
        .line_count = line_count,
        .line_size = sizeof *lines,
    };
}

struct plugin_lump plugin_build(const struct nbstage_map *map,
                                const char *options)
{
    struct plugin_lump lump = {.instance = plugin_create(options),
                               .result.size = sizeof lump.result};
    if (plugin_stage()->build(lump.instance, map, &lump.result) != NBSTAGE_OK)
        ck_abort_msg("%s", plugin_stage()->last_error(lump.instance));
    if (lump.result.lump_count != 1)
        ck_abort_msg("%zu lumps were made", lump.result.lump_count);
    lump.bytes = lump.result.lumps->data;
    lump.size = lump.result.lumps->data_size;
    return lump;
}

void plugin_free(struct plugin_lump *lump)
{
    plugin_stage()->free_result(lump->instance, &lump->result);
    plugin_stage()->destroy(lump->instance);
}

const struct nbstage_fact *plugin_find_fact(const struct nbstage_result *result,
                                            const char *name)
{
    for (size_t i = 0; i < result->fact_count; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, result->facts, i);
        if (strcmp(fact->name, name) == 0)
            return fact;
    }
    return NULL;
}

int64_t plugin_number(const struct plugin_lump *lump, const char *name)
{
    const struct nbstage_fact *fact = plugin_find_fact(&lump->result, name);
    if (!fact || fact->text)
        ck_abort_msg("the result has no number '%s'", name);
    return fact->value;
}
