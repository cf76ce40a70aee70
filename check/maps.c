// SPDX-License-Identifier: GPL-2.0-or-later
//
// A map is drawn as tables of words of 16 bits.  They are written as lumps of
// Doom's format, or handed over as arrays.

#include "check.h"

#include <string.h>

uint32_t map_random(uint64_t *state, uint32_t end)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 32) * end >> 32);
}

enum { VERTICES, LINES, SIDES, SECTORS };

static const struct {
    const char *name;
    uint16_t words; // of an element
    uint16_t count;
} kinds[MAP_LUMPS] = {{"VERTEXES", 2, 40},
                      {"LINEDEFS", 7, 60},
                      {"SIDEDEFS", 15, 60},
                      {"SECTORS", 13, 9}};

struct drawing {
    uint16_t words[MAP_LUMPS][MAP_LUMP_SIZE / 2];
};

// The lines of drawing 0 follow each other; those of others go anywhere, and
// some have no length.
static struct drawing map_draw(size_t index)
{
    static const uint32_t widths[] = {1000, 2000, 20000};
    uint64_t state = settings.seed;
    struct drawing made = {0};
    uint16_t *line = made.words[LINES], *side = made.words[SIDES];
    for (int i = 0; i < kinds[VERTICES].words * kinds[VERTICES].count; i++)
        made.words[VERTICES][i] =
            (uint16_t)(map_random(&state, widths[index]) - widths[index] / 2);
    for (uint32_t i = 0; i < kinds[LINES].count; i++) {
        for (uint32_t end = 0; end < 2; end++)
            line[end] =
                (uint16_t)((index == 0 ? i + end : map_random(&state, 999)) %
                           kinds[VERTICES].count);
        line[2] = 1;           // flags
        line[5] = (uint16_t)i; // front side
        line[6] = 0xFFFF;      // back side
        side[14] = (uint16_t)(i % kinds[SECTORS].count);
        line += kinds[LINES].words;
        side += kinds[SIDES].words;
    }
    for (size_t i = 0; i < kinds[SECTORS].count; i++)
        made.words[SECTORS][kinds[SECTORS].words * i + 1] = 128; // ceiling
    return made;
}

static void map_add_lumps(struct nbstage_map *map,
                          const struct drawing *drawing)
{
    struct nbstage_lump lumps[MAP_LUMPS];
    for (size_t i = 0; i < MAP_LUMPS; i++) {
        const char *name = kinds[i].name;
        const size_t count = (size_t)kinds[i].count * kinds[i].words;
        unsigned char bytes[MAP_LUMP_SIZE]; // little-endian
        for (size_t word = 0; word < count; word++) {
            bytes[2 * word] = (unsigned char)drawing->words[i][word];
            bytes[2 * word + 1] = (unsigned char)(drawing->words[i][word] >> 8);
        }
        lumps[i] = (struct nbstage_lump){
            sizeof *lumps, guarded_copy(name, strlen(name) + 1),
            guarded_copy(bytes, 2 * count), 2 * count, NBSTAGE_PLAIN};
    }
    map->lumps = guarded_copy(lumps, sizeof lumps);
    map->lump_count = MAP_LUMPS;
}

// Elements with some bytes of garbage between them; the last one ends where
// memory ends.
static struct nbstage_array map_spread(size_t description_size, size_t kind,
                                       const struct drawing *drawing,
                                       size_t between)
{
    const size_t size = 2 * kinds[kind].words, stride = size + between;
    char bytes[2 * MAP_LUMP_SIZE];
    memset(bytes, 0xA5, sizeof bytes);
    for (size_t i = 0; i < kinds[kind].count; i++)
        memcpy(bytes + i * stride, &drawing->words[kind][i * kinds[kind].words],
               size);
    return (struct nbstage_array){
        description_size,
        guarded_copy(bytes, kinds[kind].count * stride - between),
        kinds[kind].count, stride, 0};
}

static void map_add_arrays(struct nbstage_map *map,
                           const struct drawing *drawing, size_t between)
{
    const struct nbstage_vertices vertices = {
        .array = map_spread(sizeof vertices, VERTICES, drawing, between),
        .x = {NBSTAGE_I16, 0, 0},
        .y = {NBSTAGE_I16, 2, 0}};
    const struct nbstage_lines lines = {
        .array = map_spread(sizeof lines, LINES, drawing, between),
        .v1 = {NBSTAGE_U16, 0, 0},
        .v2 = {NBSTAGE_U16, 2, 0},
        .flags = {NBSTAGE_U16, 4, 0},
        .special = {NBSTAGE_U16, 6, 0},
        .tag = {NBSTAGE_U16, 8, 0},
        .front_side = {NBSTAGE_U16, 10, 0},
        .back_side = {NBSTAGE_U16, 12, 0}};
    const struct nbstage_sides sides = {
        .array = map_spread(sizeof sides, SIDES, drawing, between),
        .sector = {NBSTAGE_U16, 28, 0}};
    const struct nbstage_sectors sectors = {
        .array = map_spread(sizeof sectors, SECTORS, drawing, between),
        .floor = {NBSTAGE_I16, 0, 0},
        .ceiling = {NBSTAGE_I16, 2, 0},
        .floor_flat = {NBSTAGE_NAME, 4, 0},
        .ceiling_flat = {NBSTAGE_NAME, 12, 0},
        .special = {NBSTAGE_U16, 22, 0},
        .tag = {NBSTAGE_U16, 24, 0}};
    map->vertices = guarded_copy(&vertices, sizeof vertices);
    map->lines = guarded_copy(&lines, sizeof lines);
    map->sides = guarded_copy(&sides, sizeof sides);
    map->sectors = guarded_copy(&sectors, sizeof sectors);
}

struct nbstage_map map_make(size_t index)
{
    static const char *const names[FORMS] = {
        "as lumps", "as arrays", "as spread arrays", "as arrays and lumps"};
    const struct drawing drawing = map_draw(index / FORMS);
    const enum form form = index % FORMS;
    char name[48];
    snprintf(name, sizeof name, "map %zu %s", index / FORMS, names[form]);
    struct nbstage_map map = {.size = sizeof map,
                              .name = guarded_copy(name, strlen(name) + 1),
                              .format = NBSTAGE_FORMAT_DOOM};
    if (form == FORM_LUMPS || form == FORM_BOTH)
        map_add_lumps(&map, &drawing);
    if (form != FORM_LUMPS) // nothing need be aligned
        map_add_arrays(&map, &drawing, form == FORM_SPREAD ? 13 : 0);
    return map;
}
