/* SPDX-License-Identifier: 0BSD */
/* A builder with integers, whose arrays are those of the lumps:
   integer-host [--blockmap-plugin FILE[,OPTION=VALUE]...] LEVEL... */
#include "nbstage-host.h"

#include <string.h>

/* The level as its lumps are: little-endian, in the format of Doom. */
static const struct {
    int16_t x, y;
} vertices[] = {{-200, -100}, {-200, 500}, {900, 650}, {700, -100}};
static const struct {
    uint16_t start, end, flags, type, tag, sides[2];
} linedefs[] = {{0, 1, 1, 0, 0, {0, 65535}},
                {1, 2, 1, 0, 0, {1, 65535}},
                {2, 3, 1, 0, 0, {2, 65535}},
                {3, 0, 1, 0, 0, {3, 65535}},
                {0, 2, 4, 0, 999, {4, 5}}};

static struct nbstage stage; /* all zeros: none is loaded */

static void build_blockmap(const char *name)
{
    static const struct nbstage_lump lumps[] = {
        {sizeof *lumps, "LINEDEFS", linedefs, sizeof linedefs, NBSTAGE_PLAIN},
        {sizeof *lumps, "VERTEXES", vertices, sizeof vertices, NBSTAGE_PLAIN}};
    struct nbstage_map map =
        nbstage_map_from_lumps(name, lumps, sizeof lumps / sizeof *lumps);
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
