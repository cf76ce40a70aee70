/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program with the structures of ZDBSP, and the lines that our script looks
   for; its own blockmap is a sentence. */
#include "processor.h"

/* Three rooms.  Of the lines between them one shows nothing, one has a special,
   and one asks to be left out. */
static const DWORD NONE = 0xFFFFFFFF;
static WideVertex vertices[] = {
    {-200 * 65536, -100 * 65536, 0}, {-200 * 65536, 500 * 65536, 0},
    {100 * 65536, 500 * 65536, 0},   {400 * 65536, 560 * 65536, 0},
    {900 * 65536, 650 * 65536, 0},   {700 * 65536, -100 * 65536, 0},
    {400 * 65536, -100 * 65536, 0},  {100 * 65536, -100 * 65536, 0},
};
static IntLineDef doom_lines[] = {
    {0, 1, 1, 0, {}, {0, NONE}, {}},    {1, 2, 1, 0, {}, {0, NONE}, {}},
    {2, 3, 1, 0, {}, {1, NONE}, {}},    {3, 4, 1, 0, {}, {2, NONE}, {}},
    {4, 5, 1, 0, {}, {2, NONE}, {}},    {5, 6, 1, 0, {}, {2, NONE}, {}},
    {6, 7, 1, 0, {}, {1, NONE}, {}},    {7, 0, 1, 0, {}, {0, NONE}, {}},
    {7, 2, 4, 0, {}, {1, 0}, {}},       {6, 3, 4, 0, {97, 7}, {2, 1}, {}},
    {6, 4, 4, 0, {0, 999}, {2, 2}, {}},
};
static IntLineDef hexen_lines[] = {
    {0, 1, 1, 0, {}, {0, NONE}, {}}, {1, 2, 1, 0, {}, {0, NONE}, {}},
    {2, 3, 1, 0, {}, {1, NONE}, {}}, {3, 4, 1, 0, {}, {2, NONE}, {}},
    {4, 5, 1, 0, {}, {2, NONE}, {}}, {5, 6, 1, 0, {}, {2, NONE}, {}},
    {6, 7, 1, 0, {}, {1, NONE}, {}}, {7, 0, 1, 0, {}, {0, NONE}, {}},
    {7, 2, 4, 0, {}, {1, 0}, {}},    {6, 3, 4, 70, {7}, {2, 1}, {}},
    {6, 4, 4, 108, {1}, {2, 2}, {}},
};
template <class T, unsigned count> static TArray<T> all(T (&elements)[count])
{
    return TArray<T>{elements, count, count};
}

FProcessor::FProcessor(int lump)
    : Level(), Extended(lump == 1), isUDMF(lump == 2), Lump(lump)
{
    Level.Vertices = vertices;
    Level.NumVertices = sizeof vertices / sizeof *vertices;
    Level.Lines = Extended ? all(hexen_lines) : all(doom_lines);
}

static WORD none[1];
struct FBlockmapBuilder {
    FBlockmapBuilder(const FLevel &level)
    {
        printf("the builder's own blockmap of %s\n",
               level.Lines.Array == doom_lines ? "MAP01" : "MAP02");
    }
    WORD *GetBlockmap(int &size)
    {
        size = 0;
        return none;
    }
};

void FProcessor::WriteLines(FWadWriter &)
{
    WriteBlockmap();
    delete[] Level.Blockmap;
}

// clang-format off
void FProcessor::WriteBlockmap ()
{
	const int count = Level.BlockmapSize;
	fwrite (Level.Blockmap, sizeof(WORD), size_t(count), stdout);

	if (count >= 65536)
	{
		fprintf (stderr, "BLOCKMAP is so big that ports will have to recreate it.\n");
	}
}

void FProcessor::Write (FWadWriter &out)
{
	if (!isUDMF)
	{
		FBlockmapBuilder bbuilder (Level);
		WORD *blocks = bbuilder.GetBlockmap (Level.BlockmapSize);
		Level.Blockmap = new WORD[size_t(Level.BlockmapSize)];
		memcpy (Level.Blockmap, blocks, size_t(Level.BlockmapSize)*sizeof(WORD));

		WriteLines (out);
	}
	else
	{
		WriteUDMF(out);
	}
}
