// SPDX-License-Identifier: GPL-2.0-or-later
//
// Judges the path of a player, as the observer has written it, by the walls of
// the map and nothing else: no blockmap is read.
//
//   pathtool FILE.wad MAP PATH     fails if he passed through something
//
// Walls are linedefs with one side, and those that block players; heights are
// left out, for sectors move.  The player is a square, 32 units wide.  With the
// right lists
//
//   no wall is in the square after any tic, exactly and by Doom's own test;
//   no wall lies between the middle of the square before a tic and after it;
//   the middle stays in sectors that other linedefs, and teleporters, connect
//       with the one of the start.
//
// The products in Doom's test (P_BoxOnLineSide in p_maputl.c) lose what is
// smaller than 1, so neither test suffices for walls that slope.
//
// He moves 30 units in a tic at most, on each axis (MAXMOVE in p_local.h), in
// two halves (P_XYMovement in p_mobj.c), each of which may slide along a wall
// by the whole (P_SlideMove in p_map.c): 60.  A teleporter moves him by more,
// to one of its destinations (EV_Teleport in p_telept.c), from where the other
// half, 15 units, may follow; after his death he is at the start.
//
// Prints the numbers of positions, of those that are not that of the tic
// before, of jumps, of walls that were near, and "-" or the wall that was alone
// near to him for most tics, but not linedef 0, which many lumps list
// everywhere.

#include "buffer.h"
#include "wadfile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In 16.16.
enum {
    UNIT = 65536,
    RADIUS = 16 * UNIT,  // half of a player
    STEP = 60 * UNIT,    // the most in a tic, on each axis
    LANDING = 15 * UNIT, // the most after a teleport
    NEAR = 2 * UNIT,     // so far from a wall he has run into it
};

// What lumps say of linedefs, things and nodes; specials are those that
// teleport players (P_CrossSpecialLine in p_spec.c).
enum {
    NO_SIDE = 0xFFFF,
    BLOCKING = 1,
    TELEPORT_ONCE = 39,
    TELEPORT_REPEATABLE = 97,
    PLAYER_1 = 1,
    TELEPORT_DESTINATION = 14,
    SUBSECTOR = 0x8000,
};

struct point {
    int32_t x, y; // 16.16
};

struct linedef {
    size_t number;
    bool is_wall;
    uint16_t special, tag;
    size_t front, back; // sectors, or NO_SIDE
    struct point v1, v2;
    struct point low, high; // its bounding box
    int64_t dx, dy;         // from v1 to v2, map units
    size_t near;            // tics that the player was near
    size_t alone;           // and no other wall was
};

// A lump: so many elements of so many words.
struct words {
    const unsigned char *bytes;
    size_t count, size;
};

struct path {
    struct point *points;
    size_t count;
    size_t moves, jumps;
};

struct judge {
    struct words things, sidedefs, segs, subsectors, nodes, sectors;
    struct point start;
    struct linedef *linedefs;
    size_t linedef_count;
    bool *may_reach; // for each sector
};

// ---------------------------------------------------------------------------
// The map

static struct words find_words(const struct wadfile_map *map, const char *name,
                               size_t size)
{
    const struct wadfile_lump *lump = wadfile_find_lump(map, name);
    return (struct words){lump->data, lump->size / (2 * size), size};
}

