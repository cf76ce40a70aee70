// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the table of options and what is done with values agree: every
// choice is accepted and does what it says, anything else is refused with a
// sentence that names all there is, and what cannot matter is warned of.  And
// that engines need what the specification of the formats says.

#include "context-for-tests.h"
#include "options.h"
#include "prune/games.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static struct options options;
static const char *const message = test_context.message;

static nbstage_status set(const char *name, const char *value)
{
    return options_set(&test_context, &options, name, value, NBSTAGE_BY_USER);
}

// Options whose every byte is known, as the defaults set them.
static void set_defaults(void)
{
    memset(&options, 0x5A, sizeof options);
    options_reset(&options);
    test_context.map_name = NULL;
    test_context.message[0] = '\0';
}

static bool same_options(const struct options *a, const struct options *b)
{
    return a->engines == b->engines && a->build.lists == b->build.lists &&
           a->build.placement == b->build.placement &&
           a->build.grid.origin_x == b->build.grid.origin_x &&
           a->build.grid.origin_y == b->build.grid.origin_y &&
           a->build.prune == b->build.prune && a->build.pack == b->build.pack &&
           a->build.format == b->build.format &&
           a->build.overflow == b->build.overflow &&
           a->build.keeps_smaller == b->build.keeps_smaller &&
           a->build.check_nodes == b->build.check_nodes &&
           a->memory_mib == b->memory_mib;
}

// --- Limits ---

// How much memory and work a build may spend on a map of so many bytes, by the
// rules of SECURITY.md and blocksweep-stage(7).  Whoever allows more memory
// than 2 GiB allows more work, too.
static const struct {
    uint32_t memory_mib;
    uint64_t bytes, memory, work;
} limits[] = {
    {0, 0, UINT64_C(2) << 30, UINT64_C(1) << 28},
    {0, 1000, (UINT64_C(2) << 30) + 64000, (UINT64_C(1) << 28) + 4096000},
    {0, 1 << 21, (UINT64_C(2) << 30) + (64 << 21), UINT64_C(1) << 33},
    {1, 0, 1 << 20, UINT64_C(1) << 28},
    {1025, 0, UINT64_C(1025) << 20, UINT64_C(1) << 28},
    {2048, 0, UINT64_C(2) << 30, UINT64_C(1) << 28},
    {3072, 0, UINT64_C(3) << 30, UINT64_C(3) << 27},
    {4096, 0, UINT64_C(4) << 30, UINT64_C(1) << 29},
};

LOOP_TEST(work_grows_with_memory, COUNT(limits))
{
    set_defaults();
    options.memory_mib = limits[_i].memory_mib;
    const struct limits found = options_limits(&options, limits[_i].bytes);
    ck_assert_uint_eq(found.memory, limits[_i].memory < SIZE_MAX
                                        ? limits[_i].memory
                                        : SIZE_MAX);
    ck_assert_uint_eq(found.work, limits[_i].work);
}

// --- The table ---

// The choices of an option, in the order of the enumeration that its setting is
// of; of a list, which is one of one choice, each is 1 more.
#define SETTING(member) \
    offsetof(struct options, member), sizeof(((struct options *)NULL)->member)
static const struct {
    const char *name;
    const char *choices;
    size_t setting, size; // an enumeration, a list of one, or the flag
} meanings[] = {
    {"lists", "exact lump", SETTING(build.lists)},
    {"grid", "auto keep fit id search", SETTING(build.placement)},
    {"prune", "tagged inert none", SETTING(build.prune)},
    {"pack", "share nest", SETTING(build.pack)},
    {"format", "auto doom xbm1", SETTING(build.format)},
    {"overflow", "auto merge xbm1 empty error", SETTING(build.overflow)},
    {"check-nodes", "no yes", SETTING(build.check_nodes)},
};

