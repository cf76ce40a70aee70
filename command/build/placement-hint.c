// SPDX-License-Identifier: GPL-2.0-or-later
//
// ZDBSP writes the lumps of most maps anew, in the usual order, but does not
// find all, and may leave old ones behind.  So it is named only after it ran on
// the file, in silence, and every selected map has its lumps in place:
// --builder writes nothing if one fails.

#include "config.h"

#include "build/placement-hint.h"

#include "build/builder.h"
#include "common/arguments.h"
#include "platform/status.h"
#include "wad/maps.h"
#include "wad/placement.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Whether ZDBSP wrote a map that has its lump where ports find it.
static bool hint_is_built(const struct wad *wad, const struct map_place *map,
                          engine_set engines)
{
    const size_t present = maps_present_blockmap(wad, map);
    const bool is_new = present == map->end;
    const struct placement placement = {
        .wad = wad,
        .map = map,
        .blockmap = is_new ? maps_blockmap_place(wad, map) : present,
        .is_new = is_new,
        .engines = engines,
    };
    char text[PLACEMENT_TEXT];
    const bool has_lump = !is_new && wad->lumps[present].size > 0;
    return (has_lump || map->udmf) && placement_is_right(&placement, text);
}

// Runs ZDBSP.  The maps of the file are paired with those that it wrote.
static void hint_make_trial(struct placement_trial *trial, struct wad *wad,
                            engine_set engines)
{
    const struct arguments arguments = {.builder = "zdbsp",
                                        .builder_timeout = "60"};
    struct builder builder;
    bool is_good = builder_read(&builder, &arguments) == STATUS_DONE &&
                   wad_get_all(wad) == STATUS_DONE;
    trial->is_made = true;
    if (is_good) {
        trial->wad = *wad;
        builder.is_trial = true;
        is_good = builder_run(&builder, &trial->wad) == STATUS_DONE;
        builder.input = (struct wad){0}; // the caller's
    }
    builder_free(&builder);
    for (size_t i = 0; i < wad->map_count && is_good; i++) {
        const struct map_place *map = &wad->maps[i];
        is_good =
            !map->selected ||
            hint_is_built(&trial->wad, &trial->wad.maps[map->partner], engines);
    }
    trial->is_good = is_good;
}

void placement_add_hint(struct placement_trial *trial, struct wad *wad,
                        const struct placement *placement,
                        char sentence[PLACEMENT_TEXT])
{
    const size_t used = strlen(sentence);
    char names[100];
    if (!trial->is_made)
        hint_make_trial(trial, wad, placement->engines);
    if (!trial->is_good)
        return;
    maps_list_spare(&trial->wad, &trial->wad.maps[placement->map->partner],
                    names, sizeof names);
    snprintf(sentence + used, PLACEMENT_TEXT - used,
             "; --builder=zdbsp puts the lumps in place%s%s%s",
             *names ? ", and leaves the old " : "", names,
             *names ? " after the map" : "");
}

void placement_free_trial(struct placement_trial *trial)
{
    wad_free(&trial->wad);
}
