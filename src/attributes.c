// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads attributes from the lumps of the binary formats and from the host's
// arrays; udmf-attributes.c reads them from text.  Whatever the form, they
// come to the same plain arrays.

#include "attributes.h"

#include "bytes.h"
#include "udmf-attributes.h"
#include "vector.h"

#include <string.h>

enum {
    SIDEDEF_SIZE = 30, // bytes
    SIDEDEF_SECTOR = 28,
    SECTOR_SIZE = 26,
    DOOM_LINEDEF_SIZE = 14,
    DOOM_GROUP = 64, // linedefs
    DOOM_THING_SIZE = 10,
    HEXEN_THING_SIZE = 20,
    NO_SIDE = 0xFFFF,
};

// The structures of the host's arrays, as words of 32 bits, in nbstage.h.
enum {
    LINE_FLAGS = 2,
    LINE_SPECIAL,
    LINE_TAG,
    LINE_ARGUMENT, // the first of five
    LINE_FRONT = LINE_ARGUMENT + 5,
    LINE_BACK,
    LINE_WORDS,
};
enum {
    SECTOR_FLOOR,
    SECTOR_CEILING,
    SECTOR_SPECIAL,
    SECTOR_TAG,
    SECTOR_FLAGS,
    SECTOR_WORDS,
};

// Bits of the flags of linedefs, Doom's and after it Hexen's.
enum {
    FLAG_TWO_SIDED = 0x0004,
    FLAG_PEG_TOP = 0x0008,
    FLAG_PEG_BOTTOM = 0x0010,
    FLAG_SECRET = 0x0020,
    FLAG_NEVER_ON_MAP = 0x0080,
    FLAG_ALWAYS_ON_MAP = 0x0100,
    FLAGS_HARMLESS = FLAG_TWO_SIDED | FLAG_PEG_TOP | FLAG_PEG_BOTTOM |
                     FLAG_SECRET | FLAG_NEVER_ON_MAP | FLAG_ALWAYS_ON_MAP,
    ARRAY_FLAG_TWO_SIDED = 0x1, // of UDMF in arrays
};

// ---------------------------------------------------------------------------
// Arrays of the host's

// Word `word` of element `index`; the element has it.
static uint32_t word_at(const void *elements, size_t stride, size_t index,
                        size_t word)
{
    uint32_t value;
    const unsigned char *bytes = elements;
    memcpy(&value, bytes + index * stride + word * sizeof value, sizeof value);
    return value;
}

static uint32_t line_word(const struct map *map, size_t line, size_t word)
{
    return word_at(map->lines, map->line_stride, line, word);
}

static bool line_has_word(const struct map *map, size_t word)
{
    return map->line_stride >= (word + 1) * sizeof(uint32_t);
}

// ---------------------------------------------------------------------------
// Asking to be left out

enum {
    TAG_LEAVE_OUT = 999,
    SPECIAL_BSP_EFFECTS = 108,
    FLAGS_AUTOMAP = FLAG_NEVER_ON_MAP | FLAG_ALWAYS_ON_MAP,
    FLAG_NO_BLOCKMAP = 1 << 28,
};

static bool flags_ask_out(uint32_t flags)
{
    return flags & FLAG_NO_BLOCKMAP || (flags & FLAGS_AUTOMAP) == FLAGS_AUTOMAP;
}

static bool array_line_asks_out(const struct map *map, size_t line)
{
    switch (map->rules) {
    case MAP_DOOM:
        return line_word(map, line, LINE_TAG) == TAG_LEAVE_OUT &&
               line_word(map, line, LINE_SPECIAL) == 0;
    case MAP_HEXEN:
        return line_word(map, line, LINE_SPECIAL) == SPECIAL_BSP_EFFECTS &&
               line_word(map, line, LINE_ARGUMENT) != 0;
    case MAP_DOOM64:
        return flags_ask_out(line_word(map, line, LINE_FLAGS));
    default:
        return false;
    }
}

