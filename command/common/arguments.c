// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line is read in two passes.  The first looks for the name of the
// stage, which brings options of its own.  When it is loaded, the second reads
// all options.

#include "config.h"

#include "common/arguments.h"

#include "common/suggest.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Reads the options of a command line, in any order, with getopt and its
// variables.
struct option_reader {
    struct command_option known[MOST_OPTIONS];
    size_t count;

    // The same as getopt wants them.
    char letters[2 * MOST_OPTIONS + 3];
    struct option options[MOST_OPTIONS + 1];

    // What was read: the number of an option, '?' for an unknown option or a
    // value for an option that takes none, ':' for a missing value.
    int number;
    bool is_letter; // whether it was given as a letter, not as a word
    const struct command_option *option; // NULL if it is unknown
};

// With `in_order`, words that are no options are read as options of the number
// 1; else all options are read first, and the words are reordered.
static void arguments_begin_options(struct option_reader *reader,
                                    enum command command,
                                    const struct nbstage_descriptor *stage,
                                    bool in_order)
{
    *reader = (struct option_reader){0};
    reader->count = commands_list_options(command, stage, reader->known);
    char *letter = reader->letters;
    if (in_order)
        *letter++ = '-'; // has getopt return the other words, too
    *letter++ = ':';     // has getopt return ':' for a missing value
    for (size_t i = 0; i < reader->count; i++) {
        const struct command_option *option = &reader->known[i];
        const int argument = !commands_is_flag(option) ? required_argument
                             : option->of_stage        ? optional_argument
                                                       : no_argument;
        reader->options[i] =
            (struct option){option->name, argument, NULL, option->number};
        if (option->of_stage)
            continue;
        *letter++ = (char)option->number;
        if (option->value)
            *letter++ = ':';
    }
    opterr = 0;
    optind = 0;
}

// Reads the next option; false after the last, when the files begin at
// argv[optind].
static bool arguments_next_option(struct option_reader *reader, int argc,
                                  char **argv)
{
    int index = -1;
    reader->number =
        getopt_long(argc, argv, reader->letters, reader->options, &index);
    reader->is_letter = index < 0;
    const bool is_misused = reader->number == '?' || reader->number == ':';
    const int number = is_misused ? optopt : reader->number;
    reader->option = NULL;
    for (size_t i = 0; i < reader->count; i++)
        if (reader->known[i].number == number)
            reader->option = &reader->known[i];
    return reader->number != -1;
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

enum command arguments_take_command(int *argc, char ***argv)
{
    static char help[] = "--help";
    static char version[] = "--version";
    char **words = *argv;
    if (strcmp(words[1], "version") == 0) {
        words[1] = version;
    } else if (strcmp(words[1], "help") == 0) {
        words[1] = *argc > 2 ? words[2] : help;
        words[2] = *argc > 2 ? help : NULL;
    }
    const enum command command = arguments_find_command(words[1]);
    if (command == COMMAND_COUNT)
        return COMMAND_BUILD;
    words[1] = words[0];
    ++*argv;
    --*argc;
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
        // "-preset=vanilla" is refused later, when the stage is known.
        if (reader.number == 'p' &&
            (optarg == argv[optind - 1] || !strchr(optarg, '=') ||
             strpbrk(optarg, "/\\")))
            *plugin = optarg;
        else if (reader.number == 'p' || request != REQUEST_COMMAND)
            continue;
        else if (reader.number == 'h')
            request = reader.is_letter ? REQUEST_SHORT_HELP : REQUEST_HELP;
        else if (reader.number == 'V')
            request = REQUEST_VERSION;
    }
    return request;
}

// ---------------------------------------------------------------------------
// The second pass

// Whether an option has the name, or the letter, that was typed.
static bool arguments_is_typed(const struct command_option *option,
                               const char *name, size_t length)
{
    return optopt ? option->number == optopt
                  : strncmp(option->name, name, length) == 0 &&
                        option->name[length] == '\0';
}

