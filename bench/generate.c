// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map is a square of plots, about one for every 48 lines, each of which
// gets a room or stays empty.  Plots are visited along a Z-shaped curve, which
// fills a quarter of the map before it goes on to the next, as a mapper draws
// wing by wing.  A room is drawn as a whole: its walls with a door in each,
// corridors to the rooms west and south of it, then columns, platforms and
// stairs until it has the lines that it was given.  Lines share vertices
// wherever they meet.
//
// Plots have 760 units a side until the whole range of coordinates is full.
// Up to there the maps are much like those of Freedoom Phase 2, whose figures
// are in brackets: 1.3 lines for each block of the grid (1.4), 38 to 47 % of
// the blocks not empty (40 %), 1.5 to 1.6 entries a line (1.6), half of the
// lines under 36 units (41), 85 % under 128 (83 %).
//
// A full map has districts, a hundred squares that no corridor joins.  Their
// plots are longer, and lose height as lines are added: rooms become galleries,
// and what is in them planks and gratings, lying in one district and standing
// in the next.  So the blocks get more lines, but the lines stay as long: there
// are 1.57 to 1.68 entries a line up to 10 million, half of the lines are under
// 32 to 40 units, 78 to 82 % under 128.

#include "generate.h"

#include "drawing.h"
#include "fail.h"
#include "furnish.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    COORDINATE_RANGE = 65535, // map units
    LINES_PER_PLOT = 48,
    PLOT_SIZE = 760, // map units, unless the map is full
    SNAP = 8,        // map units, if plots are high enough

    // In a full map.
    DISTRICTS = 10,       // along a side
    DISTRICT_SIZE = 6544, // map units, a multiple of SNAP
    DISTRICT_COLUMNS = 6, // of plots

    // Height of a plot over snap, at least: a room may have a fourth of it, and
    // a door a sixth of that.
    SNAPS_PER_PLOT = 24,
};

enum side { WEST, NORTH, EAST, SOUTH, SIDE_COUNT };

// The ends of an opening in a wall, clockwise around its room.
struct door {
    uint32_t first, second;
};

struct room {
    bool is_open; // has doors
    struct door doors[SIDE_COUNT];
};

struct plan {
    struct drawing drawing;
    size_t side;           // of the map, in districts
    int32_t district_size; // map units
    size_t columns, rows;  // of plots in a district
    struct point plot;     // width and height, map units
    uint32_t wing;         // 3 to 6: few or many lines in the present wing
    struct room *rooms;    // one a plot of the present district, row by row
};

// ---------------------------------------------------------------------------
// Rooms

static struct point step_along(struct point point, enum side side,
                               int32_t distance)
{
    static const struct point direction[SIDE_COUNT] = {
        [WEST] = {0, 1}, [NORTH] = {1, 0}, [EAST] = {0, -1}, [SOUTH] = {-1, 0}};
    point.x += direction[side].x * distance;
    point.y += direction[side].y * distance;
    return point;
}

// Draws walls clockwise, with a door in each: three lines a side, four if the
// corners are cut off.
static void draw_walls(struct drawing *drawing, struct box box, bool octagonal,
                       struct room *room)
{
    const struct point corners[SIDE_COUNT] = {
        [WEST] = box.low,
        [NORTH] = {box.low.x, box.high.y},
        [EAST] = box.high,
        [SOUTH] = {box.high.x, box.low.y},
    };
    const uint32_t side_points = octagonal ? 4 : 3;
    struct point points[4 * SIDE_COUNT];
    size_t count = 0;
    for (enum side side = WEST; side < SIDE_COUNT; side++) {
        int32_t length = side == WEST || side == EAST ? box.high.y - box.low.y
                                                      : box.high.x - box.low.x;
        int32_t cut = length / 4;
        int32_t door = random_between(drawing, length / 3, length / 2);
        struct point corner = corners[side];
        points[count++] = step_along(corner, side, octagonal ? cut : 0);
        points[count++] = step_along(corner, side, door);
        points[count++] = step_along(corner, side, door + length / 6);
        if (octagonal)
            points[count++] = step_along(corner, side, length - cut);
    }
    uint32_t vertex = add_ring(drawing, points, count);
    room->is_open = true;
    for (enum side side = WEST; side < SIDE_COUNT; side++) {
        room->doors[side] = (struct door){vertex + 1, vertex + 2};
        vertex += side_points;
    }
}

