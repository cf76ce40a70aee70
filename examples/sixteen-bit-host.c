/* SPDX-License-Identifier: 0BSD */
/* A builder with structures of 16 bits, which need no copy:
   sixteen-bit-host [--blockmap-plugin FILE[,OPTION=VALUE]...] LEVEL... */
#include "nbstage-host.h"
#include <string.h>

/* The level, as the builder has read it: in the format of Doom. */
enum { VERTICES = 4, LINES = 5, NO_SIDE = 0xFFFF };
static const struct vertex {
    int16_t x, y;
} vertices[VERTICES] = {{-200, -100}, {-200, 500}, {900, 650}, {700, -100}};
static const struct line {
    uint16_t start, end, flags, type, tag, sides[2];
} lines[LINES] = {{0, 1, 1, 0, 0, {0, NO_SIDE}},
                  {1, 2, 1, 0, 0, {1, NO_SIDE}},
                  {2, 3, 1, 0, 0, {2, NO_SIDE}},
                  {3, 0, 1, 0, 0, {3, NO_SIDE}},
                  {0, 2, 4, 0, 999, {4, 5}}};
static struct nbstage stage; /* all zeros: none is loaded */

static void build_blockmap(const char *name)
{
    struct nbstage_map map = nbstage_new_map(name, NBSTAGE_FORMAT_DOOM);
    const struct nbstage_lump *lump;
    struct nbstage_vertices points;
    memset(&points, 0, sizeof points);
    NBSTAGE_SET_ARRAY(points, vertices, VERTICES);
    NBSTAGE_SET(points.x, NBSTAGE_I16, struct vertex, x);
    NBSTAGE_SET(points.y, NBSTAGE_I16, struct vertex, y);
    map.vertices = &points;
    struct nbstage_lines walls;
    memset(&walls, 0, sizeof walls);
    NBSTAGE_SET_ARRAY(walls, lines, LINES);
    NBSTAGE_SET(walls.v1, NBSTAGE_U16, struct line, start);
    NBSTAGE_SET(walls.v2, NBSTAGE_U16, struct line, end);
    NBSTAGE_SET(walls.flags, NBSTAGE_U16, struct line, flags);
    NBSTAGE_SET(walls.special, NBSTAGE_U16, struct line, type);
    NBSTAGE_SET(walls.tag, NBSTAGE_U16, struct line, tag);
    map.lines = &walls;
    lump = nbstage_build(&stage, &map);
    if (lump)
        fwrite(lump->data, 1, lump->data_size, stdout);
    else
        printf("the builder's own blockmap of %s\n", name);
    if (stage.error[0] != '\0')
        fprintf(stderr, "%s\n", stage.error);
}

int main(int argc, char **argv)
{
    bool plugin = argc > 2 && strcmp(argv[1], "--blockmap-plugin") == 0;
    if (plugin && !nbstage_load(&stage, argv[2], NULL, NULL, "BLOCKMAP", NULL))
        fprintf(stderr, "%s: %s\n", argv[1], stage.error);
    if (stage.failure == NBSTAGE_FAILURE_OPTION)
        return 2; /* do not go on: the user would get another blockmap */
    for (int i = plugin ? 3 : 1; i < argc; i++)
        build_blockmap(argv[i]);
    nbstage_close(&stage);
    return 0;
}
