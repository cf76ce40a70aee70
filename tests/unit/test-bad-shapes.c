// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that maps whose shape is the worst for a part of the build do not take
// more steps than in proportion to their size: lines across all of the grid,
// all lines in one block, lists of which each contains the one before, texts
// with tokens, comments, blocks and numbers that go on and on.  And that a
// search of such maps is ended early.
//
// Each is built in two sizes, of which the larger is 8 times the smaller. Where
// each thing is held against each other, it takes 64 times the steps.  These
// are the same on every machine and in every build.
//
// Not counted are: reading binary lumps and arrays, once for each record; the
// sweep, whose entries are counted when they become lists; and looks at hash
// slots, which depend on addresses.

#include "buffer.h"
#include "context-for-tests.h"
#include "plugin.h"
#include "random-map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16,
    LOWEST = -32640,
    HIGHEST = 32767,
};

// --- Steps ---

enum { GROWTH = 8, MOST_RATIO = 9 }; // of the map, and of the steps

// Something that maps of any size can be made of.
struct subject {
    const void *shape;
    const char *options;
    size_t size;
    int most_ratio;
    // Builds a map of a size; returns the steps that this has taken.
    int64_t (*build)(const struct subject *subject, size_t size);
};

static void assert_in_proportion(const struct subject *subject)
{
    const int64_t small = subject->build(subject, subject->size);
    const int64_t large = subject->build(subject, GROWTH * subject->size);
    printf("%s: %lld steps for %zu, %lld for %zu\n", subject->options,
           (long long)small, subject->size, (long long)large,
           GROWTH * subject->size);
    ck_assert_int_gt(small, 0);
    ck_assert_int_le(large, subject->most_ratio * small);
}

// Builds a map, which may be refused as damaged, and counts the steps.
static int64_t count_steps(const struct nbstage_map *map, const char *options)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_instance *instance = plugin_create(options);
    const nbstage_status status = stage->build(instance, map);
    const char *sentence = stage->last_error(instance);
    ck_assert_msg(status == NBSTAGE_OK || status == NBSTAGE_BAD_MAP, "%s: %s",
                  options, sentence);
    if (status != NBSTAGE_OK)
        assert_tells(sentence, "MAP07", "TEXTMAP");
    const struct nbstage_fact *fact = stage->get_fact(instance, "steps");
    const int64_t steps = fact ? fact->number : 0;
    stage->destroy(instance); // with its lump
    return steps;
}

// --- Lines ---

struct shape {
    size_t line_count; // of the smaller map
    int most_ratio;
    // Sets the ends of a line.
    void (*place)(size_t line, struct plain_vertex ends[2]);
};

static struct plain_vertex at(size_t x, size_t y)
{
    return (struct plain_vertex){(LOWEST + (int32_t)x) * UNIT,
                                 (LOWEST + (int32_t)y) * UNIT};
}

enum { SIDE = HIGHEST - LOWEST };

static void from_corner_to_corner(size_t line, struct plain_vertex ends[2])
{
    (void)line;
    ends[0] = at(0, 0);
    ends[1] = at(SIDE, SIDE);
}

// No two the same.
static void fan_out(size_t line, struct plain_vertex ends[2])
{
    ends[0] = at(line % 1000, line / 1000);
    ends[1] = at(SIDE - line / 1000, SIDE - line % 1000);
}

// Hardly two blocks have the same lines.
static void criss_cross(size_t line, struct plain_vertex ends[2])
{
    const size_t from = line * 7919 % SIDE, to = line * 104729 % SIDE;
    ends[0] = line % 2 ? at(0, from) : at(from, 0);
    ends[1] = line % 2 ? at(SIDE, to) : at(to, SIDE);
}

static void run_along_a_row(size_t line, struct plain_vertex ends[2])
{
    ends[0] = at(0, line % SIDE);
    ends[1] = at(SIDE, line % SIDE);
}

// Each list contains those of the blocks to the east.
static void make_stairs(size_t line, struct plain_vertex ends[2])
{
    ends[0] = at(0, line % 512 * 127);
    ends[1] = at(line * 7919 % SIDE, line % 512 * 127);
}

static void lie_in_one_block(size_t line, struct plain_vertex ends[2])
{
    ends[0] = at(line % 100, line / 100 % 100);
    ends[1] = at(line / 10000 % 100, line % 77);
}

static void be_a_point(size_t line, struct plain_vertex ends[2])
{
    (void)line;
    ends[0] = ends[1] = at(5, 5);
}

// One line to a block, in no order.
static void be_everywhere(size_t line, struct plain_vertex ends[2])
{
    size_t place = line * 7919;
    ends[0] = ends[1] = at(place % 509 * 128, place / 509 % 509 * 128);
}