static bool asks_out(const struct map *map, size_t line)
{
    const unsigned char *linedef = map->lines + line * map->line_stride;
    switch (map->format) {
    case MAP_DOOM:
        return bytes_get_u16(linedef + 8) == TAG_LEAVE_OUT &&
               bytes_get_u16(linedef + 6) == 0;
    case MAP_HEXEN:
        return linedef[6] == SPECIAL_BSP_EFFECTS && linedef[7] != 0;
    case MAP_DOOM64:
        return flags_ask_out(bytes_get_u32(linedef + 4));
    case MAP_ARRAYS:
        return array_line_asks_out(map, line);
    default:
        return false;
    }
}

// Whether any line of the map may ask, by its format.
static bool may_ask(const struct map *map)
{
    return map->rules != MAP_UDMF &&
           (map->format != MAP_ARRAYS || line_has_word(map, LINE_WORDS - 1));
}

// Whether any word of linedefs in Doom format is TAG_LEAVE_OUT, tag or not.
VECTOR_BODY void look_for_tag_body(const unsigned char *linedefs, bool *found)
{
    static const unsigned char bytes[] = {TAG_LEAVE_OUT & 0xFF,
                                          TAG_LEAVE_OUT >> 8};
    uint16_t tag, any = 0;
    memcpy(&tag, bytes, sizeof tag);
    for (size_t i = 0; i < DOOM_GROUP * DOOM_LINEDEF_SIZE; i += sizeof tag) {
        uint16_t word;
        memcpy(&word, linedefs + i, sizeof word);
        any |= (uint16_t)(word == tag);
    }
    *found = any != 0;
}

VECTOR_FUNCTION(look_for_tag, (const unsigned char *linedefs, bool *found),
                (linedefs, found))

// Passes groups of lines that surely do not ask; most maps have no others, and
// there is no time to look at every tag by itself.
static size_t skip_groups(const struct map *map, size_t line)
{
    bool found = false;
    if (map->format != MAP_DOOM)
        return line;
    while (map->line_count - line >= DOOM_GROUP) {
        look_for_tag(map->lines + line * DOOM_LINEDEF_SIZE, &found);
        if (found)
            break;
        line += DOOM_GROUP;
    }
    return line;
}

size_t attributes_next_asker(const struct map *map, size_t line)
{
    if (!may_ask(map))
        return map->line_count;
    for (size_t looked = 0; line < map->line_count; line++, looked++) {
        if (looked % DOOM_GROUP == 0)
            line = skip_groups(map, line);
        if (line < map->line_count && asks_out(map, line))
            return line;
    }
    return map->line_count;
}

// ---------------------------------------------------------------------------
// Memory

static enum status allocate_lines(struct context *context,
                                  struct attributes *attributes)
{
    return context_allocate(context, attributes->line_count,
                            sizeof *attributes->lines, &attributes->lines);
}

static enum status allocate_sectors(struct context *context, size_t count,
                                    struct attributes *attributes)
{
    attributes->sector_count = count;
    return context_allocate_zeroed(context, count, sizeof *attributes->sectors,
                                   &attributes->sectors);
}

// ---------------------------------------------------------------------------
// Lumps of the binary formats

// A lump of records that must be there.
struct records {
    const unsigned char *bytes;
    size_t count;
    size_t size; // bytes of one
};

static enum status read_records(struct context *context, struct map *map,
                                enum map_attribute_lump lump, const char *name,
                                size_t size, struct records *records)
{
    struct map_bytes bytes;
    enum status status = map_attribute_bytes(context, map, lump, &bytes);
    if (status != STATUS_OK)
        return status;
    if (bytes.size == 0)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "the lump is missing or empty");
    if (bytes.size % size != 0)
        return context_fail(context, STATUS_BAD_MAP, name,
                            "%zu bytes end inside record %zu; a multiple of "
                            "%zu was expected",
                            bytes.size, bytes.size / size, size);
    *records = (struct records){bytes.bytes, bytes.size / size, size};
    return STATUS_OK;
}

