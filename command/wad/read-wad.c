// SPDX-License-Identifier: GPL-2.0-or-later
//
// Plain files stay open, and what is looked at is read when it is needed, into
// memory that no other program can change; write-wad.c has the kernel pass on
// the rest.  Compressed files and pipes are read whole.

#include "config.h"

#include "wad/wad.h"

#include "base/bytes.h"
#include "base/macros.h"
#include "common/message.h"
#include "platform/file.h"
#include "platform/status.h"
#include "wad/input.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------------------
// The bytes of a file

enum {
    FIRST_CAPACITY = 1 << 20,
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

static bool wad_grows_too_much(const struct input *input, size_t size)
{
    return size > UNCHECKED_SIZE && input->compressed &&
           size / LARGEST_RATIO > input->consumed;
}

// Reads until the end of the file, an error, or the size limit of a WAD.
static enum exit_status wad_read_stream(struct input *input, struct wad *wad,
                                        enum input_flaw *flaw)
{
    size_t capacity = 0, count;
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
        *flaw = input_read(input, wad->bytes + wad->size, capacity - wad->size,
                           &count);
        wad->size += count;
    } while (*flaw == INPUT_SOUND && count > 0 && wad->size <= INT32_MAX &&
             !wad_grows_too_much(input, wad->size));
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

// If a read failed, errno has the reason.  Checks also that the file did not
// change meanwhile; one that was replaced or removed did not.  Timestamps of
// pipes and devices are meaningless.
static enum exit_status wad_check_read(const struct wad *wad, int descriptor,
                                       bool failed, char flaw[WAD_FLAW_SIZE])
{
    struct file_status now;
    int reason = errno;
    if (wad->version.kind == FILE_REGULAR && file_find_open(descriptor, &now) &&
        (!file_version_equals(&wad->version, &now) ||
         (now.links != wad->version.links && now.links > 0)))
        return wad_fail(flaw, STATUS_FILE,
                        "the file changed while it was read");
    if (failed)
        return wad_fail(flaw, STATUS_FILE, "cannot be read: %s",
                        file_reason(reason ? reason : EIO));
    return STATUS_DONE;
}

static enum exit_status wad_read_bytes(struct input *input, int descriptor,
                                       struct wad *wad,
                                       char flaw[WAD_FLAW_SIZE])
{
    enum input_flaw found = INPUT_SOUND;
    errno = 0;
    NEED_DONE(wad_read_stream(input, wad, &found));
    wad->packed_size = input->compressed ? input->consumed : 0;
    NEED_DONE(wad_check_read(wad, descriptor, found == INPUT_UNREADABLE, flaw));
    if (found == INPUT_NO_MEMORY)
        return message_out_of_memory();
    if (found == INPUT_DAMAGED)
        return wad_fail(flaw, STATUS_MAP_FAILED,
                        "the compressed file is damaged or cut off");
    if (wad_grows_too_much(input, wad->size))
        return wad_fail(flaw, STATUS_MAP_FAILED,
                        "the compressed file expands to more than %d times its "
                        "size; no WAD does",
                        LARGEST_RATIO);
    return wad_check_size(wad->size, flaw);
}

bool wad_get(const struct wad *wad, uint64_t position, size_t size,
             unsigned char *bytes, char flaw[WAD_FLAW_SIZE])
{
    if (wad->on_disk)
        return wad_check_read(
                   wad, wad->descriptor,
                   !file_read_at(wad->descriptor, bytes, size, position),
                   flaw) == STATUS_DONE;
    if (size > 0)
        memcpy(bytes, wad->bytes + position, size);
    return true;
}

void wad_print(const struct wad *wad, const char *flaw)
{
    message_print("%s: %s",
                  strcmp(wad->path, "-") == 0 ? "standard input" : wad->path,
                  flaw);
}

enum exit_status wad_get_all(struct wad *wad)
{
    char flaw[WAD_FLAW_SIZE];
    if (!wad->on_disk)
        return STATUS_DONE;
    unsigned char *bytes = malloc(wad->size);
    if (!bytes)
        return message_out_of_memory();
    if (!wad_get(wad, 0, wad->size, bytes, flaw)) {
        wad_print(wad, flaw);
        free(bytes);
        return STATUS_FILE;
    }
    close(wad->descriptor);
    wad->on_disk = false;
    wad->bytes = bytes;
    return STATUS_DONE;
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

bool wad_begins(const void *bytes)
{
    return memcmp(bytes, "IWAD", 4) == 0 || memcmp(bytes, "PWAD", 4) == 0;
}

// Whether this is a plain file, from its beginning, that can be read as needed.
// Standard input may be one.
static bool wad_can_wait(int descriptor, const struct file_status *file)
{
    char kind[4];
    return file->kind == FILE_REGULAR && file->size >= WAD_HEADER_SIZE &&
           lseek(descriptor, 0, SEEK_CUR) == 0 &&
           file_read_at(descriptor, kind, sizeof kind, 0) && wad_begins(kind);
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
    if (wad_can_wait(descriptor, &wad->version)) {
        wad->on_disk = true;
        wad->size = (size_t)wad->version.size;
        wad->descriptor = descriptor;
        return STATUS_DONE;
    }
    struct input *input = malloc(sizeof *input);
    if (!input) {
        close(descriptor);
        return message_out_of_memory();
    }
    input_begin(input, descriptor);
    status = wad_read_bytes(input, descriptor, wad, flaw);
    input_end(input);
    free(input);
    close(descriptor);
    return status;
}

// ---------------------------------------------------------------------------
// The directory

// Says why a file is not a WAD, by its first bytes.
static enum exit_status wad_refuse(const unsigned char *bytes, size_t size,
                                   char flaw[WAD_FLAW_SIZE])
{
    if (size == 0)
        return wad_fail(flaw, STATUS_MAP_FAILED, "empty; a WAD was expected");
    if (size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0)
        return wad_fail(flaw, STATUS_MAP_FAILED,
                        "this is a ZIP or PK3: unpack it first");
    return wad_fail(flaw, STATUS_MAP_FAILED,
                    "not a WAD file: a header of 12 bytes that begins with "
                    "IWAD or PWAD was expected");
}

static enum exit_status wad_read_entries(struct wad *wad, uint32_t position,
                                         char flaw[WAD_FLAW_SIZE])
{
    const size_t size = wad->lump_count * WAD_ENTRY_SIZE;
    unsigned char *entries = malloc(size + 1);
    wad->lumps = malloc((wad->lump_count + 1) * sizeof *wad->lumps);
    enum exit_status status = STATUS_DONE;
    if (!entries || !wad->lumps)
        status = message_out_of_memory();
    else if (!wad_get(wad, position, size, entries, flaw))
        status = STATUS_FILE;
    for (size_t i = 0; i < wad->lump_count && status == STATUS_DONE; i++) {
        const unsigned char *entry = entries + i * WAD_ENTRY_SIZE;
        struct wad_lump *lump = &wad->lumps[i];
        *lump = (struct wad_lump){.position = bytes_get_u32(entry),
                                  .size = bytes_get_u32(entry + 4)};
        memcpy(lump->raw_name, entry + 8, WAD_NAME_SIZE);
        for (size_t n = 0; n < WAD_NAME_SIZE && lump->raw_name[n]; n++)
            lump->name[n] = (char)toupper(entry[8 + n]);
    }
    free(entries);
    return status;
}

static bool wad_has_directory(const struct wad *wad, uint32_t count,
                              uint32_t position)
{
    return count <= INT32_MAX &&
           position + (uint64_t)count * WAD_ENTRY_SIZE <= wad->size;
}

static uint32_t wad_get_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
           (uint32_t)bytes[2] << 8 | bytes[3];
}

// Refuses a directory that cannot be in the file.  In Jaguar Doom's files the
// header and the directory are big-endian (its source).
static enum exit_status wad_refuse_directory(const struct wad *wad,
                                             const unsigned char *header,
                                             uint32_t count, uint32_t position,
                                             char flaw[WAD_FLAW_SIZE])
{
    const uint32_t big_count = wad_get_big_endian(header + 4);
    const uint32_t big_position = wad_get_big_endian(header + 8);
    if (big_count > 0 && big_position >= WAD_HEADER_SIZE &&
        wad_has_directory(wad, big_count, big_position))
        return wad_fail(flaw, STATUS_MAP_FAILED,
                        "the header is big-endian, as in Jaguar Doom: %lu "
                        "entries at offset %lu; a little-endian WAD was "
                        "expected",
                        (unsigned long)big_count, (unsigned long)big_position);
    return wad_fail(
        flaw, STATUS_MAP_FAILED,
        "the directory is cut off: %lu entries at offset %lu would end at "
        "%llu, but the file has %zu bytes",
        (unsigned long)count, (unsigned long)position,
        (unsigned long long)(position + (uint64_t)count * WAD_ENTRY_SIZE),
        wad->size);
}

static enum exit_status wad_read_directory(struct wad *wad,
                                           char flaw[WAD_FLAW_SIZE])
{
    unsigned char header[WAD_HEADER_SIZE];
    const size_t size = wad->size < sizeof header ? wad->size : sizeof header;
    if (!wad_get(wad, 0, size, header, flaw))
        return STATUS_FILE;
    if (size < sizeof header || !wad_begins(header))
        return wad_refuse(header, size, flaw);
    const uint32_t count = bytes_get_u32(header + 4);
    const uint32_t position = bytes_get_u32(header + 8);
    if (!wad_has_directory(wad, count, position))
        return wad_refuse_directory(wad, header, count, position, flaw);
    memcpy(wad->kind, header, sizeof wad->kind);
    wad->lump_count = count;
    wad->directory = position;
    return wad_read_entries(wad, position, flaw);
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
        wad_print(wad, flaw);
    return status;
}

void wad_free(struct wad *wad)
{
    if (wad->on_disk)
        close(wad->descriptor);
    free(wad->bytes);
    free(wad->lumps);
    free(wad->maps);
    *wad = (struct wad){0};
}

bool wad_check_lump(const struct wad *wad, size_t index, const char *map,
                    char sentence[WAD_FLAW_SIZE])
{
    const struct wad_lump *lump = &wad->lumps[index];
    const uint64_t end = wad_lump_end(lump);
    if (lump->size == 0 || end <= wad->size)
        return true;
    snprintf(sentence, WAD_FLAW_SIZE,
             "%s%s%s: lump %zu takes bytes %lu to %llu, but the file has %zu",
             map ? map : "", map ? ": " : "", lump->name, index,
             (unsigned long)lump->position, (unsigned long long)end, wad->size);
    return false;
}
