// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the built module keeps what nbstage.h promises of every stage:
// its tables are whole, calls that break the contract are refused, a map has
// the same lump in every instance, thread and rounding mode, lump and facts are
// valid until the next build, progress never falls, and a build may end at any
// request or report.  The maps are read-only and end where memory ends, so a
// stage that writes to one or reads beyond it crashes.
//
// test-abi-pairs.sh has longer structures, test-geometry arrays of every
// layout, test-descriptions wrong ones, test-module.sh what the module calls,
// test-options every wrong value, test-refused-memory every way to build.
//
// PLUGIN in the environment may name another stage, and SEED other damage.

#define _GNU_SOURCE // for MAP_ANONYMOUS

#include "config.h"

#include "context-for-tests.h"
#include "pruned-room.h"
#include "random-map.h"

#include <dlfcn.h>
#include <fenv.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LOWER_CASE "abcdefghijklmnopqrstuvwxyz0123456789"

static const struct nbstage_descriptor *stage;

// --- Maps ---

// A read-only copy before a page that cannot be read.  Every test is a process
// of its own, whose end frees it.
static void *guard(const void *bytes, size_t size)
{
    enum { PAGE = 65536 }; // whole pages on every machine
    const size_t whole = (size / PAGE + 1) * PAGE;
    char *pages = mmap(NULL, whole + PAGE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        abort_with("no memory for %zu bytes", size);
    char *copy = pages + whole - size;
    if (size > 0)
        memcpy(copy, bytes, size);
    if (mprotect(pages, whole, PROT_READ) != 0 ||
        mprotect(pages + whole, PAGE, PROT_NONE) != 0)
        abort_with("memory cannot be protected");
    return copy;
}

// A room in every form.
static struct lump_set sets[FORM_COUNT];
static struct room_arrays arrays[FORM_COUNT];
static struct nbstage_map maps[FORM_COUNT];

// A guarded copy of a description and of its elements, or NULL.
static void *guard_array(const void *description, size_t size)
{
    unsigned char copy[sizeof(struct nbstage_lines)];
    struct nbstage_array array;
    if (!description)
        return NULL;
    memcpy(copy, description, size);
    memcpy(&array, copy, sizeof array);
    array.data = guard(array.data, array.count * array.stride);
    memcpy(copy, &array, sizeof array);
    return guard(copy, size);
}

static void make_maps(void)
{
    for (size_t i = 0; i < FORM_COUNT; i++) {
        struct nbstage_map *map = &maps[i];
        sets[i] = room_make_lumps(&room_plain, (enum form)i);
        for (size_t n = 0; n < sets[i].count; n++)
            sets[i].lumps[n].data =
                guard(sets[i].lumps[n].data, sets[i].lumps[n].data_size);
        *map = lump_set_map(&sets[i]);
        map->lumps = guard(map->lumps, map->lump_count * sizeof *map->lumps);
        if (i <= FORM_UDMF)
            continue;
        room_make_arrays(&room_plain, (enum form)i, &arrays[i], map);
        map->vertices = guard_array(map->vertices, sizeof *map->vertices);
        map->lines = guard_array(map->lines, sizeof *map->lines);
        map->sectors = guard_array(map->sectors, sizeof *map->sectors);
        map->things = guard_array(map->things, sizeof *map->things);
    }
}

// --- What every call promises ---

// An instance, and the host that serves it.
struct session {
    struct test_host host; // first: it is the context of its callbacks
    struct nbstage_host callbacks;
    struct nbstage_instance *instance;
    bool refuses_rest; // of the requests, after the first that is refused
};

static void *session_allocate(void *user, size_t bytes)
{
    struct session *session = user;
    const size_t first = session->host.refused_request;
    if (!session->refuses_rest || session->host.request_count < first)
        return test_allocate(&session->host, bytes);
    session->host.request_count++;
    return NULL;
}

// Progress begins somewhere, and never falls.
static int32_t session_progress(void *user, uint32_t done, uint32_t total)
{
    struct session *session = user;
    const uint64_t before = session->host.done, all = session->host.total;
    if (total == 0 || done > total)
        abort_with("progress is %" PRIu32 " of %" PRIu32, done, total);
    if (all > 0 && done * all < before * total)
        abort_with("progress fell from %" PRIu64 " of %" PRIu64 " to %" PRIu32
                   " of %" PRIu32,
                   before, all, done, total);
    return test_progress(&session->host, done, total);
}

// Of zeros, or with what is to be refused.  False without memory.
static bool session_open(struct session *session)
{
    session->callbacks = test_callbacks;
    session->callbacks.context = session;
    session->callbacks.allocate = session_allocate;
    session->callbacks.progress = session_progress;
    struct nbstage_host given = session->callbacks;
    session->instance = stage->create(&given);
    memset(&given, 0xA5, sizeof given); // the stage has a copy
    if (session->instance && *stage->last_error(session->instance))
        abort_with("there is an error at first");
    return session->instance != NULL;
}

static void session_close(struct session *session)
{
    stage->destroy(session->instance);
    if (session->host.blocks)
        abort_with("memory was not released");
}

static void require_sentence(const char *text)
{
    if (!text || !*text || text[strlen(text) - 1] == '.')
        abort_with("'%s' is not a sentence without full stop", text);
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            abort_with("control characters: %s", text);
}

static void require_facts(struct nbstage_instance *instance)
{
    for (const char *const *name = stage->fact_names; *name; name++) {
        const struct nbstage_fact *fact = stage->get_fact(instance, *name);
        if (!fact)
            continue;
        if (fact->size < sizeof *fact)
            abort_with("the fact '%s' is %zu bytes", *name, fact->size);
        if (fact->text)
            require_sentence(fact->text);
        if (fact->text && strcmp(fact->text, "yes") == 0 && fact->number != 1)
            abort_with("the fact '%s' is yes, but not 1", *name);
        if (fact->text && strcmp(fact->text, "no") == 0 && fact->number != 0)
            abort_with("the fact '%s' is no, but not 0", *name);
    }
    if (stage->get_fact(instance, "no such fact"))
        abort_with("there is a fact that has no name");
}

// The lump of the last build, in memory of the host; or none.
static const struct nbstage_lump *session_lump(const struct session *session,
                                               bool is_made)
{
    const struct nbstage_lump *lump =
        stage->get_lump(session->instance, stage->lump_names[0]);
    if (stage->get_lump(session->instance, "NOSUCH"))
        abort_with("there is a lump that nobody makes");
    if ((lump != NULL) != is_made)
        abort_with("the status of a build, and its lump, do not agree");
    if (!lump)
        return NULL;
    if (strcmp(lump->name, stage->lump_names[0]) != 0)
        abort_with("expected %s, was %s", stage->lump_names[0], lump->name);
    if (!test_owns(&session->host, lump, sizeof *lump) ||
        (lump->data_size > 0 &&
         !test_owns(&session->host, lump->data, lump->data_size)))
        abort_with("the lump is not in the host's memory");
    return lump;
}

static nbstage_status session_build(struct session *session,
                                    const struct nbstage_map *map)
{
    session->host.total = 0; // progress begins again
    nbstage_status status = stage->build(session->instance, map);
    session_lump(session, status == NBSTAGE_OK);
    if (status != NBSTAGE_OK)
        require_sentence(stage->last_error(session->instance));
    if (status == NBSTAGE_UNKNOWN_OPTION || status == NBSTAGE_BAD_VALUE)
        abort_with("build returned a status of options: %d", (int)status);
    if (session->host.message_count > 0)
        require_sentence(session->host.message);
    require_facts(session->instance);
    return status;
}

// FNV-1a of a status and the lump.
static uint64_t digest(nbstage_status status, const struct nbstage_lump *lump)
{
    uint64_t made = 0xCBF29CE484222325 ^ (uint64_t)status;
    const unsigned char *bytes = lump ? lump->data : NULL;
    for (size_t i = 0; lump && i < lump->data_size; i++)
        made = (made ^ bytes[i]) * 0x100000001B3;
    return made;
}

static uint64_t session_digest(struct session *session,
                               const struct nbstage_map *map)
{
    nbstage_status status = session_build(session, map);
    return digest(status, session_lump(session, status == NBSTAGE_OK));
}

// The same with an instance of its own.
static uint64_t fresh_digest(const struct nbstage_map *map)
{
    struct session session = {0};
    session_open(&session);
    const uint64_t made = session_digest(&session, map);
    session_close(&session);
    return made;
}

// Sets an option from copies that are then overwritten.
static nbstage_status session_set(struct session *session, const char *name,
                                  const char *value, int32_t by)
{
    static char copies[2][256];
    snprintf(copies[0], sizeof copies[0], "%s", name);
    snprintf(copies[1], sizeof copies[1], "%s", value);
    nbstage_status status =
        stage->set_option(session->instance, copies[0], copies[1], by);
    memset(copies, 'x', sizeof copies - 1);
    if (status != NBSTAGE_OK)
        require_sentence(stage->last_error(session->instance));
    return status;
}

// --- Tables and options ---

TEST(descriptor_is_whole)
{
    ck_assert_uint_ge(stage->size, sizeof *stage);
    ck_assert_uint_eq(stage->abi, NBSTAGE_ABI);
    require_sentence(stage->name);
    require_sentence(stage->version);
    require_sentence(stage->summary);
    ck_assert_ptr_nonnull(stage->lump_names[0]);
    ck_assert_ptr_null(stage->lump_names[1]);
    ck_assert_ptr_null(strpbrk(stage->lump_names[0], LOWER_CASE));
    ck_assert_uint_le(strlen(stage->lump_names[0]), 8);
    for (size_t i = 0; stage->fact_names[i]; i++) {
        const char *name = stage->fact_names[i];
        ck_assert(*name && !name[strspn(name, LOWER_CASE "_")]);
        for (size_t other = 0; other < i; other++)
            ck_assert_str_ne(name, stage->fact_names[other]);
    }
}

TEST(options_are_whole)
{
    for (size_t i = 0; stage->options[i]; i++) {
        const struct nbstage_option *option = stage->options[i];
        ck_assert_uint_ge(option->size, sizeof *option);
        ck_assert(!option->name[strspn(option->name, LOWER_CASE "-")]);
        for (size_t other = 0; other < i; other++)
            ck_assert_str_ne(option->name, stage->options[other]->name);
        ck_assert_int_ge(option->type, NBSTAGE_OPTION_CHOICE);
        ck_assert_int_le(option->type, NBSTAGE_OPTION_LIST);
        ck_assert_ptr_nonnull(option->default_value);
        require_sentence(option->help);
        for (size_t n = 0; n < option->choice_count; n++) {
            require_sentence(option->choices[n].name);
            require_sentence(option->choices[n].help);
        }
        if (option->type != NBSTAGE_OPTION_FLAG)
            continue;
        ck_assert_uint_eq(option->choice_count, 2);
        ck_assert_str_eq(option->choices[0].name, "no");
        ck_assert_str_eq(option->choices[1].name, "yes");
    }
}

// A value is accepted, and does not reach another instance.
static void try_value(const struct nbstage_option *option, const char *value)
{
    const uint64_t expected = fresh_digest(&maps[FORM_DOOM]);
    struct session session = {0}, other = {0};
    session_open(&session);
    session_open(&other);
    ck_assert_msg(session_set(&session, option->name, value, NBSTAGE_BY_USER) ==
                      NBSTAGE_OK,
                  "%s=%s is refused", option->name, value);
    const uint64_t made = session_digest(&session, &maps[FORM_DOOM]);
    if (strcmp(value, option->default_value) == 0)
        ck_assert_uint_eq(made, expected);
    ck_assert_uint_eq(session_digest(&other, &maps[FORM_DOOM]), expected);
    session_close(&session);
    session_close(&other);
}

TEST(values_are_those_of_one_instance)
{
    for (size_t i = 0; stage->options[i]; i++) {
        const struct nbstage_option *option = stage->options[i];
        char number[32];
        try_value(option, option->default_value);
        for (size_t n = 0; n < option->choice_count; n++)
            try_value(option, option->choices[n].name);
        if (option->type != NBSTAGE_OPTION_INTEGER)
            continue;
        snprintf(number, sizeof number, "%" PRId64, option->minimum);
        try_value(option, number);
        snprintf(number, sizeof number, "%" PRId64, option->maximum);
        try_value(option, number);
    }
}

TEST(refused_values_change_nothing)
{
    struct session session = {0};
    session_open(&session);
    ck_assert_int_eq(
        session_set(&session, "no-such-option", "1", NBSTAGE_BY_USER),
        NBSTAGE_UNKNOWN_OPTION);
    for (size_t i = 0; stage->options[i]; i++) {
        const struct nbstage_option *option = stage->options[i];
        char above[32];
        snprintf(above, sizeof above, "%" PRId64, option->maximum + 1);
        for (int32_t by = NBSTAGE_BY_HOST; by <= NBSTAGE_BY_USER; by++) {
            if (option->type == NBSTAGE_OPTION_INTEGER)
                ck_assert_int_eq(session_set(&session, option->name, above, by),
                                 NBSTAGE_BAD_VALUE);
            if (option->type != NBSTAGE_OPTION_TEXT && !option->form)
                ck_assert_int_eq(
                    session_set(&session, option->name, "none\xFF", by),
                    NBSTAGE_BAD_VALUE);
        }
        for (size_t n = 0; n < option->choice_count; n++) {
            static const int32_t unknown[] = {-1, 2, 0x40000000, INT32_MIN};
            for (size_t u = 0; u < COUNT(unknown); u++)
                ck_assert_int_eq(session_set(&session, option->name,
                                             option->choices[n].name,
                                             unknown[u]),
                                 NBSTAGE_UNSUPPORTED);
        }
    }
    ck_assert_uint_eq(session_digest(&session, &maps[FORM_DOOM]),
                      fresh_digest(&maps[FORM_DOOM]));
    session_close(&session);
}

// Whoever sets an option last, it has the value that the user has set; of two
// values by one of them, the last.
TEST(hosts_give_way_to_users)
{
    for (size_t i = 0; stage->options[i]; i++) {
        const struct nbstage_option *option = stage->options[i];
        for (size_t n = 0; n < option->choice_count; n++) {
            const char *value = option->choices[n].name,
                       *other = option->choices[n > 0 ? 0 : 1].name;
            struct session sessions[4] = {0};
            uint64_t made[COUNT(sessions)];
            if (option->choice_count == 1)
                continue;
            for (size_t s = 0; s < COUNT(sessions); s++) {
                struct session *session = &sessions[s];
                session_open(session);
                if (s == 1)
                    session_set(session, option->name, other, NBSTAGE_BY_HOST);
                if (s == 2)
                    session_set(session, option->name, other, NBSTAGE_BY_USER);
                session_set(session, option->name, value, NBSTAGE_BY_USER);
                if (s == 3)
                    session_set(session, option->name, other, NBSTAGE_BY_HOST);
                made[s] = session_digest(session, &maps[FORM_DOOM]);
                session_close(session);
                ck_assert_msg(made[s] == made[0], "%s=%s, order %zu",
                              option->name, value, s);
            }
        }
    }
}

// --- Calls that break the contract ---

#define assert_bad_call(call) ck_assert_int_eq(call, NBSTAGE_BAD_CALL)

TEST(null_is_a_bad_call)
{
    struct session session = {0};
    session_open(&session);
    struct nbstage_instance *instance = session.instance;
    assert_bad_call(stage->set_option(NULL, "x", "1", NBSTAGE_BY_USER));
    assert_bad_call(stage->set_option(instance, NULL, "1", NBSTAGE_BY_USER));
    assert_bad_call(stage->build(NULL, maps));
    assert_bad_call(stage->build(instance, NULL));
    require_sentence(stage->last_error(instance));
    stage->destroy(NULL);
    session_close(&session);
}

// The beginning of a structure, whose size says so, before the end of memory.
static void *cut(const void *structure, size_t size)
{
    char copy[sizeof(struct nbstage_lines)] = {0};
    enum { EACH = sizeof size };
    memcpy(copy, structure, size);
    memcpy(copy, &size, sizeof size);
    return guard(copy, size < EACH ? EACH : (size + EACH - 1) / EACH * EACH);
}

// A description is cut off, its map is whole.
static void try_short_arrays(struct session *session)
{
    const struct nbstage_map *whole = &maps[FORM_DOOM_ARRAYS];
    const struct {
        const void *description;
        size_t size, place; // of the pointer in the map
    } arrays_of_map[] = {
        {whole->vertices, sizeof *whole->vertices,
         offsetof(struct nbstage_map, vertices)},
        {whole->lines, sizeof *whole->lines,
         offsetof(struct nbstage_map, lines)},
        {whole->sectors, sizeof *whole->sectors,
         offsetof(struct nbstage_map, sectors)},
        {whole->things, sizeof *whole->things,
         offsetof(struct nbstage_map, things)},
    };
    // What is not read for the options may be anything.
    ck_assert_int_eq(session_set(session, "prune", "inert", NBSTAGE_BY_USER),
                     NBSTAGE_OK);
    for (size_t i = 0; i < COUNT(arrays_of_map); i++)
        for (size_t size = 0; size < arrays_of_map[i].size; size++) {
            struct nbstage_map map = *whole;
            const void *description = cut(arrays_of_map[i].description, size);
            memcpy((char *)&map + arrays_of_map[i].place, &description,
                   sizeof description);
            assert_bad_call(session_build(session, &map));
        }
}

TEST(short_structures_are_refused)
{
    struct nbstage_map map = maps[FORM_DOOM];
    struct session session = {0};
    session_open(&session);
    for (size_t size = 0; size < sizeof session.callbacks; size++)
        ck_assert_ptr_null(stage->create(cut(&session.callbacks, size)));
    for (size_t size = 0; size < sizeof map; size++)
        assert_bad_call(session_build(&session, cut(&map, size)));
    if (strcmp(stage->name, "blocksweep") == 0)
        try_short_arrays(&session);
    session_close(&session);
}

TEST(callbacks_may_be_absent_but_not_by_halves)
{
    static const struct nbstage_host none = {.size = sizeof none};
    struct nbstage_host half = {.size = sizeof half};
    half.allocate = test_allocate;
    ck_assert_ptr_null(stage->create(&half));
    half = (struct nbstage_host){.size = sizeof half, .release = test_release};
    ck_assert_ptr_null(stage->create(&half));
    for (int i = 0; i < 2; i++) {
        struct nbstage_instance *instance = stage->create(i ? &none : NULL);
        nbstage_status status = stage->build(instance, maps);
        ck_assert_uint_eq(
            digest(status, stage->get_lump(instance, stage->lump_names[0])),
            fresh_digest(maps));
        stage->destroy(instance);
    }
}

// --- Results ---

// In new instances and in one that builds all, in every rounding mode.
static void *build_all(void *expected)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
                                FE_TOWARDZERO};
    const uint64_t *digests = expected;
    struct session used = {0};
    session_open(&used);
    for (size_t i = 0; i < COUNT(modes) * FORM_COUNT; i++) {
        const struct nbstage_map *map = &maps[i % FORM_COUNT];
        const int mode = modes[i / FORM_COUNT];
        fesetround(mode);
        const uint64_t made = session_digest(&used, map);
        if (made != digests[i % FORM_COUNT] || fresh_digest(map) != made ||
            fegetround() != mode)
            abort_with("%s, form %zu, rounding %d: another result", map->name,
                       i % FORM_COUNT, mode);
        fesetround(FE_TONEAREST);
    }
    session_close(&used);
    return NULL;
}

