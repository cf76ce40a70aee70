/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder's own blockmap, a sentence. */
#include "local.hpp"

static Lump_c made;

Lump_c *CreateLevelLump(level_t &level, const char *name, size_t max_size)
{
    return level.FindLevelLump(name) || max_size > SIZE_MAX / 2 ? nullptr
                                                                : &made;
}

static void CreateBlockmap(const level_t &level)
{
    printf("the builder's own blockmap of %s%s\n", level.GetLevelName(),
           config.bmap_format == BMAP_XBM1 ? ", XBM1" : "");
}

/* Of lines that are not to be listed. */
static const uint32_t FX_NoBlockmap = 1;

// clang-format off
static void FindBlockmapLimits(level_t &level)
{
  for (size_t i = 0; i < level.linedefs.size(); i++)
  {
    if (level.linedefs[i]->effects == FX_NoBlockmap)
    {
      continue;
    }
  }
}

void InitBlockmap(level_t &level)
{
  FindBlockmapLimits(level);
  level.block_count = 0;
}

template <class T> static void RaiseValue(T &, T)
{
}

void PutBlockmap(level_t &level)
{
  RaiseValue(level.block_count, size_t(0));
  CreateBlockmap(level);
}
