// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds each file of a command line by itself, several at a time if that is
// asked for.  A file that cannot be read or written, or whose maps fail, does
// not keep the others from being built.

#include "config.h"

#include "build/build.h"
#include "commands.h"
#include "file/replace-file.h"
#include "memory.h"
#include "platform/location.h"
#include "platform/workers.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// What became of all files.
struct outcome {
    enum exit_status worst;
    size_t failed; // files with a status of their own
    char names[1024];
};

struct files {
    const struct arguments *arguments;
    const struct nbstage *stage;
    bool into_folder;
    bool differ_in_case; // only, some of their names in the folder
    unsigned threads;    // for each of them
    struct outcome outcome;
};

static bool is_folder(const char *path)
{
    struct file_status status;
    return file_find(path, &status) && status.kind == FILE_FOLDER;
}

// The path of a file in the folder; to be freed.
static char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    size_t size = length + strlen(name) + sizeof "/";
    bool has_slash = length > 0 && !*file_base(folder);
    char *path = memory_get(size, 1);
    snprintf(path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
    return path;
}

// What a file is written to; to be freed.
static char *find_output(const struct files *files, size_t index)
{
    const char *input = files->arguments->files[index];
    const char *output = files->arguments->output;
    return files->into_folder ? join(output, file_base(input))
                              : memory_copy_text(output ? output : input);
}

// By name without case, by name, and then in the order of the command line.
static int compare_names(const void *a, const void *b)
{
    char *const *left = *(char *const *const *)a;
    char *const *right = *(char *const *const *)b;
    int order = strcasecmp(file_base(*left), file_base(*right));
    if (order == 0)
        order = strcmp(file_base(*left), file_base(*right));
    return order != 0 ? order : (left > right) - (left < right);
}

static enum exit_status check_equal_names(struct files *files)
{
    const struct arguments *arguments = files->arguments;
    const size_t count = arguments->file_count;
    enum exit_status status = STATUS_DONE;
    char *const **paths = memory_get(count, sizeof *paths);
    for (size_t i = 0; i < count; i++)
        paths[i] = &arguments->files[i];
    qsort(paths, count, sizeof *paths, compare_names);
    for (size_t i = 1; i < count && status == STATUS_DONE; i++) {
        const char *before = file_base(*paths[i - 1]);
        const char *name = file_base(*paths[i]);
        files->differ_in_case |= strcasecmp(before, name) == 0;
        if (strcmp(before, name) != 0)
            continue;
        message_print("'%s' and '%s' would both be %s in %s", *paths[i - 1],
                      *paths[i], name, arguments->output);
        status = STATUS_USAGE;
    }
    free(paths);
    return status;
}

// Files in one folder must have different names, and not be their inputs.
static enum exit_status check_names(struct files *files)
{
    const struct arguments *arguments = files->arguments;
    for (size_t i = 0; i < arguments->file_count; i++) {
        if (strcmp(arguments->files[i], "-") == 0) {
            message_print("standard input has no name for a file in %s",
                          arguments->output);
            return STATUS_USAGE;
        }
        char *output = join(arguments->output, file_base(arguments->files[i]));
        bool is_input = location_is_same(output, arguments->files[i]);
        free(output);
        if (is_input) {
            message_print("'%s' is in the folder %s already; --in-place writes "
                          "over the input",
                          arguments->files[i], arguments->output);
            return STATUS_USAGE;
        }
    }
    return check_equal_names(files);
}

static void add_outcome(struct outcome *outcome, const char *path,
                        enum exit_status status)
{
    size_t length = strlen(outcome->names);
    if (status > outcome->worst)
        outcome->worst = status;
    if (status == STATUS_DONE)
        return;
    outcome->failed++;
    const char *name = path;
    if (length + strlen(path) + sizeof ", , ..." > sizeof outcome->names)
        name = "...";
    if (length < 3 || strcmp(outcome->names + length - 3, "...") != 0)
        snprintf(outcome->names + length, sizeof outcome->names - length,
                 "%s%s", length ? ", " : "", name);
}

