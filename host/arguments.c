// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line is read in two passes.  The first looks for the name of the
// stage, which brings options of its own.  When it is loaded, the second reads
// all options.

#include "config.h"

#include "arguments.h"

#include "suggest.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_OPTIONS = 256, // of a command and a stage; more are unknown
    MOST_LETTERS = 64,  // of a command
};

// Reads the options of a command line, in any order, with getopt and its
// variables.
struct option_reader {
    enum command command;
    const struct nbstage_descriptor *stage; // or NULL

    // The tables as getopt wants them.
    char letters[MOST_LETTERS];
    struct option options[MOST_OPTIONS + 1];

    // What was read: the letter of an option of the command, some other number
    // for one of the stage, '?' for an unknown option or a value for an option
    // that takes none, ':' for a missing value.
    int letter;
    bool is_letter; // whether it was given as a letter, not as a word
    struct known_option option; // neither if it is unknown
};

// getopt returns the index of an option of the stage with this added.
enum { FIRST_STAGE_OPTION = 256 };

static int arguments_number_of(const struct known_option *option, size_t index)
{
    return option->host ? option->host->letter
                        : FIRST_STAGE_OPTION + (int)index;
}

static int arguments_argument_of(const struct known_option *option)
{
    if (option_needs_value(option))
        return required_argument;
    return option->host ? no_argument : optional_argument;
}

// With `in_order`, words that are no options are read as options of the number
// 1; else all options are read first, and the words are reordered.
static void arguments_begin_options(struct option_reader *reader,
                                    enum command command,
                                    const struct nbstage_descriptor *stage,
                                    bool in_order)
{
    *reader = (struct option_reader){.command = command, .stage = stage};
    char *letter = reader->letters;
    if (in_order)
        *letter++ = '-'; // has getopt return the other words, too
    *letter++ = ':';     // has getopt return ':' for a missing value
    struct known_option option;
    for (size_t i = 0;
         i < MOST_OPTIONS && commands_get(command, stage, i, &option); i++) {
        reader->options[i] = (struct option){
            option_name(&option), arguments_argument_of(&option), NULL,
            arguments_number_of(&option, i)};
        if (!option.host)
            continue;
        *letter++ = option.host->letter;
        if (option_needs_value(&option))
            *letter++ = ':';
    }
    opterr = 0;
    optind = 0;
}

// The option with a number that getopt returned.
static struct known_option
arguments_find_option(const struct option_reader *reader, int number)
{
    struct known_option option;
    for (size_t i = 0; commands_get(reader->command, reader->stage, i, &option);
         i++)
        if (arguments_number_of(&option, i) == number)
            return option;
    return (struct known_option){NULL, NULL};
}

// Reads the next option; false after the last, when the files begin at
// argv[optind].
static bool arguments_next_option(struct option_reader *reader, int argc,
                                  char **argv)
{
    int index = -1;
    reader->letter =
        getopt_long(argc, argv, reader->letters, reader->options, &index);
    reader->is_letter = index < 0;
    bool misused = reader->letter == '?' || reader->letter == ':';
    reader->option =
        arguments_find_option(reader, misused ? optopt : reader->letter);
    return reader->letter != -1;
}

// ---------------------------------------------------------------------------
// The first pass

// COMMAND_COUNT if no command has this name.
static enum command arguments_find_command(const char *name)
{
    int i = 0;
    while (i < COMMAND_COUNT && strcmp(name, command_table[i].name) != 0)
        i++;
    return (enum command)i;
}

// Rewrites "help COMMAND" as "COMMAND --help", and "version" as "--version".
static void arguments_rewrite_request(int argc, char **argv)
{
    static char help[] = "--help";
    static char version[] = "--version";
    if (argc > 1 && strcmp(argv[1], "version") == 0) {
        argv[1] = version;
    } else if (argc > 1 && strcmp(argv[1], "help") == 0) {
        if (argc > 2)
            argv[1] = argv[2];
        argv[argc > 2 ? 2 : 1] = help;
    }
}

enum command arguments_take_command(int *argc, char ***argv)
{
    arguments_rewrite_request(*argc, *argv);
    enum command command =
        *argc > 1 ? arguments_find_command((*argv)[1]) : COMMAND_COUNT;
    if (command == COMMAND_COUNT)
        return COMMAND_BUILD;
    (*argv)[1] = (*argv)[0];
    (*argv)++;
    (*argc)--;
    return command;
}

