/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two levels in the structures of ELFBSP, and options read as there:
   main [--bmap] [--map]... */
#include "local.hpp"

buildinfo_t config = {BMAP_DoomBSP};
Wad_file *cur_wad;
static std::string opt_output;
static std::vector<const char *> wad_list = {"in.wad"};

/* Doom: three rooms.  Of the lines between them one shows nothing, one has a
   special, and one asks to be left out. */
static vertex_t room[] = {
    {-200, -100, 0, false, true, nullptr, nullptr},
    {-200, 500, 1, false, true, nullptr, nullptr},
    {100, 500, 2, false, true, nullptr, nullptr},
    {400, 560, 3, false, true, nullptr, nullptr},
    {900, 650, 4, false, true, nullptr, nullptr},
    {700, -100, 5, false, true, nullptr, nullptr},
    {400, -100, 6, false, true, nullptr, nullptr},
    {100, -100, 7, false, true, nullptr, nullptr},
};
static const std::vector<uint16_t> linedefs = {
    0,     1,     1,     0,     0, 0, 65535, 1,     2,     1,     0, 0, 0,
    65535, 2,     3,     1,     0, 0, 1,     65535, 3,     4,     1, 0, 0,
    2,     65535, 4,     5,     1, 0, 0,     2,     65535, 5,     6, 1, 0,
    0,     2,     65535, 6,     7, 1, 0,     0,     1,     65535, 7, 0, 1,
    0,     0,     0,     65535, 7, 2, 4,     0,     0,     1,     0, 6, 3,
    4,     97,    7,     2,     1, 6, 4,     4,     0,     999,   2, 2,
};
static const std::vector<uint16_t> sidedefs = {
    0, 0, '-', 0, 0, 0, '-', 0, 0, 0, '-', 0, 0, 0, 0, // of sector 0
    0, 0, '-', 0, 0, 0, '-', 0, 0, 0, '-', 0, 0, 0, 1,
    0, 0, '-', 0, 0, 0, '-', 0, 0, 0, '-', 0, 0, 0, 2,
};
static const std::vector<uint16_t> sectors = {
    0, 128, 'F', 0, 0, 0, 'C', 0, 0, 0, 160, 0, 0,
    0, 128, 'F', 0, 0, 0, 'C', 0, 0, 0, 192, 0, 0,
    0, 128, 'F', 0, 0, 0, 'C', 0, 0, 0, 160, 0, 7,
};
static const std::vector<uint16_t> things = {0, 0, 0, 1, 7};

/* UDMF: a triangle. */
static vertex_t triangle[] = {
    {-200.0, -100.0, 0, false, true, nullptr, nullptr},
    {-200.7, 500.0, 1, false, true, nullptr, nullptr},
    {900.0, 650.25, 2, false, true, nullptr, nullptr},
};
static const char *const textmap =
    "namespace = \"zdoom\"; sector { } sidedef { sector = 0; }"
    "vertex { x = -200.0; y = -100.0; } vertex { x = -200.7; y = 500.0; }"
    "vertex { x = 900.0; y = 650.25; }"
    "linedef { v1 = 0; v2 = 1; blocking = true; sidefront = 0; }"
    "linedef { v1 = 1; v2 = 2; blocking = true; sidefront = 0; }"
    "linedef { v1 = 2; v2 = 0; blocking = true; sidefront = 0; id = 999; }";

static std::vector<uint8_t> to_bytes(const std::vector<uint16_t> &words)
{
    std::vector<uint8_t> bytes;
    for (int word : words) {
        bytes.push_back(uint8_t(word & 0xFF));
        bytes.push_back(uint8_t(word >> 8));
    }
    return bytes;
}

const char *level_t::GetLevelName() const
{
    return cur_wad->GetLump(level_header_lump_index)->Name();
}

Lump_c *level_t::FindLevelLump(const char *name)
{
    for (size_t i = level_header_lump_index + 1;
         i <= cur_wad->LevelLastLump(level_num); i++)
        if (strcmp(cur_wad->GetLump(i)->Name(), name) == 0)
            return cur_wad->GetLump(i);
    return nullptr;
}

void CloseWad(void)
{
    cur_wad = nullptr;
}

// clang-format off
static int32_t take_option(const char *name, int argc, char **argv)
{
    int32_t used = 0;

    if (strcmp(name, "--bmap") == 0)
    {
        config.bmap_format = BMAP_XBM1;
    }
    else if (strcmp(name, "--map") == 0)
    {
        fputs(PRINT_HELP, stdout);
    }
    else if (argc > 0)
    {
        opt_output = argv[0];
    }

    return used;
}

static void visit_file(const char *);

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        i += take_option(argv[i], argc - i - 1, argv + i + 1);

    for (const auto &wad : wad_list)
    {
        visit_file(wad);
    }

    return 0;
}
// clang-format on

static void visit_file(const char *)
{
    Wad_file wad = {
        {{"MAP01", {}},
         {"LINEDEFS", to_bytes(linedefs)},
         {"SIDEDEFS", to_bytes(sidedefs)},
         {"SECTORS", to_bytes(sectors)},
         {"THINGS", to_bytes(things)},
         {"MAP02", {}},
         {"TEXTMAP", std::vector<uint8_t>(textmap, textmap + strlen(textmap))},
         {"ENDMAP", {}}},
        {0, 5, 8},
        {MapFormat_Doom, MapFormat_UDMF}};
    std::vector<linedef_t> lines(linedefs.size() / 7);
    cur_wad = &wad;
    for (size_t number = 0; number < 2; number++) {
        level_t level = {number, wad.levels[number], {}, {}, 0, BMAP_DoomBSP};
        for (vertex_t &each : room)
            if (number == 0)
                level.vertices.push_back(&each);
        for (vertex_t &each : triangle)
            if (number == 1)
                level.vertices.push_back(&each);
        for (size_t i = 0; i < (number == 0 ? lines.size() : 3); i++) {
            lines[i].index = i;
            lines[i].start =
                number == 0 ? &room[linedefs[i * 7]] : &triangle[i];
            lines[i].end = number == 0 ? &room[linedefs[i * 7 + 1]]
                                       : &triangle[(i + 1) % 3];
            lines[i].effects = number == 0 && linedefs[i * 7 + 4] == 999
                                   ? FX_NoBlockmap
                                   : FX_Nothing;
            level.linedefs.push_back(&lines[i]);
        }
        InitBlockmap(level);
        PutBlockmap(level);
    }
}