static void print_outcome(const struct arguments *arguments,
                          const struct outcome *outcome)
{
    const size_t count = arguments->file_count;
    if (!arguments->quiet && !arguments->json)
        printf("%zu of %zu files built without a failure\n",
               count - outcome->failed, count);
    if (outcome->failed > 0)
        message_print("%zu of %zu files failed in whole or in part: %s",
                      outcome->failed, count, outcome->names);
}

// Says what is wrong with options of the stage once, not for every file.
static enum exit_status check_options(const struct arguments *arguments,
                                      const struct nbstage *stage)
{
    const struct nbstage_host host = {.size = sizeof host};
    struct nbstage instance;
    enum exit_status status = stage_create(stage, &host, arguments, &instance);
    nbstage_close(&instance);
    return status;
}

// Standard output takes the WAD or the report.
static enum exit_status check_standard(const struct arguments *arguments)
{
    const char *problem = NULL;
    bool reads_standard = false;
    for (size_t i = 0; i < arguments->file_count; i++)
        reads_standard |= strcmp(arguments->files[i], "-") == 0;
    if (arguments->dry_run)
        return STATUS_DONE;
    if (reads_standard && arguments->in_place)
        problem = "standard input cannot be built in place; -o - writes to "
                  "standard output";
    else if (!arguments->output || !file_is_standard(arguments->output))
        return STATUS_DONE;
    else if (arguments->json)
        problem = "--json has no place to go if the WAD is written to "
                  "standard output";
    else if (arguments->backup)
        problem = "standard output has no backup";
    else if (isatty(STDOUT_FILENO))
        problem = "a WAD is not written to a terminal";
    if (!problem)
        return STATUS_DONE;
    message_print("%s", problem);
    return STATUS_USAGE;
}

static enum exit_status check_output(struct files *files)
{
    const struct arguments *arguments = files->arguments;
    struct file_status status;
    if (files->into_folder)
        return check_names(files);
    if (arguments->file_count == 1 || !arguments->output)
        return check_standard(arguments);
    message_print("%zu files need a folder after -o, but %s %s",
                  arguments->file_count, arguments->output,
                  file_find(arguments->output, &status)
                      ? "is a file"
                      : "does not exist; make it first");
    return STATUS_USAGE;
}

// ---------------------------------------------------------------------------
// Several files at a time

// A file that a build reads or replaces.
struct place {
    struct file_status status;
    size_t file; // index of the file that is built
};

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a;
    const struct place *right = b;
    if (left->status.device != right->status.device)
        return left->status.device < right->status.device ? -1 : 1;
    if (left->status.number != right->status.number)
        return left->status.number < right->status.number ? -1 : 1;
    return (left->file > right->file) - (left->file < right->file);
}

// Adds the file with this name and `ending`.  Returns false if there is none.
static bool add_place(struct place *places, size_t *count, size_t file,
                      const char *path, const char *ending)
{
    struct place *place = &places[*count];
    size_t size = strlen(path) + strlen(ending) + 1;
    char *name = memory_get(size, 1);
    snprintf(name, size, "%s%s", path, ending);
    place->file = file;
    bool exists = file_find(name, &place->status);
    *count += exists;
    free(name);
    return exists;
}

// Whether one build may replace what another one reads or replaces, so that
// their order matters.  Another build may make an input or a backup that does
// not exist yet, and some file systems ignore the case of names.
static bool have_an_order(const struct files *files)
{
    const struct arguments *arguments = files->arguments;
    size_t count = 0;
    bool found = files->differ_in_case;
    if (arguments->dry_run)
        return false;
    struct place *places =
        memory_get(3 * arguments->file_count, sizeof *places);
    for (size_t i = 0; i < arguments->file_count; i++) {
        char *output = find_output(files, i);
        add_place(places, &count, i, output, "");
        if (arguments->backup) {
            add_place(places, &count, i, output, "~");
            found |= file_name_ends(output, "~");
        }
        free(output);
    }
    for (size_t i = 0; i < arguments->file_count; i++)
        found |= !add_place(places, &count, i, arguments->files[i], "");
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 1; i < count; i++)
        found |= file_is_same(&places[i].status, &places[i - 1].status) &&
                 places[i].file != places[i - 1].file;
    free(places);
    return found;
}

