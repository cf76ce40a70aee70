// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that a host gets every map back as arrays: a map of eight lines in
// every format, however its lumps are stored, as lumps and as arrays; that
// damage takes no more away than what is damaged; that the arrays of
// Freedoom's maps, given back, make the very lump that their lumps make; and
// who owns what, in whose memory, with hosts of other versions.
//
//     +-------+-------+     Sectors 0 and 1, parted by line 6.  Line 7 has
//     |   |   6       |     sector 0 on both sides, and nothing can collide
//     |   7   |       |     with it.  Line 2, above sector 1, asks to be left
//     |   |   |       |     out where its format knows a way.
//     +-------+-------+

#include "context-for-tests.h"
#include "freedoom.h"
#include "lump-set.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    VERTICES = 8,
    LINES = 8,
    SECTORS = 2,
    TAGGED = 2, // lines
    INERT = 7,
    NO_SIDE = 0xFFFF,
    TWO_SIDED = 4, // flags of the binary formats
    BLOCKING = 1,
    NO_BLOCKMAP = 1 << 28, // of Doom 64
};

#define NO_ID UINT32_MAX // of a line in UDMF

enum form { DOOM, HEXEN, DOOM64, UDMF, FORM_COUNT };

static const uint32_t formats[FORM_COUNT] = {
    NBSTAGE_FORMAT_DOOM, NBSTAGE_FORMAT_HEXEN, NBSTAGE_FORMAT_DOOM64,
    NBSTAGE_FORMAT_UDMF};

// The map as it has to be decoded.
struct sample {
    enum form form;
    struct nbstage_vertex vertices[VERTICES];
    struct nbstage_line lines[LINES];
    struct nbstage_sector sectors[SECTORS];
};

static void make_tagged(enum form form, struct nbstage_line *line)
{
    if (form == DOOM)
        line->tag = 999;
    else if (form == DOOM64)
        line->flags |= NO_BLOCKMAP;
    else if (form == HEXEN)
        line->special = 108;
    if (form == HEXEN)
        line->args[0] = 1;
}

// An exit, with all that its format has.
static void make_special(enum form form, struct nbstage_line *line)
{
    static const int32_t args[] = {1, 2, 3, 4, 250};
    bool has_args = form == HEXEN || form == UDMF;
    line->special = has_args ? 74 : 11;
    line->tag = form == HEXEN ? 0 : 5;
    if (has_args)
        memcpy(line->args, args, sizeof args);
}

static struct sample make_sample(enum form form)
{
    static const int places[VERTICES][2] = {{0, 0},     {0, 256}, {256, 256},
                                            {512, 256}, {512, 0}, {256, 0},
                                            {64, 64},   {64, 192}};
    static const uint32_t ends[LINES][4] = {{0, 1, 0, NBSTAGE_NONE},
                                            {1, 2, 0, NBSTAGE_NONE},
                                            {2, 3, 1, NBSTAGE_NONE},
                                            {3, 4, 1, NBSTAGE_NONE},
                                            {4, 5, 1, NBSTAGE_NONE},
                                            {5, 0, 0, NBSTAGE_NONE},
                                            {5, 2, 1, 0},
                                            {6, 7, 0, 0}};
    struct sample sample = {.form = form};
    for (int i = 0; i < VERTICES; i++)
        sample.vertices[i] =
            (struct nbstage_vertex){places[i][0] * UNIT, places[i][1] * UNIT};
    for (int i = 0; i < LINES; i++) {
        bool two_sided = ends[i][3] != NBSTAGE_NONE;
        sample.lines[i] = (struct nbstage_line){
            .v1 = ends[i][0],
            .v2 = ends[i][1],
            .flags = form == UDMF ? (two_sided ? NBSTAGE_LINE_TWO_SIDED
                                               : NBSTAGE_LINE_BLOCKING)
                                  : (two_sided ? TWO_SIDED : BLOCKING),
            .tag = form == UDMF ? NO_ID : 0,
            .front_sector = ends[i][2],
            .back_sector = ends[i][3],
        };
    }
    make_special(form, &sample.lines[0]);
    make_tagged(form, &sample.lines[TAGGED]);
    sample.sectors[0] = (struct nbstage_sector){-8 * UNIT, 128 * UNIT, 9, 3, 0};
    sample.sectors[1] = (struct nbstage_sector){16 * UNIT, 96 * UNIT, 0, 0, 0};
    // What the macros of Doom 64 move is not known.
    for (int i = 0; i < SECTORS && form == DOOM64; i++)
        sample.sectors[i].flags = NBSTAGE_SECTOR_MOVES;
    return sample;
}

// ---------------------------------------------------------------------------
// The map as lumps

static void put_zeros(struct buffer *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        buffer_put_u8(bytes, 0);
}

// The front of line i is side 2 i, its back 2 i + 1.
static void put_linedef(const struct nbstage_line *line, unsigned i,
                        enum form form, struct buffer *bytes)
{
    buffer_put_u16(bytes, line->v1);
    buffer_put_u16(bytes, line->v2);
    if (form == DOOM64)
        buffer_put_u32(bytes, line->flags);
    else
        buffer_put_u16(bytes, line->flags);
    if (form == HEXEN) {
        buffer_put_u8(bytes, line->special);
        for (int a = 0; a < 5; a++)
            buffer_put_u8(bytes, (unsigned)line->args[a]);
    } else {
        buffer_put_u16(bytes, line->special);
        buffer_put_u16(bytes, line->tag);
    }
    buffer_put_u16(bytes, 2 * i);
    buffer_put_u16(bytes,
                   line->back_sector == NBSTAGE_NONE ? NO_SIDE : 2 * i + 1);
}

static void put_side(uint32_t sector, enum form form, struct buffer *bytes)
{
    put_zeros(bytes, form == DOOM64 ? 10 : 28);
    buffer_put_u16(bytes, sector == NBSTAGE_NONE ? 0 : sector);
}

static void put_sector(const struct nbstage_sector *sector, enum form form,
                       struct buffer *bytes)
{
    buffer_put_u16(bytes, (unsigned)(sector->floor / UNIT));
    buffer_put_u16(bytes, (unsigned)(sector->ceiling / UNIT));
    put_zeros(bytes, form == DOOM64 ? 14 : 18);
    buffer_put_u16(bytes, sector->special);
    buffer_put_u16(bytes, sector->tag);
    put_zeros(bytes, form == DOOM64 ? 2 : 0);
}

