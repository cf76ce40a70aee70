// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command's way with files, from end to end in memory.  An input is a line
// of options and a WAD.  It is verified; the blockmaps of its maps are built;
// it is written anew and verified again.
//
// In what was built, verify may find nothing.  All lumps but the blockmaps keep
// their names, their order and their bytes; one that is cut off is cut off in
// the same place.  No byte that is in no lump is lost.

#include "config.h"

#include "common/message.h"
#include "inspect/inspect.h"
#include "module.h"
#include "plugin.h"
#include "wad/extents.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_LUMPS = 256 };

// The options of an input, those that the stage takes.
struct target_options {
    char text[256];
    struct module module; // which the settings are in
    struct stage_setting settings[MOST_SETTINGS];
    bool check_nodes;
    bool has_limits; // of the stage's own, which its expected lists may be over
    bool is_lump;    // lists are those of the lumps, whatever these have
    bool is_forced;  // a lump may be what the engines of `for` read wrong
};

// A WAD in memory whose maps get other blockmaps.
struct file {
    struct wad wad;             // as it was
    const unsigned char *bytes; // all of them, uncompressed
    struct wad_entry entries[MOST_LUMPS];
    void *made[MOST_LUMPS]; // the bytes of entries that were built
    // Of markers: whether the map has one, and has extra entries in it.
    bool is_built[MOST_LUMPS];
    bool has_extra[MOST_LUMPS];
};

// --- Options ---

static void take_options(struct input *input, struct target_options *options)
{
    *options = (struct target_options){0};
    input_line(input, options->text, sizeof options->text);
    module_open(&options->module, options->text);
    module_close(&options->module);
    for (size_t i = 0; i < options->module.setting_count; i++) {
        const char *name = options->module.settings[i].name;
        const char *value = options->module.settings[i].value;
        options->settings[i] = (struct stage_setting){name, value};
        if (strcmp(name, "check-nodes") == 0)
            options->check_nodes = strcmp(value, "yes") == 0;
    }
    options->has_limits = strstr(options->text, "max-");
    options->is_lump = strstr(options->text, "lists=lump");
    options->is_forced = strstr(options->text, "format=") ||
                         strstr(options->text, "overflow=") ||
                         strstr(options->text, "preset=vanilla");
}

// --- The file ---

static void check_message(void *context, const char *line)
{
    (void)context;
    REQUIRE(line[0] != '\0', "a message is not empty");
}

// False if the input is no WAD, or has too many lumps.  The file is for
// close_file then, too.
static bool open_file(struct file *file, const struct input *bytes)
{
    char flaw[WAD_FLAW_SIZE];
    message_redirect(check_message, NULL);
    *file = (struct file){0};
    int descriptor = memfd_create("wad", 0);
    REQUIRE(descriptor >= 0, "there is memory for the file");
    REQUIRE(write(descriptor, bytes->bytes, bytes->size) ==
                (ssize_t)bytes->size,
            "there is memory for its bytes");
    lseek(descriptor, 0, SEEK_SET);
    enum exit_status status = wad_read_open(descriptor, &file->wad, flaw);
    REQUIRE(status == STATUS_DONE || flaw[0] != '\0',
            "what is no WAD gets a sentence");
    if (status != STATUS_DONE || file->wad.lump_count > MOST_LUMPS)
        return false;
    file->bytes = file->wad.on_disk ? bytes->bytes : file->wad.bytes;
    for (size_t i = 0; i < file->wad.lump_count; i++)
        file->entries[i].source = (uint32_t)i;
    return true;
}

static void close_file(struct file *file)
{
    for (size_t i = 0; i < MOST_LUMPS; i++)
        free(file->made[i]);
    wad_free(&file->wad);
}

static bool is_whole(const struct wad *wad, const struct map_place *place)
{
    char sentence[WAD_FLAW_SIZE] = "";
    bool is_whole = maps_is_whole(wad, place, sentence);
    REQUIRE(is_whole || sentence[0] != '\0',
            "a map that is not whole gets a sentence");
    return is_whole;
}

