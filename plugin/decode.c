// SPDX-License-Identifier: GPL-2.0-or-later
//
// Walks as far as to the lines, which tells the vertices that count and the
// lines that are left out, and copies what it met into the arrays of the
// interface.  Damaged attributes are no failure here, as the geometry is of use
// by itself.

#include "config.h"

#include "decode.h"

#include "build-lists.h"
#include "prune/specials.h"

#include <string.h>

// What is copied number by number.
_Static_assert((int)NBSTAGE_LISTED == (int)PRUNE_LINE_KEPT &&
                   (int)NBSTAGE_LEFT_OUT_TAGGED == (int)PRUNE_LINE_TAGGED &&
                   (int)NBSTAGE_LEFT_OUT_INERT == (int)PRUNE_LINE_INERT,
               "fates are those of the interface");
_Static_assert(NBSTAGE_LINE_TWO_SIDED == ATTRIBUTES_LINE_TWO_SIDED &&
                   NBSTAGE_LINE_BLOCKING == ATTRIBUTES_LINE_BLOCKING &&
                   NBSTAGE_LINE_OTHER == ATTRIBUTES_LINE_OTHER,
               "flags of lines are those of the interface");
_Static_assert(NBSTAGE_SECTOR_SLOPED == ATTRIBUTES_SECTOR_SLOPED &&
                   NBSTAGE_SECTOR_MORE_TAGS == ATTRIBUTES_SECTOR_MORE_TAGS &&
                   NBSTAGE_SECTOR_MOVES == ATTRIBUTES_SECTOR_MOVES &&
                   NBSTAGE_SECTOR_OTHER == ATTRIBUTES_SECTOR_OTHER,
               "flags of sectors are those of the interface");
_Static_assert(NBSTAGE_NONE == ATTRIBUTES_NO_SECTOR,
               "no sector is that of the interface");

// ---------------------------------------------------------------------------
// Geometry

static nbstage_status copy_vertices(struct context *context,
                                    const struct map *map,
                                    const struct nodes *nodes,
                                    struct decoded *decoded)
{
    decoded->vertex_count = map->vertex_count + nodes->vertex_count;
    nbstage_status status =
        context_allocate(context, decoded->vertex_count,
                         sizeof *decoded->vertices, &decoded->vertices);
    for (size_t i = 0; i < decoded->vertex_count && status == NBSTAGE_OK; i++)
        decoded->vertices[i] = nodes_vertex_at(map, nodes, i);
    return status;
}

static nbstage_status copy_ends(struct context *context, const struct map *map,
                                struct decoded *decoded)
{
    decoded->line_count = map->line_count;
    nbstage_status status = context_allocate(
        context, map->line_count, sizeof *decoded->lines, &decoded->lines);
    for (size_t i = 0; i < map->line_count && status == NBSTAGE_OK; i++) {
        struct map_ends ends =
            map_get_ends(map->form, map->lines + i * map->line_stride);
        decoded->lines[i] = (struct nbstage_line){.v1 = ends.v1,
                                                  .v2 = ends.v2,
                                                  .front_sector = NBSTAGE_NONE,
                                                  .back_sector = NBSTAGE_NONE};
    }
    return status;
}

// Copies all of the geometry, and takes over which lines are left out.
static nbstage_status copy_geometry(struct context *context, struct map *map,
                                    const struct build_options *options,
                                    struct decoded *decoded)
{
    // All that matters of them here is which lines are left out.
    const struct build_options prune = {.prune = options->prune};
    struct build_output output = {0};
    struct build build = {
        .context = context, .map = map, .options = &prune, .output = &output};
    nbstage_status status = build_lines(&build);
    if (status == NBSTAGE_OK)
        status = copy_vertices(context, map, &build.nodes, decoded);
    if (status == NBSTAGE_OK)
        status = copy_ends(context, map, decoded);
    decoded->left_out = output.pruning.fates;
    output.pruning.fates = NULL;
    prune_free(context, &output.pruning);
    build_free(&build);
    return status;
}

// ---------------------------------------------------------------------------
// Attributes

