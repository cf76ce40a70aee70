// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a host gets every map back as arrays: the room of pruned-room.h
// in every format, however its lumps are stored, as lumps and as arrays; and
// that damage takes no more away than what is damaged.  nbstage-check tests who
// owns what, and hosts of other versions.

#include "context-for-tests.h"
#include "pruned-room.h"

#include <stdlib.h>
#include <string.h>

enum {
    TAGGED = 2,            // a line
    NO_BLOCKMAP = 1 << 28, // of Doom 64
};

#define NO_ID UINT32_MAX // of a line in UDMF

static const uint32_t formats[] = {
    [FORM_DOOM] = NBSTAGE_FORMAT_DOOM,
    [FORM_HEXEN] = NBSTAGE_FORMAT_HEXEN,
    [FORM_DOOM64] = NBSTAGE_FORMAT_DOOM64,
    [FORM_UDMF] = NBSTAGE_FORMAT_UDMF,
};

// A room in which only lines 7 and 12 are inert; line 0 is an exit with all
// that its format has, line 2 asks to be left out where its format knows a way.
static struct room make_room(enum form form)
{
    bool has_args = form == FORM_HEXEN || form == FORM_UDMF;
    struct room room = room_plain;
    room.sectors[0] = (struct sector){-8, 128, 9, 3, 0};
    room.sectors[1] = (struct sector){16, 96, 0, 0, 0};
    room.lines[0].special = has_args ? 74 : 11;
    room.lines[0].tag = has_args ? 1 : 5;
    room.lines[0].id = form == FORM_UDMF ? 5 : 0;
    for (unsigned i = 0; i < 4; i++)
        room.more_args[i] = i < 3 ? i + 2 : 250;
    if (form == FORM_DOOM)
        room.lines[TAGGED].tag = 999;
    else if (form == FORM_DOOM64)
        room.lines[TAGGED].flags |= NO_BLOCKMAP;
    else if (form == FORM_HEXEN)
        room.lines[TAGGED].special = 108;
    if (form == FORM_HEXEN)
        room.lines[TAGGED].tag = 1;
    return room;
}

// ---------------------------------------------------------------------------
// A map, and its decoding

// A room as lumps, what these have to be decoded to, and an instance of
// test_host's.
struct subject {
    enum form form;
    struct room_arrays arrays;
    struct nbstage_map given; // the arrays
    struct lump_set set;
    struct nbstage_map map; // the lumps
    struct nbstage_instance *instance;
};

static struct nbstage_instance *create(const char *options)
{
    return plugin_create_for(&test_callbacks, options);
}

static void destroy(struct nbstage_instance *instance)
{
    plugin_stage()->destroy(instance);
}

// The maps point to the subject.
static void open_room(struct subject *subject, const struct room *room,
                      enum form form)
{
    bool has_args = form == FORM_HEXEN || form == FORM_UDMF;
    *subject = (struct subject){.form = form};
    subject->given = plugin_map_from_arrays("MAP01", NULL, 0, NULL, 0);
    room_make_arrays(room, has_args ? FORM_HEXEN_ARRAYS : FORM_DOOM_ARRAYS,
                     &subject->arrays, &subject->given);
    subject->given.format = formats[form];
    for (int i = 0; i < LINES && form == FORM_UDMF; i++) {
        struct nbstage_line *line = &subject->arrays.lines[i];
        line->flags = line->flags == TWO_SIDED ? NBSTAGE_LINE_TWO_SIDED
                                               : NBSTAGE_LINE_BLOCKING;
        line->tag = line->tag ? line->tag : NO_ID;
    }
    // What the macros of Doom 64 move is not known.
    for (int i = 0; i < SECTORS && form == FORM_DOOM64; i++)
        subject->arrays.sectors[i].flags = NBSTAGE_SECTOR_MOVES;
    subject->set = room_make_lumps(room, form);
    subject->map = lump_set_map(&subject->set);
    subject->instance = create("");
}

