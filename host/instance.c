// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "instance.h"

#include "suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum exit_status stage_load(const char *name, const char *folders,
                            struct nbstage *stage)
{
    if (nbstage_open(stage, name ? name : "blocksweep", folders, "BLOCKMAP"))
        return STATUS_DONE;
    return stage->status == NBSTAGE_OUT_OF_MEMORY ? STATUS_FILE : STATUS_USAGE;
}

static const struct nbstage_option *
stage_find_named(const struct nbstage_descriptor *stage, const char *name,
                 size_t length)
{
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option =
            NBSTAGE_AT(struct nbstage_option, stage->options, i);
        if (strncmp(option->name, name, length) == 0 &&
            option->name[length] == '\0')
            return option;
    }
    return NULL;
}

// Offers the choices of an option, or without one the names of all options.
static struct suggestion
stage_suggest_word(const struct nbstage_descriptor *stage,
                   const struct nbstage_option *option, const char *word,
                   size_t length)
{
    struct suggestion suggestion = suggest_begin(word, length);
    for (size_t i = 0; option && i < option->choice_count; i++)
        suggest_offer(
            &suggestion,
            NBSTAGE_AT(struct nbstage_choice, option->choices, i)->name);
    for (size_t i = 0; !option && i < stage->option_count; i++)
        suggest_offer(
            &suggestion,
            NBSTAGE_AT(struct nbstage_option, stage->options, i)->name);
    return suggestion;
}

// What is meant by the first word of "ITEM,ITEM" that is no choice of the
// option; without an option, by that of "NAME=ITEM,ITEM,NAME=ITEM".
static struct suggestion
stage_suggest_item(const struct nbstage_descriptor *stage,
                   const struct nbstage_option *option, const char *text)
{
    const bool has_names = !option;
    for (;;) {
        size_t length = strcspn(text, ",");
        size_t name = has_names ? strcspn(text, "=") : length;
        if (name < length) {
            option = stage_find_named(stage, text, name);
            if (!option)
                return stage_suggest_word(stage, NULL, text, name);
            text += name + 1;
            length -= name + 1;
        }
        struct suggestion suggestion =
            stage_suggest_word(stage, option, text, length);
        if (suggestion.nearest || text[length] == '\0')
            return suggestion;
        text += length + 1;
    }
}

// Prints the stage's sentence about options, and what may be meant.
static void stage_refuse_options(const char *sentence,
                                 const struct suggestion *suggestion)
{
    char text[SUGGEST_SIZE];
    message_print("%s%s", sentence, suggest_text(suggestion, "", text));
}

enum exit_status stage_refuse(const struct nbstage_descriptor *stage,
                              const struct stage_setting *setting,
                              const char *sentence)
{
    struct suggestion suggestion = stage_suggest_item(
        stage, stage_find_option(stage, setting->name), setting->value);
    stage_refuse_options(sentence, &suggestion);
    return STATUS_USAGE;
}

const char *stage_find_error(struct nbstage *instance, nbstage_status status)
{
    const char *sentence = instance->descriptor->last_error(instance->instance);
    if (*sentence != '\0')
        return sentence;
    snprintf(instance->error, sizeof instance->error,
             "the stage %s failed with status %d and does not say why",
             instance->descriptor->name, (int)status);
    return instance->error;
}

static enum exit_status stage_apply_settings(struct nbstage *instance,
                                             const struct arguments *arguments)
{
    const struct nbstage_descriptor *stage = instance->descriptor;
    for (size_t i = 0; i < arguments->setting_count; i++) {
        const struct stage_setting *setting = &arguments->settings[i];
        nbstage_status status = stage->set_option(
            instance->instance, setting->name, setting->value);
        if (status == NBSTAGE_OUT_OF_MEMORY)
            return message_out_of_memory();
        if (status != NBSTAGE_OK)
            return stage_refuse(stage, setting,
                                stage_find_error(instance, status));
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
        return stage_apply_settings(instance, arguments);
    if (instance->status == NBSTAGE_OUT_OF_MEMORY)
        return message_out_of_memory();
    struct suggestion suggestion =
        stage_suggest_item(stage->descriptor, NULL, options);
    stage_refuse_options(instance->error, &suggestion);
    return STATUS_USAGE;
}

const struct nbstage_option *
stage_find_option(const struct nbstage_descriptor *stage, const char *name)
{
    return stage_find_named(stage, name, strlen(name));
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

long long stage_number(const struct nbstage_result *result, const char *name)
{
    const struct nbstage_fact *fact = stage_find_fact(result, name);
    return fact ? fact->value : 0;
}
