// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the helpers of the tests call where they assert something, in place of
// Check, which cannot tell what failed while it runs no test.

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void _mark_point(const char *file, int line)
{
    (void)file;
    (void)line;
}

void _ck_assert_failed(const char *file, int line, const char *expression,
                       const char *message, ...)
{
    fprintf(stderr, "%s:%d: %s", file, line, expression);
    if (message) {
        va_list arguments;
        fputs(": ", stderr);
        va_start(arguments, message);
        vfprintf(stderr, message, arguments);
        va_end(arguments);
    }
    fputc('\n', stderr);
    abort();
}
