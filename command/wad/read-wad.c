// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads WADs into memory as a whole, also compressed ones and what comes
// through a pipe, so that nobody can change a file between two looks at it.

#include "config.h"

#include "wad/wad.h"

#include "common/message.h"
#include "platform/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

// ---------------------------------------------------------------------------
// The bytes of a file

enum {
    FIRST_CAPACITY = 1 << 20,
    LARGEST_STEP = 1 << 30,
    // Deflate can reach a ratio of 1,032; WADs stay far below this one.
    LARGEST_RATIO = 100,
    UNCHECKED_SIZE = 1 << 26, // up to this many bytes any ratio is accepted
};

static bool wad_grows_too_much(gzFile stream, size_t size)
{
    return size > UNCHECKED_SIZE && !gzdirect(stream) &&
           size / LARGEST_RATIO > (size_t)gzoffset(stream);
}

// Reads up to the end of the file, to an error, or past the size of any WAD.
static enum exit_status wad_read_stream(gzFile stream, struct wad *wad)
{
    size_t capacity = 0;
    int read;
    do {
        if (wad->size == capacity) {
            capacity = capacity > 0 ? capacity * 2
                       : wad->version.kind == FILE_REGULAR
                           ? (size_t)wad->version.size + 1
                           : FIRST_CAPACITY;
            unsigned char *larger = realloc(wad->bytes, capacity);
            if (!larger)
                return message_out_of_memory();
            wad->bytes = larger;
        }
        size_t room = capacity - wad->size;
        read = gzread(stream, wad->bytes + wad->size,
                      (unsigned)(room < LARGEST_STEP ? room : LARGEST_STEP));
        if (read > 0)
            wad->size += (size_t)read;
    } while (read > 0 && wad->size <= INT32_MAX &&
             !wad_grows_too_much(stream, wad->size));
    return STATUS_DONE;
}

static enum exit_status wad_check_size(uint64_t size, char flaw[WAD_FLAW_SIZE])
{
    if (size <= INT32_MAX)
        return STATUS_DONE;
    snprintf(flaw, WAD_FLAW_SIZE,
             "the file has more than %d bytes, which no WAD has", INT32_MAX);
    return STATUS_MAP_FAILED;
}

// Checks that all bytes were read, or errno says why not, and that nothing was
// written to the file since.  The times of pipes and devices do not say.
static enum exit_status wad_check_stream(gzFile stream, int descriptor,
                                         const struct wad *wad,
                                         char flaw[WAD_FLAW_SIZE])
{
    struct file_status now;
    int reason = errno;
    int code;
    gzerror(stream, &code);
    if (wad->version.kind == FILE_REGULAR && file_find_open(descriptor, &now) &&
        !file_version_equals(&wad->version, &now)) {
        snprintf(flaw, WAD_FLAW_SIZE, "the file changed while it was read");
        return STATUS_FILE;
    }
    if (code == Z_ERRNO) {
        snprintf(flaw, WAD_FLAW_SIZE, "cannot be read: %s",
                 file_reason(reason ? reason : EIO));
        return STATUS_FILE;
    }
    if (code == Z_MEM_ERROR)
        return message_out_of_memory();
    if (code != Z_OK)
        snprintf(flaw, WAD_FLAW_SIZE,
                 "the compressed file is damaged or cut off");
    else if (wad_grows_too_much(stream, wad->size))
        snprintf(flaw, WAD_FLAW_SIZE,
                 "the compressed file grows more than %d times; no WAD does",
                 LARGEST_RATIO);
    else
        return wad_check_size(wad->size, flaw);
    return STATUS_MAP_FAILED;
}

// Takes over the descriptor.
static enum exit_status wad_read_file(int descriptor, struct wad *wad,
                                      char flaw[WAD_FLAW_SIZE])
{
    enum exit_status status = STATUS_DONE;
    if (!file_find_open(descriptor, &wad->version))
        wad->version = (struct file_status){.kind = FILE_OTHER};
    if (wad->version.kind == FILE_FOLDER) {
        snprintf(flaw, WAD_FLAW_SIZE,
                 "this is a folder; name the WAD files in it");
        status = STATUS_FILE;
    } else if (wad->version.kind == FILE_REGULAR) {
        status = wad_check_size(wad->version.size, flaw);
    }
    gzFile stream = status == STATUS_DONE ? gzdopen(descriptor, "rb") : NULL;
    if (!stream) {
        close(descriptor);
        return status == STATUS_DONE ? message_out_of_memory() : status;
    }
    status = wad_read_stream(stream, wad);
    wad->compressed = !gzdirect(stream);
    if (status == STATUS_DONE)
        status = wad_check_stream(stream, descriptor, wad, flaw);
    gzclose(stream);
    return status;
}

