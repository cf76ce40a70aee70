// SPDX-License-Identifier: GPL-2.0-or-later
//
// Line i has the sides 2 i and 2 i + 1.  What is listed must be what the oracle
// finds, less the lines that are left out.

#include "pruned-room.h"

#include "context-for-tests.h"

#include <stdlib.h>
#include <string.h>

const struct room room_plain = {
    .name = "MAP01",
    .vertices = {{0, 0},
                 {0, 512},
                 {256, 512},
                 {512, 512},
                 {512, 0},
                 {256, 0},
                 {128, 128},
                 {128, 384},
                 {320, 192},
                 {320, 256},
                 {384, 256},
                 {384, 192},
                 {352, 208},
                 {352, 240}},
    .lines = {{0, 1, 0, -1, 1, 0, 0, 0},
              {1, 2, 0, -1, 1, 0, 0, 0},
              {2, 3, 1, -1, 1, 0, 0, 0},
              {3, 4, 1, -1, 1, 0, 0, 0},
              {4, 5, 1, -1, 1, 0, 0, 0},
              {5, 0, 0, -1, 1, 0, 0, 0},
              {5, 2, 1, 0, 4, 0, 0, 0},
              {6, 7, 0, 0, 4, 0, 0, 0},
              {8, 9, 2, 2, 4, 0, 0, 0},
              {9, 10, 2, 2, 4, 0, 0, 0},
              {10, 11, 2, 2, 4, 0, 0, 0},
              {11, 8, 2, 2, 4, 0, 0, 0},
              {12, 13, 2, 2, 4, 0, 0, 0}},
    .sectors = {{0, 128, 0, 0, 0}, {0, 128, 0, 0, 0}, {0, 128, 0, 0, 0}},
    .thing_type = 1,
};

// ---------------------------------------------------------------------------
// The room in all forms

static void put_vertices(const struct room *room, bool fixed,
                         struct buffer *buffer)
{
    for (int i = 0; i < VERTICES; i++)
        for (int axis = 0; axis < 2; axis++)
            if (fixed)
                buffer_put_u32(buffer, (uint32_t)room->vertices[i][axis] << 16);
            else
                buffer_put_u16(buffer, (unsigned)room->vertices[i][axis]);
}

// Side numbers: the front of line i is 2 i, its back 2 i + 1.
static void put_sides(const struct line *line, int i, struct buffer *buffer)
{
    buffer_put_u16(buffer, line->front < 0 ? NO_SIDE : 2u * (unsigned)i);
    buffer_put_u16(buffer, line->back < 0 ? NO_SIDE : 2u * (unsigned)i + 1);
}

static void put_linedef(const struct line *line, int i, enum form form,
                        struct buffer *buffer)
{
    buffer_put_u16(buffer, (unsigned)line->v1);
    buffer_put_u16(buffer, (unsigned)line->v2);
    if (form == FORM_DOOM64)
        buffer_put_u32(buffer, line->flags);
    else
        buffer_put_u16(buffer, line->flags);
    if (form == FORM_HEXEN) {
        buffer_put_u8(buffer, line->special);
        buffer_put_u8(buffer, line->tag);
        buffer_put_u32(buffer, 0);
    } else {
        buffer_put_u16(buffer, line->special);
        buffer_put_u16(buffer, line->tag);
    }
    put_sides(line, i, buffer);
}

static void add_binary_records(const struct room *room, enum form form,
                               struct lump_set *set)
{
    struct buffer things = {0}, sides = {0}, sectors = {0};
    static const unsigned char zeros[24] = {0};
    buffer_put(&things, zeros, form == FORM_HEXEN ? 10 : 6);
    buffer_put_u16(&things, room->thing_type);
    buffer_put_u16(&things, 7);
    if (form == FORM_HEXEN) {
        buffer_put_u8(&things, room->thing_special);
        buffer_put_u8(&things, room->thing_tag);
        buffer_put(&things, zeros, 4);
    }
    for (int i = 0; i < 2 * LINES; i++) {
        const struct line *line = &room->lines[i / 2];
        int sector = i % 2 ? line->back : line->front;
        buffer_put(&sides, zeros, 4);
        buffer_put(&sides, zeros, 24);
        buffer_put_u16(&sides, sector < 0 ? 0 : (unsigned)sector);
    }
    for (int i = 0; i < SECTORS; i++) {
        const struct sector *sector = &room->sectors[i];
        buffer_put_u16(&sectors, (unsigned)sector->floor);
        buffer_put_u16(&sectors, (unsigned)sector->ceiling);
        buffer_put(&sectors, zeros, 18);
        buffer_put_u16(&sectors, sector->special);
        buffer_put_u16(&sectors, sector->tag);
    }
    lump_set_add(set, "THINGS", things);
    lump_set_add(set, "SIDEDEFS", sides);
    lump_set_add(set, "SECTORS", sectors);
}

