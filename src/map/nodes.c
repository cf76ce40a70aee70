// SPDX-License-Identifier: GPL-2.0-or-later
//
// All extended forms are the same parts one behind the other: vertices,
// subsectors, segs, nodes.  They differ in the width of a few fields, which a
// table tells.  The parts are read through a cursor that never passes the end
// and knows which part it is in, so that every damage gets a sentence.

#include "map/nodes.h"

#include "map/inflate.h"

// ---------------------------------------------------------------------------
// The forms

struct form {
    char signature[5];   // plain; compressed ones begin with Z
    bool gl;             // segs have a partner and end where the next starts
    size_t linedef_size; // bytes
    size_t node_size;    // bytes
};

static const struct form forms[] = {
    {"XNOD", false, 2, 32},
    {"XGLN", true, 2, 32},
    {"XGL2", true, 4, 32},
    {"XGL3", true, 4, 40},
};

enum { SIGNATURE_SIZE = 4, SEG_VERTICES_SIZE = 8, SIDE_SIZE = 1 };

// Finds the form by a signature whose first letter is X or Z.
static const struct form *find_form(const struct map_bytes *lump)
{
    if (lump->size < SIGNATURE_SIZE ||
        (lump->bytes[0] != 'X' && lump->bytes[0] != 'Z'))
        return NULL;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (memcmp(lump->bytes + 1, forms[i].signature + 1,
                   SIGNATURE_SIZE - 1) == 0)
            return &forms[i];
    return NULL;
}

// ---------------------------------------------------------------------------
// The cursor

struct cursor {
    struct context *context;
    const char *lump_name;
    const char *part; // "vertices", ...
    const unsigned char *at;
    const unsigned char *end;
};

static size_t bytes_left(const struct cursor *cursor)
{
    return (size_t)(cursor->end - cursor->at);
}

static nbstage_status cut_off(const struct cursor *cursor, uint64_t count,
                              size_t record_size)
{
    return context_fail(cursor->context, NBSTAGE_BAD_MAP, cursor->lump_name,
                        "the extended nodes are cut off: %llu %s of %zu bytes "
                        "were expected, but only %zu bytes are left",
                        (unsigned long long)count, cursor->part, record_size,
                        bytes_left(cursor));
}

// Reads a 32-bit number.
static nbstage_status take_number(struct cursor *cursor, uint32_t *number)
{
    if (bytes_left(cursor) < sizeof *number)
        return cut_off(cursor, 1, sizeof *number);
    *number = bytes_get_u32(cursor->at);
    cursor->at += sizeof *number;
    return NBSTAGE_OK;
}

// Passes `count` records, which begin at *records.
static nbstage_status take_records(struct cursor *cursor, uint32_t count,
                                   size_t record_size,
                                   const unsigned char **records)
{
    if (bytes_left(cursor) / record_size < count)
        return cut_off(cursor, count, record_size);
    *records = cursor->at;
    cursor->at += count * record_size;
    return NBSTAGE_OK;
}

// ---------------------------------------------------------------------------
// The parts

static nbstage_status read_vertices(struct cursor *cursor,
                                    const struct map *map, struct nodes *nodes)
{
    uint32_t original, added;
    const unsigned char *records;
    cursor->part = "vertices";
    nbstage_status status = take_number(cursor, &original);
    if (status == NBSTAGE_OK)
        status = take_number(cursor, &added);
    if (status == NBSTAGE_OK && original != map->vertex_count)
        status =
            context_fail(cursor->context, NBSTAGE_BAD_MAP, cursor->lump_name,
                         "the extended nodes were built for %lu "
                         "vertices, but the map has %zu",
                         (unsigned long)original, map->vertex_count);
    if (status == NBSTAGE_OK)
        status = take_records(cursor, added, 2 * sizeof(int32_t), &records);
    if (status == NBSTAGE_OK)
        status = context_allocate(cursor->context, added,
                                  sizeof *nodes->vertices, &nodes->vertices);
    if (status != NBSTAGE_OK)
        return status;
    nodes->vertex_count = added;
    for (size_t i = 0; i < added; i++, records += 2 * sizeof(int32_t))
        nodes->vertices[i] = (struct nbstage_vertex){
            bytes_get_i32(records), bytes_get_i32(records + 4)};
    return NBSTAGE_OK;
}

// Reads where the subsectors' lengths are and adds them up.
static nbstage_status read_subsectors(struct cursor *cursor,
                                      const unsigned char **lengths,
                                      uint32_t *count, uint64_t *total)
{
    cursor->part = "subsectors";
    nbstage_status status = take_number(cursor, count);
    if (status == NBSTAGE_OK)
        status = take_records(cursor, *count, sizeof(uint32_t), lengths);
    if (status != NBSTAGE_OK)
        return status;
    *total = 0;
    for (uint32_t i = 0; i < *count; i++)
        *total += bytes_get_u32(*lengths + i * sizeof(uint32_t));
    return NBSTAGE_OK;
}

