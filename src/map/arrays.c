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
    size_t needed;  // so many members, the first, must be there
    size_t heights; // and so many may have fractions;
    size_t flats;   // the next may be names
    size_t count;
    const char *members[LINEDEF_BACK_SECTOR + 1];
} array_rows[ARRAY_KIND_COUNT] = {
    {"vertices", 2, 2, 0, 2, {"x", "y"}},
    {"lines",
     2,
     0,
     0,
     LINEDEF_BACK_SECTOR + 1,
     {"v1", "v2", "flags", "special", "tag", "args[0]", "args[1]", "args[2]",
      "args[3]", "args[4]", "front_side", "back_side", "front_sector",
      "back_sector"}},
    {"sides", 0, 0, 0, 1, {"sector"}},
    {"sectors",
     0,
     2,
     2,
     SECTOR_FLAGS + 1,
     {"floor", "ceiling", "floor_flat", "ceiling_flat", "special", "tag",
      "flags"}},
    {"things",
     0,
     0,
     0,
     THING_ARGS + 5,
     {"type", "special", "args[0]", "args[1]", "args[2]", "args[3]",
      "args[4]"}},
};

const char *const array_layouts[][ARRAY_KIND_COUNT] = {
    [NBSTAGE_FORMAT_DOOM] = {"hh", "HHHHH-----HH", "28xH", "hhNN02xHH",
                             "06xH02x"},
    [NBSTAGE_FORMAT_HEXEN] = {"hh", "HHHB-BBBBBHH", "28xH", "hhNN02xHH",
                              "10xH02xBBBBBB"},
    [NBSTAGE_FORMAT_DOOM64] = {"ff", "HHIHH-----HH", "10xH", "hh--14xHH02x",
                               "14x"},
    [ARRAY_TEXT] = {"dd", "uuuuuuuuuuuu", "u", "36x", "uuu"},
    [ARRAY_TEXT_ENDS] = {"dd", "uu", "", "", ""},
};

static const struct array_letter {
    char letter;
    uint32_t type, size;
} array_letters[] = {
    {'H', LUMP_U16, 2},    {'h', LUMP_I16, 2},      {'I', LUMP_U32, 4},
    {'f', LUMP_FIXED, 4},  {'B', LUMP_U8, 1},       {'N', NBSTAGE_NAME, 8},
    {'u', NBSTAGE_U32, 4}, {'d', NBSTAGE_FIXED, 4}, {'-', NBSTAGE_ABSENT, 0},
};

size_t array_describe(const char *layout, struct array *array)
{
    struct nbstage_member *member = array->members;
    uint32_t offset = 0;
    *array = (struct array){.is_given = false};
    for (const char *c = layout; *c; c++) {
        const struct array_letter *letter = array_letters;
        if (*c >= '0' && *c <= '9') {
            offset += (uint32_t)((*c - '0') * 10 + c[1] - '0');
            c += 2;
            continue;
        }
        while (letter->letter != *c)
            letter++;
        *member++ = (struct nbstage_member){letter->type, offset, 0};
        offset += letter->size;
    }
    array->of.stride = offset;
    return offset;
}

// ---------------------------------------------------------------------------
// Numbers

enum { ARRAY_TYPES = 0xFF }; // without what may be added to them

