#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adds the stage to the source of ELFBSP 1.3:  apply.sh SOURCE

# shellcheck source=builders/apply.sh disable=SC2016 # CMake's variables
. "$(dirname "$0")/../apply.sh"

know "ELFBSP 1.3" src CMakeLists.txt '"1.3.0"'
insert CMakeLists.txt after src/blockmap.cpp \
    '  src/blockmap-plugin.cpp src/nbstage-host.c'
insert CMakeLists.txt after zlibstatic '  ${CMAKE_DL_LIBS}'
insert src/local.hpp before InitBlockmap \
    'void LoadBlockmapPlugin(const char *request);
bool PutPluginBlockmap(level_t &level);'
insert src/core.hpp after '-c --cost' \
    '"    --blockmap-plugin=NAME[,OPTION=VALUE]...  Use a stage, as blocksweep\n"'
insert src/main.cpp before '"--map"' \
    '  else if (strncmp(name, "--blockmap-plugin=", 18) == 0)
  {
    LoadBlockmapPlugin(name + 18);
  }'
insert src/blockmap.cpp before 'void PutBlockmap' 'CreateBlockmap(level)' \
    '  if (PutPluginBlockmap(level)) return;'
finish
