// SPDX-License-Identifier: GPL-2.0-or-later

#include "message.h"

#include "report.h"

#include <stdarg.h>
#include <stdio.h>

void message_make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            *text = '?';
}

void message_print(const char *format, ...)
{
    char sentence[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    message_make_printable(sentence);
    report_clear_progress();
    fprintf(stderr, "blocksweep: %s\n", sentence);
}

enum exit_status message_out_of_memory(void)
{
    message_print("out of memory");
    return STATUS_FILE;
}
