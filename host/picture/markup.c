// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "picture/markup.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool markup_is_full(const struct markup *markup)
{
    return !markup->stream && markup->bytes > markup->most;
}

void markup_print(struct markup *markup, const char *format, ...)
{
    va_list arguments;
    int length = 0;
    if (markup_is_full(markup))
        return;
    va_start(arguments, format);
    if (markup->stream)
        length = gzvprintf(markup->stream, format, arguments);
    else
        length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length > 0)
        markup->bytes += (size_t)length;
}

void markup_print_text(struct markup *markup, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c < 0x20 || (*c >= 0x7F && *c < 0xA0))
            markup_print(markup, "?");
        else if (*c >= 0xA0 || strchr("<>&\"", *c))
            markup_print(markup, "&#%d;", *c);
        else
            markup_print(markup, "%c", *c);
    }
}