// The more lines lie in one block, the more cross a line that may be inert.
// Looks at those are the only steps that grow faster than the map, up to a
// limit for each line.
static const struct shape shapes[] = {
    {200, MOST_RATIO, from_corner_to_corner},
    {200, MOST_RATIO, fan_out},
    {400, MOST_RATIO, run_along_a_row},
    {600, MOST_RATIO, make_stairs},
    {5000, 24, lie_in_one_block},
    {5000, MOST_RATIO, be_a_point},
    {5000, MOST_RATIO, be_everywhere},
};

// All that take a way of their own, but for the search.
static const char *const ways[] = {
    "pack=share format=xbm1",
    "pack=nest format=xbm1",
    "pack=nest for=boom format=xbm1",
    "for=everywhere overflow=merge,empty",
    "overflow=merge,empty pack=nest",
    "prune=inert format=xbm1",
    "overflow=xbm1",
    "lists=lump format=xbm1",
};

// Two-sided lines around one sector, for random_map_free.
static struct nbstage_map make_map(const struct shape *shape, size_t count,
                                   struct random_map *lines)
{
    static const struct plain_sector sector = {.ceiling = 128 * UNIT};
    random_map_allocate_pairs(lines, count);
    for (size_t i = 0; i < count; i++) {
        lines->lines[i].flags = 4;
        lines->lines[i].front_sector = lines->lines[i].back_sector = 0;
        shape->place(i, lines->vertices + 2 * i);
    }
    static struct nbstage_vertices vertices;
    static struct nbstage_lines all_lines;
    static struct nbstage_sectors sectors;
    static struct nbstage_things things;
    vertices = *PLAIN_VERTICES(lines->vertices, lines->vertex_count);
    all_lines = *PLAIN_LINES(lines->lines, lines->line_count);
    sectors = *PLAIN_SECTORS(&sector, 1);
    things = *NO_THINGS;
    return (struct nbstage_map){.size = sizeof(struct nbstage_map),
                                .name = "MAP07",
                                .vertices = &vertices,
                                .lines = &all_lines,
                                .sectors = &sectors,
                                .things = &things};
}

// Builds a map, or the same of its own lump.
static int64_t build_lines(const struct subject *subject, size_t size)
{
    struct random_map lines;
    bool has_lump = strstr(subject->options, "lists=lump") != NULL;
    struct nbstage_map map = make_map(subject->shape, size, &lines);
    struct plugin_lump present;
    struct nbstage_lump lump = {.name = "BLOCKMAP"};
    if (has_lump) {
        present = plugin_build(&map, "format=xbm1");
        lump.data = present.bytes;
        lump.data_size = present.size;
        map.lumps = &lump;
        map.lump_count = 1;
    }
    const int64_t steps = count_steps(&map, subject->options);
    if (has_lump)
        plugin_free(&present);
    random_map_free(&lines);
    return steps;
}

LOOP_TEST(lines_take_steps_in_proportion, COUNT(shapes) * COUNT(ways))
{
    const struct shape *shape = &shapes[_i % (int)COUNT(shapes)];
    const struct subject subject = {shape, ways[_i / (int)COUNT(shapes)],
                                    shape->line_count, shape->most_ratio,
                                    build_lines};
    assert_in_proportion(&subject);
}

TEST(facts_are_limited_by_default)
{
    struct random_map lines;
    const char *sentence;
    const struct shape shape = {40000, 0, from_corner_to_corner};
    struct nbstage_map map = make_map(&shape, shape.line_count, &lines);
    ck_assert_int_eq(plugin_try(&map, "", &sentence), NBSTAGE_OVER_LIMIT);
    assert_tells(sentence, "MAP07", "max-memory", "entries");
    random_map_free(&lines);
}

// --- Searches ---

// What a search may take for any map, for each byte of its arrays, and for each
// line besides; and what scoring 128 origins and building a lump take at least
// for each touch of lines that do not run along rows.
enum {
    WORK_FOR_ANY = 1 << 28,
    WORK_FOR_BYTE = 4096,
    WORK_FOR_LINE = 128 * WORK_FOR_BYTE,
    SCORE_WORK = 32,
    BUILD_WORK = 32
};

static const struct {
    struct shape shape;
    const char *options;
} long_searches[] = {
    {{4000, 0, from_corner_to_corner}, "grid=search format=xbm1"},
    {{4000, 0, fan_out}, "preset=vanilla overflow=xbm1"},
    {{400, 0, criss_cross}, "preset=small"},
    {{400, 0, criss_cross}, "preset=vanilla overflow=merge,empty"},
    {{400, 0, criss_cross}, "preset=small overflow=xbm1"},
};

