// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line, and what is printed of each test.

#define _POSIX_C_SOURCE 200809L

#include "config.h"

#include "check-host.h"
#include "nbstage-host.h"
#include "platform.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_PASSED, ONE_FAILED, USAGE, NOT_LOADED, MOST_ONLY = 32 };

struct settings settings = {.seed = 1, .seconds = 60};

static const char *only[MOST_ONLY];
static size_t only_count;
static bool lists, prints_json, is_host;

static const struct test *const stage_tables[] = {
    descriptor_tests, call_tests,     memory_tests, result_tests,
    map_tests,        optional_tests, guest_tests,  NULL,
};
static const struct test *const host_tables[] = {host_tests, NULL};
static const struct test *const *tables = stage_tables;

static const char help[] =
    "Usage: nbstage-check [OPTION]... STAGE\n"
    "       nbstage-check [OPTION]... --host=COMMAND\n"
    "Tests whether a stage keeps what nbstage.h promises.  STAGE is the path\n"
    "of a stage, or a name to be found where hosts look for it.\n"
    "With --host, tests what a host makes of a stage that misbehaves.  "
    "COMMAND\n"
    "has {in} and {out} for files and {stage} for the name of the stage:\n"
    "'mybuilder [--plugin {stage},{option}] {in} -o {out}'\n"
    "\n"
    "  --host=COMMAND  test the host that this command runs\n"
    "  --list          list the tests\n"
    "  --only=NAME     run this test; may be given several times\n"
    "  --seed=NUMBER   make other random maps (1)\n"
    "  --seconds=N     time for each test (60)\n"
    "  --json          print the results as JSON\n"
    "  --help          print this help\n"
    "  --version       print the version\n"
    "\n"
    "Exit status: 0 all tests passed, 1 one failed, 2 wrong usage, 3 STAGE\n"
    "could not be loaded, or the host did not run.\n";

static _Noreturn void end_for_usage(const char *what, const char *word)
{
    fprintf(stderr, "nbstage-check: %s%s; see nbstage-check --help\n", what,
            word);
    exit(USAGE);
}

// ---------------------------------------------------------------------------
// The stage

// Where a name is found as the host kit finds it; NULL if nowhere.  The kit
// would load the stage into this process.
static const char *find_stage(const char *name)
{
    static char path[4096];
    char *folder;
    if (is_path(name))
        return name;
    for (size_t i = 0; nbstage_get_folder(NULL, i, &folder); i++) {
        for (size_t e = 0; folder && stage_endings[e]; e++) {
            snprintf(path, sizeof path, "%s/%s%s", folder, name,
                     stage_endings[e]);
            if (is_readable(path))
                break;
            path[0] = '\0';
        }
        free(folder);
        if (path[0])
            return path;
    }
    return NULL;
}

// ---------------------------------------------------------------------------
// What is printed

// In quotes of JSON.
static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
    putchar('"');
}

static void print_path(const char *path)
{
    putchar('\'');
    for (; *path; path++)
        if (*path == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*path);
    putchar('\'');
}

static void print_report(const struct test *test, const struct report *report,
                         bool is_first)
{
    static const char *const outcomes[] = {"passed", "failed", "skipped"};
    const char *outcome = outcomes[report->outcome];
    if (prints_json) {
        printf("%s\n    {\"name\": \"%s\", \"outcome\": \"%s\", "
               "\"seconds\": %.3f, \"sentence\": ",
               is_first ? "" : ",", test->name, outcome, report->seconds);
        print_quoted(report->sentence);
        putchar('}');
        return;
    }
    printf("%-8s%s%s%s\n", outcome, test->name, report->sentence[0] ? ": " : "",
           report->sentence);
    if (report->outcome == FAILED) {
        printf("        again: nbstage-check --only=%s --seed=%llu %s",
               test->name, (unsigned long long)settings.seed,
               is_host ? "--host=" : "");
        print_path(settings.path);
        putchar('\n');
    }
    fflush(stdout);
}

static bool is_wanted(const struct test *test)
{
    for (size_t i = 0; i < only_count; i++)
        if (strcmp(test->name, only[i]) == 0)
            return true;
    return only_count == 0;
}

// The next test of all tables after one, or the first after NULL.
static const struct test *next_test(const struct test *test)
{
    static size_t table;
    if (!test)
        table = 0;
    test = test ? test + 1 : tables[table];
    while (!test->name && tables[++table])
        test = tables[table];
    return tables[table] ? test : NULL;
}

