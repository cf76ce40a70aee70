// SPDX-License-Identifier: GPL-2.0-or-later
// ELFBSP's --blockmap-plugin=NAME[,OPTION=VALUE]...: a stage builds blockmaps.
#include "local.hpp"
#include "nbstage-host.h"

#define DESCRIBE(what, pointers) \
    nbstage_##what what = {}; \
    NBSTAGE_SET_POINTERS(what, pointers.data(), pointers.size()); \
    map.what = &what

static struct nbstage stage; // all zeros: none is loaded

// Ends the program if the user would not get what they asked for.
static void Insist(bool done)
{
    if (!done)
        PrintLine(LOG_ERROR, "--blockmap-plugin: %s", stage.error);
}

void LoadBlockmapPlugin(const char *asked)
{
    Insist(nbstage_open(&stage, asked, NULL, "BLOCKMAP"));
    atexit([] { nbstage_close(&stage); }); // warns if it was never used
}

bool PutPluginBlockmap(level_t &level)
{
    if (!stage.descriptor)
        return false;
    auto set = stage.descriptor->set_option; // gives way to the user's choice
    set(stage.instance, "overflow", "xbm1", NBSTAGE_BY_HOST);
    if (level.bmap_format == BMAP_XBM1)
        set(stage.instance, "format", "xbm1", NBSTAGE_BY_HOST);
    if (!config.effects)
        set(stage.instance, "prune", "none", NBSTAGE_BY_HOST);
    nbstage_map map = {};
    map.size = sizeof map;
    map.name = level.GetLevelName();
    map.format = level.map_format;
    DESCRIBE(vertices, level.vertices);
    NBSTAGE_SET(vertices.x, NBSTAGE_DOUBLE, vertex_t, x);
    NBSTAGE_SET(vertices.y, NBSTAGE_DOUBLE, vertex_t, y);
    DESCRIBE(lines, level.linedefs);
    NBSTAGE_SET(lines.v1, NBSTAGE_POINTER, linedef_t, start);
    NBSTAGE_SET(lines.v2, NBSTAGE_POINTER, linedef_t, end);
    std::vector<std::vector<uint8_t>> bytes; // of lumps ELFBSP does not keep
    std::vector<nbstage_lump> lumps;
    for (const char *name : {"LINEDEFS", "SIDEDEFS", "SECTORS", "THINGS",
                             "BEHAVIOR", "TEXTMAP", "BLOCKMAP"}) {
        Lump_c *lump = level.FindLevelLump(name);
        if (!lump || !lump->Length())
            continue;
        bytes.emplace_back(lump->Length());
        if (!lump->Seek(0) || !lump->Read(bytes.back().data(), lump->Length()))
            PrintLine(LOG_ERROR, "ERROR: cannot read %s of %s", name, map.name);
        lumps.push_back({name, bytes.back().data(), lump->Length()});
    }
    map.lumps = lumps.data();
    map.lump_count = lumps.size();
    const nbstage_lump *made;
    Insist(nbstage_build(&stage, &map, &made));
    if (!made)
        return false; // ELFBSP builds its own
    Lump_c *lump = CreateLevelLump(level, "BLOCKMAP", made->data_size);
    if (made->data_size > 0)
        lump->Write(made->data, made->data_size);
    lump->Finish();
    return true;
}
