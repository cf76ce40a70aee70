/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The structures of ELFBSP that the stage reads, laid out as there. */
#include "core.hpp"

#include <string>
#include <vector>

struct vertex_t {
    double x, y;
    size_t index;
    bool is_new, is_used;
    vertex_t *overlap;
    void *tip_set;
};
enum seg_rotation_t { FX_DoNotRotate };
struct linedef_t {
    linedef_t *Next;
    vertex_t *start, *end;
    void *right, *left;
    int32_t special;
    uint16_t tag;
    uint32_t effects; /* instead of flags and arguments */
    seg_rotation_t angle = FX_DoNotRotate;
    linedef_t *overlap;
    size_t index;
};
struct Lump_c {
    const char *name;
    std::vector<uint8_t> bytes; /* in the file */
    size_t Length() const
    {
        return bytes.size();
    }
    bool Seek(size_t offset) const
    {
        return offset == 0;
    }
    bool Read(void *to, size_t size) const
    {
        return memcpy(to, bytes.data(), size);
    }
    bool Write(const void *from, size_t size)
    {
        return fwrite(from, size, 1, stdout) == 1;
    }
    void Finish()
    {
    }
};
struct Wad_file {
    map_format_t format;
    Lump_c marker;
    Lump_c *GetLump(size_t)
    {
        return &marker;
    }
    map_format_t LevelFormat(size_t) const
    {
        return format;
    }
};
extern Wad_file *cur_wad;

struct level_t {
    const char *name;
    size_t level_num, level_header_lump_index, block_count;
    std::vector<vertex_t *> vertices;
    std::vector<linedef_t *> linedefs;
    std::vector<Lump_c> lumps;
    const char *GetLevelName() const
    {
        return name;
    }
    Lump_c *FindLevelLump(const char *wanted)
    {
        for (Lump_c &each : lumps)
            if (strcmp(each.name, wanted) == 0)
                return &each;
        return nullptr;
    }
};

Lump_c *CreateLevelLump(level_t &level, const char *name, size_t max_size);
void InitBlockmap(level_t &level);
void PutBlockmap(level_t &level);
