// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the table of options and what is done with values agree: every
// choice is accepted and does what it says, anything else is refused with a
// sentence that names all there is.

#include "context-for-tests.h"
#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static struct build_options options;
static char message[CONTEXT_MESSAGE_SIZE];

static nbstage_status set(const char *name, const char *value)
{
    return options_set(&options, name, value, message, sizeof message);
}

// Options whose every byte is known, as the defaults set them.
static void set_defaults(void)
{
    memset(&options, 0x5A, sizeof options);
    options_set_defaults(&options);
    message[0] = '\0';
}

static bool same_options(const struct build_options *a,
                         const struct build_options *b)
{
    return a->grid.placement == b->grid.placement && a->grid.x == b->grid.x &&
           a->grid.y == b->grid.y && a->bounds == b->bounds &&
           a->prune == b->prune && a->pack.mode == b->pack.mode &&
           a->pack.header == b->pack.header && a->fit == b->fit &&
           a->format == b->format && a->limit == b->limit &&
           a->overflow == b->overflow && a->check_nodes == b->check_nodes &&
           a->inflate_limit == b->inflate_limit && a->goal == b->goal &&
           a->threads == b->threads && a->source == b->source &&
           a->limits.blocks == b->limits.blocks &&
           a->limits.entries == b->limits.entries &&
           a->limits.memory == b->limits.memory;
}

// ---------------------------------------------------------------------------
// The table

START_TEST(defaults_are_what_the_table_says)
{
    const struct build_options expected = options;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        ck_assert_int_eq(
            set(options_table[i].name, options_table[i].default_value),
            NBSTAGE_OK);
    ck_assert(same_options(&options, &expected));
    const struct build_options known = {
        .source = BUILD_SOURCE_GEOMETRY,
        .grid = {.placement = GRID_AUTO},
        .goal = LIMIT_NONE,
        .bounds = BUILD_BOUNDS_LINES,
        .prune = PRUNE_TAGGED,
        .pack = {PACK_SHARE, HEADER_ZERO},
        .fit = LIMIT_NONE,
        .format = BUILD_FORMAT_AUTO,
        .limit = BUILD_LIMIT_EXTENDED,
        .overflow = BUILD_OVERFLOW_EMPTY,
        .inflate_limit = (size_t)1024 << 20,
        .limits = {.blocks = GRID_MAX_SIDE * GRID_MAX_SIDE, .entries = 1 << 24},
    };
    ck_assert(same_options(&options, &known));
}
END_TEST

// Every choice there is, and the setting it comes to.
#define SETTING(member) offsetof(struct build_options, member)
static const struct {
    const char *name;
    const char *value;
    size_t setting; // an enumeration, or the flag
    int expected;
} meanings[] = {
    {"source", "geometry", SETTING(source), BUILD_SOURCE_GEOMETRY},
    {"source", "lump", SETTING(source), BUILD_SOURCE_LUMP},
    {"grid", "auto", SETTING(grid.placement), GRID_AUTO},
    {"grid", "keep", SETTING(grid.placement), GRID_KEEP},
    {"grid", "fit", SETTING(grid.placement), GRID_FIT},
    {"grid", "id", SETTING(grid.placement), GRID_ID},
    {"grid", "search", SETTING(grid.placement), GRID_SEARCH},
    {"goal", "smallest", SETTING(goal), LIMIT_NONE},
    {"goal", "vanilla", SETTING(goal), LIMIT_VANILLA},
    {"goal", "extended", SETTING(goal), LIMIT_EXTENDED},
    {"bounds", "lines", SETTING(bounds), BUILD_BOUNDS_LINES},
    {"bounds", "vertices", SETTING(bounds), BUILD_BOUNDS_VERTICES},
    {"prune", "tagged", SETTING(prune), PRUNE_TAGGED},
    {"prune", "inert", SETTING(prune), PRUNE_INERT},
    {"prune", "none", SETTING(prune), PRUNE_NONE},
    {"pack", "none", SETTING(pack.mode), PACK_NONE},
    {"pack", "share", SETTING(pack.mode), PACK_SHARE},
    {"pack", "nest", SETTING(pack.mode), PACK_NEST},
    {"pack", "cover", SETTING(pack.mode), PACK_COVER},
    {"header", "zero", SETTING(pack.header), HEADER_ZERO},
    {"header", "any", SETTING(pack.header), HEADER_ANY},
    {"header", "none", SETTING(pack.header), HEADER_NONE},
    {"fit", "none", SETTING(fit), LIMIT_NONE},
    {"fit", "vanilla", SETTING(fit), LIMIT_VANILLA},
    {"fit", "extended", SETTING(fit), LIMIT_EXTENDED},
    {"format", "auto", SETTING(format), BUILD_FORMAT_AUTO},
    {"format", "doom", SETTING(format), BUILD_FORMAT_DOOM},
    {"format", "xbm1", SETTING(format), BUILD_FORMAT_XBM1},
    {"limit", "extended", SETTING(limit), BUILD_LIMIT_EXTENDED},
    {"limit", "vanilla", SETTING(limit), BUILD_LIMIT_VANILLA},
    {"overflow", "empty", SETTING(overflow), BUILD_OVERFLOW_EMPTY},
    {"overflow", "xbm1", SETTING(overflow), BUILD_OVERFLOW_XBM1},
    {"overflow", "error", SETTING(overflow), BUILD_OVERFLOW_ERROR},
    {"check-nodes", "no", SETTING(check_nodes), false},
    {"check-nodes", "yes", SETTING(check_nodes), true},
};