TEST(results_are_the_same_in_any_instance_and_thread)
{
    pthread_t threads[8];
    uint64_t digests[FORM_COUNT];
    for (size_t i = 0; i < FORM_COUNT; i++)
        digests[i] = fresh_digest(&maps[i]);
    build_all(digests);
    for (size_t i = 0; i < COUNT(threads); i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, build_all, digests),
                         0);
    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
}

TEST(there_is_nothing_before_the_first_build)
{
    struct session session = {0};
    session_open(&session);
    session_lump(&session, false);
    for (size_t i = 0; stage->fact_names[i]; i++)
        ck_assert_ptr_null(
            stage->get_fact(session.instance, stage->fact_names[i]));
    ck_assert_str_eq(stage->last_error(session.instance), "");
    session_close(&session);
}

// A failure leaves no lump of the build before, but a sentence of its own.
TEST(failures_leave_no_lump)
{
    struct nbstage_map later = maps[FORM_DOOM];
    struct session session = {0};
    session_open(&session);
    later.needs = 1;
    for (int i = 0; i < 3; i++) {
        char sentence[512];
        ck_assert_int_eq(session_build(&session, &maps[FORM_DOOM]), NBSTAGE_OK);
        ck_assert_int_eq(session_build(&session, &later), NBSTAGE_UNSUPPORTED);
        snprintf(sentence, sizeof sentence, "%s",
                 stage->last_error(session.instance));
        require_sentence(sentence);
        ck_assert_int_eq(session_build(&session, NULL), NBSTAGE_BAD_CALL);
        ck_assert_str_ne(stage->last_error(session.instance), sentence);
    }
    session_close(&session);
}

