// SPDX-License-Identifier: GPL-2.0-or-later
//
// Help is made from the tables of options, those of the stage included.

#include "config.h"

#include "help.h"

#include "builder-command.h"
#include "option-tables.h"

#include <stdio.h>
#include <string.h>

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
    if (option->kind == VALUE_BUILDER) {
        char names[BUILDER_NAMES_SIZE];
        builder_command_list_names(names, sizeof names);
        printf("%*s%s\n", HELP_COLUMN, "", names);
    }
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
    if (option_is_flag(option))
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

void help_print(enum command command, const struct nbstage *stage)
{
    const struct command_entry *entry = &command_table[command];
    char names[COMMAND_NAMES_SIZE];
    puts(entry->usage);
    printf("Commands, each with a --help of its own: %s.\n\n",
           command_names(names));
    struct known_option option;
    size_t i = 0;
    for (; option_tables_get(command, NULL, i, &option); i++)
        print_host_option(option.host);
    bool takes_any = !entry->stage_options || *entry->stage_options;
    if (stage && takes_any)
        printf("\nOptions of the stage %s %s:\n", stage->descriptor->name,
               stage->descriptor->version);
    else if (takes_any)
        puts("\nThe stage was not found, so its options cannot be shown.");
    for (; option_tables_get(command, stage, i, &option); i++)
        print_stage_option(option.stage);
    printf("\nExit status: 0 all done, 1 %s, 2 wrong usage,\n"
           "3 a file could not be read or written.\n",
           entry->failure);
}

void help_print_version(void)
{
    puts(PACKAGE_STRING
         "\n"
         "License GPL-2.0-or-later: GNU GPL version 2 or later "
         "<https://gnu.org/licenses/gpl.html>.\n"
         "This is free software: you are free to change and redistribute it.\n"
         "There is NO WARRANTY, to the extent permitted by law.");
}