TEST(defaults_are_what_the_table_says)
{
    size_t with_choices = 0;
    const struct options expected = options;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct nbstage_option *option = &options_table[i];
        with_choices += option->choice_count > 0;
        ck_assert_int_eq(set(option->name, option->default_value), NBSTAGE_OK);
    }
    ck_assert_uint_eq(with_choices, COUNT(meanings) + 2); // and presets, for
    ck_assert(same_options(&options, &expected));
    const struct options known = {
        .engines = ENGINES_ANY,
        .build.lists = BUILD_LISTS_EXACT,
        .build.placement = GRID_AUTO,
        .build.prune = PRUNE_TAGGED,
        .build.pack = PACK_SHARE,
        .build.format = BUILD_FORMAT_AUTO,
        .build.overflow = 1 + BUILD_OVERFLOW_AUTO,
    };
    ck_assert(same_options(&options, &known));
}

TEST(list_has_the_whole_table)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        ck_assert_ptr_eq(options_list[i], &options_table[i]);
    ck_assert_ptr_null(options_list[OPTION_COUNT]);
}

static int setting_of(const struct options *from, size_t setting, size_t size)
{
    const char *at = (const char *)from + setting;
    choice_list list = 0;
    int value = *at; // of the flag
    if (size == sizeof list)
        memcpy(&list, at, size);
    if (size == sizeof value)
        memcpy(&value, at, size);
    return size == sizeof list ? (int)list : value;
}

static const struct nbstage_option *find_option(const char *name)
{
    const struct nbstage_option *option = options_table;
    while (strcmp(option->name, name) != 0)
        option++;
    return option;
}

// A choice sets its setting; set back, nothing else has changed.  Lists that
// are those of the lump may not become larger.
LOOP_TEST(choices_mean_what_they_say, COUNT(meanings))
{
    const size_t setting = meanings[_i].setting, size = meanings[_i].size;
    const struct nbstage_option *option = find_option(meanings[_i].name);
    char text[80];
    size_t count = 0;
    snprintf(text, sizeof text, "%s", meanings[_i].choices);
    for (char *choice = strtok(text, " "); choice; choice = strtok(NULL, " ")) {
        set_defaults();
        const struct options defaults = options;
        ck_assert_str_eq(option->choices[count++].name, choice);
        ck_assert_int_eq(set(option->name, choice), NBSTAGE_OK);
        ck_assert_str_eq(message, "");
        ck_assert_int_eq(
            setting_of(&options, setting, size),
            (int)(size == sizeof(choice_list) ? count : count - 1));
        ck_assert(options.build.keeps_smaller ==
                  (options.build.lists == BUILD_LISTS_LUMP));
        options.build.keeps_smaller = false;
        memcpy((char *)&options + setting, (const char *)&defaults + setting,
               size);
        ck_assert(same_options(&options, &defaults));
    }
    ck_assert_uint_eq(option->choice_count, count);
}

// Two choices of a list, in their order.
#define LIST_OF(first, second) ((first) + 1 + ((second) + 1) * 16)

static const struct {
    const char *value;
    enum grid_placement grid;
    enum pack_mode pack;
    bool keeps_smaller;
    engine_set engines;
    choice_list overflow;
} presets[] = {
    {"compatible", GRID_AUTO, PACK_SHARE, false, ENGINES_ANY, 1},
    {"repack", GRID_KEEP, PACK_NEST, true, ENGINES_ANY, 1},
    {"small", GRID_SEARCH, PACK_NEST, false, ENGINES_ANY, 1},
    {"vanilla", GRID_SEARCH, PACK_NEST, false, 1 << ENGINE_DOOM19,
     LIST_OF(BUILD_OVERFLOW_MERGE, BUILD_OVERFLOW_ERROR)},
};

// Sets "NAME=VALUE" after "NAME=VALUE".
static void set_words(const char *text)
{
    char copy[128];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        char *sign = strchr(word, '=');
        *sign = '\0';
        ck_assert_int_eq(set(word, sign + 1), NBSTAGE_OK);
    }
}