static int setting_of(const struct build_options *from, size_t setting)
{
    const char *at = (const char *)from + setting;
    int value;
    bool flag;
    if (setting == SETTING(check_nodes)) {
        memcpy(&flag, at, sizeof flag);
        return flag;
    }
    memcpy(&value, at, sizeof value);
    return value;
}

// A choice sets its setting; set back, nothing else has changed.
START_TEST(choices_mean_what_they_say)
{
    const struct build_options defaults = options;
    const size_t setting = meanings[_i].setting;
    ck_assert_int_eq(set(meanings[_i].name, meanings[_i].value), NBSTAGE_OK);
    ck_assert_str_eq(message, "");
    ck_assert_int_eq(setting_of(&options, setting), meanings[_i].expected);
    const size_t size =
        setting == SETTING(check_nodes) ? sizeof(bool) : sizeof(int);
    memcpy((char *)&options + setting, (const char *)&defaults + setting, size);
    ck_assert(same_options(&options, &defaults));
}
END_TEST

static const struct {
    const char *value;
    enum grid_placement grid;
    struct pack_form pack;
    enum build_limit limit;
} presets[] = {
    {"compatible", GRID_AUTO, {PACK_SHARE, HEADER_ZERO}, BUILD_LIMIT_EXTENDED},
    {"repack", GRID_KEEP, {PACK_NEST, HEADER_ZERO}, BUILD_LIMIT_EXTENDED},
    {"small", GRID_SEARCH, {PACK_NEST, HEADER_ZERO}, BUILD_LIMIT_EXTENDED},
    {"vanilla", GRID_SEARCH, {PACK_NEST, HEADER_NONE}, BUILD_LIMIT_VANILLA},
    {"id", GRID_ID, {PACK_SHARE, HEADER_ZERO}, BUILD_LIMIT_EXTENDED},
};

// A preset sets what it is made of, whatever was set before, and nothing else.
START_TEST(presets_are_options_by_one_name)
{
    struct build_options expected = options;
    expected.grid.placement = presets[_i].grid;
    expected.pack = presets[_i].pack;
    expected.limit = presets[_i].limit;
    expected.check_nodes = options.check_nodes = true;
    ck_assert_int_eq(set("grid", "1,2"), NBSTAGE_OK);
    ck_assert_int_eq(set("goal", "extended"), NBSTAGE_OK);
    ck_assert_int_eq(set("pack", "cover"), NBSTAGE_OK);
    ck_assert_int_eq(set("header", "any"), NBSTAGE_OK);
    ck_assert_int_eq(set("preset", presets[_i].value), NBSTAGE_OK);
    ck_assert(same_options(&options, &expected));
    ck_assert_int_eq(set("pack", "none"), NBSTAGE_OK);
    ck_assert_int_eq(options.pack.mode, PACK_NONE);
}
END_TEST

static const struct {
    const char *name;
    const char *value;
    long long expected; // -1: refused
} integers[] = {
    {"inflate-limit", "1", 1 << 20},
    {"inflate-limit", "512", 512 << 20},
    {"inflate-limit", "0", -1},
    {"inflate-limit", "1048577", -1},
    {"inflate-limit", "18446744073709551617", -1},
    {"inflate-limit", "1.5", -1},
    {"inflate-limit", "1x", -1},
    {"inflate-limit", " 1", -1},
    {"threads", "0", 0},
    {"threads", "1", 1},
    {"threads", "99", 99},
    {"threads", "128", 128},
    {"threads", "129", -1},
};

START_TEST(integers_are_held_to_their_range)
{
    const long long expected = integers[_i].expected;
    const bool is_thread = strcmp(integers[_i].name, "threads") == 0;
    options.threads = 7; // so that 0 is seen to be set
    const struct build_options before = options;
    const nbstage_status status = set(integers[_i].name, integers[_i].value);
    if (expected < 0) {
        ck_assert_int_eq(status, NBSTAGE_BAD_VALUE);
        ck_assert(same_options(&options, &before));
        assert_tells(message, integers[_i].name,
                     is_thread ? "0 to 128" : "1 to 1048576");
    } else {
        ck_assert_int_eq(status, NBSTAGE_OK);
        ck_assert_int_eq(
            (long long)(is_thread ? options.threads : options.inflate_limit),
            expected);
    }
}
END_TEST

// A choice added to the table has to be added above.
START_TEST(every_choice_has_a_meaning_tested)
{
    size_t choices = 0;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        choices += options_table[i].choice_count;
    ck_assert_uint_eq(choices, COUNT(meanings) + COUNT(presets));
}
END_TEST

// ---------------------------------------------------------------------------
// The form X,Y

