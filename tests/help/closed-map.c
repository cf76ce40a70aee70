// SPDX-License-Identifier: GPL-2.0-or-later

#include "closed-map.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCKING = 1,
    TWO_SIDED = 4,
    NO_SIDE = 0xFFFF,
    PLAYER_1 = 1,
    LANDING = 14,
    LINE_TELEPORT = 243, // of Boom
    MOST_CELLS = 64 * 64,
};

// A quadrilateral of the mesh.
struct cell {
    int corners[4]; // vertices, from the south-west against the clock
    int sector;     // or CLOSED_NONE
};

struct mesh {
    struct closed_map *map;
    struct random_stream *stream;
    const struct closed_shape *shape;
    struct cell *cells; // by rows
    int first_vertex;   // of the mesh, by rows
    bool moves_any;     // lines may have specials that move any sector
    int border;         // a sector, or CLOSED_NONE
};

static int below(struct mesh *mesh, int count)
{
    return (int)random_below(mesh->stream, (uint32_t)count);
}

static bool one_in(struct mesh *mesh, int count)
{
    return below(mesh, count) == 0;
}

static int between(struct mesh *mesh, int low, int high)
{
    return low + below(mesh, high - low + 1);
}

static void *grow(void *array, int count, size_t size)
{
    // Room for 16, 32, 64, ...
    if (count >= 16 && (count & (count - 1)))
        return array;
    if (count > 0 && count < 16)
        return array;
    size_t room = count < 16 ? 16 : 2 * (size_t)count;
    array = realloc(array, room * size);
    if (!array)
        abort_with("no memory for a map");
    return array;
}

static int add_vertex(struct closed_map *map, int x, int y)
{
    map->vertices =
        grow(map->vertices, map->vertex_count, sizeof *map->vertices);
    map->vertices[map->vertex_count][0] = x;
    map->vertices[map->vertex_count][1] = y;
    return map->vertex_count++;
}

static struct closed_line *add_line(struct closed_map *map, int v1, int v2,
                                    int front, int back)
{
    map->lines = grow(map->lines, map->line_count, sizeof *map->lines);
    struct closed_line *line = &map->lines[map->line_count++];
    *line = (struct closed_line){v1, v2, front, back, 0, 0, 0};
    line->flags = back == CLOSED_NONE ? BLOCKING : TWO_SIDED;
    return line;
}

static void add_thing(struct closed_map *map, int x, int y, unsigned type)
{
    map->things = grow(map->things, map->thing_count, sizeof *map->things);
    map->things[map->thing_count++] = (struct closed_thing){x, y, type};
}

// ---------------------------------------------------------------------------
// Sectors

static int add_sector(struct mesh *mesh)
{
    static const int heights[] = {0, 0, 0, 24, 64, 128};
    struct closed_map *map = mesh->map;
    map->sectors = grow(map->sectors, map->sector_count, sizeof *map->sectors);
    struct closed_sector *sector = &map->sectors[map->sector_count];
    *sector = (struct closed_sector){0};
    sector->floor = heights[below(mesh, 5)];
    sector->ceiling = heights[between(mesh, 4, 5)] + 72;
    sector->has_sky = one_in(mesh, 3);
    if (one_in(mesh, 2)) // closed
        sector->ceiling = sector->floor - (one_in(mesh, 3) ? 8 : 0);
    if (one_in(mesh, 6))
        sector->tag = (unsigned)between(mesh, 1, 4);
    if (one_in(mesh, 40))
        sector->special = one_in(mesh, 2) ? 10 : 9;
    return map->sector_count++;
}

// How many cells the border is wide.
static int border_of(const struct closed_shape *shape)
{
    if (!shape->has_border)
        return 0;
    return shape->columns < 8 ? 1 : 2;
}

// The cell of the player.
static int start_of(const struct closed_shape *shape)
{
    return border_of(shape) * (shape->columns + 1);
}

static void close_border(struct mesh *mesh)
{
    const int columns = mesh->shape->columns, rows = mesh->shape->rows;
    const int wide = border_of(mesh->shape);
    const int sector = mesh->border = add_sector(mesh);
    mesh->map->sectors[sector] = (struct closed_sector){128, 128, 0, 0, true};
    for (int i = 0; i < columns * rows; i++)
        if (i % columns < wide || i % columns >= columns - wide ||
            i / columns < wide || i / columns >= rows - wide)
            mesh->cells[i].sector = sector;
}

