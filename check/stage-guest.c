// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage as a guest in the process that loads it: it uses memory and threads
// alone, leaves everything as it was, works whatever the floating-point
// environment and the locale are, and leaves nothing when it is unloaded.

#define _GNU_SOURCE

#include "config.h"

#include "platform.h"
#include "stage.h"

#include <fenv.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
extern char **environ;
#endif

// Whatever the program and the stage were compiled with.
static bool is_sanitized(void)
{
    return process_has("__asan_init") || process_has("__tsan_init") ||
           process_has("__ubsan_handle_add_overflow");
}

// ---------------------------------------------------------------------------
// Work for the stage

static size_t threads_expected; // after each build; 0: any number

static void build_one(const struct map *map, const struct values *value,
                      struct text *made)
{
    struct session session;
    session_open(&session);
    if (value) {
        doing("building %s with %s=%s", map->what, value->name, value->text);
        session_set(&session, value->name, value->text);
    }
    session_write(&session, map->map, true, made);
    if (stage->decode) {
        struct nbstage_decoded decoded = {.size = sizeof decoded};
        enter(&session);
        stage->decode(session.instance, map->map, &decoded);
        leave(&session);
        text_add(made, decoded.vertices,
                 decoded.vertex_count * decoded.vertex_stride);
    }
    session_close(&session);
    if (threads_expected > 0 && count_threads() != threads_expected)
        fail("there were %zu threads before a build, and %zu after it",
             threads_expected, count_threads());
}

// Every map as it is, and each drawing once with each value of each option.
static struct text work(void)
{
    struct text made = {0};
    for (struct walk walk = {0}; next_map(&walk);)
        build_one(&walk.map, NULL, &made);
    for (struct walk walk = {0}; next_map(&walk); walk.index += FORM_COUNT - 2)
        for (struct values value = {0}; next_value(&value);)
            build_one(&walk.map, &value, &made);
    return made;
}

static void work_for_nothing(void)
{
    struct text made = work();
    free(made.bytes);
}

// ---------------------------------------------------------------------------
// What the process does and holds

static void test_system_calls(void)
{
    stage_load();
    if (is_sanitized())
        skip("sanitizers make system calls of their own");
    forbid_system_calls();
    work_for_nothing();
}

static void test_threads_ended(void)
{
    stage_load();
    threads_expected = count_threads();
    if (threads_expected == 0)
        skip("this system does not list threads");
    if (process_has("__tsan_init"))
        skip("the thread sanitizer has a thread of its own");
    work_for_nothing();
}

// All of it as text, a line each.
static struct text process_state(void)
{
    struct text text = {0};
    char folder[4096];
    text_print(&text, "rounding %d\n", fegetround());
#ifdef __SSE__ // whether tiny numbers become 0, besides; not what was raised
    text_print(&text, "floating-point control %x\n",
               __builtin_ia32_stmxcsr() & ~0x3Fu);
#endif
    text_print(&text, "working folder %s\n", getcwd(folder, sizeof folder));
    text_print(&text, "locale %s\n", setlocale(LC_ALL, NULL));
    for (char **variable = environ; *variable; variable++)
        text_print(&text, "%s\n", *variable);
    process_write(&text);
    text_add(&text, "", 1);
    return text;
}

// Tells the first line that differs.
static void check_same_lines(const char *before, const char *after)
{
    while (*before || *after) {
        int length = (int)strcspn(before, "\n");
        int length_after = (int)strcspn(after, "\n");
        if (length != length_after ||
            memcmp(before, after, (size_t)length) != 0)
            fail("of the process, '%.*s' has become '%.*s'", length, before,
                 length_after, after);
        before += length + (before[length] == '\n');
        after += length_after + (after[length_after] == '\n');
    }
}

// A locale with a decimal comma, where there is one.
static bool use_decimal_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8",
                                        "fr_FR",       "es_ES", "nl_NL.UTF-8"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (setlocale(LC_ALL, names[i]) &&
            strcmp(localeconv()->decimal_point, ",") == 0)
            return true;
    return false;
}

static void test_process(void)
{
    stage_load();
    process_change();
    use_decimal_comma();
    fesetround(FE_UPWARD);
    struct text before = process_state();
    work_for_nothing();
    struct text after = process_state();
    check_same_lines((char *)before.bytes, (char *)after.bytes);
}

static void test_rounding(void)
{
    static const int roundings[] = {FE_UPWARD, FE_DOWNWARD};
    stage_load();
    struct text expected = work();
    for (size_t i = 0; i < COUNT(roundings); i++) {
        fesetround(roundings[i]);
        struct text made = work();
        check_same("with another rounding mode", &made, &expected);
    }
}

static void test_locale(void)
{
    stage_load();
    struct text expected = work();
    if (!use_decimal_comma())
        skip("this system has no locale with a decimal comma");
    struct text made = work();
    check_same("with a decimal comma", &made, &expected);
}

// ---------------------------------------------------------------------------
// What it leaves behind

// The whole life of a stage in a host that gives it no memory.
static void load_and_unload(const struct nbstage_map *map)
{
    stage_load();
    struct nbstage_instance *instance;
    struct nbstage_result result = {.size = sizeof result};
    if (stage->create(NULL, &instance) != NBSTAGE_OK)
        fail("create failed");
    stage->build(instance, map, &result);
    stage->free_result(instance, &result);
    stage->set_option(instance, "no-such-option", "x");
    stage->build(instance, map, &result);
    stage->destroy(instance);
    if (!library_close(stage_library()))
        fail("the stage cannot be unloaded");
}

static void test_loads(void)
{
    enum { LOADS = 1000, FIRST_LOADS = 20 };
    struct drawing drawing = drawing_make(0, settings.seed);
    struct map maps[2] = {map_make(&drawing, FORM_DOOM),
                          map_make(&drawing, FORM_ARRAYS)};
    struct held before = {0};
    const size_t threads = count_threads();
    for (size_t i = 0; i < LOADS + FIRST_LOADS; i++) {
        if (i == FIRST_LOADS)
            before = process_measure();
        load_and_unload(maps[i % 2].map);
    }
    struct held after = process_measure();
    if (after.descriptors != before.descriptors)
        fail("1,000 loads left %zu file descriptors of %zu", after.descriptors,
             before.descriptors);
    if (count_threads() > threads)
        fail("1,000 loads left %zu threads", count_threads() - threads);
    if (is_sanitized())
        return; // sanitizers keep memory of their own
    if (after.memory > before.memory + LOADS)
        fail("1,000 loads left %zu bytes of memory",
             after.memory - before.memory);
    if (after.mappings > before.mappings + 8)
        fail("1,000 loads left %zu mappings of memory",
             after.mappings - before.mappings);
    if (library_is_loaded(settings.path))
        fail("the stage stays loaded after it was unloaded");
}

const struct test guest_tests[] = {
    {"system-calls", "calls for memory, threads and the time only",
     test_system_calls},
    {"threads-ended", "threads end before a call returns", test_threads_ended},
    {"process", "signals, locale, folder and files are left alone",
     test_process},
    {"rounding", "other modes of rounding change nothing", test_rounding},
    {"locale", "a decimal comma changes nothing", test_locale},
    {"loads", "1,000 loads leave nothing behind", test_loads},
    {0}};
