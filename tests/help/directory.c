// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "directory.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LUMPS = 24 };

void directory_make(const char *words, struct wad *wad)
{
    static struct wad_lump lumps[MOST_LUMPS];
    memset(lumps, 0, sizeof lumps);
    *wad = (struct wad){.lumps = lumps};
    while (*words) {
        struct wad_lump *lump = &lumps[wad->lump_count++];
        int length;
        char *end;
        ck_assert_uint_le(wad->lump_count, MOST_LUMPS);
        ck_assert_int_eq(sscanf(words, " %8[A-Z0-9]%n", lump->name, &length),
                         1);
        words += length;
        if (*words == '=') {
            lump->size = (uint32_t)strtoul(words + 1, &end, 10);
            words = end;
        }
    }
}