// Gives each cell a sector of its own, that of a cell beside it, or none.
static void fill_cells(struct mesh *mesh, bool is_island)
{
    const int columns = mesh->shape->columns;
    for (int i = 0; i < columns * mesh->shape->rows; i++) {
        struct cell *cell = &mesh->cells[i];
        int choice = below(mesh, 10);
        if (choice < 3 && i % columns > 0)
            cell->sector = mesh->cells[i - 1].sector;
        else if (choice < 6 && i >= columns)
            cell->sector = mesh->cells[i - columns].sector;
        else if (choice == 6)
            cell->sector = CLOSED_NONE;
        else
            cell->sector = add_sector(mesh);
    }
    if (!is_island && mesh->shape->has_border)
        close_border(mesh);
    struct cell *start = &mesh->cells[start_of(mesh->shape)];
    if (!is_island && start->sector == CLOSED_NONE)
        start->sector = add_sector(mesh);
}

// ---------------------------------------------------------------------------
// Lines

// What a line may do.  Games end where doors have no sector behind them, which
// the first two are, or donuts no ring; the last ones lead anywhere, may move
// any sector, or end the level.
static const unsigned specials[] = {
    1, 31, 48, 63, 103, 97, 39, 36, LINE_TELEPORT, 8, 9, 11};

// What mappers do by mistake.
static void spoil_line(struct mesh *mesh, struct closed_line *line)
{
    const int *at = mesh->map->vertices[line->v1];
    switch (below(mesh, 6)) {
    case 0:
        line->v2 = line->v1;
        break;
    case 1:
        line->v1 = add_vertex(mesh->map, at[0] + between(mesh, -9, 9), at[1]);
        break;
    case 2:
        line->front = below(mesh, mesh->map->sector_count);
        break;
    case 3:
        line->flags &= ~(unsigned)TWO_SIDED;
        break;
    default: // another vertex at the same place
        line->v1 = add_vertex(mesh->map, at[0], at[1]);
    }
}

static void furnish_line(struct mesh *mesh, struct closed_line *line)
{
    // A door would open the border.
    if (one_in(mesh, 25)) {
        const bool is_border =
            mesh->border != CLOSED_NONE &&
            (line->front == mesh->border || line->back == mesh->border);
        const bool has_door =
            !is_border && (line->back != CLOSED_NONE || !mesh->shape->is_plain);
        int first = has_door ? 0 : 2;
        int last = mesh->moves_any ? 11 : 7;
        line->special =
            specials[between(mesh, first, mesh->shape->is_plain ? 7 : last)];
        line->tag = (unsigned)between(mesh, mesh->moves_any ? 0 : 1, 4);
    }
    // Others with the same sector on both sides are inert.
    if (one_in(mesh, line->front == line->back ? 2 : 20))
        line->flags ^= BLOCKING;
    if (one_in(mesh, 30))
        line->tag = (unsigned)between(mesh, 1, 4);
    if (!mesh->shape->is_plain && one_in(mesh, 15))
        spoil_line(mesh, line);
}

// The line between two cells, or of a cell and void; `right` is what is to the
// right of the way from one vertex to the other.
static void add_edge(struct mesh *mesh, int v1, int v2, int right, int left)
{
    struct closed_line *line;
    if (right == left && (right == CLOSED_NONE || !one_in(mesh, 3)))
        return;
    if (right == CLOSED_NONE)
        line = add_line(mesh->map, v2, v1, left, right);
    else if (left != CLOSED_NONE && one_in(mesh, 2))
        line = add_line(mesh->map, v2, v1, left, right);
    else
        line = add_line(mesh->map, v1, v2, right, left);
    furnish_line(mesh, line);
}

static int sector_at(const struct mesh *mesh, int column, int row)
{
    if (column < 0 || row < 0 || column == mesh->shape->columns ||
        row == mesh->shape->rows)
        return CLOSED_NONE;
    return mesh->cells[row * mesh->shape->columns + column].sector;
}

static void add_edges(struct mesh *mesh)
{
    const int columns = mesh->shape->columns;
    for (int row = 0; row <= mesh->shape->rows; row++)
        for (int column = 0; column <= columns; column++) {
            int v = mesh->first_vertex + row * (columns + 1) + column;
            int here = sector_at(mesh, column, row);
            if (column < columns) // to the east, the south to its right
                add_edge(mesh, v, v + 1, sector_at(mesh, column, row - 1),
                         here);
            if (row < mesh->shape->rows) // to the north, the east to its right
                add_edge(mesh, v, v + columns + 1, here,
                         sector_at(mesh, column - 1, row));
        }
}

// A point in a cell; on plain maps so far from the edges that players fit.
static void choose_point(struct mesh *mesh, const struct cell *cell, int *x,
                         int *y)
{
    int weights[4], sum = 0, sums[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        weights[i] =
            mesh->shape->is_plain ? between(mesh, 2, 4) : between(mesh, 1, 8);
        sum += weights[i];
        for (int axis = 0; axis < 2; axis++)
            sums[axis] +=
                weights[i] * mesh->map->vertices[cell->corners[i]][axis];
    }
    *x = sums[0] / sum;
    *y = sums[1] / sum;
}

