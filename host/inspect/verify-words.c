// SPDX-License-Identifier: GPL-2.0-or-later
//
// A verdict in words, and what the page says of a map above it.

#include "config.h"

#include "inspect/inspect.h"
#include "inspect/verdicts.h"
#include "inspect/verify.h"
#include "lump/blockmap.h"
#include "lump/engines.h"
#include "lump/lump.h"
#include "picture/drawing.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

const char *const verify_status_names[] = {"good", "harmless", "wrong", "empty",
                                           "failed"};

// "wrong for boom, woof": the engines that read a lump wrong in which nothing
// solid is missing and everything is readable.
static void verify_describe_wrong(const struct verify_map *found, char *text,
                                  size_t size)
{
    const struct engine_verdicts *verdicts = &found->verdicts;
    engine_set wrong = 0;
    char names[200];
    for (size_t i = 0; i < verdicts->count; i++)
        if (found->is_wrong_for[i])
            wrong |= ENGINE_BIT(verdicts->engine[i] - engine_table);
    engines_list(wrong, names, sizeof names);
    if (found->solid_count > 0)
        snprintf(text, size, "wrong, %zu solid", found->solid_count);
    else if (*names && !lump_has_unreadable(&found->map->present))
        snprintf(text, size, "wrong for %s", names);
    else
        snprintf(text, size, "wrong");
}

void verify_describe(const struct verify_map *found, char *text, size_t size)
{
    const bool is_surprising =
        found->rejected && found->status != VERIFY_FAILED;
    if (found->status == VERIFY_WRONG)
        verify_describe_wrong(found, text, size);
    else
        snprintf(text, size, "%s%s", verify_status_names[found->status],
                 is_surprising ? ", rejected" : "");
}

// "Boom family, MBF21; Odamex 10.6 (it skips the first words of lists)": the
// engines that do this with the lump.  If most do, "all others".
static void verify_name_engines(const struct verify_map *found,
                                enum verdict_kind kind, char *text, size_t size)
{
    const struct engine_verdicts *verdicts = &found->verdicts;
    size_t count = 0;
    size_t length = 0;
    for (size_t i = 0; i < verdicts->count; i++)
        count += verdicts->verdict[i].kind == kind;
    *text = '\0';
    if (!verdicts->named && 2 * count > verdicts->count) {
        snprintf(text, size, count == verdicts->count ? "all" : "all others");
        return;
    }
    for (size_t i = 0; i < verdicts->count && length < size; i++) {
        const struct verdict *verdict = &verdicts->verdict[i];
        if (verdict->kind == kind)
            length += (size_t)snprintf(
                text + length, size - length, "%s%s%s%s%s",
                length > 0 ? "; " : "", verdicts->engine[i]->name,
                verdict->why ? " (" : "", verdict->why ? verdict->why : "",
                verdict->why ? ")" : "");
    }
}

void verify_list_facts(const struct verify_map *found,
                       struct picture_fact facts[PICTURE_FACTS])
{
    static const char *const names[] = {"Read right by", "Built anew by",
                                        "Read wrong by", "Crashes",
                                        "Not known for"};
    const struct blockmap *present = &found->map->present;
    const unsigned long largest = present->largest_offset;
    const size_t size = sizeof facts->text;
    struct picture_fact *fact = facts;
    fact->name = "Verdict";
    verify_describe(found, fact++->text, size);
    fact->name = "Missing entries";
    if (found->map->has_expected)
        snprintf(fact++->text, size, "%zu, %zu of them solid",
                 found->missing_count, found->solid_count);
    for (int kind = VERDICT_LOADS; kind <= VERDICT_UNKNOWN; kind++) {
        fact->name = names[kind];
        verify_name_engines(found, (enum verdict_kind)kind, fact->text, size);
        fact += *fact->text != '\0';
    }
    fact->name = "Largest offset";
    if (present->form == LUMP_XBM1)
        snprintf(fact++->text, size, "%lu; XBM1 has no limit", largest);
    else
        snprintf(fact++->text, size, "%lu of %d for Doom 1.9, %d for ports",
                 largest, LUMP_VANILLA_OFFSET, LUMP_EXTENDED_WORDS);
    fact->name = "Lists";
    snprintf(fact++->text, size, "%zu for %zu blocks", present->list_count,
             present->block_count);
    fact->name = "Bytes";
    snprintf(fact++->text, size, "%zu", present->bytes);
    fact->name = NULL;
}
