// SPDX-License-Identifier: GPL-2.0-or-later
//
// The choices of options, and how their values are read.

#include "options.h"

#include "base/threads.h"

#include <stdio.h>
#include <string.h>

enum { LARGE_MAP = 200000 }; // lines

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define CHOICE(name, help) \
    { \
        sizeof(struct nbstage_choice), name, help \
    }

// What a preset sets where it was not set by itself, in the order of
// preset_choices.  NULL is the host's default, or else the stage's.
static const struct preset {
    enum grid_placement grid;
    enum pack_mode pack;
    bool keeps_smaller;
    const char *engines;
    const char *overflow;
} presets[] = {
    {GRID_AUTO, PACK_SHARE, false, NULL, NULL},
    {GRID_KEEP, PACK_NEST, true, NULL, NULL},
    {GRID_SEARCH, PACK_NEST, false, NULL, NULL},
    {GRID_SEARCH, PACK_NEST, false, "doom19", "inert,unreachable,merge,error"},
    {GRID_ID, PACK_SHARE, false, NULL, NULL},
};

static const struct nbstage_choice preset_choices[COUNT(presets)] = {
    CHOICE("compatible", "for every port, on the grid that demos need"),
    CHOICE("repack", "smaller on that grid, or as it is"),
    CHOICE("small", "the smallest, on the best grid"),
    CHOICE("vanilla", "the smallest for Doom 1.9, by any means"),
    CHOICE("id", "the grid of DoomBSP"),
};

// After the first, in the order of enum engine_family.
static const struct nbstage_choice engine_choices[] = {
    CHOICE("any", "every port; Doom 1.9, too, if the map fits"),
    CHOICE("doom19", "Doom 1.9, Chocolate Doom"),
    CHOICE("crispy", "Crispy Doom"),
    CHOICE("boom", "Boom, PrBoom+, DSDA-Doom and others below MBF21; SRB2"),
    CHOICE("mbf21", "DSDA-Doom and others at MBF21; Eternity"),
    CHOICE("zdoom", "ZDoom, GZDoom and others"),
    CHOICE("woof", "Woof since 2026"),
    CHOICE("odamex", "Odamex since August 2026"),
};

static const struct nbstage_choice lists_choices[] = {
    [BUILD_LISTS_EXACT] = CHOICE("exact", "the lines that are in each block"),
    [BUILD_LISTS_LUMP] =
        CHOICE("lump", "the lists of the present lump, on its grid"),
    [BUILD_LISTS_BUILDER + BUILDER_BOOM] =
        CHOICE("boom", "as Boom, PrBoom+, DSDA-Doom and Woof make it"),
    [BUILD_LISTS_BUILDER + BUILDER_MBF] =
        CHOICE("mbf", "as MBF and Crispy Doom make it"),
    [BUILD_LISTS_BUILDER + BUILDER_ZDBSP] =
        CHOICE("zdbsp", "as ZDBSP makes it"),
    [BUILD_LISTS_BUILDER + BUILDER_GLBSP] =
        CHOICE("glbsp", "as glBSP makes it"),
};

static const struct nbstage_choice grid_choices[] = {
    [GRID_AUTO] =
        CHOICE("auto", "the present grid if it fits the map, else fit"),
    [GRID_KEEP] = CHOICE("keep", "the present grid, as demos need it"),
    [GRID_FIT] = CHOICE("fit", "at the lowest coordinates of the lines"),
    [GRID_ID] = CHOICE("id", "8 units south-west of them, as with DoomBSP"),
    [GRID_SEARCH] = CHOICE("search", "the best of 16,384 places"),
};

static const struct nbstage_choice pack_choices[] = {
    [PACK_NONE] = CHOICE("none", "one for each block"),
    [PACK_SHARE] = CHOICE("share", "equal lists once"),
    [PACK_NEST] =
        CHOICE("nest", "also lists inside others, as many as possible"),
    [PACK_COVER] =
        CHOICE("cover", "no list that another contains; adds extra lines"),
};

static const struct nbstage_choice header_choices[] = {
    [HEADER_ZERO] = CHOICE("zero", "a 0; for every engine"),
    [HEADER_ANY] = CHOICE("any", "one word; not for the ZDoom family"),
    [HEADER_NONE] =
        CHOICE("none", "nothing; for Doom 1.9 and MBF21, not for older ports"),
    [HEADER_AUTO] =
        CHOICE("auto", "the shortest that all of your games read right"),
};

static const struct nbstage_choice bounds_choices[] = {
    [BUILD_BOUNDS_LINES] = CHOICE("lines", "the lines"),
    [BUILD_BOUNDS_VERTICES] =
        CHOICE("vertices", "all vertices, used or not, as source ports do"),
};

