// SPDX-License-Identifier: GPL-2.0-or-later
// ZDBSP's --blockmap-plugin=NAME[,OPTION=VALUE]...: a stage builds blockmaps.
#include "nbstage-host.h"
#include "processor.h"

#define DESCRIBE(what, elements, number) \
    nbstage_##what what = {}; \
    NBSTAGE_SET_ARRAY(what, elements, size_t(number)); \
    map.what = &what

static struct nbstage stage; // all zeros: none is loaded

// Ends the program if the user would not get what they asked for.
static void Insist(bool done)
{
    if (!done) {
        fprintf(stderr, "--blockmap-plugin: %s\n", stage.error);
        exit(20);
    }
}

void LoadBlockmapPlugin(const char *asked)
{
    Insist(nbstage_open(&stage, asked, NULL, "BLOCKMAP"));
    atexit([] { nbstage_close(&stage); }); // warns if it was never used
}

bool MakePluginBlockmap(FLevel &level, FWadReader &wad, int lump, bool hexen)
{
    nbstage_map map = {};
    map.size = sizeof map;
    map.name = wad.LumpName(lump);
    map.format = hexen ? NBSTAGE_FORMAT_HEXEN : NBSTAGE_FORMAT_DOOM;
    BYTE *script;
    int size;
    ReadLump(wad, lump, script, size); // the marker may hold FraggleScript
    const nbstage_lump marker = {"", script, size_t(size)};
    map.lumps = &marker;
    map.lump_count = !hexen; // Hexen's scripts are in BEHAVIOR
    DESCRIBE(vertices, level.Vertices, level.NumVertices);
    NBSTAGE_SET(vertices.x, NBSTAGE_FIXED, WideVertex, x);
    NBSTAGE_SET(vertices.y, NBSTAGE_FIXED, WideVertex, y);
    DESCRIBE(lines, &level.Lines[0], level.NumLines());
    NBSTAGE_SET(lines.v1, NBSTAGE_U32, IntLineDef, v1);
    NBSTAGE_SET(lines.v2, NBSTAGE_U32, IntLineDef, v2);
    NBSTAGE_SET(lines.flags, NBSTAGE_I32, IntLineDef, flags);
    NBSTAGE_SET(lines.front_side, NBSTAGE_U32, IntLineDef, sidenum[0]);
    NBSTAGE_SET(lines.back_side, NBSTAGE_U32, IntLineDef, sidenum[1]);
    NBSTAGE_SET(lines.special, NBSTAGE_I32, IntLineDef, special);
    NBSTAGE_SET(lines.args[0], NBSTAGE_I32, IntLineDef, args[0]);
    if (!hexen) { // special and tag are in args
        lines.special = lines.args[0];
        NBSTAGE_SET(lines.tag, NBSTAGE_I32, IntLineDef, args[1]);
    }
    DESCRIBE(sides, &level.Sides[0], level.NumSides());
    NBSTAGE_SET(sides.sector, NBSTAGE_I32, IntSideDef, sector);
    DESCRIBE(sectors, &level.Sectors[0], level.NumSectors());
    NBSTAGE_SET(sectors.floor, NBSTAGE_I16, IntSector, data.floorheight);
    NBSTAGE_SET(sectors.ceiling, NBSTAGE_I16, IntSector, data.ceilingheight);
    NBSTAGE_SET(sectors.floor_flat, NBSTAGE_NAME, IntSector, data.floorpic);
    NBSTAGE_SET(sectors.ceiling_flat, NBSTAGE_NAME, IntSector, data.ceilingpic);
    NBSTAGE_SET(sectors.special, NBSTAGE_I16, IntSector, data.special);
    NBSTAGE_SET(sectors.tag, NBSTAGE_I16, IntSector, data.tag);
    DESCRIBE(things, &level.Things[0], level.NumThings());
    NBSTAGE_SET(things.type, NBSTAGE_I16, IntThing, type);
    const nbstage_lump *made;
    Insist(nbstage_build(&stage, &map, &made));
    delete[] script;
    if (!made)
        return false; // ZDBSP builds its own
    level.BlockmapSize = int(made->data_size / sizeof(WORD));
    level.Blockmap = new WORD[made->data_size / sizeof(WORD)];
    memcpy(level.Blockmap, made->data, made->data_size);
    return true;
}
