// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves on maps whose present lump meets the vanilla limit while shared lists
// do not, three of each map of Freedoom and more:
//
// - a lump goes past that limit only if nesting is no help, and with a warning
//   that names the map, both offsets, the engines, and options with which the
//   limit is met;
// - preset=repack and lists=lump neither go past it nor make a lump larger;
// - built once more, on the lump that was built, a map gets the same bytes;
// - the lists have the lines of their blocks, or are those of the old lump;
// - where the present lump meets the extended limit only, it is the same;
// - merging lists with a weaker header has no more extra entries than with a
//   stronger one, never more than there are entries, and none missing.
//
// The maps are Freedoom's, side by side, with as many lines as it takes.  Where
// lumps meet the limit is what the lump reader of the tests says.  Only some
// maps are searched and merged, as that takes long; with LONG in the
// environment twice as many are.  FREEDOOM_DIR names the folder of the WAD
// files; without them the test is skipped.

#include "blocklists.h"
#include "freedoom.h"
#include "run-suite.h"
#include "tiles.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    VANILLA_OFFSET = 32767,
    MOST_WORDS = 65535,
    TAG_LEFT_OUT = 999,   // linedefs that ask to be in no list
    LEFT_OUT_STRIDE = 12, // linedefs between those that a builder has pruned
    SEARCHED_STRIDE = 5,  // maps between those on a searched grid
    MERGED_STRIDE = 7,    // and those that are merged
    EXTENDED_MAPS = 5,
    TEXT_SIZE = 256,
};

static bool tries_more; // LONG

// Whether a map is among those of a stride.
static bool is_tried(size_t number, size_t stride)
{
    return number % (tries_more && stride > 1 ? stride / 2 : stride) == 0;
}

// What is checked, for messages.
static char where[TEXT_SIZE];

static bool meets_vanilla(const struct blocklists *lists)
{
    return lists->largest_offset <= VANILLA_OFFSET &&
           lists->word_count <= MOST_WORDS;
}

// ---------------------------------------------------------------------------
// Maps

// How the present lump of a map was made.
enum kind {
    KIND_SHARE,  // nested, and shared lists are hardly past the limit
    KIND_NEST,   // nested, and at the limit
    KIND_PRUNE,  // shared without some lines, and at the limit
    KIND_SEARCH, // as KIND_NEST on another grid
    KIND_BEYOND, // no lump, and nesting without headers is past the limit
    KIND_COUNT
};

static const struct {
    const char *name;
    const char *options; // of the lump, and of what is to meet the limit
    // How Doom 1.9 reads the present lump, so that nothing is lost.
    enum blocklists_header header;
    size_t stride, least; // of the maps
} kinds[KIND_COUNT] = {
    {"share", "pack=nest header=none prune=none", LISTS_NONE, 1, 70},
    {"nest", "pack=nest header=none prune=none", LISTS_NONE, 1, 70},
    {"prune", "pack=share header=zero prune=tagged", LISTS_ZERO, 1, 70},
    {"search", "pack=nest header=any prune=none", LISTS_NONE, SEARCHED_STRIDE,
     10},
    {"beyond", "pack=nest header=none prune=none", LISTS_NONE, MERGED_STRIDE,
     10},
};

struct subject {
    enum kind kind;
    struct random_map tiled;
    char grid[32]; // the option
    struct plugin_lump present;
    struct lump_set set; // the present lump
    struct nbstage_map map;
    struct blocklists lists; // of the present lump
    struct oracle_line *lines;
};

static size_t largest_offset(const struct nbstage_map *map, const char *options)
{
    struct plugin_lump lump = plugin_build(map, options);
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    size_t largest = lists.largest_offset;
    blocklists_free(&lists);
    plugin_free(&lump);
    return largest;
}

static void print_options(const struct subject *subject, const char *options,
                          char text[TEXT_SIZE])
{
    snprintf(text, TEXT_SIZE, "%s limit=extended overflow=xbm1 %s",
             subject->grid, options);
}

