// SPDX-License-Identifier: GPL-2.0-or-later
//
// All of the old file is in memory; see file_read_at.

#include "config.h"

#include "file/wad.h"

#include <errno.h>
#include <io.h>

// Writes up to this many bytes, as many as a call takes, at a time.
enum { MOST_BYTES = 1 << 30 };

bool wad_write_pieces(const struct wad *wad, struct output *output,
                      struct wad_piece *pieces, size_t count,
                      char flaw[WAD_FLAW_SIZE])
{
    for (size_t i = 0; i < count; i++) {
        struct wad_piece *piece = &pieces[i];
        while (piece->size > 0 && !output->error) {
            uint64_t size = piece->size < MOST_BYTES ? piece->size : MOST_BYTES;
            int written =
                output->stream
                    ? gzwrite(output->stream, piece->bytes, (unsigned)size)
                    : _write(output->descriptor, piece->bytes, (unsigned)size);
            if (written <= 0)
                output->error = errno ? errno : EIO;
            piece->bytes += written;
            piece->size -= (uint64_t)written;
        }
    }
    return wad_is_as_read(wad, true, flaw);
}
