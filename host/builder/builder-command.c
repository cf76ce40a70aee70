// SPDX-License-Identifier: GPL-2.0-or-later
//
// A command is split into words as by a shell that has nothing but quotes and
// backslashes.  Placeholders are filled in afterwards, so that paths may have
// anything in them.

#include "config.h"

#include "builder/builder-command.h"

#include "message.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Builders that can be given by their names alone.  ZenNode writes no output
// where it finds all maps built already, so it works in place, and so does
// ZokumBSP, which is made from it.
static const struct {
    const char *name;
    const char *command;
} presets[] = {
    {"zdbsp", "zdbsp -o {out} {in}"},   {"glbsp", "glbsp {in} -o {out}"},
    {"elfbsp", "elfbsp {in} -o {out}"}, {"zokumbsp", "zokumbsp {in}"},
    {"zennode", "ZenNode {in}"},
};

enum { PRESET_COUNT = sizeof presets / sizeof *presets };

// ---------------------------------------------------------------------------
// Reading

static const char blanks[] = " \t\r\n";

void builder_command_list_names(char *text, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < PRESET_COUNT && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   i > 0 ? ", " : "", presets[i].name);
}

static enum exit_status refuse_command(const char *given, const char *fault)
{
    char names[BUILDER_NAMES_SIZE];
    builder_command_list_names(names, sizeof names);
    message_print("option 'builder' does not take '%s': %s; expected a command "
                  "with {in} and {out}, or one of %s",
                  given, fault, names);
    return STATUS_USAGE;
}

static const char *find_preset(const char *name)
{
    for (size_t i = 0; i < PRESET_COUNT; i++)
        if (strcasecmp(presets[i].name, name) == 0)
            return presets[i].command;
    return NULL;
}

const char *builder_command_known(size_t index, const char **command)
{
    if (index >= PRESET_COUNT)
        return NULL;
    *command = presets[index].command;
    return presets[index].name;
}

// Copies a word without its quotes and backslashes, and moves both on.
// Returns what is wrong with it, or NULL.
static const char *copy_word(const char **from, char **to)
{
    char quote = '\0';
    for (; **from && (quote || !strchr(blanks, **from)); (*from)++) {
        if (!quote && (**from == '\'' || **from == '"')) {
            quote = **from;
            continue;
        }
        if (**from == quote) {
            quote = '\0';
            continue;
        }
        if (**from == '\\' && quote != '\'' && !*++*from)
            return "it ends with a backslash";
        *(*to)++ = **from;
    }
    *(*to)++ = '\0';
    return quote ? "a quote is not closed" : NULL;
}

static const char *split_words(struct builder_command *command)
{
    const char *from = command->line + strspn(command->line, blanks);
    char *to = command->text;
    size_t count = 0;
    while (*from) {
        command->words[count++] = to;
        const char *fault = copy_word(&from, &to);
        if (fault)
            return fault;
        from += strspn(from, blanks);
    }
    return count > 0 && *command->words[0] ? NULL : "it names no program";
}

// The length of a placeholder such as "{in}" that a text begins with; 0 if it
// begins with none.
static size_t placeholder_length(const char *text)
{
    size_t length = 1;
    if (*text != '{')
        return 0;
    while (isalpha((unsigned char)text[length]))
        length++;
    return text[length] == '}' ? length + 1 : 0;
}

static bool is_placeholder(const char *text, const char *placeholder)
{
    return strncmp(text, placeholder, strlen(placeholder)) == 0;
}

static const char *find_placeholders(struct builder_command *command)
{
    bool has_in = false;
    for (char **word = command->words; *word; word++) {
        for (const char *at = *word; (at = strchr(at, '{')); at++) {
            if (is_placeholder(at, "{in}"))
                has_in = true;
            else if (is_placeholder(at, "{out}"))
                command->has_out = true;
            else if (placeholder_length(at) > 0)
                return "nothing but {in} and {out} can be in braces";
        }
    }
    return has_in ? NULL : "it has no {in}";
}

enum exit_status builder_command_parse(const char *given,
                                       struct builder_command *command)
{
    const char *preset = find_preset(given);
    *command = (struct builder_command){.line = preset ? preset : given};
    size_t length = strlen(command->line);
    command->words = calloc(length / 2 + 2, sizeof *command->words);
    command->text = malloc(length + 1);
    if (!command->words || !command->text)
        return message_out_of_memory();
    const char *fault = split_words(command);
    if (!fault)
        fault = find_placeholders(command);
    return fault ? refuse_command(given, fault) : STATUS_DONE;
}

void builder_command_free(struct builder_command *command)
{
    free(command->words);
    free(command->text);
    *command = (struct builder_command){0};
}

// ---------------------------------------------------------------------------
// Filling in

// A word with the names of the files in it, for free; NULL if memory runs out.
static char *fill_in(const char *word, const char *in, const char *out)
{
    char *filled = NULL;
    size_t size;
    FILE *stream = open_memstream(&filled, &size);
    if (!stream)
        return NULL;
    while (*word) {
        size_t length = placeholder_length(word);
        if (length > 0)
            fputs(is_placeholder(word, "{in}") ? in : out, stream);
        else
            fputc(*word, stream);
        word += length > 0 ? length : 1;
    }
    if (fclose(stream) == 0)
        return filled;
    free(filled);
    return NULL;
}

void builder_command_free_words(char **words)
{
    for (char **word = words; word && *word; word++)
        free(*word);
    free(words);
}

char **builder_command_fill_in(const struct builder_command *command,
                               const char *in, const char *out)
{
    char *const *from = command->words;
    size_t count = 0;
    while (from[count])
        count++;
    char **words = calloc(count + 1, sizeof *words);
    for (size_t i = 0; words && i < count; i++) {
        words[i] = fill_in(from[i], in, out);
        if (!words[i]) {
            builder_command_free_words(words);
            return NULL;
        }
    }
    return words;
}
