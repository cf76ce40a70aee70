#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adds the stage to the source of ZDBSP 1.19, as released or the development head
# of February 2026:  apply.sh SOURCE

# shellcheck source=builders/apply.sh disable=SC2016 # CMake's variables
. "$(dirname "$0")/../apply.sh"

know "ZDBSP 1.19" . zdbsp.h '"1.19"'
insert CMakeLists.txt after processor_udmf.cpp \
    '	blockmap-plugin.cpp nbstage-host.c'
insert CMakeLists.txt after 'target_link_libraries(' \
    'target_link_libraries( zdbsp ${CMAKE_DL_LIBS} )'
insert processor.h before 'class FProcessor' \
    'void LoadBlockmapPlugin (const char *request);
bool MakePluginBlockmap (FLevel &level, FWadReader &wad, int lump, bool hexen);'
insert main.cpp after '"comments"' \
    '	{"blockmap-plugin",	required_argument,	0,	1900},'
insert main.cpp before "case 'V'" \
    '		case 1900: LoadBlockmapPlugin (optarg); break;'
insert main.cpp before '  -V, --version' \
    '"      --blockmap-plugin=NAME[,OPTION=VALUE]...  Use a stage, as blocksweep\n"'
insert processor.cpp before 'FBlockmapBuilder bbuilder' \
    '		if (!MakePluginBlockmap (Level, Wad, Lump, Extended)) {'
insert processor.cpp before 'FBlockmapBuilder bbuilder' 'Level.RejectSize' \
    '		}'
finish
