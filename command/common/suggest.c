// SPDX-License-Identifier: GPL-2.0-or-later
//
// The distance of two words is the Damerau-Levenshtein distance: the least
// number of edits, each an insertion, deletion or replacement of a character or
// a swap of two neighbours.

#include "config.h"

#include "common/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SUGGEST_LONGEST = 32 }; // longer words are not compared

static size_t suggest_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool suggest_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

// distances[i][j] is the distance of the first i characters of a and the first
// j characters of b.
static size_t suggest_distance(const char *a, size_t a_length, const char *b,
                               size_t b_length)
{
    size_t distances[SUGGEST_LONGEST + 1][SUGGEST_LONGEST + 1];
    for (size_t i = 0; i <= a_length; i++)
        distances[i][0] = i;
    for (size_t j = 0; j <= b_length; j++)
        distances[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        for (size_t j = 1; j <= b_length; j++) {
            const size_t replaced =
                distances[i - 1][j - 1] + !suggest_same(a[i - 1], b[j - 1]);
            const size_t added =
                suggest_least(distances[i - 1][j], distances[i][j - 1]) + 1;
            distances[i][j] = suggest_least(replaced, added);
            if (i > 1 && j > 1 && suggest_same(a[i - 1], b[j - 2]) &&
                suggest_same(a[i - 2], b[j - 1]))
                distances[i][j] =
                    suggest_least(distances[i][j], distances[i - 2][j - 2] + 1);
        }
    }
    return distances[a_length][b_length];
}

struct suggestion suggest_begin(const char *word, size_t length)
{
    return (struct suggestion){
        .word = word, .length = length, .distance = (length + 1) / 4 + 1};
}

void suggest_offer(struct suggestion *suggestion, const char *word)
{
    const size_t typed = suggestion->length;
    size_t length = strlen(word);
    if (length == typed && strncmp(word, suggestion->word, length) == 0)
        *suggestion = (struct suggestion){.is_known = true};
    if (suggestion->is_known || typed > SUGGEST_LONGEST ||
        length > SUGGEST_LONGEST)
        return;
    bool continues = typed > 1 && length > typed &&
                     strncasecmp(word, suggestion->word, typed) == 0;
    size_t distance =
        continues ? 0 : suggest_distance(suggestion->word, typed, word, length);
    if (distance >= suggestion->distance)
        return;
    suggestion->nearest = word;
    suggestion->distance = distance;
}

const char *suggest_text(const struct suggestion *suggestion,
                         const char *before, char text[SUGGEST_SIZE])
{
    text[0] = '\0';
    if (suggestion->nearest)
        snprintf(text, SUGGEST_SIZE, "; did you mean %s%s?", before,
                 suggestion->nearest);
    return text;
}
