/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads options as ZokumBSP does, of which it has none. */
#include <stdlib.h>
#include <string.h>

#include "zennode.hpp"

#define ZOKVERSIONSHORT "1.1.1"

static void printHelp()
{
    printf("Zero footer.\n");
}

static int parseArgs(int index, const char *argv[])
{
    while (argv[index]) {
        if (argv[index][0] != '-')
            break;
        char *copy = strdup(argv[index]);
        free(copy);
        index++;
        printHelp();
    }
    return index;
}

int main(int argc, char **argv)
{
    const char *const *arguments = argv;
    DoomLevel doom(false), hexen(true);
    if (argc > 1)
        parseArgs(1, const_cast<const char **>(arguments));
    CreateBLOCKMAP(&doom);
    CreateBLOCKMAP(&hexen);
    return 0;
}
