// SPDX-License-Identifier: GPL-2.0-or-later
//
// A binary map is a marker, a lump of any name, followed by lumps with the
// names of map lumps.  Any order will do, so that damaged maps are found and
// reported, too.  Lumps of other names do not end the map if one behind them,
// before the next marker, has a name that the map lacks: then they stand inside
// it.  A UDMF map is a marker, TEXTMAP, and everything up to ENDMAP.

#include "config.h"

#include "wad/maps.h"

#include "common/message.h"
#include "map/map.h"
#include "nbstage.h"
#include "platform/status.h"
#include "wad/wad.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool maps_is_lump(const struct wad *wad, size_t index)
{
    return map_rank_lump(wad->lumps[index].name) > 0;
}

static bool maps_has_name(const struct wad *wad, size_t index, const char *name)
{
    return index < wad->lump_count && strcmp(wad->lumps[index].name, name) == 0;
}

// Whether the lump proves that the one before it is a marker.  BLOCKMAP comes
// first in alphabetical order.
static bool maps_begins(const struct wad *wad, size_t index)
{
    return maps_has_name(wad, index, "TEXTMAP") ||
           maps_has_name(wad, index, "THINGS") ||
           maps_has_name(wad, index, "LINEDEFS") ||
           maps_has_name(wad, index, "VERTEXES") ||
           (maps_has_name(wad, index, "BLOCKMAP") &&
            maps_has_name(wad, index + 1, "LINEDEFS"));
}

static bool maps_is_marker(const struct wad *wad, size_t index)
{
    return index + 1 < wad->lump_count && maps_begins(wad, index + 1) &&
           !maps_is_lump(wad, index);
}

const char *maps_name(const struct wad *wad, size_t index)
{
    return wad->lumps[wad->maps[index].marker].name;
}

size_t maps_find_lump(const struct wad *wad, const struct map_place *map,
                      const char *name)
{
    size_t index = map->marker + 1;
    while (index < map->end && strcmp(wad->lumps[index].name, name) != 0)
        index++;
    return index;
}

static bool maps_lacks(const struct wad *wad, const struct map_place *map,
                       const char *name)
{
    return maps_find_lump(wad, map, name) == map->end;
}

// Whether a lump behind a map is the marker of the next one.  One before
// LINEDEFS or VERTEXES is not if the map lacks just these.
static bool maps_is_next(const struct wad *wad, const struct map_place *map,
                         size_t index)
{
    if (!maps_is_marker(wad, index))
        return false;
    const bool may_be_inside = maps_has_name(wad, index + 1, "LINEDEFS") ||
                               maps_has_name(wad, index + 1, "VERTEXES");
    return !may_be_inside || !maps_lacks(wad, map, wad->lumps[index + 1].name);
}

// Extends a map beyond lumps of other names to the lumps that it lacks.
static void maps_extend(const struct wad *wad, struct map_place *map)
{
    for (size_t i = map->end; i < wad->lump_count && !maps_is_next(wad, map, i);
         i++) {
        const char *name = wad->lumps[i].name;
        const int rank = map_rank_lump(name);
        if (rank == 0 || rank > MAPS_LUMPS)
            continue;
        if (!maps_lacks(wad, map, name))
            return;
        map->end = i + 1;
    }
}

static struct map_place maps_place_binary(const struct wad *wad, size_t marker)
{
    struct map_place map = {
        .marker = marker, .end = marker + 1, .selected = true};
    while (map.end < wad->lump_count && maps_is_lump(wad, map.end) &&
           maps_lacks(wad, &map, wad->lumps[map.end].name))
        map.end++;
    maps_extend(wad, &map);
    return map;
}

// Without ENDMAP, only TEXTMAP certainly belongs to the map.
static struct map_place maps_place_udmf(const struct wad *wad, size_t marker)
{
    struct map_place map = {
        .marker = marker, .end = marker + 2, .udmf = true, .selected = true};
    size_t i = map.end;
    while (i < wad->lump_count && strcmp(wad->lumps[i].name, "TEXTMAP") != 0 &&
           strcmp(wad->lumps[i].name, "ENDMAP") != 0)
        i++;
    if (i < wad->lump_count && strcmp(wad->lumps[i].name, "ENDMAP") == 0)
        map.end = i + 1;
    return map;
}

