// SPDX-License-Identifier: GPL-2.0-or-later
// --blockmap-plugin NAME[,OPTION=VALUE]...: a stage makes BLOCKMAP.
#include <algorithm>
#include <stdlib.h>
#include <string.h>
#include <vector>
#include "zennode.hpp"
#include "nbstage-host.h"

static struct nbstage stage; // all zeros: none is loaded

// Ends the program if the user would not get what they asked for.
static void Insist (bool done) {
	if (!done) fprintf (stderr, "--blockmap-plugin: %s\n", stage.error), exit (-1);
}

// Takes the option out of argv. parseArgs sees one behind a file too late.
void TakeBlockmapPlugin (int &argc, const char *argv []) {
	int kept = 0;
	for (int i = 0; i < argc; i++) {
		const bool alone = strcmp (argv [i], "--blockmap-plugin") == 0;
		if (alone || strncmp (argv [i], "--blockmap-plugin=", 18) == 0) {
			const char *asked = alone ? argv [++i] : argv [i] + 18;
			Insist (nbstage_open (&stage, asked ? asked : "NAME", NULL, "BLOCKMAP"));
		} else argv [kept++] = argv [i];
	}
	argv [argc = kept] = NULL;
	atexit ([] { nbstage_close (&stage); }); // warns if it was never used
}

bool CreatePluginBLOCKMAP (DoomLevel *level, const sBlockMapOptions &b) {
	if (!stage.instance) return false;
	// A line that is not listed must not widen the grid, so it has the place of one that is.
	const bool *listed = level->extraData->lineDefsCollidable;
	const int count = level->LineDefCount (), first = int (std::find (listed, listed + count, true) - listed);
	struct sLine { UINT16 start, end; bool leftOut; };
	std::vector<sLine> list;
	const wVertex *vertex = level->GetVertices ();
	int left = 32767, bottom = 32767;
	for (int i = 0; i < count; i++) {
		const wLineDefInternal &line = level->GetLineDefs () [listed [i] ? i : first % count];
		list.push_back ({ line.start, line.end, !listed [i] });
		left = std::min<int> ({ left, vertex [line.start].x, vertex [line.end].x });
		bottom = std::min<int> ({ bottom, vertex [line.start].y, vertex [line.end].y });
	}
	// What -b says gives way to what the user says to the stage.
	const int x = b.OffsetEight ? 8 : b.OffsetCommandLineX, y = b.OffsetEight ? 8 : b.OffsetCommandLineY;
	const bool search = b.OffsetHeuristic || (!b.OffsetUser && (b.OffsetThirtySix || b.OffsetBruteForce));
	char grid [32] = "search";
	if (b.OffsetEight || !search) sprintf (grid, "%d,%d", left - x, bottom - y);
	auto set = [] (const char *o, const char *v) { stage.descriptor->set_option (stage.instance, o, v, NBSTAGE_BY_HOST); };
	set ("grid", grid), set ("pack", b.SubBlockOptimization ? "nest" : "share");
	static bool isTold = !b.blockBig && b.Compress && !b.HTMLOutput && b.ZeroHeader == 1;
	if (!isTold) isTold = fprintf (stderr, "warning: with a stage these do nothing: -b%s%s%s%s\n", b.blockBig ? "b" : "",
		b.Compress ? "" : "c-", b.HTMLOutput ? "h" : "", b.ZeroHeader == 1 ? "" : b.ZeroHeader ? "z=2" : "z=0") > 0;
	nbstage_vertices vertices = {};
	NBSTAGE_SET_ARRAY (vertices, vertex, size_t (level->VertexCount ()));
	NBSTAGE_SET (vertices.x, NBSTAGE_I16, wVertex, x), NBSTAGE_SET (vertices.y, NBSTAGE_I16, wVertex, y);
	nbstage_lines lines = {};
	NBSTAGE_SET_ARRAY (lines, list.data (), list.size ());
	NBSTAGE_SET (lines.v1, NBSTAGE_U16, sLine, start), NBSTAGE_SET (lines.v2, NBSTAGE_U16, sLine, end);
	NBSTAGE_SET (lines.left_out, NBSTAGE_U8, sLine, leftOut);
	nbstage_map map = {};
	map.size = sizeof map, map.name = level->Name (), map.vertices = &vertices, map.lines = &lines;
	const nbstage_lump *made; // there is one: it was asked for
	Insist (nbstage_build (&stage, &map, &made));
	void *data = memcpy (new char [made->data_size], made->data, made->data_size);
	level->NewBlockMap (int (made->data_size), static_cast<wBlockMap *> (data));
	return true;
}
