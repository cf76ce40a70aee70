// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the table of options and what is done with values agree: every
// choice is accepted and does what it says, anything else is refused with a
// sentence that names all there is, and what cannot matter is warned of.  And
// that engines need what the specification of the formats says.

#include "base/threads.h"
#include "context-for-tests.h"
#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static struct build_options options;
static char message[CONTEXT_MESSAGE_SIZE];

static nbstage_status set(const char *name, const char *value)
{
    return options_set(&options, name, value, false, message, sizeof message);
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
    return a->engines == b->engines && a->lists == b->lists &&
           a->grid.placement == b->grid.placement && a->grid.x == b->grid.x &&
           a->grid.y == b->grid.y && a->threads == b->threads &&
           a->bounds == b->bounds && a->prune == b->prune &&
           a->pack.mode == b->pack.mode && a->pack.header == b->pack.header &&
           a->format == b->format && a->limit == b->limit &&
           a->overflow == b->overflow && a->keeps_smaller == b->keeps_smaller &&
           a->check_nodes == b->check_nodes &&
           a->inflate_limit == b->inflate_limit &&
           a->limits.blocks == b->limits.blocks &&
           a->limits.entries == b->limits.entries &&
           a->limits.memory == b->limits.memory;
}

// ---------------------------------------------------------------------------
// The table

TEST(defaults_are_what_the_table_says)
{
    const struct build_options expected = options;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        ck_assert_int_eq(
            set(options_table[i].name, options_table[i].default_value),
            NBSTAGE_OK);
    ck_assert(same_options(&options, &expected));
    const struct build_options known = {
        .engines = 1 + 0, // any
        .lists = BUILD_LISTS_EXACT,
        .grid = {.placement = GRID_AUTO},
        .bounds = BUILD_BOUNDS_LINES,
        .prune = PRUNE_TAGGED,
        .pack = {PACK_SHARE, HEADER_AUTO},
        .format = BUILD_FORMAT_AUTO,
        .limit = BUILD_LIMIT_AUTO,
        .overflow = 1 + BUILD_OVERFLOW_AUTO,
        .inflate_limit = (size_t)1024 << 20,
        .limits = {.blocks = GRID_MAX_SIDE * GRID_MAX_SIDE, .entries = 1 << 24},
    };
    ck_assert(same_options(&options, &known));
}

