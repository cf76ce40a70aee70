// SPDX-License-Identifier: GPL-2.0-or-later
//
// Loading, callbacks that watch the stage, and calls with what all of them
// promise.

#define _GNU_SOURCE

#include "stage.h"

#include "nbstage-host.h"
#include "platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct nbstage_descriptor *stage;
static void *library;

void *stage_library(void)
{
    return library;
}

void stage_load(void)
{
    nbstage_describe_function describe;
    char sentence[SENTENCE_SIZE];
    doing("loading the stage");
    library = library_open(settings.path, sentence, sizeof sentence);
    if (!library)
        fail("%s", sentence);
    *(void **)&describe = library_symbol(library, NBSTAGE_SYMBOL);
    if (!describe)
        fail("it has no symbol " NBSTAGE_SYMBOL);
    stage = describe(NBSTAGE_ABI);
    if (!stage)
        fail("it does not serve version %d of the interface", NBSTAGE_ABI);
    if (stage->size < sizeof *stage)
        fail("the descriptor's size is %zu; version 1 has %zu bytes",
             stage->size, sizeof *stage);
    if (!stage->create || !stage->set_option || !stage->build ||
        !stage->free_result || !stage->last_error || !stage->destroy)
        fail("the descriptor has a NULL where a function is needed");
}

// ---------------------------------------------------------------------------
// Memory of the host: in front of what the stage gets there is a header, and
// after it bytes that must stay.

enum { MARGIN = 16, FRESH = 0xA5, RELEASED = 0xDD };

struct block {
    _Alignas(max_align_t) struct block *next;
    size_t size;
};

static void check_callback(const struct host *host, const char *name)
{
    if (!pthread_equal(host->thread, pthread_self()))
        fail("%s was called on another thread than the stage", name);
    if (!host->is_inside)
        fail("%s was called when the stage had returned", name);
}

static unsigned char *contents(const struct block *block)
{
    return (unsigned char *)(block + 1);
}

static void *NBSTAGE_CALL allocate(void *context, size_t bytes)
{
    struct host *host = context;
    check_callback(host, "allocate");
    if (bytes == 0)
        fail("allocate was called with 0 bytes");
    host->requests++;
    if (host->refuse_from > 0 && host->requests >= host->refuse_from &&
        host->requests <= host->refuse_to)
        return NULL;
    struct block *block = NULL;
    if (bytes < SIZE_MAX / 2)
        block = malloc(sizeof *block + bytes + MARGIN);
    if (!block)
        return NULL;
    block->size = bytes;
    block->next = host->blocks;
    host->blocks = block;
    memset(contents(block), FRESH, bytes + MARGIN);
    return contents(block);
}

static void NBSTAGE_CALL release(void *context, void *memory)
{
    struct host *host = context;
    struct block **link = &host->blocks;
    check_callback(host, "release");
    if (!memory)
        fail("release was called with NULL");
    while (*link && contents(*link) != memory)
        link = &(*link)->next;
    if (!*link)
        fail("release was called with memory that is not the host's, or was "
             "released before");
    struct block *block = *link;
    for (size_t i = 0; i < MARGIN; i++)
        if (contents(block)[block->size + i] != FRESH)
            fail("the stage wrote beyond %zu bytes that it had allocated",
                 block->size);
    *link = block->next;
    memset(block, RELEASED, sizeof *block + block->size);
    __asm__ volatile("" : : "r"(block) : "memory"); // or it is left out
    free(block);
}

bool host_owns(const struct host *host, const void *memory, size_t size)
{
    for (const struct block *block = host->blocks; block; block = block->next) {
        uintptr_t begin = (uintptr_t)contents(block);
        if ((uintptr_t)memory >= begin && size <= block->size &&
            (uintptr_t)memory - begin <= block->size - size)
            return true;
    }
    return false;
}

static void NBSTAGE_CALL log_message(void *context, int32_t level,
                                     const char *message)
{
    struct host *host = context;
    check_callback(host, "log");
    host->messages++;
    if (level < NBSTAGE_LOG_WARNING || level > NBSTAGE_LOG_DEBUG)
        fail("log was called with level %" PRId32, level);
    check_sentence("a message of the log", message);
}