// Leaves the map as many of its lines, which are too many, as have no offset
// beyond `most` with these options.  Offsets nearly grow with the lines.
static void keep_lines(struct subject *subject, const char *options,
                       size_t most)
{
    size_t *count = &subject->map.line_count;
    size_t enough = 1, too_many = *count;
    char text[TEXT_SIZE];
    print_options(subject, options, text);
    size_t high = largest_offset(&subject->map, text);
    size_t low = 0;
    for (size_t step = 1; enough + 1 < too_many; step++) {
        size_t more = (too_many - enough) / 2;
        if (step % 3 != 0)
            more = (too_many - enough) * (most - low) / (high - low);
        *count = enough + (more > 0 ? more : 1);
        size_t offset = largest_offset(&subject->map, text);
        if (offset <= most) {
            enough = *count;
            low = offset;
        } else {
            too_many = *count;
            high = offset;
        }
    }
    *count = enough;
}

// The fewest tiles with which every packing has a larger offset; false if there
// is no room for so many.
static bool make_tiles(const struct freedoom_map *map, size_t least,
                       struct subject *subject)
{
    uint32_t tiles = 1;
    while (tiles_make(&map->map, tiles, &subject->tiled)) {
        char text[TEXT_SIZE];
        print_options(subject, "pack=nest header=none prune=none", text);
        subject->map = random_map_arrays(&subject->tiled, map->map.name);
        size_t offset = largest_offset(&subject->map, text);
        if (offset > least)
            return true;
        random_map_free(&subject->tiled);
        uint32_t more = (uint32_t)(tiles * (least / offset));
        tiles = more > tiles ? more : tiles + 1;
    }
    return false;
}

static void tag_lines(struct subject *subject, uint32_t tag)
{
    for (size_t i = 0; i < subject->tiled.line_count; i += LEFT_OUT_STRIDE)
        subject->tiled.lines[i].tag = tag;
}

static void search_for_grid(struct subject *subject)
{
    struct plugin_lump lump = plugin_build(
        &subject->map, "grid=search pack=share threads=1 overflow=xbm1");
    snprintf(subject->grid, sizeof subject->grid, "grid=%d,%d",
             (int)plugin_number(&lump, "origin_x"),
             (int)plugin_number(&lump, "origin_y"));
    plugin_free(&lump);
}

static void choose_lines(struct subject *subject)
{
    const char *options = kinds[subject->kind].options;
    if (subject->kind == KIND_SHARE) {
        keep_lines(subject, "pack=share header=zero prune=none",
                   VANILLA_OFFSET);
        subject->map.line_count++;
        return;
    }
    keep_lines(subject, options, VANILLA_OFFSET);
    if (subject->kind != KIND_BEYOND)
        return;
    // More or less, so that merging is not always cheap enough.
    const size_t percent = 102 + subject->tiled.line_count % 3 * 25;
    subject->map.line_count = subject->map.line_count * percent / 100;
}

static void make_present(struct subject *subject)
{
    char text[TEXT_SIZE];
    print_options(subject, kinds[subject->kind].options, text);
    subject->present = plugin_build(&subject->map, text);
    subject->lists =
        blocklists_read(subject->present.bytes, subject->present.size);
    if (subject->kind == KIND_BEYOND)
        return;
    lump_set_view(&subject->set, "BLOCKMAP", subject->present.bytes,
                  subject->present.size);
    subject->map.lumps = subject->set.lumps;
    subject->map.lump_count = subject->set.count;
}

static void free_subject(struct subject *subject)
{
    free(subject->lines);
    blocklists_free(&subject->lists);
    plugin_free(&subject->present);
    lump_set_free(&subject->set);
    random_map_free(&subject->tiled);
}

// Makes a map, for free_subject; false if its tiles have no room.
static bool make_subject(enum kind kind, const struct freedoom_map *map,
                         struct subject *subject)
{
    *subject = (struct subject){.kind = kind, .grid = "grid=fit"};
    size_t least = kind == KIND_BEYOND ? MOST_WORDS : VANILLA_OFFSET;
    if (!make_tiles(map, least, subject))
        return false;
    if (kind == KIND_SEARCH)
        search_for_grid(subject);
    if (kind == KIND_PRUNE)
        tag_lines(subject, TAG_LEFT_OUT);
    choose_lines(subject);
    make_present(subject);
    tag_lines(subject, 0);
    subject->lines = plugin_oracle_lines(&subject->map);
    return true;
}

