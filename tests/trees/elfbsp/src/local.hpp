/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The structures of ELFBSP that the stage reads, laid out as there. */
#include "core.hpp"

struct vertex_t {
    double x, y;
    size_t index;
    bool is_new, is_used;
    vertex_t *overlap;
    void *tip_set;
};
struct linedef_t {
    linedef_t *Next;
    vertex_t *start, *end;
    void *right, *left;
    int32_t special;
    uint16_t tag;
    uint32_t effects;
    int angle;
    linedef_t *overlap;
    size_t index;
};
struct Lump_c {
    std::string lumpname;
    std::vector<uint8_t> bytes; /* in the file */
    const char *Name() const
    {
        return lumpname.c_str();
    }
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
struct level_t {
    size_t level_num, level_header_lump_index;
    std::vector<vertex_t *> vertices;
    std::vector<linedef_t *> linedefs;
    size_t block_count;
    bmap_format_t bmap_format;
    const char *GetLevelName() const;
    Lump_c *FindLevelLump(const char *name);
};
struct Wad_file {
    std::vector<Lump_c> directory;
    std::vector<size_t> levels; /* where each begins, and the end */
    std::vector<map_format_t> formats;
    Lump_c *GetLump(size_t index)
    {
        return &directory[index];
    }
    size_t LevelLastLump(size_t number)
    {
        return levels[number + 1] - 1;
    }
    map_format_t LevelFormat(size_t number)
    {
        return formats[number];
    }
};
extern Wad_file *cur_wad;

void CloseWad(void);
Lump_c *CreateLevelLump(level_t &level, const char *name, size_t max_size);
void InitBlockmap(level_t &level);
void PutBlockmap(level_t &level);
