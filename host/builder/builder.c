// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line is split into words as a shell does, with nothing special
// but blanks, quotes and backslashes.  {in} and {out} are filled in afterwards,
// so that paths may contain anything.
//
// The builder gets a temporary folder with a copy of the input in it, as a
// plain WAD.  What it writes there is read and checked, and the folder is
// removed.  Signals that end the command are held from before the folder is
// made until after it is removed, so sentences are kept and printed later.
//
// Each map of the input must have a partner of its name in the file that the
// builder wrote, with the lines that it had.

#include "config.h"

#include "commands.h"

#include "build/build.h"
#include "platform/folder.h"
#include "platform/process.h"
#include "platform/system.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

// One run of the builder.
struct builder_run {
    const char *line; // with {in} and {out}
    char **words;     // of the line, without its quotes, then NULL
    bool has_out;     // else the builder writes over {in}
    struct process process;

    const struct wad *input;
    struct built_file *built;

    char folder[PATH_SIZE];
    char in[PATH_SIZE + 8]; // files in it
    char out[PATH_SIZE + 8];

    // What failed, as a sentence about the builder, or what is wrong with the
    // file that it wrote.
    char sentence[2048];
    char flaw[WAD_FLAW_SIZE];
};

PRINTF_LIKE(3, 4)
static enum exit_status fail(struct builder_run *run, enum exit_status status,
                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->sentence, sizeof run->sentence, format, arguments);
    va_end(arguments);
    return status;
}

// ---------------------------------------------------------------------------
// The command line

static const char blanks[] = " \t\r\n";

// Copies a word without its quotes and backslashes, and moves both pointers
// past it.  Returns what is wrong with it, or NULL.
static const char *copy_word(const char **from, char **to)
{
    char quote = '\0';
    for (; **from && (quote || !strchr(blanks, **from)); (*from)++) {
        if (!quote && (**from == '\'' || **from == '"')) {
            quote = **from;
            continue;
        }
        if (**from == quote) {
            quote = '\0';
            continue;
        }
        if (**from == '\\' && quote != '\'' && !*++*from)
            return "it ends with a backslash";
        *(*to)++ = **from;
    }
    *(*to)++ = '\0';
    return quote ? "a quote is not closed" : NULL;
}

// Splits the line into words, whose text begins at `to`.
static const char *split_words(struct builder_run *run, char *to)
{
    const char *from = run->line + strspn(run->line, blanks);
    for (size_t i = 0; *from; i++) {
        run->words[i] = to;
        const char *fault = copy_word(&from, &to);
        if (fault)
            return fault;
        from += strspn(from, blanks);
    }
    return run->words[0] && *run->words[0] ? NULL : "it names no program";
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static const char *find_placeholders(struct builder_run *run)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    bool has_in = false;
    for (char **word = run->words; *word; word++) {
        for (const char *at = *word; (at = strchr(at, '{')); at++) {
            if (begins_with(at, "{in}"))
                has_in = true;
            else if (begins_with(at, "{out}"))
                run->has_out = true;
            else if (at[1 + strspn(at + 1, letters)] == '}')
                return "nothing but {in} and {out} can be in braces";
        }
    }
    return has_in ? NULL : "it has no {in}";
}

// Reads a command line, or the name of a known builder in place of one.
// STATUS_USAGE with a message if it has no {in} or is wrong otherwise.
static enum exit_status parse_command(struct builder_run *run,
                                      const char *given)
{
    run->line = given;
    for (size_t i = 0; known_builders[i].name; i++)
        if (strcasecmp(known_builders[i].name, given) == 0)
            run->line = known_builders[i].help;
    // A word and the blank after it have two characters at least.
    size_t length = strlen(run->line);
    size_t most_words = length / 2 + 2;
    run->words = calloc(most_words * sizeof *run->words + length + 1, 1);
    if (!run->words)
        return message_out_of_memory();
    const char *fault = split_words(run, (char *)(run->words + most_words));
    if (!fault)
        fault = find_placeholders(run);
    if (!fault)
        return STATUS_DONE;
    char names[HOST_CHOICES_SIZE];
    options_list_choices(known_builders, names);
    message_print("option 'builder' does not take '%s': %s; expected a command "
                  "with {in} and {out}, or one of %s",
                  given, fault, names);
    return STATUS_USAGE;
}

// Copies a word with paths in place of the placeholders.  Returns the end of
// the copy.
static char *fill_in_word(char *to, const char *word, const char *in,
                          const char *out)
{
    while (*word) {
        const char *path = begins_with(word, "{in}")    ? in
                           : begins_with(word, "{out}") ? out
                                                        : NULL;
        if (path) {
            memcpy(to, path, strlen(path));
            to += strlen(path);
            word = strchr(word, '}') + 1;
        } else {
            *to++ = *word++;
        }
    }
    *to++ = '\0';
    return to;
}

