// SPDX-License-Identifier: GPL-2.0-or-later
//
// Instances of the stage with the options of a command line, and the facts
// about their builds.

#ifndef STAGE_H
#define STAGE_H

#include "common/arguments.h"
#include "common/message.h"
#include "nbstage-host.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Opens a stage as nbstage_open does, also from the folder of a moved
// installation.
bool stage_find(struct nbstage *stage, const char *asked);

// Opens the stage of a command line with its options.  Call nbstage_close in
// any case.
enum exit_status stage_open(struct nbstage *stage,
                            const struct arguments *arguments);

// Returns the path of an open stage, or "" if it is built in.
const char *stage_file(const struct nbstage *stage);

// Ignores what a stage or the kit logs; for struct nbstage_host.
void NBSTAGE_CALL stage_ignore_log(void *context, int32_t level,
                                   const char *sentence);

// Prints the sentence about an invalid value, with a suggestion.  Returns
// STATUS_USAGE.
enum exit_status stage_refuse(const struct nbstage_descriptor *stage,
                              const struct stage_setting *setting,
                              const char *sentence);

// Returns the option with this name of `length` characters, or NULL.
const struct nbstage_option *
stage_find_option(const struct nbstage_descriptor *stage, const char *name,
                  size_t length);

// Copies a sentence of the stage with options as users type them:
// "--pack=nest",
// "--check-nodes".
void stage_type_options(const struct nbstage_descriptor *stage,
                        const char *sentence, char *text, size_t size);

// Facts about a build, as in struct nbstage_fact, with copies of their texts.
struct stage_fact {
    const char *name;
    long long number;
    char *text; // NULL: it is a number
};
struct stage_facts {
    struct stage_fact *facts;
    size_t count;
};

// Copies the facts about the last build.  Returns false if memory runs out.
// Call stage_free_facts in any case.
bool stage_keep_facts(const struct nbstage *stage, struct stage_facts *facts);
void stage_free_facts(struct stage_facts *facts);

// Return the fact with this name, or its number; NULL or 0 if there is none.
const struct stage_fact *stage_find_fact(const struct stage_facts *facts,
                                         const char *name);
long long stage_number(const struct stage_facts *facts, const char *name);

#endif