static void open_subject(struct subject *subject, enum form form)
{
    struct room room = make_room(form);
    open_room(subject, &room, form);
}

static void close_subject(struct subject *subject)
{
    destroy(subject->instance);
    lump_set_free(&subject->set);
}

static struct nbstage_decoded decode(struct nbstage_instance *instance,
                                     const struct nbstage_map *map)
{
    struct nbstage_decoded decoded = {.size = sizeof decoded};
    nbstage_status status = plugin_stage()->decode(instance, map, &decoded);
    ck_assert_msg(status == NBSTAGE_OK, "%s",
                  plugin_stage()->last_error(instance));
    ck_assert_uint_eq(decoded.size, sizeof decoded);
    ck_assert_uint_eq(decoded.vertex_stride, sizeof *decoded.vertices);
    ck_assert_uint_eq(decoded.line_size, sizeof *decoded.lines);
    ck_assert_uint_eq(decoded.sector_size, sizeof *decoded.sectors);
    return decoded;
}

static void assert_geometry(const struct nbstage_decoded *decoded,
                            const struct subject *subject)
{
    ck_assert_uint_eq(decoded->format, formats[subject->form]);
    ck_assert_uint_eq(decoded->vertex_count, VERTICES);
    ck_assert_mem_eq(decoded->vertices, subject->arrays.vertices,
                     sizeof subject->arrays.vertices);
    ck_assert_uint_eq(decoded->line_count, LINES);
    for (int i = 0; i < LINES; i++) {
        ck_assert_uint_eq(decoded->lines[i].v1, subject->arrays.lines[i].v1);
        ck_assert_uint_eq(decoded->lines[i].v2, subject->arrays.lines[i].v2);
    }
}

static void assert_same(const struct nbstage_decoded *decoded,
                        const struct subject *subject)
{
    assert_geometry(decoded, subject);
    for (int i = 0; i < LINES; i++)
        ck_assert_msg(memcmp(&decoded->lines[i], &subject->arrays.lines[i],
                             sizeof *subject->arrays.lines) == 0,
                      "line %d", i);
    ck_assert_uint_eq(decoded->sector_count, SECTORS);
    for (int i = 0; i < SECTORS; i++)
        ck_assert_msg(memcmp(&decoded->sectors[i], &subject->arrays.sectors[i],
                             sizeof *subject->arrays.sectors) == 0,
                      "sector %d", i);
}

static void assert_empty(const struct nbstage_decoded *decoded)
{
    const struct nbstage_decoded empty = {.size = sizeof empty};
    ck_assert_mem_eq(decoded, &empty, sizeof empty);
}

// ---------------------------------------------------------------------------
// Every form

// What is left out, with lumps and with the arrays that come of them.
static void expect_left_out(const struct subject *subject, const char *options,
                            bool tagged, bool inert)
{
    struct nbstage_instance *instance = create(options);
    struct nbstage_decoded decoded = decode(instance, &subject->map);
    struct nbstage_map given =
        plugin_map_from_decoded(&subject->given, &decoded);
    struct nbstage_decoded again = decode(instance, &given);
    assert_same(&again, subject);
    ck_assert(again.lines != decoded.lines);
    ck_assert((again.left_out != NULL) == (tagged || inert));
    ck_assert((decoded.left_out != NULL) == (tagged || inert));
    for (int i = 0; i < LINES && decoded.left_out; i++) {
        bool is_inert = INERT_BY_SECTOR >> i & 1;
        ck_assert_uint_eq(decoded.left_out[i],
                          i == TAGGED && tagged ? NBSTAGE_LEFT_OUT_TAGGED
                          : is_inert && inert   ? NBSTAGE_LEFT_OUT_INERT
                                                : NBSTAGE_LISTED);
        ck_assert_uint_eq(again.left_out[i], decoded.left_out[i]);
    }
    destroy(instance);
}

