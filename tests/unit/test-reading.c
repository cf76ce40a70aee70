// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that each engine reads random lumps, sound and damaged, near and over
// limits, as a plain reader with the engine's facts does, word by word; that
// each of these facts shows in some lump; and that the reason given names
// signed words only where they are to blame.

#include "check/reading.h"

#include "base/bytes.h"
#include "base/macros.h"
#include "buffer.h"
#include "context-for-tests.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "random-map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LUMPS = 800 / SLOWNESS,
    LINES = 6,
    MOST_BLOCKS = 1200,
    MOST_WORDS = 66000,
    READ = 0,
    SKIP,
    SKIP_IF_ZERO,
    NO_LOOK = 0,
    LOOKS_AT_LISTS,
    LOOKS_AT_OFFSETS,
    LOOKS_AT_HEADERS,
};

// The facts of an engine.
struct facts {
    unsigned first, look, is_signed, least, has_most, xbm1, reach, never;
};
enum { FACT_COUNT = sizeof(struct facts) / sizeof(unsigned) };

static const struct facts engines[ENGINE_COUNT] = {
    [ENGINE_DOOM19] = {READ, NO_LOOK, 1, 0, 0, 0, 256, 0},
    [ENGINE_CRISPY] = {READ, NO_LOOK, 0, 8, 1, 0, 256, 0},
    [ENGINE_BOOM_VANILLA] = {READ, NO_LOOK, 0, 8, 1, 0, 256, 0},
    [ENGINE_WOOF_VANILLA] = {READ, NO_LOOK, 0, 8, 1, 0, 256, 0},
    [ENGINE_BOOM] = {SKIP, NO_LOOK, 0, 8, 1, 0, 256, 0},
    [ENGINE_WOOF] = {SKIP, NO_LOOK, 0, 8, 1, 0, 256, 0},
    [ENGINE_MBF21] = {SKIP_IF_ZERO, NO_LOOK, 0, 8, 1, 0, 256, 0},
    [ENGINE_WOOF_MBF21] = {SKIP_IF_ZERO, NO_LOOK, 0, 8, 1, 0, 256, 0},
    [ENGINE_ETERNITY] = {SKIP_IF_ZERO, LOOKS_AT_LISTS, 0, 8, 1, 0, 256, 0},
    [ENGINE_RETRO] = {SKIP_IF_ZERO, LOOKS_AT_LISTS, 0, 8, 1, 0, 512, 0},
    [ENGINE_ZDOOM] = {SKIP, LOOKS_AT_OFFSETS, 0, 1, 1, 0, 512, 0},
    [ENGINE_GZDOOM] = {SKIP, LOOKS_AT_HEADERS, 0, 1, 1, 0, 0, 0},
    [ENGINE_SRB2] = {SKIP, NO_LOOK, 0, 1, 1, 0, 512, 0},
    [ENGINE_EDGE] = {READ, NO_LOOK, 0, 0, 0, 0, 0, 1},
    [ENGINE_ODAMEX] = {READ, NO_LOOK, 0, 8, 1, 0, 256, 0},
    [ENGINE_ODAMEX_FIX] = {SKIP, NO_LOOK, 0, 8, 1, 0, 256, 0},
    [ENGINE_NEXT_ODAMEX_DEMO] = {READ, NO_LOOK, 0, 8, 1, 1, 256, 0},
    [ENGINE_NEXT_ODAMEX] = {SKIP_IF_ZERO, NO_LOOK, 0, 8, 1, 1, 256, 0},
    [ENGINE_NEXT_WOOF_VANILLA] = {READ, NO_LOOK, 0, 8, 1, 1, 256, 0},
    [ENGINE_NEXT_WOOF] = {SKIP, NO_LOOK, 0, 8, 1, 1, 256, 0},
    [ENGINE_NEXT_WOOF_MBF21] = {SKIP_IF_ZERO, NO_LOOK, 0, 8, 1, 1, 256, 0},
};

// --- Lumps ---

static struct lump {
    uint32_t words[MOST_WORDS];
    size_t count, line_count;
    bool is_wide; // XBM1
    unsigned char *bytes;
    size_t size;
} made;

static void put(uint32_t word)
{
    ck_assert_uint_lt(made.count, MOST_WORDS);
    made.words[made.count++] = word;
}

