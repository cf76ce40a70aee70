// SPDX-License-Identifier: GPL-2.0-or-later
// ELFBSP's --blockmap-plugin=NAME[,OPTION=VALUE]...: a stage builds blockmaps.
#include "local.hpp"
#include "nbstage-host.h"
#define DESCRIBE(what, pointers) \
    nbstage_##what what = {}; \
    NBSTAGE_SET_ARRAY(what, pointers.data(), pointers.size()); \
    what.array.is_indirect = 1; \
    map.what = &what
static struct nbstage stage; // all zeros: not loaded

// False if an option is wrong: a typo must not silently change the blockmap.
bool LoadBlockmapPlugin(const char *request)
{
    if (!nbstage_load(&stage, request, "overflow=xbm1", NULL, "BLOCKMAP", NULL))
        PrintLine(LOG_WARN, "--blockmap-plugin: %s", stage.error);
    return stage.failure != NBSTAGE_FAILURE_OPTION;
}

bool PutPluginBlockmap(level_t &level)
{
    if (!nbstage_is_loaded(&stage))
        return false;
    if (level.bmap_format == BMAP_XBM1)
        nbstage_set_defaults(&stage, "format=xbm1");
    nbstage_set_defaults(&stage, config.effects ? "" : "prune=none");
    nbstage_map map = nbstage_new_map(level.GetLevelName(), level.map_format);
    DESCRIBE(vertices, level.vertices);
    NBSTAGE_SET(vertices.x, NBSTAGE_DOUBLE, vertex_t, x);
    NBSTAGE_SET(vertices.y, NBSTAGE_DOUBLE, vertex_t, y);
    DESCRIBE(lines, level.linedefs);
    NBSTAGE_SET_BEHIND(lines.v1, NBSTAGE_SIZE, linedef_t, start, vertex_t,
                       index);
    NBSTAGE_SET_BEHIND(lines.v2, NBSTAGE_SIZE, linedef_t, end, vertex_t, index);
    std::vector<std::vector<uint8_t>> bytes; // of lumps ELFBSP does not keep
    std::vector<nbstage_lump> lumps;
    auto needs = stage.descriptor->needs_lump;
    for (const char *name : {"LINEDEFS", "SIDEDEFS", "SECTORS", "THINGS",
                             "BEHAVIOR", "TEXTMAP", "BLOCKMAP"}) {
        Lump_c *lump = level.FindLevelLump(name);
        if (!lump || !lump->Length() || (needs && !needs(stage.instance, name)))
            continue;
        bytes.emplace_back(lump->Length());
        if (lump->Seek(0) && lump->Read(bytes.back().data(), lump->Length()))
            lumps.push_back({sizeof(nbstage_lump), name, bytes.back().data(),
                             lump->Length(), NBSTAGE_PLAIN});
    }
    map.lumps = lumps.data();
    map.lump_count = lumps.size();
    const nbstage_lump *made = nbstage_build(&stage, &map);
    if (stage.error[0] != '\0')
        PrintLine(LOG_WARN, "%s", stage.error);
    if (!made)
        return false; // ELFBSP builds its own
    Lump_c *lump = CreateLevelLump(level, "BLOCKMAP", made->data_size);
    if (made->data_size > 0)
        lump->Write(made->data, made->data_size);
    lump->Finish();
    return true;
}
