// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "wad/extents.h"

#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int extents_compare(const void *a, const void *b)
{
    const struct extent *left = a;
    const struct extent *right = b;
    return (left->begin > right->begin) - (left->begin < right->begin);
}

size_t extents_join(struct extent *extents, size_t count)
{
    size_t joined = 0;
    qsort(extents, count, sizeof *extents, extents_compare);
    for (size_t i = 0; i < count; i++) {
        if (joined > 0 && extents[i].begin < extents[joined - 1].end) {
            if (extents[i].end > extents[joined - 1].end)
                extents[joined - 1].end = extents[i].end;
        } else {
            extents[joined++] = extents[i];
        }
    }
    return joined;
}

size_t extents_find_next(const struct extent *extents, size_t count,
                         uint64_t position)
{
    size_t first = 0;
    while (first < count) {
        const size_t middle = first + (count - first) / 2;
        if (extents[middle].begin < position)
            first = middle + 1;
        else
            count = middle;
    }
    return first;
}

struct extent *extents_find(struct extent *extents, size_t count,
                            uint64_t position)
{
    return &extents[extents_find_next(extents, count, position + 1) - 1];
}

// Lists what is in use: the header, the directory, and all lumps that have
// bytes.  Returns the number of ranges.
static size_t extents_list_used(const struct wad *wad, struct extent *used)
{
    size_t count = 0;
    used[count++] = (struct extent){.end = WAD_HEADER_SIZE};
    used[count++] =
        (struct extent){.begin = wad->directory, .end = wad_directory_end(wad)};
    for (size_t i = 0; i < wad->lump_count; i++) {
        const struct wad_lump *lump = &wad->lumps[i];
        if (lump->size > 0)
            used[count++] = (struct extent){.begin = lump->position,
                                            .end = wad_lump_end(lump)};
    }
    return extents_join(used, count);
}

struct extent *extents_list_loose(const struct wad *wad, size_t *count)
{
    struct extent *extents = malloc((wad->lump_count + 2) * sizeof *extents);
    *count = 0;
    if (!extents)
        return NULL;
    const size_t used_count = extents_list_used(wad, extents);
    for (size_t i = 0; i < used_count; i++) {
        const uint64_t begin = extents[i].end;
        uint64_t end = wad->size;
        if (i + 1 < used_count && extents[i + 1].begin < end)
            end = extents[i + 1].begin;
        if (begin < end)
            extents[(*count)++] = (struct extent){.begin = begin, .end = end};
    }
    return extents;
}

bool extents_count_loose(const struct wad *wad, uint64_t *bytes)
{
    enum { MOST_PADDING = 3 };
    size_t count;
    struct extent *loose = extents_list_loose(wad, &count);
    *bytes = 0;
    for (size_t i = 0; i < count; i++)
        if (loose[i].end - loose[i].begin > MOST_PADDING)
            *bytes += loose[i].end - loose[i].begin;
    free(loose);
    return loose;
}
