// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves which lines of Freedoom's maps are left out, against the rules written
// once more, plainly, from the raw lumps.

#include "context-for-tests.h"
#include "freedoom.h"
#include "pruned-room.h"
#include "run-suite.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 65536 };

// A map as its lumps have it, in Doom format.
struct raw {
    const struct wadfile_lump *lines, *sides, *vertices, *sectors;
    size_t count; // lines
};

struct raw_line {
    int64_t x1, y1, x2, y2; // map units
    unsigned flags, special, tag;
    int front, back; // sectors; -1: none
};

static unsigned word(const struct wadfile_lump *lump, size_t at)
{
    ck_assert_uint_le(at + 2, lump->size);
    return lump->data[at] + 256u * lump->data[at + 1];
}

static int signed_word(const struct wadfile_lump *lump, size_t at)
{
    int value = (int)word(lump, at);
    return value < 32768 ? value : value - 65536;
}

static int side_sector(const struct raw *raw, unsigned side)
{
    return side == NO_SIDE ? -1 : (int)word(raw->sides, 30 * side + 28);
}

static struct raw_line raw_line(const struct raw *raw, size_t index)
{
    size_t at = 14 * index;
    size_t start = word(raw->lines, at);
    size_t end = word(raw->lines, at + 2);
    return (struct raw_line){
        signed_word(raw->vertices, 4 * start),
        signed_word(raw->vertices, 4 * start + 2),
        signed_word(raw->vertices, 4 * end),
        signed_word(raw->vertices, 4 * end + 2),
        word(raw->lines, at + 4),
        word(raw->lines, at + 6),
        word(raw->lines, at + 8),
        side_sector(raw, word(raw->lines, at + 10)),
        side_sector(raw, word(raw->lines, at + 12)),
    };
}

static bool is_among(unsigned number, const char *list)
{
    char text[16];
    snprintf(text, sizeof text, " %u ", number);
    return strstr(list, text);
}

// Whether a line of Doom or Boom moves nothing but, at most, what it borders
// on or what has its tag.
static bool is_local(const struct raw_line *line)
{
    unsigned special = line->special;
    if (is_among(special, " 0 1 11 12 13 17 26 27 28 31 32 33 34 35 39 48 51 "
                          "52 79 80 81 97 104 117 118 124 125 126 138 139 243 "
                          "244 255 260 262 263 264 265 266 267 268 269 "))
        return true;
    if (is_among(special,
                 " 7 8 9 100 106 107 127 146 155 178 181 191 256 257 258 "
                 "259 "))
        return false;
    if (special >= 0x3000 && special < 0x3400)
        return false;
    if (special >= 0x2F80 && special < 0x8000 && special % 8 >= 6)
        return true;
    return line->tag != 0 &&
           (special <= 261 || (special >= 0x2F80 && special < 0x8000));
}

// Where a line is at a height, in 65536ths of a unit; false if it does not
// reach it.  With `turned`, x and y are exchanged.
static bool place_at(struct raw_line line, bool turned, int64_t v, int64_t *u)
{
    int64_t u1 = turned ? line.y1 : line.x1, v1 = turned ? line.x1 : line.y1;
    int64_t u2 = turned ? line.y2 : line.x2, v2 = turned ? line.x2 : line.y2;
    int64_t low = (v1 < v2 ? v1 : v2) * UNIT, high = (v1 < v2 ? v2 : v1) * UNIT;
    if (v < low || v >= high)
        return false;
    int64_t rise = v2 - v1, product = (v - v1 * UNIT) * (u2 - u1);
    if (rise < 0) {
        rise = -rise;
        product = -product;
    }
    int64_t quotient = product / rise;
    *u = u1 * UNIT + quotient - (product < 0 && quotient * rise != product);
    return true;
}

// The sector that a line shows to the west, or to the east; turned, to the
// south, or to the north.
static int shown(const struct raw_line *line, bool turned, bool east)
{
    bool front =
        turned ? (line->x1 < line->x2) != east : (line->y1 < line->y2) == east;
    return front ? line->front : line->back;
}

// Whether all lines that are nearest in a direction show the line its sector.
static bool agrees(const struct raw_line *lines, size_t count, size_t index,
                   bool turned, int64_t v, bool east)
{
    int64_t own, at, nearest = 0;
    bool met = false, same = true;
    if (!place_at(lines[index], turned, v, &own))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (i == index || !place_at(lines[i], turned, v, &at))
            continue;
        int64_t distance = east ? at - own : own - at;
        if (distance < 0 || (met && distance > nearest))
            continue;
        if (distance != nearest)
            same = true;
        met = true;
        nearest = distance;
        if (distance == 0 || shown(&lines[i], turned, !east) !=
                                 shown(&lines[index], turned, east))
            same = false;
    }
    return met && same;
}

static bool agrees_everywhere(const struct raw_line *lines, size_t count,
                              size_t index)
{
    struct raw_line line = lines[index];
    bool turned = llabs(line.x2 - line.x1) > llabs(line.y2 - line.y1);
    int64_t v1 = UNIT * (turned ? line.x1 : line.y1);
    int64_t v2 = UNIT * (turned ? line.x2 : line.y2);
    int64_t low = v1 < v2 ? v1 : v2;
    for (int quarter = 1; quarter <= 3; quarter++)
        for (int east = 0; east < 2; east++)
            if (!agrees(lines, count, index, turned,
                        low + llabs(v2 - v1) * quarter / 4, east))
                return false;
    return true;
}

