// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line is split into words as a shell does, but only blanks, quotes
// and backslashes are special.  The paths replace {in} and {out} literally,
// even inside quotes; \{ is not replaced.
//
// The builder gets a temporary folder with an uncompressed copy of the input.
// Its output is read and checked, and the folder is removed.  Signals that end
// the command are held as long as the folder exists.
//
// The output must have all maps of the input, with lines, and all else that
// losses.h lists.

#include "config.h"

#include "build/builder.h"

#include "base/bytes.h"
#include "base/macros.h"
#include "build/losses.h"
#include "common/arguments.h"
#include "common/commands.h"
#include "common/message.h"
#include "common/suggest.h"
#include "nbstage.h"
#include "platform/file.h"
#include "platform/folder.h"
#include "platform/process.h"
#include "platform/system.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---------------------------------------------------------------------------
// The command line

static const char builder_blanks[] = " \t\r\n";

static bool builder_begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

// Copies the path for a {NAME}, if one begins here, and moves both pointers
// past it.  Returns its fault, or NULL.
static const char *builder_copy_path(struct builder *builder, const char **from,
                                     char **to)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const char *path = builder->in;
    if (**from != '{')
        return NULL;
    if (builder_begins(*from, "{in}")) {
        builder->has_in = true;
    } else if (builder_begins(*from, "{out}")) {
        builder->has_out = true;
        path = builder->out;
    } else if ((*from)[1 + strspn(*from + 1, letters)] == '}') {
        return "only {in} and {out} can be in braces";
    } else if (builder_begins(*from, "{in") || builder_begins(*from, "{out")) {
        const char *end = *from + strcspn(*from, " \t\r\n}");
        return *end == '}' ? NULL : "a brace is not closed";
    } else {
        return NULL;
    }
    memcpy(*to, path, strlen(path));
    *to += strlen(path);
    *from = strchr(*from, '}') + 1;
    return NULL;
}

// Copies a word without quotes and backslashes.  Returns its fault, or NULL.
static const char *builder_copy_word(struct builder *builder, const char **from,
                                     char **to)
{
    char quote = '\0';
    while (**from && (quote || !strchr(builder_blanks, **from))) {
        const bool is_quote = !quote && (**from == '\'' || **from == '"');
        if (is_quote || **from == quote) {
            quote = is_quote ? **from : '\0';
            ++*from;
            continue;
        }
        const bool is_escaped = **from == '\\' && quote != '\'';
        if (is_escaped && !*++*from)
            return "it ends with a backslash";
        const char *before = *from;
        const char *fault =
            is_escaped ? NULL : builder_copy_path(builder, from, to);
        if (fault)
            return fault;
        if (*from == before)
            *(*to)++ = *(*from)++;
    }
    *(*to)++ = '\0';
    return quote ? "a quote is not closed" : NULL;
}

// Splits the command line into words, with NULL after the last.  The result is
// one piece of memory, to be freed; NULL if memory runs out.
static char **builder_split(struct builder *builder, const char **fault)
{
    // Upper bounds: a word and the blank after it have at least two characters,
    // {in} and {out} at least four.
    const size_t length = strlen(builder->command);
    const size_t most_words = length / 2 + 2;
    const size_t most_text =
        length + 1 + length / 4 * (strlen(builder->in) + strlen(builder->out));
    const char *from =
        builder->command + strspn(builder->command, builder_blanks);
    char **words = calloc(most_words * sizeof *words + most_text, 1);
    char *to = (char *)(words + most_words);
    *fault = NULL;
    if (!words)
        return NULL;
    for (size_t i = 0; *from; i++) {
        words[i] = to;
        *fault = builder_copy_word(builder, &from, &to);
        if (*fault)
            break;
        from += strspn(from, builder_blanks);
    }
    return words;
}

// Reads a command line, or the name of a known builder.
static enum exit_status builder_parse(struct builder *builder,
                                      const char *given)
{
    const char *fault;
    char names[BUILDER_NAMES_SIZE], text[SUGGEST_SIZE];
    struct suggestion suggestion = suggest_begin(given, strlen(given));
    builder->command = given;
    for (size_t i = 0; known_builders[i].name; i++) {
        suggest_offer(&suggestion, known_builders[i].name);
        if (strcasecmp(known_builders[i].name, given) == 0)
            builder->command = known_builders[i].command;
    }
    builder->words = builder_split(builder, &fault);
    if (!builder->words)
        return message_out_of_memory();
    if (!fault && (!builder->words[0] || !*builder->words[0]))
        fault = "it names no program";
    if (!fault && !builder->has_in)
        fault = "it has no {in}";
    builder->name = builder->words[0];
    if (!fault)
        return STATUS_DONE;
    message_print("option 'builder' does not take '%s': %s; expected a command "
                  "with {in} and {out}, or one of %s%s",
                  given, fault, commands_builders(names),
                  suggest_text(&suggestion, "", text));
    return STATUS_USAGE;
}

