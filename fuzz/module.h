// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage as fuzz targets meet it: through its interface, but linked in, with
// what the interface promises of every call held against what comes back.

#ifndef MODULE_H
#define MODULE_H

#include "nbstage.h"

#include <stdbool.h>

struct module {
    struct nbstage_instance *instance;
    size_t block_count; // pieces of memory that are not released yet
};

// Makes an instance with options such as "pack=nest grid=fit"; those that the
// stage does not take are passed over.  What is not set leaves lumps little
// room to grow and starts no threads.
void module_open(struct module *module, const char *options);

// Everything the stage has taken has to be back then.
void module_close(struct module *module);

// A map of one lump, which it points to.
struct nbstage_map module_map_of(const struct nbstage_lump *lump);

// Builds; whether it worked.  The result is to be freed if it did.
bool module_build(struct module *module, const struct nbstage_map *map,
                  struct nbstage_result *result);
void module_free_result(struct module *module, struct nbstage_result *result);

// The same for decoding.
bool module_decode(struct module *module, const struct nbstage_map *map,
                   struct nbstage_decoded *decoded);
void module_free_decoded(struct module *module,
                         struct nbstage_decoded *decoded);

// The only lump of a result.
const struct nbstage_lump *module_lump(const struct nbstage_result *result);

#endif
