// SPDX-License-Identifier: GPL-2.0-or-later
// --blockmap-plugin NAME[,OPTION=VALUE]...: a plugin builds the blockmaps.
#include "local.hpp"
#include "nbstage-host.h"
#include <array>
#include <filesystem>
static struct nbstage stage;               // all zeros: no plugin is loaded
static const nbstage_lump *made = nullptr; // by the plugin, of this level
static std::string output;                 // the file of --output, if any

static void Insist(bool done, const char *why = stage.error) // or ends the program
{
  if (done) return;
  CloseWad();
  if (std::error_code e; std::filesystem::is_regular_file(output, e)) remove(output.c_str());
  PrintLine(LOG_ERROR, "ERROR: --blockmap-plugin: %s", why);
}

void LoadBlockmapPlugin(const char *asked, const std::string &output_name)
{
  Insist(nbstage_open(&stage, asked, nullptr, "BLOCKMAP"));
  output = output_name;
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
  uint32_t left_out = 0;
  std::vector<std::array<uint32_t, 3>> list(level.linedefs.size());
  for (auto L : level.linedefs)
  {
    list[L->index] = {IndexToInt(L->start->index), IndexToInt(L->end->index), L->effects & (FX_NoBlockmap | FX_ZeroLength)};
    left_out |= list[L->index][2];
  }
  nbstage_lines lines = {};
  NBSTAGE_SET_ARRAY(lines, list.data(), list.size());
  lines.v1 = {NBSTAGE_U32, 0}, lines.v2 = {NBSTAGE_U32, 4};
  if (left_out) lines.left_out = {NBSTAGE_U32, 8};
  nbstage_lump lumps[MAX_LUMPS_IN_A_LEVEL];
  const auto format = cur_wad->LevelFormat(level.level_num);
  nbstage_map map = {sizeof(map), level.GetLevelName(), format, 0, lumps, 0, &vertices, &lines, nullptr, nullptr, nullptr};
  static std::vector<uint8_t> bytes[MAX_LUMPS_IN_A_LEVEL]; // of what ELFBSP neither keeps nor builds
  for (size_t i = level.level_header_lump_index; i <= cur_wad->LevelLastLump(level.level_num); i++)
  {
    Lump_c *lump = cur_wad->GetLump(i);
    auto &data = bytes[map.lump_count];
    if (strstr(" VERTEXES SEGS SSECTORS NODES LEAFS REJECT ZNODES ", (" " + lump->lumpname + " ").c_str())) continue;
    data.resize(lump->Length());
    Insist(data.empty() || (lump->Seek(0) && lump->Read(data.data(), data.size())), "a lump cannot be read");
    lumps[map.lump_count++] = {i == level.level_header_lump_index ? "" : lump->Name(), data.data(), data.size()};
  }
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
