// SPDX-License-Identifier: GPL-2.0-or-later
//
// The job of the build command for one file: the stage builds the maps of a
// WAD, and a new WAD is written.

#ifndef JOB_H
#define JOB_H

#include "build/builder.h"
#include "build/demos.h"
#include "build/placement-hint.h"
#include "common/arguments.h"
#include "common/message.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "wad/budget.h"
#include "wad/maps.h"
#include "wad/replacement.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>

// A map of the file.
struct job_map {
    const char *name;
    const struct map_place *place;
    size_t blockmap; // index of its BLOCKMAP lump, or the place for one
    bool has_blockmap;
    size_t bytes_before;     // size of the old BLOCKMAP, 0 without one
    long long missing_solid; // entries, in that lump; set by a dry run

    char *error; // why it failed, else NULL
    struct sentences warnings;
    double seconds;
    struct demos_found found; // what the new lump changes
    bool lacks_nodes;         // set when the file is written
    struct stage_facts facts;
    struct nbstage_lump *made; // a copy of the new BLOCKMAP, else NULL
};

// The results of a preset for all maps.
struct job_preset {
    const char *name;
    size_t bytes;                             // of the lumps
    size_t meeting_vanilla, meeting_extended; // maps
    size_t keeping_demos, everywhere;         // maps
    size_t kept, lacking; // maps with their old lump, entries missing there
    size_t empty, failed; // maps
};

struct job {
    const struct arguments *arguments;
    struct nbstage stage;    // opened for this job
    struct builder *builder; // NULL if there is none
    struct wad wad;          // the builder's output, if there is a builder
    struct file_lock lock;   // on the input, if it is replaced
    struct replacement replacement; // of the output

    // The selected maps.
    struct job_map *maps;
    size_t map_count;
    size_t finished_count;   // maps that were built or failed
    size_t made_count;       // of these, maps that were built
    struct job_map *current; // the one being built, else NULL
    engine_set engines;      // that have to find the lumps
    struct placement_trial trial;
    struct budget budget;
    bool ran_out_of_memory;
    enum exit_status maps_status; // of the finished maps

    struct job_preset *presets; // of a dry run
    size_t preset_count;

    bool written;      // the output was written
    bool unchanged;    // it was not, as the input has its lumps already
    const char *error; // why the job ended with STATUS_FILE, or stopped before
                       // its last map; else NULL
    char held[MESSAGE_SIZE]; // the last message, until the next one
};

// Builds a file.  A map that fails keeps its lumps and has a message.  With a
// node builder, nothing is written if any map fails.
enum exit_status job_run(const struct arguments *arguments,
                         const struct nbstage *stage);

// ---------------------------------------------------------------------------
// The report, in build-report.c

// Begins a report of files in JSON, for report_end.  If arguments->file_count
// is 1, build_report_end does both.
void build_report_begin_files(const struct arguments *arguments,
                              const struct nbstage_descriptor *stage);

void build_report_begin(struct job *job);
void build_report_map(struct job *job, const struct job_map *map);
void build_report_end(struct job *job);

#endif