static void put_bytes(void)
{
    static unsigned char bytes[8 + 4 * MOST_WORDS] = "XBM1";
    made.size = made.is_wide ? 8 : 0;
    for (size_t w = 0; w < made.count; w++)
        if (made.is_wide) {
            bytes_put_u32(bytes + made.size, made.words[w]);
            made.size += 4;
        } else {
            bytes_put_u16(bytes + made.size, made.words[w] & UINT16_MAX);
            made.size += 2;
        }
    made.bytes = buffer_copy_exactly(bytes, made.size);
    memcpy(bytes, "XBM1\0\0\0", 8);
}

static uint32_t draw(struct random_stream *random, uint32_t below)
{
    return random_below(random, below);
}

// A lump of up to three lists: sound ones, with and without headers, and some
// with a word that is anything.
static void make_lump(struct random_stream *random)
{
    static const uint32_t shapes[][2] = {{1, 1},   {2, 1},   {2, 2},  {300, 1},
                                         {1, 257}, {600, 1}, {1, 513}};
    const uint32_t *shape =
        shapes[draw(random, draw(random, 4) > 0 ? 3 : COUNT(shapes))];
    const uint32_t blocks = shape[0] * shape[1];
    const bool has_headers = draw(random, 2);
    const bool is_far = draw(random, 40) == 0;
    size_t begins[3];
    made.count = 0;
    made.line_count = draw(random, 30) == 0 ? 40000 : LINES;
    made.is_wide = draw(random, 4) == 0;
    const uint32_t end = made.is_wide ? UINT32_MAX : UINT16_MAX;
    put(0);
    put(0);
    put(shape[0]);
    put(shape[1]);
    for (uint32_t b = 0; b < blocks; b++)
        put(0);
    for (size_t pad = is_far ? 32768 - made.count + draw(random, 2) : 0;
         pad > 0; pad--)
        put(end);
    for (size_t l = 0; l < 3; l++) {
        begins[l] = made.count;
        if (has_headers || draw(random, 8) == 0)
            put(draw(random, 8) > 0 ? 0 : draw(random, LINES));
        for (uint32_t n = draw(random, 4); n > 0; n--)
            put(draw(random, made.line_count > LINES && draw(random, 2)
                                 ? 40000
                                 : LINES));
        if (draw(random, 60) > 0)
            put(end);
    }
    for (uint32_t b = 0; b < blocks; b++)
        made.words[4 + b] = (uint32_t)begins[draw(random, 3)] +
                            (draw(random, 40) == 0 && !has_headers);
    if (draw(random, 4) == 0) // one word is anything
        made.words[4 + draw(random, (uint32_t)made.count - 4)] =
            draw(random, 3) > 0 ? draw(random, 2 * LINES) : end;
    if (draw(random, 20) == 0)
        made.count = draw(random, 6);
    if (draw(random, 40) == 0)
        while (made.count < 65535 + draw(random, 2))
            put(0);
    put_bytes();
}

// --- The plain reader ---

struct plain {
    enum reading_kind kind;
    uint8_t tests[MOST_BLOCKS][LINES]; // whether block b tests linedef l
    size_t others[MOST_BLOCKS];        // how many words are other linedefs
};

static struct plain plain;

static int64_t word_at(const struct facts *facts, bool is_wide, size_t index)
{
    const uint32_t word = made.words[index];
    if (word == (is_wide ? UINT32_MAX : UINT16_MAX))
        return -1;
    if (facts->is_signed && !is_wide && word > INT16_MAX)
        return (int64_t)word - 65536;
    return word;
}

// Reads a list from a word on; false if it leads out of the lump or the map.
static bool read_list(const struct facts *facts, int64_t at, size_t block)
{
    for (; at >= 0 && (size_t)at < made.count; at++) {
        const int64_t word = word_at(facts, made.is_wide, (size_t)at);
        if (word == -1)
            return true;
        if (word < 0 || (uint64_t)word >= made.line_count)
            return false;
        if (word < LINES)
            plain.tests[block][word] = 1;
        else
            plain.others[block]++;
    }
    return false;
}

static bool all_begin_with_0(const struct facts *facts, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        const int64_t offset = word_at(facts, made.is_wide, 4 + b);
        if (offset < 0 || (size_t)offset >= made.count ||
            made.words[offset] != 0)
            return false;
    }
    return true;
}