// Lists the commands that take an option as it was typed.
static void arguments_list_commands(const struct nbstage_descriptor *stage,
                                    const char *name, size_t length, char *list,
                                    size_t size)
{
    struct command_option options[MOST_OPTIONS];
    list[0] = '\0';
    for (int i = 0; i < COMMAND_COUNT; i++) {
        size_t count = commands_list_options((enum command)i, stage, options);
        while (count-- > 0)
            if (arguments_is_typed(&options[count], name, length))
                message_add_name(list, size, command_table[i].name);
    }
}

// Lists the options of the stage that have a choice with this name, with it.
static void arguments_list_choosers(const struct nbstage_descriptor *stage,
                                    const char *choice, char *list, size_t size)
{
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option =
            NBSTAGE_AT(struct nbstage_option, stage->options, i);
        for (size_t j = 0; j < option->choice_count; j++) {
            char text[SUGGEST_SIZE];
            snprintf(text, sizeof text, "--%s=%s", option->name, choice);
            if (strcmp(commands_choice(option, j)->name, choice) == 0)
                message_add_name(list, size, text);
        }
    }
}

// Refuses long options typed with one hyphen, which getopt would read as a
// letter and its value.
static bool arguments_have_hyphens(const struct option_reader *reader,
                                   char **argv)
{
    for (char **word = argv + 1; *word && strcmp(*word, "--") != 0; word++) {
        const char *name = *word + 1;
        const size_t length = strcspn(name, "=");
        if (**word != '-' || *name == '-' || name[length] != '=')
            continue;
        for (size_t i = 0; i < reader->count; i++) {
            const char *known = reader->known[i].name;
            if (strlen(known) != length || strncmp(known, name, length) != 0)
                continue;
            message_print("unknown option '%s'; did you mean -%s?", *word,
                          *word);
            return false;
        }
    }
    return true;
}

// Says what may be meant by an option that the command does not have.
static void arguments_refuse_option(const struct option_reader *reader,
                                    enum command command,
                                    const struct nbstage_descriptor *stage,
                                    const char *argument)
{
    const char *own = command_table[command].name;
    const char letter[] = {'-', (char)optopt, '\0'};
    const char *typed = optopt ? letter : argument;
    const char *name = typed + strspn(typed, "-");
    const size_t length = strcspn(name, "=");
    const int width = (int)(name - typed) + (int)length;
    char list[512], text[SUGGEST_SIZE];
    struct suggestion suggestion = suggest_begin(name, length);
    arguments_list_commands(stage, name, length, list, sizeof list);
    if (list[0]) {
        message_print("'%.*s' is an option of %s, not of %s", width, typed,
                      list, own);
        return;
    }
    for (size_t i = 0; i < reader->count; i++) {
        const char *known = reader->known[i].name;
        snprintf(text, sizeof text, "--%s", known);
        if (!optopt && strncmp(known, name, length) == 0)
            message_add_name(list, sizeof list, text);
        suggest_offer(&suggestion, known);
    }
    if (list[0]) {
        message_print("option '%.*s' is ambiguous; it could be %s", width,
                      typed, list);
        return;
    }
    if (stage && command == COMMAND_BUILD)
        arguments_list_choosers(stage, name, list, sizeof list);
    if (suggestion.nearest)
        message_print("unknown option '%.*s'%s", width, typed,
                      suggest_text(&suggestion, "--", text));
    else if (list[0])
        message_print("unknown option '%.*s'; it could be %s", width, typed,
                      list);
    else
        message_print("unknown option '%.*s'; see 'blocksweep %s --help'",
                      width, typed, own);
}

// Whether the value of an option is a file name, and not the next option or
// nothing.  Behind "=" a name may begin with a hyphen.
static bool arguments_names_file(const struct command_option *option,
                                 const char *argument)
{
    const bool is_word = optarg == argument;
    return option->of_stage || !option->value ||
           strcmp(option->value, "FILE") != 0 || strcmp(optarg, "-") == 0 ||
           (*optarg && !(is_word && *optarg == '-'));
}

