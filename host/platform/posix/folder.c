// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "platform/folder.h"

#include "platform/posix/posix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if HAVE_SYS_RANDOM_H
#include <sys/random.h>
#endif

// ---------------------------------------------------------------------------
// Paths

// Opens folders that may be searched but not read, where the system can.
#ifdef O_PATH
enum { SEARCH = O_PATH };
#elif defined O_SEARCH
enum { SEARCH = O_SEARCH };
#else
enum { SEARCH = O_RDONLY };
#endif

enum { MOST_LINKS = 40 }; // as on Linux

struct path {
    int folder;   // reached so far; -1 at the beginning
    char *memory; // of the path
    char *rest;   // of the path, from the folder
    int links;    // followed so far
    bool is_link; // whether the path led to a link
    bool arrived;

    // Who can have put the followed links there, beside the caller and root.
    bool has_link_owner;
    uid_t link_owner;
};

// Goes into a folder.
static bool enter(struct path *path, const char *name)
{
    int folder = openat(path->folder < 0 ? AT_FDCWD : path->folder, name,
                        SEARCH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return false;
    if (path->folder >= 0)
        close(path->folder);
    path->folder = folder;
    return true;
}

// Reads a link and its status.  Returns the length of its text, 0 if it is no
// link, or -1 with errno.  Where links can be opened, nobody can put another in
// its place meanwhile.
static ssize_t read_link(int folder, const char *name, struct stat *status,
                         char text[PATH_MAX])
{
    ssize_t length;
#ifdef O_PATH
    int link = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (link < 0)
        return -1;
    length = fstat(link, status);
    if (length == 0 && S_ISLNK(status->st_mode))
        length = readlinkat(link, "", text, PATH_MAX);
    close(link);
#else
    length = fstatat(folder, name, status, AT_SYMLINK_NOFOLLOW);
    if (length == 0 && S_ISLNK(status->st_mode))
        length = readlinkat(folder, name, text, PATH_MAX);
#endif
    return length;
}

// Makes `text` and then `after` the rest of the path.
static const char *follow_text(struct path *path, const char *text,
                               size_t length, const char *after)
{
    size_t size = length + strlen(after) + 1;
    char *memory = malloc(size);
    if (!memory)
        return strerror(ENOMEM);
    snprintf(memory, size, "%.*s%s", (int)length, text, after);
    free(path->memory);
    path->memory = memory;
    path->rest = memory + strspn(memory, "/");
    if (*memory != '/' && path->folder >= 0)
        return NULL;
    return enter(path, *memory == '/' ? "/" : ".") ? NULL : strerror(errno);
}

// Notes that this user can have put a link where it was found.  In a user
// namespace, all users without a number there have the same one.
static const char *note_link_owner(struct path *path, uid_t user)
{
    if (user == geteuid() || user == 0)
        return NULL;
    if (path->has_link_owner && path->link_owner != user)
        return "symbolic links of several other users lead to it";
    path->has_link_owner = true;
    path->link_owner = user;
    return NULL;
}

// Finds out who can have put a link into the folder: its owner, the folder's
// owner, who can also rename links of others, and without the sticky bit
// whoever may write there.
static const char *check_link(struct path *path, const struct stat *link)
{
    struct stat folder;
    if (fstat(path->folder, &folder) != 0)
        return strerror(errno);
    if (folder_is_open_to_others(&folder) && !(folder.st_mode & S_ISVTX))
        return "a symbolic link leads to it, from a folder where others may "
               "write";
    const char *fault = note_link_owner(path, folder.st_uid);
    return fault ? fault : note_link_owner(path, link->st_uid);
}

static const char *follow(struct path *path, const struct stat *link,
                          const char *text, size_t length, const char *after)
{
    if (++path->links > MOST_LINKS)
        return strerror(ELOOP);
    const char *fault = check_link(path, link);
    if (fault)
        return fault;
    if (!*after)
        path->is_link = true;
    return follow_text(path, text, length, after);
}

// Follows one name of the path.
static const char *step(struct path *path)
{
    char text[PATH_MAX];
    struct stat status;
    char *name = path->rest;
    char *after = name + strcspn(name, "/");
    bool is_last = !*after;
    if (!*name)
        return "a regular file was expected";
    *after = '\0';
    if (!is_last && enter(path, name)) {
        path->rest = after + 1 + strspn(after + 1, "/");
        return NULL;
    }
    int reason = errno;
    ssize_t length = read_link(path->folder, name, &status, text);
    if (length > 0) {
        *after = is_last ? '\0' : '/';
        return follow(path, &status, text, (size_t)length, after);
    }
    if (!is_last)
        return reason == ENOENT ? "its folder is missing; make it first"
                                : strerror(reason);
    if (length < 0 && errno != ENOENT)
        return strerror(errno);
    if (length < 0 && path->is_link)
        return "it is a symbolic link to no file";
    path->arrived = true;
    return NULL;
}

// Whether the links lead to a folder that does not belong to the other user who
// can have put them there.
static bool leads_outside(const struct path *path)
{
    struct stat status;
    return path->has_link_owner && (fstat(path->folder, &status) != 0 ||
                                    status.st_uid != path->link_owner);
}

const char *folder_find(const char *text, int *folder, char **name)
{
    struct path path = {.folder = -1};
    const char *fault = follow_text(&path, text, strlen(text), "");
    while (!fault && !path.arrived)
        fault = step(&path);
    if (!fault && leads_outside(&path))
        fault = "a symbolic link of another user leads to it";
    if (!fault && !(*name = strdup(path.rest)))
        fault = strerror(ENOMEM);
    free(path.memory);
    if (!fault)
        *folder = path.folder;
    else if (path.folder >= 0)
        close(path.folder);
    return fault;
}

// ---------------------------------------------------------------------------
// New names

// Makes an entry with a name that nobody can foresee: a link to what is called
// `old`, or a file if that is NULL.  Returns a descriptor or 0, or -1 with
// errno.
static int make_entry(int folder, const char *old, char name[FRESH_NAME_SIZE])
{
    enum { MOST_TRIES = 100 };
    for (int i = 0; i < MOST_TRIES; i++) {
        uint64_t number;
        if (getentropy(&number, sizeof number) != 0)
            return -1;
        snprintf(name, FRESH_NAME_SIZE, ".blocksweep.%016" PRIx64, number);
        int made =
            old ? linkat(folder, old, folder, name, 0)
                : openat(folder, name,
                         O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                         0600);
        if (made >= 0 || errno != EEXIST)
            return made;
    }
    return -1;
}

bool folder_link(int folder, const char *old, char name[FRESH_NAME_SIZE])
{
    return make_entry(folder, old, name) == 0;
}

// The permissions that a new file gets.
static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

enum { SET_IDS = 06000, GROUP_MAY = 0070, OTHERS_MAY = 0007 };

static bool take_over_mode(int descriptor, const struct file_status *old)
{
    if (!old)
        return fchmod(descriptor, default_mode()) == 0;
    mode_t mode = old->mode & 07777;
    if (fchown(descriptor, old->user, old->group) != 0) {
        mode &= ~(mode_t)SET_IDS;
        if (fchown(descriptor, (uid_t)-1, old->group) != 0)
            mode &= ~(mode_t)GROUP_MAY | (mode & OTHERS_MAY) << 3;
    }
    return fchmod(descriptor, mode) == 0;
}

int folder_create(int folder, const char *beside,
                  const struct file_status *like, char name[FRESH_NAME_SIZE],
                  struct file_status *created)
{
    (void)beside; // the folder has it
    int descriptor = make_entry(folder, NULL, name);
    if (descriptor < 0)
        return -1;
    if (file_find_open(descriptor, created)) {
        if (take_over_mode(descriptor, like))
            return descriptor;
        folder_remove(folder, name, created);
    }
    close(descriptor);
    return -1;
}

// ---------------------------------------------------------------------------
// Names that there are

bool folder_find_file(int folder, const char *name, struct file_status *status)
{
    struct stat found;
    return file_take_status(fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW),
                            &found, status);
}