// ---------------------------------------------------------------------------
// Running

static enum exit_status builder_write_input(struct builder *builder)
{
    struct wad *input = &builder->input;
    struct output output;
    NEED_DONE(wad_get_all(input));
    bool written = output_open(&output, file_make(builder->in), false);
    if (written) {
        output_write(&output, &(struct file_piece){input->bytes, input->size},
                     1);
        written = output_close(&output);
    }
    if (written)
        return STATUS_DONE;
    message_print("builder %s: its input cannot be written to %s: %s",
                  builder->name, folder_for_temporary(), file_reason(errno));
    return STATUS_FILE;
}

static enum exit_status builder_run_process(struct builder *builder)
{
    struct process *process = &builder->process;
    const char *fault; // stays NULL: builder_parse checked the line
    char **words = builder_split(builder, &fault);
    if (!words)
        return message_out_of_memory();
    process->words = words;
    enum exit_status status = process_run(process);
    free(words);
    builder->seconds = process->seconds;
    if (*process->failure)
        message_print("builder %s: %s", builder->name, process->failure);
    return status;
}

static enum exit_status builder_read_output(struct builder *builder)
{
    const char *path = builder->has_out ? builder->out : builder->in;
    const char *fault = NULL;
    struct file_status file;
    if (!file_find_itself(path, &file))
        fault = "it wrote no file";
    else if (file.kind != FILE_REGULAR)
        fault = "its output is not a regular file";
    else if (file.size == 0)
        fault = "the file that it wrote is empty";
    if (fault) {
        message_print("builder %s: %s", builder->name, fault);
        return STATUS_MAP_FAILED;
    }
    const int descriptor = file_open(path);
    if (descriptor < 0) {
        message_print("builder %s: the file that it wrote cannot be read: %s",
                      builder->name, file_reason(errno));
        return STATUS_MAP_FAILED;
    }
    NEED_DONE(wad_read_open(descriptor, &builder->output, builder->flaw));
    builder->output.path = path;
    return wad_get_all(&builder->output); // processes may still write it
}

static enum exit_status builder_use_folder(struct builder *builder)
{
    NEED_DONE(builder_write_input(builder));
    NEED_DONE(builder_run_process(builder));
    return builder_read_output(builder);
}

// Runs the builder in a temporary folder, and removes the folder.
static enum exit_status builder_run_in_folder(struct builder *builder)
{
    if (!folder_make_temporary(builder->folder, sizeof builder->folder)) {
        message_print("builder %s: cannot create a temporary folder in %s: %s",
                      builder->name, folder_for_temporary(),
                      file_reason(errno));
        return STATUS_FILE;
    }
    snprintf(builder->in, sizeof builder->in, "%s/in.wad", builder->folder);
    snprintf(builder->out, sizeof builder->out, "%s/out.wad", builder->folder);
    const enum exit_status status = builder_use_folder(builder);
    // folder_remove_all needs memory, so the large files are removed first.
    remove(builder->in);
    remove(builder->out);
    if (folder_remove_all(builder->folder))
        return status;
    message_print("builder %s: cannot remove its temporary folder: %s: %s",
                  builder->name, builder->folder, file_reason(errno));
    return STATUS_FILE;
}

// Prints the end of the builder's output; if it was cut, from the first whole
// line on.
static void builder_print_output(const struct process *process)
{
    size_t begin = 0;
    if (process->output_size == 0)
        return;
    if (process->output_is_cut) {
        const char *line = memchr(process->output, '\n', process->output_size);
        if (line)
            begin = (size_t)(line - process->output) + 1;
        fputs("(earlier output omitted)\n", stderr);
    }
    message_write_lines(stderr, process->output + begin,
                        process->output_size - begin);
    if (process->output[process->output_size - 1] != '\n')
        fputc('\n', stderr);
}

// ---------------------------------------------------------------------------
// Checking the output

// Returns the size of a lump; 0 if the map has none of this name.
static size_t builder_lump_size(const struct wad *wad,
                                const struct map_place *map, const char *name)
{
    size_t index = maps_find_lump(wad, map, name);
    return index < map->end ? wad->lumps[index].size : 0;
}

