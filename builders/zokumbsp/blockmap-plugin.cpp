// SPDX-License-Identifier: GPL-2.0-or-later
// --blockmap-plugin=NAME[,OPTION=VALUE]... of ZokumBSP: a stage makes BLOCKMAP.
#include "level.hpp"
#include "nbstage-host.h"
#include <stdlib.h>
#include <string.h>

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
        exit(-1);
    }
}

void LoadBlockmapPlugin(const char *asked)
{
    Insist(nbstage_open(&stage, asked, NULL, "BLOCKMAP"));
    atexit([] { nbstage_close(&stage); }); // warns if it was never used
}

bool CreatePluginBLOCKMAP(DoomLevel *level)
{
    const bool hexen = level->BehaviorSize() > 0;
    nbstage_map map = {};
    map.size = sizeof map;
    map.name = level->Name();
    map.format = hexen ? NBSTAGE_FORMAT_HEXEN : NBSTAGE_FORMAT_DOOM;
    const nbstage_lump marker = {"", NULL, 0}; // no FraggleScript
    map.lumps = &marker;
    map.lump_count = !hexen && !level->GetWAD()->FindDir(level->Name())->size;
    DESCRIBE(vertices, level->GetVertices(), level->VertexCount());
    NBSTAGE_SET(vertices.x, NBSTAGE_I16, wVertex, x);
    NBSTAGE_SET(vertices.y, NBSTAGE_I16, wVertex, y);
    DESCRIBE(lines, level->GetLineDefs(), level->LineDefCount());
    NBSTAGE_SET(lines.v1, NBSTAGE_U16, wLineDefInternal, start);
    NBSTAGE_SET(lines.v2, NBSTAGE_U16, wLineDefInternal, end);
    NBSTAGE_SET(lines.flags, NBSTAGE_U16, wLineDefInternal, flags);
    NBSTAGE_SET(lines.front_side, NBSTAGE_U16, wLineDefInternal, sideDef[0]);
    NBSTAGE_SET(lines.back_side, NBSTAGE_U16, wLineDefInternal, sideDef[1]);
    NBSTAGE_SET(lines.special, NBSTAGE_U16, wLineDefInternal, type);
    NBSTAGE_SET(lines.tag, NBSTAGE_U16, wLineDefInternal, tag);
    NBSTAGE_SET(lines.args[0], NBSTAGE_U8, wLineDefInternal, arg[0]);
    if (hexen)
        NBSTAGE_SET(lines.special, NBSTAGE_U8, wLineDefInternal, special);
    DESCRIBE(sides, level->GetSideDefs(), level->SideDefCount());
    NBSTAGE_SET(sides.sector, NBSTAGE_U16, wSideDef, sector);
    DESCRIBE(sectors, level->GetSectors(), level->SectorCount());
    NBSTAGE_SET(sectors.floor, NBSTAGE_I16, wSector, floorh);
    NBSTAGE_SET(sectors.ceiling, NBSTAGE_I16, wSector, ceilh);
    NBSTAGE_SET(sectors.floor_flat, NBSTAGE_NAME, wSector, floorTexture);
    NBSTAGE_SET(sectors.ceiling_flat, NBSTAGE_NAME, wSector, ceilTexture);
    NBSTAGE_SET(sectors.special, NBSTAGE_U16, wSector, special);
    NBSTAGE_SET(sectors.tag, NBSTAGE_U16, wSector, trigger);
    DESCRIBE(things, level->GetThings(), level->ThingCount());
    NBSTAGE_SET(things.type, NBSTAGE_U16, wThingInternal, type);
    const nbstage_lump *made;
    Insist(nbstage_build(&stage, &map, &made));
    if (!made)
        return false; // ZokumBSP builds its own
    void *data = memcpy(new char[made->data_size], made->data, made->data_size);
    level->NewBlockMap(int(made->data_size), static_cast<wBlockMap *>(data));
    return true;
}