static const struct nbstage_choice prune_choices[] = {
    [PRUNE_TAGGED] =
        CHOICE("tagged", "lines that ask for it in their map format"),
    [PRUNE_INERT] = CHOICE("inert", "also lines that nothing can collide with"),
    [PRUNE_UNREACHABLE] =
        CHOICE("unreachable", "also lines that nothing can reach"),
    [PRUNE_NONE] = CHOICE("none", "no line"),
};

static const struct nbstage_choice format_choices[] = {
    [BUILD_FORMAT_AUTO] =
        CHOICE("auto", "classic; over the limit as overflow says"),
    [BUILD_FORMAT_DOOM] = CHOICE("doom", "classic, never XBM1"),
    [BUILD_FORMAT_XBM1] = CHOICE("xbm1", "extended, with 32-bit words"),
};

static const struct nbstage_choice flag_choices[] = {
    CHOICE("no", "do not"),
    CHOICE("yes", "do"),
};

static const struct nbstage_choice limit_choices[] = {
    [BUILD_LIMIT_AUTO] =
        CHOICE("auto", "your games' limit; vanilla, too, if the map meets it"),
    [BUILD_LIMIT_VANILLA] = CHOICE("vanilla", "every offset at most 32,767"),
    [BUILD_LIMIT_EXTENDED] = CHOICE("extended", "the lump below 65,536 words"),
};

static const struct nbstage_choice overflow_choices[] = {
    [BUILD_OVERFLOW_AUTO] =
        CHOICE("auto", "xbm1 or empty if your games play it, else error"),
    [BUILD_OVERFLOW_INERT] = CHOICE("inert", "leave out what prune=inert does"),
    [BUILD_OVERFLOW_UNREACHABLE] =
        CHOICE("unreachable", "leave out what prune=unreachable does"),
    [BUILD_OVERFLOW_MERGE] =
        CHOICE("merge", "several blocks get one larger list"),
    [BUILD_OVERFLOW_XBM1] = CHOICE("xbm1", "an extended lump"),
    [BUILD_OVERFLOW_EMPTY] =
        CHOICE("empty", "an empty lump and a warning; ports build their own"),
    [BUILD_OVERFLOW_ERROR] = CHOICE("error", "the map fails"),
};

// ---------------------------------------------------------------------------
// The table, as hosts see it and as a place in struct build_options

#define GROUP_GAMES "The games, and what they can read"
#define GROUP_LISTS "The lists"
#define GROUP_GRID "The grid of blocks"
#define GROUP_MAP "What a map may take"

#define CHOICES(list) .choices = list, .choice_count = COUNT(list)
#define OPTION(id, option_name, option_group, option_type, option_default, \
               option_help, ...) \
    [OPTION_##id] = {.size = sizeof(struct nbstage_option), \
                     .name = option_name, \
                     .type = NBSTAGE_OPTION_##option_type, \
                     .default_value = option_default, \
                     .help = option_help, \
                     .group = option_group, \
                     __VA_ARGS__},
#define CHOICE_OPTION(id, name, group, field, list, form_, default_, help) \
    OPTION(id, name, group, CHOICE, default_, help, CHOICES(list), \
           .form = form_)
#define LIST_OPTION(id, name, group, field, list, default_, help) \
    OPTION(id, name, group, LIST, default_, help, CHOICES(list))
#define FLAG_OPTION(id, name, group, field, default_, help) \
    OPTION(id, name, group, FLAG, default_, help, CHOICES(flag_choices))
#define INTEGER_OPTION(id, name, group, field, unit, least, most, default_, \
                       help) \
    OPTION(id, name, group, INTEGER, default_, help, .minimum = least, \
           .maximum = most)

const struct nbstage_option options_table[OPTION_COUNT] = {
    OPTION_ROWS(CHOICE_OPTION, LIST_OPTION, FLAG_OPTION, INTEGER_OPTION)};

#define MEBIBYTE (1 << 20)
#define FIELD(member) \
    offsetof(struct build_options, member), \
        sizeof(((struct build_options *)NULL)->member)
