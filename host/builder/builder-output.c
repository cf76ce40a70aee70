// SPDX-License-Identifier: GPL-2.0-or-later
//
// The file is read, and its lumps, then its maps are looked at.  Which map was
// which of the input is found by pairing them; each of the input must have a
// partner, and a partner must have the lines that it had.

#include "config.h"

#include "builder/builder-output.h"

#include "message.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The file that the builder wrote, and the input that it is compared with.
struct output {
    const struct wad *input;
    const struct map_places *maps; // of the input
    struct built_file *built;
    char *sentence;
    size_t sentence_size;
};

static enum exit_status refuse(struct output *output, const char *flaw)
{
    snprintf(output->sentence, output->sentence_size,
             "the file that it wrote: %s", flaw);
    return STATUS_MAP_FAILED;
}

static enum exit_status read_output(struct output *output, int descriptor)
{
    char flaw[WAD_FLAW_SIZE];
    enum exit_status status =
        wad_read_open(descriptor, &output->built->wad, flaw, sizeof flaw);
    return *flaw ? refuse(output, flaw) : status;
}

static enum exit_status check_lumps(struct output *output)
{
    const struct wad *wad = &output->built->wad;
    char flaw[WAD_FLAW_SIZE];
    for (size_t i = 0; i < wad->lump_count; i++) {
        if (wad_lump_is_whole(wad, i))
            continue;
        wad_describe_cut_lump(wad, i, NULL, flaw, sizeof flaw);
        return refuse(output, flaw);
    }
    return STATUS_DONE;
}

static const char *name_of_map(const struct wad *wad,
                               const struct map_place *place)
{
    return wad->lumps[place->marker].name;
}

// For free; NULL if memory runs out.
static struct named_map *name_maps(const struct wad *wad,
                                   const struct map_places *maps)
{
    struct named_map *named = malloc((maps->count + 1) * sizeof *named);
    for (size_t i = 0; named && i < maps->count; i++)
        named[i] = (struct named_map){name_of_map(wad, &maps->places[i]), i};
    return named;
}

static enum exit_status pair_maps(struct output *output,
                                  struct map_pairs *pairs)
{
    struct built_file *built = output->built;
    struct named_map *old = name_maps(output->input, output->maps);
    struct named_map *new = name_maps(&built->wad, &built->maps);
    enum exit_status status;
    if (old && new)
        status =
            maps_pair(old, output->maps->count, new, built->maps.count, pairs);
    else
        status = message_out_of_memory();
    free(old);
    free(new);
    return status;
}

// Names the maps without a partner, as many as there is room for.
static void name_lost_maps(struct output *output, const struct map_pairs *pairs)
{
    static const char rest[] = ", ...";
    const char *separator = ":";
    size_t length = strlen(output->sentence);
    for (size_t i = 0; i < output->maps->count; i++) {
        size_t room = output->sentence_size - length;
        if (pairs->of_old[i] != NO_MAP)
            continue;
        if (room <= WAD_NAME_SIZE + 2 * sizeof rest) {
            snprintf(output->sentence + length, room, "%s", rest);
            return;
        }
        length += (size_t)snprintf(
            output->sentence + length, room, "%s %s", separator,
            name_of_map(output->input, &output->maps->places[i]));
        separator = ",";
    }
}

// Whether all maps of the input are in the output, too.
static enum exit_status check_maps(struct output *output,
                                   const struct map_pairs *pairs)
{
    size_t lost = 0;
    for (size_t i = 0; i < output->maps->count; i++)
        lost += pairs->of_old[i] == NO_MAP;
    if (lost == 0)
        return STATUS_DONE;
    snprintf(output->sentence, output->sentence_size,
             "the file that it wrote lacks %zu of %zu maps", lost,
             output->maps->count);
    name_lost_maps(output, pairs);
    return STATUS_MAP_FAILED;
}

static bool has_bytes(const struct wad *wad, const struct map_place *map,
                      const char *name)
{
    size_t index = maps_find_lump(wad, map, name);
    return index < map->end && wad->lumps[index].size > 0;
}

// Whether a map is closed, and has the lines that it had.
static enum exit_status check_map(struct output *output, size_t index,
                                  size_t original)
{
    static const char *const lines[] = {"LINEDEFS", "VERTEXES", "TEXTMAP"};
    const struct wad *wad = &output->built->wad;
    const struct map_place *map = &output->built->maps.places[index];
    char flaw[WAD_FLAW_SIZE];
    if (!maps_is_whole(wad, map, flaw, sizeof flaw))
        return refuse(output, flaw);
    for (size_t i = 0; original != NO_MAP && i < 3; i++) {
        if (has_bytes(wad, map, lines[i]) ||
            !has_bytes(output->input, &output->maps->places[original],
                       lines[i]))
            continue;
        snprintf(flaw, sizeof flaw, "%s: %s is empty, which it was not before",
                 name_of_map(wad, map), lines[i]);
        return refuse(output, flaw);
    }
    return STATUS_DONE;
}

static enum exit_status check_size(struct output *output)
{
    char flaw[WAD_FLAW_SIZE];
    const struct built_file *built = output->built;
    enum exit_status status =
        maps_check_size(&built->wad, &built->maps, flaw, sizeof flaw);
    return status == STATUS_DONE ? status : refuse(output, flaw);
}

static enum exit_status check_output(struct output *output,
                                     struct map_pairs *pairs)
{
    struct built_file *built = output->built;
    enum exit_status status = check_lumps(output);
    if (status == STATUS_DONE)
        status = maps_find(&built->wad, &built->maps);
    if (status == STATUS_DONE)
        status = check_size(output);
    if (status == STATUS_DONE)
        status = pair_maps(output, pairs);
    if (status == STATUS_DONE)
        status = check_maps(output, pairs);
    for (size_t i = 0; status == STATUS_DONE && i < built->maps.count; i++)
        status = check_map(output, i, pairs->of_new[i]);
    return status;
}

enum exit_status builder_output_take(int descriptor, const struct wad *input,
                                     const struct map_places *maps,
                                     struct built_file *built, char *sentence,
                                     size_t size)
{
    struct output output = {
        .input = input,
        .maps = maps,
        .built = built,
        .sentence = sentence,
        .sentence_size = size,
    };
    struct map_pairs pairs = {0};
    enum exit_status status = read_output(&output, descriptor);
    if (status == STATUS_DONE)
        status = check_output(&output, &pairs);
    if (status == STATUS_DONE) {
        built->originals = pairs.of_new;
        pairs.of_new = NULL;
    }
    maps_free_pairs(&pairs);
    return status;
}
