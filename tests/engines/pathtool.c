// SPDX-License-Identifier: GPL-2.0-or-later
//
// Judges the path of a player, as the observer has written it, by the walls of
// the map and nothing else: no blockmap is read.
//
//   pathtool start FILE.wad MAP        prints where player 1 starts, map units
//   pathtool check FILE.wad MAP PATH   fails if he passed through something
//
// Walls are linedefs with one side, and those that block players; what depends
// on heights is left out, for sectors move.  The player is a square, 32 units
// wide, and an engine that has the right lists lets no tic end with a wall in
// it, so this asks for three things:
//
//   no wall is in the square after any tic, exactly and by Doom's own test;
//   no wall lies between the middle of the square before a tic and after it;
//   the middle stays in sectors that other linedefs, and teleporters, connect
//       with the one of the start.
//
// Doom's test of a square and a sloping wall (P_BoxOnLineSide in p_maputl.c)
// has products that lose what is smaller than 1.  So a corner that comes from
// the left may be a little behind a wall that was tested, which is not for
// lists to mend; and one at the right may be found behind it before they touch,
// where the wall need not be in the lists of the blocks that the square is in.
//
// He moves 30 units in a tic at most, on each axis (MAXMOVE in p_local.h).  If
// that is more than half of it, he does so in two halves (P_XYMovement in
// p_mobj.c), and each that ends at a wall may slide along it by the whole
// (P_SlideMove in p_map.c), which makes 60.  Only a teleporter moves him by
// more, and only to one of its destinations (EV_Teleport in p_telept.c), from
// where the other half, 15 units, may follow; after his death he is at the
// start.
//
// Prints how many positions there are, how many of them are not that of the tic
// before, how many jumps, how many walls he has come near to, and "-" or a wall
// to try without: the one that was alone near to him for most tics, but not
// linedef 0, which many lumps list everywhere.

#include "level.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In 16.16.
enum {
    RADIUS = 16 * LEVEL_UNIT,  // half of a player
    STEP = 60 * LEVEL_UNIT,    // the most in a tic, on each axis
    LANDING = 15 * LEVEL_UNIT, // the most after a teleport
    NEAR = 2 * LEVEL_UNIT,     // so far from a wall he has run into it
};

// Specials of linedefs that teleport players (P_CrossSpecialLine in p_spec.c).
enum { TELEPORT_ONCE = 39, TELEPORT_REPEATABLE = 97 };

struct wall {
    const struct level_linedef *linedef;
    size_t number;                // of the linedef
    struct level_point low, high; // its bounding box
    int64_t dx, dy;               // from v1 to v2, map units
    size_t near;                  // tics that the player was near
    size_t alone;                 // and nothing else was
};

struct path {
    struct level_point *points;
    size_t count;
    size_t moves, jumps;
};

struct judge {
    struct level level;
    struct level_point start;
    struct wall *walls;
    size_t wall_count;
    bool *may_reach; // for each sector
};

static _Noreturn void fail_usage(void)
{
    fputs("usage: pathtool start FILE.wad MAP\n"
          "       pathtool check FILE.wad MAP PATH\n",
          stderr);
    exit(2);
}

