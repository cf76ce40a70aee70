// SPDX-License-Identifier: GPL-2.0-or-later
//
// Unaligned little-endian loads and stores.

#ifndef BYTES_H
#define BYTES_H

#include <stdint.h>

static inline uint16_t bytes_get_u16(const unsigned char *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t bytes_get_u32(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static inline void bytes_put_u16(unsigned char *bytes, uint16_t value)
{
    bytes[0] = (unsigned char)(value & 0xFF);
    bytes[1] = (unsigned char)(value >> 8);
}

static inline void bytes_put_u32(unsigned char *bytes, uint32_t value)
{
    bytes_put_u16(bytes, (uint16_t)(value & 0xFFFF));
    bytes_put_u16(bytes + 2, (uint16_t)(value >> 16));
}

#endif
