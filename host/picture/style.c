// SPDX-License-Identifier: GPL-2.0-or-later
//
// The style sheet of pictures and pages: picture.css, and the colours of blocks
// for light and dark screens.

#include "config.h"

#include "picture/drawing.h"

#include "picture/colours.h"

#include "style-files.h"

static void write_ramp(const struct drawing *drawing, bool is_dark)
{
    const struct picture *picture = drawing->picture;
    struct colours colours = colours_for(picture->statistics->longest);
    char color[COLOUR_CODE_SIZE];
    for (size_t colour = 0; colour <= colours.last; colour++) {
        colour_code(colours, colour, picture->findings != NULL, is_dark, color);
        drawing_print(drawing, "#colour-%zu, .colour-%zu { fill: %s; }\n",
                      colour, colour, color);
    }
}

void drawing_write_style(const struct drawing *drawing)
{
    for (const char *const *line = picture_css; *line; line++)
        drawing_print(drawing, "%s", *line);
    write_ramp(drawing, false);
    drawing_print(drawing, "@media (prefers-color-scheme: dark) {\n");
    write_ramp(drawing, true);
    drawing_print(drawing, "}\n");
}
