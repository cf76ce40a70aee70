// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stage that the kit's test loads.  Its BLOCKMAP is the text of its option
// `over`.  Words in the environment variable KIT_STAGE are its faults: the name
// of a member of the descriptor, which is then NULL, or one of those below.

#include "nbstage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nbstage_instance {
    struct nbstage_host host;
    struct nbstage_lump lump;
    struct nbstage_fact fact;
    int32_t by;
    char over[5000];
    char error[6000];
};

static int has_fault(const char *name)
{
    const char *fault = getenv("KIT_STAGE");
    return fault && strcmp(fault, name) == 0;
}

static nbstage_status fail(struct nbstage_instance *instance,
                           nbstage_status status, const char *sentence,
                           const char *part)
{
    snprintf(instance->error, sizeof instance->error, sentence, part);
    return status;
}

static struct nbstage_instance *NBSTAGE_CALL
create(const struct nbstage_host *host)
{
    struct nbstage_instance *instance = calloc(1, sizeof *instance);
    if (!instance || has_fault("no-instance")) {
        free(instance);
        return NULL;
    }
    if (host)
        instance->host = *host;
    instance->lump.name = "BLOCKMAP";
    instance->fact.size = sizeof instance->fact;
    return instance;
}

static void NBSTAGE_CALL destroy(struct nbstage_instance *instance)
{
    free(instance);
}

static nbstage_status NBSTAGE_CALL set_option(struct nbstage_instance *instance,
                                              const char *name,
                                              const char *value, int32_t by)
{
    if (strcmp(name, "over") != 0 && strcmp(name, "empty") != 0)
        return fail(instance, NBSTAGE_UNKNOWN_OPTION, "there is no option '%s'",
                    name);
    if (strcmp(value, "wrong") == 0)
        return fail(instance, NBSTAGE_BAD_VALUE, "'over' does not take '%s'",
                    value);
    if (instance->by == NBSTAGE_BY_USER && by == NBSTAGE_BY_HOST)
        return NBSTAGE_OK;
    instance->by = by;
    if (strcmp(name, "over") == 0)
        snprintf(instance->over, sizeof instance->over, "%s", value);
    return NBSTAGE_OK;
}

static nbstage_status NBSTAGE_CALL build(struct nbstage_instance *instance,
                                         const struct nbstage_map *map)
{
    const struct nbstage_host *host = &instance->host;
    if (has_fault("warns"))
        host->log(host->context, NBSTAGE_LOG_WARNING, map->name);
    if (has_fault("chats"))
        host->log(host->context, NBSTAGE_LOG_INFO, map->name);
    instance->fact.number++;
    instance->lump.data = NULL;
    if (has_fault("fails"))
        return fail(instance, NBSTAGE_BAD_MAP, "%s: a linedef is wrong",
                    map->name);
    if (has_fault("is-silent"))
        return NBSTAGE_OUT_OF_MEMORY;
    if (host->progress && host->progress(host->context, 1, 2) != 0)
        return fail(instance, NBSTAGE_CANCELLED, "%s: cancelled", map->name);
    instance->lump.data = instance->over;
    instance->lump.data_size = strlen(instance->over);
    return NBSTAGE_OK;
}

static const struct nbstage_lump *NBSTAGE_CALL
get_lump(struct nbstage_instance *instance, const char *name)
{
    return instance->lump.data && strcmp(name, "BLOCKMAP") == 0 &&
                   !has_fault("forgets")
               ? &instance->lump
               : NULL;
}

static const struct nbstage_fact *NBSTAGE_CALL
get_fact(struct nbstage_instance *instance, const char *name)
{
    return strcmp(name, "builds") == 0 ? &instance->fact : NULL;
}

static const char *NBSTAGE_CALL last_error(struct nbstage_instance *instance)
{
    return instance->error;
}

// --- The descriptor, which begins without a fault ---

static struct nbstage_choice choices[] = {{"merge", "merges"},
                                          {"empty", "is empty"}};
static struct nbstage_option over = {sizeof over,
                                     "over",
                                     NBSTAGE_OPTION_LIST,
                                     "",
                                     "what is in the lump",
                                     NULL,
                                     NULL,
                                     choices,
                                     2,
                                     0,
                                     0};
static struct nbstage_option empty = {sizeof empty,
                                      "empty",
                                      NBSTAGE_OPTION_FLAG,
                                      "no",
                                      "does nothing",
                                      NULL,
                                      NULL,
                                      choices,
                                      2,
                                      0,
                                      0};
static const struct nbstage_option *options[] = {&over, NULL, NULL};
static const char *lump_names[] = {"REJECT", "BLOCKMAP", NULL};
static const char *const fact_names[] = {"builds", NULL};
static struct nbstage_descriptor stage = {
    sizeof stage, NBSTAGE_ABI, "kit-stage", "1",      "for a test",
    lump_names,   fact_names,  options,     create,   destroy,
    set_option,   build,       get_lump,    get_fact, last_error};

// Sets members to NULL by their names, functions too.
#define MEMBER(name) \
    { \
#name, offsetof(struct nbstage_descriptor, name) \
    }
static const struct {
    const char *name;
    size_t offset;
} members[] = {MEMBER(name),       MEMBER(version),    MEMBER(summary),
               MEMBER(lump_names), MEMBER(fact_names), MEMBER(options),
               MEMBER(create),     MEMBER(destroy),    MEMBER(set_option),
               MEMBER(build),      MEMBER(get_lump),   MEMBER(get_fact),
               MEMBER(last_error)};

static void spoil(void)
{
    void *none = NULL;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (has_fault(members[i].name))
            memcpy((char *)&stage + members[i].offset, &none, sizeof none);
    if (has_fault("size-0"))
        stage.size = 0;
    if (has_fault("size-short"))
        stage.size = sizeof stage - 1;
    if (has_fault("abi-2"))
        stage.abi = 2;
    if (has_fault("other-lumps"))
        lump_names[1] = NULL;
    if (has_fault("no-lumps"))
        lump_names[0] = NULL;
    if (has_fault("option-short"))
        over.size = 8;
    if (has_fault("option-name"))
        over.name = NULL;
    if (has_fault("option-default"))
        over.default_value = NULL;
    if (has_fault("option-help"))
        over.help = NULL;
    if (has_fault("option-choices"))
        over.choices = NULL;
    // Options of later releases, which change no text of options.
    if (has_fault("flag"))
        options[1] = &empty;
    if (has_fault("text"))
        over.type = NBSTAGE_OPTION_TEXT;
}

NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    static struct nbstage_descriptor whole;
    if (!whole.size)
        whole = stage;
    stage = whole;
    lump_names[0] = "REJECT";
    lump_names[1] = "BLOCKMAP";
    options[1] = NULL;
    over = (struct nbstage_option){sizeof over,
                                   "over",
                                   NBSTAGE_OPTION_LIST,
                                   "",
                                   "what is in the lump",
                                   NULL,
                                   NULL,
                                   choices,
                                   2,
                                   0,
                                   0};
    spoil();
    return abi == NBSTAGE_ABI && !has_fault("refuses") ? &stage : NULL;
}
