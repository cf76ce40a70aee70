// SPDX-License-Identifier: GPL-2.0-or-later
//
// blocksweep: reads the command line, loads the stage and runs the command.

#include "config.h"

#include "common/arguments.h"
#include "common/commands.h"
#include "common/message.h"
#include "common/report.h"
#include "common/stage.h"
#include "inspect/inspect.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "picture/picture.h"
#include "platform/file.h"
#include "platform/system.h"
#include "wad/replacement.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Closes standard output.  Fails if the disk is full or the output is closed;
// files that were already written stay.
static enum exit_status main_close_output(enum exit_status status,
                                          const struct arguments *arguments)
{
    const struct report *report = arguments->report;
    const bool arrived = !ferror(stdout);
    if (!arrived)
        putchar('\n'); // so that fclose fails, too, and sets errno
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

// Opens the stage that --plugin names; NULL: blocksweep.
static bool main_open_stage(struct nbstage *stage, const char *plugin)
{
    stage->host.log = stage_ignore_log; // each job opens the stage again
#ifdef STAGE_BUILT_IN
    stage->describe = nbstage_describe;
#endif
#ifdef STAGE_ONLY_BUILT_IN
    if (plugin) { // a static program has no loader
        snprintf(stage->error, sizeof stage->error,
                 "--plugin=%s: this is a static build and cannot load stages; "
                 "build blocksweep from source",
                 plugin);
        return false;
    }
#endif
    // arguments_read refuses an empty name.
    return stage_find(stage, plugin && *plugin ? plugin : PACKAGE_NAME);
}

// Prints the versions of the command and the stage, or why there is no stage.
static void main_print_version(const struct nbstage *stage)
{
    const struct nbstage_descriptor *descriptor = stage->descriptor;
    puts(PACKAGE_STRING);
    if (descriptor)
        printf("Stage %s %s %s", descriptor->name, descriptor->version,
               *stage_file(stage) ? "from " : "built in");
    else
        printf("No stage: ");
    message_write(stdout, descriptor ? stage_file(stage) : stage->error);
    puts("\n"
         "License GPL-2.0-or-later: GNU GPL version 2 or later "
         "<https://gnu.org/licenses/gpl.html>.\n"
         "This is free software: you are free to change and redistribute it.\n"
         "There is NO WARRANTY, to the extent permitted by law.");
}

// Standard output can carry a file or the report, not both.
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

static void main_print_help(enum command command, enum request request,
                            const struct nbstage *stage)
{
    if (request == REQUEST_VERSION)
        main_print_version(stage);
    else if (request == REQUEST_SHORT_HELP)
        commands_print_short_help(command, stage->descriptor);
    else
        commands_print_help(command, stage->descriptor);
}

// Gets the options of the stage; build and --version load it.  Prints why that
// failed, but --version prints stage->error itself.
static enum exit_status main_find_stage(enum command command,
                                        enum request request,
                                        const char *plugin,
                                        struct nbstage *stage)
{
    if (command != COMMAND_BUILD && request != REQUEST_VERSION) {
        stage->descriptor = &inspect_options;
        return STATUS_DONE;
    }
    if (main_open_stage(stage, plugin))
        return STATUS_DONE;
    const bool ran_out = stage->status == NBSTAGE_OUT_OF_MEMORY;
    if (ran_out || request != REQUEST_VERSION)
        message_print("%s", stage->error);
    return ran_out ? STATUS_FILE : STATUS_USAGE;
}

// Runs one command.
static enum exit_status main_run(int argc, char **argv, struct nbstage *stage,
                                 struct arguments *arguments,
                                 struct report *report)
{
    if (argc < 2) {
        fputs(command_table[COMMAND_BUILD].usage, stderr);
        message_print("no file was given; see 'blocksweep -h'");
        return STATUS_USAGE;
    }
    const char *plugin;
    const enum command command = arguments_take_command(&argc, &argv);
    const enum request request =
        arguments_preview(command, argc, argv, &plugin);
    const enum exit_status found =
        main_find_stage(command, request, plugin, stage);
    // --help and --version need no stage.
    if (found == STATUS_FILE ||
        (found != STATUS_DONE && request == REQUEST_COMMAND))
        return found;
    if (request != REQUEST_COMMAND) {
        main_print_help(command, request, stage);
        return STATUS_DONE;
    }
    NEED_DONE(
        arguments_read(command, argc, argv, stage->descriptor, arguments));
    if (arguments->help)
        return STATUS_DONE;
    main_begin_report(arguments, report);
    return command == COMMAND_BUILD ? build_files(arguments, stage)
                                    : run_command[command](arguments);
}

static enum exit_status main_run_and_close(int argc, char **argv)
{
    struct nbstage stage = {0};
    struct arguments arguments = {0};
    struct report report;
    const enum exit_status status = main_close_output(
        main_run(argc, argv, &stage, &arguments, &report), &arguments);
    arguments_free(&arguments);
    nbstage_close(&stage);
    return status;
}

// Whether all arguments are files, as when files are dropped on the program.
static bool main_has_files_alone(int argc, char **argv)
{
    struct file_status file;
    for (int i = 1; i < argc; i++)
        if (*argv[i] == '-' || !file_find(argv[i], &file))
            return false;
    return argc > 1;
}

// Files that are dropped on the program are verified.  If the program
// has its own console, it waits for a key before it ends.
int main(int argc, char **argv)
{
    static char command[] = "verify";
    if (!system_hold_standard())
        return STATUS_FILE;
    system_drop_backups(&argc, argv);
    const bool owns_console = system_owns_console();
    const bool is_dropped = owns_console && main_has_files_alone(argc, argv);
    char **words = is_dropped ? calloc((size_t)argc + 2, sizeof *words) : NULL;
    if (words) {
        memcpy(words + 1, argv, (size_t)argc * sizeof *words);
        words[0] = argv[0];
        words[1] = command;
    }
    const enum exit_status status = words ? main_run_and_close(argc + 1, words)
                                          : main_run_and_close(argc, argv);
    free(words);
    if (owns_console && (argc <= 2 || is_dropped))
        system_wait_for_key();
    return (int)status;
}
