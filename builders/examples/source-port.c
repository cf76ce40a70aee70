/* SPDX-License-Identifier: 0BSD */
/* A source port in 16.16 whose lines point to their vertices; it keeps the
   lists in memory.  Prints the lines of each block:
   source-port [--blockmap-plugin FILE[,OPTION=VALUE]...] LEVEL... */
#include "nbstage-host.h"
#include <stdio.h>
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
static const line_t l[LINES] = {
    {v, v + 1, 1, 0, 0}, {v + 1, v + 2, 1, 0, 0}, {v + 2, v, 1, 0, 0}};
static int *blockmaplump; /* origin in 16.16, columns, rows, offsets, lists */
static struct nbstage stage; /* all zeros: none is loaded */

static void die(const char *sentence)
{
    fprintf(stderr, "--blockmap-plugin: %s\n", sentence);
    exit(1);
}

/* What the port reads is not a choice of its user. */
static void set(const char *option, const char *value)
{
    if (stage.descriptor)
        stage.descriptor->set_option(stage.instance, option, value,
                                     NBSTAGE_BY_USER);
}

static void keep_words(const unsigned char *data, size_t count)
{
    size_t i;
    blockmaplump = (int *)realloc(blockmaplump, count * sizeof *blockmaplump);
    if (!blockmaplump)
        die("out of memory");
    for (i = 0; i < count; i++, data += 4)
        blockmaplump[i] =
            (int)(data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
                  (uint32_t)data[3] << 24);
}

/* After 8 bytes XBM1 is the array that ports have, but for the origin. */
static bool load_blockmap(const char *name)
{
    static struct nbstage_vertices vertices; /* all zeros: not described */
    static struct nbstage_lines lines;
    static struct nbstage_map map;
    const struct nbstage_lump *lump;
    NBSTAGE_SET_ARRAY(vertices, v, VERTICES);
    NBSTAGE_SET(vertices.x, NBSTAGE_FIXED, vertex_t, x);
    NBSTAGE_SET(vertices.y, NBSTAGE_FIXED, vertex_t, y);
    NBSTAGE_SET_ARRAY(lines, l, LINES);
    NBSTAGE_SET(lines.v1, NBSTAGE_POINTER, line_t, v1);
    NBSTAGE_SET(lines.v2, NBSTAGE_POINTER, line_t, v2);
    map.size = sizeof map;
    map.name = name;
    map.vertices = &vertices;
    map.lines = &lines;
    if (!nbstage_build(&stage, &map, &lump))
        die(stage.error);
    if (!lump || lump->data_size == 0)
        return false; /* no lump, or one that is over a limit */
    if (lump->data_size < 24 || memcmp(lump->data, "XBM1", 4) != 0)
        die("the stage's lump is not XBM1");
    keep_words((const unsigned char *)lump->data + 8, lump->data_size / 4 - 2);
    return true;
}

static void print_blocks(void)
{
    int block;
    for (block = 0; block < blockmaplump[2] * blockmaplump[3]; block++) {
        const int *list = blockmaplump + blockmaplump[4 + block];
        printf("%d:", block);
        while (*++list != -1) /* the first word is the header */
            printf(" %d", *list);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const bool asks = argc > 2 && strcmp(argv[1], "--blockmap-plugin") == 0;
    int i;
    if (!nbstage_open(&stage, asks ? argv[2] : NULL, NULL, "BLOCKMAP"))
        die(stage.error);
    set("for", "woof-dev");
    set("format", "xbm1");
    for (i = asks ? 3 : 1; i < argc; i++)
        if (load_blockmap(argv[i]))
            print_blocks();
        else
            printf("the port's own blockmap of %s\n", argv[i]);
    free(blockmaplump);
    nbstage_close(&stage);
    return 0;
}
