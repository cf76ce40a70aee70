// SPDX-License-Identifier: GPL-2.0-or-later
//
// The WAD that nbstage-check hands to hosts, and those that they write.

#ifndef HOST_WAD_H
#define HOST_WAD_H

#include <stdbool.h>
#include <stddef.h>

enum { HOST_WAD_MOST_LUMPS = 100 };

struct host_wad {
    unsigned char *bytes; // the whole file
    size_t size;
    struct host_lump {
        char name[9];
        const unsigned char *data;
        size_t size;
    } lumps[HOST_WAD_MOST_LUMPS];
    size_t lump_count;
};

// Makes a PWAD of BAD_STAGE_MAPS maps, MAP01 and on, in Doom's format with all
// lumps, and other lumps around them.  False if memory runs out.
bool host_wad_make(struct host_wad *wad);

// Reads a file.  Returns what is wrong with it, or NULL.  Call host_wad_free
// in both cases.
const char *host_wad_read(struct host_wad *wad, const char *path);

bool host_wad_has_bytes(const struct host_lump *lump, const void *bytes,
                        size_t size);

void host_wad_free(struct host_wad *wad);

#endif
