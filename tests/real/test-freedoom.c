// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on the 100 maps of Freedoom and FreeDM, each read once, what lumps
// promise.  The table `promises` has options in each row, and what holds of the
// lump that they make of every map:
//
// - its lists have the lines of each block, by the plain oracle, or those of
//   the present lump, or with inert lines in none, see test-inert.sh;
// - they begin with what the options ask for, see test-engines.sh;
// - the same map as arrays of several kinds, and built again, gives the same
//   bytes;
// - it is no larger than with other options or than the present lump, and meets
//   the limit that it has to; for a known release, its bytes are known.
//
// FREEDOOM_DIR names the folder of the WAD files; without them the test is
// skipped.

#include "blocklists.h"
#include "context-for-tests.h"
#include "lump-set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
    SEG_SIZE = 12, // bytes
    VANILLA_OFFSET = 32767,
    MOST_WORDS = 65535,
    KNOWN_FILE = 1, // Freedoom: Phase 2, of which totals are promised
};

static const struct {
    const char *name;
    size_t map_count;
    uint32_t known; // CRC-32 of release 0.12.1, of which totals are known
} files[] = {
    {"freedoom1.wad", 36, 0x6f2106f4},
    {"freedoom2.wad", 32, 0x8a85658c},
    {"freedm.wad", 32, 0x94f91db7},
};

// A map, as its lumps and as arrays.
struct freedoom_map {
    struct lump_set set;
    struct random_map arrays;
    const struct nbstage_lump *blockmap;
    struct oracle_line *lines; // as many as the arrays have
};

// What is checked, for messages.
static char where[256];

static bool is_same(const struct plugin_lump *lump, const void *bytes,
                    size_t size)
{
    return lump->size == size && memcmp(lump->bytes, bytes, size) == 0;
}

static bool meets_vanilla(const struct blocklists *lists)
{
    return lists->largest_offset <= VANILLA_OFFSET &&
           lists->word_count <= MOST_WORDS;
}

// --- The promises ---

// What holds of a lump besides its lists.
enum {
    ORDERED = 1,  // they ascend, and each begins with 0
    INERT = 2,    // as many lines as are inert are in none of them
    PRESENT = 4,  // they are those of the present lump
    KEEPS = 8,    // the grid of the present lump, if that encloses all lines
    REPACKS = 16, // no larger than the present lump
    AGAIN = 32,   // built again on the lump itself, it has the same bytes
    FORMS = 64,   // and so it has if the map comes in another form
    VANILLA = 128,
    SEGS = 256,
};

static const struct promise {
    const char *options;
    enum blocklists_header header;
    unsigned holds;
    const char *larger; // options above with which no lump is smaller
    size_t most;        // bytes of the known release
    uint32_t digests[COUNT(files)]; // CRC-32 of its lumps in a row
} promises[] = {
    {"", LISTS_ZERO, ORDERED | KEEPS | AGAIN | FORMS, NULL,
     .digests = {0xa0447da8, 0xc9e97b2d, 0xf2817013}},
    {"grid=fit prune=none", LISTS_ZERO, ORDERED | AGAIN | FORMS, NULL,
     .most = 414578},
    {"grid=id check-nodes=yes", LISTS_ZERO, ORDERED | SEGS, .larger = NULL},
    {"prune=inert", LISTS_ZERO, ORDERED | INERT | KEEPS, .larger = ""},
    {"grid=fit pack=nest", LISTS_ZERO, 0, "grid=fit prune=none",
     .most = 399400},
    {"grid=fit pack=nest for=boom", LISTS_ANY, 0, "grid=fit pack=nest",
     .most = 392848},
    {"grid=fit pack=nest for=mbf21", LISTS_NONE, 0,
     "grid=fit pack=nest for=boom", .most = 361414},
    {"grid=keep pack=nest", LISTS_ZERO, KEEPS, .larger = ""},
    {"preset=repack check-nodes=yes", LISTS_ZERO,
     KEEPS | REPACKS | AGAIN | SEGS, .larger = "grid=keep pack=nest"},
    {"lists=lump", LISTS_ZERO, PRESENT | KEEPS | REPACKS | AGAIN,
     .larger = NULL},
    {"grid=search", LISTS_ZERO, ORDERED, "", .most = 410668},
    {"preset=small", LISTS_ZERO, 0, "grid=search", .most = 395259},
    {"preset=vanilla for=doom19", LISTS_NONE, VANILLA, "preset=small",
     .most = 357829},
    {"format=xbm1 for=woof-dev,odamex-dev", LISTS_ANY, 0, .larger = NULL},
};