static const unsigned char *record(const struct records *records, size_t index)
{
    return records->bytes + index * records->size;
}

// The sector that a side faces.
static enum status find_sector(struct context *context,
                               const struct records *sides, size_t sector_count,
                               size_t line, uint32_t side, uint32_t *sector)
{
    *sector = ATTRIBUTES_NO_SECTOR;
    if (side == NO_SIDE)
        return STATUS_OK;
    if (side >= sides->count)
        return context_fail(context, STATUS_BAD_MAP, "LINEDEFS",
                            "linedef %zu refers to sidedef %lu, which does "
                            "not exist; SIDEDEFS has %zu",
                            line, (unsigned long)side, sides->count);
    *sector = bytes_get_u16(record(sides, side) + SIDEDEF_SECTOR);
    if (*sector >= sector_count)
        return context_fail(context, STATUS_BAD_MAP, "SIDEDEFS",
                            "sidedef %lu refers to sector %lu, which does not "
                            "exist; SECTORS has %zu",
                            (unsigned long)side, (unsigned long)*sector,
                            sector_count);
    return STATUS_OK;
}

static enum status read_linedef(struct context *context, const struct map *map,
                                const struct records *sides,
                                struct attributes *attributes, size_t index)
{
    const unsigned char *linedef = map->lines + index * map->line_stride;
    struct attributes_line *line = &attributes->lines[index];
    bool hexen = map->format == MAP_HEXEN;
    const unsigned char *right = linedef + (hexen ? 12 : 10);
    uint32_t flags = bytes_get_u16(linedef + 4);
    *line = (struct attributes_line){
        .special = hexen ? linedef[6] : bytes_get_u16(linedef + 6),
        .tag = hexen ? linedef[7] : bytes_get_u16(linedef + 8),
        .two_sided = flags & FLAG_TWO_SIDED,
        .passable = !(flags & ~(uint32_t)FLAGS_HARMLESS),
    };
    if (!hexen && line->tag != 0)
        line->passable = false;
    enum status status = find_sector(context, sides, attributes->sector_count,
                                     index, bytes_get_u16(right), &line->front);
    if (status == STATUS_OK)
        status = find_sector(context, sides, attributes->sector_count, index,
                             bytes_get_u16(right + 2), &line->back);
    return status;
}

static enum status read_things(struct context *context, struct map *map,
                               struct attributes *attributes)
{
    bool hexen = map->format == MAP_HEXEN;
    struct records things;
    enum status status =
        read_records(context, map, MAP_THINGS, "THINGS",
                     hexen ? HEXEN_THING_SIZE : DOOM_THING_SIZE, &things);
    if (status != STATUS_OK)
        return status;
    attributes->thing_count = things.count;
    status = context_allocate(context, things.count, sizeof *attributes->things,
                              &attributes->things);
    for (size_t i = 0; i < things.count && status == STATUS_OK; i++) {
        const unsigned char *thing = record(&things, i);
        attributes->things[i] = (struct attributes_thing){
            .number = i,
            .type = bytes_get_u16(thing + (hexen ? 10 : 6)),
            .special = hexen ? thing[14] : 0,
            .tag = hexen ? thing[15] : 0,
        };
    }
    return status;
}

static enum status read_sectors(struct context *context, struct map *map,
                                struct attributes *attributes)
{
    struct records sectors;
    enum status status = read_records(context, map, MAP_SECTORS, "SECTORS",
                                      SECTOR_SIZE, &sectors);
    if (status == STATUS_OK)
        status = allocate_sectors(context, sectors.count, attributes);
    for (size_t i = 0; status == STATUS_OK && i < sectors.count; i++) {
        const unsigned char *sector = record(&sectors, i);
        attributes->sectors[i] = (struct attributes_sector){
            .floor = bytes_get_i16(sector),
            .ceiling = bytes_get_i16(sector + 2),
            .special = bytes_get_u16(sector + 22),
            .tag = bytes_get_u16(sector + 24),
        };
    }
    return status;
}

