// SPDX-License-Identifier: GPL-2.0-or-later
//
// All extended forms have the same parts in the same order: vertices,
// subsectors, segs, nodes.  A table tells the width of the fields that differ.
// A cursor reads the parts.  It never passes the end, and it knows which part
// it is in, so that a sentence can tell what is damaged.  After the first
// failure it reads nothing more.

#include "map/nodes.h"

#include "base/bytes.h"

#include <stdbool.h>
#include <string.h>

// ---------------------------------------------------------------------------
// The forms

// Places and sizes are in bytes.  A seg begins with its two vertices.
struct nodes_form {
    const char *signature; // plain; compressed ones begin with Z
    bool gl;               // segs have a partner and end where the next starts
    size_t vertex_size;    // of their numbers
    size_t linedef_at, linedef_size; // in a seg
    size_t seg_size;
    size_t node_size;
};

static const struct nodes_form nodes_forms[] = {
    {"XNOD", false, 4, 8, 2, 11, 32},
    {"XGLN", true, 4, 8, 2, 11, 32},
    {"XGL2", true, 4, 8, 4, 13, 32},
    {"XGL3", true, 4, 8, 4, 13, 40},
    // Of these the segs are in SEGS.
    {"xNd4\0\0\0", false, 4, 10, 2, 16, 0},
    {"", false, 2, 6, 2, 12, 0},
};

enum { NODES_EXTENDED_COUNT = 4, NODES_DEEP = 4, NODES_VANILLA = 5 };

enum { NODES_SIGNATURE_SIZE = 4, NODES_DEEP_SIGNATURE_SIZE = 8 };

// Finds the form by a signature whose first letter is X or Z.
static const struct nodes_form *nodes_find_form(const struct map_bytes *lump)
{
    if (lump->size < NODES_SIGNATURE_SIZE ||
        (lump->bytes[0] != 'X' && lump->bytes[0] != 'Z'))
        return NULL;
    for (size_t i = 0; i < NODES_EXTENDED_COUNT; i++)
        if (memcmp(lump->bytes + 1, nodes_forms[i].signature + 1,
                   NODES_SIGNATURE_SIZE - 1) == 0)
            return &nodes_forms[i];
    return NULL;
}

// ---------------------------------------------------------------------------
// Segs

static nbstage_status nodes_check_segs(struct context *context,
                                       const struct map *map,
                                       const struct nodes *nodes)
{
    const uint64_t vertex_count =
        (uint64_t)map->vertex_count + nodes->vertex_count;
    for (size_t i = 0; i < nodes->seg_count; i++) {
        const struct nodes_seg *seg = &nodes->segs[i];
        const uint32_t vertex = seg->v1 >= vertex_count ? seg->v1 : seg->v2;
        const bool has_vertices = vertex < vertex_count;
        if (!has_vertices || (seg->linedef != NODES_NO_LINEDEF &&
                              seg->linedef >= map->line_count))
            return context_fail(
                context, NBSTAGE_BAD_MAP, nodes->lump_name,
                "seg %zu refers to %s %lu, which does not exist; there are "
                "%llu",
                i, has_vertices ? "linedef" : "vertex",
                (unsigned long)(has_vertices ? seg->linedef : vertex),
                (unsigned long long)(has_vertices ? map->line_count
                                                  : vertex_count));
    }
    return NBSTAGE_OK;
}

static uint32_t nodes_get(const unsigned char *at, size_t size)
{
    return size == sizeof(uint32_t) ? bytes_get_u32(at) : bytes_get_u16(at);
}

// Reads `count` segs.  In the GL forms v2 is the partner yet.
static nbstage_status nodes_read_segs(struct context *context,
                                      const struct nodes_form *form,
                                      const unsigned char *record, size_t count,
                                      struct nodes *nodes)
{
    const size_t width = form->vertex_size;
    nbstage_status status =
        context_allocate(context, count, sizeof *nodes->segs, &nodes->segs);
    if (status != NBSTAGE_OK)
        return status;
    nodes->seg_count = count;
    for (size_t i = 0; i < count; i++, record += form->seg_size) {
        const uint32_t linedef =
            nodes_get(record + form->linedef_at, form->linedef_size);
        const bool has_none = form->linedef_size == 2 && linedef == UINT16_MAX;
        nodes->segs[i] = (struct nodes_seg){
            nodes_get(record, width), nodes_get(record + width, width),
            has_none ? NODES_NO_LINEDEF : linedef};
    }
    return NBSTAGE_OK;
}

