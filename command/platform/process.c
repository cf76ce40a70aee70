// SPDX-License-Identifier: GPL-2.0-or-later
//
// Starts the program and polls it many times a second: for output, its end, its
// time limit, and a pending signal that will end this process.  In the end its
// group is killed in any case.

#include "config.h"

#include "platform/process.h"

#include "platform/system.h"

#include <stdio.h>
#include <string.h>

enum { LOOK_EVERY = 10 }; // milliseconds

// Waits at most `wait` milliseconds for output, and keeps its end.  False if
// there was none.
static bool process_take_output(struct process *process,
                                struct program *program, int wait)
{
    char text[4096];
    size_t size = program_read(program, text, sizeof text, wait);
    size_t room = PROCESS_KEPT_OUTPUT - process->output_size;
    if (size > room) {
        size_t excess = size - room;
        process->output_size -= excess;
        process->output_is_cut = true;
        memmove(process->output, process->output + excess,
                process->output_size);
    }
    memcpy(process->output + process->output_size, text, size);
    process->output_size += size;
    process->output[process->output_size] = '\0';
    return size > 0;
}

// Waits until the program has ended.  Returns false if it has to be killed.
static bool process_wait(struct process *process, struct program *program)
{
    double started = system_now();
    while (!program_has_ended(program)) {
        process_take_output(process, program, LOOK_EVERY);
        process->seconds = system_now() - started;
        if (system_has_signal())
            return false;
        if (process->seconds_allowed == 0 ||
            process->seconds < process->seconds_allowed)
            continue;
        snprintf(process->failure, sizeof process->failure,
                 "it was ended because it took more than %u s; "
                 "--builder-timeout can give it more",
                 process->seconds_allowed);
        return false;
    }
    return true;
}

enum exit_status process_run(struct process *process)
{
    // Enough to empty a full pipe.  There is a limit, as a process that left
    // the group may print for ever.
    enum { MOST_PIECES = 256 };
    struct program program;
    char ended[PROGRAM_FAILURE_SIZE];
    if (!program_start(&program, process->words, process->shown,
                       process->failure))
        return STATUS_USAGE;
    bool has_ended_itself = process_wait(process, &program);
    bool succeeded = program_end(&program, ended);
    for (int i = 0;
         i < MOST_PIECES && process_take_output(process, &program, 0); i++)
        continue;
    program_close(&program);
    if (has_ended_itself && !succeeded)
        memcpy(process->failure, ended, sizeof ended);
    return has_ended_itself && succeeded ? STATUS_DONE : STATUS_MAP_FAILED;
}
