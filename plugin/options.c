// SPDX-License-Identifier: GPL-2.0-or-later
//
// The choices of options, and how their values are read.

#include "options.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define CHOICE(name, help) \
    { \
        sizeof(struct nbstage_choice), name, help \
    }

// What a preset sets, in the order of preset_choices.
static const struct preset {
    enum grid_placement grid;
    struct pack_form pack;
    enum build_limit limit;
} presets[] = {
    {GRID_AUTO, {PACK_SHARE, HEADER_ZERO}, BUILD_LIMIT_EXTENDED},
    {GRID_KEEP, {PACK_NEST, HEADER_ZERO}, BUILD_LIMIT_EXTENDED},
    {GRID_SEARCH, {PACK_NEST, HEADER_ZERO}, BUILD_LIMIT_EXTENDED},
    {GRID_SEARCH, {PACK_NEST, HEADER_NONE}, BUILD_LIMIT_VANILLA},
    {GRID_ID, {PACK_SHARE, HEADER_ZERO}, BUILD_LIMIT_EXTENDED},
};

static const struct nbstage_choice preset_choices[COUNT(presets)] = {
    CHOICE("compatible",
           "auto, share, zero: exact, for every engine; demos kept"),
    CHOICE("repack", "keep, nest, zero: smaller; Doom 1.9 demos in sync"),
    CHOICE("small", "search, nest, zero: the smallest for every engine"),
    CHOICE("vanilla", "search, nest, none, limit vanilla: for Doom 1.9"),
    CHOICE("id", "id, share, zero: the grid of DoomBSP"),
};

static const struct nbstage_choice source_choices[] = {
    [BUILD_SOURCE_GEOMETRY] = CHOICE("geometry", "the map's lines"),
    [BUILD_SOURCE_LUMP] =
        CHOICE("lump", "the lists of the lump that the map has, on its grid"),
};

static const struct nbstage_choice grid_choices[] = {
    [GRID_AUTO] = CHOICE("auto", "keep if the present grid still fits the "
                                 "map, else fit"),
    [GRID_KEEP] =
        CHOICE("keep", "that of the present lump; demos stay in sync"),
    [GRID_FIT] = CHOICE("fit", "origin at the lowest coordinates"),
    [GRID_ID] = CHOICE("id", "origin 8 units south-west of them, as DoomBSP"),
    [GRID_SEARCH] = CHOICE("search", "all 16,384 origins tried, the best one "
                                     "taken; see goal"),
};

static const struct nbstage_choice goal_choices[] = {
    [LIMIT_NONE] = CHOICE("smallest", "the smallest lump"),
    [LIMIT_VANILLA] = CHOICE(
        "vanilla", "the first to meet the vanilla limit, else the smallest"),
    [LIMIT_EXTENDED] = CHOICE("extended", "the first below 65,536 words, "
                                          "else the smallest"),
};

static const struct nbstage_choice pack_choices[] = {
    [PACK_NONE] = CHOICE("none", "a list for every block"),
    [PACK_SHARE] = CHOICE("share", "equal lists are stored once"),
    [PACK_NEST] = CHOICE("nest", "and contained ones inside others, as many "
                                 "as can be"),
    [PACK_COVER] =
        CHOICE("cover", "contained ones give way; more lines are tested"),
};

static const struct nbstage_choice header_choices[] = {
    [HEADER_ZERO] = CHOICE("zero", "a 0; for every engine"),
    [HEADER_ANY] = CHOICE("any", "any word; not for the ZDoom family"),
    [HEADER_NONE] = CHOICE("none", "nothing; for Doom 1.9 and MBF21, not for "
                                   "older ports"),
};

static const struct nbstage_choice fit_choices[] = {
    [LIMIT_NONE] = CHOICE("none", "none; lists stay as they are"),
    [LIMIT_VANILLA] =
        CHOICE("vanilla", "the vanilla limit; more lines are tested"),
    [LIMIT_EXTENDED] =
        CHOICE("extended", "the extended limit; more lines are tested"),
};

static const struct nbstage_choice bounds_choices[] = {
    [BUILD_BOUNDS_LINES] = CHOICE("lines", "the lines"),
    [BUILD_BOUNDS_VERTICES] =
        CHOICE("vertices", "all vertices, used or not, as source ports do"),
};

static const struct nbstage_choice prune_choices[] = {
    [PRUNE_TAGGED] = CHOICE("tagged", "lines that ask for it in their format"),
    [PRUNE_INERT] = CHOICE("inert", "and lines that nothing can collide with"),
    [PRUNE_NONE] = CHOICE("none", "no line"),
};

static const struct nbstage_choice format_choices[] = {
    [BUILD_FORMAT_AUTO] =
        CHOICE("auto", "classic; past its limits as overflow says"),
    [BUILD_FORMAT_DOOM] = CHOICE("doom", "classic, never XBM1"),
    [BUILD_FORMAT_XBM1] = CHOICE("xbm1", "extended, with 32-bit words"),
};

static const struct nbstage_choice flag_choices[] = {
    CHOICE("no", "do not"),
    CHOICE("yes", "do"),
};

static const struct nbstage_choice limit_choices[] = {
    [BUILD_LIMIT_EXTENDED] = CHOICE("extended", "the lump below 65,536 words"),
    [BUILD_LIMIT_VANILLA] = CHOICE("vanilla", "and every offset at most "
                                              "32,767, for Doom 1.9"),
};

