// SPDX-License-Identifier: GPL-2.0-or-later
//
// A repair is told only after it was made: the maps are built by the stage's
// own code, which the command is linked with, the file is put together in
// memory, and verify judges it.  Maps that are not rejected are not touched.

#include "config.h"

#include "inspect/repair.h"

#include "base/context.h"
#include "base/macros.h"
#include "build.h"
#include "common/arguments.h"
#include "common/message.h"
#include "inspect/inspect.h"
#include "inspect/memory.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "nbstage.h"
#include "options.h"
#include "platform/status.h"
#include "platform/system.h"
#include "request.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum repair_ports {
    PORTS_NAMED,  // those in --for
    PORTS_ANY,    // all others, too, if these read lumps that others cannot
    PORTS_DOOM19, // Doom 1.9, too, so that its limit has to be met
};

// What is tried: the options of verify, and these.  The first that repairs all
// is taken, so those that change least come first.
static const struct repair_options {
    enum repair_ports ports;
    struct repair_setting {
        const char *name, *value;
    } settings[2];
} repair_plan[] = {
    {PORTS_ANY, {{NULL, NULL}}},
    {PORTS_NAMED, {{NULL, NULL}}},
    {PORTS_DOOM19, {{NULL, NULL}}},
    {PORTS_NAMED, {{"grid", "fit"}}},
    {PORTS_DOOM19, {{"preset", "vanilla"}}},
    {PORTS_NAMED, {{"preset", "vanilla"}}},
    {PORTS_NAMED, {{"preset", "small"}}},
    {PORTS_NAMED, {{"preset", "small"}, {"overflow", "merge,auto"}}},
};

enum { REPAIR_FOR = 512 }; // room for the value of --for

// ---------------------------------------------------------------------------
// What verify found

void repair_begin(struct repair *repair, size_t count)
{
    *repair = (struct repair){.maps = memory_get(count, sizeof *repair->maps),
                              .count = count};
}

static bool repair_meets_vanilla(const struct inspect_map *map)
{
    return map->present.form == LUMP_CLASSIC &&
           map->statistics.largest_offset <= LUMP_VANILLA_OFFSET &&
           map->line_count <= LUMP_VANILLA_LINES;
}

// Whether a name can be typed as it is printed.
static bool repair_can_type(const char *name)
{
    size_t length;
    uint32_t number;
    for (; *name; name += length)
        if (!message_is_printable(name, &length, &number))
            return false;
    return true;
}

void repair_note(struct repair *repair, size_t index,
                 const struct inspect_map *map, bool is_wanted)
{
    // A map is named where there are others; a comma is between names.
    const bool can_be_named =
        repair->count == 1 ||
        (repair_can_type(map->name) && !strchr(map->name, ','));
    is_wanted = is_wanted && can_be_named && map->has_lines &&
                map->present.exceeded_memory == 0;
    repair->maps[index] =
        (struct repair_map){.is_wanted = is_wanted,
                            .is_tried = is_wanted && !*map->misplaced,
                            .meets_vanilla = repair_meets_vanilla(map)};
}

static void repair_drop_lumps(struct repair *repair)
{
    for (size_t i = 0; i < repair->count; i++) {
        free(repair->maps[i].bytes);
        repair->maps[i].bytes = NULL;
    }
}

void repair_free(struct repair *repair)
{
    repair_drop_lumps(repair);
    free(repair->maps);
}

// ---------------------------------------------------------------------------
// A trial

// Builds a map, and keeps a copy of its lump unless that fails or is empty.
static void repair_build(struct inspect_file *file,
                         const struct options *options, size_t index,
                         struct repair_map *repaired)
{
    struct context *context = &file->context;
    struct inspect_map map;
    struct build_result result = {0};
    inspect_read(file, index, &map);
    if (map.has_lines) {
        inspect_begin(file, &map);
        context_begin_build(context);
        const bool is_built =
            !inspect_end(file, build_lump(context, &map.map, &options->build,
                                          NULL, &result));
        if (is_built && result.size > 0) {
            repaired->bytes = memory_get(result.size, 1);
            repaired->size = result.size;
            memcpy(repaired->bytes, result.bytes, result.size);
        }
        context_release(context, result.bytes);
    }
    inspect_free(file, &map);
}

// Adds the new lump of a map behind all other bytes.
static void repair_add_lump(const struct repair_map *repaired, struct wad *wad)
{
    wad->lumps[wad->lump_count++] =
        (struct wad_lump){.raw_name = {'B', 'L', 'O', 'C', 'K', 'M', 'A', 'P'},
                          .name = "BLOCKMAP",
                          .position = (uint32_t)wad->size,
                          .size = (uint32_t)repaired->size};
    memcpy(wad->bytes + wad->size, repaired->bytes, repaired->size);
    wad->size += repaired->size;
}

