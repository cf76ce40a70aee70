// SPDX-License-Identifier: GPL-2.0-or-later
//
// Small maps, in every form that a host may hand over.  Every piece of them
// lies in read-only memory before a page that cannot be read, so a stage that
// writes to one, or reads beyond it, crashes.

#ifndef CHECK_MAPS_H
#define CHECK_MAPS_H

#include "check.h"

// Bytes that grow.
struct text {
    unsigned char *bytes; // for free()
    size_t size;
    size_t room;
};

void text_add(struct text *text, const void *bytes, size_t size);
void text_print(struct text *text, const char *format, ...)
    __attribute__((format(__printf__, 2, 3)));

// `size` bytes, or zeros, before a page that cannot be accessed; for
// guarded_free.  They are writable.
void *guarded(const void *bytes, size_t size);
void guarded_free(const void *memory, size_t size);

// The first bytes of a structure, as many as it says it has, in guarded memory;
// uncut() frees it, and fails if the stage has changed the size or what
// follows.
void *cut(const void *structure, size_t size);
void uncut(void *copy, const void *structure, size_t size);

struct random {
    uint64_t state;
};
uint32_t random_below(struct random *random, uint32_t end);

// A line of a drawing, with sectors or NBSTAGE_NONE.
struct drawn_line {
    uint16_t v1, v2;
    uint16_t flags;
    uint32_t sectors[2];
};

// What the forms of a map have in common; coordinates in map units.
struct drawing {
    const char *name;
    int16_t vertices[64][2];
    size_t vertex_count;
    struct drawn_line lines[96];
    size_t line_count;
};

enum { SECTORS = 2 };

// The drawings: two of rooms, and random ones.
enum { DRAWINGS = 4 };
struct drawing drawing_make(size_t index, uint64_t seed);

enum form {
    FORM_DOOM,
    FORM_HEXEN,
    FORM_DOOM64,
    FORM_UDMF,
    FORM_ZLIB,
    FORM_GZIP,
    FORM_DEFLATE,
    FORM_ARRAYS,
    FORM_KNOWN,  // arrays of which all but args and sides is known
    FORM_SPREAD, // arrays with the host's own bytes between elements
    FORM_HALF,   // arrays of 16-bit numbers: what FORM_KNOWN has
    FORM_BOTH,   // arrays and lumps
    FORM_COUNT
};

struct map {
    char what[48]; // "room as UDMF", for sentences
    const struct nbstage_map *map;
    struct {
        void *memory;
        size_t size;
    } pieces[24];
    size_t piece_count;
};

struct map map_make(const struct drawing *drawing, enum form form);

void map_free(struct map *map);

// A piece of memory that belongs to the map, read-only.
const void *map_add_piece(struct map *map, const void *bytes, size_t size);

#endif
