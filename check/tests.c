// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tests: the stage's tables, calls that break the contract, what is built,
// and builds that end early.

#include "check.h"

#include <fenv.h>
#include <inttypes.h>
#include <string.h>

enum { VALUE_SIZE = 64 };

static const struct nbstage_option *test_option(size_t index)
{
    return NBSTAGE_AT(struct nbstage_option, stage->options, index);
}

static void test_descriptor(void)
{
    if (stage->abi != NBSTAGE_ABI)
        fail("the abi is %" PRIu32 "; expected %d", stage->abi, NBSTAGE_ABI);
    check_sentence("name", stage->name);
    check_sentence("version", stage->version);
    check_sentence("summary", stage->summary);
    if (stage->lump_name_count == 0 || !stage->lump_names)
        fail("the descriptor has no lump_names");
    for (size_t i = 0; i < stage->lump_name_count; i++) {
        check_name("a lump's name", stage->lump_names[i],
                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS "_-[]\\");
        if (strlen(stage->lump_names[i]) > 8)
            fail("the lump name %s has more than 8 characters",
                 stage->lump_names[i]);
    }
}

static void test_choices(const struct nbstage_option *option)
{
    static const char *const flags[] = {"no", "yes"};
    const bool is_flag = option->type == NBSTAGE_OPTION_FLAG;
    if ((option->choice_count > 0 && !option->choices) ||
        (is_flag && option->choice_count != COUNT(flags)))
        fail("the option %s has other choices than it says", option->name);
    for (size_t i = 0; i < option->choice_count; i++) {
        const struct nbstage_choice *choice =
            NBSTAGE_AT(struct nbstage_choice, option->choices, i);
        check_size("a choice", choice->size, option->choices->size,
                   sizeof *choice);
        check_sentence("a choice's name", choice->name);
        check_sentence("a choice's help", choice->help);
        if (is_flag && strcmp(choice->name, flags[i]) != 0)
            fail("the flag %s has the choice %s", option->name, choice->name);
    }
}

static void test_options(void)
{
    if (stage->option_count > 0 && !stage->options)
        fail("option_count is not 0, but options is NULL");
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option = test_option(i);
        check_size("an option", option->size, stage->options->size,
                   sizeof *option);
        check_name("an option's name", option->name, LOWER_CASE DIGITS "-");
        check_sentence("an option's help", option->help);
        if (option->type < NBSTAGE_OPTION_CHOICE ||
            option->type > NBSTAGE_OPTION_LIST || !option->default_value)
            fail("the option %s has the type %" PRId32 " and %s default",
                 option->name, option->type,
                 option->default_value ? "a" : "no");
        test_choices(option);
        for (size_t other = 0; other < i; other++)
            if (strcmp(option->name, test_option(other)->name) == 0)
                fail("there are two options %s", option->name);
    }
}

// Writes a value that an option has to accept, by its index: the default, the
// choices, the least and the most.  False after the last.
static bool test_value(const struct nbstage_option *option, size_t index,
                       char text[VALUE_SIZE])
{
    if (option->type == NBSTAGE_OPTION_INTEGER && (index == 1 || index == 2))
        snprintf(text, VALUE_SIZE, "%" PRId64,
                 index == 1 ? option->minimum : option->maximum);
    else if (index <= option->choice_count)
        snprintf(text, VALUE_SIZE, "%s",
                 index == 0 ? option->default_value
                            : NBSTAGE_AT(struct nbstage_choice, option->choices,
                                         index - 1)
                                  ->name);
    else
        return false;
    return true;
}

// Each is accepted, and does not reach another instance.
static void test_values(void)
{
    const struct nbstage_map map = map_make(0);
    char value[VALUE_SIZE];
    struct session other = {0};
    session_open(&other);
    const uint64_t expected = session_digest(&other, &map);
    for (size_t i = 0; i < stage->option_count; i++)
        for (size_t v = 0; test_value(test_option(i), v, value); v++) {
            struct session session = {0};
            session_open(&session);
            if (session_set(&session, test_option(i)->name, value) !=
                NBSTAGE_OK)
                fail("%s=%s is not accepted", test_option(i)->name, value);
            const uint64_t made = session_digest(&session, &map);
            if (v == 0)
                check_same("with a default that is set", made, expected);
            check_same("after an option of another instance",
                       session_digest(&other, &map), expected);
            session_close(&session);
        }
    session_close(&other);
}

