// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a node builder on a file before the stage builds its maps: --builder.

#ifndef BUILDER_H
#define BUILDER_H

#include "common/arguments.h"
#include "common/message.h"
#include "nbstage.h"
#include "platform/process.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>

enum { BUILDER_PATH_SIZE = 4096 };

struct builder {
    const char *name;    // the program
    const char *command; // its command line, with {in} and {out}
    double seconds;      // that it took

    // For the functions below.
    const struct arguments *arguments;
    char **words; // of the command line, without {in} and {out}
    bool has_in, has_out;
    struct process process;
    struct wad input;
    struct wad output;
    char folder[BUILDER_PATH_SIZE];
    char in[BUILDER_PATH_SIZE + 8]; // files in it, which is empty at first
    char out[BUILDER_PATH_SIZE + 8];
    char flaw[WAD_FLAW_SIZE]; // what is wrong with the file that it wrote
};

// Reads the options for a builder, for builder_free either way.  STATUS_USAGE
// with a message if they are wrong.
enum exit_status builder_read(struct builder *builder,
                              const struct arguments *arguments);

// Puts the file that the builder makes of *wad in its place, and keeps the
// other.  STATUS_MAP_FAILED if the builder fails, does not end in time, or does
// not write a whole WAD with all maps of the input; STATUS_USAGE if it cannot
// be started; STATUS_FILE if its temporary folder cannot be written or removed.
enum exit_status builder_run(struct builder *builder, struct wad *wad);

// Puts the BLOCKMAP that a map of that file had before among its lumps, where
// there is room for one more.
void builder_take_old_blockmap(const struct builder *builder,
                               const struct map_place *map,
                               struct nbstage_lump *lumps, size_t *count);

void builder_free(struct builder *builder);

#endif
