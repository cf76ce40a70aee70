// SPDX-License-Identifier: GPL-2.0-or-later
//
// It is the picture that show makes, of the new map, with a mark on the blocks
// that differ.  Blocks that only the old grid has are not in it.

#include "config.h"

#include "diff/diff-picture.h"

#include "picture/picture.h"

#include <stdlib.h>

// Marks the blocks that have a point in common with the one at x,y.
static void mark_block(const struct blockmap *blockmap, int64_t x, int64_t y,
                       uint32_t *marks)
{
    struct blockmap_area area = blockmap_across(blockmap, x, y);
    for (size_t row = area.rows.begin; row < area.rows.end; row++)
        for (size_t column = area.columns.begin; column < area.columns.end;
             column++)
            marks[row * blockmap->columns + column] = 1;
}

// For each block of the new grid whether it differs, for free; NULL if memory
// runs out.
static uint32_t *mark_blocks(const struct diff_map *found)
{
    const struct blockmap *blockmap = &found->new->present;
    uint32_t *marks = calloc(blockmap->block_count + 1, sizeof *marks);
    for (size_t i = 0; marks && i < found->comparison.differing_count; i++)
        mark_block(blockmap, found->comparison.blocks[i].x,
                   found->comparison.blocks[i].y, marks);
    return marks;
}

static enum exit_status draw(const char *path, const struct diff_map *found,
                             const struct nbstage_decoded *decoded)
{
    const struct blockmap *blockmap = &found->new->present;
    struct statistics statistics;
    uint32_t *marks = mark_blocks(found);
    struct picture picture = {
        .name = found->name,
        .blockmap = blockmap,
        .statistics = &statistics,
        .decoded = decoded,
        .groups = marks,
        .group_label = "differ",
    };
    statistics_count(blockmap, decoded->line_count, &statistics);
    enum exit_status status =
        marks ? picture_save(&picture, path) : message_out_of_memory();
    statistics_free(&statistics);
    free(marks);
    return status;
}

enum exit_status diff_picture_write(const char *path, struct open_file *file,
                                    const struct diff_map *found)
{
    const struct nbstage_descriptor *stage = file->stage.descriptor;
    struct nbstage_decoded decoded;
    if (!found->new || !blockmap_has_blocks(&found->new->present)) {
        message_print("%s: %s has no blockmap that can be drawn", file->path,
                      found->name);
        return STATUS_MAP_FAILED;
    }
    const char *sentence = open_map_decode(file, found->new, &decoded);
    if (sentence) {
        message_print("%s: %s", file->path, sentence);
        return STATUS_MAP_FAILED;
    }
    enum exit_status status = draw(path, found, &decoded);
    stage->free_decoded(file->stage.instance, &decoded);
    return status;
}