bool folder_has(int folder, const char *name, const struct file_status *file)
{
    struct file_status found;
    return folder_find_file(folder, name, &found) && file_is_same(&found, file);
}

void folder_remove(int folder, const char *name, const struct file_status *file)
{
    int reason = errno;
    if (folder_has(folder, name, file))
        unlinkat(folder, name, 0);
    errno = reason;
}

bool folder_may_write(int folder, const char *name)
{
    return faccessat(folder, name, W_OK, 0) == 0;
}

static void sync_folder(int folder)
{
    int descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)!fsync(descriptor);
    close(descriptor);
}

const char *folder_rename(int folder, const char *name, int descriptor,
                          const char *lasting, int *replaced)
{
    struct file_status file;
    (void)replaced;
    if (!file_find_open(descriptor, &file) || !folder_has(folder, name, &file))
        return "another program has taken the new file away";
    if (renameat(folder, name, folder, lasting) != 0)
        return strerror(errno);
    sync_folder(folder);
    return NULL;
}

bool folder_list(const char *path, void (*add)(void *context, const char *name),
                 void *context)
{
    struct dirent *entry;
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    while ((entry = readdir(folder)))
        add(context, entry->d_name);
    closedir(folder);
    return true;
}

// ---------------------------------------------------------------------------
// Temporary folders

const char *folder_for_temporary(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

bool folder_make_temporary(char *path, size_t size)
{
    int length =
        snprintf(path, size, "%s/blocksweep.XXXXXX", folder_for_temporary());
    if (length < (int)size)
        return mkdtemp(path);
    errno = ENAMETOOLONG;
    return false;
}

static int remove_entry(const char *path, const struct stat *status, int type,
                        struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

bool folder_remove_all(const char *path)
{
    enum { OPEN_FOLDERS = 16 };
    return rmdir(path) == 0 || errno == ENOENT ||
           nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) == 0;
}