static uint16_t get_word(const struct words *words, size_t element, size_t word)
{
    if (element >= words->count)
        abort_with("the map has no element %zu of %zu", element, words->count);
    const unsigned char *bytes =
        words->bytes + 2 * (element * words->size + word);
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static int32_t get_number(const struct words *words, size_t element,
                          size_t word)
{
    return (int16_t)get_word(words, element, word);
}

// A place, in two words that are map units.
static struct point get_point(const struct words *words, size_t element,
                              size_t word)
{
    return (struct point){get_number(words, element, word) * UNIT,
                          get_number(words, element, word + 1) * UNIT};
}

// The sector of a sidedef, or NO_SIDE.
static size_t get_sector(const struct judge *judge, uint16_t sidedef)
{
    return sidedef == NO_SIDE ? NO_SIDE
                              : get_word(&judge->sidedefs, sidedef, 14);
}

static void read_linedefs(struct judge *judge, const struct wadfile_map *map)
{
    struct words vertexes = find_words(map, "VERTEXES", 2);
    struct words words = find_words(map, "LINEDEFS", 7);
    judge->linedef_count = words.count;
    judge->linedefs = allocate_zeros(words.count, sizeof *judge->linedefs);
    for (size_t i = 0; i < words.count; i++) {
        struct point v1 = get_point(&vertexes, get_word(&words, i, 0), 0);
        struct point v2 = get_point(&vertexes, get_word(&words, i, 1), 0);
        size_t back = get_sector(judge, get_word(&words, i, 6));
        judge->linedefs[i] = (struct linedef){
            .number = i,
            .is_wall =
                back == NO_SIDE || (get_word(&words, i, 2) & BLOCKING) != 0,
            .special = get_word(&words, i, 3),
            .tag = get_word(&words, i, 4),
            .front = get_sector(judge, get_word(&words, i, 5)),
            .back = back,
            .v1 = v1,
            .v2 = v2,
            .low = {v1.x < v2.x ? v1.x : v2.x, v1.y < v2.y ? v1.y : v2.y},
            .high = {v1.x > v2.x ? v1.x : v2.x, v1.y > v2.y ? v1.y : v2.y},
            .dx = ((int64_t)v2.x - v1.x) / UNIT,
            .dy = ((int64_t)v2.y - v1.y) / UNIT,
        };
    }
}

// The last start counts.
static struct point find_start(const struct judge *judge)
{
    for (size_t i = judge->things.count; i > 0; i--)
        if (get_word(&judge->things, i - 1, 3) == PLAYER_1)
            return get_point(&judge->things, i - 1, 0);
    abort_with("there is no start for player 1");
}

// Which child of a node a point belongs to: 0 is to the right of the line.
static size_t find_child(const struct words *nodes, size_t node,
                         const struct point *point)
{
    struct point place = get_point(nodes, node, 0);
    int64_t left = get_number(nodes, node, 3) * ((int64_t)point->x - place.x);
    int64_t right = get_number(nodes, node, 2) * ((int64_t)point->y - place.y);
    return right < left ? 0 : 1;
}

// The sector that a point is in, as the nodes tell.
static size_t find_sector(const struct judge *judge, const struct point *point)
{
    const struct words *nodes = &judge->nodes;
    size_t child = nodes->count ? nodes->count - 1 : SUBSECTOR;
    for (size_t steps = 0; !(child & SUBSECTOR); steps++) {
        if (steps == nodes->count)
            abort_with("nodes lead back to themselves");
        child = get_word(nodes, child, 12 + find_child(nodes, child, point));
    }
    size_t seg = get_word(&judge->subsectors, child & (SUBSECTOR - 1), 1);
    size_t linedef = get_word(&judge->segs, seg, 3);
    if (linedef >= judge->linedef_count)
        abort_with("seg %zu has no linedef", seg);
    return get_word(&judge->segs, seg, 4) ? judge->linedefs[linedef].back
                                          : judge->linedefs[linedef].front;
}

static bool is_reached(const struct judge *judge, size_t sector)
{
    return sector < judge->sectors.count && judge->may_reach[sector];
}

// Adds a sector; tells whether it is a new one.
static bool reach(struct judge *judge, size_t sector)
{
    if (sector >= judge->sectors.count || judge->may_reach[sector])
        return false;
    judge->may_reach[sector] = true;
    return true;
}

static bool is_destination(const struct judge *judge, size_t thing)
{
    return get_word(&judge->things, thing, 3) == TELEPORT_DESTINATION;
}

static bool reach_destinations(struct judge *judge, uint16_t tag)
{
    bool is_new = false;
    for (size_t i = 0; i < judge->things.count; i++) {
        if (!is_destination(judge, i))
            continue;
        struct point place = get_point(&judge->things, i, 0);
        size_t sector = find_sector(judge, &place);
        if (get_word(&judge->sectors, sector, 12) == tag)
            is_new = reach(judge, sector) || is_new;
    }
    return is_new;
}

static bool reach_through(struct judge *judge, const struct linedef *linedef)
{
    bool is_new = false;
    if (!is_reached(judge, linedef->front) && !is_reached(judge, linedef->back))
        return false;
    if (!linedef->is_wall) {
        is_new = reach(judge, linedef->front);
        is_new = reach(judge, linedef->back) || is_new;
    }
    if (linedef->special == TELEPORT_ONCE ||
        linedef->special == TELEPORT_REPEATABLE)
        is_new = reach_destinations(judge, linedef->tag) || is_new;
    return is_new;
}

static struct judge make_judge(const struct wadfile_map *map)
{
    struct judge judge = {
        .things = find_words(map, "THINGS", 5),
        .sidedefs = find_words(map, "SIDEDEFS", 15),
        .segs = find_words(map, "SEGS", 6),
        .subsectors = find_words(map, "SSECTORS", 2),
        .nodes = find_words(map, "NODES", 14),
        .sectors = find_words(map, "SECTORS", 13),
    };
    read_linedefs(&judge, map);
    judge.start = find_start(&judge);
    judge.may_reach =
        allocate_zeros(judge.sectors.count, sizeof *judge.may_reach);
    reach(&judge, find_sector(&judge, &judge.start));
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t i = 0; i < judge.linedef_count; i++)
            is_new = reach_through(&judge, &judge.linedefs[i]) || is_new;
    }
    return judge;
}

