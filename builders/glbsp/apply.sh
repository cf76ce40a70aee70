#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adds the stage to the source of glBSP 2.24:  apply.sh [--system] SOURCE

# shellcheck source=builders/apply.sh disable=SC1003 # ends of lines
. "$(dirname "$0")/../apply.sh"

know "glBSP 2.24" src src/glbsp.h '"2.24"'
for makefile in Makefile.unx Makefile.w32 Makefile.xming; do
    ! is_there $makefile || insert $makefile after 'src/blockmap.o' \
        '	src/blockmap-plugin.o \
	src/nbstage-host.o \'
done
insert Makefile.unx after 'CMD_LIBS=' 'CMD_LIBS += -ldl'
insert Makefile.unx after 'GUI_LIBS=' 'GUI_LIBS += -ldl'
! is_there SConscript.edge || insert SConscript.edge after src/blockmap.c \
    "    'src/blockmap-plugin.c', 'src/nbstage-host.c',"
insert src/blockmap.h after 'void PutBlockmap' \
    '
// a plugin that builds blockmaps instead.  Put returns FALSE if none
// is loaded.  Miss is for levels that get no blockmap.
boolean_g LoadBlockmapPlugin(const char *asked);
boolean_g PutPluginBlockmap(void);
void MissBlockmapPlugin(void);'
insert src/blockmap.c after 'void PutBlockmap' '{' \
    '  if (PutPluginBlockmap())
    return;
'
insert src/level.c before 'void SaveLevel' 'keyword support' \
    '  if (! lev_doing_normal)
    MissBlockmapPlugin();
'
insert src/glbsp.c before 'HANDLE_BOOLEAN2("q"' \
    '    if (UtilStrCaseCmp(opt_str, "blockmap-plugin") == 0 ||
        strncmp(opt_str, "blockmap-plugin=", 16) == 0)
    {
      int used = (opt_str[15] == '\''='\'' || argc < 2 || argv[1][0] == '\''-'\'') ? 1 : 2;

      if (! LoadBlockmapPlugin(opt_str[15] ? opt_str + 16 :
            (used == 2) ? argv[1] : NULL))
      {
        cur_comms = NULL;
        return GLBSP_E_BadArgs;
      }

      argv += used; argc -= used;
      continue;
    }
'
insert cmdline/main.c after '-maxblock ###' \
    '    "  -blockmap-plugin NAME[,OPTION=VALUE]...\n"
    "                     Lets a plugin, such as blocksweep, build the BLOCKMAP\n"'
! is_there USAGE.txt || insert USAGE.txt before '  -xp -noprog' \
    '  -blockmap-plugin <name>[,<option>=<value>]...
                Lets a plugin, such as blocksweep, build the BLOCKMAP
                when normal nodes are being built (see -normal).  The
                name is that of an installed plugin, or a path with a
                slash.  If the plugin is missing or fails, glBSP ends
                and writes nothing.  The -maxblock limit has no effect.
'
! is_there glbsp.1 || insert glbsp.1 before '\-xp' \
    '.BI "\-blockmap-plugin" " <name>[,<option>=<value>]..."
Lets a plugin, such as blocksweep, build the BLOCKMAP
when normal nodes are being built (see \-normal).  The
name is that of an installed plugin, or a path with a
slash.  If the plugin is missing or fails, glBSP ends
and writes nothing.  The \-maxblock limit has no effect.
.TP'
finish 'make -f Makefile.unx glbsp' \
    './glbsp -normal -blockmap-plugin blocksweep IN.wad -o OUT.wad'