static void add_binary(const struct sample *sample, struct lump_set *set)
{
    static const unsigned char no_script[16] = {'A', 'C', 'S', 0, 8};
    enum form form = sample->form;
    struct buffer linedefs = {0}, vertexes = {0}, sides = {0}, sectors = {0};
    struct buffer things = {0};
    for (unsigned i = 0; i < LINES; i++) {
        put_linedef(&sample->lines[i], i, form, &linedefs);
        put_side(sample->lines[i].front_sector, form, &sides);
        put_side(sample->lines[i].back_sector, form, &sides);
    }
    for (int i = 0; i < VERTICES; i++)
        for (int axis = 0; axis < 2; axis++) {
            const struct nbstage_vertex *vertex = &sample->vertices[i];
            int32_t at = axis ? vertex->y : vertex->x;
            if (form == DOOM64)
                buffer_put_u32(&vertexes, (uint32_t)at);
            else
                buffer_put_u16(&vertexes, (unsigned)(at / UNIT));
        }
    for (int i = 0; i < SECTORS; i++)
        put_sector(&sample->sectors[i], form, &sectors);
    put_zeros(&things, form == HEXEN ? 20 : form == DOOM64 ? 14 : 10);
    lump_set_add(set, "LINEDEFS", linedefs);
    lump_set_add(set, "VERTEXES", vertexes);
    lump_set_add(set, "SIDEDEFS", sides);
    lump_set_add(set, "SECTORS", sectors);
    lump_set_add(set, "THINGS", things);
    if (form == HEXEN)
        lump_set_view(set, "BEHAVIOR", no_script, sizeof no_script);
    if (form == DOOM64)
        lump_set_view(set, "MACROS", NULL, 0);
}

// What else a text has: its namespace, and fields of line 7, sector 0, vertex
// 0.
struct extras {
    const char *name, *line, *sector, *vertex;
};

static void print_line(const struct nbstage_line *line, int i,
                       const char *fields, struct buffer *text)
{
    buffer_print(text, "linedef { v1 = %d; v2 = %d; sidefront = %d; ",
                 (int)line->v1, (int)line->v2, 2 * i);
    if (line->back_sector != NBSTAGE_NONE)
        buffer_print(text, "sideback = %d; ", 2 * i + 1);
    buffer_print(text, "twosided = %s; ",
                 line->flags & NBSTAGE_LINE_TWO_SIDED ? "true" : "false");
    if (line->flags & NBSTAGE_LINE_BLOCKING)
        buffer_print(text, "blocking = true; ");
    if (line->special)
        buffer_print(text, "special = %d; id = %d; ", (int)line->special,
                     (int)line->tag);
    for (int a = 0; a < 5 && line->special; a++)
        buffer_print(text, "arg%d = %d; ", a, (int)line->args[a]);
    buffer_print(text, "%s }\n", fields);
}

static void print_sides(const struct sample *sample, struct buffer *text)
{
    for (int i = 0; i < 2 * LINES; i++) {
        const struct nbstage_line *line = &sample->lines[i / 2];
        uint32_t sector = i % 2 ? line->back_sector : line->front_sector;
        buffer_print(text, "sidedef { offsetx = 4; sector = %d; }\n",
                     sector == NBSTAGE_NONE ? 0 : (int)sector);
    }
}

static struct buffer print_map(const struct sample *sample,
                               const struct extras *extras)
{
    struct buffer text = {0};
    buffer_print(&text, "namespace = \"%s\";\n", extras->name);
    for (int i = 0; i < VERTICES; i++)
        buffer_print(&text, "vertex { x = %d; y = %d; %s }\n",
                     (int)sample->vertices[i].x / UNIT,
                     (int)sample->vertices[i].y / UNIT,
                     i == 0 ? extras->vertex : "");
    for (int i = 0; i < LINES; i++)
        print_line(&sample->lines[i], i, i == INERT ? extras->line : "", &text);
    print_sides(sample, &text);
    for (int i = 0; i < SECTORS; i++)
        buffer_print(&text,
                     "sector { heightfloor = %d; heightceiling = %d; "
                     "special = %d; id = %d; %s }\n",
                     (int)sample->sectors[i].floor / UNIT,
                     (int)sample->sectors[i].ceiling / UNIT,
                     (int)sample->sectors[i].special,
                     (int)sample->sectors[i].tag, i == 0 ? extras->sector : "");
    buffer_print(&text, "thing { x = 8; type = 1; }\n");
    buffer_print(&text, "version = 1;\nunknown { type = 1; }\n");
    return text;
}

static const struct extras no_extras = {"ZDoom", "", "", ""};

static struct lump_set make_lumps(const struct sample *sample)
{
    struct lump_set set = {.map_name = "MAP01"};
    if (sample->form == UDMF)
        lump_set_add(&set, "TEXTMAP", print_map(sample, &no_extras));
    else
        add_binary(sample, &set);
    return set;
}

// ---------------------------------------------------------------------------
// Decoding, and what is expected of it

// An instance of test_host's.
static struct nbstage_instance *create(const char *options)
{
    const struct nbstage_host host = {
        .size = sizeof host,
        .context = &test_host,
        .allocate = test_allocate,
        .release = test_release,
        .log = test_log,
    };
    return plugin_create_for(&host, options);
}

static void destroy(struct nbstage_instance *instance)
{
    plugin_stage()->destroy(instance);
}

static struct nbstage_decoded decode(struct nbstage_instance *instance,
                                     const struct nbstage_map *map)
{
    struct nbstage_decoded decoded = {.size = sizeof decoded};
    nbstage_status status = plugin_stage()->decode(instance, map, &decoded);
    ck_assert_msg(status == NBSTAGE_OK, "%s",
                  plugin_stage()->last_error(instance));
    ck_assert_uint_eq(decoded.size, sizeof decoded);
    ck_assert_uint_eq(decoded.vertex_size, sizeof *decoded.vertices);
    ck_assert_uint_eq(decoded.line_size, sizeof *decoded.lines);
    ck_assert_uint_eq(decoded.sector_size, sizeof *decoded.sectors);
    return decoded;
}

