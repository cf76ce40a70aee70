// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef WADTOOL_H
#define WADTOOL_H

#include "buffer.h"
#include "wadfile.h"
#include "wadwriter.h"

#include <stdint.h>

// Sizes in bytes of elements in Doom format.
enum {
    THING_SIZE = 10,
    LINEDEF_SIZE = 14,
    SIDEDEF_SIZE = 30,
    VERTEX_SIZE = 4,
    SECTOR_SIZE = 26,
};

// What a word of an element is.
enum word_kind {
    WORD_SIGNED,
    WORD_UNSIGNED,
    WORD_X,
    WORD_Y,
    WORD_VERTEX, // the number of one
    WORD_SIDE,   // the number of one, or NO_SIDE
    WORD_SECTOR,
};

enum { MOST_FIELDS = 6, ELEMENT_KINDS = 5, NO_SIDE = 0xFFFF };

struct element_field {
    const char *name; // in UDMF
    size_t at;        // bytes
    enum word_kind kind;
};

struct element {
    const char *name; // of its block in UDMF
    const char *lump;
    size_t record_size; // bytes
    struct element_field fields[MOST_FIELDS];
    const char *constant; // fields in UDMF that are the same in every block
};

extern const struct element elements[ELEMENT_KINDS];

// Copies of a map side by side.  With steps and moves of 0, one is the map.
struct tiling {
    const struct wadfile_map *map;
    int32_t count[2];          // columns and rows
    int32_t step[2];           // from one copy to the next
    int32_t move[2];           // of the first one
    int32_t tile;              // the copy that is being made
    unsigned start_x, start_y; // of the player, as in THINGS
};

// Places copies with gaps around the middle of the coordinates.
void tiling_place(struct tiling *tiling);

// A word of an element as the copy has it.
int32_t tiling_word(const struct tiling *tiling, const unsigned char *element,
                    const struct element_field *field);

// Prints a sentence and ends with status 2.
_Noreturn void fail(const char *format, ...);

// A decimal number from `lowest` to `highest`.
uint32_t parse_number(const char *text, uint32_t lowest, uint32_t highest);

// Stores a number, little-endian.
void put_number(unsigned char *bytes, size_t size, uint32_t value);

// The subcommands: the file that their first argument names, if they read one,
// and their arguments, with a NULL after them.
void wadtool_convert(struct wadfile *wad, char **arguments);
void wadtool_ends(struct wadfile *wad, char **arguments);
void wadtool_tame(struct wadfile *wad, char **arguments);
void wadtool_drop(struct wadfile *wad, char **arguments);
void wadtool_tile(struct wadfile *wad, char **arguments);
void wadtool_segs(struct wadfile *wad, char **arguments);
void wadtool_damage_segs(struct wadfile *wad, char **arguments);
void wadtool_damage(struct wadfile *wad, char **arguments);
void wadtool_judge(struct wadfile *wad, char **arguments);
void wadtool_engines(struct wadfile *wad, char **arguments);
void wadtool_plain(struct wadfile *wad, char **arguments);
void wadtool_compare(struct wadfile *wad, char **arguments);
void wadtool_closets(struct wadfile *none, char **arguments);
void wadtool_crowd(struct wadfile *none, char **arguments);
void wadtool_random(struct wadfile *none, char **arguments);
void wadtool_vast_lump(struct wadfile *none, char **arguments);
void wadtool_sectors(struct wadfile *none, char **arguments);

#endif
