// SPDX-License-Identifier: GPL-2.0-or-later
//
// Engines find the lumps of a binary map by place, by walking on in the usual
// order of names, or by name; see enum engine_find.  doc/engines.md has what
// each does about a lump that is missing or elsewhere.
//
// Places are counted from 1, the lump after the marker: THINGS is in place 1
// and BLOCKMAP in place 10.  A BLOCKMAP that is to be inserted moves the lumps
// behind it.

#include "config.h"

#include "wad/maps.h"

#include "base/macros.h"
#include "lump/engines.h"
#include "map/map.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *const find_names[MAPS_LUMPS + 1] = {
    NULL,       "THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS",
    "SSECTORS", "NODES",  "SECTORS",  "REJECT",   "BLOCKMAP"};

enum { FIND_VERTEXES = 4, FIND_SECTORS = 8, FIND_REJECT = 9 };

// The lumps of a map as engines meet them.
struct find_view {
    const struct wad *wad;
    const struct map_place *map;
    size_t added; // or NO_LUMP
};

static bool find_has_added(const struct find_view *view, size_t index)
{
    return view->added != NO_LUMP && index > view->added;
}

// The index of the lump in a place, which may be past the end of the file.
static size_t find_index(const struct find_view *view, size_t place)
{
    const size_t index = view->map->marker + place;
    return find_has_added(view, index) ? index - 1 : index;
}

// The name of the lump in a place; NULL past the end of the file.
static const char *find_name(const struct find_view *view, size_t place)
{
    const size_t index = view->map->marker + place;
    if (index == view->added)
        return "BLOCKMAP";
    const size_t lump = find_index(view, place);
    return lump < view->wad->lump_count ? view->wad->lumps[lump].name : NULL;
}

// The place behind the map's last lump.
static size_t find_end(const struct find_view *view)
{
    return view->map->end - view->map->marker + (view->added != NO_LUMP);
}

static bool find_is(const struct find_view *view, size_t place, size_t rank)
{
    const char *name = find_name(view, place);
    return name && strcmp(name, find_names[rank]) == 0;
}

// The place of a lump by its name, in the map; 0 if it lacks the lump.
static size_t find_place(const struct find_view *view, const char *name)
{
    for (size_t place = 1; place < find_end(view); place++)
        if (strcmp(find_name(view, place), name) == 0)
            return place;
    return 0;
}

// The first place whose lump has another name than usual; 0 if there is none.
static size_t find_first_wrong(const struct find_view *view)
{
    size_t place = 1;
    while (place <= MAPS_LUMPS && find_is(view, place, place))
        place++;
    return place > MAPS_LUMPS ? 0 : place;
}

// ---------------------------------------------------------------------------
// By place

static void find_take(const struct find_view *view, size_t place,
                      struct maps_found *found)
{
    found->finding = MAPS_FINDS;
    found->lump = find_index(view, place);
}

// Says as what a lump is read that is in another's place.
static void find_tell_misread(const struct find_view *view, size_t place,
                              struct maps_found *found)
{
    const char *name = find_name(view, place);
    if (name)
        snprintf(found->why, sizeof found->why, "reads %s as %s", name,
                 find_names[place]);
    else
        snprintf(found->why, sizeof found->why,
                 "finds the end of the file in place of %s", find_names[place]);
}

// What an engine does with a lump that is in the place of BLOCKMAP and has
// another name, or if the file ends before.
static enum maps_finding find_misread(const struct find_view *view,
                                      const struct engine *engine)
{
    const size_t index = find_index(view, MAPS_LUMPS);
    if (engine->find == FIND_PLACE_NAMED)
        return MAPS_BUILDS;
    if (index >= view->wad->lump_count)
        return engine->least_bytes > 0 ? MAPS_BUILDS : MAPS_ENDS;
    return view->wad->lumps[index].size < engine->least_bytes ? MAPS_BUILDS
                                                              : MAPS_MISREADS;
}

// Whether Woof reads a lump of another name in place of REJECT into memory that
// is too small for it: there is a bit for each pair of sectors.
static bool find_overruns_reject(const struct find_view *view)
{
    enum { SECTOR_BYTES = 26 };
    const size_t reject = find_index(view, FIND_REJECT);
    const size_t sectors = find_index(view, FIND_SECTORS);
    if (find_is(view, FIND_REJECT, FIND_REJECT))
        return false;
    if (view->map->marker + FIND_REJECT == view->added ||
        reject >= view->wad->lump_count)
        return true;
    const uint64_t count = view->wad->lumps[sectors].size / SECTOR_BYTES;
    return view->wad->lumps[reject].size > (count * count + 7) / 8;
}

