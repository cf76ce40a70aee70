// SPDX-License-Identifier: GPL-2.0-or-later
//
// A stage does not see where a lump goes.  So the option `for` is read here,
// too, as the stage that comes with the command reads it.

#include "config.h"

#include "wad/placement.h"

#include "base/context.h"
#include "common/arguments.h"
#include "lump/engines.h"
#include "nbstage.h"
#include "options.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Engines

// The length of the name of an option that begins here, or 0.
static size_t placement_name_length(const char *text)
{
    const size_t length =
        strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return text[length] == '=' ? length : 0;
}

// Finds the next comma that begins an option; the end if there is none.
static const char *placement_next(const char *text)
{
    while (*text && !(*text == ',' && placement_name_length(text + 1) > 0))
        text++;
    return text;
}

// Sets an option; whatever is wrong with it, the stage tells.
static void placement_set(struct options *options, const char *name,
                          const char *value)
{
    struct context context = {0};
    (void)options_set(&context, options, name, value, NBSTAGE_BY_USER);
}

// Sets the options in --plugin, "NAME,OPTION=VALUE,OPTION=VALUE".
static void placement_set_all(struct options *options, const char *plugin)
{
    char name[32], value[256];
    for (const char *at = placement_next(plugin); *at;) {
        const size_t length = placement_name_length(++at);
        const char *end = placement_next(at);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        snprintf(value, sizeof value, "%.*s",
                 (int)(end - at - (long)length) - 1, at + length + 1);
        placement_set(options, name, value);
        at = end;
    }
}

engine_set placement_find_engines(const struct arguments *arguments)
{
    struct options options;
    options_reset(&options);
    if (arguments->plugin)
        placement_set_all(&options, arguments->plugin);
    for (size_t i = 0; i < arguments->setting_count; i++)
        placement_set(&options, arguments->settings[i].name,
                      arguments->settings[i].value);
    return options.build.engines ? options.build.engines : ENGINES_ALL;
}

// ---------------------------------------------------------------------------
// Maps

// Whether a map has the lumps that the stage builds from.  If not, the stage
// says so.
static bool placement_has_lines(const struct wad *wad,
                                const struct map_place *map)
{
    return map->udmf || (maps_find_lump(wad, map, "LINEDEFS") < map->end &&
                         maps_find_lump(wad, map, "VERTEXES") < map->end);
}

bool placement_is_right(const struct placement *placement,
                        char sentence[PLACEMENT_TEXT])
{
    const struct wad *wad = placement->wad;
    const struct map_place *map = placement->map;
    const size_t added = placement->is_new ? placement->blockmap : NO_LUMP;
    return !placement_has_lines(wad, map) ||
           maps_are_in_place(wad, map, placement->blockmap, added,
                             placement->engines, sentence);
}
