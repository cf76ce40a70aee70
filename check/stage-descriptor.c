// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the stage says of itself: its symbol, its descriptor, its options, and
// whether they are what they say.

#define _GNU_SOURCE

#include "platform.h"
#include "stage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct test load_test = {"load", "", stage_load};

// ---------------------------------------------------------------------------

static void expect_symbol(const char *name)
{
    if (strcmp(name, NBSTAGE_SYMBOL) != 0)
        fail("it exports %s, besides " NBSTAGE_SYMBOL, name);
}

static void test_symbols(void)
{
    stage_load();
    list_exports(stage_library(), expect_symbol);
}

static void test_describe(void)
{
    stage_load();
    nbstage_describe_function describe;
    *(void **)&describe = library_symbol(stage_library(), NBSTAGE_SYMBOL);
    static const uint32_t versions[] = {0, NBSTAGE_ABI, NBSTAGE_ABI + 1,
                                        UINT32_MAX, NBSTAGE_ABI};
    for (size_t i = 0; i < COUNT(versions); i++) {
        const struct nbstage_descriptor *found = describe(versions[i]);
        if (versions[i] == NBSTAGE_ABI ? found != stage : found && !found->size)
            fail("nbstage_describe(%" PRIu32 ") returned another descriptor",
                 versions[i]);
    }
}

static void test_descriptor(void)
{
    stage_load();
    if (stage->abi < 1)
        fail("abi is 0; expected NBSTAGE_ABI");
    check_sentence("name", stage->name);
    check_sentence("version", stage->version);
    check_sentence("summary", stage->summary);
    if (stage->lump_name_count == 0 || !stage->lump_names)
        fail("the descriptor has no lump_names");
    for (size_t i = 0; i < stage->lump_name_count; i++) {
        check_name("a lump's name", stage->lump_names[i],
                   UPPER_CASE DIGITS "_-[]\\");
        if (strlen(stage->lump_names[i]) > 8)
            fail("the lump name %s has more than 8 characters",
                 stage->lump_names[i]);
    }
    if (!stage->decode != !stage->free_decoded)
        fail("of decode and free_decoded one is NULL");
    if (stage->engine_count > 0 && !stage->engines)
        fail("engine_count is not 0, but engines is NULL");
    for (size_t i = 0; i < stage->engine_count; i++) {
        const struct nbstage_engine *engine =
            NBSTAGE_AT(struct nbstage_engine, stage->engines, i);
        if (engine->size < sizeof *engine)
            fail("engine %zu has the size %zu", i, engine->size);
        check_sentence("an engine's name", engine->name);
        check_name("an engine's family", engine->family, LOWER_CASE DIGITS "-");
        if (engine->first_word < NBSTAGE_FIRST_WORD_READ ||
            engine->first_word > NBSTAGE_FIRST_WORD_SKIPPED_IF_ALL_ZERO)
            fail("%s has the first_word %" PRId32, engine->name,
                 engine->first_word);
    }
}

// ---------------------------------------------------------------------------
// Options

static void check_choices(const struct nbstage_option *option)
{
    if (option->choice_count > 0 && !option->choices)
        fail("the option %s has choices that are NULL", option->name);
    for (size_t i = 0; i < option->choice_count; i++) {
        const struct nbstage_choice *choice =
            NBSTAGE_AT(struct nbstage_choice, option->choices, i);
        if (choice->size < sizeof *choice)
            fail("choice %zu of %s has the size %zu", i, option->name,
                 choice->size);
        check_sentence("a choice's name", choice->name);
        check_sentence("a choice's help", choice->help);
    }
    if (option->type == NBSTAGE_OPTION_FLAG &&
        (option->choice_count != 2 ||
         strcmp(option->choices->name, "no") != 0 ||
         strcmp(NBSTAGE_AT(struct nbstage_choice, option->choices, 1)->name,
                "yes") != 0))
        fail("the choices of the flag %s are not no and yes", option->name);
}

// Options of a group follow each other, and have other names.
static void check_place(size_t index)
{
    const struct nbstage_option *option = option_at(index);
    bool group_ended = false;
    for (size_t i = index; i-- > 0;) {
        const struct nbstage_option *other = option_at(i);
        bool is_same = option->group && other->group &&
                       strcmp(option->group, other->group) == 0;
        if (strcmp(option->name, other->name) == 0)
            fail("there are two options %s", option->name);
        if (is_same && group_ended)
            fail("the options of the group '%s' do not follow each other",
                 option->group);
        group_ended |= !is_same;
    }
}

