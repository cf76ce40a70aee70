// SPDX-License-Identifier: GPL-2.0-or-later
//
// blocksweep: loads a stage and does what the command line asks for.

#include "config.h"

#include "common/arguments.h"
#include "common/commands.h"
#include "inspect/inspect.h"
#include "common/message.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "picture/picture.h"
#include "platform/file.h"
#include "platform/location.h"
#include "platform/system.h"
#include "common/report.h"
#include "wad/replace-file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Whatever was printed has to have arrived: a full disk is a failure, and so is
// a standard output that is closed.  The files that were written stay.
static enum exit_status main_close_output(enum exit_status status,
                                          const struct arguments *arguments)
{
    const struct report *report = arguments->report;
    const bool arrived = !ferror(stdout);
    if (!arrived)
        putchar('\n'); // the write that failed has left no errno
    errno = 0;
    if (fclose(stdout) == 0 && arrived)
        return status;
    const char *done = arguments->in_place ? "replaced" : "written";
    const char *colon = errno ? ": " : "";
    const char *reason = errno ? file_reason(errno) : "";
    if (!report || report->written_count == 0)
        message_print("standard output cannot be written%s%s", colon, reason);
    else
        message_print("standard output cannot be written%s%s; the report could "
                      "not be printed, but %s %s %s",
                      colon, reason, report->written,
                      report->written_count == 1 ? "was" : "were", done);
    return STATUS_FILE;
}

// The commands that need no stage.
static enum exit_status (*const run_command[COMMAND_COUNT])(
    const struct arguments *arguments) = {
    [COMMAND_VERIFY] = verify_run,
    [COMMAND_SHOW] = show_run,
    [COMMAND_DIFF] = diff_run,
};

// ---------------------------------------------------------------------------
// The stage

#ifdef STAGE_BUILT_IN
const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi);
#endif

// Loads the stage of this name; NULL stands for that of the command.
static bool main_open_stage(struct nbstage *stage, const char *plugin)
{
#ifdef STAGE_BUILT_IN
    if (!plugin)
        return nbstage_open(stage, nbstage_describe, "BLOCKMAP");
#endif
#ifdef STAGE_ONLY_BUILT_IN
    // A static program has no loader.
    snprintf(stage->error, sizeof stage->error,
             "--plugin=%s: this command has its stage inside and loads no "
             "other; install blocksweep from its source to use one",
             plugin);
    return false;
#else
    char folders[2 * LOCATION_SIZE];
    location_of_stages(folders);
    return nbstage_find(stage, plugin ? plugin : PACKAGE_NAME, folders,
                        "BLOCKMAP");
#endif
}

// Names the stage, too, or says why there is none.
static void main_print_version(const struct nbstage *stage)
{
    puts(PACKAGE_STRING);
    if (stage->descriptor)
        printf("Stage %s %s %s", stage->descriptor->name,
               stage->descriptor->version, *stage->path ? "from " : "built in");
    else
        printf("No stage: ");
    message_write(stdout, stage->descriptor ? stage->path : stage->error);
    puts("\n"
         "License GPL-2.0-or-later: GNU GPL version 2 or later "
         "<https://gnu.org/licenses/gpl.html>.\n"
         "This is free software: you are free to change and redistribute it.\n"
         "There is NO WARRANTY, to the extent permitted by law.");
}

// Standard output takes a file or the report.
static void main_begin_report(struct arguments *arguments,
                              struct report *report)
{
    arguments->quiet |= picture_count_standard(arguments) > 0 ||
                        (!arguments->dry_run && arguments->output &&
                         file_is_standard(arguments->output));
    *report = (struct report){.form = arguments->json    ? REPORT_JSON
                                      : arguments->quiet ? REPORT_QUIET
                                                         : REPORT_LINES};
    arguments->report = report;
}

// A command line.
static enum exit_status main_run(int argc, char **argv)
{
    struct nbstage stage = {0};
    struct arguments arguments = {0};
    struct report report;
    const char *plugin;
    enum exit_status status = STATUS_DONE;
    if (argc < 2) {
        fputs(command_table[COMMAND_BUILD].usage, stderr);
        message_print("no file was given; see 'blocksweep -h'");
        return STATUS_USAGE;
    }
    const enum command command = arguments_take_command(&argc, &argv);
    const enum request request =
        arguments_preview(command, argc, argv, &plugin);
    if (command != COMMAND_BUILD && request != REQUEST_VERSION)
        stage.descriptor = &inspect_options;
    else if (!main_open_stage(&stage, plugin))
        status =
            stage.status == NBSTAGE_OUT_OF_MEMORY ? STATUS_FILE : STATUS_USAGE;
    if (status == STATUS_FILE ||
        (status != STATUS_DONE && request != REQUEST_VERSION))
        message_print("%s", stage.error);
    // What is asked for besides a command goes without a stage, too.
    if (request != REQUEST_COMMAND && status != STATUS_FILE) {
        if (request == REQUEST_VERSION)
            main_print_version(&stage);
        else
            commands_print_help(command, stage.descriptor,
                                request == REQUEST_SHORT_HELP);
        status = STATUS_DONE;
    } else if (status == STATUS_DONE) {
        status =
            arguments_read(command, argc, argv, stage.descriptor, &arguments);
        if (status == STATUS_DONE && !arguments.help) {
            main_begin_report(&arguments, &report);
            status = command == COMMAND_BUILD
                         ? build_files(&arguments, &stage)
                         : run_command[command](&arguments);
        }
    }
    status = main_close_output(status, &arguments);
    arguments_free(&arguments);
    nbstage_close(&stage);
    return status;
}

// Whether all arguments are files, as those that are dropped on a program are.
static bool main_has_files_alone(int argc, char **argv)
{
    struct file_status file;
    for (int i = 1; i < argc; i++)
        if (*argv[i] == '-' || !file_find(argv[i], &file))
            return false;
    return argc > 1;
}

// What is dropped on the program is verified, and what is printed stays in the
// console until a key is pressed.
int main(int argc, char **argv)
{
    static char command[] = "verify";
    if (!system_hold_standard())
        return STATUS_FILE;
    const bool owns_console = system_owns_console();
    const bool is_dropped = owns_console && main_has_files_alone(argc, argv);
    char **words = is_dropped ? calloc((size_t)argc + 2, sizeof *words) : NULL;
    if (words) {
        memcpy(words + 1, argv, (size_t)argc * sizeof *words);
        words[0] = argv[0];
        words[1] = command;
    }
    const enum exit_status status =
        words ? main_run(argc + 1, words) : main_run(argc, argv);
    free(words);
    if (owns_console && (argc <= 2 || is_dropped))
        system_wait_for_key();
    return (int)status;
}