static void assert_geometry(const struct nbstage_decoded *decoded,
                            const struct sample *sample)
{
    ck_assert_uint_eq(decoded->format, formats[sample->form]);
    ck_assert_uint_eq(decoded->vertex_count, VERTICES);
    ck_assert_mem_eq(decoded->vertices, sample->vertices,
                     sizeof sample->vertices);
    ck_assert_uint_eq(decoded->line_count, LINES);
    for (int i = 0; i < LINES; i++) {
        ck_assert_uint_eq(decoded->lines[i].v1, sample->lines[i].v1);
        ck_assert_uint_eq(decoded->lines[i].v2, sample->lines[i].v2);
    }
}

static void assert_same(const struct nbstage_decoded *decoded,
                        const struct sample *sample)
{
    assert_geometry(decoded, sample);
    for (int i = 0; i < LINES; i++)
        ck_assert_msg(memcmp(&decoded->lines[i], &sample->lines[i],
                             sizeof *sample->lines) == 0,
                      "line %d", i);
    ck_assert_uint_eq(decoded->sector_count, SECTORS);
    for (int i = 0; i < SECTORS; i++)
        ck_assert_msg(memcmp(&decoded->sectors[i], &sample->sectors[i],
                             sizeof *sample->sectors) == 0,
                      "sector %d", i);
}

static void assert_empty(const struct nbstage_decoded *decoded)
{
    const struct nbstage_decoded empty = {.size = sizeof empty};
    ck_assert_mem_eq(decoded, &empty, sizeof empty);
}

// A decoded map as the host hands it back.
static struct nbstage_map map_of(const struct nbstage_decoded *decoded,
                                 const char *name)
{
    return (struct nbstage_map){
        .size = sizeof(struct nbstage_map),
        .name = name,
        .format = decoded->format,
        .vertices = decoded->vertices,
        .vertex_count = decoded->vertex_count,
        .vertex_size = decoded->vertex_size,
        .lines = decoded->lines,
        .line_count = decoded->line_count,
        .line_size = decoded->line_size,
        .sectors = decoded->sectors,
        .sector_count = decoded->sector_count,
        .sector_size = decoded->sector_size,
    };
}

// ---------------------------------------------------------------------------
// Every form

START_TEST(every_format_is_decoded)
{
    struct sample sample = make_sample((enum form)_i);
    struct lump_set plain = make_lumps(&sample);
    struct nbstage_instance *instance = create("");
    for (uint32_t compression = NBSTAGE_PLAIN; compression <= NBSTAGE_DEFLATE;
         compression++) {
        bool is_plain = compression == NBSTAGE_PLAIN;
        struct lump_set packed = {0};
        if (!is_plain)
            packed = lump_set_compressed(&plain, compression);
        struct nbstage_map map = lump_set_map(is_plain ? &plain : &packed);
        struct nbstage_decoded decoded = decode(instance, &map);
        lump_set_free(&packed);
        assert_same(&decoded, &sample);
        plugin_stage()->free_decoded(instance, &decoded);
        assert_empty(&decoded);
    }
    ck_assert_uint_eq(test_host.message_count, 0);
    destroy(instance);
    lump_set_free(&plain);
}
END_TEST

// What is left out, with lumps and with the arrays that come of them.
static void expect_left_out(const struct nbstage_map *map, enum form form,
                            const char *options, bool tagged, bool inert)
{
    struct nbstage_instance *instance = create(options);
    struct nbstage_decoded decoded = decode(instance, map);
    struct nbstage_map given = map_of(&decoded, "MAP01");
    struct nbstage_decoded again = decode(instance, &given);
    const struct sample sample = make_sample(form);
    assert_same(&again, &sample);
    ck_assert(again.lines != decoded.lines);
    ck_assert((again.left_out != NULL) == (tagged || inert));
    ck_assert((decoded.left_out != NULL) == (tagged || inert));
    for (int i = 0; i < LINES && decoded.left_out; i++) {
        ck_assert_uint_eq(decoded.left_out[i],
                          i == TAGGED && tagged ? NBSTAGE_LEFT_OUT_TAGGED
                          : i == INERT && inert ? NBSTAGE_LEFT_OUT_INERT
                                                : NBSTAGE_LISTED);
        ck_assert_uint_eq(again.left_out[i], decoded.left_out[i]);
    }
    destroy(instance);
}

START_TEST(lines_are_left_out_as_the_options_say)
{
    enum form form = (enum form)_i;
    struct sample sample = make_sample(form);
    struct lump_set set = make_lumps(&sample);
    struct nbstage_map map = lump_set_map(&set);
    bool asks = form != UDMF;
    bool may_be_inert = form != DOOM64;
    expect_left_out(&map, form, "", asks, false);
    expect_left_out(&map, form, "prune=inert", asks, may_be_inert);
    expect_left_out(&map, form, "prune=inert source=lump", asks, may_be_inert);
    expect_left_out(&map, form, "prune=none", false, false);
    lump_set_free(&set);
}
END_TEST

// Lines and sectors among other members of the host's structures.
START_TEST(arrays_may_be_the_hosts_own)
{
    struct own_line {
        struct nbstage_line line;
        uint32_t more[3];
    } lines[LINES];
    struct own_sector {
        struct nbstage_sector sector;
        uint32_t more;
    } sectors[SECTORS];
    struct sample sample = make_sample((enum form)_i);
    memset(lines, 0x55, sizeof lines);
    memset(sectors, 0x55, sizeof sectors);
    for (int i = 0; i < LINES; i++)
        lines[i].line = sample.lines[i];
    for (int i = 0; i < SECTORS; i++)
        sectors[i].sector = sample.sectors[i];
    struct nbstage_map map = plugin_map_from_arrays(
        "MAP01", sample.vertices, VERTICES, &lines->line, LINES);
    map.format = formats[_i];
    map.line_size = sizeof *lines;
    map.sectors = &sectors->sector;
    map.sector_count = SECTORS;
    map.sector_size = sizeof *sectors;
    struct nbstage_instance *instance = create("");
    struct nbstage_decoded decoded = decode(instance, &map);
    assert_same(&decoded, &sample);
    ck_assert_uint_eq(test_host.message_count, 0);
    if (_i == DOOM) {
        map.format = NBSTAGE_FORMAT_DETECT; // which arrays cannot tell
        struct nbstage_decoded again = decode(instance, &map);
        assert_same(&again, &sample);
    }
    destroy(instance);
}
END_TEST

