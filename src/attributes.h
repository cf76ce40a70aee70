// SPDX-License-Identifier: GPL-2.0-or-later
//
// What lines and sectors are like: flags, specials, tags, heights.  Only
// pruning asks for it.

#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include "map.h"

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

struct attributes_line {
    uint32_t special;
    uint32_t tag;         // what the special acts on; 0 if that is in doubt
    uint32_t front, back; // sectors, or ATTRIBUTES_NO_SECTOR
    bool two_sided;       // is flagged as such
    // It has no tag or id and nothing that blocks, and but for its special
    // nothing that is not known to be harmless.
    bool is_harmless;
};

struct attributes_sector {
    int32_t floor, ceiling; // in one unit or another
    uint32_t special;
    uint32_t tag;
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

// Reads the attributes of a map, to be called once for it.
// STATUS_BAD_MAP: they are damaged or missing.  STATUS_UNSUPPORTED: they are
// in a form that is not read, that of Doom 64.  Both with a sentence.
enum status attributes_read(struct context *context, struct map *map,
                            struct attributes *attributes);

// Makes room for all lines and for sectors, not cleared.
enum status attributes_allocate(struct context *context, size_t sector_count,
                                struct attributes *attributes);

void attributes_free(struct context *context, struct attributes *attributes);

#endif