static int run_tests(void)
{
    size_t counts[3] = {0};
    double seconds = 0;
    if (prints_json) {
        printf("{\"%s\": ", is_host ? "host" : "stage");
        print_quoted(settings.path);
        printf(", \"seed\": %llu,\n  \"tests\": [",
               (unsigned long long)settings.seed);
    }
    for (const struct test *test = NULL; (test = next_test(test));) {
        if (!is_wanted(test))
            continue;
        struct report report = run_test(test);
        if (ending_signal)
            break;
        print_report(test, &report, seconds == 0);
        counts[report.outcome]++;
        seconds += report.seconds;
    }
    if (prints_json)
        printf("]}\n");
    else
        printf("%zu passed, %zu failed, %zu skipped in %.1f seconds\n",
               counts[PASSED], counts[FAILED], counts[SKIPPED], seconds);
    return counts[FAILED] > 0 ? ONE_FAILED : ALL_PASSED;
}

// ---------------------------------------------------------------------------

static void list_tests(void)
{
    for (const struct test *test = NULL; (test = next_test(test));)
        printf("%-20s %s\n", test->name, test->promise);
}

static void add_only(const char *name)
{
    if (only_count == MOST_ONLY)
        end_for_usage("too many tests: ", name);
    only[only_count++] = name;
}

// The test of a name; NULL if there is none.
static const struct test *find_test(const char *name)
{
    const struct test *test = NULL;
    while ((test = next_test(test)) && strcmp(test->name, name) != 0)
        ;
    return test;
}

// Ends the program if no test has a name that was given.
static void check_names(void)
{
    for (size_t i = 0; i < only_count; i++)
        if (!find_test(only[i]))
            end_for_usage("--list has no test ", only[i]);
}

static uint64_t read_number(const char *text, uint64_t least)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno != 0 || number < least)
        end_for_usage("expected another number than ", text);
    return number;
}

static void read_options(int argc, char **argv)
{
    static const struct option options[] = {
        {"host", required_argument, NULL, 'c'},
        {"list", no_argument, NULL, 'l'},
        {"only", required_argument, NULL, 'o'},
        {"seed", required_argument, NULL, 's'},
        {"seconds", required_argument, NULL, 't'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},
        {0}};
    for (int option;
         (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'c':
            settings.path = optarg;
            is_host = true;
            tables = host_tables;
            break;
        case 'l':
            lists = true;
            break;
        case 'o':
            add_only(optarg);
            break;
        case 's':
            settings.seed = read_number(optarg, 0);
            break;
        case 't':
            settings.seconds = (double)read_number(optarg, 1);
            break;
        case 'j':
            prints_json = true;
            break;
        case 'h':
            fputs(help, stdout);
            exit(ALL_PASSED);
        case 'v':
            puts("nbstage-check " PACKAGE_VERSION);
            exit(ALL_PASSED);
        default:
            exit(USAGE); // getopt_long has said why
        }
    }
}

static void note_signal(int number)
{
    ending_signal = number;
}

static void prepare_stage(const char *name)
{
    settings.path = find_stage(name);
    if (settings.path)
        return;
    fprintf(stderr,
            "nbstage-check: no folder has a stage '%s'; for a file in the "
            "current folder write ./%s\n",
            name, name);
    exit(NOT_LOADED);
}

int main(int argc, char **argv)
{
    platform_begin(&argc, &argv);
    read_options(argc, argv);
    check_names();
    if (lists) {
        list_tests();
        return ALL_PASSED;
    }
    if (optind + !is_host != argc)
        end_for_usage(is_host ? "expected nothing besides the host"
                              : "expected one stage",
                      "");
    signal(SIGINT, note_signal);
    signal(SIGTERM, note_signal);
    if (is_host)
        host_begin(settings.path);
    else
        prepare_stage(argv[optind]);
    const struct test *first = is_host ? &host_load_test : &load_test;
    const char *name = test_of_parent();
    if (name)
        run_here(strcmp(name, first->name) == 0 ? first : find_test(name));
    const struct report report = run_test(first);
    int status = NOT_LOADED;
    if (report.outcome == PASSED)
        status = run_tests();
    else if (!ending_signal)
        fprintf(stderr, "nbstage-check: %s: %s\n", settings.path,
                report.sentence);
    if (is_host)
        host_end();
    if (ending_signal) {
        signal(ending_signal, SIG_DFL);
        raise(ending_signal);
    }
    return status;
}
