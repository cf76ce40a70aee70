// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "common/message.h"

#include "platform/system.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Printable text

bool message_read_character(const char *text, size_t *length, uint32_t *number)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0, 0x1F},        {0x7F, 0x9F},         {0x61C, 0x61C},
        {0x200E, 0x200F}, {0x2028, 0x202E},     {0x2066, 0x2069},
        {0xFFFE, 0xFFFF}, {NOT_UTF8, NOT_UTF8},
    };
    const unsigned char *bytes = (const unsigned char *)text;
    const int more = (*bytes >= 0xC0) + (*bytes >= 0xE0) + (*bytes >= 0xF0);
    const bool is_stray = *bytes >= 0x80 && more == 0;
    int read = 1;
    uint32_t value = *bytes & (more ? 0x7Fu >> more : 0xFFu);
    for (; read <= more && (bytes[read] & 0xC0) == 0x80; read++)
        value = value << 6 | (bytes[read] & 0x3Fu);
    const bool is_surrogate = value >> 11 == 0x1B;
    const bool is_utf8 = !is_stray && read > more && value >= least[more] &&
                         value <= 0x10FFFF && !is_surrogate;
    *length = is_utf8 ? (size_t)read : 1;
    *number = is_utf8 ? value : NOT_UTF8;
    for (size_t i = 0; i < COUNT(hidden); i++)
        if (*number >= hidden[i].first && *number <= hidden[i].last)
            return false;
    return true;
}

bool message_is_printable(const char *text, size_t *length, uint32_t *number)
{
    return message_read_character(text, length, number) &&
           (*length == 1 || system_shows_utf8());
}

void message_make_printable(char *text)
{
    char *to = text;
    size_t length;
    uint32_t number;
    for (; *text; text += length) {
        if (message_is_printable(text, &length, &number)) {
            memmove(to, text, length);
            to += length;
        } else {
            *to++ = '?';
        }
    }
    *to = '\0';
}

// Writes the first character of a text; returns its length in bytes.
static size_t message_write_character(FILE *file, const char *text)
{
    size_t length;
    uint32_t number;
    if (message_is_printable(text, &length, &number))
        fwrite(text, 1, length, file);
    else
        putc('?', file);
    return length;
}

int message_write(FILE *file, const char *text)
{
    int count = 0;
    for (; *text; count++)
        text += message_write_character(file, text);
    return count;
}

void message_write_lines(FILE *file, const char *text, size_t size)
{
    const char *end = text + size;
    while (text < end) {
        bool is_return = *text == '\r';
        if (is_return && text[1] != '\n')
            putc('\n', file);
        else if (*text == '\n' || *text == '\t')
            putc(*text, file);
        else if (!is_return)
            text += message_write_character(file, text) - 1;
        text++;
    }
}

// ---------------------------------------------------------------------------
// Messages

// The redirection of messages.  It is global, as functions at every depth print
// messages.
static struct {
    void (*print)(void *context, const char *sentence);
    void *context;
    bool is_muted;
} message_target;

void message_redirect(void (*print)(void *context, const char *sentence),
                      void *context)
{
    message_target.print = print;
    message_target.context = context;
}

void message_mute(bool is_muted)
{
    message_target.is_muted = is_muted;
}

void message_put(const char *sentence)
{
    fflush(stdout); // keeps both streams in order
    fprintf(stderr, "blocksweep: %s\n", sentence);
    fflush(stderr); // buffered on Windows
}

void message_print(const char *format, ...)
{
    char sentence[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    message_make_printable(sentence);
    if (message_target.is_muted)
        return;
    if (message_target.print)
        message_target.print(message_target.context, sentence);
    else
        message_put(sentence);
}

enum exit_status message_out_of_memory(void)
{
    message_print("out of memory");
    return STATUS_FILE;
}

void message_add_name(char *names, size_t size, const char *name)
{
    const size_t length = strlen(names);
    const bool fits = length + strlen(name) + sizeof ", , ..." <= size;
    if (length < 3 || strcmp(names + length - 3, "...") != 0)
        snprintf(names + length, size - length, "%s%s", length ? ", " : "",
                 fits ? name : "...");
}

// ---------------------------------------------------------------------------
// Sentences

bool sentences_add(struct sentences *sentences, const char *sentence)
{
    char **more =
        realloc(sentences->sentence, (sentences->count + 1) * sizeof *more);
    char *copy = strdup(sentence);
    if (more)
        sentences->sentence = more;
    if (more && copy)
        sentences->sentence[sentences->count++] = copy;
    else
        free(copy);
    return more && copy;
}

void sentences_free(struct sentences *sentences)
{
    for (size_t i = 0; i < sentences->count; i++)
        free(sentences->sentence[i]);
    free(sentences->sentence);
    *sentences = (struct sentences){0};
}
