// SPDX-License-Identifier: GPL-2.0-or-later
//
// --builder: runs a node builder on a file before the stage builds its maps.

#ifndef BUILDER_H
#define BUILDER_H

#include "nbstage.h"
#include "platform/process.h"
#include "platform/status.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>

struct arguments;

enum { BUILDER_PATH_SIZE = 4096 };

struct builder {
    const char *name;    // the program
    const char *command; // its command line, with {in} and {out}
    double seconds;      // its running time
    bool is_trial;       // nothing is printed; set after builder_read

    // The maps of the output that it did not find, and some of their names.
    size_t unbuilt_count;
    char unbuilt[256];

    // Private.
    const struct arguments *arguments;
    char **words; // of the command line, with {in} and {out} empty
    bool has_in, has_out;
    struct process process;
    struct wad input;
    struct wad output;
    char folder[BUILDER_PATH_SIZE];
    char in[BUILDER_PATH_SIZE + 8]; // files in the folder
    char out[BUILDER_PATH_SIZE + 8];
    char flaw[WAD_FLAW_SIZE]; // in the file that it wrote
};

// Reads the options for a builder.  STATUS_USAGE with a message if they are
// wrong.  Call builder_free in any case.
enum exit_status builder_read(struct builder *builder,
                              const struct arguments *arguments);

// Runs the builder on *wad and replaces *wad by the builder's output; `builder`
// keeps the input.  STATUS_MAP_FAILED if the builder fails, does not
// end in time, or does not write a whole WAD with all that losses.h lists;
// STATUS_USAGE if it cannot be started; STATUS_FILE if its temporary folder
// cannot be written or removed.
enum exit_status builder_run(struct builder *builder, struct wad *wad);

// The lump that demos were recorded on.
struct builder_old {
    struct nbstage_lump lump; // the input's, or the builder's if that has none
    bool has_lists;           // of linedefs that the builder has not changed
};

// Replaces the BLOCKMAP among the lumps of a map by the one in the input, if
// that has one, or adds it; `lumps` must have room for one more.  With
// lists=lump the builder's stays.
struct builder_old builder_take_old_blockmap(const struct builder *builder,
                                             const struct map_place *map,
                                             struct nbstage_lump *lumps,
                                             size_t *count);

void builder_free(struct builder *builder);

#endif