static enum status read_lumps(struct context *context, struct map *map,
                              struct attributes *attributes)
{
    struct records sides;
    enum status status = read_records(context, map, MAP_SIDEDEFS, "SIDEDEFS",
                                      SIDEDEF_SIZE, &sides);
    if (status == STATUS_OK)
        status = read_sectors(context, map, attributes);
    if (status == STATUS_OK)
        status = read_things(context, map, attributes);
    if (status == STATUS_OK)
        status = allocate_lines(context, attributes);
    for (size_t i = 0; i < map->line_count && status == STATUS_OK; i++)
        status = read_linedef(context, map, &sides, attributes, i);
    return status;
}

// ---------------------------------------------------------------------------
// Arrays

static enum status check_arrays(struct context *context, const struct map *map)
{
    if (!line_has_word(map, LINE_WORDS - 1))
        return context_fail(context, STATUS_BAD_MAP, "lines",
                            "elements of %zu bytes do not tell their sectors",
                            map->line_stride);
    if (!map->sectors || map->sector_count == 0)
        return context_fail(context, STATUS_BAD_MAP, "sectors",
                            "the array is empty");
    if (map->sector_count > UINT32_MAX)
        return context_fail(context, STATUS_BAD_MAP, "sectors",
                            "%zu elements; at most %lu can be numbered",
                            map->sector_count, (unsigned long)UINT32_MAX);
    return STATUS_OK;
}

enum { ARRAY_SECTOR_FLAGS = 0x7 }; // those that are known

static const char *doubt_of_flags(uint32_t flags)
{
    static const char *const doubts[] = {"slopes", "more tags than one",
                                         "something else that moves it"};
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        if (flags & 1U << i)
            return doubts[i];
    return flags ? "a flag that is not known" : NULL;
}

static void read_sector(const struct map *map, size_t index,
                        struct attributes_sector *sector)
{
    uint32_t words[SECTOR_WORDS] = {0};
    size_t given = map->sector_stride / sizeof *words;
    for (size_t w = 0; w < SECTOR_WORDS && w < given; w++)
        words[w] = word_at(map->sectors, map->sector_stride, index, w);
    *sector = (struct attributes_sector){
        .floor = (int32_t)words[SECTOR_FLOOR],
        .ceiling = (int32_t)words[SECTOR_CEILING],
        .special = words[SECTOR_SPECIAL],
        .tag = words[SECTOR_TAG],
        .strange = words[SECTOR_FLAGS] & ~(uint32_t)ARRAY_SECTOR_FLAGS,
        .doubt = given < SECTOR_WORDS ? "attributes that are not told"
                                      : doubt_of_flags(words[SECTOR_FLAGS]),
    };
}

static enum status check_sector(struct context *context, const struct map *map,
                                size_t line, uint32_t sector)
{
    if (sector == ATTRIBUTES_NO_SECTOR || sector < map->sector_count)
        return STATUS_OK;
    return context_fail(context, STATUS_BAD_MAP, "lines",
                        "line %zu refers to sector %lu, which does not exist; "
                        "the array has %zu",
                        line, (unsigned long)sector, map->sector_count);
}

