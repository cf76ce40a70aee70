// SPDX-License-Identifier: GPL-2.0-or-later
//
// The build command: every map of a WAD goes through the stage, and the
// result is written.

#ifndef BUILD_H
#define BUILD_H

#include "arguments.h"
#include "file/maps.h"

// A file that was made of another one.
struct built_file {
    struct wad wad;
    struct map_places maps;
    size_t
        *originals; // for each map, which of the other file it was, or NO_MAP
    double seconds; // that it took
};

// What works on a file before the stage does: a node builder.
struct build_step {
    const char *name;
    const char *command;

    // Makes a file of the input, for the caller to free; everything in it is 0
    // before.  Another status than STATUS_DONE ends the build.
    enum exit_status (*run)(const struct build_step *step,
                            const struct wad *input,
                            const struct map_places *maps,
                            struct built_file *built);
    void *context; // for that function
};

// Builds as the command line asks for; `step` may be NULL.
//
// A map that fails keeps its lumps and has a message.  But if it is a map that
// the step has made, nothing is written.
enum exit_status build_run(const struct arguments *arguments,
                           const struct nbstage *stage,
                           const struct build_step *step);

#endif
