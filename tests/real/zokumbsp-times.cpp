// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prints how much processor time ZokumBSP's own code and the stage take for the
// maps of some WADs, by turns, the best of some rounds for each map:
//
//   zokumbsp-times --blockmap-plugin NAME OFFSETS REMOVE ROUNDS WAD...
//
// OFFSETS is 0 for one grid and 2 for 36 of them, as with -bo; REMOVE is 0 for
// -br-.  Fails unless the stage is faster.
#include <algorithm>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common.hpp"
#include "level.hpp"
#include "wad.hpp"
#include "zennode.hpp"

extern void MapExtraData(DoomLevel *level, const sOptions *config);
extern int CreateOwnBLOCKMAP(DoomLevel *level, sBlockMapOptions &options);

static sOptions config;

// Its own code need not wait for a terminal.
void ProgressBar(char *, double, int, int)
{
}
void Status(char *)
{
}
int cprintf(const char *, ...)
{
    return 0;
}

static double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}

struct sums {
    double own_time, time;
    long own_bytes, bytes;
    int maps;
};

static void measure(DoomLevel &level, int rounds, sums &all)
{
    double own = 1e9, staged = 1e9;
    MapExtraData(&level, &config);
    for (int i = 0; i < rounds; i++) {
        const double begin = now();
        CreateOwnBLOCKMAP(&level, config.BlockMap);
        const double middle = now();
        const long own_bytes = level.BlockMapSize();
        const double then = now();
        CreatePluginBLOCKMAP(&level, config.BlockMap);
        staged = std::min(staged, now() - then);
        own = std::min(own, middle - begin);
        all.own_bytes += i == 0 ? own_bytes : 0;
        all.bytes += i == 0 ? level.BlockMapSize() : 0;
    }
    all.own_time += own;
    all.time += staged;
    all.maps++;
}

int main(int argc, const char *argv[])
{
    sums all = {};
    TakeBlockmapPlugin(argc, argv);
    if (argc < 5)
        return 2;
    config.BlockMap.Compress = true;
    config.BlockMap.ZeroHeader = 1;
    config.BlockMap.OffsetThirtySix = atoi(argv[1]) == 2;
    config.BlockMap.RemoveNonCollidable = atoi(argv[2]) != 0;
    for (int i = 4; i < argc; i++) {
        WAD wad(argv[i]);
        const wadDirEntry *dir = wad.GetDir(0);
        for (int j = 0; j + 1 < int(wad.DirSize()); j++) {
            if (!wad.IsMap(dir[j].name) ||
                strncmp(dir[j + 1].name, "THINGS", 8))
                continue;
            DoomLevel level(dir[j].name, &wad);
            if (level.IsValid(false))
                measure(level, atoi(argv[3]), all);
        }
    }
    printf("%d maps, -bo=%s%s: %.1f ms, %ld bytes; with the stage %.1f ms, %ld "
           "bytes; %.1f times as fast\n",
           all.maps, argv[1], atoi(argv[2]) ? "" : "r-", all.own_time,
           all.own_bytes, all.time, all.bytes, all.own_time / all.time);
    return all.maps == 0 || all.time >= all.own_time;
}
