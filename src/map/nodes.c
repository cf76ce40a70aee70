// SPDX-License-Identifier: GPL-2.0-or-later
//
// All extended forms have the same parts in the same order; a table has the
// layouts that differ.  All parts are found and checked first; then the added
// vertices and the segs are read.
//
// Vanilla nodes may begin with the letters of a signature, as a partition at
// 20056,17487 does.  So a signature does not count where the lumps are whole
// vanilla nodes.

#include "map/nodes.h"

#include "base/macros.h"
#include "map/arrays.h"

#include <string.h>

static const struct nodes_form {
    char signature[5];      // plain; compressed ones begin with Z
    bool gl;                // segs have a partner and end where the next starts
    const char *seg, *node; // layouts
} nodes_forms[] = {
    {"XNOD", false, "IIH1", "22228844"},
    {"XGLN", true, "IIH1", "22228844"},
    {"XGL2", true, "III1", "22228844"},
    {"XGL3", true, "III1", "44448844"},
};

enum { NODES_SIGNATURE_SIZE = 4 };

// The unread rest of extended nodes.
struct nodes_cursor {
    const char *lump_name;
    const unsigned char *at;
    size_t left;
};

struct nodes_parts {
    struct array added;   // vertices
    struct array lengths; // of subsectors, in segs
    struct array segs;
};

// ---------------------------------------------------------------------------
// Vanilla or not

// Describes a lump of vanilla nodes; false if its size is not that of whole
// records, or 0.
static bool nodes_describe(const struct map *map, enum map_lump index,
                           const char *layout, struct array *records)
{
    const struct nbstage_lump *lump = &map->lumps[index];
    const size_t size = array_describe(layout, records);
    records->of.data = lump->data;
    records->of.count = lump->data_size / size;
    return lump->data_size > 0 && lump->data_size % size == 0;
}

// Whether NODES, SSECTORS and SEGS are vanilla nodes by their sizes, and all
// children of nodes and segs of subsectors exist.  Node builders number a node
// after its children.
static bool nodes_are_vanilla(const struct map *map)
{
    enum { IS_SUBSECTOR = 0x8000 };
    struct array nodes, subsectors, segs;
    if (!nodes_describe(map, MAP_NODES, "888HH", &nodes) ||
        !nodes_describe(map, MAP_SSECTORS, "HH", &subsectors) ||
        !nodes_describe(map, MAP_SEGS, "HH2H22", &segs))
        return false;
    for (size_t i = 0; i < 2 * nodes.of.count; i++) {
        const uint32_t child = array_get_number(&nodes, i % 2, i / 2);
        if (child & IS_SUBSECTOR
                ? (child & ~(uint32_t)IS_SUBSECTOR) >= subsectors.of.count
                : child >= i / 2)
            return false;
    }
    for (size_t i = 0; i < subsectors.of.count; i++)
        if (array_get_number(&subsectors, 0, i) +
                array_get_number(&subsectors, 1, i) >
            segs.of.count)
            return false;
    return true;
}

// Finds the form by a signature whose first letter is X or Z; NULL if the lump
// has none.
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

// ---------------------------------------------------------------------------
// Parts of extended nodes

// Takes `count` records of a layout.
static nbstage_status nodes_take(struct context *context,
                                 struct nodes_cursor *cursor, const char *name,
                                 const char *layout, uint32_t count,
                                 struct array *records)
{
    const size_t size = array_describe(layout, records);
    if (cursor->left / size < count)
        return context_fail(
            context, NBSTAGE_BAD_MAP, cursor->lump_name,
            "the extended nodes are cut off: %lu %s of %zu bytes were "
            "expected, but only %zu bytes are left",
            (unsigned long)count, name, size, cursor->left);
    records->of.data = cursor->at;
    records->of.count = count;
    cursor->at += count * size;
    cursor->left -= count * size;
    return NBSTAGE_OK;
}

// Takes the number of records that follow.
static nbstage_status nodes_take_count(struct context *context,
                                       struct nodes_cursor *cursor,
                                       const char *name, uint32_t *count)
{
    struct array record;
    NEED(nodes_take(context, cursor, name, "I", 1, &record));
    *count = array_get_number(&record, 0, 0);
    return NBSTAGE_OK;
}

