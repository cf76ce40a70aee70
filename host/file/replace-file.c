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
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

bool file_is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool file_version_equals(const struct stat *a, const struct stat *b)
{
    return file_is_same(a, b) && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

bool file_name_ends(const char *path, const char *ending)
{
    size_t length = strlen(path);
    return length >= strlen(ending) &&
           strcmp(path + length - strlen(ending), ending) == 0;
}

bool file_is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// ---------------------------------------------------------------------------
// The lock

// Whether another process has the lock, or has replaced the file since it was
// opened.
static bool is_taken(struct file_lock *lock, const char *path)
{
    struct stat now;
    if (flock(lock->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return true;
    return fstat(lock->descriptor, &lock->version) != 0 ||
           stat(path, &now) != 0 || !file_version_equals(&lock->version, &now);
}

enum exit_status file_lock_take(struct file_lock *lock, const char *input,
                                const char *target)
{
    const int how = O_CLOEXEC | O_NONBLOCK;
    struct stat read, replaced;
    *lock = NO_LOCK;
    if (stat(input, &read) != 0 || stat(target, &replaced) != 0 ||
        !S_ISREG(read.st_mode) || !file_is_same(&read, &replaced))
        return STATUS_DONE;
    // Some network file systems lock only what may be written.
    lock->descriptor = open(input, O_RDWR | how);
    if (lock->descriptor < 0)
        lock->descriptor = open(input, O_RDONLY | how);
    // What cannot be opened is reported when it is read.
    if (lock->descriptor < 0 || !is_taken(lock, input))
        return STATUS_DONE;
    message_print("%s: another process is at work on this file", input);
    file_lock_release(lock);
    return STATUS_FILE;
}

void file_lock_release(struct file_lock *lock)
{
    if (lock->descriptor >= 0)
        close(lock->descriptor);
    *lock = NO_LOCK;
}

// ---------------------------------------------------------------------------
// The temporary file and signals

// The temporary file to remove if a signal ends the process; NULL if none.  A
// signal that comes after it was renamed or removed finds nothing to remove.
static const char *volatile file_to_remove;

static void remove_and_die(int signal_number)
{
    if (file_to_remove)
        unlink(file_to_remove);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// mkstemp with signals held, so that a handler never runs between creating the
// file and setting file_to_remove.  (Other threads may still take a signal.)
static int create_temporary(char *path)
{
    sigset_t before;
    signals_hold(&before);
    int descriptor = mkstemp(path);
    if (descriptor >= 0) {
        file_to_remove = path;
        signals_catch(remove_and_die);
    }
    signals_release(&before);
    return descriptor;
}

// ---------------------------------------------------------------------------
// Replacing

static enum exit_status cannot_write(const char *target, const char *where)
{
    message_print("%s: cannot be written: %s%s", target, where,
                  strerror(errno));
    return STATUS_FILE;
}

// A template for mkstemp in the folder of `path`.  It is short, because the
// name in `path` may already have the greatest length.
static char *temporary_name(const char *path)
{
    static const char stem[] = ".blocksweep.XXXXXX";
    const char *slash = strrchr(path, '/');
    size_t folder_length = slash ? (size_t)(slash - path) + 1 : 0;
    size_t size = folder_length + sizeof stem;
    char *name = malloc(size);
    if (name)
        snprintf(name, size, "%.*s%s", (int)folder_length, path, stem);
    return name;
}

// The permissions that a new file gets.
static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

enum { SET_IDS = 06000, GROUP_MAY = 0070, OTHERS_MAY = 0007 };

// Gives the temporary file the permissions, owner and group of the file that it
// will replace.  Only root can keep another user as owner.  If the group cannot
// be kept, the new group gets no more permissions than everybody has.
static bool take_over_mode(int descriptor, const struct stat *old)
{
    if (!old)
        return fchmod(descriptor, default_mode()) == 0;
    mode_t mode = old->st_mode & 07777;
    if (fchown(descriptor, old->st_uid, old->st_gid) != 0) {
        mode &= ~(mode_t)SET_IDS;
        if (fchown(descriptor, (uid_t)-1, old->st_gid) != 0)
            mode &= ~(mode_t)GROUP_MAY | (mode & OTHERS_MAY) << 3;
    }
    return fchmod(descriptor, mode) == 0;
}

// Opens the temporary file for writing.  zlib closes the descriptor that it
// gets, so it gets a copy; ours is needed to sync the file.
static bool open_stream(struct replacement *replacement, bool compressed)
{
    int descriptor = dup(replacement->descriptor);
    if (descriptor < 0)
        return false;
    replacement->stream = gzdopen(descriptor, compressed ? "wb" : "wbT");
    if (!replacement->stream)
        close(descriptor);
    return replacement->stream;
}

static enum exit_status refuse_target(const char *target, const char *reason)
{
    message_print("%s: cannot be replaced: %s", target, reason);
    return STATUS_FILE;
}

// Finds out whether there is a target, and refuses one that must not be
// replaced.  rename checks only the folder's permission, so the file's own is
// checked here.
static enum exit_status check_target(const char *target, struct stat *old,
                                     bool *exists)
{
    struct stat link;
    *exists = stat(target, old) == 0;
    if (!*exists && errno != ENOENT)
        return refuse_target(target, strerror(errno));
    if (!*exists && lstat(target, &link) == 0)
        return refuse_target(target, "it is a symbolic link to no file");
    if (*exists && !S_ISREG(old->st_mode))
        return refuse_target(target, "a regular file was expected");
    if (*exists && access(target, W_OK) != 0)
        return refuse_target(target, strerror(errno));
    return STATUS_DONE;
}

enum exit_status replacement_begin(struct replacement *replacement,
                                   const char *target, bool compressed)
{
    struct stat old;
    bool exists;
    *replacement = (struct replacement){.descriptor = -1};
    enum exit_status status = check_target(target, &old, &exists);
    if (status != STATUS_DONE)
        return status;
    replacement->target = exists ? realpath(target, NULL) : strdup(target);
    if (!replacement->target)
        return refuse_target(target, strerror(errno));
    replacement->temporary = temporary_name(replacement->target);
    if (replacement->temporary)
        replacement->descriptor = create_temporary(replacement->temporary);
    if (!replacement->temporary)
        status = message_out_of_memory();
    else if (replacement->descriptor < 0)
        status = cannot_write(target, "cannot create a file in its folder: ");
    else if (!open_stream(replacement, compressed) ||
             !take_over_mode(replacement->descriptor, exists ? &old : NULL))
        status = cannot_write(target, "");
    if (status != STATUS_DONE)
        replacement_abandon(replacement);
    return status;
}

static bool copy_stream(FILE *from, FILE *to)
{
    char buffer[1 << 16];
    size_t length;
    while ((length = fread(buffer, 1, sizeof buffer, from)) > 0)
        if (fwrite(buffer, 1, length, to) != length)
            return false;
    return !ferror(from) && fflush(to) == 0 && fsync(fileno(to)) == 0;
}

// Copies a file where the file system has no hard links.
static bool copy_file(const char *from, const char *to)
{
    FILE *source = fopen(from, "rb");
    FILE *target = source ? fopen(to, "wbx") : NULL;
    bool copied = target && copy_stream(source, target);
    if (target && fclose(target) != 0)
        copied = false;
    if (source)
        fclose(source);
    return copied;
}

static char *append_tilde(const char *path)
{
    size_t size = strlen(path) + sizeof "~";
    char *longer = malloc(size);
    if (longer)
        snprintf(longer, size, "%s~", path);
    return longer;
}

// Keeps the present target as TARGET~: as a hard link, or, where the file
// system has none, as a copy.  It gets the name of the temporary file and "~"
// first and replaces an older backup in one instant.
static bool make_backup(const struct replacement *replacement)
{
    const char *target = replacement->target;
    char *backup = append_tilde(target);
    char *fresh = append_tilde(replacement->temporary);
    bool made = false;
    if (backup && fresh) {
        sigset_t before;
        signals_hold(&before);
        made = (link(target, fresh) == 0 || copy_file(target, fresh)) &&
               rename(fresh, backup) == 0;
        int reason = errno;
        unlink(fresh); // rename leaves it if both are links to one file
        errno = reason;
        signals_release(&before);
    }
    free(backup);
    free(fresh);
    return made;
}

// Syncs the folder's new entry, where the system can.
static void sync_folder(char *path)
{
    int descriptor = open(dirname(path), O_RDONLY);
    if (descriptor < 0)
        return;
    (void)!fsync(descriptor);
    close(descriptor);
}

// Ends the stream and syncs the file.
static bool finish_stream(struct replacement *replacement)
{
    int code;
    gzerror(replacement->stream, &code);
    int closed = gzclose(replacement->stream);
    replacement->stream = NULL;
    return code == Z_OK && closed == Z_OK &&
           fsync(replacement->descriptor) == 0;
}

static bool target_has_changed(const struct replacement *replacement)
{
    const struct file_lock *lock = replacement->lock;
    struct stat now;
    return lock && lock->descriptor >= 0 &&
           (stat(replacement->target, &now) != 0 ||
            !file_version_equals(&lock->version, &now));
}

static enum exit_status replace_target(struct replacement *replacement,
                                       bool backup)
{
    const char *target = replacement->target;
    if (!finish_stream(replacement))
        return cannot_write(target, "");
    // Copying the backup may take a while, so look for changes after it, too.
    bool changed = target_has_changed(replacement);
    if (!changed && backup && access(target, F_OK) == 0) {
        if (!make_backup(replacement))
            return cannot_write(target, "");
        changed = target_has_changed(replacement);
    }
    if (changed)
        return refuse_target(target, "it has changed since it was read");
    if (rename(replacement->temporary, target) != 0)
        return cannot_write(target, "");
    return STATUS_DONE;
}

// Ends a replacement whose temporary file was renamed or removed.
static void end_replacement(struct replacement *replacement)
{
    file_to_remove = NULL;
    signals_let_go(remove_and_die);
    if (replacement->stream)
        gzclose(replacement->stream);
    if (replacement->descriptor >= 0)
        close(replacement->descriptor);
    free(replacement->target);
    free(replacement->temporary);
    *replacement = (struct replacement){0};
}

enum exit_status replacement_commit(struct replacement *replacement,
                                    bool backup)
{
    enum exit_status status = replace_target(replacement, backup);
    if (status != STATUS_DONE) {
        replacement_abandon(replacement);
        return status;
    }
    sync_folder(replacement->target);
    end_replacement(replacement);
    return STATUS_DONE;
}

void replacement_abandon(struct replacement *replacement)
{
    if (replacement->descriptor >= 0)
        unlink(replacement->temporary);
    end_replacement(replacement);
}