static void test_refused(struct session *session,
                         const struct nbstage_option *option, const char *value)
{
    if (session_set(session, option->name, value) != NBSTAGE_BAD_VALUE)
        fail("%s=%s is accepted", option->name, value);
}

// An option that is refused keeps its value.
static void test_bad_values(void)
{
    const struct nbstage_map map = map_make(0);
    char above[VALUE_SIZE];
    struct session session = {0};
    session_open(&session);
    if (session_set(&session, "no-such-option", "1") != NBSTAGE_UNKNOWN_OPTION)
        fail("an option that does not exist is not an unknown one");
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option = test_option(i);
        snprintf(above, sizeof above, "%" PRId64, option->maximum + 1);
        if (option->type == NBSTAGE_OPTION_INTEGER)
            test_refused(&session, option, above);
        if (option->type != NBSTAGE_OPTION_TEXT && !option->form)
            test_refused(&session, option, "no-such-choice-\xFF");
    }
    check_same("after options that were refused",
               session_digest(&session, &map), fresh_digest(&map));
    session_close(&session);
}

// ---------------------------------------------------------------------------
// Calls that break the contract

static void test_bad(const char *what, nbstage_status status)
{
    if (status != NBSTAGE_BAD_CALL)
        fail("%s: the status is %" PRId32 "; expected NBSTAGE_BAD_CALL", what,
             status);
}

static void test_null(void)
{
    const struct nbstage_map map = map_make(0);
    struct session session = {0};
    struct nbstage_result result = {.size = sizeof result};
    doing("passing NULL");
    test_bad("create without room", stage->create(NULL, NULL));
    session_open(&session);
    struct nbstage_instance *instance = session.instance;
    test_bad("set_option of NULL", stage->set_option(instance, NULL, "1"));
    test_bad("set_option without an instance",
             stage->set_option(NULL, "x", "1"));
    test_bad("build of NULL", stage->build(instance, NULL, &result));
    test_bad("build without a result", stage->build(instance, &map, NULL));
    test_bad("build without an instance", stage->build(NULL, &map, &result));
    stage->destroy(NULL);
    check_failure(&session, "build", NBSTAGE_BAD_CALL);
    session_close(&session);
}

// A structure of so many bytes, but with its size whole, before a page that
// cannot be touched.
static const void *test_cut(const void *structure, size_t size)
{
    enum { EACH = sizeof(size_t) };
    char copy[sizeof(struct nbstage_map)] = {0};
    memcpy(copy, structure, size);
    memcpy(copy, &size, sizeof size);
    return guarded_copy(copy,
                        size < EACH ? EACH : (size + EACH - 1) / EACH * EACH);
}

static void test_sizes(void)
{
    const struct nbstage_map map = map_make(FORM_LUMPS);
    struct session session = {0};
    struct nbstage_result result;
    session_open(&session);
    const struct nbstage_host host = session_host(&session);
    for (size_t size = 0; size < sizeof host; size++) {
        struct nbstage_instance *instance = session.instance;
        doing("passing create a host of size %zu", size);
        test_bad("create", stage->create(test_cut(&host, size), &instance));
        if (instance)
            fail("create failed, but *instance is not NULL");
    }
    for (size_t size = 0; size < sizeof map; size++) {
        // But not a lump without its padding, which no stage need ask for.
        const size_t lump_size =
            size % offsetof(struct nbstage_lump, compression);
        struct nbstage_map other = map;
        other.lumps = test_cut(map.lumps, lump_size);
        other.lump_count = 1;
        doing("building a map of size %zu, or with a lump of %zu", size,
              lump_size);
        test_bad("build", session_build(&session, &other, &result));
        test_bad("build",
                 session_build(&session, test_cut(&map, size), &result));
    }
    for (size_t size = 0; size < sizeof result; size++) {
        struct nbstage_result given, before;
        memset(&given, 0xA5, sizeof given);
        given.size = size;
        before = given;
        doing("building into a result of size %zu", size);
        test_bad("build", stage->build(session.instance, &map, &given));
        if (memcmp((char *)&given + size, (char *)&before + size,
                   sizeof given - size) != 0)
            fail("the stage wrote beyond a result of %zu bytes", size);
    }
    session_close(&session);
}

// A structure of a later version.
#define LONGER(type) \
    struct { \
        type known; \
        unsigned char later[64]; \
    }

