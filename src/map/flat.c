// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names of up to eight bytes are kept; longer ones become a number, by a hash
// (FNV-1a) of all their bytes.

#include "map/flat.h"

struct map_flat flat_of_number(uint64_t number)
{
    struct map_flat flat = {{FLAT_OTHER}};
    for (size_t i = 1; i < sizeof flat.bytes; i++, number >>= 8)
        flat.bytes[i] = number & 0xFF;
    return flat;
}

struct map_flat flat_of_name(const char *name, size_t length)
{
    struct map_flat flat = {{0}};
    uint64_t hash = 0;
    size_t i = 0;
    for (; i < length && name[i]; i++) {
        const bool is_lower = name[i] >= 'a' && name[i] <= 'z';
        const unsigned char c = (unsigned char)(name[i] - (is_lower ? 32 : 0));
        if (i < sizeof flat.bytes)
            flat.bytes[i] = c;
        hash = (hash ^ c) * 0x100000001B3;
    }
    if (i > sizeof flat.bytes)
        return flat_of_number(hash ^ hash >> 32);
    return flat;
}
