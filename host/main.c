// SPDX-License-Identifier: GPL-2.0-or-later
//
// blocksweep: loads a stage and does what the command line asks for.

#include "config.h"

#include "build.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// What was printed has to have arrived; a full disk is a failure like others.
// A standard output that was closed from the start was not wanted.
static enum exit_status close_output(enum exit_status status)
{
    if (fclose(stdout) == 0 || errno == EBADF)
        return status;
    message_print("standard output cannot be written");
    return status == STATUS_DONE ? STATUS_FILE : status;
}

static enum exit_status build(int argc, char **argv, const struct stage *stage)
{
    struct arguments arguments;
    enum exit_status status = arguments_read(argc, argv, stage, &arguments);
    if (status != STATUS_DONE)
        return status;
    status = build_run(&arguments, stage);
    arguments_free(&arguments);
    return status;
}

static enum exit_status run(int argc, char **argv)
{
    const char *plugin;
    enum request request = arguments_preview(argc, argv, &plugin);
    if (request == REQUEST_VERSION) {
        arguments_print_version();
        return STATUS_DONE;
    }
    struct stage stage;
    enum exit_status status = stage_load(plugin, &stage);
    if (request == REQUEST_HELP) {
        // Help is given without a stage, too.
        arguments_print_help(status == STATUS_DONE ? &stage : NULL);
        status = STATUS_DONE;
    } else if (status == STATUS_DONE) {
        status = build(argc, argv, &stage);
    }
    stage_unload(&stage);
    return status;
}

int main(int argc, char **argv)
{
    // A bare `blocksweep IN.wad -o OUT.wad` is build.
    if (argc > 1 && strcmp(argv[1], "build") == 0) {
        argv[1] = argv[0];
        argv++;
        argc--;
    }
    return (int)close_output(run(argc, argv));
}
