// SPDX-License-Identifier: GPL-2.0-or-later
//
// Loading, callbacks that watch the stage, and calls with what all of them
// promise.

#include "check.h"

#include "nbstage-host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct nbstage loaded;
const struct nbstage_descriptor *stage;

void session_load(void)
{
    doing("loading the stage");
    if (!nbstage_find(&loaded, settings.stage, NULL, NULL))
        fail("%s", loaded.error);
    stage = loaded.descriptor;
    if (!stage->create || !stage->set_option || !stage->build ||
        !stage->get_fact || !stage->free_result || !stage->last_error ||
        !stage->destroy)
        fail("the descriptor has a NULL where a function is needed");
}

enum { FRESH = 0xA5 };

// In front of what the stage gets.
struct block {
    struct block *next;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

static void session_watch(const struct session *session, const char *name)
{
    if (!pthread_equal(session->thread, pthread_self()))
        fail("%s was called on another thread than the stage", name);
}

static void *NBSTAGE_CALL session_allocate(void *context, size_t bytes)
{
    struct session *session = context;
    session_watch(session, "allocate");
    if (bytes == 0)
        fail("allocate was called with 0 bytes");
    session->requests++;
    struct block *block = NULL;
    if (bytes < SIZE_MAX / 2 && (session->requests < session->refuse_from ||
                                 session->requests > session->refuse_to))
        block = malloc(sizeof *block + bytes);
    if (!block)
        return NULL;
    *block = (struct block){.next = session->blocks, .size = bytes};
    session->blocks = block;
    memset(block->bytes, FRESH, bytes);
    return block->bytes;
}

static void NBSTAGE_CALL session_release(void *context, void *memory)
{
    struct session *session = context;
    struct block **link = &session->blocks;
    session_watch(session, "release");
    while (*link && (*link)->bytes != memory)
        link = &(*link)->next;
    struct block *block = *link;
    if (!block)
        fail("release was called with memory that is not the host's, or was "
             "released before");
    *link = block->next;
    free(block);
}

// Fails unless the memory is of a block that the host has allocated.
static void session_owns(const struct session *session, const char *what,
                         const void *memory, size_t size)
{
    const uintptr_t begin = (uintptr_t)memory;
    const struct block *block = session->blocks;
    while (block && (begin < (uintptr_t)block->bytes ||
                     begin + size > (uintptr_t)block->bytes + block->size))
        block = block->next;
    if (size > 0 && !block)
        fail("%s are not in memory from the host's allocate", what);
}

static void NBSTAGE_CALL session_log(void *context, int32_t level,
                                     const char *message)
{
    session_watch(context, "log");
    if (level < NBSTAGE_LOG_WARNING || level > NBSTAGE_LOG_DEBUG)
        fail("log was called with level %" PRId32, level);
    check_sentence("a message of the log", message);
}

static int32_t NBSTAGE_CALL session_progress(void *context, uint32_t done,
                                             uint32_t total)
{
    struct session *session = context;
    session_watch(session, "progress");
    if (total == 0 || done > total)
        fail("progress was called with %" PRIu32 " of %" PRIu32 " parts", done,
             total);
    return ++session->reports == session->cancel_at;
}

void check_name(const char *what, const char *name, const char *characters)
{
    if (!name || !*name || name[strspn(name, characters)])
        fail("%s, '%s', is not of the characters %s", what,
             name ? name : "NULL", characters);
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
                 "UTF-8",
                 what, (unsigned char)*rest);
    if (text[strlen(text) - 1] == '.')
        fail("%s ends with a full stop: %s", what, text);
}

struct nbstage_host session_host(struct session *session)
{
    return (struct nbstage_host){sizeof(struct nbstage_host),
                                 session,
                                 session_allocate,
                                 session_release,
                                 session_log,
                                 session_progress};
}

bool session_open(struct session *session)
{
    struct nbstage_host host = session_host(session);
    session->thread = pthread_self();
    session->instance = (void *)&host;
    const nbstage_status status = stage->create(&host, &session->instance);
    memset(&host, FRESH, sizeof host); // it is copied
    if ((status == NBSTAGE_OK) != (session->instance != NULL) ||
        (status != NBSTAGE_OK && session->refuse_from == 0))
        fail("create returned status %" PRId32 " and%s an instance", status,
             session->instance ? "" : " not");
    if (!session->instance)
        return false;
    const char *text = stage->last_error(session->instance);
    if (!text || *text)
        fail("last_error is not \"\" at first, but %s", text ? text : "NULL");
    return true;
}

void session_close(struct session *session)
{
    stage->destroy(session->instance);
    if (session->blocks)
        fail("destroy left memory that was not released");
}

void check_failure(struct session *session, const char *call,
                   nbstage_status status)
{
    const bool is_of_options =
        status == NBSTAGE_UNKNOWN_OPTION || status == NBSTAGE_BAD_VALUE;
    char what[64];
    snprintf(what, sizeof what, "last_error after %s", call);
    check_sentence(what, stage->last_error(session->instance));
    if (status != NBSTAGE_BAD_CALL && status != NBSTAGE_OUT_OF_MEMORY &&
        (status < NBSTAGE_OK || status > NBSTAGE_CANCELLED ||
         is_of_options != (strncmp(call, "set_", 4) == 0)))
        fail("%s returned the status %" PRId32 ", which is not one of its own",
             call, status);
    if (status == NBSTAGE_OUT_OF_MEMORY && session->refuse_from == 0)
        fail("%s returned NBSTAGE_OUT_OF_MEMORY, but no memory was refused",
             call);
}

