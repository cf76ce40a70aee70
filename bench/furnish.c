// SPDX-License-Identifier: GPL-2.0-or-later
//
// A box is divided until there are few lines for each part; these become one
// thing in that part and smaller ones upon it.

#include "furnish.h"

#include <stdbool.h>

// Four or eight lines.
static void draw_column(struct drawing *drawing, struct box box, bool octagonal)
{
    struct point low = box.low;
    struct point high = box.high;
    if (!octagonal) {
        const struct point corners[] = {
            low, {low.x, high.y}, high, {high.x, low.y}};
        add_ring(drawing, corners, 4);
        return;
    }
    int32_t x = (high.x - low.x) / 3;
    int32_t y = (high.y - low.y) / 3;
    const struct point corners[] = {
        {low.x, low.y + y},   {low.x, high.y - y},  {low.x + x, high.y},
        {high.x - x, high.y}, {high.x, high.y - y}, {high.x, low.y + y},
        {high.x - x, low.y},  {low.x + x, low.y},
    };
    add_ring(drawing, corners, 8);
}

// Three lines a step, a tread and its two ends, and one at the foot.
static void draw_stairs(struct drawing *drawing, struct box box, uint32_t steps)
{
    int32_t depth = (box.high.y - box.low.y) / (int32_t)steps;
    if (depth < drawing->snap.y)
        depth = drawing->snap.y;
    uint32_t west = 0;
    uint32_t east = 0;
    for (uint32_t i = 0; i <= steps; i++) {
        int32_t y = box.low.y + (int32_t)i * depth;
        uint32_t next_west = add_vertex(drawing, (struct point){box.low.x, y});
        uint32_t next_east = add_vertex(drawing, (struct point){box.high.x, y});
        if (i > 0) {
            add_line(drawing, west, next_west);
            add_line(drawing, next_east, east);
        }
        add_line(drawing, next_west, next_east);
        west = next_west;
        east = next_east;
    }
}

// A chain of lines that zigzags eastwards.
static void draw_ledge(struct drawing *drawing, struct box box, uint32_t lines)
{
    int32_t length = (box.high.x - box.low.x) / (int32_t)lines;
    if (length < drawing->snap.x)
        length = drawing->snap.x;
    uint32_t last = add_vertex(drawing, box.low);
    for (uint32_t i = 1; i <= lines; i++) {
        struct point point = {box.low.x + (int32_t)i * length,
                              i % 2 ? box.high.y : box.low.y};
        uint32_t next = add_vertex(drawing, point);
        add_line(drawing, last, next);
        last = next;
    }
}

// A smaller box somewhere in a box, large enough for any detail.
static struct box shrink(struct drawing *drawing, struct box box)
{
    int32_t least_width = 4 * drawing->snap.x;
    int32_t least_height = 4 * drawing->snap.y;
    int32_t width = box.high.x - box.low.x;
    int32_t height = box.high.y - box.low.y;
    int32_t new_width = random_between(drawing, width / 8, width / 2);
    int32_t new_height = random_between(drawing, height / 8, height / 2);
    if (new_width < least_width)
        new_width = least_width;
    if (new_height < least_height)
        new_height = least_height;
    box.low.x += random_between(drawing, 0, width - new_width);
    box.low.y += random_between(drawing, 0, height - new_height);
    box.high.x = box.low.x + new_width;
    box.high.y = box.low.y + new_height;
    return box;
}

// Draws exactly so many lines: one thing, and what is left upon it.
static void draw_detail(struct drawing *drawing, struct box box, uint32_t lines)
{
    while (lines > 0) {
        box = shrink(drawing, box);
        if (lines < 4) {
            draw_ledge(drawing, box, lines);
            lines = 0;
        } else if (lines >= 7 && lines % 3 == 1) {
            draw_stairs(drawing, box, (lines - 1) / 3);
            lines = 0;
        } else {
            bool octagonal = lines >= 8 && random_below(drawing, 2) == 0;
            draw_column(drawing, box, octagonal);
            lines -= octagonal ? 8 : 4;
        }
    }
}

void furnish(struct drawing *drawing, struct box box, uint32_t lines)
{
    enum { MOST_LINES = 13 }; // of one detail
    if (lines <= MOST_LINES) {
        draw_detail(drawing, box, lines);
        return;
    }
    struct box first = box;
    struct box second = box;
    int32_t width = box.high.x - box.low.x;
    int32_t height = box.high.y - box.low.y;
    if (width > height * drawing->stretch)
        first.high.x = second.low.x =
            box.low.x + random_between(drawing, 3 * width / 8, 5 * width / 8);
    else
        first.high.y = second.low.y =
            box.low.y + random_between(drawing, 3 * height / 8, 5 * height / 8);
    uint32_t share = lines / 4 + random_below(drawing, lines / 2 + 1);
    furnish(drawing, first, share);
    furnish(drawing, second, lines - share);
}
