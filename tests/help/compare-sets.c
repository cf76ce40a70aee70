// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares the BLOCKMAP lumps of two WAD files with the same maps:
//
//   compare-sets OLD NEW
//
// Each lump of NEW must have the grid of the one in OLD, for every block the
// same set of linedefs, and no more bytes.  It reads lumps by itself, so that
// a mistake of the stage's is not made twice.  Prints how many maps there are;
// fails with the maps that are not so.
//
// In OLD the first words of the lists are no linedefs if all of them are 0.  In
// NEW they have to be.  There a 0 within a list is no linedef either if another
// block's list begins with it.

#include "wadfile.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_WORDS = 4, END = 0xFFFF, WORD_VALUES = 0x10000 };

struct blockmap {
    const unsigned char *bytes;
    size_t word_count;
    size_t block_count;
    size_t header_words; // before the linedefs of each list
};

static uint32_t word_at(const struct blockmap *blockmap, size_t index)
{
    const unsigned char *at = blockmap->bytes + 2 * index;
    return at[0] + 256u * at[1];
}

static uint32_t offset_of(const struct blockmap *blockmap, size_t block)
{
    return word_at(blockmap, HEADER_WORDS + block);
}

// Whether every list is inside the lump and has an end.
static bool is_sound(const struct blockmap *blockmap)
{
    size_t last = blockmap->word_count;
    while (last > 0 && word_at(blockmap, last - 1) != END)
        last--;
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (offset_of(blockmap, b) >= last)
            return false;
    return true;
}

static size_t count_headers(const struct blockmap *blockmap)
{
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (word_at(blockmap, offset_of(blockmap, b)) != 0)
            return 0;
    return 1;
}

static bool open_blockmap(const struct wadfile_lump *lump,
                          struct blockmap *blockmap)
{
    *blockmap =
        (struct blockmap){.bytes = lump->data, .word_count = lump->size / 2};
    if (blockmap->word_count < HEADER_WORDS)
        return false;
    blockmap->block_count = (size_t)word_at(blockmap, 2) * word_at(blockmap, 3);
    if (blockmap->block_count + HEADER_WORDS > blockmap->word_count ||
        !is_sound(blockmap))
        return false;
    blockmap->header_words = count_headers(blockmap);
    return true;
}

// Marks the words of the lump where a list begins, for free.
static bool *find_beginnings(const struct blockmap *blockmap)
{
    bool *begins = calloc(blockmap->word_count, sizeof *begins);
    if (!begins)
        abort();
    for (size_t b = 0; b < blockmap->block_count; b++)
        begins[offset_of(blockmap, b)] = true;
    return begins;
}

// What is known of a linedef while a block is looked at.
enum mark { ABSENT, OLD, BOTH };

// Compares the lists of a block; all marks are ABSENT before and after.
static bool has_same_set(const struct blockmap *old, const struct blockmap *new,
                         size_t block, const bool *begins, unsigned char *marks)
{
    size_t old_begin = offset_of(old, block) + old->header_words;
    size_t missing = 0;
    bool same = true;
    for (size_t w = old_begin; word_at(old, w) != END; w++) {
        missing += marks[word_at(old, w)] == ABSENT;
        marks[word_at(old, w)] = OLD;
    }
    for (size_t w = offset_of(new, block) + 1; word_at(new, w) != END; w++) {
        unsigned char *mark = &marks[word_at(new, w)];
        if (*mark == ABSENT && !(word_at(new, w) == 0 && begins[w]))
            same = false;
        missing -= *mark == OLD;
        if (*mark == OLD)
            *mark = BOTH;
    }
    for (size_t w = old_begin; word_at(old, w) != END; w++)
        marks[word_at(old, w)] = ABSENT;
    return same && missing == 0;
}

static size_t count_other_sets(const struct blockmap *old,
                               const struct blockmap *new)
{
    static unsigned char marks[WORD_VALUES];
    bool *begins = find_beginnings(new);
    size_t count = 0;
    for (size_t b = 0; b < old->block_count; b++)
        count += !has_same_set(old, new, b, begins, marks);
    free(begins);
    return count;
}

// Says what is wrong with the lump of a map; NULL if nothing is.
static const char *find_fault(const struct wadfile_lump *old_lump,
                              const struct wadfile_lump *new_lump)
{
    struct blockmap old, new;
    if (!open_blockmap(old_lump, &old))
        return "the old lump is damaged";
    if (!open_blockmap(new_lump, &new))
        return "the new lump is damaged";
    if (memcmp(old.bytes, new.bytes, 2 * HEADER_WORDS) != 0)
        return "the grids are not the same";
    if (new.header_words != 1)
        return "a list does not begin with a 0";
    if (count_other_sets(&old, &new) > 0)
        return "blocks have other sets";
    return new_lump->size <= old_lump->size ? NULL : "the new lump is larger";
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    struct wadfile old = wadfile_read(arguments[1]);
    struct wadfile new = wadfile_read(arguments[2]);
    size_t faults = old.map_count != new.map_count;
    for (size_t m = 0; m < old.map_count && m < new.map_count; m++) {
        const char *fault =
            find_fault(wadfile_find_lump(&old.maps[m], "BLOCKMAP"),
                       wadfile_find_lump(&new.maps[m], "BLOCKMAP"));
        if (fault)
            fprintf(stderr, "%s: %s\n", old.maps[m].name, fault);
        faults += fault != NULL;
    }
    printf("%zu\n", old.map_count);
    wadfile_free(&old);
    wadfile_free(&new);
    return faults > 0;
}
