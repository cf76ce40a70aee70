// SPDX-License-Identifier: GPL-2.0-or-later
//
// No node builder would make such nodes, but whoever reads them cannot know:
// each line is a subsector, and split in its middle by a vertex that is added.
// Where segs have to run around their subsector, one goes back.

#include "config.h"

#include "made-nodes.h"

#include "compress.h"

static const struct node_form {
    const char *signature;
    bool is_gl;            // segs have a partner instead of an end
    unsigned linedef_size; // bytes
    unsigned node_size;    // bytes
} forms[MADE_NODES_FORMS] = {
    {"XNOD", false, 2, 32}, {"ZNOD", false, 2, 32}, {"XGLN", true, 2, 32},
    {"ZGLN", true, 2, 32},  {"XGL2", true, 4, 32},  {"ZGL2", true, 4, 32},
    {"XGL3", true, 4, 40},  {"ZGL3", true, 4, 40},
};

enum { SIGNATURE_SIZE = 4 };

#define NO_LINEDEF UINT32_MAX

const char *made_nodes_signature(size_t form)
{
    return forms[form].signature;
}

static void put_vertices(struct buffer *bytes, const struct room *room)
{
    buffer_put_u32(bytes, VERTICES);
    buffer_put_u32(bytes, LINES);
    for (size_t i = 0; i < LINES; i++) {
        const int *v1 = room->vertices[room->lines[i].v1];
        const int *v2 = room->vertices[room->lines[i].v2];
        buffer_put_u32(bytes, (uint32_t)((v1[0] + v2[0]) * (UNIT / 2)));
        buffer_put_u32(bytes, (uint32_t)((v1[1] + v2[1]) * (UNIT / 2)));
    }
}

static void put_seg(struct buffer *bytes, const struct node_form *form,
                    uint32_t v1, uint32_t v2, uint32_t linedef)
{
    buffer_put_u32(bytes, v1);
    buffer_put_u32(bytes, form->is_gl ? UINT32_MAX : v2);
    if (form->linedef_size == 2)
        buffer_put_u16(bytes, linedef & 0xFFFF);
    else
        buffer_put_u32(bytes, linedef);
    buffer_put_u8(bytes, 0);
}

static void put_segs(struct buffer *bytes, const struct node_form *form,
                     const struct room *room)
{
    const uint32_t length = form->is_gl ? 3 : 2; // of a subsector
    buffer_put_u32(bytes, LINES);
    for (size_t i = 0; i < LINES; i++)
        buffer_put_u32(bytes, length);
    buffer_put_u32(bytes, LINES * length);
    for (uint32_t i = 0; i < LINES; i++) {
        uint32_t v1 = (uint32_t)room->lines[i].v1;
        uint32_t v2 = (uint32_t)room->lines[i].v2;
        uint32_t middle = VERTICES + i;
        put_seg(bytes, form, v1, middle, i);
        put_seg(bytes, form, middle, v2, i);
        if (form->is_gl)
            put_seg(bytes, form, v2, v1, NO_LINEDEF);
    }
}

static void put_node(struct buffer *bytes, const struct node_form *form)
{
    buffer_put_u32(bytes, 1);
    for (unsigned i = 0; i < form->node_size; i++)
        buffer_put_u8(bytes, 0);
}

struct buffer made_nodes(const struct room *room, size_t form)
{
    struct buffer parts = {0};
    struct buffer lump = {0};
    put_vertices(&parts, room);
    put_segs(&parts, &forms[form], room);
    put_node(&parts, &forms[form]);
    if (forms[form].signature[0] == 'Z') {
        struct buffer stream =
            compress_bytes(NBSTAGE_ZLIB, parts.bytes, parts.size);
        buffer_free(&parts);
        parts = stream;
    }
    buffer_put(&lump, forms[form].signature, SIGNATURE_SIZE);
    buffer_put(&lump, parts.bytes, parts.size);
    buffer_free(&parts);
    return lump;
}
