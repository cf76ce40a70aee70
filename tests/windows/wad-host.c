// SPDX-License-Identifier: GPL-2.0-or-later
//
// wad-host OUT WAD...
//
// A host that is the same on every system.  Each line of standard input is a
// request for the kit, "NAME,OPTIONS".  For each it has the stage build all
// maps of all files, and writes to OUT what it makes of them: lumps, facts and
// sentences.  Every other map is handed over with its lumps compressed.

#include "nbstage-host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { HEADER_SIZE = 12, ENTRY_SIZE = 16, NAME_SIZE = 8, MOST_LUMPS = 16 };

static FILE *out;

static _Noreturn void end(const char *what, const char *sentence)
{
    fprintf(stderr, "%s: %s\n", what, sentence);
    exit(1);
}

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    return memory ? memory : (end("wad-host", "out of memory"), NULL);
}

static size_t number(const unsigned char *bytes)
{
    return bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 |
           (size_t)bytes[3] << 24;
}

// Lumps of a file, with their names ended.
struct wad {
    unsigned char *bytes;
    struct nbstage_lump *lumps;
    char (*names)[NAME_SIZE + 1];
    size_t count;
};

static struct wad read_wad(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        end(path, "cannot be read");
    size_t size = (size_t)ftell(file);
    struct wad wad = {.bytes = allocate(size)};
    rewind(file);
    if (size < HEADER_SIZE || fread(wad.bytes, 1, size, file) != size)
        end(path, "cannot be read");
    fclose(file);
    wad.count = number(wad.bytes + 4);
    wad.lumps = allocate(wad.count * sizeof *wad.lumps);
    wad.names = allocate(wad.count * sizeof *wad.names);
    for (size_t i = 0; i < wad.count; i++) {
        const unsigned char *entry =
            wad.bytes + number(wad.bytes + 8) + i * ENTRY_SIZE;
        memcpy(wad.names[i], entry + 8, NAME_SIZE);
        wad.names[i][NAME_SIZE] = '\0';
        wad.lumps[i] = (struct nbstage_lump){sizeof *wad.lumps, wad.names[i],
                                             wad.bytes + number(entry),
                                             number(entry + 4), NBSTAGE_PLAIN};
    }
    return wad;
}

static bool begins_map(const struct wad *wad, size_t marker)
{
    static const char *const names[] = {"THINGS", "LINEDEFS", "TEXTMAP"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (marker + 1 < wad->count &&
            strcmp(wad->names[marker + 1], names[i]) == 0 &&
            strcmp(wad->names[marker], "THINGS") != 0)
            return true;
    return false;
}

static void compress_lump(struct nbstage_lump *lump)
{
    uLongf size = compressBound((uLong)lump->data_size);
    void *bytes = allocate(size);
    if (compress(bytes, &size, lump->data, (uLong)lump->data_size) != Z_OK)
        end(lump->name, "cannot be compressed");
    *lump = (struct nbstage_lump){sizeof *lump, lump->name, bytes, size,
                                  NBSTAGE_ZLIB};
}

static void write_result(const struct nbstage *stage,
                         const struct nbstage_lump *made)
{
    for (size_t i = 0; made && i < stage->result.fact_count; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, stage->result.facts, i);
        fprintf(out, "%s %" PRId64 " %s\n", fact->name, fact->value,
                fact->text ? fact->text : "");
    }
    if (made)
        fwrite(made->data, 1, made->data_size, out);
    fprintf(out, "%s\n", stage->error);
}

static void build_map(struct nbstage *stage, const struct wad *wad,
                      size_t marker, bool compressed)
{
    struct nbstage_lump lumps[MOST_LUMPS];
    size_t count = 0;
    for (size_t i = marker + 1;
         i < wad->count && count < MOST_LUMPS && !begins_map(wad, i); i++) {
        lumps[count] = wad->lumps[i];
        if (compressed)
            compress_lump(&lumps[count]);
        count++;
    }
    struct nbstage_map map =
        nbstage_map_from_lumps(wad->names[marker], lumps, count);
    fprintf(out, "%s\n", map.name);
    write_result(stage, nbstage_build(stage, &map));
    for (size_t i = 0; compressed && i < count; i++)
        free((void *)(uintptr_t)lumps[i].data);
}

static void build_all(const char *request, char **paths)
{
    struct nbstage stage = {0};
    size_t maps = 0;
    if (!nbstage_load(&stage, request, NULL, NULL, "BLOCKMAP", NULL))
        end("not loaded", stage.error);
    for (; *paths; paths++) {
        struct wad wad = read_wad(*paths);
        for (size_t i = 0; i < wad.count; i++)
            if (begins_map(&wad, i))
                build_map(&stage, &wad, i, maps++ % 2 == 1);
        free(wad.bytes);
        free(wad.lumps);
        free(wad.names);
    }
    printf("%zu maps\n", maps);
    nbstage_close(&stage);
}

int main(int argc, char **argv)
{
    char request[1024];
    out = argc > 1 ? fopen(argv[1], "wb") : NULL;
    if (!out)
        end("wad-host", "no file to write");
    while (fgets(request, sizeof request, stdin)) {
        request[strcspn(request, "\r\n")] = '\0';
        build_all(request, argv + 2);
    }
    return fclose(out) != 0;
}
