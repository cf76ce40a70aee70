// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the members of elements: numbers, heights, flats, and what refers to
// other elements, by number or by pointer.

#include "map/arrays.h"

#include "base/bytes.h"
#include "base/vector.h"

#include <string.h>

enum { ARRAY_AHEAD = 16 }; // elements from the one loaded to the one read

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

// Decodes a number of any type; NBSTAGE_FIXED, FLOAT and DOUBLE become 16.16,
// NBSTAGE_U64 and pointers keep their bits.
VECTOR_BODY int64_t array_decode(uint32_t type, const unsigned char *at)
{
    const uint32_t native = type & ARRAY_TYPES;
    const bool is_native = !(type & ARRAY_LUMP);
    uint16_t half;
    uint32_t word;
    int64_t both;
    uintptr_t address;
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
    case NBSTAGE_I64:
        memcpy(&both, at, sizeof both);
        return both;
    case NBSTAGE_FLOAT:
        memcpy(&single, at, sizeof single);
        return array_truncate(single);
    case NBSTAGE_DOUBLE:
        memcpy(&number, at, sizeof number);
        return array_truncate(number);
    case NBSTAGE_POINTER:
        memcpy(&address, at, sizeof address);
        return (int64_t)address;
    default:
        return *at;
    }
}

// Loads a member into the cache that is soon needed, if there is one.
VECTOR_BODY void array_prefetch(const struct nbstage_array *of,
                                struct nbstage_member member, size_t index)
{
    if (of->kind == NBSTAGE_POINTERS && index < of->count)
        VECTOR_PREFETCH(
            (const void *)((uintptr_t)pointers_get(of, index) + member.offset));
}

// Address of a member of an element.
VECTOR_BODY const unsigned char *array_locate(const struct nbstage_array *of,
                                              struct nbstage_member member,
                                              size_t index)
{
    if (of->kind == NBSTAGE_POINTERS)
        return pointers_get(of, index) + member.offset;
    return (const unsigned char *)of->data + index * of->stride + member.offset;
}

VECTOR_BODY int64_t array_load(const struct nbstage_array *of,
                               struct nbstage_member member, size_t index)
{
    return array_decode(member.type, array_locate(of, member, index));
}

