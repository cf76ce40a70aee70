// SPDX-License-Identifier: GPL-2.0-or-later
//
// Descriptions are validated once: every member lies inside its element.  The
// host's pointers are trusted.

#include "map/arrays.h"

#include "base/bytes.h"
#include "base/vector.h"

#include <string.h>

// array_take copies the host's structures into struct array.
#define ARRAY_IS_ALIKE(structure, field, member) \
    (offsetof(struct structure, field) == \
     offsetof(struct array, members) + \
         (member) * sizeof(struct nbstage_member))
_Static_assert(ARRAY_IS_ALIKE(nbstage_vertices, y, VERTEX_Y) &&
                   ARRAY_IS_ALIKE(nbstage_lines, args, LINEDEF_ARGS) &&
                   ARRAY_IS_ALIKE(nbstage_lines, back_sector,
                                  LINEDEF_BACK_SECTOR) &&
                   ARRAY_IS_ALIKE(nbstage_sides, sector, SIDE_SECTOR) &&
                   ARRAY_IS_ALIKE(nbstage_sectors, flags, SECTOR_FLAGS) &&
                   ARRAY_IS_ALIKE(nbstage_things, args, THING_ARGS),
               "struct array has the members of nbstage.h in order");

static const struct array_row {
    const char *name;
    const char *types; // of members: h height, f flat, n other number
    const char *members[LINEDEF_BACK_SECTOR + 1];
} array_rows[ARRAY_KIND_COUNT] = {
    {"vertices", "hh", {"x", "y"}},
    {"lines",
     "nnnnnnnnnnnnnn",
     {"v1", "v2", "flags", "special", "tag", "args[0]", "args[1]", "args[2]",
      "args[3]", "args[4]", "front_side", "back_side", "front_sector",
      "back_sector"}},
    {"sides", "n", {"sector"}},
    {"sectors",
     "hhffnnn",
     {"floor", "ceiling", "floor_flat", "ceiling_flat", "special", "tag",
      "flags"}},
    {"things",
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

enum { ARRAY_TYPES = 0xFF }; // mask without NBSTAGE_BEHIND and ARRAY_LUMP

static const unsigned char array_sizes[] = {
    [NBSTAGE_U8] = 1,     [NBSTAGE_I8] = 1,    [NBSTAGE_U16] = 2,
    [NBSTAGE_I16] = 2,    [NBSTAGE_U32] = 4,   [NBSTAGE_I32] = 4,
    [NBSTAGE_U64] = 8,    [NBSTAGE_FIXED] = 4, [NBSTAGE_FLOAT] = 4,
    [NBSTAGE_DOUBLE] = 8, [NBSTAGE_NAME] = 8,
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
        array->members[member_count++] =
            (struct nbstage_member){type, offset, 0};
        array->of.stride += array_sizes[type & ARRAY_TYPES];
    }
    return array->of.stride;
}

// ---------------------------------------------------------------------------
// Numbers

// Truncates to 16.16; returns ARRAY_NO_HEIGHT if the number is out of range or
// NaN.
static inline int64_t array_truncate(double number)
{
    const double fixed = number * 65536;
    if (fixed > INT32_MIN - 1.0 && fixed < INT32_MAX + 1.0)
        return (int64_t)fixed;
    return ARRAY_NO_HEIGHT;
}

// Decodes a number of any type; NBSTAGE_FIXED, FLOAT and DOUBLE become 16.16.
VECTOR_BODY int64_t array_decode(uint32_t type, const unsigned char *at)
{
    const uint32_t native = type & ARRAY_TYPES;
    const bool is_native = !(type & ARRAY_LUMP);
    uint16_t half;
    uint32_t word;
    uint64_t both;
    float single;
    double number;
    switch (native) {
    case NBSTAGE_I8:
        return (signed char)*at;
    case NBSTAGE_U16:
    case NBSTAGE_I16:
        memcpy(&half, at, sizeof half);
        half = is_native ? half : bytes_get_u16(at);
        return native == NBSTAGE_U16 ? half : (int16_t)half;
    case NBSTAGE_U32:
    case NBSTAGE_I32:
    case NBSTAGE_FIXED:
        memcpy(&word, at, sizeof word);
        word = is_native ? word : bytes_get_u32(at);
        return native == NBSTAGE_U32 ? (int64_t)word : (int32_t)word;
    case NBSTAGE_U64:
        memcpy(&both, at, sizeof both);
        return both < UINT32_MAX ? (int64_t)both : UINT32_MAX;
    case NBSTAGE_FLOAT:
        memcpy(&single, at, sizeof single);
        return array_truncate(single);
    case NBSTAGE_DOUBLE:
        memcpy(&number, at, sizeof number);
        return array_truncate(number);
    default:
        return *at;
    }
}

// Address of a member of an element; NULL if its pointer is.
VECTOR_BODY const unsigned char *array_locate(const struct nbstage_array *of,
                                              struct nbstage_member member,
                                              size_t index)
{
    const unsigned char *at =
        (const unsigned char *)of->data + index * of->stride;
    if (of->is_indirect)
        memcpy(&at, at, sizeof(void *));
    at += member.offset;
    if (!(member.type & NBSTAGE_BEHIND))
        return at;
    memcpy(&at, at, sizeof(void *));
    return at ? at + member.target : NULL;
}

VECTOR_BODY int64_t array_load(const struct nbstage_array *of,
                               struct nbstage_member member, size_t index)
{
    const unsigned char *at = array_locate(of, member, index);
    return at ? array_decode(member.type, at) : NBSTAGE_NONE;
}

// Loads a height as 16.16; an invalid one does not fit 32 bits.
VECTOR_BODY int64_t array_load_height(const struct nbstage_array *of,
                                      struct nbstage_member member,
                                      size_t index)
{
    const int64_t number = array_load(of, member, index);
    const bool is_whole = (member.type & ARRAY_TYPES) < NBSTAGE_FIXED;
    return is_whole ? number * 65536 : number;
}

uint32_t array_get_number(const struct array *array, int member, size_t index)
{
    return (uint32_t)array_load(&array->of, array->members[member], index);
}

int64_t array_get_height(const struct array *array, int member, size_t index)
{
    if (!array_has(array, member))
        return ARRAY_NO_HEIGHT;
    const int64_t height =
        array_load_height(&array->of, array->members[member], index);
    return height == (int32_t)height ? height : ARRAY_NO_HEIGHT;
}

// The loop of array_read_numbers; `none` and larger numbers become
// NBSTAGE_NONE.
VECTOR_BODY void array_store(struct nbstage_array of,
                             struct nbstage_member member, uint32_t mask,
                             uint32_t none, uint32_t *to, size_t step)
{
    for (size_t i = 0; i < of.count; i++) {
        const uint32_t number = mask & (uint32_t)array_load(&of, member, i);
        *to = number < none ? number : NBSTAGE_NONE;
        to = (uint32_t *)(void *)((unsigned char *)to + step);
    }
}

// A constant type lets the compiler specialise the loop for most lumps.
static void array_store_member(const struct array *array, int member,
                               uint32_t mask, uint32_t none, uint32_t *to,
                               size_t step)
{
    struct nbstage_member place = array->members[member];
    if (place.type == LUMP_U16) {
        place.type = LUMP_U16;
        array_store(array->of, place, mask, none, to, step);
    } else if (array_has(array, member)) {
        array_store(array->of, place, mask, none, to, step);
    }
}

void array_read_numbers(const struct array *array, int member, uint32_t mask,
                        uint32_t *to, size_t step)
{
    array_store_member(array, member, mask, NBSTAGE_NONE, to, step);
}

void array_read_references(const struct array *array, int member, uint32_t *to,
                           size_t step)
{
    const uint32_t type = array->members[member].type & ARRAY_TYPES;
    uint32_t none = NBSTAGE_NONE;
    if (type == NBSTAGE_I8 || type == NBSTAGE_I16 || type == NBSTAGE_I32)
        none = (uint32_t)INT32_MAX + 1; // negative numbers
    else if (array_sizes[type] < sizeof none)
        none = (1U << 8 * array_sizes[type]) - 1; // all bits are set
    array_store_member(array, member, UINT32_MAX, none, to, step);
}

// `type`: the type of both coordinates, or 0 if their types differ.  A constant
// type lets the compiler specialise the loop, here and for ends.
VECTOR_BODY size_t array_store_vertices(const struct array *array,
                                        uint32_t type, struct map_vertex *to)
{
    const struct nbstage_array of = array->of;
    struct nbstage_member x = array->members[VERTEX_X];
    struct nbstage_member y = array->members[VERTEX_Y];
    x.type = type ? type : x.type;
    y.type = type ? type : y.type;
    for (size_t i = 0; i < of.count; i++) {
        const int64_t fixed_x = array_load_height(&of, x, i);
        const int64_t fixed_y = array_load_height(&of, y, i);
        if (fixed_x != (int32_t)fixed_x || fixed_y != (int32_t)fixed_y)
            return i;
        to[i] = (struct map_vertex){(int32_t)fixed_x, (int32_t)fixed_y};
    }
    return of.count;
}

// The type that two members share, or NBSTAGE_ABSENT.
static uint32_t array_shared_type(const struct array *array, int a, int b)
{
    const uint32_t type = array->members[a].type;
    return type == array->members[b].type ? type : NBSTAGE_ABSENT;
}

// Hosts with pointers to structures mostly have coordinates of type double.
size_t array_read_vertices(const struct array *array,
                           struct map_vertex *vertices)
{
    if (array_shared_type(array, VERTEX_X, VERTEX_Y) == NBSTAGE_DOUBLE)
        return array_store_vertices(array, NBSTAGE_DOUBLE, vertices);
    return array_store_vertices(array, 0, vertices);
}

VECTOR_BODY void array_store_ends(const struct array *array, uint32_t type,
                                  struct map_ends *to)
{
    const struct nbstage_array of = array->of;
    struct nbstage_member v1 = array->members[LINEDEF_V1];
    struct nbstage_member v2 = array->members[LINEDEF_V2];
    v1.type = type ? type : v1.type;
    v2.type = type ? type : v2.type;
    for (size_t i = 0; i < of.count; i++)
        to[i] = (struct map_ends){(uint32_t)array_load(&of, v1, i),
                                  (uint32_t)array_load(&of, v2, i)};
}

// Hosts with pointers to structures mostly have a pointer to a vertex that
// holds its number.
void array_read_ends(const struct array *array, struct map_ends *ends)
{
    const uint32_t behind = NBSTAGE_SIZE + NBSTAGE_BEHIND;
    if (array_shared_type(array, LINEDEF_V1, LINEDEF_V2) == behind)
        array_store_ends(array, behind, ends);
    else
        array_store_ends(array, 0, ends);
}

struct map_flat array_get_flat(const struct array *array, int member,
                               size_t index)
{
    const struct nbstage_member place = array->members[member];
    const uint64_t unique = (uint64_t)1 << 32 | index;
    if (!array_has(array, member))
        return flat_of_number(unique);
    const unsigned char *at = array_locate(&array->of, place, index);
    if (!at)
        return flat_of_number(unique);
    if ((place.type & ARRAY_TYPES) == NBSTAGE_NAME)
        return flat_of_name((const char *)at, 8);
    const uint32_t number = (uint32_t)array_decode(place.type, at);
    return flat_of_number(number < UINT32_MAX ? number : unique);
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

// ---------------------------------------------------------------------------
// Descriptions

static nbstage_status array_check_member(struct context *context,
                                         const struct array_row *row,
                                         const struct array *array,
                                         size_t index)
{
    const struct nbstage_member *member = &array->members[index];
    const char *name = row->members[index];
    const uint32_t type = member->type & ~(uint32_t)NBSTAGE_BEHIND;
    const bool is_behind = type != member->type;
    if (member->type == NBSTAGE_ABSENT)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%s is required", name);
    if (type == NBSTAGE_ABSENT || type > NBSTAGE_NAME)
        return context_fail(context, NBSTAGE_UNSUPPORTED, row->name,
                            "%s has unknown type %lu", name,
                            (unsigned long)member->type);
    if (type > NBSTAGE_U64 &&
        row->types[index] != (type == NBSTAGE_NAME ? 'f' : 'h'))
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%s cannot be of type %lu", name,
                            (unsigned long)member->type);
    if (member->target != 0 && !is_behind)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%s has a target, but is of type %lu, which is "
                            "not behind a pointer",
                            name, (unsigned long)type);
    const uint64_t end = (uint64_t)member->offset +
                         (is_behind ? sizeof(void *) : array_sizes[type]);
    if (!array->of.is_indirect && end > array->of.stride)
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
    for (size_t i = 0; i < of->count; i++) {
        const void *element;
        memcpy(&element, (const char *)of->data + i * of->stride,
               sizeof element);
        if (!element)
            return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                                "the pointer to element %zu is NULL", i);
    }
    return NBSTAGE_OK;
}

// Checks a description except its members.
static nbstage_status array_check_elements(struct context *context,
                                           const struct array_row *row,
                                           const struct nbstage_array *of)
{
    if (!of->data)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements at a NULL pointer", of->count);
    if (of->is_indirect > 1)
        return context_fail(context, NBSTAGE_UNSUPPORTED, row->name,
                            "is_indirect is %lu; 0 or 1 was expected",
                            (unsigned long)of->is_indirect);
    if (of->count > UINT32_MAX)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements; at most %lu can be numbered",
                            of->count, (unsigned long)UINT32_MAX);
    if (of->is_indirect && of->stride < sizeof(void *))
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "pointers to elements are %zu bytes apart; at "
                            "least %zu were expected",
                            of->stride, sizeof(void *));
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
    if (of->count == 0 && needed == 0)
        return NBSTAGE_OK;
    if (of->count == 0)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "the array is empty");
    NEED(array_check_elements(context, row, of));
    for (size_t i = 0; row->types[i]; i++)
        if (i < needed || array->members[i].type != NBSTAGE_ABSENT)
            NEED(array_check_member(context, row, array, i));
    if (of->is_indirect)
        return array_check_pointers(context, row, of);
    return NBSTAGE_OK;
}
