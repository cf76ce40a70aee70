// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads a WAD, plain or compressed with gzip: the whole file into memory, then
// its directory.

#include "config.h"

#include "file/replace-file.h"
#include "file/wad.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------------------
// The bytes of a file

enum {
    FIRST_CAPACITY = 1 << 20,
    LARGEST_STEP = 1 << 30,
    // Deflate can reach a ratio of 1,032; WADs stay far below this one.
    LARGEST_RATIO = 100,
    UNCHECKED_SIZE = 1 << 26, // up to this many bytes any ratio is accepted
};

static bool grows_too_much(gzFile stream, size_t size)
{
    return size > UNCHECKED_SIZE && !gzdirect(stream) &&
           size / LARGEST_RATIO > (size_t)gzoffset(stream);
}

// Reads up to the end of the file, to an error, or past the size of any WAD.
static enum exit_status read_stream(gzFile stream, struct wad *wad)
{
    size_t capacity = 0;
    int read;
    do {
        if (wad->size == capacity) {
            capacity = capacity ? capacity * 2 : FIRST_CAPACITY;
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
             !grows_too_much(stream, wad->size));
    return STATUS_DONE;
}

// Whether an open file was written to since `before`.  The times of pipes and
// devices do not say.
static bool has_changed(int descriptor, const struct stat *before)
{
    struct stat now;
    return S_ISREG(before->st_mode) && fstat(descriptor, &now) == 0 &&
           !file_version_equals(before, &now);
}

// Checks the bytes that were read.
static enum exit_status check_stream(gzFile stream, size_t size,
                                     char flaw[WAD_FLAW_SIZE])
{
    int code;
    gzerror(stream, &code);
    if (code == Z_ERRNO) {
        if (errno == EISDIR)
            snprintf(flaw, WAD_FLAW_SIZE,
                     "this is a folder; name the WAD files in it");
        else
            snprintf(flaw, WAD_FLAW_SIZE, "cannot be read: %s",
                     strerror(errno));
        return STATUS_FILE;
    }
    if (code == Z_MEM_ERROR)
        return message_out_of_memory();
    if (code != Z_OK)
        snprintf(flaw, WAD_FLAW_SIZE,
                 "the compressed file is damaged or cut off");
    else if (grows_too_much(stream, size))
        snprintf(flaw, WAD_FLAW_SIZE,
                 "the compressed file grows more than %d times; no WAD does",
                 LARGEST_RATIO);
    else if (size > INT32_MAX)
        snprintf(flaw, WAD_FLAW_SIZE,
                 "the file has more than %d bytes, which no WAD has",
                 INT32_MAX);
    else
        return STATUS_DONE;
    return STATUS_MAP_FAILED;
}

static enum exit_status read_bytes(int descriptor, struct wad *wad,
                                   char flaw[WAD_FLAW_SIZE])
{
    struct stat before = {0};
    (void)!fstat(descriptor, &before);
    gzFile stream = gzdopen(descriptor, "rb");
    if (!stream) {
        close(descriptor);
        return message_out_of_memory();
    }
    enum exit_status status = read_stream(stream, wad);
    wad->compressed = !gzdirect(stream);
    if (status == STATUS_DONE && has_changed(descriptor, &before)) {
        snprintf(flaw, WAD_FLAW_SIZE, "the file changed while it was read");
        status = STATUS_FILE;
    } else if (status == STATUS_DONE) {
        status = check_stream(stream, wad->size, flaw);
    }
    gzclose(stream);
    return status;
}

// ---------------------------------------------------------------------------
// The directory

static uint32_t get_u32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
           (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void read_entry(const unsigned char *entry, struct wad_lump *lump)
{
    lump->position = get_u32(entry);
    lump->size = get_u32(entry + 4);
    memcpy(lump->raw_name, entry + 8, WAD_NAME_SIZE);
    size_t length = 0;
    for (; length < WAD_NAME_SIZE && lump->raw_name[length]; length++)
        lump->name[length] =
            (char)toupper((unsigned char)lump->raw_name[length]);
    lump->name[length] = '\0';
}

static bool is_header(const unsigned char *bytes)
{
    return memcmp(bytes, "IWAD", 4) == 0 || memcmp(bytes, "PWAD", 4) == 0;
}

// Says what a file is instead of a WAD.
static enum exit_status refuse_file(const struct wad *wad,
                                    char flaw[WAD_FLAW_SIZE])
{
    if (wad->size == 0)
        snprintf(flaw, WAD_FLAW_SIZE, "empty; a WAD was expected");
    else if (wad->size < WAD_HEADER_SIZE)
        snprintf(flaw, WAD_FLAW_SIZE,
                 "not a WAD file: it has %zu byte%s, and a WAD at least %d",
                 wad->size, wad->size == 1 ? "" : "s", WAD_HEADER_SIZE);
    else if (memcmp(wad->bytes, "PK\3\4", 4) == 0)
        snprintf(flaw, WAD_FLAW_SIZE,
                 "not a WAD but a zip archive, as PK3 files are; unpack it, "
                 "and build the WADs in its folder maps");
    else
        snprintf(flaw, WAD_FLAW_SIZE,
                 "not a WAD file: a header of 12 bytes that begins with IWAD "
                 "or PWAD was expected");
    return STATUS_MAP_FAILED;
}

static enum exit_status read_directory(struct wad *wad,
                                       char flaw[WAD_FLAW_SIZE])
{
    if (wad->size < WAD_HEADER_SIZE || !is_header(wad->bytes))
        return refuse_file(wad, flaw);
    uint32_t count = get_u32(wad->bytes + 4);
    uint32_t position = get_u32(wad->bytes + 8);
    uint64_t end = position + (uint64_t)count * WAD_ENTRY_SIZE;
    if (count > INT32_MAX || end > wad->size) {
        snprintf(flaw, WAD_FLAW_SIZE,
                 "the directory is cut off: %lu entries at offset %lu would "
                 "end at %llu, but the file has %zu bytes",
                 (unsigned long)count, (unsigned long)position,
                 (unsigned long long)end, wad->size);
        return STATUS_MAP_FAILED;
    }
    wad->lumps = malloc((count + 1) * sizeof *wad->lumps);
    if (!wad->lumps)
        return message_out_of_memory();
    wad->lump_count = count;
    for (size_t i = 0; i < count; i++)
        read_entry(wad->bytes + position + i * WAD_ENTRY_SIZE, &wad->lumps[i]);
    return STATUS_DONE;
}

enum exit_status wad_read_open(int descriptor, struct wad *wad,
                               char flaw[WAD_FLAW_SIZE])
{
    *wad = (struct wad){0};
    *flaw = '\0';
    enum exit_status status = read_bytes(descriptor, wad, flaw);
    if (status == STATUS_DONE)
        status = read_directory(wad, flaw);
    if (status != STATUS_DONE)
        wad_free(wad);
    return status;
}

enum exit_status wad_read(const char *path, int locked, struct wad *wad)
{
    char flaw[WAD_FLAW_SIZE];
    *wad = (struct wad){0};
    bool is_standard = strcmp(path, "-") == 0;
    int descriptor = locked >= 0   ? fcntl(locked, F_DUPFD_CLOEXEC, 0)
                     : is_standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                   : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        message_print("%s: cannot be read: %s", path, strerror(errno));
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

// ---------------------------------------------------------------------------
// Lumps

bool wad_lump_is_whole(const struct wad *wad, size_t index)
{
    const struct wad_lump *lump = &wad->lumps[index];
    return lump->size == 0 ||
           (uint64_t)lump->position + lump->size <= wad->size;
}

void wad_describe_cut_lump(const struct wad *wad, size_t index, const char *map,
                           char sentence[WAD_FLAW_SIZE])
{
    const struct wad_lump *lump = &wad->lumps[index];
    snprintf(sentence, WAD_FLAW_SIZE,
             "%s%s%s: lump %zu takes bytes %lu to %llu, but the file has %zu",
             map ? map : "", map ? ": " : "", lump->name, index,
             (unsigned long)lump->position,
             (unsigned long long)lump->position + lump->size, wad->size);
}