static void add_binary(const struct room *room, enum form form,
                       struct lump_set *set)
{
    static const unsigned char no_script[16] = {'A', 'C', 'S', 0, 8};
    struct buffer linedefs = {0}, vertices = {0};
    for (int i = 0; i < LINES; i++)
        put_linedef(&room->lines[i], i, form, &linedefs);
    put_vertices(room, form == FORM_DOOM64, &vertices);
    lump_set_add(set, "LINEDEFS", linedefs);
    lump_set_add(set, "VERTEXES", vertices);
    add_binary_records(room, form, set);
    if (form == FORM_HEXEN && !room->scripts)
        lump_set_view(set, "BEHAVIOR", no_script, sizeof no_script);
    if (form == FORM_DOOM64)
        lump_set_view(set, "LEAFS", no_script, 0);
}

static void print_line(const struct line *line, int i, struct buffer *text)
{
    static const struct {
        unsigned flag;
        const char *field;
    } fields[] = {{1, "blocking"},       {2, "blockmonsters"}, {4, "twosided"},
                  {8, "dontpegtop"},     {64, "blocksound"},   {256, "mapped"},
                  {0x200, "blocksight"}, {0x400, "something"}};
    buffer_print(text, "linedef { v1 = %d; v2 = %d; sidefront = %d;", line->v1,
                 line->v2, 2 * i);
    if (line->back >= 0)
        buffer_print(text, "sideback = %d;", 2 * i + 1);
    buffer_print(text, "special = %u; arg0 = %u; id = %d; passuse = false;",
                 line->special, line->tag, line->id ? (int)line->id : -1);
    for (size_t f = 0; f < COUNT(fields); f++)
        if (line->flags & fields[f].flag)
            buffer_print(text, "%s = true;", fields[f].field);
    buffer_print(text, "}\n");
}

static void add_text(const struct room *room, struct lump_set *set)
{
    struct buffer text = {0};
    buffer_print(&text, "namespace = \"ZDoom\";\n");
    for (int i = 0; i < VERTICES; i++)
        buffer_print(&text, "vertex { x = %d; y = %d; }\n",
                     room->vertices[i][0], room->vertices[i][1]);
    for (int i = 0; i < LINES; i++)
        print_line(&room->lines[i], i, &text);
    for (int i = 0; i < 2 * LINES; i++) {
        const struct line *line = &room->lines[i / 2];
        int sector = i % 2 ? line->back : line->front;
        buffer_print(&text, "sidedef { sector = %d; }\n",
                     sector < 0 ? 0 : sector);
    }
    for (int i = 0; i < SECTORS; i++) {
        const struct sector *sector = &room->sectors[i];
        buffer_print(&text,
                     "sector { heightfloor = %d; heightceiling = %d; "
                     "special = %u; id = %u; %s }\n",
                     sector->floor, sector->ceiling, sector->special,
                     sector->tag, sector->flags ? "floorplane_a = 1.0;" : "");
    }
    buffer_print(&text, "thing { type = %u; special = %u; arg0 = %u; }\n",
                 room->thing_type, room->thing_special, room->thing_tag);
    lump_set_add(set, "TEXTMAP", text);
}

struct lump_set room_make_lumps(const struct room *room, enum form form)
{
    struct lump_set set = {.map_name = room->name};
    if (form == FORM_UDMF)
        add_text(room, &set);
    else if (form < FORM_UDMF)
        add_binary(room, form, &set);
    if (room->scripts)
        lump_set_view(&set, room->scripts, "ACS", 3);
    return set;
}

void room_make_arrays(const struct room *room, enum form form,
                      struct room_arrays *arrays, struct nbstage_map *map)
{
    *arrays = (struct room_arrays){0};
    for (int i = 0; i < VERTICES; i++)
        arrays->vertices[i] = (struct nbstage_vertex){
            room->vertices[i][0] * UNIT, room->vertices[i][1] * UNIT};
    for (int i = 0; i < LINES; i++) {
        const struct line *line = &room->lines[i];
        arrays->lines[i] = (struct nbstage_line){
            .v1 = (uint32_t)line->v1,
            .v2 = (uint32_t)line->v2,
            .flags = line->flags,
            .special = line->special,
            .tag = form == FORM_DOOM_ARRAYS ? line->tag : line->id,
            .args = {form == FORM_DOOM_ARRAYS ? 0 : (int32_t)line->tag},
            .front_sector = (uint32_t)line->front,
            .back_sector = (uint32_t)line->back,
        };
    }
    for (int i = 0; i < SECTORS; i++)
        arrays->sectors[i] = (struct nbstage_sector){
            room->sectors[i].floor * UNIT, room->sectors[i].ceiling * UNIT,
            room->sectors[i].special, room->sectors[i].tag,
            room->sectors[i].flags};
    map->vertices = arrays->vertices;
    map->vertex_count = VERTICES;
    map->vertex_size = sizeof *arrays->vertices;
    map->lines = arrays->lines;
    map->line_count = LINES;
    map->line_size = sizeof *arrays->lines;
    map->sectors = arrays->sectors;
    map->sector_count = SECTORS;
    map->sector_size = sizeof *arrays->sectors;
    map->format =
        form == FORM_DOOM_ARRAYS ? NBSTAGE_FORMAT_DOOM : NBSTAGE_FORMAT_HEXEN;
}