// Lump and facts outlive their map, calls for others, options that are set, and
// the builds of other instances.
TEST(results_are_valid_until_the_next_build)
{
    const uint64_t expected = fresh_digest(&maps[FORM_DOOM]);
    const struct nbstage_fact *facts[100];
    int64_t numbers[100];
    struct nbstage_map map = maps[FORM_DOOM];
    struct session session = {0}, other = {0};
    session_open(&session);
    session_open(&other);
    session_build(&session, &map);
    memset(&map, 0, sizeof map);
    const struct nbstage_lump *lump = session_lump(&session, true);
    for (size_t i = 0; stage->fact_names[i]; i++) {
        ck_assert_uint_lt(i, COUNT(facts));
        facts[i] = stage->get_fact(session.instance, stage->fact_names[i]);
        numbers[i] = facts[i] ? facts[i]->number : 0;
    }
    for (size_t i = 0; stage->options[i]; i++)
        session_set(&session, stage->options[i]->name,
                    stage->options[i]->default_value, NBSTAGE_BY_USER);
    session_set(&session, "no-such-option", "", NBSTAGE_BY_USER);
    session_build(&other, &maps[FORM_DOOM_ARRAYS]);
    session_close(&other);
    ck_assert_ptr_eq(session_lump(&session, true), lump);
    ck_assert_uint_eq(digest(NBSTAGE_OK, lump), expected);
    for (size_t i = 0; stage->fact_names[i]; i++) {
        ck_assert_ptr_eq(
            stage->get_fact(session.instance, stage->fact_names[i]), facts[i]);
        if (facts[i])
            ck_assert_int_eq(facts[i]->number, numbers[i]);
    }
    session_close(&session);
}

