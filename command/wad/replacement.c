// SPDX-License-Identifier: GPL-2.0-or-later
//
// When a signal ends the process, even SIGSEGV when the stack overflows, the
// handler removes the temporary file first.  Only SIGKILL, or a power failure,
// leaves it in the folder.
//
// The lock is advisory.  The kernel releases it when the process ends, and it
// leaves nothing in the folder.  On a file system without locks, the check
// before the rename still finds changes.

#include "config.h"

#include "wad/replacement.h"

#include "common/message.h"
#include "platform/file.h"
#include "platform/folder.h"
#include "platform/status.h"
#include "platform/system.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------------------
// The lock

// Whether the lock was taken.  A file that cannot be opened needs none: reading
// it reports why.  The path must still lead to the locked file.
static bool replacement_locks(struct file_lock *lock, const char *input)
{
    struct file_status now;
    if (!file_lock_open(lock, input))
        return false;
    if (lock->descriptor < 0)
        return true;
    return file_find_open(lock->descriptor, &lock->version) &&
           file_find(input, &now) && file_version_equals(&lock->version, &now);
}

enum exit_status replacement_lock(struct file_lock *lock, const char *input,
                                  const char *target)
{
    struct file_status read, replaced;
    *lock = NO_LOCK;
    if (!file_find(input, &read) || !file_find(target, &replaced) ||
        read.kind != FILE_REGULAR || !file_is_same(&read, &replaced))
        return STATUS_DONE;
    if (replacement_locks(lock, input))
        return STATUS_DONE;
    message_print("%s: another process is at work on this file", input);
    file_lock_release(lock);
    return STATUS_FILE;
}

// ---------------------------------------------------------------------------
// The temporary file and signals

// Owns the temporary file to remove if a signal or lack of memory ends the
// process; NULL: none.
static const struct replacement *volatile replacement_unfinished;

void replacement_remove_unfinished(void)
{
    const struct replacement *replacement = replacement_unfinished;
    if (replacement)
        folder_remove(&replacement->place, &replacement->temporary);
}

