// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lumps that must stay where they are, and the markers of maps, are read as
// two lists side by side.  Each marker leads to a comparison of two maps.
// Builders may add lumps, but none whose name the file has already, as engines
// may take either, unless it is a name for their own.

#include "config.h"

#include "build/losses.h"

#include "base/macros.h"
#include "build/kept-lines.h"
#include "build/map-parts.h"
#include "common/message.h"
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

// What a builder may do with a lump of a map.
enum lump_rule {
    LUMP_STAYS,   // at its place in the file
    LUMP_KEPT,    // its bytes, within the map
    LUMP_PARTS,   // compared by linedefs
    LUMP_DERIVED, // made anew, added or dropped
};

static const struct {
    const char *name;
    enum lump_rule rule;
} losses_rules[] = {
    {"THINGS", LUMP_KEPT},      {"LINEDEFS", LUMP_PARTS},
    {"SIDEDEFS", LUMP_PARTS},   {"VERTEXES", LUMP_PARTS},
    {"SECTORS", LUMP_PARTS},    {"TEXTMAP", LUMP_PARTS},
    {"ENDMAP", LUMP_PARTS},     {"BEHAVIOR", LUMP_KEPT},
    {"SCRIPTS", LUMP_KEPT},     {"DIALOGUE", LUMP_KEPT},
    {"LIGHTS", LUMP_KEPT},      {"MACROS", LUMP_KEPT},
    {"SEGS", LUMP_DERIVED},     {"SSECTORS", LUMP_DERIVED},
    {"NODES", LUMP_DERIVED},    {"REJECT", LUMP_DERIVED},
    {"BLOCKMAP", LUMP_DERIVED}, {"LEAFS", LUMP_DERIVED},
    {"ZNODES", LUMP_DERIVED},   {"GL_VERT", LUMP_DERIVED},
    {"GL_SEGS", LUMP_DERIVED},  {"GL_SSECT", LUMP_DERIVED},
    {"GL_NODES", LUMP_DERIVED}, {"GL_PVS", LUMP_DERIVED},
    {"GL_LEVEL", LUMP_DERIVED},
};

struct losses {
    const struct wad *before, *after;
    const char *program;
    uint64_t bytes_left; // to compare; lumps may overlap
    char *flaw;
};

static enum exit_status PRINTF_LIKE(2, 3)
    losses_fail(struct losses *losses, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(losses->flaw, WAD_FLAW_SIZE, format, arguments);
    va_end(arguments);
    return STATUS_MAP_FAILED;
}

// Takes from the budget, which is generous unless lumps overlap.
static enum exit_status losses_spend(struct losses *losses, uint64_t bytes)
{
    if (bytes > losses->bytes_left)
        return losses_fail(losses, "its lumps overlap too much to be compared "
                                   "with those before");
    losses->bytes_left -= bytes;
    return STATUS_DONE;
}

// ---------------------------------------------------------------------------
// Lumps that stay where they are

struct losses_reader {
    const struct wad *wad;
    size_t lump; // lump_count at the end
    size_t map;  // the one that the lump is in, or the next one
};

static bool losses_is_marker(const struct losses_reader *reader)
{
    const struct wad *wad = reader->wad;
    return reader->map < wad->map_count &&
           wad->maps[reader->map].marker == reader->lump;
}

// Whether the reader's lump is in a map, behind its marker.
static bool losses_is_inside(const struct losses_reader *reader)
{
    const struct wad *wad = reader->wad;
    return reader->map < wad->map_count &&
           reader->lump > wad->maps[reader->map].marker;
}

// The rule for a name, wherever its lump stands.
static enum lump_rule losses_find_rule(const char *name)
{
    for (size_t i = 0; i < COUNT(losses_rules); i++)
        if (strcmp(losses_rules[i].name, name) == 0)
            return losses_rules[i].rule;
    return LUMP_STAYS;
}

// Lumps for GL nodes stand behind a marker with the name of the map.
static bool losses_is_gl_marker(const struct wad *wad, size_t lump)
{
    return strncmp(wad->lumps[lump].name, "GL_", 3) == 0 &&
           lump + 1 < wad->lump_count &&
           strcmp(wad->lumps[lump + 1].name, "GL_VERT") == 0;
}

// Whether builders make lumps of this name.
static bool losses_is_made(const struct wad *wad, size_t lump)
{
    if (losses_is_gl_marker(wad, lump))
        return true;
    return losses_find_rule(wad->lumps[lump].name) == LUMP_DERIVED;
}

// Whether builders made the reader's lump, which is outside maps: it stands
// behind the lumps of a map, with nothing else between.
static bool losses_is_behind_map(const struct losses_reader *reader)
{
    enum { MOST_BEHIND = 16 };
    const struct wad *wad = reader->wad;
    if (reader->map == 0)
        return false;
    size_t lump = wad->maps[reader->map - 1].end;
    if (reader->lump - lump >= MOST_BEHIND)
        return false;
    while (lump <= reader->lump && losses_is_made(wad, lump))
        lump++;
    return lump > reader->lump;
}

