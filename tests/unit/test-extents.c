// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves which bytes of a WAD are in no lump, on random small files whose bytes
// are marked one by one, and that ranges are joined and found as by looking at
// each byte.  SEED repeats a run.

#include "config.h"

#include "context-for-tests.h"
#include "random-map.h"
#include "wad/extents.h"
#include "wad/wad.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_SIZE = 120, MOST_LUMPS = 5, TRIES = 2000 / SLOWNESS };

static void mark(bool *marks, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin; i < end && i < FILE_SIZE; i++)
        marks[i] = true;
}

// A directory and lumps anywhere, some of them past the end of the file.
static void make_wad(struct random_stream *stream, struct wad_lump *lumps,
                     struct wad *wad)
{
    *wad = (struct wad){.lumps = lumps, .size = FILE_SIZE};
    wad->lump_count = 1 + random_below(stream, MOST_LUMPS);
    wad->directory = (uint32_t)random_below(stream, FILE_SIZE);
    for (size_t i = 0; i < wad->lump_count; i++)
        lumps[i] = (struct wad_lump){
            .position = (uint32_t)random_below(stream, FILE_SIZE + 8),
            .size = (uint32_t)random_below(stream, 24)};
}

TEST(loose_bytes_are_those_that_nothing_marks)
{
    struct random_stream stream = {choose_seed()};
    for (int try = 0; try < TRIES; try++) {
        struct wad_lump lumps[MOST_LUMPS];
        struct wad wad;
        make_wad(&stream, lumps, &wad);
        bool used[FILE_SIZE] = {false}, loose[FILE_SIZE] = {false};
        mark(used, 0, 12);
        mark(used, wad.directory, wad.directory + 16 * wad.lump_count);
        for (size_t i = 0; i < wad.lump_count; i++)
            mark(used, lumps[i].position, lumps[i].position + lumps[i].size);

        size_t count;
        uint64_t counted, expected = 0;
        struct extent *extents = extents_list_loose(&wad, &count);
        ck_assert_ptr_nonnull(extents);
        for (size_t i = 0; i < count; i++) {
            ck_assert_uint_lt(extents[i].begin, extents[i].end);
            ck_assert_uint_le(extents[i].end, FILE_SIZE);
            if (i > 0)
                ck_assert_uint_lt(extents[i - 1].end, extents[i].begin);
            mark(loose, extents[i].begin, extents[i].end);
        }
        free(extents);
        for (int i = 0, run = 0; i < FILE_SIZE; i++) {
            ck_assert_msg(used[i] != loose[i], "byte %d is %s", i,
                          used[i] ? "in use, and loose" : "nowhere");
            // Up to 3 bytes are padding, and do not count.
            run = loose[i] ? run + 1 : 0;
            expected += run < 4 ? 0 : run == 4 ? 4 : 1;
        }
        ck_assert(extents_count_loose(&wad, &counted));
        ck_assert_uint_eq(counted, expected);
    }
}

TEST(ranges_are_joined_and_found)
{
    struct random_stream stream = {choose_seed()};
    for (int try = 0; try < TRIES; try++) {
        struct extent extents[MOST_LUMPS];
        bool marks[FILE_SIZE] = {false}, joined[FILE_SIZE] = {false};
        const size_t count = 1 + random_below(&stream, MOST_LUMPS);
        for (size_t i = 0; i < count; i++) {
            const uint64_t begin = random_below(&stream, FILE_SIZE - 24);
            const uint64_t end = begin + 1 + random_below(&stream, 24);
            extents[i] = (struct extent){.begin = begin, .end = end};
            mark(marks, begin, end);
        }
        const size_t left = extents_join(extents, count);
        ck_assert_uint_le(left, count);
        for (size_t i = 0; i < left; i++) {
            mark(joined, extents[i].begin, extents[i].end);
            if (i > 0)
                ck_assert_uint_le(extents[i - 1].end, extents[i].begin);
        }
        ck_assert_mem_eq(marks, joined, sizeof marks);
        for (uint64_t byte = 0; byte < FILE_SIZE; byte++) {
            size_t next = 0;
            while (next < left && extents[next].begin < byte)
                next++;
            ck_assert_uint_eq(extents_find_next(extents, left, byte), next);
            if (!marks[byte])
                continue;
            const struct extent *found = extents_find(extents, left, byte);
            ck_assert(found->begin <= byte && byte < found->end);
        }
    }
}
