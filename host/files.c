// SPDX-License-Identifier: GPL-2.0-or-later
//
// The new file is written beside the old one, synced, and renamed over it:
// whenever the power fails or the process is killed, the target is the old
// file or the new one.  A signal that ends the process removes the temporary
// file first; only an untimely death leaves it behind.

#include "config.h"

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------
// Reading

static enum exit_status read_failed(const char *path)
{
    message_print("%s: cannot be read: %s", path, strerror(errno));
    return STATUS_FILE;
}

// Reads until the end of the file, of which `expected` bytes are expected.
static bool read_all(FILE *stream, size_t expected, unsigned char **bytes,
                     size_t *size)
{
    size_t capacity = expected + 1; // room to see the end of the file
    unsigned char *memory = malloc(capacity);
    size_t length = 0;
    while (memory) {
        length += fread(memory + length, 1, capacity - length, stream);
        if (length < capacity)
            break;
        unsigned char *larger = NULL;
        if (capacity <= SIZE_MAX / 2)
            larger = realloc(memory, capacity *= 2);
        else
            errno = ENOMEM;
        if (!larger)
            free(memory);
        memory = larger;
    }
    if (!memory || ferror(stream)) {
        free(memory);
        return false;
    }
    *bytes = memory;
    *size = length;
    return true;
}

enum exit_status file_read(const char *path, unsigned char **bytes,
                           size_t *size)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return read_failed(path);
    struct stat information;
    bool read = fstat(fileno(stream), &information) == 0 &&
                read_all(stream, (size_t)information.st_size, bytes, size);
    int reason = errno;
    fclose(stream);
    errno = reason;
    return read ? STATUS_DONE : read_failed(path);
}

// ---------------------------------------------------------------------------
// The temporary file and signals

static const int fatal_signals[] = {SIGHUP, SIGINT, SIGTERM};
enum { FATAL_SIGNAL_COUNT = sizeof fatal_signals / sizeof *fatal_signals };

// The temporary file to remove if a signal ends the process; NULL if none.
static const char *volatile file_to_remove;

static void remove_and_die(int signal_number)
{
    if (file_to_remove)
        unlink(file_to_remove);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void catch_fatal_signals(void)
{
    struct sigaction action = {.sa_handler = remove_and_die};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FATAL_SIGNAL_COUNT; i++) {
        struct sigaction before;
        // A signal that is ignored, as under nohup, stays ignored.
        if (sigaction(fatal_signals[i], NULL, &before) == 0 &&
            before.sa_handler != SIG_IGN)
            sigaction(fatal_signals[i], &action, NULL);
    }
}

