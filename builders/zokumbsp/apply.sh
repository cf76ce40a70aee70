#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adds the stage to the source of ZokumBSP 1.0.10 to 1.1.1:  apply.sh SOURCE

# shellcheck source=builders/apply.sh
. "$(dirname "$0")/../apply.sh"

know "ZokumBSP 1.0.10 or later" src/zokumbsp src/doom/level.hpp lineDefsCollidable
insert src/zokumbsp/makefile after 'all:' \
    'zokumbsp: blockmap-plugin.o nbstage-host.o

ifndef WIN32
LINKFLAGS += -ldl
endif'
insert src/zokumbsp/zennode.hpp after 'extern int  CreateBLOCKMAP' \
    'extern void TakeBlockmapPlugin ( int &argc, const char *argv [] );
extern void CloseBlockmapPlugin ();
extern bool CreatePluginBLOCKMAP ( DoomLevel *level, const sBlockMapOptions &options );'
insert src/zokumbsp/zenmain.cpp after 'Zero footer' \
    '	fprintf ( stdout, "\n --blockmap-plugin=NAME[,OPTION=VALUE]...\n" );
	fprintf ( stdout, "          Let a stage such as blocksweep make the BLOCKMAP.\n" );'
insert src/zokumbsp/zenmain.cpp before 'if ( argc == 1 )' \
    '	TakeBlockmapPlugin ( argc, argv );
'
insert src/zokumbsp/zenmain.cpp after 'PrintStats ( totalLevels' \
    '	CloseBlockmapPlugin ();'
insert src/zokumbsp/blockmap.cpp before 'eight = options.OffsetEight' \
    '	if ( CreatePluginBLOCKMAP ( level, options )) return 0;
'
insert doc/zokumbsp.txt before 'Section 08: Nodes builder' \
    "07:10 '--blockmap-plugin' - Let a stage make the BLOCKMAP
----------------------------------------------------------

--blockmap-plugin=NAME[,OPTION=VALUE]... lets a stage such as blocksweep make
the blockmap, of the same lines: 'r', the geometry pass and the special effects
decide on them, so 'prune' of the stage has no effect. 'o=2', 'o=3' and 'o=4'
are its 'grid=search', the best of 16384 offsets; other offsets are the same.
's' is its 'pack=nest', which adds linedef 0 to some lists, but no other line.
OPTION=VALUE counts more than these. 'b', 'c-', 'h', 'z=0' and 'z=2' have no
effect, and a warning names them.

If the stage is missing, ZokumBSP ends without writing a file. If it fails on a
level, ZokumBSP ends at once; files of earlier arguments stay written.
"
finish 'make -C src/zokumbsp zokumbsp' \
    'src/zokumbsp/zokumbsp --blockmap-plugin blocksweep IN.wad -o OUT.wad'
