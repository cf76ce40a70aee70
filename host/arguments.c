// SPDX-License-Identifier: GPL-2.0-or-later
//
// One table holds the commands, another one the host's options and which
// commands take them; the stage brings its own.  Reading the command line,
// --help and the sentences about wrong usage are made from these.

#include "config.h"

#include "arguments.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    const char *help; // usage and summary

    // The options of the stage that it takes, separated by spaces; NULL stands
    // for all of them, "" for none.
    const char *stage_options;
    size_t most_files;
    const char *failure; // what exit status 1 stands for
} commands[COMMAND_COUNT] = {
    [COMMAND_BUILD] =
        {"build",
         "Usage: blocksweep [build] [OPTION]... IN.wad -o OUT.wad\n"
         "  or:  blocksweep [build] [OPTION]... --in-place IN.wad\n"
         "Builds the BLOCKMAP lumps of the maps in a WAD file with a stage "
         "that is\nloaded at run time.\n",
         NULL, 1, "a map failed"},
    [COMMAND_VERIFY] =
        {"verify",
         "Usage: blocksweep verify [OPTION]... FILE.wad...\n"
         "Holds the BLOCKMAP lumps of maps, whoever built them, against the "
         "lines of the\nmaps.\n",
         "prune", SIZE_MAX, "a lump or a map is not sound"},
    [COMMAND_SHOW] =
        {"show",
         "Usage: blocksweep show [OPTION]... FILE.wad\n"
         "Shows what is in the BLOCKMAP lumps of maps, whoever built them, or "
         "in those\nthat a build would make where there are none.\n",
         "prune", 1, "a map cannot be shown"},
    [COMMAND_DIFF] =
        {"diff",
         "Usage: blocksweep diff [OPTION]... OLD.wad NEW.wad\n"
         "Tells what differs between the BLOCKMAP lumps of two files, map by "
         "map.\n",
         "", 2, "a map differs or failed"},
};

// The commands that take an option, as bits.
enum {
    BUILD = 1 << COMMAND_BUILD,
    VERIFY = 1 << COMMAND_VERIFY,
    SHOW = 1 << COMMAND_SHOW,
    DIFF = 1 << COMMAND_DIFF,
    EVERY = (1 << COMMAND_COUNT) - 1,
};

struct host_option {
    const char *name;
    char letter;
    const char *value; // what it takes; NULL if it takes nothing
    unsigned commands; // which take it
    const char *help;
};

// Each command takes one of the options of a name.
static const struct host_option host_options[] = {
    {"output", 'o', "FILE", BUILD, "write the result to FILE"},
    {"in-place", 'i', NULL, BUILD, "write the result over the input"},
    {"backup", 'b', NULL, BUILD, "keep what the target was as TARGET~"},
    {"nodes", 'n', NULL, VERIFY, "hold the lists against the map's segs, too"},
    {"strict", 's', NULL, VERIFY,
     "fail on extra lines and on empty lumps, too"},
    {"verbose", 'v', NULL, VERIFY, "name every finding, and every extra line"},
    {"verbose", 'v', NULL, DIFF, "name every block that differs"},
    {"svg", 'S', "FILE", SHOW, "write a picture of one map to FILE"},
    {"svg", 'S', "FILE", DIFF, "write a picture of what differs in one map"},
    {"html", 'H', "FILE", SHOW, "write a page with that picture to FILE"},
    {"shared", 'r', NULL, SHOW, "mark blocks that share a list in the picture"},
    {"list", 'l', "PLACE", SHOW,
     "print a block: its number, or X,Y in map units"},
    {"map", 'm', "LIST", EVERY, "take only these maps: MAP01,MAP04-MAP07"},
    {"plugin", 'p', "FILE", EVERY,
     "use this stage: a path, or a name to search for"},
    {"quiet", 'q', NULL, EVERY, "print only warnings and errors"},
    {"json", 'j', NULL, EVERY, "print the report as JSON"},
    {"help", 'h', NULL, EVERY, "print this help and exit"},
    {"version", 'V', NULL, EVERY, "print the version and exit"},
};

