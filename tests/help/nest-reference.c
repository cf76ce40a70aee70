// SPDX-License-Identifier: GPL-2.0-or-later

#include "nest-reference.h"

#include "buffer.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define NONE LIST_NUMBER_NONE

struct nest_gain nest_gain(const struct lists *lists,
                           const struct nesting *nesting)
{
    struct nest_gain gain = {.count = nesting->nested_count};
    for (size_t l = 0; l < lists->list_count; l++)
        if (nesting->outer[l] != LIST_NUMBER_NONE)
            gain.words += list_length(lists, l);
    return gain;
}

// Whether a list has all linedefs of another, and more.
static bool contains(const struct lists *lists, size_t outer, size_t inner)
{
    size_t outer_length = list_length(lists, outer);
    size_t inner_length = list_length(lists, inner);
    const uint32_t *in = list_linedefs(lists, inner);
    const uint32_t *out = list_linedefs(lists, outer);
    size_t found = 0;
    if (inner_length >= outer_length)
        return false;
    for (size_t i = 0; i < outer_length && found < inner_length; i++)
        found += out[i] == in[found];
    return found == inner_length;
}

// ---------------------------------------------------------------------------
// Pairs

// Which lists contain which: those around list l are outer[begin[l]] to
// outer[begin[l + 1] - 1].
struct pairs {
    const struct lists *lists;
    uint32_t *outer;
    size_t *begin;
};

// Linedefs as bits, some of which share one: a first look at whether a list
// can contain another.
static uint64_t sketch(const struct lists *lists, size_t list)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < list_length(lists, list); i++)
        bits |= UINT64_C(1) << list_linedefs(lists, list)[i] % 64;
    return bits;
}

static void find_pairs(struct pairs *pairs)
{
    size_t count = pairs->lists->list_count;
    size_t found = 0;
    size_t room = 0;
    uint64_t *sketches = allocate_zeros(count, sizeof *sketches);
    for (size_t l = 0; l < count; l++)
        sketches[l] = sketch(pairs->lists, l);
    for (size_t l = 0; l < count; l++) {
        pairs->begin[l] = found;
        if (room < found + count) {
            room = 2 * (found + count);
            pairs->outer = realloc(pairs->outer, room * sizeof *pairs->outer);
            ck_assert_ptr_nonnull(pairs->outer);
        }
        for (uint32_t outer = 0; sketches[l] != 0 && outer < count; outer++)
            if ((sketches[l] & ~sketches[outer]) == 0 &&
                contains(pairs->lists, outer, l))
                pairs->outer[found++] = outer;
    }
    pairs->begin[count] = found;
    free(sketches);
}

static struct pairs make_pairs(const struct lists *lists)
{
    size_t count = lists->list_count;
    struct pairs pairs = {
        .lists = lists,
        .begin = allocate_zeros(count + 1, sizeof *pairs.begin),
    };
    find_pairs(&pairs);
    return pairs;
}

static void free_pairs(struct pairs *pairs)
{
    free(pairs->outer);
    free(pairs->begin);
}

// ---------------------------------------------------------------------------
// The best

struct matching {
    const struct pairs *pairs;
    uint32_t *tail; // of each list
    bool *seen;     // by the search that is on
};

// Finds a list a place as a tail, moving others if need be.
static bool place_list(struct matching *matching, uint32_t list)
{
    const struct pairs *pairs = matching->pairs;
    for (size_t p = pairs->begin[list]; p < pairs->begin[list + 1]; p++) {
        uint32_t outer = pairs->outer[p];
        if (matching->seen[outer])
            continue;
        matching->seen[outer] = true;
        if (matching->tail[outer] == NONE ||
            place_list(matching, matching->tail[outer])) {
            matching->tail[outer] = list;
            return true;
        }
    }
    return false;
}

// How many of the lists with at least so many linedefs can be tails.
static size_t count_placed(struct matching *matching, size_t length)
{
    const struct lists *lists = matching->pairs->lists;
    size_t placed = 0;
    for (size_t l = 0; l < lists->list_count; l++)
        matching->tail[l] = NONE;
    for (uint32_t l = 0; l < lists->list_count; l++) {
        if (list_length(lists, l) < length)
            continue;
        memset(matching->seen, 0, lists->list_count * sizeof *matching->seen);
        placed += place_list(matching, l);
    }
    return placed;
}

struct nest_gain nest_reference_best(const struct lists *lists)
{
    size_t count = lists->list_count;
    struct pairs pairs = make_pairs(lists);
    struct matching matching = {
        .pairs = &pairs,
        .tail = allocate_zeros(count, sizeof *matching.tail),
        .seen = allocate_zeros(count, sizeof *matching.seen),
    };
    struct nest_gain gain = {0};
    size_t length = 0;
    for (size_t l = 0; l < count; l++)
        if (list_length(lists, l) > length)
            length = list_length(lists, l);
    for (; length > 0; length--) {
        gain.count = count_placed(&matching, length);
        gain.words += gain.count;
    }
    free(matching.tail);
    free(matching.seen);
    free_pairs(&pairs);
    return gain;
}

// ---------------------------------------------------------------------------

void nest_reference_check(const struct lists *lists,
                          const struct nesting *nesting)
{
    size_t count = 0;
    for (size_t l = 0; l < lists->list_count; l++) {
        uint32_t outer = nesting->outer[l];
        uint32_t inner = nesting->inner[l];
        if (inner != NONE)
            ck_assert_uint_eq(nesting->outer[inner], l);
        if (outer == NONE)
            continue;
        ck_assert_uint_eq(nesting->inner[outer], l);
        ck_assert_msg(contains(lists, outer, l),
                      "list %u does not contain list %zu", outer, l);
        ck_assert_uint_gt(list_length(lists, l), 0);
        count++;
    }
    ck_assert_uint_eq(nesting->nested_count, count);
}
