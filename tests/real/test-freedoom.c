// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on the 100 maps of Freedoom and FreeDM, through the interface alone:
//
// - lists are exact, with fractions too, and the default keeps a map's grid;
// - a lump is the same bytes however the map is handed over and however often
//   it is built;
// - every packing with every header gives each block its lines, or with
//   pack=cover these and as many more as the facts tell, which are those of the
//   lump; preset=vanilla keeps to the limit of vanilla;
// - overflow=merge makes the largest maps, so often side by side that they are
//   over the limit, meet it for the price that it tells;
// - prune=inert leaves out what the rules, written once more, plainly, from the
//   raw lumps, leave out;
// - the arrays that a map is decoded to make the lump that its lumps make;
// - check-nodes=yes passes with the segs that the maps have;
// - totals known from other measurements come out, and default lumps are to
//   the byte what they were.
//
// FREEDOOM_DIR names the folder of the WAD files; without them the test is
// skipped.  The seed is printed; SEED=number in the environment repeats a run.

#include "blocklists.h"
#include "context-for-tests.h"
#include "freedoom.h"
#include "pack/pack.h"
#include "random-map.h"
#include "tiles.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    SEG_SIZE = 12,  // bytes
    NO_SIDE = 0xFFFF,
    TWO_SIDED = 4, // linedef flags
    VANILLA_OFFSET = 32767,
    SEARCH_STRIDE = 12, // maps between those that are searched
    FREEDOOM2 = 1,      // of the files
    MOST_LINES = 65536,
    KNOWN_ENTRIES = 119016, // of Freedoom: Phase 2 0.12.1, with grid=fit
};

// ---------------------------------------------------------------------------
// Lists

// Returns how many entries were compared.
static size_t check_lists(const struct plugin_lump *lump,
                          const struct oracle_line *lines, size_t line_count,
                          const bool *left_out)
{
    size_t count = oracle_check_lump(freedoom_where, lump->bytes, lump->size,
                                     lines, line_count, left_out);
    const struct plugin_fact fact = {"entries", (int64_t)count};
    plugin_check_facts(freedoom_where, lump, &fact, 1);
    return count;
}

static size_t lists_are_exact(const struct freedoom_map *map)
{
    static const char *const options[] = {"grid=auto", "grid=fit"};
    size_t count = 0;
    for (size_t i = 0; i < COUNT(options); i++) {
        struct plugin_lump lump = lump_set_build(&map->set, options[i]);
        count += check_lists(&lump, map->lines, map->map.linedef_count, NULL);
        plugin_free(&lump);
    }
    return count;
}

static void check_grid(const struct plugin_lump *lump,
                       const struct oracle_grid *expected)
{
    struct oracle_grid grid;
    ck_assert(oracle_read_grid(lump->bytes, lump->size, &grid));
    ck_assert_msg(memcmp(&grid, expected, sizeof grid) == 0,
                  "%s: the grid is %" PRId32 ",%" PRId32 " %" PRIu32 "x%" PRIu32
                  "; %" PRId32 ",%" PRId32 " %" PRIu32 "x%" PRIu32
                  " was expected",
                  freedoom_where, grid.origin_x, grid.origin_y, grid.columns,
                  grid.rows, expected->origin_x, expected->origin_y,
                  expected->columns, expected->rows);
}

// Of a grid that encloses all lines.
static size_t default_keeps_the_grid(const struct freedoom_map *map)
{
    struct oracle_grid grid;
    if (!oracle_read_grid(map->map.blockmap, map->map.blockmap_size, &grid) ||
        !oracle_encloses(&grid, map->lines, map->map.linedef_count))
        return 0;
    struct plugin_lump lump = lump_set_build(&map->set, "");
    check_grid(&lump, &grid);
    plugin_free(&lump);
    return 1;
}

// ---------------------------------------------------------------------------
// The same map in other forms

static void check_same(const struct plugin_lump *expected,
                       const struct nbstage_map *map, const char *options,
                       const char *what)
{
    struct plugin_lump lump = plugin_build(map, options);
    ck_assert_msg(lump.size == expected->size &&
                      memcmp(lump.bytes, expected->bytes, lump.size) == 0,
                  "%s, %s: %s gives other bytes", freedoom_where, options,
                  what);
    plugin_free(&lump);
}

// Frees the set.
static void check_set(const struct plugin_lump *expected, struct lump_set set,
                      const char *options, const char *what)
{
    struct nbstage_map map = lump_set_map(&set);
    check_same(expected, &map, options, what);
    lump_set_free(&set);
}

