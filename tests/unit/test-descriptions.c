// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a map has the same lump however a host describes it: rooms with
// all that pruning looks at are handed over as lumps, and as arrays of any
// types at any places, with pointers, and with lumps for what has no array.
// That wrong descriptions fail with a sentence each.  And that random ones do,
// or build, where every byte that they describe can be read and no other: tools
// that watch memory notice the rest.
//
// LONG in the environment tries 100,000 random ones.  The seed is printed;
// SEED=number repeats a run.

#include "config.h"

#include "blocklists.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "plugin.h"
#include "pruned-room.h"
#include "random-map.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static uint64_t seed;

// --- Members ---

enum kind { VERTEX_ARRAY, LINE_ARRAY, SIDE_ARRAY, SECTOR_ARRAY, THING_ARRAY };
enum { KINDS = THING_ARRAY + 1, MEMBERS = 15, MOST = 26 };

// What a member is.
enum class {
    UNKNOWN, // absent
    HEIGHT,  // 16.16
    NUMBER,  // of as many bits as the lumps have
    CHOICE,  // 0 or not
    FLAT,    // of a sector: the floor's or the ceiling's
    OF_VERTEX,
    OF_SIDE,
    OF_SECTOR,
};

// The members of the structures, in their order.
static const enum class classes[KINDS][MEMBERS] = {
    {HEIGHT, HEIGHT},
    {OF_VERTEX, OF_VERTEX, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER,
     NUMBER, NUMBER, OF_SIDE, OF_SIDE, OF_SECTOR, OF_SECTOR, CHOICE},
    {OF_SECTOR},
    {HEIGHT, HEIGHT, FLAT, FLAT, NUMBER, NUMBER},
    {NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER},
};
enum {
    FLAGS = 2,
    SPECIAL,
    TAG,
    ARGS,
    SIDES = ARGS + 5,
    LINE_SECTORS = SIDES + 2,
    LEFT_OUT = LINE_SECTORS + 2,
    CEILING_FLAT = 3, // of sectors
};

_Static_assert(sizeof(struct nbstage_lines) ==
                   sizeof(struct nbstage_array) +
                       MEMBERS * sizeof(struct nbstage_member),
               "lines have the most members");

// A description of any kind.
struct description {
    struct nbstage_array array;
    struct nbstage_member members[MEMBERS];
};

static size_t size_of(enum kind kind)
{
    static const size_t sizes[KINDS] = {
        sizeof(struct nbstage_vertices), sizeof(struct nbstage_lines),
        sizeof(struct nbstage_sides), sizeof(struct nbstage_sectors),
        sizeof(struct nbstage_things)};
    return sizes[kind];
}

static size_t size_of_type(uint32_t type)
{
    static const size_t sizes[] = {[NBSTAGE_U8] = 1,
                                   [NBSTAGE_I8] = 1,
                                   [NBSTAGE_U16] = 2,
                                   [NBSTAGE_I16] = 2,
                                   [NBSTAGE_U32] = 4,
                                   [NBSTAGE_I32] = 4,
                                   [NBSTAGE_U64] = 8,
                                   [NBSTAGE_I64] = 8,
                                   [NBSTAGE_FIXED] = 4,
                                   [NBSTAGE_FLOAT] = 4,
                                   [NBSTAGE_DOUBLE] = 8,
                                   [NBSTAGE_NAME] = 8,
                                   [NBSTAGE_POINTER] = sizeof(void *)};
    return type < COUNT(sizes) ? sizes[type] : 0;
}

// A map as arrays.
struct described {
    struct description descriptions[KINDS];
    void *memory[KINDS]; // of the elements
    struct lump_set lumps;
    struct nbstage_map map;
};

static void point_to(struct nbstage_map *map, enum kind kind,
                     const struct description *description)
{
    static const size_t places[KINDS] = {offsetof(struct nbstage_map, vertices),
                                         offsetof(struct nbstage_map, lines),
                                         offsetof(struct nbstage_map, sides),
                                         offsetof(struct nbstage_map, sectors),
                                         offsetof(struct nbstage_map, things)};
    memcpy((char *)map + places[kind], &description, sizeof description);
}

// --- Rooms ---

static unsigned any_of(struct random_stream *stream, const unsigned *numbers,
                       uint32_t count)
{
    return numbers[random_below(stream, count)];
}
#define ANY_OF(stream, numbers) any_of(stream, numbers, COUNT(numbers))

// The room with some other attributes, of which many prune another line.
static struct room random_room(struct random_stream *stream)
{
    static const unsigned flags[] = {1, 4, 5, 64, 0x200, 0, 8},
                          specials[] = {1, 9, 11, 97, 103, 108, 10},
                          tags[] = {7, 0, 999, 1},
                          sector_specials[] = {0, 9, 10, 256};
    static const char *const flats[] = {"GRASS", "grass",  "ROCK",    "F_SKY1",
                                        "LAVA",  "GRASS1", "FULLNAME"};
    struct room room = room_plain;
    for (uint32_t n = random_below(stream, 6); n > 0; n--) {
        struct line *line = &room.lines[random_below(stream, LINES)];
        struct sector *sector = &room.sectors[random_below(stream, SECTORS)];
        switch (random_below(stream, 7)) {
        case 0:
            line->flags = ANY_OF(stream, flags);
            break;
        case 1:
            line->special = ANY_OF(stream, specials);
            line->tag = ANY_OF(stream, tags) & 0xFF;
            break;
        case 2:
            line->tag = ANY_OF(stream, tags);
            break;
        case 3:
            sector->tag = ANY_OF(stream, tags);
            break;
        case 4:
            sector->special = ANY_OF(stream, sector_specials);
            break;
        case 5:
            sector->floor_flat = flats[random_below(stream, COUNT(flats))];
            sector->ceiling_flat = flats[random_below(stream, COUNT(flats))];
            break;
        default:
            sector->floor = (int)random_below(stream, 3) - 1;
        }
    }
    room.thing_special = random_below(stream, 2) * 11;
    room.thing_tag = 7;
    return room;
}

static size_t count_of(enum kind kind)
{
    static const size_t counts[KINDS] = {VERTICES, LINES, 2 * LINES, SECTORS,
                                         1};
    return counts[kind];
}