// Takes a count and as many records.
static nbstage_status nodes_take_counted(struct context *context,
                                         struct nodes_cursor *cursor,
                                         const char *name, const char *layout,
                                         struct array *records)
{
    uint32_t count;
    NEED(nodes_take_count(context, cursor, name, &count));
    return nodes_take(context, cursor, name, layout, count, records);
}

// The first count is of the map's own vertices, which are not stored here.
static nbstage_status nodes_take_vertices(struct context *context,
                                          const struct map *map,
                                          struct nodes_cursor *cursor,
                                          struct array *added)
{
    uint32_t own_count, added_count;
    NEED(nodes_take_count(context, cursor, "vertices", &own_count));
    NEED(nodes_take_count(context, cursor, "vertices", &added_count));
    if (own_count != map->vertex_count)
        return context_fail(context, NBSTAGE_BAD_MAP, cursor->lump_name,
                            "the extended nodes were built for %lu vertices, "
                            "but the map has %zu",
                            (unsigned long)own_count, map->vertex_count);
    return nodes_take(context, cursor, "vertices", "ff", added_count, added);
}

static nbstage_status nodes_take_segs(struct context *context,
                                      const struct nodes_form *form,
                                      const struct array *lengths,
                                      struct nodes_cursor *cursor,
                                      struct array *segs)
{
    uint64_t expected = 0;
    uint32_t count;
    for (size_t i = 0; i < lengths->of.count; i++)
        expected += array_get_number(lengths, 0, i);
    NEED(nodes_take_count(context, cursor, "segs", &count));
    if (count != expected)
        return context_fail(context, NBSTAGE_BAD_MAP, cursor->lump_name,
                            "the extended nodes have %lu segs, but their "
                            "subsectors have %llu",
                            (unsigned long)count, (unsigned long long)expected);
    return nodes_take(context, cursor, "segs", form->seg, count, segs);
}

// Finds the parts of extended nodes behind their signature.  Node records are
// skipped, but must be complete and last.
static nbstage_status nodes_find_parts(struct context *context,
                                       const struct map *map,
                                       const struct nodes_form *form,
                                       const struct nbstage_lump *lump,
                                       struct nodes_parts *parts)
{
    struct nodes_cursor cursor = {lump->name, lump->data, lump->data_size};
    struct array nodes;
    NEED(nodes_take_vertices(context, map, &cursor, &parts->added));
    NEED(nodes_take_counted(context, &cursor, "subsectors", "I",
                            &parts->lengths));
    NEED(
        nodes_take_segs(context, form, &parts->lengths, &cursor, &parts->segs));
    NEED(nodes_take_counted(context, &cursor, "nodes", form->node, &nodes));
    if (cursor.left == 0)
        return NBSTAGE_OK;
    return context_fail(context, NBSTAGE_BAD_MAP, lump->name,
                        "%zu bytes follow the %lu nodes; none were expected",
                        cursor.left, (unsigned long)nodes.of.count);
}

// ---------------------------------------------------------------------------
// Vertices and segs

// Appends added vertices to the map's own, unless already appended.
static nbstage_status nodes_add_vertices(struct context *context,
                                         const struct array *added,
                                         struct map *map)
{
    struct map_vertex *vertices;
    if (added->of.count == 0 || map->added_count > 0)
        return NBSTAGE_OK;
    NEED(context_allocate(context,
                          (uint64_t)map->vertex_count + added->of.count,
                          sizeof *vertices, &vertices));
    for (size_t i = 0; i < map->vertex_count; i++)
        map_get_vertex(&map->vertices, i, &vertices[i]);
    array_read_vertices(added, vertices + map->vertex_count);
    map->vertices = (struct map_pairs){(const unsigned char *)vertices,
                                       sizeof *vertices, NBSTAGE_FIXED};
    map->added_count = added->of.count;
    map->owned[map->owned_count++] = vertices;
    return NBSTAGE_OK;
}

// Reads segs, which begin with two vertices and the linedef.
static nbstage_status nodes_read_segs(struct context *context,
                                      const struct array *array,
                                      struct nodes *nodes)
{
    const size_t size = sizeof *nodes->segs;
    NEED(context_allocate_zeroed(context, array->of.count, size, &nodes->segs));
    struct nodes_seg *segs = nodes->segs;
    if (!segs)
        return NBSTAGE_OK;
    nodes->seg_count = array->of.count;
    array_read_numbers(array, 0, UINT32_MAX, &segs->v1, size);
    array_read_numbers(array, 1, UINT32_MAX, &segs->v2, size);
    array_read_references(array, 2, &segs->linedef, size);
    return NBSTAGE_OK;
}

