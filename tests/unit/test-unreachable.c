// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that prune=inert leaves out lines that nothing meets: on random
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

static const struct closed_shape shapes[] = {
    {5, 5, 16, 110, false, false},
    {4, 4, 64, 160, false, false},
    {6, 6, 40, 100, true, true},
    {3, 3, 100, 240, true, false},
};

// Map `number` of a run with a seed, and the stream that goes on from there.
static struct closed_map make_map(uint64_t seed, unsigned number,
                                  struct random_stream *stream)
{
    stream->state = seed * 1000003 + number;
    return closed_map_make(&shapes[number % COUNT(shapes)], stream);
}

// What the stage does with each line, for free.
static unsigned char *find_fates(const struct closed_map *map,
                                 struct nbstage_instance *instance)
{
    struct lump_set set = closed_map_lumps(map);
    struct nbstage_map given = lump_set_map(&set);
    struct nbstage_decoded decoded = {.size = sizeof decoded};
    ck_assert_int_eq(plugin_stage()->decode(instance, &given, &decoded),
                     NBSTAGE_OK);
    unsigned char *fates = allocate_zeros((size_t)map->line_count, 1);
    for (int i = 0; i < map->line_count && decoded.left_out; i++)
        fates[i] = decoded.left_out[i] == NBSTAGE_LISTED ? MOVERS_LISTED
                   : decoded.left_out[i] == NBSTAGE_LEFT_OUT_INERT
                       ? MOVERS_INERT
                       : MOVERS_UNREACHABLE;
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
    OPEN_ISLAND,      // a sector with room: there is no way in
    KINDS
};

static enum kind find_kind(const struct closed_line *line, const bool *closed)
{
    if (!closed[line->front] ||
        (line->back != CLOSED_NONE && !closed[line->back]))
        return OPEN_ISLAND;
    if (line->back == CLOSED_NONE)
        return ONE_SIDED_CLOSED;
    return line->front == line->back ? INSIDE_CLOSED : BETWEEN_CLOSED;
}

static void count_kinds(const struct closed_map *map,
                        const unsigned char *fates, int counts[KINDS])
{
    bool *closed = movers_find_closed(map);
    for (int i = 0; i < map->line_count; i++)
        if (fates[i] == MOVERS_UNREACHABLE)
            counts[find_kind(&map->lines[i], closed)]++;
    free(closed);
}

START_TEST(movers_meet_none_of_the_lines)
{
    const unsigned maps = getenv("LONG") ? 20000 : 400;
    const uint64_t seed = choose_seed();
    struct nbstage_instance *instance = plugin_create("prune=inert");
    struct movers_tries tries = {0};
    int counts[KINDS] = {0};
    for (unsigned i = 0; i < maps; i++) {
        struct random_stream stream;
        char fault[256];
        struct closed_map map = make_map(seed, i, &stream);
        unsigned char *fates = find_fates(&map, instance);
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
}
END_TEST

// ---------------------------------------------------------------------------
// What it must not overlook

static void hide_moving(struct closed_map *map)
{
    static const char moving[] = " 1 8 9 31 36 63 103 ";
    for (int i = 0; i < map->line_count; i++)
        if (doom_is_among(map->lines[i].special, moving))
            map->lines[i].special = 0;
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
    {"tags of sectors", hide_tags, NULL, MOVERS_BOX},
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
    unsigned char *fates = find_fates(&blind, instance);
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

START_TEST(an_oversight_is_seen)
{
    enum { MOST_MAPS = 1000, ENOUGH = 3 };
    const struct oversight *oversight = &oversights[_i];
    const uint64_t seed = choose_seed();
    struct nbstage_instance *instance = plugin_create("prune=inert");
    unsigned seen = 0, number = 0;
    for (; number < MOST_MAPS && seen < ENOUGH; number++) {
        struct movers_tries tries = {0};
        overlook(oversight, seed, number, instance, &tries);
        seen += tries.differ[oversight->way] > 0;
    }
    printf("%s, way %d: %u of %u maps\n", oversight->name, oversight->way, seen,
           number);
    plugin_stage()->destroy(instance);
    ck_assert_msg(seen == ENOUGH, "%s: seen on %u of %u maps", oversight->name,
                  seen, number);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("unreachable");
    tcase_add_test(tests, movers_meet_none_of_the_lines);
    tcase_add_loop_test(tests, an_oversight_is_seen, 0, COUNT(oversights));
    return run_tests(tests);
}