static int32_t lower(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t higher(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// ---------------------------------------------------------------------------
// The map

static bool is_wall(const struct level_linedef *linedef)
{
    return linedef->back == LEVEL_NONE || (linedef->flags & LEVEL_BLOCKING);
}

static void find_walls(struct judge *judge)
{
    const struct level *level = &judge->level;
    judge->walls = level_allocate(level->linedef_count, sizeof *judge->walls);
    for (size_t i = 0; i < level->linedef_count; i++) {
        const struct level_linedef *linedef = &level->linedefs[i];
        struct level_point v1 = linedef->v1;
        struct level_point v2 = linedef->v2;
        if (is_wall(linedef))
            judge->walls[judge->wall_count++] = (struct wall){
                .linedef = linedef,
                .number = i,
                .low = {lower(v1.x, v2.x), lower(v1.y, v2.y)},
                .high = {higher(v1.x, v2.x), higher(v1.y, v2.y)},
                .dx = ((int64_t)v2.x - v1.x) / LEVEL_UNIT,
                .dy = ((int64_t)v2.y - v1.y) / LEVEL_UNIT,
            };
    }
}

static bool is_teleporter(const struct level_linedef *linedef)
{
    return linedef->special == TELEPORT_ONCE ||
           linedef->special == TELEPORT_REPEATABLE;
}

static bool is_reached(const struct judge *judge, uint16_t sector)
{
    return sector < judge->level.sector_count && judge->may_reach[sector];
}

// Adds a sector; tells whether it is a new one.
static bool reach(struct judge *judge, uint16_t sector)
{
    if (sector >= judge->level.sector_count || judge->may_reach[sector])
        return false;
    judge->may_reach[sector] = true;
    return true;
}

static bool reach_destinations(struct judge *judge, uint16_t tag)
{
    bool is_new = false;
    for (size_t i = 0; i < judge->level.thing_count; i++) {
        const struct level_thing *thing = &judge->level.things[i];
        if (thing->type != LEVEL_TELEPORT_DESTINATION)
            continue;
        uint16_t sector = level_find_sector(&judge->level, &thing->place);
        if (judge->level.sector_tags[sector] == tag)
            is_new = reach(judge, sector) || is_new;
    }
    return is_new;
}

static bool reach_through(struct judge *judge,
                          const struct level_linedef *linedef)
{
    bool is_new = false;
    if (!is_reached(judge, linedef->front) && !is_reached(judge, linedef->back))
        return false;
    if (!is_wall(linedef)) {
        is_new = reach(judge, linedef->front);
        is_new = reach(judge, linedef->back) || is_new;
    }
    if (is_teleporter(linedef))
        is_new = reach_destinations(judge, linedef->tag) || is_new;
    return is_new;
}

static void find_reachable(struct judge *judge)
{
    const struct level *level = &judge->level;
    judge->may_reach =
        level_allocate(level->sector_count, sizeof *judge->may_reach);
    reach(judge, level_find_sector(level, &judge->start));
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t i = 0; i < level->linedef_count; i++)
            is_new = reach_through(judge, &level->linedefs[i]) || is_new;
    }
}

// ---------------------------------------------------------------------------
// A wall and a square

// Twice the area of the triangle of a wall and a point, in map units by 16.16;
// above 0 to the left of the wall.
static int64_t find_side(const struct wall *wall, int64_t x, int64_t y)
{
    return wall->dx * (y - wall->linedef->v1.y) -
           wall->dy * (x - wall->linedef->v1.x);
}

