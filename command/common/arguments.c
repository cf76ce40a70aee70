// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line is read in two passes.  The first finds --plugin, as the
// stage has options of its own.  The second knows the stage and reads all
// options.

#include "config.h"

#include "common/arguments.h"

#include "base/macros.h"
#include "common/commands.h"
#include "common/message.h"
#include "common/suggest.h"
#include "platform/file.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// Reads the options of a command line, in any order, with getopt and its
// variables.
struct option_reader {
    struct command_option known[MOST_OPTIONS];
    size_t count;

    // The same in the form that getopt takes.
    char letters[2 * MOST_OPTIONS + 3];
    struct option options[MOST_OPTIONS + 1];

    // The last result of getopt: the number of an option, 1 for a file if
    // options are read in order, '?' for an unknown option or a value for an
    // option that takes none, ':' for a missing value.
    int number;
    bool is_letter;                      // given as a letter, not as a word
    const struct command_option *option; // NULL if it is unknown
};

// How getopt's letters begin: with '-' it returns files in their place, as
// options of the number 1; else it moves them behind the options.  With ':' it
// returns ':' for a missing value.
static const char read_in_order[] = "-:", read_files_last[] = ":";

static void arguments_begin_options(struct option_reader *reader,
                                    enum command command,
                                    const struct nbstage_descriptor *stage,
                                    const char *order)
{
    *reader = (struct option_reader){0};
    reader->count = commands_list_options(command, stage, reader->known);
    strcpy(reader->letters, order);
    char *letter = reader->letters + strlen(order);
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
    optind = 0; // begins anew, in the getopt_long of glibc, musl and the BSDs
}

// Reads the next option; false after the last, with the first file at
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

