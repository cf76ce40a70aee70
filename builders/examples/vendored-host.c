/* SPDX-License-Identifier: 0BSD */
/*
 * A program that carries the stage in its own source: hands over a map as lumps
 * and writes the lump that it gets to BLOCKMAP.lmp.  `make vendor` writes the
 * other two files.
 *
 *     cc -O2 vendored-host.c blocksweep.c -o vendored-host -lz
 *     cc -O2 -DBLOCKSWEEP_NO_ZLIB vendored-host.c blocksweep.c -o vendored-host
 */
#include "blocksweep.h"

#include <stdio.h>

/* A room of 512 x 256 units, on a machine that is little-endian as lumps are.
 */
static const int16_t vertexes[] = {-256, -128, -256, 128, 256, 128, 256, -128};
static const uint16_t linedefs[][7] = {{0, 1, 1, 0, 0, 0, 65535},
                                       {1, 2, 1, 0, 0, 1, 65535},
                                       {2, 3, 1, 0, 0, 2, 65535},
                                       {3, 0, 1, 0, 0, 3, 65535}};
static const struct nbstage_lump lumps[] = {
    {"LINEDEFS", linedefs, sizeof linedefs},
    {"VERTEXES", vertexes, sizeof vertexes}};

int main(void)
{
    const struct nbstage_descriptor *stage = blocksweep_describe(NBSTAGE_ABI);
    struct nbstage_instance *instance = stage->create(NULL);
    static struct nbstage_map map; /* all zeros, which stand for nothing */
    const struct nbstage_lump *lump = NULL;
    FILE *file = fopen("BLOCKMAP.lmp", "wb");

    map.size = sizeof map;
    map.name = "MAP01";
    map.lumps = lumps;
    map.lump_count = 2;
    if (!file || !instance)
        return 1;
    if (stage->set_option(instance, "preset", "small", NBSTAGE_BY_HOST) ==
            NBSTAGE_OK &&
        stage->build(instance, &map) == NBSTAGE_OK)
        lump = stage->get_lump(instance, "BLOCKMAP");
    if (lump)
        fwrite(lump->data, 1, lump->data_size, file);
    else
        fprintf(stderr, "%s\n", stage->last_error(instance));
    stage->destroy(instance);
    return fclose(file) == 0 && lump ? 0 : 1;
}