// Whether a wall and a square have a point in common, borders included.
static bool entries(const struct wall *wall, const struct level_point *middle,
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
static bool is_left_in_doom(const struct wall *wall, int64_t x, int64_t y)
{
    int64_t left = wall->dy * (x - wall->linedef->v1.x) >> 16;
    int64_t right = (y - wall->linedef->v1.y) * wall->dx >> 16;
    return right >= left;
}

// Doom's P_BoxOnLineSide behind the comparison of bounding boxes: whether the
// engine, when it tests this wall, finds the player in it.
static bool is_crossed_in_doom(const struct wall *wall,
                               const struct level_point *middle)
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
static bool is_between(const struct wall *wall, const struct level_point *from,
                       const struct level_point *to)
{
    int64_t one = find_side(wall, from->x, from->y);
    int64_t other = find_side(wall, to->x, to->y);
    if ((one < 0) == (other < 0))
        return false;
    const struct level_point *v1 = &wall->linedef->v1;
    const struct level_point *v2 = &wall->linedef->v2;
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

static void add_point(struct path *path, const struct level_point *point)
{
    if (path->count % 1024 == 0) {
        size_t capacity = path->count + 1024;
        path->points = realloc(path->points, capacity * sizeof *point);
        if (!path->points)
            level_fail("no memory for %zu positions", capacity);
    }
    path->points[path->count++] = *point;
}

static struct path read_path(const char *name)
{
    struct path path = {0};
    struct level_point point;
    char line[256];
    FILE *file = fopen(name, "r");
    if (!file)
        level_fail("%s cannot be read", name);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%*d %*s %" SCNd32 " %" SCNd32, &point.x, &point.y) ==
            2)
            add_point(&path, &point);
    fclose(file);
    return path;
}

static bool is_within(const struct level_point *a, const struct level_point *b,
                      int64_t distance)
{
    return llabs((int64_t)a->x - b->x) <= distance &&
           llabs((int64_t)a->y - b->y) <= distance;
}

static _Noreturn void fail_at(size_t tic, const struct level_point *at,
                              const char *what, size_t number)
{
    printf("tic %zu at %.3f,%.3f: %s %zu\n", tic, at->x / (double)LEVEL_UNIT,
           at->y / (double)LEVEL_UNIT, what, number);
    exit(1);
}

static void expect_landing(const struct judge *judge, size_t tic,
                           const struct level_point *point)
{
    if (is_within(point, &judge->start, 0))
        return;
    for (size_t i = 0; i < judge->level.thing_count; i++) {
        const struct level_thing *thing = &judge->level.things[i];
        if (thing->type == LEVEL_TELEPORT_DESTINATION &&
            is_within(point, &thing->place, LANDING))
            return;
    }
    fail_at(tic, point, "a jump to no destination, sector",
            level_find_sector(&judge->level, point));
}

static void judge_step(const struct judge *judge, struct path *path, size_t tic)
{
    const struct level_point *from = &path->points[tic - 1];
    const struct level_point *to = &path->points[tic];
    path->moves += !is_within(from, to, 0);
    if (!is_within(from, to, STEP)) {
        path->jumps++;
        expect_landing(judge, tic, to);
        return;
    }
    for (size_t i = 0; i < judge->wall_count; i++)
        if (is_between(&judge->walls[i], from, to))
            fail_at(tic, to, "the player has passed linedef",
                    judge->walls[i].number);
}

static void judge_place(struct judge *judge, const struct path *path,
                        size_t tic)
{
    const struct level_point *place = &path->points[tic];
    struct wall *last = NULL;
    size_t near = 0;
    for (size_t i = 0; i < judge->wall_count; i++) {
        struct wall *wall = &judge->walls[i];
        if (!entries(wall, place, RADIUS + NEAR))
            continue;
        wall->near++;
        near++;
        last = wall;
        if (entries(wall, place, RADIUS) && is_crossed_in_doom(wall, place))
            fail_at(tic, place, "the player is in linedef", wall->number);
    }
    if (near == 1)
        last->alone++;
    uint16_t sector = level_find_sector(&judge->level, place);
    if (!is_reached(judge, sector))
        fail_at(tic, place, "the player cannot be in sector", sector);
}

static void print_summary(const struct judge *judge, const struct path *path)
{
    const struct wall *best = NULL;
    size_t met = 0;
    for (size_t i = 0; i < judge->wall_count; i++) {
        const struct wall *wall = &judge->walls[i];
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

static void check(struct judge *judge, const char *name)
{
    struct path path = read_path(name);
    find_walls(judge);
    find_reachable(judge);
    if (path.count > 0 && !is_within(&path.points[0], &judge->start, 0))
        fail_at(0, &path.points[0], "not the start, but a place in sector",
                level_find_sector(&judge->level, &path.points[0]));
    for (size_t tic = 0; tic < path.count; tic++) {
        if (tic > 0)
            judge_step(judge, &path, tic);
        judge_place(judge, &path, tic);
    }
    print_summary(judge, &path);
    free(path.points);
    free(judge->may_reach);
    free(judge->walls);
}

int main(int argc, char **argv)
{
    bool is_check = argc == 5 && strcmp(argv[1], "check") == 0;
    if (!is_check && (argc != 4 || strcmp(argv[1], "start") != 0))
        fail_usage();
    struct wadfile wad = wadfile_read(argv[2]);
    struct judge judge = {.level =
                              level_decode(wadfile_find_map(&wad, argv[3]))};
    judge.start = level_find_start(&judge.level);
    if (is_check)
        check(&judge, argv[4]);
    else
        printf("%" PRId32 " %" PRId32 "\n", judge.start.x / LEVEL_UNIT,
               judge.start.y / LEVEL_UNIT);
    level_free(&judge.level);
    wadfile_free(&wad);
    return 0;
}