// Whether a line touches another one anywhere but at that one's ends.  A point
// is at so many places along the other line and so many away from it, in
// products of its length.
static bool entries_within(struct raw_line line, struct raw_line other)
{
    int64_t x = line.x2 - line.x1, y = line.y2 - line.y1;
    int64_t along1 = (other.x1 - line.x1) * x + (other.y1 - line.y1) * y;
    int64_t along2 = (other.x2 - line.x1) * x + (other.y2 - line.y1) * y;
    int64_t away1 = (other.y1 - line.y1) * x - (other.x1 - line.x1) * y;
    int64_t away2 = (other.y2 - line.y1) * x - (other.x2 - line.x1) * y;
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

static bool is_touched_within(const struct raw_line *lines, size_t count,
                              size_t index)
{
    for (size_t i = 0; i < count; i++)
        if (i != index && entries_within(lines[index], lines[i]))
            return true;
    return false;
}

// Whether a sector stays as it is, but for what acts on any sector.
static bool is_fixed(const struct raw *raw, const struct raw_line *lines,
                     int sector)
{
    size_t at = 26 * (size_t)sector;
    for (size_t i = 0; i < raw->count; i++)
        if (lines[i].special &&
            (lines[i].front == sector || lines[i].back == sector))
            return false;
    return word(raw->sectors, at + 24) == 0 &&
           is_among(word(raw->sectors, at + 22) & ~0xE0u,
                    " 0 1 2 3 4 5 7 8 9 11 12 13 16 17 ");
}

static bool are_even(const struct raw *raw, int a, int b)
{
    size_t left = 26 * (size_t)a, right = 26 * (size_t)b;
    int floor = signed_word(raw->sectors, left);
    int ceiling = signed_word(raw->sectors, left + 2);
    return floor == signed_word(raw->sectors, right) &&
           ceiling == signed_word(raw->sectors, right + 2) && floor < ceiling;
}

// Which lines may be left out, by brute force.
static void find_left_out(const struct raw *raw, const struct raw_line *lines,
                          const char *name, bool *left_out)
{
    bool calm = strlen(name) != 4 || name[3] != '8'; // not E1M8
    for (size_t i = 0; i < raw->count; i++)
        calm = calm && is_local(&lines[i]);
    for (size_t i = 0; i < raw->count; i++) {
        const struct raw_line *line = &lines[i];
        left_out[i] = line->tag == 999 && line->special == 0;
        if (line->tag != 0 || line->special != 0 || line->front < 0 ||
            line->back < 0 || (line->flags & ~0x1B8u) != TWO_SIDED)
            continue;
        if (line->front == line->back ||
            (calm && are_even(raw, line->front, line->back) &&
             is_fixed(raw, lines, line->front) &&
             is_fixed(raw, lines, line->back)))
            left_out[i] = !is_touched_within(lines, raw->count, i) &&
                          agrees_everywhere(lines, raw->count, i);
    }
}

static size_t check_freedoom_map(const struct wadfile_map *map)
{
    static struct oracle_line segments[MOST_LINES];
    static struct raw_line lines[MOST_LINES];
    static bool left_out[MOST_LINES];
    struct raw raw = {wadfile_find_lump(map, "LINEDEFS"),
                      wadfile_find_lump(map, "SIDEDEFS"),
                      wadfile_find_lump(map, "VERTEXES"),
                      wadfile_find_lump(map, "SECTORS"), 0};
    size_t count = 0;
    raw.count = raw.lines->size / 14;
    for (size_t i = 0; i < raw.count; i++) {
        lines[i] = raw_line(&raw, i);
        segments[i] = (struct oracle_line){
            (int32_t)lines[i].x1 * UNIT, (int32_t)lines[i].y1 * UNIT,
            (int32_t)lines[i].x2 * UNIT, (int32_t)lines[i].y2 * UNIT};
    }
    find_left_out(&raw, lines, map->name, left_out);
    for (size_t i = 0; i < raw.count; i++)
        count += left_out[i];
    struct lump_set set = lump_set_from_wad(map);
    struct nbstage_map given = lump_set_map(&set);
    struct plugin_lump lump = plugin_build(&given, "prune=inert");
    room_check_lump(map->name, &lump, segments, raw.count, left_out);
    ck_assert_int_eq(plugin_number(&lump, "pruned_tagged") +
                         plugin_number(&lump, "pruned_inert"),
                     (int64_t)count);
    plugin_free(&lump);
    lump_set_free(&set);
    return count;
}

START_TEST(freedoom_agrees_with_brute_force)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    size_t count = 0;
    for (size_t m = 0; m < wad.map_count; m++)
        count += check_freedoom_map(&wad.maps[m]);
    printf("%s: %zu linedefs are left out\n", freedoom_name((size_t)_i), count);
    wadfile_free(&wad);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("prune-freedoom");
    tcase_set_timeout(tests, 300);
    if (freedoom_is_there())
        tcase_add_loop_test(tests, freedoom_agrees_with_brute_force, 0,
                            FREEDOOM_FILES);
    return run_tests(tests);
}
