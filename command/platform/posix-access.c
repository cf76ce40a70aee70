// SPDX-License-Identifier: GPL-2.0-or-later
//
// A file with an access list shows the list's mask as the permissions of its
// group, so a copy of the permissions alone would let the group do what the
// mask allows.  Linux keeps the list as an extended attribute:
//
//   version 2 (4 bytes), then for each entry
//   tag (2 bytes), permissions as in a mode (2), number of a user or group (4)

#include "config.h"

#include "platform/posix-access.h"

#include "base/bytes.h"
#include "platform/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

enum {
    SET_IDS = 06000,
    ANYONE_MAY = 0777,
    NOT_OWNER = 0077,
    GROUP_MAY = 0070,
    ALL_MAY = 0007,
};

enum access_tag {
    TAG_USER = 2,
    TAG_OWNING_GROUP = 4,
    TAG_GROUP = 8,
    TAG_MASK = 16,
    TAG_OTHER = 32,
};

enum {
    LIST_VERSION = 2,
    LIST_VERSION_SIZE = 4,
    LIST_ENTRY_SIZE = 8,
    MOST_LIST_BYTES = 1 << 16
};

struct access_list {
    unsigned char bytes[MOST_LIST_BYTES];
    size_t size; // 0: the file has none
};

// ---------------------------------------------------------------------------
// The attribute.  A file without a list is no error.

#ifdef __linux__
static const char access_attribute[] = "system.posix_acl_access";

static bool access_is_absent(void)
{
    return errno == ENODATA || errno == EOPNOTSUPP;
}

static bool access_read_list(int file, struct access_list *list)
{
    const ssize_t size =
        fgetxattr(file, access_attribute, list->bytes, sizeof list->bytes);
    list->size = size > 0 ? (size_t)size : 0;
    if (size < 0)
        return access_is_absent();
    return size >= LIST_VERSION_SIZE &&
           size % LIST_ENTRY_SIZE == LIST_VERSION_SIZE &&
           bytes_get_u32(list->bytes) == LIST_VERSION;
}

static bool access_write_list(int file, const struct access_list *list)
{
    return fsetxattr(file, access_attribute, list->bytes, list->size, 0) == 0;
}

// Removes what a new file got from its folder.
static bool access_remove_list(int file)
{
    return fremovexattr(file, access_attribute) == 0 || access_is_absent();
}
#else
// Lists are neither read nor written here, so a file that may have one is taken
// for one whose list is unknown.
static bool access_read_list(int file, struct access_list *list)
{
    list->size = 0;
#ifdef _PC_ACL_EXTENDED
    return fpathconf(file, _PC_ACL_EXTENDED) <= 0;
#else
    return file >= 0;
#endif
}

static bool access_write_list(int file, const struct access_list *list)
{
    (void)file;
    return list->size == 0;
}

static bool access_remove_list(int file)
{
    (void)file;
    return true;
}
#endif

// ---------------------------------------------------------------------------
// Entries

// Finds the next entry of these tags; NULL after the last.
static unsigned char *access_next(struct access_list *list, size_t *position,
                                  unsigned tags)
{
    while (*position < list->size) {
        unsigned char *entry = list->bytes + *position;
        *position += LIST_ENTRY_SIZE;
        if (bytes_get_u16(entry) & tags)
            return entry;
    }
    return NULL;
}

// What all entries of these tags permit.
static unsigned access_of_all(struct access_list *list, unsigned tags)
{
    unsigned all = ALL_MAY;
    const unsigned char *entry;
    for (size_t i = LIST_VERSION_SIZE; (entry = access_next(list, &i, tags));)
        all &= bytes_get_u16(entry + 2);
    return all;
}

static void access_limit(struct access_list *list, unsigned tags,
                         unsigned permissions)
{
    unsigned char *entry;
    for (size_t i = LIST_VERSION_SIZE; (entry = access_next(list, &i, tags));)
        bytes_put_u16(entry + 2,
                      (uint16_t)(bytes_get_u16(entry + 2) & permissions));
}

// ---------------------------------------------------------------------------
// Access

// Members of the old group become others, and members of the new group were
// others.
static mode_t access_lose_group(struct access_list *list, mode_t mode)
{
    const unsigned both = mode >> 3 & mode & ALL_MAY;
    access_limit(list, TAG_OTHER,
                 access_of_all(list, TAG_OWNING_GROUP | TAG_MASK));
    access_limit(list, TAG_OWNING_GROUP, 0);
    return (mode & ~(mode_t)NOT_OWNER) | both << 3 | both;
}

// Takes over owner and group, as far as the system allows that.  Returns the
// permissions that the file may have then.
static mode_t access_give_away(const struct file_status *old, int to,
                               struct access_list *list)
{
    const mode_t mode = old->mode & 07777;
    if (fchown(to, old->user, old->group) == 0)
        return mode;
    if (fchown(to, (uid_t)-1, old->group) == 0)
        return mode & ~(mode_t)SET_IDS;
    return access_lose_group(list, mode & ~(mode_t)SET_IDS);
}

// Without the list, those whom it names are others.
static mode_t access_without_list(struct access_list *list, mode_t mode)
{
    const unsigned named = TAG_USER | TAG_GROUP | TAG_OWNING_GROUP | TAG_MASK;
    return mode & ~(mode_t)GROUP_MAY &
           (~(mode_t)ALL_MAY | access_of_all(list, named));
}

// Sets a list, which sets the permissions, too, and then the other bits of the
// mode.
static bool access_set_list(int to, const struct access_list *list, mode_t mode)
{
    struct stat now;
    if (!access_write_list(to, list))
        return false;
    mode &= ~(mode_t)ANYONE_MAY;
    return mode == 0 || (fstat(to, &now) == 0 &&
                         fchmod(to, (now.st_mode & ANYONE_MAY) | mode) == 0);
}

bool access_copy(int from, const struct file_status *old, int to,
                 bool *lost_list)
{
    struct access_list *list = calloc(1, sizeof *list);
    if (!list)
        return false;
    const bool is_known = from >= 0 && access_read_list(from, list);
    mode_t mode = access_give_away(old, to, list);
    bool is_set = false;
    *lost_list = false;
    if (!is_known)
        mode &= ~(mode_t)NOT_OWNER;
    else if (list->size > 0)
        is_set = access_set_list(to, list, mode);
    if (!is_set) {
        const bool removed = access_remove_list(to);
        *lost_list = !is_known || list->size > 0 || !removed;
        if (*lost_list)
            mode = access_without_list(list, mode);
        is_set = fchmod(to, mode) == 0;
    }
    free(list);
    return is_set;
}