// Two walls from door to door, parallel only where these happen to lie so.
static void draw_corridor(struct drawing *drawing, struct door from,
                          struct door to)
{
    add_line(drawing, from.first, to.second);
    add_line(drawing, to.first, from.second);
}

// Draws corridors to rooms that are there already, and takes their lines off.
static void join_rooms(struct plan *plan, size_t column, size_t row,
                       uint32_t *lines)
{
    const struct room *room = &plan->rooms[row * plan->columns + column];
    const struct room *west = column > 0 ? room - 1 : NULL;
    const struct room *south = row > 0 ? room - plan->columns : NULL;
    if (west && west->is_open && *lines >= 2) {
        draw_corridor(&plan->drawing, room->doors[WEST], west->doors[EAST]);
        *lines -= 2;
    }
    if (south && south->is_open && *lines >= 2) {
        draw_corridor(&plan->drawing, room->doors[SOUTH], south->doors[NORTH]);
        *lines -= 2;
    }
}

// A box inside a plot that leaves space for corridors around it.
static struct box place_room(struct plan *plan, size_t column, size_t row)
{
    struct drawing *drawing = &plan->drawing;
    struct point plot = plan->plot;
    struct point low = {(int32_t)column * plot.x, (int32_t)row * plot.y};
    int32_t width = random_between(drawing, plot.x / 4, 3 * plot.x / 4);
    int32_t height = random_between(drawing, plot.y / 4, 3 * plot.y / 4);
    low.x += random_between(drawing, 0, 7 * plot.x / 8 - width);
    low.y += random_between(drawing, 0, 7 * plot.y / 8 - height);
    return (struct box){low, {low.x + width, low.y + height}};
}

// Draws exactly so many lines into a plot.
static void draw_room(struct plan *plan, size_t column, size_t row,
                      uint32_t lines)
{
    struct box box = place_room(plan, column, row);
    // Between a door and a corner cut off is a twelfth of the wall, or more.
    bool is_high = box.high.y - box.low.y >= 12 * plan->drawing.snap.y;
    if (lines >= 12) {
        bool octagonal =
            lines >= 16 && is_high && random_below(&plan->drawing, 3) == 0;
        draw_walls(&plan->drawing, box, octagonal,
                   &plan->rooms[row * plan->columns + column]);
        lines -= octagonal ? 16 : 12;
        join_rooms(plan, column, row, &lines);
    }
    furnish(&plan->drawing, box, lines);
}

// ---------------------------------------------------------------------------
// The map

// The bits of `number` that have even positions, moved together.
static size_t gather_even_bits(size_t number)
{
    size_t gathered = 0;
    for (unsigned bit = 0; number >> (2 * bit); bit++)
        gathered |= (number >> (2 * bit) & 1) << bit;
    return gathered;
}

// How many lines the next of `plots_left` plots gets: more or fewer by its
// wing, which has 16 plots, and by chance, some none, the last what is left.
static uint32_t choose_lines(struct plan *plan, size_t plot, size_t plots_left)
{
    struct drawing *drawing = &plan->drawing;
    if (plots_left == 1)
        return (uint32_t)drawing->lines_left;
    uint32_t mean = (uint32_t)(drawing->lines_left / plots_left);
    if (plot % 16 == 0)
        plan->wing = 3 + random_below(drawing, 4);
    uint32_t chance = random_below(drawing, 10);
    uint32_t lines = mean * plan->wing * chance / 20;
    return lines < drawing->lines_left ? lines : (uint32_t)drawing->lines_left;
}

// Draws the plots of a district; `map_plots_left` counts those of the map.
static void draw_district(struct plan *plan, size_t *map_plots_left)
{
    size_t plots_left = plan->columns * plan->rows;
    memset(plan->rooms, 0, plots_left * sizeof *plan->rooms);
    for (size_t plot = 0; plots_left > 0; plot++) {
        size_t column = gather_even_bits(plot);
        size_t row = gather_even_bits(plot >> 1);
        if (column >= plan->columns || row >= plan->rows)
            continue;
        plots_left--;
        uint32_t lines = choose_lines(plan, plot, (*map_plots_left)--);
        if (lines > 0)
            draw_room(plan, column, row, lines);
    }
}

