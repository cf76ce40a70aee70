// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the module is a good guest in the process that loads it: what it
// does there, it does with memory and threads alone; it leaves everything as it
// was, does not mind how it was, and leaves nothing behind when it is unloaded.
//
// test-guest.sh makes a locale with a decimal comma for it, COMMA_LOCALE.

#include "config.h"

#include "buffer.h"
#include "call-filter.h"
#include "context-for-tests.h"
#include "lump-set.h"
#include "plugin.h"
#include "process-state.h"
#include "run-suite.h"

#include <dlfcn.h>
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LOADS = 1000,
    FIRST_LOADS = 20, // after which memory should not grow
    MOST_SUBJECTS = 8,
    MOST_SECONDS = 240,
    SKIPPED = 77, // what make check takes for that
};

static bool is_sanitized(void)
{
    const char *flags = getenv("SANITIZE_FLAGS");
    return flags && *flags;
}

// ---------------------------------------------------------------------------
// Work for the stage

// Searches with one thread, several and as many as there are processors, all
// ways to pack, merging, and limits that are not met.
static const char *const options[] = {
    "grid=keep check-nodes=yes",
    "grid=search threads=1 max-blocks=10000",
    "preset=small threads=4 max-blocks=10000",
    "grid=search goal=vanilla max-blocks=10000",
    "grid=fit pack=nest header=none fit=vanilla prune=inert",
    "grid=fit pack=cover header=any format=xbm1",
    "source=lump pack=none overflow=error",
};

// Coordinates with fractions, and a number that is none.
static const char triangle[] =
    "namespace = \"zdoom\";\n"
    "vertex { x = -0.5; y = 1e2; }\n"
    "vertex { x = 300.25; y = 100.125; }\n"
    "vertex { x = 150.0625; y = +700.875; }\n"
    "linedef { v1 = 0; v2 = 1; sidefront = 0; }\n"
    "linedef { v1 = 1; v2 = 2; sidefront = 0; }\n"
    "linedef { v1 = 2; v2 = 0; sidefront = 0; }\n"
    "sidedef { sector = 0; }\n"
    "sector { heightceiling = 128; user_share = 0.5; }\n";
static const char damaged[] = "namespace = \"zdoom\"; vertex { x = 1,5; }";

static struct wadfile sample;
static struct lump_set subjects[MOST_SUBJECTS];
static size_t subject_count;

static void tell(void *context, int32_t level, const char *message)
{
    fprintf(context, "%d %s\n", (int)level, message);
}

static int32_t go_on(void *context, uint32_t done, uint32_t total)
{
    (void)context;
    return done > total;
}

static void build(FILE *made, struct nbstage_instance *instance,
                  const struct nbstage_map *map)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_result result = {.size = sizeof result};
    if (stage->build(instance, map, &result) != NBSTAGE_OK)
        fprintf(made, "%s\n", stage->last_error(instance));
    for (size_t i = 0; i < result.lump_count; i++)
        fwrite(result.lumps[i].data, 1, result.lumps[i].data_size, made);
    for (size_t i = 0; i < result.fact_count; i++) {
        const struct nbstage_fact *fact = &result.facts[i];
        fprintf(made, "%s %lld %s\n", fact->name, (long long)fact->value,
                fact->text ? fact->text : "");
    }
    stage->free_result(instance, &result);
}

static void decode(FILE *made, struct nbstage_instance *instance,
                   const struct nbstage_map *map)
{
    const struct nbstage_descriptor *stage = plugin_stage();
    struct nbstage_decoded decoded = {.size = sizeof decoded};
    if (stage->decode(instance, map, &decoded) != NBSTAGE_OK)
        fprintf(made, "%s\n", stage->last_error(instance));
    fwrite(decoded.vertices, decoded.vertex_size, decoded.vertex_count, made);
    fwrite(decoded.lines, decoded.line_size, decoded.line_count, made);
    fwrite(decoded.sectors, decoded.sector_size, decoded.sector_count, made);
    if (decoded.left_out)
        fwrite(decoded.left_out, 1, decoded.line_count, made);
    stage->free_decoded(instance, &decoded);
}

// What the stage has made: lumps, facts, arrays, messages and sentences.
struct transcript {
    char *bytes; // for free()
    size_t size;
};

