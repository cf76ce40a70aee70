// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "common/instance.h"

#include "common/suggest.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const struct nbstage_option *
stage_find_option(const struct nbstage_descriptor *stage, const char *name,
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

// Whether a word is an option as stages write it: "pack=nest", or
// "check-nodes", which cannot be another word.
static bool stage_is_option(const struct nbstage_descriptor *stage,
                            const char *word)
{
    const size_t length = strcspn(word, "= ,;:.");
    const struct nbstage_option *option =
        stage_find_option(stage, word, length);
    return option && (word[length] == '=' || strchr(option->name, '-'));
}

void stage_type_options(const struct nbstage_descriptor *stage,
                        const char *sentence, char *text, size_t size)
{
    size_t used = 0;
    bool is_option = false; // the word
    for (const char *at = sentence; *at && used + 3 < size; at++) {
        const bool is_word = at == sentence || at[-1] == ' ';
        if (is_word)
            is_option = stage_is_option(stage, at);
        for (int i = 0; i < 2 && is_word && is_option; i++)
            text[used++] = '-';
        // "for=" is the option whatever its value.
        if (!is_option || *at != '=' || (at[1] != ' ' && at[1] != '\0'))
            text[used++] = *at;
    }
    text[used] = '\0';
}

enum exit_status stage_refuse(const struct nbstage_descriptor *stage,
                              const struct stage_setting *setting,
                              const char *sentence)
{
    const struct nbstage_option *option =
        stage_find_option(stage, setting->name, strlen(setting->name));
    const char *word = setting->value;
    char typed[MESSAGE_SIZE], text[SUGGEST_SIZE] = "";
    stage_type_options(stage, sentence, typed, sizeof typed);
    const bool has_advice = strcmp(typed, sentence) != 0;
    while (option && !has_advice && !*text) {
        const size_t length = strcspn(word, ",");
        struct suggestion suggestion = suggest_begin(word, length);
        for (size_t i = 0; i < option->choice_count; i++)
            suggest_offer(&suggestion, commands_choice(option, i)->name);
        suggest_text(&suggestion, "", text);
        if (!word[length])
            break;
        word += length + 1;
    }
    message_print("%s%s", typed, text);
    return STATUS_USAGE;
}

enum exit_status stage_create(const struct nbstage *stage,
                              const struct nbstage_host *host,
                              const struct arguments *arguments,
                              struct nbstage *instance)
{
    const struct nbstage_descriptor *descriptor = stage->descriptor;
    const char *options = arguments->options ? arguments->options : "";
    // Without the library, which stays open until the stage is closed.
    *instance = (struct nbstage){
        .descriptor = descriptor,
        .lump_name = stage->lump_name,
    };
    enum exit_status status = STATUS_DONE;
    if (!nbstage_create(instance, host) ||
        !nbstage_set_options(instance, options)) {
        status = STATUS_USAGE;
        if (instance->status != NBSTAGE_OUT_OF_MEMORY)
            message_print("%s", instance->error);
    }
    for (size_t i = 0; status == STATUS_DONE && i < arguments->setting_count;
         i++) {
        const struct stage_setting *setting = &arguments->settings[i];
        if (nbstage_set_option(instance, setting->name, setting->value))
            continue;
        status = STATUS_USAGE;
        if (instance->status != NBSTAGE_OUT_OF_MEMORY)
            stage_refuse(descriptor, setting, instance->error);
    }
    return instance->status == NBSTAGE_OUT_OF_MEMORY ? message_out_of_memory()
                                                     : status;
}

bool stage_keep_facts(const struct nbstage *stage, struct stage_facts *facts)
{
    struct nbstage_fact fact = {.size = sizeof fact};
    *facts = (struct stage_facts){0};
    while (stage->descriptor->get_fact(stage->instance, facts->count, &fact)) {
        const size_t count = facts->count + 1;
        struct nbstage_fact *more = realloc(facts->facts, count * sizeof fact);
        char *text = fact.text ? strdup(fact.text) : NULL;
        if (more)
            facts->facts = more;
        if (!more || (fact.text && !text)) {
            free(text);
            return false;
        }
        fact.text = text;
        facts->facts[facts->count++] = fact;
    }
    return true;
}

void stage_free_facts(struct stage_facts *facts)
{
    for (size_t i = 0; i < facts->count; i++)
        free((char *)(uintptr_t)facts->facts[i].text);
    free(facts->facts);
    *facts = (struct stage_facts){0};
}

const struct nbstage_fact *stage_find_fact(const struct stage_facts *facts,
                                           const char *name)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->facts[i].name, name) == 0)
            return &facts->facts[i];
    return NULL;
}

long long stage_number(const struct stage_facts *facts, const char *name)
{
    const struct nbstage_fact *fact = stage_find_fact(facts, name);
    return fact ? fact->value : 0;
}
