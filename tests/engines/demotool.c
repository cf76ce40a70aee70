// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes a demo of Doom 1.9 to standard output, whose player runs into walls.
//
//   demotool EPISODE MAP SKILL TICS SEED
//
// Maps of Doom II are in episode 1; SKILL is 1 to 5.  The player stands for a
// moment, then runs leg after leg, along walls and into corners, turns on the
// way, and uses what there is at the end of some legs.  He cannot see: the same
// arguments give the same bytes, whatever the map.
//
// The format: 13 bytes, of which the first is the version, 4 bytes for each
// tic, and a byte at the end (G_BeginRecording, G_WriteDemoTiccmd and
// G_CheckDemoStatus of g_game.c).

#include "buffer.h"
#include "random-map.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    VERSION = 109,
    END_OF_DEMO = 0x80,
    USE_BUTTON = 2,
    STANDING_TICS = 10,
    RUN = 50,    // speed forward, with the key for running (forwardmove of
                 // g_game.c)
    STRAFE = 40, // to the side, the same (sidemove)
    QUARTER = 64 // of a turn of 256
};

// What a player does in a tic.
struct command {
    int forward, side, turn; // turn: 256 are a circle, to the left
    bool use;
};

// What he does for some tics, the turn at their beginning.
struct leg {
    unsigned tics;
    unsigned turning_tics;
    struct command command;
};

// Draws a number from lowest to highest.
static int draw_between(struct random_stream *stream, int lowest, int highest)
{
    return lowest + (int)random_below(stream, (uint32_t)(highest - lowest) + 1);
}

static struct leg draw_leg(struct random_stream *stream)
{
    struct leg leg = {.command = {.forward = RUN}};
    bool is_long = draw_between(stream, 1, 6) == 1;
    leg.tics = (unsigned)draw_between(stream, 12, is_long ? 120 : 45);
    leg.turning_tics = (unsigned)draw_between(stream, 2, 8);
    int angle = draw_between(stream, -QUARTER, QUARTER + QUARTER / 2);
    leg.command.turn = angle / (int)leg.turning_tics;
    leg.command.side = STRAFE * draw_between(stream, -1, 1);
    leg.command.use = draw_between(stream, 0, 1) == 0;
    return leg;
}

static void put_command(const struct command *command)
{
    putchar((unsigned char)command->forward);
    putchar((unsigned char)command->side);
    putchar((unsigned char)command->turn);
    putchar(command->use ? USE_BUTTON : 0);
}

static void put_tics(unsigned tics, struct random_stream *stream)
{
    struct leg leg = {.tics = STANDING_TICS};
    for (unsigned tic = 0, at = 0; tic < tics; tic++, at++) {
        if (at == leg.tics) {
            leg = draw_leg(stream);
            at = 0;
        }
        struct command command = leg.command;
        if (at >= leg.turning_tics)
            command.turn = 0;
        command.use = command.use && at + 1 == leg.tics;
        put_command(&command);
    }
}

int main(int argc, char **argv)
{
    if (argc != 6)
        abort_with("demotool EPISODE MAP SKILL TICS SEED");
    const unsigned char header[] = {
        VERSION,
        (unsigned char)(atoi(argv[3]) - 1), // skill
        (unsigned char)atoi(argv[1]),       // episode
        (unsigned char)atoi(argv[2]),       // map
        0,                                  // deathmatch
        0,                                  // monsters respawn
        0,                                  // they are fast
        0,                                  // there are none
        0,                                  // whose view it is
        1,
        0,
        0,
        0 // the players that are there
    };
    unsigned tics = (unsigned)atoi(argv[4]);
    struct random_stream stream = {strtoul(argv[5], NULL, 10)};
    fwrite(header, 1, sizeof header, stdout);
    put_tics(tics, &stream);
    putchar(END_OF_DEMO);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
