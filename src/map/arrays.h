// SPDX-License-Identifier: GPL-2.0-or-later
//
// The arrays of a map: the host's, as nbstage.h describes them, and the lumps
// of the binary formats, which are described in the same way.

#ifndef ARRAYS_OF_MAP_H
#define ARRAYS_OF_MAP_H

#include "base/context.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum array_kind {
    ARRAY_VERTICES,
    ARRAY_LINES,
    ARRAY_SIDES,
    ARRAY_SECTORS,
    ARRAY_THINGS,
    ARRAY_KIND_COUNT,
};

// Their members, in the order of struct nbstage_vertices and so on.
enum { VERTEX_X, VERTEX_Y };
enum {
    LINEDEF_V1,
    LINEDEF_V2,
    LINEDEF_FLAGS,
    LINEDEF_SPECIAL,
    LINEDEF_TAG,
    LINEDEF_ARGS,
    LINEDEF_FRONT_SIDE = LINEDEF_ARGS + 5,
    LINEDEF_BACK_SIDE,
    LINEDEF_FRONT_SECTOR,
    LINEDEF_BACK_SECTOR,
};
enum { SIDE_SECTOR };
enum {
    SECTOR_FLOOR,
    SECTOR_CEILING,
    SECTOR_FLOOR_FLAT,
    SECTOR_CEILING_FLAT,
    SECTOR_SPECIAL,
    SECTOR_TAG,
    SECTOR_FLAGS,
};
enum { THING_TYPE, THING_SPECIAL, THING_ARGS };

// Types of members of lumps: as the host's, but little-endian.
enum {
    ARRAY_LUMP = 0x200,
    LUMP_U16 = ARRAY_LUMP | NBSTAGE_U16,
    LUMP_I16 = ARRAY_LUMP | NBSTAGE_I16,
    LUMP_FIXED = ARRAY_LUMP | NBSTAGE_FIXED,
};

// A vertex, 16.16.
struct map_vertex {
    int32_t x, y;
};

// The numbers of a linedef's vertices.
struct map_ends {
    uint32_t v1, v2;
};

// Whose numbers specials are.
enum map_specials {
    SPECIALS_UNKNOWN, // a namespace of UDMF that may have either
    SPECIALS_DOOM,    // Doom, Boom, Heretic or Strife: nothing tells which
    SPECIALS_HEXEN,   // Hexen, and ZDoom's additions
};

// What a linedef is like, apart from where it is.
struct map_line {
    uint32_t flags; // of its format; UDMF: NBSTAGE_LINE_TWO_SIDED, ...
    uint32_t special;
    uint32_t tag;          // UDMF: the id, UINT32_MAX for none; Hexen: 0
    uint32_t args[5];      // Hexen and UDMF
    uint32_t front_sector; // or NBSTAGE_NONE
    uint32_t back_sector;
};

// A flat: its name in upper case, with NULs behind it; or FLAT_OTHER, and what
// tells it from others.
struct map_flat {
    unsigned char bytes[8];
};

enum { FLAT_OTHER = 0xFF }; // the first byte; no name begins with it

struct map_sector {
    int32_t floor, ceiling; // 16.16
    struct map_flat floor_flat, ceiling_flat;
    uint32_t special;
    uint32_t tag;
    uint32_t flags; // NBSTAGE_SECTOR_SLOPED, ...
};

struct map_thing {
    uint32_t type, special;
    uint32_t tag; // that the special acts on, the first argument
};

// A flat of a name, which ends after so many bytes or at a NUL.
struct map_flat flat_of_name(const char *name, size_t length);

static inline bool flat_is_same(struct map_flat a, struct map_flat b)
{
    return memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
}

// Whether a flat is the sky, or may be.
static inline bool flat_may_be_sky(struct map_flat flat)
{
    return flat.bytes[0] == FLAT_OTHER || memcmp(flat.bytes, "F_SKY", 5) == 0;
}

struct array {
    // As struct nbstage_lines, or one of the others.
    struct nbstage_array of;
    struct nbstage_member members[LINEDEF_BACK_SECTOR + 1];

    bool is_given; // by the host; or else of a lump
    bool is_open;  // whether it is known what there is
};

// Takes a description of the host's.
// NBSTAGE_BAD_MAP: it is impossible.  NBSTAGE_BAD_CALL: its size is not set.
nbstage_status array_take(struct context *context, enum array_kind kind,
                          const void *given, struct array *array);

// The records of the binary formats, and those that a text is read into, the
// second time without attributes.  A letter stands for each member in order: H
// and h for a number of 16 bits without and with a sign, I for one of 32, f for
// 16.16, B for a byte, N for a name; u and d for I and f in the machine's order
// of bytes; - for a member that is not there.  Digits count bytes that are not
// read.
enum { ARRAY_TEXT = NBSTAGE_FORMAT_UDMF, ARRAY_TEXT_ENDS };
extern const char *const array_layouts[][ARRAY_KIND_COUNT];

// Describes records of a layout, but for where they are.  Returns the bytes of
// one.
size_t array_describe(const char *layout, struct array *array);

// Whether the elements have a member.
static inline bool array_has(const struct array *array, int member)
{
    return array->members[member].type != NBSTAGE_ABSENT;
}

// NBSTAGE_BAD_MAP: the elements lack one of the members, of which each is a
// bit.
nbstage_status array_need(struct context *context, enum array_kind kind,
                          const struct array *array, uint32_t members);

// A number of an element, which must have it.  Negative numbers of any type
// become those of 32 bits, and what is beyond 32 bits UINT32_MAX.
uint32_t array_get_number(const struct array *array, int member, size_t index);

// A coordinate or height, 16.16; ARRAY_NO_HEIGHT if it is beyond that, not a
// number, or absent.
int64_t array_get_height(const struct array *array, int member, size_t index);

#define ARRAY_NO_HEIGHT INT64_MAX

// A flat.  One that is not known is like no other sector's.
struct map_flat array_get_flat(const struct array *array, int member,
                               size_t index);

// Stores the first two members of all elements: numbers, or heights up to an
// element where one is beyond 16.16.  Returns its index, or the count of
// elements.
size_t array_read_pairs(const struct array *array, bool are_heights, void *to);

// Stores numbers of all elements, `step` bytes apart: those of so many members,
// one after the other, and of them the bits that are in the mask.  Numbers of
// other elements become NBSTAGE_NONE if they are negative or all their bits are
// set.  Nothing changes if the elements do not have the number.
enum { ARRAY_REFERENCE = 0 }; // in place of the mask: of a side, sector or line
void array_read_numbers(const struct array *array, int member, int count,
                        uint32_t mask, uint32_t *to, size_t step);

#endif
