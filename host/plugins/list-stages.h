// SPDX-License-Identifier: GPL-2.0-or-later
//
// The plugins command: which stages there are, and which of them is loaded.

#ifndef LIST_STAGES_H
#define LIST_STAGES_H

#include <stdbool.h>
#include <stddef.h>

struct plugin_folder {
    char *path;
    int error; // an error number if it could not be listed, else 0
    size_t file_count;
    bool is_first; // one of NBSTAGE_PLUGIN_PATH
};

// A file that may be a stage.
struct plugin_file {
    char name[256]; // as --plugin takes it
    char *path;
};

struct plugin_list {
    struct plugin_folder *folders; // as they are searched
    size_t folder_count;
    struct plugin_file *files; // by folder, then by name
    size_t file_count;
};

// Lists the files that can be loaded by their names; of those with the same
// name, only the first.
void plugins_find(struct plugin_list *list);

void plugins_free(struct plugin_list *list);

#endif
