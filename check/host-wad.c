// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each map is one room, whose western wall has as many parts as its number
// says.  A partition in the middle splits it into two subsectors, so there is a
// node, and node builders have something to do.

#include "host-wad.h"

#include "bad-stage.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 12, ENTRY_SIZE = 16, FILE_SIZE = 8192 };

// ---------------------------------------------------------------------------
// Making

// The file in the making: lumps go to the front, the directory is made last.
static void put_byte(struct host_wad *wad, unsigned byte)
{
    wad->bytes[wad->size++] = (unsigned char)byte;
}

static void put_word(struct host_wad *wad, int number)
{
    put_byte(wad, (unsigned)number & 0xFF);
    put_byte(wad, (unsigned)number >> 8 & 0xFF);
}

static void put_words(struct host_wad *wad, const int *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_word(wad, numbers[i]);
}

static void put_name(struct host_wad *wad, const char *name)
{
    for (size_t i = 0; i < 8; i++)
        put_byte(wad, i < strlen(name) ? (unsigned char)name[i] : 0);
}

static void put_number(struct host_wad *wad, size_t number)
{
    put_word(wad, (int)(number & 0xFFFF));
    put_word(wad, (int)(number >> 16));
}

// Ends the lump before, and begins one.
static void begin_lump(struct host_wad *wad, const char *name)
{
    struct host_lump *lump = &wad->lumps[wad->lump_count++];
    if (wad->lump_count > 1)
        lump[-1].size = (size_t)(wad->bytes + wad->size - lump[-1].data);
    snprintf(lump->name, sizeof lump->name, "%s", name);
    lump->data = wad->bytes + wad->size;
}

#define PUT_WORDS(wad, ...) \
    put_words(wad, (const int[]){__VA_ARGS__}, \
              sizeof(int[]){__VA_ARGS__} / sizeof(int))

// Clockwise around the room from the middle of its southern wall.
static void put_vertices(struct host_wad *wad, int west_walls)
{
    const int middle = BAD_STAGE_WIDTH / 2;
    PUT_WORDS(wad, middle, 0);
    for (int i = 0; i <= west_walls; i++)
        PUT_WORDS(wad, 0, BAD_STAGE_HEIGHT * i / west_walls);
    PUT_WORDS(wad, middle, BAD_STAGE_HEIGHT);
    PUT_WORDS(wad, BAD_STAGE_WIDTH, BAD_STAGE_HEIGHT, BAD_STAGE_WIDTH, 0);
}

static void put_segs(struct host_wad *wad, int lines, int west_walls)
{
    const int west = -0x8000, north = 0x4000, east = 0, south = -0x4000;
    for (int i = 0; i < lines; i++) {
        int angle = i == 0 || i == lines - 1 ? west
                    : i <= west_walls        ? north
                    : i == lines - 2         ? south
                                             : east;
        PUT_WORDS(wad, i, (i + 1) % lines, angle, i, 0, 0);
    }
}

static void put_sides(struct host_wad *wad, int lines)
{
    for (int i = 0; i < lines; i++) {
        PUT_WORDS(wad, 0, 0);
        put_name(wad, "-");
        put_name(wad, "-");
        put_name(wad, "STARTAN3");
        put_word(wad, 0);
    }
}

static void put_sector(struct host_wad *wad)
{
    PUT_WORDS(wad, 0, 128);
    put_name(wad, "FLOOR0_1");
    put_name(wad, "CEIL1_1");
    PUT_WORDS(wad, 160, 0, 0);
}

// One block with all lines, as other builders make it.
static void put_blockmap(struct host_wad *wad, int lines)
{
    PUT_WORDS(wad, -8, -8, 1, 1, 5, 0);
    for (int i = 0; i < lines; i++)
        put_word(wad, i);
    put_word(wad, -1);
}

