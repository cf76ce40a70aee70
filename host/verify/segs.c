// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage checks what it builds from the present lists.  When it fails, that
// may be for a seg, or because it cannot read the lists or the segs.  Two more
// builds tell: one of the present lists, without the segs, and one with the
// segs, but with lists in which no seg can fail, since a single block has all
// linedefs.

#include "config.h"

#include "verify/segs.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

// Builds from the BLOCKMAP lump among the lumps of a map.
static const char *build(struct open_file *file, const struct nbstage_map *map,
                         const char *check_nodes, int64_t *checked)
{
    const struct stage_setting settings[] = {
        {"source", "lump"},
        {"check-nodes", check_nodes},
        {"prune", open_map_prune(file)},
        {"pack", "none"},
        {"header", "zero"},
        {"fit", "none"},
        {"format", "xbm1"},
        {"overflow", "xbm1"},
    };
    struct nbstage_result result;
    const char *sentence = open_map_build(
        file, map, settings, sizeof settings / sizeof *settings, &result);
    *checked = open_map_number(&result, "checked_segs");
    file->stage.descriptor->free_result(file->stage.instance, &result);
    return sentence;
}

static void put_word(unsigned char *bytes, size_t index, uint32_t word)
{
    for (size_t i = 0; i < 4; i++)
        bytes[4 * index + i] = (unsigned char)(word >> 8 * i & 0xFF);
}

// A lump in XBM1 with one block, which lists all linedefs; NULL if memory runs
// out.
static unsigned char *make_lump(size_t line_count, size_t *size)
{
    const uint32_t begin[] = {0, 0, 1, 1, 5, 0}; // grid, offset, header
    const size_t begin_words = sizeof begin / sizeof *begin;
    *size = BLOCKMAP_XBM1_NAME_SIZE + 4 * (begin_words + line_count + 1);
    unsigned char *bytes = memory_get(1, *size);
    memcpy(bytes, "XBM1", 4);
    unsigned char *words = bytes + BLOCKMAP_XBM1_NAME_SIZE;
    for (size_t i = 0; i < begin_words; i++)
        put_word(words, i, begin[i]);
    for (size_t i = 0; i < line_count; i++)
        put_word(words, begin_words + i, (uint32_t)i);
    put_word(words, begin_words + line_count, UINT32_MAX);
    return bytes;
}

// Has the stage check lists in which no seg can fail.  Returns why it does not,
// or NULL.
static const char *try_segs(struct open_file *file, const struct open_map *map)
{
    const struct nbstage_lump present = *map->lump;
    int64_t checked;
    unsigned char *bytes = make_lump(map->line_count, &map->lump->data_size);
    map->lump->data = bytes;
    const char *sentence = build(file, &map->map, "yes", &checked);
    *map->lump = present;
    free(bytes);
    return sentence;
}

static void settle(struct segs *segs, enum segs_verdict verdict,
                   const char *sentence)
{
    free(segs->sentence);
    segs->verdict = verdict;
    segs->sentence = memory_copy_text(sentence);
}

void segs_check(struct open_file *file, const struct open_map *map,
                struct segs *segs)
{
    const char *sentence;
    int64_t checked;
    if (blockmap_has_unreadable(&map->present)) {
        settle(segs, SEGS_UNCHECKED, "not all of the lump can be read");
        return;
    }
    if (map->present.block_count == 0) {
        settle(segs, SEGS_UNCHECKED, "there are no lists");
        return;
    }
    segs->verdict = SEGS_PASS;
    sentence = build(file, &map->map, "yes", &segs->checked);
    if (!sentence)
        return;
    settle(segs, SEGS_FAIL, sentence);
    sentence = try_segs(file, map);
    if (!sentence)
        sentence = build(file, &map->map, "no", &checked);
    if (sentence)
        settle(segs, SEGS_UNCHECKED, sentence);
}

void segs_free(struct segs *segs)
{
    free(segs->sentence);
    *segs = (struct segs){0};
}
