// SPDX-License-Identifier: GPL-2.0-or-later
//
// The builder gets a folder of its own with a copy of the input in it, as a
// plain WAD.  What it writes there is opened, and the folder is gone, with
// whatever else the builder has put there, before it is read.  Signals that end
// the command are held from before the folder comes to after it has gone, and
// nothing is said as long as they are, because that can take any time.

#include "config.h"

#include "builder/builder.h"

#include "builder/builder-output.h"
#include "platform/folder.h"
#include "platform/process.h"
#include "platform/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// One run of the builder.
struct run {
    const struct builder *builder;
    const struct wad *input;
    const struct map_places *maps;
    struct built_file *built;

    char *folder;
    char *in, *out; // files in it
    struct process process;
    int descriptor;      // of the file that it wrote, or -1
    char sentence[2048]; // to end with; "" if there is none
};

static enum exit_status fail(struct run *run, enum exit_status status,
                             const char *format, ...) PRINTF_LIKE(3, 4);

static enum exit_status fail(struct run *run, enum exit_status status,
                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->sentence, sizeof run->sentence, format, arguments);
    va_end(arguments);
    return status;
}

// ---------------------------------------------------------------------------
// The folder

static void forget_folder(struct run *run)
{
    free(run->folder);
    free(run->in);
    free(run->out);
}

static enum exit_status make_folder(struct run *run)
{
    run->folder = folder_make();
    if (!run->folder)
        return fail(run, STATUS_FILE,
                    "no folder for its files can be made in %s: %s",
                    folder_parent(), strerror(errno));
    run->in = folder_join(run->folder, "in.wad");
    run->out = folder_join(run->folder, "out.wad");
    if (run->in && run->out)
        return STATUS_DONE;
    rmdir(run->folder);
    forget_folder(run);
    return message_out_of_memory();
}

// Most builders leave no more than two files, for which no memory is needed.
static enum exit_status remove_folder(struct run *run, enum exit_status status)
{
    folder_unlock(run->folder);
    unlink(run->in);
    unlink(run->out);
    if (!folder_remove(run->folder))
        status = fail(run, STATUS_FILE,
                      "the folder of its files cannot be removed: %s: %s",
                      run->folder, strerror(errno));
    forget_folder(run);
    return status;
}

// Writes the copy, or as much of it as there is time for.
static bool write_copy(const struct run *run, FILE *file,
                       const sigset_t *signals_before)
{
    enum { PIECE = 1 << 24 };
    size_t size = run->input->size;
    for (size_t at = 0; at < size; at += PIECE) {
        size_t piece = size - at < PIECE ? size - at : PIECE;
        if (fwrite(run->input->bytes + at, 1, piece, file) != piece)
            return false;
        if (signals_are_waiting(signals_before))
            break; // and will end us
    }
    return true;
}

static enum exit_status write_input(struct run *run,
                                    const sigset_t *signals_before)
{
    FILE *file = fopen(run->in, "wb");
    bool written = file && write_copy(run, file, signals_before);
    int reason = errno;
    if (file && fclose(file) != 0 && written) {
        reason = errno;
        written = false;
    }
    if (written)
        return STATUS_DONE;
    return fail(run, STATUS_FILE, "its input cannot be written to %s: %s",
                folder_parent(), strerror(reason));
}

// ---------------------------------------------------------------------------
// Running

static enum exit_status judge_end(struct run *run)
{
    const struct process *process = &run->process;
    switch (process->end) {
    case PROCESS_EXITED:
        if (process->number == 0)
            return STATUS_DONE;
        return fail(run, STATUS_MAP_FAILED, "it ended with status %d",
                    process->number);
    case PROCESS_DIED:
        return fail(run, STATUS_MAP_FAILED, "it was ended by signal %d, %s",
                    process->number, strsignal(process->number));
    case PROCESS_TIMED_OUT:
        return fail(run, STATUS_MAP_FAILED,
                    "it was ended because it took more than %u s; "
                    "--builder-timeout can give it more",
                    run->builder->seconds_allowed);
    case PROCESS_INTERRUPTED: // by the signal that will end us, too
        break;
    }
    return STATUS_MAP_FAILED;
}

