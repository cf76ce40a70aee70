// SPDX-License-Identifier: GPL-2.0-or-later
//
// All extended forms have the same parts in the same order; a table has the
// layouts of those that differ.  Whatever the form, its parts are found and
// described first.  Then all that is kept of them is read.

#include "map/nodes.h"

#include "base/macros.h"

#include <string.h>

static const struct nodes_form {
    char signature[5]; // plain; compressed ones begin with Z
    bool gl;           // segs have a partner and end where the next starts
    // Layouts.  A seg begins with two vertices and the linedef.
    const char *seg, *node;
} nodes_forms[] = {
    {"XNOD", false, "IIH1", "22228844"},
    {"XGLN", true, "IIH1", "22228844"},
    {"XGL2", true, "III1", "22228844"},
    {"XGL3", true, "III1", "44448844"},
};

enum { NODES_SIGNATURE_SIZE = 4 };

// The parts of extended nodes: counts of what follows.  The map's own vertices
// are counted, but do not follow.
enum nodes_part {
    NODES_ORIGINAL_COUNT,
    NODES_ADDED_COUNT,
    NODES_ADDED,
    NODES_SUBSECTOR_COUNT,
    NODES_LENGTHS, // of subsectors, in segs
    NODES_SEG_COUNT,
    NODES_OF_SEGS,
    NODES_COUNT,
    NODES_UNUSED,
    NODES_PART_COUNT
};

// Finds the form by a signature whose first letter is X or Z.
static const struct nodes_form *nodes_find_form(const struct nbstage_lump *lump)
{
    const char *sign = lump->data;
    if (lump->data_size < NODES_SIGNATURE_SIZE ||
        (*sign != 'X' && *sign != 'Z'))
        return NULL;
    for (size_t i = 0; i < COUNT(nodes_forms); i++)
        if (memcmp(sign + 1, nodes_forms[i].signature + 1,
                   NODES_SIGNATURE_SIZE - 1) == 0)
            return &nodes_forms[i];
    return NULL;
}

// Finds the parts of extended nodes behind their signature, and never passes
// the end.  Nodes are not used, but they must be there, and nothing after them.
static nbstage_status nodes_find_parts(struct context *context,
                                       const struct map *map,
                                       const struct nodes_form *form,
                                       const struct nbstage_lump *lump,
                                       struct array parts[NODES_PART_COUNT])
{
    const struct {
        const char *name, *layout; // NULL for a count
    } forms[NODES_PART_COUNT] = {
        {"vertices", NULL},   {"vertices", NULL},  {"vertices", "ff"},
        {"subsectors", NULL}, {"subsectors", "I"}, {"segs", NULL},
        {"segs", form->seg},  {"nodes", NULL},     {"nodes", form->node}};
    const unsigned char *at = lump->data;
    size_t left = lump->data_size;
    uint32_t numbers[NODES_PART_COUNT] = {0};
    uint64_t seg_count = 0;
    for (int i = 0; i < NODES_PART_COUNT; i++) {
        const char *layout = forms[i].layout;
        const uint32_t count = layout ? numbers[i - 1] : 1;
        const size_t size = array_describe(layout ? layout : "I", &parts[i]);
        if (left / size < count)
            return context_fail(
                context, NBSTAGE_BAD_MAP, lump->name,
                "the extended nodes are cut off: %lu %s of %zu bytes were "
                "expected, but only %zu bytes are left",
                (unsigned long)count, forms[i].name, size, left);
        parts[i].of.data = at;
        parts[i].of.count = count;
        at += count * size;
        left -= count * size;
        if (!layout)
            numbers[i] = array_get_number(&parts[i], 0, 0);
        if (i == NODES_ADDED_COUNT &&
            numbers[NODES_ORIGINAL_COUNT] != map->vertex_count)
            return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                                "the extended nodes were built for %lu "
                                "vertices, but the map has %zu",
                                (unsigned long)numbers[NODES_ORIGINAL_COUNT],
                                map->vertex_count);
        for (size_t k = 0; i == NODES_LENGTHS && k < count; k++)
            seg_count += array_get_number(&parts[i], 0, k);
        if (i == NODES_SEG_COUNT && numbers[i] != seg_count)
            return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                                "the extended nodes have %lu segs, but their "
                                "subsectors have %llu",
                                (unsigned long)numbers[i],
                                (unsigned long long)seg_count);
    }
    return left == 0 ? NBSTAGE_OK
                     : context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                                    "%zu bytes follow the %lu nodes; none were "
                                    "expected",
                                    left, (unsigned long)numbers[NODES_COUNT]);
}

