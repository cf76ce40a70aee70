// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the inputs that fuzzing begins with: seeds FOLDER WAD
//
// In FOLDER there is a folder for each target already.  The seeds are a room in
// every form of a map, with nodes in every form, lines in all directions, the
// first linedefs of each map in the WAD, blockmaps that the stage makes of
// those, and nodes that are in the WAD.  Seeds are small, because that is what
// fuzzing is good at.

#include "config.h"

#include "compress.h"
#include "doom-map.h"
#include "module.h"
#include "pruned-room.h"
#include "run-suite.h"
#include "udmf-oddities.h"
#include "wadwriter.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CUT_LINEDEFS = 24,
    MOST_NODE_BYTES = 1 << 14,
    MOST_NODE_COUNT = 1024, // what target-nodes takes
    NAME_SIZE = 8,
    LINEDEF_SIZE = 14,
    VERTEX_SIZE = 4,
};

static const char *folder;
static const char *wad_path;

// Writes a seed of a target and frees it.
static void put_seed(struct buffer *seed, const char *target, const char *name,
                     ...)
{
    char path[4096];
    va_list arguments;
    int length = snprintf(path, sizeof path, "%s/%s/", folder, target);
    va_start(arguments, name);
    vsnprintf(path + length, sizeof path - (size_t)length, name, arguments);
    va_end(arguments);
    wadfile_write_bytes(path, seed->bytes, seed->size);
    buffer_free(seed);
}

// ---------------------------------------------------------------------------
// Maps

// The search takes as long as a hundred other builds, and has a target of its
// own.  An odd number, as put_map takes every second one.
static const char *const map_options[] = {
    "grid=fit",
    "preset=repack",
    "grid=id pack=nest header=none limit=vanilla overflow=merge,empty",
    "prune=unreachable pack=cover header=any",
    "format=xbm1 bounds=vertices",
    "check-nodes=yes grid=keep",
    "lists=lump pack=nest",
    "pack=nest for=crispy,boom",
    "pack=none header=none grid=id",
};

enum { MAP_OPTION_COUNT = sizeof map_options / sizeof *map_options };

static void put_build(const struct lump_set *set, const char *options,
                      const char *name)
{
    struct buffer seed = {0};
    buffer_print(&seed, "%s\n", options);
    for (size_t i = 0; i < set->count; i++) {
        const struct nbstage_lump *lump = &set->lumps[i];
        char name_of_lump[NAME_SIZE + 1] = "";
        strncpy(name_of_lump, lump->name, NAME_SIZE);
        buffer_put(&seed, name_of_lump, NAME_SIZE);
        buffer_put_u8(&seed, lump->compression);
        buffer_put_u16(&seed, (unsigned)lump->data_size);
        buffer_put(&seed, lump->data, lump->data_size);
    }
    put_seed(&seed, "target-build", "%s-%.4s-%zu", name, options, seed.size);
}

// A WAD of one map.
static void put_wad(const struct lump_set *set, const char *options,
                    const char *name, const char *suffix)
{
    struct buffer seed = {0};
    struct wadwriter writer = {0};
    wadwriter_put(&writer, set->map_name, NULL, 0);
    for (size_t i = 0; i < set->count; i++)
        wadwriter_put(&writer, set->lumps[i].name, set->lumps[i].data,
                      set->lumps[i].data_size);
    if (strcmp(set->lumps[0].name, "TEXTMAP") == 0)
        wadwriter_put(&writer, "ENDMAP", NULL, 0);
    struct buffer wad = wadwriter_finish(&writer, "PWAD");
    buffer_print(&seed, "%s\n", options);
    buffer_put(&seed, wad.bytes, wad.size);
    buffer_free(&wad);
    put_seed(&seed, "target-wad", "%s%s", name, suffix);
}

// What the blockmaps of seeds are made with.
static const char *const blockmap_options[] = {
    "pack=none",
    "pack=share",
    "pack=nest",
    "pack=nest header=any",
    "pack=nest header=none",
    "pack=cover format=xbm1",
};

enum {
    BLOCKMAP_OPTION_COUNT = sizeof blockmap_options / sizeof *blockmap_options
};

// The lump that a build with these options makes, for buffer_free.
static struct buffer make_blockmap(const struct nbstage_map *map,
                                   const char *options)
{
    struct module module;
    struct buffer bytes = {0};
    module_open(&module, options);
    const struct nbstage_lump *lump = module_build(&module, map);
    if (!lump)
        ck_abort_msg("a seed cannot be built with %s", options);
    buffer_put(&bytes, lump->data, lump->data_size);
    module_close(&module);
    return bytes;
}