static void expect_own_memory(const struct subject *subject)
{
    test_host.message_count = 0;
    struct nbstage_decoded decoded = decode(subject->instance, &subject->map);
    assert_same(&decoded, subject);
    ck_assert(test_owns(&test_host, decoded.vertices,
                        VERTICES * sizeof *decoded.vertices));
    ck_assert(
        test_owns(&test_host, decoded.lines, LINES * sizeof *decoded.lines));
    ck_assert(test_owns(&test_host, decoded.sectors,
                        SECTORS * sizeof *decoded.sectors));
    ck_assert(!decoded.left_out ||
              test_owns(&test_host, decoded.left_out, LINES));
    ck_assert_uint_eq(test_host.message_count, 0);
    plugin_stage()->free_decoded(subject->instance, &decoded);
    assert_empty(&decoded);
}

enum { FORMATS = FORM_UDMF + 1 };

LOOP_TEST(every_format_is_decoded, FORMATS)
{
    struct subject subject;
    bool asks = _i != FORM_UDMF;
    bool may_be_inert = _i != FORM_DOOM64;
    open_subject(&subject, (enum form)_i);
    for (uint32_t kind = NBSTAGE_PLAIN; kind <= NBSTAGE_DEFLATE; kind++) {
        struct subject packed = subject;
        if (kind != NBSTAGE_PLAIN)
            packed.set = lump_set_compressed(&subject.set, kind);
        packed.map = lump_set_map(&packed.set);
        expect_own_memory(&packed);
        expect_left_out(&packed, "", asks, false);
        expect_left_out(&packed, "prune=inert", asks, may_be_inert);
        expect_left_out(&packed, "prune=inert lists=lump", asks, may_be_inert);
        expect_left_out(&packed, "prune=none", false, false);
        if (kind != NBSTAGE_PLAIN)
            lump_set_free(&packed.set);
    }
    close_subject(&subject);
}

// Lines and sectors among other members of the host's structures.
LOOP_TEST(arrays_may_be_the_hosts_own, FORMATS)
{
    struct own_line {
        struct nbstage_line line;
        uint32_t more[3];
    } lines[LINES];
    struct own_sector {
        struct nbstage_sector sector;
        uint32_t more;
    } sectors[SECTORS];
    struct subject subject;
    open_subject(&subject, (enum form)_i);
    memset(lines, 0x55, sizeof lines);
    memset(sectors, 0x55, sizeof sectors);
    for (int i = 0; i < LINES; i++)
        lines[i].line = subject.arrays.lines[i];
    for (int i = 0; i < SECTORS; i++)
        sectors[i].sector = subject.arrays.sectors[i];
    struct nbstage_map map = subject.given;
    map.lines = &lines->line;
    map.line_stride = map.line_size = sizeof *lines;
    map.sectors = &sectors->sector;
    map.sector_stride = map.sector_size = sizeof *sectors;
    struct nbstage_decoded decoded = decode(subject.instance, &map);
    assert_same(&decoded, &subject);
    ck_assert_uint_eq(test_host.message_count, 0);
    if (_i == FORM_DOOM) {
        map.format = NBSTAGE_FORMAT_DETECT; // which arrays cannot tell
        struct nbstage_decoded again = decode(subject.instance, &map);
        assert_same(&again, &subject);
    }
    close_subject(&subject);
}

