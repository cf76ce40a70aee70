// SPDX-License-Identifier: GPL-2.0-or-later
//
// What fuzz targets share.  A target is one function that takes any bytes.
// libFuzzer calls it with inputs that it makes up, replay.c with those that are
// kept.  An input is taken apart from its beginning.
//
// Targets meet the stage through its interface and the kit, but linked in, with
// what the interface promises of every call compared with what comes back.

#ifndef MODULE_H
#define MODULE_H

#include "blocklists.h"
#include "buffer.h"
#include "nbstage-host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads one input; returns 0.  The name is libFuzzer's.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// Holds the code to a promise: ends the process where it is broken.
#define REQUIRE(condition, sentence) \
    ((condition) ? (void)0 \
                 : abort_with("%s:%d: %s", __FILE__, __LINE__, sentence))

struct input {
    const uint8_t *bytes;
    size_t size; // that are left
};

// At most `size` bytes, as many as are left; they stay the input's.
struct input input_bytes(struct input *input, size_t size);

// A line of text, without its newline and cut to what `line` has room for.
void input_line(struct input *input, char *line, size_t size);

enum { MOST_SETTINGS = 40 };

struct module {
    char options[300]; // which the settings are in
    struct {
        const char *name, *value;
    } settings[MOST_SETTINGS]; // those that the stage has taken
    size_t setting_count;
    struct nbstage stage;
    size_t block_count;   // pieces of memory that are not released yet
    uint32_t done, total; // what progress was last; 0 of 0 at first
};

// Makes an instance with options such as "pack=nest grid=fit"; those that the
// stage does not take are passed over.  What is not set leaves it little
// memory.
void module_open(struct module *module, const char *options);

// Everything the stage has taken has to be back then.
void module_close(struct module *module);

// The lump of a build, valid until the next one; NULL if it fails.
const struct nbstage_lump *module_build(struct module *module,
                                        const struct nbstage_map *map);

// Checks a lump of lists that begin with a 0 by brute force, unless that would
// take too long: every line is in the blocks that it touches, and in no others.
void require_exact(const struct nbstage_lump *lump,
                   const struct oracle_line *lines, size_t line_count);

#endif
