// SPDX-License-Identifier: GPL-2.0-or-later
//
// The arrays of a map: the host's, as nbstage.h describes them, and the lumps
// of the binary formats, which are described in the same way.

#ifndef ARRAYS_OF_MAP_H
#define ARRAYS_OF_MAP_H

#include "base/context.h"
#include "map/flat.h"
#include "map/pointers.h"
#include "nbstage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    LINEDEF_LEFT_OUT,
    LINEDEF_MEMBER_COUNT,
};
enum { SIDE_SECTOR };
enum {
    SECTOR_FLOOR,
    SECTOR_CEILING,
    SECTOR_FLOOR_FLAT,
    SECTOR_CEILING_FLAT,
    SECTOR_SPECIAL,
    SECTOR_TAG,
    SECTOR_FLAGS, // of TEXTMAP; hosts have none
};
enum { THING_TYPE, THING_SPECIAL, THING_ARGS };

// Types of members of lumps: as the host's, but little-endian.
enum {
    ARRAY_LUMP = 0x200,
    ARRAY_TYPES = 0xFF, // mask without ARRAY_LUMP
    LUMP_U16 = ARRAY_LUMP | NBSTAGE_U16,
    LUMP_I16 = ARRAY_LUMP | NBSTAGE_I16,
    LUMP_FIXED = ARRAY_LUMP | NBSTAGE_FIXED,
};

// In place of the number of an element: none; and one that does not exist.
#define MAP_NONE UINT32_MAX
#define ARRAY_BEYOND (UINT32_MAX - 1)

// Flags of the linedefs and sectors of TEXTMAP.
#define MAP_LINE_TWO_SIDED 1U
#define MAP_LINE_OTHER 2U // any that may matter
#define MAP_LINE_BLOCKS_SOUND 4U
#define MAP_SECTOR_SLOPED 1U
#define MAP_SECTOR_OTHER 2U

// A vertex, 16.16.
struct map_vertex {
    int32_t x, y;
};

// The numbers of a linedef's vertices.
struct map_ends {
    uint32_t v1, v2;
};

// Which game's numbering the specials follow.
enum map_specials {
    SPECIALS_UNKNOWN, // a UDMF namespace that may use either
    SPECIALS_DOOM,    // Doom, Boom, Heretic or Strife, which look alike
    SPECIALS_HEXEN,   // Hexen, and ZDoom's additions
};

// Attributes of a linedef.
struct map_line {
    uint32_t flags; // of its format; UDMF: MAP_LINE_TWO_SIDED, ...
    uint32_t special;
    uint32_t tag;          // UDMF: the id, UINT32_MAX for none; Hexen: 0
    uint32_t args[5];      // Hexen and UDMF
    uint32_t front_sector; // or MAP_NONE
    uint32_t back_sector;
};

struct map_sector {
    int32_t floor, ceiling; // 16.16
    struct map_flat floor_flat, ceiling_flat;
    uint32_t special;
    uint32_t tag;
    uint32_t flags; // MAP_SECTOR_SLOPED, ...
};

struct map_thing {
    uint32_t type, special;
    uint32_t tag; // the special's target: its first argument
};

struct array {
    // Laid out like struct nbstage_lines, or one of the others.
    struct nbstage_array of;
    struct nbstage_member members[LINEDEF_MEMBER_COUNT];

    bool is_given; // by the host; else the array is from a lump
    bool is_open;  // by array_take or map_open_array

    struct pointers pointers; // of NBSTAGE_POINTERS, once they are needed
};

// Checks and copies the host's description of an array.  NBSTAGE_BAD_MAP: it is
// inconsistent.  NBSTAGE_BAD_CALL: its size is not set.
nbstage_status array_take(struct context *context, enum array_kind kind,
                          const void *given, struct array *array);

// The records of the binary formats, plus ARRAY_TEXT for TEXTMAP, and
// ARRAY_TEXT_ENDS for TEXTMAP without attributes.  Each letter is a member, in
// order: H and h are unsigned and signed numbers of 16 bits, I has 32 bits, f
// is 16.16, B is a byte, N a name; u and d are I and f in native byte order; -
// is an absent member.  A digit skips that many bytes.
enum { ARRAY_TEXT = NBSTAGE_FORMAT_UDMF, ARRAY_TEXT_ENDS };
extern const char *const array_layouts[][ARRAY_KIND_COUNT];

// Describes the records of a layout: fills in all but data and count.  Returns
// the bytes of a record.
size_t array_describe(const char *layout, struct array *array);

// The kind of array that a member of lines or sides refers to.
enum array_kind array_find_target(enum array_kind kind, int member);

// Says that a pointer in an element, found as MAP_NONE or ARRAY_BEYOND, is
// wrong.  Returns NBSTAGE_BAD_MAP.
nbstage_status array_refuse_pointer(struct context *context,
                                    const struct array *arrays,
                                    enum array_kind kind, int member,
                                    size_t index, uint32_t found);

// The low 32 bits of a number of a type.
uint32_t array_type_mask(uint32_t type);

// The bits that a number may have in the lumps of a binary format.
uint32_t array_mask(uint32_t format, enum array_kind kind, int member);

// NBSTAGE_BAD_MAP: a member has pointers to elements of an array that the host
// has not described.
nbstage_status array_check_targets(struct context *context,
                                   const struct array *arrays);

// Whether the elements have a member.
static inline bool array_has(const struct array *array, int member)
{
    return array->members[member].type != NBSTAGE_ABSENT;
}

// NBSTAGE_BAD_MAP: a member whose bit is set in `members` is absent.
nbstage_status array_need(struct context *context, enum array_kind kind,
                          const struct array *array, uint32_t members);

// Returns the low 32 bits of a number of an element, which must have the
// member.
uint32_t array_get_number(const struct array *array, int member, size_t index);

// Returns a coordinate or height, 16.16; ARRAY_NO_HEIGHT if it is absent, NaN
// or out of range.
int64_t array_get_height(const struct array *array, int member, size_t index);

#define ARRAY_NO_HEIGHT INT64_MAX

// Returns a flat.  An unknown flat compares unequal to all others.
struct map_flat array_get_flat(const struct array *array, int member,
                               size_t index);

// Stores vertices, up to the first with a coordinate beyond 16.16.  Returns the
// number stored.
size_t array_read_vertices(const struct array *array,
                           struct map_vertex *vertices);

// Stores the ends of all lines.  `arrays` are those of the map.  A number
// without a vertex remains one without a vertex, if not the same.
// NBSTAGE_BAD_MAP: a pointer is not that of a vertex.  NBSTAGE_OUT_OF_MEMORY.
nbstage_status array_read_ends(struct context *context, struct array *arrays,
                               struct map_ends *ends);

// Stores the low bits of a member of every element, masked, at `to` and then
// every `step` bytes.  Nothing changes if the member is absent.
void array_read_numbers(const struct array *array, int member, uint32_t mask,
                        uint32_t *to, size_t step);

// Like array_read_numbers, for numbers of elements in at most 32 bits: none
// becomes MAP_NONE.
void array_read_references(const struct array *array, int member, uint32_t *to,
                           size_t step);

// The same for a member of lines or sides of any type.
// NBSTAGE_BAD_MAP: a pointer is not that of an element.  NBSTAGE_OUT_OF_MEMORY.
nbstage_status array_read_elements(struct context *context,
                                   struct array *arrays, enum array_kind kind,
                                   int member, uint32_t *to, size_t step);

// Stores for each element whether a member is not 0.
void array_read_flags(const struct array *array, int member, uint8_t *to);

#endif
