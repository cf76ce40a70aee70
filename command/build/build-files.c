// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds the files of a command line one after the other.  A file that cannot
// be read or written, or whose maps fail, does not keep the others from being
// built.

#include "config.h"

#include "build/job.h"
#include "common/arguments.h"
#include "common/commands.h"
#include "common/stage.h"
#include "common/message.h"
#include "common/report.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "platform/file.h"
#include "wad/declared-files.h"
#include "wad/replace-file.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The files of a command line.
struct files {
    const struct arguments *arguments;
    bool into_folder;
    struct arguments *jobs; // what the command line says for each file
    struct declared_files declared;
};

// Whether a file holds something else than a WAD, or cannot be read, so that no
// WAD is to replace it.
static bool files_hold_another(const char *path)
{
    char magic[4] = "";
    struct file_status file;
    if (!file_find(path, &file) || file.kind != FILE_REGULAR || file.size == 0)
        return false;
    return file_read_start(path, magic, sizeof magic) != (int)sizeof magic ||
           (memcmp(magic, "IWAD", 4) != 0 && memcmp(magic, "PWAD", 4) != 0);
}

// Finds where a file is written to, and declares both.  The output may replace
// the file itself, but in a folder only if that is said with --in-place.
static enum exit_status files_declare_job(struct files *files, size_t number)
{
    struct arguments *job = &files->jobs[number];
    const char *input = files->arguments->files[number];
    const char *folder = files->arguments->output;
    const bool is_standard = strcmp(input, "-") == 0;
    struct declared_file output = {
        .what = "the output of",
        .shown = input,
        .job = number,
        .advice = "build one of them by itself, to another folder"};
    struct file_status file;
    enum exit_status status = STATUS_DONE;
    *job = *files->arguments;
    job->input = input;
    if (job->in_place)
        job->output = input;
    if (files->into_folder) {
        const char *slash = *folder && !*file_base(folder) ? "" : "/";
        char *path;
        job->output = NULL;
        if (asprintf(&path, "%s%s%s", folder, slash, file_base(input)) < 0)
            return STATUS_FILE;
        job->output = path;
    }
    if (files->into_folder && is_standard) {
        message_print("standard input has no name for a file in %s", folder);
        return STATUS_USAGE;
    }
    output.path = job->output;
    job->output_is_new = output.path && !file_find(output.path, &file);
    // What is not there gets a message when it is read.
    const bool is_own =
        output.path &&
        (file_is_same_path(input, output.path) ||
         (!files->into_folder && !is_standard && !file_find(input, &file)));
    if (is_own && files->into_folder) {
        message_print("'%s' is in the folder %s already; --in-place writes "
                      "over the input",
                      input, folder);
        return STATUS_USAGE;
    }
    if (is_own) {
        output.what = "input";
        output.advice = "name it once";
    } else {
        status = declared_add(
            &files->declared,
            (struct declared_file){
                .what = "input", .shown = input, .path = input, .job = number});
    }
    return status == STATUS_DONE && output.path
               ? declared_add(&files->declared, output)
               : status;
}

// Declares all files, so that none is lost.
static enum exit_status files_declare(struct files *files,
                                      const struct nbstage *stage)
{
    const size_t count = files->arguments->file_count;
    enum exit_status status = STATUS_DONE;
    for (size_t i = 0; i < count && status == STATUS_DONE; i++)
        status = files_declare_job(files, i);
    for (size_t i = 0; i < count && status == STATUS_DONE; i++)
        if (files->arguments->backup && files->jobs[i].output)
            status = declared_add(
                &files->declared,
                (struct declared_file){
                    .what = "the backup of",
                    .shown = files->jobs[i].output,
                    .path = files->jobs[i].output,
                    .is_backup = true,
                    .job = i,
                    .advice = "leave out one of the files, or --backup"});
    if (status == STATUS_DONE && *stage->path)
        status = declared_add(
            &files->declared,
            (struct declared_file){.what = "the stage",
                                   .shown = stage->path,
                                   .path = stage->path,
                                   .job = count,
                                   .advice = "write to another file"});
    if (status == STATUS_DONE)
        status = declared_add_standard_output(&files->declared);
    for (size_t i = 0; i < count && status == STATUS_DONE; i++)
        if (files->jobs[i].output &&
            !file_is_same_path(files->jobs[i].input, files->jobs[i].output) &&
            files_hold_another(files->jobs[i].output)) {
            message_print("-o: %s exists and is no WAD, so no WAD replaces it; "
                          "a new name was expected: -o FILE",
                          files->jobs[i].output);
            status = STATUS_USAGE;
        }
    return status;
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
        const struct arguments *job = &files->jobs[i];
        if (count > 1)
            report_print(job->report, "%s:", job->input);
        enum exit_status status = build_run(job, stage);
        if (status == STATUS_DONE)
            continue;
        worst = status > worst ? status : worst;
        message_add_name(names, sizeof names, job->input);
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
                          .jobs = calloc(count, sizeof *files.jobs)};
    enum exit_status status =
        files.jobs ? files_check(&files, stage) : message_out_of_memory();
    if (status == STATUS_DONE)
        status = files_build(&files, stage);
    declared_free(&files.declared);
    for (size_t i = 0; files.into_folder && i < count; i++)
        free((char *)(uintptr_t)files.jobs[i].output);
    free(files.jobs);
    return status;
}