// In the GL forms a seg has its partner in v2.  It ends where the next seg of
// its subsector starts; the last one ends where the first starts.
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

// Reads extended nodes in a plain lump behind their signature.
static nbstage_status nodes_read_parts(struct context *context, struct map *map,
                                       const struct nodes_form *form,
                                       const struct nbstage_lump *lump,
                                       struct nodes *nodes)
{
    struct nodes_parts parts;
    NEED(nodes_find_parts(context, map, form, lump, &parts));
    NEED(nodes_add_vertices(context, &parts.added, map));
    NEED(nodes_read_segs(context, &parts.segs, nodes));
    if (form->gl && nodes->segs)
        nodes_close_subsectors(&parts.lengths, nodes->segs);
    return nodes_check_segs(context, map, nodes);
}

static nbstage_status nodes_read_extended(struct context *context,
                                          struct map *map,
                                          const struct nodes_form *form,
                                          const struct nbstage_lump *lump,
                                          struct nodes *nodes)
{
    const char *sign = lump->data;
    struct nbstage_lump rest = *lump;
    void *inflated = NULL;
    nodes->lump_name = lump->name;
    rest.data = sign + NODES_SIGNATURE_SIZE;
    rest.data_size -= NODES_SIGNATURE_SIZE;
    if (*sign == 'Z')
        NEED(inflate_lump(context, &rest, &inflated));
    const nbstage_status status =
        nodes_read_parts(context, map, form, &rest, nodes);
    context_release(context, inflated);
    return status;
}

// Reads the segs of vanilla nodes, or of DeePBSPV4.
static nbstage_status nodes_read_vanilla(struct context *context,
                                         struct map *map, struct nodes *nodes)
{
    static const char deep[8] = "xNd4";
    const struct nbstage_lump *lump = &map->lumps[MAP_SEGS];
    const struct nbstage_lump *sign = &map->lumps[MAP_NODES];
    const bool is_deep = sign->data_size >= sizeof deep &&
                         memcmp(sign->data, deep, sizeof deep) == 0 &&
                         !nodes_are_vanilla(map);
    struct array segs;
    const size_t size = array_describe(is_deep ? "II2H22" : "HH2H22", &segs);
    nodes->lump_name = "SEGS";
    segs.of.data = lump->data;
    segs.of.count = lump->data_size / size;
    if (lump->data_size % size != 0)
        return context_fail(context, NBSTAGE_BAD_MAP, "SEGS",
                            "%zu bytes end inside seg %zu; a multiple of %zu "
                            "was expected",
                            lump->data_size, segs.of.count, size);
    NEED(nodes_read_segs(context, &segs, nodes));
    return nodes_check_segs(context, map, nodes);
}

// ---------------------------------------------------------------------------

// Finds the first lump with extended nodes; *form is NULL if there is none.
static void nodes_find(const struct map *map, const struct nodes_form **form,
                       const struct nbstage_lump **lump)
{
    *form = NULL;
    *lump = NULL;
    for (int i = MAP_ZNODES; i < MAP_SEGS && !*form; i++) {
        *lump = &map->lumps[i];
        *form = nodes_find_form(*lump);
        if (*form && i != MAP_ZNODES && nodes_are_vanilla(map))
            *form = NULL;
    }
}

nbstage_status nodes_read(struct context *context, struct map *map,
                          struct nodes *nodes)
{
    const struct nodes_form *form;
    const struct nbstage_lump *lump;
    *nodes = (struct nodes){0};
    nodes_find(map, &form, &lump);
    if (form)
        return nodes_read_extended(context, map, form, lump, nodes);
    return nodes_read_vanilla(context, map, nodes);
}

nbstage_status nodes_read_vertices(struct context *context, struct map *map)
{
    const struct nodes_form *form;
    const struct nbstage_lump *lump;
    struct nodes nodes = {0};
    nodes_find(map, &form, &lump);
    if (!form)
        return NBSTAGE_OK;
    const nbstage_status status =
        nodes_read_extended(context, map, form, lump, &nodes);
    nodes_free(context, &nodes);
    return status;
}

void nodes_free(struct context *context, struct nodes *nodes)
{
    context_release(context, nodes->segs);
    *nodes = (struct nodes){0};
}