// Every choice there is, and the setting it comes to.
#define SETTING(member) offsetof(struct build_options, member)
static const struct {
    const char *name;
    const char *value;
    size_t setting; // an enumeration, a list of one, or the flag
    int expected;
} meanings[] = {
    {"for", "any", SETTING(engines), 1},
    {"for", "doom19", SETTING(engines), 2 + FAMILY_DOOM19},
    {"for", "crispy", SETTING(engines), 2 + FAMILY_CRISPY},
    {"for", "boom", SETTING(engines), 2 + FAMILY_BOOM},
    {"for", "mbf21", SETTING(engines), 2 + FAMILY_MBF21},
    {"for", "zdoom", SETTING(engines), 2 + FAMILY_ZDOOM},
    {"for", "woof", SETTING(engines), 2 + FAMILY_WOOF},
    {"for", "odamex", SETTING(engines), 2 + FAMILY_ODAMEX},
    {"lists", "exact", SETTING(lists), BUILD_LISTS_EXACT},
    {"lists", "lump", SETTING(lists), BUILD_LISTS_LUMP},
    {"lists", "boom", SETTING(lists), BUILD_LISTS_BUILDER + BUILDER_BOOM},
    {"lists", "mbf", SETTING(lists), BUILD_LISTS_BUILDER + BUILDER_MBF},
    {"lists", "zdbsp", SETTING(lists), BUILD_LISTS_BUILDER + BUILDER_ZDBSP},
    {"lists", "glbsp", SETTING(lists), BUILD_LISTS_BUILDER + BUILDER_GLBSP},
    {"grid", "auto", SETTING(grid.placement), GRID_AUTO},
    {"grid", "keep", SETTING(grid.placement), GRID_KEEP},
    {"grid", "fit", SETTING(grid.placement), GRID_FIT},
    {"grid", "id", SETTING(grid.placement), GRID_ID},
    {"grid", "search", SETTING(grid.placement), GRID_SEARCH},
    {"bounds", "lines", SETTING(bounds), BUILD_BOUNDS_LINES},
    {"bounds", "vertices", SETTING(bounds), BUILD_BOUNDS_VERTICES},
    {"prune", "tagged", SETTING(prune), PRUNE_TAGGED},
    {"prune", "inert", SETTING(prune), PRUNE_INERT},
    {"prune", "unreachable", SETTING(prune), PRUNE_UNREACHABLE},
    {"prune", "none", SETTING(prune), PRUNE_NONE},
    {"pack", "none", SETTING(pack.mode), PACK_NONE},
    {"pack", "share", SETTING(pack.mode), PACK_SHARE},
    {"pack", "nest", SETTING(pack.mode), PACK_NEST},
    {"pack", "cover", SETTING(pack.mode), PACK_COVER},
    {"header", "zero", SETTING(pack.header), HEADER_ZERO},
    {"header", "any", SETTING(pack.header), HEADER_ANY},
    {"header", "none", SETTING(pack.header), HEADER_NONE},
    {"header", "auto", SETTING(pack.header), HEADER_AUTO},
    {"format", "auto", SETTING(format), BUILD_FORMAT_AUTO},
    {"format", "doom", SETTING(format), BUILD_FORMAT_DOOM},
    {"format", "xbm1", SETTING(format), BUILD_FORMAT_XBM1},
    {"limit", "auto", SETTING(limit), BUILD_LIMIT_AUTO},
    {"limit", "vanilla", SETTING(limit), BUILD_LIMIT_VANILLA},
    {"limit", "extended", SETTING(limit), BUILD_LIMIT_EXTENDED},
    {"overflow", "auto", SETTING(overflow), 1 + BUILD_OVERFLOW_AUTO},
    {"overflow", "inert", SETTING(overflow), 1 + BUILD_OVERFLOW_INERT},
    {"overflow", "unreachable", SETTING(overflow),
     1 + BUILD_OVERFLOW_UNREACHABLE},
    {"overflow", "merge", SETTING(overflow), 1 + BUILD_OVERFLOW_MERGE},
    {"overflow", "xbm1", SETTING(overflow), 1 + BUILD_OVERFLOW_XBM1},
    {"overflow", "empty", SETTING(overflow), 1 + BUILD_OVERFLOW_EMPTY},
    {"overflow", "error", SETTING(overflow), 1 + BUILD_OVERFLOW_ERROR},
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

// A choice sets its setting; set back, nothing else has changed.  Lists that
// are those of the lump may not become larger.
LOOP_TEST(choices_mean_what_they_say, COUNT(meanings))
{
    const struct build_options defaults = options;
    const size_t setting = meanings[_i].setting;
    ck_assert_int_eq(set(meanings[_i].name, meanings[_i].value), NBSTAGE_OK);
    ck_assert_str_eq(message, "");
    ck_assert_int_eq(setting_of(&options, setting), meanings[_i].expected);
    const size_t size =
        setting == SETTING(check_nodes) ? sizeof(bool) : sizeof(int);
    ck_assert(options.keeps_smaller == (options.lists == BUILD_LISTS_LUMP));
    options.keeps_smaller = false;
    memcpy((char *)&options + setting, (const char *)&defaults + setting, size);
    ck_assert(same_options(&options, &defaults));
}

// Two choices of a list, in their order.
#define LIST_OF(first, second) ((first) + 1 + ((second) + 1) * 16)

static const struct {
    const char *value;
    enum grid_placement grid;
    enum pack_mode pack;
    bool keeps_smaller;
    choice_list engines, overflow;
} presets[] = {
    {"compatible", GRID_AUTO, PACK_SHARE, false, 1, 1},
    {"repack", GRID_KEEP, PACK_NEST, true, 1, 1},
    {"small", GRID_SEARCH, PACK_NEST, false, 1, 1},
    {"vanilla", GRID_SEARCH, PACK_NEST, false, 2 + FAMILY_DOOM19,
     LIST_OF(BUILD_OVERFLOW_INERT, BUILD_OVERFLOW_UNREACHABLE) |
         LIST_OF(BUILD_OVERFLOW_MERGE, BUILD_OVERFLOW_ERROR) << 8},
    {"id", GRID_ID, PACK_SHARE, false, 1, 1},
};

// Sets "NAME=VALUE" after "NAME=VALUE", or defaults where "!" comes first.
static void set_words(const char *text)
{
    char copy[128];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        const bool by_default = *word == '!';
        char *sign = strchr(word, '=');
        *sign = '\0';
        ck_assert_int_eq(options_set(&options, word + by_default, sign + 1,
                                     by_default, message, sizeof message),
                         NBSTAGE_OK);
    }
}