// A member of an element; heights are 16.16, and -1 is none.
static int64_t value_of(const struct room *room, bool is_hexen, enum kind kind,
                        size_t i, int member)
{
    const struct line *line =
        &room->lines[kind == SIDE_ARRAY ? i / 2 : i % LINES];
    const struct sector *sector = &room->sectors[i % SECTORS];
    const int has_back = line->back >= 0;
    const int64_t of_line[MEMBERS] = {line->v1,
                                      line->v2,
                                      line->flags,
                                      line->special,
                                      is_hexen ? 0 : line->tag,
                                      is_hexen ? line->tag & 0xFF : 0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      2 * (int64_t)i,
                                      has_back ? 2 * (int64_t)i + 1 : -1,
                                      line->front,
                                      line->back};
    switch (kind) {
    case VERTEX_ARRAY:
        return (int64_t)room->vertices[i][member] * UNIT;
    case LINE_ARRAY:
        return of_line[member];
    case SIDE_ARRAY:
        return i % 2 == 0 ? line->front : has_back ? line->back : 0;
    case SECTOR_ARRAY:
        return member == 0   ? (int64_t)sector->floor * UNIT
               : member == 1 ? (int64_t)sector->ceiling * UNIT
               : member == 4 ? sector->special
                             : sector->tag;
    default:
        return member == 0               ? room->thing_type
               : member == 1 && is_hexen ? room->thing_special
               : member == 2 && is_hexen ? room->thing_tag
                                         : 0;
    }
}

// Bits of a number in the lumps.
static int bits_of(bool is_hexen, enum kind kind, int member)
{
    return is_hexen &&
                   ((kind == LINE_ARRAY && member != FLAGS && member != TAG) ||
                    (kind == THING_ARRAY && member > 0))
               ? 8
               : 16;
}

// --- Elements ---

// A type that a member may have, with what is described so far.
static uint32_t any_type(struct random_stream *stream, enum class class,
                         int bits, const struct description *targets)
{
    static const unsigned heights[] = {NBSTAGE_FIXED,  NBSTAGE_FLOAT,
                                       NBSTAGE_DOUBLE, NBSTAGE_I16,
                                       NBSTAGE_I32,    NBSTAGE_I64},
                          numbers[] = {NBSTAGE_U8,  NBSTAGE_I8,  NBSTAGE_U16,
                                       NBSTAGE_I16, NBSTAGE_U32, NBSTAGE_I32,
                                       NBSTAGE_U64, NBSTAGE_I64},
                          references[] = {NBSTAGE_U8,  NBSTAGE_I8,  NBSTAGE_U16,
                                          NBSTAGE_I16, NBSTAGE_U32, NBSTAGE_I32,
                                          NBSTAGE_U64, NBSTAGE_I64};
    switch (class) {
    case HEIGHT:
        return ANY_OF(stream, heights);
    case NUMBER:
        return any_of(stream, numbers + (bits > 8 ? 2 : 0), bits > 8 ? 6 : 8);
    case CHOICE:
        return ANY_OF(stream, numbers);
    case FLAT:
        return random_below(stream, 2) ? NBSTAGE_NAME : ANY_OF(stream, numbers);
    default:
        return targets && random_below(stream, 2) ? NBSTAGE_POINTER
                                                  : ANY_OF(stream, references);
    }
}

static const unsigned char *element_at(const struct nbstage_array *array,
                                       size_t index)
{
    const unsigned char *at =
        (const unsigned char *)array->data + index * array->stride;
    if (array->kind == NBSTAGE_POINTERS)
        memcpy(&at, at, sizeof(void *));
    return at;
}

// Stores the low bytes of a number on any machine.
static void put_bytes(unsigned char *at, uint64_t number, size_t size)
{
    const uint16_t two = 1;
    unsigned char bytes[8];
    memcpy(bytes, &number, sizeof bytes);
    const bool is_little = *(const unsigned char *)&two == 1;
    memcpy(at, bytes + (is_little ? 0 : 8 - size), size);
}

static void put_height(unsigned char *at, uint32_t type, int64_t fixed)
{
    const float single = (float)fixed / UNIT;
    const double twice = (double)fixed / UNIT;
    if (type == NBSTAGE_FLOAT)
        memcpy(at, &single, sizeof single);
    else if (type == NBSTAGE_DOUBLE)
        memcpy(at, &twice, sizeof twice);
    else
        put_bytes(at, (uint64_t)(type == NBSTAGE_FIXED ? fixed : fixed / UNIT),
                  size_of_type(type));
}

// Flats of one name have one number.
static uint64_t number_of_flat(const char *name)
{
    static const char *const names[] = {"GRASS", "ROCK",   "F_SKY1",
                                        "LAVA",  "GRASS1", "FULLNAME"};
    size_t i = 0;
    while (strcasecmp(names[i], name) != 0)
        i++;
    return i;
}

static void put_flat(unsigned char *at, uint32_t type, const char *name)
{
    if (type == NBSTAGE_NAME)
        strncpy((char *)at, name, 8);
    else
        put_bytes(at, number_of_flat(name), size_of_type(type));
}

// A number with anything above the bits that count.
static void put_number(struct random_stream *stream, unsigned char *at,
                       uint32_t type, int bits, int64_t number)
{
    const uint64_t above = random_next(stream) << bits;
    put_bytes(at, (uint64_t)number | above, size_of_type(type));
}

// None is negative in a signed type; and there are several.
static void put_reference(struct random_stream *stream, unsigned char *at,
                          uint32_t type, const struct description *targets,
                          int64_t number)
{
    const bool is_signed = type == NBSTAGE_I8 || type == NBSTAGE_I16 ||
                           type == NBSTAGE_I32 || type == NBSTAGE_I64;
    if (type == NBSTAGE_POINTER) {
        const void *target =
            number < 0 ? NULL : element_at(&targets->array, (size_t)number);
        memcpy(at, &target, sizeof target);
        return;
    }
    if (number < 0 && is_signed)
        number = -1 - (int64_t)random_below(stream, 100);
    put_bytes(at, (uint64_t)number, size_of_type(type));
}

