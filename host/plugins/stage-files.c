// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folders are searched as the host kit searches them: those of
// NBSTAGE_PLUGIN_PATH, then the installed one.  Of files of one name the first
// is loaded, and the others are hidden.  A link that leads nowhere is passed
// over in the search, and so hides nothing.

#include "config.h"

#include "plugins/stage-files.h"

#include "arguments.h"
#include "file/replace-file.h"
#include "platform/folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ending[] = ".so";

// ---------------------------------------------------------------------------
// Folders

// Two names of one folder, or one name of a folder that is not there.
static bool is_same_folder(const char *a, const char *b)
{
    struct stat at_a;
    struct stat at_b;
    return strcmp(a, b) == 0 || (stat(a, &at_a) == 0 && stat(b, &at_b) == 0 &&
                                 file_is_same(&at_a, &at_b));
}

static struct stage_folder *find_folder(const struct stage_files *found,
                                        const char *path)
{
    for (size_t i = 0; i < found->folder_count; i++)
        if (is_same_folder(found->folders[i].path, path))
            return &found->folders[i];
    return NULL;
}

// Adds a folder, whose path is then freed with the others.
static bool add_folder(struct stage_files *found, char *path, bool is_installed)
{
    struct stage_folder *known = find_folder(found, path);
    if (known) {
        known->is_installed |= is_installed;
        free(path);
        return true;
    }
    struct stage_folder *more = realloc(
        found->folders, (found->folder_count + 1) * sizeof *found->folders);
    if (!more) {
        free(path);
        return false;
    }
    found->folders = more;
    found->folders[found->folder_count++] =
        (struct stage_folder){.path = path, .is_installed = is_installed};
    return true;
}

// Adds the folders of a text with colons between them.
static bool add_folders(struct stage_files *found, const char *paths,
                        bool are_installed)
{
    while (*paths) {
        size_t length = strcspn(paths, ":");
        if (length > 0) {
            char *path = strndup(paths, length);
            if (!path || !add_folder(found, path, are_installed))
                return false;
        }
        paths += length;
        paths += *paths == ':';
    }
    return true;
}

// ---------------------------------------------------------------------------
// Names

static bool has_ending(const char *name, size_t length)
{
    return length > strlen(ending) &&
           strncmp(name + length - strlen(ending), ending, strlen(ending)) == 0;
}

// The length of a name without the ending, but with it if there is another one
// before it, which would be taken for the ending: of "x.so.so" that is all.
static size_t short_length(const char *name)
{
    size_t length = strlen(name);
    if (!has_ending(name, length))
        return length;
    size_t shorter = length - strlen(ending);
    return has_ending(name, shorter) ? length : shorter;
}

// The file that is loaded for the first characters of a name.
static const struct stage_file *find_name(const struct stage_files *found,
                                          const char *name, size_t length)
{
    for (size_t i = 0; i < found->file_count; i++) {
        const struct stage_file *file = &found->files[i];
        if (!file->leads_nowhere && strncmp(file->name, name, length) == 0 &&
            file->name[length] == '\0')
            return file;
    }
    return NULL;
}

// ---------------------------------------------------------------------------
// Files

// Finds what a symbolic link points to, to be freed; NULL if it is none.  False
// if memory runs out.
static bool read_link(const char *path, char **target)
{
    char text[PATH_MAX];
    ssize_t length = readlink(path, text, sizeof text);
    *target = length > 0 ? strndup(text, (size_t)length) : NULL;
    return length <= 0 || *target;
}

// Whether it is a link to what is not there, or cannot be reached.
static bool leads_nowhere(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 && lstat(path, &status) == 0;
}

// Adds a file, whose name and path are then freed with the others; each is NULL
// if memory ran out for it.
static bool add_file(struct stage_files *found, char *name, char *path)
{
    struct stage_file *more =
        realloc(found->files, (found->file_count + 1) * sizeof *found->files);
    char *target = NULL;
    if (more)
        found->files = more;
    if (!more || !name || !path || !read_link(path, &target)) {
        free(name);
        free(path);
        return false;
    }
    found->files[found->file_count] =
        (struct stage_file){.name = name,
                            .path = path,
                            .target = target,
                            .leads_nowhere = leads_nowhere(path),
                            .is_hidden = find_name(found, name, strlen(name))};
    found->file_count++;
    return true;
}

