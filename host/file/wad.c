// SPDX-License-Identifier: GPL-2.0-or-later
//
// A WAD is a header, lumps and a directory that says where they are.  Nothing
// keeps lumps from sharing bytes, so writing goes by extents: stretches of the
// old file that lumps cover together.  Each is written once, where the first
// lump that needs it comes, and its lumps keep their places in it.
//
// A lump that reaches past the end of its file cannot be kept whole, but it
// can be kept as it is: its extent, as far as there is one, goes to the very
// end of the new file, behind the directory, so that it is still cut off in
// the same place and no foreign bytes show in it.
//
// The header tells where the directory is, and the file may be compressed and
// so has to be written from front to back.  Therefore it is written twice: the
// first time to nowhere, which shows where everything will be.

#include "config.h"

#include "file/wad.h"

#include "file/files.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Reading

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

static enum exit_status read_directory(struct wad *wad, char *flaw,
                                       size_t flaw_size)
{
    if (wad->size < WAD_HEADER_SIZE || !is_header(wad->bytes)) {
        snprintf(flaw, flaw_size,
                 "not a WAD file: a header of 12 bytes that begins with IWAD "
                 "or PWAD was expected");
        return STATUS_MAP_FAILED;
    }
    uint32_t count = get_u32(wad->bytes + 4);
    uint32_t position = get_u32(wad->bytes + 8);
    uint64_t end = position + (uint64_t)count * WAD_ENTRY_SIZE;
    if (count > INT32_MAX || end > wad->size) {
        snprintf(flaw, flaw_size,
                 "the directory is cut off: %lu entries at offset %lu would "
                 "end at %llu, but the file has %zu bytes",
                 (unsigned long)count, (unsigned long)position,
                 (unsigned long long)end, wad->size);
        return STATUS_MAP_FAILED;
    }
    wad->lumps = malloc((count + 1) * sizeof *wad->lumps);
    if (!wad->lumps) {
        return message_out_of_memory();
    }
    wad->lump_count = count;
    for (size_t i = 0; i < count; i++)
        read_entry(wad->bytes + position + i * WAD_ENTRY_SIZE, &wad->lumps[i]);
    return STATUS_DONE;
}

enum exit_status wad_parse(unsigned char *bytes, size_t size, struct wad *wad,
                           char *flaw, size_t flaw_size)
{
    *wad = (struct wad){.bytes = bytes, .size = size};
    enum exit_status status = read_directory(wad, flaw, flaw_size);
    if (status != STATUS_DONE)
        wad_free(wad);
    return status;
}

enum exit_status wad_read(const char *path, struct wad *wad)
{
    unsigned char *bytes;
    size_t size;
    bool compressed;
    char flaw[FILE_FLAW_SIZE];
    *wad = (struct wad){0};
    enum exit_status status =
        file_read(path, INT32_MAX, &bytes, &size, &compressed);
    if (status != STATUS_DONE)
        return status;
    status = wad_parse(bytes, size, wad, flaw, sizeof flaw);
    if (status == STATUS_MAP_FAILED)
        message_print("%s: %s", path, flaw);
    wad->compressed = compressed;
    return status;
}

// What wad_read_directory does not go beyond.
enum { MOST_ENTRIES = 1 << 20, FARTHEST_COMPRESSED = 1 << 28 };

// Reads bytes at a position that is not behind the present one.
static bool read_at(gzFile stream, uint32_t position, unsigned char *bytes,
                    size_t size)
{
    return gzseek(stream, (z_off_t)position, SEEK_SET) >= 0 &&
           gzread(stream, bytes, (unsigned)size) == (int)size;
}

static bool read_entries(gzFile stream, struct wad *wad)
{
    unsigned char header[WAD_HEADER_SIZE];
    if (!read_at(stream, 0, header, sizeof header) || !is_header(header))
        return false;
    size_t count = get_u32(header + 4);
    uint32_t position = get_u32(header + 8);
    uint32_t farthest = gzdirect(stream) ? INT32_MAX : FARTHEST_COMPRESSED;
    if (count > MOST_ENTRIES || position > farthest)
        return false;
    unsigned char *entries = malloc(count * WAD_ENTRY_SIZE + 1);
    wad->lumps = malloc((count + 1) * sizeof *wad->lumps);
    bool read = entries && wad->lumps &&
                read_at(stream, position, entries, count * WAD_ENTRY_SIZE);
    for (; read && wad->lump_count < count; wad->lump_count++)
        read_entry(entries + wad->lump_count * WAD_ENTRY_SIZE,
                   &wad->lumps[wad->lump_count]);
    free(entries);
    return read;
}

