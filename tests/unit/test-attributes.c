// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that what lines and sectors are like is read right: the room of
// pruned-room.h in every format, however its lumps are stored, and as arrays of
// the host's own structures; and that damage takes no more away than what is
// damaged.  What things and scripts move is in test-prune.

#include "context-for-tests.h"
#include "map/attributes.h"
#include "pruned-room.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define NO_ID UINT32_MAX // of a line in UDMF

static const uint32_t formats[] = {
    [FORM_DOOM] = NBSTAGE_FORMAT_DOOM,
    [FORM_HEXEN] = NBSTAGE_FORMAT_HEXEN,
    [FORM_DOOM64] = NBSTAGE_FORMAT_DOOM64,
    [FORM_UDMF] = NBSTAGE_FORMAT_UDMF,
};
enum { FORMATS = COUNT(formats), ANY_SECTORS = -1 };

// A room as lumps and as arrays, and what is to be read of either.
static struct room_arrays expected;
static struct lump_set set;
static struct nbstage_map arrays;

static void open_room(const struct room *room, enum form form)
{
    const bool has_args = form == FORM_HEXEN || form == FORM_UDMF;
    arrays = nbstage_new_map("MAP01", NBSTAGE_FORMAT_DETECT);
    room_make_arrays(room, has_args ? FORM_HEXEN_ARRAYS : FORM_DOOM_ARRAYS,
                     &expected, &arrays);
    arrays.format = formats[form];
    for (int i = 0; i < LINES && form == FORM_UDMF; i++) {
        struct plain_line *line = &expected.lines[i];
        line->flags = line->flags == TWO_SIDED ? NBSTAGE_LINE_TWO_SIDED
                                               : NBSTAGE_LINE_BLOCKING;
        line->tag = line->tag ? line->tag : NO_ID;
    }
    set = room_make_lumps(room, form);
}

// A room whose line 0 is an exit with all that its format has.
static struct room make_room(enum form form)
{
    const bool has_args = form == FORM_HEXEN || form == FORM_UDMF;
    struct room room = room_plain;
    room.sectors[0] = (struct sector){-8, 128, 9, 3, 0, "A", "f_sky1"};
    room.sectors[1] = (struct sector){16, 96, 0, 0, 0, "FLAT_8CH", ""};
    room.lines[0].special = has_args ? 74 : 11;
    room.lines[0].tag = has_args ? 1 : 5;
    room.lines[0].id = form == FORM_UDMF ? 5 : 0;
    for (unsigned i = 0; i < 4; i++)
        room.more_args[i] = i < 3 ? i + 2 : 250;
    return room;
}

static void open_format(int form)
{
    const struct room room = make_room((enum form)form);
    open_room(&room, (enum form)form);
}

// A flat is its name in upper case, and not known without names.
static void check_flat(struct map_flat flat, const char name[8], bool has_names)
{
    for (int i = 0; i < 8 && has_names; i++)
        ck_assert_int_eq(flat.bytes[i], toupper(name[i]));
    ck_assert(flat_may_be_sky(flat) ==
              (!has_names || strncasecmp(name, "F_SKY", 5) == 0));
}

// Reads a map, of which so many sectors are to be known; `told` is in the one
// message about what is damaged, or NULL where nothing is.  A line more than
// the room has shows no sectors.
static void check(const struct nbstage_map *given, int sectors,
                  const char *told)
{
    struct map map;
    struct attributes found;
    bool are_complete;
    test_host.message_count = 0;
    ck_assert_int_eq(map_read(&test_context, given, true, &map), NBSTAGE_OK);
    ck_assert_int_eq(attributes_read(&test_context, &map, NBSTAGE_LOG_INFO,
                                     "so much is lost", &found, &are_complete),
                     NBSTAGE_OK);
    ck_assert(are_complete == !told);
    ck_assert_uint_eq(test_host.message_count, told != NULL);
    if (told)
        assert_tells(test_host.message, "MAP01", told, "so much is lost");
    ck_assert_uint_eq(found.format, given->format ? given->format : map.format);
    ck_assert_uint_ge(found.line_count, LINES);
    for (size_t i = 0; i < found.line_count; i++) {
        struct plain_line plain = expected.lines[i < LINES ? i : 0];
        struct map_line line;
        memcpy(&line, &plain.flags, sizeof line);
        if (i >= LINES)
            line = found.lines[i];
        if (i >= LINES || sectors == 0)
            line.front_sector = line.back_sector = NBSTAGE_NONE;
        ck_assert_msg(memcmp(&found.lines[i], &line, sizeof line) == 0,
                      "line %zu", i);
    }
    if (sectors != ANY_SECTORS)
        ck_assert_int_eq((int)found.sector_count, sectors);
    for (int i = 0; i < SECTORS && sectors == SECTORS; i++) {
        const struct plain_sector *plain = &expected.sectors[i];
        const bool has_names =
            given->sectors || found.format != NBSTAGE_FORMAT_DOOM64;
        ck_assert_mem_eq(&found.sectors[i], plain,
                         offsetof(struct plain_sector, floor_flat));
        check_flat(found.sectors[i].floor_flat, plain->floor_flat, has_names);
        check_flat(found.sectors[i].ceiling_flat, plain->ceiling_flat,
                   has_names);
    }
    attributes_free(&test_context, &found);
    map_free(&test_context, &map);
}

