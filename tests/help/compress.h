// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compressed lumps for tests, made by zlib.

#ifndef COMPRESS_H
#define COMPRESS_H

#include "buffer.h"

// Compresses bytes as NBSTAGE_ZLIB, NBSTAGE_GZIP or NBSTAGE_DEFLATE.
struct buffer compress_bytes(uint32_t compression, const void *bytes,
                             size_t size);

// A stream of zero bytes without an end: `size` of them, `repeats` times over,
// and one more.
struct buffer compress_bomb(uint32_t compression, size_t size, size_t repeats);

#endif