// Whether the present lump meets the limit, and shared lists do not.
static bool is_at_limit(const struct subject *subject)
{
    return meets_vanilla(&subject->lists) &&
           largest_offset(&subject->map,
                          "pack=share header=zero limit=extended") >
               VANILLA_OFFSET;
}

// ---------------------------------------------------------------------------
// Never worse

static const struct run {
    const char *options;
    enum blocklists_header header;
    bool keeps;       // what it would make worse
    bool keeps_lists; // stores those of the present lump
    size_t stride;    // of the maps
} runs[] = {
    {"", LISTS_ZERO, false, false, 1},
    {"preset=repack", LISTS_ZERO, true, false, 1},
    {"lists=lump", LISTS_ZERO, true, true, 1},
    {"lists=lump pack=nest header=none", LISTS_NONE, true, true, 4},
    {"for=mbf21", LISTS_NONE, false, false, 4},
    {"preset=id", LISTS_ZERO, false, false, 6},
    {"limit=extended", LISTS_ZERO, false, false, 6},
    {"header=any", LISTS_ANY, false, false, 6},
    {"overflow=merge", LISTS_ZERO, false, false, 6},
    {"preset=small", LISTS_ZERO, false, false, 32},
    {"preset=vanilla", LISTS_NONE, false, false, 32},
};

// How many maps had which outcome with each of the runs.
struct tally {
    size_t maps, kept, nested, merged, warned;
};

// The warnings of a build.
struct warnings {
    char text[4096];
};

static void add_warning(void *context, int32_t level, const char *message)
{
    struct warnings *warnings = context;
    size_t length = strlen(warnings->text);
    if (level == NBSTAGE_LOG_WARNING)
        snprintf(warnings->text + length, sizeof warnings->text - length,
                 "%s\n", message);
}

static struct plugin_lump build(const struct nbstage_map *map,
                                const char *options, struct warnings *warnings)
{
    const struct nbstage_host host = {
        .size = sizeof host, .context = warnings, .log = add_warning};
    *warnings = (struct warnings){0};
    return plugin_build_for(&host, map, options);
}

// Adds the options that a sentence names, such as "pack=nest", to others;
// returns how many.
static size_t add_options(const char *sentence, char options[TEXT_SIZE])
{
    size_t count = 0;
    char copy[TEXT_SIZE];
    char *rest;
    snprintf(copy, sizeof copy, "%s", sentence);
    for (char *word = strtok_r(copy, " ;", &rest); word;
         word = strtok_r(NULL, " ;", &rest)) {
        size_t length = strlen(options);
        if (!strchr(word, '='))
            continue;
        if (word[strlen(word) - 1] == ',')
            word[strlen(word) - 1] = '\0';
        snprintf(options + length, TEXT_SIZE - length, " %s", word);
        count++;
    }
    return count;
}

static void check_advice(const struct subject *subject, const char *options,
                         const char *advice)
{
    char better[TEXT_SIZE];
    struct plugin_lump lump;
    snprintf(better, sizeof better, "%s", options);
    ck_assert_msg(add_options(advice, better) > 0,
                  "%s: no option is named in '%s'", where, advice);
    ck_assert_msg(plugin_build_within(&subject->map, better, &lump),
                  "%s: '%s' fails; '%s'", where, better, advice);
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    ck_assert_msg(meets_vanilla(&lists),
                  "%s: with '%s' the largest offset is %zu; '%s'", where,
                  better, lists.largest_offset, advice);
    blocklists_free(&lists);
    plugin_free(&lump);
}

// A lump goes past the limit only if nesting is no help, or was not to be
// tried.
static void check_nesting(const struct subject *subject, const char *options)
{
    char nested[TEXT_SIZE];
    if (strstr(options, "limit=extended"))
        return;
    snprintf(nested, sizeof nested, "%s pack=nest", options);
    size_t offset = largest_offset(&subject->map, nested);
    ck_assert_msg(offset > VANILLA_OFFSET,
                  "%s: past the limit, and %zu with pack=nest", where, offset);
}

