// SPDX-License-Identifier: GPL-2.0-or-later
//
// A drawing, the geometry of a map, is written as the lumps of each format or
// as arrays.

#define _GNU_SOURCE

#include "maps.h"
#include "platform.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void text_add(struct text *text, const void *bytes, size_t size)
{
    if (text->size + size > text->room) {
        text->room = 2 * (text->size + size);
        text->bytes = realloc(text->bytes, text->room);
        if (!text->bytes)
            fail("nbstage-check itself ran out of memory");
    }
    if (size > 0)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

void text_print(struct text *text, const char *format, ...)
{
    char line[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_add(text, line, strlen(line));
}

// Little-endian numbers of `size` bytes.
static void put(struct text *text, size_t size, uint32_t number)
{
    for (size_t i = 0; i < size; i++)
        text_add(text, &(unsigned char){(unsigned char)(number >> 8 * i)}, 1);
}

// ---------------------------------------------------------------------------
// Memory

// Whole pages for `size` bytes.
static size_t whole_pages(size_t size)
{
    return (size / page_size() + 1) * page_size();
}

static void *first_page(const void *memory, size_t size)
{
    return (char *)memory + size - whole_pages(size);
}

void *guarded(const void *bytes, size_t size)
{
    size_t whole = whole_pages(size);
    char *pages = pages_allocate(whole);
    if (!pages)
        fail("nbstage-check itself ran out of memory");
    char *memory = pages + whole - size;
    if (bytes && size > 0)
        memcpy(memory, bytes, size);
    return memory;
}

static void guarded_protect(const void *memory, size_t size)
{
    pages_protect(first_page(memory, size), whole_pages(size));
}

void guarded_free(const void *memory, size_t size)
{
    pages_free(first_page(memory, size), whole_pages(size));
}

// The next size that keeps structures aligned; there is always a size member.
static size_t room_of(size_t size)
{
    const size_t each = sizeof size;
    return size < each ? each : (size + each - 1) / each * each;
}

void *cut(const void *structure, size_t size)
{
    char *copy = guarded(structure, room_of(size));
    memcpy(copy, &size, sizeof size);
    return copy;
}

void uncut(void *copy, const void *structure, size_t size)
{
    const size_t kept = size < sizeof size ? sizeof size : size;
    if (memcmp(copy, &size, sizeof size) != 0)
        fail("the stage changed the size of a structure of %zu bytes", size);
    if (memcmp((char *)copy + kept, (const char *)structure + kept,
               room_of(size) - kept) != 0)
        fail("the stage wrote beyond a structure of %zu bytes", size);
    guarded_free(copy, room_of(size));
}

uint32_t random_below(struct random *random, uint32_t end)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random->state >> 32) * end >> 32);
}

// ---------------------------------------------------------------------------
// Drawings

// A room, and two rooms with a line between them that can be passed.
static const struct drawing rooms[] = {
    {"room",
     {{-72, 8}, {-72, 300}, {300, 300}, {300, 8}},
     4,
     {{0, 1, 1, {0, NBSTAGE_NONE}},
      {1, 2, 1, {0, NBSTAGE_NONE}},
      {2, 3, 1, {0, NBSTAGE_NONE}},
      {3, 0, 1, {0, NBSTAGE_NONE}}},
     4},
    {"rooms",
     {{0, 0}, {0, 256}, {500, 256}, {1000, 256}, {1000, 0}, {500, 0}},
     6,
     {{0, 1, 1, {0, NBSTAGE_NONE}},
      {1, 2, 1, {0, NBSTAGE_NONE}},
      {2, 3, 1, {1, NBSTAGE_NONE}},
      {3, 4, 1, {1, NBSTAGE_NONE}},
      {4, 5, 1, {1, NBSTAGE_NONE}},
      {5, 0, 1, {0, NBSTAGE_NONE}},
      {2, 5, 4, {1, 0}}},
     7},
};