// Checks that a map is whole, and has lines if it had them in the input.
static enum exit_status builder_check_map(struct builder *builder, size_t index)
{
    static const char *const lines[] = {"LINEDEFS", "VERTEXES", "TEXTMAP"};
    const struct wad *wad = &builder->output;
    const struct map_place *map = &wad->maps[index];
    const size_t original = map->partner;
    if (!maps_is_whole(wad, map, builder->flaw))
        return STATUS_MAP_FAILED;
    if (original == NO_MAP)
        return STATUS_DONE;
    for (size_t i = 0; i < COUNT(lines); i++) {
        if (builder_lump_size(wad, map, lines[i]) > 0 ||
            builder_lump_size(&builder->input, &builder->input.maps[original],
                              lines[i]) == 0)
            continue;
        snprintf(builder->flaw, sizeof builder->flaw, "%s: %s is now empty",
                 maps_name(wad, index), lines[i]);
        return STATUS_MAP_FAILED;
    }
    return STATUS_DONE;
}

static enum exit_status builder_check_partners(const struct builder *builder)
{
    const struct wad *input = &builder->input;
    const char *first = NULL; // of the lost maps
    size_t lost = 0;
    for (size_t i = 0; i < input->map_count; i++)
        if (input->maps[i].partner == NO_MAP && lost++ == 0)
            first = maps_name(input, i);
    if (lost == 0)
        return STATUS_DONE;
    message_print("builder %s: the file that it wrote lacks %zu of %zu maps: "
                  "%s%s",
                  builder->name, lost, input->map_count, first,
                  lost > 1 ? ", ..." : "");
    return STATUS_MAP_FAILED;
}

// Notes the maps that the builder did not find.
static void builder_note_unbuilt(struct builder *builder)
{
    const struct wad *input = &builder->input, *output = &builder->output;
    for (size_t i = 0; i < output->map_count; i++) {
        const struct map_place *map = &output->maps[i];
        if (map->partner == NO_MAP ||
            !maps_is_whole(input, &input->maps[map->partner], builder->flaw) ||
            !losses_is_unbuilt(input, &input->maps[map->partner], output, map))
            continue;
        builder->unbuilt_count++;
        message_add_name(builder->unbuilt, sizeof builder->unbuilt,
                         maps_name(output, i));
    }
    builder->flaw[0] = '\0';
}

static enum exit_status builder_check_output(struct builder *builder)
{
    struct wad *output = &builder->output;
    for (size_t i = 0; i < output->lump_count; i++)
        if (!wad_check_lump(output, i, NULL, builder->flaw))
            return STATUS_MAP_FAILED;
    NEED_DONE(maps_find(output));
    NEED_DONE(maps_pair(&builder->input, output, false));
    NEED_DONE(builder_check_partners(builder));
    for (size_t i = 0; i < output->map_count; i++)
        NEED_DONE(builder_check_map(builder, i));
    NEED_DONE(
        losses_check(&builder->input, output, builder->name, builder->flaw));
    builder_note_unbuilt(builder);
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// The builder

enum exit_status builder_run(struct builder *builder, struct wad *wad)
{
    builder->input = *wad;
    *wad = (struct wad){0};
    message_mute(builder->is_trial);
    system_hold_signals();
    enum exit_status status = builder_run_in_folder(builder);
    system_release_signals();
    if (status == STATUS_DONE)
        status = builder_check_output(builder);
    if (status != STATUS_DONE && !builder->is_trial)
        builder_print_output(&builder->process);
    if (*builder->flaw)
        message_print("builder %s: the file that it wrote: %s", builder->name,
                      builder->flaw);
    message_mute(false);
    *wad = builder->output;
    wad->path = builder->input.path;
    if (builder->input.packed_size > 0) // limits what is done with the output
        wad->packed_size = builder->input.packed_size;
    return status;
}

// Whether lists=lump is set, by an option or in --plugin.
static bool builder_takes_lists(const struct arguments *arguments)
{
    static const char option[] = ",lists=";
    const char *value = "";
    const char *at = arguments->plugin ? arguments->plugin : "";
    while ((at = strstr(at, option)))
        value = at += strlen(option);
    for (size_t i = 0; i < arguments->setting_count; i++)
        if (strcmp(arguments->settings[i].name, "lists") == 0)
            value = arguments->settings[i].value;
    return builder_begins(value, "lump");
}

static struct nbstage_lump *builder_find_lump(struct nbstage_lump *lumps,
                                              size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(lumps[i].name, name) == 0)
            return &lumps[i];
    return NULL;
}