// The rule for the reader's lump.  What is outside maps, or another's lump
// inside one, stays, unless it is made by builders.
static enum lump_rule losses_rule(const struct losses_reader *reader)
{
    const struct wad *wad = reader->wad;
    if (!losses_is_inside(reader))
        return losses_is_behind_map(reader) ? LUMP_DERIVED : LUMP_STAYS;
    const enum lump_rule rule = losses_find_rule(wad->lumps[reader->lump].name);
    return rule == LUMP_KEPT && wad->maps[reader->map].udmf ? LUMP_STAYS : rule;
}

// Moves to the lump at or behind the reader's that stays where it is.
static void losses_skip(struct losses_reader *reader)
{
    const struct wad *wad = reader->wad;
    for (; reader->lump < wad->lump_count; reader->lump++) {
        while (reader->map < wad->map_count &&
               wad->maps[reader->map].end <= reader->lump)
            reader->map++;
        if (losses_is_marker(reader) || losses_rule(reader) == LUMP_STAYS)
            return;
    }
}

static const char *losses_name(const struct losses_reader *reader)
{
    return reader->wad->lumps[reader->lump].name;
}

static int losses_compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Whether a name is among the sorted ones of the lumps before.
static bool losses_had_name(const struct losses *losses, const char **names,
                            const char *name)
{
    return bsearch(&name, names, losses->before->lump_count, sizeof *names,
                   losses_compare_names) != NULL;
}

// "MAP01: " for a lump inside a map, else "".
static const char *losses_where(const struct losses_reader *reader,
                                char where[WAD_NAME_SIZE + 3])
{
    const bool is_inside = losses_is_inside(reader);
    snprintf(where, WAD_NAME_SIZE + 3, "%s%s",
             is_inside ? maps_name(reader->wad, reader->map) : "",
             is_inside ? ": " : "");
    return where;
}

// How many lumps of this name stay where they are.
static size_t losses_count(const struct wad *wad, const char *name)
{
    struct losses_reader reader = {wad, 0, 0};
    size_t count = 0;
    for (losses_skip(&reader); reader.lump < wad->lump_count;
         reader.lump++, losses_skip(&reader))
        count += strcmp(losses_name(&reader), name) == 0;
    return count;
}

// Says why two lists of lumps differ where the readers are.
static enum exit_status losses_fail_order(struct losses *losses,
                                          const struct losses_reader *before,
                                          const struct losses_reader *after)
{
    const struct wad *old = losses->before, *new = losses->after;
    const char *gone =
        before->lump < old->lump_count ? losses_name(before) : NULL;
    const char *added =
        after->lump < new->lump_count ? losses_name(after) : NULL;
    char where[WAD_NAME_SIZE + 3];
    if (gone && losses_count(new, gone) < losses_count(old, gone))
        return losses_fail(losses, "%slump %zu, %s, is gone",
                           losses_where(before, where), before->lump, gone);
    if (added && losses_count(new, added) > losses_count(old, added))
        return losses_fail(losses, "lump %zu is a further %s", after->lump,
                           added);
    if (!added)
        return losses_fail(losses, "it ends where %s was expected", gone);
    return losses_fail(losses, "lump %zu is %s; %s was expected there",
                       after->lump, added, gone ? gone : "the end");
}

// Compares the bytes of two lumps, as far as the file before has them.  *at is
// where they differ.
static enum exit_status losses_compare_bytes(struct losses *losses,
                                             const struct wad_lump *before,
                                             const struct wad_lump *after,
                                             bool *are_equal, size_t *at)
{
    const struct wad *old = losses->before;
    *at = 0;
    *are_equal = before->size == after->size;
    if (!*are_equal || before->size == 0)
        return STATUS_DONE;
    size_t size =
        before->position < old->size ? old->size - before->position : 0;
    if (size > before->size)
        size = before->size;
    NEED_DONE(losses_spend(losses, size));
    const unsigned char *a = old->bytes + before->position;
    const unsigned char *b = losses->after->bytes + after->position;
    *are_equal = size == 0 || memcmp(a, b, size) == 0;
    while (!*are_equal && a[*at] == b[*at])
        ++*at;
    return STATUS_DONE;
}

