// SPDX-License-Identifier: GPL-2.0-or-later
//
// All of the old file is in memory; see file_read_at.

#include "config.h"

#include "file/wad.h"

#include "platform/windows/names.h"

#include <errno.h>
#include <io.h>

// Writes to the file, or to be compressed.  Returns how many bytes; 0 with
// errno if none can be written.
static DWORD write_bytes(const struct output *output,
                         const unsigned char *bytes, DWORD size)
{
    DWORD written = 0;
    if (output->stream) // has the error, too
        return (DWORD)gzwrite(output->stream, bytes, (unsigned)size);
    if (!WriteFile((HANDLE)_get_osfhandle(output->descriptor), bytes, size,
                   &written, NULL))
        names_set_error(NULL);
    return written;
}

bool wad_write_pieces(const struct wad *wad, struct output *output,
                      struct wad_piece *pieces, size_t count,
                      char flaw[WAD_FLAW_SIZE])
{
    enum { MOST_BYTES = 1 << 30 }; // at a time
    for (size_t i = 0; i < count; i++) {
        struct wad_piece *piece = &pieces[i];
        while (piece->size > 0 && !output->error) {
            DWORD size = piece->size < MOST_BYTES ? (DWORD)piece->size
                                                  : (DWORD)MOST_BYTES;
            DWORD written = write_bytes(output, piece->bytes, size);
            if (written == 0)
                output->error = errno ? errno : EIO;
            piece->bytes += written;
            piece->size -= written;
        }
    }
    return wad_is_as_read(wad, true, flaw);
}