// A preset sets what it is made of, whatever the preset before it, but not what
// is set by itself before or after it.
LOOP_TEST(presets_set_what_is_not_set_by_itself, COUNT(presets))
{
    static const char *const beside[][2] = {{"grid", "1,2"},
                                            {"pack", "cover"},
                                            {"for", "boom"},
                                            {"overflow", "xbm1"},
                                            {"header", "none"}};
    struct build_options alone = options;
    alone.grid.placement = presets[_i].grid;
    alone.pack.mode = presets[_i].pack;
    alone.keeps_smaller = presets[_i].keeps_smaller;
    alone.engines = presets[_i].engines;
    alone.overflow = presets[_i].overflow;
    for (size_t i = 0; i < COUNT(beside); i++) {
        set_defaults();
        set("preset", _i % 2 ? "repack" : "vanilla");
        ck_assert_int_eq(set("preset", presets[_i].value), NBSTAGE_OK);
        ck_assert(same_options(&options, &alone));
        set(beside[i][0], beside[i][1]);
        const struct build_options both = options;
        ck_assert(!same_options(&both, &alone));
        set_defaults();
        set(beside[i][0], beside[i][1]);
        set("preset", presets[_i].value);
        ck_assert(same_options(&options, &both));
    }
}

// What a host takes for granted stands below options and presets of the user,
// whichever comes first.
TEST(defaults_give_way)
{
    static const struct {
        const char *first, *then; // "!" marks those of the host
        const char *same;
    } cases[] = {
        {"!overflow=xbm1", "pack=nest", "overflow=xbm1 pack=nest"},
        {"!overflow=xbm1", "overflow=empty", "overflow=empty"},
        {"overflow=empty", "!overflow=xbm1", "overflow=empty"},
        {"!overflow=xbm1", "preset=vanilla", "preset=vanilla"},
        {"preset=vanilla", "!overflow=xbm1", "preset=vanilla"},
        {"!prune=none", "preset=vanilla", "prune=none preset=vanilla"},
        {"!overflow=xbm1", "preset=small", "overflow=xbm1 preset=small"},
        {"preset=small", "!overflow=xbm1", "overflow=xbm1 preset=small"},
        {"preset=vanilla", "!for=boom preset=id", "for=boom preset=id"},
        {"!preset=small", "pack=none", "preset=small pack=none"},
        {"!preset=small", "!grid=fit", "preset=small grid=fit"},
        {"!grid=fit", "!preset=small", "preset=small grid=fit"},
        {"!grid=fit", "!grid=1,2", "grid=1,2"},
        {"preset=id", "!preset=small", "preset=id"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        set_defaults();
        set_words(cases[i].same);
        const struct build_options same = options;
        set_defaults();
        set_words(cases[i].first);
        set_words(cases[i].then);
        ck_assert_msg(same_options(&options, &same), "%s, %s", cases[i].first,
                      cases[i].then);
    }
    ck_assert_int_eq(
        options_set(&options, "pack", "nset", true, message, sizeof message),
        NBSTAGE_BAD_VALUE);
    ck_assert_int_eq(
        options_set(&options, "pak", "nest", true, message, sizeof message),
        NBSTAGE_UNKNOWN_OPTION);
}

// ---------------------------------------------------------------------------
// Lists

static const struct {
    const char *name, *value;
    choice_list expected; // 0: refused
} lists[] = {
    {"for", "doom19,zdoom", LIST_OF(1 + FAMILY_DOOM19, 1 + FAMILY_ZDOOM)},
    {"for", "zdoom,doom19", LIST_OF(1 + FAMILY_ZDOOM, 1 + FAMILY_DOOM19)},
    {"for", "odamex,woof,zdoom,mbf21,boom,crispy,doom19", 0x2345678},
    {"for", "boom,boom", 0},
    {"for", "any,boom", 0}, // the first choice stands alone
    {"for", "boom,any", 0},
    {"for", "boom,", 0},
    {"for", ",boom", 0},
    {"for", "boom,,doom19", 0},
    {"for", "boom, doom19", 0},
    {"for", "boom,doom", 0},
    {"for", "woof,zdoom,mbf21,boom,crispy,doom19,woof,zdoom,mbf21", 0},
    {"overflow", "merge,error",
     LIST_OF(BUILD_OVERFLOW_MERGE, BUILD_OVERFLOW_ERROR)},
    {"overflow", "error,merge",
     LIST_OF(BUILD_OVERFLOW_ERROR, BUILD_OVERFLOW_MERGE)},
    {"overflow", "merge,inert,unreachable,xbm1,empty,error", 0x765324},
    {"overflow", "auto,error", 0},
};

LOOP_TEST(lists_keep_their_order, COUNT(lists))
{
    const bool is_for = strcmp(lists[_i].name, "for") == 0;
    const struct build_options before = options;
    const nbstage_status status = set(lists[_i].name, lists[_i].value);
    if (lists[_i].expected == 0) {
        ck_assert_int_eq(status, NBSTAGE_BAD_VALUE);
        ck_assert(same_options(&options, &before));
        assert_tells(
            message, lists[_i].name,
            is_for ? "expected any, or some of doom19, crispy, boom, "
                     "mbf21, zdoom, woof or odamex, each once, with commas"
                   : "expected auto, or some of inert, unreachable, "
                     "merge, xbm1, empty or error, each once, with commas");
    } else {
        ck_assert_int_eq(status, NBSTAGE_OK);
        ck_assert_uint_eq(is_for ? options.engines : options.overflow,
                          lists[_i].expected);
    }
}

// ---------------------------------------------------------------------------
// Integers

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

LOOP_TEST(integers_are_held_to_their_range, COUNT(integers))
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

LOOP_TEST(threads_of_a_build_have_to_be_asked_for, 2)
{
    const size_t large = 200000; // lines
    ck_assert_uint_eq(options_count_threads(&options, large), 1);
    ck_assert_int_eq(set("threads", _i == 0 ? "0" : "3"), NBSTAGE_OK);
    ck_assert_uint_eq(options_count_threads(&options, large - 1), 1);
    ck_assert_uint_eq(options_count_threads(&options, large),
                      _i == 0 ? threads_count_processors() : 3);
    options_warn(&test_context, &options, large);
    ck_assert_uint_eq(test_host.message_count, 0);
}

// A choice added to the table has to be added above.
TEST(every_choice_has_a_meaning_tested)
{
    size_t choices = 0;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        choices += options_table[i].choice_count;
    ck_assert_uint_eq(choices, COUNT(meanings) + COUNT(presets));
}

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

LOOP_TEST(origins_are_read, COUNT(origins))
{
    ck_assert_int_eq(set("grid", origins[_i].value), NBSTAGE_OK);
    ck_assert_int_eq(options.grid.placement, GRID_AT);
    ck_assert_int_eq(options.grid.x, origins[_i].x);
    ck_assert_int_eq(options.grid.y, origins[_i].y);
    ck_assert_int_eq(set("grid", "auto"), NBSTAGE_OK);
    ck_assert_int_eq(options.grid.placement, GRID_AUTO);
}

// ---------------------------------------------------------------------------
// What is refused

static const char *const no_values[] = {
    "", "no-such-value", "Share", "shar", "shares", " share", "-1",
    // No X,Y either.
    "0,0x", "4294967296,0", "0,18446744073709551616", "32768,0", "0,32768",
    "-32769,0", "0,-32769", "65536,0", "1,", ",1", ",", "1,2,3", "1,2,", ",1,2",
    " 1,2", "1 ,2", "1, 2", "1,2 ", "1.5,2", "1,2.5", "0x1,2", "1e1,2", "--1,2",
    "+-1,2", "-,1", "1,-", "1;2", "1,2\n"};

LOOP_TEST(unknown_values_are_refused, COUNT(no_values))
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

static const char *const no_names[] = {
    "", "no-such-option", "Grid", "gri", "grids", " grid", "grid=fit"};

LOOP_TEST(unknown_names_are_refused, COUNT(no_names))
{
    const struct build_options before = options;
    ck_assert_int_eq(set(no_names[_i], "fit"), NBSTAGE_UNKNOWN_OPTION);
    ck_assert(same_options(&options, &before));
    assert_tells(message, no_names[_i]);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        assert_tells(message, options_table[i].name);
}

// Whatever it is given, the sentence still ends with what is valid.
TEST(long_nonsense_does_not_crowd_out_what_is_valid)
{
    char nonsense[10000];
    memset(nonsense, 'x', sizeof nonsense - 1);
    nonsense[sizeof nonsense - 1] = '\0';
    ck_assert_int_eq(set("grid", nonsense), NBSTAGE_BAD_VALUE);
    assert_tells(message, "auto, keep, fit, id, search or X,Y");
    ck_assert_int_eq(set(nonsense, "fit"), NBSTAGE_UNKNOWN_OPTION);
    assert_tells(message,
                 "for, preset, header, format, limit, overflow, lists, prune, "
                 "pack, check-nodes, grid, bounds, threads, inflate-limit, "
                 "max-blocks, max-entries or max-memory");
    ck_assert_int_eq(set("pack", nonsense), NBSTAGE_BAD_VALUE);
    assert_tells(message, "none, share, nest or cover");
}

// The sentence keeps to the room it is given, down to none to speak of.
TEST(sentences_are_cut_to_their_room)
{
    char room[64];
    for (size_t size = 1; size < sizeof room; size++) {
        memset(room, '#', sizeof room);
        options_set(&options, "grid", "nonsense", false, room, size);
        ck_assert_ptr_nonnull(memchr(room, '\0', size));
        ck_assert_int_eq(room[size], '#');
    }
}

// ---------------------------------------------------------------------------
// Warnings

#define NOT_READ(what, games) \
    what " is not read right by these games of the option for: " games
#define NOT_USED(option, why) "the option " option " is not used " why
#define EMPTY "for a lump that is left empty"
#define OF_LUMP "with lists=lump, which keeps grid and lists"

// Options, and what is said of them.
static const struct {
    const char *options;
    const char *said; // NULL: nothing
} warned[] = {
    {"threads=2", NOT_USED("threads", "without grid=search")},
    {"threads=2 grid=search", NULL},
    {"threads=2 preset=small", NULL},
    {"lists=lump grid=keep preset=small prune=none", NULL},
    {"lists=lump threads=2", NOT_USED("threads", OF_LUMP)},
    {"lists=lump grid=0,0", NOT_USED("grid", OF_LUMP)},
    {"lists=lump bounds=lines", NOT_USED("bounds", OF_LUMP)},
    {"lists=lump prune=inert", NOT_USED("prune", OF_LUMP)},
    {"lists=lump prune=unreachable", NOT_USED("prune", OF_LUMP)},
    {"format=xbm1 for=woof limit=vanilla",
     NOT_USED("limit", "with format=xbm1")},
    {"format=xbm1 for=woof overflow=error",
     NOT_USED("overflow", "with format=xbm1")},
    {"pack=none overflow=merge",
     "overflow=merge merges nothing with pack=none"},
    {"pack=none preset=vanilla", NULL},
    {"pack=none overflow=empty", NULL},
    {"pack=none", NOT_USED("pack", EMPTY)},
    {"header=zero", NOT_USED("header", EMPTY)},
    // The weakest header that each reads right.
    {"header=zero for=zdoom,mbf21", NULL},
    {"header=any", NOT_READ("header=any", "zdoom")},
    {"header=any for=woof,mbf21,boom,crispy,doom19", NULL},
    {"header=none", NOT_READ("header=none", "boom, zdoom, woof")},
    {"header=none for=woof,doom19", NOT_READ("header=none", "woof")},
    {"header=none for=mbf21,crispy,doom19", NULL},
    {"format=xbm1",
     NOT_READ("format=xbm1", "doom19, crispy, boom, mbf21, zdoom")},
    {"format=xbm1 for=woof", NULL},
    {"overflow=merge,xbm1", NULL}, // no game is named
    {"overflow=merge,xbm1 for=zdoom,woof", NOT_READ("overflow=xbm1", "zdoom")},
    {"overflow=empty for=crispy", NULL},
    {"overflow=merge,empty for=crispy,doom19",
     NOT_READ("overflow=empty", "doom19")},
    {"limit=extended for=crispy", NULL},
    {"limit=extended for=crispy,doom19", NOT_READ("limit=extended", "doom19")},
};

LOOP_TEST(what_cannot_matter_is_said, COUNT(warned))
{
    char text[80];
    snprintf(text, sizeof text, "%s", warned[_i].options);
    for (char *rest = text, *name; (name = strtok_r(rest, " ", &rest));) {
        char *value = strchr(name, '=');
        *value++ = '\0';
        ck_assert_int_eq(set(name, value), NBSTAGE_OK);
    }
    test_context.map_name = NULL;
    if (warned[_i].said && strstr(warned[_i].said, EMPTY))
        options_warn_of_empty(&test_context, &options);
    else
        options_warn(&test_context, &options, 1000);
    ck_assert_str_eq(test_host.message, warned[_i].said ? warned[_i].said : "");
    ck_assert_uint_eq(test_host.message_count, warned[_i].said != NULL);
    if (warned[_i].said)
        ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
}

// ---------------------------------------------------------------------------
// Engines, as "How engines read it" of the specification of the formats says.

static const struct {
    enum pack_header weakest; // that every level of the family reads right
    bool needs_vanilla, rebuilds, reads_xbm1;
} known_families[FAMILY_COUNT] = {
    [FAMILY_DOOM19] = {HEADER_NONE, true, false, false},
    [FAMILY_CRISPY] = {HEADER_NONE, false, true, false},
    [FAMILY_BOOM] = {HEADER_ANY, false, true, false},
    [FAMILY_MBF21] = {HEADER_NONE, false, true, false},
    [FAMILY_ZDOOM] = {HEADER_ZERO, false, true, false},
    [FAMILY_WOOF] = {HEADER_ANY, false, true, true},
    [FAMILY_ODAMEX] = {HEADER_NONE, false, true, true},
};

LOOP_TEST(engines_need_what_each_of_them_needs, 1 << FAMILY_COUNT)
{
    const families named = (families)_i;
    const struct engines_needs needs = engines_need(named);
    enum pack_header weakest = HEADER_NONE;
    bool needs_vanilla = false, rebuild = true, read_xbm1 = named != 0;
    for (int f = 0; f < FAMILY_COUNT; f++) {
        if (named != 0 && (named >> f & 1) == 0)
            continue;
        if (known_families[f].weakest < weakest)
            weakest = known_families[f].weakest;
        // Not every map is made for Doom 1.9.
        needs_vanilla |= named != 0 && known_families[f].needs_vanilla;
        rebuild &= named == 0 || known_families[f].rebuilds;
        read_xbm1 &= known_families[f].reads_xbm1;
    }
    ck_assert_int_eq(needs.header, weakest);
    ck_assert_int_eq(needs.limit,
                     needs_vanilla ? LIMIT_VANILLA : LIMIT_EXTENDED);
    ck_assert(needs.build_their_own == rebuild);
    ck_assert(needs.read_xbm1 == read_xbm1);
}

int main(void)
{
    TCase *tests = all_tests();
    tcase_add_checked_fixture(tests, set_defaults, NULL);
    return run_tests(tests);
}