static void check_arrays(const struct plugin_lump *expected,
                         const struct doom_map *map, const char *options)
{
    struct nbstage_line *lines = doom_map_to_lines(map);
    struct lump_set set = {.map_name = map->name};
    lump_set_view(&set, "BLOCKMAP", map->blockmap, map->blockmap_size);
    struct nbstage_map arrays = plugin_map_from_arrays(
        map->name, map->vertices, map->vertex_count, lines, map->linedef_count);
    arrays.lumps = set.lumps;
    arrays.lump_count = set.count;
    check_same(expected, &arrays, options, "arrays");
    free(lines);
}

static void check_forms(const struct freedoom_map *map, const char *options,
                        const struct lump_set *compressed)
{
    const struct doom_map *doom = &map->map;
    struct plugin_lump lump = lump_set_build(&map->set, options);
    struct nbstage_map same = lump_set_map(&map->set);
    check_same(&lump, &same, options, "the second build");
    check_set(&lump, doom_map_to_doom(doom), options, "Doom");
    check_set(&lump, doom_map_to_hexen(doom), options, "Hexen");
    check_set(&lump, doom_map_to_doom64(doom), options, "Doom 64");
    check_set(&lump, doom_map_to_udmf(doom, doom_map_print_exactly), options,
              "UDMF");
    check_arrays(&lump, doom, options);
    struct nbstage_map packed = lump_set_map(compressed);
    check_same(&lump, &packed, options, "compression");
    struct doom_map again = *doom;
    again.blockmap = lump.bytes;
    again.blockmap_size = lump.size;
    check_set(&lump, doom_map_to_doom(&again), "grid=auto prune=none",
              "a build on the lump itself");
    plugin_free(&lump);
}

static uint32_t next_compression(void)
{
    static const uint32_t kinds[] = {NBSTAGE_ZLIB, NBSTAGE_GZIP,
                                     NBSTAGE_DEFLATE};
    static size_t next;
    return kinds[next++ % COUNT(kinds)];
}

static size_t every_form_gives_the_same_lump(const struct freedoom_map *map)
{
    struct lump_set compressed =
        lump_set_compressed(&map->set, next_compression());
    check_forms(map, "grid=auto prune=none", &compressed);
    check_forms(map, "grid=fit prune=none", &compressed);
    lump_set_free(&compressed);
    return 1;
}

// ---------------------------------------------------------------------------
// Fractions

// The maps have whole coordinates.
static void print_tenth(struct buffer *text, int32_t coordinate)
{
    int32_t units = abs(coordinate / UNIT);
    buffer_print(text, "%s%" PRId32 ".%" PRId32, coordinate < 0 ? "-" : "",
                 units / 10, units % 10);
}

// Checks the map, whose coordinates are text that `print` writes, against its
// lines of a `divisor`-th; C truncates toward zero, as the stage ought to.
static size_t check_text(const struct doom_map *map, doom_map_print *print,
                         int32_t divisor)
{
    struct lump_set set = doom_map_to_udmf(map, print);
    struct plugin_lump lump = lump_set_build(&set, "grid=fit prune=none");
    struct oracle_line *lines = doom_map_to_oracle(map);
    for (size_t i = 0; i < map->linedef_count; i++) {
        lines[i].x1 /= divisor;
        lines[i].y1 /= divisor;
        lines[i].x2 /= divisor;
        lines[i].y2 /= divisor;
    }
    size_t entries = check_lists(&lump, lines, map->linedef_count, NULL);
    free(lines);
    plugin_free(&lump);
    lump_set_free(&set);
    return entries;
}

static size_t tenths_are_exact(const struct freedoom_map *map)
{
    return check_text(&map->map, print_tenth, 10);
}

// Vertices are moved at random, by less than a unit.
static size_t fractions_are_exact(const struct freedoom_map *map)
{
    struct random_stream stream = {freedoom_seed +
                                   (uint64_t)(map - freedoom_maps)};
    struct doom_map moved = map->map;
    moved.vertices = calloc(moved.vertex_count, sizeof *moved.vertices);
    ck_assert_ptr_nonnull(moved.vertices);
    for (size_t i = 0; i < moved.vertex_count; i++) {
        moved.vertices[i] = map->map.vertices[i];
        moved.vertices[i].x += (int32_t)random_below(&stream, UNIT);
        moved.vertices[i].y += (int32_t)random_below(&stream, UNIT);
    }
    size_t entries = check_text(&moved, doom_map_print_exactly, 1);
    free(moved.vertices);
    return entries;
}