static enum exit_status open_output(struct run *run)
{
    const char *path = run->builder->command.has_out ? run->out : run->in;
    struct stat file;
    folder_unlock(run->folder);
    if (lstat(path, &file) != 0)
        return fail(run, STATUS_MAP_FAILED, "it wrote no file");
    if (!S_ISREG(file.st_mode))
        return fail(run, STATUS_MAP_FAILED,
                    "what it wrote is not a regular file");
    if (file.st_size == 0)
        return fail(run, STATUS_MAP_FAILED, "the file that it wrote is empty");
    if (file.st_size > INT32_MAX)
        return fail(run, STATUS_MAP_FAILED,
                    "the file that it wrote has %lld bytes, which no WAD has",
                    (long long)file.st_size);
    chmod(path, S_IRUSR);
    run->descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (run->descriptor < 0)
        return fail(run, STATUS_MAP_FAILED,
                    "the file that it wrote cannot be read: %s",
                    strerror(errno));
    return STATUS_DONE;
}

static enum exit_status start_and_follow(struct run *run,
                                         const sigset_t *signals_before)
{
    char **words =
        builder_command_fill_in(&run->builder->command, run->in, run->out);
    if (!words)
        return message_out_of_memory();
    run->process = (struct process){
        .words = words,
        .seconds_allowed = run->builder->seconds_allowed,
        .shown = run->builder->shown,
        .signals_before = signals_before,
    };
    int error = process_run(&run->process);
    builder_command_free_words(words);
    run->built->seconds = run->process.seconds;
    if (error != 0)
        return fail(run, STATUS_USAGE, "it cannot be started: %s",
                    strerror(error));
    return judge_end(run);
}

static enum exit_status run_in_folder(struct run *run,
                                      const sigset_t *signals_before)
{
    enum exit_status status = write_input(run, signals_before);
    if (status == STATUS_DONE)
        status = start_and_follow(run, signals_before);
    return status == STATUS_DONE ? open_output(run) : status;
}

static enum exit_status run_builder(struct run *run)
{
    sigset_t signals_before;
    signals_hold(&signals_before);
    enum exit_status status = make_folder(run);
    if (status == STATUS_DONE) {
        status = run_in_folder(run, &signals_before);
        status = remove_folder(run, status);
    }
    signals_release(&signals_before);
    return status;
}

// ---------------------------------------------------------------------------
// The step

static enum exit_status run_step(const struct build_step *step,
                                 const struct wad *input,
                                 const struct map_places *maps,
                                 struct built_file *built)
{
    struct run run = {
        .builder = step->context,
        .input = input,
        .maps = maps,
        .built = built,
        .process = {.pipe_end = -1},
        .descriptor = -1,
    };
    enum exit_status status = run_builder(&run);
    if (status == STATUS_DONE)
        status = builder_output_take(run.descriptor, input, maps, built,
                                     run.sentence, sizeof run.sentence);
    else if (run.descriptor >= 0)
        close(run.descriptor);
    process_close(&run.process, status != STATUS_DONE);
    if (*run.sentence)
        message_print("builder %s: %s", step->name, run.sentence);
    return status;
}

static enum exit_status parse_timeout(const char *timeout, unsigned *seconds)
{
    enum { DEFAULT = 3600, MOST_DIGITS = 9 };
    *seconds = DEFAULT;
    if (!timeout)
        return STATUS_DONE;
    size_t digits = strspn(timeout, "0123456789");
    if (digits == 0 || digits > MOST_DIGITS || timeout[digits]) {
        message_print("option 'builder-timeout' does not take '%s'; expected 0 "
                      "to 999999999 seconds",
                      timeout);
        return STATUS_USAGE;
    }
    *seconds = (unsigned)strtoul(timeout, NULL, 10);
    return STATUS_DONE;
}

enum exit_status builder_parse(const struct arguments *arguments,
                               struct builder *builder)
{
    *builder = (struct builder){.shown = arguments->verbose};
    enum exit_status status =
        parse_timeout(arguments->builder_timeout, &builder->seconds_allowed);
    if (status == STATUS_DONE)
        status = builder_command_parse(arguments->builder, &builder->command);
    if (status != STATUS_DONE)
        return status;
    builder->step = (struct build_step){
        .name = builder->command.words[0],
        .command = builder->command.line,
        .run = run_step,
        .context = builder,
    };
    return STATUS_DONE;
}

void builder_free(struct builder *builder)
{
    builder_command_free(&builder->command);
}