static struct transcript work(void)
{
    struct transcript transcript = {0};
    FILE *made = open_memstream(&transcript.bytes, &transcript.size);
    if (!made)
        ck_abort_msg("no memory for a transcript");
    const struct nbstage_host host = {
        .size = sizeof host, .context = made, .log = tell, .progress = go_on};
    for (size_t i = 0; i < COUNT(options); i++) {
        struct nbstage_instance *instance =
            plugin_create_for(&host, options[i]);
        for (size_t s = 0; s < subject_count; s++) {
            struct nbstage_map map = lump_set_map(&subjects[s]);
            build(made, instance, &map);
            decode(made, instance, &map);
        }
        plugin_stage()->destroy(instance);
    }
    fclose(made);
    return transcript;
}

static void work_for_nothing(void)
{
    struct transcript transcript = work();
    free(transcript.bytes);
}

static void assert_same(const struct transcript *made,
                        const struct transcript *expected)
{
    ck_assert_uint_eq(made->size, expected->size);
    ck_assert(memcmp(made->bytes, expected->bytes, made->size) == 0);
}

static void add_subject(struct lump_set subject)
{
    ck_assert_uint_lt(subject_count, MOST_SUBJECTS);
    subjects[subject_count++] = subject;
}

static void add_text(const char *text)
{
    struct lump_set subject = {.map_name = "MAP02"};
    lump_set_view(&subject, "TEXTMAP", text, strlen(text));
    add_subject(subject);
}

// Lines from a corner to points of the far edges of as many blocks as leave
// little room for lists in 32,768 words.
static void add_fan(void)
{
    enum { LINES = 60, EDGE = 23000 };
    struct buffer text = {0};
    buffer_print(&text, "namespace = \"doom\"; vertex { x = 0; y = 0; }\n");
    for (int i = 0; i < LINES; i++)
        buffer_print(&text, "vertex { x = %d; y = %d; }\n",
                     i % 2 ? EDGE : EDGE / LINES * i,
                     i % 2 ? EDGE / LINES * i : EDGE);
    for (int i = 0; i < LINES; i++)
        buffer_print(&text, "linedef { v1 = 0; v2 = %d; sidefront = 0; }\n",
                     i + 1);
    buffer_print(&text, "sidedef { sector = 0; }\nsector {}\n");
    struct lump_set subject = {.map_name = "MAP03"};
    lump_set_add(&subject, "TEXTMAP", text);
    add_subject(subject);
}

static void set_up(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/samples/freedoom-sample.wad",
             getenv("SOURCE_DIR"));
    sample = wadfile_read(path);
    for (size_t m = 0; m < sample.map_count; m++)
        add_subject(lump_set_from_wad(&sample.maps[m]));
    add_subject(lump_set_compressed(&subjects[1], NBSTAGE_ZLIB));
    add_text(triangle);
    add_text(damaged);
    add_fan();
}

static void tear_down(void)
{
    while (subject_count > 0)
        lump_set_free(&subjects[--subject_count]);
    wadfile_free(&sample);
}

// ---------------------------------------------------------------------------
// What it does

static void write_nothing(void)
{
    if (write(STDOUT_FILENO, "", 0) != 0)
        abort();
}

START_TEST(filter_tells_what_is_called)
{
    const char *otherwise = call_filter_run(write_nothing);
    ck_assert_ptr_nonnull(otherwise);
    ck_assert_ptr_nonnull(strstr(otherwise, "system call"));
}
END_TEST

START_TEST(work_calls_for_memory_and_threads_only)
{
    plugin_stage(); // is loaded by now
    const char *otherwise = call_filter_run(work_for_nothing);
    ck_assert_msg(!otherwise, "%s", otherwise);
}
END_TEST

static void *wait_until_closed(void *pipe_end)
{
    char nothing;
    while (read(*(const int *)pipe_end, &nothing, 1) > 0)
        ;
    return NULL;
}

START_TEST(threads_are_counted)
{
    int ends[2];
    pthread_t thread;
    ck_assert_int_eq(pipe(ends), 0);
    size_t before = process_count_threads();
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_until_closed, ends), 0);
    ck_assert_uint_eq(process_count_threads(), before + 1);
    close(ends[1]);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_uint_eq(process_count_threads(), before);
}
END_TEST