// WADs of a map without a blockmap, and with one, good and bad.
static void put_wads(const struct lump_set *set, const char *options,
                     const char *name)
{
    // Blocks with the lists of others; a grid without its last row, too.
    static const struct {
        const char *suffix;
        size_t classic_at, xbm1_at;
        unsigned char change;
    } ways[] = {
        {"-good", 0, 10, 0}, {"-moved", 0, 10, 0x80}, {"-cut", 6, 20, 1}};
    static size_t next;
    struct lump_set whole = *set;
    const struct nbstage_map map = lump_set_map(set);
    struct buffer blockmap =
        make_blockmap(&map, blockmap_options[next++ % BLOCKMAP_OPTION_COUNT]);
    bool is_xbm1 = memcmp(blockmap.bytes, "XBM1", 4) == 0;
    put_wad(set, options, name, "");
    lump_set_view(&whole, "BLOCKMAP", blockmap.bytes, blockmap.size);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        blockmap.bytes[is_xbm1 ? ways[i].xbm1_at : ways[i].classic_at] ^=
            ways[i].change;
        put_wad(&whole, options, name, ways[i].suffix);
    }
    buffer_free(&blockmap);
}

// A map in all targets that take lumps.
static void put_map(const struct lump_set *set, const char *name)
{
    static size_t next;
    put_build(set, map_options[next++ % MAP_OPTION_COUNT], name);
    put_build(set, map_options[next++ % MAP_OPTION_COUNT], name);
    put_wads(set, map_options[next % MAP_OPTION_COUNT], name);
    if (strcmp(set->lumps[0].name, "TEXTMAP") == 0) {
        struct buffer text = {0};
        buffer_put(&text, set->lumps[0].data, set->lumps[0].data_size);
        put_seed(&text, "target-udmf", "%s", name);
    }
    static const uint32_t kinds[] = {NBSTAGE_ZLIB, NBSTAGE_GZIP,
                                     NBSTAGE_DEFLATE};
    struct lump_set compressed =
        lump_set_compressed(set, kinds[next % (sizeof kinds / sizeof *kinds)]);
    put_build(&compressed, map_options[next % MAP_OPTION_COUNT], name);
    lump_set_free(&compressed);
}

static void put_oddity(void *user, const struct buffer *text, bool differs)
{
    struct buffer seed = {0};
    (void)differs;
    buffer_put(&seed, text->bytes, text->size);
    put_seed(&seed, "target-udmf", "odd-%zu", ++*(size_t *)user);
}

static void put_rooms(void)
{
    static const char *const names[] = {"room-doom", "room-hexen",
                                        "room-doom64", "room-udmf"};
    for (int form = FORM_DOOM; form <= FORM_UDMF; form++) {
        struct lump_set set = room_make_lumps(&room_plain, (enum form)form);
        put_map(&set, names[form]);
        lump_set_free(&set);
    }
}

// ---------------------------------------------------------------------------
// Pieces of maps

// The first linedefs of a map, and their vertices, numbered anew; for
// doom_map_free.
static struct doom_map cut_map(const struct doom_map *map)
{
    struct doom_map cut = {.name = map->name};
    cut.vertices = allocate_zeros(2 * CUT_LINEDEFS, sizeof *cut.vertices);
    cut.linedefs = allocate_zeros(CUT_LINEDEFS, sizeof *cut.linedefs);
    while (cut.linedef_count < CUT_LINEDEFS &&
           cut.linedef_count < map->linedef_count) {
        struct doom_linedef linedef = map->linedefs[cut.linedef_count];
        cut.vertices[cut.vertex_count] = map->vertices[linedef.v1];
        linedef.v1 = (uint16_t)cut.vertex_count++;
        cut.vertices[cut.vertex_count] = map->vertices[linedef.v2];
        linedef.v2 = (uint16_t)cut.vertex_count++;
        cut.linedefs[cut.linedef_count++] = linedef;
    }
    return cut;
}

// Lines as target-geometry takes them, with options that differ: a step of 7
// comes by every choice of each, be they 2, 3 or 4.
static void put_geometry(const struct doom_map *map, bool has_fractions,
                         bool is_far)
{
    static uint8_t choice;
    struct buffer seed = {0};
    const uint32_t scale = is_far ? 100 : 1;
    choice += 7;
    for (unsigned i = 0; i < 6; i++)
        buffer_put_u8(&seed, choice + i);
    buffer_put_u8(&seed, has_fractions + 2U * is_far);
    for (size_t i = 0; i < map->vertex_count; i++) {
        const struct nbstage_vertex *vertex = &map->vertices[i];
        if (has_fractions) {
            buffer_put_u32(&seed, (uint32_t)vertex->x * scale + choice);
            buffer_put_u32(&seed, (uint32_t)vertex->y * scale - choice);
        } else {
            buffer_put_u16(&seed, (uint32_t)vertex->x * scale >> 16);
            buffer_put_u16(&seed, (uint32_t)vertex->y * scale >> 16);
        }
    }
    put_seed(&seed, "target-geometry", "%s-%u", map->name, choice);
}