// Reads the lump of vanilla segs or those of DeePBSPV4.
static nbstage_status nodes_read_seg_lump(struct context *context,
                                          const struct map_bytes lumps[],
                                          struct nodes *nodes)
{
    const struct map_bytes *lump = &lumps[MAP_SEGS];
    const struct map_bytes *sign = &lumps[MAP_NODES];
    const bool is_deep = sign->size >= NODES_DEEP_SIGNATURE_SIZE &&
                         memcmp(sign->bytes, nodes_forms[NODES_DEEP].signature,
                                NODES_DEEP_SIGNATURE_SIZE) == 0;
    const struct nodes_form *form =
        &nodes_forms[is_deep ? NODES_DEEP : NODES_VANILLA];
    nodes->lump_name = "SEGS";
    if (lump->size % form->seg_size != 0)
        return context_fail(
            context, NBSTAGE_BAD_MAP, nodes->lump_name,
            "%zu bytes end inside seg %zu; a multiple of %zu was expected",
            lump->size, lump->size / form->seg_size, form->seg_size);
    return nodes_read_segs(context, form, lump->bytes,
                           lump->size / form->seg_size, nodes);
}

// ---------------------------------------------------------------------------
// The cursor

struct nodes_cursor {
    struct context *context;
    const char *lump_name;
    const char *part; // "vertices", ...
    const unsigned char *at;
    size_t left;           // bytes
    nbstage_status status; // of all that has been read
};

// Passes `count` records and returns the first; NULL after a failure.
static const unsigned char *nodes_take_records(struct nodes_cursor *cursor,
                                               uint32_t count,
                                               size_t record_size)
{
    const unsigned char *records = cursor->at;
    if (cursor->status == NBSTAGE_OK && cursor->left / record_size < count)
        cursor->status = context_fail(
            cursor->context, NBSTAGE_BAD_MAP, cursor->lump_name,
            "the extended nodes are cut off: %lu %s of %zu bytes were "
            "expected, but only %zu bytes are left",
            (unsigned long)count, cursor->part, record_size, cursor->left);
    if (cursor->status != NBSTAGE_OK)
        return NULL;
    cursor->at += count * record_size;
    cursor->left -= count * record_size;
    return records;
}

// Takes the number that a part begins with; 0 after a failure.
static uint32_t nodes_take_number(struct nodes_cursor *cursor, const char *part)
{
    cursor->part = part;
    const unsigned char *number =
        nodes_take_records(cursor, 1, sizeof(uint32_t));
    return number ? bytes_get_u32(number) : 0;
}

// ---------------------------------------------------------------------------
// The parts

static void nodes_read_vertices(struct nodes_cursor *cursor,
                                const struct map *map, struct nodes *nodes)
{
    const uint32_t original = nodes_take_number(cursor, "vertices");
    const uint32_t added = nodes_take_number(cursor, "vertices");
    if (cursor->status == NBSTAGE_OK && original != map->vertex_count)
        cursor->status =
            context_fail(cursor->context, NBSTAGE_BAD_MAP, cursor->lump_name,
                         "the extended nodes were built for %lu vertices, but "
                         "the map has %zu",
                         (unsigned long)original, map->vertex_count);
    const unsigned char *record =
        nodes_take_records(cursor, added, sizeof *nodes->vertices);
    if (record)
        cursor->status = context_allocate(
            cursor->context, added, sizeof *nodes->vertices, &nodes->vertices);
    if (cursor->status != NBSTAGE_OK)
        return;
    nodes->vertex_count = added;
    for (size_t i = 0; i < added; i++, record += sizeof *nodes->vertices)
        nodes->vertices[i] = (struct map_vertex){
            (int32_t)bytes_get_u32(record), (int32_t)bytes_get_u32(record + 4)};
}