static const struct description *find_targets(const struct described *described,
                                              enum class class)
{
    const enum kind kind = class == OF_VERTEX ? VERTEX_ARRAY
                           : class == OF_SIDE ? SIDE_ARRAY
                                              : SECTOR_ARRAY;
    const struct description *targets = &described->descriptions[kind];
    return targets->array.data ? targets : NULL;
}

// Places members one after the other, in any order and with gaps.  Returns the
// bytes from the beginning of an element to the end of the last one.
static uint32_t place_members(struct random_stream *stream,
                              struct description *description)
{
    uint32_t end = 0;
    bool is_placed[MEMBERS] = {false};
    for (size_t n = 0; n < MEMBERS; n++) {
        size_t m = random_below(stream, MEMBERS);
        while (is_placed[m])
            m = (m + 1) % MEMBERS;
        is_placed[m] = true;
        const size_t size = size_of_type(description->members[m].type);
        if (size == 0)
            continue;
        description->members[m].offset = end + random_below(stream, 6);
        end = description->members[m].offset + (uint32_t)size;
    }
    return end;
}

// Sets data, stride and kind for elements of so many bytes, in memory that ends
// where the last one does.
static unsigned char *place_elements(struct random_stream *stream,
                                     struct nbstage_array *array, uint32_t end,
                                     bool has_pointers)
{
    const size_t count = array->count;
    const size_t stride = end + random_below(stream, 20);
    const size_t pointer_stride =
        has_pointers ? sizeof(void *) + random_below(stream, 9) : 0;
    const size_t pointers_end =
        has_pointers ? pointer_stride * (count - 1) + sizeof(void *) : 0;
    unsigned char *memory = malloc(pointers_end + stride * (count - 1) + end);
    unsigned char *elements = memory + pointers_end;
    ck_assert_ptr_nonnull(memory);
    memset(memory, 0xA5, pointers_end + stride * (count - 1) + end);
    for (size_t i = 0; i < count && has_pointers; i++) {
        const unsigned char *element = elements + stride * (count - 1 - i);
        memcpy(memory + i * pointer_stride, &element, sizeof element);
    }
    array->data = memory;
    array->stride = has_pointers ? pointer_stride : stride;
    array->kind = has_pointers ? NBSTAGE_POINTERS : NBSTAGE_ELEMENTS;
    return memory;
}

// A number may stand for the sky, which differs from all others.
static bool has_one_ceiling(const struct room *room)
{
    const struct sector *sectors = room->sectors;
    return strcasecmp(sectors[0].ceiling_flat, sectors[1].ceiling_flat) == 0 &&
           strcasecmp(sectors[0].ceiling_flat, sectors[2].ceiling_flat) == 0;
}

// Describes an array of the room.  Lines of a room may be left out.
static void describe(struct random_stream *stream, const struct room *room,
                     bool is_hexen, enum kind kind, const bool *left_out,
                     bool has_flags, struct described *described)
{
    struct description *description = &described->descriptions[kind];
    const bool has_sides = described->descriptions[SIDE_ARRAY].array.data,
               tells_sectors = random_below(stream, 2) == 0 || !has_sides;
    for (int m = 0; m < MEMBERS; m++) {
        const enum class class = classes[kind][m];
        const bool is_told =
            class != UNKNOWN && (class != OF_SIDE || has_sides) &&
            (class != CHOICE || left_out) &&
            (kind != LINE_ARRAY || class != OF_SECTOR || tells_sectors) &&
            (kind != LINE_ARRAY || m < FLAGS || m == LEFT_OUT || has_flags);
        description->members[m].type =
            is_told ? any_type(stream, class, bits_of(is_hexen, kind, m),
                               find_targets(described, class))
                    : NBSTAGE_ABSENT;
        if (class == FLAT && m == CEILING_FLAT && !has_one_ceiling(room))
            description->members[m].type = NBSTAGE_NAME;
    }
    description->array.size = size_of(kind);
    description->array.count = count_of(kind);
    described->memory[kind] = place_elements(stream, &description->array,
                                             place_members(stream, description),
                                             random_below(stream, 3) == 0);
    for (size_t i = 0; i < description->array.count; i++) {
        unsigned char *element =
            (unsigned char *)(uintptr_t)element_at(&description->array, i);
        for (int m = 0; m < MEMBERS; m++) {
            const enum class class = classes[kind][m];
            const uint32_t type = description->members[m].type;
            unsigned char *at = element + description->members[m].offset;
            if (type == NBSTAGE_ABSENT)
                continue;
            if (class == FLAT)
                put_flat(at, type,
                         m == CEILING_FLAT ? room->sectors[i].ceiling_flat
                                           : room->sectors[i].floor_flat);
            else if (class == CHOICE)
                put_bytes(at, left_out[i] ? 1 + random_below(stream, 255) : 0,
                          size_of_type(type));
            else if (class == HEIGHT)
                put_height(at, type, value_of(room, is_hexen, kind, i, m));
            else if (class == NUMBER)
                put_number(stream, at, type, bits_of(is_hexen, kind, m),
                           value_of(room, is_hexen, kind, i, m));
            else
                put_reference(stream, at, type, find_targets(described, class),
                              value_of(room, is_hexen, kind, i, m));
        }
    }
    point_to(&described->map, kind, description);
}

static void forget(struct described *described)
{
    for (size_t kind = 0; kind < KINDS; kind++)
        free(described->memory[kind]);
    lump_set_free(&described->lumps);
}

// --- The same map, described otherwise ---

// Arrays that refer to others come after these.
static const enum kind order[] = {VERTEX_ARRAY, SECTOR_ARRAY, SIDE_ARRAY,
                                  LINE_ARRAY, THING_ARRAY};

// Of some arrays, or of all; the lumps have what has none.
static void describe_room(struct random_stream *stream, const struct room *room,
                          bool is_hexen, const bool *left_out, bool has_lumps,
                          struct described *described)
{
    const bool has_sides = random_below(stream, 2);
    *described = (struct described){.map.size = sizeof described->map};
    described->lumps =
        room_make_lumps(room, has_lumps  ? is_hexen ? FORM_HEXEN : FORM_DOOM
                              : is_hexen ? FORM_HEXEN_ARRAYS
                                         : FORM_DOOM_ARRAYS);
    if (!has_lumps) // which tells that there are no others
        lump_set_view(&described->lumps, "", NULL, 0);
    described->map = lump_set_map(&described->lumps);
    described->map.format =
        is_hexen ? NBSTAGE_FORMAT_HEXEN : NBSTAGE_FORMAT_DOOM;
    for (size_t n = 0; n < COUNT(order); n++)
        if (has_lumps ? random_below(stream, 2) || (left_out && n == 3)
            : n == 2  ? has_sides
                      : true)
            describe(stream, room, is_hexen, order[n], left_out,
                     !has_lumps || random_below(stream, 2), described);
}