static void test_options(void)
{
    stage_load();
    if (stage->option_count > 0 && !stage->options)
        fail("option_count is not 0, but options is NULL");
    for (size_t i = 0; i < stage->option_count; i++) {
        const struct nbstage_option *option = option_at(i);
        if (option->size < sizeof *option)
            fail("option %zu has the size %zu", i, option->size);
        check_name("an option's name", option->name, LOWER_CASE DIGITS "-");
        check_sentence("an option's help", option->help);
        if (!option->default_value)
            fail("the option %s has no default_value", option->name);
        if (option->type < NBSTAGE_OPTION_CHOICE ||
            option->type > NBSTAGE_OPTION_LIST)
            fail("the option %s has the type %" PRId32, option->name,
                 option->type);
        if (option->type == NBSTAGE_OPTION_INTEGER &&
            option->minimum > option->maximum)
            fail("the minimum of %s is above its maximum", option->name);
        if (option->form)
            check_sentence("an option's form", option->form);
        if (option->group)
            check_sentence("an option's group", option->group);
        check_choices(option);
        check_place(i);
    }
}

static void test_values(void)
{
    stage_load();
    struct session session;
    session_open(&session);
    for (struct values value = {0}; next_value(&value);) {
        doing("setting %s=%s", value.name, value.text);
        if (session_set(&session, value.name, value.text) != NBSTAGE_OK)
            fail("%s=%s is not accepted: %s", value.name, value.text,
                 stage->last_error(session.instance));
    }
    session_close(&session);
}

// Values that an option must refuse; false after the last.
static bool bad_value(const struct nbstage_option *option, size_t index,
                      char *text, size_t size)
{
    static const char *const no_integers[] = {"",
                                              " ",
                                              "x",
                                              "1x",
                                              "1 2",
                                              "--1",
                                              "0x",
                                              "1.5",
                                              "99999999999999999999",
                                              "-99999999999999999999"};
    static const char *const no_choices[] = {"no-such-choice-x", "\x01",
                                             "\xFF"};
    const bool is_integer = option->type == NBSTAGE_OPTION_INTEGER;
    if (is_integer && index < COUNT(no_integers)) {
        snprintf(text, size, "%s", no_integers[index]);
        return true;
    }
    if (is_integer) {
        index -= COUNT(no_integers);
        bool is_low = index == 0 && option->minimum > INT64_MIN;
        bool is_high = index <= 1 && option->maximum < INT64_MAX;
        snprintf(text, size, "%" PRId64,
                 is_low ? option->minimum - 1
                        : option->maximum + (is_high ? 1 : 0));
        return is_low || is_high;
    }
    bool is_limited = option->type != NBSTAGE_OPTION_TEXT && !option->form;
    if (!is_limited || index >= COUNT(no_choices))
        return false;
    snprintf(text, size, "%s", no_choices[index]);
    return true;
}

static void expect_refused(struct session *session, const char *name,
                           const char *value, nbstage_status expected)
{
    doing("setting %s=%s", name, value);
    nbstage_status status = session_set(session, name, value);
    if (status != expected)
        fail("%s=%s returned status %" PRId32 "; expected %" PRId32, name,
             value, status, expected);
}

// An option that was refused keeps its value.
static void test_bad_values(void)
{
    stage_load();
    char text[64];
    struct walk walk = {0};
    next_map(&walk);
    struct text expected = {0}, made = {0};
    struct session session;
    session_open(&session);
    session_write(&session, walk.map.map, true, &expected);
    for (size_t i = 0; i < stage->option_count; i++)
        for (size_t v = 0; bad_value(option_at(i), v, text, sizeof text); v++)
            expect_refused(&session, option_at(i)->name, text,
                           NBSTAGE_BAD_VALUE);
    static const char *const names[] = {"", "no-such-option", "\xFF", "%s%n"};
    for (size_t i = 0; i < COUNT(names); i++)
        expect_refused(&session, names[i], "1", NBSTAGE_UNKNOWN_OPTION);
    session_write(&session, walk.map.map, true, &made);
    check_same("after options that were refused", &made, &expected);
    session_close(&session);
}

// Each value of an instance leaves others as they are, and a default that is
// set is what was there before.
static void test_instances(void)
{
    stage_load();
    for (struct walk walk = {0}; next_map(&walk) && walk.built <= 4;) {
        struct text expected = {0};
        struct session other;
        session_open(&other);
        session_write(&other, walk.map.map, true, &expected);
        for (struct values value = {0}; next_value(&value);) {
            struct session session;
            struct text made = {0}, again = {0};
            session_open(&session);
            doing("building %s with %s=%s", walk.map.what, value.name,
                  value.text);
            session_set(&session, value.name, value.text);
            session_write(&session, walk.map.map, true, &made);
            if (value.is_default)
                check_same("with a default that is set", &made, &expected);
            session_write(&other, walk.map.map, true, &again);
            check_same("after an option of another instance", &again,
                       &expected);
            session_close(&session);
            free(made.bytes);
        }
        session_close(&other);
        free(expected.bytes);
    }
}

const struct test descriptor_tests[] = {
    {"symbols", "nbstage_describe is the only export", test_symbols},
    {"describe", "versions of the interface, later ones too", test_describe},
    {"descriptor", "names, sizes and functions of the descriptor",
     test_descriptor},
    {"options", "the table of options is whole", test_options},
    {"values", "defaults, choices and limits are accepted", test_values},
    {"bad-values", "other values and names are refused, and change nothing",
     test_bad_values},
    {"instances", "options: no instance reaches another; defaults are true",
     test_instances},
    {0}};
