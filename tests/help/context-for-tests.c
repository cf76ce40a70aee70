// SPDX-License-Identifier: GPL-2.0-or-later
//
// Keeps the blocks that were handed out in a list, so that a test can tell
// whose memory a pointer points into.

#include "context-for-tests.h"

#include "base/macros.h"
#include "buffer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRESH = 0xA5 }; // what new memory is filled with

struct test_block {
    struct test_block *self; // what tells it from other memory
    struct test_block *next, *previous;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

struct test_host test_host;
struct context test_context;

void *test_allocate(void *user, size_t bytes)
{
    struct test_host *host = user;
    if (bytes == 0) // Check notes assertions, which takes long
        abort_with("no bytes were asked for");
    if (++host->request_count == host->refused_request)
        return NULL;
    struct test_block *block = malloc(sizeof *block + bytes);
    if (!block)
        abort_with("no memory for %zu bytes", bytes);
    *block =
        (struct test_block){.self = block, .next = host->blocks, .size = bytes};
    if (host->blocks)
        host->blocks->previous = block;
    memset(block->bytes, FRESH, bytes);
    host->blocks = block;
    host->in_use += bytes;
    if (host->in_use > host->peak)
        host->peak = host->in_use;
    return block->bytes;
}

void test_release(void *user, void *memory)
{
    struct test_host *host = user;
    struct test_block *block =
        (struct test_block *)((unsigned char *)memory -
                              offsetof(struct test_block, bytes));
    if (block->self != block)
        abort_with("memory was released that is not allocated");
    if (block->previous)
        block->previous->next = block->next;
    else
        host->blocks = block->next;
    if (block->next)
        block->next->previous = block->previous;
    block->self = NULL;
    host->in_use -= block->size;
    free(block);
}

void test_log(void *user, int32_t level, const char *message)
{
    struct test_host *host = user;
    if (strlen(message) >= sizeof host->message)
        abort_with("'%s' is too long a message", message);
    if (host->message_count++ == 0)
        strcpy(host->first_message, message);
    host->level = level;
    strcpy(host->message, message);
}

int32_t test_progress(void *user, uint32_t done, uint32_t total)
{
    struct test_host *host = user;
    ck_assert_uint_le(done, total);
    host->done = done;
    host->total = total;
    return ++host->progress_count == host->cancelled_report;
}

bool test_owns(const struct test_host *host, const void *memory, size_t size)
{
    uintptr_t address = (uintptr_t)memory;
    for (const struct test_block *block = host->blocks; block;
         block = block->next) {
        uintptr_t begin = (uintptr_t)block->bytes;
        if (address >= begin && size <= block->size &&
            address - begin <= block->size - size)
            return true;
    }
    return false;
}

const struct nbstage_host test_callbacks = {
    .size = sizeof test_callbacks,
    .context = &test_host,
    .allocate = test_allocate,
    .release = test_release,
    .log = test_log,
    .progress = test_progress,
};

struct context test_context_for(struct test_host *host)
{
    struct context context = {
        .user = host,
        .allocate = test_allocate,
        .release = test_release,
        .host = host,
        .log = test_log,
        .progress = test_progress,
        .map_name = "MAP01",
    };
    context_begin_build(&context);
    return context;
}

void test_set_up(void)
{
    test_host = (struct test_host){0};
    test_context = test_context_for(&test_host);
}

void test_tear_down(void)
{
    ck_assert_msg(!test_host.blocks, "memory was not released");
}

// Whether a letter or digit is at this place of a text.
static bool in_word(const char *place)
{
    return isalnum((unsigned char)*place);
}

static bool tells(const char *sentence, const char *fact)
{
    size_t length = strlen(fact);
    for (const char *at = strstr(sentence, fact); at;
         at = *at ? strstr(at + 1, fact) : NULL)
        if ((at == sentence || !in_word(at - 1)) && !in_word(at + length))
            return true;
    return false;
}

void assert_tells_all(const char *sentence, const char *const *facts)
{
    for (; *facts; facts++)
        ck_assert_msg(tells(sentence, *facts), "'%s' does not tell '%s'",
                      sentence, *facts);
}

// --- Tests of a program ---

// Constructors add to these, before main.
static struct {
    const TTest *test;
    int count;
} added[64];
static size_t added_count;

void add_test(const TTest *test, int count)
{
    if (added_count == COUNT(added))
        abort();
    added[added_count].test = test;
    added[added_count++].count = count;
}

TCase *all_tests(void)
{
    TCase *tests = tcase_create("tests");
    for (size_t i = 0; i < added_count; i++)
        tcase_add_loop_test(tests, added[i].test, 0, added[i].count);
    return tests;
}

int run_suite(TCase *tests)
{
    Suite *suite = suite_create("blocksweep");
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 && added_count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

uint64_t choose_seed(void)
{
    const char *given = getenv("SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
    printf("SEED=%" PRIu64 "\n", seed);
    fflush(stdout);
    return seed;
}