// Takes the lump of a build over into the map's BLOCKMAP, if it has one.
static void replace_blockmap(struct file *file, const struct map_place *place,
                             const struct nbstage *stage,
                             const struct nbstage_lump *lump)
{
    const struct nbstage_descriptor *descriptor = stage->descriptor;
    size_t index = maps_find_lump(&file->wad, place, "BLOCKMAP");
    if (index == place->end)
        return;
    file->made[index] = buffer_copy_exactly(lump->data, lump->data_size);
    file->entries[index].source = NO_SOURCE;
    file->entries[index].replaced = (uint32_t)index;
    file->entries[index].bytes = file->made[index];
    file->entries[index].size = (uint32_t)lump->data_size;
    file->is_built[place->marker] =
        descriptor->get_fact(stage->instance, "kept")->number == 0;
    file->has_extra[place->marker] =
        descriptor->get_fact(stage->instance, "extra_entries")->number > 0;
}

static void build_map(struct file *file, const struct map_place *place,
                      const char *options)
{
    size_t count;
    struct module module;
    module_open(&module, options);
    char flaw[WAD_FLAW_SIZE];
    struct nbstage_lump *lumps =
        maps_read_lumps(&file->wad, place, &count, flaw);
    REQUIRE(lumps, "there is memory, and the file is as it was");
    struct nbstage_map map =
        map_of_lumps(file->wad.lumps[place->marker].name, lumps, count);
    const struct nbstage_lump *lump = module_build(&module, &map);
    if (lump)
        replace_blockmap(file, place, &module.stage, lump);
    module_close(&module);
    free(lumps);
}

// Builds the maps that are whole and have a BLOCKMAP to replace.
static void build_maps(struct file *file, const char *options)
{
    struct wad *wad = &file->wad;
    enum exit_status status = maps_find(wad);
    REQUIRE(status == STATUS_DONE, "there is memory for the maps");
    for (size_t i = 0; i < wad->map_count; i++)
        if (is_whole(wad, &wad->maps[i]))
            build_map(file, &wad->maps[i], options);
}

// Writes the WAD into a file in memory; its descriptor.
static int write_file(struct file *file)
{
    int descriptor = memfd_create("wad", 0);
    REQUIRE(descriptor >= 0, "there is memory for the file");
    struct output output;
    REQUIRE(output_open(&output, dup(descriptor), false), "there is memory");
    enum exit_status status =
        wad_write(&file->wad, file->entries, file->wad.lump_count, &output);
    REQUIRE(output_close(&output) && status == STATUS_DONE,
            "a small file can be written");
    return descriptor;
}

// --- What has to be the same ---

// How many bytes of a lump are in its file.
static size_t bytes_inside(const struct wad *wad, size_t index)
{
    const struct wad_lump *lump = &wad->lumps[index];
    if (lump->position >= wad->size)
        return 0;
    size_t inside = wad->size - lump->position;
    return inside < lump->size ? inside : lump->size;
}

// Whether a lump of a WAD begins with these bytes.
static bool has_bytes(const struct wad *wad, size_t index,
                      const unsigned char *bytes, size_t size)
{
    return size == 0 ||
           memcmp(wad->bytes + wad->lumps[index].position, bytes, size) == 0;
}

static void require_lump(const struct file *file, const struct wad *written,
                         size_t index)
{
    const struct wad_entry *entry = &file->entries[index];
    const struct wad_lump *lump = &written->lumps[index];
    bool is_made = entry->source == NO_SOURCE;
    size_t size = is_made ? entry->size : file->wad.lumps[index].size;
    size_t inside = is_made ? size : bytes_inside(&file->wad, index);
    const unsigned char *bytes =
        is_made ? entry->bytes : file->bytes + file->wad.lumps[index].position;
    REQUIRE(memcmp(lump->raw_name,
                   is_made ? "BLOCKMAP" : file->wad.lumps[index].raw_name,
                   WAD_NAME_SIZE) == 0,
            "lumps keep their names");
    REQUIRE(lump->size == size, "lumps keep their sizes");
    REQUIRE(bytes_inside(written, index) == inside,
            "lumps are cut off where they were");
    REQUIRE(has_bytes(written, index, bytes, inside), "lumps keep their bytes");
}