// In the GL forms a seg ends where the next of its subsector starts, and the
// last where the first does.
static void nodes_close_subsectors(const unsigned char *lengths, uint32_t count,
                                   struct nodes_seg *segs)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t length = bytes_get_u32(lengths + i * sizeof(uint32_t));
        for (uint32_t s = 0; s < length; s++)
            segs[s].v2 = segs[(s + 1) % length].v1;
        segs += length;
    }
}

// Reads subsectors, which are the counts of their segs, and segs.
static void nodes_read_subsectors(struct nodes_cursor *cursor,
                                  const struct nodes_form *form,
                                  struct nodes *nodes)
{
    uint64_t expected = 0;
    const uint32_t subsector_count = nodes_take_number(cursor, "subsectors");
    const unsigned char *lengths =
        nodes_take_records(cursor, subsector_count, sizeof(uint32_t));
    for (uint32_t i = 0; lengths && i < subsector_count; i++)
        expected += bytes_get_u32(lengths + i * sizeof(uint32_t));
    const uint32_t count = nodes_take_number(cursor, "segs");
    if (cursor->status == NBSTAGE_OK && count != expected)
        cursor->status =
            context_fail(cursor->context, NBSTAGE_BAD_MAP, cursor->lump_name,
                         "the extended nodes have %lu segs, but their "
                         "subsectors have %llu",
                         (unsigned long)count, (unsigned long long)expected);
    const unsigned char *segs =
        nodes_take_records(cursor, count, form->seg_size);
    if (segs)
        cursor->status =
            nodes_read_segs(cursor->context, form, segs, count, nodes);
    if (cursor->status == NBSTAGE_OK && form->gl)
        nodes_close_subsectors(lengths, subsector_count, nodes->segs);
}

static nbstage_status nodes_read_extended(struct context *context,
                                          const struct map *map,
                                          const struct map_bytes *lump,
                                          const struct nodes_form *form,
                                          struct nodes *nodes)
{
    struct nodes_cursor cursor = {.context = context,
                                  .lump_name = nodes->lump_name,
                                  .at = lump->bytes + NODES_SIGNATURE_SIZE,
                                  .left = lump->size - NODES_SIGNATURE_SIZE};
    unsigned char *inflated = NULL;
    if (lump->bytes[0] == 'Z') {
        cursor.status =
            inflate_bytes(context, nodes->lump_name, NBSTAGE_ZLIB, cursor.at,
                          cursor.left, &inflated, &cursor.left);
        cursor.at = inflated;
    }
    nodes_read_vertices(&cursor, map, nodes);
    nodes_read_subsectors(&cursor, form, nodes);
    // Nodes are not used, but they must be there, and nothing after them.
    const uint32_t count = nodes_take_number(&cursor, "nodes");
    nodes_take_records(&cursor, count, form->node_size);
    if (cursor.status == NBSTAGE_OK && cursor.left > 0)
        cursor.status =
            context_fail(context, NBSTAGE_BAD_MAP, nodes->lump_name,
                         "%zu bytes follow the %lu nodes; none were expected",
                         cursor.left, (unsigned long)count);
    context_release(context, inflated);
    return cursor.status;
}

nbstage_status nodes_read(struct context *context, struct map *map,
                          enum nodes_need need, struct nodes *nodes)
{
    struct map_bytes lumps[MAP_SEGS + 1] = {{NULL, 0}};
    const struct nodes_form *form = NULL;
    nbstage_status status = NBSTAGE_OK;
    *nodes = (struct nodes){.were_read = true};
    for (int i = MAP_ZNODES;
         i < MAP_SEGS + (need == NODES_SEGS) && status == NBSTAGE_OK; i++)
        status = map_open_lump(context, map, (enum map_lump)i, &lumps[i]);
    for (int i = MAP_ZNODES; i < MAP_SEGS && status == NBSTAGE_OK && !form;
         i++) {
        form = nodes_find_form(&lumps[i]);
        nodes->lump_name = map->lumps[i].name;
        if (form)
            status = nodes_read_extended(context, map, &lumps[i], form, nodes);
    }
    if (status == NBSTAGE_OK && !form && need == NODES_SEGS)
        status = nodes_read_seg_lump(context, lumps, nodes);
    if (status == NBSTAGE_OK)
        status = nodes_check_segs(context, map, nodes);
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