bool maps_is_whole(const struct wad *wad, const struct map_place *map,
                   char sentence[WAD_FLAW_SIZE])
{
    const char *name = wad->lumps[map->marker].name;
    for (size_t i = map->marker; i < map->end; i++)
        if (!wad_check_lump(wad, i, name, sentence))
            return false;
    if (!map->udmf || strcmp(wad->lumps[map->end - 1].name, "ENDMAP") == 0)
        return true;
    snprintf(sentence, WAD_FLAW_SIZE,
             "%s: TEXTMAP: lump %zu has no matching ENDMAP", name,
             map->marker + 1);
    return false;
}

// Where the bytes of a map's lumps are in the file, and how many they are.
struct span {
    uint64_t begin, end, bytes;
};

static struct span maps_measure(const struct wad *wad,
                                const struct map_place *map)
{
    struct span span = {0, 0, 0};
    for (size_t i = map->marker; i < map->end; i++) {
        const uint64_t at = wad->lumps[i].position, size = wad->lumps[i].size;
        if (size == 0)
            continue;
        if (span.bytes == 0 || at < span.begin)
            span.begin = at;
        if (at + size > span.end)
            span.end = at + size;
        span.bytes += size;
    }
    return span;
}

// Most WADs have the lumps of a map side by side, so they are read at once.  If
// that would be more than twice their bytes, each is read alone.
struct nbstage_lump *maps_read_lumps(const struct wad *wad,
                                     const struct map_place *map, size_t *count,
                                     char flaw[WAD_FLAW_SIZE])
{
    const size_t most = map->end - map->marker;
    const struct span span = maps_measure(wad, map);
    const uint64_t range = span.end - span.begin;
    const bool at_once = range / 2 <= span.bytes;
    const size_t size = (size_t)(at_once ? range : span.bytes);
    struct nbstage_lump *lumps = malloc((most + 1) * sizeof *lumps + size);
    unsigned char *bytes = (unsigned char *)(lumps + most + 1);
    bool is_read = lumps;
    *flaw = '\0';
    *count = 0;
    if (is_read && at_once)
        is_read = wad_get(wad, span.begin, size, bytes, flaw);
    for (size_t i = 1; i <= most && is_read; i++) {
        const bool is_marker = i == most;
        const struct wad_lump *lump =
            &wad->lumps[is_marker ? map->marker : map->marker + i];
        if (is_marker && lump->size == 0)
            continue;
        struct nbstage_lump *added = &lumps[(*count)++];
        *added = (struct nbstage_lump){.name = is_marker ? "" : lump->name,
                                       .data_size = lump->size};
        if (lump->size == 0)
            continue;
        if (at_once) {
            added->data = bytes + (lump->position - span.begin);
            continue;
        }
        is_read = wad_get(wad, lump->position, lump->size, bytes, flaw);
        added->data = bytes;
        bytes += lump->size;
    }
    if (is_read)
        return lumps;
    free(lumps);
    return NULL;
}

enum exit_status maps_find(struct wad *wad)
{
    // A map has at least two lumps.
    wad->maps = malloc((wad->lump_count / 2 + 1) * sizeof *wad->maps);
    if (!wad->maps)
        return message_out_of_memory();
    for (size_t index = 0; index + 1 < wad->lump_count;) {
        if (!maps_is_marker(wad, index)) {
            index++;
            continue;
        }
        wad->maps[wad->map_count] =
            strcmp(wad->lumps[index + 1].name, "TEXTMAP") == 0
                ? maps_place_udmf(wad, index)
                : maps_place_binary(wad, index);
        index = wad->maps[wad->map_count++].end;
    }
    return STATUS_DONE;
}

// Whether a lump is a compressed one of a map: consoles set the highest bit of
// the first letter of its name.
static bool maps_is_compressed(const struct wad_lump *lump)
{
    char name[WAD_NAME_SIZE + 1];
    memcpy(name, lump->name, sizeof name);
    name[0] = (char)toupper(name[0] & 0x7F);
    return name[0] != lump->name[0] && map_rank_lump(name) > 0;
}

// Whether a lump is a WAD itself.  STATUS_FILE with a message if it cannot be
// read.
static enum exit_status maps_find_nested(const struct wad *wad,
                                         const struct wad_lump *lump,
                                         bool *is_wad)
{
    unsigned char kind[4];
    char flaw[WAD_FLAW_SIZE] = "";
    *is_wad = false;
    if (lump->size < WAD_HEADER_SIZE || wad_lump_end(lump) > wad->size)
        return STATUS_DONE;
    if (!wad_get(wad, lump->position, sizeof kind, kind, flaw)) {
        wad_print(wad, flaw);
        return STATUS_FILE;
    }
    *is_wad = wad_begins(kind);
    return STATUS_DONE;
}

