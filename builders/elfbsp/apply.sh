#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adds the stage to the source of ELFBSP:  apply.sh [--system] SOURCE

# shellcheck source=builders/apply.sh disable=SC2016 # CMake's variables
. "$(dirname "$0")/../apply.sh"

know "ELFBSP of April 2026 or later" src src/blockmap.cpp BMAP_XBM1
insert CMakeLists.txt before 'target_include_directories(${PROJECT_NAME}' \
    'target_sources(${PROJECT_NAME} PRIVATE src/blockmap-plugin.cpp src/nbstage-host.c)
target_link_libraries(${PROJECT_NAME} PRIVATE ${CMAKE_DL_LIBS})
'
insert docs/command_line.md before '--polyobj`' \
    '#### `--blockmap-plugin  NAME[,OPTION=VALUE]...`
Lets a plugin build the blockmaps, such as blocksweep, which has a manual of its options.
NAME is the name of a plugin that is installed, or a path to one.
'
insert src/core.hpp after '-c --cost' \
    '                                    "       --blockmap-plugin NAME[,OPTION=VALUE]...\n"
                                    "                       Let a plugin build the blockmaps\n"'
insert src/local.hpp after 'void PutBlockmap' \
    'void LoadBlockmapPlugin(const char *asked, const std::string &output_name);
void BuildPluginBlockmap(level_t &level);
bool PutPluginBlockmap(level_t &level);'
insert src/main.cpp after 'static std::string opt_output' \
    'static const char *opt_blockmap_plugin = nullptr;'
insert src/main.cpp before '"--map"' \
    '  else if (strncmp(name, "--blockmap-plugin=", 18) == 0)
  {
    opt_blockmap_plugin = name + 18;
  }
  else if (strcmp(name, "--blockmap-plugin") == 0)
  {
    if (argc < 1 || argv[0][0] == '\''-'\'')
    {
      PrintLine(LOG_ERROR, "ERROR: missing value for '\''--blockmap-plugin'\'' option");
    }

    opt_blockmap_plugin = argv[0];
    used = 1;
  }'
insert src/main.cpp before 'for (const auto &wad : wad_list)' \
    '  LoadBlockmapPlugin(opt_blockmap_plugin, opt_output);
'
insert src/blockmap.cpp after 'void InitBlockmap' 'level.block_count =' \
    '
  BuildPluginBlockmap(level);'
insert src/blockmap.cpp before 'void PutBlockmap' 'RaiseValue' \
    '  if (PutPluginBlockmap(level)) return;
'
finish 'cmake -B build && cmake --build build' \
    'build/elfbsp --blockmap-plugin blocksweep IN.wad --output OUT.wad'
