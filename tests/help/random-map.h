// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random maps, dense in the cases that are hard for a BLOCKMAP builder: lines
// through the corners of blocks and one unit beside them, along edges, steep
// and shallow ones, points, the ends of the coordinate range.

#ifndef RANDOM_MAP_H
#define RANDOM_MAP_H

#include "arrays.h"
#include "oracle.h"

// What a map may be like.
struct random_shape {
    const char *name;
    uint32_t columns, rows; // blocks, at most
    uint32_t lines;         // at most
};

struct random_map {
    // Coordinates are multiples of this, 16.16: whole units, halves, or 1.
    int32_t step;

    // Where the grid begins, whole map units, and the option that says so.
    int32_t origin_x, origin_y;
    char grid_option[32]; // "grid=fit", "grid=id", "grid=X,Y"

    // The last vertex belongs to no line.
    struct plain_vertex *vertices;
    size_t vertex_count;
    struct plain_line *lines;
    size_t line_count;
};

// Makes room for vertices, all at 0,0, and for lines without sides, all from
// the first vertex to itself, for random_map_free.
void random_map_allocate(struct random_map *map, size_t vertex_count,
                         size_t line_count);

// The same with two vertices for each line, which it goes from and to.
void random_map_allocate_pairs(struct random_map *map, size_t line_count);

// Random numbers.
struct random_stream {
    uint64_t state;
};

uint64_t random_next(struct random_stream *stream);

// A number below `count`, which is not 0.
uint32_t random_below(struct random_stream *stream, uint32_t count);

// Makes a map, for random_map_free.  The same shape and state of the stream
// make the same map.
struct random_map random_map_make(const struct random_shape *shape,
                                  struct random_stream *stream);

// As many lines as a test needs, scattered evenly.  Coordinates are whole map
// units from 0 on, both ends of a line within a square of `length`.
struct scatter {
    uint64_t seed;
    uint32_t lines;
    uint32_t side;   // of the map, map units
    uint32_t length; // below `side`
};

// Makes such a map, for random_map_free.
struct random_map scattered_map_make(const struct scatter *scatter);

// The map as arrays, which point to it: see arrays.h.
#define RANDOM_MAP(map, name) \
    PLAIN_MAP(name, (map)->vertices, (map)->vertex_count, (map)->lines, \
              (map)->line_count)

// The lines for the oracle; the caller frees.
struct oracle_line *random_map_oracle_lines(const struct random_map *map);

// Moves the map so that these are its lowest coordinates, 16.16.
void random_map_move(struct random_map *map, int32_t x, int32_t y);

void random_map_free(struct random_map *map);

#endif
