/* SPDX-License-Identifier: 0BSD */
/* A stage to begin with: a REJECT with which every sector sees every other.
       cc -shared -fPIC skeleton-stage.c -o skeleton-stage.so
   With -DLUMP='"BLOCKMAP"' it makes an empty lump of that name, so that authors
   of hosts can try its option `fail`. */
#include "nbstage.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef LUMP
#define LUMP "REJECT"
#endif
enum { SECTOR_BYTES = 26, MOST_SECTORS = 65535, HUGE_BYTES = 16777216 };
enum { FAIL_NO, FAIL_OPEN, FAIL_BUILD, FAIL_EMPTY, FAIL_HUGE, FAILS };
static const char *const fails[] = {"no", "open", "build", "empty", "huge"};

/* A lump, with its bytes behind it in memory. */
struct made {
    struct nbstage_lump lump;
    struct made *next;
};

struct nbstage_instance {
    struct nbstage_host host;
    struct made *made; /* what the host has not freed yet */
    int fail;
    size_t sectors; /* of the last build */
    char error[100];
};

static void give_back(const struct nbstage_host *host, void *memory)
{
    if (host->release)
        host->release(host->context, memory);
    else
        free(memory);
}

static void *take(const struct nbstage_host *host, size_t size)
{
    return host->allocate ? host->allocate(host->context, size) : malloc(size);
}

static nbstage_status fail(struct nbstage_instance *instance,
                           nbstage_status status, const char *where,
                           const char *sentence)
{
    snprintf(instance->error, sizeof instance->error, "%.20s: %s",
             where ? where : "skeleton", sentence);
    return status;
}

static nbstage_status NBSTAGE_CALL create(const struct nbstage_host *host,
                                          struct nbstage_instance **instance)
{
    struct nbstage_instance begin;
    memset(&begin, 0, sizeof begin);
    if (!instance)
        return NBSTAGE_BAD_CALL;
    *instance = NULL;
    if (host &&
        (host->size < sizeof *host || !host->allocate != !host->release))
        return NBSTAGE_BAD_CALL;
    if (host)
        begin.host = *host;
    *instance = (struct nbstage_instance *)take(&begin.host, sizeof begin);
    if (!*instance)
        return NBSTAGE_OUT_OF_MEMORY;
    **instance = begin;
    return NBSTAGE_OK;
}

static nbstage_status NBSTAGE_CALL set_option(struct nbstage_instance *instance,
                                              const char *name,
                                              const char *value)
{
    int wanted = 0;
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!name || !value)
        return fail(instance, NBSTAGE_BAD_CALL, NULL, "an option is NULL");
    if (strcmp(name, "fail") != 0)
        return fail(instance, NBSTAGE_UNKNOWN_OPTION, name,
                    "no such option; expected fail");
    while (wanted < FAILS && strcmp(value, fails[wanted]) != 0)
        wanted++;
    if (wanted == FAILS)
        return fail(instance, NBSTAGE_BAD_VALUE, name,
                    "expected no, open, build, empty or huge");
    if (wanted == FAIL_OPEN)
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, name,
                    "open, as if there were no memory");
    instance->fail = wanted;
    return NBSTAGE_OK;
}

/* Arrays come before lumps. */
static nbstage_status count_sectors(struct nbstage_instance *instance,
                                    const struct nbstage_map *map)
{
    const struct nbstage_lump *sectors = NULL;
    size_t i;
    for (i = 0; i < map->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, map->lumps, i);
        if (strcmp(lump->name, "SECTORS") == 0)
            sectors = lump;
    }
    if (map->sectors)
        instance->sectors = map->sectors->array.count;
    else if (!sectors || sectors->compression != NBSTAGE_PLAIN)
        return fail(instance, NBSTAGE_UNSUPPORTED, map->name,
                    "expected sectors as an array or as plain SECTORS");
    else if (sectors->data_size % SECTOR_BYTES != 0)
        return fail(instance, NBSTAGE_BAD_MAP, map->name,
                    "SECTORS is cut off; expected 26 bytes for each");
    else
        instance->sectors = sectors->data_size / SECTOR_BYTES;
    if (instance->sectors > MOST_SECTORS)
        return fail(instance, NBSTAGE_BAD_MAP, map->name,
                    "expected at most 65535 sectors");
    return NBSTAGE_OK;
}

