// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that --lists=boom, mbf, zdbsp and glbsp make what plain models of
// these algorithms make of random maps, however the host rounds, and fail where
// they make nothing.  Some of the maps no engine loads: they have fractions,
// and lines so long that products wrap around.  The models try every edge, step
// and block; tests/real and tests/engines compare the same lists with the
// programs.
//
// The seed is printed; SEED=number in the environment repeats a run.

#include "blocklists.h"
#include "plugin.h"
#include "random-map.h"
#include "run-suite.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 40 / SLOWNESS, SIDE = 128, MOST_BLOCKS = 512 * 512 };

struct line {
    int x1, y1, x2, y2;
    int dx, dy; // as engines compute them
    bool is_point;
};

// A model's lists: for each block a chain of entries, the last one first.
static struct {
    int x, y, columns, rows;
    bool fails; // no grid, or no end
    int32_t *last;
    struct {
        int32_t line, before;
    } * entry;
    int32_t count, capacity;
} made;

static void put(int64_t block, int32_t line, bool once)
{
    int32_t last = made.last[block];
    if (once && last >= 0 && made.entry[last].line == line)
        return;
    if (made.count == made.capacity) {
        made.capacity = 2 * made.capacity + 1024;
        made.entry =
            realloc(made.entry, (size_t)made.capacity * sizeof *made.entry);
    }
    made.entry[made.count].line = line;
    made.entry[made.count].before = last;
    made.last[block] = made.count++;
}

static void put_at(int column, int row, int32_t line)
{
    if (column >= 0 && row >= 0 && column < made.columns && row < made.rows)
        put((int64_t)row * made.columns + column, line, true);
}

static int floor_units(int32_t coordinate)
{
    return coordinate >= 0 ? coordinate / 65536
                           : -(int)((65535 - (int64_t)coordinate) / 65536);
}

static void lay(int x, int y, int columns, int rows)
{
    made.x = x;
    made.y = y;
    made.columns = columns;
    made.rows = rows;
}

// ---------------------------------------------------------------------------
// Boom and MBF

// The lowest coordinate, and the highest as engines find it.
static void find_extent(const struct random_map *map, bool of_y, int *lowest,
                        int *highest)
{
    *lowest = 1 << 20;
    *highest = -(1 << 20);
    for (size_t i = 0; i < map->vertex_count; i++) {
        int at = floor_units(of_y ? map->vertices[i].y : map->vertices[i].x);
        if (at < *lowest)
            *lowest = at;
        else if (at > *highest)
            *highest = at;
    }
    made.fails |= *highest < *lowest;
}

static void lay_engine_grid(const struct random_map *map)
{
    int west, east, south, north;
    find_extent(map, false, &west, &east);
    find_extent(map, true, &south, &north);
    lay(west, south, (east - west + SIDE) / SIDE,
        (north - south + SIDE) / SIDE);
}

static int wrapped(int64_t number)
{
    return (int)(((number + 0x80000000) & 0xFFFFFFFF) - 0x80000000);
}

static void put_linear(int x, int y, int32_t line)
{
    int64_t block = (int64_t)(y / SIDE) * made.columns + x / SIDE;
    if (block < (int64_t)made.columns * made.rows)
        put(block, line, true);
}