static nbstage_status check_seg(struct context *context, const char *lump_name,
                                const struct map *map,
                                const struct nodes *nodes, size_t index)
{
    const struct nodes_seg *seg = &nodes->segs[index];
    uint64_t vertex_count = (uint64_t)map->vertex_count + nodes->vertex_count;
    if (seg->v1 >= vertex_count || seg->v2 >= vertex_count)
        return context_fail(
            context, NBSTAGE_BAD_MAP, lump_name,
            "seg %zu refers to vertex %lu, which does not exist; there are "
            "%llu",
            index, (unsigned long)(seg->v1 >= vertex_count ? seg->v1 : seg->v2),
            (unsigned long long)vertex_count);
    if (seg->linedef != NODES_NO_LINEDEF && seg->linedef >= map->line_count)
        return context_fail(
            context, NBSTAGE_BAD_MAP, lump_name,
            "seg %zu refers to linedef %lu, which does not exist; there are "
            "%zu",
            index, (unsigned long)seg->linedef, map->line_count);
    return NBSTAGE_OK;
}

static nbstage_status check_segs(struct context *context, const struct map *map,
                                 const struct nodes *nodes)
{
    nbstage_status status = NBSTAGE_OK;
    for (size_t i = 0; i < nodes->seg_count && status == NBSTAGE_OK; i++)
        status = check_seg(context, nodes->lump_name, map, nodes, i);
    return status;
}

static uint32_t get_linedef(const unsigned char *bytes, size_t size)
{
    if (size == sizeof(uint32_t))
        return bytes_get_u32(bytes);
    uint16_t linedef = bytes_get_u16(bytes);
    return linedef == UINT16_MAX ? NODES_NO_LINEDEF : linedef;
}

// In the GL forms a seg ends where the next of its subsector starts, and the
// last where the first does.
static void close_subsectors(const unsigned char *lengths, uint32_t count,
                             struct nodes_seg *segs)
{
    size_t first = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = bytes_get_u32(lengths + i * sizeof(uint32_t));
        for (uint32_t s = 0; s < length; s++)
            segs[first + s].v2 = segs[first + (s + 1) % length].v1;
        first += length;
    }
}

static nbstage_status read_segs(struct cursor *cursor, const struct form *form,
                                uint64_t expected, struct nodes *nodes)
{
    uint32_t count;
    const unsigned char *record;
    size_t record_size = SEG_VERTICES_SIZE + form->linedef_size + SIDE_SIZE;
    cursor->part = "segs";
    nbstage_status status = take_number(cursor, &count);
    if (status == NBSTAGE_OK && count != expected)
        status =
            context_fail(cursor->context, NBSTAGE_BAD_MAP, cursor->lump_name,
                         "the extended nodes have %lu segs, but their "
                         "subsectors have %llu",
                         (unsigned long)count, (unsigned long long)expected);
    if (status == NBSTAGE_OK)
        status = take_records(cursor, count, record_size, &record);
    if (status == NBSTAGE_OK)
        status = context_allocate(cursor->context, count, sizeof *nodes->segs,
                                  &nodes->segs);
    if (status != NBSTAGE_OK)
        return status;
    nodes->seg_count = count;
    for (size_t i = 0; i < count; i++, record += record_size)
        nodes->segs[i] = (struct nodes_seg){
            bytes_get_u32(record),
            bytes_get_u32(record + 4), // the partner in the GL forms
            get_linedef(record + SEG_VERTICES_SIZE, form->linedef_size)};
    return NBSTAGE_OK;
}

// The nodes are of no use here, but have to be there, and nothing after them.
static nbstage_status pass_nodes(struct cursor *cursor, const struct form *form)
{
    uint32_t count;
    const unsigned char *records;
    cursor->part = "nodes";
    nbstage_status status = take_number(cursor, &count);
    if (status == NBSTAGE_OK)
        status = take_records(cursor, count, form->node_size, &records);
    if (status == NBSTAGE_OK && bytes_left(cursor) > 0)
        status =
            context_fail(cursor->context, NBSTAGE_BAD_MAP, cursor->lump_name,
                         "%zu bytes follow the %lu nodes; none were "
                         "expected",
                         bytes_left(cursor), (unsigned long)count);
    return status;
}

static nbstage_status read_parts(struct cursor *cursor, const struct map *map,
                                 const struct form *form, struct nodes *nodes)
{
    const unsigned char *lengths = NULL;
    uint32_t subsector_count = 0;
    uint64_t seg_count = 0;
    nbstage_status status = read_vertices(cursor, map, nodes);
    if (status == NBSTAGE_OK)
        status =
            read_subsectors(cursor, &lengths, &subsector_count, &seg_count);
    if (status == NBSTAGE_OK)
        status = read_segs(cursor, form, seg_count, nodes);
    if (status == NBSTAGE_OK)
        status = pass_nodes(cursor, form);
    if (status == NBSTAGE_OK && form->gl)
        close_subsectors(lengths, subsector_count, nodes->segs);
    if (status == NBSTAGE_OK)
        status = check_segs(cursor->context, map, nodes);
    return status;
}