// ---------------------------------------------------------------------------
// Packings.  The truth is what pack=share stores.

static const char *const packs[] = {
    [PACK_NONE] = "none",
    [PACK_SHARE] = "share",
    [PACK_NEST] = "nest",
    [PACK_COVER] = "cover",
};

static const char *const headers[] = {
    [HEADER_ZERO] = "zero",
    [HEADER_ANY] = "any",
    [HEADER_NONE] = "none",
};

static struct plugin_lump build_packed(const struct lump_set *set,
                                       enum pack_mode mode,
                                       enum pack_header header)
{
    char options[80];
    snprintf(options, sizeof options,
             "grid=fit overflow=xbm1 pack=%s header=%s", packs[mode],
             headers[header]);
    return lump_set_build(set, options);
}

static void check_packing(const struct freedoom_map *map,
                          const struct oracle_entry_list *truth,
                          enum pack_mode mode, enum pack_header pack_header,
                          struct blocklists_counts *cover_price)
{
    enum blocklists_header header = (enum blocklists_header)pack_header;
    struct plugin_lump lump = build_packed(&map->set, mode, pack_header);
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    blocklists_check(&lists, header);
    struct blocklists_counts price =
        blocklists_compare(&lists, header, truth, map->map.linedef_count, NULL);
    ck_assert_uint_eq(price.missing + price.unknown, 0);
    // Where a 0 of a wider list serves as header, the price cannot be seen.
    if (mode == PACK_COVER && header == LISTS_ZERO)
        price = *cover_price;
    else if (mode == PACK_COVER)
        *cover_price = price;
    else
        ck_assert_uint_eq(price.extra, 0);
    const struct plugin_fact facts[] = {
        {"words", (int64_t)lists.word_count},
        {"largest_offset", (int64_t)lists.largest_offset},
        {"entries", (int64_t)truth->count},
        {"extra_entries", (int64_t)price.extra},
        {"extra_at_worst", (int64_t)price.extra_at_worst},
        {"lists", (int64_t)blocklists_count(&lists)},
        {"nested_lists", (int64_t)blocklists_count_nested(&lists, header)},
        {"packed_early", 0},
        {"meets_extended", lists.word_count <= 65535},
        {"meets_vanilla",
         lists.word_count <= 65535 && lists.largest_offset <= VANILLA_OFFSET},
    };
    plugin_check_facts(freedoom_where, &lump, facts, COUNT(facts));
    blocklists_free(&lists);
    plugin_free(&lump);
}

static size_t packed_lists_are_right(const struct freedoom_map *map)
{
    size_t place = strlen(freedoom_where);
    struct blocklists_counts cover_price = {0};
    struct plugin_lump lump = build_packed(&map->set, PACK_SHARE, HEADER_ZERO);
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    struct oracle_entry_list truth = blocklists_entries(&lists, LISTS_ZERO);
    for (size_t p = 0; p < COUNT(packs); p++) {
        for (size_t h = COUNT(headers); h-- > 0;) {
            snprintf(freedoom_where + place, sizeof freedoom_where - place,
                     ", %s, %s", packs[p], headers[h]);
            check_packing(map, &truth, (enum pack_mode)p, (enum pack_header)h,
                          &cover_price);
        }
    }
    oracle_free_entries(&truth);
    blocklists_free(&lists);
    plugin_free(&lump);
    return COUNT(packs) * COUNT(headers);
}

// Returns whether there is a lump; if not, the limit must have been missed.
static bool meets_vanilla(const struct freedoom_map *map, const char *options)
{
    struct plugin_lump lump = lump_set_build(&map->set, options);
    bool is_there = lump.size > 0;
    const struct plugin_fact facts[] = {{"meets_vanilla", is_there},
                                        {"over_limit", !is_there}};
    plugin_check_facts(freedoom_where, &lump, facts, COUNT(facts));
    if (is_there) {
        struct blocklists lists = blocklists_read(lump.bytes, lump.size);
        ck_assert_uint_le(lists.largest_offset, VANILLA_OFFSET);
        ck_assert_uint_le(lists.word_count, 65535);
        blocklists_free(&lists);
    } else {
        ck_assert_int_gt(plugin_number(&lump, "largest_offset"),
                         VANILLA_OFFSET);
    }
    plugin_free(&lump);
    return is_there;
}

