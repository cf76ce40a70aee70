// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map of a picture as SVG: its lines on its blocks, which are coloured by
// how many linedefs they list.
//
// Block 7 is the element "b7" and linedef 7 is "l7": unseen, with a tooltip.
// The colours of blocks are in the elements "colour-0", "colour-1" and so on,
// in coordinates of columns and rows; lines are in map units.

#ifndef DRAWING_H
#define DRAWING_H

#include "blockmap/expected.h"
#include "blockmap/statistics.h"
#include "message.h"
#include "nbstage.h"
#include "picture/findings.h"

#include <zlib.h>

// What is to be drawn.
struct picture {
    const char *name;     // the map's
    const char *path;     // of its file
    const char *old_path; // with which it is compared; or NULL
    const char *lump;     // "BLOCKMAP of" or the like, for the legend
    const struct blockmap *blockmap; // sound
    const struct statistics *statistics;
    const struct nbstage_decoded *decoded;

    // For words on linedefs in no block; NULL for none.
    const struct expected *reasons;

    // What is pointed out on blocks that are grey then; NULL for nothing.
    const struct findings *findings;
    const struct blockmap *old; // whose grid is drawn, too; or NULL
    // For each linedef how many blocks should list it; NULL if that is not
    // known.
    const size_t *expected;

    // For each block the group of those that share its list, 0 for blocks that
    // share none.  Each group has a border.  NULL for no marks.
    const uint32_t *groups;
};

enum line_kind {
    LINE_ONE_SIDED,
    LINE_TWO_SIDED,
    LINE_SPECIAL,
    LINE_LEFT_OUT, // in no block
    LINE_KIND_COUNT,
};

// Kinds differ in colour, and without colour in width and dashes.
struct line_style {
    const char *id;
    const char *label;
    double width; // pixels
    double dash;  // pixels; 0 for solid lines
    double gap;
};

extern const struct line_style line_styles[LINE_KIND_COUNT];

enum { DRAWING_NOTE_ROWS = 2 };

struct drawing {
    const struct picture *picture;
    gzFile stream; // keeps errors, for gzerror; NULL to print nothing
    bool is_page;
    bool has_tooltips;
    const char *const *note; // the legend's last rows; NULL for none

    // What blocks and lines enclose, in map units.
    double west;
    double south;
    double east;
    double north;

    // Pixels.
    double scale; // of a map unit
    double left;  // of the map
    double bottom;

    size_t line_count[LINE_KIND_COUNT];
    size_t marked_blocks;
};

struct segment {
    struct nbstage_line line;
    struct nbstage_vertex start;
    struct nbstage_vertex end;
    enum line_kind kind;
    bool is_two_sided;
    const char *tag_name; // "tag", in UDMF "id"; NULL if the line has none
};

struct segment drawing_get_segment(const struct drawing *drawing, size_t index);

// How many times as wide as their style says lines are.
double drawing_line_factor(const struct drawing *drawing);

// Map units.
double drawing_in_units(int32_t coordinate);

// A drawing with the bounds, the scale and the counts of a picture.
struct drawing drawing_measure(const struct picture *picture);

// Prints at most 8,000 bytes.
void drawing_print(const struct drawing *drawing, const char *format, ...)
    PRINTF_LIKE(2, 3);

// Prints text, escaped for XML, with question marks for what is not printable
// and
// "..." after `most` characters.
void drawing_print_text(const struct drawing *drawing, const char *text,
                        size_t most);

// The name of a picture's file.
const char *drawing_file_name(const char *path);

// Prints "MAP01 - NAME.wad - blocksweep VERSION".
void drawing_write_title(const struct drawing *drawing);

// Writes the rules of style.c, for <style>.
void drawing_write_style(const struct drawing *drawing);

// The class of what is drawn: on it the style depends.
const char *drawing_class(const struct drawing *drawing);

// Writes <defs> with the patterns of findings, such as "missing-map" and
// "missing-legend", and "shared-map" and "shared-legend" of marked blocks.
void drawing_write_patterns(const struct drawing *drawing);

// Writes the blocks and the lines.
void drawing_write_map(const struct drawing *drawing);

// Writes what marks.c draws of the findings, if there are any: on the blocks,
// in coordinates of columns and rows, and on the lines, in map units.
void drawing_mark_blocks(const struct drawing *drawing);
void drawing_mark_lines(const struct drawing *drawing);

enum { MOST_LISTED = 12 }; // findings in the legend

// Those that the legend lists: the first, but no harmless ones.  Returns how
// many there are.
size_t drawing_list_findings(const struct drawing *drawing,
                             const struct finding *listed[MOST_LISTED]);

struct legend_size {
    double width; // pixels
    double height;
};

// Writes the legend of legend.c with its upper left corner at x,y.  It is no
// wider than `most_width`, but at least one column.  Returns its size, also if
// the drawing prints nothing.
struct legend_size legend_write(const struct drawing *drawing, double x,
                                double y, double most_width);

#endif
