// SPDX-License-Identifier: GPL-2.0-or-later
//
// How engines read a map: which lump each takes for the BLOCKMAP, and what it
// makes of that lump.

#include "config.h"

#include "inspect/inspect.h"

#include "check/reading.h"
#include "inspect/memory.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "nbstage.h"
#include "wad/maps.h"
#include "wad/placement.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A map whose engines are looked at.
struct places {
    struct inspect_file *file;
    const struct map_place *place;
    struct inspect_map *map;

    // How engines read a lump that is not the map's own: the tenth, or what
    // SRB2 finds by name.  `count` is 0 before the first of them does.
    size_t other;
    struct readings readings;
};

// False if the file cannot be read.
static bool places_read_other(struct places *places, size_t index)
{
    struct inspect_file *file = places->file;
    const struct wad_lump *lump = &file->wad.lumps[index];
    const size_t line_count = places->map->line_count;
    unsigned char *bytes = memory_get(lump->size, 1);
    char flaw[WAD_FLAW_SIZE];
    struct blockmap blockmap = {0};
    if (!wad_get(&file->wad, lump->position, lump->size, bytes, flaw)) {
        inspect_fail_file(file, places->map, flaw);
        free(bytes);
        return false;
    }
    if (blockmap_read(&file->lump_context, bytes, lump->size, line_count,
                      &blockmap) == NBSTAGE_OUT_OF_MEMORY)
        memory_ran_out();
    places->other = index;
    places->readings = readings_find(&blockmap, line_count, 0);
    file->budget.used[BUDGET_BLOCKS] += blockmap.block_count;
    file->budget.used[BUDGET_ENTRIES] += blockmap.word_count;
    blockmap_free(&file->lump_context, &blockmap);
    free(bytes);
    return true;
}

// How an engine reads a lump that is not the map's own.  If it happens to have
// lists, the lines of the map are hardly in them, so the engine misses all.
static struct reading places_read(struct places *places, size_t lump,
                                  size_t engine)
{
    const struct readings *readings = &places->readings;
    char flaw[WAD_FLAW_SIZE];
    size_t i = 0;
    const bool is_read = readings->count > 0 && places->other == lump;
    if (!wad_check_lump(&places->file->wad, lump, NULL, flaw) ||
        (!is_read && !places_read_other(places, lump)))
        return (struct reading){.kind = READING_CRASHES};
    while (!(readings->reading[i].engines & ENGINE_BIT(engine)))
        i++;
    return (struct reading){.kind = readings->reading[i].kind};
}

// How an engine reads a map if it does not take the map's own lump.
static struct reading places_reading(struct places *places, size_t engine,
                                     const struct maps_found *found)
{
    switch (found->finding) {
    case MAPS_FINDS:
    case MAPS_MISREADS:
        return places_read(places, found->lump, engine);
    case MAPS_BUILDS:
    case MAPS_NEVER:
        break;
    case MAPS_ENDS:
    case MAPS_REFUSES:
        return (struct reading){.kind = READING_CRASHES};
    }
    return (struct reading){.kind = READING_REBUILDS};
}

// Adds an engine to those that read the map alike for the same reason.
static void places_add(struct inspect_map *map, size_t engine,
                       struct reading reading, const struct maps_found *found)
{
    struct readings *readings = &map->readings;
    char why[PLACES_TEXT];
    size_t i = 0;
    if (found->tenth)
        snprintf(why, sizeof why, "the tenth lump is %s", found->tenth);
    else if (found->finding == MAPS_FINDS)
        snprintf(why, sizeof why, "it takes lump %zu of another map",
                 found->lump);
    else
        snprintf(why, sizeof why, "it %s", found->why);
    while (i < readings->count && (readings->reading[i].kind != reading.kind ||
                                   strcmp(readings->reading[i].why, why) != 0))
        i++;
    if (i == readings->count) {
        snprintf(map->whys[i], PLACES_TEXT, "%s", why);
        reading.engines = 0;
        reading.why = map->whys[i];
        readings->reading[readings->count++] = reading;
    }
    readings->reading[i].engines |= ENGINE_BIT(engine);
}

