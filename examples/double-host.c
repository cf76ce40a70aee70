/* SPDX-License-Identifier: 0BSD */
/* A builder with doubles, whose lines point to their vertices:
   double-host [--blockmap-plugin FILE[,OPTION=VALUE]...] LEVEL... */
#include "nbstage-host.h"
#include <stdlib.h>
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

static struct nbstage stage;          /* all zeros: none is loaded */
static struct nbstage_vertex *points; /* copies; all levels use the same room */
static struct nbstage_line *walls;

/* Truncated to 16.16.  False if it does not fit, or is not a number. */
static bool to_fixed_point(double coordinate, int32_t *fixed)
{
    if (!(coordinate >= -32768 && coordinate < 32768))
        return false;
    *fixed = (int32_t)(coordinate * 65536);
    return true;
}

/* Copies the level.  False if a coordinate does not fit into 16.16. */
static bool copy_level(void)
{
    bool fits = true;
    points =
        (struct nbstage_vertex *)realloc(points, VERTICES * sizeof *points);
    walls = (struct nbstage_line *)realloc(walls, LINES * sizeof *walls);
    if (!points || !walls)
        exit(3); /* as this builder does without memory */
    for (int i = 0; i < VERTICES; i++)
        fits &= to_fixed_point(vertices[i]->x, &points[i].x) &&
                to_fixed_point(vertices[i]->y, &points[i].y);
    for (int i = 0; i < LINES; i++) {
        walls[i].v1 = lines[i]->start->index;
        walls[i].v2 = lines[i]->end->index;
        walls[i].flags = lines[i]->flags;
        walls[i].special = lines[i]->special;
        walls[i].tag = (uint32_t)lines[i]->id;
    }
    return fits;
}

static void build_blockmap(const char *name)
{
    struct nbstage_map map = nbstage_new_map(name, NBSTAGE_FORMAT_UDMF);
    const struct nbstage_lump *lump = NULL;
    if (copy_level()) {
        map.vertices = points;
        map.vertex_count = VERTICES;
        map.vertex_stride = sizeof *points;
        map.lines = walls;
        map.line_count = LINES;
        map.line_stride = sizeof *walls;
        map.line_size = offsetof(struct nbstage_line, args);
        lump = nbstage_build(&stage, &map);
        if (stage.error[0] != '\0')
            fprintf(stderr, "%s\n", stage.error);
    }
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
    free(points);
    free(walls);
    nbstage_close(&stage);
    return 0;
}