// Drops the lines that are in no list from what lists have to have.
static void drop_pruned(const struct blocklists *lists, size_t line_count,
                        int64_t pruned_count, struct oracle_entry_list *truth)
{
    struct oracle_entry_list made = blocklists_entries(lists, LISTS_ZERO);
    bool *is_listed = allocate_zeros(line_count, sizeof *is_listed);
    size_t kept = 0;
    for (size_t i = 0; i < made.count; i++)
        is_listed[made.entry[i].line] = true;
    for (size_t i = 0; i < line_count; i++)
        pruned_count -= !is_listed[i];
    ck_assert_msg(pruned_count == 0, "%s: %d more are said to be pruned", where,
                  (int)pruned_count);
    for (size_t i = 0; i < truth->count; i++)
        if (is_listed[truth->entry[i].line])
            truth->entry[kept++] = truth->entry[i];
    truth->count = kept;
    free(is_listed);
    oracle_free_entries(&made);
}

// What the lists of a lump have to have, for oracle_free_entries.
static struct oracle_entry_list find_truth(const struct freedoom_map *map,
                                           const struct promise *promise,
                                           const struct plugin_lump *lump,
                                           const struct blocklists *lists)
{
    if (promise->holds & PRESENT) {
        struct blocklists present =
            blocklists_read(map->blockmap->data, map->blockmap->data_size);
        struct oracle_entry_list truth =
            blocklists_entries(&present, LISTS_ZERO);
        blocklists_free(&present);
        return truth;
    }
    struct oracle_entry_list truth =
        oracle_find_entries(&lists->grid, map->lines, map->arrays.line_count);
    if (promise->holds & INERT)
        drop_pruned(lists, map->arrays.line_count,
                    plugin_number(lump, "pruned_inert"), &truth);
    return truth;
}

static void check_lists(const struct promise *promise,
                        const struct plugin_lump *lump,
                        const struct blocklists *lists,
                        const struct oracle_entry_list *truth)
{
    bool is_vanilla = meets_vanilla(lists);
    blocklists_check(where, lists,
                     promise->holds & ORDERED ? LISTS_APART : promise->header,
                     truth);
    const struct plugin_fact facts[] = {
        {"words", (int64_t)lists->word_count},
        {"largest_offset", (int64_t)lists->largest_offset},
        {"entries", (int64_t)truth->count},
        {"meets_vanilla", is_vanilla},
    };
    plugin_check_facts(where, lump, facts, COUNT(facts));
    ck_assert_msg(is_vanilla || !(promise->holds & VANILLA),
                  "%s: the largest offset is %zu", where,
                  lists->largest_offset);
}

static void check_present(const struct freedoom_map *map,
                          const struct promise *promise,
                          const struct plugin_lump *lump,
                          const struct oracle_grid *grid)
{
    struct blocklists present =
        blocklists_read(map->blockmap->data, map->blockmap->data_size);
    if (promise->holds & KEEPS &&
        oracle_encloses(&present.grid, map->lines, map->arrays.line_count))
        ck_assert_msg(memcmp(grid, &present.grid, sizeof *grid) == 0,
                      "%s: the present grid was expected", where);
    blocklists_free(&present);
    if (promise->holds & REPACKS)
        ck_assert_msg(lump->size <= map->blockmap->data_size,
                      "%s: %zu bytes; there were %zu", where, lump->size,
                      map->blockmap->data_size);
    if (promise->holds & SEGS) {
        const struct plugin_fact fact = {
            "checked_segs",
            (int64_t)lump_set_find(&map->set, "SEGS")->data_size / SEG_SIZE};
        plugin_check_facts(where, lump, &fact, 1);
    }
}

// --- The same map in other forms ---

static void check_same(const struct plugin_lump *expected,
                       const struct nbstage_map *map, const char *options,
                       const char *form)
{
    struct plugin_lump lump = plugin_build(map, options);
    ck_assert_msg(is_same(&lump, expected->bytes, expected->size),
                  "%s: %s gives other bytes", where, form);
    plugin_free(&lump);
}

// As ports have them: a line has 64 bits for each number, or points to its
// vertices, which may be behind pointers, too.
struct wide_vertex {
    char other;
    double x, y;
};

struct wide_line {
    const struct wide_vertex *start, *end;
    int64_t v1, v2, flags, special, tag;
};

struct wide_map {
    struct wide_vertex *vertices;
    struct wide_line *lines;
    const void **pointers; // to the vertices and then the lines
};

