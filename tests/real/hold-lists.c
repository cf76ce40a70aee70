// SPDX-License-Identifier: GPL-2.0-or-later
//
// Holds BLOCKMAP lumps against the oracle; check-maps.pl runs it.
//
// Standard input has any number of
//
//   map COUNT
//       followed by COUNT linedefs: x1, y1, x2 and y2 in 16.16, and 1 if the
//       linedef may be in no list, else 0; 32 bits each
//   lump HEADER SIZE
//       and its bytes: a lump of that map; HEADER is what its lists begin with,
//       "zero", "any" or "none", or "unknown": then it is what leaves the
//       fewest entries missing
//
// Prints for each lump what is wrong, at most MOST_NAMED of a kind:
//
//   missing BLOCK LINEDEF    extra BLOCK LINEDEF    unreadable BLOCK
//
// and then a line "held" with numbers: missing entries, those in blocks that
// the grid does not have, extra entries, unreadable lists, linedefs in no list
// that may be, the largest offset, the words of the lump, and 1 if all lists
// begin with 0, else 0.  For an empty lump there is only "empty", and how many
// words its lists would have on a grid that begins at the lowest coordinates,
// each list stored by itself.  For one that has no whole table of offsets there
// is only "damaged".

#include "blocklists.h"
#include "buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16,     // a map unit in 16.16
    BLOCK = 128 * UNIT, // the side of a block in 16.16
    MOST_NAMED = 10,
    MOST_WORDS = 65535, // of a classic lump
};

struct held_map {
    struct oracle_line *lines;
    uint8_t *is_optional; // of each linedef, whether it may be in no list
    size_t line_count;
    struct oracle_grid grid; // that `truth` is of
    struct oracle_entry_list truth;
    size_t outside; // entries in blocks that the grid does not have
};

// --- Input ---

static void read_bytes(void *bytes, size_t size)
{
    if (fread(bytes, 1, size, stdin) != size)
        abort_with("hold-lists: the input ends early");
}

