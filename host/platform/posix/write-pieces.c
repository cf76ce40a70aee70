// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pieces are written in batches: what they need of the old file is mapped, and
// a single call writes many pieces from there and from memory.  Only the kernel
// reads the mapping.  Where it cannot, as the file was cut off or its disk
// fails, the call fails; a process that did so itself would be killed.  What is
// compressed is therefore read into memory, as is what is too short to map.
//
// Where a long piece is as far into a block as it was in the old file, the file
// system may be able to share blocks of both files, so it is asked to copy
// them.

#include "config.h"

#include "file/wad.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MAP_POPULATE
#define MAP_POPULATE 0
#endif

enum {
    MOST_PARTS = 1024,      // that writev takes on Linux and the BSDs
    MOST_MAPPED = 4 << 20,  // bytes
    LEAST_MAPPED = 1 << 16, // bytes; fewer are read
    MOST_GAP = 1 << 16,     // bytes that are mapped though no piece has them
    PAGE = 1 << 16,         // a multiple of the size of pages
    BLOCK = 4096,           // of most file systems, in bytes
    LEAST_SHARED = 1 << 16, // bytes
};

struct writing {
    const struct wad *wad;
    struct output *output;
    struct wad_piece *next, *end; // what is left
    uint64_t position;            // in the new file
    bool cannot_share;
};

static void remove_written(struct writing *writing, uint64_t size)
{
    writing->position += size;
    while (size > 0) {
        struct wad_piece *piece = writing->next;
        uint64_t part = size < piece->size ? size : piece->size;
        if (piece->bytes)
            piece->bytes += part;
        piece->position += part;
        piece->size -= part;
        size -= part;
        writing->next += piece->size == 0;
    }
}

// How many bytes of a piece come before blocks that can be shared if it goes to
// this position; all if none can.
static uint64_t find_shared(const struct writing *writing,
                            const struct wad_piece *piece, uint64_t position)
{
    uint64_t before = (BLOCK - position % BLOCK) % BLOCK;
    bool can_share = !piece->bytes && !writing->cannot_share &&
                     !writing->output->stream &&
                     piece->position % BLOCK == position % BLOCK &&
                     piece->size >= before + LEAST_SHARED;
    return can_share ? before : piece->size;
}

// Shares blocks of the next piece.  Returns how many bytes; 0 if none can be,
// for whatever reason, as there is the other way.
static ssize_t share_blocks(struct writing *writing)
{
    ssize_t size = 0;
    if (find_shared(writing, writing->next, writing->position) > 0)
        return 0;
#if HAVE_COPY_FILE_RANGE
    off_t from = (off_t)writing->next->position;
    size = copy_file_range(
        writing->wad->descriptor, &from, writing->output->descriptor, NULL,
        (size_t)(writing->next->size - writing->next->size % BLOCK), 0);
#endif
    writing->cannot_share = size <= 0;
    return size > 0 ? size : 0;
}

// Returns how many bytes were written, or -1 with errno.
static ssize_t write_parts(const struct output *output,
                           const struct iovec *parts, int count)
{
    ssize_t size = 0;
    if (!output->stream)
        return writev(output->descriptor, parts, count);
    for (int i = 0; i < count; i++) {
        errno = EIO; // if zlib itself fails
        if (gzfwrite(parts[i].iov_base, 1, parts[i].iov_len, output->stream) !=
            parts[i].iov_len)
            return -1;
        size += (ssize_t)parts[i].iov_len;
    }
    return size;
}

// What a batch needs of the old file.
struct window {
    uint64_t begin, end; // in that
    unsigned char *bytes;
    bool is_mapped;
};

// Finds how many of the next pieces make a batch, and the sizes of their parts.
static int gather(const struct writing *writing, struct iovec *parts,
                  struct window *window)
{
    int count = 0;
    uint64_t position = writing->position;
    const struct wad_piece *piece = writing->next;
    for (; piece < writing->end && count < MOST_PARTS; piece++, count++) {
        uint64_t size = find_shared(writing, piece, position);
        if (!piece->bytes) {
            uint64_t from = piece->position;
            if (window->end == 0)
                window->begin = window->end = from;
            uint64_t most = window->begin + MOST_MAPPED;
            if (size == 0 || from < window->begin || from >= most ||
                from > window->end + MOST_GAP)
                break;
            size = size < most - from ? size : most - from;
            if (window->end < from + size)
                window->end = from + size;
        }
        parts[count].iov_len = (size_t)size;
        position += size;
        if (size < piece->size)
            return count + 1;
    }
    return count;
}

// Returns false with a sentence if the old file cannot be read; without memory
// the output has an error.
static bool open_window(const struct writing *writing, struct window *window,
                        char flaw[WAD_FLAW_SIZE])
{
    size_t size = (size_t)(window->end - window->begin);
    if (size == 0)
        return true;
    if (!writing->output->stream && size >= LEAST_MAPPED) {
        size += window->begin % PAGE;
        window->begin -= window->begin % PAGE;
        window->bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE,
                             writing->wad->descriptor, (off_t)window->begin);
        window->is_mapped = window->bytes != MAP_FAILED;
    }
    if (window->is_mapped)
        return true;
    window->bytes = malloc(size);
    if (!window->bytes)
        writing->output->error = ENOMEM;
    return !window->bytes || wad_read_bytes(writing->wad, window->begin,
                                            window->bytes, size, flaw);
}

// Writes some of the next pieces.
static bool write_batch(struct writing *writing, char flaw[WAD_FLAW_SIZE])
{
    struct output *output = writing->output;
    struct iovec parts[MOST_PARTS];
    struct window window = {0};
    int count = gather(writing, parts, &window);
    bool is_read = open_window(writing, &window, flaw);
    if (is_read && !output->error) {
        for (int i = 0; i < count; i++) {
            const struct wad_piece *piece = &writing->next[i];
            parts[i].iov_base =
                piece->bytes ? (void *)piece->bytes
                             : window.bytes + (piece->position - window.begin);
        }
        ssize_t size = write_parts(output, parts, count);
        if (size >= 0) {
            remove_written(writing, (uint64_t)size);
        } else if (errno != EFAULT) {
            output->error = errno;
        } else {
            errno = EIO; // the mapping, not an address, is at fault
            is_read = wad_is_as_read(writing->wad, false, flaw);
        }
    }
    if (window.is_mapped)
        munmap(window.bytes, (size_t)(window.end - window.begin));
    else
        free(window.bytes);
    return is_read;
}

// Has the disk begin with what was written since this position, as it will be
// waited for in the end.  Returns up to where it has been told.
static uint64_t start_disk(const struct writing *writing, uint64_t since)
{
    if (writing->position - since < MOST_MAPPED)
        return since;
#if HAVE_SYNC_FILE_RANGE
    sync_file_range(writing->output->descriptor, (off_t)since,
                    (off_t)(writing->position - since), SYNC_FILE_RANGE_WRITE);
#endif
    return writing->position;
}

bool wad_write_pieces(const struct wad *wad, struct output *output,
                      struct wad_piece *pieces, size_t count,
                      char flaw[WAD_FLAW_SIZE])
{
    struct writing writing = {
        .wad = wad, .output = output, .next = pieces, .end = pieces + count};
    uint64_t started = 0;
    while (writing.next < writing.end && !output->error) {
        started = start_disk(&writing, started);
        ssize_t shared = share_blocks(&writing);
        if (shared > 0)
            remove_written(&writing, (uint64_t)shared);
        else if (!write_batch(&writing, flaw))
            return false;
    }
    return wad_is_as_read(wad, true, flaw);
}