// Engines read any bytes as REJECT, but not as other lumps.
static void find_by_place(const struct find_view *view,
                          const struct engine *engine, struct maps_found *found)
{
    const size_t wrong = find_first_wrong(view);
    if (wrong > 0 && wrong < FIND_REJECT) {
        found->finding = MAPS_ENDS;
        find_tell_misread(view, wrong, found);
    } else if (engine->find == FIND_PLACE_NAMED && find_overruns_reject(view)) {
        found->finding = MAPS_ENDS;
        find_tell_misread(view, FIND_REJECT, found);
    } else if (find_is(view, MAPS_LUMPS, MAPS_LUMPS)) {
        find_take(view, MAPS_LUMPS, found);
    } else {
        found->finding = find_misread(view, engine);
        found->tenth = find_name(view, MAPS_LUMPS);
        if (found->finding == MAPS_MISREADS)
            found->lump = find_index(view, MAPS_LUMPS);
        if (engine->find == FIND_PLACE)
            find_tell_misread(view, MAPS_LUMPS, found);
        else
            snprintf(found->why, sizeof found->why, "does not find BLOCKMAP");
    }
}

static void find_by_all_names(const struct find_view *view,
                              struct maps_found *found)
{
    const size_t wrong = find_first_wrong(view);
    if (wrong == 0) {
        find_take(view, MAPS_LUMPS, found);
        return;
    }
    found->finding = MAPS_REFUSES;
    snprintf(found->why, sizeof found->why,
             "refuses the map, as %s is not lump %zu of it", find_names[wrong],
             wrong);
}

// ---------------------------------------------------------------------------
// By names

// Walks on in the usual order.  A lump of another name, or one that should have
// come before, ends the map.  Lumps for nodes, REJECT and BLOCKMAP may be
// missing.  Returns the place where the map ends.
static size_t find_in_order(const struct find_view *view,
                            struct maps_found *found)
{
    size_t place = 1;
    for (size_t rank = 1; rank <= MAPS_LUMPS; rank++) {
        const char *name = find_name(view, place);
        if (find_is(view, place, rank)) {
            place++;
        } else if (rank <= FIND_VERTEXES || rank == FIND_SECTORS) {
            found->finding = MAPS_REFUSES;
            snprintf(found->why, sizeof found->why,
                     "refuses the map, as it finds %s in place of %s",
                     name ? name : "the end", find_names[rank]);
            return place;
        }
    }
    if (find_is(view, place - 1, MAPS_LUMPS))
        find_take(view, place - 1, found);
    else
        snprintf(found->why, sizeof found->why, "does not see BLOCKMAP");
    return place;
}

// Searches up to the next lump whose name begins with MAP.
static void find_by_name(const struct find_view *view, struct maps_found *found)
{
    const char *name;
    for (size_t place = 1; (name = find_name(view, place)); place++) {
        if (strncmp(name, "MAP", 3) == 0)
            break;
        if (strcmp(name, "BLOCKMAP") == 0) {
            find_take(view, place, found);
            return;
        }
    }
    snprintf(found->why, sizeof found->why, "finds no BLOCKMAP");
}

// In UDMF engines find lumps by name; of two the last counts.
static void find_in_udmf(const struct find_view *view, struct maps_found *found)
{
    for (size_t place = 1; place < find_end(view); place++)
        if (find_is(view, place, MAPS_LUMPS))
            find_take(view, place, found);
    if (found->finding != MAPS_FINDS)
        snprintf(found->why, sizeof found->why, "finds no BLOCKMAP");
}

static void find_as(const struct find_view *view, const struct engine *engine,
                    struct maps_found *found)
{
    *found = (struct maps_found){.finding = MAPS_BUILDS, .lump = NO_LUMP};
    if (engine->find == FIND_NEVER)
        found->finding = MAPS_NEVER;
    else if (view->map->udmf)
        find_in_udmf(view, found);
    else if (engine->find == FIND_ALL_NAMES)
        find_by_all_names(view, found);
    else if (engine->find == FIND_ORDER)
        find_in_order(view, found);
    else if (engine->find == FIND_NAME)
        find_by_name(view, found);
    else
        find_by_place(view, engine, found);
}

void maps_find_blockmap(const struct wad *wad, const struct map_place *map,
                        size_t added, const struct engine *engine,
                        struct maps_found *found)
{
    const struct find_view view = {wad, map, added};
    find_as(&view, engine, found);
}

// ---------------------------------------------------------------------------
// Sentences

// Appends a text, unless it is full.
static void find_append(char text[WAD_FLAW_SIZE], const char *before,
                        const char *more, size_t length)
{
    const size_t used = strlen(text);
    snprintf(text + used, WAD_FLAW_SIZE - used, "%s%.*s", before, (int)length,
             more);
}

// Whether all lumps of a map are in alphabetical order, as SRB2's editors may
// leave them.
static bool find_is_alphabetical(const struct find_view *view)
{
    const struct map_place *map = view->map;
    const struct wad_lump *lumps = view->wad->lumps;
    for (size_t i = map->marker + 2; i < map->end; i++)
        if (strcmp(lumps[i - 1].name, lumps[i].name) >= 0)
            return false;
    return true;
}

