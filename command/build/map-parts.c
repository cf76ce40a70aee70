// SPDX-License-Identifier: GPL-2.0-or-later
//
// A table has the layout of a binary map's records for each format.  Engines
// read names of textures up to the first NUL, so only that part is compared.

#include "config.h"

#include "build/map-parts.h"

#include "base/bytes.h"
#include "build/losses-digest.h"
#include "build/textmap.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

const char *const part_aspect_names[PART_ASPECTS] = {
    [PART_ENDS] = "different ends",
    [PART_FLAGS] = "different flags",
    [PART_SPECIAL] = "a different special",
    [PART_TAG] = "a different tag or arguments",
    [PART_FRONT] = "a different front side",
    [PART_FRONT_SECTOR] = "a different sector in front",
    [PART_BACK] = "a different back side",
    [PART_BACK_SECTOR] = "a different sector behind",
    [PART_FIELDS] = "different fields",
};

// Sizes in bytes, and places in a record.
struct parts_format {
    size_t line_size, flags, flags_size, special, special_size, tag, tag_size;
    size_t sides; // of a line
    size_t vertex_size;
    size_t side_size, own_sector;
    size_t sector_size;
    size_t side_names, sector_names; // how many, each behind 4 bytes
};

static const struct parts_format parts_doom = {14, 4, 2,  6,  2,  8, 2,
                                               10, 4, 30, 28, 26, 3, 2};
static const struct parts_format parts_hexen = {16, 4, 2,  6,  1,  7, 5,
                                                12, 4, 30, 28, 26, 3, 2};
static const struct parts_format parts_doom64 = {16, 4, 4,  8,  2,  10, 2,
                                                 12, 8, 12, 10, 24, 0,  0};

struct parts_lump map_parts_lump(const struct wad *wad,
                                 const struct map_place *map, const char *name)
{
    const size_t index = maps_find_lump(wad, map, name);
    if (index == map->end)
        return (struct parts_lump){NULL, 0};
    const size_t at = wad->lumps[index].position;
    size_t size = wad->lumps[index].size;
    if (size == 0 || at >= wad->size)
        return (struct parts_lump){NULL, 0};
    if (size > wad->size - at)
        size = wad->size - at;
    return (struct parts_lump){wad->bytes + at, size};
}

static const struct parts_format *parts_find_format(const struct wad *wad,
                                                    const struct map_place *map)
{
    static const char *const of_doom64[] = {"LEAFS", "LIGHTS", "MACROS"};
    for (size_t i = 0; i < sizeof of_doom64 / sizeof *of_doom64; i++)
        if (maps_find_lump(wad, map, of_doom64[i]) < map->end)
            return &parts_doom64;
    return maps_find_lump(wad, map, "BEHAVIOR") < map->end ? &parts_hexen
                                                           : &parts_doom;
}

bool map_parts_open(const struct wad *wad, const struct map_place *map,
                    struct map_parts *parts)
{
    *parts = (struct map_parts){.is_udmf = map->udmf};
    if (map->udmf) {
        const struct parts_lump text = map_parts_lump(wad, map, "TEXTMAP");
        if (!textmap_read(text.bytes, text.size, &parts->text))
            return false;
        if (parts->text.is_read)
            parts->line_count = parts->text.counts[TEXTMAP_LINEDEF];
        return true;
    }
    parts->format = parts_find_format(wad, map);
    parts->linedefs = map_parts_lump(wad, map, "LINEDEFS");
    parts->sidedefs = map_parts_lump(wad, map, "SIDEDEFS");
    parts->vertexes = map_parts_lump(wad, map, "VERTEXES");
    parts->sectors = map_parts_lump(wad, map, "SECTORS");
    parts->line_count = parts->linedefs.size / parts->format->line_size;
    return true;
}

void map_parts_close(struct map_parts *parts)
{
    textmap_free(&parts->text);
}

size_t map_parts_count_sectors(const struct map_parts *parts)
{
    return parts->is_udmf ? parts->text.counts[TEXTMAP_SECTOR]
                          : parts->sectors.size / parts->format->sector_size;
}