static const struct {
    const char *value;
    int32_t x, y;
} origins[] = {
    {"0,0", 0, 0},
    {"-32768,32767", -32768, 32767},
    {"32767,-32768", 32767, -32768},
    {"-8,+9", -8, 9},
    {"19,-1990", 19, -1990},
    {"-0,007", 0, 7},
};

START_TEST(origins_are_read)
{
    ck_assert_int_eq(set("grid", origins[_i].value), NBSTAGE_OK);
    ck_assert_int_eq(options.grid.placement, GRID_AT);
    ck_assert_int_eq(options.grid.x, origins[_i].x);
    ck_assert_int_eq(options.grid.y, origins[_i].y);
    ck_assert_int_eq(set("grid", "auto"), NBSTAGE_OK);
    ck_assert_int_eq(options.grid.placement, GRID_AUTO);
}
END_TEST

// ---------------------------------------------------------------------------
// What is refused

static const char *const no_values[] = {
    "", "no-such-value", "Share", "shar", "shares", " share", "-1",
    // No X,Y either.
    "0,0x", "4294967296,0", "0,18446744073709551616", "32768,0", "0,32768",
    "-32769,0", "0,-32769", "65536,0", "1,", ",1", ",", "1,2,3", "1,2,", ",1,2",
    " 1,2", "1 ,2", "1, 2", "1,2 ", "1.5,2", "1,2.5", "0x1,2", "1e1,2", "--1,2",
    "+-1,2", "-,1", "1,-", "1;2", "1,2\n"};

START_TEST(unknown_values_are_refused)
{
    // A sentence is one line.
    char told[64];
    snprintf(told, sizeof told, "%s", no_values[_i]);
    if (strchr(told, '\n'))
        *strchr(told, '\n') = '?';
    ck_assert_int_eq(set("grid", "12,34"), NBSTAGE_OK);
    const struct build_options before = options;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct nbstage_option *option = &options_table[i];
        ck_assert_int_eq(set(option->name, no_values[_i]), NBSTAGE_BAD_VALUE);
        ck_assert(same_options(&options, &before));
        assert_tells(message, option->name, told);
        for (size_t c = 0; c < option->choice_count; c++)
            assert_tells(message, option->choices[c].name);
        if (option->form)
            assert_tells(message, option->form);
    }
}
END_TEST

static const char *const no_names[] = {
    "", "no-such-option", "Grid", "gri", "grids", " grid", "grid=fit"};

START_TEST(unknown_names_are_refused)
{
    const struct build_options before = options;
    ck_assert_int_eq(set(no_names[_i], "fit"), NBSTAGE_UNKNOWN_OPTION);
    ck_assert(same_options(&options, &before));
    assert_tells(message, no_names[_i]);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        assert_tells(message, options_table[i].name);
}
END_TEST

// Whatever it is given, the sentence still ends with what is valid.
START_TEST(long_nonsense_does_not_crowd_out_what_is_valid)
{
    char nonsense[10000];
    memset(nonsense, 'x', sizeof nonsense - 1);
    nonsense[sizeof nonsense - 1] = '\0';
    ck_assert_int_eq(set("grid", nonsense), NBSTAGE_BAD_VALUE);
    assert_tells(message, "auto, keep, fit, id, search or X,Y");
    ck_assert_int_eq(set(nonsense, "fit"), NBSTAGE_UNKNOWN_OPTION);
    assert_tells(message,
                 "preset, source, grid, goal, threads, bounds, prune, pack, "
                 "header, fit, format, "
                 "limit, overflow, check-nodes, inflate-limit, max-blocks, "
                 "max-entries or max-memory");
    ck_assert_int_eq(set("pack", nonsense), NBSTAGE_BAD_VALUE);
    assert_tells(message, "none, share, nest or cover");
}
END_TEST

// The sentence keeps to the room it is given, down to none to speak of.
START_TEST(sentences_are_cut_to_their_room)
{
    char room[64];
    for (size_t size = 1; size < sizeof room; size++) {
        memset(room, '#', sizeof room);
        options_set(&options, "grid", "nonsense", room, size);
        ck_assert_ptr_nonnull(memchr(room, '\0', size));
        ck_assert_int_eq(room[size], '#');
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("options");
    tcase_add_checked_fixture(tests, set_defaults, NULL);
    tcase_add_test(tests, defaults_are_what_the_table_says);
    tcase_add_loop_test(tests, choices_mean_what_they_say, 0, COUNT(meanings));
    tcase_add_loop_test(tests, presets_are_options_by_one_name, 0,
                        COUNT(presets));
    tcase_add_loop_test(tests, integers_are_held_to_their_range, 0,
                        COUNT(integers));
    tcase_add_test(tests, every_choice_has_a_meaning_tested);
    tcase_add_loop_test(tests, origins_are_read, 0, COUNT(origins));
    tcase_add_loop_test(tests, unknown_values_are_refused, 0, COUNT(no_values));
    tcase_add_loop_test(tests, unknown_names_are_refused, 0, COUNT(no_names));
    tcase_add_test(tests, long_nonsense_does_not_crowd_out_what_is_valid);
    tcase_add_test(tests, sentences_are_cut_to_their_room);
    return run_tests(tests);
}
