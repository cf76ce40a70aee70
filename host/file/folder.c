// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "file/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if HAVE_SYS_RANDOM_H
#include <sys/random.h>
#endif

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

// ---------------------------------------------------------------------------
// The way to a folder

// O_PATH opens folders that may be passed but not read.
#ifdef O_PATH
enum { FOLDER = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
#else
enum { FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
#endif

enum { MOST_LINKS = 40 }; // as on Linux

struct way {
    int folder;   // reached so far; -1 at the beginning
    char *memory; // of the path
    char *rest;   // of the path, from the folder
    int links;    // followed so far
    bool is_link; // whether the path led to a link
    bool arrived;

    // Whose links were followed, other than the caller's and root's.
    bool has_guide;
    uid_t guide;
};

// Goes into a folder.
static bool enter(struct way *way, const char *name)
{
    int folder = openat(way->folder < 0 ? AT_FDCWD : way->folder, name, FOLDER);
    if (folder < 0)
        return false;
    if (way->folder >= 0)
        close(way->folder);
    way->folder = folder;
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

// Goes on along `text` and then `after`.
static const char *turn(struct way *way, const char *text, size_t length,
                        const char *after)
{
    size_t size = length + strlen(after) + 1;
    char *memory = malloc(size);
    if (!memory)
        return strerror(ENOMEM);
    snprintf(memory, size, "%.*s%s", (int)length, text, after);
    free(way->memory);
    way->memory = memory;
    way->rest = memory + strspn(memory, "/");
    if (*memory != '/' && way->folder >= 0)
        return NULL;
    return enter(way, *memory == '/' ? "/" : ".") ? NULL : strerror(errno);
}

static const char *follow(struct way *way, const struct stat *link,
                          const char *text, size_t length, const char *after)
{
    bool is_strange = link->st_uid != geteuid() && link->st_uid != 0;
    if (++way->links > MOST_LINKS)
        return strerror(ELOOP);
    if (is_strange && way->has_guide && way->guide != link->st_uid)
        return "symbolic links of several other users lead to it";
    if (is_strange) {
        way->has_guide = true;
        way->guide = link->st_uid;
    }
    if (!*after)
        way->is_link = true;
    return turn(way, text, length, after);
}

// Goes on by one name.
static const char *go_on(struct way *way)
{
    char text[PATH_MAX];
    struct stat status;
    char *name = way->rest;
    char *after = name + strcspn(name, "/");
    bool is_last = !*after;
    if (!*name)
        return "a regular file was expected";
    *after = '\0';
    if (!is_last && enter(way, name)) {
        way->rest = after + 1 + strspn(after + 1, "/");
        return NULL;
    }
    int reason = errno;
    ssize_t length = read_link(way->folder, name, &status, text);
    if (length > 0) {
        *after = is_last ? '\0' : '/';
        return follow(way, &status, text, (size_t)length, after);
    }
    if (!is_last)
        return reason == ENOENT ? "its folder is missing" : strerror(reason);
    if (length < 0 && errno != ENOENT)
        return strerror(errno);
    if (length < 0 && way->is_link)
        return "it is a symbolic link to no file";
    way->arrived = true;
    return NULL;
}

// Whether the other user whose links were followed may write where they lead.
static bool is_led_astray(const struct way *way)
{
    struct stat status;
    return way->has_guide &&
           (fstat(way->folder, &status) != 0 || status.st_uid != way->guide);
}

const char *folder_find(const char *path, int *folder, char **name)
{
    struct way way = {.folder = -1};
    const char *fault = turn(&way, path, strlen(path), "");
    while (!fault && !way.arrived)
        fault = go_on(&way);
    if (!fault && is_led_astray(&way))
        fault = "a symbolic link of another user leads to it";
    if (!fault && !(*name = strdup(way.rest)))
        fault = strerror(ENOMEM);
    free(way.memory);
    if (!fault)
        *folder = way.folder;
    else if (way.folder >= 0)
        close(way.folder);
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

int folder_create(int folder, const struct stat *like,
                  char name[FRESH_NAME_SIZE], struct stat *created)
{
    int descriptor = make_entry(folder, NULL, name);
    if (descriptor < 0)
        return -1;
    if (fstat(descriptor, created) == 0) {
        if (take_over_mode(descriptor, like))
            return descriptor;
        folder_remove(folder, name, created);
    }
    close(descriptor);
    return -1;
}

bool folder_has(int folder, const char *name, const struct stat *file)
{
    struct stat found;
    return fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
           file_is_same(&found, file);
}

void folder_remove(int folder, const char *name, const struct stat *file)
{
    int reason = errno;
    if (folder_has(folder, name, file))
        unlinkat(folder, name, 0);
    errno = reason;
}
