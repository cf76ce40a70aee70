// SPDX-License-Identifier: GPL-2.0-or-later
//
// The layouts of records in lumps, and the host's descriptions of its arrays.
// These are checked once: every member lies inside its element and has a type
// that it may have.  The host's pointers to arrays and elements are trusted.

#include "map/arrays.h"

#include <string.h>

// array_take copies the host's structures into struct array.
#define ARRAY_IS_ALIKE(structure, field, member) \
    (offsetof(struct structure, field) == \
     offsetof(struct array, members) + \
         (member) * sizeof(struct nbstage_member))
_Static_assert(ARRAY_IS_ALIKE(nbstage_vertices, y, VERTEX_Y) &&
                   ARRAY_IS_ALIKE(nbstage_lines, args, LINEDEF_ARGS) &&
                   ARRAY_IS_ALIKE(nbstage_lines, left_out, LINEDEF_LEFT_OUT) &&
                   ARRAY_IS_ALIKE(nbstage_sides, sector, SIDE_SECTOR) &&
                   ARRAY_IS_ALIKE(nbstage_sectors, tag, SECTOR_TAG) &&
                   ARRAY_IS_ALIKE(nbstage_things, args, THING_ARGS),
               "struct array has the members of nbstage.h in order");

// What a member holds, in array_row.types.
enum {
    HOLDS_NUMBER = 'n',
    HOLDS_ELEMENT = 'e', // the number of an element of another array
    HOLDS_HEIGHT = 'h',  // or coordinate
    HOLDS_FLAT = 'f',
};

static const struct array_row {
    const char *name, *element;
    const char *types; // HOLDS_NUMBER, ... for each member
    const char *members[LINEDEF_MEMBER_COUNT];
} array_rows[ARRAY_KIND_COUNT] = {
    {"vertices", "vertex", "hh", {"x", "y"}},
    {"lines",
     "line",
     "eennnnnnnneeeen",
     {"v1", "v2", "flags", "special", "tag", "args[0]", "args[1]", "args[2]",
      "args[3]", "args[4]", "front_side", "back_side", "front_sector",
      "back_sector", "left_out"}},
    {"sides", "side", "e", {"sector"}},
    {"sectors",
     "sector",
     "hhffnn",
     {"floor", "ceiling", "floor_flat", "ceiling_flat", "special", "tag"}},
    {"things",
     "thing",
     "nnnnnnn",
     {"type", "special", "args[0]", "args[1]", "args[2]", "args[3]",
      "args[4]"}},
};

const char *const array_layouts[][ARRAY_KIND_COUNT] = {
    [NBSTAGE_FORMAT_DOOM] = {"hh", "HHHHH-----HH", "22888H", "hhNN2HH",
                             "222H2"},
    [NBSTAGE_FORMAT_HEXEN] = {"hh", "HHHB-BBBBBHH", "22888H", "hhNN2HH",
                              "22222H2BBBBBB"},
    [NBSTAGE_FORMAT_DOOM64] = {"ff", "HHIHH-----HH", "22222H", "hh--2222222HH2",
                               "2222222"},
    [ARRAY_TEXT] = {"dd", "uuuuuuuuuuuu", "u", "ddNNuuu", "uuu"},
    [ARRAY_TEXT_ENDS] = {"dd", "uu", "", "", ""},
};

static const uint16_t array_letters[] = {
    ['H'] = LUMP_U16,
    ['h'] = LUMP_I16,
    ['I'] = ARRAY_LUMP | NBSTAGE_U32,
    ['f'] = LUMP_FIXED,
    ['N'] = NBSTAGE_NAME,
    ['B'] = NBSTAGE_U8,
    ['u'] = NBSTAGE_U32,
    ['d'] = NBSTAGE_FIXED,
    ['-'] = NBSTAGE_ABSENT,
};

