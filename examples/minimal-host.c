/* SPDX-License-Identifier: 0BSD */
/*
 * The smallest host: loads a stage, hands it a map as arrays, prints the grid.
 *
 *     cc minimal-host.c -o minimal-host -ldl && ./minimal-host ./blocksweep.so
 *
 * On Windows it takes blocksweep.dll, by a name in the code page.
 */
#include "nbstage.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif
#include <stdio.h>
#include <string.h>

/* A room of 512 x 256 units: coordinates are 16.16. */
static const struct nbstage_vertex vertices[] = {
    {-256 * 65536, -128 * 65536},
    {-256 * 65536, 128 * 65536},
    {256 * 65536, 128 * 65536},
    {256 * 65536, -128 * 65536},
};

/* Pairs of vertices are enough of a line. */
static const uint32_t lines[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};

static const struct nbstage_descriptor *load_stage(const char *path)
{
    nbstage_describe_function describe = NULL;
#ifdef _WIN32
    HMODULE library = LoadLibraryA(path);
    FARPROC symbol = library ? GetProcAddress(library, NBSTAGE_SYMBOL) : NULL;
#else
    void *library = dlopen(path, RTLD_NOW);
    void *symbol = library ? dlsym(library, NBSTAGE_SYMBOL) : NULL;
#endif
    if (symbol)
        memcpy(&describe, &symbol, sizeof describe);
    return describe ? describe(NBSTAGE_ABI) : NULL;
}

static void print_result(const struct nbstage_result *result)
{
    const struct nbstage_lump *lump =
        NBSTAGE_AT(struct nbstage_lump, result->lumps, 0);
    size_t i;
    printf("%s has %lu bytes\n", lump->name, (unsigned long)lump->data_size);
    for (i = 0; i < result->fact_count; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, result->facts, i);
        if (fact->text)
            printf("%s: %s\n", fact->name, fact->text);
        else
            printf("%s: %ld\n", fact->name, (long)fact->value);
    }
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "./blocksweep.so";
    const struct nbstage_descriptor *stage = load_stage(path);
    struct nbstage_instance *instance = NULL;
    struct nbstage_map map;
    struct nbstage_result result;
    nbstage_status status;

    if (!stage) {
        fprintf(stderr, "%s: cannot be loaded as a stage\n", path);
        return 1;
    }
    memset(&map, 0, sizeof map);
    map.size = sizeof map;
    map.name = "MAP01";
    map.vertices = vertices;
    map.vertex_count = sizeof vertices / sizeof *vertices;
    map.vertex_stride = sizeof *vertices;
    map.lines = lines;
    map.line_count = sizeof lines / sizeof *lines;
    map.line_stride = map.line_size = sizeof *lines;
    memset(&result, 0, sizeof result);
    result.size = sizeof result;

    if (stage->create(NULL, &instance) != NBSTAGE_OK)
        return 1;
    status = stage->set_option(instance, "grid", "fit");
    if (status == NBSTAGE_OK)
        status = stage->build(instance, &map, &result);
    if (status == NBSTAGE_OK)
        print_result(&result);
    else
        fprintf(stderr, "%s\n", stage->last_error(instance));
    stage->free_result(instance, &result);
    stage->destroy(instance);
    return status == NBSTAGE_OK ? 0 : 1;
}