bool wad_read_directory(const char *path, struct wad *wad)
{
    *wad = (struct wad){0};
    gzFile stream = file_is_regular(path) ? gzopen(path, "rb") : NULL;
    if (!stream)
        return false;
    bool read = read_entries(stream, wad);
    gzclose(stream);
    if (!read)
        wad_free(wad);
    return read;
}

void wad_free(struct wad *wad)
{
    free(wad->bytes);
    free(wad->lumps);
    *wad = (struct wad){0};
}

bool wad_lump_is_whole(const struct wad *wad, size_t index)
{
    const struct wad_lump *lump = &wad->lumps[index];
    return lump->size == 0 ||
           (uint64_t)lump->position + lump->size <= wad->size;
}

void wad_describe_cut_lump(const struct wad *wad, size_t index, const char *map,
                           char *sentence, size_t size)
{
    const struct wad_lump *lump = &wad->lumps[index];
    snprintf(sentence, size,
             "%s%s%s: lump %zu takes bytes %lu to %llu, but the file has %zu",
             map ? map : "", map ? ": " : "", lump->name, index,
             (unsigned long)lump->position,
             (unsigned long long)lump->position + lump->size, wad->size);
}

// ---------------------------------------------------------------------------
// Writing

// A stretch of the old file, and where it goes in the new one.
struct extent {
    uint64_t begin, end; // in the old file; the end may be past its end
    uint64_t new_begin;
    bool written;
};

// A WAD being written.
struct writer {
    const struct wad *wad;
    const struct wad_entry *entries;
    size_t entry_count;
    uint64_t *positions; // of each entry, in the new file
    struct extent *extents;
    size_t extent_count;
    uint64_t position;  // in the new file
    uint64_t directory; // where it is in the new file
    gzFile stream;      // NULL while it is written to nowhere
};

static const struct wad_lump *source_of(const struct writer *writer,
                                        size_t entry)
{
    if (writer->entries[entry].source == NO_SOURCE)
        return NULL;
    return &writer->wad->lumps[writer->entries[entry].source];
}

static uint32_t entry_size(const struct writer *writer, size_t entry)
{
    const struct wad_lump *source = source_of(writer, entry);
    return source ? source->size : (uint32_t)writer->entries[entry].size;
}

static int compare_extents(const void *a, const void *b)
{
    const struct extent *left = a;
    const struct extent *right = b;
    return (left->begin > right->begin) - (left->begin < right->begin);
}

// Collects the stretches that lumps cover and joins those that overlap.
static void find_extents(struct writer *writer)
{
    struct extent *extents = writer->extents;
    size_t count = 0;
    for (size_t i = 0; i < writer->entry_count; i++) {
        const struct wad_lump *lump = source_of(writer, i);
        if (lump && lump->size > 0)
            extents[count++] =
                (struct extent){.begin = lump->position,
                                .end = (uint64_t)lump->position + lump->size};
    }
    if (count > 0)
        qsort(extents, count, sizeof *extents, compare_extents);
    size_t joined = 0;
    for (size_t i = 0; i < count; i++) {
        if (joined > 0 && extents[i].begin < extents[joined - 1].end) {
            if (extents[i].end > extents[joined - 1].end)
                extents[joined - 1].end = extents[i].end;
        } else {
            extents[joined++] = extents[i];
        }
    }
    writer->extent_count = joined;
}

// The extent that holds a byte of the old file.
static struct extent *find_extent(const struct writer *writer,
                                  uint32_t position)
{
    size_t low = 0;
    size_t high = writer->extent_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (writer->extents[middle].begin <= position)
            low = middle;
        else
            high = middle;
    }
    return &writer->extents[low];
}

static void write_bytes(struct writer *writer, const unsigned char *bytes,
                        size_t size)
{
    if (size > 0 && writer->stream)
        gzfwrite(bytes, 1, size, writer->stream);
    writer->position += size;
}

// Writes what the old file has of an extent.
static void write_extent(struct writer *writer, struct extent *extent)
{
    extent->new_begin = writer->position;
    extent->written = true;
    uint64_t end = extent->end;
    if (end > writer->wad->size)
        end = writer->wad->size;
    if (extent->begin < end)
        write_bytes(writer, writer->wad->bytes + extent->begin,
                    (size_t)(end - extent->begin));
}

static bool extent_is_whole(const struct writer *writer,
                            const struct extent *extent)
{
    return extent->end <= writer->wad->size;
}

