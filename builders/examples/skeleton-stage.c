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
enum { SECTOR_BYTES = 26, DOOM64_SECTOR_BYTES = 24, MOST_SECTORS = 65535 };
enum { HUGE_BYTES = 16777216 };
enum { FAIL_NO, FAIL_OPEN, FAIL_BUILD, FAIL_LATER, FAIL_EMPTY, FAIL_HUGE };
static const char *const fails[] = {"no",    "open",  "build",
                                    "later", "empty", "huge"};

struct nbstage_instance {
    struct nbstage_host host;
    struct nbstage_lump lump; /* of the last build */
    void *bytes;              /* of the lump; NULL if that failed */
    struct nbstage_fact sectors;
    int fail, is_users; /* the option, and whether the user has set it */
    int has_built;      /* a map, so that fail=later fails */
    char error[100];
};

static void *take(const struct nbstage_host *host, size_t size)
{
    return host->allocate ? host->allocate(host->context, size) : malloc(size);
}

static void give_back(const struct nbstage_host *host, void *memory)
{
    if (host->release && memory)
        host->release(host->context, memory);
    else
        free(memory);
}

static nbstage_status fail(struct nbstage_instance *instance,
                           nbstage_status status, const char *where,
                           const char *sentence)
{
    snprintf(instance->error, sizeof instance->error, "%.20s: %s",
             where ? where : "skeleton", sentence);
    return status;
}

static struct nbstage_instance *NBSTAGE_CALL
create(const struct nbstage_host *host)
{
    struct nbstage_instance begin, *instance;
    memset(&begin, 0, sizeof begin);
    if (host &&
        (host->size < sizeof *host || !host->allocate != !host->release))
        return NULL;
    if (host)
        begin.host = *host;
    begin.lump.name = LUMP;
    begin.sectors.size = sizeof begin.sectors;
    instance = (struct nbstage_instance *)take(&begin.host, sizeof begin);
    if (instance)
        *instance = begin;
    return instance;
}

static void NBSTAGE_CALL destroy(struct nbstage_instance *instance)
{
    struct nbstage_host host;
    if (!instance)
        return;
    host = instance->host;
    give_back(&host, instance->bytes);
    give_back(&host, instance);
}

/* What the host sets gives way to what the user has set. */
static nbstage_status NBSTAGE_CALL set_option(struct nbstage_instance *instance,
                                              const char *name,
                                              const char *value, int32_t by)
{
    int wanted = 0;
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!name || !value)
        return fail(instance, NBSTAGE_BAD_CALL, NULL, "an option is NULL");
    if (by != NBSTAGE_BY_HOST && by != NBSTAGE_BY_USER)
        return fail(instance, NBSTAGE_UNSUPPORTED, name, "set by nobody");
    if (strcmp(name, "fail") != 0)
        return fail(instance, NBSTAGE_UNKNOWN_OPTION, name,
                    "no such option; expected fail");
    while (wanted <= FAIL_HUGE && strcmp(value, fails[wanted]) != 0)
        wanted++;
    if (wanted > FAIL_HUGE)
        return fail(instance, NBSTAGE_BAD_VALUE, name,
                    "expected no, open, build, later, empty or huge");
    if (wanted == FAIL_OPEN)
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, name,
                    "open, as if there were no memory");
    if (by == NBSTAGE_BY_USER || !instance->is_users) {
        instance->is_users = by == NBSTAGE_BY_USER;
        instance->fail = wanted;
    }
    return NBSTAGE_OK;
}