static void check_room(struct random_stream *stream, const char *name,
                       bool is_hexen, bool has_lumps)
{
    const struct room room = random_room(stream);
    struct lump_set lumps =
        room_make_lumps(&room, is_hexen ? FORM_HEXEN : FORM_DOOM);
    struct plugin_lump expected = lump_set_build(&lumps, "prune=inert");
    struct described described;
    describe_room(stream, &room, is_hexen, NULL, has_lumps, &described);
    struct plugin_lump lump = plugin_build(&described.map, "prune=inert");
    plugin_check_same(name, &lump, &expected);
    const struct plugin_fact facts[] = {
        {"pruned_inert", plugin_number(&expected, "pruned_inert")},
        {"pruned_tagged", plugin_number(&expected, "pruned_tagged")},
        {"entries", plugin_number(&expected, "entries")},
    };
    plugin_check_facts(name, &lump, facts, COUNT(facts));
    plugin_free(&lump);
    plugin_free(&expected);
    forget(&described);
    lump_set_free(&lumps);
}

// Left out are lines that a host chooses, and no others.
static void check_left_out(struct random_stream *stream, const char *name,
                           bool is_hexen, bool has_lumps)
{
    const struct room room = random_room(stream);
    struct oracle_line lines[LINES];
    bool left_out[LINES];
    struct described described;
    for (int i = 0; i < LINES; i++) {
        const int *v1 = room.vertices[room.lines[i].v1];
        const int *v2 = room.vertices[room.lines[i].v2];
        lines[i] = (struct oracle_line){v1[0] * UNIT, v1[1] * UNIT,
                                        v2[0] * UNIT, v2[1] * UNIT};
        left_out[i] = random_below(stream, 4) == 0;
    }
    describe_room(stream, &room, is_hexen, left_out, has_lumps, &described);
    struct plugin_lump lump = plugin_build(&described.map, "prune=none");
    blocklists_check_lump(name, lump.bytes, lump.size, lines, LINES, left_out);
    plugin_free(&lump);
    forget(&described);
}

LOOP_TEST(any_description_has_the_lump_of_the_lumps, 4)
{
    const bool is_hexen = _i % 2, has_lumps = _i / 2;
    struct random_stream stream = {seed + (uint64_t)_i};
    for (int n = 0; n < 2000 / SLOWNESS; n++) {
        char name[80];
        snprintf(name, sizeof name, "SEED=%" PRIu64 ", %d, room %d", seed, _i,
                 n);
        check_room(&stream, name, is_hexen, has_lumps);
        check_left_out(&stream, name, is_hexen, has_lumps);
    }
}

// --- Pointers ---

// Sectors of the room by pointers to them, of which the first comes twice; the
// front sectors of lines are numbers, the back ones pointers.
TEST(first_of_equal_pointers_counts)
{
    struct room_arrays arrays;
    struct lump_set lumps = room_make_lumps(&room_plain, FORM_DOOM);
    struct nbstage_map map = lump_set_map(&lumps);
    struct plugin_lump expected = plugin_build(&map, "prune=inert");
    ck_assert_int_eq(plugin_number(&expected, "pruned_inert"), 3);
    room_make_arrays(&room_plain, FORM_DOOM_ARRAYS, &arrays, &map);
    const void *const sectors[] = {&arrays.sectors[0], &arrays.sectors[1],
                                   &arrays.sectors[2], &arrays.sectors[0]};
    struct {
        struct plain_line line;
        const void *back;
    } lines[LINES];
    for (int i = 0; i < LINES; i++) {
        lines[i].line = arrays.lines[i];
        lines[i].back = room_plain.lines[i].back < 0
                            ? NULL
                            : sectors[room_plain.lines[i].back];
    }
    NBSTAGE_SET_POINTERS(arrays.all_sectors, sectors, COUNT(sectors));
    arrays.all_lines.array.data = lines;
    arrays.all_lines.array.stride = sizeof *lines;
    arrays.all_lines.back_sector.type = NBSTAGE_POINTER;
    arrays.all_lines.back_sector.offset =
        (uint32_t)((char *)&lines->back - (char *)lines);
    struct plugin_lump lump = plugin_build(&map, "prune=inert");
    plugin_check_same("equal pointers", &lump, &expected);
    plugin_free(&lump);
    plugin_free(&expected);
    lump_set_free(&lumps);
}

// In C++ the base of an object may be behind its own members.
TEST(pointers_may_be_to_a_base_class)
{
    struct derived {
        double own;
        struct base {
            float x, y;
        } base;
        char more;
    } points[] = {{0.5, {0, 0}, 1}, {0.5, {300, 0}, 2}, {0.5, {300, 200}, 3}};
    const struct {
        const struct base *start, *end;
    } walls[] = {{&points[0].base, &points[1].base},
                 {&points[2].base, &points[1].base},
                 {&points[2].base, &points[0].base}};
    const struct oracle_line truth[] = {{0, 0, 300 * UNIT, 0},
                                        {300 * UNIT, 200 * UNIT, 300 * UNIT, 0},
                                        {300 * UNIT, 200 * UNIT, 0, 0}};
    static const bool left_out[COUNT(truth)];
    struct nbstage_vertices vertices = {0};
    struct nbstage_lines lines = {0};
    NBSTAGE_SET_ARRAY(vertices, &points[0].base, COUNT(points));
    vertices.array.stride = sizeof *points;
    NBSTAGE_SET(vertices.x, NBSTAGE_FLOAT, struct base, x);
    NBSTAGE_SET(vertices.y, NBSTAGE_FLOAT, struct base, y);
    NBSTAGE_SET_ARRAY(lines, walls, COUNT(walls));
    lines.v1 = (struct nbstage_member){NBSTAGE_POINTER, 0};
    lines.v2 = (struct nbstage_member){NBSTAGE_POINTER, sizeof(void *)};
    const struct nbstage_map map = {
        .size = sizeof map, .vertices = &vertices, .lines = &lines};
    struct plugin_lump lump = plugin_build(&map, "");
    blocklists_check_lump("base", lump.bytes, lump.size, truth, COUNT(truth),
                          left_out);
    plugin_free(&lump);
}