static size_t vanilla_preset_meets_the_limit(const struct freedoom_map *map)
{
    if ((map - freedoom_maps) % SEARCH_STRIDE == 0)
        meets_vanilla(map, "preset=vanilla");
    return meets_vanilla(map, "preset=vanilla grid=fit");
}

// ---------------------------------------------------------------------------
// Maps side by side

// Whether none of a file's maps that are tried has more linedefs.
static bool is_largest(const struct freedoom_map *map)
{
    for (size_t m = 0; m < FREEDOOM_MAPS; m += SLOWNESS)
        if (freedoom_maps[m].file == map->file &&
            freedoom_maps[m].map.linedef_count > map->map.linedef_count)
            return false;
    return true;
}

// Whether a map is over the vanilla limit however it is packed without loss.
static bool is_over_limit(const struct random_map *map)
{
    struct nbstage_map arrays = random_map_arrays(map, "tiles");
    struct plugin_lump lump =
        plugin_build(&arrays, "grid=fit pack=nest header=none overflow=xbm1");
    bool is_over = plugin_number(&lump, "meets_vanilla") == 0;
    plugin_free(&lump);
    return is_over;
}

// Tiles of a map with the fewest lines that are over the vanilla limit.
static struct random_map make_tiles_over_limit(const struct doom_map *map)
{
    struct random_map tiled;
    size_t within = 0;
    for (uint32_t tiles = 1;; tiles++) {
        ck_assert(tiles_make(map, tiles, &tiled));
        if (is_over_limit(&tiled))
            break;
        within = tiled.line_count;
        random_map_free(&tiled);
    }
    size_t over = tiled.line_count;
    while (within + 1 < over) {
        tiled.line_count = within + (over - within) / 2;
        *(is_over_limit(&tiled) ? &over : &within) = tiled.line_count;
    }
    tiled.line_count = over;
    return tiled;
}

static void check_merged(const struct nbstage_map *map,
                         const struct oracle_line *lines, const char *options,
                         enum blocklists_header header, bool covers)
{
    struct plugin_lump lump;
    // With headers a map can be too far over the limit to be worth the price,
    // and covering alone has one.
    if (!plugin_build_within(map, options, &lump)) {
        ck_assert_msg(covers || header != LISTS_NONE, "%s, %s", freedoom_where,
                      options);
        return;
    }
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    struct oracle_entry_list truth =
        oracle_find_entries(&lists.grid, lines, map->line_count);
    blocklists_check(&lists, header);
    struct blocklists_counts price =
        blocklists_compare(&lists, header, &truth, map->line_count, NULL);
    ck_assert_uint_eq(price.missing + price.unknown, 0);
    ck_assert_uint_le(lists.word_count, 65535);
    ck_assert_uint_le(lists.largest_offset, VANILLA_OFFSET);
    ck_assert(covers || plugin_number(&lump, "merges") > 0);
    int64_t extra = plugin_number(&lump, "extra_entries");
    ck_assert_msg(extra >= (int64_t)price.extra &&
                      extra <= (int64_t)(price.extra + price.doubtful),
                  "%s, %s: told of %" PRId64 " extra entries; there are %zu, "
                  "or %zu more",
                  freedoom_where, options, extra, price.extra, price.doubtful);
    oracle_free_entries(&truth);
    blocklists_free(&lists);
    plugin_free(&lump);
}

static size_t tiles_are_merged_to_fit(const struct freedoom_map *map)
{
    if (!is_largest(map))
        return 0;
    struct random_map tiled = make_tiles_over_limit(&map->map);
    struct nbstage_map arrays = random_map_arrays(&tiled, map->map.name);
    struct oracle_line *lines = plugin_oracle_lines(&arrays);
    for (size_t p = PACK_SHARE; p < COUNT(packs); p++) {
        for (size_t h = 0; h < COUNT(headers); h++) {
            char options[128];
            snprintf(options, sizeof options,
                     "grid=fit prune=none limit=vanilla "
                     "overflow=merge,error pack=%s header=%s",
                     packs[p], headers[h]);
            check_merged(&arrays, lines, options, (enum blocklists_header)h,
                         p == PACK_COVER);
        }
    }
    size_t line_count = tiled.line_count;
    free(lines);
    random_map_free(&tiled);
    return line_count;
}

// ---------------------------------------------------------------------------
// Lines that are left out, by the rules

// A map as its lumps have it, in Doom format.
struct raw {
    const struct nbstage_lump *sides, *sectors;
    size_t count; // lines
};

struct raw_line {
    int64_t x1, y1, x2, y2; // map units
    unsigned flags, special, tag;
    int front, back; // sectors; -1: none
};

