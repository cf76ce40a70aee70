// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is described is checked once: no number that is read afterwards is
// outside of its element.  What is behind pointers is the host's word.

#include "map/arrays.h"

#include "base/bytes.h"
#include "base/vector.h"

#include <string.h>

static const struct array_row {
    const char *name;
    // Of members in order: h may have a fraction, f may be a name, n neither.
    const char *types;
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

enum { ARRAY_TYPES = 0xFF }; // without what may be added to them

static const unsigned char array_sizes[] = {
    [NBSTAGE_U8] = 1,     [NBSTAGE_I8] = 1,    [NBSTAGE_U16] = 2,
    [NBSTAGE_I16] = 2,    [NBSTAGE_U32] = 4,   [NBSTAGE_I32] = 4,
    [NBSTAGE_U64] = 8,    [NBSTAGE_FIXED] = 4, [NBSTAGE_FLOAT] = 4,
    [NBSTAGE_DOUBLE] = 8, [NBSTAGE_NAME] = 8,
};

size_t array_describe(const char *layout, struct array *array)
{
    struct nbstage_member *member = array->members;
    *array = (struct array){.is_given = false};
    for (const char *c = layout; *c; c++) {
        const uint32_t offset = (uint32_t)array->of.stride;
        if (*c >= '0' && *c <= '9') {
            array->of.stride += (size_t)(*c - '0');
            continue;
        }
        const uint32_t type = array_letters[(unsigned char)*c];
        *member++ = (struct nbstage_member){type, offset, 0};
        array->of.stride += array_sizes[type & ARRAY_TYPES];
    }
    return array->of.stride;
}

// ---------------------------------------------------------------------------
// Numbers

// In 16.16, truncated; ARRAY_NO_HEIGHT if it is beyond that or not a number.
static inline int64_t array_truncate(double number)
{
    const double fixed = number * 65536;
    return fixed > INT32_MIN - 1.0 && fixed < INT32_MAX + 1.0 ? (int64_t)fixed
                                                              : ARRAY_NO_HEIGHT;
}

// Any number, in 16.16 if it is of such a type.
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

// Where a number is of which element; NULL behind a NULL pointer.
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

// A number, or a height, which does not fit into 32 bits if it is none.
VECTOR_BODY int64_t array_get(const struct nbstage_array *of,
                              struct nbstage_member member, bool is_height,
                              size_t index)
{
    const unsigned char *at = array_locate(of, member, index);
    const int64_t number = at ? array_decode(member.type, at) : NBSTAGE_NONE;
    const bool is_whole = (member.type & ARRAY_TYPES) < NBSTAGE_FIXED;
    return is_height && is_whole ? number * 65536 : number;
}

uint32_t array_get_number(const struct array *array, int member, size_t index)
{
    return (uint32_t)array_get(&array->of, array->members[member], false,
                               index);
}

int64_t array_get_height(const struct array *array, int member, size_t index)
{
    const int64_t height =
        array_get(&array->of, array->members[member], true, index);
    return array_has(array, member) && height == (int32_t)height
               ? height
               : ARRAY_NO_HEIGHT;
}

// Stores a number of all elements; `none` and above become NBSTAGE_NONE.
VECTOR_BODY void array_read_type(struct nbstage_array of,
                                 struct nbstage_member member, uint32_t mask,
                                 uint32_t none, uint32_t *to, size_t step)
{
    for (size_t i = 0; i < of.count; i++) {
        const uint32_t number =
            mask & (uint32_t)array_get(&of, member, false, i);
        *to = number < none ? number : NBSTAGE_NONE;
        to = (uint32_t *)(void *)((unsigned char *)to + step);
    }
}

// Most lumps need no look at where each number is, and of which type.
void array_read_numbers(const struct array *array, int member, int count,
                        uint32_t mask, uint32_t *to, size_t step)
{
    if (count == 0)
        return;
    array_read_numbers(array, member + 1, count - 1, mask, to + 1, step);
    struct nbstage_member place = array->members[member];
    const uint32_t type = place.type & ARRAY_TYPES;
    uint32_t none = NBSTAGE_NONE;
    if (mask == ARRAY_REFERENCE) {
        mask = UINT32_MAX;
        if (type == NBSTAGE_I8 || type == NBSTAGE_I16 || type == NBSTAGE_I32)
            none = (uint32_t)INT32_MAX + 1;
        else if (array_sizes[type] < sizeof none)
            none = (1U << 8 * array_sizes[type]) - 1;
    }
    if (place.type == LUMP_U16) {
        place.type = LUMP_U16;
        array_read_type(array->of, place, mask, none, to, step);
    } else if (array_has(array, member)) {
        array_read_type(array->of, place, mask, none, to, step);
    }
}

// With a constant type of both, not 0, the compiler makes a fast loop.
VECTOR_BODY size_t array_read_two(const struct array *array, uint32_t type,
                                  bool are_heights, uint32_t (*to)[2])
{
    const struct nbstage_array of = array->of;
    struct nbstage_member first = array->members[0], second = array->members[1];
    first.type = type ? type : first.type;
    second.type = type ? type : second.type;
    for (size_t i = 0; i < of.count; i++) {
        const int64_t a = array_get(&of, first, are_heights, i);
        const int64_t b = array_get(&of, second, are_heights, i);
        if (are_heights && (a != (int32_t)a || b != (int32_t)b))
            return i;
        to[i][0] = (uint32_t)a;
        to[i][1] = (uint32_t)b;
    }
    return of.count;
}

// Pointers to structures mostly have these types.
size_t array_read_pairs(const struct array *array, bool are_heights, void *to)
{
    const uint32_t type = array->members[0].type;
    const bool are_same = type == array->members[1].type;
    if (are_same && are_heights && type == NBSTAGE_DOUBLE)
        return array_read_two(array, NBSTAGE_DOUBLE, true, to);
    if (are_same && !are_heights && type == NBSTAGE_SIZE + NBSTAGE_BEHIND)
        return array_read_two(array, NBSTAGE_SIZE + NBSTAGE_BEHIND, false, to);
    return array_read_two(array, 0, are_heights, to);
}

// A flat without a name.
static struct map_flat flat_of_number(uint64_t number)
{
    struct map_flat flat = {{FLAT_OTHER}};
    for (int i = 1; i < 8; i++, number >>= 8)
        flat.bytes[i] = number & 0xFF;
    return flat;
}

struct map_flat flat_of_name(const char *name, size_t length)
{
    struct map_flat flat = {{0}};
    uint64_t digest = 0;
    size_t i = 0;
    for (; i < length && name[i]; i++) {
        const bool is_lower = name[i] >= 'a' && name[i] <= 'z';
        const unsigned char c = (unsigned char)(name[i] - (is_lower ? 32 : 0));
        if (i < sizeof flat.bytes)
            flat.bytes[i] = c;
        digest = (digest ^ c) * 0x100000001B3;
    }
    return i <= sizeof flat.bytes ? flat
                                  : flat_of_number(digest ^ digest >> 32);
}

struct map_flat array_get_flat(const struct array *array, int member,
                               size_t index)
{
    const struct nbstage_member place = array->members[member];
    const unsigned char *at = array_has(array, member)
                                  ? array_locate(&array->of, place, index)
                                  : NULL;
    if (at && (place.type & ARRAY_TYPES) == NBSTAGE_NAME)
        return flat_of_name((const char *)at, 8);
    const uint32_t number =
        at ? (uint32_t)array_decode(place.type, at) : UINT32_MAX;
    return flat_of_number(number < UINT32_MAX ? number
                                              : (uint64_t)1 << 32 | index);
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
                            "%s is absent; it must be there", name);
    if (type == NBSTAGE_ABSENT || type > NBSTAGE_NAME)
        return context_fail(context, NBSTAGE_UNSUPPORTED, row->name,
                            "%s is of type %lu, which is not known", name,
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

nbstage_status array_take(struct context *context, enum array_kind kind,
                          const void *given, struct array *array)
{
    const struct array_row *row = &array_rows[kind];
    const struct nbstage_array *of = &array->of;
    const size_t needed = kind <= ARRAY_LINES ? 2 : 0; // members, the first
    const size_t known = offsetof(struct array, members) +
                         strlen(row->types) * sizeof *array->members;
    nbstage_status status = NBSTAGE_OK;
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
    for (size_t i = 0; row->types[i] && status == NBSTAGE_OK; i++)
        if (i < needed || array->members[i].type != NBSTAGE_ABSENT)
            status = array_check_member(context, row, array, i);
    for (size_t i = 0; of->is_indirect && i < of->count && status == NBSTAGE_OK;
         i++) {
        const void *element;
        memcpy(&element, (const char *)of->data + i * of->stride,
               sizeof element);
        if (!element)
            status = context_fail(context, NBSTAGE_BAD_MAP, row->name,
                                  "the pointer to element %zu is NULL", i);
    }
    return status;
}
