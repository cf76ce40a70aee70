// SPDX-License-Identifier: GPL-2.0-or-later
//
// Small files that take as much as they can: many maps that share their lines,
// lumps with as many blocks or words as there can be, and empty sectors.

#include "wadtool.h"

#include "random-map.h"

#include <stdio.h>
#include <string.h>

enum {
    EDGE = 32700, // farthest from 0, map units
    NO_LINEDEF = 0xFFFF,
    MOST_OFFSET = 0xFFFE,
    PERIOD = 60000, // after so many words a lump begins again
    MEBIBYTE = 1 << 20,
};

// Bytes of a file that several lumps may have.
struct span {
    size_t position, size;
};

static struct span put_bytes(struct wadwriter *output, struct buffer *bytes)
{
    struct span span = {wadwriter_position(output), bytes->size};
    buffer_put(&output->lumps, bytes->bytes, bytes->size);
    buffer_free(bytes);
    return span;
}

static void put_span(struct wadwriter *output, const char *name,
                     struct span span)
{
    wadwriter_put_entry(output, name, span.position, span.size);
}

static void put_words(struct buffer *bytes, const uint32_t *words, size_t count,
                      bool are_wide)
{
    for (size_t i = 0; i < count; i++)
        if (are_wide)
            buffer_put_u32(bytes, words[i]);
        else
            buffer_put_u16(bytes, words[i] & 0xFFFF);
}

// ---------------------------------------------------------------------------
// Maps

static const struct crowd {
    const char *name;
    uint32_t line_count;
    uint32_t extent; // map units, from the south-west
    bool has_lump;   // of one block, in the south-west
    bool is_random;  // vertices are anywhere, and maps share most of them
} crowds[] = {
    {"tiny", 2, 100, false, false},
    {"grids", 1, 2 * EDGE, false, false},
    {"grids-with-lumps", 1, 2 * EDGE, true, false},
    {"lines", 400, 2 * EDGE, false, true},
};

static struct span put_linedefs(struct wadwriter *output, uint32_t count)
{
    struct buffer bytes = {0};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t words[] = {2 * i, 2 * i + 1, 1, 0, 0, 0, NO_LINEDEF};
        put_words(&bytes, words, sizeof words / sizeof *words, false);
    }
    return put_bytes(output, &bytes);
}

// Vertices are in the south-west and the north-east by turns, and no pair of
// them is in the same places as another one.
static struct span put_vertices(struct wadwriter *output,
                                const struct crowd *crowd, uint32_t count)
{
    struct random_stream random = {1};
    struct buffer bytes = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pair = i / 2;
        uint32_t x = pair % 60;
        uint32_t y = pair / 60 % 60;
        if (crowd->is_random) {
            x = random_below(&random, crowd->extent);
            y = random_below(&random, crowd->extent);
        } else if (i % 2 == 1) {
            x = crowd->extent - pair / 3600 % 60;
            y = crowd->extent;
        }
        buffer_put_u16(&bytes, (x - EDGE) & 0xFFFF);
        buffer_put_u16(&bytes, (y - EDGE) & 0xFFFF);
    }
    return put_bytes(output, &bytes);
}

static struct span put_small_lump(struct wadwriter *output)
{
    static const uint32_t words[] = {
        (uint32_t)-EDGE, (uint32_t)-EDGE, 1, 1, 5, 0, 0, NO_LINEDEF};
    struct buffer bytes = {0};
    put_words(&bytes, words, sizeof words / sizeof *words, false);
    return put_bytes(output, &bytes);
}

static const struct crowd *find_crowd(const char *name)
{
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++)
        if (strcmp(crowds[i].name, name) == 0)
            return &crowds[i];
    fail("there are no maps of the kind %s", name);
}