// Unknown members at the ends of structures change nothing.
static void test_longer(void)
{
    const struct nbstage_map plain = map_make(FORM_BOTH);
    LONGER(struct nbstage_map) map;
    LONGER(struct nbstage_lump) lumps[MAP_LUMPS];
    LONGER(struct nbstage_result) result = {.known.size = sizeof result};
    struct session session = {0};
    memset(&map, 0xA5, sizeof map);
    memset(lumps, 0xA5, sizeof lumps);
    for (size_t i = 0; i < COUNT(lumps); i++) {
        lumps[i].known = plain.lumps[i];
        lumps[i].known.size = sizeof *lumps;
    }
    map.known = plain;
    map.known.size = sizeof map;
    map.known.lumps = &lumps->known;
    session_open(&session);
    doing("building from longer structures");
    const nbstage_status status =
        stage->build(session.instance, &map.known, &result.known);
    if (result.known.size != sizeof result)
        fail("build changed the size of a longer result");
    check_same("a map of longer structures",
               digest_result(&result.known) + (uint64_t)status,
               fresh_digest(&plain));
    session_close(&session);
}

static void test_callbacks(void)
{
    const struct nbstage_host none = {.size = sizeof none};
    const struct nbstage_map map = map_make(FORM_BOTH);
    struct session session = {.instance = NULL};
    struct nbstage_instance *instance = NULL;
    struct nbstage_host half = session_host(&session);
    half.release = NULL;
    doing("passing create half of a pair");
    test_bad("create", stage->create(&half, &instance));
    for (int i = 0; i < 2; i++) {
        struct nbstage_result result = {.size = sizeof result};
        doing("building for a host without callbacks");
        stage->create(i == 0 ? NULL : &none, &instance);
        const nbstage_status status = stage->build(instance, &map, &result);
        check_same("for a host without callbacks",
                   digest_result(&result) + (uint64_t)status,
                   fresh_digest(&map));
        stage->free_result(instance, &result);
        stage->destroy(instance);
    }
}

// Results are the same after the map is gone and after other calls; they are
// freed in any order, also when they are empty, or left to destroy.
static void test_live(void)
{
    static const size_t order[] = {2, 0, 3};
    struct nbstage_result results[COUNT(order) + 1];
    uint64_t digests[COUNT(results)];
    struct nbstage_map map;
    struct session session = {0};
    session_open(&session);
    doing("building maps whose results are kept");
    for (size_t i = 0; i < COUNT(results); i++) {
        map = map_make(i * (FORMS - 1));
        session_build(&session, &map, &results[i]);
        digests[i] = digest_result(&results[i]);
        memset(&map, 0, sizeof map);
    }
    for (size_t i = 0; i < stage->option_count; i++)
        session_set(&session, test_option(i)->name,
                    test_option(i)->default_value);
    for (size_t i = 0; i < COUNT(order); i++) {
        struct nbstage_result *result = &results[order[i]];
        check_same("a result, after later calls", digest_result(result),
                   digests[order[i]]);
        doing("freeing a result twice");
        session_free(&session, result);
        session_free(&session, result);
    }
    doing("destroying an instance with a result");
    session_close(&session);
}

// The same in another instance, in one that has built others, and with other
// modes of rounding.  Some map has to be built.
static void test_results(void)
{
    static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD};
    struct session used = {0};
    struct nbstage_result result;
    size_t built = 0;
    session_open(&used);
    for (size_t i = 0; i < COUNT(roundings) * MAPS; i++) {
        const struct nbstage_map map = map_make(i % MAPS);
        const int rounding = roundings[i / MAPS];
        const uint64_t expected = fresh_digest(&map);
        built += session_build(&used, &map, &result) == NBSTAGE_OK;
        session_free(&used, &result);
        fesetround(rounding);
        check_same("the same map in another instance", fresh_digest(&map),
                   expected);
        check_same("the same map in an instance that has built others",
                   session_digest(&used, &map), expected);
        if (fegetround() != rounding)
            fail("the stage changed the mode of rounding");
        fesetround(FE_TONEAREST);
    }
    if (built == 0)
        fail("the stage built none of %d maps", MAPS);
    session_close(&used);
}

static void *test_run_results(void *nothing)
{
    test_results();
    return nothing;
}

static void test_threads(void)
{
    pthread_t threads[8];
    for (size_t i = 0; i < COUNT(threads); i++)
        if (pthread_create(&threads[i], NULL, test_run_results, NULL) != 0)
            fail("nbstage-check itself could not start a thread");
    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
}

static void test_strides(void)
{
    for (size_t i = 0; i < MAPS; i += FORMS) {
        const struct nbstage_map map = map_make(i + FORM_SPREAD);
        const struct nbstage_map plain = map_make(i + FORM_ARRAYS);
        check_same(map.name, fresh_digest(&map), fresh_digest(&plain));
    }
}

