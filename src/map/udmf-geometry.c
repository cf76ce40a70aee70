// SPDX-License-Identifier: GPL-2.0-or-later
//
// Vertices and lines have two numbers each, which must be there.  They are
// gathered field by field; an element is added where its block ends.

#include "map/udmf-geometry.h"

#include "map/udmf-numbers.h"

#include <stdio.h>
#include <string.h>

// What the two kinds of blocks that are read differ in.
struct kind {
    const char *name;
    const char *fields[2];
    bool (*read)(const struct udmf_token *value, uint32_t *number);
    const char *expected; // what a value is not, if `read` fails
};

static bool read_coordinate(const struct udmf_token *value, uint32_t *number)
{
    int32_t fixed;
    bool is_number = udmf_read_fixed(value, &fixed);
    if (is_number)
        *number = (uint32_t)fixed;
    return is_number;
}

static const struct kind vertex_kind = {
    "vertex",
    {"x", "y"},
    read_coordinate,
    "has a coordinate that is not a number from -32768 to below 32768",
};

static const struct kind line_kind = {
    "linedef",
    {"v1", "v2"},
    udmf_read_unsigned,
    "has a vertex that is not a whole number from 0 to 4294967295",
};

struct gathering {
    struct context *context;
    const char *text;
    struct udmf_geometry *geometry;
    size_t vertex_capacity, line_capacity;

    // The block that fields belong to.
    const struct kind *kind;
    const char *begin;
    uint32_t numbers[2];
    bool present[2];
};

// "linedef 12 has no v1".
static nbstage_status fail(const struct gathering *gathering, const char *at,
                           const char *what)
{
    char sentence[160];
    size_t index = gathering->kind == &vertex_kind
                       ? gathering->geometry->vertex_count
                       : gathering->geometry->line_count;
    snprintf(sentence, sizeof sentence, "%s %zu %s", gathering->kind->name,
             index, what);
    return udmf_fail(gathering->context, gathering->text, at, sentence);
}

// Makes room for one more element, with spare room for as many as there are.
static nbstage_status make_room(struct context *context, void *array,
                                size_t count, size_t *capacity,
                                size_t element_size)
{
    if (count < *capacity)
        return NBSTAGE_OK;
    size_t larger = *capacity ? *capacity * 2 : 1024;
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    nbstage_status status =
        context_allocate(context, larger, element_size, &grown);
    if (status != NBSTAGE_OK)
        return status;
    if (count > 0)
        memcpy(grown, old, count * element_size);
    context_release(context, old);
    memcpy(array, &grown, sizeof grown);
    *capacity = larger;
    return NBSTAGE_OK;
}

static nbstage_status add_vertex(struct gathering *gathering)
{
    struct udmf_geometry *geometry = gathering->geometry;
    nbstage_status status = make_room(
        gathering->context, &geometry->vertices, geometry->vertex_count,
        &gathering->vertex_capacity, sizeof *geometry->vertices);
    if (status == NBSTAGE_OK)
        geometry->vertices[geometry->vertex_count++] = (struct nbstage_vertex){
            (int32_t)gathering->numbers[0], (int32_t)gathering->numbers[1]};
    return status;
}

static nbstage_status add_line(struct gathering *gathering)
{
    struct udmf_geometry *geometry = gathering->geometry;
    nbstage_status status =
        make_room(gathering->context, &geometry->lines, geometry->line_count,
                  &gathering->line_capacity, sizeof *geometry->lines);
    if (status == NBSTAGE_OK)
        geometry->lines[geometry->line_count++] =
            (struct udmf_line){gathering->numbers[0], gathering->numbers[1]};
    return status;
}

// ---------------------------------------------------------------------------
// The walk

static bool begin_block(void *user, const struct udmf_token *name)
{
    struct gathering *gathering = user;
    gathering->kind = udmf_token_is(name, "vertex")    ? &vertex_kind
                      : udmf_token_is(name, "linedef") ? &line_kind
                                                       : NULL;
    gathering->begin = name->begin;
    gathering->present[0] = gathering->present[1] = false;
    return gathering->kind;
}

static nbstage_status read_field(void *user, const struct udmf_token *name,
                                 const struct udmf_token *value)
{
    struct gathering *gathering = user;
    const struct kind *kind = gathering->kind;
    for (int i = 0; i < 2; i++) {
        if (!udmf_token_is(name, kind->fields[i]))
            continue;
        if (!kind->read(value, &gathering->numbers[i]))
            return fail(gathering, value->begin, kind->expected);
        gathering->present[i] = true;
    }
    return NBSTAGE_OK;
}

static nbstage_status end_block(void *user)
{
    struct gathering *gathering = user;
    for (int i = 0; i < 2; i++) {
        char what[16];
        if (gathering->present[i])
            continue;
        snprintf(what, sizeof what, "has no %s", gathering->kind->fields[i]);
        return fail(gathering, gathering->begin, what);
    }
    return gathering->kind == &vertex_kind ? add_vertex(gathering)
                                           : add_line(gathering);
}

// ---------------------------------------------------------------------------

nbstage_status udmf_geometry_read(struct context *context, const char *text,
                                  size_t size, struct udmf_geometry *geometry)
{
    struct gathering gathering = {
        .context = context, .text = text, .geometry = geometry};
    const struct udmf_visitor visitor = {.user = &gathering,
                                         .block = begin_block,
                                         .field = read_field,
                                         .end = end_block};
    *geometry = (struct udmf_geometry){0};
    nbstage_status status = udmf_read(context, text, size, &visitor);
    if (status != NBSTAGE_OK)
        udmf_geometry_free(context, geometry);
    return status;
}

void udmf_geometry_free(struct context *context, struct udmf_geometry *geometry)
{
    context_release(context, geometry->vertices);
    context_release(context, geometry->lines);
    *geometry = (struct udmf_geometry){0};
}
