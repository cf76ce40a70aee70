// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the built module keeps what nbstage.h promises of every stage:
// its tables are whole, calls that break the contract are refused, a map has
// the same lump in every instance, thread and rounding mode, a result is valid
// until it is freed, and a build may end at any request or report.  The maps
// are read-only and end where memory ends, so a stage that writes to one or
// reads beyond it crashes.
//
// test-abi-pairs.sh has longer structures, test-geometry arrays of every
// layout, test-map wrong ones, test-module.sh what the module calls,
// test-options every wrong value, test-refused-memory every way to build.
//
// PLUGIN in the environment may name another stage, and SEED other damage.

#define _GNU_SOURCE // for MAP_ANONYMOUS

#include "config.h"

#include "context-for-tests.h"
#include "nbstage-host.h"
#include "pruned-room.h"
#include "random-map.h"

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

// Of zeros, or with what is to be refused.
static nbstage_status session_open(struct session *session)
{
    session->callbacks = test_callbacks;
    session->callbacks.context = session;
    session->callbacks.allocate = session_allocate;
    struct nbstage_host given = session->callbacks;
    session->instance = (void *)&given; // a failure stores NULL
    nbstage_status status = stage->create(&given, &session->instance);
    memset(&given, 0xA5, sizeof given); // the stage has a copy
    if ((status == NBSTAGE_OK) != (session->instance != NULL))
        abort_with("create returned status %d and an instance", (int)status);
    if (session->instance && *stage->last_error(session->instance))
        abort_with("there is an error at first");
    return status;
}

static void session_close(struct session *session)
{
    stage->destroy(session->instance);
    if (session->host.blocks)
        abort_with("memory was not released");
}

static void require_sentence(const char *text)
{
    size_t length;
    uint32_t number;
    if (!text || !*text || text[strlen(text) - 1] == '.')
        abort_with("'%s' is not a sentence without full stop", text);
    for (; *text; text += length)
        if (!nbstage_is_printable(text, &length, &number))
            abort_with("control characters, or not UTF-8: %s", text);
}

static void require_facts(struct nbstage_instance *instance)
{
    struct nbstage_fact fact = {.size = sizeof fact};
    for (size_t i = 0; stage->get_fact(instance, i, &fact); i++)
        if (i == 1000 || fact.size != sizeof fact ||
            fact.name[strspn(fact.name, LOWER_CASE "_")] ||
            fact.kind > NBSTAGE_FACT_FLAG ||
            (fact.kind == NBSTAGE_FACT_FLAG && fact.value != !!fact.value))
            abort_with("fact %zu, '%s', is wrong", i, fact.name);
}

// The lump is plain, and in memory of the host.
static void require_lump(const struct test_host *host,
                         const struct nbstage_result *result)
{
    const struct nbstage_lump *lump = result->lumps;
    if (result->lump_count != 1 || lump->size < sizeof *lump ||
        strcmp(lump->name, stage->lump_names[0]) != 0 ||
        lump->compression != NBSTAGE_PLAIN)
        abort_with("expected one plain %s", stage->lump_names[0]);
    if (!test_owns(host, lump, sizeof *lump) ||
        (lump->data_size > 0 && !test_owns(host, lump->data, lump->data_size)))
        abort_with("the lump is not in the host's memory");
}

static nbstage_status session_build(struct session *session,
                                    const struct nbstage_map *map,
                                    struct nbstage_result *result)
{
    *result = (struct nbstage_result){.size = sizeof *result};
    nbstage_status status = stage->build(session->instance, map, result);
    if (result->size != sizeof *result)
        abort_with("the size of a result was changed");
    if (status == NBSTAGE_OK) {
        require_lump(&session->host, result);
    } else {
        require_sentence(stage->last_error(session->instance));
        if (result->lumps || result->lump_count > 0)
            abort_with("a build that failed has lumps");
    }
    if (status == NBSTAGE_UNKNOWN_OPTION || status == NBSTAGE_BAD_VALUE)
        abort_with("build returned a status of options: %d", (int)status);
    if (session->host.progress_count > 0 && session->host.total == 0)
        abort_with("progress has no parts");
    if (session->host.message_count > 0)
        require_sentence(session->host.message);
    require_facts(session->instance);
    return status;
}

static void session_free(struct session *session, struct nbstage_result *result)
{
    stage->free_result(session->instance, result);
    if (result->lumps || result->lump_count > 0)
        abort_with("a freed result is not empty");
}

// FNV-1a of a status and the lump.
static uint64_t digest(nbstage_status status,
                       const struct nbstage_result *result)
{
    uint64_t made = 0xCBF29CE484222325 ^ (uint64_t)status;
    const struct nbstage_lump *lump = result->lumps;
    const unsigned char *bytes = lump ? lump->data : NULL;
    for (size_t i = 0; lump && i < lump->data_size; i++)
        made = (made ^ bytes[i]) * 0x100000001B3;
    return made;
}