// How often each byte is in no lump.
static void count_loose(const struct wad *wad, const unsigned char *bytes,
                        size_t counts[256])
{
    size_t range_count;
    struct extent *loose = extents_list_loose(wad, &range_count);
    REQUIRE(loose, "there is memory for the ranges");
    memset(counts, 0, 256 * sizeof *counts);
    for (size_t i = 0; i < range_count; i++)
        for (uint64_t at = loose[i].begin; at < loose[i].end; at++)
            counts[bytes[at]]++;
    free(loose);
}

static void require_loose(const struct file *file, const struct wad *written)
{
    size_t before[256], after[256];
    count_loose(&file->wad, file->bytes, before);
    count_loose(written, written->bytes, after);
    REQUIRE(memcmp(before, after, sizeof before) == 0,
            "bytes that are in no lump stay");
}

// Reads what was written; the descriptor stays open.
static void require_same(const struct file *file, int descriptor)
{
    struct wad written;
    char flaw[WAD_FLAW_SIZE];
    size_t count = file->wad.lump_count;
    lseek(descriptor, 0, SEEK_SET);
    enum exit_status status = wad_read_open(dup(descriptor), &written, flaw);
    REQUIRE(status == STATUS_DONE, "what was written is a WAD");
    status = wad_get_all(&written);
    REQUIRE(status == STATUS_DONE, "what was written can be read");
    REQUIRE(written.lump_count == count, "no lump is lost");
    for (size_t i = 0; i < count; i++)
        require_lump(file, &written, i);
    require_loose(file, &written);
    wad_free(&written);
}

// --- What verify finds ---

static void require_built(const struct target_options *options,
                          const struct inspect_map *map, bool has_extra)
{
    // The command does not build a map whose lumps are elsewhere.
    if (map->status == VERIFY_EMPTY || *map->misplaced || options->is_lump ||
        (options->has_limits && map->status == VERIFY_FAILED))
        return;
    REQUIRE(map->status == VERIFY_GOOD || options->is_forced,
            "what is built is good, for the engines that it is for");
    REQUIRE(has_extra || map->judgement.extra_count == 0,
            "what is built has extra entries where the stage says so");
    REQUIRE(!options->check_nodes || options->has_limits ||
                map->present.block_count == 0 || !map->segs_error,
            "segs that were checked pass");
}

static void require_judged(const struct inspect_map *map)
{
    REQUIRE((map->status == VERIFY_FAILED) == !map->has_expected,
            "verify fails where there are no expected lists");
    REQUIRE((map->status != VERIFY_GOOD && map->status != VERIFY_HARMLESS) ||
                map->solid_count == 0,
            "where a missing entry matters the map is wrong");
}

// Verifies a file; the descriptor is closed.  `built` is NULL before the build.
static void verify(int descriptor, struct target_options *options,
                   const struct file *built)
{
    char path[64];
    const char *files[] = {path};
    const struct arguments arguments = {
        .input = path,
        .files = files,
        .file_count = 1,
        .verbose = true,
        .nodes = options->check_nodes,
        .settings = options->settings,
        .setting_count = options->module.setting_count,
    };
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    struct inspect_file file;
    const enum exit_status status = inspect_open(&arguments, path, &file);
    for (size_t i = 0; status == STATUS_DONE && i < file.count; i++) {
        struct inspect_map map;
        const size_t marker = file.places[i]->marker;
        inspect_judge(&file, i, &map);
        require_judged(&map);
        if (built && built->is_built[marker])
            require_built(options, &map, built->has_extra[marker]);
        inspect_free(&file, &map);
    }
    inspect_close(&file);
    close(descriptor);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    struct target_options options;
    struct file file;
    take_options(&input, &options);
    if (open_file(&file, &input)) {
        REQUIRE(wad_has_entries(&file.wad, &file.wad, file.entries,
                                file.wad.lump_count),
                "a file has its own lumps");
        verify(write_file(&file), &options, NULL);
        build_maps(&file, options.text);
        int descriptor = write_file(&file);
        require_same(&file, descriptor);
        verify(descriptor, &options, &file);
    }
    close_file(&file);
    return 0;
}