nbstage_status session_set(struct session *session, const char *name,
                           const char *value)
{
    static char copies[2][256];
    snprintf(copies[0], sizeof copies[0], "%s", name);
    snprintf(copies[1], sizeof copies[1], "%s", value);
    const nbstage_status status =
        stage->set_option(session->instance, copies[0], copies[1]);
    memset(copies, 'x', sizeof copies); // the stage has its own
    __asm__ volatile("" : : "r"(copies) : "memory");
    if (status != NBSTAGE_OK)
        check_failure(session, "set_option", status);
    return status;
}

void check_size(const char *what, size_t size, size_t first, size_t least)
{
    if (size < least || size != first)
        fail("%s has the size %zu; version 1 has %zu bytes", what, size, least);
}

static void session_check_facts(const struct session *session)
{
    enum { FACTS_AT_MOST = 10000 };
    struct nbstage_fact fact = {.size = sizeof fact};
    size_t i = 0;
    while (stage->get_fact(session->instance, i, &fact)) {
        check_size("a fact", fact.size, sizeof fact, sizeof fact);
        check_name("a fact's name", fact.name, LOWER_CASE DIGITS "_");
        if (fact.kind > NBSTAGE_FACT_FLAG ||
            (fact.kind == NBSTAGE_FACT_FLAG && fact.value != !!fact.value))
            fail("the fact %s of kind %" PRIu32 " is %" PRId64, fact.name,
                 fact.kind, fact.value);
        if (++i == FACTS_AT_MOST)
            fail("get_fact has %zu facts, and more", i);
    }
}

// A REJECT has a bit for each pair of sectors.
static void session_check_reject(const struct nbstage_map *map,
                                 const struct nbstage_lump *reject)
{
    enum { SECTOR_SIZE = 26 };
    size_t count = map->sectors ? map->sectors->array.count : 0;
    for (size_t i = 0; i < map->lump_count && !map->sectors; i++)
        if (strcmp(map->lumps[i].name, "SECTORS") == 0)
            count = map->lumps[i].data_size / SECTOR_SIZE;
    if (reject->data_size > 0 && reject->data_size != (count * count + 7) / 8)
        fail("the REJECT of %zu sectors has %zu bytes", count,
             reject->data_size);
}

static void session_check_lumps(const struct session *session,
                                const struct nbstage_map *map,
                                const struct nbstage_result *result)
{
    size_t next = 0; // of the descriptor's names
    if (result->lump_count == 0)
        fail("build returned NBSTAGE_OK, but made no lump");
    session_owns(session, "the lumps", result->lumps,
                 result->lump_count * sizeof *result->lumps);
    for (size_t i = 0; i < result->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, result->lumps, i);
        check_size("a lump", lump->size, result->lumps->size, sizeof *lump);
        while (lump->name && next < stage->lump_name_count &&
               strcmp(lump->name, stage->lump_names[next]) != 0)
            next++;
        if (!lump->name || next++ == stage->lump_name_count)
            fail("lump %zu is %s, which is not next in the descriptor's order",
                 i, lump->name ? lump->name : "NULL");
        if (lump->compression != NBSTAGE_PLAIN)
            fail("the lump %s is not plain", lump->name);
        session_owns(session, "the bytes of a lump", lump->data,
                     lump->data_size);
        if (strcmp(lump->name, "REJECT") == 0)
            session_check_reject(map, lump);
    }
}

nbstage_status session_build(struct session *session,
                             const struct nbstage_map *map,
                             struct nbstage_result *result)
{
    *result = (struct nbstage_result){.size = sizeof *result};
    const nbstage_status status = stage->build(session->instance, map, result);
    if (result->size != sizeof *result)
        fail("build changed the size of the result");
    session_check_facts(session);
    if (status == NBSTAGE_OK) {
        session_check_lumps(session, map, result);
    } else {
        check_failure(session, "build", status);
        if (result->lumps || result->lump_count > 0)
            fail("build failed, but the result has lumps");
    }
    const bool was_cancelled =
        session->cancel_at > 0 && session->reports >= session->cancel_at;
    if ((status == NBSTAGE_CANCELLED) != was_cancelled)
        fail("build returned status %" PRId32 ", but progress was %s", status,
             was_cancelled ? "cancelled" : "not cancelled");
    return status;
}

void session_free(struct session *session, struct nbstage_result *result)
{
    stage->free_result(session->instance, result);
    if (result->size != sizeof *result || result->lumps ||
        result->lump_count > 0)
        fail("free_result left a result that is not empty");
}

// FNV-1a, of sizes as whole numbers.
uint64_t digest_result(const struct nbstage_result *result)
{
    const uint64_t prime = 0x100000001B3;
    uint64_t digested = 0xCBF29CE484222325;
    for (size_t i = 0; i < result->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, result->lumps, i);
        const unsigned char *bytes = lump->data;
        digested = (digested ^ lump->data_size) * prime;
        for (size_t n = 0; n < lump->data_size; n++)
            digested = (digested ^ bytes[n]) * prime;
    }
    return digested;
}

uint64_t session_digest(struct session *session, const struct nbstage_map *map)
{
    struct nbstage_result result;
    doing("building %s", map->name);
    const nbstage_status status = session_build(session, map, &result);
    const uint64_t digested = digest_result(&result) + (uint64_t)status;
    session_free(session, &result);
    return digested;
}

uint64_t fresh_digest(const struct nbstage_map *map)
{
    struct session session = {0};
    session_open(&session);
    const uint64_t digested = session_digest(&session, map);
    session_close(&session);
    return digested;
}

void check_same(const char *what, uint64_t made, uint64_t expected)
{
    if (made != expected)
        fail("%s: another result", what);
}