// Finds the engines that do not take the map's own lump.  Returns the others.
static engine_set places_look(struct places *places, engine_set engines)
{
    const struct wad *wad = &places->file->wad;
    struct inspect_map *map = places->map;
    const size_t own = maps_present_blockmap(wad, places->place);
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        struct maps_found found;
        if (!(engines & ENGINE_BIT(i)))
            continue;
        maps_find_blockmap(wad, places->place, NO_LUMP, &engine_table[i],
                           &found);
        if (found.finding == MAPS_NEVER ||
            (found.finding == MAPS_FINDS && found.lump == own))
            continue;
        places_add(map, i, places_reading(places, i, &found), &found);
        engines &= ~ENGINE_BIT(i);
    }
    return engines;
}

// Keeps the sentence that says why a build would put the lump where these
// engines do not find it, if that is so.
static void places_tell_misplaced(const struct places *places,
                                  engine_set engines)
{
    const struct wad *wad = &places->file->wad;
    const bool is_new = !places->map->lump;
    const struct placement placement = {
        .wad = wad,
        .map = places->place,
        .blockmap = is_new ? maps_blockmap_place(wad, places->place)
                           : maps_present_blockmap(wad, places->place),
        .is_new = is_new,
        .engines = engines,
    };
    (void)placement_is_right(&placement, places->map->misplaced);
}

// ---------------------------------------------------------------------------
// The map's own lump

// How far lines are from the grid's origin; -1 if that is unknown.
static int32_t places_distance(const struct inspect_map *map)
{
    if (!map->has_lines || map->lines.count == 0 ||
        map->present.word_count < LUMP_HEADER_WORDS)
        return -1;
    return grid_distance(&map->present.grid, map->lines.max_x,
                         map->lines.max_y);
}

// The engines with this loss at this distance.
static engine_set places_that_lose(engine_set engines, int32_t distance,
                                   enum grid_loss loss)
{
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        if (grid_find_loss(distance, engine_table[i].reach) != loss)
            engines &= ~ENGINE_BIT(i);
    return engines;
}

// Adds how engines that take the lump, and have the same loss, read it.
static void places_add_own(struct inspect_map *map, engine_set engines,
                           enum grid_loss loss)
{
    struct readings *readings = &map->readings;
    if (engines == 0)
        return;
    const struct readings more =
        readings_find(&map->present, map->line_count, engines);
    for (size_t i = 0; i < more.count; i++) {
        struct reading reading = more.reading[i];
        size_t same = 0;
        if (reading.kind == READING_LISTS)
            reading.loss = loss;
        while (same < readings->count &&
               (reading.kind == READING_LISTS ||
                readings->reading[same].kind != reading.kind ||
                readings->reading[same].why != reading.why))
            same++;
        if (same == readings->count) {
            readings->reading[readings->count++] = reading;
        } else {
            readings->reading[same].engines |= reading.engines;
        }
    }
}

void places_find(struct inspect_file *file, size_t index,
                 struct inspect_map *map)
{
    const engine_set named = file->options.build.engines;
    struct places places = {
        .file = file, .place = file->places[index], .map = map};
    const size_t spare = maps_spare_blockmap(&file->wad, places.place);
    engine_set engines = named ? named : ENGINES_ALL;
    map->readings.count = 0;
    map->misplaced[0] = '\0';
    map->spare_blockmap = spare == NO_LUMP ? 0 : spare;
    map->distance = places_distance(map);
    if (map->line_count > 0 && !maps_is_unbuilt(&file->wad, places.place)) {
        places_tell_misplaced(&places, engines);
        engines = places_look(&places, engines);
    }
    for (enum grid_loss loss = GRID_HOLDS; loss < GRID_LOSS_COUNT; loss++)
        places_add_own(map, places_that_lose(engines, map->distance, loss),
                       loss);
}
