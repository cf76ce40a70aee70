// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage under test, reached as any host reaches it.  Whatever fails ends
// the benchmark with the stage's own sentence.

#ifndef MODULE_H
#define MODULE_H

#include "nbstage-host.h"
#include "samples.h"

#include <stdbool.h>

struct module {
    struct nbstage host;
    const struct nbstage_descriptor *stage;
};

// Loads the module at a path, for module_unload().
struct module module_load(const char *path);
void module_unload(struct module *module);

// Whether the stage has an option, and whether that has a choice; `choice` may
// be NULL.
bool module_has(const struct module *module, const char *option,
                const char *choice);

// A new instance with options such as "grid=fit threads=1", for the stage's
// destroy().  Where the stage has no threads to choose, that option is left
// out.  `host` may be NULL.
struct nbstage_instance *module_create(const struct module *module,
                                       const struct nbstage_host *host,
                                       const char *options);

// What there is to know about a lump.
struct built {
    int64_t entries; // "entries": how many times a line is in a block
    size_t lump_bytes;
    const void *lump; // the result's
    const char *form; // "classic", "xbm1", "empty"
};

// Builds, and adds the time of build() alone to `times`, which may be NULL.
// `result` is for the stage's free_result().
struct built module_build(const struct module *module,
                          struct nbstage_instance *instance,
                          const struct nbstage_map *map, struct samples *times,
                          struct nbstage_result *result);

// Builds once with an instance that is gone afterwards, and returns the most
// bytes that the stage had asked the host for at one time.  If `built` is not
// NULL it gets the rest, without the lump.
size_t module_peak_memory(const struct module *module, const char *options,
                          const struct nbstage_map *map, struct built *built);

#endif
