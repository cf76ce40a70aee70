/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder's own blockmap, a sentence. */
#include "local.hpp"

static Lump_c made;

Lump_c *CreateLevelLump(level_t &level, const char *name, size_t max_size)
{
    return level.FindLevelLump(name) || max_size > SIZE_MAX / 2 ? nullptr
                                                                : &made;
}

void InitBlockmap(level_t &level)
{
    level.block_count = level.linedefs.size();
}

static void CreateBlockmap(const level_t &level)
{
    printf("the builder's own blockmap of %s%s\n", level.GetLevelName(),
           level.bmap_format == BMAP_XBM1 ? " as XBM1" : "");
}

void PutBlockmap(level_t &level)
{
    RaiseValue(level.bmap_format, config.bmap_format);
    CreateBlockmap(level);
}
