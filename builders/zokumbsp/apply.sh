#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adds the stage to the source of ZokumBSP 1.1.1:  apply.sh SOURCE

# shellcheck source=builders/apply.sh disable=SC2016 # CMake's variables
. "$(dirname "$0")/../apply.sh"

know "ZokumBSP 1.1.1" src/zokumbsp src/zokumbsp/zenmain.cpp '"1.1.1"'
insert src/zokumbsp/makefile after 'all:' \
    'zokumbsp: blockmap-plugin.o nbstage-host.o
LINKFLAGS += -ldl'
insert src/zokumbsp/zennode.hpp before CreateBLOCKMAP \
    'void LoadBlockmapPlugin ( const char *request );
bool CreatePluginBLOCKMAP ( DoomLevel *level );'
insert src/zokumbsp/zenmain.cpp before 'int parseArgs' strdup \
    '		if ( strncmp ( argv [ index ], "--blockmap-plugin=", 18 ) == 0 ) {
			LoadBlockmapPlugin ( argv [ index++ ] + 18 );
			continue;
		}'
insert src/zokumbsp/zenmain.cpp after 'Zero footer' \
    '	printf ( " --blockmap-plugin=NAME[,OPTION=VALUE]...  Use a stage, as blocksweep.\n" );'
insert src/zokumbsp/blockmap.cpp after 'int CreateBLOCKMAP' \
    '	if ( CreatePluginBLOCKMAP ( level )) return 0;'
finish
