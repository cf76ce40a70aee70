/* SPDX-License-Identifier: 0BSD */
/* A builder with doubles, whose lines point to their vertices:
   double-host [--blockmap-plugin FILE[,OPTION=VALUE]...] LEVEL... */
#include "nbstage-host.h"
#include <string.h>

/* The level, as the builder has read it: in UDMF. */
enum { VERTICES = 3, LINES = 3, WALL = NBSTAGE_LINE_BLOCKING };
struct vertex {
    double x, y;
    uint32_t index;
};
struct line {
    const struct vertex *start, *end;
    uint32_t flags, special;
    int32_t id; /* -1 for none */
};
static const struct vertex a = {-200, -100, 0}, b = {-200.7, 500, 1},
                           c = {900, 650.25, 2};
static const struct line ab = {&a, &b, WALL, 0, -1}, bc = {&b, &c, WALL, 0, -1},
                         ca = {&c, &a, WALL, 0, 999};
static const struct vertex *const vertices[VERTICES] = {&a, &b, &c};
static const struct line *const lines[LINES] = {&ab, &bc, &ca};

static struct nbstage stage; /* all zeros: none is loaded */

static void build_blockmap(const char *name)
{
    struct nbstage_map map = nbstage_new_map(name, NBSTAGE_FORMAT_UDMF);
    const struct nbstage_lump *lump;
    struct nbstage_vertices points;
    memset(&points, 0, sizeof points);
    NBSTAGE_SET_ARRAY(points, vertices, VERTICES);
    NBSTAGE_SET(points.x, NBSTAGE_DOUBLE, struct vertex, x);
    NBSTAGE_SET(points.y, NBSTAGE_DOUBLE, struct vertex, y);
    points.array.is_indirect = 1;
    map.vertices = &points;
    struct nbstage_lines walls;
    memset(&walls, 0, sizeof walls);
    NBSTAGE_SET_ARRAY(walls, lines, LINES);
    walls.array.is_indirect = 1;
    NBSTAGE_SET_BEHIND(walls.v1, NBSTAGE_U32, struct line, start, struct vertex,
                       index);
    NBSTAGE_SET_BEHIND(walls.v2, NBSTAGE_U32, struct line, end, struct vertex,
                       index);
    NBSTAGE_SET(walls.flags, NBSTAGE_U32, struct line, flags);
    NBSTAGE_SET(walls.special, NBSTAGE_U32, struct line, special);
    NBSTAGE_SET(walls.tag, NBSTAGE_I32, struct line, id);
    map.lines = &walls;
    lump = nbstage_build(&stage, &map);
    if (stage.error[0] != '\0')
        fprintf(stderr, "%s\n", stage.error);
    if (lump)
        fwrite(lump->data, 1, lump->data_size, stdout);
    else
        printf("the builder's own blockmap of %s\n", name);
}

int main(int argc, char **argv)
{
    bool plugin = argc > 2 && strcmp(argv[1], "--blockmap-plugin") == 0;
    if (plugin &&
        !nbstage_load(&stage, argv[2], "overflow=xbm1", NULL, "BLOCKMAP", NULL))
        fprintf(stderr, "%s: %s\n", argv[1], stage.error);
    if (stage.failure == NBSTAGE_FAILURE_OPTION)
        return 2; /* do not go on: the user would get another blockmap */
    for (int i = plugin ? 3 : 1; i < argc; i++)
        build_blockmap(argv[i]);
    nbstage_close(&stage);
    return 0;
}
