// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that prune=unreachable leaves out lines that nothing meets: on random
// small maps all that moves, shoots, looks or slides comes to the same with
// them and without them; see movers.h.  And that this is not so if the stage
// overlooks one thing that its rules are about: it is then given a map that
// lacks it, or more lines are left out.  LONG=yes tries more maps.

#include "context-for-tests.h"
#include "doom-map.h"
#include "movers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LANDING = 14, EXIT_TAG = 6, PLAYER_1 = 1, SCROLLER = 48 };

static const struct closed_shape shapes[] = {
    {5, 5, 16, 110, false, false}, {4, 4, 64, 160, false, false},
    {6, 6, 40, 100, true, true},   {3, 3, 100, 240, true, false},
    {9, 9, 50, 120, false, true},
};

// Map `number` of a run with a seed, and the stream that goes on from there.
static struct closed_map make_map(uint64_t seed, unsigned number,
                                  struct random_stream *stream)
{
    stream->state = seed * 1000003 + number;
    return closed_map_make(&shapes[number % COUNT(shapes)], stream);
}

// What the stage does with each line, for free: from MOVERS_UNREACHABLE on, by
// which rule.  Near sectors that refer to themselves inert lines count as
// listed: there a box may meet them.
static unsigned char *find_fates(const struct closed_map *map, unsigned number,
                                 struct nbstage_instance *instance)
{
    const bool is_plain = shapes[number % COUNT(shapes)].is_plain;
    struct lump_set set = closed_map_lumps(map);
    struct nbstage_map given = lump_set_map(&set);
    struct nbstage_decoded decoded = {.size = sizeof decoded};
    ck_assert_int_eq(plugin_stage()->decode(instance, &given, &decoded),
                     NBSTAGE_OK);
    unsigned char *fates = allocate_zeros((size_t)map->line_count, 1);
    for (int i = 0; i < map->line_count && decoded.left_out; i++) {
        unsigned char fate = decoded.left_out[i];
        if (fate >= NBSTAGE_LEFT_OUT_BEFORE_CLOSED)
            fates[i] = (unsigned char)(MOVERS_UNREACHABLE + fate -
                                       NBSTAGE_LEFT_OUT_BEFORE_CLOSED);
        else if (fate == NBSTAGE_LEFT_OUT_INERT && is_plain)
            fates[i] = MOVERS_INERT;
    }
    plugin_stage()->free_decoded(instance, &decoded);
    lump_set_free(&set);
    return fates;
}

// ---------------------------------------------------------------------------
// What the stage leaves out

// Why nothing should reach a line that is left out, as the map alone shows.
enum kind {
    ONE_SIDED_CLOSED, // its sector is closed
    INSIDE_CLOSED,    // the same closed sector on both sides
    BETWEEN_CLOSED,   // two of them
    NO_WAY_IN,        // a sector with room
    KINDS
};

static enum kind find_kind(const struct closed_line *line, const bool *closed)
{
    if (!closed[line->front] ||
        (line->back != CLOSED_NONE && !closed[line->back]))
        return NO_WAY_IN;
    if (line->back == CLOSED_NONE)
        return ONE_SIDED_CLOSED;
    return line->front == line->back ? INSIDE_CLOSED : BETWEEN_CLOSED;
}

// Counts them; each has the rule of its kind, or the last one, as the stage
// takes less for closed.
static void count_kinds(const struct closed_map *map,
                        const unsigned char *fates, int counts[KINDS])
{
    bool *closed = movers_find_closed(map);
    for (int i = 0; i < map->line_count; i++) {
        if (fates[i] < MOVERS_UNREACHABLE)
            continue;
        enum kind kind = find_kind(&map->lines[i], closed);
        enum kind told = (enum kind)(fates[i] - MOVERS_UNREACHABLE);
        ck_assert_msg(told == kind || told == NO_WAY_IN,
                      "linedef %d, of kind %d: rule %d", i, kind, told + 3);
        counts[told]++;
    }
    free(closed);
}