// A preset sets what it is made of, whatever the preset before it, but not what
// is set by itself before or after it.
LOOP_TEST(presets_set_what_is_not_set_by_itself, COUNT(presets))
{
    const bool nests = presets[_i].pack == PACK_NEST;
    const char *const beside[][2] = {{"grid", "1,2"},
                                     {"pack", nests ? "share" : "nest"},
                                     {"for", "boom"},
                                     {"overflow", "xbm1"}};
    struct options alone = options;
    alone.build.placement = presets[_i].grid;
    alone.build.pack = presets[_i].pack;
    alone.build.keeps_smaller = presets[_i].keeps_smaller;
    alone.engines = presets[_i].engines;
    alone.build.overflow = presets[_i].overflow;
    for (size_t i = 0; i < COUNT(beside); i++) {
        set_defaults();
        set("preset", _i % 2 ? "repack" : "vanilla");
        ck_assert_int_eq(set("preset", presets[_i].value), NBSTAGE_OK);
        ck_assert(same_options(&options, &alone));
        set(beside[i][0], beside[i][1]);
        const struct options both = options;
        ck_assert(!same_options(&both, &alone));
        set_defaults();
        set(beside[i][0], beside[i][1]);
        set("preset", presets[_i].value);
        ck_assert(same_options(&options, &both));
    }
}

// --- Host and user ---

// Calls, and what presets set.  To find what counts, calls are sorted: by name
// above by a preset, the user above both, and the later of two alike.
static const struct {
    const char *name, *value;
    const char *sets; // of a preset
} calls[] = {
    {"preset", "compatible", "grid=auto pack=share"},
    {"preset", "repack", "grid=keep pack=nest"},
    {"preset", "vanilla",
     "grid=search pack=nest for=doom19 overflow=merge,error"},
    {"grid", "1,2", ""},
    {"grid", "-3,4", ""},
    {"pack", "share", ""},
    {"for", "boom", ""},
    {"prune", "none", ""},
};

enum { CALLS = 2 * COUNT(calls), CALLS_IN_A_ROW = 4 }; // even: by the host

static bool is_preset(int call)
{
    return *calls[call / 2].sets != '\0';
}

// Which of two calls counts, the second being the later; -1 is none.
static int stronger(int first, int then)
{
    return first >= 0 && first % 2 > then % 2 ? first : then;
}

// Sets, by name and as the user, all that should count after these calls.
static void set_what_counts(const int row[CALLS_IN_A_ROW])
{
    static const char *const names[] = {"grid", "pack", "for", "overflow",
                                        "prune"};
    int preset = -1;
    for (size_t i = 0; i < CALLS_IN_A_ROW; i++)
        if (is_preset(row[i]))
            preset = stronger(preset, row[i]);
    set_defaults();
    if (preset >= 0)
        set("preset", calls[preset / 2].value);
    for (size_t n = 0; n < COUNT(names); n++) {
        char text[80], *of_preset;
        int named = -1;
        for (size_t i = 0; i < CALLS_IN_A_ROW; i++)
            if (strcmp(calls[row[i] / 2].name, names[n]) == 0)
                named = stronger(named, row[i]);
        snprintf(text, sizeof text, "%s",
                 preset >= 0 ? calls[preset / 2].sets : "");
        of_preset = strstr(text, names[n]);
        if (named >= 0 && (!of_preset || named % 2 >= preset % 2)) {
            ck_assert_int_eq(set(names[n], calls[named / 2].value), NBSTAGE_OK);
        } else if (of_preset) {
            of_preset[strcspn(of_preset, " ")] = '\0';
            set_words(of_preset);
        }
    }
}

// A host's lump for some ports does not count for the ports of the user.
TEST(users_ports_are_above_lumps_of_the_host)
{
    static const char *const by_user[][2] = {
        {"for", "doom19"}, {"for", "boom"}, {"preset", "compatible"}};
    static const char *const by_host[][2] = {{"overflow", "xbm1"},
                                             {"format", "xbm1"}};
    for (size_t i = 0; i < COUNT(by_user) * COUNT(by_host) * 2; i++) {
        const char *const *user = by_user[i / 4];
        const char *const *host = by_host[i / 2 % 2];
        set_defaults();
        set(user[0], user[1]);
        const struct options expected = options;
        set_defaults();
        if (i % 2)
            set(user[0], user[1]);
        options_set(&test_context, &options, host[0], host[1], NBSTAGE_BY_HOST);
        if (i % 2 == 0)
            set(user[0], user[1]);
        ck_assert(same_options(&options, &expected));
        set_defaults();
        options_set(&test_context, &options, host[0], host[1], NBSTAGE_BY_HOST);
        ck_assert(!same_options(&options, &expected));
    }
}

