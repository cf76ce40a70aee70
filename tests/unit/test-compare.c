// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that what differs between two blockmaps is what brute force finds in
// random lumps on grids that are whole blocks apart, and that others are not
// compared.  And that the stage takes the lists of these lumps as they are.

#include "blocklists.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "inspect/inspect.h"
#include "lump/blockmap.h"
#include "random-map.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_COLUMNS = 4, // and rows
    MOST_BLOCKS = MOST_COLUMNS * MOST_COLUMNS,
    LINEDEFS = 12,
    MOST_WORDS = 1000,
    CASES = 5000 / SLOWNESS,
    UNIT = 1 << 16, // a map unit in 16.16
    BLOCK = 128,    // map units
    GRID_WORDS = 4,
};

// --- Lumps ---

// The words of a lump, before they become bytes.
struct crafted {
    uint32_t words[MOST_WORDS];
    size_t count;
    uint32_t columns;
    uint32_t rows;
    int32_t x; // origin in map units
    int32_t y;
    bool is_xbm1;
    bool has_headers;
    uint32_t end;
    unsigned char *bytes;
    size_t size;
    struct blockmap blockmap;
};

static void put(struct crafted *made, uint32_t word)
{
    ck_assert_uint_lt(made->count, MOST_WORDS);
    made->words[made->count++] = word;
}

// Puts a list in any order; lists with headers have no linedef 0, which could
// be one.
static void put_list(struct random_stream *random, struct crafted *made)
{
    uint32_t length = random_below(random, 5);
    if (made->has_headers)
        put(made, 0);
    for (uint32_t i = 0; i < length; i++)
        put(made, 1 + random_below(random, LINEDEFS - 1));
}

// Puts the list of a block, whose end may be that of the next one, too, or
// takes that of the block before.
static void put_block(struct random_stream *random, struct crafted *made,
                      size_t block)
{
    uint32_t *offset = &made->words[GRID_WORDS + block];
    uint32_t kind = random_below(random, 20);
    *offset = (uint32_t)made->count;
    if (kind == 0 && block > 0) {
        *offset = offset[-1];
        return;
    }
    if (kind == 1)
        *offset = random_below(random, 2) ? GRID_WORDS : MOST_WORDS;
    else
        put_list(random, made);
    bool is_last = block + 1 == (size_t)made->columns * made->rows;
    if (is_last || kind > 3)
        put(made, made->end);
}

static void put_bytes(struct crafted *made)
{
    struct buffer buffer = {0};
    if (made->is_xbm1)
        buffer_put(&buffer, "XBM1\0\0\0", 8);
    for (size_t w = 0; w < made->count; w++) {
        bool is_origin = w < 2;
        if (made->is_xbm1)
            buffer_put_u32(&buffer,
                           is_origin ? made->words[w] << 16 : made->words[w]);
        else
            buffer_put_u16(&buffer, made->words[w] & 0xFFFF);
    }
    made->bytes = buffer_copy_exactly(buffer.bytes, buffer.size);
    made->size = buffer.size;
    blockmap_read(&test_context, made->bytes, buffer.size, LINEDEFS,
                  &made->blockmap);
    buffer_free(&buffer);
}

static void make_lump(struct random_stream *random, struct crafted *made,
                      int32_t x, int32_t y)
{
    *made = (struct crafted){
        .count = GRID_WORDS,
        .columns = 1 + random_below(random, MOST_COLUMNS),
        .rows = 1 + random_below(random, MOST_COLUMNS),
        .x = x,
        .y = y,
        .is_xbm1 = random_below(random, 2),
        .has_headers = random_below(random, 2),
    };
    made->end = made->is_xbm1 ? UINT32_MAX : UINT16_MAX;
    size_t block_count = (size_t)made->columns * made->rows;
    made->words[0] = (uint32_t)x;
    made->words[1] = (uint32_t)y;
    made->words[2] = made->columns;
    made->words[3] = made->rows;
    made->count += block_count;
    for (size_t b = 0; b < block_count; b++)
        put_block(random, made, b);
    if (random_below(random, 20) == 0 && made->count > GRID_WORDS + block_count)
        made->count--; // the last list is without end
    put_bytes(made);
}

static void free_lump(struct crafted *made)
{
    blockmap_free(&test_context, &made->blockmap);
    free(made->bytes);
}

// Another origin: often whole blocks away, or none.
static int32_t move(struct random_stream *random, int32_t origin)
{
    int32_t step = (int32_t)random_below(random, 3) - 1;
    return origin + step * BLOCK;
}

// --- Brute force ---

// What a block lists, and in which order.
struct block {
    int32_t x;
    int32_t y;
    bool is_readable;
    bool has[LINEDEFS];
    uint32_t order[MOST_WORDS];
    size_t count;
};

struct plain {
    struct block blocks[MOST_BLOCKS];
    size_t count;
};