enum {
    HOST_OPTION_COUNT = sizeof host_options / sizeof *host_options,
    // What getopt_long returns for the first option of the stage.
    FIRST_STAGE_OPTION = 256,
};

// Room for "build, verify, show, diff".
enum { COMMAND_NAMES_SIZE = 128 };

static const char default_plugin[] = "blocksweep";

static size_t stage_option_count(const struct stage *stage)
{
    return stage ? stage->descriptor->option_count : 0;
}

static const struct nbstage_option *stage_option(const struct stage *stage,
                                                 size_t index)
{
    return NBSTAGE_AT(struct nbstage_option, stage->descriptor->options, index);
}

static bool takes_host_option(enum command command, size_t index)
{
    return (host_options[index].commands & 1u << command) != 0;
}

// Whether a name is one of the words of a text.
static bool is_word_of(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; *name && (at = strstr(at, name)); at += length)
        if ((at == text || at[-1] == ' ') &&
            (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool takes_stage_option(enum command command, const struct stage *stage,
                               size_t index)
{
    const char *taken = commands[command].stage_options;
    return !taken || is_word_of(taken, stage_option(stage, index)->name);
}

// Flags may be given without a value, which then is yes.
static bool is_flag(const struct nbstage_option *option)
{
    return option->type == NBSTAGE_OPTION_FLAG;
}

enum command arguments_take_command(int *argc, char ***argv)
{
    for (size_t i = 0; *argc > 1 && i < COMMAND_COUNT; i++) {
        if (strcmp((*argv)[1], commands[i].name) != 0)
            continue;
        (*argv)[1] = (*argv)[0];
        (*argv)++;
        (*argc)--;
        return (enum command)i;
    }
    return COMMAND_BUILD;
}

// ---------------------------------------------------------------------------
// getopt's view of the tables

struct getopt_tables {
    char letters[2 * HOST_OPTION_COUNT + 2];
    struct option *options;
};

static bool make_tables(enum command command, const struct stage *stage,
                        struct getopt_tables *tables)
{
    size_t count = HOST_OPTION_COUNT + stage_option_count(stage);
    tables->options = calloc(count + 1, sizeof *tables->options);
    if (!tables->options)
        return false;
    char *letter = tables->letters;
    *letter++ = ':'; // tells missing values from unknown options
    struct option *option = tables->options;
    for (size_t i = 0; i < HOST_OPTION_COUNT; i++) {
        const struct host_option *host = &host_options[i];
        if (!takes_host_option(command, i))
            continue;
        *option++ = (struct option){
            host->name, host->value ? required_argument : no_argument, NULL,
            host->letter};
        *letter++ = host->letter;
        if (host->value)
            *letter++ = ':';
    }
    *letter = '\0';
    for (size_t i = 0; i < stage_option_count(stage); i++)
        if (takes_stage_option(command, stage, i))
            *option++ = (struct option){stage_option(stage, i)->name,
                                        is_flag(stage_option(stage, i))
                                            ? optional_argument
                                            : required_argument,
                                        NULL, FIRST_STAGE_OPTION + (int)i};
    return true;
}

enum request arguments_preview(enum command command, int argc, char **argv,
                               const char **plugin)
{
    enum request request = REQUEST_COMMAND;
    *plugin = default_plugin;
    struct getopt_tables tables;
    // getopt reorders what it reads, and does not know the stage's options
    // yet, so it gets a copy.
    char **copy = malloc(((size_t)argc + 1) * sizeof *copy);
    if (!copy || !make_tables(command, NULL, &tables)) {
        free(copy);
        return request;
    }
    memcpy(copy, argv, ((size_t)argc + 1) * sizeof *copy);
    opterr = 0;
    optind = 0;
    int letter;
    while (request == REQUEST_COMMAND &&
           (letter = getopt_long(argc, copy, tables.letters, tables.options,
                                 NULL)) != -1) {
        if (letter == 'p')
            *plugin = optarg;
        else if (letter == 'h')
            request = REQUEST_HELP;
        else if (letter == 'V')
            request = REQUEST_VERSION;
    }
    free(tables.options);
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

static enum exit_status unknown_option(enum command command,
                                       const struct stage *stage,
                                       char *const *argv)
{
    char letter[] = {'-', (char)optopt, '\0'};
    const char *given = optopt ? letter : argv[optind - 1];
    char valid[1024] = "";
    for (size_t i = 0; i < HOST_OPTION_COUNT; i++)
        if (takes_host_option(command, i))
            append_option(valid, sizeof valid, host_options[i].name);
    for (size_t i = 0; i < stage_option_count(stage); i++)
        if (takes_stage_option(command, stage, i))
            append_option(valid, sizeof valid, stage_option(stage, i)->name);
    message_print("unknown or ambiguous option '%s'; valid are %s", given,
                  valid);
    return STATUS_USAGE;
}

static enum exit_status misused_option(enum command command,
                                       const struct stage *stage, int letter,
                                       char *const *argv)
{
    if (letter == ':') {
        message_print("option '%s' needs a value", argv[optind - 1]);
        return STATUS_USAGE;
    }
    // A known option that was given a value which it does not take.
    for (size_t i = 0; i < HOST_OPTION_COUNT; i++) {
        if (optopt == host_options[i].letter && takes_host_option(command, i)) {
            message_print("option '--%s' takes no value", host_options[i].name);
            return STATUS_USAGE;
        }
    }
    return unknown_option(command, stage, argv);
}

static void take_setting(const struct stage *stage, int letter,
                         struct arguments *arguments)
{
    size_t index = (size_t)(letter - FIRST_STAGE_OPTION);
    arguments->settings[arguments->setting_count++] = (struct stage_setting){
        stage_option(stage, index)->name, optarg ? optarg : "yes"};
}

static void take_option(const struct stage *stage, int letter,
                        struct arguments *arguments)
{
    switch (letter) {
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
    case 'p': // taken by arguments_preview, as are these
    case 'h':
    case 'V':
        break;
    default:
        take_setting(stage, letter, arguments);
    }
}

// "build, verify, show, diff"
static const char *command_names(char names[COMMAND_NAMES_SIZE])
{
    size_t length = 0;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        length += (size_t)snprintf(names + length, COMMAND_NAMES_SIZE - length,
                                   "%s%s", i > 0 ? ", " : "", commands[i].name);
    return names;
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
                  commands[command].name);
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
        if (strcmp(first, commands[i].name) == 0 && access(first, F_OK) != 0)
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
    return STATUS_DONE;
}

static enum exit_status take_files(enum command command, int argc, char **argv,
                                   struct arguments *arguments)
{
    if (argc - optind < 1)
        return wrong_usage(command, "no input file was given");
    arguments->files = argv + optind;
    arguments->file_count = (size_t)(argc - optind);
    arguments->input = argv[optind];
    enum exit_status status = check_command(command, arguments);
    if (status != STATUS_DONE)
        return status;
    if (command == COMMAND_DIFF && arguments->file_count != 2)
        return wrong_usage(command,
                           "two files were expected, OLD.wad and NEW.wad");
    if (arguments->file_count > commands[command].most_files)
        return wrong_usage(command,
                           "one input file was expected, but there "
                           "are %zu: '%s', '%s'...",
                           arguments->file_count, argv[optind],
                           argv[optind + 1]);
    return command == COMMAND_BUILD ? check_output(command, arguments)
                                    : STATUS_DONE;
}

enum exit_status arguments_read(enum command command, int argc, char **argv,
                                const struct stage *stage,
                                struct arguments *arguments)
{
    struct getopt_tables tables;
    // There cannot be more of each than there are arguments.
    *arguments = (struct arguments){
        .map_lists = calloc((size_t)argc + 1, sizeof *arguments->map_lists),
        .settings = calloc((size_t)argc + 1, sizeof *arguments->settings),
    };
    if (!arguments->map_lists || !arguments->settings ||
        !make_tables(command, stage, &tables)) {
        arguments_free(arguments);
        return message_out_of_memory();
    }
    enum exit_status status = STATUS_DONE;
    int letter;
    opterr = 0;
    optind = 0;
    while (status == STATUS_DONE &&
           (letter = getopt_long(argc, argv, tables.letters, tables.options,
                                 NULL)) != -1) {
        if (letter == '?' || letter == ':')
            status = misused_option(command, stage, letter, argv);
        else
            take_option(stage, letter, arguments);
    }
    free(tables.options);
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

// ---------------------------------------------------------------------------
// Help

enum { HELP_COLUMN = 26 };

static void print_help_line(const char *left, const char *help)
{
    printf("  %-*s", HELP_COLUMN - 2, left);
    if (strlen(left) > HELP_COLUMN - 4)
        printf("\n%*s", HELP_COLUMN, "");
    printf("%s\n", help);
}

static void print_host_option(const struct host_option *option)
{
    char left[64];
    snprintf(left, sizeof left, "-%c, --%s%s%s", option->letter, option->name,
             option->value ? "=" : "", option->value ? option->value : "");
    print_help_line(left, option->help);
}

// "--pack=CHOICE": an option and the form of its value.
static void describe_option(const struct nbstage_option *option, char *text,
                            size_t size)
{
    const char *value = option->form ? option->form : "TEXT";
    if (option->type == NBSTAGE_OPTION_CHOICE)
        value = "CHOICE";
    else if (option->type == NBSTAGE_OPTION_INTEGER)
        value = "NUMBER";
    if (is_flag(option))
        snprintf(text, size, "--%s[=CHOICE]", option->name);
    else
        snprintf(text, size, "--%s=%s", option->name, value);
}

static void print_choices(const struct nbstage_option *option)
{
    char left[64];
    for (size_t i = 0; i < option->choice_count; i++) {
        const struct nbstage_choice *choice =
            NBSTAGE_AT(struct nbstage_choice, option->choices, i);
        snprintf(left, sizeof left, "    %s", choice->name);
        print_help_line(left, choice->help);
    }
    if (option->type == NBSTAGE_OPTION_CHOICE && option->form) {
        snprintf(left, sizeof left, "    %s", option->form);
        print_help_line(left, "a value of this form");
    }
}

static void print_stage_option(const struct nbstage_option *option)
{
    char left[64];
    char help[128];
    describe_option(option, left, sizeof left);
    snprintf(help, sizeof help, "%s (default: %s)", option->help,
             option->default_value ? option->default_value : "none");
    print_help_line(left, help);
    print_choices(option);
}

// Whether there are options of the stage that a command takes.
static bool takes_stage_options(enum command command)
{
    const char *taken = commands[command].stage_options;
    return !taken || *taken;
}

static void print_stage_options(enum command command, const struct stage *stage)
{
    if (!takes_stage_options(command))
        return;
    printf("\nOptions of the stage %s %s:\n", stage->descriptor->name,
           stage->descriptor->version);
    for (size_t i = 0; i < stage_option_count(stage); i++)
        if (takes_stage_option(command, stage, i))
            print_stage_option(stage_option(stage, i));
}

void arguments_print_help(enum command command, const struct stage *stage)
{
    char names[COMMAND_NAMES_SIZE];
    puts(commands[command].help);
    printf("Commands, each with a --help of its own: %s.\n\n",
           command_names(names));
    for (size_t i = 0; i < HOST_OPTION_COUNT; i++)
        if (takes_host_option(command, i))
            print_host_option(&host_options[i]);
    if (stage)
        print_stage_options(command, stage);
    else if (takes_stage_options(command))
        puts("\nThe stage was not found, so its options cannot be shown.");
    printf("\nExit status: 0 all done, 1 %s, 2 wrong usage,\n"
           "3 a file could not be read or written.\n",
           commands[command].failure);
}

void arguments_print_version(void)
{
    puts(PACKAGE_STRING
         "\n"
         "License GPL-2.0-or-later: GNU GPL version 2 or later "
         "<https://gnu.org/licenses/gpl.html>.\n"
         "This is free software: you are free to change and redistribute it.\n"
         "There is NO WARRANTY, to the extent permitted by law.");
}
