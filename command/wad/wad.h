// SPDX-License-Identifier: GPL-2.0-or-later
//
// WAD files: reading them (read-wad.c), and writing one anew with some lumps
// replaced or added (write-wad.c).

#ifndef WAD_H
#define WAD_H

#include "base/bytes.h" // numbers in a file are little-endian
#include "common/message.h"
#include "platform/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

enum {
    WAD_NAME_SIZE = 8,
    WAD_HEADER_SIZE = 12,
    WAD_ENTRY_SIZE = 16,
    WAD_FLAW_SIZE = 256, // room for a sentence about what is wrong with a file
};

struct wad_lump {
    char raw_name[WAD_NAME_SIZE]; // as it is in the directory
    char name[WAD_NAME_SIZE + 1]; // upper case, ends at the first NUL
    uint32_t position;            // bytes, from the start of the file
    uint32_t size;                // bytes
};

// A marker lump followed by the lumps of its map.
struct map_place {
    size_t marker; // index of the marker lump
    size_t end;    // index after the last lump of the map
    bool udmf;     // TEXTMAP to ENDMAP
    bool selected;
    size_t partner; // index in another file, or NO_MAP, after maps_pair
};

#define NO_MAP SIZE_MAX

struct wad {
    const char *path;           // that wad_read got
    size_t size;                // bytes, uncompressed
    struct file_status version; // the file when it was opened

    unsigned char *bytes;

    struct wad_lump *lumps; // the directory, in order
    size_t lump_count;
    bool compressed; // whether the file was, with gzip

    struct map_place *maps; // in order, once maps_find was called
    size_t map_count;
};

// Reads a file for wad_free, and its directory: the open one that is `locked`,
// which stays open, or if that is -1 what has the path, standard input for "-".
// STATUS_FILE if it cannot be read or changes meanwhile;
// STATUS_MAP_FAILED if it is damaged, larger than any WAD, or not a WAD with a
// whole directory; both with a message.  Lumps may still lie outside the file:
// see wad_check_lump.
enum exit_status wad_read(const char *path, int locked, struct wad *wad);

// The same for an open file, which is taken over.  The caller prints the
// sentence in `flaw`; if that is empty after a failure, memory ran out and a
// message said so.
enum exit_status wad_read_open(int descriptor, struct wad *wad,
                               char flaw[WAD_FLAW_SIZE]);

void wad_free(struct wad *wad);

// Whether all bytes of the lump are inside the file; else the sentence says
// where it is, with the name of its map, which may be NULL.
bool wad_check_lump(const struct wad *wad, size_t index, const char *map,
                    char sentence[WAD_FLAW_SIZE]);

// A file being written, compressed or plain.
struct output {
    gzFile stream; // NULL if there is none
    int error;     // errno of the first call that could not write a WAD
};

// Writes to a descriptor, which is taken over and may be -1.  False with errno.
bool output_open(struct output *output, int descriptor, bool compressed);

// False with errno if not all that was written has arrived.
bool output_close(struct output *output);

// A lump to be written: lump `source` of the file that was read, or, if that is
// NO_SOURCE, a BLOCKMAP of `bytes`.
struct wad_entry {
    const unsigned char *bytes;
    uint32_t source;
    uint32_t size; // of `bytes`
};

#define NO_SOURCE UINT32_MAX

// Writes bytes; errors are left to the output.
void output_write(struct output *output, const unsigned char *bytes,
                  size_t size);

// Writes a WAD of the same kind with these lumps in this order.  Lumps whose
// bytes overlap in the old file overlap in the same way in the new one.
// STATUS_FILE with a message if the result is too large for a WAD or memory
// runs out; write errors are left to the output.
enum exit_status wad_write(const struct wad *wad,
                           const struct wad_entry *entries, size_t entry_count,
                           struct output *output);

#endif
