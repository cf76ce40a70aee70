// SPDX-License-Identifier: GPL-2.0-or-later
//
// The verify command on WADs in memory, but for what it prints.  An input is a
// line of options and a WAD.
//
// What is missing in the lists of a map, or too many, is counted anew by brute
// force.  Then the blockmaps are built, and in those nothing may be found.

#include "config.h"

#include "commands.h"
#include "module.h"
#include "rebuilt.h"
#include "target.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_SETTINGS = 40,
    MOST_MAPS = REBUILT_MOST_LUMPS,
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
    bool is_exact;   // lists are to have what touches blocks and nothing else
};

// What verify is run for.
static struct run {
    const struct options *options;
    const bool *is_built; // for each map; NULL before the build
    size_t map_count;     // that have been told of
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
    options->is_exact = !strstr(options->text, "source=lump") &&
                        !strstr(options->text, "pack=cover") &&
                        !strstr(options->text, "fit=");
}

// ---------------------------------------------------------------------------
// What was found

static void require_counts(const struct verify_map *found,
                           const struct judgement *expected)
{
    const struct mismatches *mismatches = &found->mismatches;
    REQUIRE(mismatches->entry_count == expected->entries,
            "lines touch as many blocks as by brute force");
    REQUIRE(mismatches->missing_count == expected->counts.missing,
            "as much is missing as by brute force");
    REQUIRE(mismatches->outside_count == expected->outside,
            "as much is outside the grid as by brute force");
    REQUIRE(mismatches->extra_count == expected->counts.extra,
            "as much is too many as by brute force");
    REQUIRE(found->status != VERIFY_GOOD ||
                expected->counts.missing + expected->outside == 0,
            "where something is missing nothing is good");
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
    struct oracle_line *lines = expected_lines(decoded);
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

// Whether engines of a family pass over headers of 0.
static bool skips_headers(size_t engine)
{
    const char *name = engine_name(engine);
    return strstr(name, "MBF21") || strstr(name, "ZDoom");
}

// Engines that read a lump whose lists all begin with 0 agree about it, unless
// they take that for a linedef; the first one has numbers with signs, too.
static void require_verdicts(const struct verify_map *found)
{
    const struct blockmap *present = &found->map->present;
    bool is_complete =
        found->mismatches.missing_count + found->mismatches.outside_count == 0;
    if (!found->map->has_expected || present->form != BLOCKMAP_CLASSIC ||
        present->headers != HEADERS_ZERO || blockmap_has_unreadable(present) ||
        present->words.count >= UINT16_MAX)
        return;
    for (size_t i = 1; i < ENGINE_COUNT; i++)
        REQUIRE(found->verdicts[i] ==
                        (is_complete ? ENGINE_LOADS : ENGINE_WRONG) ||
                    (found->verdicts[i] == ENGINE_LOADS && !skips_headers(i)),
                "a lump with headers of 0 is right for all engines, or wrong");
}

static void require_built(const struct verify_map *found)
{
    const struct options *options = run.options;
    if (found->status == VERIFY_EMPTY || strstr(options->text, "source=lump") ||
        (options->has_limits && found->status == VERIFY_FAILED))
        return;
    REQUIRE(found->status == VERIFY_GOOD, "what is built is good");
    REQUIRE(!options->is_exact || found->mismatches.extra_count == 0,
            "what is built lists no line in vain");
    REQUIRE(!options->check_nodes || options->has_limits ||
                found->map->present.block_count == 0 ||
                found->segs.verdict == SEGS_PASS,
            "segs that were checked pass");
}

// ---------------------------------------------------------------------------
// The report, as verify makes it

void verify_report_file(const struct arguments *arguments,
                        const struct nbstage_descriptor *stage,
                        const char *path, struct verify_total *total)
{
    (void)arguments;
    (void)stage;
    (void)path;
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
    REQUIRE(found->status != VERIFY_GOOD || found->segs.verdict != SEGS_FAIL,
            "where a seg fails nothing is good");
    if (found->map->has_expected && blockmap_has_table(&found->map->present))
        require_expected(found);
    require_verdicts(found);
    if (run.is_built && run.is_built[index])
        require_built(found);
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
                   const bool *is_built)
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
    run = (struct run){.options = options, .is_built = is_built};
    verify_run(&arguments, &stage);
    close(descriptor);
}

// Which maps have a blockmap that was built, in the order of the file.
static void list_built(const struct rebuilt *file, bool is_built[MOST_MAPS])
{
    for (size_t i = 0; i < file->wad.map_count; i++)
        is_built[i] = file->is_built[file->wad.maps[i].marker];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    struct options options;
    struct rebuilt file;
    take_options(&input, &options);
    if (rebuilt_open(&file, &input)) {
        bool is_built[MOST_MAPS] = {false};
        verify(rebuilt_write(&file), &options, NULL);
        rebuilt_build(&file, options.text);
        list_built(&file, is_built);
        verify(rebuilt_write(&file), &options, is_built);
    }
    rebuilt_close(&file);
    return 0;
}