bool part_line_is_empty(const struct part_line *line)
{
    return line->has_ends && line->x1 == line->x2 && line->y1 == line->y2;
}

// ---------------------------------------------------------------------------
// Binary maps

// Returns record `index` of a lump, or NULL if it has no such record.
static const unsigned char *parts_record(const struct parts_lump *lump,
                                         size_t index, size_t size)
{
    return index < lump->size / size ? lump->bytes + index * size : NULL;
}

// Digests a record of a side or sector, which has `size` bytes.  Its `names`
// names of textures, 8 bytes each, begin at byte 4.
static uint64_t parts_digest_record(const unsigned char *record, size_t names,
                                    size_t size)
{
    enum { NAMES_BEGIN = 4, NAME_SIZE = 8 };
    const size_t rest = NAMES_BEGIN + names * NAME_SIZE;
    uint64_t digest = losses_digest(LOSSES_DIGEST_START, bytes_get_u32(record));
    for (size_t at = NAMES_BEGIN; at < rest; at += NAME_SIZE) {
        for (size_t i = 0; i < NAME_SIZE && record[at + i]; i++)
            digest = losses_digest(digest, (unsigned)toupper(record[at + i]));
        digest = losses_digest(digest, 0);
    }
    return losses_digest_bytes(digest, record + rest, size - rest);
}

// Takes a vertex by its number.  Returns whether it exists.
static bool parts_take_vertex(const struct map_parts *parts, size_t number,
                              int64_t *x, int64_t *y)
{
    const size_t size = parts->format->vertex_size;
    const unsigned char *vertex = parts_record(&parts->vertexes, number, size);
    if (!vertex)
        return false;
    if (size == 8) {
        *x = (int32_t)bytes_get_u32(vertex);
        *y = (int32_t)bytes_get_u32(vertex + 4);
    } else {
        *x = (int64_t)(int16_t)bytes_get_u16(vertex) * 65536;
        *y = (int64_t)(int16_t)bytes_get_u16(vertex + 2) * 65536;
    }
    return true;
}

// Takes side `s` of a line, 0 for the front, by its number.
static void parts_take_side(const struct map_parts *parts, unsigned number,
                            int s, struct part_line *line)
{
    const struct parts_format *format = parts->format;
    const unsigned char *side =
        parts_record(&parts->sidedefs, number, format->side_size);
    uint64_t *digests = &line->aspects[s == 0 ? PART_FRONT : PART_BACK];
    digests[0] = number;
    if (!side)
        return;
    digests[0] =
        parts_digest_record(side, format->side_names, format->own_sector);
    const unsigned own_sector = bytes_get_u16(side + format->own_sector);
    const unsigned char *sector =
        parts_record(&parts->sectors, own_sector, format->sector_size);
    digests[1] = own_sector;
    if (!sector)
        return;
    line->sectors[s] = own_sector;
    digests[1] =
        parts_digest_record(sector, format->sector_names, format->sector_size);
}

static void parts_get_binary(const struct map_parts *parts, size_t index,
                             struct part_line *line)
{
    const struct parts_format *format = parts->format;
    const unsigned char *record =
        parts->linedefs.bytes + index * format->line_size;
    const unsigned v1 = bytes_get_u16(record), v2 = bytes_get_u16(record + 2);
    const bool has_v1 = parts_take_vertex(parts, v1, &line->x1, &line->y1);
    const bool has_v2 = parts_take_vertex(parts, v2, &line->x2, &line->y2);
    line->has_ends = has_v1 && has_v2;
    line->aspects[PART_ENDS] =
        (has_v1 ? 0 : v1 + 1) + ((uint64_t)(has_v2 ? 0 : v2 + 1) << 32);
    line->aspects[PART_FLAGS] =
        losses_digest_bytes(0, record + format->flags, format->flags_size);
    line->aspects[PART_SPECIAL] =
        losses_digest_bytes(0, record + format->special, format->special_size);
    line->aspects[PART_TAG] =
        losses_digest_bytes(0, record + format->tag, format->tag_size);
    if (format == &parts_doom) {
        line->special = bytes_get_u16(record + format->special);
        line->tag = bytes_get_u16(record + format->tag);
    }
    for (int s = 0; s < 2; s++)
        parts_take_side(parts,
                        bytes_get_u16(record + format->sides + 2 * (size_t)s),
                        s, line);
}