static uint32_t read_number(void)
{
    unsigned char bytes[4];
    read_bytes(bytes, sizeof bytes);
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static void map_free(struct held_map *map)
{
    free(map->lines);
    free(map->is_optional);
    oracle_free_entries(&map->truth);
    *map = (struct held_map){0};
}

static void map_read(size_t line_count, struct held_map *map)
{
    map_free(map);
    map->line_count = line_count;
    map->lines = allocate_zeros(line_count, sizeof *map->lines);
    map->is_optional = allocate_zeros(line_count, sizeof *map->is_optional);
    for (size_t i = 0; i < line_count; i++) {
        struct oracle_line *line = &map->lines[i];
        line->x1 = (int32_t)read_number();
        line->y1 = (int32_t)read_number();
        line->x2 = (int32_t)read_number();
        line->y2 = (int32_t)read_number();
        map->is_optional[i] = (uint8_t)read_number();
    }
}

// --- The truth ---

// Lumps of a map often have the same grid.
static void map_find_truth(struct held_map *map, const struct oracle_grid *grid)
{
    if (map->truth.count > 0 && memcmp(&map->grid, grid, sizeof *grid) == 0)
        return;
    oracle_free_entries(&map->truth);
    map->grid = *grid;
    map->outside = 0;
    for (size_t i = 0; i < map->line_count; i++)
        map->outside +=
            oracle_add_line(grid, &map->lines[i], (uint32_t)i, &map->truth);
    oracle_sort_entries(&map->truth);
}

static int32_t whole_units(int32_t coordinate)
{
    return coordinate / UNIT - (coordinate % UNIT < 0);
}

static uint32_t blocks_from(int32_t origin, int32_t highest)
{
    return (uint32_t)((highest - (int64_t)origin * UNIT) / BLOCK + 1);
}

// The smallest grid that begins at whole units.
static struct oracle_grid map_fit_grid(const struct held_map *map)
{
    int32_t low_x = INT32_MAX, low_y = INT32_MAX;
    int32_t high_x = INT32_MIN, high_y = INT32_MIN;
    for (size_t i = 0; i < map->line_count; i++) {
        const struct oracle_line *line = &map->lines[i];
        const int32_t x[2] = {line->x1, line->x2};
        const int32_t y[2] = {line->y1, line->y2};
        for (int end = 0; end < 2; end++) {
            low_x = x[end] < low_x ? x[end] : low_x;
            low_y = y[end] < low_y ? y[end] : low_y;
            high_x = x[end] > high_x ? x[end] : high_x;
            high_y = y[end] > high_y ? y[end] : high_y;
        }
    }
    struct oracle_grid grid = {whole_units(low_x), whole_units(low_y), 0, 0};
    grid.columns = blocks_from(grid.origin_x, high_x);
    grid.rows = blocks_from(grid.origin_y, high_y);
    return grid;
}

// A list has two words besides its linedefs, and an offset.
static uint64_t map_count_words(struct held_map *map)
{
    const struct oracle_grid grid = map_fit_grid(map);
    const uint64_t block_count = (uint64_t)grid.columns * grid.rows;
    if (3 * block_count > MOST_WORDS || map->line_count >= MOST_WORDS)
        return UINT64_MAX;
    map_find_truth(map, &grid);
    return 4 + 3 * block_count + map->truth.count;
}

// --- Lumps ---

// Leaves of the optional linedefs those that are in no list; returns how many.
static size_t find_left_out(const struct blocklists *lists,
                            enum blocklists_header header, size_t line_count,
                            uint8_t *is_left_out)
{
    size_t left_out = 0;
    for (size_t b = 0; b < lists->block_count; b++) {
        size_t begin, end;
        if (!blocklists_find(lists, header, b, &begin, &end))
            continue;
        for (size_t w = begin; w < end; w++)
            if (lists->words[w] < line_count)
                is_left_out[lists->words[w]] = 0;
    }
    for (size_t i = 0; i < line_count; i++)
        left_out += is_left_out[i];
    return left_out;
}

static void name_unreadable(const struct blocklists *lists,
                            enum blocklists_header header)
{
    int named = 0;
    for (size_t b = 0; b < lists->block_count && named < MOST_NAMED; b++) {
        size_t begin, end;
        if (blocklists_find(lists, header, b, &begin, &end))
            continue;
        printf("unreadable %zu\n", b);
        named++;
    }
}

static bool has_entry(const struct oracle_entry_list *entries, size_t block,
                      uint32_t line)
{
    const struct oracle_entry entry = {(uint32_t)block, line};
    return entries->count > 0 && bsearch(&entry, entries->entry, entries->count,
                                         sizeof entry, oracle_compare_entries);
}

static void name_missing(const struct oracle_entry_list *truth,
                         const struct oracle_entry_list *made,
                         const uint8_t *is_left_out)
{
    int named = 0;
    for (size_t i = 0; i < truth->count && named < MOST_NAMED; i++) {
        const struct oracle_entry *entry = &truth->entry[i];
        if (is_left_out[entry->line] ||
            has_entry(made, entry->block, entry->line))
            continue;
        printf("missing %u %u\n", (unsigned)entry->block,
               (unsigned)entry->line);
        named++;
    }
}

static void name_extra(const struct oracle_entry_list *truth,
                       const struct blocklists *lists,
                       enum blocklists_header header)
{
    int named = 0;
    for (size_t b = 0; b < lists->block_count && named < MOST_NAMED; b++) {
        size_t begin, end;
        blocklists_find(lists, header, b, &begin, &end);
        for (size_t w = begin; w < end && named < MOST_NAMED; w++) {
            const uint32_t line = lists->words[w];
            const bool may_be_header =
                header == LISTS_ZERO && line == 0 && lists->begins[w];
            if (may_be_header || has_entry(truth, b, line))
                continue;
            printf("extra %zu %u\n", b, (unsigned)line);
            named++;
        }
    }
}

// A lump whose lists are compared with the entries of its map.
struct held_lump {
    struct blocklists lists;
    enum blocklists_header header;
    uint8_t *is_left_out; // of each linedef
    size_t left_out;
    struct blocklists_counts counts;
    size_t extra;
};

static void lump_compare(struct held_map *map, enum blocklists_header header,
                         struct held_lump *lump)
{
    lump->header = header;
    for (size_t i = 0; i < map->line_count; i++)
        lump->is_left_out[i] = map->is_optional[i];
    lump->left_out =
        find_left_out(&lump->lists, header, map->line_count, lump->is_left_out);
    lump->counts = blocklists_compare(&lump->lists, header, &map->truth,
                                      map->line_count, lump->is_left_out);
    // The header of a list inside another is none of that list's linedefs.
    lump->extra =
        lump->counts.extra - lump->counts.of_headers + lump->counts.unknown;
}

// Compares by what leaves the fewest entries missing.
static void lump_compare_best(struct held_map *map, struct held_lump *lump)
{
    lump_compare(map, LISTS_NONE, lump);
    const struct blocklists_counts none = lump->counts;
    lump_compare(map, LISTS_ANY, lump);
    if (none.missing < lump->counts.missing)
        lump_compare(map, LISTS_NONE, lump);
    else if (blocklists_all_begin_with_0(&lump->lists))
        lump_compare(map, LISTS_ZERO, lump);
}

static void lump_print(const struct held_map *map, const struct held_lump *lump)
{
    const struct blocklists *lists = &lump->lists;
    if (lump->counts.unreadable > 0) {
        name_unreadable(lists, lump->header);
    } else if (lump->counts.missing + lump->extra > 0) {
        struct oracle_entry_list made = blocklists_entries(lists, lump->header);
        name_missing(&map->truth, &made, lump->is_left_out);
        name_extra(&map->truth, lists, lump->header);
        oracle_free_entries(&made);
    }
    printf("held %zu %zu %zu %zu %zu %zu %zu %d\n", lump->counts.missing,
           map->outside, lump->extra, lump->counts.unreadable, lump->left_out,
           lists->largest_offset, lists->word_count,
           blocklists_all_begin_with_0(lists));
}

static void hold_lump(struct held_map *map, const char *header_name,
                      size_t size)
{
    static const char *const names[] = {"zero", "any", "none"};
    size_t header = 0;
    while (header <= LISTS_NONE && strcmp(names[header], header_name) != 0)
        header++;
    struct held_lump lump = {.is_left_out = allocate_zeros(map->line_count, 1)};
    unsigned char *bytes = allocate_zeros(size, 1);
    read_bytes(bytes, size);
    if (size == 0) {
        printf("empty %llu\n", (unsigned long long)map_count_words(map));
    } else if (!blocklists_open(bytes, size, &lump.lists)) {
        puts("damaged");
    } else {
        map_find_truth(map, &lump.lists.grid);
        if (header <= LISTS_NONE)
            lump_compare(map, (enum blocklists_header)header, &lump);
        else
            lump_compare_best(map, &lump);
        lump_print(map, &lump);
        blocklists_free(&lump.lists);
    }
    free(bytes);
    free(lump.is_left_out);
}

int main(void)
{
    struct held_map map = {0};
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        char header[16];
        size_t count;
        if (sscanf(line, "map %zu", &count) == 1)
            map_read(count, &map);
        else if (sscanf(line, "lump %15s %zu", header, &count) == 2)
            hold_lump(&map, header, count);
        else
            abort_with("hold-lists: a map or a lump was expected: %s", line);
    }
    map_free(&map);
    return 0;
}