static int floor_block(int at)
{
    return at >= 0 ? at / SIDE : -1;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void boom(const struct line *l, int32_t i)
{
    const int west = least(l->x1, l->x2), south = least(l->y1, l->y2);
    const int dx = l->x2 - l->x1, dy = l->y2 - l->y1;
    put_linear(l->x1, l->y1, i);
    put_linear(l->x2, l->y2, i);
    for (int c = 0; dx != 0 && c < made.columns; c++) {
        const int x = c * SIDE;
        if (x < west || x > west + abs(dx))
            continue;
        const int y = wrapped((int64_t)dy * (x - l->x1)) / dx + l->y1;
        const int r = floor_block(y);
        if (r < 0 || r >= made.rows)
            continue;
        put_at(c, r, i);
        if (y % SIDE != 0) {
            if (west < x)
                put_at(c - 1, r, i);
        } else if ((dx ^ dy) < 0) {
            if (south < y)
                put_at(c, r - 1, i);
            if (west < x)
                put_at(c - 1, r, i);
        } else if ((dx ^ dy) > 0 && west < x) {
            put_at(c - 1, r - 1, i);
        }
    }
    for (int r = 0; dy != 0 && r < made.rows; r++) {
        const int y = r * SIDE;
        if (y < south || y > south + abs(dy))
            continue;
        const int x = wrapped((int64_t)dx * (y - l->y1)) / dy + l->x1;
        const int c = floor_block(x);
        if (c < 0 || c >= made.columns)
            continue;
        put_at(c, r, i);
        if (x % SIDE != 0 || dx == 0) {
            if (south < y)
                put_at(c, r - 1, i);
        } else if ((dx ^ dy) < 0) {
            if (south < y)
                put_at(c, r - 1, i);
            if (west < x)
                put_at(c - 1, r, i);
        } else if ((dx ^ dy) > 0 && south < y) {
            put_at(c - 1, r - 1, i);
        }
    }
}

static void mbf(const struct line *l, int32_t i)
{
    const int64_t columns = made.columns, all = columns * made.rows;
    const int64_t width = abs(l->dx), height = abs(l->dy);
    const int64_t last = l->y2 / SIDE * columns + l->x2 / SIDE;
    int64_t block = l->y1 / SIDE * columns + l->x1 / SIDE;
    int64_t ahead = l->dx < 0 ? l->x1 % SIDE : SIDE - 1 - l->x1 % SIDE;
    int64_t above = l->dy < 0 ? l->y1 % SIDE : SIDE - 1 - l->y1 % SIDE;
    int64_t steps = 0;
    int64_t difference = width == 0    ? 1
                         : height == 0 ? -1
                                       : ahead * height - above * width;
    while (block >= 0 && block < all) {
        put(block, i, false);
        if (block == last)
            break;
        made.fails = ++steps > 4 * all; // as no engine comes so far
        if (made.fails)
            break;
        const bool goes_along_x = difference < 0;
        difference += SIDE * (goes_along_x ? height : -width);
        if (goes_along_x)
            block += l->dx < 0 ? -1 : 1;
        else
            block += l->dy < 0 ? -columns : columns;
    }
}

// ---------------------------------------------------------------------------
// ZDBSP

static void lay_zdbsp(const struct random_map *map)
{
    int west = 1 << 20, south = 1 << 20, east = -west, north = -south;
    for (size_t i = 0; i < map->vertex_count; i++) {
        const int x = floor_units(map->vertices[i].x);
        const int y = floor_units(map->vertices[i].y);
        west = least(west, x);
        south = least(south, y);
        east = -least(-east, -x);
        north = -least(-north, -y);
    }
    lay(west, south, (east - west) / SIDE + 1, (north - south) / SIDE + 1);
}

static void zdbsp(const struct line *l, int32_t i)
{
    const int dx = l->x2 - l->x1, dy = l->y2 - l->y1;
    const int to_x = dx < 0 ? l->x1 % SIDE : SIDE - l->x1 % SIDE;
    const int to_y = dy < 0 ? l->y1 % SIDE : SIDE - l->y1 % SIDE;
    const bool by_rows =
        abs(dx) > abs(dy) || (abs(dx) == abs(dy) && to_x <= to_y);
    // Of each row, or column, the blocks from where the last one ended.
    int from = by_rows ? l->x1 / SIDE : l->y1 / SIDE;
    const int first = by_rows ? l->y1 / SIDE : l->x1 / SIDE;
    const int last = by_rows ? l->y2 / SIDE : l->x2 / SIDE;
    const int step = first < last ? 1 : -1;
    for (int n = first; n != last + step; n += step) {
        int to = by_rows ? l->x2 : l->y2;
        const int edge = step < 0 ? n * SIDE - 1 : n * SIDE + SIDE;
        if (n != last && by_rows)
            to = l->x1 + (int)((edge - l->y1) * (dx * (1.0 / dy)));
        else if (n != last)
            to = l->y1 + (int)((edge - l->x1) * ((double)dy / dx));
        to /= SIDE;
        for (int k = least(from, to); k <= -least(-from, -to); k++)
            put_at(by_rows ? k : n, by_rows ? n : k, i);
        from = to;
    }
}

// ---------------------------------------------------------------------------
// glBSP

static void lay_glbsp(const struct line *lines, size_t count)
{
    int west = 1 << 20, south = 1 << 20, east = -west, north = -south;
    int64_t x = 0, y = 0;
    made.fails = true;
    for (size_t i = 0; i < count; i++) {
        const struct line *l = &lines[i];
        if (l->is_point)
            continue;
        made.fails = false;
        west = least(west, least(l->x1, l->x2));
        south = least(south, least(l->y1, l->y2));
        east = -least(-east, least(-l->x1, -l->x2));
        north = -least(-north, least(-l->y1, -l->y2));
        x += (l->x1 + l->x2) / 32;
        y += (l->y1 + l->y2) / 32;
    }
    west -= (west + (1 << 20)) % 8;
    south -= (south + (1 << 20)) % 8;
    int columns = (east - west) / SIDE + 1, rows = (north - south) / SIDE + 1;
    if (columns * rows > 16000) {
        while (columns * rows > 16000) {
            columns -= columns / 8;
            rows -= rows / 8;
        }
        west = (int)(x / (int64_t)count) * 16 - columns * SIDE / 2;
        south = (int)(y / (int64_t)count) * 16 - rows * SIDE / 2;
    }
    lay(west, south, columns, rows);
}

// Whether anything is left of a line between `low` and `high`; `one` is moved.
static bool is_left(int one[2], const int other[2], int low, int high, int axis,
                    bool *moved)
{
    int edge = one[axis] > high ? high : low;
    if (one[axis] >= low && one[axis] <= high)
        return true;
    if (one[axis] > high ? other[axis] > high : other[axis] < low)
        return false;
    one[1 - axis] += (int)((double)(other[1 - axis] - one[1 - axis]) *
                           (edge - one[axis]) / (other[axis] - one[axis]));
    one[axis] = edge;
    *moved = true;
    return true;
}

static void glbsp(const struct line *l, int32_t i)
{
    const int low_c = least(l->x1, l->x2) / SIDE;
    const int high_c = -least(-l->x1, -l->x2) / SIDE;
    const int low_r = least(l->y1, l->y2) / SIDE;
    const int high_r = -least(-l->y1, -l->y2) / SIDE;
    const int c0 = low_c < 0 ? 0 : low_c, r0 = low_r < 0 ? 0 : low_r;
    const int c1 = least(high_c, made.columns - 1);
    const int r1 = least(high_r, made.rows - 1);
    for (int r = r0; r <= r1; r++)
        for (int c = c0; c <= c1; c++) {
            int ends[2][2] = {{l->x1, l->y1}, {l->x2, l->y2}};
            bool is_in = true;
            for (int e = 0; e < 2 && r0 != r1 && c0 != c1; e++)
                for (bool moved = true; moved && is_in;) {
                    moved = false;
                    is_in = is_left(ends[e], ends[1 - e], r * SIDE,
                                    r * SIDE + SIDE - 1, 1, &moved) &&
                            is_left(ends[e], ends[1 - e], c * SIDE,
                                    c * SIDE + SIDE - 1, 0, &moved);
                }
            if (is_in)
                put_at(c, r, i);
        }
}

// ---------------------------------------------------------------------------
// All of them

static struct line *take_lines(const struct random_map *map)
{
    struct line *lines = calloc(map->line_count + 1, sizeof *lines);
    for (size_t i = 0; i < map->line_count; i++) {
        const struct nbstage_vertex *a = &map->vertices[map->lines[i].v1];
        const struct nbstage_vertex *b = &map->vertices[map->lines[i].v2];
        lines[i] = (struct line){
            floor_units(a->x),
            floor_units(a->y),
            floor_units(b->x),
            floor_units(b->y),
            floor_units(wrapped((int64_t)b->x - a->x)),
            floor_units(wrapped((int64_t)b->y - a->y)),
            a->x == b->x && a->y == b->y,
        };
    }
    return lines;
}

static const struct model {
    const char *name;
    void (*walk)(const struct line *line, int32_t number);
    bool descends, omits_points;
} models[] = {
    {"boom", boom, true, false},
    {"mbf", mbf, true, false},
    {"zdbsp", zdbsp, false, true},
    {"glbsp", glbsp, false, true},
};

static void make(const struct model *model, const struct random_map *map)
{
    struct line *lines = take_lines(map);
    made.fails = false;
    made.count = 0;
    if (model->walk == glbsp)
        lay_glbsp(lines, map->line_count);
    else if (model->walk == zdbsp)
        lay_zdbsp(map);
    else
        lay_engine_grid(map);
    memset(made.last, -1, MOST_BLOCKS * sizeof *made.last);
    for (size_t i = 0; i < map->line_count && !made.fails; i++) {
        struct line line = lines[i];
        line.x1 -= made.x;
        line.x2 -= made.x;
        line.y1 -= made.y;
        line.y2 -= made.y;
        if (!line.is_point || !model->omits_points)
            model->walk(&line, (int32_t)i);
    }
    free(lines);
}

static void compare(const struct model *model, const struct plugin_lump *lump,
                    const char *where)
{
    struct blocklists lists = blocklists_read(lump->bytes, lump->size);
    ck_assert_msg(lists.grid.origin_x == (int16_t)made.x &&
                      lists.grid.origin_y == (int16_t)made.y &&
                      lists.grid.columns == (uint32_t)made.columns &&
                      lists.grid.rows == (uint32_t)made.rows,
                  "%s: another grid, %d,%d %dx%d", where, made.x, made.y,
                  made.columns, made.rows);
    for (size_t b = 0; b < lists.block_count; b++) {
        size_t begin, end;
        ck_assert(blocklists_find(&lists, LISTS_ANY, b, &begin, &end));
        int32_t at = made.last[b];
        for (size_t w = begin; w < end; w++) {
            size_t from = model->descends ? w : begin + end - 1 - w;
            ck_assert_msg(at >= 0 && lists.words[from] ==
                                         (uint32_t)made.entry[at].line,
                          "%s: block %zu: another list", where, b);
            at = made.entry[at].before;
        }
        ck_assert_msg(at < 0, "%s: block %zu: a line is missing", where, b);
    }
    blocklists_free(&lists);
}

static uint64_t seed;

LOOP_TEST(lists_are_the_model_s, sizeof models / sizeof *models)
{
    static const struct random_shape shapes[] = {
        {"crowded", 3, 3, 60},
        {"medium", 30, 20, 80},
        {"wide", 511, 200, 8},
        {"narrow", 511, 2, 4}, // MBF lists lines again and again
    };
    static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD};
    const struct model *model = &models[_i];
    struct random_stream stream = {seed};
    char options[96], where[64];
    made.last = malloc(MOST_BLOCKS * sizeof *made.last);
    snprintf(options, sizeof options,
             "lists=%s pack=share header=any format=xbm1", model->name);
    for (int run = 0; run < RUNS; run++) {
        struct random_map map = random_map_make(&shapes[run % 4], &stream);
        struct nbstage_map arrays = random_map_arrays(&map, "MAP01");
        if (run % 8 < 4) // without the vertex of no line, which is far away
            arrays.vertex_count = --map.vertex_count;
        snprintf(where, sizeof where, "%s, run %d", model->name, run);
        make(model, &map);
        if (made.fails) {
            const char *sentence;
            ck_assert_int_eq(plugin_try(&arrays, options, &sentence),
                             NBSTAGE_BAD_MAP);
        } else {
            const int rounding = roundings[run % 3];
            fesetround(rounding); // of hosts
            struct plugin_lump lump = plugin_build(&arrays, options);
            ck_assert_int_eq(fegetround(), rounding);
            fesetround(FE_TONEAREST);
            compare(model, &lump, where);
            plugin_free(&lump);
        }
        random_map_free(&map);
    }
    free(made.last);
    free(made.entry);
    made.entry = NULL;
    made.capacity = 0;
}

int main(void)
{
    TCase *tests = all_tests();
    seed = choose_seed();
    tcase_set_timeout(tests, 300);
    return run_suite(tests);
}
