// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps are read, checked and reported one after the other.
//
// Segs are checked by the stage while it builds from the present lists.  If the
// build fails without facts about a seg, it is the lists or the segs that the
// stage cannot read.

#include "config.h"

#include "verify/verify.h"

#include "commands.h"
#include "memory.h"
#include "picture/picture.h"
#include "platform/system.h"

#include <stdlib.h>

bool verify_is_wrong_for(const struct verify_map *found, size_t engine)
{
    const struct nbstage_engine *judged = found->verdicts.engine[engine];
    enum engine_verdict verdict = found->verdicts.verdict[engine];
    const struct blockmap *present = &found->map->present;
    bool is_over_limit = present->largest_offset > INT16_MAX ||
                         found->map->line_count > INT16_MAX + 1;
    if (!found->verdicts.are_named &&
        ((judged->has_signed_words && is_over_limit) ||
         (present->form == BLOCKMAP_XBM1 && !judged->reads_xbm1)))
        return false;
    return verdict == ENGINE_WRONG || verdict == ENGINE_CRASHES;
}

static bool is_wrong_for_any(const struct verify_map *found)
{
    for (size_t i = 0; i < found->verdicts.count; i++)
        if (verify_is_wrong_for(found, i))
            return true;
    return false;
}

static enum verify_status judge(const struct verify_map *found)
{
    const struct open_map *map = found->map;
    if (!map->has_expected)
        return VERIFY_FAILED;
    if (map->present.form == BLOCKMAP_EMPTY)
        return VERIFY_EMPTY;
    bool is_wrong =
        !found->verdicts.are_named &&
        (found->harmful > 0 || blockmap_has_unreadable(&map->present));
    if (is_wrong || is_wrong_for_any(found) || found->segs.verdict == SEGS_FAIL)
        return VERIFY_WRONG;
    return found->missing > found->harmful ? VERIFY_HARMLESS : VERIFY_GOOD;
}

static bool is_rejected(const struct arguments *arguments,
                        const struct verify_map *found)
{
    if (found->made.match != MAKER_NOT_ASKED && found->status != VERIFY_FAILED)
        return found->made.match < MAKER_LISTS;
    switch (found->status) {
    case VERIFY_GOOD:
        return found->segs.verdict == SEGS_UNCHECKED ||
               (arguments->strict && found->mismatches.extra.found > 0);
    case VERIFY_HARMLESS:
        return found->segs.verdict == SEGS_UNCHECKED || arguments->strict;
    case VERIFY_EMPTY:
        return arguments->strict;
    default:
        return true;
    }
}

static void compare_lists(const struct arguments *arguments,
                          struct verify_map *found)
{
    const struct open_map *map = found->map;
    struct mismatches *mismatches = &found->mismatches;
    if (map->present.form == BLOCKMAP_EMPTY ||
        map->present.fault != BLOCKMAP_SOUND)
        return;
    mismatches_find(map, arguments->verbose || picture_option(arguments),
                    mismatches);
    found->missing = mismatches->missing.found + mismatches->outside.found;
    found->harmful = mismatches->missing.harmful + mismatches->outside.harmful;
}

static void build_checked(struct open_file *file, const struct open_map *map,
                          struct segs *segs)
{
    const struct stage_setting settings[] = {
        {"lists", "lump"},
        {"check-nodes", "yes"},
        {"prune", open_map_prune(file)},
        {"pack", "none"},
        {"header", "zero"},
        {"format", "xbm1"},
        {NULL, NULL},
    };
    struct nbstage_result result;
    const char *sentence = open_map_build(file, map, settings, &result);
    const struct nbstage_fact *checked =
        stage_find_fact(&result, "checked_segs");
    segs->checked = checked ? checked->value : 0;
    segs->verdict = SEGS_PASS;
    if (sentence) {
        bool has_failed = stage_find_fact(&result, "failed_seg");
        segs->verdict = has_failed ? SEGS_FAIL : SEGS_UNCHECKED;
        segs->sentence = memory_copy_text(sentence);
    }
    file->stage.descriptor->free_result(file->stage.instance, &result);
}

