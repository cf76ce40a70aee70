// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on a map made by hand that check-nodes=yes allows a seg's end to be a
// map unit off, and no more, whether the lists are made from the lines or taken
// from the lump that the map has, and tells of seg, linedef and block; and that
// it takes vanilla nodes as such, whatever their first bytes spell.

#include "context-for-tests.h"
#include "lump-set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// On a grid at 0,0: linedef 0, of the first two vertices, is in the last unit
// of a column, linedef 1, of the next, in the first units of a column and a
// row.
static struct lump_set make_map(void)
{
    static const unsigned coordinates[] = {
        127, 10,  127, 100, 256, 256, 256, 500, // of the linedefs
        128, 50,  129, 50,  127, 128, 127, 129, // of segs alone
        255, 300, 254, 300, 256, 255, 256, 254,
    };
    static const unsigned words[] = {0, 1, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0};
    struct lump_set set = {.map_name = "MAP01"};
    struct buffer vertexes = {0}, linedefs = {0};
    for (size_t i = 0; i < COUNT(coordinates); i++)
        buffer_put_u16(&vertexes, coordinates[i]);
    for (size_t i = 0; i < COUNT(words); i++)
        buffer_put_u16(&linedefs, words[i]);
    lump_set_add(&set, "LINEDEFS", linedefs);
    lump_set_add(&set, "VERTEXES", vertexes);
    return set;
}

// The first seg is another linedef's, and sound.
static const struct {
    unsigned v1, v2, linedef;
    const char *fault; // in the sentence; NULL: there is none
} segs[] = {
    {0, 1, 0, NULL},
    {1, 0, 0, NULL},
    // A unit off and two: to the east,
    {4, 1, 0, NULL},
    {0, 4, 0, NULL},
    {5, 1, 0, "seg 1 of linedef 0 ends at 129.00000,50.00000, but block 1 "},
    {0, 5, 0, "seg 1 of linedef 0 ends at 129.00000,50.00000, but block 1 "},
    // to the north,
    {0, 6, 0, NULL},
    {0, 7, 0, "seg 1 of linedef 0 ends at 127.00000,129.00000, but block 3 "},
    // to the west,
    {2, 8, 1, NULL},
    {2, 9, 1, "seg 1 of linedef 1 ends at 254.00000,300.00000, but block 7 "},
    // to the south.
    {10, 3, 1, NULL},
    {11, 3, 1, "seg 1 of linedef 1 ends at 256.00000,254.00000, but block 5 "},
    // Another linedef, and none.
    {0, 1, 1, "seg 1 of linedef 1 ends at 127.00000,10.00000, but block 0 "},
    {5, 7, 0xFFFF, NULL},
    // What does not exist.
    {0, 12, 0, "seg 1 refers to vertex 12, which does not exist"},
    {12, 0, 0, "seg 1 refers to vertex 12, which does not exist"},
    {0, 1, 2, "seg 1 refers to linedef 2, which does not exist"},
};

// The first letters of extended nodes.
static const char *const spelled[] = {"XNOD", "ZNOD", "XGLN", "ZGLN", "XGL2",
                                      "ZGL2", "XGL3", "ZGL3", "xNd4"};

static void put_seg(struct buffer *bytes, unsigned v1, unsigned v2,
                    unsigned linedef)
{
    buffer_put_u16(bytes, v1);
    buffer_put_u16(bytes, v2);
    buffer_put_u16(bytes, 0);
    buffer_put_u16(bytes, linedef);
    buffer_put_u32(bytes, 0);
}

// The facts about a seg that fails have the numbers of the sentence.  Other
// failures have none but the steps.
static void check_facts(struct nbstage_instance *instance, const char *sentence)
{
    static const char *const names[] = {"failed_seg", "failed_linedef",
                                        "failed_block"};
    static const char *const texts[] = {"seg ", " of linedef ", " but block "};
    const struct nbstage_descriptor *stage = plugin_stage();
    const bool has_seg = strstr(sentence, "does not list") != NULL;
    ck_assert_ptr_nonnull(stage->get_fact(instance, "steps"));
    ck_assert_ptr_null(stage->get_fact(instance, "entries"));
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct nbstage_fact *fact = stage->get_fact(instance, names[i]);
        const char *text = strstr(sentence, texts[i]);
        ck_assert_msg((fact != NULL) == has_seg, "%s: %s", sentence, names[i]);
        if (!has_seg)
            continue;
        ck_assert_msg(text, "%s: no %s", sentence, names[i]);
        ck_assert_int_eq(fact->number,
                         strtol(text + strlen(texts[i]), NULL, 10));
    }
}