static void check_lumps(int sectors, const char *told)
{
    const struct nbstage_map map = lump_set_map(&set);
    check(&map, sectors, told);
}

// --- Every form ---

LOOP_TEST(every_format_is_read, FORMATS)
{
    open_format(_i);
    check_lumps(SECTORS, NULL);
    for (uint32_t kind = NBSTAGE_ZLIB; kind <= NBSTAGE_DEFLATE; kind++) {
        struct lump_set packed = lump_set_compressed(&set, kind);
        const struct nbstage_map map = lump_set_map(&packed);
        check(&map, SECTORS, NULL);
        lump_set_free(&packed);
    }
    lump_set_free(&set);
}

// Lines and sectors among other members of the host's structures, and without
// sides and sectors.
LOOP_TEST(arrays_may_be_the_hosts_own, FORMATS)
{
    struct {
        struct plain_line line;
        uint32_t more[3];
    } lines[LINES];
    struct {
        struct plain_sector sector;
        uint32_t more;
    } sectors[SECTORS];
    open_format(_i);
    lump_set_free(&set);
    memset(lines, 0x55, sizeof lines);
    memset(sectors, 0x55, sizeof sectors);
    for (int i = 0; i < LINES; i++)
        lines[i].line = expected.lines[i];
    for (int i = 0; i < SECTORS; i++)
        sectors[i].sector = expected.sectors[i];
    const struct nbstage_lump behavior = {.size = sizeof behavior,
                                          .name = "BEHAVIOR"};
    arrays.lumps = &behavior;
    arrays.lump_count = _i == FORM_HEXEN;
    expected.all_lines.array.data = lines;
    expected.all_lines.array.stride = sizeof *lines;
    expected.all_sectors.array.data = sectors;
    expected.all_sectors.array.stride = sizeof *sectors;
    check(&arrays, SECTORS, NULL);
    expected.all_lines.front_sector.type = NBSTAGE_ABSENT;
    expected.all_lines.back_sector.type = NBSTAGE_ABSENT;
    check(&arrays, 0, "sector");
}

// --- UDMF ---

enum {
    BLOCKS = NBSTAGE_LINE_BLOCKING,
    OTHER = NBSTAGE_LINE_OTHER,
    SLOPED = NBSTAGE_SECTOR_SLOPED,
};

// What fields of linedef 7, sector 0 or vertex 0 change, with flags added: of
// the line, of its sectors.
static const struct {
    const char *block, *fields;
    uint32_t line_flags, tag, sector_flags;
} texts[] = {
    {"linedef", "blockmonsters = true;", BLOCKS, NO_ID, 0},
    {"linedef", "BlockSight = true;", BLOCKS, NO_ID, 0},
    {"linedef", "blocking = false;", 0, NO_ID, 0},
    {"linedef", "block = true;", BLOCKS, NO_ID, 0},
    {"linedef", "bloc = true;", OTHER, NO_ID, 0},
    {"linedef", "moreids = \"7\"; blockuse = true;", BLOCKS | OTHER, NO_ID, 0},
    {"linedef", "mapped = true; comment = \"yes\"; secret = true;", 0, NO_ID,
     0},
    {"linedef", "dontpegtop = true; dontpegbottom = true; dontdraw = true;", 0,
     NO_ID, 0},
    {"linedef", "jumpover = false; playeruse = false;", 0, NO_ID, 0},
    {"linedef", "midtex3d = true;", OTHER, NO_ID, 0},
    {"linedef", "locknumber = 1;", OTHER, NO_ID, 0},
    {"linedef", "arg0str = \"x\";", OTHER, NO_ID, 0},
    {"linedef", "user_something = true;", OTHER, NO_ID, 0},
    {"linedef", "blocking = \"false\";", BLOCKS, NO_ID, 0},
    {"linedef", "id = 1.5;", 0, 0, 0},
    {"linedef", "id = 0x10;", 0, 16, 0},
    {"linedef", "id = -2;", 0, NO_ID - 1, 0},
    {"linedef", "id = 4294967295;", 0, 0, 0},
    {"linedef", "id = -2147483649;", 0, 0, 0},
    {"linedef", "id = -1; id = 7; id = -1;", 0, 7, 0},
    {"sector", "lightlevel = 160; lightfloor = 5; lightceiling = 5;", 0, NO_ID,
     0},
    {"sector", "xpanningfloor = 1.5; ypanningfloor = 1; comment = \"\";", 0,
     NO_ID, 0},
    {"sector", "xpanningceiling = 1; ypanningceiling = 1; hidden = false;", 0,
     NO_ID, 0},
    {"sector", "ceilingplane_d = 0;", 0, NO_ID, SLOPED},
    {"sector", "user_x = 7;", 0, NO_ID, NBSTAGE_SECTOR_OTHER},
    {"sector", "damageamount = 5;", 0, NO_ID, NBSTAGE_SECTOR_OTHER},
    {"sector", "floorplane_a = 0.5;", 0, NO_ID, SLOPED},
    {"sector", "moreids = \"7 8\";", 0, NO_ID, NBSTAGE_SECTOR_MORE_TAGS},
    {"sector", "gravity = 0.5;", 0, NO_ID, NBSTAGE_SECTOR_OTHER},
    {"vertex", "zfloor = 8.0;", 0, NO_ID, SLOPED}, // of all sectors
    {"vertex", "zceiling = 8.5;", 0, NO_ID, SLOPED},
};

