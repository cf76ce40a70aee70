// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on the 100 maps of Freedoom and FreeDM that every packing with every
// header gives each block its lines, or with pack=cover these and as many more
// as are told, that the facts are those of the lump, that preset=vanilla keeps
// to the limit of vanilla, and that totals known from other measurements come
// out.  And that default lumps are to the byte what they were when there were
// no other headers.  The truth is what pack=share stores, which test-freedoom
// holds against an oracle.

#include "freedoom.h"
#include "packed.h"
#include "plugin.h"
#include "run-suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <zlib.h>

enum {
    MOST_LUMPS = 16, // of a map
    VANILLA_OFFSET = 32767,
    SEARCH_STRIDE = 12, // maps between those that are searched
    FREEDOOM2 = 1,      // of the files
};

// What is known of Freedoom 0.12.1, told by the sizes of its files.
static const struct {
    size_t wad_size;
    uint32_t digest; // CRC-32 of the lumps with default options, in a row
} known[FREEDOOM_FILES] = {
    {27284992, 0xa0447da8},
    {28544136, 0xc9e97b2d},
    {21824456, 0xf2817013},
};

// ---------------------------------------------------------------------------
// Maps and lumps

struct subject {
    const char *name;
    struct nbstage_lump lumps[MOST_LUMPS];
    struct nbstage_map map;
};

static void make_subject(const struct wadfile_map *wad_map,
                         struct subject *subject)
{
    ck_assert_uint_le(wad_map->lump_count, MOST_LUMPS);
    subject->name = wad_map->name;
    for (size_t i = 0; i < wad_map->lump_count; i++)
        subject->lumps[i] = (struct nbstage_lump){
            .size = sizeof(struct nbstage_lump),
            .name = wad_map->lumps[i].name,
            .data = wad_map->lumps[i].data,
            .data_size = wad_map->lumps[i].size,
        };
    subject->map = nbstage_map_from_lumps(subject->name, subject->lumps,
                                          wad_map->lump_count);
}

// ---------------------------------------------------------------------------
// Forms

static const char *const packs[] = {
    [PACK_NONE] = "none",
    [PACK_SHARE] = "share",
    [PACK_NEST] = "nest",
    [PACK_COVER] = "cover",
};

static const char *const headers[] = {
    [HEADER_ZERO] = "zero",
    [HEADER_ANY] = "any",
    [HEADER_NONE] = "none",
};

enum { PACKS = 4, HEADERS = 3 };

static struct plugin_lump build(const struct subject *subject,
                                struct pack_form form)
{
    char options[80];
    snprintf(options, sizeof options,
             "grid=fit overflow=xbm1 pack=%s header=%s", packs[form.mode],
             headers[form.header]);
    return plugin_build(&subject->map, options);
}

static void expect_fact(const struct plugin_lump *lump, const char *map_name,
                        struct pack_form form, const char *fact, size_t seen)
{
    int64_t told = plugin_number(lump, fact);
    ck_assert_msg(told == (int64_t)seen,
                  "%s, %s, %s: %s is told to be %" PRId64 "; it is %zu",
                  map_name, packs[form.mode], headers[form.header], fact, told,
                  seen);
}

// Lines in the lists of blocks.
struct price {
    size_t entries, extra, worst;
};

// Reads all lists, which must have the lines of the true ones.
static struct price read_lists(struct packed *packed,
                               const struct packed_area *truth)
{
    struct price price = {0};
    ck_assert_uint_eq(packed->block_count, truth->block_count);
    for (size_t b = 0; b < truth->block_count; b++) {
        size_t length;
        const uint32_t *linedefs = packed_area_list(truth, b, &length);
        size_t extra = packed_read(packed, b, linedefs, length);
        price.entries += length;
        price.extra += extra;
        if (extra > price.worst)
            price.worst = extra;
    }
    return price;
}

static void check_form(const struct subject *subject,
                       const struct packed_area *truth, struct pack_form form,
                       struct price *cover_price)
{
    struct plugin_lump lump = build(subject, form);
    struct packed_area area = packed_area_read(lump.bytes, lump.size);
    struct packed packed = packed_area_open(&area, form.header);
    struct price price = read_lists(&packed, truth);
    size_t largest = packed_largest_offset(&packed) + area.first_word;
    // Where a 0 of a wider list serves as header, the price cannot be seen.
    if (form.mode == PACK_COVER && form.header == HEADER_ZERO)
        price = *cover_price;
    else if (form.mode == PACK_COVER)
        *cover_price = price;
    else
        ck_assert_uint_eq(price.extra, 0);
    struct {
        const char *name;
        size_t seen;
    } facts[] = {
        {"words", area.total_words},
        {"largest_offset", largest},
        {"entries", price.entries},
        {"extra_entries", price.extra},
        {"extra_at_worst", price.worst},
        {"lists", packed_count_lists(&packed)},
        {"nested_lists", packed_count_nested(&packed)},
        {"packed_early", 0},
        {"meets_extended", area.total_words <= 65535},
        {"meets_vanilla",
         area.total_words <= 65535 && largest <= VANILLA_OFFSET},
    };
    for (size_t f = 0; f < sizeof facts / sizeof *facts; f++)
        expect_fact(&lump, subject->name, form, facts[f].name, facts[f].seen);
    packed_close(&packed);
    packed_area_free(&area);
    plugin_free(&lump);
}

