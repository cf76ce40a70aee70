// SPDX-License-Identifier: GPL-2.0-or-later
//
// A signal that ends the process, also that of a crash, removes the temporary
// file first.  Only SIGKILL or a power failure leaves it in the folder.
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

int file_read_start(const char *path, void *bytes, unsigned size)
{
    const int descriptor = file_open(path);
    gzFile stream = descriptor < 0 ? NULL : gzdopen(descriptor, "rb");
    const int count = stream ? gzread(stream, bytes, size) : -1;
    if (stream)
        gzclose(stream);
    else if (descriptor >= 0)
        close(descriptor);
    return count;
}

// ---------------------------------------------------------------------------
// The lock

enum exit_status file_lock_take(struct file_lock *lock, const char *input,
                                const char *target)
{
    struct file_status read, replaced;
    *lock = NO_LOCK;
    if (!file_find(input, &read) || !file_find(target, &replaced) ||
        read.kind != FILE_REGULAR || !file_is_same(&read, &replaced))
        return STATUS_DONE;
    // What cannot be opened is reported when it is read.  What was opened has
    // to be what still has the name.
    if (file_lock_open(lock, input) &&
        (lock->descriptor < 0 ||
         (file_find_open(lock->descriptor, &lock->version) &&
          file_find(input, &read) &&
          file_version_equals(&lock->version, &read))))
        return STATUS_DONE;
    message_print("%s: another process is at work on this file", input);
    file_lock_release(lock);
    return STATUS_FILE;
}

// ---------------------------------------------------------------------------
// The temporary file and signals

// Has a temporary file to remove if a signal or lack of memory ends the
// process; NULL if none.
static const struct replacement *volatile unfinished;

void replacement_remove_unfinished(void)
{
    const struct replacement *replacement = unfinished;
    if (replacement)
        folder_remove(&replacement->place, &replacement->temporary);
}