/* Arrays come before lumps. */
static nbstage_status count_sectors(struct nbstage_instance *instance,
                                    const struct nbstage_map *map,
                                    size_t *count)
{
    const struct nbstage_lump *sectors = NULL;
    size_t i, bytes = SECTOR_BYTES;
    int is_doom64 = map->format == NBSTAGE_FORMAT_DOOM64;
    for (i = 0; i < map->lump_count; i++) {
        if (!sectors && strcmp(map->lumps[i].name, "SECTORS") == 0)
            sectors = &map->lumps[i];
        if (map->format == NBSTAGE_FORMAT_DETECT &&
            strcmp(map->lumps[i].name, "LEAFS") == 0)
            is_doom64 = 1;
    }
    if (is_doom64)
        bytes = DOOM64_SECTOR_BYTES;
    if (map->sectors)
        *count = map->sectors->array.count;
    else if (!sectors)
        return fail(instance, NBSTAGE_UNSUPPORTED, map->name,
                    "expected sectors as an array or as SECTORS");
    else if (sectors->data_size % bytes != 0)
        return fail(instance, NBSTAGE_BAD_MAP, map->name,
                    "SECTORS is cut off; expected 26 bytes each; Doom 64: 24");
    else
        *count = sectors->data_size / bytes;
    if (*count > MOST_SECTORS)
        return fail(instance, NBSTAGE_BAD_MAP, map->name,
                    "expected at most 65535 sectors");
    return NBSTAGE_OK;
}

static nbstage_status NBSTAGE_CALL build(struct nbstage_instance *instance,
                                         const struct nbstage_map *map)
{
    size_t sectors = 0, size;
    nbstage_status status = NBSTAGE_OK;
    if (!instance)
        return NBSTAGE_BAD_CALL;
    give_back(&instance->host, instance->bytes);
    instance->bytes = NULL;
    instance->sectors.number = 0;
    if (!map || map->size < sizeof *map || (map->lump_count && !map->lumps) ||
        (map->sectors && map->sectors->array.size < sizeof *map->sectors))
        return fail(instance, NBSTAGE_BAD_CALL, NULL,
                    "expected a map and its arrays with their sizes");
    if (map->needs || map->format > NBSTAGE_FORMAT_UDMF ||
        (map->sectors && (map->sectors->array.kind > NBSTAGE_POINTERS ||
                          map->sectors->array.reserved)))
        return fail(instance, NBSTAGE_UNSUPPORTED, map->name,
                    "expected a map of version 1.0");
    if (instance->fail == FAIL_BUILD ||
        (instance->fail == FAIL_LATER && instance->has_built))
        return fail(instance, NBSTAGE_BAD_MAP, map->name, "fails on purpose");
    if (instance->fail == FAIL_NO && strcmp(LUMP, "REJECT") == 0)
        status = count_sectors(instance, map, &sectors);
    if (status != NBSTAGE_OK)
        return status;
    size =
        instance->fail == FAIL_HUGE ? HUGE_BYTES : (sectors * sectors + 7) / 8;
    instance->bytes = take(&instance->host, size + 1);
    if (!instance->bytes)
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, map->name, "no memory");
    instance->has_built = 1;
    memset(instance->bytes, 0, size); /* a 0: this sector sees that one */
    instance->lump.data = instance->bytes;
    instance->lump.data_size = size;
    instance->sectors.number = (int64_t)sectors;
    return NBSTAGE_OK;
}

static const struct nbstage_lump *NBSTAGE_CALL
get_lump(struct nbstage_instance *instance, const char *name)
{
    return instance->bytes && strcmp(name, LUMP) == 0 ? &instance->lump : NULL;
}

static const struct nbstage_fact *NBSTAGE_CALL
get_fact(struct nbstage_instance *instance, const char *name)
{
    return instance->bytes && strcmp(name, "sectors") == 0 ? &instance->sectors
                                                           : NULL;
}

static const char *NBSTAGE_CALL last_error(struct nbstage_instance *instance)
{
    return instance->error;
}

static const char *const lump_names[] = {LUMP, NULL};
static const char *const fact_names[] = {"sectors", NULL};
static const struct nbstage_option fail_option = {
    sizeof fail_option,
    "fail",
    NBSTAGE_OPTION_TEXT,
    "no",
    "fails on purpose, to try a host",
    NULL,
    "open|build|later|empty|huge",
    NULL,
    0,
    0,
    0};
static const struct nbstage_option *const options[] = {&fail_option, NULL};
static const struct nbstage_descriptor descriptor = {
    sizeof descriptor, NBSTAGE_ABI, "skeleton", "1.0",    "rejects nothing",
    lump_names,        fact_names,  options,    create,   destroy,
    set_option,        build,       get_lump,   get_fact, last_error};

NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    return abi == NBSTAGE_ABI ? &descriptor : NULL;
}
