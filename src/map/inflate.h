// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inflates compressed lumps, within bounds.

#ifndef INFLATE_H
#define INFLATE_H

#include "base/context.h"

enum {
    // The most output bytes for each byte of input, once the output is larger
    // than INFLATE_FREE_BYTES.  Deflate can reach 1,032; map data has a tenth
    // to a fiftieth of that.
    INFLATE_MAX_RATIO = 256,
    INFLATE_FREE_BYTES = 1 << 20,
};

// Inflates `size` bytes to *output, which the caller releases, and
// *output_size. Bytes after the end of the stream are ignored.  `where` is the
// lump's name for messages, `compression` NBSTAGE_ZLIB, _GZIP or _DEFLATE,
// `limit` the largest output in bytes. NBSTAGE_BAD_MAP: the stream is damaged
// or cut off, or grows past the limit or the ratio.
nbstage_status inflate_bytes(struct context *context, const char *where,
                             uint32_t compression, const unsigned char *bytes,
                             size_t size, size_t limit, unsigned char **output,
                             size_t *output_size);

#endif