static const struct nbstage_choice overflow_choices[] = {
    [BUILD_OVERFLOW_EMPTY] = CHOICE("empty", "an empty lump, and a warning; "
                                             "ports build their own"),
    [BUILD_OVERFLOW_XBM1] = CHOICE("xbm1", "an extended lump"),
    [BUILD_OVERFLOW_ERROR] = CHOICE("error", "no lump; the map fails"),
};

// ---------------------------------------------------------------------------
// The table, as hosts see it and as a place in struct build_options

#define CHOICES(list) .choices = list, .choice_count = COUNT(list)
#define OPTION(id, option_name, option_type, option_default, option_help, ...) \
    [OPTION_##id] = {.size = sizeof(struct nbstage_option), \
                     .name = option_name, \
                     .type = NBSTAGE_OPTION_##option_type, \
                     .default_value = option_default, \
                     .help = option_help, \
                     __VA_ARGS__},
#define CHOICE_OPTION(id, name, field, list, form_, default_, help) \
    OPTION(id, name, CHOICE, default_, help, CHOICES(list), .form = form_)
#define FLAG_OPTION(id, name, field, default_, help) \
    OPTION(id, name, FLAG, default_, help, CHOICES(flag_choices))
#define INTEGER_OPTION(id, name, field, unit, least, most, default_, help) \
    OPTION(id, name, INTEGER, default_, help, .minimum = least, .maximum = most)

const struct nbstage_option options_table[OPTION_COUNT] = {
    OPTION_ROWS(CHOICE_OPTION, FLAG_OPTION, INTEGER_OPTION)};

#define MEBIBYTE (1 << 20)
#define NO_FIELD 0, 0
#define FIELD(member) \
    offsetof(struct build_options, member), \
        sizeof(((struct build_options *)NULL)->member)
#define PLACE(id, name, field, ...) [OPTION_##id] = {1, field},
#define INTEGER_PLACE(id, name, field, unit, ...) [OPTION_##id] = {unit, field},

static const struct {
    int64_t unit; // that the member counts in
    size_t offset, size;
} places[OPTION_COUNT] = {OPTION_ROWS(PLACE, PLACE, INTEGER_PLACE)};

// Stores a number in the member of an option; too large a one as the largest.
static void store(struct build_options *options, size_t option, int64_t number)
{
    unsigned char *member = (unsigned char *)options + places[option].offset;
    const uint64_t value = (uint64_t)number * (uint64_t)places[option].unit;
    const uint32_t word = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    if (places[option].size == sizeof value)
        memcpy(member, &value, sizeof value);
    else if (places[option].size == sizeof word)
        memcpy(member, &word, sizeof word);
    else if (places[option].size == sizeof(bool))
        memcpy(member, &(bool){number != 0}, sizeof(bool));
}

static void set_preset(struct build_options *options, int64_t choice)
{
    const struct preset *preset = &presets[choice];
    options->grid = (struct grid_request){preset->grid, 0, 0};
    options->goal = LIMIT_NONE;
    options->pack = preset->pack;
    options->limit = preset->limit;
}

static void set_number(struct build_options *options, size_t option,
                       int64_t number)
{
    if (option == OPTION_PRESET)
        set_preset(options, number);
    else
        store(options, option, number);
}

// ---------------------------------------------------------------------------
// The origin of the grid

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
static bool set_origin(struct build_options *options, const char *value)
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

// ---------------------------------------------------------------------------
// Setting

// Reads a decimal integer without sign that is within the option's range.
static bool read_integer(const struct nbstage_option *option, const char *value,
                         int64_t *number)
{
    int64_t read = 0;
    for (const char *c = value; *c; c++) {
        if (*c < '0' || *c > '9' || read > option->maximum)
            return false;
        read = read * 10 + (*c - '0');
    }
    *number = read;
    return *value && read >= option->minimum && read <= option->maximum;
}

// The number that a value stands for.
static bool read_number(const struct nbstage_option *option, const char *value,
                        int64_t *number)
{
    if (option->type == NBSTAGE_OPTION_INTEGER)
        return read_integer(option, value, number);
    for (size_t i = 0; i < option->choice_count; i++) {
        if (strcmp(option->choices[i].name, value) == 0) {
            *number = (int64_t)i;
            return true;
        }
    }
    return false;
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
    context_make_printable(message);
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
    if (option->type == NBSTAGE_OPTION_INTEGER) {
        size_t length = strlen(message);
        snprintf(message + length, size - length, "%lld to %lld",
                 (long long)option->minimum, (long long)option->maximum);
    }
    context_make_printable(message);
    return NBSTAGE_BAD_VALUE;
}

nbstage_status options_set(struct build_options *options, const char *name,
                           const char *value, char *message,
                           size_t message_size)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct nbstage_option *option = &options_table[i];
        int64_t number;
        if (strcmp(option->name, name) != 0)
            continue;
        if (read_number(option, value, &number))
            set_number(options, i, number);
        else if (i != OPTION_GRID || !set_origin(options, value))
            return bad_value(option, value, message, message_size);
        return NBSTAGE_OK;
    }
    return unknown_option(name, message, message_size);
}

void options_set_defaults(struct build_options *options)
{
    *options = (struct build_options){0};
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct nbstage_option *option = &options_table[i];
        int64_t number = 0;
        read_number(option, option->default_value, &number);
        set_number(options, i, number);
    }
}
