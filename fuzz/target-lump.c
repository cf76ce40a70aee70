// SPDX-License-Identifier: GPL-2.0-or-later
//
// BLOCKMAP lumps, however damaged.  An input is
//
//     a line of options, a byte for the number of linedefs, the lump
//
// The stage's reader and that of the command, which has no line of code in
// common with it, have to agree on every list.  What source=lump makes of the
// lump has to have the same lists, whatever the options.

#include "blockmap/blockmap.h"
#include "counted-memory.h"
#include "lump/lump.h"
#include "module.h"
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
    struct counted_memory memory = {0};
    struct context context = counted_memory_context(&memory);
    struct blockmap blockmap;
    struct lump lump;
    blockmap_read(bytes, size, line_count, &blockmap);
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

// Puts the linedefs of a list into a set.
static void gather(const struct blockmap *blockmap, size_t block,
                   bool *is_listed, size_t line_count)
{
    const struct blockmap_list *list = &blockmap->lists[block];
    memset(is_listed, 0, line_count);
    for (size_t i = list->begin; i < list->end; i++) {
        uint32_t linedef = words_get(&blockmap->words, i);
        REQUIRE(linedef < line_count, "a list that was taken has linedefs");
        is_listed[linedef] = true;
    }
}

// Lists with headers of 0 in their middle have linedef 0 once more, and those
// that were widened have others, too.
static void require_same_sets(const struct blockmap *old,
                              const struct blockmap *new, size_t line_count,
                              bool is_widened)
{
    bool is_old[UINT8_MAX + 1], is_new[UINT8_MAX + 1];
    REQUIRE(old->columns == new->columns && old->rows == new->rows,
            "the grid stays");
    for (size_t b = 0; b < old->block_count; b++) {
        gather(old, b, is_old, line_count);
        gather(new, b, is_new, line_count);
        for (size_t line = 0; line < line_count; line++) {
            REQUIRE(!is_old[line] || is_new[line], "no linedef is lost");
            REQUIRE(!is_new[line] || is_old[line] || line == 0 || is_widened,
                    "no linedef comes in");
        }
    }
}

// What lists that are made begin with: the last option to say so decides.
static enum blockmap_headers headers_of(const char *options)
{
    static const struct {
        const char *option;
        enum blockmap_headers headers;
    } meanings[] = {
        {"preset=compatible", HEADERS_ZERO}, {"preset=repack", HEADERS_ZERO},
        {"preset=small", HEADERS_ZERO},      {"preset=vanilla", HEADERS_NONE},
        {"preset=id", HEADERS_ZERO},         {"header=zero", HEADERS_ZERO},
        {"header=any", HEADERS_ANY},         {"header=none", HEADERS_NONE},
    };
    enum blockmap_headers headers = HEADERS_ZERO;
    while (*options) {
        size_t length = strcspn(options, " ");
        for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
            if (strlen(meanings[i].option) == length &&
                strncmp(options, meanings[i].option, length) == 0)
                headers = meanings[i].headers;
        options += length + (options[length] == ' ');
    }
    return headers;
}

static bool all_have_linedef_0(const struct blockmap *blockmap,
                               size_t line_count)
{
    bool is_listed[UINT8_MAX + 1] = {true};
    for (size_t b = 0; b < blockmap->block_count && is_listed[0]; b++)
        gather(blockmap, b, is_listed, line_count);
    return is_listed[0];
}

// Reads the lump that was made.  Lists that were to have no headers do have
// them where all would begin with linedef 0.
static void read_made(const struct nbstage_lump *lump, size_t line_count,
                      const char *options, struct blockmap *made)
{
    enum blockmap_headers headers = headers_of(options);
    blockmap_read_as(lump->data, lump->data_size, line_count, headers, made);
    if (headers != HEADERS_NONE || blockmap_has_unreadable(made) ||
        !all_have_linedef_0(made, line_count))
        return;
    blockmap_free(made);
    blockmap_read_as(lump->data, lump->data_size, line_count, HEADERS_ANY,
                     made);
}

static void require_same_lists(const struct nbstage_lump *lump,
                               const uint8_t *bytes, size_t size,
                               size_t line_count, const char *options)
{
    bool is_widened = strstr(options, "fit=") || strstr(options, "cover");
    struct blockmap old, new;
    blockmap_read(bytes, size, line_count, &old);
    read_made(lump, line_count, options, &new);
    REQUIRE(!blockmap_has_unreadable(&new), "a lump that is made is sound");
    if (old.block_count < MOST_BLOCKS)
        require_same_sets(&old, &new, line_count, is_widened);
    blockmap_free(&old);
    blockmap_free(&new);
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
    map.vertices = (const void *)pairs;
    map.vertex_count = 1;
    map.vertex_size = 2 * sizeof *pairs;
    map.lines = (const void *)pairs;
    map.line_count = line_count;
    map.line_size = 2 * sizeof *pairs;
    char all[300] = "source=lump ";
    struct module module;
    strcat(all, options);
    module_open(&module, all);
    const struct nbstage_lump *made = module_build(&module, &map);
    if (made && made->data_size > 0 && !strstr(options, "source"))
        require_same_lists(made, bytes, size, line_count, options);
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