// Checks what is said of a lump that may be past the limit.
static void check_warnings(const struct subject *subject, const char *options,
                           const struct blocklists *lists,
                           const struct warnings *warnings)
{
    static const char engines[] = "Doom 1.9, Chocolate Doom";
    char offsets[TEXT_SIZE], advice[TEXT_SIZE], name[16];
    const char *about = strstr(warnings->text, engines);
    snprintf(name, sizeof name, "%s: ", subject->map.name);
    snprintf(offsets, sizeof offsets, "largest offset is %zu and was %zu;",
             lists->largest_offset, subject->lists.largest_offset);
    ck_assert_msg(!about == meets_vanilla(lists),
                  "%s: the largest offset is %zu, and the warnings are '%s'",
                  where, lists->largest_offset, warnings->text);
    if (!about)
        return;
    ck_assert_msg(strstr(warnings->text, offsets) &&
                      strstr(warnings->text, name),
                  "%s: '%s' and '%s' were expected in '%s'", where, name,
                  offsets, warnings->text);
    check_nesting(subject, options);
    about += strlen(engines);
    snprintf(advice, sizeof advice, "%.*s", (int)strcspn(about, "\n"), about);
    check_advice(subject, options, advice);
}

static void check_exact(const struct subject *subject,
                        const struct blocklists *lists,
                        enum blocklists_header header)
{
    struct oracle_entry_list truth = oracle_find_entries(
        &lists->grid, subject->lines, subject->map.line_count);
    blocklists_check(lists, header);
    struct blocklists_counts counts = blocklists_compare(
        lists, header, &truth, subject->map.line_count, NULL);
    ck_assert_msg(counts.missing + counts.extra + counts.unknown == 0,
                  "%s: %zu entries are missing and %zu extra", where,
                  counts.missing, counts.extra);
    oracle_free_entries(&truth);
}

static void check_same_lists(const struct subject *subject,
                             const struct blocklists *lists,
                             enum blocklists_header header)
{
    struct oracle_entry_list old =
        blocklists_entries(&subject->lists, kinds[subject->kind].header);
    struct oracle_entry_list new = blocklists_entries(lists, header);
    oracle_compare(where, &old, &new);
    oracle_free_entries(&old);
    oracle_free_entries(&new);
}

static void check_lists(const struct subject *subject, const struct run *run,
                        const struct plugin_lump *lump,
                        const struct blocklists *lists)
{
    bool is_kept = plugin_number(lump, "kept") != 0;
    if (is_kept)
        ck_assert_msg(
            lump->size == subject->present.size &&
                memcmp(lump->bytes, subject->present.bytes, lump->size) == 0,
            "%s: the lump is said to be kept, and is another", where);
    else if (run->keeps_lists)
        check_same_lists(subject, lists, run->header);
    else if (plugin_number(lump, "merges") == 0)
        check_exact(subject, lists, run->header);
    if (run->keeps)
        ck_assert_msg(
            lump->size <= subject->present.size && meets_vanilla(lists),
            "%s: %zu bytes and %zu as largest offset, before %zu and %zu",
            where, lump->size, lists->largest_offset, subject->present.size,
            subject->lists.largest_offset);
    else
        ck_assert_msg(!is_kept, "%s: the lump is said to be kept", where);
}

// Builds once more with the lump that was built.
static void check_twice(const struct subject *subject, const char *options,
                        const struct plugin_lump *lump)
{
    struct lump_set set = {.map_name = subject->map.name};
    struct nbstage_map map = subject->map;
    lump_set_view(&set, "BLOCKMAP", lump->bytes, lump->size);
    map.lumps = set.lumps;
    struct plugin_lump again = plugin_build(&map, options);
    ck_assert_msg(again.size == lump->size &&
                      memcmp(again.bytes, lump->bytes, lump->size) == 0,
                  "%s: the second build has %zu bytes, the first %zu, and they "
                  "differ",
                  where, again.size, lump->size);
    plugin_free(&again);
    lump_set_free(&set);
}

