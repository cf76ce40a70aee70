// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "blockmap/finding.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void finding_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("         ", stdout);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

void finding_print_fault(const char *which, const struct blockmap *blockmap)
{
    if (blockmap->fault == BLOCKMAP_NO_GRID)
        finding_print("unreadable %slump: %zu bytes hold no grid", which,
                      blockmap->bytes);
    if (blockmap->fault == BLOCKMAP_NO_TABLE)
        finding_print("unreadable %slump: %zu words are too few for the "
                      "offsets of %" PRIu32 " x %" PRIu32 " blocks",
                      which, blockmap->words.count, blockmap->columns,
                      blockmap->rows);
}