#define PLACE(id, name, group, field, ...) [OPTION_##id] = {1, field},
#define INTEGER_PLACE(id, name, group, field, unit, ...) \
    [OPTION_##id] = {unit, field},

static const struct {
    int64_t unit; // that the member counts in
    size_t offset, size;
} places[OPTION_COUNT] = {OPTION_ROWS(PLACE, PLACE, PLACE, INTEGER_PLACE)};

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

// Finds a choice by its name, which need not end where it does.
static bool find_choice(const struct nbstage_option *option, const char *name,
                        size_t length, int64_t *number)
{
    for (size_t i = 0; i < option->choice_count; i++) {
        const char *choice = option->choices[i].name;
        if (strncmp(choice, name, length) == 0 && choice[length] == '\0') {
            *number = (int64_t)i;
            return true;
        }
    }
    return false;
}

// Reads choices with commas between them, each at most once.
static bool read_list(const struct nbstage_option *option, const char *value,
                      int64_t *list)
{
    uint32_t seen = 0;
    *list = 0;
    for (size_t i = 0;; i++) {
        size_t length = strcspn(value, ",");
        int64_t choice;
        if (!find_choice(option, value, length, &choice) ||
            (seen & (1 << choice)) != 0)
            return false;
        seen |= UINT32_C(1) << choice;
        *list |= (choice + 1) << (4 * i);
        if (value[length] == '\0')
            return (seen & 1) == 0 || seen == 1;
        value += length + 1;
    }
}

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
    if (option->type == NBSTAGE_OPTION_LIST)
        return read_list(option, value, number);
    return find_choice(option, value, strlen(value), number);
}

static bool was_set(const struct build_options *options, size_t option)
{
    return (options->were_set >> option & 1) != 0;
}

// Whether the preset has nothing to say about an option: the user set it, or
// the host has a default for it and the user set no preset.
static bool is_settled(const struct build_options *options, size_t option)
{
    const bool has_default = (options->have_defaults >> option & 1) != 0;
    return was_set(options, option) ||
           (has_default && !was_set(options, OPTION_PRESET));
}

size_t options_count_threads(const struct build_options *options,
                             size_t line_count)
{
    const uint32_t set = options->were_set | options->have_defaults;
    if (line_count < LARGE_MAP || (set >> OPTION_THREADS & 1) == 0)
        return 1;
    return options->threads > 0 ? options->threads : threads_count_processors();
}

static void set_by_preset(struct build_options *options, size_t option,
                          const char *value, choice_list usual)
{
    int64_t number = usual;
    if (value)
        read_number(&options_table[option], value, &number);
    if (!is_settled(options, option))
        store(options, option, number);
}

// Sets what the preset decides.
static void apply_preset(struct build_options *options)
{
    const struct preset *preset = &presets[options->preset];
    if (!is_settled(options, OPTION_GRID))
        options->grid = (struct grid_request){preset->grid, 0, 0};
    if (!is_settled(options, OPTION_PACK))
        options->pack.mode = preset->pack;
    set_by_preset(options, OPTION_FOR, preset->engines, options->usual_engines);
    set_by_preset(options, OPTION_OVERFLOW, preset->overflow,
                  options->usual_overflow);
    options->keeps_smaller =
        preset->keeps_smaller || options->lists == BUILD_LISTS_LUMP;
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
    const bool is_list = option->type == NBSTAGE_OPTION_LIST;
    const size_t begin = is_list ? 1 : 0;
    size_t count = option->choice_count + (option->form ? 1 : 0) - begin;
    snprintf(message, size, "option '%s' does not take '%.40s'; expected %s%s",
             option->name, value, is_list ? option->choices[0].name : "",
             is_list ? ", or some of " : "");
    for (size_t i = 0; i + begin < option->choice_count; i++)
        append_item(message, size, option->choices[i + begin].name, i, count);
    if (option->form)
        append_item(message, size, option->form, count - 1, count);
    if (is_list)
        append(message, size, ", each once, with commas between them");
    if (option->type == NBSTAGE_OPTION_INTEGER) {
        size_t length = strlen(message);
        snprintf(message + length, size - length, "%lld to %lld",
                 (long long)option->minimum, (long long)option->maximum);
    }
    context_make_printable(message);
    return NBSTAGE_BAD_VALUE;
}

nbstage_status options_set(struct build_options *options, const char *name,
                           const char *value, bool by_default, char *message,
                           size_t message_size)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct nbstage_option *option = &options_table[i];
        struct build_options changed = *options;
        int64_t number;
        if (strcmp(option->name, name) != 0)
            continue;
        if (read_number(option, value, &number))
            store(&changed, i, number);
        else if (i != OPTION_GRID || !set_origin(&changed, value))
            return bad_value(option, value, message, message_size);
        if (by_default && was_set(options, i))
            return NBSTAGE_OK;
        *(by_default ? &changed.have_defaults : &changed.were_set) |=
            UINT32_C(1) << i;
        if (by_default && i == OPTION_FOR)
            changed.usual_engines = changed.engines;
        if (by_default && i == OPTION_OVERFLOW)
            changed.usual_overflow = changed.overflow;
        apply_preset(&changed);
        *options = changed;
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
        store(options, i, number);
    }
    options->usual_engines = options->engines;
    options->usual_overflow = options->overflow;
    apply_preset(options);
}

