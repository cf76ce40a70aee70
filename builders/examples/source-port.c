/* SPDX-License-Identifier: 0BSD */
/* A source port in 16.16 whose lines point to their vertices; it keeps the
   lists in memory.  Prints the lines of each block:
   source-port [--blockmap-plugin FILE[,OPTION=VALUE]...] LEVEL... */
#include "nbstage-host.h"
#include <stdlib.h>
#include <string.h>

/* The level, as the port has read it. */
enum { VERTICES = 3, LINES = 3 };
typedef struct {
    int32_t x, y;
} vertex_t;
typedef struct {
    const vertex_t *v1, *v2;
    short flags, special, tag;
} line_t;
static const vertex_t v[VERTICES] = {
    {-13107200, -6553600}, {-13107200, 32768000}, {58982400, 42598400}};
static const line_t lines[LINES] = {
    {v, v + 1, 1, 0, 0}, {v + 1, v + 2, 1, 0, 0}, {v + 2, v, 1, 0, 0}};
static int *blockmaplump; /* origin in 16.16, columns, rows, offsets, lists */
static struct nbstage stage; /* all zeros: none is loaded */

static void keep_words(const unsigned char *data, size_t count)
{
    blockmaplump = (int *)realloc(blockmaplump, count * sizeof *blockmaplump);
    if (!blockmaplump)
        exit(3); /* as this port does without memory */
    for (size_t i = 0; i < count; i++, data += 4)
        blockmaplump[i] =
            (int)(data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
                  (uint32_t)data[3] << 24);
}

static bool load_blockmap(const char *name)
{
    static struct wall {
        uint32_t v1, v2;
    } walls[LINES];                          /* all that is known of them */
    static struct nbstage_vertices vertices; /* all zeros: not described */
    static struct nbstage_lines described;
    struct nbstage_map map = nbstage_new_map(name, NBSTAGE_FORMAT_DOOM);
    const struct nbstage_lump *lump;
    if (!nbstage_is_loaded(&stage))
        return false;
    for (int i = 0; i < LINES; i++) {
        walls[i].v1 = (uint32_t)(lines[i].v1 - v);
        walls[i].v2 = (uint32_t)(lines[i].v2 - v);
    }
    NBSTAGE_SET_ARRAY(vertices, v, VERTICES);
    NBSTAGE_SET(vertices.x, NBSTAGE_FIXED, vertex_t, x);
    NBSTAGE_SET(vertices.y, NBSTAGE_FIXED, vertex_t, y);
    NBSTAGE_SET_ARRAY(described, walls, LINES);
    NBSTAGE_SET(described.v1, NBSTAGE_U32, struct wall, v1);
    NBSTAGE_SET(described.v2, NBSTAGE_U32, struct wall, v2);
    map.vertices = &vertices;
    map.lines = &described;
    lump = nbstage_build(&stage, &map);
    if (stage.error[0] != '\0')
        fprintf(stderr, "%s\n", stage.error);
    if (!lump || lump->data_size < 24 || memcmp(lump->data, "XBM1", 4) != 0)
        return false;
    /* After 8 bytes, XBM1 is the array that ports have, but for the origin. */
    keep_words((const unsigned char *)lump->data + 8, lump->data_size / 4 - 2);
    return true;
}

static void print_blocks(void)
{
    for (int block = 0; block < blockmaplump[2] * blockmaplump[3]; block++) {
        const int *list = blockmaplump + blockmaplump[4 + block];
        printf("%d:", block);
        while (*++list != -1) /* the first word is the header */
            printf(" %d", *list);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const char *reads = "for=woof-dev,format=xbm1"; /* not a choice */
    bool plugin = argc > 2 && strcmp(argv[1], "--blockmap-plugin") == 0;
    if (plugin &&
        !(nbstage_load(&stage, argv[2], NULL, NULL, "BLOCKMAP", NULL) &&
          nbstage_set_options(&stage, reads)))
        fprintf(stderr, "%s: %s\n", argv[1], stage.error);
    if (stage.failure == NBSTAGE_FAILURE_OPTION)
        return 2;
    for (int i = plugin ? 3 : 1; i < argc; i++)
        if (!load_blockmap(argv[i]))
            printf("the port's own blockmap of %s\n", argv[i]);
        else
            print_blocks();
    free(blockmaplump);
    nbstage_close(&stage);
    return 0;
}