static enum status read_line(struct context *context, const struct map *map,
                             size_t index, struct attributes_line *line)
{
    bool udmf = map->rules == MAP_UDMF;
    uint32_t flags = line_word(map, index, LINE_FLAGS);
    uint32_t tag = line_word(map, index, LINE_TAG);
    uint32_t harmless = udmf ? ARRAY_FLAG_TWO_SIDED : FLAGS_HARMLESS;
    uint32_t two_sided = udmf ? ARRAY_FLAG_TWO_SIDED : FLAG_TWO_SIDED;
    *line = (struct attributes_line){
        .special = line_word(map, index, LINE_SPECIAL),
        .tag =
            map->rules == MAP_DOOM ? tag : line_word(map, index, LINE_ARGUMENT),
        .front = line_word(map, index, LINE_FRONT),
        .back = line_word(map, index, LINE_BACK),
        .two_sided = flags & two_sided,
        .passable =
            !(flags & ~harmless) && (tag == 0 || (udmf && tag == UINT32_MAX)),
    };
    enum status status = check_sector(context, map, index, line->front);
    return status == STATUS_OK ? check_sector(context, map, index, line->back)
                               : status;
}

static enum status read_arrays(struct context *context, const struct map *map,
                               struct attributes *attributes)
{
    enum status status = check_arrays(context, map);
    if (status == STATUS_OK)
        status = allocate_sectors(context, map->sector_count, attributes);
    if (status == STATUS_OK)
        status = allocate_lines(context, attributes);
    for (size_t i = 0; i < map->sector_count && status == STATUS_OK; i++)
        read_sector(map, i, &attributes->sectors[i]);
    for (size_t i = 0; i < map->line_count && status == STATUS_OK; i++)
        status = read_line(context, map, i, &attributes->lines[i]);
    return status;
}

// ---------------------------------------------------------------------------

// Whether a BEHAVIOR lump is what a compiler makes of no script: its four
// letters, and a directory behind them with no script and no string.
static bool behavior_is_empty(const struct map_bytes *behavior)
{
    static const unsigned char empty[16] = {'A', 'C', 'S', 0, 8};
    return behavior->size == 0 ||
           (behavior->size == sizeof empty &&
            memcmp(behavior->bytes, empty, sizeof empty) == 0);
}

static enum status find_scripts(struct context *context, struct map *map,
                                struct attributes *attributes)
{
    struct map_bytes behavior, scripts, dialogue;
    enum status status =
        map_attribute_bytes(context, map, MAP_BEHAVIOR, &behavior);
    if (status == STATUS_OK)
        status = map_attribute_bytes(context, map, MAP_SCRIPTS, &scripts);
    if (status == STATUS_OK)
        status = map_attribute_bytes(context, map, MAP_DIALOGUE, &dialogue);
    if (status == STATUS_OK)
        attributes->has_scripts = !behavior_is_empty(&behavior) ||
                                  scripts.size > 0 || dialogue.size > 0;
    return status;
}

static enum status read_as_given(struct context *context, struct map *map,
                                 struct attributes *attributes)
{
    if (map->rules == MAP_DOOM64)
        return context_fail(context, STATUS_UNSUPPORTED, NULL,
                            "what can move in Doom 64, by macros above all, "
                            "is not known");
    if (map->format == MAP_ARRAYS)
        return read_arrays(context, map, attributes);
    if (map->format == MAP_UDMF)
        return udmf_attributes_read(context, map, attributes);
    return read_lumps(context, map, attributes);
}

enum status attributes_read(struct context *context, struct map *map,
                            struct attributes *attributes)
{
    *attributes = (struct attributes){
        .specials = map->rules == MAP_DOOM    ? SPECIALS_DOOM
                    : map->rules == MAP_HEXEN ? SPECIALS_HEXEN
                                              : SPECIALS_UNKNOWN,
        .line_count = map->line_count,
    };
    enum status status = read_as_given(context, map, attributes);
    if (status == STATUS_OK)
        status = find_scripts(context, map, attributes);
    if (status != STATUS_OK)
        attributes_free(context, attributes);
    return status;
}

void attributes_free(struct context *context, struct attributes *attributes)
{
    context_release(context, attributes->lines);
    context_release(context, attributes->sectors);
    context_release(context, attributes->things);
    *attributes = (struct attributes){0};
}
