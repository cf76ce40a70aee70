// SPDX-License-Identifier: GPL-2.0-or-later
//
// The scripts in completion/ know no option of the command.  They ask it, and
// it answers from the tables that --help is made of, from the stage and the WAD
// file that the command line names, and from the folders of stages.
//
// `blocksweep --complete [AFTER]... -- WORD...` has the words of a command line
// up to the one that is to be completed, which may be empty, and before the
// "--" those that come after it, which may name the file.  The answer is a line
// for each word that it may become: the word, a tab, and what it stands for.  A
// line without a tab asks for file names, too: "files" for any, "wads" for WAD
// files.  Where "glbsp-blocksweep" is the first word, the others are of that
// command.  Not all words begin as the last one does; shells choose by their
// own rules.

#include "config.h"

#include "commands.h"

#include "arguments.h"
#include "file/maps.h"
#include "file/replace-file.h"
#include "platform/location.h"
#include "plugins/list-stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A command line that is being typed.
struct unfinished_line {
    const char *word; // the last one, which is to be completed

    // What the words before it say, and of files those after it, too.
    enum command command;
    const struct nbstage_descriptor *stage; // NULL if it was not found
    const char *first_file;                 // NULL if there is none yet
    size_t file_count;
    bool options_ended;          // by "--"
    struct known_option waiting; // for its value; neither if none does
};

enum { PATH_SIZE = 4096 };

// Returns a path, which may be NULL, with the home directory in place of "~".
static const char *expand_home(const char *path, char expanded[PATH_SIZE])
{
    const char *home = getenv("HOME");
    if (!path || strncmp(path, "~/", 2) != 0 || !home)
        return path;
    snprintf(expanded, PATH_SIZE, "%s%s", home, path + 1);
    return expanded;
}

static void add_files(struct unfinished_line *line, int count, char **files)
{
    if (count > 0 && !line->first_file)
        line->first_file = files[0];
    line->file_count += (size_t)count;
}

// Reads the words before the last one, which it may reorder.  Mistakes in them
// are passed over.
static void read_line(struct unfinished_line *line, int argc, char **argv)
{
    struct option_reader reader;
    const char *last_value = NULL;
    option_reader_begin(&reader, line->command, line->stage, false);
    while (option_reader_next(&reader, argc, argv)) {
        last_value = optarg;
        if (reader.letter == ':')
            line->waiting = reader.option;
    }
    const char *last = argv[optind - 1];
    line->options_ended =
        optind > 1 && last != last_value && strcmp(last, "--") == 0;
    add_files(line, argc - optind, argv + optind);
}

// Reads the words after the last one; the first of `argv` is not one of them.
static void read_rest(struct unfinished_line *line, int argc, char **argv)
{
    struct option_reader reader;
    option_reader_begin(&reader, line->command, line->stage, false);
    while (option_reader_next(&reader, argc, argv))
        continue;
    add_files(line, argc - optind, argv + optind);
}

// ---------------------------------------------------------------------------
// Values of options

// Prints a value after the first `kept` bytes of what was typed, which make a
// whole word together.  If these cannot be printed there is none, as a shell
// would replace them.
static void print_value(const char *word, size_t kept, const char *value,
                        const char *help)
{
    size_t length;
    uint32_t number;
    for (size_t i = 0; i < kept; i += length)
        if (!message_is_printable(word + i, &length, &number))
            return;
    printf("%.*s%s\t%s\n", (int)kept, word, value, help ? help : "");
}

// Whether no shell takes anything in a name for its own.  Other names are not
// offered.
static bool is_plain(const char *name)
{
    size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789_-.");
    return length > 0 && name[length] == '\0';
}

static void print_maps_of(struct wad *wad, const char *word, size_t kept)
{
    if (maps_find(wad) != STATUS_DONE)
        return;
    for (size_t i = 0; i < wad->map_count; i++) {
        const char *name = wad->lumps[wad->maps[i].marker].name;
        if (is_plain(name))
            print_value(word, kept, name, "");
    }
}