static uint64_t session_digest(struct session *session,
                               const struct nbstage_map *map)
{
    struct nbstage_result result;
    nbstage_status status = session_build(session, map, &result);
    const uint64_t made = digest(status, &result);
    session_free(session, &result);
    return made;
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
                                  const char *value)
{
    static char copies[2][256];
    snprintf(copies[0], sizeof copies[0], "%s", name);
    snprintf(copies[1], sizeof copies[1], "%s", value);
    nbstage_status status =
        stage->set_option(session->instance, copies[0], copies[1]);
    memset(copies, 'x', sizeof copies - 1);
    if (status != NBSTAGE_OK)
        require_sentence(stage->last_error(session->instance));
    return status;
}

// --- Tables and options ---

TEST(descriptor_is_whole)
{
    ck_assert_uint_eq(stage->abi, NBSTAGE_ABI);
    require_sentence(stage->name);
    require_sentence(stage->version);
    require_sentence(stage->summary);
    ck_assert_uint_eq(stage->lump_name_count, 1);
    ck_assert_ptr_null(strpbrk(stage->lump_names[0], LOWER_CASE));
    ck_assert_uint_le(strlen(stage->lump_names[0]), 8);
}

static const struct nbstage_option *option_at(size_t index)
{
    return NBSTAGE_AT(struct nbstage_option, stage->options, index);
}

static const struct nbstage_choice *
choice_at(const struct nbstage_option *option, size_t index)
{
    return NBSTAGE_AT(struct nbstage_choice, option->choices, index);
}

TEST(options_are_whole)
{
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option = option_at(i);
        ck_assert_uint_eq(option->size, stage->options->size);
        ck_assert(!option->name[strspn(option->name, LOWER_CASE "-")]);
        for (size_t other = 0; other < i; other++)
            ck_assert_str_ne(option->name, option_at(other)->name);
        ck_assert_int_ge(option->type, NBSTAGE_OPTION_CHOICE);
        ck_assert_int_le(option->type, NBSTAGE_OPTION_LIST);
        ck_assert_ptr_nonnull(option->default_value);
        require_sentence(option->help);
        for (size_t n = 0; n < option->choice_count; n++) {
            ck_assert_uint_eq(choice_at(option, n)->size,
                              option->choices->size);
            require_sentence(choice_at(option, n)->name);
            require_sentence(choice_at(option, n)->help);
        }
        if (option->type != NBSTAGE_OPTION_FLAG)
            continue;
        ck_assert_uint_eq(option->choice_count, 2);
        ck_assert_str_eq(choice_at(option, 0)->name, "no");
        ck_assert_str_eq(choice_at(option, 1)->name, "yes");
    }
}

// A value is accepted, and does not reach another instance.
static void try_value(const struct nbstage_option *option, const char *value)
{
    const uint64_t expected = fresh_digest(&maps[FORM_DOOM]);
    struct session session = {0}, other = {0};
    session_open(&session);
    session_open(&other);
    ck_assert_msg(session_set(&session, option->name, value) == NBSTAGE_OK,
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
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option = option_at(i);
        char number[32];
        try_value(option, option->default_value);
        for (size_t n = 0; n < option->choice_count; n++)
            try_value(option, choice_at(option, n)->name);
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
    ck_assert_int_eq(session_set(&session, "no-such-option", "1"),
                     NBSTAGE_UNKNOWN_OPTION);
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option = option_at(i);
        char above[32];
        snprintf(above, sizeof above, "%" PRId64, option->maximum + 1);
        if (option->type == NBSTAGE_OPTION_INTEGER)
            ck_assert_int_eq(session_set(&session, option->name, above),
                             NBSTAGE_BAD_VALUE);
        if (option->type != NBSTAGE_OPTION_TEXT && !option->form)
            ck_assert_int_eq(session_set(&session, option->name, "none\xFF"),
                             NBSTAGE_BAD_VALUE);
    }
    ck_assert_uint_eq(session_digest(&session, &maps[FORM_DOOM]),
                      fresh_digest(&maps[FORM_DOOM]));
    session_close(&session);
}

// --- Calls that break the contract ---

#define assert_bad_call(call) ck_assert_int_eq(call, NBSTAGE_BAD_CALL)

TEST(null_is_a_bad_call)
{
    struct nbstage_result result = {.size = sizeof result};
    struct session session = {0};
    session_open(&session);
    struct nbstage_instance *instance = session.instance;
    assert_bad_call(stage->create(NULL, NULL));
    assert_bad_call(stage->set_option(NULL, "x", "1"));
    assert_bad_call(stage->set_option(instance, NULL, "1"));
    assert_bad_call(stage->build(NULL, maps, &result));
    assert_bad_call(stage->build(instance, NULL, &result));
    assert_bad_call(stage->build(instance, maps, NULL));
    require_sentence(stage->last_error(instance));
    stage->destroy(NULL);
    session_close(&session);
}