// Adds a file of a folder if it may be a stage.
static bool consider_file(struct stage_files *found, const char *folder,
                          const char *name)
{
    if (!has_ending(name, strlen(name)))
        return true;
    char *path = folder_join(folder, name);
    if (path && !file_is_regular(path) && !leads_nowhere(path)) {
        free(path);
        return true;
    }
    return add_file(found, strndup(name, short_length(name)), path);
}

// Where a folder cannot be listed, a file in it may be loaded still.
static bool look_for(struct stage_files *found, const char *folder,
                     const char *name)
{
    char file[NAME_MAX + 1];
    int length = snprintf(file, sizeof file, "%s%s", name,
                          has_ending(name, strlen(name)) ? "" : ending);
    return length > NAME_MAX || consider_file(found, folder, file);
}

static int compare_names(const void *a, const void *b)
{
    const struct stage_file *first = a;
    const struct stage_file *second = b;
    return strcmp(first->name, second->name);
}

static bool read_entries(struct stage_files *found, struct stage_folder *folder,
                         DIR *directory)
{
    const struct dirent *entry;
    for (errno = 0; (entry = readdir(directory)); errno = 0)
        if (!consider_file(found, folder->path, entry->d_name))
            return false;
    folder->error = errno;
    return errno != ENOMEM;
}

static bool read_folder(struct stage_files *found, struct stage_folder *folder,
                        const char *name)
{
    DIR *directory = opendir(folder->path);
    size_t begin = found->file_count;
    if (!directory)
        folder->error = errno;
    if (folder->error == ENOMEM)
        return false;
    bool added = directory ? read_entries(found, folder, directory)
                           : look_for(found, folder->path, name);
    if (directory)
        closedir(directory);
    folder->file_count = found->file_count - begin;
    if (folder->file_count > 0)
        qsort(&found->files[begin], folder->file_count, sizeof *found->files,
              compare_names);
    return added;
}

// ---------------------------------------------------------------------------
// Files by their paths

// However the path leads there; a link and what it points to are two files.
static const struct stage_file *find_path(const struct stage_files *found,
                                          const char *path)
{
    struct stat wanted;
    struct stat met;
    bool is_there = lstat(path, &wanted) == 0;
    for (size_t i = 0; i < found->file_count; i++) {
        const struct stage_file *file = &found->files[i];
        if (strcmp(file->path, path) == 0)
            return file;
        if (is_there && lstat(file->path, &met) == 0 &&
            file_is_same(&wanted, &met) &&
            strcmp(strrchr(file->path, '/'), strrchr(path, '/')) == 0)
            return file;
    }
    return NULL;
}

static bool is_path(const char *name)
{
    return strchr(name, '/');
}

// ---------------------------------------------------------------------------

bool stage_files_find(struct stage_files *found, const char *name)
{
    const char *listed = getenv("NBSTAGE_PLUGIN_PATH");
    *found = (struct stage_files){0};
    if ((listed && !add_folders(found, listed, false)) ||
        !add_folders(found, PLUGINDIR, true))
        return false;
    for (size_t i = 0; i < found->folder_count; i++)
        if (!read_folder(found, &found->folders[i],
                         is_path(name) ? DEFAULT_STAGE : name))
            return false;
    return !is_path(name) || find_path(found, name) ||
           add_file(found, strdup(name), strdup(name));
}

const struct stage_file *stage_files_get(const struct stage_files *found,
                                         const char *name)
{
    return is_path(name) ? find_path(found, name)
                         : find_name(found, name, short_length(name));
}

void stage_files_free(struct stage_files *found)
{
    for (size_t i = 0; i < found->folder_count; i++)
        free(found->folders[i].path);
    for (size_t i = 0; i < found->file_count; i++) {
        free(found->files[i].name);
        free(found->files[i].path);
        free(found->files[i].target);
    }
    free(found->folders);
    free(found->files);
    *found = (struct stage_files){0};
}
