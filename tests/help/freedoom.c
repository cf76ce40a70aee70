// SPDX-License-Identifier: GPL-2.0-or-later

#include "freedoom.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const struct {
    const char *name;
    size_t map_count;
    uint32_t known; // CRC-32
} files[FREEDOOM_FILES] = {
    {"freedoom1.wad", 36, 0x6f2106f4},
    {"freedoom2.wad", 32, 0x8a85658c},
    {"freedm.wad", 32, 0x94f91db7},
};

static void find_path(size_t file, char *path, size_t size)
{
    const char *folder = getenv("FREEDOOM_DIR");
    snprintf(path, size, "%s/%s", folder ? folder : "/usr/share/games/doom",
             files[file].name);
}

bool freedoom_is_there(void)
{
    for (size_t i = 0; i < FREEDOOM_FILES; i++) {
        char path[512];
        find_path(i, path, sizeof path);
        FILE *file = fopen(path, "rb");
        if (!file) {
            printf("%s cannot be read; FREEDOOM_DIR names its folder\n", path);
            return false;
        }
        fclose(file);
    }
    return true;
}

static struct wadfile freedoom_read(size_t file)
{
    char path[512];
    find_path(file, path, sizeof path);
    struct wadfile wad = wadfile_read(path);
    if (wad.map_count != files[file].map_count)
        ck_abort_msg("%s has %zu maps; %zu were expected", path, wad.map_count,
                     files[file].map_count);
    return wad;
}

const char *freedoom_name(size_t file)
{
    return files[file].name;
}

// --- All maps ---

struct freedoom_map freedoom_maps[FREEDOOM_MAPS];
static struct wadfile wads[FREEDOOM_FILES];

void freedoom_load(void)
{
    struct freedoom_map *map = freedoom_maps;
    for (size_t file = 0; file < FREEDOOM_FILES; file++) {
        wads[file] = freedoom_read(file);
        for (size_t m = 0; m < wads[file].map_count; m++, map++) {
            map->file = file;
            map->set = lump_set_from_wad(&wads[file].maps[m]);
            map->arrays = wadfile_arrays(&wads[file].maps[m]);
            map->blockmap = lump_set_find(&map->set, "BLOCKMAP");
            map->lines = random_map_oracle_lines(&map->arrays);
        }
    }
}

void freedoom_unload(void)
{
    for (size_t m = 0; m < FREEDOOM_MAPS; m++) {
        free(freedoom_maps[m].lines);
        random_map_free(&freedoom_maps[m].arrays);
        lump_set_free(&freedoom_maps[m].set);
    }
    for (size_t file = 0; file < FREEDOOM_FILES; file++)
        wadfile_free(&wads[file]);
}

bool freedoom_is_known(size_t file)
{
    uint32_t checksum = (uint32_t)crc32_z(0, wads[file].bytes, wads[file].size);
    if (checksum != files[file].known)
        printf("%s, checksum %08" PRIx32 ": nothing is known of this release\n",
               files[file].name, checksum);
    return checksum == files[file].known;
}
