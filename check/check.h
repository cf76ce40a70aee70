// SPDX-License-Identifier: GPL-2.0-or-later
//
// nbstage-check: a program that tests a stage against nbstage.h.
// A test is a function in a table.  It runs in a process of its own, returns
// if the stage keeps the promise, and otherwise ends with fail().
// Tests leave maps to the end of that process.

#ifndef CHECK_H
#define CHECK_H

// IWYU pragma: begin_exports
#include "nbstage.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
// IWYU pragma: end_exports

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SENTENCE_SIZE = 1024, REPORT_SIZE = 2 * SENTENCE_SIZE };

struct test {
    const char *name;    // "sizes"; NULL after the last
    const char *promise; // a line of --list
    void (*run)(void);   // NULL: to load the stage is all
};

extern const struct test tests[];

// ---------------------------------------------------------------------------
// process.c: a test in a process of its own

struct settings {
    const char *stage;  // the name or path
    unsigned seed;      // of random maps
    unsigned seconds;   // that a test may take
    void (*load)(void); // loads the stage, before each test
};
extern struct settings settings;

// The test of a name; NULL if there is none.
const struct test *process_find_test(const struct test *all, const char *name);

// Loads the stage and runs a test: whether it has passed, and why not.
bool process_run_test(const struct test *test, char sentence[REPORT_SIZE]);

// Where process_run_test starts this program again, does not return.
void process_begin(const struct test *all);

// For tests, from any thread: what is being done, for the sentence if the test
// crashes or hangs; and their end.  No full stops.
void doing(const char *format, ...) __attribute__((format(__printf__, 1, 2)));
_Noreturn void fail(const char *format, ...)
    __attribute__((format(__printf__, 1, 2)));

// A copy that is read-only and lies before a page that cannot be touched: a
// stage that writes to it, or reads beyond it, crashes.
const void *guarded_copy(const void *bytes, size_t size);

// ---------------------------------------------------------------------------
// maps.c: small maps in every form that a host may hand over

uint32_t map_random(uint64_t *state, uint32_t end);

enum form {
    FORM_LUMPS,
    FORM_ARRAYS,
    FORM_SPREAD, // arrays with the host's own bytes between elements
    FORM_BOTH,   // arrays and lumps
    FORMS
};

enum { DRAWINGS = 3, MAPS = DRAWINGS * FORMS };
enum { MAP_LUMPS = 4, MAP_LUMP_SIZE = 2000 }; // and the most bytes of one

// Map `index` below MAPS; that modulo FORMS is its form.  All that it points to
// is a guarded copy.
struct nbstage_map map_make(size_t index);

// ---------------------------------------------------------------------------
// session.c: the stage as a test calls it.  Every call looks at what all calls
// promise, and ends the test with a sentence if that is broken.

// The stage, loaded into the process of a test.
extern const struct nbstage_descriptor *stage;
void session_load(void);

// An instance, and its host: what callbacks have seen, and are to refuse.
struct session {
    struct nbstage_instance *instance;
    pthread_t thread; // that calls it
    struct block *blocks;
    size_t requests, refuse_from, refuse_to; // counted from 1; 0 refuses none
    size_t reports, cancel_at;
};

// The callbacks of a session that must not move.
struct nbstage_host session_host(struct session *session);

// Begins a session of zeros; false if memory was refused.  Its end looks for
// memory that is left.
bool session_open(struct session *session);
void session_close(struct session *session);

// Fails unless the text is a sentence, or a line of help: not empty, UTF-8,
// without control characters and a full stop.
void check_sentence(const char *what, const char *text);

// Fails unless the text is a name of these characters.
void check_name(const char *what, const char *name, const char *characters);

#define LOWER_CASE "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

// Fails unless the size of an element is that of the first, and large enough.
void check_size(const char *what, size_t size, size_t first, size_t least);

// Fails unless a call that failed with a status has left a sentence.
void check_failure(struct session *session, const char *call,
                   nbstage_status status);

nbstage_status session_set(struct session *session, const char *name,
                           const char *value);

// Builds; the result, also an empty one, is for session_free.
nbstage_status session_build(struct session *session,
                             const struct nbstage_map *map,
                             struct nbstage_result *result);
void session_free(struct session *session, struct nbstage_result *result);

// A digest of the lumps of a result.
uint64_t digest_result(const struct nbstage_result *result);

// Builds and frees: a digest of the lumps and the status.
uint64_t session_digest(struct session *session, const struct nbstage_map *map);

// The same with an instance of its own.
uint64_t fresh_digest(const struct nbstage_map *map);

// Fails unless both are the same.
void check_same(const char *what, uint64_t made, uint64_t expected);

#endif
