// SPDX-License-Identifier: GPL-2.0-or-later
//
// A file is known by its device and number, so by whatever links.  One that
// does not exist yet is known by its folder and its name there, to which a
// symbolic link may lead.

#include "config.h"

#include "wad/declared-files.h"

#include "platform/file.h"
#include "platform/folder.h"
#include "wad/replace-file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What cannot be found at all cannot be written, either.  Standard input and
// output are known only as files.  False if memory runs out.
static bool declared_identify(struct declared_file *file)
{
    struct place place;
    if (!file->path || strcmp(file->path, "-") == 0) {
        file->is_known =
            file_find_open(file->path ? STDIN_FILENO : STDOUT_FILENO,
                           &file->found) &&
            file->found.kind == FILE_REGULAR;
        return true;
    }
    bool exists = !file->is_backup && file_find(file->path, &file->found);
    errno = 0;
    folder_find(file->path, &place);
    bool has_memory = place.name || errno != ENOMEM;
    if (file->is_backup && place.name) {
        exists = backup_find(&place, &file->found);
        has_memory = exists || errno != ENOMEM;
    }
    file->is_known =
        exists || (place.name && folder_find_folder(&place, &file->found));
    if (file->is_known && !exists && has_memory) {
        const char *name = file_base(place.name);
        file->name = file->is_backup ? file_backup_name(name) : strdup(name);
        has_memory = file->name;
    }
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

enum exit_status declared_add(struct declared_files *files,
                              struct declared_file file)
{
    if (file.advice && file.path && file_is_standard(file.path))
        return STATUS_DONE;
    struct declared_file *more =
        realloc(files->file, (files->count + 1) * sizeof *more);
    if (more)
        files->file = more;
    if (!more || !declared_identify(&file))
        return STATUS_FILE;
    files->file[files->count++] = file;
    for (size_t i = 0; i + 1 < files->count; i++) {
        const struct declared_file *other = &files->file[i];
        const char *advice = file.advice ? file.advice : other->advice;
        const bool may_be_same =
            file.job == other->job && (other->advice || !file.is_backup);
        if (!advice || may_be_same || !declared_is_same(&file, other))
            continue;
        message_print("%s '%s' and %s%s%s%s are the same file; %s", other->what,
                      other->shown, file.what, file.shown ? " '" : "",
                      file.shown ? file.shown : "", file.shown ? "'" : "",
                      advice);
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
