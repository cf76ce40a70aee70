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
// room to grow and starts no threads.
void module_open(struct module *module, const char *options);

// Everything the stage has taken has to be back then.
void module_close(struct module *module);

// Sets an option, if the stage takes it.
bool module_set(struct module *module, const char *name, const char *value);

// The only lump that a build makes, until the next one; NULL if it fails.
const struct nbstage_lump *module_build(struct module *module,
                                        const struct nbstage_map *map);

// Whether it worked; the arrays are to be freed if it did.
bool module_decode(struct module *module, const struct nbstage_map *map,
                   struct nbstage_decoded *decoded);
void module_free_decoded(struct module *module,
                         struct nbstage_decoded *decoded);

// ---------------------------------------------------------------------------
// Lines of an input

enum { MOST_TAKEN_LINES = 300 };

// Lines as the stage and as brute force take them, each with two vertices of
// its own.
struct taken_lines {
    struct nbstage_vertex vertices[2 * MOST_TAKEN_LINES];
    struct nbstage_line lines[MOST_TAKEN_LINES];
    struct oracle_line true_lines[MOST_TAKEN_LINES];
    size_t count;
};

// Takes all that is left as x1, y1, x2, y2 and so on, until there are `most`
// lines.  The function takes a coordinate; `kind` is what it is given.
void take_lines(struct input *input, size_t most,
                int32_t (*take)(struct input *input, unsigned kind),
                unsigned kind, struct taken_lines *lines);

// ---------------------------------------------------------------------------
// Lumps compared with brute force

// What there is to know about a lump to read it.
struct expected_form {
    enum blocklists_header header;
    bool has_extra_lines; // blocks may list lines that do not touch them
};

// The lists of a build with "header=NAME".
enum blocklists_header expected_header(const char *name);

// What lists begin with: those that were to have no headers do have them where
// all would begin with line 0.
enum blocklists_header expected_actual_header(const struct blocklists *lists,
                                              enum blocklists_header header);

// Requires that a comparison found nothing wrong.
void expected_counts(const struct blocklists_counts *counts,
                     const struct expected_form *form);

// Checks a lump that lists all of the lines; where brute force would take too
// long for all, those lines that it has time for.
void expected_check(const struct nbstage_lump *lump,
                    const struct oracle_line *lines, size_t line_count,
                    const struct expected_form *form);

#endif