// Every row of four calls.
LOOP_TEST(host_gives_way_to_user_in_any_order, CALLS)
{
    int row[CALLS_IN_A_ROW] = {_i};
    for (size_t r = 0; r < (size_t)CALLS * CALLS * CALLS; r++) {
        size_t rest = r;
        for (size_t i = 1; i < CALLS_IN_A_ROW; i++, rest /= CALLS)
            row[i] = (int)(rest % CALLS);
        set_what_counts(row);
        const struct options expected = options;
        set_defaults();
        for (size_t i = 0; i < CALLS_IN_A_ROW; i++)
            options_set(&test_context, &options, calls[row[i] / 2].name,
                        calls[row[i] / 2].value,
                        row[i] % 2 ? NBSTAGE_BY_USER : NBSTAGE_BY_HOST);
        const bool is_at = expected.build.placement == GRID_AT;
        if (!is_at) // no origin counts
            options.build.grid = expected.build.grid;
        if (!same_options(&options, &expected))
            ck_abort_msg("calls %d, %d, %d, %d", row[0], row[1], row[2],
                         row[3]);
    }
}

// Whoever sets an option, a call that fails changes nothing.
TEST(others_than_host_and_user_are_refused)
{
    static const int32_t others[] = {-1, 2, 3, 0x40000000, INT32_MIN};
    static const int32_t sides[] = {NBSTAGE_BY_HOST, NBSTAGE_BY_USER};
    const struct options before = options;
    for (size_t i = 0; i < COUNT(others); i++) {
        char number[16];
        snprintf(number, sizeof number, "%ld", (long)others[i]);
        ck_assert_int_eq(
            options_set(&test_context, &options, "pack", "nest", others[i]),
            NBSTAGE_UNSUPPORTED);
        assert_tells(message, number, "the host", "the user");
    }
    for (size_t i = 0; i < COUNT(sides); i++) {
        ck_assert_int_eq(
            options_set(&test_context, &options, "pack", "nset", sides[i]),
            NBSTAGE_BAD_VALUE);
        ck_assert_int_eq(
            options_set(&test_context, &options, "pak", "nest", sides[i]),
            NBSTAGE_UNKNOWN_OPTION);
    }
    ck_assert_int_eq(memcmp(&options, &before, sizeof options), 0);
}

// --- Lists ---

static const struct {
    const char *name, *value;
    choice_list expected; // 0: refused
} lists[] = {
    {"overflow", "merge,error",
     LIST_OF(BUILD_OVERFLOW_MERGE, BUILD_OVERFLOW_ERROR)},
    {"overflow", "error,merge",
     LIST_OF(BUILD_OVERFLOW_ERROR, BUILD_OVERFLOW_MERGE)},
    {"overflow", "merge,xbm1,empty,error", 0x5432},
    {"overflow", "auto,error",
     LIST_OF(BUILD_OVERFLOW_AUTO, BUILD_OVERFLOW_ERROR)},
    {"overflow", "error,error", 0},
};

LOOP_TEST(lists_keep_their_order, COUNT(lists))
{
    const struct options before = options;
    const nbstage_status status = set(lists[_i].name, lists[_i].value);
    if (lists[_i].expected == 0) {
        ck_assert_int_eq(status, NBSTAGE_BAD_VALUE);
        ck_assert(same_options(&options, &before));
        assert_tells(message, lists[_i].name,
                     "expected some of auto, merge, xbm1, empty or error, each "
                     "once, with commas");
    } else {
        ck_assert_int_eq(status, NBSTAGE_OK);
        ck_assert_uint_eq(options.build.overflow, lists[_i].expected);
    }
}

// --- Integers ---

static const struct {
    const char *value;
    long long expected; // -1: refused
} memories[] = {
    {"0", 0},           {"1", 1},       {"512", 512},
    {"131072", 131072}, {"131073", -1}, {"18446744073709551617", -1},
    {"1.5", -1},        {"1x", -1},     {" 1", -1},
};

