// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds the files of a command line one after the other.  After a failure the
// next file is built.

#include "config.h"

#include "build/job.h"
#include "common/arguments.h"
#include "common/commands.h"
#include "common/message.h"
#include "common/report.h"
#include "common/stage.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "platform/file.h"
#include "platform/status.h"
#include "platform/system.h"
#include "wad/declared-files.h"
#include "wad/replacement.h"

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
    struct arguments *jobs; // the command line for each file
    struct declared_files declared;
};

// ---------------------------------------------------------------------------
// Backups that a shell's "*" named

static size_t files_count_backups(const struct arguments *arguments)
{
    size_t count = 0;
    for (size_t i = 0; i < arguments->file_count; i++)
        count += file_name_ends(arguments->files[i], "~");
    return count;
}

// Leaves out files whose names end in "~" beside others, since "*" may stand
// for them.  `kept` has room for all files.
static void files_leave_out_backups(struct arguments *arguments,
                                    const char **kept)
{
    size_t count = 0;
    for (size_t i = 0; i < arguments->file_count; i++) {
        const char *file = arguments->files[i];
        if (!file_name_ends(file, "~"))
            kept[count++] = file;
        else
            message_print("%s: skipped, as its name is that of a backup; to "
                          "build it, give no other file",
                          file);
    }
    arguments->files = kept;
    arguments->file_count = count;
    arguments->input = kept[0];
}

// ---------------------------------------------------------------------------
// Outputs

// Whether a file must not be overwritten: it is not a WAD, or cannot be read.
static bool files_is_foreign(const char *path)
{
    char magic[4] = "";
    struct file_status file;
    if (!file_find(path, &file) || file.kind != FILE_REGULAR || file.size == 0)
        return false;
    return file_read_start(path, magic, sizeof magic) != (int)sizeof magic ||
           (memcmp(magic, "IWAD", 4) != 0 && memcmp(magic, "PWAD", 4) != 0);
}

// Finds the output of a file in the folder that -o names.
static enum exit_status files_place_in_folder(struct arguments *job)
{
    const char *folder = job->output;
    const char *slash = *folder && !*file_base(folder) ? "" : "/";
    char *path;
    job->output = NULL;
    if (asprintf(&path, "%s%s%s", folder, slash, file_base(job->input)) < 0)
        return STATUS_FILE;
    job->output = path;
    if (strcmp(job->input, "-") == 0) {
        message_print("standard input needs -o FILE, not a folder");
        return STATUS_USAGE;
    }
    if (file_is_same_path(job->input, path)) {
        message_print("'%s' is in the folder %s already; --in-place writes "
                      "over the input",
                      job->input, folder);
        return STATUS_USAGE;
    }
    return STATUS_DONE;
}

// Finds where a file is written to.
static enum exit_status files_place(struct files *files, size_t number)
{
    struct arguments *job = &files->jobs[number];
    struct file_status file;
    *job = *files->arguments;
    job->input = files->arguments->files[number];
    if (job->in_place)
        job->output = job->input;
    if (files->into_folder)
        NEED_DONE(files_place_in_folder(job));
    job->output_is_new = job->output && !file_find(job->output, &file);
    return STATUS_DONE;
}

// Declares the input and the output of a job, which may be the same file.
static enum exit_status files_declare_job(struct files *files, size_t number)
{
    const struct arguments *job = &files->jobs[number];
    struct declared_file input = {.what = "input",
                                  .shown = job->input,
                                  .path = job->input,
                                  .job = number};
    struct declared_file output = {
        .what = "the output of",
        .shown = job->input,
        .path = job->output,
        .job = number,
        .advice = "build one of them by itself, to another folder"};
    struct file_status file;
    // A missing input is reported when it is read.
    const bool is_own =
        job->output && (file_is_same_path(job->input, job->output) ||
                        (!files->into_folder && strcmp(job->input, "-") != 0 &&
                         !file_find(job->input, &file)));
    if (is_own) {
        output.what = "input";
        output.advice = "name it once";
        return declared_add(&files->declared, output);
    }
    NEED_DONE(declared_add(&files->declared, input));
    return job->output ? declared_add(&files->declared, output) : STATUS_DONE;
}

static enum exit_status files_declare_backup(struct files *files, size_t number)
{
    const char *output = files->jobs[number].output;
    return declared_add(
        &files->declared,
        (struct declared_file){.what = "the backup of",
                               .shown = output,
                               .path = output,
                               .is_backup = true,
                               .job = number,
                               .advice =
                                   "leave out one of the files, or --backup"});
}

