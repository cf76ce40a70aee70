// SPDX-License-Identifier: GPL-2.0-or-later
//
// All extended forms have the same parts in the same order: vertices,
// subsectors, segs, nodes.  A table has the layout of a seg, which differs.
// The reader never passes the end, and it knows which part it is in, so that a
// sentence can tell what is damaged.  After the first failure it reads nothing
// more.

#include "map/nodes.h"

#include <stdbool.h>
#include <string.h>

static const struct nodes_form {
    char signature[5]; // plain; compressed ones begin with Z
    bool gl;           // segs have a partner and end where the next starts
    // Layouts.  A seg begins with two vertices and the linedef.
    const char *seg, *node;
} nodes_forms[] = {
    {"XNOD", false, "IIH01x", "32x"},
    {"XGLN", true, "IIH01x", "32x"},
    {"XGL2", true, "III01x", "32x"},
    {"XGL3", true, "III01x", "40x"},
};

enum { NODES_SIGNATURE_SIZE = 4 };

// Finds the form by a signature whose first letter is X or Z.
static const struct nodes_form *nodes_find_form(const struct map_bytes *lump)
{
    if (lump->size < NODES_SIGNATURE_SIZE ||
        (lump->bytes[0] != 'X' && lump->bytes[0] != 'Z'))
        return NULL;
    for (size_t i = 0; i < sizeof nodes_forms / sizeof *nodes_forms; i++)
        if (memcmp(lump->bytes + 1, nodes_forms[i].signature + 1,
                   NODES_SIGNATURE_SIZE - 1) == 0)
            return &nodes_forms[i];
    return NULL;
}

struct nodes_reader {
    struct context *context;
    const struct map *map;
    struct nodes *nodes;
    const char *part; // "vertices", ...
    const unsigned char *at;
    size_t left;           // bytes
    nbstage_status status; // of all that has been read
};

// Passes `count` records and describes them; false after a failure.
static bool nodes_take(struct nodes_reader *reader, uint32_t count,
                       const char *layout, struct array *records)
{
    const size_t size = array_describe(layout, records);
    if (reader->status == NBSTAGE_OK && reader->left / size < count)
        reader->status = context_fail(
            reader->context, NBSTAGE_BAD_MAP, reader->nodes->lump_name,
            "the extended nodes are cut off: %lu %s of %zu bytes were "
            "expected, but only %zu bytes are left",
            (unsigned long)count, reader->part, size, reader->left);
    if (reader->status != NBSTAGE_OK)
        return false;
    records->of.data = reader->at;
    records->of.count = count;
    reader->at += count * size;
    reader->left -= count * size;
    return true;
}

// Takes the number that a part begins with; 0 after a failure.
static uint32_t nodes_take_number(struct nodes_reader *reader, const char *part)
{
    struct array number;
    reader->part = part;
    return nodes_take(reader, 1, "I", &number) ? array_get_number(&number, 0, 0)
                                               : 0;
}

// ---------------------------------------------------------------------------
// The parts

static void nodes_read_vertices(struct nodes_reader *reader)
{
    struct nodes *nodes = reader->nodes;
    struct array records;
    const uint32_t original = nodes_take_number(reader, "vertices");
    const uint32_t added = nodes_take_number(reader, "vertices");
    if (reader->status == NBSTAGE_OK && original != reader->map->vertex_count)
        reader->status = context_fail(
            reader->context, NBSTAGE_BAD_MAP, nodes->lump_name,
            "the extended nodes were built for %lu vertices, but the map has "
            "%zu",
            (unsigned long)original, reader->map->vertex_count);
    if (nodes_take(reader, added, "ff", &records))
        reader->status = context_allocate(
            reader->context, added, sizeof *nodes->vertices, &nodes->vertices);
    if (reader->status != NBSTAGE_OK || added == 0)
        return;
    nodes->vertex_count = added;
    array_read_numbers(&records, 0, UINT32_MAX, (uint32_t *)&nodes->vertices->x,
                       sizeof *nodes->vertices);
    array_read_numbers(&records, 1, UINT32_MAX, (uint32_t *)&nodes->vertices->y,
                       sizeof *nodes->vertices);
}

// In the GL forms v2 is still the partner.
static void nodes_read_segs(struct nodes_reader *reader,
                            const struct array *records)
{
    struct nodes_seg *segs;
    reader->status = context_allocate(reader->context, records->of.count,
                                      sizeof *segs, &segs);
    reader->nodes->segs = segs;
    if (!segs)
        return;
    reader->nodes->seg_count = records->of.count;
    array_read_numbers(records, 0, UINT32_MAX, &segs->v1, sizeof *segs);
    array_read_numbers(records, 1, UINT32_MAX, &segs->v2, sizeof *segs);
    array_read_references(records, 2, &segs->linedef, sizeof *segs);
}

// In the GL forms a seg ends where the next of its subsector starts, and the
// last where the first does.
static void nodes_close_subsectors(const struct array *lengths,
                                   struct nodes_seg *segs)
{
    for (size_t i = 0; i < lengths->of.count; i++) {
        const uint32_t length = array_get_number(lengths, 0, i);
        for (uint32_t s = 0; s < length; s++)
            segs[s].v2 = segs[(s + 1) % length].v1;
        segs += length;
    }
}

