// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files are identified by device and inode, so links do not matter.  A file
// that does not exist yet is identified by its folder and its name there, after
// symbolic links.

#include "config.h"

#include "wad/declared-files.h"

#include "common/message.h"
#include "platform/file.h"
#include "platform/folder.h"
#include "platform/status.h"
#include "wad/replacement.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Finds the name of a file that does not exist yet.  NULL with errno.
static char *declared_name(const struct declared_file *file,
                           const struct place *place)
{
    char *path = file->is_backup ? replacement_find_backup(place) : NULL;
    char *name = file->is_backup && !path
                     ? NULL
                     : strdup(file_base(path ? path : place->name));
    free(path);
    return name;
}

// Identifies a file, or its folder and name if it does not exist.  Backups
// never exist before.  False if memory runs out.
static bool declared_identify_place(struct declared_file *file,
                                    const struct place *place)
{
    errno = 0;
    file->is_known = !file->is_backup && file_find(file->path, &file->found);
    if (file->is_known)
        return true;
    if (errno == ENOMEM)
        return false;
    if (!place->name || !folder_find_folder(place, &file->found))
        return true;
    errno = 0;
    file->name = declared_name(file, place);
    file->is_known = file->name;
    return file->is_known || errno != ENOMEM;
}

// Identifies a file.  An unresolvable path cannot be written, so it conflicts
// with no other.  Standard streams count only if they are regular files.  False
// if memory runs out.
static bool declared_identify(struct declared_file *file)
{
    struct place place;
    if (!file->path || strcmp(file->path, "-") == 0) {
        const int descriptor = file->path ? STDIN_FILENO : STDOUT_FILENO;
        file->is_known = file_find_open(descriptor, &file->found) &&
                         file->found.kind == FILE_REGULAR;
        return true;
    }
    errno = 0;
    folder_find(file->path, &place);
    const bool has_memory = (place.name || errno != ENOMEM) &&
                            declared_identify_place(file, &place);
    folder_close(&place);
    return has_memory;
}

static bool declared_is_same(const struct declared_file *a,
                             const struct declared_file *b)
{
    return a->is_known && b->is_known && file_is_same(&a->found, &b->found) &&
           !a->name == !b->name &&
           (!a->name || file_is_same_name(a->name, b->name));
}

// Whether writing one of two files would replace the other.  An output may
// replace the input of its job, but a backup may not.
static bool declared_conflict(const struct declared_file *file,
                              const struct declared_file *other)
{
    const bool may_be_same =
        file->job == other->job && (other->advice || !file->is_backup);
    return (file->advice || other->advice) && !may_be_same &&
           declared_is_same(file, other);
}

enum exit_status declared_add(struct declared_files *files,
                              struct declared_file file)
{
    if (file.advice && file.path && file_is_standard(file.path))
        return STATUS_DONE;
    struct declared_file *more =
        realloc(files->file, (files->count + 1) * sizeof *more);
    if (!more)
        return STATUS_FILE;
    files->file = more;
    if (!declared_identify(&file))
        return STATUS_FILE;
    files->file[files->count++] = file;
    for (size_t i = 0; i + 1 < files->count; i++) {
        const struct declared_file *other = &files->file[i];
        if (!declared_conflict(&file, other))
            continue;
        message_print("%s '%s' and %s%s%s%s are the same file; %s", other->what,
                      other->shown, file.what, file.shown ? " '" : "",
                      file.shown ? file.shown : "", file.shown ? "'" : "",
                      file.advice ? file.advice : other->advice);
        return STATUS_USAGE;
    }
    return STATUS_DONE;
}

enum exit_status declared_add_standard_output(struct declared_files *files)
{
    return declared_add(
        files, (struct declared_file){.what = "standard output",
                                      .job = SIZE_MAX,
                                      .advice = "redirect it to another file"});
}

void declared_free(struct declared_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->file[i].name);
    free(files->file);
    *files = (struct declared_files){0};
}
