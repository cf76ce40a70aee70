// SPDX-License-Identifier: GPL-2.0-or-later
//
// What lines and sectors are like: flags, specials, tags, heights.  Pruning
// asks for it, and decoding.

#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include "map/map.h"

// No sector: what a side that a line has not got faces.
#define ATTRIBUTES_NO_SECTOR UINT32_MAX

// Whose numbers specials are.
enum attributes_specials {
    SPECIALS_DOOM,    // Doom, Boom, Heretic or Strife: one cannot tell
    SPECIALS_HEXEN,   // Hexen, and ZDoom's additions
    SPECIALS_UNKNOWN, // a namespace of UDMF that may have either
};

// Bits of the flags of linedefs, Doom's and after it Hexen's.
enum {
    ATTRIBUTES_FLAG_TWO_SIDED = 0x0004,
    ATTRIBUTES_FLAG_PEG_TOP = 0x0008,
    ATTRIBUTES_FLAG_PEG_BOTTOM = 0x0010,
    ATTRIBUTES_FLAG_SECRET = 0x0020,
    ATTRIBUTES_FLAG_NEVER_ON_MAP = 0x0080,
    ATTRIBUTES_FLAG_ALWAYS_ON_MAP = 0x0100,
    ATTRIBUTES_FLAGS_HARMLESS =
        ATTRIBUTES_FLAG_TWO_SIDED | ATTRIBUTES_FLAG_PEG_TOP |
        ATTRIBUTES_FLAG_PEG_BOTTOM | ATTRIBUTES_FLAG_SECRET |
        ATTRIBUTES_FLAG_NEVER_ON_MAP | ATTRIBUTES_FLAG_ALWAYS_ON_MAP,
};

// Flags of lines in UDMF, and of sectors, as nbstage.h has them.
enum {
    ATTRIBUTES_LINE_TWO_SIDED = 0x1,
    ATTRIBUTES_LINE_BLOCKING = 0x2,
    ATTRIBUTES_LINE_OTHER = 0x4,
    ATTRIBUTES_SECTOR_SLOPED = 0x1,
    ATTRIBUTES_SECTOR_MORE_TAGS = 0x2,
    ATTRIBUTES_SECTOR_MOVES = 0x4,
    ATTRIBUTES_SECTOR_OTHER = 0x8,
};

enum { ATTRIBUTES_ARGUMENTS = 5 };

struct attributes_line {
    uint32_t flags; // of its format, in UDMF those above
    uint32_t special;
    uint32_t id; // Doom and Doom 64: its tag; or attributes_no_id
    int32_t args[ATTRIBUTES_ARGUMENTS];
    uint32_t front, back; // sectors, or ATTRIBUTES_NO_SECTOR

    // What follows from these.
    uint32_t tag;   // what the special acts on; 0 if that is in doubt
    bool two_sided; // is flagged as such
    // It has no tag or id and nothing that blocks, and but for its special
    // nothing that is not known to be harmless.
    bool is_harmless;
};

struct attributes_sector {
    int32_t floor, ceiling; // 16.16
    uint32_t special;
    uint32_t tag;
    uint32_t flags; // those above, and what else the host's arrays have
    // Has a flag of the host's that is not known, so no line of it is inert.
    bool has_unknown_flag;
    // Why it is in doubt in spite of all these, such as "slopes"; NULL if it
    // is not.
    const char *doubt;
};

struct attributes_thing {
    size_t number;
    uint32_t type;
    uint32_t special; // an action when it dies, for example
    uint32_t tag;     // as a line's
};

struct attributes {
    enum attributes_specials specials;
    struct attributes_line *lines; // as many as the map has
    size_t line_count;
    struct attributes_sector *sectors;
    size_t sector_count;
    struct attributes_thing *things;
    size_t thing_count;
    bool has_scripts;
};

// The id of lines that have none by the rules of a format.  In UDMF 0 is an id.
static inline uint32_t attributes_no_id(uint32_t format)
{
    return format == NBSTAGE_FORMAT_UDMF ? UINT32_MAX : 0;
}

// Reads the attributes of a map, but the things of Doom 64.
// NBSTAGE_BAD_MAP: they are damaged or missing, with a sentence about what was
// met first.  What could be read is there all the same, for attributes_free;
// where the sector of a side is in doubt, it has none.
// NBSTAGE_OUT_OF_MEMORY: there is nothing.
nbstage_status attributes_read(struct context *context, struct map *map,
                               struct attributes *attributes);

// Make room for all lines, and for sectors, not cleared.
nbstage_status attributes_allocate_lines(struct context *context,
                                         struct attributes *attributes);
nbstage_status attributes_allocate_sectors(struct context *context,
                                           size_t count,
                                           struct attributes *attributes);

// Tells tag, two_sided and is_harmless of a line from the rest, by the rules of
// a format.
void attributes_judge_line(uint32_t format, struct attributes_line *line);

void attributes_free(struct context *context, struct attributes *attributes);

#endif
