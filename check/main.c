// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line, and what is printed of each test.

#include "config.h"

#include "check.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_PASSED, ONE_FAILED, USAGE, NOT_LOADED };

static const struct test *only; // the test to run, or NULL for all

static const char help[] =
    "Usage: nbstage-check [OPTION]... STAGE\n"
    "Tests whether a stage keeps what nbstage.h promises.  STAGE is the path\n"
    "of a stage, or a name to be found where hosts look for it.\n"
    "\n"
    "  --list          list the tests\n"
    "  --only=NAME     run this test\n"
    "  --seed=NUMBER   make other random maps (1)\n"
    "  --seconds=N     time for each test (60)\n"
    "  --help          print this help\n"
    "  --version       print the version\n"
    "\n"
    "Exit status: 0 all tests passed, 1 one failed, 2 wrong usage, 3 STAGE\n"
    "could not be loaded.\n";

static _Noreturn void main_refuse(const char *what, const char *word)
{
    fprintf(stderr, "nbstage-check: %s%s; see nbstage-check --help\n", what,
            word);
    exit(USAGE);
}

// Prints a sentence once: many tests may find the same.
static void main_print_failure(const char *name, const char *sentence)
{
    static char told[64 * REPORT_SIZE];
    const size_t end = strlen(told);
    if (strstr(told, sentence)) {
        printf("failed  %s: as above\n", name);
        return;
    }
    printf("failed  %s: %s\n"
           "        again: nbstage-check --only=%s --seed=%u '%s'\n",
           name, sentence, name, settings.seed, settings.stage);
    snprintf(told + end, sizeof told - end, "%s\n", sentence);
}

static int main_run_tests(void)
{
    size_t counts[2] = {0};
    char sentence[REPORT_SIZE];
    for (const struct test *test = tests; test->name; test++) {
        if (only && test != only)
            continue;
        const bool has_passed = process_run_test(test, sentence);
        counts[has_passed]++;
        if (has_passed)
            printf("passed  %s\n", test->name);
        else
            main_print_failure(test->name, sentence);
    }
    printf("%zu passed, %zu failed\n", counts[true], counts[false]);
    return counts[false] > 0 ? ONE_FAILED : ALL_PASSED;
}

static unsigned main_read_number(const char *text)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    if (number < 1 || number > 1000000 || *end)
        main_refuse("expected a number from 1 to 1000000, not ", text);
    return (unsigned)number;
}

static void main_read_options(int argc, char **argv)
{
    static const struct option options[] = {
        {"list", no_argument, NULL, 'l'},
        {"only", required_argument, NULL, 'o'},
        {"seed", required_argument, NULL, 's'},
        {"seconds", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},
        {0}};
    for (int option;
         (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'l':
            for (const struct test *test = tests; test->name; test++)
                printf("%-12s %s\n", test->name, test->promise);
            exit(ALL_PASSED);
        case 'o':
            only = process_find_test(tests, optarg);
            if (!only)
                main_refuse("--list has no test ", optarg);
            break;
        case 's':
            settings.seed = main_read_number(optarg);
            break;
        case 't':
            settings.seconds = main_read_number(optarg);
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

int main(int argc, char **argv)
{
    char sentence[REPORT_SIZE];
    main_read_options(argc, argv);
    if (optind + 1 != argc)
        main_refuse("expected one stage", "");
    settings.stage = argv[optind];
    settings.load = session_load;
    process_begin(tests);
    if (process_run_test(&tests[0], sentence))
        return main_run_tests();
    fprintf(stderr, "nbstage-check: %s\n", sentence);
    return NOT_LOADED;
}