TEST(movers_meet_none_of_the_lines)
{
    const unsigned maps = getenv("LONG") ? 5000 : 300 / SLOWNESS;
    const uint64_t seed = choose_seed();
    struct nbstage_instance *instance = plugin_create("prune=unreachable");
    struct movers_tries tries = {0};
    int counts[KINDS] = {0};
    const int least[KINDS] = {(int)maps, (int)maps / 300, (int)maps / 50,
                              (int)maps / 8};
    for (unsigned i = 0; i < maps; i++) {
        struct random_stream stream;
        char fault[256];
        struct closed_map map = make_map(seed, i, &stream);
        unsigned char *fates = find_fates(&map, i, instance);
        ck_assert_msg(movers_agree(&map, fates, &stream, &tries, fault),
                      "SEED=%" PRIu64 ", map %u: %s", seed, i, fault);
        count_kinds(&map, fates, counts);
        free(fates);
        closed_map_free(&map);
    }
    plugin_stage()->destroy(instance);
    printf("left out: one-sided %d, inside %d, between %d, islands %d; tried:",
           counts[0], counts[1], counts[2], counts[3]);
    for (int i = 0; i < MOVERS_WAYS; i++)
        printf(" %" PRIu64, tries.tried[i]);
    printf("\n");
    // Most lines inside of closed sectors are inert.
    for (int i = 0; i < KINDS; i++)
        ck_assert_msg(counts[i] >= least[i], "rule %d: %d lines", i + 3,
                      counts[i]);
    for (int i = 0; i < MOVERS_WAYS; i++)
        ck_assert_msg(tries.tried[i] >= maps || i == MOVERS_SLIDE,
                      "way %d: %" PRIu64, i, tries.tried[i]);
}

// ---------------------------------------------------------------------------
// What it must not overlook

static void hide_specials(struct closed_map *map, const char *specials)
{
    for (int i = 0; i < map->line_count; i++)
        if (doom_is_among(map->lines[i].special, specials))
            map->lines[i].special = SCROLLER;
}

static void hide_doors(struct closed_map *map)
{
    hide_specials(map, " 1 31 ");
}

static void hide_moving(struct closed_map *map)
{
    hide_specials(map, " 1 8 9 31 36 63 103 ");
    for (int i = 0; i < map->sector_count; i++)
        map->sectors[i].special = 0;
}

static void hide_tags(struct closed_map *map)
{
    for (int i = 0; i < map->line_count; i++)
        if (map->lines[i].special && map->lines[i].tag == 0)
            map->lines[i].tag = 5;
    for (int i = 0; i < map->sector_count; i++)
        map->sectors[i].tag = 0;
}

static void hide_things(struct closed_map *map, unsigned from, unsigned to)
{
    int count = 0;
    for (int i = 0; i < map->thing_count; i++)
        if (map->things[i].type < from || map->things[i].type > to)
            map->things[count++] = map->things[i];
    map->thing_count = count;
}

static void hide_monsters(struct closed_map *map)
{
    hide_things(map, LANDING + 1, UINT16_MAX);
}

static void hide_landings(struct closed_map *map)
{
    hide_things(map, LANDING, LANDING);
}

static void hide_start(struct closed_map *map)
{
    hide_things(map, PLAYER_1, PLAYER_1);
}

static void hide_exits(struct closed_map *map)
{
    for (int i = 0; i < map->line_count; i++)
        if (map->lines[i].tag == EXIT_TAG)
            map->lines[i].special = map->lines[i].tag = 0;
}

// Lines of which all sides are closed, and those of which one side is.
static void drop_sides(const struct closed_map *map, unsigned char *fates,
                       bool border)
{
    bool *closed = movers_find_closed(map);
    for (int i = 0; i < map->line_count; i++) {
        const struct closed_line *line = &map->lines[i];
        bool front = closed[line->front];
        bool back = line->back == CLOSED_NONE ? !border : closed[line->back];
        if (border ? front != back : front && back)
            fates[i] = MOVERS_UNREACHABLE;
    }
    free(closed);
}

