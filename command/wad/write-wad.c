// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes a WAD.  Lumps of the old file may overlap, so the old bytes are copied
// by extents: unions of overlapping lumps.  An extent is written once, at its
// first lump, and its lumps keep their places in it.  Loose bytes stay behind
// what they follow: the header, a lump or the directory.  If that is a lump
// which is left out, they come before the directory.
//
// A lump that reaches past the end of the old file must stay cut off in the
// same place.  The part of its extent that is inside the old file goes to the
// very end of the new file, after the directory, so no other bytes show in the
// lump.
//
// The layout is complete before the first write, as the header has the position
// of the directory, and a compressed file can only be written from front to
// back.

#include "config.h"

#include "wad/wad.h"

#include "base/bytes.h"
#include "common/message.h"
#include "platform/file.h"
#include "wad/extents.h"
#include "wad/output.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// The layout of the new file

// A WAD being written.
struct wad_writer {
    const struct wad *wad;
    const unsigned char *old; // all bytes of the old file
    const struct wad_entry *entries;
    size_t entry_count;
    struct extent *extents;
    size_t extent_count;
    struct extent *loose; // bytes of the old file in no lump
    size_t loose_count;
    struct file_piece *pieces; // of the new file, from front to back
    size_t piece_count;
    uint64_t position; // in the new file
    unsigned char header[WAD_HEADER_SIZE];
    unsigned char *directory;
};

static const struct wad_lump *wad_source_of(const struct wad_writer *writer,
                                            size_t entry)
{
    if (writer->entries[entry].source == NO_SOURCE)
        return NULL;
    return &writer->wad->lumps[writer->entries[entry].source];
}

// Collects the ranges of lumps.
static void wad_find_extents(struct wad_writer *writer)
{
    size_t count = 0;
    for (size_t i = 0; i < writer->entry_count; i++) {
        const struct wad_lump *lump = wad_source_of(writer, i);
        if (lump && lump->size > 0)
            writer->extents[count++] = (struct extent){
                .begin = lump->position, .end = wad_lump_end(lump)};
    }
    writer->extent_count = extents_join(writer->extents, count);
}

// The extent of a lump, which has bytes.
static struct extent *wad_find_extent(struct wad_writer *writer,
                                      const struct wad_lump *lump)
{
    return extents_find(writer->extents, writer->extent_count, lump->position);
}

// Appends bytes to the new file.
static void wad_place_bytes(struct wad_writer *writer,
                            const unsigned char *bytes, size_t size)
{
    if (size > 0)
        writer->pieces[writer->piece_count++] =
            (struct file_piece){bytes, size};
    writer->position += size;
}

// Places an extent, up to the end of the old file.  Extents that were
// neighbours and still are become one piece.
static void wad_place_extent(struct wad_writer *writer, struct extent *extent)
{
    const struct wad *wad = writer->wad;
    const unsigned char *bytes = writer->old + extent->begin;
    const uint64_t end = extent->end < wad->size ? extent->end : wad->size;
    struct file_piece *last = &writer->pieces[writer->piece_count - 1];
    extent->new_begin = writer->position;
    if (extent->begin >= end)
        return;
    const size_t size = (size_t)(end - extent->begin);
    if (last->bytes + last->size != bytes) {
        wad_place_bytes(writer, bytes, size);
        return;
    }
    last->size += size;
    writer->position += size;
}

// Places the loose bytes that begin at a position, if there are any.
static void wad_place_loose(struct wad_writer *writer, uint64_t begin)
{
    const size_t index =
        extents_find_next(writer->loose, writer->loose_count, begin);
    struct extent *loose = &writer->loose[index];
    if (index < writer->loose_count && loose->begin == begin &&
        loose->new_begin == 0)
        wad_place_extent(writer, loose);
}

// Places the bytes of one entry, unless they are already placed or go to the
// end of the file.
static void wad_place_entry(struct wad_writer *writer, size_t index)
{
    const struct wad_entry *entry = &writer->entries[index];
    const struct wad_lump *lump = wad_source_of(writer, index);
    bytes_put_u32(writer->directory + index * WAD_ENTRY_SIZE,
                  (uint32_t)writer->position);
    if (lump && lump->size > 0) {
        struct extent *extent = wad_find_extent(writer, lump);
        if (extent->new_begin == 0 && extent->end <= writer->wad->size) {
            wad_place_extent(writer, extent);
            wad_place_loose(writer, extent->end);
        }
    } else {
        wad_place_bytes(writer, entry->bytes, entry->size);
        if (!lump && entry->replaced != NO_SOURCE)
            wad_place_loose(writer,
                            wad_lump_end(&writer->wad->lumps[entry->replaced]));
    }
}