// Finds the outputs, and declares all files, so that no output overwrites
// another file.  STATUS_FILE without a message if memory runs out.
static enum exit_status files_declare(struct files *files,
                                      const struct nbstage *stage)
{
    const size_t count = files->arguments->file_count;
    for (size_t i = 0; i < count; i++) {
        NEED_DONE(files_place(files, i));
        NEED_DONE(files_declare_job(files, i));
    }
    for (size_t i = 0; i < count; i++)
        if (files->arguments->backup && files->jobs[i].output)
            NEED_DONE(files_declare_backup(files, i));
    if (*stage_file(stage))
        NEED_DONE(declared_add(
            &files->declared,
            (struct declared_file){.what = "the stage",
                                   .shown = stage->path,
                                   .path = stage->path,
                                   .job = count,
                                   .advice = "write to another file"}));
    return declared_add_standard_output(&files->declared);
}

// Checks that outputs which exist are WADs.
static enum exit_status files_check_outputs(const struct files *files)
{
    for (size_t i = 0; i < files->arguments->file_count; i++) {
        const struct arguments *job = &files->jobs[i];
        if (!job->output || file_is_same_path(job->input, job->output) ||
            !files_is_foreign(job->output))
            continue;
        message_print("-o: %s exists and is not a WAD; choose another name",
                      job->output);
        return STATUS_USAGE;
    }
    return STATUS_DONE;
}

static bool files_read_standard(const struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->file_count; i++)
        if (strcmp(arguments->files[i], "-") == 0)
            return true;
    return false;
}

// Standard output can carry the WAD or the report, not both.
static enum exit_status files_check_standard(const struct arguments *arguments)
{
    const char *problem = NULL;
    if (arguments->dry_run)
        return STATUS_DONE;
    if (arguments->in_place && files_read_standard(arguments))
        problem = "standard input cannot be built in place; -o - writes to "
                  "standard output";
    else if (!arguments->output || !file_is_standard(arguments->output))
        return STATUS_DONE;
    else if (arguments->json)
        problem = "--json cannot be used if the WAD is written to standard "
                  "output";
    else if (arguments->backup)
        problem = "standard output has no backup";
    else if (isatty(STDOUT_FILENO))
        problem = "a WAD is not written to a terminal";
    if (!problem)
        return STATUS_DONE;
    message_print("%s", problem);
    return STATUS_USAGE;
}

// Checks the options of the stage once; else each file would report them.
static enum exit_status files_check_stage(const struct arguments *arguments,
                                          const struct nbstage *stage)
{
    struct nbstage checked = {.host.log = stage_ignore_log,
                              .describe = stage->describe};
    const enum exit_status status = stage_open(&checked, arguments);
    nbstage_close(&checked);
    return status;
}

static enum exit_status files_check(struct files *files,
                                    const struct nbstage *stage)
{
    const struct arguments *arguments = files->arguments;
    const size_t count = arguments->file_count;
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
    if (!files->into_folder)
        NEED_DONE(files_check_standard(arguments));
    const enum exit_status status = files_declare(files, stage);
    if (status == STATUS_FILE)
        return message_out_of_memory();
    NEED_DONE(status);
    NEED_DONE(files_check_outputs(files));
    return count > 1 ? files_check_stage(arguments, stage) : STATUS_DONE;
}

// Builds one file after the other.
static enum exit_status files_build(struct files *files,
                                    const struct nbstage *stage)
{
    const struct arguments *arguments = files->arguments;
    const size_t count = arguments->file_count;
    char names[1024] = ""; // of files that failed
    size_t failed = 0;
    enum exit_status worst = STATUS_DONE;
    if (count > 1)
        build_report_begin_files(arguments, stage->descriptor);
    for (size_t i = 0; i < count; i++) {
        const struct arguments *job = &files->jobs[i];
        if (count > 1)
            report_print(job->report, "%s:", job->input);
        enum exit_status status = job_run(job, stage);
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

static enum exit_status files_run(const struct arguments *arguments,
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
    if (files.into_folder)
        for (size_t i = 0; i < count; i++)
            free((char *)(uintptr_t)files.jobs[i].output);
    free(files.jobs);
    return status;
}

enum exit_status build_files(const struct arguments *arguments,
                             const struct nbstage *stage)
{
    const size_t count = arguments->file_count;
    const size_t backups = files_count_backups(arguments);
    if (!SYSTEM_HIDES_WILDCARDS || backups == 0 || backups == count)
        return files_run(arguments, stage);
    struct arguments rest = *arguments;
    const char **kept = calloc(count, sizeof *kept);
    if (!kept)
        return message_out_of_memory();
    files_leave_out_backups(&rest, kept);
    const enum exit_status status = files_run(&rest, stage);
    free(kept);
    return status;
}