// How many files are built at a time.  Output that is shown as it comes is
// shown of one builder only.
static enum exit_status choose_jobs(const struct files *files, unsigned *jobs)
{
    enum { MOST_JOBS = 1024 };
    const struct arguments *arguments = files->arguments;
    enum exit_status status =
        arguments_number("jobs", arguments->jobs, MOST_JOBS, "files", jobs);
    if (status != STATUS_DONE)
        return status;
    if (*jobs == 0)
        *jobs = (unsigned)workers_count_processors();
    if (*jobs > arguments->file_count)
        *jobs = (unsigned)arguments->file_count;
    if (*jobs > 1 && !workers_can_divide()) {
        message_print("--jobs is not for this system: files are built one "
                      "after the other");
        *jobs = 1;
    }
    if (*jobs > 1 && (arguments->verbose || have_an_order(files)))
        *jobs = 1;
    return STATUS_DONE;
}

static void begin_file(void *context, size_t index)
{
    const struct arguments *arguments = ((struct files *)context)->arguments;
    if (arguments->file_count > 1 && !arguments->quiet && !arguments->json)
        line_print("%s:", arguments->files[index]);
}

static void end_file(void *context, size_t index, enum exit_status status)
{
    struct files *files = context;
    add_outcome(&files->outcome, files->arguments->files[index], status);
}

// The command line for one of the files; an output in a folder is to be freed.
static struct arguments take_file(const struct files *files, size_t index)
{
    struct arguments one = *files->arguments;
    one.input = one.files[index];
    one.quiet |= !one.dry_run && one.output && file_is_standard(one.output);
    one.threads = files->threads;
    if (files->into_folder)
        one.output = find_output(files, index);
    if (one.json && one.file_count > 1)
        json_after(index);
    return one;
}

static enum exit_status run_file(void *context, size_t index)
{
    const struct files *files = context;
    struct arguments one = take_file(files, index);
    enum exit_status status = one.builder ? builder_build(&one, files->stage)
                                          : build_run(&one, files->stage, NULL);
    if (files->into_folder)
        free((char *)one.output);
    return status;
}

static enum exit_status fail_file(void *context, size_t index,
                                  const char *sentence)
{
    const struct files *files = context;
    struct arguments one = take_file(files, index);
    struct build_report report = {
        .arguments = &one,
        .output = one.in_place ? one.input : one.output,
        .stage = files->stage,
        .error = sentence,
    };
    build_report_end(&report);
    message_print("%s: %s", one.input, sentence);
    if (files->into_folder)
        free((char *)one.output);
    return STATUS_FILE;
}

enum exit_status build_files(const struct arguments *arguments,
                             const struct nbstage *stage)
{
    struct files files = {
        .arguments = arguments,
        .stage = stage,
        .into_folder = arguments->output && is_folder(arguments->output),
    };
    const size_t count = arguments->file_count;
    unsigned jobs = 1;
    enum exit_status status = check_output(&files);
    if (status == STATUS_DONE && count > 1)
        status = check_options(arguments, stage);
    if (status == STATUS_DONE)
        status = choose_jobs(&files, &jobs);
    if (status != STATUS_DONE)
        return status;
    if (jobs > 1) {
        unsigned processors = (unsigned)workers_count_processors();
        files.threads = processors > jobs ? processors / jobs : 1;
    }
    if (arguments->json && count > 1)
        build_report_begin_files(stage->descriptor);
    workers_run(&(struct work){
        .count = count,
        .processes = jobs,
        .begin = begin_file,
        .run = run_file,
        .fail = fail_file,
        .end = end_file,
        .context = &files,
    });
    if (arguments->json && count > 1) {
        json_after(count);
        build_report_end_files();
    }
    if (count > 1)
        print_outcome(arguments, &files.outcome);
    return files.outcome.worst;
}
