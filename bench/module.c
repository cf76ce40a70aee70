// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "module.h"

#include "counted.h"
#include "fail.h"

#include <stdio.h>
#include <string.h>

struct module module_load(const char *path)
{
    struct module module = {0};
    if (!nbstage_open(&module.host, path, NULL, "BLOCKMAP"))
        fail("%s", module.host.error);
    module.stage = module.host.descriptor;
    return module;
}

void module_unload(struct module *module)
{
    nbstage_close(&module->host);
    *module = (struct module){0};
}

// ---------------------------------------------------------------------------
// Options

static const struct nbstage_option *find_option(const struct module *module,
                                                const char *name)
{
    for (size_t i = 0; i < module->stage->option_count; i++) {
        const struct nbstage_option *option =
            NBSTAGE_AT(struct nbstage_option, module->stage->options, i);
        if (strcmp(option->name, name) == 0)
            return option;
    }
    return NULL;
}

bool module_has(const struct module *module, const char *option,
                const char *choice)
{
    const struct nbstage_option *found = find_option(module, option);
    if (!found || !choice)
        return found;
    for (size_t i = 0; i < found->choice_count; i++)
        if (strcmp(NBSTAGE_AT(struct nbstage_choice, found->choices, i)->name,
                   choice) == 0)
            return true;
    return false;
}

static void set_options(const struct module *module,
                        struct nbstage_instance *instance, const char *options)
{
    char text[256];
    char *rest;
    snprintf(text, sizeof text, "%s", options);
    for (char *name = strtok_r(text, " ", &rest); name;
         name = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(name, '=');
        if (!value)
            fail("'%s' is not of the form name=value", name);
        *value++ = '\0';
        if (strcmp(name, "threads") == 0 && !find_option(module, name))
            continue;
        if (module->stage->set_option(instance, name, value) != NBSTAGE_OK)
            fail("%s", module->stage->last_error(instance));
    }
}

struct nbstage_instance *module_create(const struct module *module,
                                       const struct nbstage_host *host,
                                       const char *options)
{
    struct nbstage_instance *instance;
    if (module->stage->create(host, &instance) != NBSTAGE_OK)
        fail("the stage makes no instance");
    set_options(module, instance, options);
    return instance;
}

// ---------------------------------------------------------------------------
// Building

static const struct nbstage_fact *find_fact(const struct nbstage_result *result,
                                            const char *name)
{
    for (size_t i = 0; i < result->fact_count; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, result->facts, i);
        if (strcmp(fact->name, name) == 0)
            return fact;
    }
    fail("the stage does not tell the fact '%s'", name);
}

// Names of forms outlive the result.
static const char *name_form(const char *text)
{
    static const char *const forms[] = {"classic", "xbm1", "empty"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (text && strcmp(forms[i], text) == 0)
            return forms[i];
    return "other";
}

struct built module_build(const struct module *module,
                          struct nbstage_instance *instance,
                          const struct nbstage_map *map, struct samples *times,
                          struct nbstage_result *result)
{
    *result = (struct nbstage_result){.size = sizeof *result};
    uint64_t start = clock_now();
    nbstage_status status = module->stage->build(instance, map, result);
    if (times)
        samples_add_since(times, start);
    if (status != NBSTAGE_OK)
        fail("%s", module->stage->last_error(instance));
    if (result->lump_count != 1)
        fail("the stage has made %zu lumps; 1 was expected",
             result->lump_count);
    return (struct built){
        .entries = find_fact(result, "entries")->value,
        .lump_bytes = result->lumps->data_size,
        .lump = result->lumps->data,
        .form = name_form(find_fact(result, "form")->text),
    };
}

size_t module_peak_memory(const struct module *module, const char *options,
                          const struct nbstage_map *map, struct built *built)
{
    struct counted counted = {0};
    struct nbstage_host host = counted_host(&counted);
    struct nbstage_instance *instance = module_create(module, &host, options);
    struct nbstage_result result;
    struct built found = module_build(module, instance, map, NULL, &result);
    module->stage->free_result(instance, &result);
    module->stage->destroy(instance);
    if (counted.in_use > 0)
        fail("the stage has kept %zu bytes", counted.in_use);
    found.lump = NULL;
    if (built)
        *built = found;
    return counted.peak;
}