// Refuses a file without maps, and names what it holds instead, if that is
// known from its first lumps.
static enum exit_status maps_refuse_file(const struct wad *wad)
{
    enum { MOST_LUMPS = 1 << 16 };
    char flaw[WAD_FLAW_SIZE] = "the file has no map; a marker lump followed by "
                               "THINGS, LINEDEFS, VERTEXES or TEXTMAP was "
                               "expected";
    bool is_known = false;
    for (size_t i = 0; i < wad->lump_count && i < MOST_LUMPS && !is_known;
         i++) {
        const struct wad_lump *lump = &wad->lumps[i];
        bool is_wad;
        NEED_DONE(maps_find_nested(wad, lump, &is_wad));
        is_known = is_wad || maps_is_compressed(lump);
        if (is_wad)
            snprintf(flaw, sizeof flaw,
                     "lump %zu, %s, is a WAD itself, as in Doom 64; a map was "
                     "expected: extract that lump to a file",
                     i, lump->name);
        else if (is_known)
            snprintf(flaw, sizeof flaw,
                     "lump %zu, %c%s, is compressed, as in console versions of "
                     "Doom; a plain one was expected",
                     i, lump->name[0] & 0x7F, lump->name + 1);
    }
    wad_print(wad, flaw);
    return STATUS_MAP_FAILED;
}

enum exit_status maps_read(const char *path, int locked, struct wad *wad)
{
    NEED_DONE(wad_read(path, locked, wad));
    NEED_DONE(maps_find(wad));
    return wad->map_count > 0 ? STATUS_DONE : maps_refuse_file(wad);
}

size_t maps_present_blockmap(const struct wad *wad, const struct map_place *map)
{
    size_t index = maps_find_lump(wad, map, "BLOCKMAP");
    if (map->udmf)
        for (size_t i = index; i < map->end; i++)
            if (maps_has_name(wad, i, "BLOCKMAP"))
                index = i;
    return index;
}

size_t maps_spare_blockmap(const struct wad *wad, const struct map_place *map)
{
    for (size_t i = map->end; i < wad->lump_count && !maps_is_next(wad, map, i);
         i++)
        if (maps_has_name(wad, i, "BLOCKMAP"))
            return i;
    return NO_LUMP;
}

void maps_list_spare(const struct wad *wad, const struct map_place *map,
                     char *names, size_t size)
{
    const size_t dropped = maps_spare_blockmap(wad, map);
    names[0] = '\0';
    for (size_t i = map->end; i < wad->lump_count && !maps_is_next(wad, map, i);
         i++)
        if (maps_is_lump(wad, i) && i != dropped)
            message_add_name(names, size, wad->lumps[i].name);
}

size_t maps_blockmap_place(const struct wad *wad, const struct map_place *map)
{
    if (map->udmf)
        return map->end - 1;
    const int rank = map_rank_lump("BLOCKMAP");
    size_t place = map->marker + 1;
    for (size_t i = map->marker + 1; i < map->end; i++)
        if (map_rank_lump(wad->lumps[i].name) < rank)
            place = i + 1;
    return place;
}

// ---------------------------------------------------------------------------
// Pairs

struct named_map {
    const char *name;
    size_t index; // among the maps to pair
    struct map_place *map;
};

static int maps_compare_names(const void *a, const void *b)
{
    const struct named_map *left = a;
    const struct named_map *right = b;
    const int order = strcmp(left->name, right->name);
    return order != 0
               ? order
               : (left->index > right->index) - (left->index < right->index);
}

// The maps to pair, sorted by name, without partners; to be freed.  NULL if
// memory runs out.
static struct named_map *maps_sort(struct wad *wad, bool only_selected,
                                   size_t *count)
{
    struct named_map *sorted = malloc((wad->map_count + 1) * sizeof *sorted);
    if (!sorted)
        return NULL;
    *count = 0;
    for (size_t i = 0; i < wad->map_count; i++) {
        struct map_place *map = &wad->maps[i];
        map->partner = NO_MAP;
        if (only_selected && !map->selected)
            continue;
        sorted[*count] =
            (struct named_map){wad->lumps[map->marker].name, *count, map};
        ++*count;
    }
    qsort(sorted, *count, sizeof *sorted, maps_compare_names);
    return sorted;
}

