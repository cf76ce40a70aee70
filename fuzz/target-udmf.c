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

static struct buffer print_geometry(const struct udmf_text *read)
{
    const struct map_vertex *vertices = read->of[UDMF_VERTEX].records;
    const struct map_ends *lines = read->of[UDMF_LINEDEF].records;
    struct buffer text = {0};
    buffer_print(&text, "namespace=\"Doom\";");
    for (size_t i = 0; i < read->of[UDMF_VERTEX].count; i++) {
        buffer_print(&text, "vertex{");
        print_coordinate(&text, "x", vertices[i].x);
        print_coordinate(&text, "y", vertices[i].y);
        buffer_print(&text, "}");
    }
    for (size_t i = 0; i < read->of[UDMF_LINEDEF].count; i++)
        buffer_print(&text, "linedef{v1=%" PRIu32 ";v2=%" PRIu32 ";}",
                     lines[i].v1, lines[i].v2);
    return text;
}

static bool is_same(const struct udmf_records *a, const struct udmf_records *b)
{
    return same_bytes(a->records, a->count * a->size, b->records,
                      b->count * b->size);
}

static void require_printable(struct context *context,
                              const struct udmf_text *read)
{
    struct buffer text = print_geometry(read);
    struct udmf_text again;
    nbstage_status status =
        udmf_read(context, (const char *)text.bytes, text.size, false, &again);
    REQUIRE(status == NBSTAGE_OK, "what was read can be printed and read");
    REQUIRE(is_same(&read->of[UDMF_VERTEX], &again.of[UDMF_VERTEX]) &&
                is_same(&read->of[UDMF_LINEDEF], &again.of[UDMF_LINEDEF]),
            "and is the same then");
    udmf_free(context, &again);
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
    struct udmf_text read;
    char *text = (char *)input_copy(&input);
    nbstage_status status = udmf_read(&context, text, size, false, &read);
    REQUIRE(status == NBSTAGE_OK || status == NBSTAGE_BAD_MAP,
            "text is read or has a mistake");
    build(text, size, status == NBSTAGE_OK);
    if (status == NBSTAGE_OK)
        require_printable(&context, &read);
    udmf_free(&context, &read);
    REQUIRE(memory.in_use == 0, "all memory is released");
    free(text);
    return 0;
}
