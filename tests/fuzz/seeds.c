// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the inputs that fuzzing begins with: seeds FOLDER
//
// FOLDER gets a folder for each target.  The seeds are a room in every form of
// a map, with blockmaps that the stage makes of it, and nodes in every form.
// Seeds are small, because that is what fuzzing is good at.

#include "config.h"

#include "context-for-tests.h"
#include "module.h"
#include "pruned-room.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME_SIZE = 8 };

static const char *folder;

// Writes a seed of a target, with a number of its own in its name, and frees
// it.
static void put_seed(struct buffer *seed, const char *target, const char *name)
{
    static size_t next;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, target);
    mkdir(path, 0777); // unless it is there
    snprintf(path, sizeof path, "%s/%s/%s-%zu", folder, target, name, ++next);
    wadfile_write_bytes(path, seed->bytes, seed->size);
    buffer_free(seed);
}

// --- Maps ---

// A search takes as long as a hundred other builds.
static const char *const options[] = {
    "grid=fit",
    "preset=repack",
    "grid=id pack=nest for=doom19 overflow=merge,empty",
    "prune=inert pack=nest for=boom",
    "format=xbm1 grid=id",
    "check-nodes=yes grid=keep",
    "lists=lump pack=nest",
    "pack=nest for=crispy,boom",
};

static const char *next_options(void)
{
    static size_t next;
    return options[next++ % COUNT(options)];
}

static void put_build(const struct lump_set *set, const char *with,
                      const char *name)
{
    struct buffer seed = {0};
    buffer_print(&seed, "%s\n", with);
    for (size_t i = 0; i < set->count; i++) {
        const struct nbstage_lump *lump = &set->lumps[i];
        char name_of_lump[NAME_SIZE + 1] = "";
        strncpy(name_of_lump, lump->name, NAME_SIZE);
        buffer_put(&seed, name_of_lump, NAME_SIZE);
        buffer_put_u16(&seed, (unsigned)lump->data_size);
        buffer_put(&seed, lump->data, lump->data_size);
    }
    put_seed(&seed, "target-build", name);
}

// A WAD of one map.
static void put_wad(const struct lump_set *set, const char *with,
                    const char *name)
{
    struct buffer seed = {0};
    struct buffer wad = lump_set_to_wad(set);
    buffer_print(&seed, "%s\n", with);
    buffer_put(&seed, wad.bytes, wad.size);
    buffer_free(&wad);
    put_seed(&seed, "target-wad", name);
}

// WADs of a map without a blockmap, and with one: as the stage makes it, with
// blocks that have the lists of others, and with a row less.
static void put_wads(const struct lump_set *set, const char *name)
{
    static const struct {
        size_t classic_at, xbm1_at;
        unsigned char change;
    } ways[] = {{0, 10, 0}, {0, 10, 0x80}, {6, 20, 1}};
    struct lump_set whole = *set;
    const struct nbstage_map map = lump_set_map(set);
    struct module module;
    struct buffer blockmap = {0};
    module_open(&module, next_options());
    const struct nbstage_lump *lump = module_build(&module, &map);
    if (lump)
        buffer_put(&blockmap, lump->data, lump->data_size);
    module_close(&module);
    put_wad(set, next_options(), name);
    lump_set_view(&whole, "BLOCKMAP", blockmap.bytes, blockmap.size);
    for (size_t i = 0; i < COUNT(ways) && blockmap.size > 0; i++) {
        bool is_xbm1 = memcmp(blockmap.bytes, "XBM1", 4) == 0;
        blockmap.bytes[is_xbm1 ? ways[i].xbm1_at : ways[i].classic_at] ^=
            ways[i].change;
        put_wad(&whole, next_options(), name);
    }
    buffer_free(&blockmap);
}

// A map in all targets that take lumps, for each set of options, for
// lump_set_free.
static void put_map(struct lump_set *set, const char *name)
{
    for (size_t i = 0; i < COUNT(options); i++) {
        put_build(set, options[i], name);
        put_wads(set, name);
    }
    lump_set_free(set);
}

static void put_rooms(void)
{
    static const char *const names[] = {"room-doom", "room-hexen",
                                        "room-doom64", "room-udmf"};
    for (int form = FORM_DOOM; form <= FORM_UDMF; form++) {
        struct lump_set set = room_make_lumps(&room_plain, (enum form)form);
        put_map(&set, names[form]);
    }
}

// --- Nodes ---

// The room in UDMF with nodes, which it takes over.
static void put_room_with_nodes(struct buffer nodes)
{
    struct lump_set set = room_make_lumps(&room_plain, FORM_UDMF);
    lump_set_add(&set, "ZNODES", nodes);
    put_build(&set, "check-nodes=yes", "nodes");
    put_wad(&set, "check-nodes=yes", "nodes");
    lump_set_free(&set);
}

static void put_made_nodes(void)
{
    static const char *const signatures[] = {"XNOD", "ZNOD", "XGLN", "ZGLN",
                                             "XGL2", "ZGL2", "XGL3", "ZGL3"};
    for (size_t i = 0; i < COUNT(signatures); i++)
        put_room_with_nodes(room_make_nodes(&room_plain, signatures[i]));
    // The last seg, before a side and a node with their count, is of a line
    // that it does not lie on.
    struct buffer wrong = room_make_nodes(&room_plain, "XNOD");
    wrong.bytes[wrong.size - 32 - 4 - 1 - 2] = 0;
    put_room_with_nodes(wrong);
}

// A test, because the helpers of tests fail only in one.
TEST(seeds_can_be_made)
{
    put_rooms();
    put_made_nodes();
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: seeds FOLDER\n", stderr);
        return 2;
    }
    folder = argv[1];
    TCase *seeds = all_tests();
    tcase_set_timeout(seeds, 600);
    return run_suite(seeds);
}
