// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "picture/drawing.h"

#include "common/message.h"
#include "platform/file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void drawing_print(const struct drawing *drawing, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    gzvprintf(drawing->stream, format, arguments);
    va_end(arguments);
}

void drawing_print_text(const struct drawing *drawing, const char *text)
{
    uint32_t number;
    for (size_t length; *text; text += length) {
        if (!message_read_character(text, &length, &number))
            drawing_print(drawing, "?");
        else if (length > 1 || strchr("<>&\"", *text))
            drawing_print(drawing, "&#%" PRIu32 ";", number);
        else
            drawing_print(drawing, "%c", *text);
    }
}

void drawing_print_title(const struct drawing *drawing)
{
    const char *path = drawing->file->path;
    drawing_print_text(drawing, drawing->map->name);
    drawing_print(drawing, " - ");
    drawing_print_text(drawing, strcmp(path, "-") == 0 ? "standard input"
                                                       : file_base(path));
    drawing_print(drawing, " - %s", PACKAGE_STRING);
}

const uint32_t drawing_classes[COLOUR_COUNT] = {0, 1,  2,  3,  5,
                                                8, 12, 18, 30, 60};

size_t drawing_colour(size_t length)
{
    size_t colour = COLOUR_COUNT - 1;
    while (drawing_classes[colour] > length)
        colour--;
    return colour;
}

void drawing_colour_name(size_t colour, char name[COLOUR_NAME_SIZE])
{
    const uint32_t first = drawing_classes[colour];
    if (colour == COLOUR_COUNT - 1)
        snprintf(name, COLOUR_NAME_SIZE, "%" PRIu32 "+", first);
    else if (drawing_classes[colour + 1] == first + 1)
        snprintf(name, COLOUR_NAME_SIZE, "%" PRIu32, first);
    else
        snprintf(name, COLOUR_NAME_SIZE, "%" PRIu32 "-%" PRIu32, first,
                 drawing_classes[colour + 1] - 1);
}
