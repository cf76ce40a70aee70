// SPDX-License-Identifier: GPL-2.0-or-later

#include "freedoom.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { UNIT = 1 << 16 }; // a map unit in 16.16

static const struct {
    const char *name;
    size_t map_count;
    uint32_t known; // CRC-32
} files[FREEDOOM_FILES] = {
    {"freedoom1.wad", 36, 0x6f2106f4},
    {"freedoom2.wad", 32, 0x8a85658c},
    {"freedm.wad", 32, 0x94f91db7},
};

static void find_path(size_t file, char *path, size_t size)
{
    const char *folder = getenv("FREEDOOM_DIR");
    snprintf(path, size, "%s/%s", folder ? folder : "/usr/share/games/doom",
             files[file].name);
}

bool freedoom_is_there(void)
{
    for (size_t i = 0; i < FREEDOOM_FILES; i++) {
        char path[512];
        find_path(i, path, sizeof path);
        FILE *file = fopen(path, "rb");
        if (!file) {
            printf("%s cannot be read; FREEDOOM_DIR names its folder\n", path);
            return false;
        }
        fclose(file);
    }
    return true;
}

static struct wadfile freedoom_read(size_t file)
{
    char path[512];
    find_path(file, path, sizeof path);
    struct wadfile wad = wadfile_read(path);
    if (wad.map_count != files[file].map_count)
        ck_abort_msg("%s has %zu maps; %zu were expected", path, wad.map_count,
                     files[file].map_count);
    return wad;
}

const char *freedoom_name(size_t file)
{
    return files[file].name;
}

// --- All maps ---

struct freedoom_map freedoom_maps[FREEDOOM_MAPS];
static struct wadfile wads[FREEDOOM_FILES];

void freedoom_load(void)
{
    struct freedoom_map *map = freedoom_maps;
    for (size_t file = 0; file < FREEDOOM_FILES; file++) {
        wads[file] = freedoom_read(file);
        for (size_t m = 0; m < wads[file].map_count; m++, map++) {
            map->file = file;
            map->set = lump_set_from_wad(&wads[file].maps[m]);
            map->map = doom_map_decode(&wads[file].maps[m]);
            map->lines = doom_map_to_oracle(&map->map);
        }
    }
}

void freedoom_unload(void)
{
    for (size_t m = 0; m < FREEDOOM_MAPS; m++) {
        free(freedoom_maps[m].lines);
        doom_map_free(&freedoom_maps[m].map);
        lump_set_free(&freedoom_maps[m].set);
    }
    for (size_t file = 0; file < FREEDOOM_FILES; file++)
        wadfile_free(&wads[file]);
}

bool freedoom_is_known(size_t file)
{
    uint32_t checksum = (uint32_t)crc32_z(0, wads[file].bytes, wads[file].size);
    if (checksum != files[file].known)
        printf("%s, checksum %08" PRIx32 ": nothing is known of this release\n",
               files[file].name, checksum);
    return checksum == files[file].known;
}

// --- Inert lines, by the rules of blocksweep-stage(7) and brute force ---

// A line in map units; without a sector, -1.
struct brute_line {
    int64_t x1, y1, x2, y2;
    unsigned flags, special, tag;
    int front, back;
};

struct brute_map {
    const unsigned char *sectors; // the lump
    struct brute_line *lines;
    size_t count;
};

static int sector_of(const struct nbstage_lump *sides, unsigned side)
{
    enum { NO_SIDE = 0xFFFF, SIDE_SIZE = 30 };
    const unsigned char *bytes = sides->data;
    return side == NO_SIDE ? -1 : (int)wad_u16(bytes + SIDE_SIZE * side + 28);
}

static struct brute_map read_plainly(const struct freedoom_map *map)
{
    const struct doom_map *doom = &map->map;
    const struct nbstage_lump *sides = lump_set_find(&map->set, "SIDEDEFS");
    struct brute_map plain = {
        lump_set_find(&map->set, "SECTORS")->data,
        allocate_zeros(doom->linedef_count, sizeof *plain.lines),
        doom->linedef_count};
    for (size_t i = 0; i < plain.count; i++) {
        const struct doom_linedef *line = &doom->linedefs[i];
        const struct plain_vertex *v1 = &doom->vertices[line->v1];
        const struct plain_vertex *v2 = &doom->vertices[line->v2];
        plain.lines[i] = (struct brute_line){v1->x / UNIT,
                                             v1->y / UNIT,
                                             v2->x / UNIT,
                                             v2->y / UNIT,
                                             line->flags,
                                             line->special,
                                             line->tag,
                                             sector_of(sides, line->right),
                                             sector_of(sides, line->left)};
    }
    return plain;
}

// Where a line is at a height, in 65536ths of a unit; false if it does not
// reach it.  With `turned`, x and y are exchanged.
static bool place_at(struct brute_line line, bool turned, int64_t v, int64_t *u)
{
    int64_t u1 = turned ? line.y1 : line.x1, v1 = turned ? line.x1 : line.y1;
    int64_t u2 = turned ? line.y2 : line.x2, v2 = turned ? line.x2 : line.y2;
    int64_t low = (v1 < v2 ? v1 : v2) * UNIT, high = (v1 < v2 ? v2 : v1) * UNIT;
    if (v < low || v >= high)
        return false;
    int64_t rise = llabs(v2 - v1);
    int64_t product = (v - v1 * UNIT) * (v2 < v1 ? u1 - u2 : u2 - u1);
    int64_t quotient = product / rise;
    *u = u1 * UNIT + quotient - (product < 0 && quotient * rise != product);
    return true;
}

