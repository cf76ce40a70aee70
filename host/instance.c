// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "instance.h"

#include "suggest.h"

#include <string.h>

bool stage_open(const char *name, const char *folders, struct nbstage *stage)
{
    *stage = (struct nbstage){0};
    return nbstage_open(stage, name ? name : DEFAULT_STAGE, folders,
                        "BLOCKMAP");
}

enum exit_status stage_load(const char *name, const char *folders,
                            struct nbstage *stage)
{
    if (stage_open(name, folders, stage))
        return STATUS_DONE;
    if (stage->status == NBSTAGE_OUT_OF_MEMORY)
        return message_out_of_memory();
    message_print("%s", stage->error);
    return STATUS_USAGE;
}

// Prints the stage's sentence about a setting, and which of the choices may be
// meant.
static void refuse_setting(const struct nbstage_descriptor *stage,
                           const struct stage_setting *setting,
                           const char *sentence)
{
    char text[SUGGEST_SIZE];
    struct suggestion suggestion =
        suggest_begin(setting->value, strlen(setting->value));
    const struct nbstage_option *option =
        stage_find_option(stage, setting->name);
    for (size_t c = 0; option && c < option->choice_count; c++)
        suggest_offer(
            &suggestion,
            NBSTAGE_AT(struct nbstage_choice, option->choices, c)->name);
    message_print("%s%s", sentence, suggest_text(&suggestion, "", text));
}

static enum exit_status apply_settings(const struct nbstage *instance,
                                       const struct arguments *arguments)
{
    const struct nbstage_descriptor *stage = instance->descriptor;
    for (size_t i = 0; i < arguments->setting_count; i++) {
        const struct stage_setting *setting = &arguments->settings[i];
        nbstage_status status = stage->set_option(
            instance->instance, setting->name, setting->value);
        if (status == NBSTAGE_OUT_OF_MEMORY)
            return message_out_of_memory();
        if (status != NBSTAGE_OK) {
            refuse_setting(stage, setting,
                           stage->last_error(instance->instance));
            return STATUS_USAGE;
        }
    }
    return STATUS_DONE;
}

enum exit_status stage_create(const struct nbstage *stage,
                              const struct nbstage_host *host,
                              const struct arguments *arguments,
                              struct nbstage *instance)
{
    const char *options = arguments->options ? arguments->options : "";
    // Without the library, which stays open until the stage is closed.
    *instance = (struct nbstage){
        .descriptor = stage->descriptor,
        .lump_name = stage->lump_name,
    };
    if (nbstage_create(instance, host) &&
        nbstage_set_options(instance, options))
        return apply_settings(instance, arguments);
    if (instance->status == NBSTAGE_OUT_OF_MEMORY)
        return message_out_of_memory();
    message_print("%s", instance->error);
    return STATUS_USAGE;
}

const struct nbstage_option *
stage_find_option(const struct nbstage_descriptor *stage, const char *name)
{
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option =
            NBSTAGE_AT(struct nbstage_option, stage->options, i);
        if (strcmp(option->name, name) == 0)
            return option;
    }
    return NULL;
}

const struct nbstage_lump *
stage_find_blockmap(const struct nbstage_result *result)
{
    for (size_t i = 0; i < result->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, result->lumps, i);
        if (strcmp(lump->name, "BLOCKMAP") == 0)
            return lump;
    }
    return NULL;
}

const struct nbstage_fact *stage_find_fact(const struct nbstage_result *result,
                                           const char *name)
{
    for (size_t i = 0; i < result->fact_count; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, result->facts, i);
        if (strcmp(fact->name, name) == 0)
            return fact;
    }
    return NULL;
}
