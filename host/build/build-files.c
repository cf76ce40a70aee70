// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds each file of a command line by itself.  A file that cannot be read or
// written, or whose maps fail, does not keep the others from being built.

#include "config.h"

#include "build/build.h"
#include "commands.h"
#include "file/replace-file.h"
#include "memory.h"
#include "platform/location.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What became of all files.
struct outcome {
    enum exit_status worst;
    size_t failed; // files with a status of their own
    char names[1024];
};

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// The path of a file in the folder; to be freed.
static char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    size_t size = length + strlen(name) + sizeof "/";
    bool has_slash = length > 0 && folder[length - 1] == '/';
    char *path = memory_get(size, 1);
    snprintf(path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
    return path;
}

// Files in one folder must have different names, and not be their inputs.
static enum exit_status check_names(const struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->file_count; i++) {
        if (strcmp(arguments->files[i], "-") == 0) {
            message_print("standard input has no name for a file in %s",
                          arguments->output);
            return STATUS_USAGE;
        }
        char *output = join(arguments->output, file_base(arguments->files[i]));
        bool is_input = location_is_same(arguments->files[i], output);
        free(output);
        if (is_input) {
            message_print("'%s' is in the folder %s already; --in-place writes "
                          "over the input",
                          arguments->files[i], arguments->output);
            return STATUS_USAGE;
        }
        for (size_t j = 0; j < i; j++) {
            const char *name = file_base(arguments->files[i]);
            if (strcmp(name, file_base(arguments->files[j])) != 0)
                continue;
            message_print("'%s' and '%s' would both be %s in %s",
                          arguments->files[j], arguments->files[i], name,
                          arguments->output);
            return STATUS_USAGE;
        }
    }
    return STATUS_DONE;
}

static enum exit_status build_file(const struct arguments *arguments,
                                   const struct nbstage *stage)
{
    return arguments->builder ? builder_build(arguments, stage)
                              : build_run(arguments, stage, NULL);
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

static enum exit_status check_output(const struct arguments *arguments,
                                     bool into_folder)
{
    if (into_folder)
        return check_names(arguments);
    if (arguments->file_count == 1 || !arguments->output)
        return check_standard(arguments);
    message_print("%zu files need a folder after -o, but %s %s",
                  arguments->file_count, arguments->output,
                  access(arguments->output, F_OK) == 0
                      ? "is a file"
                      : "does not exist; make it first");
    return STATUS_USAGE;
}

enum exit_status build_files(const struct arguments *arguments,
                             const struct nbstage *stage)
{
    const bool into_folder = arguments->output && is_folder(arguments->output);
    const bool has_text = !arguments->quiet && !arguments->json;
    struct outcome outcome = {STATUS_DONE, 0, ""};
    enum exit_status status = check_output(arguments, into_folder);
    if (status == STATUS_DONE && arguments->file_count > 1)
        status = check_options(arguments, stage);
    if (status != STATUS_DONE)
        return status;
    if (arguments->json && arguments->file_count > 1)
        build_report_begin_files(stage->descriptor);
    for (size_t i = 0; i < arguments->file_count; i++) {
        struct arguments one = *arguments;
        char *output = NULL;
        one.input = arguments->files[i];
        one.quiet |= !arguments->dry_run && arguments->output &&
                     file_is_standard(arguments->output);
        if (into_folder)
            one.output = output = join(arguments->output, file_base(one.input));
        if (has_text && arguments->file_count > 1)
            line_print("%s:", one.input);
        status = build_file(&one, stage);
        free(output);
        add_outcome(&outcome, one.input, status);
    }
    if (arguments->json && arguments->file_count > 1)
        build_report_end_files();
    if (arguments->file_count > 1)
        print_outcome(arguments, &outcome);
    return outcome.worst;
}
