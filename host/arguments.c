// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line is read by the tables of options, and the sentences about
// wrong usage are made from them.  That takes two passes: only when the stage
// is loaded that an option names, it is known what options there are.

#include "config.h"

#include "arguments.h"

#include "option-tables.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum command arguments_take_command(int *argc, char ***argv)
{
    for (size_t i = 0; *argc > 1 && i < COMMAND_COUNT; i++) {
        if (strcmp((*argv)[1], command_table[i].name) != 0)
            continue;
        (*argv)[1] = (*argv)[0];
        (*argv)++;
        (*argc)--;
        return (enum command)i;
    }
    return COMMAND_BUILD;
}

enum request arguments_preview(enum command command, int argc, char **argv,
                               const char **plugin)
{
    enum request request = REQUEST_COMMAND;
    *plugin = DEFAULT_STAGE;
    struct option_reader reader;
    // getopt reorders what it reads, and does not know the stage's options
    // yet, so it gets a copy.
    char **copy = malloc(((size_t)argc + 1) * sizeof *copy);
    if (!copy || !option_reader_begin(&reader, command, NULL)) {
        free(copy);
        return REQUEST_OUT_OF_MEMORY;
    }
    memcpy(copy, argv, ((size_t)argc + 1) * sizeof *copy);
    while (request == REQUEST_COMMAND &&
           option_reader_next(&reader, argc, copy)) {
        if (reader.letter == 'p')
            *plugin = optarg;
        else if (reader.letter == 'h')
            request = REQUEST_HELP;
        else if (reader.letter == 'V')
            request = REQUEST_VERSION;
    }
    option_reader_end(&reader);
    free(copy);
    return request;
}

// ---------------------------------------------------------------------------
// Reading

// Appends ", --name" to a text, or without the comma if it is empty.
static void append_option(char *text, size_t size, const char *name)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s--%s", length > 0 ? ", " : "",
             name);
}

static enum exit_status unknown_option(const struct option_reader *reader,
                                       char *const *argv)
{
    char letter[] = {'-', (char)optopt, '\0'};
    const char *given = optopt ? letter : argv[optind - 1];
    char valid[1024] = "";
    struct known_option option;
    for (size_t i = 0;
         option_tables_get(reader->command, reader->stage, i, &option); i++)
        append_option(valid, sizeof valid, option_name(&option));
    message_print("unknown or ambiguous option '%s'; valid are %s", given,
                  valid);
    return STATUS_USAGE;
}

static enum exit_status misused_option(const struct option_reader *reader,
                                       char *const *argv)
{
    if (reader->letter != ':' && !reader->option.host)
        return unknown_option(reader, argv);
    if (reader->letter == ':')
        message_print("option '%s' needs a value", argv[optind - 1]);
    else
        message_print("option '--%s' takes no value",
                      reader->option.host->name);
    return STATUS_USAGE;
}

static void take_setting(const struct nbstage_option *option,
                         struct arguments *arguments)
{
    arguments->settings[arguments->setting_count++] =
        (struct stage_setting){option->name, optarg ? optarg : "yes"};
}

static void take_option(const struct option_reader *reader,
                        struct arguments *arguments)
{
    switch (reader->letter) {
    case 'o':
        arguments->output = optarg;
        break;
    case 'i':
        arguments->in_place = true;
        break;
    case 'b':
        arguments->backup = true;
        break;
    case 'm':
        arguments->map_lists[arguments->map_list_count++] = optarg;
        break;
    case 'q':
        arguments->quiet = true;
        break;
    case 'j':
        arguments->json = true;
        break;
    case 'n':
        arguments->nodes = true;
        break;
    case 's':
        arguments->strict = true;
        break;
    case 'v':
        arguments->verbose = true;
        break;
    case 'S':
        arguments->svg = optarg;
        break;
    case 'H':
        arguments->html = optarg;
        break;
    case 'r':
        arguments->shared = true;
        break;
    case 'l':
        arguments->list = optarg;
        break;
    case 'B':
        arguments->builder = optarg;
        break;
    case 'T':
        arguments->builder_timeout = optarg;
        break;
    case 'p':
        arguments->plugin = optarg;
        break;
    case 'h': // taken by arguments_preview
    case 'V':
        break;
    default:
        take_setting(reader->option.stage, arguments);
    }
}

