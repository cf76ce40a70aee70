// SPDX-License-Identifier: GPL-2.0-or-later
//
// Threads take one offset_y after the other and score all origins with it.
// Each origin keeps its score, and the answer is read in order when all threads
// have ended.  So it does not depend on the threads.
//
// Scores are exact for lists that are shared and begin with a 0.  For other
// packings they only rank origins, and lumps are built for some of these.
//
// How far a lump differs from its score changes little from an origin to the
// next.  So lumps are built at every LATTICE-th offset along both axes.  The
// difference to expect at any other origin is an average of those found around
// it, which count by the inverse sixth power of their distance.  Then, round by
// round, the lumps of the best are built, and each round adds to what is known
// around the origins that matter.  For 100 maps of Freedoom, nested without
// headers or with a 0, the best of these 256 lumps have one word more in all
// than the best of all 16,384.  By their scores alone, not even the best 4,096
// hold all optima.
//
// The work to do is chosen before it begins, from the work limit, the size of
// the map and the first lump.  So the speed of threads makes no difference.

#include "config.h"

#include "search/search.h"

#include "base/threads.h"
#include "lump/lump.h"

#include <stdatomic.h>
#include <string.h>

enum {
    ORIGINS = SCORE_OFFSETS * SCORE_OFFSETS,
    LATTICE = 16,     // map units
    LUMPS = 256,      // to build
    ROUND_LUMPS = 16, // of these, in a round after the lattice
    // Sums of differences fit in 63 bits even if each is one of 2^32 words.
    NEAREST_COUNTS = 1 << 24,
    FRACTION = 16, // of a word, in what is expected
    REPORT_MILLISECONDS = 20,
    // With fewer lines, threads and looks at the clock cost more than the
    // search.
    FEW_LINES = 128,
    FEW_LINES_LOOKS = 64, // of which one looks at the clock
};

// Workers' memory.  Where it would be more, or more than half of the context's
// limit, there are fewer threads.
static const size_t MEMORY_AT_MOST = (size_t)1 << 30;

// The differences of lumps from their scores that were met around an origin,
// and how much they count.
struct nearby {
    int64_t differences; // each times what it counts
    int64_t counts;
};

struct search {
    struct context *context;
    const struct lines *lines;
    const struct search_request *request;
    struct score_lines score_lines;
    bool scores_are_exact;      // they are the sizes of lumps
    enum pack_mode scored_mode; // the packing that scores are for

    // Offsets along each axis.  Origin x, y has number y * SCORE_OFFSETS + x.
    int32_t offsets_x, offsets_y;

    // Words of the lump with each origin, by its score and as built.
    // UINT64_MAX where it was not scored or built.
    uint64_t scores[ORIGINS];
    uint64_t built[ORIGINS];
    bool meets[ORIGINS]; // whether the lump meets the limit
    struct nearby nearby[ORIGINS];
    int32_t counts[2 * LATTICE * LATTICE]; // by the square of the distance

    atomic_int next_offset_y;
    uint64_t most_entries; // of an origin
    bool is_early;

    // Origins to build, and the steps that each may take.
    uint64_t build_work;
    uint32_t origins[LUMPS];
    size_t origin_count;
    atomic_size_t next_origin;

    atomic_size_t done_count; // of offsets_y or origins
    size_t total_count;
    atomic_bool is_over;
    struct worker *workers;
    size_t worker_count;

    // The calling thread's.
    uint64_t reported; // milliseconds
    size_t look_count; // calls of report
    nbstage_status status;
};

struct worker {
    struct search *search;
    bool is_caller;

    struct scorer *scorer;
    int offset_y; // at work on
    uint64_t most_entries;

    struct threads_memory memory; // unless it is the caller's
    struct context context;       // to build lumps with
    bool is_early;                // whether a lump had too little work
};

static int32_t origin_x(size_t origin)
{
    return (int32_t)(origin % SCORE_OFFSETS);
}

static int32_t origin_y(size_t origin)
{
    return (int32_t)(origin / SCORE_OFFSETS);
}

static size_t origin_at(int32_t x, int32_t y)
{
    return (size_t)y * SCORE_OFFSETS + (size_t)x;
}

static struct grid grid_at(const struct search *search, size_t origin)
{
    return grid_from(search->lines->min_x - origin_x(origin),
                     search->lines->min_y - origin_y(origin), search->lines);
}

// ---------------------------------------------------------------------------
// Progress

static void end_search(struct search *search, nbstage_status status)
{
    search->status = status;
    atomic_store(&search->is_over, true);
}