// Says what is in the place of another lump.
static void find_tell_cause(const struct find_view *view, size_t wrong,
                            char text[WAD_FLAW_SIZE])
{
    const char *expected = find_names[wrong];
    const char *name = wrong < find_end(view) ? find_name(view, wrong) : "";
    if (*name && map_rank_lump(name) == 0)
        snprintf(text, WAD_FLAW_SIZE, "%s stands inside the map", name);
    else if (find_place(view, expected) > 0)
        snprintf(text, WAD_FLAW_SIZE, "%s stands before %s", name, expected);
    else
        snprintf(text, WAD_FLAW_SIZE, "the map has no %s", expected);
}

// Lists the usual lumps behind a place: " REJECT and BLOCKMAP".
static void find_list_behind(const struct find_view *view, size_t place,
                             char text[WAD_FLAW_SIZE])
{
    const char *last = NULL, *before = " ";
    text[0] = '\0';
    for (size_t p = place; p < find_end(view); p++) {
        const char *name = find_name(view, p);
        const int rank = map_rank_lump(name);
        if (rank == 0 || rank > MAPS_LUMPS)
            continue;
        if (last) {
            find_append(text, before, last, strlen(last));
            before = ", ";
        }
        last = name;
    }
    if (last)
        find_append(text, *text ? " and " : " ", last, strlen(last));
}

// Appends what an engine makes of a map, after the name of its first game.
static void find_tell_effect(const struct find_view *view, size_t wrong,
                             const struct engine *engine, const char *before,
                             char sentence[WAD_FLAW_SIZE])
{
    char text[WAD_FLAW_SIZE];
    struct maps_found found;
    find_as(view, engine, &found);
    find_append(sentence, before, engine->name, strcspn(engine->name, ","));
    if (engine->find == FIND_ORDER && found.finding == MAPS_BUILDS) {
        find_list_behind(view, find_in_order(view, &found), text);
        find_append(sentence, " does not see", text, strlen(text));
    } else if (found.finding == MAPS_FINDS) {
        find_append(sentence, " takes another BLOCKMAP", "", 0);
    } else if (engine->find == FIND_PLACE && wrong == FIND_REJECT) {
        struct maps_found reject;
        find_tell_misread(view, FIND_REJECT, &reject);
        find_append(sentence, " ", reject.why, strlen(reject.why));
        snprintf(text, sizeof text, " and %s as BLOCKMAP",
                 find_name(view, MAPS_LUMPS));
        if (find_name(view, MAPS_LUMPS))
            find_append(sentence, "", text, strlen(text));
    } else {
        find_append(sentence, " ", found.why, strlen(found.why));
    }
}

// Finds the first engine of each way that does not take the lump.
static void find_missing(const struct find_view *view, size_t blockmap,
                         engine_set engines,
                         const struct engine *first[FIND_NEVER])
{
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        const struct engine *engine = &engine_table[i];
        struct maps_found found;
        if (!(engines & ENGINE_BIT(i)) || engine->find == FIND_NEVER ||
            first[engine->find])
            continue;
        find_as(view, engine, &found);
        if (found.lump != blockmap || found.finding != MAPS_FINDS)
            first[engine->find] = engine;
    }
}

// Whether a map is as editors may leave it, in order and without any lump for
// nodes.  No engine that finds lumps by place plays it, wherever they are.
static bool find_is_unbuilt(const struct find_view *view)
{
    int before = 0;
    for (size_t place = 1; place < find_end(view); place++) {
        const int rank = map_rank_lump(find_name(view, place));
        if (rank <= before || (rank > FIND_VERTEXES && rank < FIND_SECTORS))
            return false;
        before = rank;
    }
    return true;
}

bool maps_is_unbuilt(const struct wad *wad, const struct map_place *map)
{
    const struct find_view view = {wad, map, NO_LUMP};
    return find_is_unbuilt(&view);
}

bool maps_are_in_place(const struct wad *wad, const struct map_place *map,
                       size_t blockmap, size_t added, engine_set engines,
                       char sentence[WAD_FLAW_SIZE])
{
    // The first of these tells most; with it goes what ZDoom does.
    static const enum engine_find order[] = {FIND_PLACE, FIND_PLACE_NAMED,
                                             FIND_ALL_NAMES, FIND_NAME};
    const struct find_view view = {wad, map, added};
    const struct engine *first[FIND_NEVER] = {NULL};
    find_missing(&view, blockmap, engines, first);
    const struct engine *zdoom = first[FIND_ORDER], *other = NULL;
    for (size_t i = 0; i < COUNT(order) && !other; i++)
        other = first[order[i]];
    if ((!zdoom && !other) || find_is_unbuilt(&view))
        return true;
    if (!map->udmf && find_is_alphabetical(&view)) {
        snprintf(sentence, WAD_FLAW_SIZE,
                 "the lumps are in alphabetical order, and only SRB2 finds "
                 "them there; try --for=srb2");
        return false;
    }
    const size_t wrong = find_first_wrong(&view);
    find_tell_cause(&view, wrong, sentence);
    if (zdoom)
        find_tell_effect(&view, wrong, zdoom, ": ", sentence);
    if (other)
        find_tell_effect(&view, wrong, other, zdoom ? ", and " : ": ",
                         sentence);
    return false;
}
