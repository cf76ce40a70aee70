// SPDX-License-Identifier: GPL-2.0-or-later
//
// Bytes that grow at their end, for tests that make lumps.

#ifndef BUFFER_H
#define BUFFER_H

#include <stddef.h>
#include <stdint.h>

// All zeros is an empty buffer.
struct buffer {
    unsigned char *bytes;
    size_t size;
    size_t capacity;
};

#if defined(__GNUC__)
#define BUFFER_PRINTF(at) __attribute__((__format__(__printf__, at, at + 1)))
#else
#define BUFFER_PRINTF(at)
#endif

// Ends a test, or a program for tests, where what it is given is wrong, with a
// sentence on standard error: Check tells those of tests only.
_Noreturn void abort_with(const char *format, ...) BUFFER_PRINTF(1);

// Numbers are stored little-endian.
void buffer_put_u8(struct buffer *buffer, unsigned value);
void buffer_put_u16(struct buffer *buffer, unsigned value);
void buffer_put_u32(struct buffer *buffer, uint32_t value);

void buffer_put(struct buffer *buffer, const void *bytes, size_t size);

// Appends text, without its NUL.
void buffer_print(struct buffer *buffer, const char *format, ...)
    BUFFER_PRINTF(2);

// Appends nothing, but makes room for `size` bytes and returns where they
// would be.
unsigned char *buffer_reserve(struct buffer *buffer, size_t size);

// A copy that is no larger than its bytes, so that a read past the end is
// noticed.
unsigned char *buffer_copy_exactly(const void *bytes, size_t size);

// Zeros, at least one byte, which the caller frees.  Without memory the test
// ends.
void *allocate_zeros(size_t count, size_t size);

// What a file has in it; one that cannot be read ends the program.
struct buffer buffer_read_file(const char *path);

void buffer_free(struct buffer *buffer);

#endif
