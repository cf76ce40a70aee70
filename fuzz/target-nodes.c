// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compressed lumps and the nodes of a builder.  An input is
//
//     2 bytes of vertices, 2 of linedefs of the map; a byte for the lump that
//     the nodes are in; the lump
//
// Whatever segs come out have vertices and linedefs that exist.  Extended nodes
// that are not compressed have to come out the same when they are.  And the
// bytes, taken for a compressed stream of each kind, have to inflate to what
// zlib makes of them in one go.

#include "arrays.h"
#include "compress.h"
#include "context-for-tests.h"
#include "map/map.h"
#include "map/nodes.h"
#include "target.h"

#include "nbstage.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_COUNT = 1024, SIGNATURE_SIZE = 4, LIMIT = 1 << 20 };

_Static_assert((int)LIMIT <= (int)INFLATE_FREE_BYTES,
               "below the limit no ratio is too high");

// --- Nodes ---

struct counts {
    size_t vertices;
    size_t lines;
};

static void require_sound(const struct nodes *nodes,
                          const struct counts *counts)
{
    for (size_t i = 0; i < nodes->seg_count; i++) {
        const struct nodes_seg *seg = &nodes->segs[i];
        REQUIRE(seg->v1 < counts->vertices + nodes->vertex_count &&
                    seg->v2 < counts->vertices + nodes->vertex_count,
                "the vertices of segs exist");
        REQUIRE(seg->linedef == NODES_NO_LINEDEF ||
                    seg->linedef < counts->lines,
                "the linedefs of segs exist");
    }
}

// Reads the nodes of a map in a lump of its own; whether there are any.
static bool read_nodes(struct context *context, const struct counts *counts,
                       const struct nbstage_lump *lump, struct nodes *nodes)
{
    static const struct plain_vertex vertices[MOST_COUNT];
    static const uint32_t ends[MOST_COUNT][2];
    const struct nbstage_map given = {
        .lumps = lump,
        .lump_count = 1,
        .vertices = PLAIN_VERTICES(vertices, counts->vertices),
        .lines = PLAIN_ENDS(ends, counts->lines),
    };
    struct map map;
    if (map_read(context, &given, false, &map) != NBSTAGE_OK)
        return false;
    nbstage_status status = nodes_read(context, &map, NODES_SEGS, nodes);
    REQUIRE(status == NBSTAGE_OK || status == NBSTAGE_BAD_MAP,
            "nodes are read or damaged");
    map_free(context, &map);
    return status == NBSTAGE_OK;
}

static bool is_same(const struct nodes *a, const struct nodes *b)
{
    return same_bytes(a->vertices, a->vertex_count * sizeof *a->vertices,
                      b->vertices, b->vertex_count * sizeof *b->vertices) &&
           same_bytes(a->segs, a->seg_count * sizeof *a->segs, b->segs,
                      b->seg_count * sizeof *b->segs);
}

// Holds extended nodes against the same compressed; `nodes` is NULL if they are
// damaged.
static void require_same_compressed(struct context *context,
                                    const struct counts *counts,
                                    const struct nbstage_lump *plain,
                                    const struct nodes *nodes)
{
    const unsigned char *bytes = plain->data;
    struct buffer lump = {0};
    buffer_put(&lump, "Z", 1);
    buffer_put(&lump, bytes + 1, SIGNATURE_SIZE - 1);
    struct buffer stream = compress_bytes(NBSTAGE_ZLIB, bytes + SIGNATURE_SIZE,
                                          plain->data_size - SIGNATURE_SIZE);
    buffer_put(&lump, stream.bytes, stream.size);
    struct nbstage_lump compressed = {sizeof compressed, plain->name,
                                      lump.bytes, lump.size, NBSTAGE_PLAIN};
    struct nodes again;
    bool is_read = read_nodes(context, counts, &compressed, &again);
    REQUIRE(is_read == (nodes != NULL),
            "compressed nodes are as sound as plain ones");
    if (is_read) {
        REQUIRE(is_same(nodes, &again), "compression changes no nodes");
        nodes_free(context, &again);
    }
    buffer_free(&stream);
    buffer_free(&lump);
}

static void read_as_nodes(struct context *context, const struct counts *counts,
                          const struct nbstage_lump *lump)
{
    const unsigned char *bytes = lump->data;
    bool is_plain = lump->data_size >= SIGNATURE_SIZE && bytes[0] == 'X' &&
                    strcmp(lump->name, "SEGS") != 0;
    struct nodes nodes;
    bool is_read = read_nodes(context, counts, lump, &nodes);
    if (is_read)
        require_sound(&nodes, counts);
    if (is_plain && lump->data_size < LIMIT)
        require_same_compressed(context, counts, lump, is_read ? &nodes : NULL);
    if (is_read)
        nodes_free(context, &nodes);
}

// --- Streams ---

// What zlib makes of a stream: its bytes, or none if it is damaged or longer
// than LIMIT.
static bool inflate_in_one_go(const unsigned char *bytes, size_t size,
                              int window_bits, unsigned char *output,
                              size_t *output_size)
{
    z_stream stream = {0};
    int ready = inflateInit2(&stream, window_bits);
    REQUIRE(ready == Z_OK, "zlib can be used");
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = output;
    stream.avail_out = LIMIT;
    int result = inflate(&stream, Z_FINISH);
    *output_size = LIMIT - stream.avail_out;
    inflateEnd(&stream);
    return result == Z_STREAM_END;
}

static void require_same_bytes(struct context *context, uint32_t compression,
                               int window_bits, const unsigned char *bytes,
                               size_t size)
{
    static unsigned char expected[LIMIT];
    size_t expected_size, output_size;
    unsigned char *output;
    bool is_sound =
        inflate_in_one_go(bytes, size, window_bits, expected, &expected_size);
    nbstage_status status = inflate_bytes(context, "LUMP", compression, bytes,
                                          size, &output, &output_size);
    REQUIRE((status == NBSTAGE_OK) == is_sound,
            "what zlib inflates is inflated, and nothing else");
    if (!is_sound)
        return;
    REQUIRE(same_bytes(output, output_size, expected, expected_size),
            "zlib inflates to the same bytes");
    context_release(context, output);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"ZNODES", "NODES", "SSECTORS", "SEGS"};
    struct input input = {bytes, size};
    struct test_host memory = {0};
    struct context context = test_context_for(&memory);
    context.limits.memory = PART_FOR_LUMP * LIMIT;
    struct counts counts;
    counts.vertices = input_u16(&input) % MOST_COUNT;
    counts.lines = input_u16(&input) % MOST_COUNT;
    const char *name = names[input_u8(&input) % 4];
    uint8_t *copy = input_copy(&input);
    struct nbstage_lump lump = {sizeof lump, name, copy, input.size,
                                NBSTAGE_PLAIN};
    read_as_nodes(&context, &counts, &lump);
    require_same_bytes(&context, NBSTAGE_ZLIB, MAX_WBITS, copy, input.size);
    require_same_bytes(&context, NBSTAGE_GZIP, MAX_WBITS + 16, copy,
                       input.size);
    require_same_bytes(&context, NBSTAGE_DEFLATE, -MAX_WBITS, copy, input.size);
    free(copy);
    REQUIRE(memory.in_use == 0, "all memory is released");
    return 0;
}