static enum exit_status losses_check_lump(struct losses *losses,
                                          const struct losses_reader *before,
                                          const struct losses_reader *after)
{
    const struct wad_lump *old = &losses->before->lumps[before->lump];
    const struct wad_lump *new = &losses->after->lumps[after->lump];
    char where[WAD_NAME_SIZE + 3];
    bool are_equal;
    size_t at;
    losses_where(before, where);
    if (losses_is_marker(before) != losses_is_marker(after))
        return losses_fail(losses,
                           "%s is the marker of a map in only one of the "
                           "two files",
                           old->name);
    NEED_DONE(losses_compare_bytes(losses, old, new, &are_equal, &at));
    if (are_equal)
        return STATUS_DONE;
    if (old->size != new->size)
        return losses_fail(losses, "%s%s has %lu bytes; %lu were expected",
                           where, old->name, (unsigned long)new->size,
                           (unsigned long)old->size);
    return losses_fail(losses, "%s%s has changed at byte %zu", where, old->name,
                       at);
}

// ---------------------------------------------------------------------------
// Maps

// Whether lumps hold nodes that are extended: "XNOD" and so on.
static bool losses_are_extended(const struct parts_lump *lump)
{
    static const char *const magics[] = {"XNOD", "ZNOD", "XGLN", "ZGLN", "XGL2",
                                         "ZGL2", "XGL3", "ZGL3", "xNd4"};
    for (size_t i = 0; i < COUNT(magics) && lump->size >= 4; i++)
        if (memcmp(lump->bytes, magics[i], 4) == 0)
            return true;
    return false;
}

bool losses_has_nodes(const struct wad *wad, const struct map_place *map)
{
    enum { ONE_SUBSECTOR = 6 }; // bytes, in the larger form
    const struct parts_lump segs = map_parts_lump(wad, map, "SEGS");
    const struct parts_lump subsectors = map_parts_lump(wad, map, "SSECTORS");
    const struct parts_lump nodes = map_parts_lump(wad, map, "NODES");
    if (map->udmf)
        return map_parts_lump(wad, map, "ZNODES").size > 0;
    if (segs.size > 0 && subsectors.size > 0 &&
        (nodes.size > 0 || subsectors.size <= ONE_SUBSECTOR))
        return true;
    if (segs.size == 0 &&
        (losses_are_extended(&nodes) || losses_are_extended(&subsectors)))
        return true;
    for (size_t i = map->end; i < wad->lump_count; i++) {
        const char *name = wad->lumps[i].name;
        if (strncmp(name, "GL_", 3) != 0)
            return false;
        if (strcmp(name, "GL_SEGS") == 0)
            return wad->lumps[i].size > 0;
    }
    return false;
}

static enum exit_status losses_fail_things(struct losses *losses,
                                           const char *map, bool is_hexen,
                                           const struct wad_lump *before,
                                           const struct wad_lump *after,
                                           size_t at)
{
    const size_t size = is_hexen ? 20 : 10;
    if (before->size != after->size)
        return losses_fail(losses,
                           "%s: THINGS has %zu things; %zu were "
                           "expected",
                           map, after->size / size, before->size / size);
    return losses_fail(losses, "%s: THINGS: thing %zu has changed", map,
                       at / size);
}

// Compares a lump of two maps whose bytes are kept.
static enum exit_status losses_check_kept(struct losses *losses,
                                          const struct map_place *before,
                                          const struct map_place *after,
                                          const char *name)
{
    const struct wad *old = losses->before, *new = losses->after;
    const char *map = old->lumps[before->marker].name;
    const size_t index_before = maps_find_lump(old, before, name);
    const size_t index_after = maps_find_lump(new, after, name);
    const bool is_there = index_after < after->end;
    bool are_equal;
    size_t at;
    if (index_before == before->end)
        return is_there ? losses_fail(losses, "%s: %s was added", map, name)
                        : STATUS_DONE;
    if (!is_there)
        return losses_fail(losses, "%s: %s is gone", map, name);
    const struct wad_lump *a = &old->lumps[index_before];
    const struct wad_lump *b = &new->lumps[index_after];
    NEED_DONE(losses_compare_bytes(losses, a, b, &are_equal, &at));
    if (are_equal)
        return STATUS_DONE;
    if (strcmp(name, "THINGS") == 0)
        return losses_fail_things(
            losses, map, maps_find_lump(old, before, "BEHAVIOR") < before->end,
            a, b, at);
    return losses_fail(losses, "%s: %s has changed", map, name);
}

static enum exit_status losses_spend_map(struct losses *losses,
                                         const struct wad *wad,
                                         const struct map_place *map)
{
    for (size_t i = map->marker; i < map->end; i++) {
        const size_t size = wad->lumps[i].size;
        NEED_DONE(losses_spend(losses, size < wad->size ? size : wad->size));
    }
    return STATUS_DONE;
}