static void drop_closed(const struct closed_map *map, unsigned char *fates)
{
    drop_sides(map, fates, false);
}

static void drop_border(const struct closed_map *map, unsigned char *fates)
{
    drop_sides(map, fates, true);
}

// All lines that none connects with the first one.
static void drop_islands(const struct closed_map *map, unsigned char *fates)
{
    bool *joined = allocate_zeros((size_t)map->vertex_count, sizeof *joined);
    joined[map->lines[0].v1] = true;
    for (int pass = 0; pass < map->line_count; pass++)
        for (int i = 0; i < map->line_count; i++)
            if (joined[map->lines[i].v1] || joined[map->lines[i].v2])
                joined[map->lines[i].v1] = joined[map->lines[i].v2] = true;
    for (int i = 0; i < map->line_count; i++)
        if (!joined[map->lines[i].v1])
            fates[i] = MOVERS_UNREACHABLE;
    free(joined);
}

static const struct oversight {
    const char *name;
    void (*hide)(struct closed_map *map); // from the stage
    void (*drop)(const struct closed_map *map, unsigned char *fates);
    enum movers_way way; // that has to show it
} oversights[] = {
    {"what moves sectors", hide_moving, NULL, MOVERS_BOX},
    {"doors that are pushed", hide_doors, NULL, MOVERS_BOX},
    {"tags of sectors", hide_tags, NULL, MOVERS_BOX},
    {"monsters and items", hide_monsters, NULL, MOVERS_BOX},
    {"landings", hide_landings, NULL, MOVERS_BOX},
    {"exits of line teleporters", hide_exits, NULL, MOVERS_BOX},
    {"the start", hide_start, NULL, MOVERS_SHOT},
    {"the start", hide_start, NULL, MOVERS_AIM},
    {"the start", hide_start, NULL, MOVERS_USE},
    {"borders", NULL, drop_border, MOVERS_BOX},
    {"borders", NULL, drop_border, MOVERS_SHOT},
    {"tricks with closed sectors", NULL, drop_closed, MOVERS_BOX},
    {"tricks with closed sectors", NULL, drop_closed, MOVERS_USE},
    {"slides", NULL, drop_closed, MOVERS_SLIDE},
    {"islands", NULL, drop_islands, MOVERS_BOX},
    {"islands", NULL, drop_islands, MOVERS_AIM},
};

// Adds to `tries` what an oversight does to a map.
static void overlook(const struct oversight *oversight, uint64_t seed,
                     unsigned number, struct nbstage_instance *instance,
                     struct movers_tries *tries)
{
    struct random_stream stream;
    char fault[256];
    struct closed_map blind = make_map(seed, number, &stream);
    struct closed_map map = make_map(seed, number, &stream);
    if (oversight->hide)
        oversight->hide(&blind);
    unsigned char *fates = find_fates(&blind, number, instance);
    if (oversight->drop)
        oversight->drop(&map, fates);
    for (int i = 0; i < map.line_count; i++)
        if (map.lines[i].special || map.lines[i].tag)
            fates[i] = MOVERS_LISTED;
    movers_agree(&map, fates, &stream, tries, fault);
    free(fates);
    closed_map_free(&map);
    closed_map_free(&blind);
}

LOOP_TEST(an_oversight_is_seen, COUNT(oversights))
{
    enum { MOST_MAPS = 3000 };
    const struct oversight *oversight = &oversights[_i];
    struct nbstage_instance *instance = plugin_create("prune=unreachable");
    struct movers_tries tries = {0};
    for (unsigned i = 0; i < MOST_MAPS && !tries.differ[oversight->way]; i++)
        overlook(oversight, 1, i, instance, &tries);
    plugin_stage()->destroy(instance);
    ck_assert_msg(tries.differ[oversight->way] > 0, "not seen: %s",
                  oversight->name);
}

int main(void)
{
    return run_tests(all_tests());
}
