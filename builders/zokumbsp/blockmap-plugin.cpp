// SPDX-License-Identifier: GPL-2.0-or-later
// --blockmap-plugin NAME[,OPTION=VALUE]...: a stage makes BLOCKMAP.
#include <algorithm>
#include <string.h>
#include <string>
#include <vector>
#include "zennode.hpp"
#include "nbstage-host.h"
static struct nbstage stage; // all zeros: none is loaded

// Ends the program if the user would not get what they asked for.
static void Insist (bool done, const char *why = stage.error) {
	if (!done) fprintf (stderr, "--blockmap-plugin: %s\n", why), exit (-1);
}

// Takes the option out of argv. parseArgs sees one behind a file too late.
void TakeBlockmapPlugin (int &argc, const char *argv []) {
	int kept = 0;
	const char *asked = "";
	for (int i = 0; i < argc; i++) {
		if (strncmp (argv [i], "--blockmap-plugin=", 18) == 0) asked = argv [i] + 18;
		else if (strcmp (argv [i], "--blockmap-plugin") == 0) asked = argv [++i];
		else argv [kept++] = argv [i];
		Insist (asked && *asked != '-', "NAME is missing");
	}
	argv [argc = kept] = NULL;
	Insist (nbstage_open (&stage, asked, NULL, "BLOCKMAP"));
}

void CloseBlockmapPlugin () {
	nbstage_close (&stage); // warns if it was never used
}

bool CreatePluginBLOCKMAP (DoomLevel *level, const sBlockMapOptions &b) {
	if (!stage.instance) return false;
	// A line that is not listed must not widen the grid, so it has the place of one that is.
	const bool *listed = level->extraData->lineDefsCollidable;
	const int count = level->LineDefCount (), first = int (std::find (listed, listed + count, true) - listed);
	struct sLine { UINT16 start, end; bool leftOut; }; std::vector<sLine> list;
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
	std::string grid = std::to_string (left - x) + "," + std::to_string (bottom - y);
	if (!b.OffsetEight && (b.OffsetHeuristic || (!b.OffsetUser && (b.OffsetThirtySix || b.OffsetBruteForce)))) grid = "search";
	stage.descriptor->set_option (stage.instance, "grid", grid.c_str (), NBSTAGE_BY_HOST);
	stage.descriptor->set_option (stage.instance, "pack", b.SubBlockOptimization ? "nest" : "share", NBSTAGE_BY_HOST);
	static bool isTold = !b.blockBig && b.Compress && !b.HTMLOutput && b.ZeroHeader == 1;
	if (!isTold) isTold = fprintf (stderr, "warning: with a stage these do nothing: -b%s%s%s%s\n", b.blockBig ? "b" : "",
		b.Compress ? "" : "c-", b.HTMLOutput ? "h" : "", b.ZeroHeader == 1 ? "" : b.ZeroHeader ? "z=2" : "z=0") > 0;
	nbstage_vertices vertices = {};
	NBSTAGE_SET_ARRAY (vertices, vertex, size_t (level->VertexCount ()));
	NBSTAGE_SET (vertices.x, NBSTAGE_I16, wVertex, x), NBSTAGE_SET (vertices.y, NBSTAGE_I16, wVertex, y);
	nbstage_lines lines = {};
	NBSTAGE_SET_ARRAY (lines, list.data (), list.size ()); NBSTAGE_SET (lines.left_out, NBSTAGE_U8, sLine, leftOut);
	NBSTAGE_SET (lines.v1, NBSTAGE_U16, sLine, start), NBSTAGE_SET (lines.v2, NBSTAGE_U16, sLine, end);
	const nbstage_map map = { sizeof map, level->Name (), 0, 0, NULL, 0, &vertices, &lines, NULL, NULL, NULL };
	const nbstage_lump *made; // there is one: it was asked for
	Insist (nbstage_build (&stage, &map, &made));
	char *data = new char [made->data_size]; // of 16-bit words, which ZokumBSP writes in little-endian order
	for (size_t i = 0; i < made->data_size; i++) data [i] = static_cast<const char *> (made->data) [BYTE_ORDER == BIG_ENDIAN ? i ^ 1 : i];
	level->NewBlockMap (int (made->data_size), reinterpret_cast<wBlockMap *> (data));
	return true;
}
