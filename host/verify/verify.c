// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps are looked at, told of and forgotten, one after the other.

#include "config.h"

#include "verify/verify.h"

#include "platform/system.h"

static enum verify_status judge(const struct verify_map *found)
{
    const struct open_map *map = found->map;
    if (!map->has_expected)
        return VERIFY_FAILED;
    if (map->present.form == BLOCKMAP_EMPTY)
        return VERIFY_EMPTY;
    return found->mismatches.missing_count > 0 ||
                   found->mismatches.outside_count > 0 ||
                   blockmap_has_unreadable(&map->present) ||
                   found->segs.verdict == SEGS_FAIL
               ? VERIFY_BAD
               : VERIFY_GOOD;
}

static bool is_rejected(const struct arguments *arguments,
                        const struct verify_map *found)
{
    switch (found->status) {
    case VERIFY_GOOD:
        return found->segs.verdict == SEGS_UNCHECKED ||
               (arguments->strict && found->mismatches.extra_count > 0);
    case VERIFY_EMPTY:
        return arguments->strict;
    default:
        return true;
    }
}

// Counts the missing entries of linedefs that --prune=inert leaves out.
static size_t count_inert(struct open_file *file, const struct open_map *map,
                          const struct mismatches *mismatches)
{
    struct nbstage_decoded decoded;
    size_t count = 0;
    if (mismatches->missing_count + mismatches->outside_count == 0 ||
        open_map_decode(file, map, "inert", &decoded))
        return 0;
    bool some_left_out =
        decoded.left_out && decoded.line_count == map->line_count;
    for (size_t i = 0; some_left_out && i < map->line_count; i++)
        if (decoded.left_out[i] != NBSTAGE_LISTED)
            count += mismatches->missing_of[i];
    file->stage.descriptor->free_decoded(file->stage.instance, &decoded);
    return count;
}

// Compares the lists of a map with the expected ones.
static void compare(struct open_file *file, struct verify_map *found)
{
    const struct open_map *map = found->map;
    if (map->present.form == BLOCKMAP_EMPTY ||
        map->present.fault != BLOCKMAP_SOUND)
        return;
    mismatches_find(map, file->arguments->verbose, &found->mismatches);
    found->inert_count = count_inert(file, map, &found->mismatches);
}

static void verify_map(struct open_file *file, size_t index,
                       struct verify_total *total)
{
    struct open_map map;
    struct verify_map found = {.map = &map};
    double started = clock_now();
    open_map_read(file, index, &map);
    open_map_print_doubt(file, &map);
    engines_judge(&map, found.verdicts);
    if (map.has_expected)
        compare(file, &found);
    if (map.has_expected && file->arguments->nodes)
        segs_check(file, &map, &found.segs);
    found.seconds = clock_now() - started;
    found.status = judge(&found);
    found.rejected = is_rejected(file->arguments, &found);
    verify_report_map(file->arguments, &found, total);
    mismatches_free(&found.mismatches);
    segs_free(&found.segs);
    open_map_free(file, &map);
}

static enum exit_status verify_file(const struct arguments *arguments,
                                    const struct nbstage *stage,
                                    const char *path,
                                    struct verify_total *total)
{
    struct open_file file;
    enum exit_status status = open_file_read(arguments, stage, path, &file);
    if (status != STATUS_USAGE)
        verify_report_file(arguments, stage->descriptor, path, total);
    for (size_t i = 0; i < file.count && status == STATUS_DONE; i++)
        verify_map(&file, i, total);
    if (status != STATUS_USAGE)
        verify_report_file_end(arguments, status == STATUS_DONE);
    open_file_free(&file);
    return status;
}

enum exit_status verify_run(const struct arguments *arguments,
                            const struct nbstage *stage)
{
    struct verify_total total = {0};
    enum exit_status worst = STATUS_DONE;
    for (size_t i = 0; i < arguments->file_count && worst != STATUS_USAGE;
         i++) {
        enum exit_status status =
            verify_file(arguments, stage, arguments->files[i], &total);
        if (status == STATUS_USAGE || status > worst)
            worst = status;
    }
    verify_report_end(arguments, &total);
    return worst == STATUS_DONE && total.rejected > 0 ? STATUS_MAP_FAILED
                                                      : worst;
}