LOOP_TEST(memory_is_held_to_its_range, COUNT(memories))
{
    const long long expected = memories[_i].expected;
    const struct options before = options;
    const nbstage_status status = set("max-memory", memories[_i].value);
    if (expected < 0) {
        ck_assert_int_eq(status, NBSTAGE_BAD_VALUE);
        ck_assert(same_options(&options, &before));
        assert_tells(message, "max-memory", "0 to 131072");
    } else {
        ck_assert_int_eq(status, NBSTAGE_OK);
        ck_assert_int_eq((long long)options.memory_mib, expected);
    }
}

// --- The form X,Y ---

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
    ck_assert_int_eq(options.build.placement, GRID_AT);
    ck_assert_int_eq(options.build.grid.origin_x, origins[_i].x);
    ck_assert_int_eq(options.build.grid.origin_y, origins[_i].y);
    ck_assert_int_eq(set("grid", "auto"), NBSTAGE_OK);
    ck_assert_int_eq(options.build.placement, GRID_AUTO);
}

// --- What is refused ---

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
    const struct options before = options;
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
    const struct options before = options;
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
    assert_tells(message, "for, preset, format, overflow, lists, prune, "
                          "pack, check-nodes, grid or max-memory");
    ck_assert_int_eq(set("for", nonsense), NBSTAGE_BAD_VALUE);
    assert_tells(message, "everywhere");
    ck_assert_int_eq(set("pack", nonsense), NBSTAGE_BAD_VALUE);
    assert_tells(message, "share or nest");
}

// --- Warnings ---

#define MISREAD(what, ports) "these ports misread " what ": " ports
#define NO_EFFECT(option, why) "the option " option " has no effect " why
#define HEADERLESS(ports, mixed) \
    "these lumps have no headers: they work in " ports \
    " and ports that read them alike, but boom, mbf, prboom+, " mixed \
    ", zdoom, zandronum, q-zandronum, srb2, odamex and " \
    "woof-dev will miss lines"
#define OF_LUMP "with lists=lump, which keeps grid and lists"

// Options, and what is said of them.
static const struct {
    const char *options;
    const char *said; // NULL: nothing
} warned[] = {
    {"lists=lump grid=keep preset=small prune=none", NULL},
    {"lists=lump grid=0,0", NO_EFFECT("grid", OF_LUMP)},
    {"lists=lump prune=inert", NO_EFFECT("prune", OF_LUMP)},
    {"format=xbm1 for=woof-dev overflow=error",
     NO_EFFECT("overflow", "with format=xbm1")},
    {"format=xbm1",
     MISREAD("format=xbm1",
             "doom19, crispy-doom, boom, mbf21, eternity, doom-retro, zdoom, "
             "gzdoom, srb2, odamex")},
    {"format=xbm1 for=woof-dev", NULL},
    {"format=xbm1 for=helion,woof-dev", NULL},
    {"overflow=merge,xbm1", NULL}, // no port is named
    {"overflow=merge,xbm1 format=doom",
     "format=doom rules out overflow=xbm1; leave out one of them"},
    {"overflow=merge format=doom", NULL},
    {"overflow=merge,xbm1 for=gzdoom,woof-dev",
     MISREAD("overflow=xbm1", "gzdoom")},
    {"overflow=empty for=boom", NULL},
    {"overflow=merge,empty for=boom,doom19",
     MISREAD("overflow=empty", "doom19")},
    {"overflow=empty for=everywhere", MISREAD("overflow=empty", "doom19")},
    {"overflow=empty for=any,boom", NULL}, // as for any port
    {"for=doom19", NULL},
    {"preset=vanilla for=everywhere", NULL},
};

LOOP_TEST(what_cannot_matter_is_said, COUNT(warned))
{
    set_words(warned[_i].options);
    test_context.map_name = NULL;
    options_warn(&test_context, &options);
    ck_assert_str_eq(test_host.message, warned[_i].said ? warned[_i].said : "");
    ck_assert_uint_eq(test_host.message_count, warned[_i].said != NULL);
    if (warned[_i].said)
        ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
}

