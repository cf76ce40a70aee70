// SPDX-License-Identifier: GPL-2.0-or-later
// --blockmap-plugin NAME[,OPTION=VALUE]...: a plugin builds the blockmaps.
#include "local.hpp"
#include "nbstage-host.h"

static struct nbstage stage;               // all zeros: no plugin is loaded
static const nbstage_lump *made = nullptr; // by the plugin, of this level
static std::string output;                 // the file of --output, if any

// Ends the program if the user would not get what they asked for.
static void Insist(bool done)
{
  if (done) return;
  CloseWad();
  if (!output.empty()) remove(output.c_str());
  PrintLine(LOG_ERROR, "ERROR: --blockmap-plugin: %s", stage.error);
}

void LoadBlockmapPlugin(const char *asked, const std::string &output_name)
{
  Insist(nbstage_open(&stage, asked, nullptr, "BLOCKMAP"));
  output = output_name;
  atexit([] { nbstage_close(&stage); }); // warns if it was never used
}

// Nothing of this level is written yet: a failure leaves it as it was.
void BuildPluginBlockmap(level_t &level)
{
  if (!stage.descriptor) return;
  auto set = stage.descriptor->set_option; // gives way to the user's choice
  set(stage.instance, config.bmap_format == BMAP_XBM1 ? "format" : "overflow", "xbm1", NBSTAGE_BY_HOST);
  set(stage.instance, "prune", "none", NBSTAGE_BY_HOST); // left_out decides
  nbstage_vertices vertices = {};
  NBSTAGE_SET_POINTERS(vertices, level.vertices.data(), level.vertices.size());
  NBSTAGE_SET(vertices.x, NBSTAGE_DOUBLE, vertex_t, x);
  NBSTAGE_SET(vertices.y, NBSTAGE_DOUBLE, vertex_t, y);
  nbstage_lines lines = {};
  NBSTAGE_SET_POINTERS(lines, level.linedefs.data(), level.linedefs.size());
  NBSTAGE_SET(lines.v1, NBSTAGE_POINTER, linedef_t, start);
  NBSTAGE_SET(lines.v2, NBSTAGE_POINTER, linedef_t, end);
  NBSTAGE_SET(lines.left_out, NBSTAGE_U8, linedef_t, left_out);
  std::vector<std::vector<uint8_t>> bytes; // what ELFBSP does not keep
  std::vector<nbstage_lump> lumps;
  for (auto name : {"", "THINGS", "LINEDEFS", "SIDEDEFS", "SECTORS", "BLOCKMAP", "BEHAVIOR", "SCRIPTS", "TEXTMAP", "DIALOGUE"})
  {
    Lump_c *lump = *name ? level.FindLevelLump(name) : cur_wad->GetLump(level.level_header_lump_index);
    if (!lump || lump->Length() == 0) continue;
    auto &data = bytes.emplace_back(lump->Length());
    if (!lump->Seek(0) || !lump->Read(data.data(), data.size())) PrintLine(LOG_ERROR, "ERROR: Failure reading %s.", name);
    lumps.push_back({name, data.data(), data.size()});
  }
  nbstage_map map = {};
  map.size = sizeof(map);
  map.name = level.GetLevelName();
  map.format = cur_wad->LevelFormat(level.level_num);
  map.lumps = lumps.data();
  map.lump_count = lumps.size();
  map.vertices = &vertices;
  map.lines = &lines;
  Insist(nbstage_build(&stage, &map, &made));
}

bool PutPluginBlockmap(level_t &level)
{
  if (!made) return false;
  Lump_c *lump = CreateLevelLump(level, "BLOCKMAP", made->data_size);
  if (made->data_size > 0) lump->Write(made->data, made->data_size);
  lump->Finish();
  return true;
}