START_TEST(pairs_of_numbers_have_no_sides)
{
    struct sample sample = make_sample((enum form)_i);
    uint32_t ends[LINES][2];
    for (int i = 0; i < LINES; i++) {
        ends[i][0] = sample.lines[i].v1;
        ends[i][1] = sample.lines[i].v2;
        sample.lines[i] = (struct nbstage_line){.v1 = ends[i][0],
                                                .v2 = ends[i][1],
                                                .tag = _i == UDMF ? NO_ID : 0,
                                                .front_sector = NBSTAGE_NONE,
                                                .back_sector = NBSTAGE_NONE};
    }
    struct nbstage_map map = plugin_map_from_arrays(
        "MAP01", sample.vertices, VERTICES, (const void *)ends, LINES);
    map.format = formats[_i];
    map.line_size = sizeof *ends;
    struct nbstage_instance *instance = create("");
    struct nbstage_decoded decoded = decode(instance, &map);
    assert_geometry(&decoded, &sample);
    ck_assert_mem_eq(decoded.lines, sample.lines, sizeof sample.lines);
    ck_assert_ptr_null(decoded.sectors);
    ck_assert_uint_eq(decoded.sector_count, 0);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_INFO);
    destroy(instance);
}
END_TEST

// ---------------------------------------------------------------------------
// UDMF

enum {
    BLOCKS = NBSTAGE_LINE_BLOCKING,
    BOTH = NBSTAGE_LINE_BLOCKING | NBSTAGE_LINE_OTHER,
    MORE_TAGS = NBSTAGE_SECTOR_MORE_TAGS,
};

static const struct {
    struct extras extras;
    uint32_t line_flags, tag, sector_flags;
} texts[] = {
    {{"Doom", "", "", ""}, 0, NO_ID, 0},
    {{"heretic", "", "", ""}, 0, NO_ID, 0},
    {{"HEXEN", "", "", ""}, 0, NO_ID, 0},
    {{"dsda", "", "", ""}, 0, NO_ID, 0},
    {{"ZDoom", "blockmonsters = true;", "", ""}, BLOCKS, NO_ID, 0},
    {{"ZDoom", "BlockSight = true;", "", ""}, BLOCKS, NO_ID, 0},
    {{"ZDoom", "blocking = false;", "", ""}, 0, NO_ID, 0},
    {{"ZDoom", "block = true;", "", ""}, BLOCKS, NO_ID, 0},
    {{"ZDoom", "bloc = true;", "", ""}, NBSTAGE_LINE_OTHER, NO_ID, 0},
    {{"ZDoom", "passuse = true;", "", ""}, NBSTAGE_LINE_OTHER, NO_ID, 0},
    {{"ZDoom", "moreids = \"7\"; blockuse = true;", "", ""}, BOTH, NO_ID, 0},
    {{"ZDoom", "mapped = true; comment = \"yes\";", "", ""}, 0, NO_ID, 0},
    {{"ZDoom", "id = -1;", "", ""}, 0, NO_ID, 0},
    {{"ZDoom", "id = 0x10;", "", ""}, 0, 16, 0},
    {{"ZDoom", "id = 0;", "", ""}, 0, 0, 0},
    {{"ZDoom", "id = -2;", "", ""}, 0, NO_ID - 1, 0},
    {{"ZDoom", "id = 4294967295;", "", ""}, 0, 0, 0},
    {{"ZDoom", "id = -2147483649;", "", ""}, 0, 0, 0},
    {{"ZDoom", "id = -1; id = 7; id = -1;", "", ""}, 0, 7, 0},
    {{"ZDoom", "", "lightlevel = 160;", ""}, 0, NO_ID, 0},
    {{"ZDoom", "", "floorplane_a = 0.5;", ""}, 0, NO_ID, NBSTAGE_SECTOR_SLOPED},
    {{"ZDoom", "", "ceilingplane_d = 8;", ""}, 0, NO_ID, NBSTAGE_SECTOR_SLOPED},
    {{"ZDoom", "", "moreids = \"7 8\";", ""}, 0, NO_ID, MORE_TAGS},
    {{"ZDoom", "", "gravity = 0.5;", ""}, 0, NO_ID, NBSTAGE_SECTOR_OTHER},
    {{"ZDoom", "", "hidden = false;", ""}, 0, NO_ID, 0},
};

START_TEST(text_is_decoded_field_by_field)
{
    struct sample sample = make_sample(UDMF);
    struct lump_set set = {.map_name = "MAP01"};
    lump_set_add(&set, "TEXTMAP", print_map(&sample, &texts[_i].extras));
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_instance *instance = create("");
    struct nbstage_decoded decoded = decode(instance, &map);
    sample.lines[INERT].flags |= texts[_i].line_flags;
    sample.lines[INERT].tag = texts[_i].tag;
    sample.sectors[0].flags = texts[_i].sector_flags;
    assert_same(&decoded, &sample);
    ck_assert_uint_eq(test_host.message_count, 0);
    destroy(instance);
    lump_set_free(&set);
}
END_TEST

START_TEST(heights_of_vertices_slope_all_sectors)
{
    const struct extras extras = {"ZDoom", "", "", "zfloor = 8.0;"};
    struct sample sample = make_sample(UDMF);
    struct lump_set set = {.map_name = "MAP01"};
    lump_set_add(&set, "TEXTMAP", print_map(&sample, &extras));
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_instance *instance = create("");
    struct nbstage_decoded decoded = decode(instance, &map);
    for (int i = 0; i < SECTORS; i++)
        sample.sectors[i].flags = NBSTAGE_SECTOR_SLOPED;
    assert_same(&decoded, &sample);
    destroy(instance);
    lump_set_free(&set);
}
END_TEST

// ---------------------------------------------------------------------------
// What arrays cannot tell

