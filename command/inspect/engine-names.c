// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "inspect/engine-names.h"

#include "common/message.h"
#include "inspect/memory.h"
#include "lump/engines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    NAMES_MOST = 64,       // of all rows
    NAMES_LEVEL_SIZE = 80, // all levels of an engine
};

struct engine_name {
    const char *begin;
    int length;
    engine_set rows; // of all its levels
};

// Splits the names of a row; returns the rest, or NULL after the last one.
static const char *name_split(const char *names, struct engine_name *name)
{
    const char *comma = strchr(names, ',');
    name->begin = names;
    name->length = (int)(comma ? comma - names : (ptrdiff_t)strlen(names));
    return comma ? comma + strlen(", ") : NULL;
}

static bool name_is_same(const struct engine_name *a,
                         const struct engine_name *b)
{
    return a->length == b->length &&
           memcmp(a->begin, b->begin, (size_t)a->length) == 0;
}

// Lists the names of all engines, each once.
static size_t names_list(struct engine_name names[NAMES_MOST])
{
    size_t count = 0;
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        const char *rest = engine_table[e].name;
        while (rest && count < NAMES_MOST) {
            struct engine_name name = {.rows = 0};
            size_t n = 0;
            rest = name_split(rest, &name);
            while (n < count && !name_is_same(&names[n], &name))
                n++;
            if (n == count)
                names[count++] = name;
            names[n].rows |= ENGINE_BIT(e);
        }
    }
    return count;
}

// Writes the levels of a name that are in a set: " (vanilla, MBF21)"; nothing
// if all are.
static void name_write_levels(const struct engine_name *name,
                              engine_set engines, char text[NAMES_LEVEL_SIZE])
{
    size_t length = 0;
    text[0] = '\0';
    if ((name->rows & ~engines) == 0)
        return;
    for (size_t e = 0; e < ENGINE_COUNT; e++)
        if (name->rows & engines & ENGINE_BIT(e) && length < NAMES_LEVEL_SIZE)
            length += (size_t)snprintf(text + length, NAMES_LEVEL_SIZE - length,
                                       "%s%s", length > 0 ? ", " : " (",
                                       engine_table[e].level);
    if (length < NAMES_LEVEL_SIZE)
        snprintf(text + length, NAMES_LEVEL_SIZE - length, ")");
}

// Names with the same levels stand together, where the first of them is.
void engine_names_write(engine_set engines, char *text, size_t size)
{
    struct engine_name names[NAMES_MOST];
    char levels[NAMES_MOST][NAMES_LEVEL_SIZE];
    const size_t count = names_list(names);
    size_t length = 0;
    text[0] = '\0';
    for (size_t n = 0; n < count; n++)
        name_write_levels(&names[n], engines, levels[n]);
    for (size_t first = 0; first < count; first++) {
        const char *before = length > 0 ? "; " : "";
        const char *level = levels[first];
        for (size_t n = first; n < count && length < size; n++) {
            if ((names[n].rows & engines) == 0 || strcmp(levels[n], level) != 0)
                continue;
            length += (size_t)snprintf(text + length, size - length, "%s%.*s",
                                       before, names[n].length, names[n].begin);
            before = ", ";
            names[n].rows = 0; // written
        }
        if (strcmp(before, ", ") == 0 && length < size)
            length +=
                (size_t)snprintf(text + length, size - length, "%s", level);
    }
}

void engine_names_add(engine_set engines, struct sentences *names)
{
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        const struct engine *engine = &engine_table[e];
        const char *rest = engines & ENGINE_BIT(e) ? engine->name : NULL;
        while (rest) {
            struct engine_name name;
            char text[NAMES_LEVEL_SIZE];
            rest = name_split(rest, &name);
            snprintf(text, sizeof text, "%.*s%s%s%s", name.length, name.begin,
                     engine->level ? " (" : "",
                     engine->level ? engine->level : "",
                     engine->level ? ")" : "");
            if (!sentences_add(names, text))
                memory_ran_out();
        }
    }
}
