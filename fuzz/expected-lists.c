// SPDX-License-Identifier: GPL-2.0-or-later

#include "expected-lists.h"

#include "raw-lump.h"
#include "target.h"

#include <stdlib.h>

// Blocks times lines that brute force may look at.
enum { MOST_WORK = 1 << 17 };

struct oracle_line *expected_lines(const struct nbstage_decoded *decoded)
{
    const char *vertices = (const char *)decoded->vertices;
    const char *lines = (const char *)decoded->lines;
    struct oracle_line *copy = calloc(decoded->line_count + 1, sizeof *copy);
    REQUIRE(copy, "there is memory for the lines");
    for (size_t i = 0; i < decoded->line_count; i++) {
        const struct nbstage_line *line =
            (const void *)(lines + i * decoded->line_size);
        REQUIRE(line->v1 < decoded->vertex_count &&
                    line->v2 < decoded->vertex_count,
                "the vertices of decoded lines are there");
        const struct nbstage_vertex *v1 =
            (const void *)(vertices + line->v1 * decoded->vertex_size);
        const struct nbstage_vertex *v2 =
            (const void *)(vertices + line->v2 * decoded->vertex_size);
        copy[i] = (struct oracle_line){v1->x, v1->y, v2->x, v2->y};
    }
    return copy;
}

static int compare(const struct oracle_entry *a, const struct oracle_entry *b)
{
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

// Whether an entry that is not true may be in the lump.
static bool may_be_extra(const struct oracle_entry *entry,
                         const struct expected_form *form)
{
    return form->has_extra_lines || (form->has_inner_zeros && entry->line == 0);
}

static void compare_entries(const struct oracle_entry_list *expected,
                            const struct oracle_entry_list *found,
                            size_t line_count, const struct expected_form *form)
{
    size_t t = 0;
    for (size_t f = 0; f < found->count; f++) {
        const struct oracle_entry *entry = &found->entry[f];
        REQUIRE(entry->line < line_count, "only lines that exist are listed");
        int order =
            t < expected->count ? compare(&expected->entry[t], entry) : 1;
        REQUIRE(order >= 0, "no line is missing in a block");
        REQUIRE(order == 0 || may_be_extra(entry, form),
                "no block has an extra entry");
        t += order == 0;
    }
    REQUIRE(t == expected->count, "no line is missing in the last blocks");
}

static bool all_have_line_0(const struct oracle_entry_list *entries,
                            uint64_t blocks)
{
    uint64_t count = 0;
    for (size_t f = 0; f < entries->count; f++)
        count += entries->entry[f].line == 0;
    return count == blocks;
}

// Lists that were to have no headers do have them where all would begin with
// line 0.
static struct oracle_entry_list read_entries(const struct raw_lump *raw,
                                             uint64_t blocks,
                                             const struct expected_form *form)
{
    struct oracle_entry_list entries = raw_lump_read(raw, form->has_headers);
    if (form->has_headers || !all_have_line_0(&entries, blocks))
        return entries;
    oracle_free_entries(&entries);
    return raw_lump_read(raw, true);
}

void expected_check(const struct nbstage_lump *lump,
                    const struct oracle_line *lines, size_t line_count,
                    const struct expected_form *form)
{
    if (lump->data_size == 0)
        return;
    struct raw_lump raw = raw_lump_open(lump->data, lump->data_size);
    REQUIRE(oracle_encloses(&raw.grid, lines, line_count),
            "the grid encloses all lines");
    uint64_t blocks = (uint64_t)raw.grid.columns * raw.grid.rows;
    if (blocks * (line_count + 1) > MOST_WORK)
        return;
    struct oracle_entry_list found = read_entries(&raw, blocks, form);
    struct oracle_entry_list expected =
        oracle_find_entries(&raw.grid, lines, line_count);
    compare_entries(&expected, &found, line_count, form);
    oracle_free_entries(&found);
    oracle_free_entries(&expected);
}
