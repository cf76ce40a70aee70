// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chains back to lists.  Every list has become a level of a chain.  Levels of
// different chains may have come to be equal: they are nominated by digests
// and compared line by line.  Lists are taken in the order of their numbers,
// which is the order in which blocks first have them, and so the new lists
// come in that order too.

#include "merge/merge-lists.h"

#include "base/digest.h"

// A level of a chain.
struct level_name {
    uint32_t chain, level;
};

struct writer {
    const struct chain_set *set;
    struct lists *merged;

    struct level_name *become; // of each list
    uint64_t *digests;         // of what each list has become
    uint32_t *number;          // of each list, that of the new one

    struct digest_table table;
    uint32_t *slots; // 1 + a list that has become what no lower one has, or 0
};

static const struct chain_level *level_of(const struct writer *writer,
                                          size_t list)
{
    struct level_name name = writer->become[list];
    return &writer->set->chains[name.chain].levels[name.level];
}

// ---------------------------------------------------------------------------
// What lists have become

// Sets the digests of all lists of a chain.
static void digest_chain(struct writer *writer, uint32_t number,
                         const uint64_t *of_line, uint64_t *of_level)
{
    const struct chain *chain = &writer->set->chains[number];
    for (size_t i = 0; i < chain->level_count; i++)
        of_level[i] = 0;
    for (size_t i = 0; i < chain->line_count; i++)
        of_level[chain->lines[i].level] += of_line[chain->lines[i].linedef];
    for (size_t i = chain->level_count; i-- > 1;)
        of_level[i - 1] += of_level[i];
    for (uint32_t i = 0; i < chain->level_count; i++)
        for (uint32_t l = chain->levels[i].first_list; l != LIST_NUMBER_NONE;
             l = writer->set->next_list[l]) {
            writer->become[l] = (struct level_name){number, i};
            writer->digests[l] = of_level[i];
        }
}

static nbstage_status digest_chains(struct writer *writer)
{
    const struct chain_set *set = writer->set;
    const size_t list_count = set->lists->list_count;
    uint64_t *of_line;
    uint64_t *of_level = NULL;
    nbstage_status status = context_allocate(set->context, set->line_count,
                                             sizeof *of_line, &of_line);
    if (status == NBSTAGE_OK)
        status = context_allocate(set->context, list_count, sizeof *of_level,
                                  &of_level);
    if (status == NBSTAGE_OK) {
        digest_lines(digest_form(set->line_count, 0), 0, set->line_count,
                     of_line);
        for (uint32_t l = 0; l < list_count; l++)
            digest_chain(writer, l, of_line, of_level);
    }
    context_release(set->context, of_line);
    context_release(set->context, of_level);
    return status;
}

// The next line of a chain that a level has; there must be one.
static const struct chain_line *find_line(const struct chain_line *line,
                                          uint32_t level)
{
    while (line->level < level)
        line++;
    return line;
}

static bool are_equal(const struct writer *writer, uint32_t a, uint32_t b)
{
    const uint32_t level_a = writer->become[a].level;
    const uint32_t level_b = writer->become[b].level;
    const uint32_t length = level_of(writer, a)->length;
    if (length != level_of(writer, b)->length)
        return false;
    const struct chain *chains = writer->set->chains;
    const struct chain_line *line_a = chains[writer->become[a].chain].lines;
    const struct chain_line *line_b = chains[writer->become[b].chain].lines;
    for (uint32_t i = 0; i < length; i++) {
        line_a = find_line(line_a, level_a);
        line_b = find_line(line_b, level_b);
        if (line_a++->linedef != line_b++->linedef)
            return false;
    }
    return true;
}

static bool is_same(const struct writer *writer, uint32_t a, uint32_t b)
{
    const struct level_name *become = writer->become;
    if (become[a].chain == become[b].chain)
        return become[a].level == become[b].level;
    return writer->digests[a] == writer->digests[b] && are_equal(writer, a, b);
}

// ---------------------------------------------------------------------------
// Writing

