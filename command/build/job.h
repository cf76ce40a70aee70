// SPDX-License-Identifier: GPL-2.0-or-later
//
// The build command: the stage builds every map of a WAD, and the WAD is
// written anew.

#ifndef JOB_H
#define JOB_H

#include "common/commands.h"
#include "common/message.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "wad/maps.h"
#include "wad/replace-file.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>

// What works on a file before the stage does: a node builder.
struct build_step {
    const char *name;
    const char *command;
    double seconds; // that it took

    // Puts the file that it makes in the place of *wad.  Any status but
    // STATUS_DONE ends the build.
    enum exit_status (*run)(struct build_step *step, struct wad *wad);

    // Puts the BLOCKMAP that a map of that file had before among its lumps,
    // where there is room for one more.
    void (*take_old_blockmap)(struct build_step *step,
                              const struct map_place *map,
                              struct nbstage_lump *lumps, size_t *count);
    void *context; // for these functions
};

// A map that is built.
struct build_map {
    long long missing_solid; // entries, in the lump that it has; with dry_run
    const char *name;
    const struct map_place *place;
    size_t blockmap; // index of its BLOCKMAP lump, or of where one belongs
    bool has_blockmap;
    size_t bytes_before; // of that lump, 0 if there was none

    char *error; // why it failed, else NULL
    struct sentences warnings;
    double seconds;
    struct nbstage_result result;
    struct stage_facts facts;        // of the result, or the failure
    const struct nbstage_lump *made; // the BLOCKMAP of that, else NULL
};

// What a preset would make of all maps.
struct build_preset {
    const char *name;
    size_t bytes;                             // of the lumps
    size_t meeting_vanilla, meeting_extended; // maps
    size_t empty, failed;                     // maps
};

struct build {
    const struct arguments *arguments;
    const char *output;
    struct nbstage stage;       // with an instance of its own
    struct build_step *builder; // NULL if there is none
    struct wad wad;             // the builder's output, if there is a builder
    struct file_lock lock;      // on the input, if it is to be replaced
    struct replacement replacement; // of the output

    // The selected maps.
    struct build_map *maps;
    size_t map_count;
    size_t finished_count;     // of these, maps that were built or failed
    struct build_map *current; // the one being built, else NULL
    struct budget budget;
    bool ran_out_of_memory;
    enum exit_status maps_status; // of those that are finished

    struct build_preset *presets; // of a dry run
    size_t preset_count;

    bool written;      // whether the output was
    const char *error; // why the file ended with STATUS_FILE, or before its
                       // maps were done; else NULL
    char held[MESSAGE_SIZE]; // the last message, until the next one
};

// Builds as the command line asks for; `step` may be NULL.
//
// A map that fails keeps its lumps and has a message.  But if the step made
// that map, nothing is written.
enum exit_status build_run(const struct arguments *arguments,
                           const struct nbstage *stage,
                           struct build_step *step);

// The same with --builder, a node builder that runs first.  STATUS_MAP_FAILED
// if it fails, does not end in time, or does not write a whole WAD with all
// maps of the input; STATUS_USAGE if it cannot be started; STATUS_FILE if its
// temporary folder cannot be written or removed.
enum exit_status builder_build(const struct arguments *arguments,
                               const struct nbstage *stage);

// ---------------------------------------------------------------------------
// The report, in build-report.c

// Begins a report of files in JSON, for report_end.  If arguments->file_count
// is 1, build_report_end does both.
void build_report_begin_files(const struct arguments *arguments,
                              const struct nbstage_descriptor *stage);

void build_report_begin(struct build *build);
void build_report_map(struct build *build, const struct build_map *map);
void build_report_end(struct build *build);

#endif
