// SPDX-License-Identifier: GPL-2.0-or-later
//
// The build command: the stage builds every map of a WAD, and the WAD is
// written anew.
//
// The report is for the program that links build.c to print: the command has
// build-report.c; an adapter has the same functions, which use the builder's
// own display.

#ifndef BUILD_H
#define BUILD_H

#include "arguments.h"
#include "file/maps.h"

// A file that was made of another one.
struct built_file {
    struct wad wad;
    size_t *originals; // for each map, its index in the other file, or NO_MAP
    double seconds;    // that it took
};

// What works on a file before the stage does: a node builder.
struct build_step {
    const char *name;
    const char *command;

    // Makes a file of the input, for the caller to free; everything in it is 0
    // before.  Any status but STATUS_DONE ends the build.
    enum exit_status (*run)(const struct build_step *step,
                            const struct wad *input, struct built_file *built);
    void *context; // for that function
};

// Builds as the command line asks for; `step` may be NULL.
//
// A map that fails keeps its lumps and has a message.  But if the step made
// that map, nothing is written.
enum exit_status build_run(const struct arguments *arguments,
                           const struct nbstage *stage,
                           const struct build_step *step);

// ---------------------------------------------------------------------------
// The report

struct map_report {
    const char *name;
    char *error; // why it failed, else NULL
    struct sentences warnings;
    size_t bytes_before; // of the BLOCKMAP lump, 0 if there was none
    size_t bytes_after;
    int64_t linedefs;
    double seconds;

    // It has no facts if the map failed, nor in the end without --json.
    const struct nbstage_result *result;
};

// What a preset would make of all maps.
struct preset_report {
    const char *name;
    size_t bytes;                             // of the lumps
    size_t meeting_vanilla, meeting_extended; // maps
    size_t empty, failed;                     // maps
};

struct build_report {
    const struct arguments *arguments;
    const char *output;
    const struct nbstage *stage;      // with the instance that built
    const struct build_step *builder; // that ran first; NULL if none did
    double builder_seconds;
    struct map_report *maps;
    size_t map_count;
    size_t finished_count;         // of these, maps that were built or failed
    struct preset_report *presets; // of a dry run
    size_t preset_count;
    bool written;      // whether the output was
    const char *error; // why the file ended with STATUS_FILE, or before its
                       // maps were done; else NULL
};

// Stand around the reports of files in JSON.  If arguments->file_count is 1,
// build_report_end calls them.  Only the command has them.
void build_report_begin_files(const struct nbstage_descriptor *stage);
void build_report_end_files(void);

void build_report_begin(const struct build_report *report);
void build_report_map(const struct build_report *report, size_t map_index);
void build_report_end(const struct build_report *report);

// Shows how much of a map's work is done.  Returns whether to go on.
bool build_report_progress(const struct build_report *report, size_t map_index,
                           uint32_t done, uint32_t total);

#endif