LOOP_TEST(pairs_of_numbers_have_no_sides, FORMATS)
{
    struct subject subject;
    open_room(&subject, &room_plain, (enum form)_i);
    struct nbstage_line *lines = subject.arrays.lines;
    struct nbstage_map map = subject.given;
    uint32_t ends[LINES][2];
    for (int i = 0; i < LINES; i++) {
        ends[i][0] = lines[i].v1;
        ends[i][1] = lines[i].v2;
        lines[i] = (struct nbstage_line){.v1 = ends[i][0],
                                         .v2 = ends[i][1],
                                         .tag = _i == FORM_UDMF ? NO_ID : 0,
                                         .front_sector = NBSTAGE_NONE,
                                         .back_sector = NBSTAGE_NONE};
    }
    map.lines = (const void *)ends;
    map.line_stride = map.line_size = sizeof *ends;
    map.sectors = NULL;
    map.sector_count = 0;
    struct nbstage_decoded decoded = decode(subject.instance, &map);
    assert_geometry(&decoded, &subject);
    ck_assert_mem_eq(decoded.lines, lines, sizeof subject.arrays.lines);
    ck_assert_ptr_null(decoded.sectors);
    ck_assert_uint_eq(decoded.sector_count, 0);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_INFO);
    close_subject(&subject);
}

// ---------------------------------------------------------------------------
// UDMF

enum {
    BLOCKS = NBSTAGE_LINE_BLOCKING,
    OTHER = NBSTAGE_LINE_OTHER,
    SLOPED = NBSTAGE_SECTOR_SLOPED,
};

// What fields of linedef 7, sector 0 or vertex 0 change, with flags added: of
// the line, of its sectors.
static const struct {
    const char *name_space, *block, *fields;
    uint32_t line_flags, tag, sector_flags;
} texts[] = {
    {"Doom", "", "", 0, NO_ID, 0},
    {"heretic", "", "", 0, NO_ID, 0},
    {"HEXEN", "", "", 0, NO_ID, 0},
    {"dsda", "", "", 0, NO_ID, 0},
    {NULL, "linedef", "blockmonsters = true;", BLOCKS, NO_ID, 0},
    {NULL, "linedef", "BlockSight = true;", BLOCKS, NO_ID, 0},
    {NULL, "linedef", "blocking = false;", 0, NO_ID, 0},
    {NULL, "linedef", "block = true;", BLOCKS, NO_ID, 0},
    {NULL, "linedef", "bloc = true;", OTHER, NO_ID, 0},
    {NULL, "linedef", "playeruse = true;", OTHER, NO_ID, 0},
    {NULL, "linedef", "moreids = \"7\"; blockuse = true;", BLOCKS | OTHER,
     NO_ID, 0},
    {NULL, "linedef", "mapped = true; comment = \"yes\";", 0, NO_ID, 0},
    {NULL, "linedef", "id = 0x10;", 0, 16, 0},
    {NULL, "linedef", "id = 0;", 0, 0, 0},
    {NULL, "linedef", "id = -2;", 0, NO_ID - 1, 0},
    {NULL, "linedef", "id = 4294967295;", 0, 0, 0},
    {NULL, "linedef", "id = -2147483649;", 0, 0, 0},
    {NULL, "linedef", "id = -1; id = 7; id = -1;", 0, 7, 0},
    {NULL, "sector", "lightlevel = 160;", 0, NO_ID, 0},
    {NULL, "sector", "floorplane_a = 0.5;", 0, NO_ID, SLOPED},
    {NULL, "sector", "ceilingplane_d = 8;", 0, NO_ID, SLOPED},
    {NULL, "sector", "moreids = \"7 8\";", 0, NO_ID, NBSTAGE_SECTOR_MORE_TAGS},
    {NULL, "sector", "gravity = 0.5;", 0, NO_ID, NBSTAGE_SECTOR_OTHER},
    {NULL, "sector", "hidden = false;", 0, NO_ID, 0},
    {NULL, "vertex", "zfloor = 8.0;", 0, NO_ID, SLOPED}, // of all sectors
};