// --- Wrong descriptions ---

struct point {
    int32_t x, y; // 16.16
    int64_t wide;
    double number;
    float single;
};

struct edge {
    const void *start, *end; // points
    const void *area;
    uint32_t v1, v2;
    int64_t wide;
    uint32_t flags, special, tag, front;
    double number;
    char name[8];
    float single;
};

// Two lines between three points, and one sector.
struct spoiled {
    struct point points[3];
    struct edge edges[2];
    struct plain_sector sectors[1];
    const void *pointers[3];
    struct nbstage_vertices vertices;
    struct nbstage_lines lines;
    struct nbstage_sectors areas;
    struct nbstage_things things;
    struct nbstage_map map;
};

static void describe_well(struct spoiled *s)
{
    *s = (struct spoiled){.map = {.size = sizeof s->map, .name = "MAP01"},
                          .things.array.size = sizeof s->things};
    for (uint32_t i = 0; i < 3; i++) {
        const int32_t units = (int32_t)i * 200;
        s->points[i] = (struct point){units * UNIT, (int32_t)i % 2 * UNIT,
                                      units, units, (float)units};
        s->pointers[i] = &s->points[i];
    }
    for (uint32_t i = 0; i < 2; i++)
        s->edges[i] = (struct edge){.start = &s->points[i],
                                    .end = &s->points[i + 1],
                                    .area = &s->sectors[0],
                                    .v1 = i,
                                    .v2 = i + 1,
                                    .wide = i,
                                    .flags = 4,
                                    .number = 1,
                                    .single = 1,
                                    .name = "NAME"};
    NBSTAGE_SET_ARRAY(s->vertices, s->points, 3);
    NBSTAGE_SET(s->vertices.x, NBSTAGE_FIXED, struct point, x);
    NBSTAGE_SET(s->vertices.y, NBSTAGE_FIXED, struct point, y);
    NBSTAGE_SET_ARRAY(s->lines, s->edges, 2);
    NBSTAGE_SET(s->lines.v1, NBSTAGE_POINTER, struct edge, start);
    NBSTAGE_SET(s->lines.v2, NBSTAGE_U32, struct edge, v2);
    NBSTAGE_SET(s->lines.flags, NBSTAGE_U32, struct edge, flags);
    NBSTAGE_SET(s->lines.special, NBSTAGE_U32, struct edge, special);
    NBSTAGE_SET(s->lines.tag, NBSTAGE_U32, struct edge, tag);
    NBSTAGE_SET(s->lines.front_sector, NBSTAGE_POINTER, struct edge, area);
    NBSTAGE_SET(s->lines.back_sector, NBSTAGE_U32, struct edge, front);
    s->areas = *PLAIN_SECTORS(s->sectors, 1);
    s->map.vertices = &s->vertices;
    s->map.lines = &s->lines;
    s->map.sectors = &s->areas;
    s->map.things = &s->things;
}

static const struct point no_point;
static const struct plain_sector no_sector;

// What is wrong of it.
#define SPOIL(name, statement) \
    static void name(struct spoiled *s) \
    { \
        statement; \
    }
#define TYPE(member, number, field) \
    NBSTAGE_SET(s->member, number, struct edge, field)
#define X(number, field) NBSTAGE_SET(s->vertices.x, number, struct point, field)

SPOIL(foreign_vertex, s->edges[1].start = &no_point)
SPOIL(vertex_of_null, s->edges[1].start = NULL)
SPOIL(vertex_inside, s->edges[1].start = &s->points[1].y)
SPOIL(vertex_after_the_last, s->edges[1].start = &s->points[3])
SPOIL(vertex_before_the_first, s->edges[1].start = &s->points[0] - 1)
SPOIL(vertex_of_any_bits, s->edges[1].start = (const void *)UINTPTR_MAX)
SPOIL(vertex_in_no_pointer, NBSTAGE_SET_POINTERS(s->vertices, s->pointers, 3);
      s->pointers[1] = &no_point)
SPOIL(vertex_is_pointer, NBSTAGE_SET_POINTERS(s->vertices, s->pointers, 3);
      s->edges[1].start = &s->pointers[1])
SPOIL(pointers_of_no_vertices, s->map.vertices = NULL)
SPOIL(foreign_sector, s->edges[1].area = &no_sector)
SPOIL(sector_inside, s->edges[1].area = &s->sectors[0].ceiling)
SPOIL(pointers_of_no_sectors, s->map.sectors = NULL)
SPOIL(missing_vertex, s->edges[1].v2 = 3)
SPOIL(vertex_is_none, s->edges[1].v2 = UINT32_MAX)
SPOIL(missing_sector, s->edges[1].front = 1)
SPOIL(vertex_is_negative, TYPE(lines.v2, NBSTAGE_I64, wide);
      s->edges[1].wide = -1)
SPOIL(vertex_is_very_negative, TYPE(lines.v2, NBSTAGE_I64, wide);
      s->edges[1].wide = INT64_MIN)
SPOIL(vertex_is_vast, TYPE(lines.v2, NBSTAGE_I64, wide);
      s->edges[1].wide = (INT64_C(1) << 40) + 1)
SPOIL(vertex_is_of_64_bits, TYPE(lines.v2, NBSTAGE_U64, wide);
      s->edges[1].wide = (INT64_C(1) << 32) + 1)
SPOIL(sector_is_vast, TYPE(lines.back_sector, NBSTAGE_I64, wide);
      s->edges[1].wide = INT64_C(1) << 40)
