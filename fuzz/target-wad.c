// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command's way with files, from end to end in memory: a WAD is read, the
// blockmaps of its maps are built, and it is written anew.  An input is a line
// of options and a WAD.
//
// All lumps but the blockmaps keep their names, their order and their bytes.
// Those that share bytes still do; one that is cut off is cut off in the same
// place.

#include "config.h"

#include "rebuilt.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PAIRS = 64 };

// ---------------------------------------------------------------------------
// Reading what was written

// Writes the WAD and reads it.
static void write_wad(const struct rebuilt *file, struct wad *written)
{
    char flaw[WAD_FLAW_SIZE];
    int descriptor = rebuilt_write(file);
    lseek(descriptor, 0, SEEK_SET);
    enum exit_status status = wad_read_open(descriptor, written, flaw);
    REQUIRE(status == STATUS_DONE, "what was written is a WAD");
}

// ---------------------------------------------------------------------------
// What has to be the same

// How many bytes of a lump are in its file.
static size_t bytes_inside(const struct wad *wad, size_t index)
{
    const struct wad_lump *lump = &wad->lumps[index];
    if (lump->position >= wad->size)
        return 0;
    size_t inside = wad->size - lump->position;
    return inside < lump->size ? inside : lump->size;
}

static void require_lump(const struct rebuilt *file, const struct wad *written,
                         size_t index)
{
    const struct wad_entry *entry = &file->entries[index];
    const struct wad_lump *lump = &written->lumps[index];
    bool is_made = entry->source == NO_SOURCE;
    size_t size = is_made ? entry->size : file->wad.lumps[index].size;
    size_t inside = is_made ? size : bytes_inside(&file->wad, index);
    const unsigned char *bytes =
        is_made ? entry->bytes
                : file->wad.bytes + file->wad.lumps[index].position;
    REQUIRE(memcmp(lump->raw_name, file->wad.lumps[index].raw_name,
                   WAD_NAME_SIZE) == 0,
            "lumps keep their names");
    REQUIRE(lump->size == size, "lumps keep their sizes");
    REQUIRE(bytes_inside(written, index) == inside,
            "lumps are cut off where they were");
    REQUIRE(inside == 0 ||
                memcmp(written->bytes + lump->position, bytes, inside) == 0,
            "lumps keep their bytes");
}

// Whether two lumps have bytes of the file in common.
static bool share_bytes(const struct wad_lump *a, const struct wad_lump *b)
{
    return a->position < (uint64_t)b->position + b->size &&
           b->position < (uint64_t)a->position + a->size;
}

static void require_sharing(const struct rebuilt *file,
                            const struct wad *written, size_t a, size_t b)
{
    const struct wad_lump *old = file->wad.lumps;
    const struct wad_lump *new = written->lumps;
    if (file->entries[a].source == NO_SOURCE ||
        file->entries[b].source == NO_SOURCE || old[a].size == 0 ||
        old[b].size == 0 || !wad_lump_is_whole(&file->wad, a) ||
        !wad_lump_is_whole(&file->wad, b) || !share_bytes(&old[a], &old[b]))
        return;
    REQUIRE(old[a].position - old[b].position ==
                new[a].position - new[b].position,
            "lumps that share bytes still do");
}

static void require_same(const struct rebuilt *file, const struct wad *written)
{
    size_t count = file->wad.lump_count;
    REQUIRE(written->lump_count == count, "no lump is lost");
    for (size_t i = 0; i < count; i++)
        require_lump(file, written, i);
    for (size_t a = 0; a < count && a < MOST_PAIRS; a++)
        for (size_t b = 0; b < a; b++)
            require_sharing(file, written, a, b);
}

// ---------------------------------------------------------------------------

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    struct rebuilt file;
    char options[256];
    input_line(&input, options, sizeof options);
    if (rebuilt_open(&file, &input)) {
        struct wad written;
        rebuilt_build(&file, options);
        write_wad(&file, &written);
        require_same(&file, &written);
        wad_free(&written);
    }
    rebuilt_close(&file);
    return 0;
}
