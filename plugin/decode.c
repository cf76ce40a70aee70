// SPDX-License-Identifier: GPL-2.0-or-later
//
// Gathers the lines as a build does, which finds the vertices that count and
// the lines that are pruned, and reads the attributes.  Both have the
// structures of the interface already.  Damaged attributes are no failure here,
// as the geometry is useful by itself.

#include "config.h"

#include "decode.h"

#include "build-lists.h"
#include "prune/attributes.h"

static nbstage_status copy_vertices(struct context *context,
                                    const struct map *map,
                                    const struct nodes *nodes,
                                    struct nbstage_decoded *decoded)
{
    struct nbstage_vertex *vertices;
    decoded->vertex_count = map->vertex_count + nodes->vertex_count;
    nbstage_status status = context_allocate(context, decoded->vertex_count,
                                             sizeof *vertices, &vertices);
    for (size_t i = 0; i < decoded->vertex_count && status == NBSTAGE_OK; i++)
        vertices[i] = nodes_vertex_at(map, nodes, i);
    decoded->vertices = vertices;
    return status;
}

// Copies the vertices, and takes over which lines are left out.
static nbstage_status decode_geometry(struct context *context, struct map *map,
                                      const struct build_options *options,
                                      struct nbstage_decoded *decoded)
{
    const struct build_options prune = {.prune = options->prune};
    struct build_output output = {0};
    struct build build = {
        .context = context, .map = map, .options = &prune, .output = &output};
    nbstage_status status = build_lines(&build);
    if (status == NBSTAGE_OK)
        status = copy_vertices(context, map, &build.nodes, decoded);
    decoded->left_out = output.pruning.fates;
    output.pruning.fates = NULL;
    prune_free(context, &output.pruning);
    build_free(&build);
    return status;
}

// Whether something that is not in the arrays may move any sector.
static bool anything_moves(const struct attributes *attributes)
{
    for (size_t i = 0; i < attributes->thing_count; i++) {
        const struct attributes_thing *thing = &attributes->things[i];
        if (thing_makes_slopes(thing->type) ||
            special_may_move_any(attributes->specials, thing->special,
                                 thing->tag))
            return true;
    }
    return attributes->has_scripts;
}

// Takes over lines and sectors.
static nbstage_status decode_attributes(struct context *context,
                                        struct map *map,
                                        struct nbstage_decoded *decoded)
{
    struct attributes attributes;
    bool are_complete;
    nbstage_status status = attributes_read(
        context, map, NBSTAGE_LOG_INFO, "not all sides and sectors are known",
        &attributes, &are_complete);
    if (status != NBSTAGE_OK)
        return status;
    uint32_t flags = 0; // of all sectors
    if (!are_complete)
        flags = NBSTAGE_SECTOR_MOVES | NBSTAGE_SECTOR_IN_DOUBT;
    else if (map->format == NBSTAGE_FORMAT_DOOM64 ||
             anything_moves(&attributes))
        flags = NBSTAGE_SECTOR_MOVES;
    for (size_t i = 0; i < attributes.sector_count; i++)
        attributes.sectors[i].flags |= flags;
    decoded->lines = attributes.lines;
    decoded->line_count = attributes.line_count;
    decoded->sectors = attributes.sectors;
    decoded->sector_count = attributes.sector_count;
    attributes.lines = NULL;
    attributes.sectors = NULL;
    attributes_free(context, &attributes);
    return NBSTAGE_OK;
}

nbstage_status decode_map(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct decoded **decoded)
{
    nbstage_status status =
        context_allocate_zeroed(context, 1, sizeof **decoded, decoded);
    if (status != NBSTAGE_OK)
        return status;
    struct nbstage_decoded *made = &(*decoded)->map;
    *made = (struct nbstage_decoded){
        .size = sizeof *made,
        .format = map->format,
        .vertex_size = sizeof *made->vertices,
        .line_size = sizeof *made->lines,
        .sector_size = sizeof *made->sectors,
    };
    status = decode_geometry(context, map, options, made);
    if (status == NBSTAGE_OK)
        status = decode_attributes(context, map, made);
    if (status != NBSTAGE_OK) {
        decode_free(context, *decoded);
        *decoded = NULL;
    }
    return status;
}

void decode_free(struct context *context, struct decoded *decoded)
{
    context_release(context, (void *)decoded->map.vertices);
    context_release(context, (void *)decoded->map.lines);
    context_release(context, (void *)decoded->map.sectors);
    context_release(context, (void *)decoded->map.left_out);
    context_release(context, decoded);
}