// ---------------------------------------------------------------------------
// The directory

// Says what a file is instead of a WAD, by its first bytes.
static enum exit_status wad_refuse(const struct wad *wad,
                                   char flaw[WAD_FLAW_SIZE])
{
    const char *sentence =
        "not a WAD file: a header of 12 bytes that begins with IWAD or PWAD "
        "was expected";
    if (wad->size == 0)
        sentence = "empty; a WAD was expected";
    else if (wad->size >= 4 && memcmp(wad->bytes, "PK\3\4", 4) == 0)
        sentence = "this is a ZIP or PK3: unpack it first";
    snprintf(flaw, WAD_FLAW_SIZE, "%s", sentence);
    return STATUS_MAP_FAILED;
}

static enum exit_status wad_read_directory(struct wad *wad,
                                           char flaw[WAD_FLAW_SIZE])
{
    const unsigned char *bytes = wad->bytes;
    if (wad->size < WAD_HEADER_SIZE ||
        (memcmp(bytes, "IWAD", 4) != 0 && memcmp(bytes, "PWAD", 4) != 0))
        return wad_refuse(wad, flaw);
    uint32_t count = bytes_get_u32(bytes + 4);
    uint32_t position = bytes_get_u32(bytes + 8);
    uint64_t end = position + (uint64_t)count * WAD_ENTRY_SIZE;
    if (count > INT32_MAX || end > wad->size) {
        snprintf(flaw, WAD_FLAW_SIZE,
                 "the directory is cut off: %lu entries at offset %lu would "
                 "end at %llu, but the file has %zu bytes",
                 (unsigned long)count, (unsigned long)position,
                 (unsigned long long)end, wad->size);
        return STATUS_MAP_FAILED;
    }
    wad->lumps = malloc((count + (size_t)1) * sizeof *wad->lumps);
    if (!wad->lumps)
        return message_out_of_memory();
    wad->lump_count = count;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *entry = bytes + position + i * WAD_ENTRY_SIZE;
        struct wad_lump *lump = &wad->lumps[i];
        *lump = (struct wad_lump){.position = bytes_get_u32(entry),
                                  .size = bytes_get_u32(entry + 4)};
        memcpy(lump->raw_name, entry + 8, WAD_NAME_SIZE);
        for (size_t n = 0; n < WAD_NAME_SIZE && lump->raw_name[n]; n++)
            lump->name[n] = (char)toupper(entry[8 + n]);
    }
    return STATUS_DONE;
}

enum exit_status wad_read_open(int descriptor, struct wad *wad,
                               char flaw[WAD_FLAW_SIZE])
{
    *wad = (struct wad){0};
    *flaw = '\0';
    enum exit_status status = wad_read_file(descriptor, wad, flaw);
    if (status == STATUS_DONE)
        status = wad_read_directory(wad, flaw);
    if (status != STATUS_DONE)
        wad_free(wad);
    return status;
}

enum exit_status wad_read(const char *path, int locked, struct wad *wad)
{
    char flaw[WAD_FLAW_SIZE];
    struct file_status file;
    *wad = (struct wad){0};
    bool is_standard = strcmp(path, "-") == 0;
    if (!is_standard && file_find(path, &file) && file.kind == FILE_OTHER) {
        message_print("%s: this is a pipe or device, not a file; use - for "
                      "standard input",
                      path);
        return STATUS_FILE;
    }
    int descriptor = locked >= 0   ? file_duplicate(locked)
                     : is_standard ? file_duplicate(STDIN_FILENO)
                                   : file_open(path);
    if (descriptor < 0) {
        message_print("%s: cannot be read: %s", path, file_reason(errno));
        return STATUS_FILE;
    }
    enum exit_status status = wad_read_open(descriptor, wad, flaw);
    wad->path = path;
    if (*flaw)
        message_print("%s: %s", is_standard ? "standard input" : path, flaw);
    return status;
}

void wad_free(struct wad *wad)
{
    free(wad->bytes);
    free(wad->lumps);
    free(wad->maps);
    *wad = (struct wad){0};
}

bool wad_check_lump(const struct wad *wad, size_t index, const char *map,
                    char sentence[WAD_FLAW_SIZE])
{
    const struct wad_lump *lump = &wad->lumps[index];
    const uint64_t end = (uint64_t)lump->position + lump->size;
    if (lump->size == 0 || end <= wad->size)
        return true;
    snprintf(sentence, WAD_FLAW_SIZE,
             "%s%s%s: lump %zu takes bytes %lu to %llu, but the file has %zu",
             map ? map : "", map ? ": " : "", lump->name, index,
             (unsigned long)lump->position, (unsigned long long)end, wad->size);
    return false;
}