static int32_t NBSTAGE_CALL progress(void *context, uint32_t done,
                                     uint32_t total)
{
    struct host *host = context;
    check_callback(host, "progress");
    if (total == 0 || done > total)
        fail("progress was called with %" PRIu32 " of %" PRIu32 " parts", done,
             total);
    host->reports++;
    return host->reports == host->cancel_at;
}

// ---------------------------------------------------------------------------
// Words

void check_name(const char *what, const char *name, const char *characters)
{
    if (!name)
        fail("%s is NULL", what);
    if (!*name || name[strspn(name, characters)])
        fail("%s, '%s', is not of the characters %s", what, name, characters);
}

void check_sentence(const char *what, const char *text)
{
    size_t length;
    uint32_t number;
    if (!text || !*text)
        fail("%s is %s; expected a sentence", what, text ? "empty" : "NULL");
    for (const char *rest = text; *rest; rest += length)
        if (!nbstage_is_printable(rest, &length, &number))
            fail("%s has a byte 0x%02X, which is a control character or not "
                 "UTF-8: %s",
                 what, (unsigned char)*rest, text);
    if (text[strlen(text) - 1] == '.')
        fail("%s ends with a full stop: %s", what, text);
}

// ---------------------------------------------------------------------------
// Calls

void enter(struct session *session)
{
    session->host.thread = pthread_self();
    session->host.is_inside = true;
}

void leave(struct session *session)
{
    session->host.is_inside = false;
}

nbstage_status session_try(struct session *session)
{
    session->callbacks =
        (struct nbstage_host){.size = sizeof session->callbacks,
                              .context = &session->host,
                              .allocate = allocate,
                              .release = release,
                              .log = log_message,
                              .progress = progress};
    struct nbstage_host given = session->callbacks;
    session->instance = (void *)&given;
    enter(session);
    nbstage_status status = stage->create(&given, &session->instance);
    leave(session);
    memset(&given, FRESH, sizeof given); // it is copied
    if (status != NBSTAGE_OK && session->instance)
        fail("create failed, but *instance is not NULL");
    if (status == NBSTAGE_OK && !session->instance)
        fail("create succeeded, but *instance is NULL");
    return status;
}

static const char *last_error(struct session *session)
{
    enter(session);
    const char *text = stage->last_error(session->instance);
    leave(session);
    if (!text)
        fail("last_error returned NULL");
    return text;
}

void session_open(struct session *session)
{
    *session = (struct session){.instance = NULL};
    nbstage_status status = session_try(session);
    if (status != NBSTAGE_OK)
        fail("create failed with status %" PRId32, status);
    const char *text = last_error(session);
    if (*text)
        fail("last_error is not \"\" at first: %s", text);
}

void session_close(struct session *session)
{
    enter(session);
    stage->destroy(session->instance);
    leave(session);
    if (session->host.blocks)
        fail("destroy left memory that was not released, such as a block of "
             "%zu bytes",
             session->host.blocks->size);
}

void check_failure(struct session *session, const char *call,
                   nbstage_status status)
{
    bool is_option = strncmp(call, "set_", 4) == 0;
    bool is_of_option =
        status == NBSTAGE_UNKNOWN_OPTION || status == NBSTAGE_BAD_VALUE;
    bool is_common =
        status == NBSTAGE_BAD_CALL || status == NBSTAGE_OUT_OF_MEMORY;
    bool is_known = status > NBSTAGE_OK && status <= NBSTAGE_CANCELLED;
    char what[64];
    snprintf(what, sizeof what, "last_error after %s", call);
    check_sentence(what, last_error(session));
    if (!is_common && (!is_known || is_option != is_of_option))
        fail("%s returned the status %" PRId32 ", which is not one of its own",
             call, status);
    if (status == NBSTAGE_OUT_OF_MEMORY && session->host.refuse_from == 0)
        fail("%s returned NBSTAGE_OUT_OF_MEMORY, but no memory was refused",
             call);
}

void expect_bad_call(const char *what, nbstage_status status)
{
    if (status != NBSTAGE_BAD_CALL)
        fail("%s: the status is %" PRId32 "; expected NBSTAGE_BAD_CALL", what,
             status);
}

