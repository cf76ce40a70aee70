// SPDX-License-Identifier: GPL-2.0-or-later
//
// A signal that ends the process removes the temporary file first.  Only
// SIGKILL or a power failure leaves it in the folder.
//
// The lock is an advisory one.  The kernel releases it when the process ends,
// and it leaves nothing in the folder.  On a file system without locks the
// check before the rename has to do: the file must not have changed.

#include "config.h"

#include "wad/replace-file.h"

#include "platform/system.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
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

// ---------------------------------------------------------------------------
// The lock

// Whether a file is no longer what it was when it was opened.
static bool file_lock_has_changed(struct file_lock *lock, const char *path)
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
    lock->descriptor = file_open_locked(input, &lock->mutex, &is_taken);
    // What cannot be opened is reported when it is read.
    if (lock->descriptor < 0 ||
        (!is_taken && !file_lock_has_changed(lock, input)))
        return STATUS_DONE;
    message_print("%s: another process is at work on this file", input);
    file_lock_release(lock);
    return STATUS_FILE;
}

void file_lock_release(struct file_lock *lock)
{
    file_unlock(lock->descriptor, lock->mutex);
    *lock = NO_LOCK;
}

// ---------------------------------------------------------------------------
// The temporary file and signals

// Has a temporary file to remove if a signal ends the process; NULL if none.
static const struct replacement *volatile unfinished;

static void replacement_remove(const struct replacement *replacement)
{
    folder_remove(replacement->folder, replacement->temporary,
                  &replacement->created);
}

static void replacement_die(int signal_number)
{
    if (unfinished)
        replacement_remove(unfinished);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// Creates the file with signals held, so that a handler never runs between that
// and setting `unfinished`.
static bool replacement_create(struct replacement *replacement,
                               const struct file_status *old)
{
    signals_hold();
    replacement->descriptor =
        folder_create(replacement->folder, replacement->name, old,
                      replacement->temporary, &replacement->created);
    if (replacement->descriptor >= 0) {
        unfinished = replacement;
        signals_catch(replacement_die);
    }
    signals_release();
    return replacement->descriptor >= 0;
}

// ---------------------------------------------------------------------------
// Replacing

static const char target_changed[] = "it has changed since it was read";

static enum exit_status replacement_fail(const char *target, const char *where,
                                         const char *reason)
{
    bool is_standard = file_is_standard(target);
    message_print("%s%s cannot be written: %s%s",
                  is_standard ? "standard output" : target,
                  is_standard ? "" : ":", where, reason);
    return STATUS_FILE;
}

static enum exit_status replacement_refuse(const char *target,
                                           const char *reason)
{
    message_print("%s: cannot be replaced: %s", target, reason);
    return STATUS_FILE;
}

// Opens the temporary file, or standard output, for writing.  zlib closes the
// descriptor that it gets, so it gets a copy; ours is needed to sync the file.
static bool replacement_open(struct replacement *replacement, int file,
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

static bool replacement_has_changed(const struct replacement *replacement)
{
    struct file_status now;
    return replacement->lock &&
           (!folder_find_file(replacement->folder, replacement->name, &now) ||
            !file_version_equals(&replacement->lock->version, &now));
}

// Finds what is replaced: the target that was read or, if that was another
// file, what has its name.
static bool replacement_find_old(const struct replacement *replacement,
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
static const char *replacement_check(const struct replacement *replacement,
                                     struct file_status *old, bool *exists)
{
    if (replacement_has_changed(replacement))
        return target_changed;
    *exists = replacement_find_old(replacement, old);
    if (!*exists)
        return errno == ENOENT ? NULL : file_reason(errno);
    if (old->kind != FILE_REGULAR)
        return "a regular file was expected";
    if (!folder_may_write(replacement->folder, replacement->name))
        return file_reason(errno);
    return NULL;
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
        return replacement_open(replacement, STDOUT_FILENO, compressed)
                   ? STATUS_DONE
                   : replacement_fail(target, "", file_reason(errno));
    const char *lost =
        folder_find(target, &replacement->folder, &replacement->name);
    const char *fault =
        lost ? NULL : replacement_check(replacement, &old, &exists);
    if (lost)
        status = replacement_fail(target, "", lost);
    else if (fault)
        status = replacement_refuse(target, fault);
    else if (!replacement_create(replacement, exists ? &old : NULL))
        status =
            errno == EACCES
                ? replacement_fail(
                      target, "", "no permission to create files in its folder")
                : replacement_fail(target,
                                   "cannot create a file in its folder: ",
                                   file_reason(errno));
    else if (!replacement_open(replacement, replacement->descriptor,
                               compressed))
        status = replacement_fail(target, "", file_reason(errno));
    if (status != STATUS_DONE)
        replacement_abandon(replacement);
    return status;
}

// Ends the stream and syncs the file, if there is one.  False with errno if not
// all that was written has arrived.
static bool replacement_finish(struct replacement *replacement)
{
    int code;
    gzerror(replacement->stream, &code);
    bool arrived = gzclose(replacement->stream) == Z_OK && code == Z_OK;
    replacement->stream = NULL;
    if (replacement->output.error) {
        errno = replacement->output.error;
        return false;
    }
    return arrived &&
           (replacement->descriptor < 0 || file_sync(replacement->descriptor));
}

// Makes the backup, if there is a target.  Signals are held meanwhile.
static const char *replacement_keep(const struct replacement *replacement)
{
    struct file_status old;
    if (!replacement_find_old(replacement, &old))
        return errno == ENOENT ? NULL : file_reason(errno);
    signals_hold();
    const char *fault =
        folder_keep(replacement->folder, replacement->name, &old);
    signals_release();
    return fault;
}

static enum exit_status replacement_replace(struct replacement *replacement,
                                            bool backup)
{
    const char *target = replacement->target;
    const char *fault = NULL;
    if (!replacement_finish(replacement))
        return replacement_fail(target, "", file_reason(errno));
    if (replacement->descriptor < 0)
        return STATUS_DONE;
    // Copying the backup may take a while, so look for changes after it, too.
    bool changed = replacement_has_changed(replacement);
    if (!changed && backup) {
        fault = replacement_keep(replacement);
        changed = replacement_has_changed(replacement);
    }
    if (changed)
        return replacement_refuse(target, target_changed);
    if (fault)
        return replacement_fail(target, "the backup: ", fault);
    fault = folder_rename(replacement->folder, replacement->temporary,
                          replacement->descriptor, replacement->name,
                          replacement->lock ? &replacement->lock->descriptor
                                            : NULL);
    return fault ? replacement_fail(target, "", fault) : STATUS_DONE;
}

// Ends a replacement whose temporary file was renamed or removed.
static void replacement_end(struct replacement *replacement)
{
    unfinished = NULL;
    signals_let_go(replacement_die);
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
    enum exit_status status = replacement_replace(replacement, backup);
    if (status == STATUS_DONE)
        replacement_end(replacement);
    else
        replacement_abandon(replacement);
    return status;
}

void replacement_abandon(struct replacement *replacement)
{
    if (replacement->descriptor >= 0)
        replacement_remove(replacement);
    replacement_end(replacement);
}