// The sector that a line shows to the west, or to the east; turned, to the
// south, or to the north.
static int shown(const struct brute_line *line, bool turned, bool east)
{
    bool front =
        turned ? (line->x1 < line->x2) != east : (line->y1 < line->y2) == east;
    return front ? line->front : line->back;
}

// Whether all lines that are nearest in a direction show the line its sector.
static bool agrees(const struct brute_map *map, const struct brute_line *line,
                   bool turned, int64_t v, bool east)
{
    int64_t own, at, nearest = 0;
    bool met = false, same = true;
    if (!place_at(*line, turned, v, &own))
        return false;
    for (size_t i = 0; i < map->count; i++) {
        const struct brute_line *other = &map->lines[i];
        if (other == line || !place_at(*other, turned, v, &at))
            continue;
        int64_t distance = east ? at - own : own - at;
        if (distance < 0 || (met && distance > nearest))
            continue;
        same = (same || distance != nearest) && distance > 0 &&
               shown(other, turned, !east) == shown(line, turned, east);
        met = true;
        nearest = distance;
    }
    return met && same;
}

static bool agrees_everywhere(const struct brute_map *map,
                              const struct brute_line *line)
{
    bool turned = llabs(line->x2 - line->x1) > llabs(line->y2 - line->y1);
    int64_t v1 = UNIT * (turned ? line->x1 : line->y1);
    int64_t v2 = UNIT * (turned ? line->x2 : line->y2);
    for (int quarter = 1; quarter <= 3; quarter++) {
        int64_t v = (v1 < v2 ? v1 : v2) + llabs(v2 - v1) * quarter / 4;
        if (!agrees(map, line, turned, v, false) ||
            !agrees(map, line, turned, v, true))
            return false;
    }
    return true;
}

// Whether a line touches another one anywhere but at that one's ends.  A point
// is at so many places along the line and so many away from it, in products of
// its length.
static bool enters(struct brute_line line, const struct brute_line *other)
{
    int64_t x = line.x2 - line.x1, y = line.y2 - line.y1;
    int64_t along1 = (other->x1 - line.x1) * x + (other->y1 - line.y1) * y;
    int64_t along2 = (other->x2 - line.x1) * x + (other->y2 - line.y1) * y;
    int64_t away1 = (other->y1 - line.y1) * x - (other->x1 - line.x1) * y;
    int64_t away2 = (other->y2 - line.y1) * x - (other->x2 - line.x1) * y;
    int64_t end = x * x + y * y;
    if ((away1 > 0 && away2 > 0) || (away1 < 0 && away2 < 0))
        return false;
    if (away1 == away2) // both 0
        return (along1 > 0 || along2 > 0) && (along1 < end || along2 < end);
    // Where they cross, times `apart`; Freedoom's lines are short enough.
    int64_t apart = away1 - away2;
    int64_t at = along2 * away1 - along1 * away2;
    return apart > 0 ? at > 0 && at < end * apart : at < 0 && at > end * apart;
}

static bool is_entered(const struct brute_map *map,
                       const struct brute_line *line)
{
    for (size_t i = 0; i < map->count; i++)
        if (&map->lines[i] != line && enters(*line, &map->lines[i]))
            return true;
    return false;
}

// Whether nothing moves a sector but what moves any.
static bool is_fixed(const struct brute_map *map, int sector)
{
    const unsigned char *bytes = map->sectors + 26 * sector;
    for (size_t i = 0; i < map->count; i++)
        if ((map->lines[i].front == sector || map->lines[i].back == sector) &&
            doom_moves_beside(map->lines[i].special))
            return false;
    return wad_u16(bytes + 24) == 0 &&
           doom_is_among(wad_u16(bytes + 22) & ~0xE0U,
                         " 0 1 2 3 4 5 7 8 9 11 12 13 16 17 ");
}

static bool are_even(const struct brute_map *map, int front, int back)
{
    const unsigned char *a = map->sectors + 26 * front;
    return memcmp(a, map->sectors + 26 * back, 4) == 0 && // floor and ceiling
           wad_i16(a) < wad_i16(a + 2);
}

bool *freedoom_inert_lines(const struct freedoom_map *map)
{
    enum { TWO_SIDED = 4 };
    struct brute_map plain = read_plainly(map);
    bool *inert = allocate_zeros(plain.count, sizeof *inert);
    bool is_calm = !strstr(map->map.name, "M8");
    for (size_t i = 0; i < plain.count; i++)
        is_calm &= !doom_moves_any(plain.lines[i].special, plain.lines[i].tag);
    for (size_t i = 0; i < plain.count; i++) {
        const struct brute_line *line = &plain.lines[i];
        inert[i] =
            line->tag == 0 && line->special == 0 && line->front >= 0 &&
            line->back >= 0 && (line->flags & ~0x1B8U) == TWO_SIDED &&
            (line->front == line->back ||
             (is_calm && are_even(&plain, line->front, line->back) &&
              is_fixed(&plain, line->front) && is_fixed(&plain, line->back))) &&
            !is_entered(&plain, line) && agrees_everywhere(&plain, line);
    }
    free(plain.lines);
    return inert;
}
