// SPDX-License-Identifier: GPL-2.0-or-later
//
// Help is made from the tables of options, those of the stage included.

#include "config.h"

#include "help.h"

#include "builder/builder-command.h"
#include "option-tables.h"

#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 26 };

// Prints help, NULL if there is none, behind what is on the left, `width`
// characters, or below it.
static void print_help(int width, const char *help)
{
    if (width > HELP_COLUMN - 2) {
        putchar('\n');
        width = 0;
    }
    printf("%*s%s", HELP_COLUMN - width, "", help ? help : "");
}

static void print_host_option(const struct host_option *option)
{
    int width =
        printf("  -%c, --%s%s%s", option->letter, option->name,
               option->value ? "=" : "", option->value ? option->value : "");
    print_help(width, option->help);
    putchar('\n');
    if (option->kind == VALUE_BUILDER) {
        char names[BUILDER_NAMES_SIZE];
        builder_command_list_names(names, sizeof names);
        print_help(0, names);
        putchar('\n');
    }
}

static void print_choice(const char *name, const char *help)
{
    print_help(printf("      %s", name), help);
    putchar('\n');
}

static void print_choices(const struct nbstage_option *option)
{
    for (size_t i = 0; i < option->choice_count; i++) {
        const struct nbstage_choice *choice =
            NBSTAGE_AT(struct nbstage_choice, option->choices, i);
        print_choice(choice->name, choice->help);
    }
    if (option->type == NBSTAGE_OPTION_CHOICE && option->form)
        print_choice(option->form, "a value of this form");
}

// "CHOICE": what stands for the value of an option.
static const char *value_of(const struct nbstage_option *option)
{
    if (option->type == NBSTAGE_OPTION_CHOICE || option_is_flag(option))
        return "CHOICE";
    if (option->type == NBSTAGE_OPTION_INTEGER)
        return "NUMBER";
    return option->form ? option->form : "TEXT";
}

static void print_stage_option(const struct nbstage_option *option)
{
    int width = printf(option_is_flag(option) ? "  --%s[=%s]" : "  --%s=%s",
                       option->name, value_of(option));
    print_help(width, option->help);
    printf(" (default: %s)\n",
           option->default_value ? option->default_value : "none");
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
    if (stage)
        printf("\nOptions of the stage %s %s:\n", stage->descriptor->name,
               stage->descriptor->version);
    else if (entry->needs_stage)
        puts("\nThe stage was not found, so its options cannot be shown.");
    for (; option_tables_get(command, stage, i, &option); i++)
        print_stage_option(option.stage);
    printf("\nExit status: 0 all done, 1 %s, 2 wrong usage,\n"
           "3 a file could not be read or written, or memory ran out.\n",
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