SPOIL(vertex_is_float, TYPE(lines.v2, NBSTAGE_FLOAT, single))
SPOIL(vertex_is_double, TYPE(lines.v1, NBSTAGE_DOUBLE, number))
SPOIL(vertex_is_fixed, TYPE(lines.v2, NBSTAGE_FIXED, v2))
SPOIL(vertex_is_name, TYPE(lines.v2, NBSTAGE_NAME, name))
SPOIL(flags_are_float, TYPE(lines.flags, NBSTAGE_FLOAT, single))
SPOIL(flags_are_pointer, TYPE(lines.flags, NBSTAGE_POINTER, start))
SPOIL(special_is_name, TYPE(lines.special, NBSTAGE_NAME, name))
SPOIL(tag_is_fixed, TYPE(lines.tag, NBSTAGE_FIXED, tag))
SPOIL(left_out_is_double, TYPE(lines.left_out, NBSTAGE_DOUBLE, number))
SPOIL(left_out_is_pointer, TYPE(lines.left_out, NBSTAGE_POINTER, start))
SPOIL(x_is_name, X(NBSTAGE_NAME, wide))
SPOIL(x_is_pointer, X(NBSTAGE_POINTER, wide))
SPOIL(floor_is_name, s->areas.floor.type = NBSTAGE_NAME)
SPOIL(flat_is_float, s->areas.floor_flat.type = NBSTAGE_FLOAT)
SPOIL(type_is_14, s->lines.tag.type = 14)
SPOIL(type_is_256, s->lines.flags.type = 256)
SPOIL(type_is_of_others, s->vertices.y.type = 0x40000000)
SPOIL(type_is_of_all_bits, s->areas.tag.type = UINT32_MAX)
SPOIL(kind_is_2, s->lines.array.kind = 2)
SPOIL(kind_is_of_others, s->vertices.array.kind = 0x40000000)
SPOIL(reserved_is_1, s->vertices.array.reserved = 1)
SPOIL(reserved_is_high, s->areas.array.reserved = 0x80000000)
SPOIL(null_among_vertices, NBSTAGE_SET_POINTERS(s->vertices, s->pointers, 3);
      s->pointers[2] = NULL)
SPOIL(null_among_lines, NBSTAGE_SET_POINTERS(s->lines, s->pointers, 2);
      s->pointers[0] = &s->edges[0]; s->pointers[1] = NULL)
SPOIL(null_among_sectors, NBSTAGE_SET_POINTERS(s->areas, s->pointers, 1);
      s->pointers[0] = NULL; s->lines.front_sector = s->lines.back_sector)
SPOIL(no_elements, s->vertices.array.data = NULL)
SPOIL(no_vertex, s->vertices.array.count = 0)
SPOIL(no_line, s->lines.array.count = 0)
SPOIL(stride_is_0, s->lines.array.stride = 0)
SPOIL(stride_of_points_is_0, s->vertices.array.stride = 0)
SPOIL(stride_of_pointers_is_0,
      NBSTAGE_SET_POINTERS(s->vertices, s->pointers, 3);
      s->vertices.array.stride = 0)
SPOIL(tag_is_beyond_the_line, s->lines.tag.offset = sizeof(struct edge) - 3)
SPOIL(tag_is_far_away, s->lines.tag.offset = UINT32_MAX)
SPOIL(stride_is_vast, s->vertices.array.stride = SIZE_MAX / 2)
SPOIL(count_is_vast, s->vertices.array.count = SIZE_MAX / 2)
SPOIL(lines_are_vast, s->lines.array.count = SIZE_MAX)
SPOIL(no_v2, s->lines.v2.type = NBSTAGE_ABSENT)
SPOIL(no_x, s->vertices.x.type = NBSTAGE_ABSENT)
SPOIL(x_is_nan, X(NBSTAGE_DOUBLE, number); s->points[2].number = (double)NAN)
SPOIL(x_is_infinite, X(NBSTAGE_DOUBLE, number);
      s->points[2].number = (double)INFINITY)
SPOIL(x_is_single_nan, X(NBSTAGE_FLOAT, single); s->points[2].single = NAN)
SPOIL(x_is_minus_infinite, X(NBSTAGE_FLOAT, single);
      s->points[2].single = -INFINITY)
SPOIL(x_is_32768, X(NBSTAGE_DOUBLE, number); s->points[2].number = 32768)
SPOIL(x_is_below_all, X(NBSTAGE_DOUBLE, number); s->points[2].number = -32769)
SPOIL(x_is_single_32768, X(NBSTAGE_FLOAT, single); s->points[2].single = 32768)
SPOIL(x_is_1e300, X(NBSTAGE_DOUBLE, number); s->points[2].number = 1e300)
SPOIL(x_is_vast, X(NBSTAGE_I64, wide); s->points[2].wide = INT64_C(1) << 40)
SPOIL(x_is_large, X(NBSTAGE_I64, wide); s->points[2].wide = 32768)
SPOIL(x_is_small, X(NBSTAGE_I64, wide); s->points[2].wide = -32769)
SPOIL(x_is_unsigned, X(NBSTAGE_U64, wide); s->points[2].wide = -1)
SPOIL(x_is_of_32_bits, X(NBSTAGE_I32, x); s->points[1].x = 0;
      s->points[2].x = 32768)
SPOIL(x_is_of_16_bits, X(NBSTAGE_U64, wide);
      s->vertices.x.type = NBSTAGE_U16; s->points[2].wide = -1)

SPOIL(floor_is_nan, s->areas.floor.type = NBSTAGE_FLOAT;
      memset(&s->sectors[0].floor, 0xFF, 4))
SPOIL(ceiling_is_large, s->areas.ceiling.type = NBSTAGE_I32;
      s->sectors[0].ceiling = 40000)

#define LINE(number) "lines", number

