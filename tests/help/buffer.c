// SPDX-License-Identifier: GPL-2.0-or-later

#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void abort_with(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

void *allocate_zeros(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        abort_with("no memory for %zu elements", count);
    return memory;
}

unsigned char *buffer_reserve(struct buffer *buffer, size_t size)
{
    size_t needed = buffer->size + size;
    if (needed > buffer->capacity) {
        buffer->capacity = needed > 64 ? 2 * needed : 64;
        buffer->bytes = realloc(buffer->bytes, buffer->capacity);
        if (!buffer->bytes)
            abort_with("no memory for %zu bytes", buffer->capacity);
    }
    return buffer->bytes + buffer->size;
}

void buffer_put(struct buffer *buffer, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    memcpy(buffer_reserve(buffer, size), bytes, size);
    buffer->size += size;
}

void buffer_put_u8(struct buffer *buffer, unsigned value)
{
    unsigned char byte = (unsigned char)(value & 0xFF);
    buffer_put(buffer, &byte, sizeof byte);
}

void buffer_put_u16(struct buffer *buffer, unsigned value)
{
    buffer_put_u8(buffer, value);
    buffer_put_u8(buffer, value >> 8);
}

void buffer_put_u32(struct buffer *buffer, uint32_t value)
{
    buffer_put_u16(buffer, value & 0xFFFF);
    buffer_put_u16(buffer, value >> 16);
}

void buffer_print(struct buffer *buffer, const char *format, ...)
{
    enum { ROOM = 512 };
    char *text = (char *)buffer_reserve(buffer, ROOM);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, ROOM, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= ROOM)
        abort_with("'%s' makes too long a text", format);
    buffer->size += (size_t)length;
}

unsigned char *buffer_copy_exactly(const void *bytes, size_t size)
{
    unsigned char *copy = malloc(size);
    if (size > 0) {
        if (!copy)
            abort_with("no memory for %zu bytes", size);
        memcpy(copy, bytes, size);
    }
    return copy;
}

struct buffer buffer_read_file(const char *path)
{
    enum { CHUNK = 1 << 16 };
    struct buffer bytes = {0};
    FILE *file = fopen(path, "rb");
    size_t count = file != NULL;
    while (count > 0) {
        count = fread(buffer_reserve(&bytes, CHUNK), 1, CHUNK, file);
        bytes.size += count;
    }
    if (!file || ferror(file))
        abort_with("%s cannot be read", path);
    fclose(file);
    return bytes;
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}