START_TEST(threads_have_ended)
{
    size_t before = process_count_threads();
    for (size_t i = 0; i < COUNT(options); i++) {
        struct nbstage_instance *instance = plugin_create(options[i]);
        for (size_t s = 0; s < subject_count; s++) {
            struct nbstage_map map = lump_set_map(&subjects[s]);
            struct nbstage_result result = {.size = sizeof result};
            plugin_stage()->build(instance, &map, &result);
            ck_assert_uint_eq(process_count_threads(), before);
        }
        plugin_stage()->destroy(instance);
    }
}
END_TEST

// ---------------------------------------------------------------------------
// What it leaves as it was

static void never_called(int signal_number)
{
    ck_abort_msg("signal %d has come", signal_number);
}

static void change_signals(void)
{
    static const int handled[] = {SIGALRM, SIGCHLD, SIGPIPE, SIGUSR1};
    for (size_t i = 0; i < COUNT(handled); i++) {
        struct sigaction action = {.sa_handler = never_called,
                                   .sa_flags = SA_RESTART};
        sigaddset(&action.sa_mask, SIGHUP);
        ck_assert_int_eq(sigaction(handled[i], &action, NULL), 0);
    }
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    ck_assert_int_eq(sigprocmask(SIG_BLOCK, &blocked, NULL), 0);
}

// Tells the first line that differs.
static void assert_same_lines(const char *before, const char *after)
{
    while (*before && *after) {
        int length = (int)strcspn(before, "\n");
        int length_after = (int)strcspn(after, "\n");
        ck_assert_msg(length == length_after &&
                          memcmp(before, after, (size_t)length) == 0,
                      "'%.*s' has become '%.*s'", length, before, length_after,
                      after);
        before += length + 1;
        after += length + 1;
    }
    ck_assert_str_eq(before, after);
}

// Where there is such a locale.
static void use_decimal_comma(void)
{
    const char *name = getenv("COMMA_LOCALE");
    if (!name)
        return;
    ck_assert_ptr_nonnull(setlocale(LC_ALL, name));
    ck_assert_str_eq(localeconv()->decimal_point, ",");
}

START_TEST(process_is_left_as_it_was)
{
    change_signals();
    ck_assert_int_eq(chdir(getenv("SOURCE_DIR")), 0);
    use_decimal_comma();
    umask(031);
    fesetround(FE_UPWARD);
    feraiseexcept(FE_OVERFLOW | FE_INEXACT);
    char *before = process_state();
    work_for_nothing();
    char *after = process_state();
    assert_same_lines(before, after);
    free(before);
    free(after);
}
END_TEST

// ---------------------------------------------------------------------------
// What it does not mind

// A host may have any floating-point exception end the process.
START_TEST(rounding_and_traps_change_nothing)
{
    static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    struct transcript expected = work();
    for (size_t i = 0; i < COUNT(roundings); i++) {
        ck_assert_int_eq(fesetround(roundings[i]), 0);
        feclearexcept(FE_ALL_EXCEPT);
#ifdef __GLIBC__
        feenableexcept(FE_ALL_EXCEPT);
#endif
        struct transcript made = work();
        int raised = fetestexcept(FE_ALL_EXCEPT);
        fesetenv(FE_DFL_ENV);
        ck_assert_int_eq(raised, 0);
        assert_same(&made, &expected);
        free(made.bytes);
    }
    free(expected.bytes);
}
END_TEST

START_TEST(decimal_comma_changes_nothing)
{
    struct transcript expected = work();
    use_decimal_comma();
    struct transcript made = work();
    assert_same(&made, &expected);
    free(made.bytes);
    free(expected.bytes);
}
END_TEST

// ---------------------------------------------------------------------------
// What it leaves behind

