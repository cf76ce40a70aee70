// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inflates compressed lumps, within bounds.

#ifndef INFLATE_H
#define INFLATE_H

#include "base/context.h"
#include "nbstage.h"

#include <stddef.h>
#include <stdint.h>

enum {
    // The most output bytes for each byte of input, once the output is larger
    // than INFLATE_FREE_BYTES.  Deflate can reach 1,032; map data has a tenth
    // to a fiftieth of that.
    INFLATE_MAX_RATIO = 256,
    INFLATE_FREE_BYTES = 1 << 20,
};

// Inflates `size` bytes to *output, which the caller releases, and
// *output_size. Bytes after the end of the stream are ignored.  `where` is the
// lump's name for messages, `compression` NBSTAGE_ZLIB, _GZIP or _DEFLATE.
// NBSTAGE_BAD_MAP: the stream is damaged or cut off, or grows past the ratio.
// NBSTAGE_OVER_LIMIT: it grows past a part of the context's limit for memory.
nbstage_status inflate_bytes(struct context *context, const char *where,
                             uint32_t compression, const unsigned char *bytes,
                             size_t size, unsigned char **output,
                             size_t *output_size);

#endif