static void expect_all_move(enum form form, const char *lump,
                            struct buffer bytes)
{
    struct sample sample = make_sample(form);
    struct lump_set set = make_lumps(&sample);
    if (strcmp(lump, "SCRIPTS") == 0)
        lump_set_add(&set, lump, bytes);
    else
        lump_set_replace(&set, lump, bytes);
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_instance *instance = create("");
    struct nbstage_decoded decoded = decode(instance, &map);
    for (int i = 0; i < SECTORS; i++)
        sample.sectors[i].flags = NBSTAGE_SECTOR_MOVES;
    assert_same(&decoded, &sample);
    ck_assert_uint_eq(test_host.message_count, 0);
    destroy(instance);
    lump_set_free(&set);
}

START_TEST(things_and_scripts_may_move_all_sectors)
{
    struct buffer slope = {0}, death = {0}, script = {0};
    put_zeros(&slope, 6);
    buffer_put_u16(&slope, 9502);
    put_zeros(&slope, 2);
    expect_all_move(DOOM, "THINGS", slope);
    put_zeros(&death, 14);
    buffer_put_u8(&death, 21); // a floor, tag 0
    put_zeros(&death, 5);
    expect_all_move(HEXEN, "THINGS", death);
    buffer_print(&script, "script 1 OPEN { }");
    expect_all_move(UDMF, "SCRIPTS", script);
}
END_TEST

// ---------------------------------------------------------------------------
// Damage

// Decodes a damaged map and expects one message about it.
static struct nbstage_decoded decode_damaged(struct nbstage_instance *instance,
                                             const struct lump_set *set,
                                             const struct sample *sample,
                                             const char *told)
{
    struct nbstage_map map = lump_set_map(set);
    test_host.message_count = 0;
    struct nbstage_decoded decoded = decode(instance, &map);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_int_eq(test_host.level, NBSTAGE_LOG_INFO);
    assert_tells(test_host.message, "MAP01", told);
    ck_assert_str_eq(plugin_stage()->last_error(instance), "");
    assert_geometry(&decoded, sample);
    return decoded;
}

// The flags of sectors where not all sides and sectors are known.
enum { IN_DOUBT = NBSTAGE_SECTOR_MOVES | NBSTAGE_SECTOR_IN_DOUBT };

// Without its last byte, without any, and not there.
START_TEST(damaged_lumps_leave_the_rest)
{
    static const char *const names[] = {"SIDEDEFS", "SECTORS", "THINGS"};
    enum form form = (enum form)_i;
    struct sample sample = make_sample(form);
    for (size_t n = 0; n < COUNT(names); n++) {
        bool has_sides = strcmp(names[n], "THINGS") == 0;
        if (form == DOOM64 && has_sides)
            continue; // they are not read
        struct lump_set set = make_lumps(&sample);
        struct nbstage_lump *lump =
            (struct nbstage_lump *)lump_set_find(&set, names[n]);
        struct nbstage_instance *instance = create("");
        for (int damage = 0; damage < 3; damage++) {
            if (damage == 0)
                lump->data_size--;
            else if (damage == 1)
                lump->data_size = 0;
            else
                lump_set_remove(&set, names[n]);
            struct nbstage_decoded decoded =
                decode_damaged(instance, &set, &sample, names[n]);
            ck_assert_uint_eq(decoded.sector_count, has_sides ? SECTORS : 0);
            for (int i = 0; i < LINES; i++) {
                struct nbstage_line line = sample.lines[i];
                if (!has_sides)
                    line.front_sector = line.back_sector = NBSTAGE_NONE;
                ck_assert_mem_eq(&decoded.lines[i], &line, sizeof line);
            }
            for (size_t i = 0; i < decoded.sector_count; i++)
                ck_assert_uint_eq(decoded.sectors[i].flags, IN_DOUBT);
        }
        destroy(instance);
        lump_set_free(&set);
    }
}
END_TEST

// Expects that a line has lost its sides, or one of them, and no other.
static void assert_only_sides_lost(const struct nbstage_decoded *decoded,
                                   struct sample *sample, int line, bool front)
{
    if (front)
        sample->lines[line].front_sector = NBSTAGE_NONE;
    else
        sample->lines[line].back_sector = NBSTAGE_NONE;
    for (int i = 0; i < SECTORS; i++)
        sample->sectors[i].flags = IN_DOUBT;
    assert_same(decoded, sample);
}

// The last side, which is the back of line 7, is not there; or a side refers to
// a sector that is not.
START_TEST(one_bad_side_takes_no_other_away)
{
    enum form form = (enum form)_i;
    size_t size = form == DOOM64 ? 12 : 30;
    struct sample sample = make_sample(form);
    struct lump_set set = make_lumps(&sample);
    struct nbstage_lump *sides =
        (struct nbstage_lump *)lump_set_find(&set, "SIDEDEFS");
    struct nbstage_instance *instance = create("");
    sides->data_size -= size;
    struct nbstage_decoded decoded =
        decode_damaged(instance, &set, &sample, "sidedef 15");
    assert_only_sides_lost(&decoded, &sample, INERT, false);
    sides->data_size += size;

    sample = make_sample(form);
    unsigned char *bytes = (unsigned char *)(uintptr_t)sides->data;
    bytes[2 * size * 3 + size - 2] = SECTORS; // the front of line 3
    bytes[2 * size * 6 + size - 1] = 1;       // and that of line 6
    decoded = decode_damaged(instance, &set, &sample, "sidedef 6");
    sample.lines[6].front_sector = NBSTAGE_NONE;
    assert_only_sides_lost(&decoded, &sample, 3, true);
    destroy(instance);
    lump_set_free(&set);
}
END_TEST

START_TEST(bad_sectors_in_arrays_take_no_others_away)
{
    struct sample sample = make_sample(DOOM);
    struct nbstage_map map = plugin_map_from_arrays(
        "MAP01", sample.vertices, VERTICES, sample.lines, LINES);
    map.sectors = sample.sectors;
    map.sector_count = SECTORS;
    map.sector_size = sizeof *sample.sectors;
    sample.lines[6].back_sector = SECTORS;
    struct nbstage_instance *instance = create("");
    struct nbstage_decoded decoded = decode(instance, &map);
    ck_assert_uint_eq(test_host.message_count, 1);
    assert_tells(test_host.message, "line 6", "sector 2");
    assert_only_sides_lost(&decoded, &sample, 6, false);
    destroy(instance);
}
END_TEST

