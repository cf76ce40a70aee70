// SPDX-License-Identifier: GPL-2.0-or-later
//
// A command line is split into words as a shell does, with nothing special but
// blanks, quotes and backslashes.  {in} and {out} are filled in afterwards, so
// that paths may contain anything.

#include "config.h"

#include "builder/builder-command.h"

#include "options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t\r\n";

// Copies a word without its quotes and backslashes, and moves both pointers
// past it.  Returns what is wrong with it, or NULL.
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

// Splits the line into words, whose text begins at `to`.
static const char *split_words(struct builder_command *command, char *to)
{
    const char *from = command->line + strspn(command->line, blanks);
    for (size_t i = 0; *from; i++) {
        command->words[i] = to;
        const char *fault = copy_word(&from, &to);
        if (fault)
            return fault;
        from += strspn(from, blanks);
    }
    return command->words[0] && *command->words[0] ? NULL
                                                   : "it names no program";
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static const char *find_placeholders(struct builder_command *command)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    bool has_in = false;
    for (char **word = command->words; *word; word++) {
        for (const char *at = *word; (at = strchr(at, '{')); at++) {
            if (begins_with(at, "{in}"))
                has_in = true;
            else if (begins_with(at, "{out}"))
                command->has_out = true;
            else if (at[1 + strspn(at + 1, letters)] == '}')
                return "nothing but {in} and {out} can be in braces";
        }
    }
    return has_in ? NULL : "it has no {in}";
}

enum exit_status builder_command_parse(const char *given,
                                       struct builder_command *command)
{
    *command = (struct builder_command){.line = given};
    for (size_t i = 0; known_builders[i].name; i++)
        if (strcasecmp(known_builders[i].name, given) == 0)
            command->line = known_builders[i].help;
    // A word and the blank after it have two characters at least.
    size_t length = strlen(command->line);
    size_t most_words = length / 2 + 2;
    command->words =
        calloc(most_words * sizeof *command->words + length + 1, 1);
    if (!command->words)
        return message_out_of_memory();
    const char *fault =
        split_words(command, (char *)(command->words + most_words));
    if (!fault)
        fault = find_placeholders(command);
    if (!fault)
        return STATUS_DONE;
    char names[HOST_CHOICES_SIZE];
    options_list_choices(known_builders, names);
    message_print("option 'builder' does not take '%s': %s; expected a command "
                  "with {in} and {out}, or one of %s",
                  given, fault, names);
    return STATUS_USAGE;
}

// Copies a word with paths in place of the placeholders.  Returns the end of
// the copy.
static char *fill_in_word(char *to, const char *word, const char *in,
                          const char *out)
{
    while (*word) {
        const char *path = begins_with(word, "{in}")    ? in
                           : begins_with(word, "{out}") ? out
                                                        : NULL;
        if (path) {
            memcpy(to, path, strlen(path));
            to += strlen(path);
            word = strchr(word, '}') + 1;
        } else {
            *to++ = *word++;
        }
    }
    *to++ = '\0';
    return to;
}

char **builder_command_fill_in(const struct builder_command *command,
                               const char *in, const char *out)
{
    // A placeholder has four characters at least.
    size_t most_growth = (strlen(in) + strlen(out)) / 4 + 1;
    size_t count = 0;
    size_t length = 0;
    for (; command->words[count]; count++)
        length += strlen(command->words[count]) * most_growth + 1;
    char **words = malloc((count + 1) * sizeof *words + length);
    if (!words)
        return NULL;
    char *to = (char *)(words + count + 1);
    for (size_t i = 0; i < count; i++) {
        words[i] = to;
        to = fill_in_word(to, command->words[i], in, out);
    }
    words[count] = NULL;
    return words;
}