// Reads subsectors, which are the counts of their segs, and segs.
static void nodes_read_subsectors(struct nodes_reader *reader,
                                  const struct nodes_form *form)
{
    struct array lengths, segs;
    uint64_t expected = 0;
    uint32_t count = nodes_take_number(reader, "subsectors");
    if (nodes_take(reader, count, "I", &lengths))
        for (size_t i = 0; i < count; i++)
            expected += array_get_number(&lengths, 0, i);
    count = nodes_take_number(reader, "segs");
    if (reader->status == NBSTAGE_OK && count != expected)
        reader->status = context_fail(
            reader->context, NBSTAGE_BAD_MAP, reader->nodes->lump_name,
            "the extended nodes have %lu segs, but their subsectors have %llu",
            (unsigned long)count, (unsigned long long)expected);
    if (nodes_take(reader, count, form->seg, &segs))
        nodes_read_segs(reader, &segs);
    if (reader->status == NBSTAGE_OK && form->gl)
        nodes_close_subsectors(&lengths, reader->nodes->segs);
}

// Reads a lump of extended nodes.
static void nodes_read_extended(struct nodes_reader *reader,
                                const struct map_bytes *lump,
                                const struct nodes_form *form)
{
    unsigned char *inflated = NULL;
    reader->at = lump->bytes + NODES_SIGNATURE_SIZE;
    reader->left = lump->size - NODES_SIGNATURE_SIZE;
    if (lump->bytes[0] == 'Z') {
        reader->status = inflate_bytes(
            reader->context, reader->nodes->lump_name, NBSTAGE_ZLIB, reader->at,
            reader->left, &inflated, &reader->left);
        reader->at = inflated;
    }
    nodes_read_vertices(reader);
    nodes_read_subsectors(reader, form);
    // Nodes are not used, but they must be there, and nothing after them.
    const uint32_t count = nodes_take_number(reader, "nodes");
    struct array nodes;
    nodes_take(reader, count, form->node, &nodes);
    if (reader->status == NBSTAGE_OK && reader->left > 0)
        reader->status = context_fail(
            reader->context, NBSTAGE_BAD_MAP, reader->nodes->lump_name,
            "%zu bytes follow the %lu nodes; none were expected", reader->left,
            (unsigned long)count);
    context_release(reader->context, inflated);
}

// Reads the lump of vanilla segs or those of DeePBSPV4.
static void nodes_read_seg_lump(struct nodes_reader *reader,
                                const struct map_bytes lumps[])
{
    static const char deep[8] = "xNd4";
    const struct map_bytes *lump = &lumps[MAP_SEGS];
    const struct map_bytes *sign = &lumps[MAP_NODES];
    const bool is_deep = sign->size >= sizeof deep &&
                         memcmp(sign->bytes, deep, sizeof deep) == 0;
    struct array segs;
    const size_t size =
        array_describe(is_deep ? "II02xH04x" : "HH02xH04x", &segs);
    reader->nodes->lump_name = "SEGS";
    segs.of.data = lump->bytes;
    segs.of.count = lump->size / size;
    if (lump->size % size == 0)
        nodes_read_segs(reader, &segs);
    else
        reader->status = context_fail(
            reader->context, NBSTAGE_BAD_MAP, "SEGS",
            "%zu bytes end inside seg %zu; a multiple of %zu was expected",
            lump->size, lump->size / size, size);
}

// ---------------------------------------------------------------------------
// All of them

static void nodes_check_segs(struct nodes_reader *reader)
{
    const struct map *map = reader->map;
    const struct nodes *nodes = reader->nodes;
    const uint64_t vertex_count =
        (uint64_t)map->vertex_count + nodes->vertex_count;
    for (size_t i = 0; i < nodes->seg_count; i++) {
        const struct nodes_seg *seg = &nodes->segs[i];
        const uint32_t vertex = seg->v1 >= vertex_count ? seg->v1 : seg->v2;
        const bool has_vertices = vertex < vertex_count;
        if (has_vertices && (seg->linedef == NODES_NO_LINEDEF ||
                             seg->linedef < map->line_count))
            continue;
        reader->status = context_fail(
            reader->context, NBSTAGE_BAD_MAP, nodes->lump_name,
            "seg %zu refers to %s %lu, which does not exist; there are %llu", i,
            has_vertices ? "linedef" : "vertex",
            (unsigned long)(has_vertices ? seg->linedef : vertex),
            (unsigned long long)(has_vertices ? map->line_count
                                              : vertex_count));
        return;
    }
}

nbstage_status nodes_read(struct context *context, struct map *map,
                          enum nodes_need need, struct nodes *nodes)
{
    struct nodes_reader reader = {
        .context = context, .map = map, .nodes = nodes};
    struct map_bytes lumps[MAP_SEGS + 1] = {{NULL, 0}};
    const struct nodes_form *form = NULL;
    const int end = need == NODES_SEGS ? MAP_SEGS + 1 : MAP_SEGS;
    *nodes = (struct nodes){.were_read = true};
    for (int i = MAP_ZNODES; i < end && reader.status == NBSTAGE_OK; i++)
        reader.status =
            map_open_lump(context, map, (enum map_lump)i, &lumps[i]);
    for (int i = MAP_ZNODES;
         i < MAP_SEGS && reader.status == NBSTAGE_OK && !form; i++) {
        form = nodes_find_form(&lumps[i]);
        nodes->lump_name = map->lumps[i].name;
        if (form)
            nodes_read_extended(&reader, &lumps[i], form);
    }
    if (reader.status == NBSTAGE_OK && !form && need == NODES_SEGS)
        nodes_read_seg_lump(&reader, lumps);
    if (reader.status == NBSTAGE_OK)
        nodes_check_segs(&reader);
    if (reader.status != NBSTAGE_OK)
        nodes_free(context, nodes);
    return reader.status;
}

void nodes_free(struct context *context, struct nodes *nodes)
{
    context_release(context, nodes->vertices);
    context_release(context, nodes->segs);
    *nodes = (struct nodes){0};
}
