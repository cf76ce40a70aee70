// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds the files of a command line one after the other.  A file that cannot
// be read or written, or whose maps fail, does not keep the others from being
// built.

#include "config.h"

#include "arguments.h"
#include "build/build.h"
#include "build/builder/builder.h"
#include "commands.h"
#include "instance.h"
#include "message.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "platform/file.h"
#include "report.h"
#include "wad/declared-files.h"
#include "wad/replace-file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The path of a file in the folder; to be freed.  NULL if memory runs out.
static char *files_join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    size_t size = length + strlen(name) + sizeof "/";
    bool has_slash = length > 0 && !*file_base(folder);
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
    return path;
}

// The files of a command line, and where each is written to.
struct files {
    const struct arguments *arguments;
    bool into_folder;
    char **outputs; // NULL where nothing is written
    bool *are_new;  // whether there are none before
    struct declared_files declared;
};

static enum exit_status files_find_outputs(struct files *files)
{
    struct file_status file;
    const struct arguments *arguments = files->arguments;
    for (size_t i = 0; i < arguments->file_count; i++) {
        const char *input = arguments->files[i];
        if (files->into_folder && strcmp(input, "-") == 0) {
            message_print("standard input has no name for a file in %s",
                          arguments->output);
            return STATUS_USAGE;
        }
        if (files->into_folder)
            files->outputs[i] = files_join(arguments->output, file_base(input));
        else if (arguments->in_place || arguments->output)
            files->outputs[i] =
                strdup(arguments->in_place ? input : arguments->output);
        else
            continue;
        if (!files->outputs[i])
            return STATUS_FILE;
        files->are_new[i] = !file_find(files->outputs[i], &file);
    }
    return STATUS_DONE;
}

// Declares a file and its output.  The output may replace the file itself, but
// in a folder only if that is said with --in-place.
static enum exit_status files_declare_job(struct files *files, size_t job)
{
    const char *input = files->arguments->files[job];
    struct declared_file output = {
        .what = "the output of",
        .shown = input,
        .path = files->outputs[job],
        .job = job,
        .advice = "build one of them by itself, to another folder"};
    struct file_status file;
    enum exit_status status = STATUS_DONE;
    // What is not there gets a message when it is read.
    const bool is_missing = !files->into_folder && strcmp(input, "-") != 0 &&
                            !file_find(input, &file);
    const bool is_own =
        output.path && (is_missing || file_is_same_path(input, output.path));
    if (is_own && files->into_folder) {
        message_print("'%s' is in the folder %s already; --in-place writes "
                      "over the input",
                      input, files->arguments->output);
        return STATUS_USAGE;
    }
    if (is_own) {
        output.what = "input";
        output.advice = "name it once";
    } else {
        status = declared_add(
            &files->declared,
            (struct declared_file){
                .what = "input", .shown = input, .path = input, .job = job});
    }
    return status == STATUS_DONE && output.path
               ? declared_add(&files->declared, output)
               : status;
}

// Declares all files, so that none is lost.
static enum exit_status files_declare(struct files *files,
                                      const struct nbstage *stage)
{
    const struct arguments *arguments = files->arguments;
    enum exit_status status = files_find_outputs(files);
    for (size_t i = 0; i < arguments->file_count && status == STATUS_DONE; i++)
        status = files_declare_job(files, i);
    for (size_t i = 0; i < arguments->file_count && status == STATUS_DONE; i++)
        if (arguments->backup && files->outputs[i])
            status = declared_add(
                &files->declared,
                (struct declared_file){
                    .what = "the backup of",
                    .shown = files->outputs[i],
                    .path = files->outputs[i],
                    .is_backup = true,
                    .job = i,
                    .advice = "leave out one of the files, or --backup"});
    if (status == STATUS_DONE && *stage->path)
        status = declared_add(
            &files->declared,
            (struct declared_file){.what = "the stage",
                                   .shown = stage->path,
                                   .path = stage->path,
                                   .job = arguments->file_count,
                                   .advice = "write to another file"});
    return status == STATUS_DONE
               ? declared_add_standard_output(&files->declared)
               : status;
}

// Standard output takes the WAD or the report.
static enum exit_status files_check_standard(const struct arguments *arguments)
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

// Finds the outputs.  STATUS_USAGE if they are wrong, or options of the stage
// are, of which several files would each have a message.
static enum exit_status files_check(struct files *files,
                                    const struct nbstage *stage)
{
    const struct arguments *arguments = files->arguments;
    const struct nbstage_host host = {.size = sizeof host};
    const size_t count = arguments->file_count;
    struct nbstage instance;
    struct file_status file;
    const bool exists =
        arguments->output && file_find(arguments->output, &file);
    files->into_folder = exists && file.kind == FILE_FOLDER;
    if (!files->into_folder && count > 1 && arguments->output) {
        message_print("%zu files need a folder after -o, but %s %s", count,
                      arguments->output,
                      exists ? "is a file" : "does not exist; make it first");
        return STATUS_USAGE;
    }
    enum exit_status status =
        files->into_folder ? STATUS_DONE : files_check_standard(arguments);
    if (status == STATUS_DONE)
        status = files_declare(files, stage);
    if (status == STATUS_FILE)
        message_out_of_memory();
    if (status != STATUS_DONE || count == 1)
        return status;
    status = stage_create(stage, &host, arguments, &instance);
    nbstage_close(&instance);
    return status;
}

// Builds one file after the other.
static enum exit_status files_build(struct files *files,
                                    const struct nbstage *stage)
{
    const struct arguments *arguments = files->arguments;
    const size_t count = arguments->file_count;
    char names[1024] = ""; // of those that failed
    size_t failed = 0;
    enum exit_status worst = STATUS_DONE;
    if (count > 1)
        build_report_begin_files(arguments, stage->descriptor);
    for (size_t i = 0; i < count; i++) {
        struct arguments one = *arguments;
        one.input = one.files[i];
        one.output = files->outputs[i];
        one.output_is_new = files->are_new[i];
        if (count > 1)
            report_print(one.report, "%s:", one.input);
        enum exit_status status = one.builder ? builder_build(&one, stage)
                                              : build_run(&one, stage, NULL);
        if (status == STATUS_DONE)
            continue;
        worst = status > worst ? status : worst;
        report_add_name(names, sizeof names, one.input);
        failed++;
    }
    if (count == 1)
        return worst;
    report_end(arguments->report);
    report_print(arguments->report, "%zu of %zu files built without a failure",
                 count - failed, count);
    if (failed > 0)
        message_print("%zu of %zu files failed in whole or in part: %s", failed,
                      count, names);
    return worst;
}

enum exit_status build_files(const struct arguments *arguments,
                             const struct nbstage *stage)
{
    const size_t count = arguments->file_count;
    struct files files = {.arguments = arguments,
                          .outputs = calloc(count, sizeof(char *)),
                          .are_new = calloc(count, sizeof(bool))};
    enum exit_status status = files.outputs && files.are_new
                                  ? files_check(&files, stage)
                                  : message_out_of_memory();
    if (status == STATUS_DONE)
        status = files_build(&files, stage);
    declared_free(&files.declared);
    for (size_t i = 0; files.outputs && i < count; i++)
        free(files.outputs[i]);
    free(files.outputs);
    free(files.are_new);
    return status;
}
