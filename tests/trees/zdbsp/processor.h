/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The structures of ZDBSP that the stage reads, laid out as there. */
#include "zdbsp.h"
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
struct FLevel {
    WideVertex *Vertices;
    int NumVertices;
    TArray<IntLineDef> Lines;
    WORD *Blockmap;
    int BlockmapSize;
    int RejectSize;
    int NumLines() const
    {
        return int(Lines.Size());
    }
};

struct FWadReader {
    const char *LumpName(int lump)
    {
        return lump == 0 ? "MAP01" : "MAP02";
    }
};
struct FWadWriter {
};

class FProcessor
{
  public:
    FProcessor(int lump);
    void Write(FWadWriter &out);

  private:
    void WriteLines (FWadWriter &out);
    void WriteBlockmap ();
    void WriteUDMF(FWadWriter &out);
    FLevel Level;
    bool Extended;
    bool isUDMF;
    FWadReader Wad;
    int Lump;
};