// Reports progress if it is time; the host may cancel.
static void report(void *user)
{
    struct search *search = user;
    if (search->status != NBSTAGE_OK)
        return;
    if (search->lines->count < FEW_LINES &&
        search->look_count++ % FEW_LINES_LOOKS != 0)
        return;
    if (threads_clock() - search->reported < REPORT_MILLISECONDS)
        return;
    nbstage_status status = context_progress(
        search->context, atomic_load(&search->done_count), search->total_count);
    if (status != NBSTAGE_OK)
        end_search(search, status);
    search->reported = threads_clock();
}

static bool worker_is_over(void *user)
{
    const struct worker *worker = user;
    struct search *search = worker->search;
    if (worker->is_caller)
        report(search);
    return atomic_load_explicit(&search->is_over, memory_order_relaxed);
}

// ---------------------------------------------------------------------------
// Workers

static size_t choose_worker_count(const struct search *search, size_t size)
{
    size_t count = search->request->thread_count;
    size_t memory = search->context->limits.memory / 2;
    if (memory == 0 || memory > MEMORY_AT_MOST)
        memory = MEMORY_AT_MOST;
    size_t affordable = memory / size + 1;
    if (count == 0)
        count =
            search->lines->count < FEW_LINES ? 1 : threads_count_processors();
    count = count < SCORE_OFFSETS ? count : SCORE_OFFSETS; // of work
    return count < affordable ? count : affordable;
}

static void free_workers(struct search *search)
{
    for (size_t w = 0; w < search->worker_count; w++) {
        context_release(search->context, search->workers[w].scorer);
        context_release(search->context, search->workers[w].memory.block);
    }
    context_release(search->context, search->workers);
    search->workers = NULL;
    search->worker_count = 0;
}

// Makes workers, which need `size` bytes each: as many as were asked for, or
// fewer if their memory would be too much or is refused.
static nbstage_status
make_workers(struct search *search, size_t size,
             nbstage_status (*equip)(struct worker *worker, size_t size))
{
    size_t count = choose_worker_count(search, size);
    nbstage_status status = context_allocate(
        search->context, count, sizeof *search->workers, &search->workers);
    for (size_t w = 0; w < count && status == NBSTAGE_OK; w++) {
        struct worker *worker = &search->workers[w];
        *worker = (struct worker){.search = search, .is_caller = w == 0};
        status = equip(worker, size);
        search->worker_count += status == NBSTAGE_OK;
    }
    if (search->worker_count > 0)
        return NBSTAGE_OK;
    free_workers(search);
    return status;
}

static nbstage_status run_workers(struct search *search,
                                  void (*work)(void *user, size_t worker))
{
    const struct threads_job job = {work, report, search};
    threads_run(&job, search->worker_count);
    return search->status;
}

// ---------------------------------------------------------------------------
// Scoring

// Whether the grid that is scored meets the limit.
static bool scored_meets(const struct search *search, struct scorer *scorer,
                         uint64_t word_count)
{
    const enum lump_limit limit = search->request->limit;
    size_t linedef_end = lines_number_end(search->lines);
    if (limit == LIMIT_NONE || word_count > LUMP_EXTENDED_WORDS ||
        linedef_end > lump_most_lines(limit))
        return false;
    if (limit == LIMIT_EXTENDED)
        return true;
    // The last list is that far from the end at most.
    return word_count <= LUMP_VANILLA_OFFSET + linedef_end + LIST_EXTRA_WORDS &&
           scorer_largest_offset(scorer, search->scored_mode) <=
               LUMP_VANILLA_OFFSET;
}

// Scores the origins of one offset_y.
static void score_offset(struct worker *worker)
{
    struct search *search = worker->search;
    const struct score_pause pause = {worker_is_over, worker};
    if (!scorer_start(worker->scorer, worker->offset_y, &pause))
        return;
    for (int32_t x = 0; x < search->offsets_x; x++) {
        if (worker_is_over(worker))
            return;
        if (x > 0)
            scorer_move(worker->scorer);
        size_t origin = origin_at(x, worker->offset_y);
        uint64_t words = scorer_words(worker->scorer, search->scored_mode);
        uint64_t entries = scorer_entries(worker->scorer);
        search->scores[origin] = words;
        if (entries > worker->most_entries)
            worker->most_entries = entries;
        if (search->scores_are_exact)
            search->meets[origin] = scored_meets(search, worker->scorer, words);
    }
    atomic_fetch_add(&search->done_count, 1);
}