static const unsigned char array_sizes[] = {
    [NBSTAGE_U8] = 1,
    [NBSTAGE_I8] = 1,
    [NBSTAGE_U16] = 2,
    [NBSTAGE_I16] = 2,
    [NBSTAGE_U32] = 4,
    [NBSTAGE_I32] = 4,
    [NBSTAGE_U64] = 8,
    [NBSTAGE_I64] = 8,
    [NBSTAGE_FIXED] = 4,
    [NBSTAGE_FLOAT] = 4,
    [NBSTAGE_DOUBLE] = 8,
    [NBSTAGE_NAME] = 8,
    [NBSTAGE_POINTER] = sizeof(void *),
};

size_t array_describe(const char *layout, struct array *array)
{
    size_t member_count = 0;
    *array = (struct array){.is_given = false};
    for (const char *c = layout; *c; c++) {
        const uint32_t offset = (uint32_t)array->of.stride;
        if (*c >= '0' && *c <= '9') {
            array->of.stride += (size_t)(*c - '0');
            continue;
        }
        const uint32_t type = array_letters[(unsigned char)*c];
        array->members[member_count++] = (struct nbstage_member){type, offset};
        array->of.stride += array_sizes[type & ARRAY_TYPES];
    }
    return array->of.stride;
}

uint32_t array_type_mask(uint32_t type)
{
    const unsigned size = array_sizes[type & ARRAY_TYPES];
    return size < sizeof(uint32_t) ? (1U << 8 * size) - 1 : UINT32_MAX;
}

uint32_t array_mask(uint32_t format, enum array_kind kind, int member)
{
    struct array record;
    array_describe(array_layouts[format][kind], &record);
    return array_type_mask(record.members[member].type);
}

// ---------------------------------------------------------------------------
// Members that refer to other elements

enum array_kind array_find_target(enum array_kind kind, int member)
{
    if (kind == ARRAY_LINES && member <= LINEDEF_V2)
        return ARRAY_VERTICES;
    if (kind == ARRAY_LINES && member <= LINEDEF_BACK_SIDE)
        return ARRAY_SIDES;
    return ARRAY_SECTORS;
}

nbstage_status array_refuse_pointer(struct context *context,
                                    const struct array *arrays,
                                    enum array_kind kind, int member,
                                    size_t index, uint32_t found)
{
    const struct array_row *row = &array_rows[kind];
    const enum array_kind target = array_find_target(kind, member);
    return context_fail(
        context, NBSTAGE_BAD_MAP, row->name,
        "%s of %s %zu %s; a pointer to one of %zu %s was expected",
        row->members[member], row->element, index,
        found == MAP_NONE ? "is NULL" : "points elsewhere",
        arrays[target].of.count, array_rows[target].name);
}

// ---------------------------------------------------------------------------
// Checks

// Whether a member may be of a type.
static bool array_may_be(char holds, uint32_t type)
{
    if (type == NBSTAGE_NAME)
        return holds == HOLDS_FLAT;
    if (type == NBSTAGE_POINTER)
        return holds == HOLDS_ELEMENT;
    return type < NBSTAGE_FIXED || holds == HOLDS_HEIGHT;
}

static nbstage_status array_check_member(struct context *context,
                                         const struct array_row *row,
                                         const struct array *array,
                                         size_t index)
{
    const struct nbstage_member *member = &array->members[index];
    const char *name = row->members[index];
    if (member->type == NBSTAGE_ABSENT)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%s is required", name);
    if (member->type > NBSTAGE_POINTER)
        return context_fail(context, NBSTAGE_UNSUPPORTED, row->name,
                            "%s has unknown type %lu", name,
                            (unsigned long)member->type);
    if (!array_may_be(row->types[index], member->type))
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%s cannot be of type %lu", name,
                            (unsigned long)member->type);
    const uint64_t end = (uint64_t)member->offset + array_sizes[member->type];
    if (array->of.kind == NBSTAGE_ELEMENTS && end > array->of.stride)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%s ends at byte %llu of elements that are %zu "
                            "bytes apart",
                            name, (unsigned long long)end, array->of.stride);
    return NBSTAGE_OK;
}

