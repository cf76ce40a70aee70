// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compressed nodes for tests, made by zlib.

#ifndef COMPRESS_H
#define COMPRESS_H

#include "buffer.h"

struct buffer compress_bytes(const void *bytes, size_t size);

// A stream of zero bytes without an end: `size` of them, `repeats` times over,
// and one more.
struct buffer compress_bomb(size_t size, size_t repeats);

#endif
