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
    {sizeof *lumps, "LINEDEFS", linedefs, sizeof linedefs, NBSTAGE_PLAIN},
    {sizeof *lumps, "VERTEXES", vertexes, sizeof vertexes, NBSTAGE_PLAIN}};

int main(void)
{
    const struct nbstage_descriptor *stage = blocksweep_describe(NBSTAGE_ABI);
    static struct nbstage_map map; /* all zeros, which stand for nothing */
    static struct nbstage_result result;
    struct nbstage_instance *instance;
    FILE *file = fopen("BLOCKMAP.lmp", "wb");

    map.size = sizeof map;
    map.name = "MAP01";
    map.lumps = lumps;
    map.lump_count = 2;
    result.size = sizeof result;
    if (!file || stage->create(NULL, &instance) != NBSTAGE_OK)
        return 1;
    if (stage->set_option(instance, "preset", "small") != NBSTAGE_OK ||
        stage->build(instance, &map, &result) != NBSTAGE_OK)
        fprintf(stderr, "%s\n", stage->last_error(instance));
    else
        fwrite(result.lumps->data, 1, result.lumps->data_size, file);
    stage->free_result(instance, &result);
    stage->destroy(instance);
    return fclose(file) == 0 ? 0 : 1;
}