enum request arguments_preview(enum command command, int argc, char **argv,
                               const char **plugin)
{
    enum request request = REQUEST_COMMAND;
    *plugin = NULL;
    struct option_reader reader;
    // Values of the stage's options, which are not known yet, are taken for
    // files, so the words must not be reordered.
    arguments_begin_options(&reader, command, NULL, true);
    while (arguments_next_option(&reader, argc, argv)) {
        if (reader.letter == 'p')
            *plugin = optarg;
        else if (request != REQUEST_COMMAND)
            continue;
        else if (reader.letter == 'h')
            request = reader.is_letter ? REQUEST_SHORT_HELP : REQUEST_HELP;
        else if (reader.letter == 'V')
            request = REQUEST_VERSION;
    }
    return request;
}

// ---------------------------------------------------------------------------
// The second pass

// An option as it was typed.
struct typed_option {
    const char *text;
    int width;        // of the text without a value
    const char *name; // without hyphens and value
    size_t length;    // of the name
    bool is_letter;
};

static bool arguments_has_name(const struct known_option *option,
                               const struct typed_option *typed)
{
    const char *name = option_name(option);
    if (typed->is_letter)
        return option->host && option->host->letter == *typed->name;
    return strncmp(name, typed->name, typed->length) == 0 &&
           name[typed->length] == '\0';
}

// Lists the commands that take this option.
static void arguments_list_commands(const struct nbstage_descriptor *stage,
                                    const struct typed_option *typed,
                                    char *list, size_t size)
{
    struct known_option option;
    list[0] = '\0';
    for (int command = 0; command < COMMAND_COUNT; command++)
        for (size_t i = 0;
             commands_get((enum command)command, stage, i, &option); i++)
            if (arguments_has_name(&option, typed))
                commands_append(list, size, "", command_table[command].name);
}

// Lists the options that begin like this one, and offers all for a suggestion.
static void arguments_list_similar(const struct option_reader *reader,
                                   const struct typed_option *typed, char *list,
                                   size_t size, struct suggestion *suggestion)
{
    struct known_option option;
    list[0] = '\0';
    for (size_t i = 0; commands_get(reader->command, reader->stage, i, &option);
         i++) {
        const char *name = option_name(&option);
        if (strncmp(name, typed->name, typed->length) == 0)
            commands_append(list, size, "--", name);
        suggest_offer(suggestion, name);
    }
}

static enum exit_status
arguments_unknown_option(const struct option_reader *reader, char *const *argv)
{
    const char *command = command_table[reader->command].name;
    char letter[] = {'-', (char)optopt, '\0'};
    struct typed_option typed = {.text = optopt ? letter : argv[optind - 1],
                                 .is_letter = optopt != 0};
    typed.name = typed.text + strspn(typed.text, "-");
    typed.length = strcspn(typed.name, "=");
    typed.width = (int)(typed.name - typed.text) + (int)typed.length;
    char list[512], text[SUGGEST_SIZE];
    struct suggestion suggestion = suggest_begin(typed.name, typed.length);
    arguments_list_commands(reader->stage, &typed, list, sizeof list);
    if (list[0]) {
        message_print("'%.*s' is an option of %s, not of %s", typed.width,
                      typed.text, list, command);
        return STATUS_USAGE;
    }
    arguments_list_similar(reader, &typed, list, sizeof list, &suggestion);
    if (list[0] && !typed.is_letter)
        message_print("option '%.*s' is ambiguous; it could be %s", typed.width,
                      typed.text, list);
    else if (suggestion.nearest)
        message_print("unknown option '%.*s'%s", typed.width, typed.text,
                      suggest_text(&suggestion, "--", text));
    else
        message_print("unknown option '%.*s'; see 'blocksweep %s --help'",
                      typed.width, typed.text, command);
    return STATUS_USAGE;
}

static enum exit_status
arguments_misused_option(const struct option_reader *reader, char *const *argv)
{
    if (reader->letter != ':' && !reader->option.host)
        return arguments_unknown_option(reader, argv);
    if (reader->letter == ':')
        message_print("option '%s' needs a value", argv[optind - 1]);
    else
        message_print("option '--%s' takes no value",
                      reader->option.host->name);
    return STATUS_USAGE;
}

static void arguments_take_option(const struct option_reader *reader,
                                  struct arguments *arguments)
{
    const struct host_option *option = reader->option.host;
    if (!option) {
        arguments->settings[arguments->setting_count++] =
            (struct stage_setting){reader->option.stage->name,
                                   optarg ? optarg : "yes"};
        return;
    }
    void *member = (char *)arguments + option->member;
    if (!option->value)
        *(bool *)member = true;
    else if (option->member == offsetof(struct arguments, map_lists))
        arguments->map_lists[arguments->map_list_count++] = optarg;
    else
        *(const char **)member = optarg;
}

