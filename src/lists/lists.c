// SPDX-License-Identifier: GPL-2.0-or-later
//
// As far as possible, every step is one loop without branches that depend on
// the map:
//
//  1. Each entry adds its line's digest to its block's digest.  The result
//     tells the length of the block's list, and equal lists have equal digests.
//  2. In block order, each list with a new digest gets its place in the lump's
//     words.  A known digest shares the list; the block's own copy goes to the
//     far end of the words for checking in step 4.
//  3. Each entry writes its line to the next place of its block.  Lines come in
//     order, so lists are in order.
//  4. Every copy at the far end is compared with the list that replaces it.  If
//     they differ although their digests are equal, which hardly happens by
//     chance, the block gets its own list again, behind all others, and shares
//     it with none.

#include "lists/lists.h"

#include "base/digest.h"

#include <string.h>

struct lists_scratch {
    const struct entries *entries;
    uint64_t length_mask; // of digests

    uint64_t *digests; // of each block's list
    uint32_t *next;    // for each block, the index of its next line

    // Nonempty blocks and the first empty one, in order; after placing, only
    // the blocks that share a list.
    uint32_t *blocks;
    size_t block_count;

    // A hash table of the first block of each list, by the list's digest.  A
    // slot holds the block's number + 1, or 0 if it is free.
    uint32_t *slots;
    unsigned slot_bits;
};

// Adds up the digests of each block's lines:
// digest(line) = digest(place in the group) * digest(group).  The low bits stay
// 1.  The ~ keeps line 1 of group 2 apart from line 2 of group 1.
static void lists_add_digests(const struct lists_scratch *scratch)
{
    const struct entries *entries = scratch->entries;
    const uint64_t mask = scratch->length_mask;
    uint64_t *const digests = scratch->digests;
    uint64_t of_place[LINES_GROUP];
    for (size_t i = 0; i < LINES_GROUP && i < entries->linedef_end; i++)
        of_place[i] = digest_make(i, mask);
    for (size_t g = 0, e = 0; g < entries->group_count; g++) {
        const size_t end = entries->group_ends[g];
        const uint64_t of_group = digest_make(~(uint64_t)g, mask);
        for (; e < end; e++)
            digests[entry_block(entries->entry[e])] +=
                of_place[entry_line_in_group(entries->entry[e])] * of_group;
    }
}

// Writes each line's number into the lists of its blocks.
static void lists_write_lines(const struct lists_scratch *scratch,
                              uint32_t *words)
{
    const struct entries *entries = scratch->entries;
    uint32_t *const next = scratch->next;
    for (size_t g = 0, e = 0; g < entries->group_count; g++) {
        const uint32_t first = (uint32_t)(g * LINES_GROUP);
        const size_t end = entries->group_ends[g];
        for (; e < end; e++)
            words[next[entry_block(entries->entry[e])]++] =
                first + entry_line_in_group(entries->entry[e]);
    }
}

// Finds the blocks that need a list, and allocates the words.
static nbstage_status lists_allocate_words(struct context *context,
                                           struct lists_scratch *scratch,
                                           struct lists *lists)
{
    size_t first = 0, count = 0;
    while (first < lists->block_count && scratch->digests[first] != 0)
        first++;
    if (first < lists->block_count)
        scratch->digests[first] =
            ~scratch->length_mask; // nonzero, with length 0
    for (size_t b = 0; b < lists->block_count; b++) {
        scratch->blocks[count] = (uint32_t)b;
        count += scratch->digests[b] != 0;
    }
    scratch->block_count = count;
    lists->word_count = (size_t)lists->entry_count + LIST_EXTRA_WORDS * count;
    return context_allocate(context, lists->word_count, sizeof *lists->words,
                            &lists->words);
}

// Appends a list with room for its linedefs; returns its place.
static inline uint32_t lists_append(struct lists *lists, uint32_t length)
{
    const uint32_t place = lists->start[lists->list_count];
    const uint32_t end = place + length + LIST_EXTRA_WORDS;
    lists->words[place] = LIST_HEADER;
    lists->words[end - 1] = LIST_END;
    lists->start[++lists->list_count] = end;
    return place;
}