// Ports that read such a lump at some levels only are named with the others.
static const struct {
    const char *options;
    const char *said;
} headerless[] = {
    {"for=doom19", HEADERLESS("doom19", "dsda-doom, woof")},
    {"for=mbf21,Eternity",
     HEADERLESS("mbf21, eternity", "dsda-doom below MBF21, woof below MBF21")},
    {"preset=vanilla", HEADERLESS("doom19", "dsda-doom, woof")},
};

LOOP_TEST(headerless_lumps_are_said, COUNT(headerless))
{
    set_words(headerless[_i].options);
    test_context.map_name = NULL;
    options_warn_headerless(&test_context, &options);
    ck_assert_str_eq(test_host.message, headerless[_i].said);
}

// ---------------------------------------------------------------------------
// Engines, as "How engines read it" of the specification of the formats says.

static const struct {
    const char *value;
    enum list_header header; // the weakest that all of these read right
    bool needs_vanilla, rebuild, read_xbm1;
} ports[] = {
    {"any", HEADER_ZERO, false, true, false},
    {"any,boom", HEADER_ZERO, false, true, false},
    {"any,doom19", HEADER_ZERO, true, false, false},
    {"doom19,boom,any", HEADER_ZERO, true, false, false},
    {"everywhere", HEADER_ZERO, true, false, false},
    {"boom,everywhere", HEADER_ZERO, true, false, false},
    {"limit-removing", HEADER_ZERO, false, true, false},
    {"doom19", HEADER_NONE, true, false, false},
    {"Doom 1.9", HEADER_NONE, true, false, false},
    {"Chocolate Doom", HEADER_NONE, true, false, false},
    {"crispy", HEADER_NONE, false, true, false},
    {"PrBoom", HEADER_ANY, false, true, false},
    {"DSDA_Doom", HEADER_ANY, false, true, false},
    {"mbf21,Doom Retro", HEADER_NONE, false, true, false},
    {"zandronum", HEADER_ANY, false, true, false},
    {"zdoom,doom19", HEADER_ANY, true, false, false},
    {"GZDoom", HEADER_ZERO, false, true, false},
    {"helion", HEADER_NONE, false, true, false},
    {"woof", HEADER_ANY, false, true, false},
    {"woof-dev", HEADER_ANY, false, true, true},
    {"odamex-dev,boom,boom", HEADER_ANY, false, true, false},
    {"odamex-dev", HEADER_NONE, false, true, true},
    {"Chocolate Heretic", HEADER_NONE, true, false, false},
    {"crispy-strife", HEADER_NONE, false, true, false},
    {"Chocolate Hexen", HEADER_NONE, true, false, false},
    {"crispy-hexen", HEADER_NONE, false, true, false},
};

LOOP_TEST(names_of_ports_come_to_what_all_need, COUNT(ports))
{
    ck_assert_int_eq(set("for", ports[_i].value), NBSTAGE_OK);
    const struct engines_needs needs = engines_need(options.build.engines);
    ck_assert_int_eq(needs.header, ports[_i].header);
    ck_assert_int_eq(needs.limit,
                     ports[_i].needs_vanilla ? LIMIT_VANILLA : LIMIT_EXTENDED);
    ck_assert(needs.build_their_own == ports[_i].rebuild);
    ck_assert(needs.read_xbm1 == ports[_i].read_xbm1);
}

// The games and levels of names.
static const struct {
    const char *value;
    game_set games;
} games_of_ports[] = {
    {"any", GAMES_ZERO_TAGS},
    {"chocolate-doom", GAMES_ZERO_TAGS},
    {"boom", GAMES_ZERO_TAGS}, // also its vanilla level
    {"eternity", GAMES_ZERO_TAGS},
    {"mbf21", 0},
    {"gzdoom,zandronum", 0},
    {"gzdoom,any", GAMES_ZERO_TAGS},
    {"chocolate-heretic", GAME_HERETIC | GAMES_ZERO_TAGS},
    {"crispy-heretic,chocolate-heretic", GAME_HERETIC | GAMES_ZERO_TAGS},
    {"chocolate-strife", GAME_STRIFE | GAMES_ZERO_TAGS},
    {"crispy-strife,crispy-heretic",
     GAME_HERETIC | GAME_STRIFE | GAMES_ZERO_TAGS},
    {"crispy-strife,crispy-doom", GAMES_ZERO_TAGS},
    {"chocolate-hexen", GAMES_ZERO_TAGS},
    {"gzdoom,crispy-heretic", GAMES_ZERO_TAGS},
};