// A quadrilateral within a cell: a pillar, a pit, a sector that refers to
// itself or is what is around it, or a room in void.
static void add_inset(struct mesh *mesh, const struct cell *cell)
{
    struct closed_map *map = mesh->map;
    int x, y, corners[4];
    choose_point(mesh, cell, &x, &y);
    for (int i = 0; i < 4; i++) {
        const int *corner = map->vertices[cell->corners[i]];
        corners[i] =
            add_vertex(map, (corner[0] + 2 * x) / 3, (corner[1] + 2 * y) / 3);
    }
    int kind = below(mesh, 5);
    int inside = kind == 0 ? CLOSED_NONE : add_sector(mesh);
    int outside = kind == 1 ? inside : cell->sector;
    if (kind == 2) // a trick: any sector, on both sides
        inside = outside = below(mesh, map->sector_count);
    if (mesh->shape->is_plain && (kind == 1 || kind == 2))
        return;
    if (inside == CLOSED_NONE && outside == CLOSED_NONE)
        return;
    for (int i = 0; i < 4; i++) {
        int v1 = corners[i], v2 = corners[(i + 1) % 4];
        if (outside == CLOSED_NONE)
            furnish_line(mesh, add_line(map, v2, v1, inside, outside));
        else
            furnish_line(mesh, add_line(map, v1, v2, outside, inside));
    }
}

static void add_cell_things(struct mesh *mesh, const struct cell *cell)
{
    static const unsigned types[] = {3001, 7, LANDING, LANDING, 58};
    const struct closed_sector *sector = &mesh->map->sectors[cell->sector];
    int x, y;
    choose_point(mesh, cell, &x, &y);
    if (one_in(mesh, sector->ceiling > sector->floor ? 3 : 20))
        add_thing(mesh->map, x, y, types[below(mesh, 5)]);
}

static void add_mesh(struct closed_map *map, const struct closed_shape *shape,
                     int x0, bool is_island, struct random_stream *stream)
{
    struct mesh mesh = {map,   stream,     shape, NULL, map->vertex_count,
                        false, CLOSED_NONE};
    mesh.moves_any = one_in(&mesh, 5);
    const int columns = shape->columns, rows = shape->rows;
    int xs[65], ys[65], jitter = shape->is_plain ? 0 : shape->narrowest / 3;
    xs[0] = x0;
    ys[0] = between(&mesh, -64, 64);
    for (int i = 0; i < columns; i++)
        xs[i + 1] = xs[i] + between(&mesh, shape->narrowest, shape->widest);
    for (int i = 0; i < rows; i++)
        ys[i + 1] = ys[i] + between(&mesh, shape->narrowest, shape->widest);
    if (one_in(&mesh, 2))
        jitter = 0;
    for (int row = 0; row <= rows; row++)
        for (int column = 0; column <= columns; column++)
            add_vertex(map, xs[column] + between(&mesh, -jitter, jitter),
                       ys[row] + between(&mesh, -jitter, jitter));
    mesh.cells = allocate_zeros((size_t)(columns * rows), sizeof *mesh.cells);
    for (int i = 0; i < columns * rows; i++) {
        int v = mesh.first_vertex + i / columns * (columns + 1) + i % columns;
        struct cell cell = {{v, v + 1, v + columns + 2, v + columns + 1}, 0};
        mesh.cells[i] = cell;
    }
    fill_cells(&mesh, is_island);
    add_edges(&mesh);
    const bool has_things = !is_island || one_in(&mesh, 3);
    const int start = is_island ? -1 : start_of(shape);
    for (int i = 0; i < columns * rows; i++) {
        bool has_inset = one_in(&mesh, 7) && i != start;
        if (has_inset)
            add_inset(&mesh, &mesh.cells[i]);
        if (has_things && mesh.cells[i].sector != CLOSED_NONE &&
            !(has_inset && shape->is_plain))
            add_cell_things(&mesh, &mesh.cells[i]);
    }
    if (!is_island) {
        int x, y;
        choose_point(&mesh, &mesh.cells[start], &x, &y);
        struct closed_sector *sector = &map->sectors[mesh.cells[start].sector];
        sector->floor = 0;
        sector->ceiling = 128;
        add_thing(map, x, y, PLAYER_1);
    }
    free(mesh.cells);
}