static unsigned word(const struct nbstage_lump *lump, size_t at)
{
    const unsigned char *bytes = lump->data;
    if (at + 2 > lump->data_size)
        ck_abort_msg("%s: %s has no byte %zu", freedoom_where, lump->name, at);
    return bytes[at] + 256u * bytes[at + 1];
}

static int signed_word(const struct nbstage_lump *lump, size_t at)
{
    int value = (int)word(lump, at);
    return value < 32768 ? value : value - 65536;
}

static int side_sector(const struct raw *raw, unsigned side)
{
    return side == NO_SIDE ? -1 : (int)word(raw->sides, 30 * side + 28);
}

static struct raw_line raw_line(const struct raw *raw,
                                const struct doom_map *map, size_t index)
{
    const struct doom_linedef *linedef = &map->linedefs[index];
    struct nbstage_vertex start = map->vertices[linedef->v1];
    struct nbstage_vertex end = map->vertices[linedef->v2];
    return (struct raw_line){
        start.x / UNIT,
        start.y / UNIT,
        end.x / UNIT,
        end.y / UNIT,
        linedef->flags,
        linedef->special,
        linedef->tag,
        side_sector(raw, linedef->right),
        side_sector(raw, linedef->left),
    };
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
        if (doom_moves_beside(lines[i].special) &&
            (lines[i].front == sector || lines[i].back == sector))
            return false;
    return word(raw->sectors, at + 24) == 0 &&
           doom_is_among(word(raw->sectors, at + 22) & ~0xE0u,
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
        calm = calm && !doom_moves_any(lines[i].special, lines[i].tag);
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

static size_t lines_are_left_out_by_the_rules(const struct freedoom_map *map)
{
    static struct raw_line lines[MOST_LINES];
    static bool left_out[MOST_LINES];
    struct raw raw = {lump_set_find(&map->set, "SIDEDEFS"),
                      lump_set_find(&map->set, "SECTORS"),
                      map->map.linedef_count};
    size_t count = 0;
    for (size_t i = 0; i < raw.count; i++)
        lines[i] = raw_line(&raw, &map->map, i);
    find_left_out(&raw, lines, map->map.name, left_out);
    for (size_t i = 0; i < raw.count; i++)
        count += left_out[i];
    struct plugin_lump lump = lump_set_build(&map->set, "prune=inert");
    check_lists(&lump, map->lines, raw.count, left_out);
    ck_assert_int_eq(plugin_number(&lump, "pruned_tagged") +
                         plugin_number(&lump, "pruned_inert"),
                     (int64_t)count);
    plugin_free(&lump);
    return count;
}

// ---------------------------------------------------------------------------
// Decoded maps

static int64_t count_fates(const struct nbstage_decoded *decoded,
                           unsigned char fate)
{
    int64_t count = 0;
    for (size_t i = 0; i < decoded->line_count && decoded->left_out; i++)
        count += decoded->left_out[i] == fate;
    return count;
}

// The arrays that are decoded of the lumps make the lump that these make.
static size_t decoded_maps_give_the_same_lump(const struct freedoom_map *map)
{
    static const char *const options[] = {
        "grid=fit prune=tagged", "grid=fit prune=inert",
        "grid=keep bounds=vertices check-nodes=yes"};
    const struct nbstage_map given = lump_set_map(&map->set);
    for (size_t i = 0; i < COUNT(options); i++) {
        struct nbstage_instance *instance = plugin_create(options[i]);
        struct nbstage_decoded decoded = {.size = sizeof decoded};
        nbstage_status status =
            plugin_stage()->decode(instance, &given, &decoded);
        ck_assert_msg(status == NBSTAGE_OK, "%s: %s", freedoom_where,
                      plugin_stage()->last_error(instance));
        struct nbstage_map arrays = plugin_map_from_decoded(&given, &decoded);
        struct plugin_lump lump = lump_set_build(&map->set, options[i]);
        check_same(&lump, &arrays, options[i], "the decoded map");
        ck_assert_int_eq(plugin_number(&lump, "pruned_tagged"),
                         count_fates(&decoded, NBSTAGE_LEFT_OUT_TAGGED));
        ck_assert_int_eq(plugin_number(&lump, "pruned_inert"),
                         count_fates(&decoded, NBSTAGE_LEFT_OUT_INERT));
        plugin_free(&lump);
        plugin_stage()->destroy(instance);
    }
    return map->map.linedef_count;
}

// ---------------------------------------------------------------------------
// Segs

// Returns how many the map has, all of which have been checked.
static size_t segs_pass(const struct freedoom_map *map)
{
    static const char *const options[] = {
        "check-nodes=yes",
        "check-nodes=yes grid=fit pack=none overflow=xbm1",
        "check-nodes=yes grid=id",
        "check-nodes=no",
    };
    size_t count = lump_set_find(&map->set, "SEGS")->data_size / SEG_SIZE;
    for (size_t i = 0; i < COUNT(options); i++) {
        struct plugin_lump lump = lump_set_build(&map->set, options[i]);
        const struct plugin_fact fact = {
            "checked_segs", i == COUNT(options) - 1 ? 0 : (int64_t)count};
        plugin_check_facts(freedoom_where, &lump, &fact, 1);
        plugin_free(&lump);
    }
    return count;
}

// ---------------------------------------------------------------------------
// What is known of a release

// The CRC-32 of the lumps with default options, in a row, by file.
static const uint32_t digests[FREEDOOM_FILES] = {0xa0447da8, 0xc9e97b2d,
                                                 0xf2817013};

// Totals of Freedoom: Phase 2.  The list of the empty blocks may be the end of
// another, which saves two words a map.
static const struct {
    const char *options;
    size_t least, most; // bytes
} totals[] = {
    {"pack=share", 414450 - 4 * 32, 414450 + 4 * 32},
    {"pack=nest header=none", 361414, 361414},
    {"pack=nest header=any", 392848, 392848},
    {"pack=nest header=zero", 392848, 399400},
    {"pack=cover header=none", 361204 - 2 * 32, 361204 + 2 * 32},
};

LOOP_TEST(default_lumps_are_what_they_were, FREEDOOM_FILES)
{
    uLong digest = crc32(0, NULL, 0);
    for (size_t m = 0; m < FREEDOOM_MAPS; m++) {
        if (freedoom_maps[m].file != (size_t)_i)
            continue;
        struct plugin_lump lump = lump_set_build(&freedoom_maps[m].set, "");
        digest = crc32_z(digest, lump.bytes, lump.size);
        plugin_free(&lump);
    }
    printf("%s: digest %08lx\n", freedoom_name((size_t)_i), digest);
    if (freedoom_is_known((size_t)_i))
        ck_assert_uint_eq(digest, digests[_i]);
}

LOOP_TEST(known_totals_come_out, COUNT(totals))
{
    char options[80];
    int64_t entries = 0;
    size_t bytes = 0;
    snprintf(options, sizeof options, "grid=fit overflow=xbm1 %s",
             totals[_i].options);
    for (size_t m = 0; m < FREEDOOM_MAPS; m++) {
        if (freedoom_maps[m].file != FREEDOOM2)
            continue;
        struct plugin_lump lump =
            lump_set_build(&freedoom_maps[m].set, options);
        entries += plugin_number(&lump, "entries");
        bytes += lump.size;
        plugin_free(&lump);
    }
    printf("%s: %s: %" PRId64 " entries, %zu bytes\n", freedoom_name(FREEDOOM2),
           options, entries, bytes);
    if (freedoom_is_known(FREEDOOM2)) {
        ck_assert_int_eq(entries, KNOWN_ENTRIES);
        ck_assert_uint_ge(bytes, totals[_i].least);
        ck_assert_uint_le(bytes, totals[_i].most);
    }
}

// ---------------------------------------------------------------------------

static const struct freedoom_check checks[] = {
    {"lists are exact", lists_are_exact},
    {"the default keeps the grid", default_keeps_the_grid},
    {"every form gives the same lump", every_form_gives_the_same_lump},
    {"tenths are exact", tenths_are_exact},
    {"fractions are exact", fractions_are_exact},
    {"packed lists are right", packed_lists_are_right},
    {"preset=vanilla meets the limit", vanilla_preset_meets_the_limit},
    {"tiles are merged to fit", tiles_are_merged_to_fit},
    {"lines are left out by the rules", lines_are_left_out_by_the_rules},
    {"decoded maps give the same lump", decoded_maps_give_the_same_lump},
    {"segs pass", segs_pass},
};

LOOP_TEST(maps_are_as_promised, COUNT(checks) * FREEDOOM_FILES)
{
    freedoom_run_check(&checks[_i / FREEDOOM_FILES],
                       (size_t)_i % FREEDOOM_FILES, SLOWNESS);
}

int main(void)
{
    return freedoom_main();
}
