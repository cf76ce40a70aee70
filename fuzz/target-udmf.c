// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reader of UDMF, on any text.  What is read of vertices and linedefs has
// to come out the same when it is printed and read again, and only a text that
// can be read can be built.

#include "buffer.h"
#include "context-for-tests.h"
#include "map/udmf.h"
#include "module.h"
#include "target.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The decimal digits of a fraction of 1 / 65536.
enum { FRACTION_DIGITS = 16 };

static void print_coordinate(struct buffer *text, const char *name,
                             int32_t coordinate)
{
    uint64_t size =
        coordinate < 0 ? -(uint64_t)coordinate : (uint64_t)coordinate;
    // 10^16 / 2^16 is 5^16.
    uint64_t fraction = (size & 0xFFFF) * UINT64_C(152587890625);
    buffer_print(text, "%s=%s%" PRIu64 ".%0*" PRIu64 ";", name,
                 coordinate < 0 ? "-" : "", size >> 16, FRACTION_DIGITS,
                 fraction);
}

static struct buffer print_geometry(const struct udmf_geometry *geometry)
{
    struct buffer text = {0};
    buffer_print(&text, "namespace=\"Doom\";");
    for (size_t i = 0; i < geometry->vertex_count; i++) {
        buffer_print(&text, "vertex{");
        print_coordinate(&text, "x", geometry->vertices[i].x);
        print_coordinate(&text, "y", geometry->vertices[i].y);
        buffer_print(&text, "}");
    }
    for (size_t i = 0; i < geometry->line_count; i++)
        buffer_print(&text, "linedef{v1=%" PRIu32 ";v2=%" PRIu32 ";}",
                     geometry->lines[i].v1, geometry->lines[i].v2);
    return text;
}

static bool is_same(const struct udmf_geometry *a,
                    const struct udmf_geometry *b)
{
    return same_bytes(a->vertices, a->vertex_count * sizeof *a->vertices,
                      b->vertices, b->vertex_count * sizeof *b->vertices) &&
           same_bytes(a->lines, a->line_count * sizeof *a->lines, b->lines,
                      b->line_count * sizeof *b->lines);
}

static void require_printable(struct context *context,
                              const struct udmf_geometry *geometry)
{
    struct buffer text = print_geometry(geometry);
    struct udmf_geometry again;
    nbstage_status status = udmf_geometry_read(
        context, (const char *)text.bytes, text.size, NULL, &again);
    REQUIRE(status == NBSTAGE_OK, "what was read can be printed and read");
    REQUIRE(is_same(geometry, &again), "and is the same then");
    context_release(context, again.vertices);
    context_release(context, again.lines);
    buffer_free(&text);
}

// Builds the text as a map.
static void build(const char *text, size_t size, bool is_sound)
{
    struct nbstage_lump lump = {
        .size = sizeof lump,
        .name = "TEXTMAP",
        .data = text,
        .data_size = size,
    };
    const struct nbstage_map map = nbstage_map_from_lumps("MAP01", &lump, 1);
    struct module module;
    module_open(&module, "prune=inert overflow=xbm1");
    const struct nbstage_lump *built = module_build(&module, &map);
    REQUIRE(!built || is_sound, "only text without mistakes can be built");
    module_close(&module);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    struct test_host memory = {0};
    struct context context = test_context_for(&memory);
    struct udmf_geometry geometry;
    char *text = (char *)input_copy(&input);
    nbstage_status status =
        udmf_geometry_read(&context, text, size, NULL, &geometry);
    REQUIRE(status == NBSTAGE_OK || status == NBSTAGE_BAD_MAP,
            "text is read or has a mistake");
    build(text, size, status == NBSTAGE_OK);
    if (status == NBSTAGE_OK) {
        require_printable(&context, &geometry);
        context_release(&context, geometry.vertices);
        context_release(&context, geometry.lines);
    }
    REQUIRE(memory.in_use == 0, "all memory is released");
    free(text);
    return 0;
}
