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

#include "memory.h"

#include <stdlib.h>

struct list_reader {
    const struct words *words;
    const struct list_starts *starts;
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

bool list_has_linedef(const struct list_view *list_view, uint32_t linedef)
{
    const struct list_reader *list_reader = list_view->list_reader;
    return linedef < list_reader->line_count &&
           list_reader->run_seen[linedef] == list_reader->run;
}

bool list_has(const struct list_view *list_view, uint32_t linedef)
{
    return list_has_linedef(list_view, linedef) ||
           (linedef == 0 && list_view->list_reader->has_header);
}

uint32_t list_linedef_at(const struct list_view *list_view, size_t number)
{
    return list_view->list_reader->linedefs[number];
}

// Whether a word is the header of a list.
static bool is_header(const struct list_reader *list_reader, size_t index,
                      uint32_t word)
{
    enum list_headers headers = list_reader->starts->headers;
    size_t start = headers == LIST_HEADERS_BEFORE ? index + 1 : index;
    return word == 0 && headers != LIST_HEADERS_NONE &&
           start < list_reader->words->count &&
           list_reader->first_block[start] != NO_START;
}

static void begin_run(struct list_reader *list_reader,
                      struct list_view *list_view, size_t end, bool has_end)
{
    list_reader->run++;
    list_reader->has_header = false;
    *list_view = (struct list_view){.end = end,
                                    .has_end = has_end,
                                    .is_ascending = true,
                                    .list_reader = list_reader};
}

// Mixes a word into a digest, in one step of a multiplicative hash.
static uint64_t mix(uint64_t digest, uint32_t word)
{
    digest = (digest ^ (word + 1)) * 0x9E3779B97F4A7C15;
    return digest ^ digest >> 32;
}

// Puts a word before the list.
static void extend(struct list_reader *list_reader, struct list_view *list_view,
                   size_t index, uint32_t word)
{
    if (index + 1 < list_view->end && word > list_reader->next)
        list_view->is_ascending = false;
    list_view->digest = mix(list_view->digest, word);
    list_reader->next = word;
    if (is_header(list_reader, index, word)) {
        list_reader->has_header = true;
    } else if (word >= list_reader->line_count) {
        list_view->too_large++;
    } else if (list_reader->run_seen[word] == list_reader->run) {
        list_view->repeats++;
    } else {
        list_reader->run_seen[word] = list_reader->run;
        list_reader->linedefs[list_view->distinct++] = word;
    }
}

static void read_words(struct list_reader *list_reader, list_visit *visit,
                       void *context)
{
    const struct words *words = list_reader->words;
    const uint32_t end = words_end(words);
    struct list_view list_view;
    begin_run(list_reader, &list_view, words->count, false);
    for (size_t w = words->count; w-- > 0;) {
        uint32_t word = words_get(words, w);
        if (word == end)
            begin_run(list_reader, &list_view, w, true);
        else
            extend(list_reader, &list_view, w, word);
        for (uint32_t b = list_reader->first_block[w]; b != NO_START;
             b = list_reader->next_block[b])
            visit(context, b, &list_view);
    }
}

// Collects the blocks that begin at each word, the first of them first.
static void collect_blocks(struct list_reader *list_reader)
{
    const struct list_starts *starts = list_reader->starts;
    for (size_t w = 0; w < list_reader->words->count; w++)
        list_reader->first_block[w] = NO_START;
    for (size_t b = starts->block_count; b-- > 0;) {
        uint32_t start = starts->start[b];
        if (start == NO_START)
            continue;
        list_reader->next_block[b] = list_reader->first_block[start];
        list_reader->first_block[start] = (uint32_t)b;
    }
}

void lists_read(const struct words *words, size_t line_count,
                const struct list_starts *starts, list_visit *visit,
                void *context)
{
    struct list_reader list_reader = {
        .words = words,
        .starts = starts,
        .line_count = line_count,
        .run_seen = memory_get(line_count, sizeof *list_reader.run_seen),
        .linedefs = memory_get(line_count, sizeof *list_reader.linedefs),
        .first_block =
            memory_get(words->count + 1, sizeof *list_reader.first_block),
        .next_block =
            memory_get(starts->block_count, sizeof *list_reader.next_block),
    };
    collect_blocks(&list_reader);
    read_words(&list_reader, visit, context);
    free(list_reader.run_seen);
    free(list_reader.linedefs);
    free(list_reader.first_block);
    free(list_reader.next_block);
}