nbstage_status session_set_by(struct session *session, bool is_default,
                              const char *name, const char *value)
{
    const size_t name_size = strlen(name) + 1;
    const size_t value_size = strlen(value) + 1;
    char *own_name = guarded(name, name_size);
    char *own_value = guarded(value, value_size);
    enter(session);
    nbstage_status status =
        is_default ? stage->set_default(session->instance, own_name, own_value)
                   : stage->set_option(session->instance, own_name, own_value);
    leave(session);
    guarded_free(own_name, name_size);
    guarded_free(own_value, value_size);
    if (status != NBSTAGE_OK)
        check_failure(session, is_default ? "set_default" : "set_option",
                      status);
    return status;
}

nbstage_status session_set(struct session *session, const char *name,
                           const char *value)
{
    return session_set_by(session, false, name, value);
}

// ---------------------------------------------------------------------------
// Results

static void check_memory(const struct session *session, const char *what,
                         const void *memory, size_t size)
{
    if (!memory && size > 0)
        fail("%s are NULL, but not none", what);
    if (size > 0 && session->callbacks.allocate &&
        !host_owns(&session->host, memory, size))
        fail("%s are not in memory from the host's allocate", what);
}

static void check_facts(const struct session *session,
                        const struct nbstage_result *result, bool is_ok)
{
    if (!result->facts && result->fact_count > 0)
        fail("the facts are NULL, but not none");
    for (size_t i = 0; i < result->fact_count; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, result->facts, i);
        if (fact->size < sizeof *fact || fact->size != result->facts->size)
            fail("fact %zu has the size %zu; version 1 has %zu bytes", i,
                 fact->size, sizeof *fact);
        check_name("a fact's name", fact->name, LOWER_CASE DIGITS "_");
        if (fact->kind > NBSTAGE_FACT_FLAG)
            fail("the fact %s has the kind %" PRIu32, fact->name, fact->kind);
        if (fact->kind == NBSTAGE_FACT_FLAG && fact->value != !!fact->value)
            fail("the fact %s is a flag, but not 0 or 1", fact->name);
        for (size_t before = 0; before < i; before++) {
            const struct nbstage_fact *other =
                NBSTAGE_AT(struct nbstage_fact, result->facts, before);
            if (strcmp(other->name, fact->name) == 0 &&
                (other->kind != NBSTAGE_FACT_ITEM ||
                 fact->kind != NBSTAGE_FACT_ITEM))
                fail("the fact %s is there twice, but not as items of a list",
                     fact->name);
        }
    }
    if (is_ok)
        check_memory(
            session, "the facts", result->facts,
            result->fact_count ? result->fact_count * result->facts->size : 0);
}

static void check_lumps(const struct session *session,
                        const struct nbstage_result *result)
{
    if (result->lump_count != stage->lump_name_count)
        fail("a result has %zu lumps; the descriptor names %zu",
             result->lump_count, stage->lump_name_count);
    check_memory(session, "the lumps", result->lumps,
                 result->lump_count * sizeof *result->lumps);
    for (size_t i = 0; i < result->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, result->lumps, i);
        if (lump->size < sizeof *lump || lump->size != result->lumps->size)
            fail("lump %zu has the size %zu; version 1 has %zu bytes", i,
                 lump->size, sizeof *lump);
        if (!lump->name || strcmp(lump->name, stage->lump_names[i]) != 0)
            fail("lump %zu is %s; the descriptor's order has %s", i,
                 lump->name ? lump->name : "NULL", stage->lump_names[i]);
        if (lump->compression != NBSTAGE_PLAIN)
            fail("the lump %s is not plain", lump->name);
        check_memory(session, "the bytes of a lump", lump->data,
                     lump->data_size);
    }
}

nbstage_status session_build(struct session *session,
                             const struct nbstage_map *map,
                             struct nbstage_result *result)
{
    *result = (struct nbstage_result){.size = sizeof *result};
    struct nbstage_result *given = guarded(result, sizeof *result);
    enter(session);
    nbstage_status status = stage->build(session->instance, map, given);
    leave(session);
    *result = *given;
    guarded_free(given, sizeof *given);
    if (result->size != sizeof *result)
        fail("build changed the size of the result");
    check_facts(session, result, status == NBSTAGE_OK);
    if (status == NBSTAGE_OK) {
        check_lumps(session, result);
    } else {
        check_failure(session, "build", status);
        if (result->lumps || result->lump_count > 0)
            fail("build failed, but the result has lumps");
    }
    bool was_cancelled = session->host.cancel_at > 0 &&
                         session->host.reports >= session->host.cancel_at;
    if ((status == NBSTAGE_CANCELLED) != was_cancelled)
        fail("build returned status %" PRId32 ", but progress was %s", status,
             was_cancelled ? "cancelled" : "not cancelled");
    return status;
}

