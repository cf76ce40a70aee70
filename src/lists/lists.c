// SPDX-License-Identifier: GPL-2.0-or-later
//
// As far as possible, every step is one loop without branches that depend on
// the map:
//
//  1. Each entry adds its line's digest to its block's digest.  The result
//     tells the length of the block's list, and equal lists have equal digests.
//  2. In block order, each list with a new digest gets its place in the lump's
//     words.  A block whose digest is known gets the list that is known, but
//     its own is written, too, at the far end of the words.
//  3. Each entry writes its line to the next place of its block.  Lines come in
//     order, so lists are in order.
//  4. Every list at the far end is compared with the one that replaces it.  If
//     they differ although their digests are equal, as only on a map made for
//     it, the list moves behind all others.

#include "lists/lists.h"

#include "base/digest.h"
#include "base/vector.h"

#include <stdbool.h>
#include <string.h>

enum {
    LISTS_WORK_FOR_ENTRY = 32, // steps
    LISTS_WORK_FOR_BLOCK = 8,
    LISTS_BEFORE = 6,       // words before them in a lump, besides offsets
    LISTS_REPORT_BITS = 20, // 2^20 entries between two reports of progress
};

struct list_work {
    const struct entries *entries;
    uint64_t length_mask; // of digests
    uint64_t digest_bits; // that are compared

    // Arrays of all blocks, in one allocation: the digest of each block's list,
    // and where its next line goes.  Then the blocks that have lines, in order.
    // `repeated` are those whose list has a known digest.  It uses the memory
    // of `occupied`, as it never reaches the block whose place is looked for.
    uint64_t *digests;
    uint32_t *next;
    uint32_t *occupied, *repeated;
    size_t occupied_count, repeated_count;

    // A hash table of the first block of each list, by the list's digest, with
    // linear probing.  A slot holds the block's number + 1, or 0 if it is free.
    uint32_t *slots;
    struct digest_table table;

    uint32_t far_end; // where it begins in the words
};

// ---------------------------------------------------------------------------
// Entries

// Writes the lines' numbers into their blocks' lists, or without `words`, adds
// up their digests.  The digest of a line is the number for its place in the
// group times one for the group, as both have 1 in their low bits.
VECTOR_BODY nbstage_status lists_pass(struct context *context, bool writes,
                                      const struct list_work *work,
                                      const uint64_t *of_place, uint32_t *words)
{
    const struct entries *entries = work->entries;
    uint64_t *const digests = work->digests;
    uint32_t *const next = work->next;
    nbstage_status status = NBSTAGE_OK;
    size_t e = 0;
    for (size_t g = 0; g < entries->group_count && status == NBSTAGE_OK; g++) {
        const size_t first = g * LINES_GROUP, before = e;
        const size_t end = entries->group_ends[g];
        const uint64_t of_group = digest_make(~(uint64_t)g, work->length_mask);
        for (; e < end; e++) {
            const uint32_t block = entry_block(entries->entry[e]);
            const uint32_t line = entry_line_in_group(entries->entry[e]);
            if (writes)
                words[next[block]++] = (uint32_t)first + line;
            else
                digests[block] += of_place[line] * of_group;
        }
        if (before >> LISTS_REPORT_BITS != e >> LISTS_REPORT_BITS)
            status = context_progress(context, writes, 2);
    }
    return status == NBSTAGE_OK ? context_progress(context, writes + 1U, 2)
                                : status;
}

static nbstage_status lists_measure(struct context *context,
                                    struct list_work *work, size_t block_count)
{
    uint64_t of_place[LINES_GROUP];
    size_t count = 0;
    memset(work->digests, 0, block_count * sizeof *work->digests);
    for (size_t i = 0; i < LINES_GROUP && i < work->entries->linedef_end; i++)
        of_place[i] = digest_make(i, work->length_mask);
    nbstage_status status = lists_pass(context, false, work, of_place, NULL);
    for (size_t b = 0; b < block_count; b++) {
        work->occupied[count] = (uint32_t)b;
        count += work->digests[b] != 0;
    }
    work->occupied_count = count;
    return status;
}

// ---------------------------------------------------------------------------
// Places

// Appends a list with room for its linedefs; returns its place.
static inline uint32_t lists_append(struct lists *lists, uint32_t length)
{
    const uint32_t place = lists->start[lists->list_count];
    const uint32_t end = place + length + LIST_EXTRA_WORDS;
    lists->words[place] = LIST_HEADER;
    lists->words[end - 1] = LIST_END;
    lists->start[lists->list_count + 1] = end;
    lists->list_count++;
    return place;
}

