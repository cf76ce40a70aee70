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
        printf("choice %s %s\n", option->name, option->choices[i].name);
    if (option->type == NBSTAGE_OPTION_CHOICE && option->form)
        printf("choice %s %s\n", option->name, option->form);
    if (option->type == NBSTAGE_OPTION_INTEGER)
        printf("choice %s NUMBER\n", option->name);
}

// The kit would warn that the stage is not used.
static void NBSTAGE_CALL ignore(void *context, int32_t level, const char *text)
{
    (void)context;
    (void)level;
    (void)text;
}

int main(int argc, char **argv)
{
    static struct nbstage stage = {.host.log = ignore};
    if (argc != 2) {
        fputs("usage: list-options STAGE\n", stderr);
        return 2;
    }
    if (!nbstage_open(&stage, argv[1], NULL, "BLOCKMAP")) {
        fprintf(stderr, "%s\n", stage.error);
        return 2;
    }
    for (size_t i = 0; stage.descriptor->options[i]; i++)
        print_option(stage.descriptor->options[i]);
    nbstage_close(&stage);
    return 0;
}
