// SPDX-License-Identifier: GPL-2.0-or-later

#include "message.h"

#include "report.h"

#include <stdarg.h>
#include <stdio.h>

void message_print(const char *format, ...)
{
    va_list arguments;
    report_clear_progress();
    fputs("blocksweep: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}