// Reads a file unless that could take long.
static bool read_wad(const char *path, struct wad *wad)
{
    enum { MOST_BYTES = 1 << 28 };
    char flaw[WAD_FLAW_SIZE];
    struct file_status status;
    if (!file_find(path, &status) || status.kind != FILE_REGULAR ||
        status.size > MOST_BYTES)
        return false;
    int descriptor = file_open(path);
    return descriptor >= 0 &&
           wad_read_open(descriptor, wad, flaw) == STATUS_DONE;
}

// Keeps a list such as "MAP01,MAP04-MAP07" up to its last comma or hyphen.
static void print_maps(const struct unfinished_line *line, size_t begin)
{
    char expanded[PATH_SIZE];
    const char *file = expand_home(line->first_file, expanded);
    struct wad wad;
    size_t kept = begin;
    for (size_t i = begin; line->word[i] != '\0'; i++)
        if (line->word[i] == ',' || line->word[i] == '-')
            kept = i + 1;
    if (file && read_wad(file, &wad)) {
        print_maps_of(&wad, line->word, kept);
        wad_free(&wad);
    }
}

static void print_stages(const struct unfinished_line *line, size_t begin)
{
    struct plugin_list list;
    plugins_find(&list);
    for (size_t i = 0; i < list.file_count; i++)
        if (is_plain(list.files[i].name))
            print_value(line->word, begin, list.files[i].name, "");
    plugins_free(&list);
}

static void print_stage_choices(const struct unfinished_line *line,
                                size_t begin,
                                const struct nbstage_option *option)
{
    for (size_t i = 0; i < option->choice_count; i++) {
        const struct nbstage_choice *choice =
            NBSTAGE_AT(struct nbstage_choice, option->choices, i);
        print_value(line->word, begin, choice->name, choice->help);
    }
}

// Keeps a list such as "doom19,boom" up to its last comma.
static size_t find_item(const char *word, size_t begin)
{
    const char *comma = strrchr(word + begin, ',');
    return comma ? (size_t)(comma + 1 - word) : begin;
}

// Prints the values of an option; in the word, they begin after `begin`
// characters.
static void print_values(const struct unfinished_line *line, size_t begin,
                         const struct known_option *option)
{
    const struct host_option *host = option->host;
    if (!host && option->stage->type == NBSTAGE_OPTION_LIST)
        begin = find_item(line->word, begin);
    if (!host) {
        print_stage_choices(line, begin, option->stage);
        return;
    }
    for (size_t i = 0; host->choices && host->choices[i].name; i++)
        print_value(line->word, begin, host->choices[i].name,
                    host->choices[i].help);
    if (host->kind == VALUE_MAPS)
        print_maps(line, begin);
    if (host->kind == VALUE_STAGE)
        print_stages(line, begin);
    if (host->kind == VALUE_STAGE || host->kind == VALUE_FILE)
        printf("%.*sfiles\n", (int)begin, line->word);
}

// ---------------------------------------------------------------------------
// Words

static void print_commands(void)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("%s\t%s\n", command_table[i].name, command_table[i].summary);
}

// Completes the first word, or the one after "help"; nothing follows these or
// "version".  Returns whether nothing else is to be offered.
static bool print_first_words(int count, char **words, const char *word)
{
    bool is_help = count > 1 && strcmp(words[1], "help") == 0;
    if (count == 1 + is_help && word[0] != '-')
        print_commands();
    if (count == 1 && word[0] != '-')
        puts("help\tprint the options of a command\n"
             "version\tprint the version");
    return is_help || (count > 1 && strcmp(words[1], "version") == 0);
}

static void print_options(const struct unfinished_line *line)
{
    struct known_option option;
    for (size_t i = 0; options_get(line->command, line->stage, i, &option);
         i++) {
        const char *help = option.host ? option.host->help : option.stage->help;
        printf("--%s%s\t%s\n", option_name(&option),
               option_needs_value(&option) ? "=" : "", help ? help : "");
    }
}

