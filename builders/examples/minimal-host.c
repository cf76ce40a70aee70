/* SPDX-License-Identifier: 0BSD */
/*
 * The smallest host: hands a stage a map as arrays, prints the lump's size.
 *
 *     cc minimal-host.c nbstage-host.c -o minimal-host -ldl
 *     ./minimal-host ./blocksweep.so,grid=fit
 */
#include "nbstage-host.h"

#include <stdio.h>

/* A room of 512 x 256 units: coordinates are 16.16. */
static struct vertex {
    int32_t x, y;
} vertices[] = {
    {-256 * 65536, -128 * 65536},
    {-256 * 65536, 128 * 65536},
    {256 * 65536, 128 * 65536},
    {256 * 65536, -128 * 65536},
};

/* The vertices are enough of a line. */
static struct line {
    struct vertex *start, *end;
} lines[] = {{&vertices[0], &vertices[1]},
             {&vertices[1], &vertices[2]},
             {&vertices[2], &vertices[3]},
             {&vertices[3], &vertices[0]}};

int main(int argc, char **argv)
{
    static struct nbstage stage; /* all zeros, as are these: */
    static struct nbstage_map map;
    static struct nbstage_vertices points;
    static struct nbstage_lines walls;
    const struct nbstage_lump *lump;

    if (!nbstage_open(&stage, argc > 1 ? argv[1] : NULL, "blocksweep",
                      "BLOCKMAP")) {
        fprintf(stderr, "%s\n", stage.error);
        return 1;
    }
    NBSTAGE_SET_ARRAY(points, vertices, 4);
    NBSTAGE_SET(points.x, NBSTAGE_FIXED, struct vertex, x);
    NBSTAGE_SET(points.y, NBSTAGE_FIXED, struct vertex, y);
    NBSTAGE_SET_ARRAY(walls, lines, 4);
    NBSTAGE_SET(walls.v1, NBSTAGE_POINTER, struct line, start);
    NBSTAGE_SET(walls.v2, NBSTAGE_POINTER, struct line, end);
    map.size = sizeof map;
    map.name = "MAP01";
    map.vertices = &points;
    map.lines = &walls;
    if (!nbstage_build(&stage, &map, &lump)) {
        fprintf(stderr, "%s\n", stage.error);
        return 1;
    }
    if (lump)
        printf("%s has %lu bytes\n", lump->name,
               (unsigned long)lump->data_size);
    else
        printf("BLOCKMAP as this builder makes it\n");
    nbstage_close(&stage);
    return 0;
}
