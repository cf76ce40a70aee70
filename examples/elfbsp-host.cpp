/* SPDX-License-Identifier: 0BSD */
/* A builder with the structures of ELFBSP, which stay where they are:
   elfbsp-host [--blockmap-plugin FILE[,OPTION=VALUE]...] */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

/* --- What the builder has --- */

struct vertex {
    double x, y;
    size_t index;
    bool is_new, is_used;
    vertex *overlap;
    void *tips;
};
struct line {
    line *next;
    vertex *start, *end;
    void *right, *left;
    int32_t special;
    uint16_t tag;
    uint32_t effects; /* instead of flags and arguments */
    int angle;
    line *overlap;
    size_t index;
};
struct lump {
    const char *name;
    std::vector<uint8_t> bytes; /* in the file */
    size_t length() const
    {
        return bytes.size();
    }
    bool read(void *to, size_t size) const
    {
        return size == 0 || memcpy(to, bytes.data(), size);
    }
};
enum level_format { INVALID, DOOM, HEXEN, DOOM64, UDMF };
struct level {
    const char *name;
    level_format format;
    std::vector<vertex *> vertices;
    std::vector<line *> lines;
    std::vector<lump> lumps;
    const lump *find_lump(const char *wanted) const
    {
        for (const lump &each : lumps)
            if (strcmp(each.name, wanted) == 0)
                return &each;
        return nullptr;
    }
};

/* --- What you add: the stage --- */

#include "nbstage-host.h"

static struct nbstage stage; /* all zeros: none is loaded */

static void load_stage(const char *request)
{
    const char *defaults = "overflow=xbm1"; /* as this builder does */
    if (!nbstage_load(&stage, request, defaults, nullptr, "BLOCKMAP", nullptr))
        fprintf(stderr, "--blockmap-plugin: %s\n", stage.error);
    if (stage.failure == NBSTAGE_FAILURE_OPTION)
        exit(2); /* a typo must not make another blockmap */
}

static const nbstage_lump *call_stage(const level &from)
{
    static_assert(uint32_t(UDMF) == NBSTAGE_FORMAT_UDMF, "the same numbers");
    if (!nbstage_is_loaded(&stage))
        return nullptr;
    nbstage_map map = nbstage_new_map(from.name, uint32_t(from.format));
    nbstage_vertices vertices = {};
    NBSTAGE_SET_ARRAY(vertices, from.vertices.data(), from.vertices.size());
    vertices.array.is_indirect = 1; /* pointers to vertices */
    NBSTAGE_SET(vertices.x, NBSTAGE_DOUBLE, vertex, x);
    NBSTAGE_SET(vertices.y, NBSTAGE_DOUBLE, vertex, y);
    nbstage_lines lines = {};
    NBSTAGE_SET_ARRAY(lines, from.lines.data(), from.lines.size());
    lines.array.is_indirect = 1;
    NBSTAGE_SET_BEHIND(lines.v1, NBSTAGE_SIZE, line, start, vertex, index);
    NBSTAGE_SET_BEHIND(lines.v2, NBSTAGE_SIZE, line, end, vertex, index);
    map.vertices = &vertices;
    map.lines = &lines;
    /* Flags, arguments and sectors are in the lumps alone. */
    std::vector<std::vector<uint8_t>> bytes;
    std::vector<nbstage_lump> lumps;
    for (const char *name : {"LINEDEFS", "SIDEDEFS", "SECTORS", "THINGS",
                             "BEHAVIOR", "TEXTMAP", "BLOCKMAP"}) {
        const lump *found = from.find_lump(name);
        auto needs = stage.descriptor->needs_lump;
        if (!found || found->length() == 0 ||
            (needs && !needs(stage.instance, name)))
            continue;
        bytes.emplace_back(found->length());
        if (found->read(bytes.back().data(), found->length()))
            lumps.push_back({sizeof(nbstage_lump), name, bytes.back().data(),
                             found->length(), NBSTAGE_PLAIN});
    }
    map.lumps = lumps.data();
    map.lump_count = lumps.size();
    const nbstage_lump *made = nbstage_build(&stage, &map);
    if (stage.error[0] != '\0')
        fprintf(stderr, "%s\n", stage.error);
    return made;
}

/* --- What the builder has, with two calls that you add --- */

static void build_blockmap(const level &from)
{
    /* --- What you add: its call --- */
    if (const nbstage_lump *lump = call_stage(from)) {
        fwrite(lump->data, 1, lump->data_size, stdout);
        return;
    }
    /* --- End --- */
    printf("the builder's own blockmap of %s\n", from.name);
}

/* Doom: three rooms.  Of the lines between them one shows nothing, one has a
   special, and one asks to be left out. */
static vertex room[] = {
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
static vertex triangle[] = {
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

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--blockmap-plugin") == 0)
        /* --- What you add: its option --- */
        load_stage(argv[2]);
    /* --- End --- */
    level doom = {"MAP01",
                  DOOM,
                  {},
                  {},
                  {{"LINEDEFS", to_bytes(linedefs)},
                   {"SIDEDEFS", to_bytes(sidedefs)},
                   {"SECTORS", to_bytes(sectors)},
                   {"THINGS", to_bytes(things)}}};
    std::vector<line> lines(linedefs.size() / 7);
    for (vertex &each : room)
        doom.vertices.push_back(&each);
    for (size_t i = 0; i < lines.size(); i++) {
        lines[i].start = &room[linedefs[i * 7]];
        lines[i].end = &room[linedefs[i * 7 + 1]];
        doom.lines.push_back(&lines[i]);
    }
    build_blockmap(doom);
    level udmf = {"MAP02",
                  UDMF,
                  {},
                  {},
                  {{"TEXTMAP",
                    std::vector<uint8_t>(textmap, textmap + strlen(textmap))}}};
    for (size_t i = 0; i < 3; i++) {
        udmf.vertices.push_back(&triangle[i]);
        lines[i].start = &triangle[i];
        lines[i].end = &triangle[(i + 1) % 3];
        udmf.lines.push_back(&lines[i]);
    }
    build_blockmap(udmf);
    nbstage_close(&stage);
    return 0;
}
