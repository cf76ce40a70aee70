// SPDX-License-Identifier: GPL-2.0-or-later
//
// Overflow-checked allocation, and error messages that name map and lump.

#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Names and texts of maps can contain anything, so control characters and bytes
// beyond ASCII become question marks.
static void context_write_sentence(char sentence[CONTEXT_MESSAGE_SIZE],
                                   const struct context *context,
                                   const char *where, const char *format,
                                   va_list arguments)
{
    const size_t size = CONTEXT_MESSAGE_SIZE;
    const char *map = context->map_name;
    int length =
        snprintf(sentence, size, "%s%s%s%s", map ? map : "", map ? ": " : "",
                 where ? where : "", where ? ": " : "");
    if (length >= 0 && (size_t)length < size)
        vsnprintf(sentence + length, size - (size_t)length, format, arguments);
    for (; *sentence; sentence++)
        if (*sentence < ' ' || *sentence > '~')
            *sentence = '?';
}

nbstage_status context_fail(struct context *context, nbstage_status status,
                            const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    context_write_sentence(context->message, context, where, format, arguments);
    va_end(arguments);
    return status;
}

void context_log(struct context *context, int32_t level, const char *where,
                 const char *format, ...)
{
    if (!context->log)
        return;
    char sentence[CONTEXT_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    context_write_sentence(sentence, context, where, format, arguments);
    va_end(arguments);
    context->log(context->host, level, sentence);
}

void context_begin_build(struct context *context)
{
    context->work = 0;
    context->work_end = UINT64_MAX;
    context->share = (struct share){0, PROGRESS_WHOLE};
    context->reported = 0;
}

nbstage_status context_progress(struct context *context, uint64_t done,
                                uint64_t total)
{
    const struct share share = context->share;
    const uint32_t now =
        share.begin + (uint32_t)((share.end - share.begin) * done / total);
    if (now > context->reported)
        context->reported = now;
    if (context->progress &&
        context->progress(context->host, context->reported, PROGRESS_WHOLE))
        return context_fail(context, NBSTAGE_CANCELLED, NULL,
                            "cancelled by the host");
    return NBSTAGE_OK;
}

nbstage_status context_allocate(struct context *context, uint64_t count,
                                size_t element_size, void *array)
{
    const size_t half = (size_t)1 << (sizeof(size_t) * 4);
    void *memory = NULL;
    memcpy(array, &memory, sizeof memory);
    if (count == 0)
        return NBSTAGE_OK;
    // Two numbers below `half` cannot overflow: no division is needed.
    if ((count >= half || element_size >= half) &&
        count > SIZE_MAX / element_size)
        return context_fail(context, NBSTAGE_OUT_OF_MEMORY, NULL,
                            "%llu elements of %zu bytes are more than this "
                            "machine can address",
                            (unsigned long long)count, element_size);
    const size_t bytes = (size_t)count * element_size;
    memory = context->allocate(context->user, bytes);
    if (!memory)
        return context_fail(context, NBSTAGE_OUT_OF_MEMORY, NULL,
                            "out of memory: %zu bytes were refused", bytes);
    memcpy(array, &memory, sizeof memory);
    return NBSTAGE_OK;
}

nbstage_status context_allocate_zeroed(struct context *context, uint64_t count,
                                       size_t element_size, void *array)
{
    void *memory;
    NEED(context_allocate(context, count, element_size, array));
    memcpy(&memory, array, sizeof memory);
    if (memory)
        memset(memory, 0, (size_t)count * element_size);
    return NBSTAGE_OK;
}

nbstage_status context_check_count(struct context *context, const char *where,
                                   uint64_t count, const char *what,
                                   size_t bytes)
{
    uint64_t most = context_most(context, bytes);
    if (most > CONTEXT_MOST_THINGS)
        most = CONTEXT_MOST_THINGS;
    if (count <= most)
        return NBSTAGE_OK;
    context->work += count; // charges refused work to the file's budget
    return context_fail(context, NBSTAGE_OVER_LIMIT, where,
                        "the map takes at least %llu %s; max-memory allows at "
                        "most %llu",
                        (unsigned long long)count, what,
                        (unsigned long long)most);
}

// The bytes of an array, rounded up to the alignment of the next one.
static uint64_t context_array_bytes(const struct context_array *array)
{
    return (array->count * array->size + 7) / 8 * 8;
}

nbstage_status context_allocate_arrays(struct context *context,
                                       const struct context_array *arrays,
                                       size_t array_count)
{
    unsigned char *memory;
    uint64_t total = 0, begin = 0;
    for (size_t i = 0; i < array_count; i++)
        total += context_array_bytes(&arrays[i]);
    nbstage_status status = context_allocate_zeroed(context, total, 1, &memory);
    for (size_t i = 0; i < array_count; i++) {
        unsigned char *array = memory ? memory + begin : NULL;
        memcpy(arrays[i].pointer, &array, sizeof array);
        begin += context_array_bytes(&arrays[i]);
    }
    return status;
}

nbstage_status context_grow(struct context *context, size_t count,
                            size_t capacity, size_t element_size, void *array)
{
    void *old, *larger;
    memcpy(&old, array, sizeof old);
    NEED(context_allocate(context, capacity, element_size, &larger));
    if (count > 0)
        memcpy(larger, old, count * element_size);
    context_release(context, old);
    memcpy(array, &larger, sizeof larger);
    return NBSTAGE_OK;
}

void context_release(struct context *context, void *memory)
{
    if (memory)
        context->release(context->user, memory);
}
