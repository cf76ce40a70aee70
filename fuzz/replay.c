// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a target on files, and on all files in folders, without libFuzzer: any
// compiler will do.  Prints how many there were.

#include "buffer.h"
#include "target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static size_t replayed;

// For files; folders in folders are passed over.
static void replay_path(const char *path)
{
    struct buffer file = buffer_read_file(path);
    // Of just its size, so that reading past it is noticed.
    uint8_t *copy = buffer_copy_exactly(file.bytes, file.size);
    // Should the process end here, this is the input that did it.
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(copy, file.size);
    free(copy);
    buffer_free(&file);
    replayed++;
}

static void replay_folder(const char *path, DIR *folder)
{
    char name[4096];
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        if ((size_t)snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >=
            sizeof name) {
            fprintf(stderr, "%s: the path is too long\n", path);
            exit(2);
        }
        replay_path(name);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (folder) {
            replay_folder(argv[i], folder);
            closedir(folder);
        } else {
            replay_path(argv[i]);
        }
    }
    printf("%zu inputs\n", replayed);
    return 0;
}