static void check_run(const struct subject *subject, const struct run *run,
                      struct tally *tally)
{
    struct warnings warnings;
    struct plugin_lump lump = build(&subject->map, run->options, &warnings);
    struct blocklists lists = blocklists_read(lump.bytes, lump.size);
    bool is_lost = !meets_vanilla(&lists);
    ck_assert_msg((plugin_number(&lump, "lost_limit") != 0) == is_lost,
                  "%s: the fact lost_limit is wrong", where);
    check_warnings(subject, run->options, &lists, &warnings);
    check_lists(subject, run, &lump, &lists);
    check_twice(subject, run->options, &lump);
    tally->maps++;
    tally->kept += plugin_number(&lump, "kept") != 0;
    tally->nested += plugin_number(&lump, "nested_lists") > 0;
    tally->merged += plugin_number(&lump, "merges") > 0;
    tally->warned += is_lost;
    blocklists_free(&lists);
    plugin_free(&lump);
}

// ---------------------------------------------------------------------------
// Merging

// From the strongest.
static const struct {
    const char *name;
    enum blocklists_header header;
} headers[] = {{"zero", LISTS_ZERO}, {"any", LISTS_ANY}, {"none", LISTS_NONE}};

// Returns how many extra entries a lump has.
static int64_t check_merged(const struct subject *subject,
                            const struct plugin_lump *lump,
                            enum blocklists_header header)
{
    struct blocklists lists = blocklists_read(lump->bytes, lump->size);
    struct oracle_entry_list truth = oracle_find_entries(
        &lists.grid, subject->lines, subject->map.line_count);
    blocklists_check(&lists, header);
    struct blocklists_counts price = blocklists_compare(
        &lists, header, &truth, subject->map.line_count, NULL);
    int64_t extra = plugin_number(lump, "extra_entries");
    ck_assert_msg(meets_vanilla(&lists), "%s: the largest offset is %zu", where,
                  lists.largest_offset);
    ck_assert_msg(price.missing + price.unknown == 0,
                  "%s: %zu entries are missing", where, price.missing);
    ck_assert_msg(extra >= (int64_t)price.extra &&
                      extra <= (int64_t)(price.extra + price.doubtful),
                  "%s: told of %ld extra entries; there are %zu, or %zu more",
                  where, (long)extra, price.extra, price.doubtful);
    ck_assert_msg(extra <= (int64_t)truth.count,
                  "%s: %ld extra entries for %zu", where, (long)extra,
                  truth.count);
    oracle_free_entries(&truth);
    blocklists_free(&lists);
    return extra;
}

static void check_merging(const struct subject *subject, struct tally *tally)
{
    struct nbstage_map map = subject->map;
    int64_t stronger = INT64_MAX;
    size_t place = strlen(where);
    map.lump_count = 0;
    for (size_t h = 0; h < COUNT(headers); h++) {
        char options[TEXT_SIZE];
        struct plugin_lump lump;
        int64_t extra = INT64_MAX;
        snprintf(options, sizeof options,
                 "%s pack=nest header=%s prune=none limit=vanilla "
                 "overflow=merge,error",
                 subject->grid, headers[h].name);
        snprintf(where + place, sizeof where - place, ", header=%s",
                 headers[h].name);
        if (plugin_build_within(&map, options, &lump)) {
            extra = check_merged(subject, &lump, headers[h].header);
            tally->merged += plugin_number(&lump, "merges") > 0;
            plugin_free(&lump);
        }
        ck_assert_msg(extra <= stronger,
                      "%s: %ld extra entries; with the header before, %ld",
                      where, (long)extra, (long)stronger);
        stronger = extra;
        tally->maps++;
        tally->warned += extra == INT64_MAX;
    }
    where[place] = '\0';
}

// ---------------------------------------------------------------------------