// --- Damage, and builds that end early ---

// A guarded copy with some other bytes, and at times cut off.
static void damage(struct nbstage_lump *lump, struct random_stream *stream)
{
    const uint32_t size = (uint32_t)lump->data_size;
    unsigned char *copy = buffer_copy_exactly(lump->data, size);
    for (uint32_t n = random_below(stream, 4); size > 0 && n > 0; n--)
        copy[random_below(stream, size)] =
            (unsigned char)(random_below(stream, 3) * 0x7F);
    if (size > 0 && random_below(stream, 3) == 0)
        lump->data_size = random_below(stream, size);
    lump->data = guard(copy, lump->data_size);
    free(copy);
}

// A damaged map has a result or a sentence, and the same one again.
LOOP_TEST(damage_has_a_result_or_a_sentence, FORM_COUNT)
{
    struct random_stream stream = {choose_seed() + (uint64_t)_i};
    struct session session = {0};
    session_open(&session);
    for (int i = 0; i < 400 / SLOWNESS; i++) {
        struct nbstage_map map = maps[_i];
        struct nbstage_lump lumps[LUMP_SET_MOST];
        memcpy(lumps, map.lumps, map.lump_count * sizeof *lumps);
        for (size_t n = 0; n < map.lump_count; n++)
            damage(&lumps[n], &stream);
        map.lumps = lumps;
        ck_assert_uint_eq(session_digest(&session, &map), fresh_digest(&map));
    }
    session_close(&session);
}