static struct wide_map widen(const struct random_map *from)
{
    struct wide_map wide = {
        allocate_zeros(from->vertex_count, sizeof *wide.vertices),
        allocate_zeros(from->line_count, sizeof *wide.lines),
        allocate_zeros(from->vertex_count + from->line_count,
                       sizeof *wide.pointers)};
    for (size_t i = 0; i < from->vertex_count; i++) {
        wide.vertices[i].x = from->vertices[i].x / 65536.0;
        wide.vertices[i].y = from->vertices[i].y / 65536.0;
        wide.pointers[i] = &wide.vertices[i];
    }
    for (size_t i = 0; i < from->line_count; i++) {
        const struct plain_line *line = &from->lines[i];
        wide.lines[i] = (struct wide_line){&wide.vertices[line->v1],
                                           &wide.vertices[line->v2],
                                           line->v1,
                                           line->v2,
                                           line->flags,
                                           line->special,
                                           line->tag};
        wide.pointers[from->vertex_count + i] = &wide.lines[i];
    }
    return wide;
}

enum { WIDE, POINTING, BEHIND_POINTERS, WIDE_FORMS };

static void check_wide(const struct freedoom_map *map,
                       const struct plugin_lump *lump, const char *options)
{
    static const char *const names[] = {"64 bits", "pointers to vertices",
                                        "arrays of pointers"};
    const size_t vertex_count = map->arrays.vertex_count;
    const struct wide_map wide = widen(&map->arrays);
    for (int form = 0; form < WIDE_FORMS; form++) {
        struct nbstage_vertices vertices = {0};
        struct nbstage_lines lines = {0};
        struct nbstage_map arrays =
            map_of_lumps(map->set.map_name, map->blockmap, 1);
        NBSTAGE_SET_ARRAY(vertices, wide.vertices, vertex_count);
        NBSTAGE_SET_ARRAY(lines, wide.lines, map->arrays.line_count);
        if (form == BEHIND_POINTERS) {
            NBSTAGE_SET_POINTERS(vertices, wide.pointers, vertex_count);
            NBSTAGE_SET_POINTERS(lines, wide.pointers + vertex_count,
                                 map->arrays.line_count);
        }
        NBSTAGE_SET(vertices.x, NBSTAGE_DOUBLE, struct wide_vertex, x);
        NBSTAGE_SET(vertices.y, NBSTAGE_DOUBLE, struct wide_vertex, y);
        NBSTAGE_SET(lines.v1, NBSTAGE_I64, struct wide_line, v1);
        NBSTAGE_SET(lines.v2, NBSTAGE_I64, struct wide_line, v2);
        if (form != WIDE) {
            NBSTAGE_SET(lines.v1, NBSTAGE_POINTER, struct wide_line, start);
            NBSTAGE_SET(lines.v2, NBSTAGE_POINTER, struct wide_line, end);
        }
        NBSTAGE_SET(lines.flags, NBSTAGE_I64, struct wide_line, flags);
        NBSTAGE_SET(lines.special, NBSTAGE_I64, struct wide_line, special);
        NBSTAGE_SET(lines.tag, NBSTAGE_I64, struct wide_line, tag);
        arrays.vertices = &vertices;
        arrays.lines = &lines;
        check_same(lump, &arrays, options, names[form]);
    }
    free(wide.vertices);
    free(wide.lines);
    free(wide.pointers);
}

static void check_forms(const struct freedoom_map *map,
                        const struct plugin_lump *lump, const char *options)
{
    struct nbstage_map arrays = RANDOM_MAP(&map->arrays, map->set.map_name);
    arrays.lumps = map->blockmap;
    arrays.lump_count = 1;
    check_same(lump, &arrays, options, "arrays");
    check_wide(map, lump, options);
}

static void check_again(const struct nbstage_map *map,
                        const struct plugin_lump *lump, const char *options)
{
    struct nbstage_lump lumps[LUMP_SET_MOST];
    struct nbstage_map again = *map;
    memcpy(lumps, map->lumps, map->lump_count * sizeof *lumps);
    for (size_t i = 0; i < map->lump_count; i++)
        if (strcmp(lumps[i].name, "BLOCKMAP") == 0) {
            lumps[i].data = lump->bytes;
            lumps[i].data_size = lump->size;
        }
    again.lumps = lumps;
    check_same(lump, &again, options, "the second build");
}

// --- All maps ---