// ---------------------------------------------------------------------------
// A wall and a square

// Twice the area of the triangle of a wall and a point, in map units by 16.16;
// above 0 to the left of the wall.
static int64_t find_side(const struct linedef *wall, int64_t x, int64_t y)
{
    return wall->dx * (y - wall->v1.y) - wall->dy * (x - wall->v1.x);
}

// Whether a wall and a square have a point in common, borders included.
static bool entries(const struct linedef *wall, const struct point *middle,
                    int32_t radius)
{
    int64_t west = (int64_t)middle->x - radius;
    int64_t east = (int64_t)middle->x + radius;
    int64_t south = (int64_t)middle->y - radius;
    int64_t north = (int64_t)middle->y + radius;
    if (wall->low.x > east || wall->high.x < west || wall->low.y > north ||
        wall->high.y < south)
        return false;
    // The corners that are farthest to either side.
    bool rises = (wall->dx < 0) == (wall->dy < 0);
    int64_t one = find_side(wall, west, rises ? north : south);
    int64_t other = find_side(wall, east, rises ? south : north);
    return (one >= 0 && other <= 0) || (one <= 0 && other >= 0);
}

// Doom's P_PointOnLineSide, which loses what is behind the 16 bits; tells
// whether the point is to the left.
static bool is_left_in_doom(const struct linedef *wall, int64_t x, int64_t y)
{
    int64_t left = wall->dy * (x - wall->v1.x) >> 16;
    int64_t right = (y - wall->v1.y) * wall->dx >> 16;
    return right >= left;
}

// Doom's P_BoxOnLineSide behind the comparison of bounding boxes: whether the
// engine, when it tests this wall, finds the player in it.
static bool is_crossed_in_doom(const struct linedef *wall,
                               const struct point *middle)
{
    int64_t west = (int64_t)middle->x - RADIUS;
    int64_t east = (int64_t)middle->x + RADIUS;
    int64_t south = (int64_t)middle->y - RADIUS;
    int64_t north = (int64_t)middle->y + RADIUS;
    if (east <= wall->low.x || west >= wall->high.x || north <= wall->low.y ||
        south >= wall->high.y)
        return false;
    if (wall->dx == 0)
        return (east < wall->low.x) != (west < wall->low.x);
    if (wall->dy == 0)
        return (north > wall->low.y) != (south > wall->low.y);
    bool rises = (wall->dx < 0) == (wall->dy < 0);
    return is_left_in_doom(wall, west, rises ? north : south) !=
           is_left_in_doom(wall, east, rises ? south : north);
}

// Whether the way from one point to another leads from one side of a wall to
// the other.
static bool is_between(const struct linedef *wall, const struct point *from,
                       const struct point *to)
{
    int64_t one = find_side(wall, from->x, from->y);
    int64_t other = find_side(wall, to->x, to->y);
    if ((one < 0) == (other < 0))
        return false;
    const struct point *v1 = &wall->v1;
    const struct point *v2 = &wall->v2;
    int64_t dx = (int64_t)to->x - from->x;
    int64_t dy = (int64_t)to->y - from->y;
    bool is_v1_left =
        dx * ((int64_t)v1->y - from->y) > dy * ((int64_t)v1->x - from->x);
    bool is_v2_left =
        dx * ((int64_t)v2->y - from->y) > dy * ((int64_t)v2->x - from->x);
    return is_v1_left != is_v2_left;
}