LOOP_TEST(text_is_decoded_field_by_field, COUNT(texts))
{
    struct subject subject;
    struct room room = make_room(FORM_UDMF);
    bool is_vertex = strcmp(texts[_i].block, "vertex") == 0;
    room.name_space = texts[_i].name_space;
    room.more.block = texts[_i].block;
    room.more.index = strcmp(texts[_i].block, "linedef") == 0 ? 7 : 0;
    room.more.fields = texts[_i].fields;
    open_room(&subject, &room, FORM_UDMF);
    struct room_arrays *expected = &subject.arrays;
    expected->lines[7].flags |= texts[_i].line_flags;
    expected->lines[7].tag = texts[_i].tag;
    for (int i = 0; i < (is_vertex ? SECTORS : 1); i++)
        expected->sectors[i].flags = texts[_i].sector_flags;
    struct nbstage_decoded decoded = decode(subject.instance, &subject.map);
    assert_same(&decoded, &subject);
    ck_assert_uint_eq(test_host.message_count, 0);
    close_subject(&subject);
}

// ---------------------------------------------------------------------------
// What arrays cannot tell

LOOP_TEST(things_and_scripts_may_move_all_sectors, 3)
{
    static const enum form forms[] = {FORM_DOOM, FORM_HEXEN, FORM_UDMF};
    struct subject subject;
    struct room room = make_room(forms[_i]);
    if (forms[_i] == FORM_DOOM)
        room.thing_type = 9502; // a slope
    else if (forms[_i] == FORM_HEXEN)
        room.thing_special = 21; // at death; a floor, tag 0
    else
        room.scripts = "SCRIPTS";
    open_room(&subject, &room, forms[_i]);
    struct nbstage_decoded decoded = decode(subject.instance, &subject.map);
    for (int i = 0; i < SECTORS; i++)
        subject.arrays.sectors[i].flags = NBSTAGE_SECTOR_MOVES;
    assert_same(&decoded, &subject);
    ck_assert_uint_eq(test_host.message_count, 0);
    close_subject(&subject);
}

// ---------------------------------------------------------------------------
// Damage

// Decodes a damaged map and expects one message about it, and no inert line.
static struct nbstage_decoded decode_damaged(const struct subject *subject,
                                             const struct nbstage_map *map,
                                             const char *told)
{
    test_host.message_count = 0;
    struct nbstage_decoded decoded = decode(subject->instance, map);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_INFO);
    assert_tells(test_host.message, "MAP01", told);
    ck_assert_str_eq(plugin_stage()->last_error(subject->instance), "");
    struct nbstage_instance *pruning = create("prune=inert");
    struct nbstage_decoded pruned = decode(pruning, map);
    for (size_t i = 0; i < pruned.line_count && pruned.left_out; i++)
        ck_assert_int_ne(pruned.left_out[i], NBSTAGE_LEFT_OUT_INERT);
    destroy(pruning);
    return decoded;
}

// The flags of sectors where not all sides and sectors are known.
enum { IN_DOUBT = NBSTAGE_SECTOR_MOVES | NBSTAGE_SECTOR_IN_DOUBT };

static void expect_rest(const struct subject *subject, const char *name)
{
    struct nbstage_decoded decoded =
        decode_damaged(subject, &subject->map, name);
    bool has_sides = strcmp(name, "THINGS") == 0;
    assert_geometry(&decoded, subject);
    ck_assert_uint_eq(decoded.sector_count, has_sides ? SECTORS : 0);
    for (int i = 0; i < LINES; i++) {
        struct nbstage_line line = subject->arrays.lines[i];
        if (!has_sides)
            line.front_sector = line.back_sector = NBSTAGE_NONE;
        ck_assert_mem_eq(&decoded.lines[i], &line, sizeof line);
    }
    for (size_t i = 0; i < decoded.sector_count; i++)
        ck_assert_uint_eq(decoded.sectors[i].flags, IN_DOUBT);
}

