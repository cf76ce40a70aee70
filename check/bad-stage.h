// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the stage that misbehaves and the program that judges hosts by it agree
// on: names, sentences, and the lump that the stage makes of a map.

#ifndef BAD_STAGE_H
#define BAD_STAGE_H

#include <stddef.h>

// The name of the stage, and of its file without ".so".
#define BAD_STAGE "bad-stage"

// Variables of the environment: how the stage behaves, and the file that it
// appends a sentence to when the host breaks the contract.
#define BAD_STAGE_BEHAVIOUR "NBSTAGE_CHECK_BEHAVIOUR"
#define BAD_STAGE_COMPLAINTS "NBSTAGE_CHECK_COMPLAINTS"

// What it says when it fails, and what may follow that but must not reach a
// terminal: each of these as it is.
#define BAD_STAGE_SENTENCE "this stage fails on purpose"
#define BAD_STAGE_RAW \
    "\033[7mA", "\2337mB", "\302\2337mC", "\342\200\256D", "\nE", "\rF", \
        "\377\376G"

// Options: "word=accepted" is one that the stage takes.
#define BAD_STAGE_ACCEPTED "word=accepted"
#define BAD_STAGE_BAD_VALUE "word=refused"
#define BAD_STAGE_UNKNOWN_NAME "unheard-of"
#define BAD_STAGE_UNKNOWN BAD_STAGE_UNKNOWN_NAME "=yes"

// The room in the maps, in map units from (0, 0), and the number of lines of
// each map, by which the stage tells them apart.
enum {
    BAD_STAGE_WIDTH = 96,
    BAD_STAGE_HEIGHT = 64,
    BAD_STAGE_MAPS = 3,
    BAD_STAGE_FEWEST_LINES = 6, // one more with every map
    BAD_STAGE_LUMP_SIZE = 2 * (17 + BAD_STAGE_FEWEST_LINES + BAD_STAGE_MAPS),
    BAD_STAGE_LARGE_SIZE = 16 << 20,
};

// Writes the BLOCKMAP that the stage makes of a map: right for the room, but of
// a grid that no builder would choose.  Returns its size in bytes.
static inline size_t bad_stage_write_lump(unsigned char *lump, size_t lines)
{
    enum { EMPTY = 13, FULL = 15 }; // offsets of the two lists, in words
    const int origin = -144;        // the room is in the block in the middle
    int words[BAD_STAGE_LUMP_SIZE / 2] = {origin, origin, 3, 3};
    size_t count = FULL + 1;
    for (size_t i = 4; i < EMPTY; i++)
        words[i] = i == 8 ? FULL : EMPTY;
    words[EMPTY + 1] = -1;
    for (size_t i = 0; i < lines; i++)
        words[count++] = (int)i;
    words[count++] = -1;
    for (size_t i = 0; i < count; i++) {
        lump[2 * i] = (unsigned char)(words[i] & 0xFF);
        lump[2 * i + 1] = (unsigned char)(words[i] >> 8 & 0xFF);
    }
    return 2 * count;
}

#endif