static void append_list(struct writer *writer, uint32_t list)
{
    struct lists *merged = writer->merged;
    struct level_name name = writer->become[list];
    const struct chain_line *line = writer->set->chains[name.chain].lines;
    uint32_t *next = merged->words + merged->start[merged->list_count++];
    *next++ = LIST_HEADER;
    for (uint32_t i = level_of(writer, list)->length; i-- > 0;) {
        line = find_line(line, name.level);
        *next++ = line++->linedef;
    }
    *next++ = LIST_END;
    writer->set->context->work += writer->set->chains[name.chain].line_count;
    merged->start[merged->list_count] = (uint32_t)(next - merged->words);
}

// Numbers what lists have become, and appends what is new.
static void append_lists(struct writer *writer)
{
    writer->merged->start[0] = 0;
    for (uint32_t l = 0; l < writer->set->lists->list_count; l++) {
        size_t slot = digest_slot(writer->table, writer->digests[l]);
        while (writer->slots[slot] != 0 &&
               !is_same(writer, writer->slots[slot] - 1, l))
            slot = digest_next_slot(writer->table, slot);
        if (writer->slots[slot] == 0) {
            writer->slots[slot] = l + 1;
            writer->number[l] = (uint32_t)writer->merged->list_count;
            append_list(writer, l);
        } else {
            writer->number[l] = writer->number[writer->slots[slot] - 1];
        }
    }
}

static void place_blocks(struct writer *writer)
{
    const struct lists *lists = writer->set->lists;
    struct lists *merged = writer->merged;
    for (size_t b = 0; b < lists->block_count; b++) {
        size_t list = lists_number(lists, lists->place[b]);
        merged->place[b] = merged->start[writer->number[list]];
        merged->exact_length[b] =
            lists->exact_length ? lists->exact_length[b] : list_length(lists, list);
        merged->entry_count += level_of(writer, list)->length;
    }
}

static nbstage_status allocate_merged(struct writer *writer)
{
    const struct chain_set *set = writer->set;
    const size_t list_count = set->lists->list_count;
    const size_t block_count = set->lists->block_count;
    uint64_t word_count = LIST_EXTRA_WORDS * (uint64_t)list_count;
    for (size_t l = 0; l < list_count; l++)
        for (size_t i = 0; i < set->chains[l].level_count; i++)
            word_count += set->chains[l].levels[i].length;
    struct lists *merged = writer->merged;
    *merged = (struct lists){.block_count = block_count,
                             .linedef_end = set->lists->linedef_end};
    nbstage_status status = lists_allocate_words(
        set->context, block_count, word_count, &merged->memory, &merged->words);
    if (status == NBSTAGE_OK)
        status = context_allocate(set->context, list_count + 1,
                                  sizeof *merged->start, &merged->start);
    if (status == NBSTAGE_OK)
        status = context_allocate(set->context, block_count,
                                  sizeof *merged->place, &merged->place);
    if (status == NBSTAGE_OK)
        status = context_allocate(set->context, block_count,
                                  sizeof *merged->exact_length, &merged->exact_length);
    return status;
}

static nbstage_status allocate_writer(struct writer *writer)
{
    struct context *context = writer->set->context;
    const size_t list_count = writer->set->lists->list_count;
    writer->table = digest_table(list_count);
    nbstage_status status = context_allocate(
        context, list_count, sizeof *writer->become, &writer->become);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, list_count, sizeof *writer->digests,
                                  &writer->digests);
    if (status == NBSTAGE_OK)
        status = context_allocate(context, list_count, sizeof *writer->number,
                                  &writer->number);
    if (status == NBSTAGE_OK)
        status = context_allocate_zeroed(context, writer->table.slot_count,
                                         sizeof *writer->slots, &writer->slots);
    return status;
}

static void free_writer(struct writer *writer)
{
    struct context *context = writer->set->context;
    context_release(context, writer->become);
    context_release(context, writer->digests);
    context_release(context, writer->number);
    context_release(context, writer->slots);
}

nbstage_status merge_lists_write(const struct chain_set *set,
                                 struct lists *merged)
{
    struct writer writer = {.set = set, .merged = merged};
    nbstage_status status = allocate_merged(&writer);
    if (status == NBSTAGE_OK)
        status = allocate_writer(&writer);
    if (status == NBSTAGE_OK)
        status = digest_chains(&writer);
    if (status == NBSTAGE_OK) {
        append_lists(&writer);
        place_blocks(&writer);
    }
    free_writer(&writer);
    if (status != NBSTAGE_OK)
        lists_free(set->context, merged);
    return status;
}
