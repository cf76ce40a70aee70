// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage as a test calls it: every call looks at what every call promises,
// and ends the test with a sentence if that is broken.

#ifndef CHECK_STAGE_H
#define CHECK_STAGE_H

#include "check.h"
#include "maps.h"

#include <pthread.h>

// The stage, loaded into the process of a test.
extern const struct nbstage_descriptor *stage;
void stage_load(void);
void *stage_library(void);

// The context of callbacks: whom they serve, and what they are to refuse.
struct host {
    pthread_t thread;
    bool is_inside; // a call of the stage
    struct block *blocks;
    size_t requests, refuse_from, refuse_to; // counted from 1; 0 refuses none
    size_t reports, cancel_at;
    size_t messages;
};

// An instance with its host.
struct session {
    struct host host;
    struct nbstage_host callbacks;
    struct nbstage_instance *instance;
};

// Creates an instance; `session` must not move.  With refused memory there may
// be none, and the status is returned.
nbstage_status session_try(struct session *session);
void session_open(struct session *session);

// Destroys it, and looks for memory that is left.
void session_close(struct session *session);

// Around calls of the stage that have no function here.
void enter(struct session *session);
void leave(struct session *session);

// Whether the memory belongs to a block that the host has allocated.
bool host_owns(const struct host *host, const void *memory, size_t size);

// Fails unless the text is a sentence, or a line of help: not empty, UTF-8,
// without control characters and a full stop.
void check_sentence(const char *what, const char *text);

// Fails unless the text is a name of these characters.
void check_name(const char *what, const char *name, const char *characters);

#define LOWER_CASE "abcdefghijklmnopqrstuvwxyz"
#define UPPER_CASE "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

// Fails unless a call that failed with a status has left a sentence.
void check_failure(struct session *session, const char *call,
                   nbstage_status status);

// Fails unless the status is NBSTAGE_BAD_CALL.
void expect_bad_call(const char *what, nbstage_status status);

// Sets an option; the status may be a failure, which is looked at.
nbstage_status session_set(struct session *session, const char *name,
                           const char *value);

// The same, with a function of the descriptor, and buffers of their own.
nbstage_status session_set_by(struct session *session, bool is_default,
                              const char *name, const char *value);

// Builds; on success the result is for session_free.
nbstage_status session_build(struct session *session,
                             const struct nbstage_map *map,
                             struct nbstage_result *result);
void session_free(struct session *session, struct nbstage_result *result);

// Lumps, and with `facts` these too, as text.
void result_write(struct text *text, const struct nbstage_result *result,
                  bool facts);

// Builds and frees; adds the result or the sentence to `text`.
nbstage_status session_write(struct session *session,
                             const struct nbstage_map *map, bool facts,
                             struct text *text);

// The same with a new instance of its own.
nbstage_status write_afresh(const struct nbstage_map *map, bool facts,
                            struct text *text);

// Frees `made`; fails unless both are the same.
void check_same(const char *what, struct text *made,
                const struct text *expected);

// Walks over the maps that the stage builds: begin with all zeros.  Each is
// valid until the next call.  Fails if it builds none.
struct walk {
    size_t index;
    size_t built;
    struct map map;
};
bool next_map(struct walk *walk);

// Walks over the options and values that each has to accept.
struct values {
    size_t option;
    size_t value;
    const char *name;
    char text[256];
    bool is_default;
};
bool next_value(struct values *values);
const struct nbstage_option *option_at(size_t index);

#endif