// Lines anywhere; some have no length.
static struct drawing scatter(struct random random, const char *name,
                              uint32_t size)
{
    struct drawing made = {.name = name, .vertex_count = 40, .line_count = 60};
    for (size_t i = 0; i < made.vertex_count; i++)
        for (size_t axis = 0; axis < 2; axis++)
            made.vertices[i][axis] =
                (int16_t)((int32_t)random_below(&random, size) -
                          (int32_t)size / 2);
    for (size_t i = 0; i < made.line_count; i++) {
        uint32_t count = (uint32_t)made.vertex_count;
        made.lines[i] = (struct drawn_line){
            .v1 = (uint16_t)random_below(&random, count),
            .v2 = (uint16_t)random_below(&random, count),
            .flags = 1,
            .sectors = {random_below(&random, SECTORS), NBSTAGE_NONE}};
    }
    return made;
}

struct drawing drawing_make(size_t index, uint64_t seed)
{
    static const char *const names[] = {"random lines", "far random lines"};
    if (index < COUNT(rooms))
        return rooms[index];
    index -= COUNT(rooms);
    return scatter((struct random){seed * 2 + index}, names[index],
                   index == 0 ? 2000 : 20000);
}

// ---------------------------------------------------------------------------
// Lumps

const void *map_add_piece(struct map *map, const void *bytes, size_t size)
{
    if (map->piece_count == COUNT(map->pieces))
        fail("nbstage-check itself has too little room for a map");
    void *memory = guarded(bytes, size);
    guarded_protect(memory, size);
    map->pieces[map->piece_count].memory = memory;
    map->pieces[map->piece_count++].size = size;
    return memory;
}

static size_t side_count(const struct drawn_line *line)
{
    return line->sectors[1] == NBSTAGE_NONE ? 1 : 2;
}

static void write_linedef(struct text *text, const struct drawn_line *line,
                          enum form form, uint32_t side)
{
    const uint32_t back = side_count(line) == 2 ? side + 1 : 0xFFFF;
    put(text, 2, line->v1);
    put(text, 2, line->v2);
    put(text, form == FORM_DOOM64 ? 4 : 2, line->flags);
    if (form == FORM_HEXEN)
        for (size_t i = 0; i < 6; i++)
            put(text, 1, 0);
    else
        put(text, 4, 0);
    put(text, 2, side);
    put(text, 2, back);
}

// Zeros but for one number; what a stage of geometry has no use for.
static void write_record(struct text *text, size_t size, size_t offset,
                         uint32_t number)
{
    for (size_t i = 0; i < size; i += 2)
        put(text, 2, i == offset ? number : 0);
}

// The lump `index` of the binary formats, and its name; NULL after the last.
static const char *write_lump(struct text *text, const struct drawing *drawing,
                              enum form form, size_t index)
{
    static const char *const names[] = {"THINGS",   "LINEDEFS", "SIDEDEFS",
                                        "VERTEXES", "SECTORS",  "BEHAVIOR"};
    const bool is_doom64 = form == FORM_DOOM64;
    uint32_t side = 0;
    if (index == 0)
        write_record(text, form == FORM_HEXEN ? 20 : is_doom64 ? 14 : 10, 6, 1);
    for (size_t i = 0; index == 1 && i < drawing->line_count; i++) {
        write_linedef(text, &drawing->lines[i], form, side);
        side += (uint32_t)side_count(&drawing->lines[i]);
    }
    for (size_t i = 0; index == 2 && i < drawing->line_count; i++)
        for (size_t s = 0; s < side_count(&drawing->lines[i]); s++)
            write_record(text, is_doom64 ? 12 : 30, is_doom64 ? 10 : 28,
                         drawing->lines[i].sectors[s]);
    for (size_t i = 0; index == 3 && i < drawing->vertex_count; i++)
        for (size_t axis = 0; axis < 2; axis++) {
            if (is_doom64)
                put(text, 2, 0); // the fraction
            put(text, 2, (uint16_t)drawing->vertices[i][axis]);
        }
    for (size_t i = 0; index == 4 && i < SECTORS; i++)
        write_record(text, is_doom64 ? 24 : 26, 2, 128);
    if (is_doom64 && index == 5)
        return "LEAFS";
    return index < COUNT(names) - (form != FORM_HEXEN) ? names[index] : NULL;
}