// A copy with some other bytes, and sometimes cut off.
static const void *test_damage(const void *bytes, size_t *size,
                               uint64_t *random)
{
    unsigned char copy[MAP_LUMP_SIZE];
    memcpy(copy, bytes, *size);
    for (uint32_t count = map_random(random, 4); count > 0; count--)
        copy[map_random(random, (uint32_t)*size)] =
            (unsigned char)(map_random(random, 3) * 0x7F);
    if (map_random(random, 3) == 0)
        *size = map_random(random, (uint32_t)*size);
    return guarded_copy(copy, *size);
}

// Whatever a map is, it gives a result or a sentence, and the same one again.
static void test_damaged(void)
{
    uint64_t random = settings.seed;
    struct session session = {0};
    session_open(&session);
    for (size_t i = 0; i < 40 * MAPS; i++) {
        struct nbstage_map map = map_make(i % MAPS);
        struct nbstage_lump lumps[MAP_LUMPS];
        for (size_t n = 0; n < map.lump_count; n++) {
            lumps[n] = map.lumps[n];
            lumps[n].data =
                test_damage(lumps[n].data, &lumps[n].data_size, &random);
            lumps[n].compression = map_random(&random, 16) / 12;
        }
        map.lumps = lumps;
        if (map_random(&random, 4) == 0)
            map.vertices = NULL;
        struct nbstage_lines lines;
        if (map.lines && map_random(&random, 4) == 0) {
            lines = *map.lines;
            lines.v1.type = map_random(&random, 14);
            map.lines = &lines;
        }
        check_same("a damaged map, built again", session_digest(&session, &map),
                   fresh_digest(&map));
    }
    session_close(&session);
}

// Builds with what the session is to refuse, and without.  Returns how many
// requests or reports there were.
static size_t test_try_to_end(const struct nbstage_map *map, uint64_t expected,
                              struct session *session)
{
    struct nbstage_result result;
    if (session_open(session)) {
        session_build(session, map, &result);
        session_free(session, &result);
    }
    const size_t met =
        session->cancel_at > 0 ? session->reports : session->requests;
    session->refuse_from = session->cancel_at = 0;
    session->refuse_to = 0;
    if (session->instance)
        check_same("the build after one that ended early",
                   session_digest(session, map), expected);
    session_close(session);
    return met;
}

// Requests that are refused alone, or with all that follow, and reports.
static void test_ended(void)
{
    enum { AT, FROM, CANCEL, KINDS, MOST_TRIALS = 200 };
    static const char *const kinds[] = {"memory refused at request",
                                        "memory refused from request",
                                        "a wish to cancel at report"};
    for (size_t i = 0; i < KINDS * MAPS; i++) {
        const struct nbstage_map map = map_make(i % MAPS);
        const uint64_t expected = fresh_digest(&map);
        const size_t kind = i / MAPS;
        for (size_t number = 1, met = 1;
             number <= met + 1 && number < MOST_TRIALS; number++) {
            struct session trial = {0};
            if (kind == CANCEL)
                trial.cancel_at = number;
            else
                trial.refuse_from = number;
            trial.refuse_to = kind == FROM ? SIZE_MAX : trial.refuse_from;
            doing("building %s with %s %zu", map.name, kinds[kind], number);
            met = test_try_to_end(&map, expected, &trial);
        }
    }
}

const struct test tests[] = {
    {"load", "the stage can be loaded", NULL},
    {"descriptor", "names and functions of the descriptor", test_descriptor},
    {"options", "the table of options is whole", test_options},
    {"values", "they are accepted, and leave other instances alone",
     test_values},
    {"bad-values", "other values are refused, and change nothing",
     test_bad_values},
    {"null", "NULL is a bad call, and no crash", test_null},
    {"sizes", "structures of every size that is too short", test_sizes},
    {"longer", "structures with members of later versions", test_longer},
    {"callbacks", "hosts without callbacks, or with half of a pair",
     test_callbacks},
    {"results", "well-formed, and the same in any instance, at any time",
     test_results},
    {"live", "a result is valid until it is freed", test_live},
    {"threads", "the same bytes in eight threads at once", test_threads},
    {"strides", "elements of arrays may be far apart", test_strides},
    {"damaged", "maps that are wrong in some bytes or members", test_damaged},
    {"ended", "no memory at each request, and cancelled at each report",
     test_ended},
    {0}};
