// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "common/stage.h"

#include "common/arguments.h"
#include "common/message.h"
#include "common/suggest.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "platform/location.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const struct nbstage_option *
stage_find_option(const struct nbstage_descriptor *stage, const char *name,
                  size_t length)
{
    for (size_t i = 0; stage->options[i]; i++) {
        const struct nbstage_option *option = stage->options[i];
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
            suggest_offer(&suggestion, option->choices[i].name);
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

void NBSTAGE_CALL stage_ignore_log(void *context, int32_t level,
                                   const char *sentence)
{
    (void)context;
    (void)level;
    (void)sentence;
}

// The path of a linked-in stage is its name; the path of a file has a slash.
const char *stage_file(const struct nbstage *stage)
{
    return strcmp(stage->path, stage->descriptor->name) == 0 ? "" : stage->path;
}

bool stage_find(struct nbstage *stage, const char *asked)
{
    const struct location_before before = location_add_stages();
    const bool is_open = nbstage_open(stage, asked, NULL, "BLOCKMAP");
    location_restore_stages(before);
    return is_open;
}

enum exit_status stage_open(struct nbstage *stage,
                            const struct arguments *arguments)
{
    if (!stage_find(stage,
                    arguments->plugin ? arguments->plugin : PACKAGE_NAME)) {
        if (stage->status == NBSTAGE_OUT_OF_MEMORY)
            return message_out_of_memory();
        message_print("%s", stage->error);
        return STATUS_USAGE;
    }
    const struct nbstage_descriptor *descriptor = stage->descriptor;
    for (size_t i = 0; i < arguments->setting_count; i++) {
        const struct stage_setting *setting = &arguments->settings[i];
        const nbstage_status status = descriptor->set_option(
            stage->instance, setting->name, setting->value, NBSTAGE_BY_USER);
        if (status == NBSTAGE_OK)
            continue;
        if (status == NBSTAGE_OUT_OF_MEMORY)
            return message_out_of_memory();
        const char *told = descriptor->last_error(stage->instance);
        return stage_refuse(descriptor, setting,
                            told && *told ? told : "the stage failed");
    }
    return STATUS_DONE;
}

bool stage_keep_facts(const struct nbstage *stage, struct stage_facts *facts)
{
    const char *const *name = stage->descriptor->fact_names;
    size_t most = 0;
    while (name[most])
        most++;
    *facts = (struct stage_facts){calloc(most + 1, sizeof *facts->facts), 0};
    if (!facts->facts)
        return false;
    for (; *name; name++) {
        const struct nbstage_fact *fact =
            stage->descriptor->get_fact(stage->instance, *name);
        if (!fact)
            continue;
        char *text = fact->text ? strdup(fact->text) : NULL;
        if (fact->text && !text)
            return false;
        facts->facts[facts->count++] =
            (struct stage_fact){*name, fact->number, text};
    }
    return true;
}

void stage_free_facts(struct stage_facts *facts)
{
    for (size_t i = 0; i < facts->count; i++)
        free(facts->facts[i].text);
    free(facts->facts);
    *facts = (struct stage_facts){0};
}

const struct stage_fact *stage_find_fact(const struct stage_facts *facts,
                                         const char *name)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->facts[i].name, name) == 0)
            return &facts->facts[i];
    return NULL;
}

long long stage_number(const struct stage_facts *facts, const char *name)
{
    const struct stage_fact *fact = stage_find_fact(facts, name);
    return fact ? fact->number : 0;
}
