// SPDX-License-Identifier: GPL-2.0-or-later
//
// One table holds the host's options; the stage brings its own.  Reading the
// command line, --help and the sentences about wrong usage are made from both.

#include "config.h"

#include "arguments.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host_option {
    const char *name;
    char letter;
    const char *value; // what it takes; NULL if it takes nothing
    const char *help;
};

static const struct host_option host_options[] = {
    {"output", 'o', "FILE", "write the result to FILE"},
    {"in-place", 'i', NULL, "write the result over the input"},
    {"backup", 'b', NULL, "keep what the target was as TARGET~"},
    {"map", 'm', "LIST", "build only these maps: MAP01,MAP04-MAP07"},
    {"plugin", 'p', "FILE", "use this stage: a path, or a name to search for"},
    {"quiet", 'q', NULL, "print only warnings and errors"},
    {"json", 'j', NULL, "print the report as JSON"},
    {"help", 'h', NULL, "print this help and exit"},
    {"version", 'V', NULL, "print the version and exit"},
};

enum {
    HOST_OPTION_COUNT = sizeof host_options / sizeof *host_options,
    // What getopt_long returns for the first option of the stage.
    FIRST_STAGE_OPTION = 256,
};

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

// Flags may be given without a value, which then is yes.
static bool is_flag(const struct nbstage_option *option)
{
    return option->type == NBSTAGE_OPTION_FLAG;
}

// ---------------------------------------------------------------------------
// getopt's view of the tables

struct getopt_tables {
    char letters[2 * HOST_OPTION_COUNT + 2];
    struct option *options;
};

static bool make_tables(const struct stage *stage, struct getopt_tables *tables)
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
        *option++ = (struct option){
            host->name, host->value ? required_argument : no_argument, NULL,
            host->letter};
        *letter++ = host->letter;
        if (host->value)
            *letter++ = ':';
    }
    *letter = '\0';
    for (size_t i = 0; i < stage_option_count(stage); i++)
        *option++ =
            (struct option){stage_option(stage, i)->name,
                            is_flag(stage_option(stage, i)) ? optional_argument
                                                            : required_argument,
                            NULL, FIRST_STAGE_OPTION + (int)i};
    return true;
}

enum request arguments_preview(int argc, char **argv, const char **plugin)
{
    enum request request = REQUEST_BUILD;
    *plugin = default_plugin;
    struct getopt_tables tables;
    // getopt reorders what it reads, and does not know the stage's options
    // yet, so it gets a copy.
    char **copy = malloc(((size_t)argc + 1) * sizeof *copy);
    if (!copy || !make_tables(NULL, &tables)) {
        free(copy);
        return request;
    }
    memcpy(copy, argv, ((size_t)argc + 1) * sizeof *copy);
    opterr = 0;
    optind = 0;
    int letter;
    while (request == REQUEST_BUILD &&
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

static enum exit_status unknown_option(const struct stage *stage,
                                       char *const *argv)
{
    char letter[] = {'-', (char)optopt, '\0'};
    const char *given = optopt ? letter : argv[optind - 1];
    char valid[1024] = "";
    size_t length = 0;
    for (size_t i = 0; i < HOST_OPTION_COUNT + stage_option_count(stage); i++) {
        const char *name =
            i < HOST_OPTION_COUNT
                ? host_options[i].name
                : stage_option(stage, i - HOST_OPTION_COUNT)->name;
        int written = snprintf(valid + length, sizeof valid - length, "%s--%s",
                               i > 0 ? ", " : "", name);
        if (written < 0 || (size_t)written >= sizeof valid - length)
            break;
        length += (size_t)written;
    }
    message_print("unknown or ambiguous option '%s'; valid are %s", given,
                  valid);
    return STATUS_USAGE;
}

static enum exit_status misused_option(const struct stage *stage, int letter,
                                       char *const *argv)
{
    if (letter == ':') {
        message_print("option '%s' needs a value", argv[optind - 1]);
        return STATUS_USAGE;
    }
    // A known option that was given a value which it does not take.
    for (size_t i = 0; i < HOST_OPTION_COUNT; i++) {
        if (optopt == host_options[i].letter) {
            message_print("option '--%s' takes no value", host_options[i].name);
            return STATUS_USAGE;
        }
    }
    return unknown_option(stage, argv);
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
    case 'p': // taken by arguments_preview, as are these
    case 'h':
    case 'V':
        break;
    default:
        take_setting(stage, letter, arguments);
    }
}

static enum exit_status wrong_usage(const char *sentence)
{
    message_print("%s; see 'blocksweep --help'", sentence);
    return STATUS_USAGE;
}

static enum exit_status take_files(int argc, char **argv,
                                   struct arguments *arguments)
{
    if (argc - optind < 1)
        return wrong_usage("no input file was given");
    if (argc - optind > 1) {
        message_print("one input file was expected, but there are %d: '%s', "
                      "'%s'...; see 'blocksweep --help'",
                      argc - optind, argv[optind], argv[optind + 1]);
        return STATUS_USAGE;
    }
    arguments->input = argv[optind];
    if (!arguments->output && !arguments->in_place)
        return wrong_usage("no output was given; -o FILE or --in-place was "
                           "expected");
    if (arguments->output && arguments->in_place)
        return wrong_usage("--output and --in-place exclude each other");
    return STATUS_DONE;
}

enum exit_status arguments_read(int argc, char **argv,
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
        !make_tables(stage, &tables)) {
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
            status = misused_option(stage, letter, argv);
        else
            take_option(stage, letter, arguments);
    }
    free(tables.options);
    if (status == STATUS_DONE)
        status = take_files(argc, argv, arguments);
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

void arguments_print_help(const struct stage *stage)
{
    puts("Usage: blocksweep [build] [OPTION]... IN.wad -o OUT.wad\n"
         "  or:  blocksweep [build] [OPTION]... --in-place IN.wad\n"
         "Builds the BLOCKMAP lumps of the maps in a WAD file with a stage "
         "that is\nloaded at run time.\n");
    for (size_t i = 0; i < HOST_OPTION_COUNT; i++)
        print_host_option(&host_options[i]);
    if (stage) {
        printf("\nOptions of the stage %s %s:\n", stage->descriptor->name,
               stage->descriptor->version);
        for (size_t i = 0; i < stage_option_count(stage); i++)
            print_stage_option(stage_option(stage, i));
    } else {
        puts("\nThe stage was not found, so its options cannot be shown.");
    }
    puts("\nExit status: 0 all done, 1 a map failed, 2 wrong usage, 3 a file "
         "could not be\nread or written.");
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
