// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command's way with files, from end to end in memory.  An input is a line
// of options and a WAD.  It is verified; the blockmaps of its maps are built;
// it is written anew and verified again.
//
// What verify finds missing or extra is counted anew by brute force; in what
// was built it may find nothing.  All lumps but the blockmaps keep their names,
// their order and their bytes.  Those that share bytes still do; one that is
// cut off is cut off in the same place.

#include "config.h"

#include "commands.h"
#include "file/maps.h"
#include "file/wad.h"
#include "message.h"
#include "module.h"
#include "plugin.h"
#include "target.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    MOST_LUMPS = 256,
    MOST_PAIRS = 64, // of lumps whose sharing is looked at
    MOST_SETTINGS = 40,
    MOST_TRIES = 1 << 17, // of lines and blocks, by brute force
};

const struct nbstage_descriptor *nbstage_describe(uint32_t abi);

// The options of an input, those that the stage takes.
struct options {
    char text[256];
    char copy[256]; // which the settings are in
    struct stage_setting settings[MOST_SETTINGS];
    size_t count;
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

// What verify is run for.
static struct run {
    const struct options *options;
    const struct file *built; // NULL before the build
    size_t map_count;         // that have been told of
} run;

// ---------------------------------------------------------------------------
// Options

static void add_setting(struct options *options, const char *name,
                        const char *value)
{
    const struct stage_setting setting = {name, value};
    struct module module;
    module_open(&module, "");
    bool is_taken = module_set(&module, name, value);
    module_close(&module);
    if (options->count == MOST_SETTINGS || !is_taken)
        return;
    options->settings[options->count++] = setting;
    if (strcmp(name, "check-nodes") == 0)
        options->check_nodes = strcmp(value, "yes") == 0;
}

static void take_options(struct input *input, struct options *options)
{
    char *rest;
    *options = (struct options){0};
    input_line(input, options->text, sizeof options->text);
    strcpy(options->copy, options->text);
    add_setting(options, "threads", "1");
    add_setting(options, "inflate-limit", "1");
    for (char *name = strtok_r(options->copy, " ", &rest); name;
         name = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(name, '=');
        if (value) {
            *value++ = '\0';
            add_setting(options, name, value);
        }
    }
    options->has_limits = strstr(options->text, "max-");
    options->is_lump = strstr(options->text, "lists=lump");
    options->is_forced = strstr(options->text, "header=") ||
                         strstr(options->text, "limit=") ||
                         strstr(options->text, "format=") ||
                         strstr(options->text, "overflow=") ||
                         strstr(options->text, "preset=vanilla");
}

// ---------------------------------------------------------------------------
// The file

static void check_message(const char *line)
{
    REQUIRE(line[0] != '\0', "a message is not empty");
}

// False if the input is no WAD, or has too many lumps.  The file is for
// close_file then, too.
static bool open_file(struct file *file, const struct input *bytes)
{
    char flaw[WAD_FLAW_SIZE];
    message_redirect(check_message);
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
    file->bytes = file->wad.is_open ? bytes->bytes : file->wad.bytes;
    for (size_t i = 0; i < file->wad.lump_count; i++) {
        file->entries[i].source = (uint32_t)i;
        file->entries[i].shares_with = NO_SOURCE;
    }
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

// Takes the lump of a result over into the map's BLOCKMAP, if it has one.
static void replace_blockmap(struct file *file, const struct map_place *place,
                             const struct nbstage_result *result)
{
    const struct nbstage_lump *lump = result->lumps;
    size_t index = maps_find_lump(&file->wad, place, "BLOCKMAP");
    if (index == place->end)
        return;
    struct input bytes = {lump->data, lump->data_size};
    file->made[index] = input_copy(&bytes);
    file->entries[index].source = NO_SOURCE;
    file->entries[index].bytes = file->made[index];
    file->entries[index].size = (uint32_t)lump->data_size;
    file->is_built[place->marker] =
        plugin_find_fact(result, "kept")->value == 0;
    file->has_extra[place->marker] =
        plugin_find_fact(result, "extra_entries")->value > 0;
}

static void build_map(struct file *file, const struct map_place *place,
                      const char *options)
{
    char flaw[WAD_FLAW_SIZE];
    struct nbstage_lump *lumps;
    size_t count;
    struct module module;
    module_open(&module, options);
    bool is_read = maps_read_lumps(&file->wad, place, module.stage.descriptor,
                                   module.stage.instance, &lumps, &count, flaw);
    REQUIRE(is_read, "lumps that are whole can be read");
    struct nbstage_map map = nbstage_map_from_lumps(
        file->wad.lumps[place->marker].name, lumps, count);
    if (module_build(&module, &map))
        replace_blockmap(file, place, &module.stage.result);
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
static int write_file(const struct file *file)
{
    int descriptor = memfd_create("wad", 0);
    REQUIRE(descriptor >= 0, "there is memory for the file");
    struct output output = {.descriptor = descriptor};
    enum exit_status status =
        wad_write(&file->wad, file->entries, file->wad.lump_count, &output);
    REQUIRE(status == STATUS_DONE && !output.error,
            "a small file can be written");
    return descriptor;
}

// ---------------------------------------------------------------------------
// What has to be the same

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
    char flaw[WAD_FLAW_SIZE];
    unsigned char *found = malloc(size + 1);
    bool is_same =
        found &&
        wad_read_bytes(wad, wad->lumps[index].position, found, size, flaw) &&
        memcmp(found, bytes, size) == 0;
    free(found);
    return is_same;
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

// Whether two lumps have bytes of the file in common.
static bool share_bytes(const struct wad_lump *a, const struct wad_lump *b)
{
    return a->position < (uint64_t)b->position + b->size &&
           b->position < (uint64_t)a->position + a->size;
}

static void require_sharing(const struct file *file, const struct wad *written,
                            size_t a, size_t b)
{
    const struct wad_lump *old = file->wad.lumps;
    const struct wad_lump *new = written->lumps;
    if (file->entries[a].source == NO_SOURCE ||
        file->entries[b].source == NO_SOURCE || old[a].size == 0 ||
        old[b].size == 0 || !wad_lump_is_whole(&file->wad, a) ||
        !wad_lump_is_whole(&file->wad, b) || !share_bytes(&old[a], &old[b]))
        return;
    REQUIRE(old[a].position - old[b].position ==
                new[a].position - new[b].position,
            "lumps that share bytes still do");
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
    REQUIRE(written.lump_count == count, "no lump is lost");
    for (size_t i = 0; i < count; i++)
        require_lump(file, &written, i);
    for (size_t a = 0; a < count && a < MOST_PAIRS; a++)
        for (size_t b = 0; b < a; b++)
            require_sharing(file, &written, a, b);
    wad_free(&written);
}

// ---------------------------------------------------------------------------
// What verify finds

static void require_counts(const struct verify_map *found,
                           const struct judgement *expected)
{
    const struct mismatches *mismatches = &found->mismatches;
    REQUIRE(mismatches->entry_count == expected->entries,
            "lines touch as many blocks as by brute force");
    REQUIRE(mismatches->missing.found == expected->counts.missing,
            "as much is missing as by brute force");
    REQUIRE(mismatches->outside.found == expected->outside,
            "as much is outside the grid as by brute force");
    REQUIRE(mismatches->extra.found == expected->counts.extra,
            "as much is too many as by brute force");
    REQUIRE(found->status != VERIFY_GOOD ||
                expected->counts.missing + expected->outside == 0,
            "where something is missing nothing is good");
}

// Lines have parts in blocks that are no longer than the lines, and no longer
// than a block's diagonal.
static void require_lengths(const struct open_map *map,
                            const struct mismatch_list *list)
{
    static const double diagonal = 181.02;
    for (size_t i = 0; i < list->count; i++) {
        const struct mismatch *mismatch = &list->mismatch[i];
        struct clip clip = mismatch_clip(map, mismatch);
        REQUIRE(clip.length >= 0 && clip.length < diagonal &&
                    clip.length <=
                        clip_length(&map->decoded, mismatch->linedef) + 1e-6,
                "what lies in a block is as long as it can be");
        REQUIRE(clip.length == 0 || !clip.is_corner, "a corner has no length");
    }
}

static void judge_lists(const struct verify_map *found,
                        const struct nbstage_decoded *decoded)
{
    static const enum blocklists_header headers[] = {
        [HEADERS_ZERO] = LISTS_ZERO,    [HEADERS_ANY] = LISTS_ANY,
        [HEADERS_NONE] = LISTS_NONE,    [HEADERS_MIXED] = LISTS_MIXED,
        [HEADERS_UNKNOWN] = LISTS_NONE,
    };
    const struct blockmap *present = &found->map->present;
    struct blocklists lists;
    struct judgement expected;
    struct nbstage_map arrays =
        plugin_map_from_decoded(&found->map->map, decoded);
    struct oracle_line *lines = plugin_oracle_lines(&arrays);
    bool is_open = blocklists_open(present->lump, present->bytes, &lists);
    REQUIRE(is_open, "both readers find the table");
    if (blocklists_judge(&lists, headers[present->headers], lines,
                         decoded->line_count, decoded->left_out, MOST_TRIES,
                         &expected))
        require_counts(found, &expected);
    blocklists_free(&lists);
    free(lines);
}

static void require_expected(const struct verify_map *found)
{
    const struct open_map *map = found->map;
    struct module module;
    struct nbstage_decoded decoded;
    module_open(&module, run.options->text);
    bool is_decoded = module_decode(&module, &map->map, &decoded);
    REQUIRE(is_decoded, "a map with expected lists can be decoded");
    REQUIRE(decoded.line_count == map->line_count,
            "verify knows how many lines there are");
    judge_lists(found, &decoded);
    module_free_decoded(&module, &decoded);
    module_close(&module);
}

// Engines that read a lump whose lists all begin with 0 agree about it, unless
// they take that for a linedef, or numbers have signs for them.
static void require_verdicts(const struct verify_map *found)
{
    const struct blockmap *present = &found->map->present;
    if (!found->map->has_expected || present->form != BLOCKMAP_CLASSIC ||
        present->headers != HEADERS_ZERO || blockmap_has_unreadable(present) ||
        present->words.count >= UINT16_MAX)
        return;
    for (size_t i = 0; i < found->verdicts.count; i++) {
        const struct nbstage_engine *engine = found->verdicts.engine[i];
        enum engine_verdict verdict = found->verdicts.verdict[i];
        REQUIRE(engine->has_signed_words ||
                    verdict ==
                        (found->harmful > 0 ? ENGINE_WRONG : ENGINE_LOADS) ||
                    (verdict == ENGINE_LOADS &&
                     engine->first_word == NBSTAGE_FIRST_WORD_READ),
                "a lump with headers of 0 is right for all engines, or wrong");
    }
}

static void require_built(const struct verify_map *found, bool has_extra)
{
    const struct options *options = run.options;
    if (found->status == VERIFY_EMPTY || options->is_lump ||
        (options->has_limits && found->status == VERIFY_FAILED))
        return;
    REQUIRE(found->status == VERIFY_GOOD || options->is_forced,
            "what is built is good, for the engines that it is for");
    REQUIRE(has_extra || found->mismatches.extra.found == 0,
            "what is built has extra entries where the stage says so");
    REQUIRE(!options->check_nodes || options->has_limits ||
                found->map->present.block_count == 0 ||
                found->segs.verdict == SEGS_PASS,
            "segs that were checked pass");
}

// ---------------------------------------------------------------------------
// The report, as verify makes it

void verify_report_file(const struct arguments *arguments,
                        const struct nbstage_descriptor *stage,
                        const char *path, bool is_open,
                        struct verify_total *total)
{
    (void)arguments;
    (void)stage;
    (void)path;
    (void)is_open;
    total->files++;
}

void verify_report_map(const struct arguments *arguments,
                       const struct verify_map *found,
                       struct verify_total *total)
{
    size_t index = run.map_count++;
    (void)arguments;
    total->rejected += found->rejected;
    REQUIRE((found->status == VERIFY_FAILED) == !found->map->has_expected,
            "verify fails where there are no expected lists");
    REQUIRE(
        (found->status != VERIFY_GOOD && found->status != VERIFY_HARMLESS) ||
            (found->harmful == 0 && found->segs.verdict != SEGS_FAIL),
        "where a seg fails or a missing entry matters the map is wrong");
    if (found->map->has_expected && blockmap_has_table(&found->map->present))
        require_expected(found);
    require_lengths(found->map, &found->mismatches.missing);
    require_lengths(found->map, &found->mismatches.outside);
    require_verdicts(found);
    const struct file *built = run.built;
    if (built && built->is_built[built->wad.maps[index].marker])
        require_built(found, built->has_extra[built->wad.maps[index].marker]);
}

void verify_report_file_end(const struct arguments *arguments, bool read)
{
    (void)arguments;
    (void)read;
}

void verify_report_end(const struct arguments *arguments,
                       struct verify_total *total)
{
    (void)arguments;
    REQUIRE(total->rejected <= run.map_count, "maps are rejected once");
}

// ---------------------------------------------------------------------------

// Verifies a file; the descriptor is closed.
static void verify(int descriptor, struct options *options,
                   const struct file *built)
{
    char path[64];
    char *files[] = {path};
    const struct nbstage stage = {.descriptor = nbstage_describe(NBSTAGE_ABI),
                                  .lump_name = "BLOCKMAP"};
    const struct arguments arguments = {
        .input = path,
        .files = files,
        .file_count = 1,
        .verbose = true,
        .nodes = options->check_nodes,
        .settings = options->settings,
        .setting_count = options->count,
    };
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    run = (struct run){.options = options, .built = built};
    verify_run(&arguments, &stage);
    close(descriptor);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    struct options options;
    struct file file;
    take_options(&input, &options);
    if (open_file(&file, &input)) {
        verify(write_file(&file), &options, NULL);
        build_maps(&file, options.text);
        int descriptor = write_file(&file);
        require_same(&file, descriptor);
        verify(descriptor, &options, &file);
    }
    close_file(&file);
    return 0;
}
