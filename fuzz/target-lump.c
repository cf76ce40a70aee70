// SPDX-License-Identifier: GPL-2.0-or-later
//
// BLOCKMAP lumps, however damaged.  An input is
//
//     a line of options, a byte for the number of linedefs, the lump
//
// The stage's reader and that of the command, which has no line of code in
// common with it, have to agree on every list.  What lists=lump makes of the
// lump has to have the same lists, whatever the options, or be this very lump.

#include "blockmap/blockmap.h"
#include "context-for-tests.h"
#include "lump/lump.h"
#include "module.h"
#include "plugin.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 1 << 12 };

// ---------------------------------------------------------------------------
// Two readers

static void require_same_list(struct context *context, const struct lump *lump,
                              const struct blockmap *blockmap, size_t block)
{
    const struct blockmap_list *list = &blockmap->lists[block];
    struct lump_list found;
    nbstage_status status = lump_find_list(context, lump, block, &found);
    REQUIRE((status == NBSTAGE_OK) == (list->fault == LIST_READABLE),
            "both readers find the list, or none does");
    REQUIRE(status != NBSTAGE_OK ||
                (found.first_word == list->offset &&
                 found.first_word + found.length == list->end),
            "both readers find the same list");
}

static void read_twice(const uint8_t *bytes, size_t size, size_t line_count)
{
    struct test_host memory = {0};
    struct context context = test_context_for(&memory);
    struct blockmap blockmap;
    struct lump lump;
    blockmap_read(bytes, size, line_count, NULL, &blockmap);
    if (lump_open(&context, bytes, size, &lump) == NBSTAGE_OK) {
        REQUIRE(blockmap_has_table(&blockmap), "both readers find the blocks");
        for (size_t b = 0; b < blockmap.block_count && b < MOST_BLOCKS; b++)
            require_same_list(&context, &lump, &blockmap, b);
    }
    blockmap_free(&blockmap);
    REQUIRE(memory.in_use == 0, "all memory is released");
}

// ---------------------------------------------------------------------------
// The same lists, stored anew

// What lists of the old lump begin with, as the command finds.
static enum blocklists_header old_header(const uint8_t *bytes, size_t size,
                                         size_t line_count)
{
    static const enum blocklists_header headers[] = {
        [HEADERS_ZERO] = LISTS_ZERO,    [HEADERS_ANY] = LISTS_ANY,
        [HEADERS_NONE] = LISTS_NONE,    [HEADERS_MIXED] = LISTS_MIXED,
        [HEADERS_UNKNOWN] = LISTS_NONE,
    };
    struct blockmap blockmap;
    blockmap_read(bytes, size, line_count, NULL, &blockmap);
    enum blockmap_headers header = blockmap.headers;
    blockmap_free(&blockmap);
    return headers[header];
}

static void require_same_lists(const struct nbstage_lump *lump,
                               const uint8_t *bytes, size_t size,
                               size_t line_count,
                               const struct expected_form form)
{
    struct blocklists old;
    bool is_open = blocklists_open(bytes, size, &old);
    REQUIRE(is_open, "a lump that was taken has a table");
    if (old.block_count < MOST_BLOCKS) {
        struct oracle_entry_list truth =
            blocklists_entries(&old, old_header(bytes, size, line_count));
        for (size_t i = 0; i < truth.count; i++)
            REQUIRE(truth.entry[i].line < line_count,
                    "a list that was taken has linedefs");
        struct blocklists new = blocklists_read(lump->data, lump->data_size);
        REQUIRE(memcmp(&old.grid, &new.grid, sizeof old.grid) == 0,
                "the grid stays");
        struct blocklists_counts counts =
            blocklists_compare(&new, expected_actual_header(&new, form.header),
                               &truth, line_count, NULL);
        expected_counts(&counts, &form);
        blocklists_free(&new);
        oracle_free_entries(&truth);
    }
    blocklists_free(&old);
}

// What the stage says of a lump tells what its lists may be.
static void require_anew(const struct module *module,
                         const struct nbstage_lump *made, const uint8_t *bytes,
                         size_t size, size_t line_count)
{
    const struct nbstage_result *result = &module->stage.result;
    const struct expected_form form = {
        .header = expected_header(plugin_find_fact(result, "header")->text),
        .has_extra_lines = plugin_find_fact(result, "extra_entries")->value > 0,
    };
    if (plugin_find_fact(result, "kept")->value != 0)
        REQUIRE(same_bytes(made->data, made->data_size, bytes, size),
                "a lump that is kept is the same");
    else
        require_same_lists(made, bytes, size, line_count, form);
}

static void store_anew(const uint8_t *bytes, size_t size, size_t line_count,
                       const char *options)
{
    static const uint32_t pairs[2 * (UINT8_MAX + 1)];
    struct nbstage_lump lump = {
        .size = sizeof lump,
        .name = "BLOCKMAP",
        .data = bytes,
        .data_size = size,
    };
    struct nbstage_map map = nbstage_map_from_lumps("MAP01", &lump, 1);
    map.vertices = pairs;
    map.vertex_count = 1;
    map.vertex_stride = 2 * sizeof *pairs;
    map.lines = pairs;
    map.line_count = line_count;
    map.line_stride = map.line_size = 2 * sizeof *pairs;
    char all[300] = "lists=lump ";
    struct module module;
    strcat(all, options);
    module_open(&module, all);
    const struct nbstage_lump *made = module_build(&module, &map);
    if (made && made->data_size > 0 && !strstr(options, "lists"))
        require_anew(&module, made, bytes, size, line_count);
    module_close(&module);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    char options[256];
    input_line(&input, options, sizeof options);
    size_t line_count = input_u8(&input);
    uint8_t *copy = input_copy(&input);
    read_twice(copy, input.size, line_count);
    store_anew(copy, input.size, line_count, options);
    free(copy);
    return 0;
}
