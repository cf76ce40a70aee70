// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage on raw lumps of any kind, with options from the input.  An input
// is a line of options, and then for each lump
//
//     8 bytes of name, 1 of compression, 2 of size, the lump
//
// Three promises are held against each other: what a map's lumps make, the
// arrays that they decode to make; and on small maps every line is in the
// blocks that it touches, and in no others.

#include "module.h"
#include "plugin.h"
#include "target.h"

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
    struct input name = input_bytes(input, NAME_SIZE);
    memcpy(lumps->names[lumps->count], name.bytes, name.size);
    uint8_t compression = input_u8(input) % (NBSTAGE_DEFLATE + 2);
    uint16_t size = input_u16(input);
    struct input content = input_bytes(input, size);
    lumps->bytes[lumps->count] = input_copy(&content);
    lumps->lumps[lumps->count] = (struct nbstage_lump){
        .size = sizeof(struct nbstage_lump),
        .name = lumps->names[lumps->count],
        .data = content.size > 0 ? lumps->bytes[lumps->count] : NULL,
        .data_size = content.size,
        .compression = compression,
    };
    lumps->count++;
}

// Limits are met by a build and not by another, as they take other paths.
static bool has_limits(const char *options)
{
    return strstr(options, "max-") != NULL;
}

// What the arrays of a map make, beside its lumps, as far as that is the same:
// the segs are those of other vertices if a node builder has added some, and
// arrays of UDMF tell less about what their lines do.
static void require_same(const struct nbstage_map *map,
                         const struct nbstage_decoded *decoded,
                         const struct nbstage_lump *lump, const char *options)
{
    struct nbstage_map arrays = plugin_map_from_decoded(map, decoded);
    if (strstr(options, "check-nodes") || strstr(options, "bounds") ||
        has_limits(options) || decoded->format == NBSTAGE_FORMAT_UDMF)
        return;
    struct module module;
    module_open(&module, options);
    const struct nbstage_lump *again = module_build(&module, &arrays);
    REQUIRE(again, "the arrays of a map that builds build");
    REQUIRE(
        same_bytes(again->data, again->data_size, lump->data, lump->data_size),
        "the arrays of a map make what its lumps make");
    module_close(&module);
}

static void require_expected(const struct nbstage_map *map,
                             const struct nbstage_decoded *decoded)
{
    static const struct expected_form form = {.header = LISTS_ZERO};
    struct module module;
    struct nbstage_map arrays = plugin_map_from_decoded(map, decoded);
    struct oracle_line *lines = plugin_oracle_lines(&arrays);
    module_open(&module, "grid=fit prune=none overflow=xbm1");
    const struct nbstage_lump *lump = module_build(&module, map);
    if (lump)
        expected_check(lump, lines, decoded->line_count, &form);
    module_close(&module);
    free(lines);
}

static void build(const struct nbstage_map *map, const char *options)
{
    struct module module;
    struct nbstage_decoded decoded;
    module_open(&module, options);
    bool is_decoded = module_decode(&module, map, &decoded);
    const struct nbstage_lump *lump = module_build(&module, map);
    REQUIRE(!lump || is_decoded || has_limits(options),
            "a map that builds can be decoded");
    if (lump && is_decoded)
        require_same(map, &decoded, lump, options);
    if (is_decoded) {
        require_expected(map, &decoded);
        module_free_decoded(&module, &decoded);
    }
    module_close(&module);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    char options[256];
    struct lumps lumps = {0};
    input_line(&input, options, sizeof options);
    while (input.size > 0 && lumps.count < MOST_LUMPS)
        take_lump(&input, &lumps);
    struct nbstage_map map =
        nbstage_map_from_lumps("MAP01", lumps.lumps, lumps.count);
    build(&map, options);
    for (size_t i = 0; i < lumps.count; i++)
        free(lumps.bytes[i]);
    return 0;
}
