// SPDX-License-Identifier: GPL-2.0-or-later
//
// One table has the commands, another the command's own options.  The stage has
// a table of its own.

#include "config.h"

#include "common/commands.h"

#include "base/macros.h"
#include "common/message.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

const struct command_entry command_table[COMMAND_COUNT] = {
    [COMMAND_BUILD] =
        {"build",
         "Usage: blocksweep [build] [OPTION]... IN.wad -o OUT.wad\n"
         "  or:  blocksweep [build] [OPTION]... IN.wad... -o FOLDER\n"
         "  or:  blocksweep [build] [OPTION]... --in-place FILE.wad...\n"
         "Builds the BLOCKMAP lumps of the maps in a WAD file with a stage "
         "that is\nloaded at run time.\n",
         NULL,
         "output in-place backup dry-run builder map for preset overflow help",
         SIZE_MAX, "a map or the builder failed"},
    [COMMAND_VERIFY] =
        {"verify",
         "Usage: blocksweep verify [OPTION]... FILE.wad...\n"
         "Checks every BLOCKMAP against the map's lines and reports missing, "
         "extra and\nunreadable entries.\n",
         "for prune max-memory", "map html for prune strict verbose json help",
         SIZE_MAX, "a lump or a map is not sound"},
    [COMMAND_SHOW] = {"show",
                      "Usage: blocksweep show [OPTION]... FILE.wad\n"
                      "Shows what is in the BLOCKMAP of each map.\n",
                      "prune max-memory", "map list svg html json help", 1,
                      "a map cannot be shown"},
    [COMMAND_DIFF] = {"diff",
                      "Usage: blocksweep diff [OPTION]... OLD.wad NEW.wad\n"
                      "Compares the BLOCKMAP lumps of two files, map by map.\n",
                      "max-memory", "map verbose json help", 2,
                      "a map differs or failed"},
};

// The commands that take an option, as bits.
enum {
    BUILD = 1 << COMMAND_BUILD,
    VERIFY = 1 << COMMAND_VERIFY,
    SHOW = 1 << COMMAND_SHOW,
    DIFF = 1 << COMMAND_DIFF,
    EVERY = (1 << COMMAND_COUNT) - 1,
};

// ZenNode writes no output file if all maps are built already, so it runs in
// place.  So does ZokumBSP, which is a fork of it.
const struct known_builder known_builders[] = {
    {"zdbsp", "zdbsp -o {out} {in}"},   {"glbsp", "glbsp {in} -o {out}"},
    {"elfbsp", "elfbsp {in} -o {out}"}, {"zokumbsp", "zokumbsp {in}"},
    {"zennode", "ZenNode {in}"},        {NULL, NULL},
};

// Options may have the same name if no command takes both.
#define FILES "Files and maps"
#define BUILDER "Node builder"
#define PICTURES "Pictures"
#define REPORT "Report and stage"

static const struct command_option host_options[] = {
    {FILES, "output", 'o', "FILE", BUILD,
     "write the result to FILE, or into this folder", NULL},
    {FILES, "in-place", 'i', NULL, BUILD, "write the result over the input",
     NULL},
    {FILES, "backup", 'b', NULL, BUILD,
     "keep the old file as TARGET~ or TARGET.~2~ ...", NULL},
    {FILES, "dry-run", 'n', NULL, BUILD,
     "write nothing; compare what the presets would make", NULL},
    {FILES, "map", 'm', "LIST", EVERY,
     "take only these maps: MAP01,MAP04-MAP07", NULL},
    {BUILDER, "builder", 'B', "COMMAND", BUILD,
     "run a builder first: a name, or 'CMD {in} -o {out}'", NULL},
    {BUILDER, "builder-timeout", 'T', "SECONDS", BUILD,
     "end it after this time (default: 3600, 0 for never)", NULL},
    {BUILDER, "verbose", 'v', NULL, BUILD, "show what the builder prints",
     NULL},
    {PICTURES, "svg", 'S', "FILE", VERIFY | SHOW,
     "draw one map, and what is wrong in it", NULL},
    {PICTURES, "html", 'H', "FILE", VERIFY | SHOW,
     "write a page of one map, for a browser", NULL},
    {REPORT, "nodes", 'n', NULL, VERIFY,
     "check the lists against the map's segs, too", NULL},
    {REPORT, "strict", 's', NULL, VERIFY,
     "fail on any missing or extra entry and on empty lumps", NULL},
    {REPORT, "verbose", 'v', NULL, VERIFY,
     "name every finding and every extra entry", NULL},
    {REPORT, "verbose", 'v', NULL, SHOW,
     "show details of every map, not only of a single one", NULL},
    {REPORT, "verbose", 'v', NULL, DIFF, "name every block that differs", NULL},
    {REPORT, "list", 'l', "PLACE", SHOW,
     "print a block: COLUMN,ROW, its number, or 'at X,Y'", NULL},
    {REPORT, "plugin", 'p', "FILE", BUILD,
     "use this stage: a path, or a name to search for", NULL},
    {REPORT, "quiet", 'q', NULL, EVERY, "print only warnings and errors", NULL},
    {REPORT, "json", 'j', NULL, EVERY, "print the report as JSON", NULL},
    {REPORT, "help", 'h', NULL, EVERY, "print this help and exit", NULL},
    {REPORT, "version", 'V', NULL, EVERY,
     "print the version, and which stage is used, and exit", NULL},
};