static void score(void *user, size_t number)
{
    struct search *search = user;
    struct worker *worker = &search->workers[number];
    for (;;) {
        worker->offset_y = atomic_fetch_add(&search->next_offset_y, 1);
        if (worker->offset_y >= search->offsets_y || worker_is_over(worker))
            return;
        score_offset(worker);
    }
}

static nbstage_status equip_with_scorer(struct worker *worker, size_t size)
{
    (void)size;
    return scorer_make(worker->search->context, &worker->search->score_lines,
                       &worker->scorer);
}

// Leaves out offsets_y that are too much work, and half of all work for lumps.
static void limit_offsets(struct search *search)
{
    uint64_t each = score_work(&search->score_lines);
    uint64_t affordable = context_work_left(search->context) / 2 / each;
    if (affordable < (uint64_t)search->offsets_y) {
        search->offsets_y = affordable > 0 ? (int32_t)affordable : 1;
        search->is_early = true;
    }
    search->context->work += each * (uint64_t)search->offsets_y;
}

static nbstage_status score_all(struct search *search)
{
    limit_offsets(search);
    nbstage_status status = make_workers(
        search, scorer_size(&search->score_lines), equip_with_scorer);
    search->total_count = (size_t)search->offsets_y;
    if (status == NBSTAGE_OK)
        status = run_workers(search, score);
    atomic_store(&search->done_count, 0);
    for (size_t w = 0; w < search->worker_count; w++)
        if (search->workers[w].most_entries > search->most_entries)
            search->most_entries = search->workers[w].most_entries;
    free_workers(search);
    return status;
}

// ---------------------------------------------------------------------------
// Which lumps to build

// Without origin 0, whose lump is the first.
static void list_lattice(struct search *search)
{
    search->origin_count = 0;
    for (int32_t y = 0; y < search->offsets_y; y += LATTICE)
        for (int32_t x = 0; x < search->offsets_x; x += LATTICE)
            if (x + y > 0)
                search->origins[search->origin_count++] =
                    (uint32_t)origin_at(x, y);
}

// Notes how far a lump differs from its score, at all origins that are less
// than LATTICE units off along both axes.
static void note_difference(struct search *search, size_t origin)
{
    int64_t difference =
        (int64_t)(search->built[origin] - search->scores[origin]);
    for (int32_t north = 1 - LATTICE; north < LATTICE; north++) {
        for (int32_t east = 1 - LATTICE; east < LATTICE; east++) {
            int32_t x = origin_x(origin) + east;
            int32_t y = origin_y(origin) + north;
            if (x < 0 || x >= SCORE_OFFSETS || y < 0 || y >= SCORE_OFFSETS)
                continue;
            struct nearby *nearby = &search->nearby[origin_at(x, y)];
            int64_t counts = search->counts[north * north + east * east];
            nearby->differences += counts * difference;
            nearby->counts += counts;
        }
    }
}

// The words that the lump of an origin is expected to have, times FRACTION.
static int64_t expect_words(const struct search *search, size_t origin)
{
    const struct nearby *nearby = &search->nearby[origin];
    int64_t words = (int64_t)search->scores[origin] * FRACTION;
    if (nearby->differences != 0) // as divisions take long
        words += nearby->differences * FRACTION / nearby->counts;
    return words;
}

// Lists up to `most` origins that are not built, ROUND_LUMPS at most, by the
// size that is expected; of equals the first.
static void list_best(struct search *search, size_t most)
{
    int64_t expected[ROUND_LUMPS];
    size_t count = 0;
    most = most < ROUND_LUMPS ? most : ROUND_LUMPS;
    for (size_t origin = 0; origin < ORIGINS && most > 0; origin++) {
        if (search->scores[origin] == UINT64_MAX ||
            search->built[origin] != UINT64_MAX)
            continue;
        int64_t words = expect_words(search, origin);
        if (count == most && words >= expected[count - 1])
            continue;
        size_t at = count < most ? count++ : count - 1;
        for (; at > 0 && expected[at - 1] > words; at--) {
            expected[at] = expected[at - 1];
            search->origins[at] = search->origins[at - 1];
        }
        expected[at] = words;
        search->origins[at] = (uint32_t)origin;
    }
    search->origin_count = count;
}

// ---------------------------------------------------------------------------
// Building lumps

static int32_t build_progress(void *user, uint32_t done, uint32_t total)
{
    (void)done;
    (void)total;
    return worker_is_over(user);
}

