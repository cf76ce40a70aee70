// SPDX-License-Identifier: GPL-2.0-or-later
//
// BLOCKMAP lumps judged by plain means: the tests' model of the engines, and
// lists read one by one, compared with brute force or with each other, or
// stored plainly.

#include "wadtool.h"

#include "blocklists.h"
#include "doom-map.h"
#include "engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16, // in 16.16
    GRID_WORDS = 4, // before the offsets
};

// ---------------------------------------------------------------------------
// judge

static void judge_lists(const struct wadfile_lump *lump,
                        const struct oracle_line *lines, size_t line_count,
                        const char *headers)
{
    static const char *const names[] = {"zero", "any", "none", "mixed"};
    struct blocklists lists;
    struct judgement judgement;
    size_t header = 0;
    while (header < LISTS_MIXED && strcmp(names[header], headers) != 0)
        header++;
    if (!blocklists_open(lump->data, lump->size, &lists)) {
        printf(" - - - -");
        return;
    }
    blocklists_judge(&lists, (enum blocklists_header)header, lines, line_count,
                     NULL, UINT64_MAX, &judgement);
    printf(" %zu %zu %zu %zu", judgement.counts.missing, judgement.outside,
           judgement.counts.extra, judgement.counts.unreadable);
    blocklists_free(&lists);
}

// Whether an engine does not test a line in a block that it touches.
static bool engine_misses(const struct engine_blockmap *blockmap,
                          const struct oracle_line *lines, size_t line_count)
{
    const struct oracle_grid grid = {
        blockmap->origin_x / UNIT, blockmap->origin_y / UNIT,
        (uint32_t)blockmap->columns, (uint32_t)blockmap->rows};
    if (!oracle_encloses(&grid, lines, line_count))
        return true;
    struct oracle_entry_list truth =
        oracle_find_entries(&grid, lines, line_count);
    size_t missed = engine_count_missed(blockmap, &truth, line_count);
    oracle_free_entries(&truth);
    return missed > 0;
}

static void judge_engines(const struct wadfile_lump *lump,
                          const struct oracle_line *lines, size_t line_count)
{
    static const char *const words[] = {"loads", "rebuilds", "crashes"};
    unsigned char *bytes = buffer_copy_exactly(lump->data, lump->size);
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        struct engine_blockmap blockmap;
        enum engine_verdict verdict =
            engine_load(&engines[e], bytes, lump->size, line_count, &blockmap);
        bool misses = verdict == ENGINE_LOADS &&
                      engine_misses(&blockmap, lines, line_count);
        printf(" %s", misses ? "wrong" : words[verdict]);
        engine_blockmap_free(&blockmap);
    }
    free(bytes);
}

void wadtool_judge(struct wadfile *wad, char **arguments)
{
    FILE *file = fopen(arguments[1], "r");
    if (!file)
        fail("%s cannot be read", arguments[1]);
    for (size_t i = 0; i < wad->map_count; i++) {
        const struct wadfile_map *map = &wad->maps[i];
        const struct wadfile_lump *lump = wadfile_find_lump(map, "BLOCKMAP");
        char name[16];
        char headers[16];
        if (fscanf(file, "%15s %15s", name, headers) != 2 ||
            strcmp(name, map->name) != 0)
            fail("%s has no headers of %s", arguments[1], map->name);
        struct doom_map decoded = doom_map_decode(map);
        struct oracle_line *lines = doom_map_to_oracle(&decoded);
        printf("%s", map->name);
        judge_lists(lump, lines, decoded.linedef_count, headers);
        judge_engines(lump, lines, decoded.linedef_count);
        putchar('\n');
        free(lines);
        doom_map_free(&decoded);
    }
    fclose(file);
}

void wadtool_engines(struct wadfile *wad, char **arguments)
{
    (void)wad;
    (void)arguments;
    for (size_t e = 0; e < ENGINE_COUNT; e++)
        puts(engines[e].name);
}

// ---------------------------------------------------------------------------
// plain

// Where the lists begin that have been stored, in bytes.
struct stored {
    struct buffer bytes;
    size_t *begin;
    size_t count;
};

// Stores a list unless it is there; returns where it begins.
static size_t store_list(struct stored *stored, const struct buffer *list)
{
    for (size_t i = 0; i < stored->count; i++)
        if (stored->bytes.size - stored->begin[i] >= list->size &&
            memcmp(stored->bytes.bytes + stored->begin[i], list->bytes,
                   list->size) == 0)
            return stored->begin[i];
    stored->begin[stored->count++] = stored->bytes.size;
    buffer_put(&stored->bytes, list->bytes, list->size);
    return stored->begin[stored->count - 1];
}