// The words with paths in place of {in} and {out}, then NULL, in one piece of
// memory to be freed; NULL if memory runs out.
static char **fill_in_words(const struct builder_run *run)
{
    // A placeholder has four characters at least.
    size_t most_growth = (strlen(run->in) + strlen(run->out)) / 4 + 1;
    size_t count = 0;
    size_t length = 0;
    for (; run->words[count]; count++)
        length += strlen(run->words[count]) * most_growth + 1;
    char **words = malloc((count + 1) * sizeof *words + length);
    if (!words)
        return NULL;
    char *to = (char *)(words + count + 1);
    for (size_t i = 0; i < count; i++) {
        words[i] = to;
        to = fill_in_word(to, run->words[i], run->in, run->out);
    }
    words[count] = NULL;
    return words;
}

// ---------------------------------------------------------------------------
// Running

static enum exit_status write_input(struct builder_run *run)
{
    const struct wad *input = run->input;
    struct wad_piece all = {.bytes = input->bytes, .size = input->size};
    char flaw[WAD_FLAW_SIZE];
    struct output output = {.descriptor = file_make(run->in)};
    bool is_open = output.descriptor >= 0;
    if (is_open && !wad_write_pieces(input, &output, &all, 1, flaw)) {
        close(output.descriptor);
        message_print("%s: %s", input->path, flaw);
        return STATUS_FILE;
    }
    if ((!is_open || close(output.descriptor) != 0) && !output.error)
        output.error = errno;
    if (!output.error)
        return STATUS_DONE;
    return fail(run, STATUS_FILE, "its input cannot be written to %s: %s",
                folder_for_temporary(), file_reason(output.error));
}

static enum exit_status run_process(struct builder_run *run)
{
    struct process *process = &run->process;
    char **words = fill_in_words(run);
    if (!words)
        return message_out_of_memory();
    process->words = words;
    enum exit_status status = process_run(process);
    free(words);
    run->built->seconds = process->seconds;
    return *process->failure ? fail(run, status, "%s", process->failure)
                             : status;
}

// Prints the end of what the builder printed, from the beginning of a line if
// there is one.
static void print_output(const struct process *process)
{
    size_t begin = 0;
    if (process->output_size == 0)
        return;
    if (process->output_left_out > 0) {
        const char *line = memchr(process->output, '\n', process->output_size);
        if (line)
            begin = (size_t)(line - process->output) + 1;
        fprintf(stderr, "(%zu bytes before this are left out)\n",
                process->output_left_out + begin);
    }
    message_write_lines(stderr, process->output + begin,
                        process->output_size - begin);
    if (process->output[process->output_size - 1] != '\n')
        fputc('\n', stderr);
}

// ---------------------------------------------------------------------------
// Checking what it wrote

static enum exit_status read_output(struct builder_run *run)
{
    const char *path = run->has_out ? run->out : run->in;
    struct file_status file;
    if (!file_find_itself(path, &file))
        return fail(run, STATUS_MAP_FAILED, "it wrote no file");
    if (file.kind != FILE_REGULAR)
        return fail(run, STATUS_MAP_FAILED,
                    "what it wrote is not a regular file");
    if (file.size == 0)
        return fail(run, STATUS_MAP_FAILED, "the file that it wrote is empty");
    if (file.size > INT32_MAX)
        return fail(run, STATUS_MAP_FAILED,
                    "the file that it wrote has %llu bytes, which no WAD has",
                    (unsigned long long)file.size);
    int descriptor = file_open(path);
    if (descriptor < 0)
        return fail(run, STATUS_MAP_FAILED,
                    "the file that it wrote cannot be read: %s",
                    file_reason(errno));
    return wad_read_open(descriptor, &run->built->wad, run->flaw);
}

static enum exit_status check_lumps(struct builder_run *run)
{
    const struct wad *wad = &run->built->wad;
    for (size_t i = 0; i < wad->lump_count; i++) {
        if (wad_lump_is_whole(wad, i))
            continue;
        wad_describe_cut_lump(wad, i, NULL, run->flaw);
        return STATUS_MAP_FAILED;
    }
    return STATUS_DONE;
}

static const char *name_of_map(const struct wad *wad,
                               const struct map_place *place)
{
    return wad->lumps[place->marker].name;
}

static enum exit_status check_maps(struct builder_run *run,
                                   const struct map_pairs *pairs)
{
    size_t lost = 0;
    size_t first = 0;
    for (size_t i = run->input->map_count; i-- > 0;) {
        if (pairs->of_old[i] != NO_MAP)
            continue;
        lost++;
        first = i;
    }
    if (lost == 0)
        return STATUS_DONE;
    return fail(run, STATUS_MAP_FAILED,
                "the file that it wrote lacks %zu of %zu maps: %s%s", lost,
                run->input->map_count,
                name_of_map(run->input, &run->input->maps[first]),
                lost > 1 ? ", ..." : "");
}

