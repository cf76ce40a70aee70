// SPDX-License-Identifier: GPL-2.0-or-later
//
// blocksweep: loads a stage and does what the command line asks for.

#include "config.h"

#include "commands.h"
#include "picture/picture.h"
#include "platform/location.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whatever was printed has to have arrived: a full disk is a failure.  But a
// standard output that was closed from the start was not wanted.
static enum exit_status close_output(enum exit_status status)
{
    bool arrived = !ferror(stdout);
    if (fclose(stdout) == 0 ? arrived : errno == EBADF)
        return status;
    message_print("standard output cannot be written");
    return status == STATUS_DONE ? STATUS_FILE : status;
}

static enum exit_status (*const run_command[COMMAND_COUNT])(
    const struct arguments *arguments, const struct nbstage *stage) = {
    [COMMAND_BUILD] = build_files,   [COMMAND_VERIFY] = verify_run,
    [COMMAND_SHOW] = show_run,       [COMMAND_DIFF] = diff_run,
    [COMMAND_PLUGINS] = plugins_run,
};

static void print_version(void)
{
    puts(PACKAGE_STRING
         "\n"
         "License GPL-2.0-or-later: GNU GPL version 2 or later "
         "<https://gnu.org/licenses/gpl.html>.\n"
         "This is free software: you are free to change and redistribute it.\n"
         "There is NO WARRANTY, to the extent permitted by law.");
}

static enum exit_status read_and_run(enum command command, int argc,
                                     char **argv, const struct nbstage *stage)
{
    struct arguments arguments;
    enum exit_status status =
        arguments_read(command, argc, argv, stage->descriptor, &arguments);
    if (status != STATUS_DONE)
        return status;
    if (command == COMMAND_BUILD)
        arguments.options = getenv("NBSTAGE_OPTIONS");
    arguments.quiet |= picture_is_standard(&arguments);
    status = run_command[command](&arguments, stage);
    arguments_free(&arguments);
    return status;
}

static enum exit_status run(enum command command, int argc, char **argv)
{
    const char *plugin;
    enum request request = arguments_preview(command, argc, argv, &plugin);
    if (request == REQUEST_VERSION) {
        print_version();
        return STATUS_DONE;
    }
    struct nbstage stage = {0};
    enum exit_status status = STATUS_DONE;
    if (command_table[command].needs_stage)
        status = stage_load(plugin, location_of_stages(), &stage);
    if (request != REQUEST_COMMAND && status != STATUS_FILE) {
        // Help is given without a stage, too, but not without memory.
        options_print_help(command, stage.descriptor,
                           request == REQUEST_SHORT_HELP);
        status = STATUS_DONE;
    } else if (status == STATUS_DONE) {
        status = read_and_run(command, argc, argv, &stage);
    }
    nbstage_close(&stage);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs(command_table[COMMAND_BUILD].usage, stderr);
        message_print("no file was given; see 'blocksweep -h'");
        return STATUS_USAGE;
    }
    if (argc > 1 && strcmp(argv[1], "--complete") == 0)
        return (int)close_output(complete_run(argc, argv));
    enum command command = arguments_take_command(&argc, &argv);
    return (int)close_output(run(command, argc, argv));
}
