// SPDX-License-Identifier: GPL-2.0-or-later
//
// ZDBSP's own blockmap code behind three C functions, for `make bench`.  It is
// compiled with blockmapbuilder.cpp of ZDBSP's sources, which are not part of
// this project.

#include "zdbsp.h"

#include "blockmapbuilder.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Of a level, only what that code reads.
FLevel::FLevel()
{
    memset(static_cast<void *>(&Vertices), 0, sizeof Vertices);
    NumVertices = 0;
    MinX = MinY = MaxX = MaxY = 0;
}

FLevel::~FLevel()
{
    delete[] Vertices;
}

// Vertices are pairs of x and y in 16.16, lines pairs of their numbers.
extern "C" void *zdbsp_open(const int32_t *vertices, size_t vertex_count,
                            const uint32_t *ends, size_t line_count)
{
    FLevel *level = new FLevel;
    level->Vertices = new WideVertex[vertex_count];
    level->NumVertices = static_cast<int>(vertex_count);
    for (size_t i = 0; i < vertex_count; i++) {
        const fixed_t x = vertices[2 * i], y = vertices[2 * i + 1];
        level->Vertices[i].x = x;
        level->Vertices[i].y = y;
        level->MinX = i == 0 || x < level->MinX ? x : level->MinX;
        level->MinY = i == 0 || y < level->MinY ? y : level->MinY;
        level->MaxX = i == 0 || x > level->MaxX ? x : level->MaxX;
        level->MaxY = i == 0 || y > level->MaxY ? y : level->MaxY;
    }
    for (size_t i = 0; i < line_count; i++) {
        IntLineDef line = IntLineDef();
        line.v1 = ends[2 * i];
        line.v2 = ends[2 * i + 1];
        level->Lines.Push(line);
    }
    return level;
}

// Returns the bytes of the lump that it makes.
extern "C" size_t zdbsp_build(void *level)
{
    int words;
    FBlockmapBuilder builder(*static_cast<FLevel *>(level));
    builder.GetBlockmap(words); // which stays the builder's
    return 2 * static_cast<size_t>(words);
}

extern "C" void zdbsp_close(void *level)
{
    delete static_cast<FLevel *>(level);
}
