// SPDX-License-Identifier: GPL-2.0-or-later
// -blockmap-plugin NAME[,OPTION=VALUE]...: a plugin builds the blockmaps.

#include "system.h"

#include "blockmap.h"
#include "level.h"
#include "wad.h"
#include "nbstage-host.h"

extern vertex_t  ** lev_vertices;  // of level.c
extern linedef_t ** lev_linedefs;
extern boolean_g lev_doing_hexen;

static struct nbstage plugin;  // all zeros: none is loaded

boolean_g LoadBlockmapPlugin(const char *asked)
{
  if (! asked || ! nbstage_open(&plugin, asked, NULL, "BLOCKMAP"))
  {
    SetErrorMsg("-blockmap-plugin: %s", asked ? plugin.error : "NAME is missing");
    return FALSE;
  }

  return TRUE;
}

void MissBlockmapPlugin(void)
{
  static boolean_g is_told = FALSE;

  if (! plugin.descriptor || is_told)
    return;
  PrintWarn("Without normal nodes the BLOCKMAP is left as it is (see -normal)\n");
  is_told = TRUE;
}

boolean_g PutPluginBlockmap(void)
{
  struct nbstage_map map = { 0 };
  struct nbstage_vertices vertices = { 0 };
  struct nbstage_lines lines = { 0 };
  const struct nbstage_lump *made;

  map.size = sizeof(map);
  map.name = GetLevelName();
  map.format = lev_doing_hexen ? NBSTAGE_FORMAT_HEXEN : NBSTAGE_FORMAT_DOOM;
  map.vertices = &vertices;
  map.lines = &lines;

  NBSTAGE_SET_POINTERS(vertices, lev_vertices, (size_t) num_vertices);
  NBSTAGE_SET(vertices.x, NBSTAGE_DOUBLE, vertex_t, x);
  NBSTAGE_SET(vertices.y, NBSTAGE_DOUBLE, vertex_t, y);

  NBSTAGE_SET_POINTERS(lines, lev_linedefs, (size_t) num_linedefs);
  NBSTAGE_SET(lines.v1, NBSTAGE_POINTER, linedef_t, start);
  NBSTAGE_SET(lines.v2, NBSTAGE_POINTER, linedef_t, end);
  NBSTAGE_SET(lines.flags, NBSTAGE_I32, linedef_t, flags);
  NBSTAGE_SET(lines.special, NBSTAGE_I32, linedef_t, type);
  NBSTAGE_SET(lines.tag, NBSTAGE_I32, linedef_t, tag);
  NBSTAGE_SET(lines.args[0], NBSTAGE_I32, linedef_t, specials[0]);
  NBSTAGE_SET(lines.left_out, NBSTAGE_I8, linedef_t, zero_len);

  if (! nbstage_build(&plugin, &map, &made))
    FatalError("-blockmap-plugin: %s", plugin.error);

  if (made)
    AppendLevelLump(CreateLevelLump("BLOCKMAP"), made->data, (int) made->data_size);
  return made ? TRUE : FALSE;
}