static void copy_lines(const struct attributes *attributes,
                       struct decoded *decoded)
{
    for (size_t i = 0; attributes->lines && i < decoded->line_count; i++) {
        const struct attributes_line *from = &attributes->lines[i];
        struct nbstage_line *line = &decoded->lines[i];
        line->flags = from->flags;
        line->special = from->special;
        line->tag = from->id;
        memcpy(line->args, from->args, sizeof line->args);
        line->front_sector = from->front;
        line->back_sector = from->back;
    }
}

// Whether something that arrays do not tell may move any sector.
static bool anything_moves(const struct attributes *attributes)
{
    for (size_t i = 0; i < attributes->thing_count; i++) {
        const struct attributes_thing *thing = &attributes->things[i];
        if (thing_moves_planes(thing->type) ||
            special_may_move_any(attributes->specials, thing->special,
                                 thing->tag))
            return true;
    }
    return attributes->has_scripts;
}

// All sectors have these flags beside their own.
static nbstage_status copy_sectors(struct context *context,
                                   const struct attributes *attributes,
                                   uint32_t flags, struct decoded *decoded)
{
    nbstage_status status =
        context_allocate(context, attributes->sector_count,
                         sizeof *decoded->sectors, &decoded->sectors);
    if (status != NBSTAGE_OK)
        return status;
    decoded->sector_count = attributes->sector_count;
    for (size_t i = 0; i < attributes->sector_count; i++) {
        const struct attributes_sector *sector = &attributes->sectors[i];
        decoded->sectors[i] = (struct nbstage_sector){
            sector->floor, sector->ceiling, sector->special, sector->tag,
            sector->flags | flags};
    }
    return NBSTAGE_OK;
}

static nbstage_status copy_attributes(struct context *context, struct map *map,
                                      struct decoded *decoded)
{
    struct context trial = *context; // its sentence is no failure
    struct attributes attributes;
    trial.map_name = NULL;
    nbstage_status status = attributes_read(&trial, map, &attributes);
    if (status == NBSTAGE_OUT_OF_MEMORY)
        return context_fail(context, status, NULL, "%s", trial.message);
    if (status != NBSTAGE_OK)
        context_log(context, NBSTAGE_LOG_INFO, NULL,
                    "%s; not all sides and sectors are known", trial.message);
    // Nothing in src/ knows the flag of doubt: lines at sectors with flags that
    // are not known are never taken for inert.
    uint32_t flags = 0;
    if (status != NBSTAGE_OK)
        flags = NBSTAGE_SECTOR_MOVES | NBSTAGE_SECTOR_IN_DOUBT;
    else if (map->format == NBSTAGE_FORMAT_DOOM64 ||
             anything_moves(&attributes))
        flags = NBSTAGE_SECTOR_MOVES;
    copy_lines(&attributes, decoded);
    status = copy_sectors(context, &attributes, flags, decoded);
    attributes_free(context, &attributes);
    return status;
}

// ---------------------------------------------------------------------------

nbstage_status decode_map(struct context *context, struct map *map,
                          const struct build_options *options,
                          struct decoded **decoded)
{
    nbstage_status status =
        context_allocate_zeroed(context, 1, sizeof **decoded, decoded);
    if (status != NBSTAGE_OK)
        return status;
    (*decoded)->format = map->format;
    status = copy_geometry(context, map, options, *decoded);
    if (status == NBSTAGE_OK)
        status = copy_attributes(context, map, *decoded);
    if (status != NBSTAGE_OK) {
        decode_free(context, *decoded);
        *decoded = NULL;
    }
    return status;
}

struct nbstage_decoded decode_describe(const struct decoded *decoded)
{
    return (struct nbstage_decoded){
        .size = sizeof(struct nbstage_decoded),
        .format = decoded->format,
        .vertices = decoded->vertices,
        .vertex_count = decoded->vertex_count,
        .vertex_size = sizeof *decoded->vertices,
        .lines = decoded->lines,
        .line_count = decoded->line_count,
        .line_size = sizeof *decoded->lines,
        .sectors = decoded->sectors,
        .sector_count = decoded->sector_count,
        .sector_size = sizeof *decoded->sectors,
        .left_out = decoded->left_out,
    };
}

void decode_free(struct context *context, struct decoded *decoded)
{
    context_release(context, decoded->vertices);
    context_release(context, decoded->lines);
    context_release(context, decoded->sectors);
    context_release(context, decoded->left_out);
    context_release(context, decoded);
}
