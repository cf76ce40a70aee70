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
static const wSideDef sides[] = {
    {0, 0, "", "", "", 0}, {0, 0, "", "", "", 1}, {0, 0, "", "", "", 2}};
static const wSector sectors[] = {
    {0, 128, "FLOOR", "CEIL", 160, 0, 0},
    {0, 128, "FLOOR", "CEIL", 192, 0, 0},
    {0, 128, "FLOOR", "CEIL", 160, 0, 7},
};
static const wThingInternal things[] = {{0, 0, 0, 1, 7, 0, 0, 0, {}}};

DoomLevel::DoomLevel(bool hexen) : is_hexen(hexen)
{
}
const char *DoomLevel::Name() const
{
    return is_hexen ? "MAP02" : "MAP01";
}
const WAD *DoomLevel::GetWAD() const
{
    static const WAD wad;
    return &wad;
}
const wadDirEntry *WAD::FindDir(const char *) const
{
    static const wadDirEntry marker = {12, 0};
    return &marker;
}
int DoomLevel::BehaviorSize() const
{
    return is_hexen;
}
wLineDefInternal *DoomLevel::GetLineDefs() const
{
    return is_hexen ? hexen_lines : doom_lines;
}
int DoomLevel::LineDefCount() const
{
    return sizeof doom_lines / sizeof *doom_lines;
}
#define ACCESSORS(type, name, array) \
    const type *DoomLevel::Get##name##s() const \
    { \
        return array; \
    } \
    int DoomLevel::name##Count() const \
    { \
        return sizeof array / sizeof *array; \
    }
ACCESSORS(wThingInternal, Thing, things)
ACCESSORS(wSideDef, SideDef, sides)
ACCESSORS(wSector, Sector, sectors)
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
int CreateBLOCKMAP(DoomLevel *level) {
    printf("the builder's own blockmap of %s\n", level->Name());
    return 0;
}