void wadtool_crowd(struct wadfile *none, char **arguments)
{
    const struct crowd *crowd = find_crowd(arguments[0]);
    const uint32_t count = parse_number(arguments[1], 1, 9999999);
    const uint32_t used = 2 * crowd->line_count; // vertices of a map
    const bool differ = strcmp(arguments[2], "different") == 0;
    const uint32_t step = !differ ? 0 : crowd->is_random ? 1 : used;
    struct wadwriter output = {0};
    (void)none;
    struct span linedefs = put_linedefs(&output, crowd->line_count);
    struct span lump = put_small_lump(&output);
    struct span vertices =
        put_vertices(&output, crowd, used + step * (count - 1));
    vertices.size = used * VERTEX_SIZE;
    for (uint32_t i = 0; i < count; i++) {
        char name[9];
        snprintf(name, sizeof name, "M%07u", (unsigned)i % 10000000);
        wadwriter_put(&output, name, NULL, 0);
        put_span(&output, "LINEDEFS", linedefs);
        put_span(&output, "VERTEXES", vertices);
        vertices.position += step * VERTEX_SIZE;
        if (crowd->has_lump)
            put_span(&output, "BLOCKMAP", lump);
    }
    wadwriter_write(&output, arguments[3]);
}

// ---------------------------------------------------------------------------
// Lumps

static const struct vast_lump {
    const char *name;
    bool is_xbm1;
    uint32_t columns, rows;
    bool are_zero; // offsets and words of lists
} vast_lumps[] = {
    {"zeros", false, 5700, 5700, true},
    {"classic", false, 240, 240, false},
    {"xbm1", true, 512, 512, false},
};

static void put_lump(struct wadwriter *output, const struct vast_lump *vast,
                     size_t size)
{
    struct buffer bytes = {0};
    const uint32_t blocks = vast->columns * vast->rows;
    const uint32_t begin = 4 + blocks;
    const uint32_t end = vast->is_xbm1 ? UINT32_MAX : UINT16_MAX;
    const uint32_t grid[] = {0, 0, vast->columns, vast->rows};
    if (vast->is_xbm1)
        buffer_put(&bytes, "XBM1\0\0\0", 8);
    put_words(&bytes, grid, 4, vast->is_xbm1);
    const size_t words = size / (vast->is_xbm1 ? 4 : 2);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t offset = vast->is_xbm1 ? begin + b : begin;
        put_words(&bytes, vast->are_zero ? &(uint32_t){0} : &offset, 1,
                  vast->is_xbm1);
    }
    for (size_t w = begin; w + 1 < words; w++) {
        uint32_t word = vast->are_zero ? 0 : (uint32_t)(w % PERIOD);
        put_words(&bytes, &word, 1, vast->is_xbm1);
    }
    put_words(&bytes, &end, 1, vast->is_xbm1);
    put_span(output, "BLOCKMAP", put_bytes(output, &bytes));
}

void wadtool_vast_lump(struct wadfile *none, char **arguments)
{
    static const struct crowd line = {NULL, 1, 100, false, false};
    struct wadwriter output = {0};
    size_t size = (size_t)parse_number(arguments[1], 1, 1000) * MEBIBYTE;
    size_t i = 0;
    (void)none;
    while (i < sizeof vast_lumps / sizeof *vast_lumps &&
           strcmp(vast_lumps[i].name, arguments[0]) != 0)
        i++;
    if (i == sizeof vast_lumps / sizeof *vast_lumps)
        fail("there is no lump %s", arguments[0]);
    wadwriter_put(&output, "MAP01", NULL, 0);
    put_span(&output, "LINEDEFS", put_linedefs(&output, 1));
    put_span(&output, "VERTEXES", put_vertices(&output, &line, 2));
    put_lump(&output, &vast_lumps[i], size);
    wadwriter_write(&output, arguments[2]);
}

// ---------------------------------------------------------------------------
// Sectors

void wadtool_sectors(struct wadfile *none, char **arguments)
{
    struct wadwriter output = {0};
    struct buffer text = {0};
    (void)none;
    buffer_print(&text, "namespace=\"zdoom\";vertex{x=0;y=0;}vertex{x=9;y=9;}"
                        "linedef{v1=0;v2=1;sidefront=0;}sidedef{sector=0;}");
    for (uint32_t i = parse_number(arguments[0], 1, 99999999); i > 0; i--)
        buffer_put(&text, "sector{}", strlen("sector{}"));
    wadwriter_put(&output, "MAP01", NULL, 0);
    wadwriter_put(&output, "TEXTMAP", text.bytes, text.size);
    wadwriter_put(&output, "ENDMAP", NULL, 0);
    buffer_free(&text);
    wadwriter_write(&output, arguments[1]);
}