// Compares the linedefs of two maps, and of texts all blocks.
static enum exit_status losses_check_parts(struct losses *losses,
                                           const struct map_place *before,
                                           const struct map_place *after)
{
    const struct wad *old = losses->before, *new = losses->after;
    NEED_DONE(losses_spend_map(losses, old, before));
    NEED_DONE(losses_spend_map(losses, new, after));
    const struct map_pair pair = {.before = old,
                                  .after = new,
                                  .map_before = before,
                                  .map_after = after,
                                  .program = losses->program};
    return kept_lines_check(&pair, losses->flaw);
}

static enum exit_status losses_check_map(struct losses *losses,
                                         const struct map_place *before,
                                         const struct map_place *after)
{
    const char *map = losses->before->lumps[before->marker].name;
    if (before->udmf != after->udmf)
        return losses_fail(losses, "%s: only one of the two maps has a TEXTMAP",
                           map);
    for (size_t i = 0; i < COUNT(losses_rules) && !before->udmf; i++)
        if (losses_rules[i].rule == LUMP_KEPT)
            NEED_DONE(
                losses_check_kept(losses, before, after, losses_rules[i].name));
    NEED_DONE(losses_check_parts(losses, before, after));
    if (losses_has_nodes(losses->before, before) &&
        !losses_has_nodes(losses->after, after))
        return losses_fail(losses, "%s: its nodes are gone", map);
    return STATUS_DONE;
}

// Whether a map's lumps are in a different order than builders expect.
static bool losses_are_disordered(const struct wad *wad,
                                  const struct map_place *map)
{
    static const char *const order[] = {
        "THINGS",   "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS",
        "SSECTORS", "NODES",    "SECTORS",  "REJECT",   "BLOCKMAP"};
    size_t last = map->marker;
    for (size_t i = 0; i < COUNT(order); i++) {
        const size_t lump = maps_find_lump(wad, map, order[i]);
        if (lump < map->end && lump < last)
            return true;
        if (lump < map->end)
            last = lump;
    }
    return false;
}

bool losses_is_unbuilt(const struct wad *before,
                       const struct map_place *map_before,
                       const struct wad *after,
                       const struct map_place *map_after)
{
    const size_t count = map_after->end - map_after->marker;
    if (map_after->udmf ||
        map_parts_lump(after, map_after, "LINEDEFS").size == 0)
        return false;
    if (!losses_has_nodes(after, map_after))
        return true;
    if (!losses_are_disordered(after, map_after) ||
        count != map_before->end - map_before->marker)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct wad_lump *a = &before->lumps[map_before->marker + i];
        const struct wad_lump *b = &after->lumps[map_after->marker + i];
        if (strcmp(a->name, b->name) != 0 || a->size != b->size ||
            (a->size > 0 && memcmp(before->bytes + a->position,
                                   after->bytes + b->position, a->size) != 0))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------
// The file

// Reads both lists of lumps side by side.
static enum exit_status losses_check_lumps(struct losses *losses,
                                           const char **names)
{
    struct losses_reader before = {losses->before, 0, 0};
    struct losses_reader after = {losses->after, 0, 0};
    for (;;) {
        losses_skip(&before);
        losses_skip(&after);
        const bool has_before = before.lump < losses->before->lump_count;
        const bool has_after = after.lump < losses->after->lump_count;
        if (!has_before && !has_after)
            return STATUS_DONE;
        if (has_before && has_after &&
            strcmp(losses_name(&before), losses_name(&after)) == 0) {
            NEED_DONE(losses_check_lump(losses, &before, &after));
            if (losses_is_marker(&before))
                NEED_DONE(losses_check_map(losses,
                                           &losses->before->maps[before.map],
                                           &losses->after->maps[after.map]));
            before.lump++;
        } else if (!has_after ||
                   (!losses_is_made(losses->after, after.lump) &&
                    losses_had_name(losses, names, losses_name(&after)))) {
            return losses_fail_order(losses, &before, &after);
        }
        after.lump++;
    }
}

enum exit_status losses_check(const struct wad *before, const struct wad *after,
                              const char *program, char flaw[WAD_FLAW_SIZE])
{
    // Honest lumps share little: packed WADs store equal lumps once.
    enum { ANY = 64 << 20, FOR_BYTE = 16 };
    struct losses losses = {
        .before = before,
        .after = after,
        .program = program,
        .bytes_left = ANY + ((uint64_t)before->size + after->size) * FOR_BYTE,
        .flaw = flaw,
    };
    if (memcmp(before->kind, after->kind, sizeof before->kind) != 0)
        return losses_fail(&losses, "it has the kind %.4s; %.4s was expected",
                           after->kind, before->kind);
    const char **names = malloc((before->lump_count + 1) * sizeof *names);
    if (!names)
        return message_out_of_memory();
    for (size_t i = 0; i < before->lump_count; i++)
        names[i] = before->lumps[i].name;
    qsort(names, before->lump_count, sizeof *names, losses_compare_names);
    const enum exit_status status = losses_check_lumps(&losses, names);
    free(names);
    return status;
}