static void write_textmap(struct text *text, const struct drawing *drawing)
{
    size_t side = 0;
    text_print(text, "namespace = \"zdoom\";\n");
    for (size_t i = 0; i < drawing->vertex_count; i++)
        text_print(text, "vertex { x = %d.0; y = %d; }\n",
                   drawing->vertices[i][0], drawing->vertices[i][1]);
    for (size_t i = 0; i < drawing->line_count; i++) {
        const struct drawn_line *line = &drawing->lines[i];
        text_print(text, "linedef { v1 = %u; v2 = %u; sidefront = %zu; ",
                   line->v1, line->v2, side++);
        if (side_count(line) == 2)
            text_print(text, "sideback = %zu; twosided = true; ", side++);
        text_print(text, "%s}\n", line->flags & 1 ? "blocking = true; " : "");
    }
    for (size_t i = 0; i < drawing->line_count; i++)
        for (size_t s = 0; s < side_count(&drawing->lines[i]); s++)
            text_print(text, "sidedef { sector = %u; }\n",
                       drawing->lines[i].sectors[s]);
    for (size_t i = 0; i < SECTORS; i++)
        text_print(text, "sector { heightceiling = 128; }\n");
}

static struct text compress_text(struct text plain, uint32_t method)
{
    enum { MEMORY_LEVEL = 8 }; // zlib's default
    const int window = method == NBSTAGE_GZIP      ? MAX_WBITS + 16
                       : method == NBSTAGE_DEFLATE ? -MAX_WBITS
                                                   : MAX_WBITS;
    z_stream stream = {.next_in = plain.bytes, .avail_in = (uInt)plain.size};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window,
                     MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        fail("nbstage-check itself ran out of memory");
    const uLong room = deflateBound(&stream, (uLong)plain.size);
    struct text packed = {.bytes = malloc(room)};
    stream.next_out = packed.bytes;
    stream.avail_out = (uInt)room;
    if (!packed.bytes || deflate(&stream, Z_FINISH) != Z_STREAM_END)
        fail("nbstage-check itself ran out of memory");
    packed.size = stream.total_out;
    deflateEnd(&stream);
    free(plain.bytes);
    return packed;
}

static uint32_t compression_of(enum form form)
{
    return form == FORM_ZLIB      ? NBSTAGE_ZLIB
           : form == FORM_GZIP    ? NBSTAGE_GZIP
           : form == FORM_DEFLATE ? NBSTAGE_DEFLATE
                                  : NBSTAGE_PLAIN;
}

static void add_lumps(struct map *made, const struct drawing *drawing,
                      enum form form, struct nbstage_map *map)
{
    struct nbstage_lump lumps[8] = {0};
    size_t count = 0;
    for (;; count++) {
        struct text text = {0};
        const char *name = "TEXTMAP";
        if (form == FORM_UDMF && count == 0)
            write_textmap(&text, drawing);
        else
            name = form == FORM_UDMF ? NULL
                                     : write_lump(&text, drawing, form, count);
        if (!name)
            break;
        const uint32_t method = compression_of(form);
        if (method != NBSTAGE_PLAIN)
            text = compress_text(text, method);
        lumps[count] = (struct nbstage_lump){
            .size = sizeof *lumps,
            .name = map_add_piece(made, name, strlen(name) + 1),
            .data = map_add_piece(made, text.bytes, text.size),
            .data_size = text.size,
            .compression = method};
        free(text.bytes);
    }
    map->lumps = map_add_piece(made, lumps, count * sizeof *lumps);
    map->lump_count = count;
}

// ---------------------------------------------------------------------------
// Arrays

// Adds an array whose elements are `stride` bytes apart, with garbage between
// them; the last one ends where memory ends.
static const void *add_array(struct map *made, const void *elements,
                             size_t count, size_t size, size_t stride)
{
    struct text text = {0};
    for (size_t i = 0; i < count; i++) {
        text_add(&text, (const char *)elements + i * size, size);
        for (size_t b = size; b < stride && i + 1 < count; b++)
            put(&text, 1, (uint32_t)(0xA5 + i));
    }
    const void *array = map_add_piece(made, text.bytes, text.size);
    free(text.bytes);
    return array;
}