// The whole life of a stage in a host that is done with it; now and then it
// searches with threads.
static void load_and_unload(size_t round)
{
    static const struct nbstage_lump lump = {.size = sizeof lump,
                                             .name = "TEXTMAP",
                                             .data = triangle,
                                             .data_size = sizeof triangle - 1};
    struct nbstage_map map = nbstage_map_from_lumps("MAP01", &lump, 1);
    struct nbstage_result result = {.size = sizeof result};
    struct nbstage_instance *instance;
    void *module = dlopen(getenv("PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    ck_assert_ptr_nonnull(module);
    nbstage_describe_function describe;
    *(void **)&describe = dlsym(module, NBSTAGE_SYMBOL);
    const struct nbstage_descriptor *stage = describe(NBSTAGE_ABI);
    ck_assert_int_eq(stage->create(NULL, &instance), NBSTAGE_OK);
    const char *grid = round % 10 == 0 ? "search" : "fit";
    ck_assert_int_eq(stage->set_option(instance, "grid", grid), NBSTAGE_OK);
    ck_assert_int_eq(stage->set_option(instance, "threads", "2"), NBSTAGE_OK);
    ck_assert_int_eq(stage->build(instance, &map, &result), NBSTAGE_OK);
    stage->destroy(instance); // with its result
    ck_assert_int_eq(dlclose(module), 0);
}

static bool is_loaded(void)
{
    return dlopen(getenv("PLUGIN"), RTLD_NOW | RTLD_NOLOAD) != NULL;
}

// What the process holds; 0 is what the system does not tell.
struct held {
    size_t mappings;
    size_t descriptors;
    size_t memory; // bytes
};

static struct held measure(void)
{
    struct held held = {.mappings = process_count_mappings(),
                        .descriptors = process_count_descriptors()};
#ifdef HAVE_MALLINFO2
    held.memory = mallinfo2().uordblks;
#endif
    return held;
}

START_TEST(thousand_loads_leave_nothing_behind)
{
    for (size_t i = 0; i < FIRST_LOADS; i++)
        load_and_unload(i);
    ck_assert(!is_loaded());
    struct held before = measure();
    for (size_t i = 0; i < LOADS; i++)
        load_and_unload(i);
    ck_assert(!is_loaded());
    struct held after = measure();
    ck_assert_uint_eq(after.descriptors, before.descriptors);
    if (is_sanitized())
        return; // sanitizers keep memory of their own
    ck_assert_uint_lt(after.memory, before.memory + LOADS);
    ck_assert_uint_le(after.mappings, before.mappings);
}
END_TEST

// ---------------------------------------------------------------------------

// Prints why if not; what sanitizers add would not pass.
static bool can_look_at_calls(void)
{
    if (is_sanitized())
        return false;
    if (call_filter_is_there())
        return true;
    puts("skipped: system calls cannot be looked at");
    return false;
}

static bool has_decimal_comma(void)
{
    if (getenv("COMMA_LOCALE"))
        return true;
    puts("skipped: COMMA_LOCALE names no locale with a decimal comma");
    return false;
}

static TCase *tests_at_work(bool with_calls, bool with_comma)
{
    TCase *tests = tcase_create("at work");
    tcase_set_timeout(tests, MOST_SECONDS);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    if (with_calls) {
        tcase_add_test(tests, filter_tells_what_is_called);
        tcase_add_test(tests, work_calls_for_memory_and_threads_only);
    }
    tcase_add_test(tests, threads_are_counted);
    tcase_add_test(tests, threads_have_ended);
    tcase_add_test(tests, process_is_left_as_it_was);
    tcase_add_test(tests, rounding_and_traps_change_nothing);
    if (with_comma)
        tcase_add_test(tests, decimal_comma_changes_nothing);
    return tests;
}

static TCase *tests_of_loading(void)
{
    TCase *tests = tcase_create("loading");
    tcase_set_timeout(tests, MOST_SECONDS);
    tcase_add_test(tests, thousand_loads_leave_nothing_behind);
    return tests;
}

int main(void)
{
    if (!getenv("PLUGIN") || !getenv("SOURCE_DIR")) {
        puts("PLUGIN and SOURCE_DIR have to be set");
        return EXIT_FAILURE;
    }
    bool with_calls = can_look_at_calls();
    bool with_comma = has_decimal_comma();
    Suite *suite = suite_create("guest");
    suite_add_tcase(suite, tests_at_work(with_calls, with_comma));
    suite_add_tcase(suite, tests_of_loading());
    int status = run_suite(suite);
    bool is_whole = with_comma && (with_calls || is_sanitized());
    return status == EXIT_SUCCESS && !is_whole ? SKIPPED : status;
}
