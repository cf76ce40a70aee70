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
static const struct vertex {
    int32_t x, y;
} vertices[] = {
    {-256 * 65536, -128 * 65536},
    {-256 * 65536, 128 * 65536},
    {256 * 65536, 128 * 65536},
    {256 * 65536, -128 * 65536},
};

/* The vertices are enough of a line. */
static const struct line {
    uint16_t start, end;
} lines[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};

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

static void print_result(const struct nbstage_descriptor *stage,
                         struct nbstage_instance *instance,
                         const struct nbstage_result *result)
{
    const struct nbstage_lump *lump =
        NBSTAGE_AT(struct nbstage_lump, result->lumps, 0);
    struct nbstage_fact fact;
    size_t i;
    printf("%s has %lu bytes\n", lump->name, (unsigned long)lump->data_size);
    fact.size = sizeof fact;
    for (i = 0; stage->get_fact(instance, i, &fact); i++) {
        if (fact.text)
            printf("%s: %s\n", fact.name, fact.text);
        else
            printf("%s: %ld\n", fact.name, (long)fact.value);
    }
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "./blocksweep.so";
    const struct nbstage_descriptor *stage = load_stage(path);
    struct nbstage_instance *instance = NULL;
    struct nbstage_map map;
    struct nbstage_vertices points;
    struct nbstage_lines walls;
    struct nbstage_result result;
    nbstage_status status;

    if (!stage) {
        fprintf(stderr, "%s: cannot be loaded as a stage\n", path);
        return 1;
    }
    memset(&map, 0, sizeof map);
    map.size = sizeof map;
    map.name = "MAP01";
    memset(&points, 0, sizeof points);
    NBSTAGE_SET_ARRAY(points, vertices, sizeof vertices / sizeof *vertices);
    NBSTAGE_SET(points.x, NBSTAGE_FIXED, struct vertex, x);
    NBSTAGE_SET(points.y, NBSTAGE_FIXED, struct vertex, y);
    map.vertices = &points;
    memset(&walls, 0, sizeof walls);
    NBSTAGE_SET_ARRAY(walls, lines, sizeof lines / sizeof *lines);
    NBSTAGE_SET(walls.v1, NBSTAGE_U16, struct line, start);
    NBSTAGE_SET(walls.v2, NBSTAGE_U16, struct line, end);
    map.lines = &walls;
    memset(&result, 0, sizeof result);
    result.size = sizeof result;

    if (stage->create(NULL, &instance) != NBSTAGE_OK)
        return 1;
    status = stage->set_option(instance, "grid", "fit");
    if (status == NBSTAGE_OK)
        status = stage->build(instance, &map, &result);
    if (status == NBSTAGE_OK)
        print_result(stage, instance, &result);
    else
        fprintf(stderr, "%s\n", stage->last_error(instance));
    stage->free_result(instance, &result);
    stage->destroy(instance);
    return status == NBSTAGE_OK ? 0 : 1;
}