// Its blockmaps, to be read with other options than they are made with.
static void put_blockmaps(const struct nbstage_map *map, size_t line_count,
                          size_t index)
{
    static const char *const read_with[] = {
        "pack=nest header=none", "pack=cover header=any",
        "pack=none format=xbm1", "for=doom19,boom overflow=merge"};
    for (size_t i = 0; i < BLOCKMAP_OPTION_COUNT; i++) {
        struct buffer seed = {0};
        struct buffer blockmap = make_blockmap(map, blockmap_options[i]);
        buffer_print(&seed, "%s\n", read_with[(index + i) % 4]);
        buffer_put_u8(&seed, (unsigned)line_count);
        buffer_put(&seed, blockmap.bytes, blockmap.size);
        buffer_free(&blockmap);
        put_seed(&seed, "target-lump", "%s-%zu", map->name, i);
    }
}

// A small map in every form; with `index` the options of seeds differ.
static void put_forms(const struct doom_map *map, size_t index)
{
    struct lump_set sets[] = {
        doom_map_to_doom(map),
        doom_map_to_hexen(map),
        doom_map_to_doom64(map),
        doom_map_to_udmf(map, doom_map_print_exactly),
    };
    char name[32];
    put_geometry(map, false, false);
    put_geometry(map, true, false);
    struct nbstage_map whole = lump_set_map(&sets[0]);
    put_blockmaps(&whole, map->linedef_count, index);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        snprintf(name, sizeof name, "%.8s-%zu", map->name, i);
        put_map(&sets[i], name);
        lump_set_free(&sets[i]);
    }
}

// ---------------------------------------------------------------------------
// Directions

// Lines from one point to all directions, across one block and across several.
// In the grid that fits them, diagonals meet the corners of blocks.
static struct doom_map make_star(void)
{
    static const int ends[] = {-320, -128, -90, 0, 90, 128, 320};
    enum { ENDS = sizeof ends / sizeof *ends };
    struct doom_map star = {.name = "STAR"};
    star.vertices = allocate_zeros(2 * ENDS * ENDS, sizeof *star.vertices);
    star.linedefs = allocate_zeros(ENDS * ENDS, sizeof *star.linedefs);
    for (size_t i = 0; i < ENDS * ENDS; i++) {
        struct doom_linedef linedef = {.right = NO_SIDE, .left = NO_SIDE};
        linedef.v1 = (uint16_t)star.vertex_count++;
        linedef.v2 = (uint16_t)star.vertex_count++;
        star.vertices[linedef.v2] = (struct nbstage_vertex){
            ends[i % ENDS] * UNIT, ends[i / ENDS] * UNIT};
        star.linedefs[star.linedef_count++] = linedef;
    }
    return star;
}

// The first lines of a map as target-search takes them.
static void put_search(const struct doom_map *map)
{
    enum { PACKS = 8, LINES_OF_SEARCH = 16 };
    for (unsigned pack = 0; pack < PACKS; pack++) {
        struct buffer seed = {0};
        buffer_put_u8(&seed, pack);
        buffer_put_u8(&seed, pack / 2);
        buffer_put_u8(&seed, pack / 4);
        buffer_put_u8(&seed, 17 * pack);
        buffer_put_u8(&seed, 13 * pack);
        for (size_t i = 0; i < 2 * LINES_OF_SEARCH; i++) {
            const struct nbstage_vertex *vertex = &map->vertices[i];
            buffer_put_u32(&seed, (uint32_t)vertex->x + pack);
            buffer_put_u32(&seed, (uint32_t)vertex->y - pack);
        }
        put_seed(&seed, "target-search", "%s-%u", map->name, pack);
    }
}

static void put_star(void)
{
    struct doom_map star = make_star();
    put_search(&star);
    put_forms(&star, 0);
    // With every option of target-geometry, and every other one beside it; then
    // a hundred times as large.
    for (int i = 0; i < 48; i++)
        put_geometry(&star, i % 2, i >= 24);
    doom_map_free(&star);
}

// ---------------------------------------------------------------------------
// Nodes

// How many vertices and linedefs the map has that a lump belongs to.
struct counts {
    size_t vertices;
    size_t linedefs;
};

static void count_records(const struct wadfile_lump *lump,
                          struct counts *counts)
{
    if (strcmp(lump->name, "LINEDEFS") == 0)
        counts->linedefs = lump->size / LINEDEF_SIZE;
    else if (strcmp(lump->name, "VERTEXES") == 0)
        counts->vertices = lump->size / VERTEX_SIZE;
}