// Draws row by row of districts, every other district turned.
static void draw_map(struct plan *plan)
{
    struct drawing *drawing = &plan->drawing;
    int32_t size = plan->district_size;
    int32_t middle = (int32_t)plan->side * size / 2;
    middle -= middle % SNAP;
    size_t plots_left = plan->side * plan->side * plan->columns * plan->rows;
    for (size_t row = 0; row < plan->side; row++) {
        for (size_t column = 0; column < plan->side; column++) {
            drawing->origin.x = (int32_t)column * size - middle;
            drawing->origin.y = (int32_t)row * size - middle;
            drawing->turned = (column + row) % 2 == 1;
            draw_district(plan, &plots_left);
        }
    }
}

// ---------------------------------------------------------------------------
// The plan

// One district of square plots.
static void lay_out_square(struct plan *plan, size_t side)
{
    plan->side = 1;
    plan->district_size = (int32_t)side * PLOT_SIZE;
    plan->columns = plan->rows = side;
    plan->plot = (struct point){PLOT_SIZE, PLOT_SIZE};
    plan->drawing.snap = (struct point){SNAP, SNAP};
    plan->drawing.stretch = 1;
}

// Districts of plots that are as high as their number allows.  Parts of rooms
// are as much flatter than plots as these are flatter than squares.
static void lay_out_full(struct plan *plan, size_t plots)
{
    const int32_t width = DISTRICT_SIZE / DISTRICT_COLUMNS;
    size_t rows = plots / (DISTRICTS * DISTRICTS * DISTRICT_COLUMNS) + 1;
    if (rows > DISTRICT_SIZE / SNAPS_PER_PLOT)
        rows = DISTRICT_SIZE / SNAPS_PER_PLOT;
    int32_t height = DISTRICT_SIZE / (int32_t)rows;
    int32_t snap = height / SNAPS_PER_PLOT;
    plan->side = DISTRICTS;
    plan->district_size = DISTRICT_SIZE;
    plan->columns = DISTRICT_COLUMNS;
    plan->rows = rows;
    plan->plot = (struct point){width, height};
    plan->drawing.snap = (struct point){SNAP, snap < SNAP ? snap : SNAP};
    plan->drawing.stretch = width * width / (height * height);
}

static struct plan make_plan(struct generated_map *map, size_t line_count)
{
    struct plan plan = {.drawing = {.map = map,
                                    .lines_left = line_count,
                                    .random_state = 0x9E3779B97F4A7C15u}};
    size_t side = 1;
    while (side * side * LINES_PER_PLOT < line_count)
        side++;
    if (side * PLOT_SIZE <= COORDINATE_RANGE)
        lay_out_square(&plan, side);
    else
        lay_out_full(&plan, side * side);
    plan.rooms = allocate(plan.columns * plan.rows, sizeof *plan.rooms);
    return plan;
}

struct generated_map generate_map(size_t line_count)
{
    // A line brings two vertices at the most.
    struct generated_map map = {
        .vertices = allocate(2 * line_count, sizeof *map.vertices),
        .lines = allocate(line_count, sizeof *map.lines),
    };
    struct plan plan = make_plan(&map, line_count);
    draw_map(&plan);
    free(plan.rooms);
    return map;
}

struct nbstage_map generate_view(const struct generated_map *map)
{
    return (struct nbstage_map){
        .size = sizeof(struct nbstage_map),
        .name = "generated",
        .vertices = map->vertices,
        .vertex_count = map->vertex_count,
        .vertex_stride = sizeof *map->vertices,
        .lines = map->lines,
        .line_count = map->line_count,
        .line_stride = sizeof *map->lines,
        .line_size = sizeof *map->lines,
    };
}

void generate_free(struct generated_map *map)
{
    free(map->vertices);
    free(map->lines);
    *map = (struct generated_map){0};
}