enum { HOST_OPTION_COUNT = COUNT(host_options) };

const char *command_names(char names[COMMAND_NAMES_SIZE])
{
    names[0] = '\0';
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        message_add_name(names, COMMAND_NAMES_SIZE, command_table[i].name);
    return names;
}

const char *commands_builders(char names[BUILDER_NAMES_SIZE])
{
    names[0] = '\0';
    for (size_t i = 0; known_builders[i].name; i++)
        message_add_name(names, BUILDER_NAMES_SIZE, known_builders[i].name);
    return names;
}

// ---------------------------------------------------------------------------
// The options that a command takes

// Whether a name is one of the words of a text.
static bool commands_is_word_of(const char *text, const char *name)
{
    size_t length = strlen(name);
    if (length == 0)
        return false;
    for (const char *at = text; (at = strstr(at, name)); at += length)
        if ((at == text || at[-1] == ' ') &&
            (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

// "CHOICE": the name of the value of an option of the stage.
static const char *commands_value_of(const struct nbstage_option *option)
{
    if (option->type == NBSTAGE_OPTION_CHOICE ||
        option->type == NBSTAGE_OPTION_FLAG)
        return "CHOICE";
    if (option->type == NBSTAGE_OPTION_LIST)
        return "LIST";
    if (option->type == NBSTAGE_OPTION_INTEGER)
        return "NUMBER";
    return option->form ? option->form : "TEXT";
}

bool commands_is_flag(const struct command_option *option)
{
    return option->of_stage ? option->of_stage->type == NBSTAGE_OPTION_FLAG
                            : option->value == NULL;
}

size_t commands_list_options(enum command command,
                             const struct nbstage_descriptor *stage,
                             struct command_option options[MOST_OPTIONS])
{
    enum { PAST_LETTERS = 256 };
    const char *taken = command_table[command].stage_options;
    size_t count = 0;
    for (size_t i = 0; i < HOST_OPTION_COUNT; i++)
        if (host_options[i].commands & 1u << command)
            options[count++] = host_options[i];
    if (!stage)
        return count;
    for (size_t i = 0; stage->options[i]; i++) {
        const struct nbstage_option *option = stage->options[i];
        if (count == MOST_OPTIONS ||
            (taken && !commands_is_word_of(taken, option->name)))
            continue;
        options[count] = (struct command_option){
            .number = PAST_LETTERS + (int)count,
            .name = option->name,
            .group = option->group,
            .value = commands_value_of(option),
            .help = option->help,
            .of_stage = option,
        };
        count++;
    }
    return count;
}

// ---------------------------------------------------------------------------
// Help

enum { CHOICE_COLUMN = 6, HELP_COLUMN = 26 };

// Prints help, which may be NULL, in its column: behind `width` characters, or
// on the next line if these are too many.
static void commands_print_text(int width, const char *help)
{
    if (width > HELP_COLUMN - 2) {
        putchar('\n');
        width = 0;
    }
    printf("%*s%s", HELP_COLUMN - width, "", help ? help : "");
}

static void commands_print_option(const struct command_option *option)
{
    int width =
        option->of_stage ? printf("  ") : printf("  -%c, ", option->number);
    width += printf("--%s", option->name);
    if (option->value)
        width +=
            printf(commands_is_flag(option) ? "[=%s]" : "=%s", option->value);
    commands_print_text(width, option->help);
    if (option->of_stage)
        printf(" (default: %s)", *option->of_stage->default_value
                                     ? option->of_stage->default_value
                                     : "none");
    putchar('\n');
}

static void commands_print_choice(const char *name, const char *help)
{
    commands_print_text(printf("%*s%s", CHOICE_COLUMN, "", name), help);
    putchar('\n');
}

// Prints the names of choices with commas, in lines indented by `before`.
static void commands_print_names(const struct nbstage_option *option,
                                 int before)
{
    enum { LAST_COLUMN = 79 };
    int column = LAST_COLUMN;
    for (size_t i = 0; i < option->choice_count; i++) {
        const char *name = option->choices[i].name;
        const bool is_last = i + 1 == option->choice_count;
        column += (int)strlen(name) + 2;
        if (column > LAST_COLUMN) {
            column = before + (int)strlen(name) + 1;
            printf("%s%*s", i > 0 ? "\n" : "", before, "");
        } else {
            putchar(' ');
        }
        printf("%s%s", name, is_last ? "\n" : ",");
    }
}

static void commands_print_choices(const struct nbstage_option *option)
{
    for (size_t i = 0; i < option->choice_count; i++)
        commands_print_choice(option->choices[i].name, option->choices[i].help);
    if (option->type == NBSTAGE_OPTION_CHOICE && option->form)
        commands_print_choice(option->form, "a value of this form");
}

enum { MOST_ROWS = 10 }; // of choices, one per line

static void commands_print_hint(const struct command_option *option)
{
    printf("%*s--%s=help explains the names\n", HELP_COLUMN, "", option->name);
}

// Prints the choices of an option one per line or, if there are many, only
// their names.
static void commands_print_values(const struct command_option *option)
{
    const struct nbstage_option *of_stage = option->of_stage;
    char names[BUILDER_NAMES_SIZE];
    if (!of_stage) {
        if (strcmp(option->name, "builder") == 0)
            commands_print_choice("", commands_builders(names));
        return;
    }
    if (of_stage->choice_count <= MOST_ROWS) {
        commands_print_choices(of_stage);
        return;
    }
    commands_print_hint(option);
    commands_print_names(of_stage, CHOICE_COLUMN);
}

// Prints the names of choices or, if there are many, how to list them.
static void commands_print_short_values(const struct command_option *option)
{
    const struct nbstage_option *of_stage = option->of_stage;
    if (of_stage && of_stage->choice_count > MOST_ROWS)
        commands_print_hint(option);
    else if (of_stage)
        commands_print_names(of_stage, HELP_COLUMN);
}

bool commands_explain(const struct nbstage_option *option, const char *value)
{
    if (option->choice_count == 0 || strcmp(value, "help") != 0)
        return false;
    printf("--%s: %s\n", option->name, option->help);
    commands_print_choices(option);
    return true;
}

// Prints options below the headings of their groups.
static void commands_print_groups(const struct command_option *options,
                                  size_t count)
{
    const char *before = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *group = options[i].group;
        if (group && (!before || strcmp(group, before) != 0))
            printf("\n%s:\n", group);
        before = group;
        commands_print_option(&options[i]);
        commands_print_values(&options[i]);
    }
}

static void commands_print_usage(const struct command_entry *entry)
{
    char names[COMMAND_NAMES_SIZE];
    puts(entry->usage);
    printf("Commands, each with a --help of its own: %s.\n",
           command_names(names));
}

void commands_print_short_help(enum command command,
                               const struct nbstage_descriptor *stage)
{
    const struct command_entry *entry = &command_table[command];
    struct command_option options[MOST_OPTIONS];
    const size_t count = commands_list_options(command, stage, options);
    commands_print_usage(entry);
    putchar('\n');
    for (size_t i = 0; i < count; i++)
        if (commands_is_word_of(entry->common_options, options[i].name)) {
            commands_print_option(&options[i]);
            commands_print_short_values(&options[i]);
        }
    printf("\n'blocksweep %s --help' has all options; blocksweep(1) "
           "explains them.\n",
           entry->name);
}

void commands_print_help(enum command command,
                         const struct nbstage_descriptor *stage)
{
    const struct command_entry *entry = &command_table[command];
    struct command_option options[MOST_OPTIONS];
    const size_t own = commands_list_options(command, NULL, options);
    const size_t count = commands_list_options(command, stage, options);
    commands_print_usage(entry);
    commands_print_groups(options, own);
    if (!stage)
        puts("\nThe stage was not found, so its options cannot be shown.");
    else if (command == COMMAND_BUILD)
        printf("\nOptions of the stage %s %s.\n", stage->name, stage->version);
    commands_print_groups(options + own, count - own);
    printf("\nExit status: 0 all done, 1 %s, 2 wrong usage,\n"
           "3 a file could not be read or written, or memory ran out.\n",
           entry->failure);
}