// Writes sizes, names and final positions into the directory.
static void wad_fill_directory(struct wad_writer *writer)
{
    for (size_t i = 0; i < writer->entry_count; i++) {
        unsigned char *entry = writer->directory + i * WAD_ENTRY_SIZE;
        const struct wad_lump *lump = wad_source_of(writer, i);
        bytes_put_u32(entry + 4, lump ? lump->size : writer->entries[i].size);
        memcpy(entry + 8, lump ? lump->raw_name : "BLOCKMAP", WAD_NAME_SIZE);
        if (!lump || lump->size == 0)
            continue;
        const struct extent *extent = wad_find_extent(writer, lump);
        uint64_t position =
            extent->new_begin + (lump->position - extent->begin);
        bytes_put_u32(entry,
                      position > UINT32_MAX ? UINT32_MAX : (uint32_t)position);
    }
}

// Lays out the new file and returns its size.  Extents that are cut off come
// after the directory: first the one that begins in the old file, then those
// wholly outside it.
static uint64_t wad_place_all(struct wad_writer *writer)
{
    const uint64_t directory_end = wad_directory_end(writer->wad);
    wad_find_extents(writer);
    wad_place_bytes(writer, writer->header, WAD_HEADER_SIZE);
    wad_place_loose(writer, WAD_HEADER_SIZE);
    for (size_t i = 0; i < writer->entry_count; i++)
        wad_place_entry(writer, i);
    for (size_t i = 0; i < writer->loose_count; i++)
        if (writer->loose[i].begin != directory_end)
            wad_place_loose(writer, writer->loose[i].begin);
    memcpy(writer->header, writer->wad->kind, sizeof writer->wad->kind);
    bytes_put_u32(writer->header + 4, (uint32_t)writer->entry_count);
    bytes_put_u32(writer->header + 8, (uint32_t)writer->position);
    wad_place_bytes(writer, writer->directory,
                    writer->entry_count * WAD_ENTRY_SIZE);
    wad_place_loose(writer, directory_end);
    for (size_t i = 0; i < writer->extent_count; i++)
        if (writer->extents[i].end > writer->wad->size)
            wad_place_extent(writer, &writer->extents[i]);
    wad_fill_directory(writer);
    return writer->position;
}

// Writes all pieces, unless memory ran out or they do not fit a WAD.
static enum exit_status wad_write_pieces(struct wad_writer *writer,
                                         struct output *output)
{
    if (!writer->extents || !writer->loose || !writer->pieces ||
        !writer->directory)
        return message_out_of_memory();
    const uint64_t size = wad_place_all(writer);
    if (size > INT32_MAX) {
        message_print("the output would have %llu bytes; a WAD has at most %d",
                      (unsigned long long)size, INT32_MAX);
        return STATUS_FILE;
    }
    output_write(output, writer->pieces, writer->piece_count);
    return STATUS_DONE;
}

enum exit_status wad_check_unchanged(const struct wad *wad)
{
    char flaw[WAD_FLAW_SIZE];
    if (wad_get(wad, 0, 0, NULL, flaw))
        return STATUS_DONE;
    wad_print(wad, flaw);
    return STATUS_FILE;
}

enum exit_status wad_write(struct wad *wad, const struct wad_entry *entries,
                           size_t entry_count, struct output *output)
{
    const unsigned char *mapped = NULL;
    if (wad->on_disk && output->plain >= 0)
        mapped = file_map(wad->descriptor, wad->size);
    if (!mapped)
        NEED_DONE(wad_get_all(wad));
    size_t loose_count;
    struct extent *loose = extents_list_loose(wad, &loose_count);
    struct wad_writer writer = {
        .wad = wad,
        .old = mapped ? mapped : wad->bytes,
        .entries = entries,
        .entry_count = entry_count,
        .extents = malloc((entry_count + 1) * sizeof *writer.extents),
        .loose = loose,
        .loose_count = loose_count,
        .pieces =
            malloc((entry_count + loose_count + 2) * sizeof *writer.pieces),
        .directory = malloc((entry_count + 1) * WAD_ENTRY_SIZE),
    };
    enum exit_status status = wad_write_pieces(&writer, output);
    if (mapped)
        file_unmap(mapped, wad->size);
    free(writer.extents);
    free(writer.loose);
    free(writer.pieces);
    free(writer.directory);
    return status == STATUS_DONE ? wad_check_unchanged(wad) : status;
}