// Without its last byte, without any, and not there.
LOOP_TEST(damaged_lumps_leave_the_rest, FORM_UDMF)
{
    static const char *const names[] = {"SIDEDEFS", "SECTORS", "THINGS"};
    for (size_t n = 0; n < COUNT(names); n++) {
        struct subject subject;
        if (_i == FORM_DOOM64 && strcmp(names[n], "THINGS") == 0)
            continue; // they are not read
        open_subject(&subject, (enum form)_i);
        struct nbstage_lump *lump =
            (struct nbstage_lump *)lump_set_find(&subject.set, names[n]);
        lump->data_size--;
        expect_rest(&subject, names[n]);
        lump->data_size = 0;
        expect_rest(&subject, names[n]);
        lump_set_remove(&subject.set, names[n]);
        expect_rest(&subject, names[n]);
        close_subject(&subject);
    }
}

// The last side, which is the back of line 12, is not there; or sides refer to
// sectors that are not.
LOOP_TEST(one_bad_side_takes_no_other_away, FORM_UDMF)
{
    size_t size = _i == FORM_DOOM64 ? 12 : 30;
    struct subject subject;
    open_subject(&subject, (enum form)_i);
    struct nbstage_line *expected = subject.arrays.lines;
    for (int i = 0; i < SECTORS; i++)
        subject.arrays.sectors[i].flags = IN_DOUBT;
    struct nbstage_lump *sides =
        (struct nbstage_lump *)lump_set_find(&subject.set, "SIDEDEFS");
    sides->data_size -= size;
    expected[12].back_sector = NBSTAGE_NONE;
    struct nbstage_decoded decoded =
        decode_damaged(&subject, &subject.map, "sidedef 25");
    assert_same(&decoded, &subject);
    sides->data_size += size;

    expected[12].back_sector = 2;
    unsigned char *bytes = (unsigned char *)(uintptr_t)sides->data;
    bytes[2 * size * 3 + size - 2] = SECTORS; // the front of line 3
    bytes[2 * size * 6 + size - 1] = 1;       // and that of line 6
    expected[3].front_sector = expected[6].front_sector = NBSTAGE_NONE;
    decoded = decode_damaged(&subject, &subject.map, "sidedef 6");
    assert_same(&decoded, &subject);
    close_subject(&subject);
}

TEST(bad_sectors_in_arrays_take_no_others_away)
{
    struct subject subject;
    open_subject(&subject, FORM_DOOM);
    struct room_arrays *arrays = &subject.arrays;
    struct nbstage_map map = subject.given;
    arrays->lines[6].back_sector = SECTORS;
    struct nbstage_decoded decoded = decode_damaged(&subject, &map, "sector 3");
    assert_tells(test_host.message, "line 6");
    arrays->lines[6].back_sector = NBSTAGE_NONE;
    for (int i = 0; i < SECTORS; i++)
        arrays->sectors[i].flags = IN_DOUBT;
    assert_same(&decoded, &subject);
    close_subject(&subject);
}