static void arguments_take_option(const struct option_reader *reader,
                                  struct arguments *arguments)
{
    const struct command_option *option = reader->option;
    if (option->of_stage) {
        arguments->help =
            arguments->help ||
            (optarg && commands_explain(option->of_stage, optarg));
        arguments->settings[arguments->setting_count++] =
            (struct stage_setting){option->name, optarg ? optarg : "yes"};
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

// A first file that is not there may be a command that is mistyped, or in the
// wrong place.
static enum exit_status arguments_check_files(enum command command,
                                              const struct arguments *arguments)
{
    const size_t count = arguments->file_count;
    const char *first = arguments->input;
    const char *fault = NULL;
    char text[MESSAGE_SIZE];
    const bool has_output =
        arguments->output || arguments->in_place || arguments->dry_run;
    const bool is_missing =
        first && strcmp(first, "-") != 0 && access(first, F_OK) != 0;
    const bool is_command =
        first && arguments_find_command(first) != COMMAND_COUNT;
    size_t standard = 0;
    for (size_t i = 0; i < count; i++)
        standard += strcmp(arguments->files[i], "-") == 0;
    if (command == COMMAND_BUILD && is_missing && !is_command &&
        !strpbrk(first, "./")) {
        message_print("there is no file or command '%s'; commands are %s, help "
                      "and version",
                      first, command_names(text));
        return STATUS_USAGE;
    }
    if (standard > 1) {
        fault = "standard input can be read only once";
    } else if (count == 0) {
        fault = "no input file was given";
    } else if (is_missing && is_command) {
        snprintf(text, sizeof text,
                 "'%s' is not a file; one command, before all options, was "
                 "expected",
                 first);
        fault = text;
    } else if (command == COMMAND_DIFF && count != 2) {
        fault = "two files were expected, OLD.wad and NEW.wad";
    } else if (count > command_table[command].most_files) {
        snprintf(text, sizeof text,
                 "one input file was expected, but there are %zu: '%s', "
                 "'%s'...",
                 count, first, arguments->files[1]);
        fault = text;
    } else if (command == COMMAND_BUILD && !has_output) {
        fault = count > 1
                    ? "no output was given; -o FOLDER or --in-place was "
                      "expected"
                    : "no output was given; -o FILE or --in-place was expected";
    } else if (arguments->output && arguments->in_place) {
        fault = "--output and --in-place exclude each other";
    } else if (arguments->builder_timeout && !arguments->builder) {
        fault = "--builder-timeout needs a --builder";
    }
    if (!fault)
        return STATUS_DONE;
    message_print("%s; see 'blocksweep %s --help'", fault,
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
        .options = command == COMMAND_BUILD ? getenv("NBSTAGE_OPTIONS") : NULL,
    };
    if (!arguments->map_lists || !arguments->settings)
        return message_out_of_memory();
    arguments_begin_options(&reader, command, stage, false);
    if (!arguments_have_hyphens(&reader, argv))
        return STATUS_USAGE;
    while (arguments_next_option(&reader, argc, argv)) {
        const char *argument = argv[optind - 1];
        const struct command_option *option = reader.option;
        const bool is_known = reader.number != ':' && reader.number != '?';
        if (is_known && arguments_names_file(option, argument)) {
            arguments_take_option(&reader, arguments);
            continue;
        }
        if (is_known)
            message_print("'%s' is no file name for --%s; --%s=FILE was "
                          "expected",
                          optarg, option->name, option->name);
        else if (reader.number == ':')
            message_print("option '%s' needs a value", argument);
        else if (option && !option->of_stage)
            message_print("option '--%s' takes no value", option->name);
        else
            arguments_refuse_option(&reader, command, stage, argument);
        return STATUS_USAGE;
    }
    arguments->files = argv + optind;
    arguments->file_count = (size_t)(argc - optind);
    arguments->input = argv[optind]; // NULL if there are none
    return arguments->help ? STATUS_DONE
                           : arguments_check_files(command, arguments);
}

void arguments_free(struct arguments *arguments)
{
    free(arguments->map_lists);
    free(arguments->settings);
}