// ---------------------------------------------------------------------------
// What is left out

static struct oracle_line *room_segments(const struct room *room)
{
    static struct oracle_line segments[LINES];
    for (int i = 0; i < LINES; i++) {
        const int *start = room->vertices[room->lines[i].v1];
        const int *end = room->vertices[room->lines[i].v2];
        segments[i] = (struct oracle_line){start[0] * UNIT, start[1] * UNIT,
                                           end[0] * UNIT, end[1] * UNIT};
    }
    return segments;
}

void room_check_lump(const char *name, const struct plugin_lump *lump,
                     const struct oracle_line *lines, size_t count,
                     const bool *left_out)
{
    struct oracle_report report = {.file = stderr, .map = name};
    struct oracle_grid grid;
    ck_assert_msg(oracle_read_grid(lump->bytes, lump->size, &grid), "%s", name);
    ck_assert_msg(oracle_encloses(&grid, lines, count), "%s", name);
    struct oracle_entry_list truth = oracle_find_entries(&grid, lines, count);
    struct oracle_entry_list found =
        oracle_read_lump(lump->bytes, lump->size, &report);
    size_t kept = 0;
    for (size_t i = 0; i < truth.count; i++)
        if (!left_out[truth.entry[i].line])
            truth.entry[kept++] = truth.entry[i];
    truth.count = kept;
    oracle_compare(&grid, &truth, &found, &report);
    oracle_free_entries(&truth);
    oracle_free_entries(&found);
    ck_assert_msg(report.fault_count == 0, "%s: %zu faults, told above", name,
                  report.fault_count);
}

void room_check(const char *name, const struct room *room,
                const struct plugin_lump *lump, unsigned expected)
{
    bool left_out[LINES];
    for (int i = 0; i < LINES; i++)
        left_out[i] = expected >> i & 1;
    room_check_lump(name, lump, room_segments(room), LINES, left_out);
}

static int64_t count_bits(unsigned bits)
{
    int64_t count = 0;
    for (; bits; bits >>= 1)
        count += bits & 1;
    return count;
}

void room_expect_left_out(const char *name, const struct room *room,
                          enum form form, const char *options,
                          unsigned expected)
{
    struct lump_set set = room_make_lumps(room, form);
    struct nbstage_map map = lump_set_map(&set);
    struct room_arrays arrays;
    char text[160];
    snprintf(text, sizeof text, "%s, form %d, %s", name, (int)form, options);
    if (form > FORM_UDMF)
        room_make_arrays(room, form, &arrays, &map);
    struct plugin_lump lump = plugin_build(&map, options);
    room_check(text, room, &lump, expected);
    ck_assert_int_eq(plugin_number(&lump, "pruned_tagged") +
                         plugin_number(&lump, "pruned_inert"),
                     count_bits(expected));
    ck_assert_int_eq(plugin_number(&lump, "linedefs"), LINES);
    plugin_free(&lump);
    lump_set_free(&set);
}

void room_expect_warnings(const struct nbstage_map *map, const char *options,
                          unsigned expected, size_t warnings, const char *told)
{
    const struct nbstage_host host = {
        .size = sizeof host, .context = &test_host, .log = test_log};
    struct nbstage_instance *instance = plugin_create_for(&host, options);
    struct plugin_lump lump = {instance, {.size = sizeof lump.result}, NULL, 0};
    test_host.message_count = 0;
    ck_assert_int_eq(plugin_stage()->build(instance, map, &lump.result),
                     NBSTAGE_OK);
    lump.bytes = lump.result.lumps->data;
    lump.size = lump.result.lumps->data_size;
    ck_assert_uint_eq(test_host.message_count, warnings);
    if (warnings > 0)
        ck_assert_msg(strstr(test_host.message, told), "%s", test_host.message);
    ck_assert_str_eq(plugin_stage()->last_error(instance), "");
    room_check("heard", &room_plain, &lump, expected);
    ck_assert_int_eq(plugin_number(&lump, "pruned_tagged") +
                         plugin_number(&lump, "pruned_inert"),
                     count_bits(expected));
    plugin_free(&lump);
}