static void replacement_die(int signal_number)
{
    replacement_remove_unfinished();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// ---------------------------------------------------------------------------
// Replacing

static const char target_changed[] = "it has changed since it was read";
static const char target_came[] = "it was not there when the command began";

// Says what cannot be done with the target, and why.  STATUS_FILE.
static enum exit_status replacement_fail(const struct replacement *replacement,
                                         const char *what, const char *reason)
{
    const bool is_standard = file_is_standard(replacement->target);
    message_print("%s%s cannot be %s: %s",
                  is_standard ? "standard output" : replacement->target,
                  is_standard ? "" : ":", what, reason);
    return STATUS_FILE;
}

static bool replacement_has_changed(const struct replacement *replacement)
{
    struct file_status now;
    return replacement->lock &&
           (!folder_find_file(&replacement->place, &now) ||
            !file_version_equals(&replacement->lock->version, &now));
}

// Finds what is replaced: the target that was read or, if that was another
// file, what has its name.
static bool replacement_find_old(const struct replacement *replacement,
                                 struct file_status *old)
{
    if (!replacement->lock)
        return folder_find_file(&replacement->place, old);
    *old = replacement->lock->version;
    return true;
}

// Finds out whether there is a target, and what is wrong with one that must not
// be replaced.  Renaming checks only the folder's permission, so the file's own
// is checked here.
static const char *replacement_check(struct replacement *replacement,
                                     struct file_status *old)
{
    if (replacement_has_changed(replacement))
        return target_changed;
    const bool exists = replacement_find_old(replacement, old);
    if (exists && replacement->is_new)
        return target_came;
    replacement->is_new = !exists;
    if (!exists)
        return errno == ENOENT ? NULL : file_reason(errno);
    if (old->kind != FILE_REGULAR)
        return "a regular file was expected";
    return folder_may_write(&replacement->place) ? NULL : file_reason(errno);
}

static enum exit_status replacement_make_file(struct replacement *replacement)
{
    struct file_status old;
    const char *fault = folder_find(replacement->target, &replacement->place);
    if (fault)
        return replacement_fail(replacement, "written", fault);
    fault = replacement_check(replacement, &old);
    if (fault)
        return replacement_fail(replacement, "replaced", fault);
    // Held, so that a handler never runs between making the file and setting
    // `unfinished`.
    system_hold_signals();
    const bool created =
        folder_create(&replacement->place, replacement->is_new ? NULL : &old,
                      &replacement->temporary);
    if (created) {
        unfinished = replacement;
        system_replace_handler(SIG_DFL, replacement_die);
    }
    system_release_signals();
    return created
               ? STATUS_DONE
               : replacement_fail(replacement,
                                  "written: cannot create a file in its folder",
                                  file_reason(errno));
}

enum exit_status replacement_begin(struct replacement *replacement,
                                   const char *target, bool compressed,
                                   bool is_new, struct file_lock *lock)
{
    const bool is_standard = file_is_standard(target);
    enum exit_status status = STATUS_DONE;
    *replacement = NO_REPLACEMENT;
    replacement->target = target;
    replacement->is_new = is_new;
    replacement->lock = lock;
    if (!is_standard)
        status = replacement_make_file(replacement);
    // A copy of the descriptor, as the file is synced when this is closed.
    if (status == STATUS_DONE &&
        !output_open(&replacement->output,
                     file_duplicate(is_standard
                                        ? STDOUT_FILENO
                                        : replacement->temporary.descriptor),
                     compressed))
        status = replacement_fail(replacement, "written", file_reason(errno));
    if (status != STATUS_DONE)
        replacement_abandon(replacement);
    return status;
}

bool backup_find(const struct place *place, struct file_status *status)
{
    struct place backup = {.folder = place->folder,
                           .name = file_backup_name(place->name)};
    if (!backup.name)
        return false;
    const bool found = folder_find_file(&backup, status);
    const int reason = errno;
    free(backup.name);
    errno = reason;
    return found;
}

enum exit_status replacement_check_backup(const struct replacement *replacement)
{
    struct file_status old, older;
    const char *fault = NULL;
    if (file_is_standard(replacement->target) ||
        !replacement_find_old(replacement, &old))
        return STATUS_DONE;
    if (!backup_find(&replacement->place, &older))
        fault = errno == ENOENT ? NULL : file_reason(errno);
    else if (older.kind != FILE_REGULAR)
        fault = "a regular file was expected";
    return fault ? replacement_fail(replacement, "written: the backup", fault)
                 : STATUS_DONE;
}

// Makes the backup, if there is a target and it is not its own backup, as a
// crash can leave it.  Signals are held meanwhile.
static const char *replacement_keep(const struct replacement *replacement)
{
    struct file_status old, older;
    if (!replacement_find_old(replacement, &old))
        return errno == ENOENT ? NULL : file_reason(errno);
    if (backup_find(&replacement->place, &older) && file_is_same(&old, &older))
        return NULL;
    system_hold_signals();
    const char *fault = folder_keep(&replacement->place, &old);
    system_release_signals();
    return fault;
}

static enum exit_status replacement_replace(struct replacement *replacement,
                                            bool backup)
{
    const int descriptor = replacement->temporary.descriptor;
    const char *fault = NULL;
    struct file_status old;
    if (!output_close(&replacement->output) ||
        (descriptor >= 0 && !file_sync(descriptor)))
        return replacement_fail(replacement, "written", file_reason(errno));
    if (descriptor < 0)
        return STATUS_DONE;
    if (replacement->is_new && replacement_find_old(replacement, &old))
        return replacement_fail(replacement, "replaced", target_came);
    // Copying the backup may take a while, so look for changes after it, too.
    bool changed = replacement_has_changed(replacement);
    if (!changed && backup) {
        fault = replacement_keep(replacement);
        changed = replacement_has_changed(replacement);
    }
    if (changed)
        return replacement_fail(replacement, "replaced", target_changed);
    if (fault)
        return replacement_fail(replacement, "written: the backup", fault);
    fault = folder_rename(&replacement->place, &replacement->temporary,
                          replacement->lock);
    return fault ? replacement_fail(replacement, "written", fault)
                 : STATUS_DONE;
}

enum exit_status replacement_commit(struct replacement *replacement,
                                    bool backup)
{
    enum exit_status status = replacement_replace(replacement, backup);
    replacement_abandon(replacement); // which has the lasting name, if done
    return status;
}

void replacement_abandon(struct replacement *replacement)
{
    if (replacement->temporary.descriptor >= 0)
        folder_remove(&replacement->place, &replacement->temporary);
    unfinished = NULL;
    system_replace_handler(replacement_die, SIG_DFL);
    if (replacement->output.stream)
        output_close(&replacement->output);
    if (replacement->temporary.descriptor >= 0)
        close(replacement->temporary.descriptor);
    replacement->temporary = NO_FRESH_FILE;
    folder_close(&replacement->place);
}
