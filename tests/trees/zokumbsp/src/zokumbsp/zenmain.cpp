/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads options as ZokumBSP does, of which it has none. */
#include "zennode.hpp"

static void PrintStats(int) {}

static void printHelp()
{
    fprintf(stdout, "Zero footer.\n");
}

// clang-format off
int main(int argc, const char *argv[])
{
    if ( argc == 1 ) {
        sBlockMapOptions options = {};
        options.Compress = true;
        options.ZeroHeader = 1;
        DoomLevel doom(false), hexen(true);
        CreateBLOCKMAP(&doom, options);
        CreateBLOCKMAP(&hexen, options);
        const int totalLevels = 2;
        PrintStats ( totalLevels );
        return 0;
    }
    printHelp();
    fprintf(stderr, "%s is unknown\n", argv[1]);
    return 1;
}
