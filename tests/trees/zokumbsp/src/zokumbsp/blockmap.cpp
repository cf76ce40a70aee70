/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A level in the structures of ZokumBSP, whose own blockmap is a sentence. */
#include "zennode.hpp"

/* Three rooms.  Of the lines between them one shows nothing, one has a special,
   and one asks to be left out. */
static const uint16_t NONE = 0xFFFF;
static const wVertex vertices[] = {
    {-200, -100}, {-200, 500}, {100, 500},  {400, 560},
    {900, 650},   {700, -100}, {400, -100}, {100, -100},
};
static wLineDefInternal doom_lines[] = {
    {0, 1, 1, 0, 0, {0, NONE}, 0, {}}, {1, 2, 1, 0, 0, {0, NONE}, 0, {}},
    {2, 3, 1, 0, 0, {1, NONE}, 0, {}}, {3, 4, 1, 0, 0, {2, NONE}, 0, {}},
    {4, 5, 1, 0, 0, {2, NONE}, 0, {}}, {5, 6, 1, 0, 0, {2, NONE}, 0, {}},
    {6, 7, 1, 0, 0, {1, NONE}, 0, {}}, {7, 0, 1, 0, 0, {0, NONE}, 0, {}},
    {7, 2, 4, 0, 0, {1, 0}, 0, {}},    {6, 3, 4, 97, 7, {2, 1}, 0, {}},
    {6, 4, 4, 0, 999, {2, 2}, 0, {}},
};
static wLineDefInternal hexen_lines[] = {
    {0, 1, 1, 0, 0, {0, NONE}, 0, {}}, {1, 2, 1, 0, 0, {0, NONE}, 0, {}},
    {2, 3, 1, 0, 0, {1, NONE}, 0, {}}, {3, 4, 1, 0, 0, {2, NONE}, 0, {}},
    {4, 5, 1, 0, 0, {2, NONE}, 0, {}}, {5, 6, 1, 0, 0, {2, NONE}, 0, {}},
    {6, 7, 1, 0, 0, {1, NONE}, 0, {}}, {7, 0, 1, 0, 0, {0, NONE}, 0, {}},
    {7, 2, 4, 0, 0, {1, 0}, 0, {}},    {6, 3, 4, 0, 0, {2, 1}, 70, {7}},
    {6, 4, 4, 0, 0, {2, 2}, 108, {1}},
};

/* Has decided on the last line itself. */
DoomLevel::DoomLevel(bool hexen)
    : extraData(new sMapExtraData()), is_hexen(hexen)
{
    bool *listed = new bool[sizeof doom_lines / sizeof *doom_lines];
    for (int i = 0; i < LineDefCount(); i++)
        listed[i] = i < LineDefCount() - 1;
    *extraData = {listed, -200, -100};
}
DoomLevel::~DoomLevel()
{
    delete[] extraData->lineDefsCollidable;
    delete extraData;
}
const char *DoomLevel::Name() const
{
    return is_hexen ? "MAP02" : "MAP01";
}
wLineDefInternal *DoomLevel::GetLineDefs() const
{
    return is_hexen ? hexen_lines : doom_lines;
}
int DoomLevel::LineDefCount() const
{
    return sizeof doom_lines / sizeof *doom_lines;
}
const wVertex *DoomLevel::GetVertices() const
{
    return vertices;
}
int DoomLevel::VertexCount() const
{
    return sizeof vertices / sizeof *vertices;
}

void DoomLevel::NewBlockMap(int size, wBlockMap *data)
{
    char *bytes = reinterpret_cast<char *>(data);
    fwrite(bytes, 1, size_t(size), stdout);
    delete[] bytes;
}

// clang-format off
int CreateBLOCKMAP(DoomLevel *level, sBlockMapOptions &options) {
    bool eight;
    eight = options.OffsetEight;
    printf("the builder's own blockmap of %s%s\n", level->Name(), eight ? ", 8,8" : "");
    return 0;
}
