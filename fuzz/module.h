// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage as fuzz targets meet it: through its interface and the kit, but
// linked in, with what the interface promises of every call compared with what
// comes back.

#ifndef MODULE_H
#define MODULE_H

#include "blocklists.h"
#include "nbstage-host.h"
#include "target.h"

struct module {
    struct nbstage stage;
    size_t block_count; // pieces of memory that are not released yet
};

// Makes an instance with options such as "pack=nest grid=fit"; those that the
// stage does not take are passed over.  What is not set leaves lumps little
// room to grow.
void module_open(struct module *module, const char *options);

// Everything the stage has taken has to be back then.
void module_close(struct module *module);

// Sets an option, if the stage takes it.
bool module_set(struct module *module, const char *name, const char *value);

// The only lump that a build makes, until the next one; NULL if it fails.
const struct nbstage_lump *module_build(struct module *module,
                                        const struct nbstage_map *map);

// Checks a lump of lists that begin with a 0 by brute force, unless that would
// take too long: every line is in the blocks that it touches, and in no others.
void require_exact(const struct nbstage_lump *lump,
                   const struct oracle_line *lines, size_t line_count);

#endif
