// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "common/stage.h"

#include "common/arguments.h"
#include "common/commands.h"
#include "common/message.h"
#include "common/suggest.h"
#include "nbstage-host.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

// Whether a word is an option in the stage's spelling: it has "=", as in
// "pack=nest", or a hyphen, as in "check-nodes".
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
    bool is_option = false; // the current word is one
    for (const char *at = sentence; *at && used + 3 < size; at++) {
        const bool is_word = at == sentence || at[-1] == ' ';
        if (is_word)
            is_option = stage_is_option(stage, at);
        if (is_word && is_option) {
            text[used++] = '-';
            text[used++] = '-';
        }
        // "for=" without a value means the option itself.
        if (!is_option || *at != '=' || (at[1] != ' ' && at[1] != '\0'))
            text[used++] = *at;
    }
    text[used] = '\0';
}

// Writes "; did you mean CHOICE?" for the first word of a list of choices that
// is not known but near one, or "".
static void stage_suggest(const struct nbstage_option *option,
                          const char *value, char text[SUGGEST_SIZE])
{
    for (const char *word = value;; word++) {
        const size_t length = strcspn(word, ",");
        struct suggestion suggestion = suggest_begin(word, length);
        for (size_t i = 0; i < option->choice_count; i++)
            suggest_offer(&suggestion, commands_choice(option, i)->name);
        suggest_text(&suggestion, "", text);
        word += length;
        if (*text || !*word)
            return;
    }
}

enum exit_status stage_refuse(const struct nbstage_descriptor *stage,
                              const struct stage_setting *setting,
                              const char *sentence)
{
    const struct nbstage_option *option =
        stage_find_option(stage, setting->name, strlen(setting->name));
    char typed[MESSAGE_SIZE], text[SUGGEST_SIZE] = "";
    stage_type_options(stage, sentence, typed, sizeof typed);
    const bool has_advice = strcmp(typed, sentence) != 0;
    if (option && !has_advice)
        stage_suggest(option, setting->value, text);
    message_print("%s%s", typed, text);
    return STATUS_USAGE;
}

static enum exit_status stage_set_options(struct nbstage *instance,
                                          const struct nbstage_host *host,
                                          const struct arguments *arguments)
{
    const char *options = arguments->options ? arguments->options : "";
    if (!nbstage_create(instance, host) ||
        !nbstage_set_options(instance, options)) {
        if (instance->status == NBSTAGE_OUT_OF_MEMORY)
            return message_out_of_memory();
        message_print("%s", instance->error);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < arguments->setting_count; i++) {
        const struct stage_setting *setting = &arguments->settings[i];
        if (nbstage_set_option(instance, setting->name, setting->value))
            continue;
        if (instance->status == NBSTAGE_OUT_OF_MEMORY)
            return message_out_of_memory();
        return stage_refuse(instance->descriptor, setting, instance->error);
    }
    return STATUS_DONE;
}

enum exit_status stage_create(const struct nbstage *stage,
                              const struct nbstage_host *host,
                              const struct arguments *arguments,
                              struct nbstage *instance)
{
    // The instance does not own the library, so nbstage_close leaves it loaded.
    *instance = (struct nbstage){
        .descriptor = stage->descriptor,
        .lump_name = stage->lump_name,
    };
    return stage_set_options(instance, host, arguments);
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
