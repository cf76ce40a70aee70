/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The structures of ZDBSP that the stage reads, laid out as there. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t fixed_t;
typedef uint8_t BYTE;
typedef uint16_t WORD;
#ifdef _WIN32
typedef unsigned long DWORD;
#else
typedef uint32_t DWORD;
#endif

template <class T> struct TArray {
    T *Array;
    unsigned Most, Count;
    T &operator[](size_t index)
    {
        return Array[index];
    }
    unsigned Size() const
    {
        return Count;
    }
};

struct WideVertex {
    fixed_t x, y;
    int index;
};
struct IntLineDef {
    DWORD v1, v2;
    int flags, special;
    int args[5]; /* in the format of Doom: special and tag */
    DWORD sidenum[2];
    TArray<int> props;
};
struct IntSideDef {
    short offsets[2];
    char textures[3][8];
    int sector;
    TArray<int> props;
};
struct MapSector {
    short floorheight, ceilingheight;
    char floorpic[8], ceilingpic[8];
    short lightlevel, special, tag;
};
struct IntSector {
    MapSector data;
    TArray<int> props;
};
struct IntThing {
    unsigned short thingid;
    fixed_t x, y;
    short z, angle, type, flags;
    char special, args[5];
    TArray<int> props;
};

struct FLevel {
    WideVertex *Vertices;
    int NumVertices;
    TArray<IntSideDef> Sides;
    TArray<IntLineDef> Lines;
    TArray<IntSector> Sectors;
    TArray<IntThing> Things;
    WORD *Blockmap;
    int BlockmapSize;
    int RejectSize;
    int NumSides() const
    {
        return int(Sides.Size());
    }
    int NumLines() const
    {
        return int(Lines.Size());
    }
    int NumSectors() const
    {
        return int(Sectors.Size());
    }
    int NumThings() const
    {
        return int(Things.Size());
    }
};

struct FWadReader {
    const char *LumpName(int lump)
    {
        return lump == 0 ? "MAP01" : "MAP02";
    }
};
template <class T> void ReadLump(FWadReader &, int, T *&data, int &size)
{
    size = 0;
    data = new T[1];
}

class FProcessor
{
  public:
    FProcessor(int lump);
    void Write();

  private:
    FLevel Level;
    bool Extended;
    FWadReader Wad;
    int Lump;
};