static const unsigned char array_sizes[] = {
    [NBSTAGE_U8] = 1,     [NBSTAGE_I8] = 1,    [NBSTAGE_U16] = 2,
    [NBSTAGE_I16] = 2,    [NBSTAGE_U32] = 4,   [NBSTAGE_I32] = 4,
    [NBSTAGE_U64] = 8,    [NBSTAGE_FIXED] = 4, [NBSTAGE_FLOAT] = 4,
    [NBSTAGE_DOUBLE] = 8, [NBSTAGE_NAME] = 8,
};

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
    uint16_t half;
    uint32_t word;
    uint64_t both;
    float single;
    double number;
    switch (type & ~(uint32_t)NBSTAGE_BEHIND) {
    case LUMP_U16:
        return bytes_get_u16(at);
    case LUMP_I16:
        return (int16_t)bytes_get_u16(at);
    case LUMP_U32:
        return bytes_get_u32(at);
    case LUMP_FIXED:
        return (int32_t)bytes_get_u32(at);
    case NBSTAGE_I8:
        return (signed char)*at;
    case NBSTAGE_U16:
    case NBSTAGE_I16:
        memcpy(&half, at, sizeof half);
        return type & 1 ? half : (int16_t)half;
    case NBSTAGE_U32:
    case NBSTAGE_I32:
    case NBSTAGE_FIXED:
        memcpy(&word, at, sizeof word);
        return type & 1 ? (int64_t)word : (int32_t)word;
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

VECTOR_BODY uint32_t array_get(const struct nbstage_array *of,
                               struct nbstage_member member, size_t index)
{
    const unsigned char *at = array_locate(of, member, index);
    return at ? (uint32_t)array_decode(member.type, at) : NBSTAGE_NONE;
}

uint32_t array_get_number(const struct array *array, int member, size_t index)
{
    return array_get(&array->of, array->members[member], index);
}

VECTOR_BODY int64_t array_height(const struct nbstage_array *of,
                                 struct nbstage_member member, size_t index)
{
    const unsigned char *at = array_locate(of, member, index);
    const int64_t number = at ? array_decode(member.type, at) : ARRAY_NO_HEIGHT;
    if ((member.type & ARRAY_TYPES) >= NBSTAGE_FIXED)
        return number;
    return number >= INT16_MIN && number <= INT16_MAX ? number * 65536
                                                      : ARRAY_NO_HEIGHT;
}

int64_t array_get_height(const struct array *array, int member, size_t index)
{
    if (!array_has(array, member))
        return ARRAY_NO_HEIGHT;
    return array_height(&array->of, array->members[member], index);
}

// Stores a number of all elements; `none` and above become NBSTAGE_NONE.
VECTOR_BODY void array_read_type(struct nbstage_array of,
                                 struct nbstage_member member, uint32_t mask,
                                 uint32_t none, uint32_t *to, size_t step)
{
    for (size_t i = 0; i < of.count; i++) {
        const uint32_t number = mask & array_get(&of, member, i);
        *to = number < none ? number : NBSTAGE_NONE;
        to = (uint32_t *)(void *)((unsigned char *)to + step);
    }
}

// Most lumps need no look at where each number is, and of which type.
static void array_read(const struct array *array, int member, uint32_t mask,
                       uint32_t none, uint32_t *to, size_t step)
{
    struct nbstage_member place = array->members[member];
    if (place.type == LUMP_U16) {
        place.type = LUMP_U16;
        array_read_type(array->of, place, mask, none, to, step);
    } else if (array_has(array, member)) {
        array_read_type(array->of, place, mask, none, to, step);
    }
}

void array_read_numbers(const struct array *array, int member, uint32_t mask,
                        uint32_t *to, size_t step)
{
    array_read(array, member, mask, NBSTAGE_NONE, to, step);
}

void array_read_references(const struct array *array, int member, uint32_t *to,
                           size_t step)
{
    const uint32_t type = array->members[member].type & ARRAY_TYPES;
    const bool is_signed =
        type == NBSTAGE_I8 || type == NBSTAGE_I16 || type == NBSTAGE_I32;
    const uint32_t none = is_signed                ? (uint32_t)INT32_MAX + 1
                          : array_sizes[type] == 1 ? UINT8_MAX
                          : array_sizes[type] == 2 ? UINT16_MAX
                                                   : NBSTAGE_NONE;
    array_read(array, member, UINT32_MAX, none, to, step);
}

// With constant types, as of pointers to structures, the compiler makes fast
// loops.
VECTOR_BODY size_t array_read_two(struct nbstage_array of,
                                  struct nbstage_member first,
                                  struct nbstage_member second,
                                  bool are_heights, uint32_t (*to)[2])
{
    for (size_t i = 0; i < of.count; i++) {
        const int64_t a = are_heights ? array_height(&of, first, i)
                                      : array_get(&of, first, i);
        const int64_t b = are_heights ? array_height(&of, second, i)
                                      : array_get(&of, second, i);
        if (a == ARRAY_NO_HEIGHT || b == ARRAY_NO_HEIGHT)
            return i;
        to[i][0] = (uint32_t)a;
        to[i][1] = (uint32_t)b;
    }
    return of.count;
}

size_t array_read_pairs(const struct array *array, bool are_heights, void *to)
{
    struct nbstage_member first = array->members[0], second = array->members[1];
    const uint32_t usual =
        are_heights ? NBSTAGE_DOUBLE : NBSTAGE_SIZE + NBSTAGE_BEHIND;
    if (first.type != usual || second.type != usual)
        return array_read_two(array->of, first, second, are_heights, to);
    first.type = second.type = NBSTAGE_DOUBLE;
    if (are_heights)
        return array_read_two(array->of, first, second, true, to);
    first.type = second.type = NBSTAGE_SIZE + NBSTAGE_BEHIND;
    return array_read_two(array->of, first, second, false, to);
}

// A flat without a name.
static struct map_flat flat_of_number(uint64_t number)
{
    struct map_flat flat = {{FLAT_OTHER}};
    for (int i = 1; i < 8; i++, number >>= 8)
        flat.bytes[i] = number & 0xFF;
    return flat;
}

static unsigned char flat_upper(char c)
{
    return (unsigned char)(c >= 'a' && c <= 'z' ? c & 0xDF : c);
}

struct map_flat flat_of_name(const char *name, size_t length)
{
    struct map_flat flat = {{0}};
    uint64_t digest = 0;
    size_t i = 0;
    for (; i < length && name[i] && i < sizeof flat.bytes; i++)
        flat.bytes[i] = flat_upper(name[i]);
    if (i == length || !name[i])
        return flat;
    for (i = 0; i < length && name[i]; i++)
        digest = (digest ^ flat_upper(name[i])) * 0x100000001B3;
    return flat_of_number(digest ^ digest >> 32);
}

struct map_flat array_get_flat(const struct array *array, int member,
                               size_t index)
{
    const struct nbstage_member place = array->members[member];
    const unsigned char *at = NULL;
    if (array_has(array, member))
        at = array_locate(&array->of, place, index);
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
                                         size_t index,
                                         const struct array *array)
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
        (index >= row->heights + row->flats ||
         (type == NBSTAGE_NAME) != (index >= row->heights)))
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