// Holds fatal signals back while a file comes into being or goes, so that
// file_to_remove always tells the truth.
static void hold_fatal_signals(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < FATAL_SIGNAL_COUNT; i++)
        sigaddset(&held, fatal_signals[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}

// mkstemp that is safe against signals.
static int create_temporary(char *path)
{
    sigset_t before;
    catch_fatal_signals();
    hold_fatal_signals(&before);
    int descriptor = mkstemp(path);
    if (descriptor >= 0)
        file_to_remove = path;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return descriptor;
}

static int rename_temporary(const char *path, const char *target)
{
    sigset_t before;
    hold_fatal_signals(&before);
    int result = rename(path, target);
    if (result == 0)
        file_to_remove = NULL;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return result;
}

// ---------------------------------------------------------------------------
// Replacing

static enum exit_status write_failed(const struct replacement *replacement)
{
    message_print("%s: cannot be written: %s", replacement->target,
                  strerror(errno));
    return STATUS_FILE;
}

static enum exit_status out_of_memory(void)
{
    message_print("out of memory");
    return STATUS_FILE;
}

static void forget(struct replacement *replacement)
{
    free(replacement->target);
    free(replacement->temporary);
    *replacement = (struct replacement){0};
}

// A name beside `path` for mkstemp: its folder and ".NAME.XXXXXX".
static char *temporary_name(const char *path)
{
    static const char ending[] = ".XXXXXX";
    const char *slash = strrchr(path, '/');
    size_t folder_length = slash ? (size_t)(slash - path) + 1 : 0;
    size_t size = strlen(path) + sizeof "." + sizeof ending;
    char *name = malloc(size);
    if (name)
        snprintf(name, size, "%.*s.%s%s", (int)folder_length, path,
                 path + folder_length, ending);
    return name;
}

// The permissions that a new file gets.
static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// Gives the temporary file the permissions and owner of the file it will
// replace.  Another's file can keep its owner only if we are root.
static bool take_over_mode(int descriptor, const struct stat *old)
{
    if (!old)
        return fchmod(descriptor, default_mode()) == 0;
    if (fchown(descriptor, old->st_uid, old->st_gid) != 0)
        (void)!fchown(descriptor, (uid_t)-1, old->st_gid);
    return fchmod(descriptor, old->st_mode & 07777) == 0;
}

enum exit_status replacement_begin(struct replacement *replacement,
                                   const char *target)
{
    struct stat old;
    bool exists = stat(target, &old) == 0;
    *replacement = (struct replacement){0};
    replacement->target = exists ? realpath(target, NULL) : strdup(target);
    if (!replacement->target)
        return out_of_memory();
    if (exists && !S_ISREG(old.st_mode)) {
        message_print("%s: cannot be replaced: a regular file was expected",
                      target);
        forget(replacement);
        return STATUS_FILE;
    }
    replacement->temporary = temporary_name(replacement->target);
    if (!replacement->temporary) {
        forget(replacement);
        return out_of_memory();
    }
    int descriptor = create_temporary(replacement->temporary);
    if (descriptor < 0) {
        enum exit_status status = write_failed(replacement);
        forget(replacement);
        return status;
    }
    replacement->stream = fdopen(descriptor, "wb");
    if (!replacement->stream ||
        !take_over_mode(descriptor, exists ? &old : NULL)) {
        enum exit_status status = write_failed(replacement);
        if (!replacement->stream)
            close(descriptor);
        replacement_abandon(replacement);
        return status;
    }
    return STATUS_DONE;
}

// Copies a file where the file system has no hard links.
static bool copy_file(const char *from, const char *to)
{
    unsigned char *bytes;
    size_t size;
    if (file_read(from, &bytes, &size) != STATUS_DONE)
        return false;
    FILE *stream = fopen(to, "wb");
    bool written = stream && fwrite(bytes, 1, size, stream) == size &&
                   fflush(stream) == 0 && fsync(fileno(stream)) == 0;
    if (stream && fclose(stream) != 0)
        written = false;
    free(bytes);
    return written;
}

// Keeps the present target as TARGET~, which replaces an older backup in one
// instant, too.  Signals wait, so that nothing in between is left behind.
static bool make_backup(const char *target)
{
    sigset_t before;
    size_t size = strlen(target) + sizeof "~.new";
    char *fresh = malloc(size);
    char *backup = malloc(size);
    bool made = false;
    if (fresh && backup) {
        snprintf(fresh, size, "%s~.new", target);
        snprintf(backup, size, "%s~", target);
        hold_fatal_signals(&before);
        unlink(fresh);
        made = (link(target, fresh) == 0 || copy_file(target, fresh)) &&
               rename(fresh, backup) == 0;
        int reason = errno;
        // Renaming one link over another to the same file does nothing.
        unlink(fresh);
        errno = reason;
        sigprocmask(SIG_SETMASK, &before, NULL);
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

enum exit_status replacement_commit(struct replacement *replacement,
                                    bool backup)
{
    FILE *stream = replacement->stream;
    replacement->stream = NULL;
    bool written =
        !ferror(stream) && fflush(stream) == 0 && fsync(fileno(stream)) == 0;
    int reason = errno;
    if (fclose(stream) != 0 && written) {
        written = false;
        reason = errno;
    }
    errno = reason;
    if (written && backup && access(replacement->target, F_OK) == 0)
        written = make_backup(replacement->target);
    if (!written ||
        rename_temporary(replacement->temporary, replacement->target) != 0) {
        enum exit_status status = write_failed(replacement);
        replacement_abandon(replacement);
        return status;
    }
    sync_folder(replacement->target);
    forget(replacement);
    return STATUS_DONE;
}

void replacement_abandon(struct replacement *replacement)
{
    if (replacement->stream)
        fclose(replacement->stream);
    if (replacement->temporary)
        unlink(replacement->temporary);
    file_to_remove = NULL;
    forget(replacement);
}
