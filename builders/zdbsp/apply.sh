#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adds the stage to the source of ZDBSP 1.12 to 1.19, released or from git:
# apply.sh [--system] SOURCE

# shellcheck source=builders/apply.sh disable=SC2016 # CMake's variables
. "$(dirname "$0")/../apply.sh"

know "ZDBSP 1.12 or later" . processor_udmf.cpp WriteUDMF
if is_there CMakeLists.txt; then
    insert CMakeLists.txt after blockmapbuilder.cpp \
        '	blockmap-plugin.cpp
	nbstage-host.c'
    insert CMakeLists.txt after 'target_link_libraries(' \
        'target_link_libraries( zdbsp ${CMAKE_DL_LIBS} )'
else
    insert Makefile after 'EXE = zdbsp.exe' 'EXE = zdbsp' '  LDFLAGS += -ldl'
    insert Makefile before 'CXXFLAGS =' \
        'OBJS += blockmap-plugin.o nbstage-host.o
'
fi
insert processor.h before 'class FProcessor' \
    '// A plugin failed, for this reason.
struct FBlockmapPluginError : public std::runtime_error
{
	FBlockmapPluginError (const char *reason) : std::runtime_error (reason) {}
};

void LoadBlockmapPlugin (const char *asked);
bool HasBlockmapPlugin ();
void MissBlockmapPlugin ();
'
insert processor.h before 'void WriteLines (FWadWriter' \
    '	bool BuildPluginBlockmap ();
'
insert main.cpp before '{0,0,0,0}' \
    '	{"blockmap-plugin",	required_argument,	0,  1004},'
insert main.cpp before 'option long_opts' \
    'static const char *BlockmapPlugin = NULL;
'
insert main.cpp before 'FWadWriter outwad' \
    '			LoadBlockmapPlugin (BlockmapPlugin);'
insert main.cpp after "case 1003:" 'break;' \
    '		case 1004:
			BlockmapPlugin = optarg;
			break;'
insert main.cpp before '  -V, --version' \
    '"      --blockmap-plugin=NAME[,OPTION=VALUE]...\n"
"                           Let a plugin, such as blocksweep, build blockmaps\n"'
insert main.cpp before 'catch (std::runtime_error' \
    '	catch (FBlockmapPluginError &error)
	{
		// Somebody asked for what this output does not have.
#ifndef _WIN32
		struct stat info;
		if (0 == stat (OutName, &info) && S_ISREG(info.st_mode))
#endif
		remove (OutName);
		printf ("--blockmap-plugin: %s\n", error.what());
		return 20;
	}'
insert processor.cpp before 'FBlockmapBuilder bbuilder' \
    '		if (!BuildPluginBlockmap ())
		{'
indent processor.cpp 'FBlockmapBuilder bbuilder' 'memcpy (Level.Blockmap' '	'
insert processor.cpp after 'FBlockmapBuilder bbuilder' 'memcpy (Level.Blockmap' \
    '		}'
insert processor.cpp before 'void FProcessor::WriteBlockmap' 'if (count >= 65536)' \
    '	if (HasBlockmapPlugin ())
	{ // It has its own warnings
		return;
	}
'
insert processor.cpp before 'WriteUDMF(out);' \
    '		MissBlockmapPlugin ();'
! is_there zdbsp.html || insert zdbsp.html before '<dt>--empty-reject' \
    '			<dt>--blockmap-plugin=&lt;name[,option=value]...&gt;</dt>
			<dd>
				Lets a plugin, such as blocksweep, build the BLOCKMAP. The name is that of an
				installed plugin, or a path with a slash; the options are the plugin'\''s. If it
				is missing or fails, ZDBSP ends and leaves no output. UDMF maps have no
				BLOCKMAP, and -b still writes an empty one.</dd>'
options='--blockmap-plugin blocksweep -o OUT.wad IN.wad'
if is_there CMakeLists.txt; then
    finish 'cmake -B build && cmake --build build' "build/zdbsp $options"
else
    finish make "./zdbsp $options"
fi
