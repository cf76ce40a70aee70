// SPDX-License-Identifier: GPL-2.0-or-later

#include "expected-lists.h"

#include "blocklists.h"
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

static bool all_have_line_0(const struct blocklists *lists)
{
    for (size_t b = 0; b < lists->block_count; b++) {
        size_t begin, end;
        bool has_line_0 = false;
        bool is_readable = blocklists_find(lists, LISTS_NONE, b, &begin, &end);
        REQUIRE(is_readable, "every list can be read");
        for (; begin < end && !has_line_0; begin++)
            has_line_0 = lists->words[begin] == 0;
        if (!has_line_0)
            return false;
    }
    return true;
}

void expected_check(const struct nbstage_lump *lump,
                    const struct oracle_line *lines, size_t line_count,
                    const struct expected_form *form)
{
    if (lump->data_size == 0)
        return;
    struct blocklists lists = blocklists_read(lump->data, lump->data_size);
    REQUIRE(oracle_encloses(&lists.grid, lines, line_count),
            "the grid encloses all lines");
    if (lists.block_count * (uint64_t)(line_count + 1) <= MOST_WORK) {
        // Lists that were to have no headers do have them where all would begin
        // with line 0.
        enum blocklists_header header = form->header;
        if (header == LISTS_NONE && all_have_line_0(&lists))
            header = LISTS_ANY;
        struct oracle_entry_list truth =
            oracle_find_entries(&lists.grid, lines, line_count);
        struct blocklists_counts counts =
            blocklists_compare(&lists, header, &truth, line_count, NULL);
        REQUIRE(counts.unreadable == 0, "every list can be read");
        REQUIRE(counts.unknown == 0, "only lines that exist are listed");
        REQUIRE(counts.missing == 0, "no line is missing in a block");
        REQUIRE(counts.extra == 0 || form->has_extra_lines,
                "no block has an extra entry");
        oracle_free_entries(&truth);
    }
    blocklists_free(&lists);
}