static bool read_lists(const struct facts *facts, size_t blocks, bool skips)
{
    memset(plain.tests, 0, blocks * sizeof *plain.tests);
    memset(plain.others, 0, blocks * sizeof *plain.others);
    for (size_t b = 0; b < blocks; b++)
        if (!read_list(facts, word_at(facts, made.is_wide, 4 + b) + skips, b))
            return false;
    return true;
}

static bool looks_bad(const struct facts *facts, size_t blocks, bool has_table)
{
    if (facts->look >= LOOKS_AT_LISTS &&
        (!has_table || !read_lists(facts, blocks, false)))
        return true;
    for (size_t b = 0; facts->look >= LOOKS_AT_OFFSETS && b < blocks; b++)
        if (word_at(facts, made.is_wide, 4 + b) < 4)
            return true;
    return facts->look >= LOOKS_AT_HEADERS && !all_begin_with_0(facts, blocks);
}

static enum reading_kind read_plainly(const struct facts *facts)
{
    const bool is_blind = made.is_wide && !facts->xbm1;
    if (facts->never || (facts->least > 0 && made.size < facts->least) ||
        (facts->has_most && (!made.is_wide || is_blind) &&
         made.size / 2 >= 65536))
        return READING_REBUILDS;
    if (is_blind) { // a grid without blocks
        memset(&plain, 0, sizeof plain);
        return READING_LISTS;
    }
    if (made.count < 4)
        return READING_CRASHES;
    const size_t columns = made.words[2], rows = made.words[3];
    const bool has_table = columns * rows <= made.count - 4;
    const size_t blocks = has_table ? columns * rows : 0;
    if (looks_bad(facts, blocks, has_table))
        return READING_REBUILDS;
    if (!has_table ||
        !read_lists(facts, blocks,
                    facts->first == SKIP || (facts->first == SKIP_IF_ZERO &&
                                             all_begin_with_0(facts, blocks))))
        return READING_CRASHES;
    for (size_t b = 0; b < blocks; b++)
        if (facts->reach > 0 &&
            (b % columns >= facts->reach || b / columns >= facts->reach)) {
            memset(plain.tests[b], 0, LINES);
            plain.others[b] = 0;
        }
    return READING_LISTS;
}

// --- Comparing ---

// Whether a reading and the plain reader test the same linedefs in a block.
static bool is_same_block(const struct reading *reading,
                          const struct blockmap *blockmap, size_t block)
{
    uint8_t tests[LINES] = {0};
    size_t others = 0;
    if (reading_reaches(reading, blockmap, block)) {
        const struct linedef_set set = blockmap_read_list(
            blockmap, reading_find_list(reading, blockmap, block));
        for (size_t i = 0; i < set.count; i++) {
            if (set.linedefs[i] < LINES)
                tests[set.linedefs[i]] = 1;
            others += set.linedefs[i] >= LINES;
        }
        if (reading->finds_0)
            tests[0] = 1;
    }
    // Linedefs that come twice count once in a set.
    return memcmp(tests, plain.tests[block], LINES) == 0 &&
           (others > 0) == (plain.others[block] > 0);
}

static bool is_same(const struct facts *facts, const struct reading *reading,
                    const struct blockmap *blockmap)
{
    if (read_plainly(facts) != reading->kind)
        return false;
    for (size_t b = 0; b < blockmap->block_count; b++)
        if (reading->kind == READING_LISTS &&
            !is_same_block(reading, blockmap, b))
            return false;
    return true;
}

static const struct reading *reading_with(const struct readings *readings,
                                          size_t engine)
{
    for (size_t i = 0; i < readings->count; i++)
        if (readings->reading[i].engines & ENGINE_BIT(engine))
            return &readings->reading[i];
    ck_abort_msg("no reading has %s", engine_table[engine].name);
}

// A wrong value of each fact: the one before it, or another.
static struct facts made_wrong(size_t engine, size_t fact)
{
    struct facts facts = engines[engine];
    unsigned value[FACT_COUNT];
    memcpy(value, &facts, sizeof value);
    static const unsigned other[FACT_COUNT] = {READ, NO_LOOK, 0, 0, 0, 0, 0, 0};
    static const unsigned instead[FACT_COUNT] = {
        SKIP, LOOKS_AT_LISTS, 1, 8, 1, 1, 256, 1};
    value[fact] = value[fact] == other[fact] ? instead[fact] : other[fact];
    memcpy(&facts, value, sizeof value);
    return facts;
}