// Returns the size of the lump.
static size_t check_promise(const struct freedoom_map *map,
                            const struct promise *promise, uint32_t *digest)
{
    struct plugin_lump lump = lump_set_build(&map->set, promise->options);
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    struct oracle_entry_list truth = find_truth(map, promise, &lump, &lists);
    size_t size = lump.size;
    if (!(promise->holds & REPACKS) ||
        !is_same(&lump, map->blockmap->data, map->blockmap->data_size))
        check_lists(promise, &lump, &lists, &truth);
    check_present(map, promise, &lump, &lists.grid);
    if (promise->holds & FORMS)
        check_forms(map, &lump, promise->options);
    if (promise->holds & AGAIN) {
        const struct nbstage_map given = lump_set_map(&map->set);
        check_again(&given, &lump, promise->options);
    }
    *digest = (uint32_t)crc32_z(*digest, lump.bytes, lump.size);
    oracle_free_entries(&truth);
    blocklists_free(&lists);
    plugin_free(&lump);
    return size;
}

static void check_not_larger(const struct promise *promise,
                             const size_t sizes[COUNT(promises)])
{
    for (size_t p = 0; promise->larger && p < COUNT(promises); p++)
        if (strcmp(promises[p].options, promise->larger) == 0)
            ck_assert_msg(sizes[promise - promises] <= sizes[p],
                          "%s: %zu bytes, and %zu with '%s'", where,
                          sizes[promise - promises], sizes[p], promise->larger);
}

static void find_path(size_t file, char *path, size_t size)
{
    const char *folder = getenv("FREEDOOM_DIR");
    snprintf(path, size, "%s/%s", folder ? folder : "/usr/share/games/doom",
             files[file].name);
}

// Adds up what the lumps of a map have.
static void check_map(size_t file, const struct wadfile_map *in,
                      size_t totals[COUNT(promises)],
                      uint32_t digests[COUNT(promises)])
{
    size_t sizes[COUNT(promises)];
    struct freedoom_map map = {.set = lump_set_from_wad(in),
                               .arrays = wadfile_arrays(in)};
    map.blockmap = lump_set_find(&map.set, "BLOCKMAP");
    map.lines = random_map_oracle_lines(&map.arrays);
    for (size_t p = 0; p < COUNT(promises); p++) {
        snprintf(where, sizeof where, "%s, %s, '%s'", files[file].name,
                 in->name, promises[p].options);
        sizes[p] = check_promise(&map, &promises[p], &digests[p]);
        check_not_larger(&promises[p], sizes);
        totals[p] += sizes[p];
    }
    free(map.lines);
    random_map_free(&map.arrays);
    lump_set_free(&map.set);
}

LOOP_TEST(promises_are_kept, COUNT(files))
{
    const size_t file = (size_t)_i;
    size_t totals[COUNT(promises)] = {0};
    uint32_t digests[COUNT(promises)] = {0};
    char path[512];
    find_path(file, path, sizeof path);
    struct wadfile wad = wadfile_read(path);
    ck_assert_uint_eq(wad.map_count, files[file].map_count);
    for (size_t m = 0; m < wad.map_count; m += SLOWNESS)
        check_map(file, &wad.maps[m], totals, digests);
    uint32_t checksum = (uint32_t)crc32_z(0, wad.bytes, wad.size);
    const bool is_known = SLOWNESS == 1 && checksum == files[file].known;
    printf("%s, checksum %08" PRIx32 ", is%s known\n", path, checksum,
           is_known ? "" : " not");
    for (size_t p = 0; p < COUNT(promises); p++) {
        const struct promise *promise = &promises[p];
        printf("'%s': %zu bytes, digest %08" PRIx32 "\n", promise->options,
               totals[p], digests[p]);
        if (is_known && promise->digests[file] != 0)
            ck_assert_uint_eq(digests[p], promise->digests[file]);
        if (is_known && file == KNOWN_FILE && promise->most > 0)
            ck_assert_uint_le(totals[p], promise->most);
    }
    wadfile_free(&wad);
}

int main(void)
{
    enum { SKIPPED = 77, SECONDS = 1800 };
    TCase *tests = all_tests();
    for (size_t file = 0; file < COUNT(files); file++) {
        char path[512];
        find_path(file, path, sizeof path);
        if (access(path, R_OK) != 0) {
            printf("%s cannot be read; FREEDOOM_DIR names its folder\n", path);
            return SKIPPED;
        }
    }
    tcase_add_checked_fixture(tests, test_set_up, test_tear_down);
    tcase_set_timeout(tests, SECONDS);
    return run_suite(tests);
}
