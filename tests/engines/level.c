// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lumps are taken as arrays of elements, and those of 16-bit words.  What is
// read from one lump as the number of an element of another has to be there.

#include "level.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void level_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void *level_allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        level_fail("no memory for %zu elements", count);
    return memory;
}

// Sizes of elements in words.
enum {
    THING_WORDS = 5,
    LINEDEF_WORDS = 7,
    SIDEDEF_WORDS = 15,
    SECTOR_WORDS = 13,
    SEG_WORDS = 6,
    SUBSECTOR_WORDS = 2,
    NODE_WORDS = 14,
};

// A lump, or an element of one.
struct words {
    const unsigned char *bytes;
    size_t count; // elements
    size_t size;  // of an element, bytes
};

static struct words find_words(const struct wadfile_map *map, const char *name,
                               size_t size)
{
    const struct wadfile_lump *lump = wadfile_find_lump(map, name);
    return (struct words){lump->data, lump->size / (2 * size), 2 * size};
}

static uint16_t get_word(const struct words *words, size_t element, size_t word)
{
    if (element >= words->count)
        level_fail("element %zu of %zu", element, words->count);
    const unsigned char *bytes =
        words->bytes + element * words->size + 2 * word;
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static int32_t get_number(const struct words *words, size_t element,
                          size_t word)
{
    return (int16_t)get_word(words, element, word);
}

static struct level_point get_point(const struct words *words, size_t element,
                                    size_t word)
{
    return (struct level_point){get_number(words, element, word) * LEVEL_UNIT,
                                get_number(words, element, word + 1) *
                                    LEVEL_UNIT};
}

// The sector of a sidedef, or LEVEL_NONE if there is none.
static uint16_t get_sector(const struct level *level,
                           const struct words *sidedefs, uint16_t sidedef)
{
    if (sidedef == 0xFFFF)
        return LEVEL_NONE;
    uint16_t sector = get_word(sidedefs, sidedef, SIDEDEF_WORDS - 1);
    if (sector >= level->sector_count)
        level_fail("sidedef %u has no sector", (unsigned)sidedef);
    return sector;
}

static void decode_linedefs(const struct wadfile_map *map, struct level *level)
{
    struct words vertexes = find_words(map, "VERTEXES", 2);
    struct words sidedefs = find_words(map, "SIDEDEFS", SIDEDEF_WORDS);
    struct words words = find_words(map, "LINEDEFS", LINEDEF_WORDS);
    level->linedef_count = words.count;
    level->linedefs = level_allocate(words.count, sizeof *level->linedefs);
    for (size_t i = 0; i < words.count; i++) {
        struct level_linedef *linedef = &level->linedefs[i];
        linedef->v1 = get_point(&vertexes, get_word(&words, i, 0), 0);
        linedef->v2 = get_point(&vertexes, get_word(&words, i, 1), 0);
        linedef->flags = get_word(&words, i, 2);
        linedef->special = get_word(&words, i, 3);
        linedef->tag = get_word(&words, i, 4);
        linedef->front = get_sector(level, &sidedefs, get_word(&words, i, 5));
        linedef->back = get_sector(level, &sidedefs, get_word(&words, i, 6));
    }
}

static void decode_things(const struct wadfile_map *map, struct level *level)
{
    struct words words = find_words(map, "THINGS", THING_WORDS);
    level->thing_count = words.count;
    level->things = level_allocate(words.count, sizeof *level->things);
    for (size_t i = 0; i < words.count; i++)
        level->things[i] = (struct level_thing){get_point(&words, i, 0),
                                                get_word(&words, i, 3)};
}

static void decode_sectors(const struct wadfile_map *map, struct level *level)
{
    struct words words = find_words(map, "SECTORS", SECTOR_WORDS);
    level->sector_count = words.count;
    level->sector_tags =
        level_allocate(words.count, sizeof *level->sector_tags);
    for (size_t i = 0; i < words.count; i++)
        level->sector_tags[i] = get_word(&words, i, SECTOR_WORDS - 1);
}

static void decode_nodes(const struct wadfile_map *map, struct level *level)
{
    struct words words = find_words(map, "NODES", NODE_WORDS);
    level->node_count = words.count;
    level->nodes = level_allocate(words.count, sizeof *level->nodes);
    for (size_t i = 0; i < words.count; i++)
        level->nodes[i] = (struct level_node){
            get_point(&words, i, 0),
            get_number(&words, i, 2),
            get_number(&words, i, 3),
            {get_word(&words, i, 12), get_word(&words, i, 13)}};
}

static void decode_subsectors(const struct wadfile_map *map,
                              struct level *level)
{
    struct words segs = find_words(map, "SEGS", SEG_WORDS);
    struct words words = find_words(map, "SSECTORS", SUBSECTOR_WORDS);
    level->subsector_count = words.count;
    level->subsectors = level_allocate(words.count, sizeof *level->subsectors);
    for (size_t i = 0; i < words.count; i++) {
        size_t seg = get_word(&words, i, 1);
        size_t linedef = get_word(&segs, seg, 3);
        if (linedef >= level->linedef_count)
            level_fail("%s: seg %zu has no linedef", map->name, seg);
        bool is_back = get_word(&segs, seg, 4) != 0;
        level->subsectors[i] = is_back ? level->linedefs[linedef].back
                                       : level->linedefs[linedef].front;
        if (level->subsectors[i] >= level->sector_count)
            level_fail("%s: seg %zu has no sector", map->name, seg);
    }
}

struct level level_decode(const struct wadfile_map *map)
{
    struct level level = {0};
    decode_sectors(map, &level);
    decode_linedefs(map, &level);
    decode_things(map, &level);
    decode_nodes(map, &level);
    decode_subsectors(map, &level);
    return level;
}

void level_free(struct level *level)
{
    free(level->linedefs);
    free(level->things);
    free(level->sector_tags);
    free(level->nodes);
    free(level->subsectors);
    *level = (struct level){0};
}

// Which child a point belongs to: 0 is to the right of the line.
static size_t find_child(const struct level_node *node,
                         const struct level_point *point)
{
    int64_t left = node->dy * ((int64_t)point->x - node->place.x);
    int64_t right = node->dx * ((int64_t)point->y - node->place.y);
    return right < left ? 0 : 1;
}

uint16_t level_find_sector(const struct level *level,
                           const struct level_point *point)
{
    size_t child = level->node_count ? level->node_count - 1 : LEVEL_SUBSECTOR;
    for (size_t steps = 0; !(child & LEVEL_SUBSECTOR); steps++) {
        if (child >= level->node_count)
            level_fail("node %zu of %zu", child, level->node_count);
        if (steps == level->node_count)
            level_fail("nodes lead back to themselves");
        const struct level_node *node = &level->nodes[child];
        child = node->children[find_child(node, point)];
    }
    child &= LEVEL_SUBSECTOR - 1;
    if (child >= level->subsector_count)
        level_fail("subsector %zu of %zu", child, level->subsector_count);
    return level->subsectors[child];
}

struct level_point level_find_start(const struct level *level)
{
    for (size_t i = level->thing_count; i > 0; i--)
        if (level->things[i - 1].type == LEVEL_PLAYER_1)
            return level->things[i - 1].place;
    level_fail("there is no start for player 1");
}
