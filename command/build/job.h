// SPDX-License-Identifier: GPL-2.0-or-later
//
// The build command: the stage builds every map of a WAD, and the WAD is
// written anew.

#ifndef JOB_H
#define JOB_H

#include "build/builder.h"
#include "common/arguments.h"
#include "common/message.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "wad/maps.h"
#include "wad/replace-file.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>

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
    struct nbstage stage;    // with an instance of its own
    struct builder *builder; // NULL if there is none
    struct wad wad;          // the builder's output, if there is a builder
    struct file_lock lock;   // on the input, if it is to be replaced
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

// Builds a file as the command line asks for.
//
// A map that fails keeps its lumps and has a message.  But if a node builder
// made that map, nothing is written.
enum exit_status build_run(const struct arguments *arguments,
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
