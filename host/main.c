// SPDX-License-Identifier: GPL-2.0-or-later
//
// blocksweep: loads a stage and does what the command line asks for.

#include "config.h"

#include "build.h"
#include "diff.h"
#include "show.h"
#include "verify.h"

#include <errno.h>
#include <stdio.h>

// What was printed has to have arrived; a full disk is a failure like others.
// A standard output that was closed from the start was not wanted.
static enum exit_status close_output(enum exit_status status)
{
    if (fclose(stdout) == 0 || errno == EBADF)
        return status;
    message_print("standard output cannot be written");
    return status == STATUS_DONE ? STATUS_FILE : status;
}

static enum exit_status (*const run_command[COMMAND_COUNT])(
    const struct arguments *arguments, const struct stage *stage) = {
    [COMMAND_BUILD] = build_run,
    [COMMAND_VERIFY] = verify_run,
    [COMMAND_SHOW] = show_run,
    [COMMAND_DIFF] = diff_run,
};

static enum exit_status read_and_run(enum command command, int argc,
                                     char **argv, const struct stage *stage)
{
    struct arguments arguments;
    enum exit_status status =
        arguments_read(command, argc, argv, stage, &arguments);
    if (status != STATUS_DONE)
        return status;
    status = run_command[command](&arguments, stage);
    arguments_free(&arguments);
    return status;
}

static enum exit_status run(enum command command, int argc, char **argv)
{
    const char *plugin;
    enum request request = arguments_preview(command, argc, argv, &plugin);
    if (request == REQUEST_VERSION) {
        arguments_print_version();
        return STATUS_DONE;
    }
    struct stage stage;
    enum exit_status status = stage_load(plugin, &stage);
    if (request == REQUEST_HELP) {
        // Help is given without a stage, too.
        arguments_print_help(command, status == STATUS_DONE ? &stage : NULL);
        status = STATUS_DONE;
    } else if (status == STATUS_DONE) {
        status = read_and_run(command, argc, argv, &stage);
    }
    stage_unload(&stage);
    return status;
}

int main(int argc, char **argv)
{
    enum command command = arguments_take_command(&argc, &argv);
    return (int)close_output(run(command, argc, argv));
}