static bool has_bytes(const struct wad *wad, const struct map_place *map,
                      const char *name)
{
    size_t index = maps_find_lump(wad, map, name);
    return index < map->end && wad->lumps[index].size > 0;
}

// Checks that a map is whole, and has the lines that it had in the input.
static enum exit_status check_map(struct builder_run *run, size_t index,
                                  size_t original)
{
    static const char *const lines[] = {"LINEDEFS", "VERTEXES", "TEXTMAP"};
    const struct wad *wad = &run->built->wad;
    const struct map_place *map = &wad->maps[index];
    if (!maps_is_whole(wad, map, run->flaw))
        return STATUS_MAP_FAILED;
    for (size_t i = 0; original != NO_MAP && i < 3; i++) {
        if (has_bytes(wad, map, lines[i]) ||
            !has_bytes(run->input, &run->input->maps[original], lines[i]))
            continue;
        snprintf(run->flaw, sizeof run->flaw,
                 "%s: %s is empty, which it was not before",
                 name_of_map(wad, map), lines[i]);
        return STATUS_MAP_FAILED;
    }
    return STATUS_DONE;
}

static enum exit_status check_output(struct builder_run *run)
{
    struct built_file *built = run->built;
    struct map_pairs pairs = {0};
    enum exit_status status = check_lumps(run);
    if (status == STATUS_DONE)
        status = maps_find(&built->wad);
    if (status == STATUS_DONE)
        status = maps_pair(run->input, &built->wad, false, &pairs);
    if (status == STATUS_DONE)
        status = check_maps(run, &pairs);
    for (size_t i = 0; status == STATUS_DONE && i < built->wad.map_count; i++)
        status = check_map(run, i, pairs.of_new[i]);
    if (status == STATUS_DONE) {
        built->originals = pairs.of_new;
        pairs.of_new = NULL;
    }
    maps_free_pairs(&pairs);
    return status;
}

// ---------------------------------------------------------------------------
// The step

static enum exit_status run_in_folder(struct builder_run *run)
{
    snprintf(run->in, sizeof run->in, "%s/in.wad", run->folder);
    snprintf(run->out, sizeof run->out, "%s/out.wad", run->folder);
    enum exit_status status = write_input(run);
    if (status == STATUS_DONE)
        status = run_process(run);
    if (status == STATUS_DONE)
        status = read_output(run);
    // No memory is needed to remove these.
    remove(run->in);
    remove(run->out);
    if (!folder_remove_all(run->folder))
        status = fail(run, STATUS_FILE,
                      "the folder of its files cannot be removed: %s: %s",
                      run->folder, file_reason(errno));
    return status;
}

static enum exit_status run_in_new_folder(struct builder_run *run)
{
    enum exit_status status;
    signals_hold();
    if (folder_make_temporary(run->folder, sizeof run->folder))
        status = run_in_folder(run);
    else
        status = fail(run, STATUS_FILE,
                      "no folder for its files can be made in %s: %s",
                      folder_for_temporary(), file_reason(errno));
    signals_release();
    return status;
}

static enum exit_status run_step(const struct build_step *step,
                                 const struct wad *input,
                                 struct built_file *built)
{
    struct builder_run *run = step->context;
    run->input = input;
    run->built = built;
    enum exit_status status = run_in_new_folder(run);
    if (status == STATUS_DONE)
        status = check_output(run);
    if (status != STATUS_DONE)
        print_output(&run->process);
    if (*run->flaw)
        message_print("builder %s: the file that it wrote: %s", step->name,
                      run->flaw);
    if (*run->sentence)
        message_print("builder %s: %s", step->name, run->sentence);
    return status;
}

enum exit_status builder_build(const struct arguments *arguments,
                               const struct nbstage *stage)
{
    enum { MOST_SECONDS = 999999999 };
    struct builder_run run = {
        .process = {.shown = arguments->verbose, .seconds_allowed = 3600}};
    enum exit_status status =
        arguments_number("builder-timeout", arguments->builder_timeout,
                         MOST_SECONDS, "seconds", &run.process.seconds_allowed);
    if (status == STATUS_DONE)
        status = parse_command(&run, arguments->builder);
    if (status == STATUS_DONE) {
        struct build_step step = {
            .name = run.words[0],
            .command = run.line,
            .run = run_step,
            .context = &run,
        };
        status = build_run(arguments, stage, &step);
    }
    free(run.words);
    return status;
}
