// SPDX-License-Identifier: GPL-2.0-or-later
//
// Calls that break the contract, structures of every size, and hosts without
// callbacks.  A structure ends where memory ends.

#include "stage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void test_null(void)
{
    stage_load();
    struct walk walk = {0};
    struct session session;
    struct nbstage_result result = {.size = sizeof result};
    next_map(&walk);
    doing("passing NULL to create");
    expect_bad_call("create without room for an instance",
                    stage->create(NULL, NULL));
    session_open(&session);
    enter(&session);
    struct nbstage_instance *instance = session.instance;
    doing("passing NULL to set_option");
    expect_bad_call("set_option of NULL",
                    stage->set_option(instance, NULL, "1"));
    check_failure(&session, "set_option", NBSTAGE_BAD_CALL);
    enter(&session);
    expect_bad_call("set_option to NULL",
                    stage->set_option(instance, "x", NULL));
    expect_bad_call("set_option without an instance",
                    stage->set_option(NULL, "x", "1"));
    doing("passing NULL to build");
    expect_bad_call("build of NULL", stage->build(instance, NULL, &result));
    check_failure(&session, "build", NBSTAGE_BAD_CALL);
    enter(&session);
    expect_bad_call("build without a result",
                    stage->build(instance, walk.map.map, NULL));
    expect_bad_call("build without an instance",
                    stage->build(NULL, walk.map.map, &result));
    doing("passing NULL to destroy");
    stage->destroy(NULL);
    leave(&session);
    session_close(&session);
}

static void test_host_sizes(void)
{
    stage_load();
    const struct nbstage_host whole = {.size = sizeof whole};
    for (size_t size = 0; size < sizeof whole; size++) {
        struct nbstage_instance *instance = (void *)&size;
        void *host = cut(&whole, size);
        doing("passing create a host of size %zu", size);
        nbstage_status status = stage->create(host, &instance);
        if (status != NBSTAGE_BAD_CALL || instance)
            fail("create with a host of size %zu: status %" PRId32
                 " and%s an instance",
                 size, status, instance ? "" : " not");
        uncut(host, &whole, size);
    }
}

// Without the padding at its end, which no stage need ask for.
enum {
    SMALLEST_LUMP =
        offsetof(struct nbstage_lump, compression) + sizeof(uint32_t)
};

static void test_map_sizes(void)
{
    stage_load();
    for (struct walk walk = {0}; next_map(&walk) && walk.built <= FORM_COUNT;) {
        struct session session;
        session_open(&session);
        for (size_t size = 0; size < sizeof *walk.map.map; size++) {
            struct nbstage_result result;
            void *map = cut(walk.map.map, size);
            doing("building a map of size %zu", size);
            expect_bad_call("build of a map that is cut",
                            session_build(&session, map, &result));
            uncut(map, walk.map.map, size);
        }
        for (size_t size = 0; size < SMALLEST_LUMP; size++) {
            struct nbstage_map map = *walk.map.map;
            struct nbstage_result result;
            if (map.lump_count == 0)
                break;
            void *lump = cut(map.lumps, size);
            map.lumps = lump;
            map.lump_count = 1;
            doing("building a map with a lump of size %zu", size);
            expect_bad_call("build with a lump that is cut",
                            session_build(&session, &map, &result));
            uncut(lump, walk.map.map->lumps, size);
        }
        session_close(&session);
    }
}

// What a result had before must not be taken for the stage's own.
static void test_result_sizes(void)
{
    stage_load();
    struct walk walk = {0};
    struct session session;
    const struct nbstage_result none = {.size = sizeof none};
    next_map(&walk);
    session_open(&session);
    for (size_t size = 0; size < sizeof none; size++) {
        struct nbstage_result *result = cut(&none, size);
        doing("building into a result of size %zu", size);
        enter(&session);
        expect_bad_call("build into a result that is cut",
                        stage->build(session.instance, walk.map.map, result));
        leave(&session);
        check_failure(&session, "build", NBSTAGE_BAD_CALL);
        uncut(result, &none, size);
    }
    session_close(&session);
}

