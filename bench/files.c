// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "files.h"

#include "fail.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEADER_SIZE = 12, ENTRY_SIZE = 16 }; // bytes

static void put_number(FILE *file, size_t number)
{
    for (int shift = 0; shift < 32; shift += 8)
        fputc((int)(number >> shift & 255), file);
}

static FILE *begin_wad(const char *path, size_t entries, size_t directory)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        fail("%s cannot be written", path);
    fputs("PWAD", file);
    put_number(file, entries);
    put_number(file, directory);
    return file;
}

static void put_entry(FILE *file, size_t position, size_t size,
                      const char *name)
{
    put_number(file, position);
    put_number(file, size);
    fwrite(name, 1, 8, file);
}

static void end_wad(FILE *file, const char *path)
{
    bool failed = ferror(file);
    if (fclose(file) != 0 || failed)
        fail("%s cannot be written", path);
}

void files_write_copies(const char *path, const struct maps *maps,
                        size_t copies)
{
    size_t count = maps_number(maps->bytes + 4);
    const unsigned char *directory = maps->bytes + maps_number(maps->bytes + 8);
    FILE *file =
        begin_wad(path, count * copies, HEADER_SIZE + copies * maps->size);
    for (size_t copy = 0; copy < copies; copy++)
        fwrite(maps->bytes, 1, maps->size, file);
    for (size_t copy = 0; copy < copies; copy++)
        for (size_t i = 0; i < count; i++) {
            const unsigned char *entry = directory + i * ENTRY_SIZE;
            size_t position = HEADER_SIZE + copy * maps->size;
            put_entry(file, position + maps_number(entry),
                      maps_number(entry + 4), (const char *)entry + 8);
        }
    end_wad(file, path);
}

size_t files_map_size(const struct wad_map *map)
{
    size_t size = 0;
    for (size_t i = 0; i < map->lump_count; i++)
        size += map->lumps[i].data_size;
    return size;
}

void files_write_map(const char *path, const struct wad_map *map)
{
    size_t position = HEADER_SIZE;
    FILE *file =
        begin_wad(path, map->lump_count + 1, position + files_map_size(map));
    for (size_t i = 0; i < map->lump_count; i++)
        fwrite(map->lumps[i].data, 1, map->lumps[i].data_size, file);
    put_entry(file, position, 0, map->name);
    for (size_t i = 0; i < map->lump_count; i++) {
        put_entry(file, position, map->lumps[i].data_size, map->lump_names[i]);
        position += map->lumps[i].data_size;
    }
    end_wad(file, path);
}

size_t files_empty(const char *folder)
{
    size_t count = 0;
    char path[4096];
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        count += unlink(path) == 0;
    }
    if (stream)
        closedir(stream);
    return count;
}
