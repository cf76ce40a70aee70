// SPDX-License-Identifier: GPL-2.0-or-later
//
// The built module, loaded with the kit as hosts load it.  A call that fails
// ends the test with the sentence of the kit or the module.

#ifndef PLUGIN_H
#define PLUGIN_H

#include "arrays.h"
#include "nbstage-host.h"
#include "oracle.h"

// A lump that the module has built with an instance of its own.
struct plugin_lump {
    struct nbstage_instance *instance;
    const unsigned char *bytes;
    size_t size; // bytes; 0 if the lump was left empty
};

// The module that the environment variable PLUGIN names, loaded at the first
// call and kept.
const struct nbstage_descriptor *plugin_stage(void);

// A new instance with options such as "grid=fit pack=nest" of the user's, for
// plugin_stage()->destroy.
struct nbstage_instance *plugin_create(const char *options);

// The same with callbacks.
struct nbstage_instance *plugin_create_for(const struct nbstage_host *host,
                                           const char *options);

// Builds a map's lump with an instance of its own, for plugin_free.
struct plugin_lump plugin_build(const struct nbstage_map *map,
                                const char *options);

// The same with callbacks.
struct plugin_lump plugin_build_for(const struct nbstage_host *host,
                                    const struct nbstage_map *map,
                                    const char *options);

// Builds a map and forgets the lump.  Returns the status, and the sentence of a
// failure or "", valid until the next call.
nbstage_status plugin_try(const struct nbstage_map *map, const char *options,
                          const char **sentence);

void plugin_free(struct plugin_lump *lump);

// Ends the test unless two lumps have the same bytes; says of what.
void plugin_check_same(const char *what, const struct plugin_lump *lump,
                       const struct plugin_lump *expected);

// Builds with an instance of its own, which must fail with a status, leave
// nothing, and tell the facts, as in assert_tells.  The host may be NULL.
#define plugin_check_failure(host, map, options, status, ...) \
    plugin_check_failure_all(host, map, options, status, \
                             (const char *const[]){__VA_ARGS__, NULL})

void plugin_check_failure_all(const struct nbstage_host *host,
                              const struct nbstage_map *map,
                              const char *options, nbstage_status status,
                              const char *const *facts);

// The value of a fact that must be there.
int64_t plugin_number(const struct plugin_lump *lump, const char *name);

// What facts have to tell; a difference ends the test with the name of the map.
struct plugin_fact {
    const char *name;
    int64_t value;
};

void plugin_check_facts(const char *where, const struct plugin_lump *lump,
                        const struct plugin_fact *facts, size_t count);

#endif
