// SPDX-License-Identifier: GPL-2.0-or-later
//
// A list ends at the first terminator behind its beginning, so the list that
// begins at a word is that of the next word with this one before it.  One walk
// from the last word to the first thus knows every list that there could be,
// one after the other.  A damaged lump may have every block begin in the same
// long run of words; to read each list by itself would take a product of both.
//
// For each linedef is kept in which run of words, those between terminators, it
// was seen last.  It is in the list that begins here if that is the present
// run.

#include "config.h"

#include "blockmap/read-lists.h"

#include <stdlib.h>

struct tails {
    const struct words *words;
    const struct tail_starts *starts;
    size_t line_count;
    uint32_t *run_seen;    // for each linedef; 0 stands for none
    uint32_t *linedefs;    // those seen in this run, once each
    uint32_t *first_block; // for each word, of those that begin there
    uint32_t *next_block;  // for each block, of those that begin there, too
    uint32_t run;
    bool has_header; // whether the list has a header in it
    uint32_t next;   // the word behind this one
};

uint32_t words_get(const struct words *words, size_t index)
{
    const unsigned char *at = words->bytes + index * (words->are_wide ? 4 : 2);
    uint32_t low = at[0] | (uint32_t)at[1] << 8;
    return words->are_wide ? low | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24
                           : low;
}

uint32_t words_end(const struct words *words)
{
    return words->are_wide ? UINT32_MAX : UINT16_MAX;
}

bool tail_has_linedef(const struct tail *tail, uint32_t linedef)
{
    const struct tails *tails = tail->tails;
    return linedef < tails->line_count &&
           tails->run_seen[linedef] == tails->run;
}

bool tail_has(const struct tail *tail, uint32_t linedef)
{
    return tail_has_linedef(tail, linedef) ||
           (linedef == 0 && tail->tails->has_header);
}

uint32_t tail_linedef(const struct tail *tail, size_t number)
{
    return tail->tails->linedefs[number];
}

// Whether a word is the header of a list.
static bool is_header(const struct tails *tails, size_t index, uint32_t word)
{
    enum tail_headers headers = tails->starts->headers;
    size_t start = headers == TAIL_HEADERS_BEFORE ? index + 1 : index;
    return word == 0 && headers != TAIL_HEADERS_NONE &&
           start < tails->words->count && tails->first_block[start] != NO_START;
}

static void begin_run(struct tails *tails, struct tail *tail, size_t end,
                      bool has_end)
{
    tails->run++;
    tails->has_header = false;
    *tail = (struct tail){
        .end = end, .has_end = has_end, .is_ascending = true, .tails = tails};
}

// Mixes a word into a digest, in one step of a multiplicative hash.
static uint64_t mix(uint64_t digest, uint32_t word)
{
    digest = (digest ^ (word + 1)) * 0x9E3779B97F4A7C15;
    return digest ^ digest >> 32;
}

// Puts a word before the list.
static void extend(struct tails *tails, struct tail *tail, size_t index,
                   uint32_t word)
{
    if (index + 1 < tail->end && word > tails->next)
        tail->is_ascending = false;
    tail->digest = mix(tail->digest, word);
    tails->next = word;
    if (is_header(tails, index, word)) {
        tails->has_header = true;
    } else if (word >= tails->line_count) {
        tail->too_large++;
    } else if (tails->run_seen[word] == tails->run) {
        tail->repeats++;
    } else {
        tails->run_seen[word] = tails->run;
        tails->linedefs[tail->distinct++] = word;
    }
}

static void walk(struct tails *tails, tail_visit *visit, void *context)
{
    const struct words *words = tails->words;
    const uint32_t end = words_end(words);
    struct tail tail;
    begin_run(tails, &tail, words->count, false);
    for (size_t w = words->count; w-- > 0;) {
        uint32_t word = words_get(words, w);
        if (word == end)
            begin_run(tails, &tail, w, true);
        else
            extend(tails, &tail, w, word);
        for (uint32_t b = tails->first_block[w]; b != NO_START;
             b = tails->next_block[b])
            visit(context, b, &tail);
    }
}

// Collects the blocks that begin at each word, the first of them first.
static void collect_blocks(struct tails *tails)
{
    const struct tail_starts *starts = tails->starts;
    for (size_t w = 0; w < tails->words->count; w++)
        tails->first_block[w] = NO_START;
    for (size_t b = starts->block_count; b-- > 0;) {
        uint32_t start = starts->start[b];
        if (start == NO_START)
            continue;
        tails->next_block[b] = tails->first_block[start];
        tails->first_block[start] = (uint32_t)b;
    }
}

bool tails_walk(const struct words *words, size_t line_count,
                const struct tail_starts *starts, tail_visit *visit,
                void *context)
{
    struct tails tails = {
        .words = words,
        .starts = starts,
        .line_count = line_count,
        .run_seen = calloc(line_count + 1, sizeof *tails.run_seen),
        .linedefs = calloc(line_count + 1, sizeof *tails.linedefs),
        .first_block = calloc(words->count + 1, sizeof *tails.first_block),
        .next_block = calloc(starts->block_count + 1, sizeof *tails.next_block),
    };
    bool walked = tails.run_seen && tails.linedefs && tails.first_block &&
                  tails.next_block;
    if (walked) {
        collect_blocks(&tails);
        walk(&tails, visit, context);
    }
    free(tails.run_seen);
    free(tails.linedefs);
    free(tails.first_block);
    free(tails.next_block);
    return walked;
}
