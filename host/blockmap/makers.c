// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every choice of the stage's option lists is a maker, except exact and lump.

#include "config.h"

#include "blockmap/makers.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

static bool is_maker(const struct nbstage_choice *choice)
{
    return strcmp(choice->name, "exact") != 0 &&
           strcmp(choice->name, "lump") != 0;
}

const struct nbstage_choice *maker_asked(const struct open_file *file)
{
    const struct nbstage_option *option =
        stage_find_option(file->stage.descriptor, "lists");
    const char *name = open_map_setting(file, "lists", "exact");
    for (size_t i = 0; option && i < option->choice_count; i++)
        if (strcmp(option->choices[i].name, name) == 0 &&
            is_maker(&option->choices[i]))
            return &option->choices[i];
    return NULL;
}

// Whether the words of a block's list are the same.
static bool same_list(const struct blockmap *one, const struct blockmap *other,
                      size_t block)
{
    const struct blockmap_list *a = &one->lists[block];
    const struct blockmap_list *b = &other->lists[block];
    if (a->fault != LIST_READABLE || b->fault != LIST_READABLE ||
        a->end - a->offset != b->end - b->offset)
        return false;
    for (size_t w = a->offset; w < a->end; w++)
        if (words_get(&one->words, w) !=
            words_get(&other->words, w - a->offset + b->offset))
            return false;
    return true;
}

static void compare(const struct blockmap *present, const struct blockmap *made,
                    struct maker_verdict *verdict)
{
    verdict->match = MAKER_DIFFERS;
    verdict->has_grid =
        present->block_count > 0 && present->origin_x == made->origin_x &&
        present->origin_y == made->origin_y &&
        present->columns == made->columns && present->rows == made->rows;
    if (!verdict->has_grid || made->block_count != present->block_count)
        return;
    for (; verdict->block < made->block_count; verdict->block++)
        if (!same_list(present, made, verdict->block))
            return;
    verdict->match = present->bytes == made->bytes &&
                             memcmp(present->lump, made->lump, made->bytes) == 0
                         ? MAKER_WORDS
                         : MAKER_LISTS;
}

struct maker_verdict maker_judge(struct open_file *file,
                                 const struct open_map *map,
                                 const struct nbstage_choice *maker)
{
    const struct stage_setting settings[] = {
        {"preset", "compatible"}, {"lists", maker->name}, {"pack", "share"},
        {"header", "zero"},       {"format", "auto"},     {"limit", "extended"},
        {"overflow", "xbm1"},     {"check-nodes", "no"},  {NULL, NULL},
    };
    struct maker_verdict verdict = {.maker = maker};
    struct nbstage_result result;
    struct blockmap made = {0};
    const char *sentence = open_map_build(file, map, settings, &result);
    if (sentence) {
        verdict.match = MAKER_UNKNOWN;
        verdict.sentence = memory_copy_text(sentence);
    } else {
        open_map_read_result(&result, map->line_count, &made);
        compare(&map->present, &made, &verdict);
    }
    blockmap_free(&made);
    file->stage.descriptor->free_result(file->stage.instance, &result);
    return verdict;
}

size_t makers_find(struct open_file *file, const struct open_map *map,
                   const struct nbstage_choice *makers[MOST_MAKERS])
{
    const struct nbstage_option *option =
        stage_find_option(file->stage.descriptor, "lists");
    size_t count = 0;
    for (size_t i = 0; option && i < option->choice_count; i++) {
        if (!is_maker(&option->choices[i]) || count == MOST_MAKERS)
            continue;
        struct maker_verdict verdict =
            maker_judge(file, map, &option->choices[i]);
        if (verdict.match == MAKER_LISTS || verdict.match == MAKER_WORDS)
            makers[count++] = &option->choices[i];
        free(verdict.sentence);
    }
    return count;
}