static void read_plainly(const struct crafted *made, struct plain *plain)
{
    struct blocklists lists;
    ck_assert(blocklists_open(made->bytes, made->size, &lists));
    const enum blocklists_header header =
        blocklists_all_begin_with_0(&lists) ? LISTS_ZERO : LISTS_NONE;
    *plain = (struct plain){.count = lists.block_count};
    for (size_t b = 0; b < plain->count; b++) {
        struct block *block = &plain->blocks[b];
        size_t begin, end;
        block->x = made->x + (int32_t)(b % made->columns) * BLOCK;
        block->y = made->y + (int32_t)(b / made->columns) * BLOCK;
        block->is_readable = blocklists_find(&lists, header, b, &begin, &end);
        for (size_t w = begin; block->is_readable && w < end; w++) {
            block->has[lists.words[w]] = true;
            block->order[block->count++] = lists.words[w];
        }
    }
    blocklists_free(&lists);
}

static const struct block *block_at(const struct plain *plain,
                                    const struct block *block)
{
    for (size_t b = 0; b < plain->count; b++)
        if (plain->blocks[b].x == block->x && plain->blocks[b].y == block->y)
            return &plain->blocks[b];
    return NULL;
}

// `other` may be NULL.
static size_t count_only(const struct block *block, const struct block *other)
{
    size_t count = 0;
    for (uint32_t linedef = 0; linedef < LINEDEFS; linedef++)
        count += block->has[linedef] && !(other && other->has[linedef]);
    return count;
}

static bool is_reordered(const struct block *block, const struct block *other)
{
    return memcmp(block->has, other->has, sizeof block->has) == 0 &&
           (block->count != other->count ||
            memcmp(block->order, other->order,
                   block->count * sizeof *block->order) != 0);
}

// What there is to count.
struct counts {
    size_t blocks;
    size_t differing;
    size_t reordered;
    size_t only_old;
    size_t only_new;
};

// Counts in each place that a grid has.
static void count(const struct plain *old, const struct plain *new,
                  struct counts *counts)
{
    for (size_t b = 0; b < old->count + new->count; b++) {
        const bool is_old = b < old->count;
        const struct block *block =
            is_old ? &old->blocks[b] : &new->blocks[b - old->count];
        const struct block *twin = block_at(is_old ? new : old, block);
        size_t only = count_only(block, twin);
        size_t only_in_twin = twin ? count_only(twin, block) : 0;
        *(is_old ? &counts->only_old : &counts->only_new) += only;
        if (twin && !is_old)
            continue; // counted with the old one
        counts->blocks++;
        if (only > 0 || only_in_twin > 0 || !block->is_readable ||
            (twin && !twin->is_readable))
            counts->differing++;
        else if (twin && is_reordered(block, twin))
            counts->reordered++;
    }
}

// --- Cases ---

// What differing blocks are checked with.
struct truth {
    const struct plain *old, *new;
    size_t visited;
};

static void check_linedefs(const struct plain *plain, const struct plain *other,
                           const struct block *place, const uint32_t *linedef,
                           size_t count)
{
    const struct block *block = block_at(plain, place);
    const struct block *twin = block_at(other, place);
    ck_assert(block || count == 0);
    for (size_t i = 0; i < count; i++) {
        ck_assert(block->has[linedef[i]]);
        ck_assert(!twin || !twin->has[linedef[i]]);
        ck_assert(i == 0 || linedef[i - 1] < linedef[i]);
    }
}

// Whether a differing block that was told of is one, and its linedefs are
// those.
static void check_block(void *context, const struct compare_block *told)
{
    struct truth *truth = context;
    struct block place = {.x = (int32_t)(told->place.x / UNIT),
                          .y = (int32_t)(told->place.y / UNIT)};
    check_linedefs(truth->old, truth->new, &place, told->old.linedefs,
                   told->old.count);
    check_linedefs(truth->new, truth->old, &place, told->new.linedefs,
                   told->new.count);
    truth->visited++;
}

// The stage reads the same lists from a lump as brute force does.
static void check_lists(const struct crafted *made, const struct plain *plain)
{
    bool is_sound = true;
    struct grid grid;
    struct entries entries;
    struct lists lists;
    for (size_t b = 0; b < plain->count; b++)
        is_sound = is_sound && plain->blocks[b].is_readable;
    ck_assert_int_eq(blockmap_read_entries(&test_context, made->bytes,
                                           made->size, LINEDEFS, &grid,
                                           &entries),
                     is_sound ? NBSTAGE_OK : NBSTAGE_BAD_MAP);
    if (is_sound)
        ck_assert_int_eq(lists_build(&test_context, &grid, &entries, &lists),
                         NBSTAGE_OK);
    entries_free(&test_context, &entries);
    for (size_t b = 0; is_sound && b < plain->count; b++) {
        bool has[LINEDEFS] = {false};
        const uint32_t *linedef = lists.words + lists.place[b] + 1;
        for (; *linedef != LIST_END; linedef++)
            has[*linedef] = true;
        ck_assert_mem_eq(has, plain->blocks[b].has, sizeof has);
    }
    if (is_sound)
        lists_free(&test_context, &lists);
}