// Writes the bytes of one entry, unless they are in the new file already or
// have to go to its end.
static void write_entry(struct writer *writer, size_t entry)
{
    const struct wad_lump *lump = source_of(writer, entry);
    uint64_t position = writer->position;
    if (lump && lump->size > 0) {
        struct extent *extent = find_extent(writer, lump->position);
        if (!extent->written && extent_is_whole(writer, extent))
            write_extent(writer, extent);
        position = extent->new_begin + (lump->position - extent->begin);
    } else if (writer->entries[entry].shares_with != NO_SOURCE) {
        position = writer->positions[writer->entries[entry].shares_with];
    } else {
        write_bytes(writer, writer->entries[entry].bytes,
                    writer->entries[entry].size);
    }
    writer->positions[entry] = position;
}

// Decides where the extents that are cut off begin: behind the directory, the
// one that is cut off in the file, then those that lie wholly outside it.
static void place_cut_extents(struct writer *writer)
{
    uint64_t position =
        writer->position + (uint64_t)writer->entry_count * WAD_ENTRY_SIZE;
    for (size_t i = 0; i < writer->extent_count; i++) {
        struct extent *extent = &writer->extents[i];
        if (extent_is_whole(writer, extent))
            continue;
        extent->new_begin = position;
        if (extent->begin < writer->wad->size)
            position += writer->wad->size - extent->begin;
    }
    for (size_t i = 0; i < writer->entry_count; i++) {
        const struct wad_lump *lump = source_of(writer, i);
        if (!lump || lump->size == 0)
            continue;
        struct extent *extent = find_extent(writer, lump->position);
        if (!extent_is_whole(writer, extent))
            writer->positions[i] =
                extent->new_begin + (lump->position - extent->begin);
    }
}

static void write_cut_extents(struct writer *writer)
{
    for (size_t i = 0; i < writer->extent_count; i++)
        if (!extent_is_whole(writer, &writer->extents[i]))
            write_extent(writer, &writer->extents[i]);
}

static void put_u32(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(value >> (8 * i) & 0xFF);
}

static void write_directory(struct writer *writer)
{
    for (size_t i = 0; i < writer->entry_count; i++) {
        unsigned char entry[WAD_ENTRY_SIZE];
        uint64_t position = writer->positions[i];
        put_u32(entry, position > UINT32_MAX ? UINT32_MAX : (uint32_t)position);
        put_u32(entry + 4, entry_size(writer, i));
        memcpy(entry + 8, writer->entries[i].raw_name, WAD_NAME_SIZE);
        write_bytes(writer, entry, sizeof entry);
    }
}

static void write_header(struct writer *writer)
{
    unsigned char header[WAD_HEADER_SIZE];
    memcpy(header, writer->wad->bytes, 4);
    put_u32(header + 4, (uint32_t)writer->entry_count);
    put_u32(header + 8, (uint32_t)writer->directory);
    write_bytes(writer, header, sizeof header);
}

// Writes everything; the directory goes to where it ended up in the pass
// before.
static void write_pass(struct writer *writer, gzFile stream)
{
    writer->stream = stream;
    writer->position = 0;
    for (size_t i = 0; i < writer->extent_count; i++)
        writer->extents[i].written = false;
    write_header(writer);
    for (size_t i = 0; i < writer->entry_count; i++)
        write_entry(writer, i);
    writer->directory = writer->position;
    place_cut_extents(writer);
    write_directory(writer);
    write_cut_extents(writer);
}

static enum exit_status write_all(struct writer *writer, gzFile stream)
{
    find_extents(writer);
    write_pass(writer, NULL);
    if (writer->position > INT32_MAX) {
        message_print("the output would have %llu bytes; a WAD has at most %d",
                      (unsigned long long)writer->position, INT32_MAX);
        return STATUS_FILE;
    }
    write_pass(writer, stream);
    return STATUS_DONE;
}

enum exit_status wad_write(const struct wad *wad,
                           const struct wad_entry *entries, size_t entry_count,
                           gzFile stream)
{
    struct writer writer = {
        .wad = wad,
        .entries = entries,
        .entry_count = entry_count,
        .positions = malloc((entry_count + 1) * sizeof *writer.positions),
        .extents = malloc((entry_count + 1) * sizeof *writer.extents),
    };
    enum exit_status status = STATUS_FILE;
    if (writer.positions && writer.extents)
        status = write_all(&writer, stream);
    else
        message_out_of_memory();
    free(writer.positions);
    free(writer.extents);
    return status;
}