// The beginning of a structure, whose size says so, before the end of memory.
static void *cut(const void *structure, size_t size)
{
    char copy[sizeof(struct nbstage_map)] = {0};
    enum { EACH = sizeof size };
    memcpy(copy, structure, size);
    memcpy(copy, &size, sizeof size);
    return guard(copy, size < EACH ? EACH : (size + EACH - 1) / EACH * EACH);
}

TEST(short_structures_are_refused)
{
    struct nbstage_map map = maps[FORM_DOOM];
    struct nbstage_result result;
    struct session session = {0};
    session_open(&session);
    for (size_t size = 0; size < sizeof session.callbacks; size++) {
        struct nbstage_instance *instance = session.instance;
        assert_bad_call(
            stage->create(cut(&session.callbacks, size), &instance));
        ck_assert_ptr_null(instance);
    }
    for (size_t size = 0; size < sizeof map; size++)
        assert_bad_call(session_build(&session, cut(&map, size), &result));
    map.lump_count = 1;
    for (size_t size = 0; size < offsetof(struct nbstage_lump, compression);
         size++) {
        map.lumps = cut(maps[FORM_DOOM].lumps, size);
        assert_bad_call(session_build(&session, &map, &result));
    }
    for (size_t size = 0; size < sizeof result; size++) {
        struct nbstage_result given, before;
        memset(&given, 0xA5, sizeof given);
        given.size = size;
        before = given;
        assert_bad_call(stage->build(session.instance, maps, &given));
        ck_assert_mem_eq((char *)&given + size, (char *)&before + size,
                         sizeof given - size);
    }
    session_close(&session);
}

TEST(callbacks_may_be_absent_but_not_by_halves)
{
    static const struct nbstage_host none = {.size = sizeof none};
    struct nbstage_host half = {.size = sizeof half};
    struct nbstage_instance *instance;
    half.allocate = test_allocate;
    assert_bad_call(stage->create(&half, &instance));
    for (int i = 0; i < 2; i++) {
        struct nbstage_result result = {.size = sizeof result};
        stage->create(i == 0 ? NULL : &none, &instance);
        nbstage_status status = stage->build(instance, maps, &result);
        ck_assert_uint_eq(digest(status, &result), fresh_digest(maps));
        stage->free_result(instance, &result);
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

// Results outlive their map, later builds and options; they are freed in any
// order and twice, or left to destroy.
TEST(results_are_valid_until_they_are_freed)
{
    static const size_t order[] = {2, 0, 3, 2};
    struct nbstage_result results[5];
    const uint64_t expected = fresh_digest(&maps[FORM_DOOM]);
    struct nbstage_map map;
    struct session session = {0};
    session_open(&session);
    for (size_t i = 0; i < COUNT(results); i++) {
        map = maps[i == 3 ? FORM_DOOM_ARRAYS : FORM_DOOM];
        session_build(&session, &map, &results[i]);
        memset(&map, 0, sizeof map);
    }
    for (size_t i = 0; i < stage->option_count; i++)
        session_set(&session, option_at(i)->name, option_at(i)->default_value);
    for (size_t i = 0; i < COUNT(order); i++)
        session_free(&session, &results[order[i]]);
    ck_assert_ptr_ne(results[1].lumps->data, results[4].lumps->data);
    ck_assert_uint_eq(digest(NBSTAGE_OK, &results[1]), expected);
    ck_assert_uint_eq(digest(NBSTAGE_OK, &results[4]), expected);
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
    lump->compression = random_below(stream, 16) / 12;
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
    struct nbstage_result result;
    size_t *const at = end == CANCEL ? &session.host.cancelled_report
                                     : &session.host.refused_request;
    *at = number;
    if (session_open(&session) != NBSTAGE_OK) {
        session_close(&session);
        return true;
    }
    nbstage_status status = session_build(&session, map, &result);
    const bool was_met = number <= (end == CANCEL ? session.host.progress_count
                                                  : session.host.request_count);
    if ((status == NBSTAGE_CANCELLED) != (end == CANCEL && was_met))
        abort_with("%s: status %d", map->name, (int)status);
    if (status == NBSTAGE_OUT_OF_MEMORY)
        ck_assert(end != CANCEL && was_met);
    else if (status != NBSTAGE_CANCELLED)
        ck_assert_uint_eq(digest(status, &result), expected);
    session_free(&session, &result);
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
    struct nbstage loaded = {0};
    const char *path = getenv("PLUGIN");
    if (!path || !nbstage_find(&loaded, path, NULL, NULL))
        abort_with("PLUGIN: %s", path ? loaded.error : "it is not set");
    stage = loaded.descriptor;
    make_maps();
    TCase *tests = all_tests();
    tcase_set_timeout(tests, 600);
    return run_suite(tests);
}
