// SPDX-License-Identifier: GPL-2.0-or-later
//
// A signal that ends the process removes the temporary file first.  Only
// SIGKILL or a power failure leaves it in the folder.
//
// The lock is an advisory one.  The kernel releases it when the process ends,
// and it leaves nothing in the folder.  On a file system without locks the
// check before the rename has to do: the file must not have changed.

#include "config.h"

#include "file/replace-file.h"

#include "platform/system.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool file_name_ends(const char *path, const char *ending)
{
    size_t length = strlen(path);
    return length >= strlen(ending) &&
           strcmp(path + length - strlen(ending), ending) == 0;
}

bool file_is_standard(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

bool file_is_regular(const char *path)
{
    struct file_status status;
    return file_find(path, &status) && status.kind == FILE_REGULAR;
}

// ---------------------------------------------------------------------------
// The lock

// Whether a file is no longer what it was when it was opened.
static bool has_changed(struct file_lock *lock, const char *path)
{
    struct file_status now;
    return !file_find_open(lock->descriptor, &lock->version) ||
           !file_find(path, &now) || !file_version_equals(&lock->version, &now);
}

enum exit_status file_lock_take(struct file_lock *lock, const char *input,
                                const char *target)
{
    struct file_status read, replaced;
    bool is_taken;
    *lock = NO_LOCK;
    if (!file_find(input, &read) || !file_find(target, &replaced) ||
        read.kind != FILE_REGULAR || !file_is_same(&read, &replaced))
        return STATUS_DONE;
    lock->descriptor = file_open_locked(input, &is_taken);
    // What cannot be opened is reported when it is read.
    if (lock->descriptor < 0 || (!is_taken && !has_changed(lock, input)))
        return STATUS_DONE;
    message_print("%s: another process is at work on this file", input);
    file_lock_release(lock);
    return STATUS_FILE;
}

void file_lock_release(struct file_lock *lock)
{
    file_unlock(lock->descriptor);
    *lock = NO_LOCK;
}

// ---------------------------------------------------------------------------
// The temporary file and signals

// Has a temporary file to remove if a signal ends the process; NULL if none.
static const struct replacement *volatile unfinished;

static void remove_temporary(const struct replacement *replacement)
{
    folder_remove(replacement->folder, replacement->temporary,
                  &replacement->created);
}

static void remove_and_die(int signal_number)
{
    if (unfinished)
        remove_temporary(unfinished);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// Creates the file with signals held, so that a handler never runs between that
// and setting `unfinished`.  (Other threads may still take a signal.)
static bool create_temporary(struct replacement *replacement,
                             const struct file_status *old)
{
    signals_hold();
    replacement->descriptor =
        folder_create(replacement->folder, replacement->name, old,
                      replacement->temporary, &replacement->created);
    if (replacement->descriptor >= 0) {
        unfinished = replacement;
        signals_catch(remove_and_die);
    }
    signals_release();
    return replacement->descriptor >= 0;
}

// ---------------------------------------------------------------------------
// Replacing

static const char target_changed[] = "it has changed since it was read";

static enum exit_status cannot_write(const char *target, const char *where,
                                     const char *reason)
{
    bool is_standard = file_is_standard(target);
    message_print("%s%s cannot be written: %s%s",
                  is_standard ? "standard output" : target,
                  is_standard ? "" : ":", where, reason);
    return STATUS_FILE;
}

static enum exit_status refuse_target(const char *target, const char *reason)
{
    message_print("%s: cannot be replaced: %s", target, reason);
    return STATUS_FILE;
}

// Opens the temporary file, or standard output, for writing.  zlib closes the
// descriptor that it gets, so it gets a copy; ours is needed to sync the file.
static bool open_stream(struct replacement *replacement, int file,
                        bool compressed)
{
    int descriptor = file_duplicate(file);
    if (descriptor < 0)
        return false;
    replacement->stream = gzdopen(descriptor, compressed ? "wb" : "wbT");
    if (!replacement->stream)
        close(descriptor);
    replacement->output = (struct output){
        .stream = compressed ? replacement->stream : NULL, .descriptor = file};
    return replacement->stream;
}

static bool target_has_changed(const struct replacement *replacement)
{
    struct file_status now;
    return replacement->lock &&
           (!folder_find_file(replacement->folder, replacement->name, &now) ||
            !file_version_equals(&replacement->lock->version, &now));
}

// Finds what is replaced: the target that was read or, if that was another
// file, what has its name.
static bool find_old(const struct replacement *replacement,
                     struct file_status *old)
{
    if (!replacement->lock)
        return folder_find_file(replacement->folder, replacement->name, old);
    *old = replacement->lock->version;
    return true;
}

// Finds out whether there is a target, and what is wrong with one that must not
// be replaced.  Renaming checks only the folder's permission, so the file's own
// is checked here.
static const char *check_target(const struct replacement *replacement,
                                struct file_status *old, bool *exists)
{
    if (target_has_changed(replacement))
        return target_changed;
    *exists = find_old(replacement, old);
    if (!*exists)
        return errno == ENOENT ? NULL : file_reason(errno);
    if (old->kind != FILE_REGULAR)
        return "a regular file was expected";
    if (!folder_may_write(replacement->folder, replacement->name))
        return file_reason(errno);
    return NULL;
}

static enum exit_status cannot_create(const char *target)
{
    if (errno == EACCES)
        return cannot_write(target, "",
                            "no permission to create files in its folder");
    return cannot_write(
        target, "cannot create a file in its folder: ", file_reason(errno));
}

enum exit_status replacement_begin(struct replacement *replacement,
                                   const char *target, bool compressed,
                                   struct file_lock *lock)
{
    struct file_status old;
    bool exists;
    enum exit_status status = STATUS_DONE;
    *replacement = (struct replacement){
        .target = target, .folder = -1, .descriptor = -1, .lock = lock};
    if (file_is_standard(target))
        return open_stream(replacement, STDOUT_FILENO, compressed)
                   ? STATUS_DONE
                   : cannot_write(target, "", file_reason(errno));
    const char *fault =
        folder_find(target, &replacement->folder, &replacement->name);
    if (fault)
        return cannot_write(target, "", fault);
    fault = check_target(replacement, &old, &exists);
    if (fault)
        status = refuse_target(target, fault);
    else if (!create_temporary(replacement, exists ? &old : NULL))
        status = cannot_create(target);
    else if (!open_stream(replacement, replacement->descriptor, compressed))
        status = cannot_write(target, "", file_reason(errno));
    if (status != STATUS_DONE)
        replacement_abandon(replacement);
    return status;
}

// Closes a stream.  False with errno if not all that was written has arrived.
static bool close_stream(gzFile stream)
{
    int code;
    gzerror(stream, &code);
    int closed = gzclose(stream);
    return code == Z_OK && closed == Z_OK;
}

// Ends the stream and syncs the file, if there is one.
static bool finish_stream(struct replacement *replacement)
{
    bool closed = close_stream(replacement->stream);
    replacement->stream = NULL;
    if (replacement->output.error) {
        errno = replacement->output.error;
        return false;
    }
    return closed &&
           (replacement->descriptor < 0 || file_sync(replacement->descriptor));
}

// Makes the backup, if there is a target.  Signals are held meanwhile.
static const char *keep_target(const struct replacement *replacement)
{
    struct file_status old;
    if (!find_old(replacement, &old))
        return errno == ENOENT ? NULL : file_reason(errno);
    signals_hold();
    const char *fault =
        folder_keep(replacement->folder, replacement->name, &old);
    signals_release();
    return fault;
}

static enum exit_status replace_target(struct replacement *replacement,
                                       bool backup)
{
    const char *target = replacement->target;
    const char *fault = NULL;
    if (!finish_stream(replacement))
        return cannot_write(target, "", file_reason(errno));
    if (replacement->descriptor < 0)
        return STATUS_DONE;
    // Copying the backup may take a while, so look for changes after it, too.
    bool changed = target_has_changed(replacement);
    if (!changed && backup) {
        fault = keep_target(replacement);
        changed = target_has_changed(replacement);
    }
    if (changed)
        return refuse_target(target, target_changed);
    if (fault)
        return cannot_write(target, "the backup: ", fault);
    fault = folder_rename(replacement->folder, replacement->temporary,
                          replacement->descriptor, replacement->name,
                          replacement->lock ? &replacement->lock->descriptor
                                            : NULL);
    return fault ? cannot_write(target, "", fault) : STATUS_DONE;
}

// Ends a replacement whose temporary file was renamed or removed.
static void end_replacement(struct replacement *replacement)
{
    unfinished = NULL;
    signals_let_go(remove_and_die);
    if (replacement->stream)
        gzclose(replacement->stream);
    if (replacement->descriptor >= 0)
        close(replacement->descriptor);
    if (replacement->folder >= 0)
        close(replacement->folder);
    free(replacement->name);
    *replacement = (struct replacement){.folder = -1, .descriptor = -1};
}

enum exit_status replacement_commit(struct replacement *replacement,
                                    bool backup)
{
    enum exit_status status = replace_target(replacement, backup);
    if (status != STATUS_DONE) {
        replacement_abandon(replacement);
        return status;
    }
    end_replacement(replacement);
    return STATUS_DONE;
}

void replacement_abandon(struct replacement *replacement)
{
    if (replacement->descriptor >= 0)
        remove_temporary(replacement);
    end_replacement(replacement);
}