// Assigns each block the place of its list.
static void lists_place(struct lists *lists, struct lists_scratch *scratch)
{
    // Local copies can stay in registers.
    struct lists out = *lists;
    const struct lists_scratch in = *scratch;
    uint32_t far_end = (uint32_t)lists->word_count;
    size_t repeated_count = 0;
    out.start[0] = 0;
    for (size_t i = 0; i < in.block_count; i++) {
        const uint32_t block = in.blocks[i];
        const uint64_t digest = in.digests[block];
        const uint32_t length = (uint32_t)(digest & in.length_mask);
        size_t slot = digest_slot(digest, in.slot_bits);
        uint32_t seen;
        while ((seen = in.slots[slot]) != 0 && in.digests[seen - 1] != digest)
            slot = digest_next_slot(slot, digest, in.slots, in.slot_bits);
        if (seen == 0) {
            in.slots[slot] = block + 1;
            const uint32_t place = lists_append(&out, length);
            in.next[block] = place + 1;
            out.place[block] = place;
            if (length == 0) // for all later blocks without lines
                for (size_t b = block; b < out.block_count; b++)
                    out.place[b] = place;
        } else {
            far_end -= length;
            in.next[block] = far_end;
            in.blocks[repeated_count++] = block;
            out.place[block] = out.place[seen - 1];
        }
    }
    *lists = out;
    scratch->block_count = repeated_count;
}

// On a digest collision, gives the block its own list back.  From the lowest
// copy at the far end up, there is room below each for a list.
static void lists_check_repeated(struct lists *lists,
                                 const struct lists_scratch *scratch)
{
    for (size_t r = scratch->block_count; r-- > 0;) {
        const uint32_t block = scratch->blocks[r];
        const uint32_t length =
            (uint32_t)(scratch->digests[block] & scratch->length_mask);
        const uint32_t *own = lists->words + scratch->next[block] - length;
        uint32_t *end = lists->words + lists->start[lists->list_count];
        if (memcmp(lists->words + lists->place[block] + 1, own,
                   length * sizeof *own) == 0)
            continue;
        memmove(end + 1, own, length * sizeof *own);
        lists->place[block] = lists_append(lists, length);
    }
    lists->word_count = lists->start[lists->list_count];
    lists->largest_place = lists->start[lists->list_count - 1];
}

// Allocates everything but the words.  `most` is the upper bound of nonempty
// blocks.
static nbstage_status lists_allocate(struct context *context, size_t most,
                                     struct lists_scratch *scratch,
                                     struct lists *lists)
{
    const size_t count = lists->block_count;
    const struct context_array arrays[] = {
        {&scratch->digests, count, sizeof *scratch->digests},
        {&scratch->slots, (size_t)1 << scratch->slot_bits,
         sizeof *scratch->slots},
    };
    NEED(context_allocate_arrays(context, arrays, 2));
    // Also holds `blocks`.
    NEED(context_allocate(context, 2 * count, sizeof *scratch->next,
                          &scratch->next));
    scratch->blocks = scratch->next + count;
    // Also holds `start`: lists + empty + end.
    NEED(context_allocate(context, count + most + 2, sizeof *lists->place,
                          &lists->place));
    lists->start = lists->place + count;
    return NBSTAGE_OK;
}

static nbstage_status lists_fill(struct context *context,
                                 struct lists_scratch *scratch,
                                 struct lists *lists)
{
    const struct entries *entries = scratch->entries;
    const size_t count = lists->block_count;
    const size_t most = count < entries->count ? count : entries->count;
    scratch->slot_bits = digest_slot_bits(most);
    // Word indices must fit 32 bits.
    NEED(context_check_count(context, "BLOCKMAP", entries->count, "entries",
                             sizeof *entries->entry));
    NEED(lists_allocate(context, most, scratch, lists));
    lists_add_digests(scratch);
    NEED(context_progress(context, 1, 2));
    NEED(lists_allocate_words(context, scratch, lists));
    lists_place(lists, scratch);
    lists_write_lines(scratch, lists->words);
    NEED(context_progress(context, 1, 1));
    lists_check_repeated(lists, scratch);
    return NBSTAGE_OK;
}

nbstage_status lists_build(struct context *context, const struct grid *grid,
                           const struct entries *entries, struct lists *lists)
{
    struct lists_scratch scratch = {
        .entries = entries,
        .length_mask = digest_length_mask(entries->linedef_end)};
    *lists = (struct lists){.block_count = grid_block_count(grid),
                            .entry_count = entries->count,
                            .linedef_end = entries->linedef_end};
    nbstage_status status = lists_fill(context, &scratch, lists);
    context_release(context, scratch.digests);
    context_release(context, scratch.next);
    context->work += lists_work(entries->count, lists->block_count);
    return status;
}

void lists_free(struct context *context, struct lists *lists)
{
    context_release(context, lists->words);
    context_release(context, lists->place);
    *lists = (struct lists){0};
}