// Puts together the WAD that a build would write, as far as it was built.
static void repair_make_wad(const struct inspect_file *file,
                            const struct repair *repair, struct wad *wad)
{
    const struct wad *old = &file->wad;
    size_t size = old->size, next = 0;
    for (size_t i = 0; i < repair->count; i++)
        size += repair->maps[i].bytes ? repair->maps[i].size : 0;
    *wad = *old;
    wad->maps = NULL;
    wad->map_count = wad->lump_count = 0;
    wad->bytes = memory_get(size, 1);
    memcpy(wad->bytes, old->bytes, old->size);
    wad->lumps =
        memory_get(old->lump_count + repair->count, sizeof *wad->lumps);
    for (size_t lump = 0; lump <= old->lump_count; lump++) {
        bool is_kept = lump < old->lump_count;
        for (; next < repair->count; next++) {
            const struct map_place *place = file->places[next];
            const size_t present = maps_present_blockmap(old, place);
            const bool has_one = present < place->end;
            if (lump < (has_one ? present : maps_blockmap_place(old, place)))
                break;
            if (!repair->maps[next].bytes)
                continue;
            repair_add_lump(&repair->maps[next], wad);
            is_kept = is_kept && !has_one;
        }
        if (is_kept)
            wad->lumps[wad->lump_count++] = old->lumps[lump];
    }
}

// Verifies the built maps.  Returns how many are repaired.
static size_t repair_judge(struct inspect_file *trial, struct repair *repair)
{
    size_t count = 0, next = 0;
    for (size_t i = 0; i < repair->count; i++) {
        struct repair_map *repaired = &repair->maps[i];
        struct inspect_map map;
        repaired->is_repaired = false;
        if (!repaired->bytes)
            continue;
        inspect_judge(trial, next++, &map);
        repaired->is_repaired =
            !map.rejected &&
            (map.status == VERIFY_GOOD || map.status == VERIFY_HARMLESS) &&
            (!repaired->meets_vanilla || repair_meets_vanilla(&map));
        count += repaired->is_repaired;
        inspect_free(trial, &map);
    }
    return count;
}

// Builds the wanted maps with these options.  Returns how many are repaired.
static size_t repair_try(struct inspect_file *file,
                         const struct options *options, struct repair *repair)
{
    struct inspect_file trial;
    struct wad wad;
    size_t count = 0, next = 0;
    inspect_open_trial(file, NULL, &trial);
    for (size_t i = 0; i < repair->count; i++)
        if (repair->maps[i].is_tried)
            repair_build(&trial, options, i, &repair->maps[i]);
    inspect_close_trial(&trial);
    repair_make_wad(file, repair, &wad);
    inspect_open_trial(file, &wad, &trial);
    // The trial has the same maps, and selects those that were built.
    if (trial.wad.map_count == file->wad.map_count) {
        for (size_t i = 0; i < repair->count; i++) {
            const size_t number = (size_t)(file->places[i] - file->wad.maps);
            if (repair->maps[i].bytes)
                trial.places[next++] = &trial.wad.maps[number];
        }
        count = repair_judge(&trial, repair);
    }
    inspect_close_trial(&trial);
    wad_free(&wad);
    repair_drop_lumps(repair);
    return count;
}

// ---------------------------------------------------------------------------
// The command

// Appends `before` and a word, quoted for the shell.
static void repair_append(char text[REPAIR_TEXT], const char *before,
                          const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789_./+,-";
    const char quote = SYSTEM_QUOTE;
    const bool is_quoted = word[strspn(word, plain)] != '\0' || !*word;
    size_t used = strlen(text);
    snprintf(text + used, REPAIR_TEXT - used, "%s%.*s", before, is_quoted,
             &quote);
    used = strlen(text);
    for (; *word && used + 4 < REPAIR_TEXT; word++) {
        if (*word == quote) { // close the quote, escaped quote, reopen
            text[used++] = quote;
            text[used++] = '\\';
            text[used++] = quote;
        }
        text[used++] = *word;
    }
    if (is_quoted && used + 1 < REPAIR_TEXT)
        text[used++] = quote;
    text[used] = '\0';
}

void repair_begin_command(char text[REPAIR_TEXT], const char *options)
{
    snprintf(text, REPAIR_TEXT, "blocksweep --in-place --backup%s", options);
}

bool repair_append_file(char text[REPAIR_TEXT], const char *path)
{
    const bool is_typed = repair_can_type(path);
    if (is_typed)
        repair_append(text, *path == '-' ? " ./" : " ", path);
    return is_typed;
}

