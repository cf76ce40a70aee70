// SPDX-License-Identifier: GPL-2.0-or-later

#include "message.h"

#include "build/build-report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The length of what stands at the beginning of a text and is no character but
// a command, as a byte or in UTF-8; 0 if that is a character.
static size_t command_length(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    if (first < ' ' || first == 0x7F)
        return first != '\0';
    return first == 0xC2 && ((unsigned char)text[1] & 0xE0) == 0x80 ? 2 : 0;
}

void message_make_printable(char *text)
{
    while (*text) {
        size_t length = command_length(text);
        if (length > 0)
            memset(text, '?', length);
        text += length > 0 ? length : 1;
    }
}

void message_write(FILE *file, const char *text)
{
    while (*text) {
        size_t length = command_length(text);
        fwrite(length > 0 ? "??" : text, 1, length > 0 ? length : 1, file);
        text += length > 0 ? length : 1;
    }
}

void message_print(const char *format, ...)
{
    char line[4096] = "blocksweep: ";
    size_t begin = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + begin, sizeof line - begin, format, arguments);
    va_end(arguments);
    message_make_printable(line);
    build_report_message(line);
}

void message_name(const char *name, char copy[MESSAGE_NAME_SIZE])
{
    snprintf(copy, MESSAGE_NAME_SIZE, "%s", name);
    message_make_printable(copy);
}

enum exit_status message_out_of_memory(void)
{
    message_print("out of memory");
    return STATUS_FILE;
}