// Packing and merging, and nesting lists to keep a limit, may take half each of
// what the search may.
LOOP_TEST(searches_take_no_more_than_a_number_of_steps, COUNT(long_searches))
{
    struct random_map lines;
    const struct shape *shape = &long_searches[_i].shape;
    struct nbstage_map map = make_map(shape, shape->line_count, &lines);
    struct plugin_lump lump = plugin_build(&map, long_searches[_i].options);
    int64_t entries = plugin_number(&lump, "entries");
    int64_t rows_of_origins = plugin_number(&lump, "placements") / 128;
    int64_t built = plugin_number(&lump, "placements_built");
    int64_t bytes =
        (int64_t)(8 * lines.vertex_count + 48 * lines.line_count + 20);
    int64_t limit = WORK_FOR_ANY + WORK_FOR_BYTE * bytes +
                    WORK_FOR_LINE * (int64_t)lines.line_count;
    int64_t steps = plugin_number(&lump, "steps");
    int64_t least =
        (SCORE_WORK * rows_of_origins + BUILD_WORK * built) * entries;
    ck_assert_int_gt(rows_of_origins, 0);
    ck_assert_int_le(least, limit);
    ck_assert_int_le(least, steps);
    ck_assert_int_le(steps, 2 * limit);
    plugin_free(&lump);
    random_map_free(&lines);
}

// --- Text ---

// A text that begins and ends once, with something between that is repeated.
struct text {
    const char *begin;
    const char *repeated;
    const char *end;
};

enum { REPEATS = 4096 }; // in the smaller one

#define ROOM \
    "namespace=\"zdoom\";vertex{x=0;y=0;}vertex{x=9;y=9;}" \
    "linedef{v1=0;v2=1;sidefront=0;sideback=0;}sidedef{sector=0;}sector{}"

static const struct text texts[] = {
    {"a", "b", ""},                       // a name
    {ROOM "a=", "9", ";"},                // a value
    {ROOM "vertex{x=", "9", ";}"},        // a coordinate
    {"vertex{x=0.", "0", "1;y=0;}" ROOM}, // its fraction
    {"vertex{x=1e", "9", ";y=0;}" ROOM},  // its exponent
    {"linedef{v1=", "0", ";v2=1;}" ROOM}, // an integer
    {ROOM "a=\"", "x", "\";"},            // a string
    {ROOM "a=\"", "x", ""},               // without an end
    {ROOM "a", "{", ""},                  // blocks inside each other
    {ROOM, "a{}", ""},                    // blocks
    {ROOM, "a=1;", ""},                   // assignments
    {ROOM "linedef{", "v1=0;", "v2=1;}"}, // fields
    {ROOM "linedef{v1=0;v2=1;", "user_a=1;", "}"},
    {ROOM "sector{moreids=\"", "1 ", "\";}"},
    {ROOM, "vertex{x=1;y=1;}", ""},
    {ROOM, "vertex{}", ""}, // a warning for each
    {ROOM, "linedef{v1=0;v2=1;special=10;arg0=1;sidefront=0;}sector{id=1;}",
     ""},
    {ROOM, "thing{x=0;y=0;type=1;}", ""},
    {ROOM, " ", ""},      // white space
    {ROOM, "/**/", ""},   // comments
    {ROOM "/*", "/", ""}, // one without an end
    {ROOM "/*", "*", ""}, //
    {ROOM, "\n", "}"},    // an error far down
    {ROOM, "a", "\n="},   //
    {"", "\0", ""},       // nothing at all
    {"", "{", ""},        //
};

static struct buffer make_text(const struct text *text, size_t repeats)
{
    struct buffer bytes = {0};
    size_t length = strlen(text->repeated);
    buffer_put(&bytes, text->begin, strlen(text->begin));
    for (size_t i = 0; i < repeats; i++)
        buffer_put(&bytes, text->repeated, length > 0 ? length : 1);
    buffer_put(&bytes, text->end, strlen(text->end));
    return bytes;
}

static int64_t build_text(const struct subject *subject, size_t size)
{
    struct buffer text = make_text(subject->shape, size);
    struct nbstage_lump lump = {
        .name = "TEXTMAP", .data = text.bytes, .data_size = text.size};
    struct nbstage_map map = map_of_lumps("MAP07", &lump, 1);
    const int64_t steps = count_steps(&map, subject->options);
    buffer_free(&text);
    return steps;
}

LOOP_TEST(texts_take_steps_in_proportion, COUNT(texts))
{
    const struct subject subject = {&texts[_i], "prune=inert", REPEATS,
                                    MOST_RATIO, build_text};
    assert_in_proportion(&subject);
}
