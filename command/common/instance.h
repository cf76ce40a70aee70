// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the instances that build, with the options of a command line.
//
// builders/kit/nbstage-host.c looks for stages: in the folders of the environment
// variable NBSTAGE_PLUGIN_PATH, then in those that are given.

#ifndef INSTANCE_H
#define INSTANCE_H

#include "common/commands.h"
#include "common/message.h"
#include "nbstage-host.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>

// Makes an instance of a loaded stage, with the options of a command line.  It
// is for nbstage_close either way: before the stage is closed, and before what
// host->context points to is gone.
enum exit_status stage_create(const struct nbstage *stage,
                              const struct nbstage_host *host,
                              const struct arguments *arguments,
                              struct nbstage *instance);

// Prints the sentence about a setting of a value that its option does not take,
// and what may be meant.  STATUS_USAGE.
enum exit_status stage_refuse(const struct nbstage_descriptor *stage,
                              const struct stage_setting *setting,
                              const char *sentence);

// The option of a name of so many characters; NULL if the stage has none.
const struct nbstage_option *
stage_find_option(const struct nbstage_descriptor *stage, const char *name,
                  size_t length);

// Writes a sentence of the stage with its options as users type them:
// "--pack=nest", "--check-nodes".
void stage_type_options(const struct nbstage_descriptor *stage,
                        const char *sentence, char *text, size_t size);

// Facts about a build, with words of their own.
struct stage_facts {
    struct nbstage_fact *facts;
    size_t count;
};

// Copies the facts about the last build, for stage_free_facts; false without
// memory.
bool stage_keep_facts(const struct nbstage *stage, struct stage_facts *facts);
void stage_free_facts(struct stage_facts *facts);

// The fact of this name, or its number; NULL or 0 if there is none.
const struct nbstage_fact *stage_find_fact(const struct stage_facts *facts,
                                           const char *name);
long long stage_number(const struct stage_facts *facts, const char *name);

#endif
