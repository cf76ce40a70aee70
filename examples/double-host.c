/* SPDX-License-Identifier: 0BSD */
/* A builder with doubles, whose lines point to their vertices:
   double-host [--blockmap-plugin FILE[,OPTION=VALUE]...] LEVEL... */
#include "nbstage-host.h"
#include <string.h>

/* The level, as the builder has read it: in UDMF. */
enum { VERTICES = 3, LINES = 3, WALL = NBSTAGE_LINE_BLOCKING };
static const struct vertex {
    double x, y;
} vertices[VERTICES] = {{-200, -100}, {-200.7, 500}, {900, 650.25}};
static const struct line {
    const struct vertex *start, *end;
    int flags, special, id, args[5], front, back; /* id, sectors: -1 for none */
} lines[LINES] = {{vertices + 0, vertices + 1, WALL, 0, -1, {0}, 0, -1},
                  {vertices + 1, vertices + 2, WALL, 0, -1, {0}, 0, -1},
                  {vertices + 2, vertices + 0, WALL, 0, 999, {0}, 0, -1}};
static struct nbstage stage; /* all zeros: none is loaded */

static void build_blockmap(const char *name)
{
    static struct nbstage_vertex points[VERTICES];
    static struct nbstage_line walls[LINES];
    bool fit = true;
    for (int i = 0; i < VERTICES; i++)
        fit &= nbstage_vertex_from_doubles(vertices[i].x, vertices[i].y,
                                           &points[i]);
    for (int i = 0; i < LINES; i++) {
        walls[i].v1 = (uint32_t)(lines[i].start - vertices);
        walls[i].v2 = (uint32_t)(lines[i].end - vertices);
        walls[i].flags = (uint32_t)lines[i].flags;
        walls[i].special = (uint32_t)lines[i].special;
        walls[i].tag = (uint32_t)lines[i].id;
        memcpy(walls[i].args, lines[i].args, sizeof walls[i].args);
        walls[i].front_sector = (uint32_t)lines[i].front;
        walls[i].back_sector = (uint32_t)lines[i].back;
    }
    struct nbstage_map map = nbstage_new_map(name, NBSTAGE_FORMAT_UDMF);
    map.vertices = points;
    map.vertex_count = VERTICES;
    map.vertex_stride = sizeof *points;
    map.lines = walls;
    map.line_count = LINES;
    map.line_stride = map.line_size = sizeof *walls;
    const struct nbstage_lump *lump = fit ? nbstage_build(&stage, &map) : NULL;
    if (lump)
        fwrite(lump->data, 1, lump->data_size, stdout);
    else
        printf("the builder's own blockmap of %s\n", name);
    if (fit && stage.error[0] != '\0')
        fprintf(stderr, "%s\n", stage.error);
}

int main(int argc, char **argv)
{
    bool plugin = argc > 2 && strcmp(argv[1], "--blockmap-plugin") == 0;
    if (plugin && !nbstage_load(&stage, argv[2], NULL, NULL, "BLOCKMAP", NULL))
        fprintf(stderr, "%s: %s; going on without it\n", argv[1], stage.error);
    for (int i = plugin ? 3 : 1; i < argc; i++)
        build_blockmap(argv[i]);
    nbstage_close(&stage);
    return 0;
}
