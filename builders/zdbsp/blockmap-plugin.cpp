// SPDX-License-Identifier: GPL-2.0-or-later
// --blockmap-plugin=NAME[,OPTION=VALUE]...: a plugin builds the blockmaps.

#include "processor.h"
#include "nbstage-host.h"

#define DESCRIBE(what, elements, number) \
	nbstage_##what what = nbstage_##what (); \
	NBSTAGE_SET_ARRAY (what, elements, size_t(number)); \
	map.what = &what

static struct nbstage Plugin;	// all zeros: none is loaded
static bool Missed;				// a map that gets nothing from it

void LoadBlockmapPlugin (const char *asked)
{
	if (!nbstage_open (&Plugin, asked, NULL, "BLOCKMAP"))
	{
		printf ("--blockmap-plugin: %s\n", Plugin.error);
		exit (20);
	}
	atexit ([] { if (!Missed) nbstage_close (&Plugin); }); // warns if never used
}

void MissBlockmapPlugin ()
{
	if (Plugin.descriptor != NULL && !Missed)
	{
		printf ("   UDMF maps have no BLOCKMAP, so the plugin does nothing for them.\n");
		Missed = true;
	}
}

bool FProcessor::BuildPluginBlockmap ()
{
	if (Plugin.descriptor == NULL || BlockmapMode == EBM_Create0)
	{
		return false;	// FBlockmapBuilder does it
	}
	nbstage_map map = nbstage_map ();
	map.size = sizeof(map);
	map.name = Wad.LumpName (Lump);
	map.format = Extended ? NBSTAGE_FORMAT_HEXEN : NBSTAGE_FORMAT_DOOM;
	DESCRIBE (vertices, Level.Vertices, Level.NumVertices);
	NBSTAGE_SET (vertices.x, NBSTAGE_FIXED, WideVertex, x);
	NBSTAGE_SET (vertices.y, NBSTAGE_FIXED, WideVertex, y);
	DESCRIBE (lines, &Level.Lines[0], Level.NumLines());
	NBSTAGE_SET (lines.v1, NBSTAGE_U32, IntLineDef, v1);
	NBSTAGE_SET (lines.v2, NBSTAGE_U32, IntLineDef, v2);
	NBSTAGE_SET (lines.flags, NBSTAGE_I32, IntLineDef, flags);
	NBSTAGE_SET (lines.special, NBSTAGE_I32, IntLineDef, special);
	NBSTAGE_SET (lines.args[0], NBSTAGE_I32, IntLineDef, args[0]);
	if (!Extended)
	{ // Doom's special and tag are in args
		lines.special = lines.args[0];
		NBSTAGE_SET (lines.tag, NBSTAGE_I32, IntLineDef, args[1]);
	}
	const nbstage_lump *made;
	if (!nbstage_build (&Plugin, &map, &made))
	{
		throw FBlockmapPluginError (Plugin.error);
	}
	Level.BlockmapSize = int(made->data_size / sizeof(WORD));
	Level.Blockmap = new WORD[made->data_size / sizeof(WORD)];
	for (int i = 0; i < Level.BlockmapSize; ++i)
	{ // WriteBlockmap swaps them again
		Level.Blockmap[i] = LittleShort(static_cast<const WORD *>(made->data)[i]);
	}
	return true;
}