static void check_map(const struct wadfile_map *wad_map)
{
    struct subject subject;
    struct price cover_price = {0};
    make_subject(wad_map, &subject);
    struct plugin_lump lump =
        build(&subject, (struct pack_form){PACK_SHARE, HEADER_ZERO});
    struct packed_area truth = packed_area_read(lump.bytes, lump.size);
    for (int pack = 0; pack < PACKS; pack++)
        for (int header = HEADERS; header-- > 0;)
            check_form(&subject, &truth,
                       (struct pack_form){(enum pack_mode)pack,
                                          (enum pack_header)header},
                       &cover_price);
    packed_area_free(&truth);
    plugin_free(&lump);
}

START_TEST(packed_lists_are_right)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    for (size_t m = 0; m < wad.map_count; m++)
        check_map(&wad.maps[m]);
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------
// Totals

static const struct {
    struct pack_form form;
    size_t least, most; // bytes
} totals[] = {
    {{PACK_NEST, HEADER_NONE}, 361414, 361414},
    {{PACK_NEST, HEADER_ANY}, 392848, 392848},
    {{PACK_NEST, HEADER_ZERO}, 392848, 399400},
    // A word a map for the empty list.
    {{PACK_COVER, HEADER_NONE}, 361204 - 2 * 32, 361204 + 2 * 32},
};

static bool is_known(const struct wadfile *wad, size_t file)
{
    if (wad->size == known[file].wad_size)
        return true;
    printf("%s: another release than the known one\n", freedoom_name(file));
    return false;
}

START_TEST(known_totals_come_out)
{
    struct wadfile wad = freedoom_read(FREEDOOM2);
    struct pack_form form = totals[_i].form;
    size_t bytes = 0;
    for (size_t m = 0; m < wad.map_count; m++) {
        struct subject subject;
        make_subject(&wad.maps[m], &subject);
        struct plugin_lump lump = build(&subject, form);
        bytes += lump.size;
        plugin_free(&lump);
    }
    printf("%s: %s, %s: %zu bytes\n", freedoom_name(FREEDOOM2),
           packs[form.mode], headers[form.header], bytes);
    if (is_known(&wad, FREEDOOM2)) {
        ck_assert_uint_ge(bytes, totals[_i].least);
        ck_assert_uint_le(bytes, totals[_i].most);
    }
    wadfile_free(&wad);
}
END_TEST

START_TEST(default_lumps_are_what_they_were)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    uLong digest = crc32(0, NULL, 0);
    for (size_t m = 0; m < wad.map_count; m++) {
        struct subject subject;
        make_subject(&wad.maps[m], &subject);
        struct plugin_lump lump = plugin_build(&subject.map, "");
        digest = crc32_z(digest, lump.bytes, lump.size);
        plugin_free(&lump);
    }
    printf("%s: %zu bytes, digest %08lx\n", freedoom_name((size_t)_i), wad.size,
           digest);
    if (is_known(&wad, (size_t)_i))
        ck_assert_uint_eq(digest, known[_i].digest);
    wadfile_free(&wad);
}
END_TEST

// ---------------------------------------------------------------------------
// Vanilla

// Returns whether there is a lump; if not, the limit must have been missed.
static bool check_vanilla(const struct subject *subject, const char *options)
{
    struct plugin_lump lump = plugin_build(&subject->map, options);
    bool is_there = lump.size > 0;
    ck_assert_int_eq(plugin_number(&lump, "meets_vanilla"), is_there);
    ck_assert_int_eq(plugin_number(&lump, "over_limit"), !is_there);
    if (is_there) {
        struct packed_area area = packed_area_read(lump.bytes, lump.size);
        for (size_t b = 0; b < area.block_count; b++)
            ck_assert_uint_le(area.offset[b] + area.first_word, VANILLA_OFFSET);
        ck_assert_uint_le(area.total_words, 65535);
        packed_area_free(&area);
    } else {
        ck_assert_int_gt(plugin_number(&lump, "largest_offset"),
                         VANILLA_OFFSET);
    }
    plugin_free(&lump);
    return is_there;
}

START_TEST(vanilla_preset_meets_the_limit)
{
    struct wadfile wad = freedoom_read((size_t)_i);
    size_t count = 0;
    for (size_t m = 0; m < wad.map_count; m++) {
        struct subject subject;
        make_subject(&wad.maps[m], &subject);
        count += check_vanilla(&subject, "preset=vanilla grid=fit");
        if (m % SEARCH_STRIDE == 0)
            check_vanilla(&subject, "preset=vanilla");
    }
    printf("%s: %zu of %zu maps meet the limit of vanilla\n",
           freedoom_name((size_t)_i), count, wad.map_count);
    wadfile_free(&wad);
    ck_assert_uint_gt(count, 0);
}
END_TEST

// ---------------------------------------------------------------------------

static Suite *make_suite(void)
{
    Suite *suite = suite_create("pack");
    TCase *maps = tcase_create("Freedoom");
    tcase_set_timeout(maps, 600);
    tcase_add_loop_test(maps, packed_lists_are_right, 0, FREEDOOM_FILES);
    tcase_add_loop_test(maps, known_totals_come_out, 0,
                        sizeof totals / sizeof *totals);
    tcase_add_loop_test(maps, default_lumps_are_what_they_were, 0,
                        FREEDOOM_FILES);
    tcase_add_loop_test(maps, vanilla_preset_meets_the_limit, 0,
                        FREEDOOM_FILES);
    suite_add_tcase(suite, maps);
    return suite;
}

int main(void)
{
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    return run_suite(make_suite());
}
