// SPDX-License-Identifier: GPL-2.0-or-later
//
// Nearly all builders keep the order of linedefs, so both lists are first read
// side by side.  At a difference their digests are sorted, and those that have
// no equal on the other side are left over.  Then the table of builders says
// whether this one is documented to do that.

#include "config.h"

#include "build/kept-lines.h"

#include "base/macros.h"
#include "build/map-parts.h"
#include "build/textmap.h"
#include "common/message.h"
#include "platform/file.h"
#include "platform/status.h"
#include "wad/maps.h"
#include "wad/wad.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---------------------------------------------------------------------------
// What builders are documented to change

enum { MOST_OWN = 3, TAG_COUNT = 1 << 16 };

static const struct documented {
    const char *program;
    bool adds_lines;
    uint16_t own_specials[MOST_OWN]; // of lines that it changes
    uint16_t
        copying_specials[MOST_OWN]; // and those with the tags of such lines
    uint16_t own_tag;               // of lines that it may drop; 0: none
} documented_builders[] = {
    // Its geometry simplification (-bg) adds lines, and drops those of tag 998.
    // Fast scrollers get copies, special 1048 becomes a scroller, and 1078 and
    // 1079 move the ends of all lines with their tag.
    {"zokumbsp", true, {1048, 1078, 1079}, {1078, 1079}, 998},
};

// Finds a builder by the base name of its program; NULL if it changes nothing.
static const struct documented *kept_find_builder(const char *program)
{
    const char *base = file_base(program);
    size_t length = strlen(base);
    if (length > 4 && strcasecmp(base + length - 4, ".exe") == 0)
        length -= 4;
    for (size_t i = 0; i < COUNT(documented_builders); i++)
        if (strlen(documented_builders[i].program) == length &&
            strncasecmp(documented_builders[i].program, base, length) == 0)
            return &documented_builders[i];
    return NULL;
}

static bool kept_has(const uint16_t specials[MOST_OWN], uint16_t special)
{
    for (size_t i = 0; i < MOST_OWN; i++)
        if (specials[i] != 0 && specials[i] == special)
            return true;
    return false;
}

// ---------------------------------------------------------------------------
// Two lists of linedefs

// Those that have a length.
struct kept_key {
    uint64_t digest;
    size_t index;
};

struct kept_list {
    struct map_parts parts;
    struct kept_key *keys;
    size_t count;
    bool *is_matched; // by index
};

struct kept {
    const struct map_pair *pair;
    const char *map; // its name
    struct kept_list before, after;
    const struct documented *builder; // or NULL
    bool *copied_tags;                // by tag; NULL without a builder
    char *flaw;
};

static enum exit_status PRINTF_LIKE(2, 3)
    kept_fail(struct kept *kept, const char *format, ...)
{
    va_list arguments;
    const int used = snprintf(kept->flaw, WAD_FLAW_SIZE, "%s: ", kept->map);
    va_start(arguments, format);
    vsnprintf(kept->flaw + used, WAD_FLAW_SIZE - (size_t)used, format,
              arguments);
    va_end(arguments);
    return STATUS_MAP_FAILED;
}

// Prints "linedef 12, 64,0 to 128,0,".
enum { LINE_TEXT_SIZE = 160 };

static const char *kept_text(size_t index, const struct part_line *line,
                             char text[LINE_TEXT_SIZE])
{
    if (line->has_ends)
        snprintf(text, LINE_TEXT_SIZE,
                 "linedef %zu, %.10g,%.10g to %.10g,%.10g,", index,
                 (double)line->x1 / 65536, (double)line->y1 / 65536,
                 (double)line->x2 / 65536, (double)line->y2 / 65536);
    else
        snprintf(text, LINE_TEXT_SIZE, "linedef %zu", index);
    return text;
}

// Reads the next linedef that has a length; false at the end.  *index becomes
// its number, and is to be increased for the next one.
static bool kept_next(const struct kept_list *list, size_t *index,
                      struct part_line *line)
{
    for (; *index < list->parts.line_count; ++*index) {
        map_parts_get_line(&list->parts, *index, line);
        if (!part_line_is_empty(line))
            return true;
    }
    return false;
}

