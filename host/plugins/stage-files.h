// SPDX-License-Identifier: GPL-2.0-or-later
//
// The files that stages are loaded from, in the folders where stages are looked
// for.

#ifndef STAGE_FILES_H
#define STAGE_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct stage_folder {
    char *path;
    bool is_installed; // whether or not NBSTAGE_PLUGIN_PATH names it, too
    int error;         // why it could not be listed, as errno tells; or 0
    size_t file_count;
};

// A file that may be a stage.
struct stage_file {
    char *name;         // as --plugin takes it
    char *path;         // in the folder
    char *target;       // of a symbolic link; else NULL
    bool leads_nowhere; // as a link that nothing is loaded by
    bool is_hidden;     // a folder before has a file of this name
};

struct stage_files {
    struct stage_folder *folders; // as they are searched, each once
    size_t folder_count;
    struct stage_file *files; // by folder, then by name; others behind them
    size_t file_count;
};

// Looks into the folders, but not into the files.  `name` is that of a stage as
// --plugin takes it: if it is a path, that file is among those found, whether
// or not it is in a folder, or even there; else it is looked for in folders
// that cannot be listed, too.  False if memory runs out; what there is is for
// stage_files_free either way.
bool stage_files_find(struct stage_files *found, const char *name);

// The file that is loaded for such a name; NULL if there is none.
const struct stage_file *stage_files_get(const struct stage_files *found,
                                         const char *name);

void stage_files_free(struct stage_files *found);

#endif