// Loads a height as 16.16; an invalid one does not fit 32 bits.
VECTOR_BODY int64_t array_load_height(const struct nbstage_array *of,
                                      struct nbstage_member member,
                                      size_t index)
{
    const uint32_t type = member.type & ARRAY_TYPES;
    const int64_t number = array_load(of, member, index);
    if (type >= NBSTAGE_FIXED)
        return number;
    if (number != (int32_t)number || (type == NBSTAGE_U64 && number < 0))
        return ARRAY_NO_HEIGHT;
    return number * 65536;
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

// The loop of array_read_numbers; `none` and larger numbers become MAP_NONE.
VECTOR_BODY void array_store(struct nbstage_array of,
                             struct nbstage_member member, uint32_t mask,
                             uint32_t none, uint32_t *to, size_t step)
{
    for (size_t i = 0; i < of.count; i++) {
        const uint32_t number = mask & (uint32_t)array_load(&of, member, i);
        *to = number < none ? number : MAP_NONE;
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
    array_store_member(array, member, mask, MAP_NONE, to, step);
}

void array_read_flags(const struct array *array, int member, uint8_t *to)
{
    for (size_t i = 0; i < array->of.count; i++)
        to[i] = array_load(&array->of, array->members[member], i) != 0;
}

// ---------------------------------------------------------------------------
// Elements that other elements refer to

// The number of the element at an address, or ARRAY_BEYOND.  In an array of
// elements the distance to its beginning gives the number.
static inline uint32_t array_find(const struct array *array, uintptr_t address,
                                  struct pointers_found *last)
{
    const struct nbstage_array *of = &array->of;
    if (array->pointers.places)
        return pointers_find(of, &array->pointers, address, ARRAY_BEYOND, last);
    if (of->count == 0)
        return ARRAY_BEYOND;
    const uintptr_t distance = address - (uintptr_t)of->data;
    const uintptr_t number = distance / of->stride;
    return number < of->count && number * of->stride == distance
               ? (uint32_t)number
               : ARRAY_BEYOND;
}

// Makes 32 bits of a number: MAP_NONE of none, ARRAY_BEYOND of one that is too
// large.  Negative numbers of 32 bits and less are sign-extended.
static inline uint32_t array_narrow(uint32_t type, int64_t number)
{
    if (type != NBSTAGE_U64 && type != NBSTAGE_I64)
        return (uint32_t)number;
    if (number == -1 || (type == NBSTAGE_I64 && number < 0))
        return MAP_NONE;
    return (uint64_t)number < ARRAY_BEYOND ? (uint32_t)number : ARRAY_BEYOND;
}

// Loads the number of an element of another array.
VECTOR_BODY uint32_t array_load_element(const struct nbstage_array *of,
                                        struct nbstage_member member,
                                        size_t index,
                                        const struct array *target,
                                        struct pointers_found *last)
{
    const int64_t number = array_load(of, member, index);
    if (member.type == NBSTAGE_POINTER)
        return number ? array_find(target, (uintptr_t)number, last) : MAP_NONE;
    return array_narrow(member.type, number);
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
        array_prefetch(&of, x, i + ARRAY_AHEAD);
        array_prefetch(&of, y, i + ARRAY_AHEAD);
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

// The same for ends.  Returns the first line with a pointer that is not that of
// a vertex, or the number of lines.
VECTOR_BODY size_t array_store_ends(const struct array *array, uint32_t type,
                                    const struct array *vertices,
                                    struct map_ends *to)
{
    const struct nbstage_array of = array->of;
    struct nbstage_member v1 = array->members[LINEDEF_V1];
    struct nbstage_member v2 = array->members[LINEDEF_V2];
    v1.type = type ? type : v1.type;
    v2.type = type ? type : v2.type;
    // A bad number remains for the next step; it may be a vertex of the nodes.
    const bool refuses_v1 = v1.type == NBSTAGE_POINTER;
    const bool refuses_v2 = v2.type == NBSTAGE_POINTER;
    struct pointers_found last =
        pointers_begin(&vertices->of, &vertices->pointers);
    for (size_t i = 0; i < of.count; i++) {
        array_prefetch(&of, v1, i + ARRAY_AHEAD);
        array_prefetch(&of, v2, i + ARRAY_AHEAD);
        to[i].v1 = array_load_element(&of, v1, i, vertices, &last);
        to[i].v2 = array_load_element(&of, v2, i, vertices, &last);
        if ((refuses_v1 && to[i].v1 >= ARRAY_BEYOND) ||
            (refuses_v2 && to[i].v2 >= ARRAY_BEYOND))
            return i;
    }
    return of.count;
}

// Makes it possible to find the elements that a member points to.
static nbstage_status array_open_target(struct context *context,
                                        struct array *arrays,
                                        enum array_kind kind, int member)
{
    struct array *target = &arrays[array_find_target(kind, member)];
    if (arrays[kind].members[member].type != NBSTAGE_POINTER ||
        target->of.kind == NBSTAGE_ELEMENTS)
        return NBSTAGE_OK;
    return pointers_make(context, &target->of, &target->pointers);
}

// Hosts with pointers mostly have them at both ends.
nbstage_status array_read_ends(struct context *context, struct array *arrays,
                               struct map_ends *ends)
{
    const struct array *lines = &arrays[ARRAY_LINES];
    const struct array *vertices = &arrays[ARRAY_VERTICES];
    const bool are_pointers =
        array_shared_type(lines, LINEDEF_V1, LINEDEF_V2) == NBSTAGE_POINTER;
    NEED(array_open_target(context, arrays, ARRAY_LINES, LINEDEF_V1));
    NEED(array_open_target(context, arrays, ARRAY_LINES, LINEDEF_V2));
    const size_t count =
        are_pointers ? array_store_ends(lines, NBSTAGE_POINTER, vertices, ends)
                     : array_store_ends(lines, 0, vertices, ends);
    if (count == lines->of.count)
        return NBSTAGE_OK;
    const struct map_ends *wrong = &ends[count];
    if (lines->members[LINEDEF_V1].type == NBSTAGE_POINTER &&
        wrong->v1 >= ARRAY_BEYOND)
        return array_refuse_pointer(context, arrays, ARRAY_LINES, LINEDEF_V1,
                                    count, wrong->v1);
    return array_refuse_pointer(context, arrays, ARRAY_LINES, LINEDEF_V2, count,
                                wrong->v2);
}

void array_read_references(const struct array *array, int member, uint32_t *to,
                           size_t step)
{
    const uint32_t type = array->members[member].type & ARRAY_TYPES;
    uint32_t none = MAP_NONE;
    if (type == NBSTAGE_I8 || type == NBSTAGE_I16 || type == NBSTAGE_I32)
        none = (uint32_t)INT32_MAX + 1; // negative numbers
    else
        none = array_type_mask(type); // all bits are set
    array_store_member(array, member, UINT32_MAX, none, to, step);
}

nbstage_status array_read_elements(struct context *context,
                                   struct array *arrays, enum array_kind kind,
                                   int member, uint32_t *to, size_t step)
{
    const struct array *array = &arrays[kind];
    const struct array *target = &arrays[array_find_target(kind, member)];
    const struct nbstage_member place = array->members[member];
    if (place.type != NBSTAGE_U64 && place.type != NBSTAGE_I64 &&
        place.type != NBSTAGE_POINTER) {
        array_read_references(array, member, to, step);
        return NBSTAGE_OK;
    }
    NEED(array_open_target(context, arrays, kind, member));
    struct pointers_found last = pointers_begin(&target->of, &target->pointers);
    for (size_t i = 0; i < array->of.count; i++) {
        const uint32_t number =
            array_load_element(&array->of, place, i, target, &last);
        if (number == ARRAY_BEYOND && place.type == NBSTAGE_POINTER)
            return array_refuse_pointer(context, arrays, kind, member, i,
                                        number);
        memcpy((unsigned char *)to + i * step, &number, sizeof number);
    }
    return NBSTAGE_OK;
}

struct map_flat array_get_flat(const struct array *array, int member,
                               size_t index)
{
    const struct nbstage_member place = array->members[member];
    const uint64_t unique = (uint64_t)1 << 32 | index;
    if (!array_has(array, member))
        return flat_of_number(unique);
    const unsigned char *at = array_locate(&array->of, place, index);
    if ((place.type & ARRAY_TYPES) == NBSTAGE_NAME)
        return flat_of_name((const char *)at, 8);
    const uint32_t number =
        array_narrow(place.type, array_decode(place.type, at));
    return flat_of_number(number < ARRAY_BEYOND ? number : unique);
}
