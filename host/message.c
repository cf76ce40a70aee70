// SPDX-License-Identifier: GPL-2.0-or-later

#include "message.h"

#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void message_make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            *text = '?';
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
    report_print_message(line);
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
