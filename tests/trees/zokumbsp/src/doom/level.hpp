/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The structures of ZokumBSP that the stage reads, laid out as there. */
#include <stdint.h>
#include <stdio.h>

struct wVertex {
    int16_t x, y;
};
struct wLineDefInternal {
    uint16_t start, end, flags;
    uint16_t type, tag; /* in the format of Doom */
    uint16_t sideDef[2];
    uint8_t special, arg[5]; /* in the format of Hexen */
};
struct wSideDef {
    int16_t xOff, yOff;
    char text1[8], text2[8], text3[8];
    uint16_t sector;
};
struct wSector {
    int16_t floorh, ceilh;
    char floorTexture[8], ceilTexture[8];
    uint16_t light, special, trigger;
};
struct wThingInternal {
    int16_t xPos, yPos;
    uint16_t angle, type, attr, tid, altitude;
    uint8_t special, arg[5];
};
struct wBlockMap;
struct wadDirEntry {
    uint32_t offset, size;
};
class WAD
{
  public:
    const wadDirEntry *FindDir(const char *name) const;
};

class DoomLevel
{
  public:
    DoomLevel(bool hexen);
    const char *Name() const;
    const WAD *GetWAD() const;
    int ThingCount() const;
    int LineDefCount() const;
    int SideDefCount() const;
    int VertexCount() const;
    int SectorCount() const;
    int BehaviorSize() const;
    const wThingInternal *GetThings() const;
    wLineDefInternal *GetLineDefs() const;
    const wSideDef *GetSideDefs() const;
    const wVertex *GetVertices() const;
    const wSector *GetSectors() const;
    void NewBlockMap(int size, wBlockMap *data);

  private:
    bool is_hexen;
};
