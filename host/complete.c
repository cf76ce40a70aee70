// SPDX-License-Identifier: GPL-2.0-or-later
//
// The scripts in completion/ know no option of the command: they ask it at the
// moment of completing, and it answers from the tables that --help is made of,
// from those of the stage that the command line names, and from the WAD file
// in it.  So what shells offer is always what the command takes.

#include "config.h"

#include "complete.h"

#include "candidates.h"
#include "file/replace-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a command line has so far, before its last word.
struct unfinished_line {
    enum command command;
    const struct nbstage *stage; // NULL if it was not found
    const char *first_file;      // NULL if there is none yet
    size_t file_count;
    bool options_ended;          // by "--"
    struct known_option waiting; // for its value; neither if none does
};

// The path without "~" for the home directory, to be freed; NULL if there is
// none, or memory runs out.
static char *expand_home(const char *path)
{
    const char *home = getenv("HOME");
    if (!path)
        return NULL;
    if (strncmp(path, "~/", 2) != 0 || !home)
        return strdup(path);
    size_t size = strlen(home) + strlen(path);
    char *expanded = malloc(size);
    if (expanded)
        snprintf(expanded, size, "%s%s", home, path + 1);
    return expanded;
}

// ---------------------------------------------------------------------------
// Reading

// Reads the words before the last one, which it may reorder.  What is wrong in
// them is passed over.
static enum exit_status read_line(struct unfinished_line *line, int argc,
                                  char **argv)
{
    struct option_reader reader;
    if (!option_reader_begin(&reader, line->command, line->stage))
        return message_out_of_memory();
    const char *last_value = NULL;
    while (option_reader_next(&reader, argc, argv)) {
        last_value = optarg;
        if (reader.letter == ':')
            line->waiting = reader.option;
    }
    option_reader_end(&reader);
    const char *last = argv[optind - 1];
    line->options_ended =
        optind > 1 && last != last_value && strcmp(last, "--") == 0;
    line->file_count = (size_t)(argc - optind);
    if (line->file_count > 0)
        line->first_file = argv[optind];
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// Words

static void print_commands(void)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("%s\t%s\n", command_table[i].name, command_table[i].summary);
}

static void print_options(const struct unfinished_line *line)
{
    struct known_option option;
    for (size_t i = 0;
         option_tables_get(line->command, line->stage, i, &option); i++) {
        const char *help = option.host ? option.host->help : option.stage->help;
        printf("--%s%s\t%s\n", option_name(&option),
               option_needs_value(&option) ? "=" : "", help ? help : "");
    }
}

static void print_values(const struct unfinished_line *line, const char *word,
                         size_t begin, const struct known_option *option)
{
    char *file = expand_home(line->first_file);
    struct unfinished_value value = {word, begin, file};
    candidates_print(&value, option);
    free(file);
}

// For a word such as "--pack=ne".
static void print_values_of_word(const struct unfinished_line *line,
                                 const char *word)
{
    const char *name = word + strlen("--");
    size_t length = strcspn(name, "=");
    struct known_option option;
    for (size_t i = 0;
         option_tables_get(line->command, line->stage, i, &option); i++)
        if (strncmp(option_name(&option), name, length) == 0 &&
            option_name(&option)[length] == '\0')
            print_values(line, word, strlen("--") + length + strlen("="),
                         &option);
}

static void print_words(const struct unfinished_line *line, const char *word)
{
    if (line->waiting.host || line->waiting.stage) {
        print_values(line, word, 0, &line->waiting);
    } else if (line->options_ended || word[0] != '-') {
        if (line->file_count < command_table[line->command].most_files)
            puts("wads");
    } else if (strncmp(word, "--", 2) == 0 && strchr(word, '=')) {
        print_values_of_word(line, word);
    } else {
        print_options(line);
    }
}

// ---------------------------------------------------------------------------

// Loads the stage that the words name, or else the default one, if it is there
// and the command works with one.
static enum exit_status open_stage(enum command command, int argc, char **argv,
                                   struct nbstage *stage)
{
    const char *plugin;
    *stage = (struct nbstage){0};
    if (arguments_preview(command, argc, argv, &plugin) ==
        REQUEST_OUT_OF_MEMORY)
        return message_out_of_memory();
    char *path = expand_home(plugin);
    if (!path)
        return message_out_of_memory();
    if (command_table[command].needs_stage &&
        (!strchr(path, '/') || file_is_regular(path)))
        stage_open(path, stage);
    free(path);
    return stage->status == NBSTAGE_OUT_OF_MEMORY ? message_out_of_memory()
                                                  : STATUS_DONE;
}

enum exit_status complete_run(int argc, char **argv)
{
    if (argc < 4 || strcmp(argv[2], "--") != 0) {
        message_print("--complete is for the completion of shells and takes "
                      "'-- WORD...'");
        return STATUS_USAGE;
    }
    // The words before the last, behind one that stands for the command's name.
    char **words = argv + 2;
    int count = argc - 3;
    const char *word = argv[argc - 1];
    if (count == 1 && word[0] != '-')
        print_commands();
    struct unfinished_line line = {0};
    line.command = arguments_take_command(&count, &words);
    struct nbstage stage;
    enum exit_status status = open_stage(line.command, count, words, &stage);
    if (stage.descriptor)
        line.stage = &stage;
    if (status == STATUS_DONE)
        status = read_line(&line, count, words);
    if (status == STATUS_DONE)
        print_words(&line, word);
    nbstage_close(&stage);
    return status;
}
