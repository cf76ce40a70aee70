// SPDX-License-Identifier: GPL-2.0-or-later
//
// As far as possible, every step is one loop without branches that depend on
// the map:
//
//  1. Each entry adds its line's digest to its block's digest.  The result
//     tells the length of the block's list, and equal lists have equal digests.
//  2. In block order, each list with a new digest gets its place in the lump's
//     words.  A block whose digest is known shares the list that is known; its
//     own is written, too, at the far end of the words, for step 4.
//  3. Each entry writes its line to the next place of its block.  Lines come in
//     order, so lists are in order.
//  4. Every list at the far end is compared with the one that replaces it.  If
//     they differ although their digests are equal, which hardly happens by
//     chance, the block gets its own list again, behind all others, and shares
//     it with none.

#include "lists/lists.h"

#include "base/digest.h"
#include "base/vector.h"

#include <string.h>

struct list_work {
    const struct entries *entries;
    uint64_t length_mask; // of digests

    // Of each block, the digest of its list, and where its next line goes.
    uint64_t *digests;
    uint32_t *next;

    // The blocks with lines and the first one without, in order; later those
    // among them whose list has a known digest.
    uint32_t *blocks;
    size_t block_count;

    // A hash table of the first block of each list, by the list's digest.  A
    // slot holds the block's number + 1, or 0 if it is free.
    uint32_t *slots;
    unsigned slot_bits;
};

// Writes the lines' numbers into their blocks' lists, or adds up their digests.
// The digest of a line is the product of one for its place in the group and one
// for the group: both have 1 in their low bits, so the product has.  Without
// the ~, line 1 of group 2 would have that of line 2 of group 1.
VECTOR_BODY void lists_pass(const struct list_work *work, bool writes,
                            uint32_t *words)
{
    const struct entries *entries = work->entries;
    uint64_t *const digests = work->digests;
    uint32_t *const next = work->next;
    uint64_t of_place[LINES_GROUP];
    size_t e = 0;
    for (size_t i = 0; !writes && i < LINES_GROUP && i < entries->linedef_end;
         i++)
        of_place[i] = digest_make(i, work->length_mask);
    for (size_t g = 0; g < entries->group_count; g++) {
        const size_t first = g * LINES_GROUP, end = entries->group_ends[g];
        const uint64_t of_group = digest_make(~(uint64_t)g, work->length_mask);
        for (; e < end; e++) {
            const uint32_t block = entry_block(entries->entry[e]);
            const uint32_t line = entry_line_in_group(entries->entry[e]);
            if (writes)
                words[next[block]++] = (uint32_t)first + line;
            else
                digests[block] += of_place[line] * of_group;
        }
    }
}

// Finds which blocks need a list, and takes memory for the words.
static nbstage_status lists_allocate_words(struct context *context,
                                           struct list_work *work,
                                           struct lists *lists)
{
    size_t first = 0, count = 0;
    while (first < lists->block_count && work->digests[first] != 0)
        first++;
    if (first < lists->block_count)
        work->digests[first] = ~work->length_mask; // not 0, but of no length
    for (size_t b = 0; b < lists->block_count; b++) {
        work->blocks[count] = (uint32_t)b;
        count += work->digests[b] != 0;
    }
    work->block_count = count;
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

// Gives places to all blocks.
static void lists_place(struct lists *lists, struct list_work *work)
{
    // Compilers can keep copies in registers.
    struct lists out = *lists;
    const struct list_work in = *work;
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
    work->block_count = repeated_count;
}

// Gives blocks whose list is not the one that replaces it their own again.
// From the far end's lowest list up, there is room for each below it.
static void lists_check_repeated(struct lists *lists,
                                 const struct list_work *work)
{
    for (size_t r = work->block_count; r-- > 0;) {
        const uint32_t block = work->blocks[r];
        const uint32_t length =
            (uint32_t)(work->digests[block] & work->length_mask);
        const uint32_t *own = lists->words + work->next[block] - length;
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

nbstage_status lists_build(struct context *context, const struct grid *grid,
                           const struct entries *entries, struct lists *lists)
{
    const size_t count = grid_block_count(grid);
    const size_t most = count < entries->count ? count : entries->count;
    struct list_work work = {.entries = entries,
                             .length_mask =
                                 digest_length_mask(entries->linedef_end),
                             .slot_bits = digest_slot_bits(most)};
    *lists = (struct lists){.block_count = count,
                            .entry_count = entries->count,
                            .linedef_end = entries->linedef_end};
    const struct context_array arrays[] = {
        {&work.digests, count, sizeof *work.digests},
        {&work.slots, (size_t)1 << work.slot_bits, sizeof *work.slots},
    };
    // Numbers of words have to fit 32 bits.
    nbstage_status status = context_check_count(
        context, "BLOCKMAP", entries->count, "entries", sizeof *entries->entry);
    if (status == NBSTAGE_OK)
        status = context_allocate_arrays(context, arrays, 2);
    if (status == NBSTAGE_OK) // and of `blocks`
        status =
            context_allocate(context, 2 * count, sizeof *work.next, &work.next);
    if (status == NBSTAGE_OK) // and starts, of the empty list and the end, too
        status = context_allocate(context, count + most + 2,
                                  sizeof *lists->place, &lists->place);
    if (status == NBSTAGE_OK) {
        work.blocks = work.next + count;
        lists->start = lists->place + count;
        lists_pass(&work, false, NULL);
        status = context_progress(context, 2, 3);
    }
    if (status == NBSTAGE_OK)
        status = lists_allocate_words(context, &work, lists);
    if (status == NBSTAGE_OK) {
        lists_place(lists, &work);
        lists_pass(&work, true, lists->words);
        status = context_progress(context, 3, 3);
    }
    if (status == NBSTAGE_OK)
        lists_check_repeated(lists, &work);
    else
        lists_free(context, lists);
    context_release(context, work.digests);
    context_release(context, work.next);
    context->work += lists_work(entries->count, count);
    return status;
}

void lists_free(struct context *context, struct lists *lists)
{
    context_release(context, lists->words);
    context_release(context, lists->place);
    *lists = (struct lists){0};
}
