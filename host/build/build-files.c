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
#include "memory.h"
#include "message.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "platform/file.h"
#include "report.h"
#include "wad/replace-file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The path of a file in the folder; to be freed.
static char *files_join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    size_t size = length + strlen(name) + sizeof "/";
    bool has_slash = length > 0 && !*file_base(folder);
    char *path = memory_get(size, 1);
    snprintf(path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
    return path;
}

// Files in one folder must have different names, and not be their inputs.
static enum exit_status files_check_names(const struct arguments *arguments)
{
    const char *folder = arguments->output;
    for (size_t i = 0; i < arguments->file_count; i++) {
        const char *file = arguments->files[i];
        const char *name = file_base(file);
        if (strcmp(file, "-") == 0) {
            message_print("standard input has no name for a file in %s",
                          folder);
            return STATUS_USAGE;
        }
        char *output = files_join(folder, name);
        bool is_input = file_is_same_path(output, file);
        free(output);
        if (is_input) {
            message_print("'%s' is in the folder %s already; --in-place writes "
                          "over the input",
                          file, folder);
            return STATUS_USAGE;
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(file_base(arguments->files[j]), name) != 0)
                continue;
            message_print("'%s' and '%s' would both be %s in %s",
                          arguments->files[j], file, name, folder);
            return STATUS_USAGE;
        }
    }
    return STATUS_DONE;
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

// Returns whether the output is a folder, and STATUS_USAGE if that is wrong or
// options of the stage are, of which several files would each have a message.
static enum exit_status files_check(const struct arguments *arguments,
                                    const struct nbstage *stage,
                                    bool *into_folder)
{
    const struct nbstage_host host = {.size = sizeof host};
    const size_t count = arguments->file_count;
    struct nbstage instance;
    struct file_status file;
    const bool exists =
        arguments->output && file_find(arguments->output, &file);
    *into_folder = exists && file.kind == FILE_FOLDER;
    if (!*into_folder && count > 1 && arguments->output) {
        message_print("%zu files need a folder after -o, but %s %s", count,
                      arguments->output,
                      exists ? "is a file" : "does not exist; make it first");
        return STATUS_USAGE;
    }
    enum exit_status status = *into_folder ? files_check_names(arguments)
                                           : files_check_standard(arguments);
    if (status != STATUS_DONE || count == 1)
        return status;
    status = stage_create(stage, &host, arguments, &instance);
    nbstage_close(&instance);
    return status;
}

enum exit_status build_files(const struct arguments *arguments,
                             const struct nbstage *stage)
{
    const size_t count = arguments->file_count;
    char names[1024] = ""; // of those that failed
    size_t failed = 0;
    bool into_folder;
    enum exit_status worst = files_check(arguments, stage, &into_folder);
    if (worst != STATUS_DONE)
        return worst;
    if (count > 1)
        build_report_begin_files(arguments, stage->descriptor);
    for (size_t i = 0; i < count; i++) {
        struct arguments one = *arguments;
        char *output = NULL;
        one.input = one.files[i];
        if (into_folder)
            one.output = output = files_join(one.output, file_base(one.input));
        if (count > 1)
            report_print(one.report, "%s:", one.input);
        enum exit_status status = one.builder ? builder_build(&one, stage)
                                              : build_run(&one, stage, NULL);
        free(output);
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