// What is appended to the text, in which all is as it should be.
START_TEST(damaged_text_leaves_the_rest)
{
    static const struct {
        const char *text;
        size_t line_count;
    } cases[] = {
        {"sidedef { sector { } }", LINES},
        {"sector { heightfloor = 1 }", LINES},
        {"linedef { v1 = 0; v2 = 1; sidefront = 99; }", LINES + 1},
        {"linedef { v1 = 0; v2 = 1; sidefront = 16; }"
         "sidedef { sector = 2; }",
         LINES + 1},
    };
    struct sample sample = make_sample(UDMF);
    struct nbstage_instance *instance = create("");
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct lump_set set = {.map_name = "MAP01"};
        struct buffer text = print_map(&sample, &no_extras);
        buffer_print(&text, "%s", cases[i].text);
        lump_set_add(&set, "TEXTMAP", text);
        struct nbstage_map map = lump_set_map(&set);
        test_host.message_count = 0;
        struct nbstage_decoded decoded = decode(instance, &map);
        ck_assert_uint_eq(test_host.message_count, 1);
        assert_tells(test_host.message, "TEXTMAP");
        ck_assert_uint_eq(decoded.line_count, cases[i].line_count);
        ck_assert_mem_eq(decoded.lines, sample.lines, sizeof sample.lines);
        for (size_t l = LINES; l < decoded.line_count; l++) {
            ck_assert_uint_eq(decoded.lines[l].front_sector, NBSTAGE_NONE);
            ck_assert_uint_eq(decoded.lines[l].back_sector, NBSTAGE_NONE);
        }
        lump_set_free(&set);
    }
    destroy(instance);
}
END_TEST

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

START_TEST(damaged_geometry_is_an_error)
{
    struct sample sample = make_sample(DOOM);
    sample.lines[4].v2 = VERTICES;
    struct lump_set set = make_lumps(&sample);
    struct nbstage_map map = lump_set_map(&set);
    assert_fails(&map, NBSTAGE_BAD_MAP, "linedef 4");
    lump_set_remove(&set, "VERTEXES");
    assert_fails(&map, NBSTAGE_BAD_MAP, "VERTEXES");
    map.format = 99;
    assert_fails(&map, NBSTAGE_UNSUPPORTED, "99");
    lump_set_free(&set);
}
END_TEST

// ---------------------------------------------------------------------------
// Vertices that a node builder added

START_TEST(added_vertices_follow_the_maps_own)
{
    struct sample sample = make_sample(DOOM);
    sample.lines[INERT].v2 = VERTICES + 1;
    struct lump_set set = make_lumps(&sample);
    struct buffer nodes = {0};
    buffer_print(&nodes, "XNOD");
    buffer_put_u32(&nodes, VERTICES);
    buffer_put_u32(&nodes, 2);
    for (uint32_t i = 0; i < 4; i++)
        buffer_put_u32(&nodes, i * UNIT + 0x8000);
    put_zeros(&nodes, 12); // no subsectors, segs, nodes
    lump_set_add(&set, "NODES", nodes);
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_instance *instance = create("");
    struct nbstage_decoded decoded = decode(instance, &map);
    ck_assert_uint_eq(decoded.vertex_count, VERTICES + 2);
    ck_assert_mem_eq(decoded.vertices, sample.vertices, sizeof sample.vertices);
    ck_assert_int_eq(decoded.vertices[VERTICES].x, 0x8000);
    ck_assert_int_eq(decoded.vertices[VERTICES + 1].x, 2 * UNIT + 0x8000);
    ck_assert_int_eq(decoded.vertices[VERTICES + 1].y, 3 * UNIT + 0x8000);
    ck_assert_mem_eq(decoded.lines, sample.lines, sizeof sample.lines);

    // Given back, they are the map's own, which its nodes do not fit.
    struct nbstage_map arrays = map_of(&decoded, "MAP01");
    arrays.lumps = map.lumps;
    arrays.lump_count = map.lump_count;
    struct plugin_lump from_lumps = plugin_build(&map, "prune=none");
    struct plugin_lump from_arrays = plugin_build(&arrays, "prune=none");
    ck_assert_uint_eq(from_arrays.size, from_lumps.size);
    ck_assert_mem_eq(from_arrays.bytes, from_lumps.bytes, from_lumps.size);
    plugin_free(&from_lumps);
    plugin_free(&from_arrays);
    struct nbstage_result result = {.size = sizeof result};
    ck_assert_int_eq(plugin_stage()->set_option(instance, "check-nodes", "yes"),
                     NBSTAGE_OK);
    ck_assert_int_eq(plugin_stage()->build(instance, &arrays, &result),
                     NBSTAGE_BAD_MAP);
    assert_tells(plugin_stage()->last_error(instance), "NODES",
                 "but the map has");
    destroy(instance);
    lump_set_free(&set);
}
END_TEST

// In Doom 64 nothing is taken for inert, and there is nothing to report.
START_TEST(progress_cancels)
{
    const struct nbstage_host host = {.size = sizeof host,
                                      .context = &test_host,
                                      .allocate = test_allocate,
                                      .release = test_release,
                                      .progress = test_progress};
    struct sample sample = make_sample((enum form)_i);
    struct lump_set set = make_lumps(&sample);
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_instance *instance = plugin_create_for(&host, "prune=inert");
    struct nbstage_decoded decoded = {.size = sizeof decoded};
    test_host.cancelled_report = 1;
    ck_assert_int_eq(plugin_stage()->decode(instance, &map, &decoded),
                     NBSTAGE_CANCELLED);
    ck_assert_uint_eq(test_host.progress_count, 1);
    assert_empty(&decoded);
    destroy(instance);
    ck_assert_ptr_null(test_host.blocks);
    lump_set_free(&set);
}
END_TEST

// ---------------------------------------------------------------------------
// Memory