// Calls only functions that are async-signal-safe.
static void replacement_die(int signal_number)
{
    replacement_remove_unfinished();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// ---------------------------------------------------------------------------
// Replacing

static const char replacement_target_changed[] =
    "it has changed since it was read";
static const char replacement_target_came[] =
    "it was not there when the command began";

// Prints that the target cannot be written or replaced, and why.  Returns
// STATUS_FILE.
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

// Finds the old file: the locked one or, without a lock, the one at the path.
static bool replacement_find_old(const struct replacement *replacement,
                                 struct file_status *old)
{
    if (!replacement->lock)
        return folder_find_file(&replacement->place, old);
    *old = replacement->lock->version;
    return true;
}

// Finds the old file, if any.  Returns why it must not be replaced, or NULL.
// Renaming checks only the folder's permission, so this checks the file's own.
static const char *replacement_check(struct replacement *replacement,
                                     struct file_status *old)
{
    if (replacement_has_changed(replacement))
        return replacement_target_changed;
    const bool exists = replacement_find_old(replacement, old);
    if (exists && replacement->is_new)
        return replacement_target_came;
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
    // `replacement_unfinished`.
    system_hold_signals();
    const bool created =
        folder_create(&replacement->place, replacement->is_new ? NULL : &old,
                      &replacement->temporary);
    if (created) {
        replacement_unfinished = replacement;
        system_handle_signals(replacement_die);
    }
    system_release_signals();
    return created
               ? STATUS_DONE
               : replacement_fail(replacement,
                                  "written: cannot create a file in its folder",
                                  file_reason(errno));
}

static enum exit_status replacement_open(struct replacement *replacement,
                                         bool compressed)
{
    int descriptor = STDOUT_FILENO;
    if (!file_is_standard(replacement->target)) {
        NEED_DONE(replacement_make_file(replacement));
        descriptor = replacement->temporary.descriptor;
    }
    // A duplicate, as the file is synced after the output is closed.
    if (output_open(&replacement->output, file_duplicate(descriptor),
                    compressed))
        return STATUS_DONE;
    return replacement_fail(replacement, "written", file_reason(errno));
}

enum exit_status replacement_begin(struct replacement *replacement,
                                   const char *target, bool compressed,
                                   bool is_new, struct file_lock *lock)
{
    *replacement = NO_REPLACEMENT;
    replacement->target = target;
    replacement->is_new = is_new;
    replacement->lock = lock;
    const enum exit_status status = replacement_open(replacement, compressed);
    if (status != STATUS_DONE)
        replacement_abandon(replacement);
    return status;
}

// Finds the first number whose name is unused or, if `old` is given, whose
// backup is a hard link to that file already, as a crash leaves it.  Stores the
// name, to be freed.  Returns 0 with errno if there is none.
static unsigned replacement_number_backup(const struct place *place,
                                          const struct file_status *old,
                                          char **name, bool *is_kept)
{
    struct file_status found;
    *is_kept = false;
    for (unsigned number = 1; number <= MOST_BACKUPS; number++) {
        struct place backup = {.folder = place->folder,
                               .name = file_backup_name(place->name, number)};
        *name = backup.name;
        if (!backup.name)
            return 0;
        const bool exists = folder_find_file(&backup, &found);
        *is_kept = exists && old && file_is_same(old, &found);
        if (*is_kept || (!exists && errno == ENOENT))
            return number;
        const int reason = exists ? EEXIST : errno;
        free(backup.name);
        *name = NULL;
        errno = reason;
        if (!exists)
            return 0;
    }
    return 0;
}

char *replacement_find_backup(const struct place *place)
{
    char *name;
    bool is_kept;
    replacement_number_backup(place, NULL, &name, &is_kept);
    return name;
}

static const char *replacement_backup_reason(void)
{
    return errno == EEXIST ? TOO_MANY_BACKUPS : file_reason(errno);
}

enum exit_status replacement_check_backup(const struct replacement *replacement)
{
    struct file_status old;
    if (file_is_standard(replacement->target) ||
        !replacement_find_old(replacement, &old))
        return STATUS_DONE;
    char *name;
    bool is_kept;
    if (replacement_number_backup(&replacement->place, &old, &name, &is_kept) ==
        0)
        return replacement_fail(replacement, "written: the backup",
                                replacement_backup_reason());
    free(name);
    return STATUS_DONE;
}

// Makes the backup of an existing target, unless a crash left one.  Holds
// signals meanwhile.
static const char *replacement_keep(struct replacement *replacement)
{
    struct file_status old;
    char *name;
    bool is_kept;
    if (!replacement_find_old(replacement, &old))
        return errno == ENOENT ? NULL : file_reason(errno);
    const unsigned number =
        replacement_number_backup(&replacement->place, &old, &name, &is_kept);
    if (number == 0)
        return replacement_backup_reason();
    free(name);
    if (is_kept)
        return NULL;
    system_hold_signals();
    const char *fault = folder_keep(&replacement->place, &old, number,
                                    &replacement->backup_lost_list);
    system_release_signals();
    return fault;
}

static enum exit_status
replacement_check_unchanged(const struct replacement *replacement)
{
    if (!replacement_has_changed(replacement))
        return STATUS_DONE;
    return replacement_fail(replacement, "replaced",
                            replacement_target_changed);
}

// Copying the backup may take a while, so this looks for changes again.
static enum exit_status replacement_back_up(struct replacement *replacement)
{
    const char *fault = replacement_keep(replacement);
    NEED_DONE(replacement_check_unchanged(replacement));
    return fault ? replacement_fail(replacement, "written: the backup", fault)
                 : STATUS_DONE;
}

static enum exit_status replacement_replace(struct replacement *replacement,
                                            bool backup)
{
    const int descriptor = replacement->temporary.descriptor;
    struct file_status old;
    if (!output_close(&replacement->output) ||
        (descriptor >= 0 && !file_sync(descriptor)))
        return replacement_fail(replacement, "written", file_reason(errno));
    if (descriptor < 0)
        return STATUS_DONE;
    if (replacement->is_new && replacement_find_old(replacement, &old))
        return replacement_fail(replacement, "replaced",
                                replacement_target_came);
    NEED_DONE(replacement_check_unchanged(replacement));
    if (backup)
        NEED_DONE(replacement_back_up(replacement));
    const char *fault = folder_rename(
        &replacement->place, &replacement->temporary, replacement->lock);
    return fault ? replacement_fail(replacement, "written", fault)
                 : STATUS_DONE;
}

// Says whose access list was lost.
static void replacement_say_access(const struct replacement *replacement)
{
    const bool both =
        replacement->temporary.lost_list && replacement->backup_lost_list;
    if (!replacement->temporary.lost_list && !replacement->backup_lost_list)
        return;
    message_print("%s%s: the access list could not be kept, so the group and "
                  "those it named lost their access",
                  replacement->target,
                  both                            ? " and its backup"
                  : replacement->backup_lost_list ? ", its backup"
                                                  : "");
}

enum exit_status replacement_commit(struct replacement *replacement,
                                    bool backup)
{
    enum exit_status status = replacement_replace(replacement, backup);
    if (status == STATUS_DONE)
        replacement_say_access(replacement);
    replacement_abandon(replacement); // removes no file after the rename
    return status;
}

void replacement_abandon(struct replacement *replacement)
{
    if (replacement->temporary.descriptor >= 0)
        folder_remove(&replacement->place, &replacement->temporary);
    replacement_unfinished = NULL;
    if (replacement->output.stream)
        output_close(&replacement->output);
    if (replacement->temporary.descriptor >= 0)
        close(replacement->temporary.descriptor);
    replacement->temporary = NO_FRESH_FILE;
    folder_close(&replacement->place);
}
