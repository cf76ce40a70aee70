// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of options, and how their values are read.
//
// A choice's place in its list is its value in the option's enumeration.

#include "options.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define CHOICE(name, help) \
    { \
        sizeof(struct nbstage_choice), name, help \
    }

static const struct nbstage_choice grid_choices[] = {
    [GRID_AUTO] = CHOICE("auto", "keep if the present grid still fits the "
                                 "map, else fit"),
    [GRID_KEEP] = CHOICE("keep", "the grid of the lump that the map has; "
                                 "demos stay in sync"),
    [GRID_FIT] = CHOICE("fit", "origin at the lowest coordinates"),
    [GRID_ID] = CHOICE("id", "origin 8 units south-west of them, as DoomBSP"),
};

static const struct nbstage_choice pack_choices[] = {
    [PACK_NONE] = CHOICE("none", "a list for every block"),
    [PACK_SHARE] = CHOICE("share", "equal lists are stored once"),
};

static const struct nbstage_choice limit_choices[] = {
    [STAGE_LIMIT_EXTENDED] = CHOICE("extended", "the lump below 65,536 words"),
    [STAGE_LIMIT_VANILLA] = CHOICE("vanilla", "and every offset at most "
                                              "32,767, for Doom 1.9"),
};

static const struct nbstage_choice overflow_choices[] = {
    [STAGE_OVERFLOW_EMPTY] = CHOICE("empty", "an empty lump, and a warning; "
                                             "ports build their own"),
    [STAGE_OVERFLOW_ERROR] = CHOICE("error", "no lump; the map fails"),
};

#define CHOICE_OPTION(option_name, default_choice, option_help, list) \
    .size = sizeof(struct nbstage_option), .name = option_name, \
    .type = NBSTAGE_OPTION_CHOICE, .default_value = default_choice, \
    .help = option_help, .choices = list, .choice_count = COUNT(list)

const struct nbstage_option options_table[OPTION_COUNT] = {
    [OPTION_GRID] = {CHOICE_OPTION("grid", "auto",
                                   "where the grid of blocks begins",
                                   grid_choices),
                     .form = "X,Y"},
    [OPTION_PACK] = {CHOICE_OPTION("pack", "share", "how lists are stored",
                                   pack_choices)},
    [OPTION_LIMIT] = {CHOICE_OPTION(
        "limit", "extended", "what the lump has to meet", limit_choices)},
    [OPTION_OVERFLOW] = {CHOICE_OPTION("overflow", "empty",
                                       "what a map over the limit gets",
                                       overflow_choices)},
};

static void set_grid(struct stage_options *options, int choice)
{
    options->grid = (struct grid_request){(enum grid_placement)choice, 0, 0};
}

static void set_pack(struct stage_options *options, int choice)
{
    options->pack = (enum pack_mode)choice;
}

static void set_limit(struct stage_options *options, int choice)
{
    options->limit = (enum stage_limit)choice;
}

static void set_overflow(struct stage_options *options, int choice)
{
    options->overflow = (enum stage_overflow)choice;
}

// Reads a decimal number of 16 bits with sign; NULL if there is none, else
// what follows it.  By hand, because strtol obeys the host's locale.
static const char *read_coordinate(const char *text, int32_t *value)
{
    bool negative = *text == '-';
    if (*text == '-' || *text == '+')
        text++;
    if (*text < '0' || *text > '9')
        return NULL;
    int32_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        number = number * 10 + (*text - '0');
        if (number > -(int32_t)INT16_MIN)
            return NULL;
    }
    *value = negative ? -number : number;
    return *value <= INT16_MAX ? text : NULL;
}

// "X,Y": the origin in map units.
static bool set_grid_from_form(struct stage_options *options, const char *value)
{
    struct grid_request request = {.placement = GRID_AT};
    const char *rest = read_coordinate(value, &request.x);
    if (!rest || *rest != ',')
        return false;
    rest = read_coordinate(rest + 1, &request.y);
    if (!rest || *rest != '\0')
        return false;
    options->grid = request;
    return true;
}

// What an option does with a choice, and with a value of its form.
static const struct {
    void (*set_choice)(struct stage_options *options, int choice);
    bool (*set_form)(struct stage_options *options, const char *value);
} setters[OPTION_COUNT] = {
    [OPTION_GRID] = {set_grid, set_grid_from_form},
    [OPTION_PACK] = {set_pack, NULL},
    [OPTION_LIMIT] = {set_limit, NULL},
    [OPTION_OVERFLOW] = {set_overflow, NULL},
};

static int find_choice(const struct nbstage_option *option, const char *value)
{
    for (size_t i = 0; i < option->choice_count; i++)
        if (strcmp(option->choices[i].name, value) == 0)
            return (int)i;
    return -1;
}

// Appends to a text of limited size.
static void append(char *text, size_t size, const char *more)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

// Appends item `index` of `count` to a list of words.
static void append_item(char *text, size_t size, const char *item, size_t index,
                        size_t count)
{
    if (index > 0)
        append(text, size, index + 1 == count ? " or " : ", ");
    append(text, size, item);
}

static nbstage_status unknown_option(const char *name, char *message,
                                     size_t size)
{
    snprintf(message, size, "no option is named '%.40s'; expected ", name);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        append_item(message, size, options_table[i].name, i, OPTION_COUNT);
    return NBSTAGE_UNKNOWN_OPTION;
}

static nbstage_status bad_value(const struct nbstage_option *option,
                                const char *value, char *message, size_t size)
{
    size_t count = option->choice_count + (option->form ? 1 : 0);
    snprintf(message, size, "option '%s' does not take '%.40s'; expected ",
             option->name, value);
    for (size_t i = 0; i < option->choice_count; i++)
        append_item(message, size, option->choices[i].name, i, count);
    if (option->form)
        append_item(message, size, option->form, count - 1, count);
    return NBSTAGE_BAD_VALUE;
}

nbstage_status options_set(struct stage_options *options, const char *name,
                           const char *value, char *message,
                           size_t message_size)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strcmp(options_table[i].name, name) != 0)
            continue;
        int choice = find_choice(&options_table[i], value);
        if (choice >= 0)
            setters[i].set_choice(options, choice);
        else if (!setters[i].set_form || !setters[i].set_form(options, value))
            return bad_value(&options_table[i], value, message, message_size);
        return NBSTAGE_OK;
    }
    return unknown_option(name, message, message_size);
}

void options_set_defaults(struct stage_options *options)
{
    *options = (struct stage_options){0};
    for (size_t i = 0; i < OPTION_COUNT; i++)
        setters[i].set_choice(
            options,
            find_choice(&options_table[i], options_table[i].default_value));
}
