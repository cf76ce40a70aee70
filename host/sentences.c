// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "sentences.h"

#include <stdlib.h>
#include <string.h>

bool sentences_add(struct sentences *sentences, const char *sentence)
{
    char **more =
        realloc(sentences->sentence, (sentences->count + 1) * sizeof *more);
    char *copy = strdup(sentence);
    if (more)
        sentences->sentence = more;
    if (more && copy)
        sentences->sentence[sentences->count++] = copy;
    else
        free(copy);
    return more && copy;
}

void sentences_free(struct sentences *sentences)
{
    for (size_t i = 0; i < sentences->count; i++)
        free(sentences->sentence[i]);
    free(sentences->sentence);
    *sentences = (struct sentences){0};
}