// ---------------------------------------------------------------------------
// In order

// The sector that stands for each of the other map's, both ways.
struct kept_sectors {
    uint32_t *after, *before;
};

static bool kept_link_sectors(struct kept_sectors *sectors,
                              const struct part_line *a,
                              const struct part_line *b, int side)
{
    const uint32_t before = a->sectors[side], after = b->sectors[side];
    if (before == PART_NO_SECTOR || after == PART_NO_SECTOR)
        return before == after;
    if (sectors->after[before] == PART_NO_SECTOR &&
        sectors->before[after] == PART_NO_SECTOR) {
        sectors->after[before] = after;
        sectors->before[after] = before;
    }
    return sectors->after[before] == after && sectors->before[after] == before;
}

// Reads both lists side by side.  *are_equal is false at the first difference.
// Equal sectors must not change places, either, as tags and doors move one of
// them.
static enum exit_status kept_compare_in_order(struct kept *kept,
                                              struct kept_sectors *sectors,
                                              bool *are_equal)
{
    struct part_line before, after;
    char text[LINE_TEXT_SIZE];
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        const bool has_before = kept_next(&kept->before, &i, &before);
        const bool has_after = kept_next(&kept->after, &j, &after);
        *are_equal = has_before == has_after &&
                     (!has_before || before.digest == after.digest);
        if (!*are_equal || !has_before)
            return STATUS_DONE;
        for (int side = 0; side < 2; side++)
            if (!kept_link_sectors(sectors, &before, &after, side))
                return kept_fail(kept, "%s has a different sector %s",
                                 kept_text(i, &before, text),
                                 side == 0 ? "in front" : "behind");
    }
}

static uint32_t *kept_list_sectors(const struct map_parts *parts)
{
    const size_t count = map_parts_count_sectors(parts);
    if (count > SIZE_MAX / sizeof(uint32_t) - 1)
        return NULL;
    uint32_t *sectors = malloc((count + 1) * sizeof *sectors);
    for (size_t i = 0; i < count && sectors; i++)
        sectors[i] = PART_NO_SECTOR;
    return sectors;
}

static enum exit_status kept_check_in_order(struct kept *kept, bool *are_equal)
{
    struct kept_sectors sectors = {
        .after = kept_list_sectors(&kept->before.parts),
        .before = kept_list_sectors(&kept->after.parts),
    };
    const enum exit_status status =
        sectors.after && sectors.before
            ? kept_compare_in_order(kept, &sectors, are_equal)
            : message_out_of_memory();
    free(sectors.after);
    free(sectors.before);
    return status;
}

// ---------------------------------------------------------------------------
// In any order

