/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The structures of ZokumBSP that the stage reads, laid out as there. */
#include <stdint.h>
#include <stdio.h>

#ifdef _WIN32
#define LITTLE_ENDIAN 1234
#define BIG_ENDIAN 4321
#define BYTE_ORDER LITTLE_ENDIAN
#endif

typedef uint16_t UINT16;

struct wVertex {
    int16_t x, y;
};
struct wLineDefInternal {
    uint16_t start, end, flags;
    uint16_t type, tag; /* in the format of Doom */
    uint16_t sideDef[2];
    uint8_t special, arg[5]; /* in the format of Hexen */
};
struct wBlockMap;
struct sMapExtraData {
    bool *lineDefsCollidable;
    int leftMostVertex, bottomVertex;
};

class DoomLevel
{
  public:
    DoomLevel(bool hexen);
    DoomLevel(const DoomLevel &) = delete;
    ~DoomLevel();
    const char *Name() const;
    int LineDefCount() const;
    int VertexCount() const;
    wLineDefInternal *GetLineDefs() const;
    const wVertex *GetVertices() const;
    void NewBlockMap(int size, wBlockMap *data);

    sMapExtraData *extraData;

  private:
    bool is_hexen;
};