static void put_map(struct host_wad *wad, int number)
{
    const int lines = BAD_STAGE_FEWEST_LINES + number - 1;
    const int height = BAD_STAGE_HEIGHT, width = BAD_STAGE_WIDTH;
    char name[9];
    snprintf(name, sizeof name, "MAP%02u", (unsigned)number % 100);
    begin_lump(wad, name);
    begin_lump(wad, "THINGS");
    PUT_WORDS(wad, 24, 32, 0, 1, 7);
    begin_lump(wad, "LINEDEFS");
    for (int i = 0; i < lines; i++)
        PUT_WORDS(wad, i, (i + 1) % lines, 1, 0, 0, i, -1);
    begin_lump(wad, "SIDEDEFS");
    put_sides(wad, lines);
    begin_lump(wad, "VERTEXES");
    put_vertices(wad, number);
    begin_lump(wad, "SEGS");
    put_segs(wad, lines, number);
    begin_lump(wad, "SSECTORS");
    PUT_WORDS(wad, lines - 3, 0, 3, lines - 3);
    begin_lump(wad, "NODES");
    PUT_WORDS(wad, width / 2, 0, 0, height);
    PUT_WORDS(wad, height, 0, width / 2, width, height, 0, 0, width / 2);
    PUT_WORDS(wad, -0x7FFF, -0x8000); // subsectors 1, in the east, and 0
    begin_lump(wad, "SECTORS");
    put_sector(wad);
    begin_lump(wad, "REJECT");
    put_byte(wad, 0);
    begin_lump(wad, "BLOCKMAP");
    put_blockmap(wad, lines);
}

bool host_wad_make(struct host_wad *wad)
{
    *wad =
        (struct host_wad){.bytes = calloc(1, FILE_SIZE), .size = HEADER_SIZE};
    if (!wad->bytes)
        return false;
    begin_lump(wad, "BEFORE");
    put_name(wad, "keep me");
    for (int i = 1; i <= BAD_STAGE_MAPS; i++)
        put_map(wad, i);
    begin_lump(wad, "AFTER");
    put_byte(wad, 77);
    begin_lump(wad, "");
    wad->lump_count--;

    const size_t end = wad->size;
    wad->size = 0;
    put_name(wad, "PWAD");
    wad->size = 4;
    put_number(wad, wad->lump_count);
    put_number(wad, end);
    wad->size = end;
    for (size_t i = 0; i < wad->lump_count; i++) {
        put_number(wad, (size_t)(wad->lumps[i].data - wad->bytes));
        put_number(wad, wad->lumps[i].size);
        put_name(wad, wad->lumps[i].name);
    }
    return true;
}

// ---------------------------------------------------------------------------
// Files

static size_t get_number(const unsigned char *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 |
           (size_t)at[3] << 24;
}

static const char *read_bytes(struct host_wad *wad, const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
        wad->bytes = malloc((size_t)size + 1);
    if (wad->bytes)
        wad->size = fread(wad->bytes, 1, (size_t)size, file);
    if (file)
        fclose(file);
    return wad->bytes && wad->size == (size_t)size ? NULL : "cannot be read";
}

static const char *read_directory(struct host_wad *wad)
{
    const unsigned char *bytes = wad->bytes;
    if (wad->size == 0)
        return "is empty";
    if (wad->size < HEADER_SIZE || memcmp(bytes, "PWAD", 4) != 0)
        return "is no PWAD";
    size_t count = get_number(bytes + 4), at = get_number(bytes + 8);
    if (count > HOST_WAD_MOST_LUMPS)
        return "has more lumps than a builder would add";
    if (at > wad->size || count * ENTRY_SIZE > wad->size - at)
        return "has a directory that is cut off";
    for (; wad->lump_count < count; at += ENTRY_SIZE) {
        struct host_lump *lump = &wad->lumps[wad->lump_count++];
        size_t begin = get_number(bytes + at);
        lump->size = get_number(bytes + at + 4);
        memcpy(lump->name, bytes + at + 8, 8);
        lump->name[8] = '\0';
        if (lump->size == 0)
            begin = 0; // of an empty lump it does not matter
        if (begin > wad->size || lump->size > wad->size - begin)
            return "has a lump that is cut off";
        lump->data = bytes + begin;
    }
    return NULL;
}

const char *host_wad_read(struct host_wad *wad, const char *path)
{
    *wad = (struct host_wad){0};
    const char *flaw = read_bytes(wad, path);
    return flaw ? flaw : read_directory(wad);
}

bool host_wad_has_bytes(const struct host_lump *lump, const void *bytes,
                        size_t size)
{
    return lump->size == size &&
           (size == 0 || memcmp(lump->data, bytes, size) == 0);
}

void host_wad_free(struct host_wad *wad)
{
    free(wad->bytes);
    *wad = (struct host_wad){0};
}