// The same number of bytes of each line is known in both forms.
static void add_halves(struct map *made, const struct drawing *drawing,
                       struct nbstage_map *map)
{
    struct nbstage_line16 lines[COUNT(drawing->lines)];
    for (size_t i = 0; i < drawing->line_count; i++)
        lines[i] = (struct nbstage_line16){.v1 = drawing->lines[i].v1,
                                           .v2 = drawing->lines[i].v2,
                                           .flags = drawing->lines[i].flags};
    map->vertex_form = map->line_form = NBSTAGE_FORM_16;
    map->vertex_stride = sizeof(struct nbstage_vertex16);
    map->line_stride = map->line_size = sizeof *lines;
    map->vertices = add_array(made, drawing->vertices, map->vertex_count,
                              map->vertex_stride, map->vertex_stride);
    map->lines = add_array(made, lines, map->line_count, map->line_size,
                           map->line_stride);
}

static void add_words(struct map *made, const struct drawing *drawing,
                      enum form form, struct nbstage_map *map)
{
    struct nbstage_vertex vertices[COUNT(drawing->vertices)];
    struct nbstage_line lines[COUNT(drawing->lines)] = {0};
    // Odd, as nothing has to be aligned.
    const size_t extra = form == FORM_SPREAD ? 13 : 0;
    for (size_t i = 0; i < drawing->vertex_count; i++)
        vertices[i] = (struct nbstage_vertex){drawing->vertices[i][0] * 65536,
                                              drawing->vertices[i][1] * 65536};
    for (size_t i = 0; i < drawing->line_count; i++)
        lines[i] =
            (struct nbstage_line){.v1 = drawing->lines[i].v1,
                                  .v2 = drawing->lines[i].v2,
                                  .flags = drawing->lines[i].flags,
                                  .front_sector = drawing->lines[i].sectors[0],
                                  .back_sector = drawing->lines[i].sectors[1]};
    map->vertex_stride = sizeof *vertices + extra;
    map->line_size = form == FORM_KNOWN ? offsetof(struct nbstage_line, args)
                                        : sizeof *lines;
    map->line_stride = sizeof *lines + extra;
    map->vertices = add_array(made, vertices, map->vertex_count,
                              sizeof *vertices, map->vertex_stride);
    map->lines = add_array(made, lines, map->line_count, sizeof *lines,
                           map->line_stride);
}

static void add_arrays(struct map *made, const struct drawing *drawing,
                       enum form form, struct nbstage_map *map)
{
    struct nbstage_sector sectors[SECTORS] = {0};
    map->vertex_count = drawing->vertex_count;
    map->line_count = drawing->line_count;
    map->flags_complete = 1;
    if (form == FORM_HALF)
        add_halves(made, drawing, map);
    else
        add_words(made, drawing, form, map);
    if (form == FORM_HALF || form == FORM_KNOWN)
        return;
    for (size_t i = 0; i < SECTORS; i++)
        sectors[i].ceiling = 128 * 65536;
    map->sector_count = SECTORS;
    map->sector_size = sizeof *sectors;
    map->sector_stride = sizeof *sectors + (form == FORM_SPREAD ? 7 : 0);
    map->sectors =
        add_array(made, sectors, SECTORS, sizeof *sectors, map->sector_stride);
}

struct map map_make(const struct drawing *drawing, enum form form)
{
    static const char *const names[FORM_COUNT] = {
        "in Doom format",       "in Hexen format",
        "in Doom 64 format",    "in UDMF",
        "in zlib lumps",        "in gzip lumps",
        "in deflate lumps",     "as arrays",
        "as arrays in part",    "as spread arrays",
        "as arrays of 16 bits", "as arrays and lumps"};
    struct map made = {.piece_count = 0};
    snprintf(made.what, sizeof made.what, "%s %s", drawing->name, names[form]);
    struct nbstage_map map = {.size = sizeof map,
                              .format = form >= FORM_ARRAYS
                                            ? NBSTAGE_FORMAT_DOOM
                                            : NBSTAGE_FORMAT_DETECT};
    map.name = map_add_piece(&made, "MAP01", sizeof "MAP01");
    if (form < FORM_ARRAYS || form == FORM_BOTH)
        add_lumps(&made, drawing, form, &map);
    if (form >= FORM_ARRAYS)
        add_arrays(&made, drawing, form, &map);
    made.map = map_add_piece(&made, &map, sizeof map);
    return made;
}

void map_free(struct map *map)
{
    for (size_t i = 0; i < map->piece_count; i++)
        guarded_free(map->pieces[i].memory, map->pieces[i].size);
    map->piece_count = 0;
}