static nbstage_status array_check_pointers(struct context *context,
                                           const struct array_row *row,
                                           const struct nbstage_array *of)
{
    for (size_t i = 0; i < of->count; i++)
        if (!pointers_get(of, i))
            return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                                "the pointer to %s %zu is NULL", row->element,
                                i);
    return NBSTAGE_OK;
}

// Checks a description except its members.
static nbstage_status array_check_elements(struct context *context,
                                           const struct array_row *row,
                                           const struct nbstage_array *of)
{
    const size_t least = of->kind == NBSTAGE_POINTERS ? sizeof(void *) : 1;
    if (!of->data)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements at a NULL pointer", of->count);
    if (of->count >= ARRAY_BEYOND)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements; at most %lu can be numbered",
                            of->count, (unsigned long)ARRAY_BEYOND - 1);
    if (of->stride < least)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "stride is %zu bytes; at least %zu were expected",
                            of->stride, least);
    if (of->stride > PTRDIFF_MAX / of->count)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements that are %zu bytes apart do not fit "
                            "into memory",
                            of->count, of->stride);
    return NBSTAGE_OK;
}

nbstage_status array_take(struct context *context, enum array_kind kind,
                          const void *given, struct array *array)
{
    const struct array_row *row = &array_rows[kind];
    const struct nbstage_array *of = &array->of;
    // Vertices and lines must not be empty, and need their first two members.
    const size_t needed = kind <= ARRAY_LINES ? 2 : 0;
    const size_t known = offsetof(struct array, members) +
                         strlen(row->types) * sizeof *array->members;
    memcpy(&array->of.size, given, sizeof array->of.size);
    if (of->size < known)
        return context_fail(context, NBSTAGE_BAD_CALL, row->name,
                            "the size of the description is not set");
    memcpy(array, given, known);
    array->is_given = array->is_open = true;
    if (of->kind > NBSTAGE_POINTERS || of->reserved != 0)
        return context_fail(context, NBSTAGE_UNSUPPORTED, row->name,
                            "kind is %lu and reserved %lu; kind 0 or 1 and "
                            "reserved 0 were expected",
                            (unsigned long)of->kind,
                            (unsigned long)of->reserved);
    if (of->count == 0 && needed == 0)
        return NBSTAGE_OK;
    if (of->count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "the array is empty");
    NEED(array_check_elements(context, row, of));
    for (size_t i = 0; row->types[i]; i++)
        if (i < needed || array->members[i].type != NBSTAGE_ABSENT)
            NEED(array_check_member(context, row, array, i));
    if (of->kind == NBSTAGE_POINTERS)
        return array_check_pointers(context, row, of);
    return NBSTAGE_OK;
}

nbstage_status array_need(struct context *context, enum array_kind kind,
                          const struct array *array, uint32_t members)
{
    const struct array_row *row = &array_rows[kind];
    for (int i = 0; members >> i; i++)
        if (members >> i & 1 && !array_has(array, i))
            return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                                "%s is absent", row->members[i]);
    return NBSTAGE_OK;
}

nbstage_status array_check_targets(struct context *context,
                                   const struct array *arrays)
{
    for (enum array_kind kind = ARRAY_LINES; kind <= ARRAY_SIDES; kind++)
        for (int m = 0; m < LINEDEF_MEMBER_COUNT; m++) {
            const struct array_row *row = &array_rows[kind];
            const enum array_kind target = array_find_target(kind, m);
            if (arrays[kind].members[m].type == NBSTAGE_POINTER &&
                !arrays[target].is_given)
                return context_fail(
                    context, NBSTAGE_BAD_MAP, row->name,
                    "%s is a pointer, but no array of %s is described",
                    row->members[m], array_rows[target].name);
        }
    return NBSTAGE_OK;
}