// What the text ends with, in which all is as it should be.
TEST(damaged_text_leaves_the_rest)
{
    static const struct {
        const char *text;
        size_t line_count;
    } cases[] = {
        {"sidedef { sector { } }", LINES},
        {"sector { heightfloor = 1 }", LINES},
        {"linedef { v1 = 0; v2 = 1; sidefront = 99; }", LINES + 1},
        {"linedef { v1 = 0; v2 = 1; sidefront = 26; }"
         "sidedef { sector = 3; }",
         LINES + 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct subject subject;
        struct room room = make_room(FORM_UDMF);
        room.text_end = cases[i].text;
        open_room(&subject, &room, FORM_UDMF);
        struct nbstage_decoded decoded =
            decode_damaged(&subject, &subject.map, "TEXTMAP");
        ck_assert_uint_eq(decoded.line_count, cases[i].line_count);
        ck_assert_mem_eq(decoded.lines, subject.arrays.lines,
                         sizeof subject.arrays.lines);
        for (size_t l = LINES; l < decoded.line_count; l++) {
            ck_assert_uint_eq(decoded.lines[l].front_sector, NBSTAGE_NONE);
            ck_assert_uint_eq(decoded.lines[l].back_sector, NBSTAGE_NONE);
        }
        close_subject(&subject);
    }
}

static void assert_fails(const struct nbstage_map *map, nbstage_status expected,
                         const char *told)
{
    struct nbstage_instance *instance = create("");
    struct nbstage_decoded decoded = {.size = sizeof decoded, .line_count = 7};
    ck_assert_int_eq(plugin_stage()->decode(instance, map, &decoded), expected);
    assert_empty(&decoded);
    assert_tells(plugin_stage()->last_error(instance), told);
    plugin_stage()->free_decoded(instance, &decoded);
    assert_empty(&decoded);
    destroy(instance);
}

TEST(damaged_geometry_is_an_error)
{
    struct room room = make_room(FORM_DOOM);
    room.lines[4].v2 = VERTICES;
    struct lump_set set = room_make_lumps(&room, FORM_DOOM);
    struct nbstage_map map = lump_set_map(&set);
    assert_fails(&map, NBSTAGE_BAD_MAP, "linedef 4");
    lump_set_remove(&set, "VERTEXES");
    assert_fails(&map, NBSTAGE_BAD_MAP, "VERTEXES");
    map.format = 99;
    assert_fails(&map, NBSTAGE_UNSUPPORTED, "99");
    lump_set_free(&set);
}

// ---------------------------------------------------------------------------
// Vertices that a node builder added

static void add_nodes(struct lump_set *set)
{
    struct buffer nodes = {0};
    buffer_print(&nodes, "XNOD");
    buffer_put_u32(&nodes, VERTICES);
    buffer_put_u32(&nodes, 2);
    for (uint32_t i = 0; i < 4; i++)
        buffer_put_u32(&nodes, i * UNIT + 0x8000);
    for (int i = 0; i < 3; i++)
        buffer_put_u32(&nodes, 0); // no subsectors, segs, nodes
    lump_set_add(set, "NODES", nodes);
}

TEST(added_vertices_follow_the_maps_own)
{
    struct subject subject;
    open_subject(&subject, FORM_DOOM);
    add_nodes(&subject.set);
    struct nbstage_map map = lump_set_map(&subject.set);
    const struct nbstage_lump *linedefs =
        lump_set_find(&subject.set, "LINEDEFS");
    ((unsigned char *)(uintptr_t)linedefs->data)[7 * 14 + 2] = VERTICES + 1;
    struct room_arrays *expected = &subject.arrays;
    expected->lines[7].v2 = VERTICES + 1;
    struct nbstage_instance *instance = subject.instance;
    struct nbstage_decoded decoded = decode(instance, &map);
    ck_assert_uint_eq(decoded.vertex_count, VERTICES + 2);
    ck_assert_mem_eq(decoded.vertices, expected->vertices,
                     sizeof expected->vertices);
    ck_assert_int_eq(decoded.vertices[VERTICES].x, 0x8000);
    ck_assert_int_eq(decoded.vertices[VERTICES + 1].x, 2 * UNIT + 0x8000);
    ck_assert_int_eq(decoded.vertices[VERTICES + 1].y, 3 * UNIT + 0x8000);
    ck_assert_mem_eq(decoded.lines, expected->lines, sizeof expected->lines);

    // Given back, they are the map's own, which its nodes do not fit.
    struct nbstage_map arrays = plugin_map_from_decoded(&map, &decoded);
    struct plugin_lump from_lumps = plugin_build(&map, "prune=none");
    struct plugin_lump from_arrays = plugin_build(&arrays, "prune=none");
    plugin_check_same("the map's arrays", &from_arrays, &from_lumps);
    plugin_free(&from_lumps);
    plugin_free(&from_arrays);
    plugin_check_failure(NULL, &arrays, "check-nodes=yes", NBSTAGE_BAD_MAP,
                         "NODES", "but the map has");
    close_subject(&subject);
}

int main(void)
{
    return run_tests(all_tests());
}
