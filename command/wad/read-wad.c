// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads WADs into memory as a whole, also compressed ones and pipes, so that no
// program can change a file while its maps are read.

#include "config.h"

#include "wad/wad.h"

#include "base/bytes.h"
#include "base/macros.h"
#include "common/message.h"
#include "platform/file.h"
#include "platform/status.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
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
    // Deflate can reach a ratio of 1,032; WADs stay far below 100.
    LARGEST_RATIO = 100,
    UNCHECKED_SIZE = 1 << 26, // up to this size any ratio is accepted
};

// Stores a sentence about the file, and returns `status`.
PRINTF_LIKE(3, 4)
static enum exit_status wad_fail(char flaw[WAD_FLAW_SIZE],
                                 enum exit_status status, const char *format,
                                 ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(flaw, WAD_FLAW_SIZE, format, arguments);
    va_end(arguments);
    return status;
}

static bool wad_grows_too_much(gzFile stream, size_t size)
{
    return size > UNCHECKED_SIZE && !gzdirect(stream) &&
           size / LARGEST_RATIO > (size_t)gzoffset(stream);
}

// Reads until the end of the file, an error, or the size limit of a WAD.
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
    return wad_fail(flaw, STATUS_MAP_FAILED,
                    "the file has more than %d bytes, which no WAD has",
                    INT32_MAX);
}

// Checks that all bytes were read and that the file did not change meanwhile.
// If a read failed, errno still has the reason.  Timestamps of pipes and
// devices are meaningless.
static enum exit_status wad_check_stream(gzFile stream, int descriptor,
                                         const struct wad *wad,
                                         char flaw[WAD_FLAW_SIZE])
{
    struct file_status now;
    int reason = errno;
    int code;
    gzerror(stream, &code);
    if (wad->version.kind == FILE_REGULAR && file_find_open(descriptor, &now) &&
        !file_version_equals(&wad->version, &now))
        return wad_fail(flaw, STATUS_FILE,
                        "the file changed while it was read");
    if (code == Z_ERRNO)
        return wad_fail(flaw, STATUS_FILE, "cannot be read: %s",
                        file_reason(reason ? reason : EIO));
    if (code == Z_MEM_ERROR)
        return message_out_of_memory();
    if (code != Z_OK)
        return wad_fail(flaw, STATUS_MAP_FAILED,
                        "the compressed file is damaged or cut off");
    if (wad_grows_too_much(stream, wad->size))
        return wad_fail(flaw, STATUS_MAP_FAILED,
                        "the compressed file expands to more than %d times its "
                        "size; no WAD does",
                        LARGEST_RATIO);
    return wad_check_size(wad->size, flaw);
}

static enum exit_status wad_read_bytes(gzFile stream, int descriptor,
                                       struct wad *wad,
                                       char flaw[WAD_FLAW_SIZE])
{
    NEED_DONE(wad_read_stream(stream, wad));
    wad->compressed = !gzdirect(stream);
    return wad_check_stream(stream, descriptor, wad, flaw);
}

static enum exit_status wad_check_kind(const struct file_status *file,
                                       char flaw[WAD_FLAW_SIZE])
{
    if (file->kind == FILE_FOLDER)
        return wad_fail(flaw, STATUS_FILE,
                        "this is a folder; name the WAD files in it");
    if (file->kind == FILE_REGULAR)
        return wad_check_size(file->size, flaw);
    return STATUS_DONE;
}

// Takes the descriptor over.
static enum exit_status wad_read_file(int descriptor, struct wad *wad,
                                      char flaw[WAD_FLAW_SIZE])
{
    if (!file_find_open(descriptor, &wad->version))
        wad->version = (struct file_status){.kind = FILE_OTHER};
    enum exit_status status = wad_check_kind(&wad->version, flaw);
    if (status != STATUS_DONE) {
        close(descriptor);
        return status;
    }
    gzFile stream = gzdopen(descriptor, "rb");
    if (!stream) {
        close(descriptor);
        return message_out_of_memory();
    }
    status = wad_read_bytes(stream, descriptor, wad, flaw);
    gzclose(stream);
    return status;
}

// ---------------------------------------------------------------------------
// The directory

// Says why a file is not a WAD, by its first bytes.
static enum exit_status wad_refuse(const struct wad *wad,
                                   char flaw[WAD_FLAW_SIZE])
{
    if (wad->size == 0)
        return wad_fail(flaw, STATUS_MAP_FAILED, "empty; a WAD was expected");
    if (wad->size >= 4 && memcmp(wad->bytes, "PK\3\4", 4) == 0)
        return wad_fail(flaw, STATUS_MAP_FAILED,
                        "this is a ZIP or PK3: unpack it first");
    return wad_fail(flaw, STATUS_MAP_FAILED,
                    "not a WAD file: a header of 12 bytes that begins with "
                    "IWAD or PWAD was expected");
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
    if (count > INT32_MAX || end > wad->size)
        return wad_fail(flaw, STATUS_MAP_FAILED,
                        "the directory is cut off: %lu entries at offset %lu "
                        "would end at %llu, but the file has %zu bytes",
                        (unsigned long)count, (unsigned long)position,
                        (unsigned long long)end, wad->size);
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