TEST(engines_read_as_their_facts_say)
{
    static bool has_shown[ENGINE_COUNT][FACT_COUNT];
    struct random_stream random = {choose_seed()};
    size_t of_kind[READING_UNKNOWN + 1] = {0};
    for (int i = 0; i < LUMPS; i++) {
        struct blockmap blockmap;
        make_lump(&random);
        ck_assert_int_eq(blockmap_read(&test_context, made.bytes, made.size,
                                       made.line_count, &blockmap),
                         NBSTAGE_OK);
        const struct readings readings =
            readings_find(&blockmap, made.line_count, 0);
        for (size_t e = 0; e < ENGINE_COUNT; e++) {
            const struct reading *reading = reading_with(&readings, e);
            of_kind[reading->kind]++;
            ck_assert_msg(is_same(&engines[e], reading, &blockmap),
                          "lump %d is not read so by %s", i,
                          engine_table[e].name);
            // To engines that never look at a lump nothing else matters.
            for (size_t f = 0; f < FACT_COUNT && !engines[e].never; f++) {
                const struct facts wrong = made_wrong(e, f);
                if (!has_shown[e][f])
                    has_shown[e][f] = !is_same(&wrong, reading, &blockmap);
            }
        }
        blockmap_free(&test_context, &blockmap);
        free(made.bytes);
    }
    for (int kind = READING_LISTS; kind < READING_UNKNOWN; kind++)
        ck_assert_uint_gt(of_kind[kind], LUMPS / 4);
    // Some show in few lumps.
    for (size_t e = 0; e < ENGINE_COUNT && SLOWNESS == 1; e++)
        for (size_t f = 0; f < FACT_COUNT; f++)
            ck_assert_msg(has_shown[e][f] || engines[e].never,
                          "fact %zu of %s shows in no lump", f,
                          engine_table[e].name);
}

// A lump of one block, whose list begins at a word and has linedef 0 and
// another.
static void make_list(size_t at, uint32_t linedef, size_t line_count)
{
    made.count = 0;
    made.line_count = line_count;
    made.is_wide = false;
    const uint32_t head[] = {0, 0, 1, 1, (uint32_t)at};
    for (size_t w = 0; w < COUNT(head); w++)
        put(head[w]);
    while (made.count < at)
        put(UINT16_MAX);
    put(0);
    put(linedef);
    put(UINT16_MAX);
    put_bytes();
}

TEST(signed_words_are_the_reason_where_they_are)
{
    static const struct {
        size_t at;
        uint32_t linedef;
        size_t line_count;
        const char *why; // Doom 1.9, with signed words, crashes
        bool is_damaged; // so does Crispy Doom
    } rows[] = {
        {5, 3, LINES, NULL, false},
        {5, LINES, LINES, "a list is damaged", true},
        {5, 32767, 32768, NULL, false},
        {5, 32768, 32768, "a list is damaged", true},
        {5, 32768, 32769, "it reads linedefs over 32767 as negative", false},
        {32767, 3, LINES, NULL, false},
        {32768, 3, LINES, "it reads offsets over 32767 as negative", false},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct blockmap blockmap;
        make_list(rows[r].at, rows[r].linedef, rows[r].line_count);
        ck_assert_int_eq(blockmap_read(&test_context, made.bytes, made.size,
                                       made.line_count, &blockmap),
                         NBSTAGE_OK);
        const struct readings readings =
            readings_find(&blockmap, made.line_count, 0);
        const struct reading *vanilla = reading_with(&readings, ENGINE_DOOM19);
        ck_assert_int_eq(vanilla->kind,
                         rows[r].why ? READING_CRASHES : READING_LISTS);
        ck_assert_pstr_eq(vanilla->why, rows[r].why);
        ck_assert_int_eq(reading_with(&readings, ENGINE_CRISPY)->kind,
                         rows[r].is_damaged ? READING_CRASHES : READING_LISTS);
        blockmap_free(&test_context, &blockmap);
        free(made.bytes);
    }
}