static void judge_segs(struct open_file *file, const struct open_map *map,
                       struct segs *segs)
{
    segs->verdict = SEGS_UNCHECKED;
    if (blockmap_has_unreadable(&map->present))
        segs->sentence = memory_copy_text("not all of the lump can be read");
    else if (map->present.block_count == 0)
        segs->sentence = memory_copy_text("there are no lists");
    else
        build_checked(file, map, segs);
}

static void examine(struct open_file *file, size_t index, struct open_map *map,
                    struct verify_map *found)
{
    *found = (struct verify_map){.map = map};
    open_map_read(file, index, map);
    open_map_find_harmless(file, map);
    engines_judge(file, map, &found->verdicts);
    if (map->has_expected)
        compare_lists(file->arguments, found);
    if (map->has_expected && file->arguments->nodes)
        judge_segs(file, map, &found->segs);
    const struct nbstage_choice *maker = maker_asked(file);
    if (maker && map->has_decoded && !map->is_unread)
        found->made = maker_judge(file, map, maker);
    found->status = judge(found);
    found->rejected = is_rejected(file->arguments, found);
}

static enum exit_status verify_map(struct open_file *file, size_t index,
                                   struct verify_total *total)
{
    double started = clock_now();
    struct open_map map;
    struct verify_map found;
    examine(file, index, &map, &found);
    found.seconds = clock_now() - started;
    open_map_print_doubt(file, &map);
    verify_report_map(file->arguments, &found, total);
    enum exit_status status = STATUS_DONE;
    if (picture_option(file->arguments))
        status = verify_draw_map(file, &found);
    mismatches_free(&found.mismatches);
    free(found.segs.sentence);
    free(found.made.sentence);
    open_map_free(file, &map);
    return status;
}

static enum exit_status verify_file(const struct arguments *arguments,
                                    const struct nbstage *stage,
                                    const char *path,
                                    struct verify_total *total)
{
    struct open_file file;
    enum exit_status status =
        open_file_read(arguments, stage, &path, &file, NULL);
    enum exit_status drawn = STATUS_DONE;
    if (status == STATUS_DONE)
        status = open_file_check_one(&file, picture_option(arguments));
    if (status != STATUS_USAGE)
        verify_report_file(arguments, stage->descriptor, path,
                           status == STATUS_DONE, total);
    for (size_t i = 0; i < file.count && status == STATUS_DONE; i++)
        drawn = verify_map(&file, i, total);
    if (*file.flaw)
        status = STATUS_FILE;
    if (status != STATUS_USAGE)
        verify_report_file_end(arguments, status == STATUS_DONE);
    open_file_free(&file);
    return status == STATUS_DONE ? drawn : status;
}

// Why they failed may be far above the end of the report.
static void name_failed(const struct arguments *arguments, const bool *failed)
{
    for (size_t i = 0; arguments->file_count > 1 && i < arguments->file_count;
         i++)
        if (failed[i])
            message_print("%s: not verified", arguments->files[i]);
}

enum exit_status verify_run(const struct arguments *arguments,
                            const struct nbstage *stage)
{
    struct verify_total total = {0};
    enum exit_status worst = picture_check_paths(arguments);
    const char *option = picture_option(arguments);
    if (worst == STATUS_DONE && option && arguments->file_count > 1) {
        message_print("--%s is for one map, but there are %zu files", option,
                      arguments->file_count);
        worst = STATUS_USAGE;
    }
    bool *failed = memory_get(arguments->file_count, sizeof *failed);
    for (size_t i = 0; i < arguments->file_count && worst != STATUS_USAGE;
         i++) {
        enum exit_status status =
            verify_file(arguments, stage, arguments->files[i], &total);
        failed[i] = status != STATUS_DONE;
        if (status == STATUS_USAGE || status > worst)
            worst = status;
    }
    verify_report_end(arguments, &total);
    name_failed(arguments, failed);
    free(failed);
    return worst == STATUS_DONE && total.rejected > 0 ? STATUS_MAP_FAILED
                                                      : worst;
}