// Returns a lump of a map of the input; it is empty if no lump has this name.
static struct nbstage_lump builder_old_lump(const struct wad *input,
                                            const struct map_place *map,
                                            const char *name)
{
    struct nbstage_lump lump = {.name = name};
    char flaw[WAD_FLAW_SIZE];
    const size_t index = maps_find_lump(input, map, name);
    if (index < map->end && wad_check_lump(input, index, NULL, flaw)) {
        lump.data = input->bytes + input->lumps[index].position;
        lump.data_size = input->lumps[index].size;
    }
    return lump;
}

// Returns the coordinates of a vertex, 4 bytes; NULL if there is no such
// vertex.
static const void *builder_find_vertex(const struct nbstage_lump *vertices,
                                       const unsigned char *number)
{
    const size_t place = 4 * (size_t)bytes_get_u16(number);
    return vertices && place + 4 <= vertices->data_size
               ? (const unsigned char *)vertices->data + place
               : NULL;
}

// Whether the coordinates of all linedefs are unchanged.  Builders renumber
// vertices, so these are looked up.  False for UDMF and Doom 64 maps.
static bool builder_kept_lines(const struct wad *input,
                               const struct map_place *old,
                               struct nbstage_lump *lumps, size_t count)
{
    const size_t size = builder_find_lump(lumps, count, "BEHAVIOR") ? 16 : 14;
    const struct nbstage_lump old_lines =
        builder_old_lump(input, old, "LINEDEFS");
    const struct nbstage_lump old_vertices =
        builder_old_lump(input, old, "VERTEXES");
    const struct nbstage_lump *lines =
        builder_find_lump(lumps, count, "LINEDEFS");
    const struct nbstage_lump *vertices =
        builder_find_lump(lumps, count, "VERTEXES");
    if (!lines || lines->data_size != old_lines.data_size ||
        builder_find_lump(lumps, count, "LEAFS"))
        return false;
    for (size_t at = 0; at + size <= lines->data_size; at += size)
        for (size_t end = at; end <= at + 2; end += 2) {
            const void *vertex = builder_find_vertex(
                vertices, (const unsigned char *)lines->data + end);
            const void *before = builder_find_vertex(
                &old_vertices, (const unsigned char *)old_lines.data + end);
            if (!vertex || !before || memcmp(vertex, before, 4) != 0)
                return false;
        }
    return true;
}

// Demos depend on the grid of the old lump.  If the linedefs have changed, its
// lists are wrong, and only the grid is kept.
struct builder_old builder_take_old_blockmap(const struct builder *builder,
                                             const struct map_place *map,
                                             struct nbstage_lump *lumps,
                                             size_t *count)
{
    enum { GRID_SIZE = 24 }; // bytes; they hold the grid in every form
    const struct wad *input = &builder->input;
    struct nbstage_lump *present = builder_find_lump(lumps, *count, "BLOCKMAP");
    struct builder_old old = {.lump = {.name = "BLOCKMAP"}, .has_lists = true};
    if (map->partner != NO_MAP)
        old.lump =
            builder_old_lump(input, &input->maps[map->partner], "BLOCKMAP");
    if (old.lump.data_size == 0) {
        if (present)
            old.lump = *present;
        return old;
    }
    old.has_lists =
        builder_kept_lines(input, &input->maps[map->partner], lumps, *count);
    if (builder_takes_lists(builder->arguments)) // those of the builder
        return old;
    if (!present) // the builder wrote none
        present = &lumps[(*count)++];
    *present = old.lump;
    if (!old.has_lists && present->data_size > GRID_SIZE)
        present->data_size = GRID_SIZE;
    return old;
}

enum exit_status builder_read(struct builder *builder,
                              const struct arguments *arguments)
{
    enum { MOST_DIGITS = 9 };
    const char *seconds =
        arguments->builder_timeout ? arguments->builder_timeout : "3600";
    const size_t digits = strspn(seconds, "0123456789");
    *builder = (struct builder){.arguments = arguments};
    if (digits == 0 || digits > MOST_DIGITS || seconds[digits]) {
        message_print("option 'builder-timeout' does not take '%s'; expected 0 "
                      "to 999999999 seconds",
                      seconds);
        return STATUS_USAGE;
    }
    builder->process.shown = arguments->verbose;
    builder->process.seconds_allowed = (unsigned)strtoul(seconds, NULL, 10);
    return builder_parse(builder, arguments->builder);
}

void builder_free(struct builder *builder)
{
    free(builder->words);
    wad_free(&builder->input);
}
