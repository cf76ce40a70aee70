// SPDX-License-Identifier: GPL-2.0-or-later
//
// The new file is written beside the old one, synced, and renamed over it:
// whenever the power fails or the process is killed, the target is the old
// file or the new one.  A signal that ends the process removes the temporary
// file first; only an untimely death leaves it behind.

#include "config.h"

#include "file/files.h"

#include "platform/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------
// Reading

enum {
    FIRST_CAPACITY = 1 << 20,
    LARGEST_STEP = 1 << 30,
    // Deflate can reach a ratio of 1,032; WADs stay far below this one.
    LARGEST_RATIO = 100,
    FREE_SIZE = 1 << 26, // bytes from which on the ratio counts
};

// Whether what has come out of a compressed file is more than any WAD grows.
static bool grows_too_much(gzFile stream, size_t size)
{
    return size > FREE_SIZE && !gzdirect(stream) &&
           size / LARGEST_RATIO > (size_t)gzoffset(stream);
}

// Reads until the end of the file, or past what a WAD can be, or to where it
// fails.  STATUS_FILE with a message if memory runs out.
static enum exit_status read_all(gzFile stream, size_t limit,
                                 unsigned char **bytes, size_t *size)
{
    size_t capacity = 0;
    int read;
    do {
        if (*size == capacity) {
            capacity = capacity ? capacity * 2 : FIRST_CAPACITY;
            unsigned char *larger = realloc(*bytes, capacity);
            if (!larger)
                return message_out_of_memory();
            *bytes = larger;
        }
        size_t room = capacity - *size;
        read = gzread(stream, *bytes + *size,
                      (unsigned)(room < LARGEST_STEP ? room : LARGEST_STEP));
        if (read > 0)
            *size += (size_t)read;
    } while (read > 0 && *size <= limit && !grows_too_much(stream, *size));
    return STATUS_DONE;
}

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

// Whether an open file has been written to since it was looked at.  Of pipes
// and devices the time tells nothing.
static bool has_changed(int descriptor, const struct stat *before)
{
    struct stat now;
    return S_ISREG(before->st_mode) && fstat(descriptor, &now) == 0 &&
           !file_version_equals(before, &now);
}

// What is wrong with a file that has been read as far as it could be.
static enum exit_status find_flaw(gzFile stream, size_t size, size_t limit,
                                  char *flaw, size_t flaw_size)
{
    int code;
    gzerror(stream, &code);
    if (code == Z_ERRNO) {
        snprintf(flaw, flaw_size, "cannot be read: %s", strerror(errno));
        return STATUS_FILE;
    }
    if (code == Z_MEM_ERROR)
        return message_out_of_memory();
    if (code != Z_OK)
        snprintf(flaw, flaw_size, "the compressed file is damaged or cut off");
    else if (grows_too_much(stream, size))
        snprintf(flaw, flaw_size,
                 "the compressed file grows more than %d times; no WAD does",
                 LARGEST_RATIO);
    else if (size > limit)
        snprintf(flaw, flaw_size,
                 "the file has more than %zu bytes, which no WAD has", limit);
    else
        return STATUS_DONE;
    return STATUS_MAP_FAILED;
}

enum exit_status file_read_open(int descriptor, size_t limit,
                                unsigned char **bytes, size_t *size,
                                bool *compressed, char *flaw, size_t flaw_size)
{
    *bytes = NULL;
    *size = 0;
    *flaw = '\0';
    struct stat before = {0};
    (void)!fstat(descriptor, &before);
    gzFile stream = gzdopen(descriptor, "rb");
    if (!stream) {
        close(descriptor);
        return message_out_of_memory();
    }
    enum exit_status status = read_all(stream, limit, bytes, size);
    *compressed = !gzdirect(stream);
    if (status == STATUS_DONE && has_changed(descriptor, &before)) {
        snprintf(flaw, flaw_size, "the file changed while it was read");
        status = STATUS_FILE;
    } else if (status == STATUS_DONE) {
        status = find_flaw(stream, *size, limit, flaw, flaw_size);
    }
    gzclose(stream);
    if (status != STATUS_DONE) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

enum exit_status file_read(const char *path, size_t limit,
                           unsigned char **bytes, size_t *size,
                           bool *compressed)
{
    char flaw[FILE_FLAW_SIZE];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        message_print("%s: cannot be read: %s", path, strerror(errno));
        return STATUS_FILE;
    }
    enum exit_status status = file_read_open(descriptor, limit, bytes, size,
                                             compressed, flaw, sizeof flaw);
    if (*flaw)
        message_print("%s: %s", path, flaw);
    return status;
}

// ---------------------------------------------------------------------------
// Names

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
// The temporary file and signals

// The temporary file to remove if a signal ends the process; NULL if none.
static const char *volatile file_to_remove;