// Completes a word such as "--pack=ne".
static void print_values_of_word(const struct unfinished_line *line)
{
    const char *name = line->word + strlen("--");
    size_t length = strcspn(name, "=");
    struct known_option option;
    for (size_t i = 0; options_get(line->command, line->stage, i, &option); i++)
        if (strncmp(option_name(&option), name, length) == 0 &&
            option_name(&option)[length] == '\0')
            print_values(line, strlen("--") + length + strlen("="), &option);
}

static void print_words(const struct unfinished_line *line)
{
    if (line->waiting.host || line->waiting.stage) {
        print_values(line, 0, &line->waiting);
    } else if (line->options_ended || line->word[0] != '-') {
        if (line->file_count < command_table[line->command].most_files)
            puts("wads");
    } else if (strncmp(line->word, "--", 2) == 0 && strchr(line->word, '=')) {
        print_values_of_word(line);
    } else {
        print_options(line);
    }
}

// ---------------------------------------------------------------------------
// glbsp-blocksweep, which takes the options of the stage as one text, such as
// "grid=fit,for=doom19,boom"

// Completes the last option in the word, or the last choice of its value.
static void print_stage_text(const char *word,
                             const struct nbstage_descriptor *stage)
{
    size_t begin = find_item(word, 0);
    size_t name_length = strcspn(word + begin, "=");
    const struct unfinished_line line = {.word = word};
    for (size_t i = 0; stage && i < stage->option_count; i++) {
        const struct nbstage_option *option =
            NBSTAGE_AT(struct nbstage_option, stage->options, i);
        if (word[begin + name_length] != '=')
            printf("%.*s%s=\t%s\n", (int)begin, word, option->name,
                   option->help ? option->help : "");
        else if (strncmp(option->name, word + begin, name_length) == 0 &&
                 option->name[name_length] == '\0')
            print_stage_choices(&line, begin + name_length + 1, option);
    }
}

static void print_glbsp_words(int argc, char **argv)
{
    const char *word = argv[argc - 1];
    struct nbstage stage = {0};
    if (strcmp(argv[argc - 2], "--stage") == 0) {
        stage_open(NULL, location_of_stages(), &stage);
        print_stage_text(word, stage.descriptor);
        nbstage_close(&stage);
    } else if (word[0] == '-') {
        puts("--stage\toptions of the stage");
    } else {
        puts("wads");
    }
}

// Loads the stage that the words name, or else the default one, if it is there
// and the command works with one.
static enum exit_status open_stage(enum command command, int argc, char **argv,
                                   struct nbstage *stage)
{
    const char *plugin;
    *stage = (struct nbstage){0};
    arguments_preview(command, argc, argv, &plugin);
    char expanded[PATH_SIZE];
    const char *path = expand_home(plugin, expanded);
    bool is_path = path && file_base(path) != path;
    if (command_table[command].needs_stage &&
        (!is_path || file_is_regular(path)))
        stage_open(path, location_of_stages(), stage);
    return stage->status == NBSTAGE_OUT_OF_MEMORY ? message_out_of_memory()
                                                  : STATUS_DONE;
}

enum exit_status complete_run(int argc, char **argv)
{
    int separator = 2;
    while (separator < argc && strcmp(argv[separator], "--") != 0)
        separator++;
    if (argc < separator + 2) {
        message_print("--complete is for the completion of shells and takes "
                      "'[AFTER]... -- WORD...'");
        return STATUS_USAGE;
    }
    // The words before the last, after one in place of the command's name.
    char **words = argv + separator;
    int count = argc - separator - 1;
    if (count > 1 && strcmp(words[1], "glbsp-blocksweep") == 0) {
        print_glbsp_words(argc, argv);
        return STATUS_DONE;
    }
    struct unfinished_line line = {.word = argv[argc - 1]};
    if (print_first_words(count, words, line.word))
        return STATUS_DONE;
    line.command = arguments_take_command(&count, &words);
    struct nbstage stage;
    enum exit_status status = open_stage(line.command, count, words, &stage);
    if (status == STATUS_DONE) {
        line.stage = stage.descriptor;
        read_line(&line, count, words);
        argv[separator] = NULL; // as main's arguments end
        read_rest(&line, separator - 1, argv + 1);
        print_words(&line);
    }
    nbstage_close(&stage);
    return status;
}