// ---------------------------------------------------------------------------
// UDMF

// Returns a block by its number, or NULL if there is no such block.
static const struct textmap_block *
parts_block(const struct textmap *text, enum textmap_kind kind, int64_t number)
{
    return number >= 0 && (uint64_t)number < text->counts[kind]
               ? &text->blocks[kind][number]
               : NULL;
}

// Takes a vertex; its other fields, such as heights, go into the digest.
static bool parts_take_text_vertex(const struct textmap *text, int64_t number,
                                   int64_t *x, int64_t *y, uint64_t *digest)
{
    const struct textmap_block *vertex =
        parts_block(text, TEXTMAP_VERTEX, number);
    *digest =
        losses_digest(*digest, vertex ? vertex->digest : ~(uint64_t)number);
    if (!vertex)
        return false;
    *x = vertex->numbers[TEXTMAP_X];
    *y = vertex->numbers[TEXTMAP_Y];
    return true;
}

static void parts_take_text_side(const struct textmap *text, int64_t number,
                                 int s, struct part_line *line)
{
    const struct textmap_block *side =
        parts_block(text, TEXTMAP_SIDEDEF, number);
    uint64_t *digests = &line->aspects[s == 0 ? PART_FRONT : PART_BACK];
    digests[0] = side ? side->digest : ~(uint64_t)number;
    if (!side)
        return;
    const int64_t own_sector = side->numbers[TEXTMAP_OWN_SECTOR];
    const struct textmap_block *sector =
        parts_block(text, TEXTMAP_SECTOR, own_sector);
    digests[1] = sector ? sector->digest : ~(uint64_t)own_sector;
    if (sector && own_sector < PART_NO_SECTOR)
        line->sectors[s] = (uint32_t)own_sector;
}

static void parts_get_text(const struct map_parts *parts, size_t index,
                           struct part_line *line)
{
    const struct textmap *text = &parts->text;
    const struct textmap_block *block = &text->blocks[TEXTMAP_LINEDEF][index];
    uint64_t ends = 0;
    const bool has_v1 = parts_take_text_vertex(text, block->numbers[TEXTMAP_V1],
                                               &line->x1, &line->y1, &ends);
    const bool has_v2 = parts_take_text_vertex(text, block->numbers[TEXTMAP_V2],
                                               &line->x2, &line->y2, &ends);
    line->has_ends = has_v1 && has_v2;
    line->aspects[PART_ENDS] = ends;
    line->aspects[PART_FIELDS] = block->digest;
    parts_take_text_side(text, block->numbers[TEXTMAP_FRONT], 0, line);
    parts_take_text_side(text, block->numbers[TEXTMAP_BACK], 1, line);
}

void map_parts_get_line(const struct map_parts *parts, size_t index,
                        struct part_line *line)
{
    *line = (struct part_line){.sectors = {PART_NO_SECTOR, PART_NO_SECTOR}};
    if (parts->is_udmf)
        parts_get_text(parts, index, line);
    else
        parts_get_binary(parts, index, line);
    uint64_t digest = LOSSES_DIGEST_START;
    digest = losses_digest(digest, (uint64_t)line->x1);
    digest = losses_digest(digest, (uint64_t)line->y1);
    digest = losses_digest(digest, (uint64_t)line->x2);
    digest = losses_digest(digest, (uint64_t)line->y2);
    for (int i = 0; i < PART_ASPECTS; i++)
        digest = losses_digest(digest, line->aspects[i]);
    line->digest = digest;
}
