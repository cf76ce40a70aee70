// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "rebuilt.h"

#include "message.h"
#include "module.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void check_message(const char *line)
{
    REQUIRE(line[0] != '\0', "a message is not empty");
}

bool rebuilt_open(struct rebuilt *rebuilt, const struct input *bytes)
{
    char flaw[WAD_FLAW_SIZE];
    message_redirect(check_message);
    *rebuilt = (struct rebuilt){0};
    int descriptor = memfd_create("wad", 0);
    REQUIRE(descriptor >= 0, "there is memory for the file");
    REQUIRE(write(descriptor, bytes->bytes, bytes->size) ==
                (ssize_t)bytes->size,
            "there is memory for its bytes");
    lseek(descriptor, 0, SEEK_SET);
    enum exit_status status = wad_read_open(descriptor, &rebuilt->wad, flaw);
    REQUIRE(status == STATUS_DONE || flaw[0] != '\0',
            "what is no WAD gets a sentence");
    if (status != STATUS_DONE || rebuilt->wad.lump_count > REBUILT_MOST_LUMPS)
        return false;
    for (size_t i = 0; i < rebuilt->wad.lump_count; i++) {
        rebuilt->entries[i].source = i;
        rebuilt->entries[i].shares_with = NO_SOURCE;
        memcpy(rebuilt->entries[i].raw_name, rebuilt->wad.lumps[i].raw_name,
               WAD_NAME_SIZE);
    }
    return true;
}

void rebuilt_close(struct rebuilt *rebuilt)
{
    for (size_t i = 0; i < REBUILT_MOST_LUMPS; i++)
        free(rebuilt->made[i]);
    wad_free(&rebuilt->wad);
}

// ---------------------------------------------------------------------------
// Building

static bool is_whole(const struct wad *wad, const struct map_place *place)
{
    char sentence[WAD_FLAW_SIZE] = "";
    bool is_whole = maps_is_whole(wad, place, sentence);
    REQUIRE(is_whole || sentence[0] != '\0',
            "a map that is not whole gets a sentence");
    return is_whole;
}

// Takes the lump of a result over into the map's BLOCKMAP, if it has one.
static void replace_blockmap(struct rebuilt *rebuilt,
                             const struct map_place *place,
                             const struct nbstage_lump *lump)
{
    size_t index = maps_find_lump(&rebuilt->wad, place, "BLOCKMAP");
    if (index == place->end)
        return;
    struct input bytes = {lump->data, lump->data_size};
    rebuilt->made[index] = input_copy(&bytes);
    rebuilt->entries[index].source = NO_SOURCE;
    rebuilt->entries[index].bytes = rebuilt->made[index];
    rebuilt->entries[index].size = lump->data_size;
    rebuilt->is_built[place->marker] = true;
}

static void build_map(struct rebuilt *rebuilt, const struct map_place *place,
                      const char *options)
{
    struct nbstage_lump *lumps = maps_collect_lumps(&rebuilt->wad, place);
    REQUIRE(lumps, "there is memory for the lumps");
    struct nbstage_map map =
        nbstage_map_from_lumps(rebuilt->wad.lumps[place->marker].name, lumps,
                               place->end - place->marker - 1);
    struct module module;
    module_open(&module, options);
    const struct nbstage_lump *lump = module_build(&module, &map);
    if (lump)
        replace_blockmap(rebuilt, place, lump);
    module_close(&module);
    free(lumps);
}

void rebuilt_build(struct rebuilt *rebuilt, const char *options)
{
    struct wad *wad = &rebuilt->wad;
    enum exit_status status = maps_find(wad);
    REQUIRE(status == STATUS_DONE, "there is memory for the maps");
    for (size_t i = 0; i < wad->map_count; i++)
        if (is_whole(wad, &wad->maps[i]))
            build_map(rebuilt, &wad->maps[i], options);
}

// ---------------------------------------------------------------------------
// Writing

int rebuilt_write(const struct rebuilt *rebuilt)
{
    int descriptor = memfd_create("wad", 0);
    REQUIRE(descriptor >= 0, "there is memory for the file");
    gzFile stream = gzdopen(dup(descriptor), "wbT");
    REQUIRE(stream, "there is memory for the stream");
    enum exit_status status = wad_write(&rebuilt->wad, rebuilt->entries,
                                        rebuilt->wad.lump_count, stream);
    REQUIRE(status == STATUS_DONE, "a small file can be written");
    int closed = gzclose(stream);
    REQUIRE(closed == Z_OK, "and brought to its end");
    return descriptor;
}