// Whether a word is a long option typed with one hyphen, which getopt would
// split into letters and a value.
static bool arguments_lack_hyphen(const struct option_reader *reader,
                                  const char *word)
{
    const char *name = word + 1;
    const size_t length = strcspn(name, "=");
    // Shorter words may be letters of several options.
    if (*word != '-' || *name == '-' || (name[length] != '=' && length < 3))
        return false;
    for (size_t i = 0; i < reader->count; i++) {
        const char *known = reader->known[i].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0)
            return true;
    }
    return false;
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
    // The stage's options are not known yet.  Their values cannot be told from
    // files, so getopt must not move files to the end.
    arguments_begin_options(&reader, command, NULL, read_in_order);
    while (arguments_next_option(&reader, argc, argv)) {
        // "-in-place" is refused later, and "-preset=vanilla", when the stage
        // is known.
        if (reader.number == 'p' &&
            !arguments_lack_hyphen(&reader, argv[optind - 1]) &&
            (!reader.is_letter || optarg == argv[optind - 1] ||
             !strchr(optarg, '=') || strpbrk(optarg, ",/\\")))
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

// Lists --OPTION=CHOICE for the options of the stage that have this choice.
static void arguments_list_choosers(const struct nbstage_descriptor *stage,
                                    const char *choice, char *list, size_t size)
{
    for (size_t i = 0; stage->options[i]; i++) {
        const struct nbstage_option *option = stage->options[i];
        for (size_t j = 0; j < option->choice_count; j++) {
            char text[SUGGEST_SIZE];
            snprintf(text, sizeof text, "--%s=%s", option->name, choice);
            if (strcmp(option->choices[j].name, choice) == 0)
                message_add_name(list, size, text);
        }
    }
}

// Refuses words that getopt would take apart: long options with one hyphen, and
// names of files.
static bool arguments_check_hyphens(const struct option_reader *reader,
                                    char **argv)
{
    for (char **word = argv + 1; *word && strcmp(*word, "--") != 0; word++) {
        const bool lacks_hyphen = arguments_lack_hyphen(reader, *word);
        if (lacks_hyphen)
            message_print("unknown option '%s'; did you mean -%s?", *word,
                          *word);
        else if (**word == '-' && file_name_ends(*word, ".wad") &&
                 access(*word, F_OK) == 0)
            message_print("'%s' looks like an option; if it is a file, type "
                          "./%s",
                          *word, *word);
        else
            continue;
        return false;
    }
    return true;
}

// Reports an option that the command does not have, with a suggestion.
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
        message_print("'%.*s' is an option of %s, not of %s%s", width, typed,
                      list, own,
                      command == COMMAND_VERIFY && length == 6 &&
                              strncmp(name, "preset", 6) == 0
                          ? "; name the ports with --for"
                          : "");
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

// Whether the value of an option can be a file name, if the option takes one:
// not the next option, and not empty.  After "=" it may begin with a hyphen.
static bool arguments_names_file(const struct command_option *option,
                                 const char *argument)
{
    const bool is_word = optarg == argument;
    return option->of_stage || !option->value ||
           strcmp(option->value, "FILE") != 0 || strcmp(optarg, "-") == 0 ||
           (*optarg && !(is_word && *optarg == '-'));
}

#define MEMBER(name) offsetof(struct arguments, name)

// The members for the command's own options.
static const struct {
    const char *option;
    size_t member;
} arguments_members[] = {
    {"output", MEMBER(output)},   {"in-place", MEMBER(in_place)},
    {"backup", MEMBER(backup)},   {"dry-run", MEMBER(dry_run)},
    {"map", MEMBER(map_lists)},   {"builder", MEMBER(builder)},
    {"verbose", MEMBER(verbose)}, {"builder-timeout", MEMBER(builder_timeout)},
    {"svg", MEMBER(svg)},         {"html", MEMBER(html)},
    {"nodes", MEMBER(nodes)},     {"strict", MEMBER(strict)},
    {"list", MEMBER(list)},       {"plugin", MEMBER(plugin)},
    {"quiet", MEMBER(quiet)},     {"json", MEMBER(json)},
    {"help", MEMBER(help)},       {"version", MEMBER(version)},
};

static void arguments_take_own(const struct command_option *option,
                               struct arguments *arguments)
{
    size_t i = 0;
    while (strcmp(arguments_members[i].option, option->name) != 0)
        i++;
    void *member = (char *)arguments + arguments_members[i].member;
    if (!option->value)
        *(bool *)member = true;
    else if (member == &arguments->map_lists)
        arguments->map_lists[arguments->map_list_count++] = optarg;
    else
        *(const char **)member = optarg;
}

static void arguments_take_setting(const struct command_option *option,
                                   struct arguments *arguments)
{
    arguments->settings[arguments->setting_count++] =
        (struct stage_setting){option->name, optarg ? optarg : "yes"};
    if (optarg && commands_explain(option->of_stage, optarg))
        arguments->help = true;
}

// Takes the option that was read.  STATUS_USAGE with a message if it is wrong.
static enum exit_status
arguments_take_option(const struct option_reader *reader, enum command command,
                      const struct nbstage_descriptor *stage,
                      const char *argument, struct arguments *arguments)
{
    const struct command_option *option = reader->option;
    if (reader->number == ':') {
        message_print("option '%s' needs a value", argument);
        return STATUS_USAGE;
    }
    if (reader->number == '?') {
        if (option && !option->of_stage)
            message_print("option '--%s' takes no value", option->name);
        else
            arguments_refuse_option(reader, command, stage, argument);
        return STATUS_USAGE;
    }
    if (!arguments_names_file(option, argument)) {
        message_print("'%s' is not a file name for --%s; --%s=FILE was "
                      "expected",
                      optarg, option->name, option->name);
        return STATUS_USAGE;
    }
    if (option->of_stage)
        arguments_take_setting(option, arguments);
    else
        arguments_take_own(option, arguments);
    return STATUS_DONE;
}

// Prints what is wrong, and where to look it up.
static enum exit_status PRINTF_LIKE(2, 3)
    arguments_refuse(enum command command, const char *format, ...)
{
    char fault[MESSAGE_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(fault, sizeof fault, format, values);
    va_end(values);
    message_print("%s; see 'blocksweep %s --help'", fault,
                  command_table[command].name);
    return STATUS_USAGE;
}

// Prints the command that a word is likely to mean, or all of them.
static enum exit_status
arguments_suggest_command(const struct arguments *arguments, const char *word)
{
    static const struct {
        const char *word, *typed;
    } alike[] = {{"check", "verify"},
                 {"test", "verify"},
                 {"fix", "build --in-place --backup"},
                 {"repair", "build --in-place --backup"}};
    char names[COMMAND_NAMES_SIZE], text[SUGGEST_SIZE];
    struct suggestion suggestion = suggest_begin(word, strlen(word));
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        suggest_offer(&suggestion, command_table[i].name);
    for (size_t i = 0; i < COUNT(alike); i++)
        if (strcasecmp(word, alike[i].word) == 0)
            suggestion.nearest = alike[i].typed;
    bool names_ports = false;
    for (size_t i = 0; i < arguments->setting_count; i++)
        names_ports |= strcmp(arguments->settings[i].name, "for") == 0;
    if (suggestion.nearest)
        message_print("there is no file or command '%s'%s", word,
                      suggest_text(&suggestion, "", text));
    else if (names_ports)
        message_print("there is no file or command '%s'; if it belongs to "
                      "--for, separate the ports with commas, without spaces",
                      word);
    else
        message_print("there is no file or command '%s'; commands are %s, help "
                      "and version",
                      word, command_names(names));
    return STATUS_USAGE;
}

// The first file, if it is missing, may be a command that is misspelled or in
// the wrong place.
static enum exit_status arguments_check_first(enum command command,
                                              const struct arguments *arguments)
{
    const char *first = arguments->input;
    if (strcmp(first, "-") == 0 || access(first, F_OK) == 0)
        return STATUS_DONE;
    if (arguments_find_command(first) != COMMAND_COUNT)
        return arguments_refuse(command,
                                "'%s' is not a file; give one command, before "
                                "all options",
                                first);
    if (command != COMMAND_BUILD || strpbrk(first, "./"))
        return STATUS_DONE;
    return arguments_suggest_command(arguments, first);
}

static enum exit_status arguments_check_files(enum command command,
                                              const struct arguments *arguments)
{
    const size_t count = arguments->file_count;
    size_t standard = 0;
    for (size_t i = 0; i < count; i++)
        standard += strcmp(arguments->files[i], "-") == 0;
    if (standard > 1)
        return arguments_refuse(command,
                                "standard input can be read only once");
    if (count == 0 && (arguments->html || arguments->svg))
        return arguments_refuse(
            command, "no input file was given; '%s' is the picture",
            arguments->html ? arguments->html : arguments->svg);
    if (count == 0)
        return arguments_refuse(command, "no input file was given");
    NEED_DONE(arguments_check_first(command, arguments));
    if (command == COMMAND_DIFF && count != 2)
        return arguments_refuse(command,
                                "two files were expected, OLD.wad and NEW.wad");
    if (count > command_table[command].most_files)
        return arguments_refuse(command,
                                "one input file was expected, but there are "
                                "%zu: '%s', '%s'...",
                                count, arguments->input, arguments->files[1]);
    return STATUS_DONE;
}

static enum exit_status arguments_check_build(const struct arguments *arguments)
{
    const enum command build = COMMAND_BUILD;
    const char *last = arguments->files[arguments->file_count - 1];
    const bool has_output =
        arguments->output || arguments->in_place || arguments->dry_run;
    if (!has_output && arguments_find_command(last) != COMMAND_COUNT)
        return arguments_refuse(
            build, "no output was given; if '%s' is the command, type it first",
            last);
    if (!has_output && arguments->file_count == 2 && access(last, F_OK) != 0)
        return arguments_refuse(
            build, "no output was given; if it is '%s', type -o before it",
            last);
    if (!has_output)
        return arguments_refuse(
            build, "no output was given; -o %s or --in-place was expected",
            arguments->file_count > 1 ? "FOLDER" : "FILE");
    if (arguments->output && arguments->in_place)
        return arguments_refuse(build,
                                "--output and --in-place cannot be combined");
    if (arguments->builder_timeout && !arguments->builder)
        return arguments_refuse(build, "--builder-timeout needs a --builder");
    return STATUS_DONE;
}

enum exit_status arguments_read(enum command command, int argc, char **argv,
                                const struct nbstage_descriptor *stage,
                                struct arguments *arguments)
{
    struct option_reader reader;
    // Upper bounds: no more of each than there are arguments.
    *arguments = (struct arguments){
        .map_lists = calloc((size_t)argc + 1, sizeof *arguments->map_lists),
        .settings = calloc((size_t)argc + 1, sizeof *arguments->settings),
    };
    if (!arguments->map_lists || !arguments->settings)
        return message_out_of_memory();
    arguments_begin_options(&reader, command, stage, read_files_last);
    if (!arguments_check_hyphens(&reader, argv))
        return STATUS_USAGE;
    while (arguments_next_option(&reader, argc, argv))
        NEED_DONE(arguments_take_option(&reader, command, stage,
                                        argv[optind - 1], arguments));
    arguments->files = (const char *const *)(argv + optind);
    arguments->file_count = (size_t)(argc - optind);
    arguments->input = argv[optind]; // NULL if there are none
    if (arguments->help)
        return STATUS_DONE;
    NEED_DONE(arguments_check_files(command, arguments));
    return command == COMMAND_BUILD ? arguments_check_build(arguments)
                                    : STATUS_DONE;
}

void arguments_free(struct arguments *arguments)
{
    free(arguments->map_lists);
    free(arguments->settings);
}