static nbstage_status NBSTAGE_CALL build(struct nbstage_instance *instance,
                                         const struct nbstage_map *map,
                                         struct nbstage_result *result)
{
    struct made *made;
    size_t size = 0;
    nbstage_status status = NBSTAGE_OK;
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!map || map->size < sizeof *map || !result ||
        result->size < sizeof *result ||
        (map->lump_count > 0 && map->lumps->size < sizeof *map->lumps) ||
        (map->sectors && map->sectors->array.size < sizeof *map->sectors))
        return fail(instance, NBSTAGE_BAD_CALL, NULL,
                    "expected a map and a result with their sizes");
    result->lumps = NULL;
    result->lump_count = 0;
    instance->sectors = 0;
    if (instance->fail == FAIL_BUILD)
        return fail(instance, NBSTAGE_BAD_MAP, map->name, "fails on purpose");
    if (instance->fail == FAIL_NO && strcmp(LUMP, "REJECT") == 0)
        status = count_sectors(instance, map);
    if (status != NBSTAGE_OK)
        return status;
    size = instance->fail == FAIL_HUGE
               ? HUGE_BYTES
               : (instance->sectors * instance->sectors + 7) / 8;
    made = (struct made *)take(&instance->host, sizeof *made + size);
    if (!made)
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, map->name, "no memory");
    memset(made, 0, sizeof *made + size); /* a 0: this sector sees that one */
    made->lump.size = sizeof made->lump;
    made->lump.name = LUMP;
    made->lump.data = made + 1;
    made->lump.data_size = size;
    made->next = instance->made;
    instance->made = made;
    result->lumps = &made->lump;
    result->lump_count = 1;
    return NBSTAGE_OK;
}

static int32_t NBSTAGE_CALL get_fact(struct nbstage_instance *instance,
                                     size_t index, struct nbstage_fact *fact)
{
    if (index > 0)
        return 0;
    fact->name = "sectors";
    fact->value = (int64_t)instance->sectors;
    fact->text = NULL;
    fact->kind = NBSTAGE_FACT_VALUE;
    return 1;
}

static void NBSTAGE_CALL free_result(struct nbstage_instance *instance,
                                     struct nbstage_result *result)
{
    struct made **link = &instance->made;
    struct made *made;
    while (*link && &(*link)->lump != result->lumps)
        link = &(*link)->next;
    made = *link;
    result->lumps = NULL;
    result->lump_count = 0;
    if (!made)
        return;
    *link = made->next;
    give_back(&instance->host, made);
}

static const char *NBSTAGE_CALL
last_error(const struct nbstage_instance *instance)
{
    return instance->error;
}

static void NBSTAGE_CALL destroy(struct nbstage_instance *instance)
{
    struct nbstage_result left = {sizeof left, NULL, 0};
    struct nbstage_host host;
    if (!instance)
        return;
    while (instance->made) {
        left.lumps = &instance->made->lump;
        free_result(instance, &left);
    }
    host = instance->host;
    give_back(&host, instance);
}

static const char *const lump_names[] = {LUMP};
static const struct nbstage_option options[] = {
    {sizeof *options, "fail", NBSTAGE_OPTION_TEXT, "no",
     "fails on purpose, to try a host", NULL, 0, "open|build|empty|huge", 0, 0,
     NULL}};
static const struct nbstage_descriptor descriptor = {
    sizeof descriptor, NBSTAGE_ABI, "skeleton", "1.0",       "rejects nothing",
    lump_names,        1,           options,    1,           create,
    set_option,        build,       get_fact,   free_result, last_error,
    destroy,           NULL,        NULL};

NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    return abi == NBSTAGE_ABI ? &descriptor : NULL;
}