// How a build is ended: a request refused, with all that follow, or a report
// that is answered with the wish to cancel.
enum { AT, FROM, CANCEL, ENDS };

// Ends a build at a request or report; returns whether there was one.
static bool try_end(const struct nbstage_map *map, uint64_t expected, int end,
                    size_t number)
{
    struct session session = {.refuses_rest = end == FROM};
    size_t *const at = end == CANCEL ? &session.host.cancelled_report
                                     : &session.host.refused_request;
    *at = number;
    if (!session_open(&session)) {
        session_close(&session);
        return true;
    }
    nbstage_status status = session_build(&session, map);
    const bool was_met = number <= (end == CANCEL ? session.host.progress_count
                                                  : session.host.request_count);
    if ((status == NBSTAGE_CANCELLED) != (end == CANCEL && was_met))
        abort_with("%s: status %d", map->name, (int)status);
    if (status == NBSTAGE_OUT_OF_MEMORY)
        ck_assert(end != CANCEL && was_met);
    else if (status != NBSTAGE_CANCELLED)
        ck_assert_uint_eq(
            digest(status, session_lump(&session, status == NBSTAGE_OK)),
            expected);
    *at = 0;
    session.refuses_rest = false;
    ck_assert_uint_eq(session_digest(&session, map), expected);
    session_close(&session);
    return was_met;
}

LOOP_TEST(builds_may_end_at_any_request_and_report, FORM_COUNT *ENDS)
{
    const struct nbstage_map *map = &maps[_i / ENDS];
    const uint64_t expected = fresh_digest(map);
    size_t number = 1;
    while (try_end(map, expected, _i % ENDS, number))
        ck_assert_uint_lt(++number, 1000);
}

int main(void)
{
    nbstage_describe_function describe = NULL;
    const char *path = getenv("PLUGIN");
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    *(void **)&describe = library ? dlsym(library, NBSTAGE_SYMBOL) : NULL;
    stage = describe ? describe(NBSTAGE_ABI) : NULL;
    if (!stage || describe(NBSTAGE_ABI + 1) || describe(0))
        abort_with("PLUGIN has to name a stage of version %d", NBSTAGE_ABI);
    make_maps();
    TCase *tests = all_tests();
    tcase_set_timeout(tests, 600);
    return run_suite(tests);
}
