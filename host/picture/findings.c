// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "picture/findings.h"

#include "memory.h"

#include <stdlib.h>

#define WHOLE "<path d=\"M0 0h8v8H0z\" fill=\"currentColor\" fill-opacity="
#define STROKE "<path stroke=\"currentColor\" stroke-width="

const struct finding_style finding_styles[FINDING_KIND_COUNT] = {
    [FINDING_MISSING] = {"missing", "missing", WHOLE "\".6\"/>"},
    [FINDING_HARMLESS] = {"harmless", "missing, harmless",
                          STROKE "\".9\" d=\"M-1 1l2-2M-1 9L9-1M7 9l2-2\"/>"},
    [FINDING_EXTRA] = {"extra", "extra",
                       "<path d=\"M0 0h8v8H0z\" fill=\"#fb0\" "
                       "fill-opacity=\".7\"/>" STROKE "\"2\" d=\"M3 4h2\"/>"},
    [FINDING_ONLY_OLD] = {"only-old", "only in the old file",
                          WHOLE "\".25\"/>" STROKE
                                "\"1.6\" d=\"M-1 7l2 2M-1-1l10 10M7-1l2 2\"/>"},
    [FINDING_ONLY_NEW] = {"only-new", "only in the new file",
                          WHOLE "\".25\"/>" STROKE
                                "\"1.6\" d=\"M-1 1l2-2M-1 9L9-1M7 9l2-2\"/>"},
    [FINDING_UNREADABLE] = {"unreadable", "unreadable lists",
                            STROKE "\"1\" d=\"M1 1l6 6M7 1l-6 6\"/>"},
};

// Entries are kept as they come and sorted at the end, so that those of a block
// are found by halving.
static void findings_append(struct finding_list *list, struct finding finding)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->count + 16;
        list->finding =
            memory_resize(list->finding, list->capacity, sizeof *list->finding);
    }
    list->finding[list->count++] = finding;
}

void findings_mark_block(struct findings *findings, enum finding_kind kind,
                         int64_t x, int64_t y)
{
    findings_append(&findings->blocks,
                    (struct finding){.kind = kind, .x = x, .y = y});
}

void findings_add(struct findings *findings, enum finding_kind kind, int64_t x,
                  int64_t y, uint32_t linedef)
{
    if (findings->kept[kind] == MOST_FINDINGS)
        return;
    findings->kept[kind]++;
    findings_append(&findings->entries, (struct finding){kind, linedef, x, y});
}

static int findings_compare_places(const struct finding *left, int64_t x,
                                   int64_t y)
{
    if (left->y != y)
        return left->y < y ? -1 : 1;
    return (left->x > x) - (left->x < x);
}

static int findings_compare(const void *a, const void *b)
{
    const struct finding *left = a;
    const struct finding *right = b;
    int order = findings_compare_places(left, right->x, right->y);
    if (order == 0)
        order = (int)left->kind - (int)right->kind;
    if (order == 0)
        order =
            (left->linedef > right->linedef) - (left->linedef < right->linedef);
    return order;
}

void findings_sort(struct findings *findings)
{
    struct finding_list *entries = &findings->entries;
    if (entries->count > 0)
        qsort(entries->finding, entries->count, sizeof *entries->finding,
              findings_compare);
}

void findings_free(struct findings *findings)
{
    free(findings->entries.finding);
    free(findings->blocks.finding);
    *findings = (struct findings){0};
}