static struct buffer make_plain(const struct wadfile_lump *lump)
{
    struct blocklists lists = blocklists_read(lump->data, lump->size);
    const size_t count = lists.block_count;
    struct stored stored = {.begin = calloc(count + 1, sizeof(size_t))};
    struct buffer bytes = {0};
    if (!stored.begin)
        fail("no memory for %zu lists", count);
    buffer_put(&bytes, lump->data, 2 * GRID_WORDS);
    for (size_t b = 0; b < count; b++) {
        struct buffer list = {0};
        size_t word, end;
        if (!blocklists_find(&lists, LISTS_NONE, b, &word, &end))
            fail("the list of block %zu cannot be read", b);
        for (; word < end; word++)
            buffer_put_u16(&list, lists.words[word]);
        buffer_put_u16(&list, UINT16_MAX);
        size_t offset = GRID_WORDS + count + store_list(&stored, &list) / 2;
        if (offset > INT16_MAX)
            fail("plain lists are over the vanilla limit");
        buffer_put_u16(&bytes, (uint32_t)offset);
        buffer_free(&list);
    }
    buffer_put(&bytes, stored.bytes.bytes, stored.bytes.size);
    buffer_free(&stored.bytes);
    free(stored.begin);
    blocklists_free(&lists);
    return bytes;
}

void wadtool_plain(struct wadfile *wad, char **arguments)
{
    struct wadwriter output = {0};
    char kind[] = "IWAD";
    memcpy(kind, wad->bytes, strlen(kind));
    for (size_t i = 0; i < wad->lump_count; i++) {
        const struct wadfile_lump *lump = &wad->lumps[i];
        struct buffer plain = {0};
        if (strcmp(lump->name, "BLOCKMAP") == 0)
            plain = make_plain(lump);
        wadwriter_put(&output, lump->name,
                      plain.size > 0 ? plain.bytes : lump->data,
                      plain.size > 0 ? plain.size : lump->size);
        buffer_free(&plain);
    }
    struct buffer file = wadwriter_finish(&output, kind);
    wadfile_write_bytes(arguments[1], file.bytes, file.size);
    buffer_free(&file);
}

// ---------------------------------------------------------------------------
// compare

static const char *find_fault_in_lists(const struct blocklists *old,
                                       const struct blocklists *new)
{
    static const struct oracle_entry_list none;
    if (blocklists_compare(old, LISTS_ZERO, &none, 0, NULL).unreadable > 0)
        return "the old lump is damaged";
    if (blocklists_compare(new, LISTS_ZERO, &none, 0, NULL).unreadable > 0)
        return "the new lump is damaged";
    if (memcmp(&old->grid, &new->grid, sizeof old->grid) != 0)
        return "the grids are not the same";
    if (!blocklists_all_begin_with_0(new))
        return "a list does not begin with a 0";
    struct oracle_entry_list entries = blocklists_entries(
        old, blocklists_all_begin_with_0(old) ? LISTS_ZERO : LISTS_NONE);
    struct blocklists_counts counts =
        blocklists_compare(new, LISTS_ZERO, &entries, UINT16_MAX, NULL);
    oracle_free_entries(&entries);
    return counts.missing + counts.extra > 0 ? "blocks have other sets" : NULL;
}

// Says what is wrong with the lump of a map; NULL if nothing is.
static const char *find_fault(const struct wadfile_lump *old_lump,
                              const struct wadfile_lump *new_lump)
{
    struct blocklists old, new;
    if (!blocklists_open(old_lump->data, old_lump->size, &old))
        return "the old lump is damaged";
    const char *fault = "the new lump is damaged";
    if (blocklists_open(new_lump->data, new_lump->size, &new)) {
        fault = find_fault_in_lists(&old, &new);
        blocklists_free(&new);
    }
    blocklists_free(&old);
    if (!fault && new_lump->size > old_lump->size)
        return "the new lump is larger";
    return fault;
}

void wadtool_compare(struct wadfile *old, char **arguments)
{
    struct wadfile new = wadfile_read(arguments[1]);
    int faults = old->map_count != new.map_count;
    for (size_t m = 0; m < old->map_count && m < new.map_count; m++) {
        const char *fault =
            find_fault(wadfile_find_lump(&old->maps[m], "BLOCKMAP"),
                       wadfile_find_lump(&new.maps[m], "BLOCKMAP"));
        if (fault)
            fprintf(stderr, "%s: %s\n", old->maps[m].name, fault);
        faults += fault != NULL;
    }
    printf("%zu\n", old->map_count);
    wadfile_free(&new);
    if (faults > 0)
        exit(1);
}
