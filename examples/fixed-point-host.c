/* SPDX-License-Identifier: 0BSD */
/* A builder with vertices in 16.16, which need no copy:
   fixed-point-host [--blockmap-plugin FILE[,OPTION=VALUE]...] LEVEL... */
#include "nbstage-host.h"

#include <string.h>

/* The level, as the builder has read it: in UDMF. */
enum { VERTICES = 3, LINES = 3 };
static const struct vertex {
    int32_t x, y, index;
} vertices[VERTICES] = {{-13107200, -6553600, 0},
                        {-13153075, 32768000, 1},
                        {58982400, 42614784, 2}};
static const struct line {
    uint32_t v1, v2, flags, special, id;
    int args[5], sectors[2]; /* sectors: -1 for none */
} lines[LINES] = {{0, 1, NBSTAGE_LINE_BLOCKING, 0, NBSTAGE_NONE, {0}, {0, -1}},
                  {1, 2, NBSTAGE_LINE_BLOCKING, 0, NBSTAGE_NONE, {0}, {0, -1}},
                  {2, 0, NBSTAGE_LINE_BLOCKING, 0, NBSTAGE_NONE, {0}, {0, -1}}};

static struct nbstage stage; /* all zeros: none is loaded */

static void build_blockmap(const char *name)
{
    struct nbstage_line copies[LINES];
    for (int i = 0; i < LINES; i++) {
        copies[i].v1 = lines[i].v1;
        copies[i].v2 = lines[i].v2;
        copies[i].flags = lines[i].flags;
        copies[i].special = lines[i].special;
        copies[i].tag = lines[i].id;
        memcpy(copies[i].args, lines[i].args, sizeof copies[i].args);
        copies[i].front_sector = (uint32_t)lines[i].sectors[0];
        copies[i].back_sector = (uint32_t)lines[i].sectors[1];
    }
    struct nbstage_map map = nbstage_new_map(name, NBSTAGE_FORMAT_UDMF);
    map.vertices = vertices;
    map.vertex_count = VERTICES;
    map.vertex_stride = sizeof *vertices;
    map.lines = copies;
    map.line_count = LINES;
    map.line_stride = map.line_size = sizeof *copies;
    const struct nbstage_lump *lump = nbstage_build(&stage, &map);
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
        fprintf(stderr, "%s: %s; going on without it\n", argv[1], stage.error);
    for (int i = plugin ? 3 : 1; i < argc; i++)
        build_blockmap(argv[i]);
    nbstage_close(&stage);
    return 0;
}
