// SPDX-License-Identifier: GPL-2.0-or-later
//
// blocksweep: loads a stage and does what the command line asks for.

#include "config.h"

#include "builder/builder.h"
#include "complete.h"
#include "diff/diff.h"
#include "help.h"
#include "option-tables.h"
#include "plugins/plugins.h"
#include "show/show.h"
#include "verify/verify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// What was printed has to have arrived, at any time; a full disk is a failure
// like others.
// A standard output that was closed from the start was not wanted.
static enum exit_status close_output(enum exit_status status)
{
    bool arrived = !ferror(stdout);
    if (fclose(stdout) == 0 ? arrived : errno == EBADF)
        return status;
    message_print("standard output cannot be written");
    return status == STATUS_DONE ? STATUS_FILE : status;
}

// Builds, with what a node builder has made of the input if there is one.
static enum exit_status build(const struct arguments *arguments,
                              const struct nbstage *stage)
{
    struct builder builder;
    if (!arguments->builder)
        return build_run(arguments, stage, NULL);
    enum exit_status status = builder_parse(arguments, &builder);
    if (status == STATUS_DONE)
        status = build_run(arguments, stage, &builder.step);
    builder_free(&builder);
    return status;
}

static enum exit_status (*const run_command[COMMAND_COUNT])(
    const struct arguments *arguments, const struct nbstage *stage) = {
    [COMMAND_BUILD] = build,         [COMMAND_VERIFY] = verify_run,
    [COMMAND_SHOW] = show_run,       [COMMAND_DIFF] = diff_run,
    [COMMAND_PLUGINS] = plugins_run,
};

static enum exit_status read_and_run(enum command command, int argc,
                                     char **argv, const struct nbstage *stage)
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

// Loads the stage that a command needs; none for one that needs none.
static enum exit_status load_for(enum command command, const char *plugin,
                                 struct nbstage *stage)
{
    *stage = (struct nbstage){0};
    return command_table[command].needs_stage ? stage_load(plugin, stage)
                                              : STATUS_DONE;
}

static enum exit_status run(enum command command, int argc, char **argv)
{
    const char *plugin;
    enum request request = arguments_preview(command, argc, argv, &plugin);
    if (request == REQUEST_OUT_OF_MEMORY)
        return message_out_of_memory();
    if (request == REQUEST_VERSION) {
        help_print_version();
        return STATUS_DONE;
    }
    struct nbstage stage;
    enum exit_status status = load_for(command, plugin, &stage);
    const struct nbstage *loaded = stage.descriptor ? &stage : NULL;
    if (request == REQUEST_HELP && status != STATUS_FILE) {
        // Help is given without a stage, too, but not without memory.
        help_print(command, loaded);
        status = STATUS_DONE;
    } else if (status == STATUS_DONE) {
        status = read_and_run(command, argc, argv, loaded);
    }
    nbstage_close(&stage);
    return status;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--complete") == 0)
        return (int)close_output(complete_run(argc, argv));
    enum command command = arguments_take_command(&argc, &argv);
    return (int)close_output(run(command, argc, argv));
}
