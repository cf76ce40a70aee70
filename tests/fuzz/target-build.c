// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage on raw lumps of any kind, with options from the input.  An input
// is a line of options, and then for each lump
//
//     8 bytes of name, 2 of size, the lump
//
// On small maps every line is in the blocks that it touches, and in no others.

#include "arrays.h"
#include "context-for-tests.h"
#include "lines/lines.h"
#include "module.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LUMPS = 16, NAME_SIZE = 8 };

struct lumps {
    struct nbstage_lump lumps[MOST_LUMPS];
    char names[MOST_LUMPS][NAME_SIZE + 1];
    void *bytes[MOST_LUMPS];
    size_t count;
};

static void take_lump(struct input *input, struct lumps *lumps)
{
    unsigned char head[NAME_SIZE + 2] = {0}; // also where the input ends
    struct input taken = input_bytes(input, sizeof head);
    memcpy(head, taken.bytes, taken.size);
    memcpy(lumps->names[lumps->count], head, NAME_SIZE);
    struct input content =
        input_bytes(input, head[NAME_SIZE] + 256u * head[NAME_SIZE + 1]);
    lumps->bytes[lumps->count] =
        buffer_copy_exactly(content.bytes, content.size);
    lumps->lumps[lumps->count] = (struct nbstage_lump){
        .name = lumps->names[lumps->count],
        .data = content.size > 0 ? lumps->bytes[lumps->count] : NULL,
        .data_size = content.size,
    };
    lumps->count++;
}

// Stores the lines of a map for the oracle, which the caller frees; false if
// they cannot be gathered.  Vertices may be those that a node builder added.
static bool read_lines(struct context *context, const struct nbstage_map *given,
                       struct oracle_line **read, size_t *count)
{
    struct map map;
    struct lines lines = {0};
    if (map_read(context, given, true, &map) != NBSTAGE_OK)
        return false;
    nbstage_status status = lines_gather(context, &map, NULL, &lines);
    *count = lines.count;
    *read = allocate_zeros(lines.count, sizeof **read);
    for (size_t i = 0; status == NBSTAGE_OK && i < *count; i++) {
        const struct fixed_line at = lines_fixed_at(&lines, i);
        (*read)[i] = (struct oracle_line){at.x1, at.y1, at.x2, at.y2};
    }
    lines_free(context, &lines);
    map_free(context, &map);
    if (status != NBSTAGE_OK)
        free(*read);
    return status == NBSTAGE_OK;
}

static void require_expected(const struct nbstage_map *map)
{
    struct test_host memory = {0};
    struct context context = test_context_for(&memory);
    struct module module;
    struct oracle_line *lines = NULL;
    size_t count = 0;
    module_open(&module, "grid=fit prune=none overflow=xbm1");
    const struct nbstage_lump *lump = module_build(&module, map);
    const bool is_read = read_lines(&context, map, &lines, &count);
    REQUIRE(!lump || is_read, "the lines of a map that builds can be gathered");
    if (lump)
        require_exact(lump, lines, count);
    if (is_read)
        free(lines);
    module_close(&module);
    REQUIRE(memory.in_use == 0, "all memory is released");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    char options[256];
    struct lumps lumps = {0};
    input_line(&input, options, sizeof options);
    while (input.size > 0 && lumps.count < MOST_LUMPS)
        take_lump(&input, &lumps);
    struct nbstage_map map = map_of_lumps("MAP01", lumps.lumps, lumps.count);
    struct module module;
    module_open(&module, options);
    module_build(&module, &map);
    module_close(&module);
    require_expected(&map);
    for (size_t i = 0; i < lumps.count; i++)
        free(lumps.bytes[i]);
    return 0;
}