static void check_case(const struct crafted *old, const struct crafted *new)
{
    static struct plain plain_old;
    static struct plain plain_new;
    struct truth truth = {&plain_old, &plain_new, 0};
    struct counts counts = {0};
    bool aligned =
        (old->x - new->x) % BLOCK == 0 && (old->y - new->y) % BLOCK == 0;
    read_plainly(old, &plain_old);
    read_plainly(new, &plain_new);
    check_lists(old, &plain_old);
    if (aligned)
        count(&plain_old, &plain_new, &counts);
    struct comparison found =
        compare_blockmaps(&old->blockmap, &new->blockmap, check_block, &truth);
    ck_assert_int_eq(found.grids == GRIDS_OTHER, !aligned);
    ck_assert_uint_eq(found.block_count, counts.blocks);
    ck_assert_uint_eq(found.only_old, counts.only_old);
    ck_assert_uint_eq(found.only_new, counts.only_new);
    ck_assert_uint_eq(found.differing_count, counts.differing);
    ck_assert_uint_eq(found.reordered_count, counts.reordered);
    ck_assert_uint_eq(truth.visited, counts.differing);
}

TEST(random_lumps_differ_as_brute_force_finds)
{
    static struct crafted old;
    static struct crafted new;
    struct random_stream random = {choose_seed()};
    for (int i = 0; i < CASES; i++) {
        int32_t x = (int32_t)random_below(&random, 3000) - 1500;
        int32_t y = (int32_t)random_below(&random, 3000) - 1500;
        int32_t shift = random_below(&random, 3) > 0
                            ? 0
                            : (int32_t)random_below(&random, BLOCK);
        make_lump(&random, &old, x, y);
        make_lump(&random, &new, move(&random, x) + shift, move(&random, y));
        check_case(&old, &new);
        check_case(&new, &old);
        check_case(&old, &old);
        free_lump(&old);
        free_lump(&new);
    }
}

// Lumps of two blocks, side by side: their words after the grid, up to a 0.  A
// 0 among them is written as HEADER or LINEDEF_0.
enum { HEADER = 1 << 16, LINEDEF_0 = 1 << 16, END = 65535 };

static const uint32_t nested[] = {6, 8, HEADER, 7, LINEDEF_0, 9, END, 0};
static const uint32_t mixed[] = {6, 9, LINEDEF_0, 7, END, 9, END, 0};
static const uint32_t sound[] = {6, 9, HEADER, 7, END, HEADER, 9, END, 0};
static const uint32_t large[] = {6,   10,     HEADER, 7,   60000,
                                 END, HEADER, 9,      END, 0};
static const uint32_t only_7_with_0[] = {6,   10,     HEADER, LINEDEF_0, 7,
                                         END, HEADER, 9,      END,       0};
static const uint32_t with_0[] = {6,   11,     HEADER, LINEDEF_0, 7, 9,
                                  END, HEADER, 9,      END,       0};
static const uint32_t without_0[] = {6,   10,     HEADER, 7,   9,
                                     END, HEADER, 9,      END, 0};

// For free_lump.
static void make_pair(struct crafted *made, const uint32_t *words)
{
    *made = (struct crafted){.columns = 2, .rows = 1};
    put(made, 0);
    put(made, 0);
    put(made, 2);
    put(made, 1);
    for (; *words; words++)
        put(made, *words == HEADER ? 0 : *words);
    put_bytes(made);
}

static const struct {
    const uint32_t *old, *new;
    size_t differing;
} pairs[] = {
    // A header inside a list is linedef 0: the second list begins in the middle
    // of the first.
    {nested, with_0, 0},
    {nested, without_0, 1},
    {with_0, without_0, 1},
    // A first 0 is linedef 0 where not all lists have one.
    {mixed, only_7_with_0, 0},
    {mixed, sound, 1},
    // Numbers of no linedef count.
    {sound, large, 1},
};

LOOP_TEST(zeros_and_large_numbers_are_read_as_engines_may, COUNT(pairs))
{
    static struct crafted made[2];
    make_pair(&made[0], pairs[_i].old);
    make_pair(&made[1], pairs[_i].new);
    for (int first = 0; first < 2; first++) {
        struct comparison found = compare_blockmaps(
            &made[first].blockmap, &made[1 - first].blockmap, NULL, NULL);
        ck_assert_uint_eq(found.differing_count, pairs[_i].differing);
    }
    free_lump(&made[0]);
    free_lump(&made[1]);
}