START_TEST(arrays_are_in_memory_of_the_host)
{
    struct sample sample = make_sample(DOOM);
    struct lump_set set = make_lumps(&sample);
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_instance *instance = create("");
    struct nbstage_decoded decoded = decode(instance, &map);
    ck_assert(test_owns(&test_host, decoded.vertices, sizeof sample.vertices));
    ck_assert(test_owns(&test_host, decoded.lines, sizeof sample.lines));
    ck_assert(test_owns(&test_host, decoded.sectors, sizeof sample.sectors));
    ck_assert(test_owns(&test_host, decoded.left_out, LINES));
    destroy(instance);
    lump_set_free(&set);
}
END_TEST

// How many requests are granted, all others being refused.
static size_t granted_requests;

static void *allocate_granted(void *host, size_t bytes)
{
    return test_host.request_count < granted_requests
               ? test_allocate(host, bytes)
               : NULL;
}

// Grants one request for memory, then two, until there is enough for all of it.
START_TEST(out_of_memory_is_told)
{
    const struct nbstage_host host = {.size = sizeof host,
                                      .context = &test_host,
                                      .allocate = allocate_granted,
                                      .release = test_release};
    struct sample sample = make_sample((enum form)_i);
    struct lump_set plain = make_lumps(&sample);
    struct lump_set set = lump_set_compressed(&plain, NBSTAGE_ZLIB);
    struct nbstage_map map = lump_set_map(&set);
    nbstage_status status = NBSTAGE_OUT_OF_MEMORY;
    for (size_t granted = 1; status != NBSTAGE_OK; granted++) {
        struct nbstage_decoded decoded = {.size = sizeof decoded};
        test_host = (struct test_host){0};
        granted_requests = granted;
        struct nbstage_instance *instance =
            plugin_create_for(&host, "prune=inert");
        status = plugin_stage()->decode(instance, &map, &decoded);
        if (status == NBSTAGE_OK) {
            ck_assert_uint_gt(granted, 8);
            assert_same(&decoded, &sample);
        } else {
            ck_assert_int_eq(status, NBSTAGE_OUT_OF_MEMORY);
            assert_tells(plugin_stage()->last_error(instance), "MAP01",
                         "memory");
            assert_empty(&decoded);
        }
        destroy(instance);
        ck_assert_ptr_null(test_host.blocks);
    }
    lump_set_free(&set);
    lump_set_free(&plain);
}
END_TEST

START_TEST(decoded_maps_live_side_by_side)
{
    struct sample doom = make_sample(DOOM), udmf = make_sample(UDMF);
    struct lump_set first_set = make_lumps(&doom);
    struct lump_set second_set = make_lumps(&udmf);
    struct nbstage_map first_map = lump_set_map(&first_set);
    struct nbstage_map second_map = lump_set_map(&second_set);
    struct nbstage_instance *instance = create("");
    struct nbstage_decoded first = decode(instance, &first_map);
    struct nbstage_decoded second = decode(instance, &second_map);
    struct nbstage_decoded third = decode(instance, &first_map);
    struct nbstage_decoded copy = second;
    struct nbstage_result result = {.size = sizeof result};
    ck_assert_int_eq(plugin_stage()->build(instance, &first_map, &result),
                     NBSTAGE_OK);
    assert_same(&first, &doom);
    assert_same(&second, &udmf);
    plugin_stage()->free_decoded(instance, &second);
    assert_empty(&second);
    plugin_stage()->free_decoded(instance, &copy); // which is freed already
    assert_empty(&copy);
    plugin_stage()->free_decoded(instance, NULL);
    plugin_stage()->free_decoded(NULL, &first);
    assert_same(&first, &doom);
    assert_same(&third, &doom);
    plugin_stage()->free_decoded(instance, &first);
    destroy(instance); // with the third
    lump_set_free(&first_set);
    lump_set_free(&second_set);
}
END_TEST

// ---------------------------------------------------------------------------
// Hosts of other versions

// A host whose structure ends earlier; what is behind it stays as it is.
START_TEST(shorter_structures_are_filled_as_far_as_they_reach)
{
    static const size_t sizes[] = {
        offsetof(struct nbstage_decoded, line_size) + sizeof(size_t),
        offsetof(struct nbstage_decoded, sector_count) + sizeof(size_t),
        offsetof(struct nbstage_decoded, left_out),
    };
    struct sample sample = make_sample(DOOM);
    struct lump_set set = make_lumps(&sample);
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_instance *instance = create("");
    const struct nbstage_decoded whole = decode(instance, &map);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct nbstage_decoded decoded, untouched;
        memset(&untouched, 0x55, sizeof untouched);
        decoded = untouched;
        decoded.size = sizes[i];
        ck_assert_int_eq(plugin_stage()->decode(instance, &map, &decoded),
                         NBSTAGE_OK);
        ck_assert_uint_eq(decoded.size, sizes[i]);
        ck_assert_mem_eq(decoded.vertices, sample.vertices,
                         sizeof sample.vertices);
        ck_assert_mem_eq(decoded.lines, sample.lines, sizeof sample.lines);
        ck_assert_uint_eq(decoded.line_size, whole.line_size);
        ck_assert_mem_eq((char *)&decoded + sizes[i],
                         (char *)&untouched + sizes[i],
                         sizeof decoded - sizes[i]);
        plugin_stage()->free_decoded(instance, &decoded);
        ck_assert_ptr_null(decoded.lines);
        ck_assert_mem_eq((char *)&decoded + sizes[i],
                         (char *)&untouched + sizes[i],
                         sizeof decoded - sizes[i]);
    }
    destroy(instance);
    lump_set_free(&set);
}
END_TEST

START_TEST(larger_structures_are_served)
{
    struct {
        struct nbstage_decoded now;
        uint32_t later[4];
    } decoded = {.now = {.size = sizeof decoded}, .later = {1, 2, 3, 4}};
    struct sample sample = make_sample(HEXEN);
    struct lump_set set = make_lumps(&sample);
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_instance *instance = create("");
    ck_assert_int_eq(plugin_stage()->decode(instance, &map, &decoded.now),
                     NBSTAGE_OK);
    ck_assert_uint_eq(decoded.now.size, sizeof decoded);
    assert_same(&decoded.now, &sample);
    plugin_stage()->free_decoded(instance, &decoded.now);
    ck_assert_uint_eq(decoded.now.size, sizeof decoded);
    ck_assert_ptr_null(decoded.now.lines);
    ck_assert_uint_eq(decoded.later[0], 1);
    destroy(instance);
    lump_set_free(&set);
}
END_TEST