static const struct {
    void (*spoil)(struct spoiled *spoiled);
    nbstage_status status;
    const char *facts[4]; // that the sentence tells besides the map
} wrong[] = {
    {foreign_vertex, NBSTAGE_BAD_MAP, {LINE("1"), "v1"}},
    {vertex_of_null, NBSTAGE_BAD_MAP, {LINE("1"), "v1"}},
    {vertex_inside, NBSTAGE_BAD_MAP, {LINE("1"), "v1"}},
    {vertex_after_the_last, NBSTAGE_BAD_MAP, {LINE("1"), "v1"}},
    {vertex_before_the_first, NBSTAGE_BAD_MAP, {LINE("1"), "v1"}},
    {vertex_of_any_bits, NBSTAGE_BAD_MAP, {LINE("1"), "v1"}},
    {vertex_in_no_pointer, NBSTAGE_BAD_MAP, {LINE("1"), "v1"}},
    {vertex_is_pointer, NBSTAGE_BAD_MAP, {LINE("1"), "v1"}},
    {pointers_of_no_vertices, NBSTAGE_BAD_MAP, {NULL}},
    {foreign_sector, NBSTAGE_BAD_MAP, {LINE("1"), "front_sector"}},
    {sector_inside, NBSTAGE_BAD_MAP, {LINE("1"), "front_sector"}},
    {pointers_of_no_sectors, NBSTAGE_BAD_MAP, {"lines", "front_sector"}},
    {missing_vertex, NBSTAGE_BAD_MAP, {LINE("1"), "3"}},
    {vertex_is_none, NBSTAGE_BAD_MAP, {LINE("1")}},
    {missing_sector, NBSTAGE_BAD_MAP, {LINE("1"), "sector"}},
    {vertex_is_negative, NBSTAGE_BAD_MAP, {LINE("1")}},
    {vertex_is_very_negative, NBSTAGE_BAD_MAP, {LINE("1")}},
    {vertex_is_vast, NBSTAGE_BAD_MAP, {LINE("1")}},
    {vertex_is_of_64_bits, NBSTAGE_BAD_MAP, {LINE("1")}},
    {sector_is_vast, NBSTAGE_BAD_MAP, {LINE("1"), "sector"}},
    {vertex_is_float, NBSTAGE_BAD_MAP, {"lines", "v2", "10"}},
    {vertex_is_double, NBSTAGE_BAD_MAP, {"lines", "v1", "11"}},
    {vertex_is_fixed, NBSTAGE_BAD_MAP, {"lines", "v2", "9"}},
    {vertex_is_name, NBSTAGE_BAD_MAP, {"lines", "v2", "12"}},
    {flags_are_float, NBSTAGE_BAD_MAP, {"lines", "flags", "10"}},
    {flags_are_pointer, NBSTAGE_BAD_MAP, {"lines", "flags", "13"}},
    {special_is_name, NBSTAGE_BAD_MAP, {"lines", "special", "12"}},
    {tag_is_fixed, NBSTAGE_BAD_MAP, {"lines", "tag", "9"}},
    {left_out_is_double, NBSTAGE_BAD_MAP, {"lines", "left_out", "11"}},
    {left_out_is_pointer, NBSTAGE_BAD_MAP, {"lines", "left_out", "13"}},
    {x_is_name, NBSTAGE_BAD_MAP, {"vertices", "x", "12"}},
    {x_is_pointer, NBSTAGE_BAD_MAP, {"vertices", "x", "13"}},
    {floor_is_name, NBSTAGE_BAD_MAP, {"sectors", "floor", "12"}},
    {flat_is_float, NBSTAGE_BAD_MAP, {"sectors", "floor_flat", "10"}},
    {type_is_14, NBSTAGE_UNSUPPORTED, {"lines", "tag", "14"}},
    {type_is_256, NBSTAGE_UNSUPPORTED, {"lines", "flags", "256"}},
    {type_is_of_others, NBSTAGE_UNSUPPORTED, {"vertices", "y", "1073741824"}},
    {type_is_of_all_bits, NBSTAGE_UNSUPPORTED, {"sectors", "4294967295"}},
    {kind_is_2, NBSTAGE_UNSUPPORTED, {"lines", "kind", "2"}},
    {kind_is_of_others, NBSTAGE_UNSUPPORTED, {"vertices", "kind"}},
    {reserved_is_1, NBSTAGE_UNSUPPORTED, {"vertices", "reserved"}},
    {reserved_is_high, NBSTAGE_UNSUPPORTED, {"sectors", "reserved"}},
    {null_among_vertices, NBSTAGE_BAD_MAP, {"vertices", "NULL", "2"}},
    {null_among_lines, NBSTAGE_BAD_MAP, {"lines", "NULL", "1"}},
    {null_among_sectors, NBSTAGE_BAD_MAP, {"sectors", "NULL", "0"}},
    {no_elements, NBSTAGE_BAD_MAP, {"vertices", "NULL"}},
    {no_vertex, NBSTAGE_BAD_MAP, {NULL}},
    {no_line, NBSTAGE_BAD_MAP, {"lines"}},
    {stride_is_0, NBSTAGE_BAD_MAP, {"lines", "0"}},
    {stride_of_points_is_0, NBSTAGE_BAD_MAP, {"vertices", "0"}},
    {stride_of_pointers_is_0, NBSTAGE_BAD_MAP, {"vertices", "0"}},
    {tag_is_beyond_the_line, NBSTAGE_BAD_MAP, {"lines", "tag"}},
    {tag_is_far_away, NBSTAGE_BAD_MAP, {"lines", "tag"}},
    {stride_is_vast, NBSTAGE_BAD_MAP, {"vertices"}},
    {count_is_vast, NBSTAGE_BAD_MAP, {"vertices"}},
    {lines_are_vast, NBSTAGE_BAD_MAP, {"lines"}},
    {no_v2, NBSTAGE_BAD_MAP, {"lines", "v2"}},
    {no_x, NBSTAGE_BAD_MAP, {"vertices", "x"}},
    {x_is_nan, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_infinite, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_single_nan, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_minus_infinite, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_32768, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_below_all, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_single_32768, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_1e300, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_vast, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_large, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_small, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_unsigned, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_of_32_bits, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {x_is_of_16_bits, NBSTAGE_BAD_MAP, {"vertices", "2"}},
    {floor_is_nan, NBSTAGE_BAD_MAP, {"sectors", "floor", "0"}},
    {ceiling_is_large, NBSTAGE_BAD_MAP, {"sectors", "ceiling", "0"}},
};

// A sentence for each; then the same instance builds what is right.
LOOP_TEST(wrong_descriptions_are_refused, COUNT(wrong))
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_instance *instance = plugin_create("prune=inert");
    struct spoiled spoiled;
    describe_well(&spoiled);
    ck_assert_int_eq(stage->build(instance, &spoiled.map), NBSTAGE_OK);
    wrong[_i].spoil(&spoiled);
    const nbstage_status status = stage->build(instance, &spoiled.map);
    const char *sentence = stage->last_error(instance);
    printf("%s\n", sentence);
    ck_assert_msg(status == wrong[_i].status, "status %d: %s", (int)status,
                  sentence);
    assert_tells(sentence, "MAP01");
    assert_tells_all(sentence, wrong[_i].facts);
    ck_assert_ptr_null(strchr(sentence, '\n'));
    ck_assert_int_ne(sentence[strlen(sentence) - 1], '.');
    ck_assert_ptr_null(stage->get_lump(instance, "BLOCKMAP"));
    describe_well(&spoiled);
    ck_assert_int_eq(stage->build(instance, &spoiled.map), NBSTAGE_OK);
    stage->destroy(instance);
}