static void put_node_lump(const struct wadfile_lump *lump, unsigned place,
                          const struct counts *counts, const char *name)
{
    struct buffer seed = {0};
    if (lump->size == 0 || lump->size > MOST_NODE_BYTES ||
        counts->vertices >= MOST_NODE_COUNT ||
        counts->linedefs >= MOST_NODE_COUNT)
        return;
    buffer_put_u16(&seed, (unsigned)counts->vertices);
    buffer_put_u16(&seed, (unsigned)counts->linedefs);
    buffer_put_u8(&seed, place);
    buffer_put(&seed, lump->data, lump->size);
    put_seed(&seed, "target-nodes", "%s-%s", name, lump->name);
}

// Those after the lumps that are counted, which is where builders put them.
static void put_nodes(const struct wadfile *wad)
{
    static const char *const names[] = {"ZNODES", "NODES", "SSECTORS", "SEGS"};
    struct counts counts = {0};
    for (size_t l = 0; l < wad->lump_count; l++) {
        char name[32];
        snprintf(name, sizeof name, "lump-%zu", l);
        count_records(&wad->lumps[l], &counts);
        for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
            if (strcmp(wad->lumps[l].name, names[n]) == 0)
                put_node_lump(&wad->lumps[l], n, &counts, name);
    }
}

// The room in UDMF with nodes, which it takes over.
static void put_room_with_nodes(struct buffer nodes, const char *name)
{
    struct lump_set set = room_make_lumps(&room_plain, FORM_UDMF);
    lump_set_add(&set, "ZNODES", nodes);
    put_build(&set, "check-nodes=yes", name);
    put_wads(&set, "check-nodes=yes", name);
    lump_set_free(&set);
}

static void put_made_nodes(void)
{
    static const char *const signatures[] = {"XNOD", "ZNOD", "XGLN", "ZGLN",
                                             "XGL2", "ZGL2", "XGL3", "ZGL3"};
    const struct counts counts = {VERTICES, LINES};
    struct buffer wrong = room_make_nodes(&room_plain, "XNOD");
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        struct buffer nodes = room_make_nodes(&room_plain, signatures[i]);
        const struct wadfile_lump lump = {
            .name = "ZNODES", .data = nodes.bytes, .size = nodes.size};
        put_node_lump(&lump, 0, &counts, signatures[i]);
        put_room_with_nodes(nodes, signatures[i]);
    }
    // The last seg, before a side and a node with their count, is of a line
    // that it does not lie on.
    wrong.bytes[wrong.size - 32 - 4 - 1 - 2] = 0;
    put_room_with_nodes(wrong, "wrong-seg");
}

// Streams of each kind, which target-nodes inflates.
static void put_streams(void)
{
    static const char text[] = "a stream of a stream of a stream of bytes";
    for (uint32_t kind = NBSTAGE_ZLIB; kind <= NBSTAGE_DEFLATE; kind++) {
        struct buffer seed = {0};
        struct buffer stream = compress_bytes(kind, text, sizeof text);
        buffer_put(&seed, "\0\0\0\0\0", 5);
        buffer_put(&seed, stream.bytes, stream.size);
        buffer_free(&stream);
        put_seed(&seed, "target-nodes", "stream-%u", (unsigned)kind);
    }
}

// ---------------------------------------------------------------------------
// Options

static void put_options(void)
{
    struct buffer seed = {0};
    buffer_put_u8(&seed, 0);
    for (size_t i = 0; i < MAP_OPTION_COUNT; i++)
        for (const char *c = map_options[i]; *c; c++)
            buffer_put_u8(&seed, *c == ' ' ? '\n' : (unsigned char)*c);
    buffer_print(&seed, "\ngrid=-12,+34\nthreads=128\ninflate-limit=0\n"
                        "for=any\nfor=woof,doom19\nfor=any,boom\nx=y\n");
    put_seed(&seed, "target-options", "all");
}

// Nodes, and the first linedefs of each map.
static void put_file(void)
{
    struct wadfile wad = wadfile_read(wad_path);
    put_nodes(&wad);
    for (size_t i = 0; i < wad.map_count; i++) {
        struct doom_map map = doom_map_decode(&wad.maps[i]);
        struct doom_map cut = cut_map(&map);
        put_forms(&cut, i);
        doom_map_free(&cut);
        doom_map_free(&map);
    }
    wadfile_free(&wad);
}

// A test, because the helpers of tests fail only in one.
TEST(seeds_can_be_made)
{
    size_t oddities = 0;
    put_rooms();
    udmf_oddities_visit(put_oddity, &oddities);
    put_star();
    put_made_nodes();
    put_streams();
    put_options();
    put_file();
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: seeds FOLDER WAD\n", stderr);
        return 2;
    }
    folder = argv[1];
    wad_path = argv[2];
    TCase *seeds = all_tests();
    tcase_set_timeout(seeds, 600);
    return run_suite(seeds);
}