void session_free(struct session *session, struct nbstage_result *result)
{
    enter(session);
    stage->free_result(session->instance, result);
    leave(session);
    if (result->size != sizeof *result || result->lumps || result->facts ||
        result->lump_count > 0 || result->fact_count > 0)
        fail("free_result left a result that is not empty");
}

void result_write(struct text *text, const struct nbstage_result *result,
                  bool facts)
{
    for (size_t i = 0; i < result->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, result->lumps, i);
        text_print(text, "%s %zu\n", lump->name, lump->data_size);
        text_add(text, lump->data, lump->data_size);
    }
    for (size_t i = 0; facts && i < result->fact_count; i++) {
        const struct nbstage_fact *fact =
            NBSTAGE_AT(struct nbstage_fact, result->facts, i);
        text_print(text, "%s %" PRId64 " %s\n", fact->name, fact->value,
                   fact->text ? fact->text : "");
    }
}

nbstage_status session_write(struct session *session,
                             const struct nbstage_map *map, bool facts,
                             struct text *text)
{
    struct nbstage_result result;
    nbstage_status status = session_build(session, map, &result);
    if (status == NBSTAGE_OK)
        result_write(text, &result, facts);
    else
        text_print(text, "status %" PRId32 " %s\n", status,
                   last_error(session));
    session_free(session, &result);
    return status;
}

nbstage_status write_afresh(const struct nbstage_map *map, bool facts,
                            struct text *text)
{
    struct session session;
    session_open(&session);
    nbstage_status status = session_write(&session, map, facts, text);
    session_close(&session);
    return status;
}

void check_same(const char *what, struct text *made,
                const struct text *expected)
{
    if (made->size != expected->size ||
        (made->size > 0 &&
         memcmp(made->bytes, expected->bytes, made->size) != 0))
        fail("%s: another result, of %zu bytes instead of %zu", what,
             made->size, expected->size);
    free(made->bytes);
    *made = (struct text){0};
}

// ---------------------------------------------------------------------------
// Walks

bool next_map(struct walk *walk)
{
    for (;; walk->index++) {
        map_free(&walk->map);
        if (walk->index >= DRAWINGS * FORM_COUNT)
            break;
        struct drawing drawing =
            drawing_make(walk->index / FORM_COUNT, settings.seed);
        walk->map = map_make(&drawing, walk->index % FORM_COUNT);
        struct text text = {0};
        doing("building the map %s", walk->map.what);
        nbstage_status status = write_afresh(walk->map.map, true, &text);
        free(text.bytes);
        if (status == NBSTAGE_OK) {
            walk->built++;
            walk->index++;
            return true;
        }
    }
    if (walk->built == 0)
        fail("the stage built none of the maps; try the test results");
    return false;
}

const struct nbstage_option *option_at(size_t index)
{
    return NBSTAGE_AT(struct nbstage_option, stage->options, index);
}

// The default, the choices, the least and the most.
static bool write_value(const struct nbstage_option *option, size_t index,
                        char *text, size_t size)
{
    bool is_integer = option->type == NBSTAGE_OPTION_INTEGER;
    if (index == 0)
        snprintf(text, size, "%s", option->default_value);
    else if (is_integer && index <= 2)
        snprintf(text, size, "%" PRId64,
                 index == 1 ? option->minimum : option->maximum);
    else if (!is_integer && index <= option->choice_count)
        snprintf(text, size, "%s",
                 NBSTAGE_AT(struct nbstage_choice, option->choices, index - 1)
                     ->name);
    else
        return false;
    return true;
}

bool next_value(struct values *values)
{
    for (; values->option < stage->option_count; values->option++) {
        const struct nbstage_option *option = option_at(values->option);
        values->name = option->name;
        values->is_default = values->value == 0;
        if (write_value(option, values->value, values->text,
                        sizeof values->text)) {
            values->value++;
            return true;
        }
        values->value = 0;
    }
    return false;
}