// Gives places to all blocks.  The empty list has its place where the first
// block is that has no lines.
static void lists_place(struct lists *lists, struct list_work *work)
{
    // Compilers can keep copies in registers.
    struct lists out = *lists;
    const struct list_work in = *work;
    uint32_t far_end = work->far_end;
    size_t repeated_count = 0, i = 0, end = 0;
    while (end < in.occupied_count && in.occupied[end] == end)
        end++;
    memset(in.slots, 0, in.table.slot_count * sizeof *in.slots);
    out.start[0] = 0;
    for (bool has_empty = false;; has_empty = true, end = in.occupied_count) {
        for (; i < end; i++) {
            const uint32_t block = in.occupied[i];
            const uint64_t digest = in.digests[block] & in.digest_bits;
            const uint32_t length =
                (uint32_t)(in.digests[block] & in.length_mask);
            size_t slot = digest_slot(in.table, digest);
            uint32_t seen;
            while ((seen = in.slots[slot]) != 0 &&
                   (in.digests[seen - 1] & in.digest_bits) != digest)
                slot = digest_next_slot(in.table, slot);
            if (seen == 0) {
                in.slots[slot] = block + 1;
                const uint32_t place = lists_append(&out, length);
                out.place[block] = place;
                in.next[block] = place + 1;
            } else {
                far_end -= length;
                in.next[block] = far_end;
                in.repeated[repeated_count++] = block;
                out.place[block] = out.place[seen - 1];
            }
        }
        if (has_empty || end == out.block_count)
            break;
        const uint32_t empty = lists_append(&out, 0);
        for (size_t b = end; b < out.block_count; b++)
            out.place[b] = empty;
    }
    lists->list_count = out.list_count;
    work->repeated_count = repeated_count;
    work->far_end = far_end;
}

// Gives blocks whose list is not the one that replaces it their own again.
// From the far end's lowest list up, there is room for each below it.
static void lists_check_repeated(struct lists *lists,
                                 const struct list_work *work)
{
    for (size_t r = work->repeated_count; r-- > 0;) {
        const uint32_t block = work->repeated[r];
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
}

// ---------------------------------------------------------------------------
// All lists

uint64_t lists_work(uint64_t entry_count, uint64_t block_count)
{
    return LISTS_WORK_FOR_ENTRY * entry_count +
           LISTS_WORK_FOR_BLOCK * block_count;
}

static nbstage_status lists_fill(struct context *context,
                                 struct list_work *work, struct lists *lists)
{
    nbstage_status status = lists_measure(context, work, lists->block_count);
    const uint64_t words =
        lists->entry_count +
        LIST_EXTRA_WORDS * ((uint64_t)work->occupied_count + 1);
    const uint64_t lump_words = LISTS_BEFORE + lists->block_count + words;
    if (status == NBSTAGE_OK && lump_words > UINT32_MAX)
        return context_fail(context, NBSTAGE_OVER_LIMIT, "BLOCKMAP",
                            "the lump would have %llu words; at most %lu can "
                            "be numbered",
                            (unsigned long long)lump_words,
                            (unsigned long)UINT32_MAX);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, words, sizeof *lists->words,
                                  &lists->words);
    if (status != NBSTAGE_OK)
        return status;
    work->far_end = (uint32_t)words;
    lists_place(lists, work);
    status = lists_pass(context, true, work, NULL, lists->words);
    if (status != NBSTAGE_OK)
        return status;
    lists_check_repeated(lists, work);
    return NBSTAGE_OK;
}

nbstage_status lists_build_with(struct context *context,
                                const struct grid *grid,
                                const struct entries *entries,
                                uint64_t digest_bits, struct lists *lists)
{
    const size_t count = grid_block_count(grid);
    const size_t most = count < entries->count ? count : entries->count;
    const uint64_t length_mask = digest_length_mask(entries->linedef_end);
    struct list_work work = {.entries = entries,
                             .length_mask = length_mask,
                             .digest_bits = digest_bits | length_mask,
                             .table = digest_table(most)};
    *lists = (struct lists){.block_count = count,
                            .entry_count = entries->count,
                            .linedef_end = entries->linedef_end};
    nbstage_status status =
        context_allocate(context, count, sizeof *lists->place, &lists->place);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, most + 2, sizeof *lists->start,
                                  &lists->start);
    if (status == NBSTAGE_OK) // one more, as lists_measure writes ahead
        status =
            context_allocate(context, (count + 1) * 4 + work.table.slot_count,
                             sizeof *work.slots, &work.digests);
    if (status == NBSTAGE_OK) {
        work.next = (uint32_t *)(work.digests + count);
        work.occupied = work.repeated = work.next + count;
        work.slots = work.occupied + count + 1;
        status = lists_fill(context, &work, lists);
    }
    context_release(context, work.digests);
    context->work += lists_work(lists->entry_count, count);
    if (status != NBSTAGE_OK)
        lists_free(context, lists);
    return status;
}

nbstage_status lists_build(struct context *context, const struct grid *grid,
                           const struct entries *entries, struct lists *lists)
{
    return lists_build_with(context, grid, entries, UINT64_MAX, lists);
}

size_t lists_number(const struct lists *lists, uint32_t place)
{
    size_t low = 0, high = lists->list_count;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (lists->start[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void lists_free(struct context *context, struct lists *lists)
{
    context_release(context, lists->words);
    context_release(context, lists->start);
    context_release(context, lists->place);
    *lists = (struct lists){0};
}