// Describes the segs of the lump that vanilla engines read, or DeePBSPV4's.
static nbstage_status nodes_find_segs(struct context *context,
                                      const struct map *map, struct array *segs)
{
    static const char deep[8] = "xNd4";
    const struct nbstage_lump *lump = &map->lumps[MAP_SEGS];
    const struct nbstage_lump *sign = &map->lumps[MAP_NODES];
    const bool is_deep = sign->data_size >= sizeof deep &&
                         memcmp(sign->data, deep, sizeof deep) == 0;
    const size_t size = array_describe(is_deep ? "II2H22" : "HH2H22", segs);
    segs->of.data = lump->data;
    segs->of.count = lump->data_size / size;
    if (lump->data_size % size == 0)
        return NBSTAGE_OK;
    return context_fail(context, NBSTAGE_BAD_MAP, "SEGS",
                        "%zu bytes end inside seg %zu; a multiple of %zu was "
                        "expected",
                        lump->data_size, segs->of.count, size);
}

// Puts added vertices behind the map's own, unless they are there.
static nbstage_status nodes_add_vertices(struct context *context,
                                         const struct array *added,
                                         struct map *map)
{
    struct map_vertex *vertices;
    if (added->of.count == 0 || map->added_count > 0)
        return NBSTAGE_OK;
    nbstage_status status =
        context_allocate(context, (uint64_t)map->vertex_count + added->of.count,
                         sizeof *vertices, &vertices);
    if (status != NBSTAGE_OK)
        return status;
    for (size_t i = 0; i < map->vertex_count; i++)
        map_get_vertex(&map->vertices, i, &vertices[i]);
    array_read_pairs(added, true, vertices + map->vertex_count);
    map->vertices = (struct map_pairs){(const unsigned char *)vertices,
                                       sizeof *vertices, NBSTAGE_FIXED};
    map->added_count = added->of.count;
    map->owned[map->owned_count++] = vertices;
    return NBSTAGE_OK;
}

static nbstage_status nodes_read_segs(struct context *context,
                                      const struct array *segs,
                                      struct nodes *nodes)
{
    nbstage_status status = context_allocate_zeroed(
        context, segs->of.count, sizeof *nodes->segs, &nodes->segs);
    if (!nodes->segs)
        return status;
    nodes->seg_count = segs->of.count;
    array_read_numbers(segs, 0, 2, UINT32_MAX, &nodes->segs->v1,
                       sizeof *nodes->segs);
    array_read_numbers(segs, 2, 1, ARRAY_REFERENCE, &nodes->segs->linedef,
                       sizeof *nodes->segs);
    return NBSTAGE_OK;
}

// In the GL forms a seg has its partner in v2.  It ends where the next of its
// subsector starts, and the last where the first does.
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

static nbstage_status nodes_check_segs(struct context *context,
                                       const struct map *map,
                                       const struct nodes *nodes)
{
    const uint64_t vertex_count =
        (uint64_t)map->vertex_count + map->added_count;
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

nbstage_status nodes_read(struct context *context, struct map *map,
                          enum nodes_need need, struct nodes *nodes)
{
    const int end = need == NODES_SEGS ? MAP_SEGS + 1 : MAP_SEGS;
    const struct nodes_form *form = NULL;
    struct array parts[NODES_PART_COUNT] = {{.is_given = false}};
    struct nbstage_lump lump = {0};
    void *inflated = NULL;
    nbstage_status status = NBSTAGE_OK;
    *nodes = (struct nodes){0};
    for (int i = MAP_ZNODES; i < end && status == NBSTAGE_OK; i++)
        status = map_open_lump(context, map, (enum map_lump)i);
    for (int i = MAP_ZNODES; i < MAP_SEGS && !form; i++) {
        lump = map->lumps[i];
        form = nodes_find_form(&lump);
    }
    nodes->lump_name = form ? lump.name : "SEGS";
    if (status == NBSTAGE_OK && form) {
        const char *sign = lump.data;
        lump.data = sign + NODES_SIGNATURE_SIZE;
        lump.data_size -= NODES_SIGNATURE_SIZE;
        lump.compression = NBSTAGE_ZLIB;
        if (*sign == 'Z')
            status = inflate_lump(context, &lump, &inflated);
        if (status == NBSTAGE_OK)
            status = nodes_find_parts(context, map, form, &lump, parts);
    } else if (status == NBSTAGE_OK && need == NODES_SEGS) {
        status = nodes_find_segs(context, map, &parts[NODES_OF_SEGS]);
    }
    if (status == NBSTAGE_OK)
        status = nodes_add_vertices(context, &parts[NODES_ADDED], map);
    if (status == NBSTAGE_OK)
        status = nodes_read_segs(context, &parts[NODES_OF_SEGS], nodes);
    if (status == NBSTAGE_OK && form && form->gl && nodes->segs)
        nodes_close_subsectors(&parts[NODES_LENGTHS], nodes->segs);
    if (status == NBSTAGE_OK)
        status = nodes_check_segs(context, map, nodes);
    context_release(context, inflated);
    if (status != NBSTAGE_OK)
        nodes_free(context, nodes);
    return status;
}

void nodes_free(struct context *context, struct nodes *nodes)
{
    context_release(context, nodes->segs);
    *nodes = (struct nodes){0};
}