// The lumps of a map as structures of another version, far apart.
static struct nbstage_lump *lengthen(const struct nbstage_map *map, size_t more,
                                     size_t *size)
{
    const size_t each = sizeof *map->lumps + more;
    struct text text = {0};
    for (size_t i = 0; i < map->lump_count; i++) {
        struct nbstage_lump lump = map->lumps[i];
        lump.size = each;
        text_add(&text, &lump, sizeof lump);
        for (size_t b = 0; b < more; b++)
            text_add(&text, "\xA5", 1);
    }
    struct nbstage_lump *lumps = guarded(text.bytes, text.size);
    *size = text.size;
    free(text.bytes);
    return lumps;
}

// Unknown members at the ends of a host, a map and its lumps change nothing.
static void test_longer(void)
{
    stage_load();
    enum { MORE = 8 * sizeof(size_t) };
    for (struct walk walk = {0}; next_map(&walk);) {
        struct text expected = {0}, made = {0};
        struct session session = {.instance = NULL};
        struct {
            struct nbstage_map map;
            unsigned char later[MORE];
        } map = {.map = *walk.map.map};
        struct {
            struct nbstage_result result;
            unsigned char later[MORE];
        } result = {.result.size = sizeof result};
        size_t size;
        write_afresh(walk.map.map, true, &expected);
        struct nbstage_lump *lumps = lengthen(walk.map.map, MORE, &size);
        memset(map.later, 0xA5, MORE);
        map.map.size = sizeof map;
        map.map.lumps = map.map.lump_count > 0 ? lumps : NULL;
        session_open(&session);
        doing("building %s from longer structures", walk.map.what);
        enter(&session);
        nbstage_status status =
            stage->build(session.instance, &map.map, &result.result);
        leave(&session);
        if (status != NBSTAGE_OK)
            fail("a map of longer structures is not built: %s",
                 stage->last_error(session.instance));
        if (result.result.size != sizeof result)
            fail("build changed the size of a longer result");
        result_write(&made, &result.result, true);
        check_same("a map of longer structures", &made, &expected);
        enter(&session);
        stage->free_result(session.instance, &result.result);
        leave(&session);
        session_close(&session);
        guarded_free(lumps, size);
        free(expected.bytes);
    }
}

// Builds a map for a host whose callbacks are NULL.
static void build_without(const struct nbstage_host *host,
                          const struct nbstage_map *map,
                          const struct text *expected)
{
    struct session session = {.instance = NULL};
    struct text made = {0};
    doing("building for a host without callbacks");
    if (stage->create(host, &session.instance) != NBSTAGE_OK)
        fail("create fails for a host without callbacks");
    session_write(&session, map, true, &made);
    check_same("for a host without callbacks", &made, expected);
    stage->destroy(session.instance);
}

static void test_callbacks(void)
{
    stage_load();
    struct session session;
    session_open(&session);
    struct nbstage_host half = session.callbacks;
    struct nbstage_instance *instance = session.instance;
    half.release = NULL;
    enter(&session);
    expect_bad_call("create with allocate, but not release",
                    stage->create(&half, &instance));
    leave(&session);
    if (instance)
        fail("create failed, but *instance is not NULL");
    session_close(&session);
    const struct nbstage_host none = {.size = sizeof none};
    for (struct walk walk = {0}; next_map(&walk);) {
        struct text expected = {0};
        write_afresh(walk.map.map, true, &expected);
        build_without(NULL, walk.map.map, &expected);
        build_without(&none, walk.map.map, &expected);
        free(expected.bytes);
    }
}

const struct test call_tests[] = {
    {"null", "NULL is a bad call, and no crash", test_null},
    {"host-sizes", "a host of every size that is too short", test_host_sizes},
    {"map-sizes", "a map, and a lump, of every size that is too short",
     test_map_sizes},
    {"result-sizes", "a result of every size that is too short",
     test_result_sizes},
    {"longer", "structures with members of later versions", test_longer},
    {"no-callbacks", "hosts without callbacks, or with half of a pair",
     test_callbacks},
    {0}};
