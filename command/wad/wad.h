// SPDX-License-Identifier: GPL-2.0-or-later
//
// WAD files: reading one (read-wad.c), and writing it with some lumps replaced
// or added (write-wad.c).

#ifndef WAD_H
#define WAD_H

#include "platform/file.h"
#include "platform/status.h"
#include "wad/output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WAD_NAME_SIZE = 8,
    WAD_HEADER_SIZE = 12,
    WAD_ENTRY_SIZE = 16,
    WAD_FLAW_SIZE = 256, // room for a sentence about what is wrong with a file
};

struct wad_lump {
    char raw_name[WAD_NAME_SIZE]; // as in the directory
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
    const char *path;           // argument of wad_read
    size_t size;                // bytes, uncompressed
    struct file_status version; // status of the file when it was opened

    bool on_disk;         // read as needed, from `descriptor`
    int descriptor;       // else closed
    unsigned char *bytes; // else all of the file

    char kind[4];           // IWAD or PWAD
    struct wad_lump *lumps; // the directory, in order
    size_t lump_count;
    uint32_t directory;   // its position: bytes, from the start of the file
    uint64_t packed_size; // bytes of the file, if it is compressed; else 0

    struct map_place *maps; // in order; from maps_find
    size_t map_count;
};

// The position after a lump, which may be past the end of the file; and the one
// after the directory.
static inline uint64_t wad_lump_end(const struct wad_lump *lump)
{
    return (uint64_t)lump->position + lump->size;
}

static inline uint64_t wad_directory_end(const struct wad *wad)
{
    return wad->directory + (uint64_t)wad->lump_count * WAD_ENTRY_SIZE;
}

// Reads a file's directory, and what cannot be read again, for wad_free: from
// the descriptor `locked`, which stays open, or if that is -1, from `path`; "-"
// is standard input.  With a message STATUS_FILE if it cannot be read or
// changes meanwhile, and STATUS_MAP_FAILED if it is damaged, larger than any
// WAD, or not a WAD with a whole directory.  Lumps may still lie outside the
// file: see wad_check_lump.
enum exit_status wad_read(const char *path, int locked, struct wad *wad);

// Reads an open file and takes its descriptor over.  On failure the caller
// prints the sentence in `flaw`; if that is empty, memory ran out and a message
// was printed already.
enum exit_status wad_read_open(int descriptor, struct wad *wad,
                               char flaw[WAD_FLAW_SIZE]);

// Whether four bytes are IWAD or PWAD, as at the beginning of a WAD.
bool wad_begins(const void *bytes);

// Reads bytes that lie in the file.  False with a sentence if they cannot be
// read, or if the file has changed since it was opened.
bool wad_get(const struct wad *wad, uint64_t position, size_t size,
             unsigned char *bytes, char flaw[WAD_FLAW_SIZE]);

// STATUS_FILE with a message if the file has changed since it was opened.
enum exit_status wad_check_unchanged(const struct wad *wad);

// Prints the sentence with the name of the file.
void wad_print(const struct wad *wad, const char *flaw);

// Reads all of the file into `bytes`, unless it is there, and closes it; so
// there must be no copy of an open one.  STATUS_FILE with a message.
enum exit_status wad_get_all(struct wad *wad);

void wad_free(struct wad *wad);

// Whether the lump lies inside the file.  If not, stores a sentence with its
// place and the name of its map, which may be NULL.
bool wad_check_lump(const struct wad *wad, size_t index, const char *map,
                    char sentence[WAD_FLAW_SIZE]);

// A lump to be written: lump `source` of the old file or, if that is NO_SOURCE,
// a BLOCKMAP of `bytes`, in place of lump `replaced` unless that is NO_SOURCE.
struct wad_entry {
    const unsigned char *bytes;
    uint32_t source;
    uint32_t replaced;
    uint32_t size; // of `bytes`
};

#define NO_SOURCE UINT32_MAX

// Whether a file has these lumps, and no others, already.  The entries are of
// `wad`, which may be the same file.  Returns false, too, if one of them cannot
// be read, or many of them share bytes.
bool wad_has_entries(const struct wad *old, const struct wad *wad,
                     const struct wad_entry *entries, size_t entry_count);

// Writes a WAD of the same kind with these lumps in this order.  Lumps that
// overlap in the old file overlap in the same way in the new one, and bytes
// that are in no lump stay behind what they follow.  STATUS_FILE with a message
// if the result is too large for a WAD, memory runs out, or the old file cannot
// be read or has changed.  output_close reports write errors.
enum exit_status wad_write(struct wad *wad, const struct wad_entry *entries,
                           size_t entry_count, struct output *output);

#endif