// A line from anywhere to anywhere, which may cross others or lie on them.
static void add_stray(struct closed_map *map, struct random_stream *stream)
{
    uint32_t count = (uint32_t)map->vertex_count;
    int v1 = (int)random_below(stream, count);
    int v2 = (int)random_below(stream, count);
    int front = (int)random_below(stream, (uint32_t)map->sector_count);
    int back = (int)random_below(stream, (uint32_t)map->sector_count);
    if (random_below(stream, 2) == 0)
        v2 = add_vertex(map, map->vertices[v2][0] + 20,
                        map->vertices[v2][1] + 12);
    add_line(map, v1, v2, front, random_below(stream, 4) ? back : CLOSED_NONE);
}

// A teleporter from line to line, which may lead to where nothing else does.
static void add_exit(struct closed_map *map, struct random_stream *stream)
{
    uint32_t count = (uint32_t)map->line_count;
    struct closed_line *from = &map->lines[random_below(stream, count)];
    struct closed_line *to = &map->lines[count - 1];
    while (to->back == CLOSED_NONE && to > map->lines)
        to--; // to an island, if it has such a line
    from->special = LINE_TELEPORT;
    from->tag = to->tag = 6;
}

struct closed_map closed_map_make(const struct closed_shape *shape,
                                  struct random_stream *stream)
{
    struct closed_map map = {0};
    int east = 0;
    add_mesh(&map, shape, 0, false, stream);
    for (int i = 0; i < map.vertex_count; i++)
        if (map.vertices[i][0] > east)
            east = map.vertices[i][0];
    if (random_below(stream, 2) == 0) {
        struct closed_shape island = *shape;
        island.has_border = false;
        island.columns = 1 + (int)random_below(stream, 2);
        island.rows = 1 + (int)random_below(stream, 2);
        east += 8 + (int)random_below(stream, 100);
        add_mesh(&map, &island, east, true, stream);
    }
    if (!shape->is_plain && random_below(stream, 4) == 0)
        add_stray(&map, stream);
    if (!shape->is_plain && random_below(stream, 4) == 0)
        add_exit(&map, stream);
    return map;
}

void closed_map_free(struct closed_map *map)
{
    free(map->vertices);
    free(map->lines);
    free(map->sectors);
    free(map->things);
    *map = (struct closed_map){0};
}

// ---------------------------------------------------------------------------
// Lumps

static unsigned put_side(struct buffer *sides, int sector)
{
    if (sector == CLOSED_NONE)
        return NO_SIDE;
    unsigned number = (unsigned)(sides->size / 30);
    buffer_put_u32(sides, 0);
    for (int i = 0; i < 3; i++)
        buffer_put(sides, "-\0\0\0\0\0\0\0", 8);
    buffer_put_u16(sides, (unsigned)sector);
    return number;
}

static void put_sector(struct buffer *bytes, const struct closed_sector *sector)
{
    buffer_put_u16(bytes, (unsigned)sector->floor);
    buffer_put_u16(bytes, (unsigned)sector->ceiling);
    buffer_put(bytes, "FLOOR0_1", 8);
    buffer_put(bytes, sector->has_sky ? "F_SKY1\0" : "FLOOR0_1", 8);
    buffer_put_u16(bytes, 160);
    buffer_put_u16(bytes, sector->special);
    buffer_put_u16(bytes, sector->tag);
}

struct lump_set closed_map_lumps(const struct closed_map *map)
{
    struct lump_set set = {.map_name = "MAP01"};
    struct buffer things = {0}, lines = {0}, sides = {0}, vertices = {0},
                  sectors = {0};
    for (int i = 0; i < map->thing_count; i++) {
        buffer_put_u16(&things, (unsigned)map->things[i].x);
        buffer_put_u16(&things, (unsigned)map->things[i].y);
        buffer_put_u16(&things, 0);
        buffer_put_u16(&things, map->things[i].type);
        buffer_put_u16(&things, 7);
    }
    for (int i = 0; i < map->line_count; i++) {
        const struct closed_line *line = &map->lines[i];
        buffer_put_u16(&lines, (unsigned)line->v1);
        buffer_put_u16(&lines, (unsigned)line->v2);
        buffer_put_u16(&lines, line->flags);
        buffer_put_u16(&lines, line->special);
        buffer_put_u16(&lines, line->tag);
        buffer_put_u16(&lines, put_side(&sides, line->front));
        buffer_put_u16(&lines, put_side(&sides, line->back));
    }
    for (int i = 0; i < map->vertex_count; i++)
        for (int axis = 0; axis < 2; axis++)
            buffer_put_u16(&vertices, (unsigned)map->vertices[i][axis]);
    for (int i = 0; i < map->sector_count; i++)
        put_sector(&sectors, &map->sectors[i]);
    lump_set_add(&set, "THINGS", things);
    lump_set_add(&set, "LINEDEFS", lines);
    lump_set_add(&set, "SIDEDEFS", sides);
    lump_set_add(&set, "VERTEXES", vertices);
    lump_set_add(&set, "SECTORS", sectors);
    return set;
}