// ---------------------------------------------------------------------------
// The path

static struct path read_path(const char *name)
{
    struct buffer points = {0};
    struct point point;
    char line[256];
    FILE *file = fopen(name, "r");
    if (!file)
        abort_with("%s cannot be read", name);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%*d %*s %" SCNd32 " %" SCNd32, &point.x, &point.y) ==
            2)
            buffer_put(&points, &point, sizeof point);
    fclose(file);
    return (struct path){.points = (void *)points.bytes,
                         .count = points.size / sizeof point};
}

static bool is_within(const struct point *a, const struct point *b,
                      int64_t distance)
{
    return llabs((int64_t)a->x - b->x) <= distance &&
           llabs((int64_t)a->y - b->y) <= distance;
}

static _Noreturn void fail_at(size_t tic, const struct point *at,
                              const char *what, size_t number)
{
    printf("tic %zu at %.3f,%.3f: %s %zu\n", tic, at->x / (double)UNIT,
           at->y / (double)UNIT, what, number);
    exit(1);
}

static void expect_landing(const struct judge *judge, size_t tic,
                           const struct point *point)
{
    if (is_within(point, &judge->start, LANDING))
        return;
    for (size_t i = 0; i < judge->things.count; i++) {
        struct point place = get_point(&judge->things, i, 0);
        if (is_destination(judge, i) && is_within(point, &place, LANDING))
            return;
    }
    fail_at(tic, point, "a jump to no destination, sector",
            find_sector(judge, point));
}

static void judge_step(const struct judge *judge, struct path *path, size_t tic)
{
    const struct point *from = &path->points[tic - 1];
    const struct point *to = &path->points[tic];
    path->moves += !is_within(from, to, 0);
    if (!is_within(from, to, STEP)) {
        path->jumps++;
        expect_landing(judge, tic, to);
        return;
    }
    for (size_t i = 0; i < judge->linedef_count; i++)
        if (judge->linedefs[i].is_wall &&
            is_between(&judge->linedefs[i], from, to))
            fail_at(tic, to, "the player has passed linedef", i);
}

static void judge_place(struct judge *judge, const struct path *path,
                        size_t tic)
{
    const struct point *place = &path->points[tic];
    struct linedef *last = NULL;
    size_t near = 0;
    for (size_t i = 0; i < judge->linedef_count; i++) {
        struct linedef *wall = &judge->linedefs[i];
        if (!wall->is_wall || !entries(wall, place, RADIUS + NEAR))
            continue;
        wall->near++;
        near++;
        last = wall;
        if (entries(wall, place, RADIUS) && is_crossed_in_doom(wall, place))
            fail_at(tic, place, "the player is in linedef", wall->number);
    }
    if (near == 1)
        last->alone++;
    size_t sector = find_sector(judge, place);
    if (!is_reached(judge, sector))
        fail_at(tic, place, "the player cannot be in sector", sector);
}

static void print_summary(const struct judge *judge, const struct path *path)
{
    const struct linedef *best = NULL;
    size_t met = 0;
    for (size_t i = 0; i < judge->linedef_count; i++) {
        const struct linedef *wall = &judge->linedefs[i];
        met += wall->near > 0;
        if (wall->alone > (best ? best->alone : 0) && wall->number > 0)
            best = wall;
    }
    printf("%zu %zu %zu %zu ", path->count, path->moves, path->jumps, met);
    if (best)
        printf("%zu\n", best->number);
    else
        puts("-");
}

static void check(struct judge *judge, struct path *path)
{
    if (path->count > 0 && !is_within(&path->points[0], &judge->start, 0))
        fail_at(0, &path->points[0], "not the start, but a place in sector",
                find_sector(judge, &path->points[0]));
    for (size_t tic = 0; tic < path->count; tic++) {
        if (tic > 0)
            judge_step(judge, path, tic);
        judge_place(judge, path, tic);
    }
    print_summary(judge, path);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        abort_with("usage: pathtool FILE.wad MAP PATH");
    struct wadfile wad = wadfile_read(argv[1]);
    struct judge judge = make_judge(wadfile_find_map(&wad, argv[2]));
    struct path path = read_path(argv[3]);
    check(&judge, &path);
    free(path.points);
    free(judge.may_reach);
    free(judge.linedefs);
    wadfile_free(&wad);
    return 0;
}