static int kept_compare_keys(const void *a, const void *b)
{
    const struct kept_key *left = a, *right = b;
    if (left->digest != right->digest)
        return left->digest < right->digest ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

// Sorts the linedefs of a list.  False if memory runs out.
static bool kept_sort(struct kept_list *list)
{
    const size_t count = list->parts.line_count;
    struct part_line line;
    list->keys = calloc(count + 1, sizeof *list->keys);
    list->is_matched = calloc(count + 1, sizeof *list->is_matched);
    if (!list->keys || !list->is_matched)
        return false;
    for (size_t i = 0; kept_next(list, &i, &line); i++)
        list->keys[list->count++] = (struct kept_key){line.digest, i};
    qsort(list->keys, list->count, sizeof *list->keys, kept_compare_keys);
    return true;
}

static void kept_match(struct kept_list *before, struct kept_list *after)
{
    for (size_t b = 0, a = 0; b < before->count && a < after->count;) {
        const uint64_t left = before->keys[b].digest;
        const uint64_t right = after->keys[a].digest;
        if (left == right) {
            before->is_matched[before->keys[b].index] = true;
            after->is_matched[after->keys[a].index] = true;
        }
        b += left <= right;
        a += right <= left;
    }
}

// Reads the next linedef that is left over, as kept_next does.
static bool kept_next_left(const struct kept_list *list, size_t *index,
                           struct part_line *line)
{
    while (kept_next(list, index, line)) {
        if (!list->is_matched[*index])
            return true;
        ++*index;
    }
    return false;
}

static bool kept_have_equal_ends(const struct part_line *a,
                                 const struct part_line *b)
{
    return a->has_ends && b->has_ends && a->x1 == b->x1 && a->y1 == b->y1 &&
           a->x2 == b->x2 && a->y2 == b->y2;
}

// ZDBSP makes one vertex of two that are nearer than 1/10000 of a unit, which
// only texts can have.
static bool kept_are_near(const struct part_line *a, const struct part_line *b)
{
    enum { NEAR = 7 };
    return a->has_ends && b->has_ends && llabs(a->x1 - b->x1) < NEAR &&
           llabs(a->y1 - b->y1) < NEAR && llabs(a->x2 - b->x2) < NEAR &&
           llabs(a->y2 - b->y2) < NEAR &&
           memcmp(a->aspects, b->aspects, sizeof a->aspects) == 0;
}

static bool kept_may_lose(const struct kept *kept, const struct part_line *line)
{
    const struct documented *builder = kept->builder;
    return builder && (kept_has(builder->own_specials, line->special) ||
                       (builder->own_tag && line->tag == builder->own_tag) ||
                       kept->copied_tags[line->tag]);
}

// Says what became of a linedef that is left over: whether one with its ends is
// left on the other side, too.
static enum exit_status kept_fail_at(struct kept *kept, size_t index,
                                     const struct part_line *line)
{
    char text[LINE_TEXT_SIZE];
    struct part_line other;
    kept_text(index, line, text);
    for (size_t j = 0; kept_next_left(&kept->after, &j, &other); j++) {
        if (!kept_have_equal_ends(line, &other))
            continue;
        int aspect = 0;
        while (aspect + 1 < PART_ASPECTS &&
               line->aspects[aspect] == other.aspects[aspect])
            aspect++;
        char name[TEXTMAP_NAME_SIZE] = "";
        if (aspect == PART_FIELDS) {
            const struct textmap *a = &kept->before.parts.text;
            const struct textmap *b = &kept->after.parts.text;
            textmap_name_field(a, &a->blocks[TEXTMAP_LINEDEF][index], b,
                               &b->blocks[TEXTMAP_LINEDEF][j], TEXTMAP_LINEDEF,
                               name);
        }
        return kept_fail(kept, "%s has %s%s%s", text, part_aspect_names[aspect],
                         *name ? ", such as " : "", name);
    }
    return kept_fail(kept, "%s is gone", text);
}

// A lump that is now empty explains what became of linedefs.
static enum exit_status kept_check_empty(struct kept *kept)
{
    static const char *const names[] = {"SIDEDEFS", "SECTORS"};
    const struct map_pair *pair = kept->pair;
    for (size_t i = 0; i < COUNT(names) && !pair->map_before->udmf; i++)
        if (map_parts_lump(pair->before, pair->map_before, names[i]).size > 0 &&
            map_parts_lump(pair->after, pair->map_after, names[i]).size == 0)
            return kept_fail(kept, "%s is gone or empty", names[i]);
    return STATUS_DONE;
}

static enum exit_status kept_check_left(struct kept *kept)
{
    struct part_line before, after;
    char text[LINE_TEXT_SIZE];
    size_t i = 0, j = 0;
    for (; kept_next_left(&kept->before, &i, &before); i++) {
        if (kept_may_lose(kept, &before))
            continue;
        if (kept_next_left(&kept->after, &j, &after) &&
            kept_are_near(&before, &after)) {
            j++;
            continue;
        }
        NEED_DONE(kept_check_empty(kept));
        return kept_fail_at(kept, i, &before);
    }
    if (kept_next_left(&kept->after, &j, &after) &&
        !(kept->builder && kept->builder->adds_lines))
        return kept_fail(kept, "%s was added", kept_text(j, &after, text));
    return STATUS_DONE;
}

// Marks the tags of linedefs whose specials change all linedefs of their tag.
static bool kept_mark_tags(struct kept *kept)
{
    struct part_line line;
    if (!kept->builder)
        return true;
    kept->copied_tags = calloc(TAG_COUNT, sizeof *kept->copied_tags);
    for (size_t i = 0; kept->copied_tags && kept_next(&kept->before, &i, &line);
         i++)
        if (line.tag != 0 &&
            kept_has(kept->builder->copying_specials, line.special))
            kept->copied_tags[line.tag] = true;
    return kept->copied_tags;
}

// ---------------------------------------------------------------------------
// Texts

// Compares the blocks of a kind one by one.
static enum exit_status kept_check_blocks(struct kept *kept,
                                          enum textmap_kind kind)
{
    const struct textmap *a = &kept->before.parts.text;
    const struct textmap *b = &kept->after.parts.text;
    char name[TEXTMAP_NAME_SIZE], field[TEXTMAP_NAME_SIZE];
    for (size_t i = 0; i < a->counts[kind] || i < b->counts[kind]; i++) {
        if (i == b->counts[kind] || i == a->counts[kind]) {
            const bool is_gone = i == b->counts[kind];
            const struct textmap *text = is_gone ? a : b;
            textmap_name_block(text, &text->blocks[kind][i], name);
            return kept_fail(kept, "TEXTMAP: %s %zu %s", name, i,
                             is_gone ? "is gone" : "was added");
        }
        const struct textmap_block *before = &a->blocks[kind][i];
        const struct textmap_block *after = &b->blocks[kind][i];
        if (before->digest == after->digest)
            continue;
        textmap_name_block(a, before, name);
        textmap_name_field(a, before, b, after, kind, field);
        if (!*field)
            textmap_name_field(b, after, a, before, kind, field);
        return kept_fail(kept, "TEXTMAP: %s %zu has changed%s%s", name, i,
                         *field ? ": " : "", field);
    }
    return STATUS_DONE;
}

static enum exit_status kept_check_text(struct kept *kept)
{
    const struct map_pair *pair = kept->pair;
    const struct textmap *a = &kept->before.parts.text;
    const struct textmap *b = &kept->after.parts.text;
    if (!a->is_read || !b->is_read) {
        const struct parts_lump before =
            map_parts_lump(pair->before, pair->map_before, "TEXTMAP");
        const struct parts_lump after =
            map_parts_lump(pair->after, pair->map_after, "TEXTMAP");
        if (before.size == after.size &&
            (before.size == 0 ||
             memcmp(before.bytes, after.bytes, before.size) == 0))
            return STATUS_DONE;
        return kept_fail(kept, "TEXTMAP has changed, and %s",
                         a->is_read ? "cannot be read"
                                    : "could not be read before");
    }
    if (a->digest != b->digest)
        return kept_fail(kept, "TEXTMAP: the fields outside its blocks have "
                               "changed");
    NEED_DONE(kept_check_blocks(kept, TEXTMAP_THING));
    return kept_check_blocks(kept, TEXTMAP_OTHER);
}

// ---------------------------------------------------------------------------

static enum exit_status kept_check(struct kept *kept)
{
    const struct map_pair *pair = kept->pair;
    bool are_equal = false;
    if (!map_parts_open(pair->before, pair->map_before, &kept->before.parts) ||
        !map_parts_open(pair->after, pair->map_after, &kept->after.parts))
        return message_out_of_memory();
    if (pair->map_before->udmf)
        NEED_DONE(kept_check_text(kept));
    NEED_DONE(kept_check_in_order(kept, &are_equal));
    if (are_equal)
        return STATUS_DONE;
    if (!kept_mark_tags(kept) || !kept_sort(&kept->before) ||
        !kept_sort(&kept->after))
        return message_out_of_memory();
    kept_match(&kept->before, &kept->after);
    return kept_check_left(kept);
}

static void kept_free(struct kept_list *list)
{
    map_parts_close(&list->parts);
    free(list->keys);
    free(list->is_matched);
}

enum exit_status kept_lines_check(const struct map_pair *pair,
                                  char flaw[WAD_FLAW_SIZE])
{
    struct kept kept = {
        .pair = pair,
        .map = pair->before->lumps[pair->map_before->marker].name,
        .builder = kept_find_builder(pair->program),
        .flaw = flaw,
    };
    const enum exit_status status = kept_check(&kept);
    free(kept.copied_tags);
    kept_free(&kept.before);
    kept_free(&kept.after);
    return status;
}
