// SPDX-License-Identifier: GPL-2.0-or-later
//
// Loading is dlopen, one symbol, and a look at whether the descriptor is one
// that this host can use.

#include "config.h"

#include "loader.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool makes_blockmap(const struct nbstage_descriptor *descriptor)
{
    for (size_t i = 0; i < descriptor->lump_name_count; i++)
        if (strcmp(descriptor->lump_names[i], "BLOCKMAP") == 0)
            return true;
    return false;
}

// NULL if the descriptor is usable, else what is wrong with it.
static const char *find_fault(const struct nbstage_descriptor *descriptor)
{
    if (!descriptor)
        return "the stage does not serve version 1 of the interface";
    if (!NBSTAGE_HAS(struct nbstage_descriptor, descriptor, destroy))
        return "the stage's descriptor is cut off";
    if (!makes_blockmap(descriptor))
        return "the stage does not make BLOCKMAP lumps";
    return NULL;
}

static enum exit_status load_file(const char *path, struct stage *stage)
{
    *stage = (struct stage){.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!stage->library) {
        message_print("the stage cannot be loaded: %s", dlerror());
        return STATUS_USAGE;
    }
    void *symbol = dlsym(stage->library, NBSTAGE_SYMBOL);
    const char *fault = "the file has no symbol " NBSTAGE_SYMBOL;
    if (symbol) {
        nbstage_describe_function describe;
        memcpy(&describe, &symbol, sizeof describe);
        stage->descriptor = describe(NBSTAGE_ABI);
        fault = find_fault(stage->descriptor);
    }
    if (!fault)
        return STATUS_DONE;
    message_print("%s: not a stage that can be used: %s", path, fault);
    stage_unload(stage);
    return STATUS_USAGE;
}

// The path of a module in a folder if there is one, to be freed; else NULL.
static char *find_in_folder(const char *folder, size_t folder_length,
                            const char *name)
{
    size_t length = strlen(name);
    bool has_ending = length > 3 && strcmp(name + length - 3, ".so") == 0;
    size_t size = folder_length + length + sizeof "/.so";
    char *path = malloc(size);
    if (!path)
        return NULL;
    snprintf(path, size, "%.*s/%s%s", (int)folder_length, folder, name,
             has_ending ? "" : ".so");
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static char *find_module(const char *folders, const char *name)
{
    char *path = NULL;
    while (folders && *folders && !path) {
        size_t length = strcspn(folders, ":");
        if (length > 0)
            path = find_in_folder(folders, length, name);
        folders += length;
        folders += *folders == ':';
    }
    return path ? path : find_in_folder(PLUGINDIR, strlen(PLUGINDIR), name);
}

enum exit_status stage_load(const char *name, struct stage *stage)
{
    *stage = (struct stage){0};
    if (strchr(name, '/'))
        return load_file(name, stage);
    const char *folders = getenv("NBSTAGE_PLUGIN_PATH");
    char *path = find_module(folders, name);
    if (!path) {
        message_print("no stage named '%s' was found; NBSTAGE_PLUGIN_PATH "
                      "(%s) and %s were searched",
                      name, folders ? folders : "not set", PLUGINDIR);
        return STATUS_USAGE;
    }
    enum exit_status status = load_file(path, stage);
    free(path);
    return status;
}

void stage_unload(struct stage *stage)
{
    if (stage->library)
        dlclose(stage->library);
    *stage = (struct stage){0};
}