static void remove_and_die(int signal_number)
{
    if (file_to_remove)
        unlink(file_to_remove);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// mkstemp that is safe against signals: they wait while a file comes into being
// or goes, so that file_to_remove always tells the truth.  (In a program with
// other threads one of these may take them.)
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

// There is none any more, and signals are no concern of ours.
static void forget_temporary(void)
{
    file_to_remove = NULL;
    signals_let_go();
}

static int rename_temporary(const char *path, const char *target)
{
    sigset_t before;
    signals_hold(&before);
    int result = rename(path, target);
    if (result == 0)
        forget_temporary();
    signals_release(&before);
    return result;
}

static void remove_temporary(const char *path)
{
    sigset_t before;
    signals_hold(&before);
    unlink(path);
    forget_temporary();
    signals_release(&before);
}

// ---------------------------------------------------------------------------
// Replacing

static enum exit_status write_failed(const struct replacement *replacement)
{
    message_print("%s: cannot be written: %s", replacement->target,
                  strerror(errno));
    return STATUS_FILE;
}

static void forget(struct replacement *replacement)
{
    free(replacement->target);
    free(replacement->temporary);
    *replacement = (struct replacement){0};
}

// A name beside `path` for mkstemp, short whatever the name there is.
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

// Gives the temporary file the permissions and owner of the file it will
// replace.  Another's file can keep its owner only if we are root.  Where the
// group cannot be kept, the one in its place may do no more than all may.
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

// Opens the temporary file for writing; zlib closes the descriptor it is
// given, and ours is kept to sync the file.
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

// Whether there is a target, and whether it may be replaced.  Renaming asks
// only the folder for permission, so the file's own is asked here.
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
    if (!replacement->temporary) {
        forget(replacement);
        return message_out_of_memory();
    }
    replacement->descriptor = create_temporary(replacement->temporary);
    if (replacement->descriptor < 0) {
        message_print("%s: cannot be written: a file beside it cannot be made: "
                      "%s",
                      target, strerror(errno));
        forget(replacement);
        return STATUS_FILE;
    }
    if (!open_stream(replacement, compressed) ||
        !take_over_mode(replacement->descriptor, exists ? &old : NULL)) {
        status = write_failed(replacement);
        replacement_abandon(replacement);
        return status;
    }
    return STATUS_DONE;
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
    FILE *target = source ? fopen(to, "wb") : NULL;
    bool copied = target && copy_stream(source, target);
    if (target && fclose(target) != 0)
        copied = false;
    if (source)
        fclose(source);
    return copied;
}

// Makes `to`, which is an empty file, another name of `from`, or a copy.
static bool link_or_copy(const char *from, const char *to)
{
    return (unlink(to) == 0 && link(from, to) == 0) || copy_file(from, to);
}

// Keeps the present target as TARGET~, which replaces an older backup in one
// instant, too.  Signals wait, so that nothing in between is left behind.
static bool make_backup(const char *target)
{
    sigset_t before;
    size_t size = strlen(target) + sizeof "~";
    char *backup = malloc(size);
    char *fresh = temporary_name(target);
    bool made = false;
    if (fresh && backup) {
        snprintf(backup, size, "%s~", target);
        signals_hold(&before);
        int descriptor = mkstemp(fresh); // a name that nobody else has
        if (descriptor >= 0) {
            close(descriptor);
            made = link_or_copy(target, fresh) && rename(fresh, backup) == 0;
            int reason = errno;
            // Renaming one link over another to the same file does nothing.
            unlink(fresh);
            errno = reason;
        }
        signals_release(&before);
    }
    free(fresh);
    free(backup);
    return made;
}

// Brings the folder's new entry to the disk; not all systems can.
static void sync_folder(char *path)
{
    int descriptor = open(dirname(path), O_RDONLY);
    if (descriptor < 0)
        return;
    (void)!fsync(descriptor);
    close(descriptor);
}

// Ends the stream and brings the file to the disk.
static bool finish_stream(struct replacement *replacement)
{
    int code;
    gzerror(replacement->stream, &code);
    int closed = gzclose(replacement->stream);
    replacement->stream = NULL;
    return code == Z_OK && closed == Z_OK &&
           fsync(replacement->descriptor) == 0;
}

// Whether the target is not any more what it has to be.
static bool target_has_changed(const struct replacement *replacement)
{
    struct stat now;
    return replacement->expected &&
           (stat(replacement->target, &now) != 0 ||
            !file_version_equals(replacement->expected, &now));
}

static enum exit_status refuse_changed(struct replacement *replacement)
{
    refuse_target(replacement->target, "it has changed since it was read");
    replacement_abandon(replacement);
    return STATUS_FILE;
}

enum exit_status replacement_commit(struct replacement *replacement,
                                    bool backup)
{
    bool written = finish_stream(replacement);
    if (written && target_has_changed(replacement))
        return refuse_changed(replacement);
    if (written && backup && access(replacement->target, F_OK) == 0) {
        written = make_backup(replacement->target);
        // That may have taken a while, where it was copied.
        if (written && target_has_changed(replacement))
            return refuse_changed(replacement);
    }
    if (!written ||
        rename_temporary(replacement->temporary, replacement->target) != 0) {
        enum exit_status status = write_failed(replacement);
        replacement_abandon(replacement);
        return status;
    }
    close(replacement->descriptor);
    sync_folder(replacement->target);
    forget(replacement);
    return STATUS_DONE;
}

void replacement_abandon(struct replacement *replacement)
{
    if (replacement->stream)
        gzclose(replacement->stream);
    if (replacement->descriptor >= 0)
        close(replacement->descriptor);
    remove_temporary(replacement->temporary);
    forget(replacement);
}
