// SPDX-License-Identifier: GPL-2.0-or-later
//
// BLOCKMAP lumps, damaged in several ways.

#include "wadtool.h"

#include "random-map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_WORDS = 4,
    END = 0xFFFF,
    XBM1_PREFIX = 8,
};

static uint32_t get_word(const unsigned char *bytes, size_t index)
{
    return wad_u16(bytes + 2 * index);
}

static void put_word(unsigned char *bytes, size_t index, uint32_t word)
{
    put_number(bytes + 2 * index, 2, word);
}

// ---------------------------------------------------------------------------
// Damage

static struct random_stream stream;

static uint32_t any_below(size_t limit)
{
    return random_below(&stream, (uint32_t)limit);
}

// A lump to damage; `first` is the byte of its origin word.
struct victim {
    unsigned char *bytes;
    size_t size;
    size_t first;
    size_t word_size;
    size_t block_count;
};

static struct victim take_victim(const struct wadfile_lump *lump)
{
    struct victim victim = {.bytes =
                                buffer_copy_exactly(lump->data, lump->size),
                            .size = lump->size,
                            .word_size = 2};
    if (memcmp(lump->data, "XBM1", 4) == 0)
        victim = (struct victim){victim.bytes, victim.size, XBM1_PREFIX, 4, 0};
    const unsigned char *grid = victim.bytes + victim.first;
    victim.block_count = (size_t)get_word(grid, victim.word_size) *
                         get_word(grid, victim.word_size / 2 * 3);
    return victim;
}

static unsigned char *word_at(const struct victim *victim, size_t index)
{
    return victim->bytes + victim->first + index * victim->word_size;
}

static unsigned char *random_offset(const struct victim *victim)
{
    return word_at(victim, HEADER_WORDS + any_below(victim->block_count));
}

static size_t count_words(const struct victim *victim)
{
    return (victim->size - victim->first) / victim->word_size;
}

static void flip_bits(struct victim *victim)
{
    for (size_t i = any_below(8) + 1; i > 0; i--)
        victim->bytes[any_below(victim->size)] ^=
            (unsigned char)(1u << any_below(8));
}

static void truncate_lump(struct victim *victim)
{
    victim->size = any_below(victim->size);
}

static void swap_offsets(struct victim *victim)
{
    unsigned char kept[4];
    for (size_t i = any_below(8) + 1; i > 0; i--) {
        unsigned char *a = random_offset(victim);
        unsigned char *b = random_offset(victim);
        memcpy(kept, a, victim->word_size);
        memmove(a, b, victim->word_size);
        memcpy(b, kept, victim->word_size);
    }
}

static void replace_words(struct victim *victim)
{
    for (size_t i = any_below(4) + 1; i > 0; i--)
        put_word(victim->bytes, any_below(victim->size / 2),
                 any_below(1 << 16));
}

// Points blocks anywhere in the lump.
static void move_offsets(struct victim *victim)
{
    for (size_t i = any_below(victim->block_count) + 1; i > 0; i--)
        put_word(random_offset(victim), 0, any_below(count_words(victim)));
}

// Takes the end from many lists, so that they run on into others.
static void remove_ends(struct victim *victim)
{
    size_t begin = HEADER_WORDS + victim->block_count;
    for (size_t w = begin; w < count_words(victim); w++)
        if (get_word(word_at(victim, w), 0) == END && any_below(10) > 0)
            memset(word_at(victim, w), 0, victim->word_size);
}

static void damage_lump(struct victim *victim, size_t way)
{
    static void (*const ways[])(struct victim *) = {
        flip_bits,     truncate_lump, swap_offsets,
        replace_words, move_offsets,  remove_ends,
    };
    ways[way % (sizeof ways / sizeof *ways)](victim);
}

// ---------------------------------------------------------------------------
// Writing

// `first` is where the old file is.
static void put_map(struct wadwriter *output, const struct wadfile_map *map,
                    size_t first, size_t number)
{
    char name[9];
    snprintf(name, sizeof name, "M%07zu", number % 10000000);
    wadwriter_put_entry(output, name, 0, 0);
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct wadfile_lump *lump = &map->lumps[i];
        if (strcmp(lump->name, "BLOCKMAP") != 0) {
            wadwriter_put_entry(output, lump->name, first + lump->position,
                                lump->size);
            continue;
        }
        struct victim victim = take_victim(lump);
        damage_lump(&victim, number);
        wadwriter_put(output, lump->name, victim.bytes, victim.size);
        free(victim.bytes);
    }
}

// The old file goes first, so that lumps that are not damaged are there once.
void wadtool_damage(struct wadfile *wad, char **arguments)
{
    struct wadwriter output = {0};
    size_t count = parse_number(arguments[1], 1, UINT32_MAX);
    stream.state = parse_number(arguments[2], 0, UINT32_MAX);
    size_t first = wadwriter_position(&output);
    buffer_put(&output.lumps, wad->bytes, wad->size);
    for (size_t i = 0; i < count; i++)
        put_map(&output, &wad->maps[i % wad->map_count], first, i);
    wadwriter_write(&output, arguments[3]);
}
