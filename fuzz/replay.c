// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a target on files, and on all files in folders, without libFuzzer: any
// compiler will do.  Prints how many there were.

#include "target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static size_t replayed;

static void fail(const char *path)
{
    perror(path);
    exit(2);
}

static void replay_file(const char *path, FILE *file)
{
    struct input input = {0};
    uint8_t *bytes = NULL;
    size_t capacity = 0;
    size_t count;
    do {
        if (input.size == capacity) {
            capacity = 2 * capacity + 4096;
            bytes = realloc(bytes, capacity);
            if (!bytes)
                fail(path);
        }
        count = fread(bytes + input.size, 1, capacity - input.size, file);
        input.size += count;
    } while (count > 0);
    if (ferror(file))
        fail(path);
    input.bytes = bytes;
    uint8_t *copy = input_copy(&input);
    LLVMFuzzerTestOneInput(copy, input.size);
    free(copy);
    free(bytes);
    replayed++;
}

// For files; folders in folders are passed over.
static void replay_path(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(path);
    // Should the process end here, this is the input that did it.
    printf("%s\n", path);
    fflush(stdout);
    replay_file(path, file);
    fclose(file);
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
