// SPDX-License-Identifier: GPL-2.0-or-later
// --blockmap-plugin=NAME[,OPTION=VALUE]...: a plugin builds the blockmaps.
#include <string>
#include "processor.h"
#include "nbstage-host.h"
static struct nbstage Plugin;	// all zeros: none is loaded
static bool Missed;				// a map that gets nothing from it

void LoadBlockmapPlugin (const char *asked)
{
	if (!nbstage_open (&Plugin, asked, NULL, "BLOCKMAP"))
	{
		throw std::runtime_error (std::string("--blockmap-plugin: ") + Plugin.error);
	}
	atexit ([] { if (!Missed) nbstage_close (&Plugin); }); // warns if never used
}

bool HasBlockmapPlugin ()
{
	return Plugin.descriptor != NULL;
}

void MissBlockmapPlugin ()
{
	if (HasBlockmapPlugin () && !Missed)
	{
		printf ("   UDMF maps have no BLOCKMAP, so the plugin does nothing for them.\n");
		Missed = true;
	}
}

bool FProcessor::BuildPluginBlockmap ()
{
	if (!HasBlockmapPlugin () || BlockmapMode == EBM_Create0)
	{
		return false;	// FBlockmapBuilder does it
	}
	nbstage_vertices vertices = nbstage_vertices ();
	NBSTAGE_SET_ARRAY (vertices, Level.Vertices, size_t(Level.NumVertices));
	NBSTAGE_SET (vertices.x, NBSTAGE_FIXED, WideVertex, x);
	NBSTAGE_SET (vertices.y, NBSTAGE_FIXED, WideVertex, y);
	nbstage_lines lines = nbstage_lines ();
	NBSTAGE_SET_ARRAY (lines, &Level.Lines[0], size_t(Level.NumLines()));
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
	const uint32_t format = Extended ? NBSTAGE_FORMAT_HEXEN : NBSTAGE_FORMAT_DOOM;
	const nbstage_map map = { sizeof(map), Wad.LumpName (Lump), format, 0, NULL, 0, &vertices, &lines, NULL, NULL, NULL };
	const nbstage_lump *made;
	if (!nbstage_build (&Plugin, &map, &made))
	{
		throw FBlockmapPluginError (Plugin.error);
	}
	const size_t count = made->data_size / sizeof(WORD);
	Level.BlockmapSize = int(count);
	Level.Blockmap = new WORD[count];
	memcpy (Level.Blockmap, made->data, count*sizeof(WORD));
	for (size_t i = 0; i < count; ++i)
	{ // WriteBlockmap swaps them again
		Level.Blockmap[i] = LittleShort(Level.Blockmap[i]);
	}
	return true;
}
