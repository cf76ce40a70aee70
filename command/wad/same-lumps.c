// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether a build changes a file.  Lumps of the file itself need no look, so
// without a node builder only blockmaps are read again.

#include "config.h"

#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    AT_ONCE = 1 << 14,
    // Lumps that are compared have at most so many times the bytes of the file,
    // whatever they share.
    MOST_SHARED = 4,
};

static uint32_t same_size(const struct wad *wad, const struct wad_entry *entry)
{
    return entry->source == NO_SOURCE ? entry->size
                                      : wad->lumps[entry->source].size;
}

static bool same_name(const struct wad *old, size_t index,
                      const struct wad *wad, const struct wad_entry *entry)
{
    const char *name = entry->source == NO_SOURCE
                           ? "BLOCKMAP"
                           : wad->lumps[entry->source].raw_name;
    return memcmp(old->lumps[index].raw_name, name, WAD_NAME_SIZE) == 0;
}

// Whether an entry has the bytes of a lump, which has its size.
static bool same_bytes(const struct wad *old, size_t index,
                       const struct wad *wad, const struct wad_entry *entry)
{
    unsigned char before[AT_ONCE], after[AT_ONCE];
    char flaw[WAD_FLAW_SIZE];
    const bool is_made = entry->source == NO_SOURCE;
    const struct wad_lump *lump = &old->lumps[index];
    if (!wad_check_lump(old, index, NULL, flaw) ||
        (!is_made && !wad_check_lump(wad, entry->source, NULL, flaw)))
        return false;
    for (size_t done = 0, size; done < lump->size; done += size) {
        size = lump->size - done < AT_ONCE ? lump->size - done : AT_ONCE;
        const unsigned char *bytes = is_made ? entry->bytes + done : after;
        if (!wad_get(old, lump->position + done, size, before, flaw) ||
            (!is_made &&
             !wad_get(wad, wad->lumps[entry->source].position + done, size,
                      after, flaw)) ||
            memcmp(before, bytes, size) != 0)
            return false;
    }
    return true;
}

bool wad_has_entries(const struct wad *old, const struct wad *wad,
                     const struct wad_entry *entries, size_t entry_count)
{
    uint64_t compared = 0;
    if (old->lump_count != entry_count ||
        memcmp(old->kind, wad->kind, sizeof old->kind) != 0)
        return false;
    for (size_t i = 0; i < entry_count; i++)
        if (old->lumps[i].size != same_size(wad, &entries[i]) ||
            !same_name(old, i, wad, &entries[i]))
            return false;
    for (size_t i = 0; i < entry_count; i++) {
        if (old == wad && entries[i].source == i)
            continue;
        compared += old->lumps[i].size;
        if (compared / MOST_SHARED > old->size ||
            !same_bytes(old, i, wad, &entries[i]))
            return false;
    }
    return true;
}
