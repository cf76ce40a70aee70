// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "inspect/repair.h"

#include "check/judge.h"
#include "check/reading.h"
#include "common/arguments.h"
#include "inspect/inspect.h"
#include "platform/file.h"
#include "platform/system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void repair_append(char text[REPAIR_SIZE], const char *before, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789_./+,-";
    const char quote = SYSTEM_QUOTE;
    const bool is_quoted = word[strspn(word, plain)] != '\0' || !*word;
    size_t used = strlen(text);
    snprintf(text + used, REPAIR_SIZE - used, "%s%.*s", before, is_quoted,
             &quote);
    used = strlen(text);
    for (; *word && used + 4 < REPAIR_SIZE; word++) {
        if (*word == quote) { // close the quote, escaped quote, reopen
            text[used++] = quote;
            text[used++] = '\\';
            text[used++] = quote;
        }
        text[used++] = *word;
    }
    if (is_quoted && used + 1 < REPAIR_SIZE)
        text[used++] = quote;
    text[used] = '\0';
}

bool repair_may_help(const struct inspect_map *map)
{
    if (map->present.exceeded_memory > 0 || *map->misplaced)
        return false;
    if (map->status == VERIFY_EMPTY || map->missing_count > 0 ||
        map->judgement.extra_count > 0 || lump_has_unreadable(map))
        return true;
    for (size_t i = 0; i < map->groups.count; i++) {
        const struct inspect_group *group = &map->groups.group[i];
        if (group->verdict == GROUP_CRASHES ||
            (group->reading.reach == REACH_ALL &&
             judge_missing(&group->judgement) > 0))
            return true;
    }
    return false;
}

void repair_begin(const struct arguments *arguments, char text[REPAIR_SIZE])
{
    snprintf(text, REPAIR_SIZE, "blocksweep --in-place --backup");
    for (size_t i = 0; i < arguments->setting_count; i++)
        if (strcmp(arguments->settings[i].name, "for") == 0)
            repair_append(text, " --for=", arguments->settings[i].value);
}

bool repair_append_file(char text[REPAIR_SIZE], const char *path)
{
    if (file_is_standard(path))
        return false;
    repair_append(text, *path == '-' ? " ./" : " ", path);
    return true;
}