// How a host sees what it may call.
START_TEST(older_descriptors_have_no_decode)
{
    struct nbstage_descriptor descriptor = *plugin_stage();
    ck_assert(NBSTAGE_HAS(struct nbstage_descriptor, &descriptor, decode));
    ck_assert(
        NBSTAGE_HAS(struct nbstage_descriptor, &descriptor, free_decoded));
    ck_assert(descriptor.decode && descriptor.free_decoded);
    descriptor.size = offsetof(struct nbstage_descriptor, decode);
    ck_assert(NBSTAGE_HAS(struct nbstage_descriptor, &descriptor, destroy));
    ck_assert(!NBSTAGE_HAS(struct nbstage_descriptor, &descriptor, decode));
}
END_TEST

START_TEST(broken_calls_are_told)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct sample sample = make_sample(DOOM);
    struct lump_set set = make_lumps(&sample);
    struct nbstage_map map = lump_set_map(&set);
    struct nbstage_decoded decoded = {.size = sizeof decoded};
    struct nbstage_instance *instance = create("");
    ck_assert_int_eq(stage->decode(NULL, &map, &decoded), NBSTAGE_BAD_CALL);
    ck_assert_int_eq(stage->decode(instance, &map, NULL), NBSTAGE_BAD_CALL);
    ck_assert_int_eq(stage->decode(instance, NULL, &decoded), NBSTAGE_BAD_CALL);
    assert_empty(&decoded);
    decoded.size = offsetof(struct nbstage_decoded, line_size);
    ck_assert_int_eq(stage->decode(instance, &map, &decoded), NBSTAGE_BAD_CALL);
    assert_tells(stage->last_error(instance), "decode", "size");
    stage->free_decoded(instance, &decoded);
    decoded.size = sizeof decoded;
    map.size = offsetof(struct nbstage_map, lump_count);
    ck_assert_int_eq(stage->decode(instance, &map, &decoded), NBSTAGE_BAD_CALL);
    assert_tells(stage->last_error(instance), "map", "size");
    destroy(instance);
    lump_set_free(&set);
}
END_TEST

// ---------------------------------------------------------------------------
// Freedoom

static int64_t count_fates(const struct nbstage_decoded *decoded,
                           unsigned char fate)
{
    int64_t count = 0;
    for (size_t i = 0; i < decoded->line_count && decoded->left_out; i++)
        count += decoded->left_out[i] == fate;
    return count;
}

// Builds from the lumps, and from the arrays that are decoded of them.
static void check_round(const struct nbstage_map *map, const char *options)
{
    struct nbstage_instance *instance = plugin_create(options);
    struct nbstage_decoded decoded = decode(instance, map);
    struct nbstage_map arrays = map_of(&decoded, map->name);
    arrays.lumps = map->lumps;
    arrays.lump_count = map->lump_count;
    struct plugin_lump from_lumps = plugin_build(map, options);
    struct plugin_lump from_arrays = plugin_build(&arrays, options);
    ck_assert_msg(
        from_lumps.size == from_arrays.size &&
            memcmp(from_lumps.bytes, from_arrays.bytes, from_lumps.size) == 0,
        "%s: %s", map->name, options);
    ck_assert_int_eq(plugin_number(&from_lumps, "pruned_tagged"),
                     count_fates(&decoded, NBSTAGE_LEFT_OUT_TAGGED));
    ck_assert_int_eq(plugin_number(&from_lumps, "pruned_inert"),
                     count_fates(&decoded, NBSTAGE_LEFT_OUT_INERT));
    plugin_free(&from_lumps);
    plugin_free(&from_arrays);
    destroy(instance);
}

START_TEST(freedoom_comes_back_the_same)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    for (size_t m = 0; m < wad.map_count; m++) {
        struct lump_set set = lump_set_from_wad(&wad.maps[m]);
        struct nbstage_map map = lump_set_map(&set);
        check_round(&map, "grid=fit prune=tagged");
        check_round(&map, "grid=fit prune=inert");
        check_round(&map, "grid=keep bounds=vertices check-nodes=yes");
        lump_set_free(&set);
    }
    wadfile_free(&wad);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("decode");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, every_format_is_decoded, 0, FORM_COUNT);
    tcase_add_loop_test(tests, lines_are_left_out_as_the_options_say, 0,
                        FORM_COUNT);
    tcase_add_loop_test(tests, arrays_may_be_the_hosts_own, 0, FORM_COUNT);
    tcase_add_loop_test(tests, pairs_of_numbers_have_no_sides, 0, FORM_COUNT);
    tcase_add_loop_test(tests, text_is_decoded_field_by_field, 0, COUNT(texts));
    tcase_add_test(tests, heights_of_vertices_slope_all_sectors);
    tcase_add_test(tests, things_and_scripts_may_move_all_sectors);
    tcase_add_loop_test(tests, damaged_lumps_leave_the_rest, 0, UDMF);
    tcase_add_loop_test(tests, one_bad_side_takes_no_other_away, 0, UDMF);
    tcase_add_test(tests, bad_sectors_in_arrays_take_no_others_away);
    tcase_add_test(tests, damaged_text_leaves_the_rest);
    tcase_add_test(tests, damaged_geometry_is_an_error);
    tcase_add_test(tests, added_vertices_follow_the_maps_own);
    tcase_add_loop_test(tests, progress_cancels, 0, DOOM64);
    tcase_add_test(tests, arrays_are_in_memory_of_the_host);
    tcase_add_loop_test(tests, out_of_memory_is_told, 0, FORM_COUNT);
    tcase_add_test(tests, decoded_maps_live_side_by_side);
    tcase_add_test(tests, shorter_structures_are_filled_as_far_as_they_reach);
    tcase_add_test(tests, larger_structures_are_served);
    tcase_add_test(tests, older_descriptors_have_no_decode);
    tcase_add_test(tests, broken_calls_are_told);
    if (freedoom_is_there())
        tcase_add_loop_test(tests, freedoom_comes_back_the_same, 0,
                            FREEDOOM_FILES);
    return run_tests(tests);
}