static void check_runs(const struct subject *subject, size_t number,
                       struct tally tallies[COUNT(runs)])
{
    size_t place = strlen(where);
    for (size_t r = 0; r < COUNT(runs); r++) {
        if (!is_tried(number + r, runs[r].stride))
            continue;
        snprintf(where + place, sizeof where - place, ", '%s'",
                 runs[r].options);
        check_run(subject, &runs[r], &tallies[r]);
    }
    where[place] = '\0';
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void report(enum kind kind, size_t map_count,
                   const struct tally tallies[COUNT(runs)],
                   const struct tally *merging)
{
    for (size_t r = 0; r < COUNT(runs); r++)
        printf("%s, '%s': %zu maps, %zu kept, %zu nested, %zu merged, "
               "%zu warned\n",
               kinds[kind].name, runs[r].options, tallies[r].maps,
               tallies[r].kept, tallies[r].nested, tallies[r].merged,
               tallies[r].warned);
    printf("%s, merging: %zu lumps, %zu merged, %zu failed\n", kinds[kind].name,
           merging->maps, merging->merged, merging->warned);
    printf("%s: %zu maps, %.1f s\n", kinds[kind].name, map_count, seconds());
}

LOOP_TEST(lumps_are_never_worse, KIND_COUNT)
{
    const enum kind kind = (enum kind)_i;
    struct tally tallies[COUNT(runs)] = {0};
    struct tally merging = {0};
    size_t count = 0;
    for (size_t m = 0; m < FREEDOOM_MAPS; m += SLOWNESS) {
        struct subject subject;
        if (!is_tried(m / SLOWNESS, kinds[kind].stride))
            continue;
        snprintf(where, sizeof where, "%s, %s, %s", kinds[kind].name,
                 freedoom_name(freedoom_maps[m].file),
                 freedoom_maps[m].map.name);
        if (!make_subject(kind, &freedoom_maps[m], &subject))
            continue;
        if (kind == KIND_BEYOND || is_at_limit(&subject)) {
            if (kind != KIND_BEYOND)
                check_runs(&subject, count, tallies);
            if (kind == KIND_BEYOND || is_tried(count, MERGED_STRIDE))
                check_merging(&subject, &merging);
            count++;
        }
        free_subject(&subject);
    }
    report(kind, count, tallies, &merging);
    ck_assert_uint_ge(count * SLOWNESS, kinds[kind].least);
    ck_assert_uint_gt(kind == KIND_BEYOND ? merging.merged : tallies[0].maps,
                      0);
}

// ---------------------------------------------------------------------------
// The other limit

// Some maps whose present lump has nearly as many words as there may be.
LOOP_TEST(extended_limit_is_kept, EXTENDED_MAPS)
{
    static const struct {
        const char *options;
        bool keeps;
        const char *warning; // of a lump that does not meet the limit
    } tries[] = {
        {"preset=repack", true, ""},
        {"lists=lump", true, ""},
        {"for=mbf21", true, "lists are nested"},
        {"", false, "was left empty"},
        {"overflow=xbm1", false, "XBM1 now"},
    };
    const struct freedoom_map *freedoom =
        &freedoom_maps[(size_t)_i * FREEDOOM_MAPS / EXTENDED_MAPS];
    struct subject subject = {.kind = KIND_NEST, .grid = "grid=fit"};
    size_t place = (size_t)snprintf(where, sizeof where, "extended, %s, ",
                                    freedoom->map.name);
    ck_assert(make_tiles(freedoom, MOST_WORDS, &subject));
    keep_lines(&subject, kinds[KIND_NEST].options, MOST_WORDS - 500);
    make_present(&subject);
    ck_assert_uint_le(subject.lists.word_count, MOST_WORDS);
    for (size_t t = 0; t < COUNT(tries); t++) {
        struct warnings warnings;
        snprintf(where + place, sizeof where - place, "'%s'", tries[t].options);
        struct plugin_lump lump =
            build(&subject.map, tries[t].options, &warnings);
        ck_assert_msg(strstr(warnings.text, tries[t].warning) &&
                          !strstr(warnings.text, "crash"),
                      "%s: the warnings are '%s'", where, warnings.text);
        bool is_met = lump.size > 0 && lump.size <= subject.present.size;
        ck_assert_msg(is_met == tries[t].keeps, "%s: %zu bytes, before %zu",
                      where, lump.size, subject.present.size);
        plugin_free(&lump);
    }
    free_subject(&subject);
}

int main(void)
{
    TCase *maps = all_tests();
    if (!freedoom_is_there())
        return FREEDOOM_SKIPPED;
    tries_more = getenv("LONG") != NULL;
    tcase_set_timeout(maps, 3600);
    tcase_add_unchecked_fixture(maps, freedoom_load, freedoom_unload);
    return run_suite(maps);
}