// Checks that all that there is of an array can be read.
static nbstage_status array_check(struct context *context,
                                  const struct array_row *row,
                                  const struct array *given)
{
    const struct nbstage_array *array = &given->of;
    nbstage_status status = NBSTAGE_OK;
    if (array->count == 0)
        return row->needed == 0 ? NBSTAGE_OK
                                : context_fail(context, NBSTAGE_BAD_MAP,
                                               row->name, "the array is empty");
    if (!array->data)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements at a NULL pointer", array->count);
    if (array->is_indirect > 1)
        return context_fail(context, NBSTAGE_UNSUPPORTED, row->name,
                            "is_indirect is %lu; 0 or 1 was expected",
                            (unsigned long)array->is_indirect);
    if (array->count > UINT32_MAX)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements; at most %lu can be numbered",
                            array->count, (unsigned long)UINT32_MAX);
    if (array->is_indirect && array->stride < sizeof(void *))
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "pointers to elements are %zu bytes apart; at "
                            "least %zu were expected",
                            array->stride, sizeof(void *));
    if (array->stride > PTRDIFF_MAX / array->count)
        return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                            "%zu elements that are %zu bytes apart do not fit "
                            "into memory",
                            array->count, array->stride);
    for (size_t i = 0; i < row->count && status == NBSTAGE_OK; i++)
        if (array_has(given, (int)i) || i < row->needed)
            status = array_check_member(context, row, i, given);
    for (size_t i = 0;
         status == NBSTAGE_OK && array->is_indirect && i < array->count; i++) {
        const void *element;
        memcpy(&element, (const char *)array->data + i * array->stride,
               sizeof element);
        if (!element)
            return context_fail(context, NBSTAGE_BAD_MAP, row->name,
                                "the pointer to element %zu is NULL", i);
    }
    return status;
}

nbstage_status array_take(struct context *context, enum array_kind kind,
                          const void *given, struct array *array)
{
    const struct array_row *row = &array_rows[kind];
    const size_t known =
        offsetof(struct array, members) + row->count * sizeof *array->members;
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size < known)
        return context_fail(context, NBSTAGE_BAD_CALL, row->name,
                            "the size of the description is not set");
    memcpy(array, given, known);
    array->is_given = array->is_open = true;
    return array_check(context, row, array);
}