LOOP_TEST(names_of_ports_may_tell_the_game, COUNT(games_of_ports))
{
    ck_assert_int_eq(set("for", games_of_ports[_i].value), NBSTAGE_OK);
    ck_assert_uint_eq(options.build.games, games_of_ports[_i].games);
    ck_assert_uint_eq(options.build.engines & ~ENGINES_ALL, 0);
}

static const char *const no_ports[] = {"bom", "doom19,Zandronium", "boom,",
                                       ",boom", "-"};

LOOP_TEST(others_are_refused_with_all_names, COUNT(no_ports))
{
    const struct options before = options;
    ck_assert_int_eq(set("for", no_ports[_i]), NBSTAGE_BAD_VALUE);
    ck_assert(same_options(&options, &before));
    ck_assert_ptr_nonnull(strstr(message, no_ports[_i]));
    for (size_t i = 0; i < options_table[OPTION_FOR].choice_count; i++)
        ck_assert_ptr_nonnull(
            strstr(message, options_table[OPTION_FOR].choices[i].name));
}

// Whether a word is in a text, in which each has spaces around it.
static bool has_word(const char *text, const char *word)
{
    char spaced[40];
    snprintf(spaced, sizeof spaced, " %s ", word);
    return strstr(text, spaced) != NULL;
}

static const struct {
    const char *value, *game;
    const char *play, *do_not; // some ports that do
} games[] = {
    {"doom", "doom", "doom19 gzdoom dsda-doom helion", "srb2"},
    {"doom2", "doom2", "doom19 gzdoom woof odamex", "srb2"},
    {"Doom 2", "doom2", "boom", "srb2"},
    {"boom,HERETIC", "heretic", "eternity edge-classic", "boom woof"},
    {"hexen,boom", "hexen", "chocolate-hexen crispy-hexen", "eternity doom19"},
    {"heretic", "heretic", "crispy-heretic zdoom uzdoom", "helion odamex"},
    {"Strife", "strife", "chocolate-strife k8vavoom", "dsda-doom"},
};

// Names of games are refused with the ports that play them, which the option
// takes.
LOOP_TEST(games_are_refused_with_their_ports, COUNT(games))
{
    char expected[64], text[512], known[600] = " ";
    const struct options before = options;
    test_context.map_name = NULL;
    ck_assert_int_eq(set("for", games[_i].value), NBSTAGE_BAD_VALUE);
    ck_assert(same_options(&options, &before));
    snprintf(expected, sizeof expected,
             "'%s' is a game, which these ports play: ", games[_i].game);
    ck_assert_msg(strncmp(message, expected, strlen(expected)) == 0, "%s",
                  message);
    snprintf(text, sizeof text, "%s", message + strlen(expected));
    char *end = strchr(text, ';');
    ck_assert_str_eq(end, "; name yours, or leave out for= for all of them");
    *end = '\0';
    for (char *port = strtok(text, ", "); port; port = strtok(NULL, ", ")) {
        ck_assert_int_eq(set("for", port), NBSTAGE_OK);
        strcat(strcat(known, port), " ");
    }
    char names[80];
    snprintf(names, sizeof names, "%s", games[_i].play);
    for (char *port = strtok(names, " "); port; port = strtok(NULL, " "))
        ck_assert_msg(has_word(known, port), "%s does not play", port);
    snprintf(names, sizeof names, "%s", games[_i].do_not);
    for (char *port = strtok(names, " "); port; port = strtok(NULL, " "))
        ck_assert_msg(!has_word(known, port), "%s plays", port);
}

// A report names engines by words that the option takes.
TEST(every_engine_has_a_name)
{
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        ck_assert_int_eq(set("for", engine_table[i].word), NBSTAGE_OK);
        ck_assert(options.build.engines & ENGINE_BIT(i));
    }
}

int main(void)
{
    TCase *tests = all_tests();
    tcase_add_checked_fixture(tests, set_defaults, NULL);
    return run_tests(tests);
}