// Says that a word is no command, and which one may be meant or which there
// are.
static void arguments_refuse_command(const char *word)
{
    char names[COMMAND_NAMES_SIZE], text[SUGGEST_SIZE];
    struct suggestion suggestion = suggest_begin(word, strlen(word));
    for (int i = 0; i < COMMAND_COUNT; i++)
        suggest_offer(&suggestion, command_table[i].name);
    suggest_offer(&suggestion, "help");
    suggest_offer(&suggestion, "version");
    if (suggestion.nearest)
        message_print("there is no file or command '%s'%s", word,
                      suggest_text(&suggestion, "", text));
    else
        message_print("there is no file or command '%s'; commands are %s, help "
                      "and version",
                      word, command_names(names));
}

static bool arguments_is_missing(const char *file)
{
    return file && strcmp(file, "-") != 0 && access(file, F_OK) != 0;
}

// Writes what is wrong with the files, if anything is.  A first file that is
// not there may be a command in the wrong place.
static void arguments_check_files(enum command command,
                                  const struct arguments *arguments,
                                  char *sentence, size_t size)
{
    size_t most = command_table[command].most_files;
    size_t count = arguments->file_count;
    const char *first = arguments->input;
    size_t standard = 0;
    for (size_t i = 0; i < count; i++)
        standard += strcmp(arguments->files[i], "-") == 0;
    if (standard > 1)
        snprintf(sentence, size, "standard input can be read only once");
    else if (count == 0)
        snprintf(sentence, size, "no input file was given");
    else if (arguments_is_missing(first) &&
             arguments_find_command(first) != COMMAND_COUNT)
        snprintf(sentence, size,
                 "'%s' is not a file; one command, before all options, was "
                 "expected",
                 first);
    else if (command == COMMAND_BUILD && count == 2 && !arguments->output &&
             !arguments->in_place && !arguments->dry_run)
        snprintf(sentence, size,
                 "there are two files; the output goes after -o: blocksweep %s "
                 "-o %s",
                 first, arguments->files[1]);
    else if (command == COMMAND_DIFF && count != 2)
        snprintf(sentence, size,
                 "two files were expected, OLD.wad and NEW.wad");
    else if (count > most)
        snprintf(sentence, size,
                 "one input file was expected, but there are %zu: '%s', "
                 "'%s'...",
                 count, first, arguments->files[1]);
}

// Returns what is wrong with the options of a build, or "".
static const char *arguments_check_output(const struct arguments *arguments)
{
    if (!arguments->output && !arguments->in_place && !arguments->dry_run)
        return "no output was given; -o FILE or --in-place was expected";
    if (arguments->output && arguments->in_place)
        return "--output and --in-place exclude each other";
    if (arguments->builder_timeout && !arguments->builder)
        return "--builder-timeout needs a --builder";
    return "";
}

static enum exit_status arguments_take_files(enum command command, int argc,
                                             char **argv,
                                             struct arguments *arguments)
{
    char sentence[512] = "";
    arguments->files = argv + optind;
    arguments->file_count = (size_t)(argc - optind);
    arguments->input = argv[optind]; // NULL if there are none
    if (command == COMMAND_BUILD && arguments_is_missing(arguments->input) &&
        arguments_find_command(arguments->input) == COMMAND_COUNT &&
        !strpbrk(arguments->input, "./")) {
        arguments_refuse_command(arguments->input);
        return STATUS_USAGE;
    }
    arguments_check_files(command, arguments, sentence, sizeof sentence);
    if (!*sentence && command == COMMAND_BUILD)
        snprintf(sentence, sizeof sentence, "%s",
                 arguments_check_output(arguments));
    if (!*sentence)
        return STATUS_DONE;
    message_print("%s; see 'blocksweep %s --help'", sentence,
                  command_table[command].name);
    return STATUS_USAGE;
}

enum exit_status arguments_read(enum command command, int argc, char **argv,
                                const struct nbstage_descriptor *stage,
                                struct arguments *arguments)
{
    struct option_reader reader;
    // There cannot be more of each than there are arguments.
    *arguments = (struct arguments){
        .map_lists = calloc((size_t)argc + 1, sizeof *arguments->map_lists),
        .settings = calloc((size_t)argc + 1, sizeof *arguments->settings),
    };
    if (!arguments->map_lists || !arguments->settings) {
        arguments_free(arguments);
        return message_out_of_memory();
    }
    enum exit_status status = STATUS_DONE;
    arguments_begin_options(&reader, command, stage, false);
    while (status == STATUS_DONE &&
           arguments_next_option(&reader, argc, argv)) {
        if (reader.letter == '?' || reader.letter == ':')
            status = arguments_misused_option(&reader, argv);
        else
            arguments_take_option(&reader, arguments);
    }
    if (status == STATUS_DONE)
        status = arguments_take_files(command, argc, argv, arguments);
    if (status != STATUS_DONE)
        arguments_free(arguments);
    return status;
}

void arguments_free(struct arguments *arguments)
{
    free(arguments->map_lists);
    free(arguments->settings);
    *arguments = (struct arguments){0};
}