// The caller's worker takes memory where the search does.
static nbstage_status equip_with_memory(struct worker *worker, size_t size)
{
    struct context *context = worker->search->context;
    worker->context = *context;
    worker->context.threads = 1;
    worker->context.host = worker;
    worker->context.progress = build_progress;
    worker->context.log = NULL;
    worker->context.work = worker->context.earlier_work = 0;
    worker->context.limits = (struct limits){0}; // they are for the answer
    if (worker->is_caller)
        return NBSTAGE_OK;
    worker->memory.size = size;
    worker->context.user = &worker->memory;
    worker->context.allocate = threads_memory_allocate;
    worker->context.release = threads_memory_release;
    return context_allocate(context, size, 1, &worker->memory.block);
}

// Bytes that are enough for nearly every lump with so many blocks.
static size_t estimate_memory(const struct search *search, size_t block_count)
{
    // Entries, lists, the lists that have each line, and chains are words for
    // each entry.  A block or list takes some twenty words.
    return context_count(
        ((uint64_t)1 << 16) + 8 * (uint64_t)search->lines->count +
        32 * search->most_entries + 160 * (uint64_t)block_count);
}

// Builds the lump on a grid only to measure it.
static nbstage_status measure_lump(struct context *context,
                                   const struct search *search,
                                   const struct grid *grid,
                                   struct lump_measure *measure)
{
    struct entries entries;
    struct lists lists;
    struct list_area area;
    nbstage_status status =
        entries_find(context, search->lines, grid, &entries);
    if (status != NBSTAGE_OK)
        return status;
    status = lists_build(context, grid, &entries, &lists);
    entries_free(context, &entries);
    if (status == NBSTAGE_OK)
        status = pack_measure(context, &lists, search->request->pack, &area);
    if (status != NBSTAGE_OK)
        return status;
    *measure = lump_measure(&area);
    list_area_free(context, &area);
    return NBSTAGE_OK;
}

// Builds the lump of an origin.  A failure of the caller's worker ends the
// search.  What other workers fail in, without memory, is left to the caller's,
// and the work is that of the one that does it.
static void build_origin(struct worker *worker, size_t origin)
{
    struct search *search = worker->search;
    struct grid grid = grid_at(search, origin);
    struct lump_measure measure;
    worker->memory.used = 0;
    context_begin_work(&worker->context, search->build_work);
    nbstage_status status =
        measure_lump(&worker->context, search, &grid, &measure);
    if (status == NBSTAGE_OK) {
        worker->is_early |= context_work_left(&worker->context) == 0;
        search->built[origin] = measure.word_count;
        search->meets[origin] = lump_meets(&measure, search->request->limit);
        atomic_fetch_add(&search->done_count, 1);
    } else if (worker->is_caller && search->status == NBSTAGE_OK) {
        memcpy(search->context->message, worker->context.message,
               sizeof worker->context.message);
        end_search(search, status);
    } else {
        worker->context.work = 0;
    }
}

// Builds what is not built yet of the listed origins.
static void build_origins(void *user, size_t number)
{
    struct search *search = user;
    struct worker *worker = &search->workers[number];
    while (!worker_is_over(worker)) {
        size_t next = atomic_fetch_add(&search->next_origin, 1);
        if (next >= search->origin_count)
            return;
        if (search->built[search->origins[next]] == UINT64_MAX)
            build_origin(worker, search->origins[next]);
    }
}

static nbstage_status build_listed(struct search *search)
{
    atomic_store(&search->next_origin, 0);
    run_workers(search, build_origins);
    atomic_store(&search->next_origin, 0);
    build_origins(search, 0);
    return search->status;
}

// Builds so many lumps after the first.  Without a lattice they are those of
// the best scores.
static nbstage_status build_rounds(struct search *search, bool has_lattice,
                                   size_t count)
{
    search->total_count = count + 1;
    search->origin_count = 0;
    if (has_lattice) {
        note_difference(search, 0);
        list_lattice(search);
    }
    nbstage_status status;
    do {
        status = build_listed(search);
        for (size_t i = 0; i < search->origin_count && has_lattice; i++)
            note_difference(search, search->origins[i]);
        count -= search->origin_count;
        list_best(search, count);
    } while (search->origin_count > 0 && status == NBSTAGE_OK);
    return status;
}

