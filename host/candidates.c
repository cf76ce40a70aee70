// SPDX-License-Identifier: GPL-2.0-or-later
//
// Values come from the stage's choices, from what the host knows, from the
// directory of a WAD file, and from the folders of stages.  Whatever files turn
// out to be, this takes a moment only and tells nothing but candidates.

#include "config.h"

#include "candidates.h"

#include "builder/builder-command.h"
#include "file/maps.h"
#include "plugins/stage-files.h"

#include <stdio.h>
#include <string.h>

// Each line is a whole word: `kept` bytes of what was typed stay.
static void print_candidate(const struct unfinished_value *value, size_t kept,
                            const char *text, const char *help)
{
    printf("%.*s%s\t%s\n", (int)kept, value->word, text, help ? help : "");
}

// Names that come from files are offered only if no shell takes anything in
// them for its own.
static bool is_plain(const char *name)
{
    size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789_-.");
    return length > 0 && name[length] == '\0';
}

static void print_files(const struct unfinished_value *value)
{
    printf("%.*sfiles\n", (int)value->begin, value->word);
}

static void print_choices(const struct unfinished_value *value,
                          const struct nbstage_option *option)
{
    for (size_t i = 0; i < option->choice_count; i++) {
        const struct nbstage_choice *choice =
            NBSTAGE_AT(struct nbstage_choice, option->choices, i);
        print_candidate(value, value->begin, choice->name, choice->help);
    }
}

static void print_builders(const struct unfinished_value *value)
{
    const char *name;
    const char *command;
    for (size_t i = 0; (name = builder_command_known(i, &command)); i++)
        print_candidate(value, value->begin, name, command);
}

// ---------------------------------------------------------------------------
// Maps

static void print_maps_of(const struct unfinished_value *value, size_t kept,
                          const struct wad *wad)
{
    struct map_places maps;
    if (maps_find(wad, &maps) != STATUS_DONE)
        return;
    for (size_t i = 0; i < maps.count; i++) {
        const char *name = wad->lumps[maps.places[i].marker].name;
        if (is_plain(name))
            print_candidate(value, kept, name, "");
    }
    maps_free(&maps);
}

// A list such as "MAP01,MAP04-MAP07" stays up to its last comma or hyphen.
static void print_maps(const struct unfinished_value *value)
{
    size_t kept = value->begin;
    for (size_t i = kept; value->word[i] != '\0'; i++)
        if (value->word[i] == ',' || value->word[i] == '-')
            kept = i + 1;
    struct wad wad;
    if (value->file && wad_read_directory(value->file, &wad)) {
        print_maps_of(value, kept, &wad);
        wad_free(&wad);
    }
}

// ---------------------------------------------------------------------------
// Stages

static void print_stages(const struct unfinished_value *value)
{
    struct stage_files found;
    // If memory runs out there are fewer candidates.
    (void)stage_files_find(&found, DEFAULT_STAGE);
    for (size_t i = 0; i < found.file_count; i++) {
        const struct stage_file *file = &found.files[i];
        if (is_plain(file->name) && !file->is_hidden)
            print_candidate(value, value->begin, file->name, "");
    }
    stage_files_free(&found);
}

// ---------------------------------------------------------------------------

void candidates_print(const struct unfinished_value *value,
                      const struct known_option *option)
{
    if (option->stage) {
        print_choices(value, option->stage);
        return;
    }
    switch (option->host->kind) {
    case VALUE_MAPS:
        print_maps(value);
        break;
    case VALUE_STAGE:
        print_stages(value);
        print_files(value);
        break;
    case VALUE_BUILDER:
        print_builders(value);
        break;
    case VALUE_FILE:
        print_files(value);
        break;
    case VALUE_NONE:
    case VALUE_OTHER:
        break;
    }
}
