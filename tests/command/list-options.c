// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prints the options in the descriptor of a stage, as `list_options` of
// library.sh finds them in --help: "stage NAME", and "choice NAME CHOICE" for
// each of its choices and for its form.

#include "nbstage-host.h"

#include <stdio.h>

static void print_option(const struct nbstage_option *option)
{
    printf("stage %s\n", option->name);
    for (size_t i = 0; i < option->choice_count; i++)
        printf("choice %s %s\n", option->name,
               NBSTAGE_AT(struct nbstage_choice, option->choices, i)->name);
    if (option->type == NBSTAGE_OPTION_CHOICE && option->form)
        printf("choice %s %s\n", option->name, option->form);
    if (option->type == NBSTAGE_OPTION_INTEGER)
        printf("choice %s NUMBER\n", option->name);
}

int main(int argc, char **argv)
{
    static struct nbstage stage;
    if (argc != 2) {
        fputs("usage: list-options STAGE\n", stderr);
        return 2;
    }
    if (!nbstage_find(&stage, argv[1], NULL, "BLOCKMAP")) {
        fprintf(stderr, "%s\n", stage.error);
        return 2;
    }
    for (size_t i = 0; i < stage.descriptor->option_count; i++)
        print_option(
            NBSTAGE_AT(struct nbstage_option, stage.descriptor->options, i));
    nbstage_close(&stage);
    return 0;
}