static nbstage_status read_extended(struct context *context,
                                    const struct map *map,
                                    const struct map_bytes *lump,
                                    const struct form *form,
                                    struct nodes *nodes)
{
    struct cursor cursor = {.context = context,
                            .lump_name = nodes->lump_name,
                            .at = lump->bytes + SIGNATURE_SIZE,
                            .end = lump->bytes + lump->size};
    unsigned char *inflated = NULL;
    if (lump->bytes[0] == 'Z') {
        size_t size;
        nbstage_status status = inflate_bytes(
            context, nodes->lump_name, NBSTAGE_ZLIB, cursor.at,
            bytes_left(&cursor), map->inflate_limit, &inflated, &size);
        if (status != NBSTAGE_OK)
            return status;
        cursor.at = inflated;
        cursor.end = inflated + size;
    }
    nbstage_status status = read_parts(&cursor, map, form, nodes);
    context_release(context, inflated);
    return status;
}

// ---------------------------------------------------------------------------
// Segs in a lump of their own

static const unsigned char deep_signature[] = "xNd4\0\0\0";

static bool is_deep(const struct map_bytes *nodes)
{
    return nodes->size >= sizeof deep_signature &&
           memcmp(nodes->bytes, deep_signature, sizeof deep_signature) == 0;
}

// DeePBSPV4: i32 v1, v2; u16 angle, linedef; i16 side; u16 offset.
// Vanilla: u16 v1, v2; i16 angle; u16 linedef; i16 side, offset.
enum { DEEP_SEG_SIZE = 16, VANILLA_SEG_SIZE = 12 };

static struct nodes_seg get_seg(const unsigned char *record, bool deep)
{
    if (deep)
        return (struct nodes_seg){bytes_get_u32(record),
                                  bytes_get_u32(record + 4),
                                  get_linedef(record + 10, 2)};
    return (struct nodes_seg){bytes_get_u16(record), bytes_get_u16(record + 2),
                              get_linedef(record + 6, 2)};
}

static nbstage_status read_seg_lump(struct context *context,
                                    const struct map *map,
                                    const struct map_bytes *lump, bool deep,
                                    struct nodes *nodes)
{
    size_t record_size = deep ? DEEP_SEG_SIZE : VANILLA_SEG_SIZE;
    nodes->lump_name = "SEGS";
    if (lump->size % record_size != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, nodes->lump_name,
                            "%zu bytes end inside seg %zu; a multiple of %zu "
                            "was expected",
                            lump->size, lump->size / record_size, record_size);
    nodes->seg_count = lump->size / record_size;
    nbstage_status status = context_allocate(context, nodes->seg_count,
                                             sizeof *nodes->segs, &nodes->segs);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < nodes->seg_count; i++)
        nodes->segs[i] = get_seg(lump->bytes + i * record_size, deep);
    return check_segs(context, map, nodes);
}

// ---------------------------------------------------------------------------

enum { NODE_LUMPS = MAP_SEGS + 1 };

static nbstage_status find_and_read(struct context *context, struct map *map,
                                    enum nodes_need need, struct nodes *nodes)
{
    static const enum map_lump places[] = {MAP_ZNODES, MAP_NODES, MAP_SSECTORS};
    struct map_bytes lumps[NODE_LUMPS] = {{NULL, 0}};
    for (int i = 0; i < NODE_LUMPS; i++) {
        if (i == MAP_SEGS && need == NODES_VERTICES)
            continue;
        nbstage_status status =
            map_open_lump(context, map, (enum map_lump)i, &lumps[i]);
        if (status != NBSTAGE_OK)
            return status;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const struct form *form = find_form(&lumps[places[i]]);
        if (!form)
            continue;
        nodes->lump_name = map->lumps[places[i]].name;
        return read_extended(context, map, &lumps[places[i]], form, nodes);
    }
    if (need == NODES_VERTICES)
        return NBSTAGE_OK;
    return read_seg_lump(context, map, &lumps[MAP_SEGS],
                         is_deep(&lumps[MAP_NODES]), nodes);
}

nbstage_status nodes_read(struct context *context, struct map *map,
                          enum nodes_need need, struct nodes *nodes)
{
    *nodes = (struct nodes){0};
    nbstage_status status = find_and_read(context, map, need, nodes);
    if (status != NBSTAGE_OK)
        nodes_free(context, nodes);
    return status;
}

void nodes_free(struct context *context, struct nodes *nodes)
{
    context_release(context, nodes->vertices);
    context_release(context, nodes->segs);
    *nodes = (struct nodes){0};
}