LOOP_TEST(text_is_read_field_by_field, COUNT(texts))
{
    struct room room = make_room(FORM_UDMF);
    const bool is_line = *texts[_i].block == 'l';
    const bool is_vertex = *texts[_i].block == 'v';
    room.more.block = texts[_i].block;
    room.more.index = is_line ? 7 : 0;
    room.more.fields = texts[_i].fields;
    open_room(&room, FORM_UDMF);
    expected.lines[7].flags |= texts[_i].line_flags;
    expected.lines[7].tag = texts[_i].tag;
    for (int i = 0; i < (is_vertex ? SECTORS : 1); i++)
        expected.sectors[i].flags = texts[_i].sector_flags;
    check_lumps(SECTORS, NULL);
    lump_set_free(&set);
}

// --- Damage ---

// Without its last byte, without any, and not there.
LOOP_TEST(damaged_lumps_leave_the_rest, FORM_UDMF)
{
    static const char *const names[] = {"SIDEDEFS", "SECTORS", "THINGS"};
    // The things of Doom 64 are not read.
    for (size_t n = 0; n < (_i == FORM_DOOM64 ? 2 : COUNT(names)); n++) {
        const int sectors = n < 2 ? 0 : SECTORS;
        open_format(_i);
        struct nbstage_lump *lump =
            (struct nbstage_lump *)lump_set_find(&set, names[n]);
        lump->data_size--;
        check_lumps(sectors, names[n]);
        lump->data_size = 0;
        check_lumps(sectors, names[n]);
        lump->name = "REMOVED";
        check_lumps(sectors, names[n]);
        lump_set_free(&set);
    }
}

// The last side, which is the back of line 12, is not there; or sides refer to
// sectors that are not.
LOOP_TEST(one_bad_side_takes_no_other_away, FORM_UDMF)
{
    const size_t size = _i == FORM_DOOM64 ? 12 : 30;
    open_format(_i);
    struct nbstage_lump *sides =
        (struct nbstage_lump *)lump_set_find(&set, "SIDEDEFS");
    unsigned char *bytes = (unsigned char *)(uintptr_t)sides->data;
    sides->data_size -= size;
    expected.lines[12].back_sector = NBSTAGE_NONE;
    check_lumps(SECTORS, "sidedef 25");
    sides->data_size += size;
    expected.lines[12].back_sector = 2;
    bytes[2 * size * 3 + size - 2] = SECTORS; // the front of line 3
    bytes[2 * size * 6 + size - 1] = 1;       // and that of line 6
    expected.lines[3].front_sector = expected.lines[6].front_sector =
        NBSTAGE_NONE;
    check_lumps(SECTORS, "sidedef 6");
    lump_set_free(&set);
}

TEST(bad_sectors_in_arrays_take_no_others_away)
{
    struct plain_line lines[LINES];
    open_format(FORM_DOOM);
    lump_set_free(&set);
    memcpy(lines, expected.lines, sizeof lines);
    expected.all_lines.array.data = lines;
    lines[6].back_sector = SECTORS;
    expected.lines[6].back_sector = NBSTAGE_NONE;
    check(&arrays, SECTORS, "line 6 refers to sector 3");
}

// What the text ends with, in which all else is as it should be.
TEST(damaged_text_leaves_the_rest)
{
    static const char *const ends[] = {
        "sidedef { sector { } }", "sector { heightfloor = 1 }",
        "linedef { v1 = 0; v2 = 1; sidefront = 99; }",
        "linedef { v1 = 0; v2 = 1; sidefront = 26; } sidedef { sector = 3; }"};
    for (size_t i = 0; i < COUNT(ends); i++) {
        struct room room = make_room(FORM_UDMF);
        room.text_end = ends[i];
        open_room(&room, FORM_UDMF);
        check_lumps(ANY_SECTORS, "TEXTMAP");
        lump_set_free(&set);
    }
}