// ---------------------------------------------------------------------------
// Warnings

static bool has_choice(choice_list list, int choice)
{
    bool found = false;
    for (size_t i = 0; choice_at(list, i) >= 0; i++)
        found |= choice_at(list, i) == choice;
    return found;
}

static void warn_unused(struct context *context,
                        const struct build_options *options, size_t option,
                        const char *beside)
{
    if (was_set(options, option))
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "the option %s is not used %s", options_table[option].name,
                    beside);
}

// Warns if engines will not read what an option asks for.
static void warn_of_engines(struct context *context,
                            const struct build_options *options, size_t option,
                            int64_t choice, families wrong)
{
    const families named = engines_of(options->engines);
    char list[80] = "";
    families found = named ? named & wrong : wrong;
    if (!was_set(options, option) || !found)
        return;
    for (int family = 0; family < FAMILY_COUNT; family++) {
        if (!(found & family_bit((enum engine_family)family)))
            continue;
        append(list, sizeof list, *list ? ", " : "");
        append(list, sizeof list, engine_choices[family + 1].name);
    }
    context_log(context, NBSTAGE_LOG_WARNING, NULL,
                "%s=%s is not read right by these games of the option for: %s",
                options_table[option].name,
                options_table[option].choices[choice].name, list);
}

// Warns of what lists that are not of the lines leave nothing to say about.
static void warn_beside_lists(struct context *context,
                              const struct build_options *options,
                              size_t line_count)
{
    const bool imitates = build_imitates(options->lists);
    const char *name = lists_choices[options->lists].name;
    char beside[64];
    snprintf(beside, sizeof beside, "with lists=%s, which %s", name,
             imitates ? "makes its own grid and lists"
                      : "keeps grid and lists");
    if (imitates || options->grid.placement != GRID_KEEP)
        warn_unused(context, options, OPTION_GRID, beside);
    if (line_count < LARGE_MAP)
        warn_unused(context, options, OPTION_THREADS, beside);
    warn_unused(context, options, OPTION_BOUNDS, beside);
    if (prune_reads_attributes(options->prune) ||
        (imitates && options->prune != PRUNE_NONE))
        warn_unused(context, options, OPTION_PRUNE, beside);
    if (imitates && options->pack.mode > PACK_SHARE)
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "pack=%s changes the order of linedefs in the lists of "
                    "lists=%s",
                    pack_choices[options->pack.mode].name, name);
}

void options_warn(struct context *context, const struct build_options *options,
                  size_t line_count)
{
    const families doom19 = family_bit(FAMILY_DOOM19);
    const bool named = engines_of(options->engines) != 0;
    if (options->lists != BUILD_LISTS_EXACT) {
        warn_beside_lists(context, options, line_count);
    } else if (options->grid.placement != GRID_SEARCH &&
               line_count < LARGE_MAP) {
        warn_unused(context, options, OPTION_THREADS, "without grid=search");
    }
    if (options->format == BUILD_FORMAT_XBM1) {
        warn_unused(context, options, OPTION_LIMIT, "with format=xbm1");
        warn_unused(context, options, OPTION_OVERFLOW, "with format=xbm1");
    } else if (options->pack.mode == PACK_NONE &&
               was_set(options, OPTION_OVERFLOW) &&
               has_choice(options->overflow, BUILD_OVERFLOW_MERGE)) {
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "overflow=merge merges nothing with pack=none");
    }
    if (options->pack.header != HEADER_AUTO)
        warn_of_engines(context, options, OPTION_HEADER, options->pack.header,
                        engines_without_header(options->pack.header));
    if (options->format == BUILD_FORMAT_XBM1)
        warn_of_engines(context, options, OPTION_FORMAT, options->format,
                        engines_without_xbm1());
    if (named && options->limit == BUILD_LIMIT_EXTENDED)
        warn_of_engines(context, options, OPTION_LIMIT, options->limit, doom19);
    if (named && has_choice(options->overflow, BUILD_OVERFLOW_XBM1))
        warn_of_engines(context, options, OPTION_OVERFLOW, BUILD_OVERFLOW_XBM1,
                        engines_without_xbm1());
    if (named && has_choice(options->overflow, BUILD_OVERFLOW_EMPTY))
        warn_of_engines(context, options, OPTION_OVERFLOW, BUILD_OVERFLOW_EMPTY,
                        doom19);
}

void options_warn_of_empty(struct context *context,
                           const struct build_options *options)
{
    const char *beside = "for a lump that is left empty";
    warn_unused(context, options, OPTION_PACK, beside);
    warn_unused(context, options, OPTION_HEADER, beside);
}