// Appends --map: as it was typed if all maps are repaired, else their names.
static void repair_append_maps(const struct inspect_file *file,
                               const struct repair *repair, size_t repaired,
                               char text[REPAIR_TEXT])
{
    const struct arguments *arguments = file->arguments;
    char names[REPAIR_TEXT] = "";
    size_t used = 0;
    for (size_t i = 0; i < repair->count && used + 16 < sizeof names; i++)
        if (repair->maps[i].is_repaired)
            used += (size_t)snprintf(
                names + used, sizeof names - used, "%s%s", used > 0 ? "," : "",
                file->wad.lumps[file->places[i]->marker].name);
    if (repaired < repair->count)
        repair_append(text, " --map=", names);
    else
        for (size_t i = 0; i < arguments->map_list_count; i++)
            repair_append(text, " --map=", arguments->map_lists[i]);
}

// Whether other ports miss lines in a lump for these.
static bool repair_needs_no_header(engine_set engines)
{
    return engines_need(engines).header == HEADER_NONE;
}

// Whether a row adds ports to those of verify.
static bool repair_adds_ports(const struct repair_options *row,
                              engine_set engines)
{
    switch (row->ports) {
    case PORTS_ANY:
        return repair_needs_no_header(engines);
    case PORTS_DOOM19:
        return !(engines & ENGINE_BIT(ENGINE_DOOM19));
    default:
        return false;
    }
}

// Sets the options of verify and of a row of the plan, and writes them as they
// are typed.  False if the row adds nothing.
static bool repair_set(struct inspect_file *file,
                       const struct repair_options *row,
                       struct options *options, char text[REPAIR_TEXT])
{
    const struct arguments *arguments = file->arguments;
    const bool adds_ports = repair_adds_ports(row, file->options.build.engines);
    const char *named = NULL;
    char value[REPAIR_FOR], before[40];
    text[0] = '\0';
    *options = file->options;
    if (row->ports != PORTS_NAMED && !adds_ports)
        return false;
    for (size_t i = 0; i < arguments->setting_count; i++) {
        const struct stage_setting *setting = &arguments->settings[i];
        if (strcmp(setting->name, "for") == 0) {
            named = setting->value;
            continue;
        }
        snprintf(before, sizeof before, " --%s=", setting->name);
        repair_append(text, before, setting->value);
    }
    snprintf(value, sizeof value, "%s%s%s",
             row->ports == PORTS_ANY ? "any," : "", named ? named : "any",
             row->ports == PORTS_DOOM19 ? ",doom19" : "");
    // A preset may have ports of its own.
    if (named || adds_ports ||
        (row->settings[0].name &&
         strcmp(row->settings[0].name, "preset") == 0)) {
        if (options_set(&file->context, options, "for", value,
                        NBSTAGE_BY_USER) != NBSTAGE_OK)
            return false;
        repair_append(text, " --for=", value);
    }
    for (size_t i = 0; i < COUNT(row->settings); i++) {
        const struct repair_setting *setting = &row->settings[i];
        if (!setting->name)
            break;
        snprintf(before, sizeof before, " --%s=", setting->name);
        repair_append(text, before, setting->value);
        if (options_set(&file->context, options, setting->name, setting->value,
                        NBSTAGE_BY_USER) != NBSTAGE_OK)
            return false;
    }
    return true;
}

char *repair_find(struct inspect_file *file, struct repair *repair)
{
    char best[REPAIR_TEXT] = "";
    size_t wanted = 0, most = 0;
    for (size_t i = 0; i < repair->count; i++)
        wanted += repair->maps[i].is_tried;
    if (wanted > 0 && wad_get_all(&file->wad) != STATUS_DONE)
        file->status = STATUS_FILE;
    if (file->status != STATUS_DONE)
        return NULL;
    for (size_t row = 0; row < COUNT(repair_plan) && most < wanted; row++) {
        struct options options;
        char text[REPAIR_TEXT];
        if (!repair_set(file, &repair_plan[row], &options, text))
            continue;
        const size_t count = repair_try(file, &options, repair);
        if (count <= most)
            continue;
        most = count;
        repair->is_for_named = repair_needs_no_header(options.build.engines);
        repair_append_maps(file, repair, count, text);
        memcpy(best, text, sizeof best);
    }
    repair->repaired_count = most;
    return most > 0 ? memory_copy_text(best) : NULL;
}

bool repair_falls_short(const struct repair *repair)
{
    size_t wanted = 0;
    for (size_t i = 0; i < repair->count; i++)
        wanted += repair->maps[i].is_wanted;
    return repair->repaired_count < wanted;
}
