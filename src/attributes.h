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

struct attributes_line {
    uint32_t special;
    uint32_t tag;         // what the special acts on; 0 if that is in doubt
    uint32_t front, back; // sectors, or ATTRIBUTES_NO_SECTOR
    bool two_sided;       // is flagged as such
    // It has no tag or id and nothing that blocks, and but for its special
    // nothing that is not known to be harmless.
    bool passable;
};

struct attributes_sector {
    int32_t floor, ceiling; // in one unit or another
    uint32_t special;
    uint32_t tag;
    // Has a flag of the host's that is not known, so no line of it is inert.
    bool strange;
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

// The first line from `line` on that asks to be left out, in the convention of
// its format; the number of lines if there is none:
//   Doom: tag 999 (ZokumBSP, VigilantBSP, ELFBSP), but not on a line that has a
//   special, which needs the tag for itself;
//   Hexen: special 108, BSP_SpecialEffects, with a first argument (ELFBSP);
//   Doom 64: flag bit 28, or both "always show" (bit 8) and "never show" (bit
//   7) on the automap (BSP64 Enhanced, ELFBSP);
//   UDMF has none.
size_t attributes_next_asker(const struct map *map, size_t line);

// Reads the attributes of a map, to be called once for it.
// STATUS_BAD_MAP: they are damaged or missing.  STATUS_UNSUPPORTED: they are
// in a form that is not read, that of Doom 64.  Both with a sentence.
enum status attributes_read(struct context *context, struct map *map,
                            struct attributes *attributes);

void attributes_free(struct context *context, struct attributes *attributes);

#endif
