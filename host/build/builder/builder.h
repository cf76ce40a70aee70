// SPDX-License-Identifier: GPL-2.0-or-later
//
// A node builder that runs before the stage.

#ifndef BUILDER_H
#define BUILDER_H

#include "commands.h"
#include "message.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "wad/wad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Builds one file with --builder; without it, see build_run.  STATUS_MAP_FAILED
// if the builder fails, does not end in time, or does not write a whole WAD
// with all maps of the input; STATUS_USAGE if it cannot be started; STATUS_FILE
// if its temporary folder cannot be written or removed.
enum exit_status builder_build(const struct arguments *arguments,
                               const struct nbstage *stage);

// Puts the BLOCKMAP that a map had in the builder's input among the lumps of
// what the builder made of it, where there is room for one more: all of it if
// every linedef is still the same, else only its grid.  A map that had none, or
// has lumps outside the file, keeps the builder's.  *before is to be freed when
// the lumps are no longer used.  `max_memory` is the option of the stage, 0 if
// it is not set.  False with a sentence if the input cannot be read, or with an
// empty one if memory runs out.
bool old_blockmap_take(const struct wad *input, const struct map_place *old,
                       uint32_t max_memory, struct nbstage_lump *lumps,
                       size_t *count, struct nbstage_lump **before);

#endif
