// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prints the options in the descriptor of a stage, as `list_options` of
// library.sh finds them in --help: "stage NAME", and "choice NAME CHOICE" for
// each of its choices and for its form.

#include "nbstage.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const struct nbstage_descriptor *load_stage(const char *path)
{
    nbstage_describe_function describe = NULL;
    void *library = dlopen(path, RTLD_NOW);
    void *symbol = library ? dlsym(library, NBSTAGE_SYMBOL) : NULL;
    if (symbol)
        memcpy(&describe, &symbol, sizeof describe);
    return describe ? describe(NBSTAGE_ABI) : NULL;
}

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
    const struct nbstage_descriptor *stage =
        argc == 2 ? load_stage(argv[1]) : NULL;
    if (!stage) {
        fputs("usage: list-options STAGE\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < stage->option_count; i++)
        print_option(NBSTAGE_AT(struct nbstage_option, stage->options, i));
    return 0;
}
