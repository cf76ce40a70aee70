// SPDX-License-Identifier: GPL-2.0-or-later
//
// The page has a list with columns for each option.  In the first row are the
// option and its choices, in the others an engine and a word for each choice:
//
//     .It Em header Ta Em zero Ta Em any
//     .It ZDoom family Ta good Ta rebuilds

#include "engine-table.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COLUMNS = 8,
    TEXT_SIZE = 40, // bytes, of a column
};

struct row {
    char text[MOST_COLUMNS][TEXT_SIZE];
    size_t count;
};

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

// Copies text that has to fit.
static void copy(char *to, size_t size, const char *text)
{
    if (strlen(text) >= size)
        ck_abort_msg("'%s' is too long", text);
    strcpy(to, text);
}

// Splits what follows ".It "; overwrites it.
static struct row split_row(char *text)
{
    struct row row = {0};
    for (char *next = text; next; text = next) {
        ck_assert_uint_lt(row.count, MOST_COLUMNS);
        next = strstr(text, " Ta ");
        if (next) {
            *next = '\0';
            next += strlen(" Ta ");
        }
        if (begins_with(text, "Em "))
            text += strlen("Em ");
        copy(row.text[row.count++], TEXT_SIZE, text);
    }
    return row;
}

static void add_cells(struct engine_table *table, const struct row *head,
                      const struct row *row)
{
    if (row->count != head->count)
        ck_abort_msg("%s: a row of %zu columns below one of %zu", row->text[0],
                     row->count, head->count);
    for (size_t c = 1; c < row->count; c++) {
        ck_assert_uint_lt(table->count, ENGINE_TABLE_MOST_CELLS);
        struct engine_table_cell *cell = &table->cell[table->count++];
        copy(cell->engine, sizeof cell->engine, row->text[0]);
        copy(cell->option, sizeof cell->option, head->text[0]);
        copy(cell->choice, sizeof cell->choice, head->text[c]);
        copy(cell->word, sizeof cell->word, row->text[c]);
    }
}

// Reads up to the end of a section that has begun.
static void read_section(FILE *file, struct engine_table *table)
{
    char line[256];
    struct row head = {0}; // of the list that is open
    bool in_list = false;
    while (fgets(line, sizeof line, file) && !begins_with(line, ".Sh ")) {
        line[strcspn(line, "\n")] = '\0';
        if (begins_with(line, ".Bl ")) {
            in_list = begins_with(line, ".Bl -column ");
            head.count = 0;
        }
        if (!in_list || !begins_with(line, ".It "))
            continue;
        struct row row = split_row(line + strlen(".It "));
        if (head.count == 0)
            head = row;
        else
            add_cells(table, &head, &row);
    }
}

struct engine_table engine_table_read(void)
{
    const char *folder = getenv("SOURCE_DIR");
    char path[512];
    snprintf(path, sizeof path, "%s/man/blocksweep-stage.7",
             folder ? folder : ".");
    FILE *file = fopen(path, "r");
    if (!file)
        ck_abort_msg("%s cannot be read; SOURCE_DIR names the sources", path);
    struct engine_table table = {0};
    char line[256];
    while (fgets(line, sizeof line, file))
        if (strcmp(line, ".Sh ENGINES\n") == 0)
            read_section(file, &table);
    fclose(file);
    return table;
}

const char *engine_table_find(const struct engine_table *table,
                              const char *engine, const char *option,
                              const char *choice)
{
    for (size_t c = 0; c < table->count; c++) {
        const struct engine_table_cell *cell = &table->cell[c];
        if (strcmp(cell->engine, engine) == 0 &&
            strcmp(cell->option, option) == 0 &&
            strcmp(cell->choice, choice) == 0)
            return cell->word;
    }
    ck_abort_msg("the page has no word on %s, %s %s", engine, option, choice);
    return NULL;
}