// Builds the first lump.  As others may take twice as much work, returns how
// many of `wanted` further ones there can be.
static size_t build_first(struct search *search, size_t block_count,
                          size_t wanted)
{
    struct worker *caller = &search->workers[0];
    search->build_work = context_work_left(search->context) / 2 + 1;
    build_origin(caller, 0);
    uint64_t each = lists_work(search->most_entries, block_count);
    if (each < caller->context.work)
        each = caller->context.work;
    search->context->work += caller->context.work;
    caller->context.work = 0;
    uint64_t left = context_work_left(search->context);
    uint64_t most = left / (2 * each);
    size_t affordable = most < wanted ? (size_t)most : wanted;
    search->build_work = left / (affordable + 1) + 1;
    return affordable;
}

static nbstage_status build_lumps(struct search *search)
{
    struct grid largest = grid_at(
        search, origin_at(search->offsets_x - 1, search->offsets_y - 1));
    size_t block_count = grid_block_count(&largest);
    size_t size = search->request->worker_memory;
    nbstage_status status = make_workers(
        search, size > 0 ? size : estimate_memory(search, block_count),
        equip_with_memory);
    if (status != NBSTAGE_OK)
        return status;
    size_t origins = (size_t)(search->offsets_x * search->offsets_y);
    size_t wanted = (origins < LUMPS ? origins : LUMPS) - 1;
    size_t affordable = build_first(search, block_count, wanted);
    bool has_lattice = affordable == wanted;
    status = search->status;
    if (status == NBSTAGE_OK)
        status = build_rounds(search, has_lattice, affordable);
    search->is_early |= !has_lattice;
    for (size_t w = 0; w < search->worker_count; w++) {
        const struct worker *worker = &search->workers[w];
        search->is_early |= worker->is_early;
        search->context->work +=
            worker->context.earlier_work + worker->context.work;
    }
    free_workers(search);
    return status;
}

// ---------------------------------------------------------------------------
// The answer

static size_t find_best(const struct search *search, const uint64_t *words)
{
    const bool *meets = search->meets;
    size_t best = 0;
    for (size_t i = 0; i < ORIGINS; i++)
        if (words[i] != UINT64_MAX &&
            (meets[i] != meets[best] ? meets[i] : words[i] < words[best]))
            best = i;
    return best;
}

static struct search_answer read_answer(const struct search *search)
{
    bool is_exact = search->scores_are_exact;
    size_t best = find_best(search, is_exact ? search->scores : search->built);
    struct search_answer answer = {
        .grid = grid_at(search, best),
        .scored_count = (size_t)(search->offsets_y * search->offsets_x),
        .is_early = search->is_early,
    };
    for (size_t i = 0; i < ORIGINS; i++)
        answer.built_count += search->built[i] != UINT64_MAX;
    return answer;
}

// How many origins there are from the lowest coordinate on.
static int32_t count_offsets(int32_t lowest)
{
    int32_t room = lowest - INT16_MIN + 1;
    return room < SCORE_OFFSETS ? room : SCORE_OFFSETS;
}

static void begin(struct search *search, struct context *context,
                  const struct lines *lines,
                  const struct search_request *request)
{
    const struct pack_form pack = request->pack;
    search->context = context;
    search->lines = lines;
    search->request = request;
    search->scored_mode = pack.mode == PACK_NONE ? PACK_NONE : PACK_SHARE;
    search->scores_are_exact =
        pack.header == HEADER_ZERO && pack.mode == search->scored_mode;
    search->offsets_x = count_offsets(lines->min_x);
    search->offsets_y = count_offsets(lines->min_y);
    memset(search->scores, 0xFF, sizeof search->scores);
    memset(search->built, 0xFF, sizeof search->built);
    for (int64_t d = 1; d < 2 * LATTICE * LATTICE; d++)
        search->counts[d] = 1 + (int32_t)(NEAREST_COUNTS / (d * d * d));
    search->reported = threads_clock();
    context_begin_work(context, context->limits.work);
}

nbstage_status search_grid(struct context *context, const struct lines *lines,
                           const struct search_request *request,
                           struct search_answer *answer)
{
    struct search *search;
    nbstage_status status =
        context_allocate_zeroed(context, 1, sizeof *search, &search);
    if (status != NBSTAGE_OK)
        return status;
    begin(search, context, lines, request);
    status = score_lines_make(context, lines, &search->score_lines);
    if (status == NBSTAGE_OK)
        status = score_all(search);
    context_release(context, search->score_lines.digests);
    if (status == NBSTAGE_OK && !search->scores_are_exact)
        status = build_lumps(search);
    if (status == NBSTAGE_OK)
        *answer = read_answer(search);
    context_release(context, search);
    return status;
}
