// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pieces are written in batches: what they need of the other file is mapped,
// and a single call writes many pieces from there and from memory.  Only the
// kernel reads the mapping.  Where it cannot, as the file was cut off or its
// disk fails, the call fails; a process that did so itself would be killed.
// What is compressed is therefore read into memory.
//
// Where a long piece is as far into a block as it was in the other file, the
// file system may be able to share blocks of both files, so it is asked to copy
// these.

#include "config.h"

#include "file/output.h"

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
    MOST_MAPPED = 2 << 20,  // bytes
    MOST_GAP = 1 << 16,     // bytes that are mapped though no piece has them
    PAGE = 1 << 16,         // a multiple of the size of pages
    BLOCK = 4096,           // of most file systems, in bytes
    LEAST_SHARED = 1 << 16, // bytes
};

// What is to be written, and how far it is.
struct cursor {
    struct output *output;
    int source;
    const struct output_piece *next, *end;
    uint64_t done;     // bytes of the next piece
    uint64_t position; // in the output
    bool cannot_share;
};

struct batch {
    struct iovec parts[MOST_PARTS];
    uint64_t positions[MOST_PARTS]; // in the source, or IN_MEMORY
    size_t count;
    uint64_t begin, end;   // of what is needed of the source
    unsigned char *window; // has that
    bool is_mapped;
};

#define IN_MEMORY UINT64_MAX

static void advance(struct cursor *cursor, uint64_t size)
{
    cursor->position += size;
    cursor->done += size;
    if (cursor->done < cursor->next->size)
        return;
    cursor->next++;
    cursor->done = 0;
}

// How many bytes to go before blocks can be shared; `left` if none can.
static uint64_t find_shared(const struct cursor *cursor, uint64_t from,
                            uint64_t left)
{
    uint64_t before = (BLOCK - from % BLOCK) % BLOCK;
    bool can_share = !cursor->cannot_share && !cursor->output->stream &&
                     from % BLOCK == cursor->position % BLOCK &&
                     left >= before + LEAST_SHARED;
    return can_share ? before : left;
}

// Shares the blocks of the next piece, if it begins with such.  Whatever keeps
// the system from it, there is the other way.
static void share_blocks(struct cursor *cursor)
{
#if HAVE_COPY_FILE_RANGE
    while (cursor->next < cursor->end && !cursor->next->bytes) {
        uint64_t from = cursor->next->position + cursor->done;
        uint64_t left = cursor->next->size - cursor->done;
        off_t begin = (off_t)from;
        if (find_shared(cursor, from, left) > 0)
            return;
        ssize_t size =
            copy_file_range(cursor->source, &begin, cursor->output->descriptor,
                            NULL, (size_t)(left - left % BLOCK), 0);
        if (size > 0)
            advance(cursor, (uint64_t)size);
        else
            cursor->cannot_share = true;
    }
#else
    cursor->cannot_share = true;
#endif
}

// Adds a part of the next piece that is in the source.  Returns its size; 0 if
// it does not belong in this batch.
static uint64_t gather_source(struct cursor *cursor, struct batch *batch)
{
    uint64_t from = cursor->next->position + cursor->done;
    uint64_t size = cursor->next->size - cursor->done;
    if (batch->end == 0)
        batch->begin = batch->end = from - from % PAGE;
    if (from < batch->begin || from > batch->end + MOST_GAP ||
        from >= batch->begin + MOST_MAPPED)
        return 0;
    size = find_shared(cursor, from, size);
    if (size > batch->begin + MOST_MAPPED - from)
        size = batch->begin + MOST_MAPPED - from;
    if (batch->end < from + size)
        batch->end = from + size;
    return size;
}

static void gather(struct cursor *cursor, struct batch *batch)
{
    *batch = (struct batch){.count = 0};
    while (cursor->next < cursor->end && batch->count < MOST_PARTS) {
        const struct output_piece *piece = cursor->next;
        struct iovec *part = &batch->parts[batch->count];
        uint64_t size = piece->bytes ? piece->size - cursor->done
                                     : gather_source(cursor, batch);
        if (size == 0)
            return;
        part->iov_base = (unsigned char *)piece->bytes + cursor->done;
        part->iov_len = (size_t)size;
        batch->positions[batch->count++] =
            piece->bytes ? IN_MEMORY : piece->position + cursor->done;
        advance(cursor, size);
    }
}

// Whether all bytes of a stretch could be read.
static bool read_stretch(int source, unsigned char *to, uint64_t begin,
                         uint64_t end)
{
    ssize_t size = 1;
    for (errno = 0; begin < end && size > 0; begin += (uint64_t)size) {
        size = pread(source, to, (size_t)(end - begin), (off_t)begin);
        if (size > 0)
            to += size;
    }
    return size > 0;
}

static bool open_window(const struct cursor *cursor, struct batch *batch)
{
    size_t size = (size_t)(batch->end - batch->begin);
    if (size == 0)
        return true;
    batch->window = MAP_FAILED;
    if (!cursor->output->stream)
        batch->window = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE,
                             cursor->source, (off_t)batch->begin);
    batch->is_mapped = batch->window != MAP_FAILED;
    if (!batch->is_mapped)
        batch->window = malloc(size);
    if (!batch->window ||
        (!batch->is_mapped && !read_stretch(cursor->source, batch->window,
                                            batch->begin, batch->end)))
        return false;
    for (size_t i = 0; i < batch->count; i++)
        if (batch->positions[i] != IN_MEMORY)
            batch->parts[i].iov_base =
                batch->window + (batch->positions[i] - batch->begin);
    return true;
}

static void close_window(struct batch *batch)
{
    int reason = errno;
    if (batch->is_mapped)
        munmap(batch->window, (size_t)(batch->end - batch->begin));
    else
        free(batch->window);
    errno = reason;
}

// Writes all parts; false with errno.
static bool write_plain(int descriptor, struct iovec *parts, size_t count)
{
    while (count > 0) {
        ssize_t written = writev(descriptor, parts, (int)count);
        if (written < 0)
            return false;
        size_t size = (size_t)written;
        for (; count > 0 && size >= parts->iov_len; count--)
            size -= parts++->iov_len;
        if (count > 0) {
            parts->iov_base = (unsigned char *)parts->iov_base + size;
            parts->iov_len -= size;
        }
    }
    return true;
}

static bool write_batch(struct cursor *cursor, struct batch *batch)
{
    struct output *output = cursor->output;
    for (size_t i = 0; output->stream && i < batch->count; i++)
        gzfwrite(batch->parts[i].iov_base, 1, batch->parts[i].iov_len,
                 output->stream);
    if (output->stream ||
        write_plain(output->descriptor, batch->parts, batch->count))
        return true;
    if (errno != EFAULT) {
        output->error = errno;
        return true;
    }
    errno = EIO;
    return false;
}

bool output_write(struct output *output, int source,
                  const struct output_piece *pieces, size_t count)
{
    struct cursor cursor = {
        .output = output,
        .source = source,
        .next = pieces,
        .end = pieces + count,
    };
    bool is_read = true;
    while (is_read && !output->error && cursor.next < cursor.end) {
        struct batch batch;
        share_blocks(&cursor);
        gather(&cursor, &batch);
        is_read = open_window(&cursor, &batch) && write_batch(&cursor, &batch);
        close_window(&batch);
    }
    return is_read;
}