// Builds; the check must find the fault or, without one, so many segs.
static void check_segs(const struct lump_set *set, const char *options,
                       const char *fault, int64_t count)
{
    struct nbstage_map map = lump_set_map(set);
    struct nbstage_instance *instance = plugin_create(options);
    nbstage_status status = plugin_stage()->build(instance, &map);
    const char *sentence = plugin_stage()->last_error(instance);
    ck_assert_msg(status == (fault ? NBSTAGE_BAD_MAP : NBSTAGE_OK),
                  "status %d, %s: '%s'; '%s' was expected", (int)status,
                  options, sentence, fault ? fault : "");
    if (fault) {
        ck_assert_msg(strstr(sentence, "MAP01: SEGS: ") &&
                          strstr(sentence, fault),
                      "%s\nexpected ...%s...", sentence, fault);
        ck_assert_ptr_null(plugin_stage()->get_lump(instance, "BLOCKMAP"));
        check_facts(instance, sentence);
    } else {
        ck_assert_int_eq(
            plugin_stage()->get_fact(instance, "checked_segs")->number, count);
    }
    plugin_stage()->destroy(instance);
}

LOOP_TEST(a_map_unit_is_allowed, COUNT(segs))
{
    struct lump_set set = make_map();
    struct buffer bytes = {0};
    put_seg(&bytes, 2, 3, 1);
    put_seg(&bytes, segs[_i].v1, segs[_i].v2, segs[_i].linedef);
    lump_set_add(&set, "SEGS", bytes);
    int64_t count = segs[_i].linedef == 0xFFFF ? 1 : 2;
    check_segs(&set, "check-nodes=yes grid=0,0", segs[_i].fault, count);
    struct plugin_lump lump = lump_set_build(&set, "grid=0,0");
    lump_set_view(&set, "BLOCKMAP", lump.bytes, lump.size);
    check_segs(&set, "check-nodes=yes lists=lump", segs[_i].fault, count);
    plugin_free(&lump);
    lump_set_free(&set);
}

TEST(a_map_without_segs_is_refused)
{
    struct lump_set set = make_map();
    check_segs(&set, "check-nodes=no", NULL, 0);
    check_segs(&set, "check-nodes=yes", "no nodes", 0);
    lump_set_view(&set, "SEGS", NULL, 0);
    check_segs(&set, "check-nodes=yes", "no nodes", 0);
    lump_set_free(&set);
}

// Vanilla nodes whose first partition begins with the letters of extended ones
// are checked as others; without their segs the letters count.
LOOP_TEST(vanilla_nodes_may_spell_a_signature, COUNT(spelled))
{
    struct lump_set set = make_map();
    struct buffer bytes = {0}, nodes = {0};
    put_seg(&bytes, 2, 3, 1);
    put_seg(&bytes, 0, 1, 0);
    buffer_put(&nodes, spelled[_i], 4);
    for (size_t i = 0; i < 20; i++)
        buffer_put_u8(&nodes, 0);
    buffer_put_u32(&nodes, 0x80018000); // the subsectors 0 and 1
    lump_set_add(&set, "NODES", nodes);
    lump_set_view(&set, "SSECTORS", "\1\0\0\0\1\0\1", 8);
    lump_set_add(&set, "SEGS", bytes);
    check_segs(&set, "check-nodes=yes", NULL, 2);
    set.lumps[set.count - 1].data_size = 0;
    struct nbstage_map map = lump_set_map(&set);
    const char *damaged =
        strcmp(spelled[_i], "xNd4") == 0 ? "no nodes" : "MAP01: NODES";
    plugin_check_failure(NULL, &map, "check-nodes=yes", NBSTAGE_BAD_MAP,
                         damaged);
    lump_set_free(&set);
}

// The lists of the lines have the linedef; in the lump, block 8 has the list of
// block 0.
TEST(the_present_lists_are_held_against_the_segs)
{
    enum { OFFSETS = 8, WORD = 2 }; // bytes
    struct lump_set set = make_map();
    struct buffer bytes = {0};
    struct buffer blockmap = {0};
    put_seg(&bytes, 0, 1, 0);
    put_seg(&bytes, 2, 3, 1);
    lump_set_add(&set, "SEGS", bytes);
    struct plugin_lump lump = lump_set_build(&set, "grid=0,0");
    buffer_put(&blockmap, lump.bytes, lump.size);
    plugin_free(&lump);
    memcpy(blockmap.bytes + OFFSETS + 8 * WORD, blockmap.bytes + OFFSETS, WORD);
    lump_set_add(&set, "BLOCKMAP", blockmap);
    check_segs(&set, "check-nodes=yes grid=keep", NULL, 2);
    check_segs(&set, "check-nodes=yes lists=lump",
               "seg 1 of linedef 1 ends at 256.00000,256.00000, but "
               "block 8 ",
               0);
    lump_set_free(&set);
}