static void maps_link_partners(const struct named_map *olds, size_t old_count,
                               const struct named_map *news, size_t new_count)
{
    for (size_t o = 0, n = 0; o < old_count && n < new_count;) {
        const int order = strcmp(olds[o].name, news[n].name);
        if (order == 0) {
            olds[o].map->partner = news[n].index;
            news[n].map->partner = olds[o].index;
        }
        o += order <= 0;
        n += order >= 0;
    }
}

enum exit_status maps_pair(struct wad *old, struct wad *new, bool only_selected)
{
    size_t old_count = 0, new_count = 0;
    struct named_map *olds = maps_sort(old, only_selected, &old_count);
    struct named_map *news = maps_sort(new, only_selected, &new_count);
    const bool has_memory = olds && news;
    if (has_memory)
        maps_link_partners(olds, old_count, news, new_count);
    free(olds);
    free(news);
    return has_memory ? STATUS_DONE : message_out_of_memory();
}

// ---------------------------------------------------------------------------
// Selection

// Compares names by the first numbers in them that differ, so that E1M9 comes
// before E1M10.  False if anything else differs.
static bool maps_compare_numbers(const char *a, const char *b, int *order)
{
    *order = 0;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *a_end, *b_end;
            unsigned long a_number = strtoul(a, &a_end, 10);
            unsigned long b_number = strtoul(b, &b_end, 10);
            if (*order == 0)
                *order = (a_number > b_number) - (a_number < b_number);
            a = a_end;
            b = b_end;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

// Whether a name is in a range such as MAP04-MAP07, ends included.
static bool maps_in_range(const char *name, const char *first, const char *last)
{
    int from_first, to_last;
    return maps_compare_numbers(first, name, &from_first) &&
           maps_compare_numbers(name, last, &to_last) && from_first <= 0 &&
           to_last <= 0;
}

// Selects the maps that an item names; returns whether there are any.
static bool maps_select_item(struct wad *wad, char *item)
{
    bool found = false;
    for (size_t i = 0; i < wad->map_count; i++) {
        if (strcasecmp(item, maps_name(wad, i)) == 0)
            wad->maps[i].selected = found = true;
    }
    char *hyphen = strchr(item, '-');
    if (found || !hyphen)
        return found;
    for (char *c = item; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    *hyphen = '\0';
    for (size_t i = 0; i < wad->map_count; i++) {
        if (maps_in_range(maps_name(wad, i), item, hyphen + 1))
            wad->maps[i].selected = found = true;
    }
    *hyphen = '-';
    return found;
}

static enum exit_status maps_refuse_name(struct wad *const *wads,
                                         size_t wad_count, const char *item)
{
    const struct wad *first = wads[0];
    char names[512] = "";
    if (wad_count > 1) {
        message_print("no map is named '%s', neither in %s nor in %s", item,
                      first->path, wads[1]->path);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < first->map_count; i++)
        message_add_name(names, sizeof names, maps_name(first, i));
    message_print("%s: no map is named '%s'; the file has %s", first->path,
                  item, names);
    return STATUS_USAGE;
}

// Selects the maps that the items of a list name.  Modifies the list: a zero
// byte replaces each comma.
static enum exit_status maps_select_items(struct wad *const *wads,
                                          size_t wad_count, char *list)
{
    char *next;
    for (char *item = list; item; item = next) {
        next = strchr(item, ',');
        if (next)
            *next++ = '\0';
        bool found = false;
        for (size_t i = 0; i < wad_count; i++)
            found |= maps_select_item(wads[i], item);
        if (!found)
            return maps_refuse_name(wads, wad_count, item);
    }
    return STATUS_DONE;
}

static enum exit_status maps_select_list(struct wad *const *wads,
                                         size_t wad_count, const char *list)
{
    char *copy = strdup(list);
    if (!copy)
        return message_out_of_memory();
    const enum exit_status status = maps_select_items(wads, wad_count, copy);
    free(copy);
    return status;
}

enum exit_status maps_select(struct wad *const *wads, size_t wad_count,
                             char *const *lists, size_t list_count)
{
    if (list_count == 0)
        return STATUS_DONE;
    for (size_t w = 0; w < wad_count; w++)
        for (size_t i = 0; i < wads[w]->map_count; i++)
            wads[w]->maps[i].selected = false;
    for (size_t i = 0; i < list_count; i++)
        NEED_DONE(maps_select_list(wads, wad_count, lists[i]));
    return STATUS_DONE;
}