// --- Random descriptions ---

// A word of any element: small numbers, so that some maps can be built, or
// anything.
static uint64_t any_word(struct random_stream *stream)
{
    const uint64_t word = random_next(stream);
    return random_below(stream, 200) ? word & 3 : word;
}

// An address of an element, or another.
static const void *any_address(struct random_stream *stream,
                               const struct nbstage_array *targets)
{
    if (targets->count == 0 || random_below(stream, 200) == 0)
        return NULL;
    const unsigned char *at =
        element_at(targets, random_below(stream, (uint32_t)targets->count));
    return random_below(stream, 200) ? at : at + random_below(stream, 9);
}

// Numbers at random, and then memory for what they describe.
static void describe_at_random(struct random_stream *stream, enum kind kind,
                               struct described *described)
{
    struct description *description = &described->descriptions[kind];
    const bool has_pointers = random_below(stream, 4) == 0;
    uint32_t end = 1;
    *description = (struct description){
        .array.size = size_of(kind),
        .array.count = random_below(stream, 50) ? 4 + random_below(stream, 5)
                                                : random_below(stream, 4)};
    for (int m = 0; m < MEMBERS; m++) {
        const enum class class = classes[kind][m];
        struct nbstage_member *member = &description->members[m];
        const struct description *targets = find_targets(described, class);
        if (class == UNKNOWN)
            continue;
        member->type = any_type(stream, class, 8, targets);
        if (random_below(stream, 300) == 0)
            member->type = random_below(stream, 16);
        if ((kind > LINE_ARRAY || m > 1) && random_below(stream, 4) == 0)
            member->type = NBSTAGE_ABSENT;
    }
    const uint32_t placed = place_members(stream, description);
    end = placed > end ? placed : end;
    if (description->array.count > 0)
        described->memory[kind] =
            place_elements(stream, &description->array, end, has_pointers);
    for (size_t i = 0; i < description->array.count; i++) {
        unsigned char *element =
            (unsigned char *)(uintptr_t)element_at(&description->array, i);
        for (int m = 0; m < MEMBERS; m++) {
            const uint32_t type = description->members[m].type;
            unsigned char *at = element + description->members[m].offset;
            const struct description *targets =
                find_targets(described, classes[kind][m]);
            const void *address =
                targets ? any_address(stream, &targets->array) : NULL;
            if (type == NBSTAGE_POINTER)
                memcpy(at, &address, sizeof address);
            else if ((type == NBSTAGE_FLOAT || type == NBSTAGE_DOUBLE) &&
                     random_below(stream, 200))
                put_height(at, type, (int64_t)(any_word(stream) & 3) * UNIT);
            else
                put_bytes(at, any_word(stream), size_of_type(type));
        }
    }
    if (random_below(stream, 200) == 0)
        description->array.kind = 2; // others would be read elsewhere
    if (random_below(stream, 200) == 0)
        description->array.reserved = random_below(stream, 2);
    if (random_below(stream, 200) == 0)
        description->array.size -= random_below(stream, 60);
    point_to(&described->map, kind, description);
}

TEST(random_descriptions_fail_or_build)
{
    static const char *const options[] = {"prune=inert", "", "lists=lump",
                                          "prune=inert format=xbm1 grid=fit",
                                          "grid=id pack=nest"};
    const struct nbstage_descriptor *stage = plugin_stage();
    const uint32_t tries = getenv("LONG") ? 100000 : 4000 / SLOWNESS;
    struct random_stream stream = {seed};
    struct nbstage_instance *instances[COUNT(options)];
    uint32_t built = 0;
    for (size_t i = 0; i < COUNT(options); i++)
        instances[i] = plugin_create(options[i]);
    for (uint32_t n = 0; n < tries; n++) {
        struct nbstage_instance *instance = instances[n % COUNT(options)];
        struct described described = {
            .map = {.size = sizeof described.map, .name = "MAP01"}};
        if (random_below(&stream, 4) == 0) {
            described.lumps = room_make_lumps(
                &room_plain, (enum form)random_below(&stream, FORM_COUNT));
            described.map = lump_set_map(&described.lumps);
        }
        described.map.format = random_below(&stream, 100)
                                   ? random_below(&stream, NBSTAGE_FORMAT_UDMF)
                                   : random_below(&stream, 7);
        for (size_t i = 0; i < COUNT(order); i++)
            if (order[i] <= LINE_ARRAY || random_below(&stream, 2))
                describe_at_random(&stream, order[i], &described);
        const nbstage_status status = stage->build(instance, &described.map);
        const char *sentence = stage->last_error(instance);
        if ((status != NBSTAGE_OK && *sentence == '\0') ||
            (status != NBSTAGE_OK && status != NBSTAGE_BAD_CALL &&
             status != NBSTAGE_BAD_MAP && status != NBSTAGE_UNSUPPORTED &&
             status != NBSTAGE_OVER_LIMIT))
            abort_with("SEED=%" PRIu64 ", description %" PRIu32
                       ": status %d: %s",
                       seed, n, (int)status, sentence);
        built += status == NBSTAGE_OK;
        forget(&described);
    }
    printf("%" PRIu32 " descriptions, %" PRIu32 " built\n", tries, built);
    ck_assert_uint_gt(built, tries / 10);
    for (size_t i = 0; i < COUNT(options); i++)
        stage->destroy(instances[i]);
}

int main(void)
{
    seed = choose_seed();
    return run_tests(all_tests());
}