// Prints a sentence, and which help tells more.
static enum exit_status wrong_usage(enum command command, const char *format,
                                    ...) PRINTF_LIKE(2, 3);

static enum exit_status wrong_usage(enum command command, const char *format,
                                    ...)
{
    char sentence[512];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    message_print("%s; see 'blocksweep %s --help'", sentence,
                  command_table[command].name);
    return STATUS_USAGE;
}

// Looks for a command in the wrong place, or one that does not exist, among
// what is to be files.
static enum exit_status check_command(enum command command,
                                      const struct arguments *arguments)
{
    const char *first = arguments->input;
    char names[COMMAND_NAMES_SIZE];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(first, command_table[i].name) == 0 &&
            access(first, F_OK) != 0)
            return wrong_usage(command,
                               "'%s' is not a file; one command, "
                               "before all options, was expected",
                               first);
    if (command == COMMAND_BUILD && !strpbrk(first, "./") &&
        access(first, F_OK) != 0)
        return wrong_usage(command,
                           "'%s' is neither a file nor a command; "
                           "commands are %s",
                           first, command_names(names));
    return STATUS_DONE;
}

static enum exit_status check_output(enum command command,
                                     const struct arguments *arguments)
{
    if (!arguments->output && !arguments->in_place)
        return wrong_usage(command, "no output was given; -o FILE or "
                                    "--in-place was expected");
    if (arguments->output && arguments->in_place)
        return wrong_usage(command,
                           "--output and --in-place exclude each other");
    if (arguments->builder_timeout && !arguments->builder)
        return wrong_usage(command, "--builder-timeout needs a --builder");
    return STATUS_DONE;
}

static enum exit_status take_files(enum command command, int argc, char **argv,
                                   struct arguments *arguments)
{
    size_t most = command_table[command].most_files;
    if (argc - optind < 1)
        return most == 0 ? STATUS_DONE
                         : wrong_usage(command, "no input file was given");
    arguments->files = argv + optind;
    arguments->file_count = (size_t)(argc - optind);
    arguments->input = argv[optind];
    enum exit_status status = check_command(command, arguments);
    if (status != STATUS_DONE)
        return status;
    if (most == 0)
        return wrong_usage(command, "no file was expected, but there is '%s'",
                           arguments->input);
    if (command == COMMAND_DIFF && arguments->file_count != 2)
        return wrong_usage(command,
                           "two files were expected, OLD.wad and NEW.wad");
    if (arguments->file_count > most)
        return wrong_usage(command,
                           "one input file was expected, but there "
                           "are %zu: '%s', '%s'...",
                           arguments->file_count, argv[optind],
                           argv[optind + 1]);
    return command == COMMAND_BUILD ? check_output(command, arguments)
                                    : STATUS_DONE;
}

enum exit_status arguments_read(enum command command, int argc, char **argv,
                                const struct nbstage *stage,
                                struct arguments *arguments)
{
    struct option_reader reader;
    // There cannot be more of each than there are arguments.
    *arguments = (struct arguments){
        .map_lists = calloc((size_t)argc + 1, sizeof *arguments->map_lists),
        .settings = calloc((size_t)argc + 1, sizeof *arguments->settings),
    };
    if (!arguments->map_lists || !arguments->settings ||
        !option_reader_begin(&reader, command, stage)) {
        arguments_free(arguments);
        return message_out_of_memory();
    }
    enum exit_status status = STATUS_DONE;
    while (status == STATUS_DONE && option_reader_next(&reader, argc, argv)) {
        if (reader.letter == '?' || reader.letter == ':')
            status = misused_option(&reader, argv);
        else
            take_option(&reader, arguments);
    }
    option_reader_end(&reader);
    if (status == STATUS_DONE)
        status = take_files(command, argc, argv, arguments);
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
