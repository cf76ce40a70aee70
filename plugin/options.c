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

// What a preset sets.
struct preset {
    enum grid_placement grid;
    struct pack_form pack;
    enum build_limit limit;
};

enum {
    PRESET_COMPATIBLE,
    PRESET_REPACK,
    PRESET_SMALL,
    PRESET_VANILLA,
    PRESET_ID,
    PRESET_COUNT
};

static const struct preset presets[PRESET_COUNT] = {
    [PRESET_COMPATIBLE] = {GRID_AUTO,
                           {PACK_SHARE, HEADER_ZERO},
                           BUILD_LIMIT_EXTENDED},
    [PRESET_REPACK] = {GRID_KEEP,
                       {PACK_NEST, HEADER_ZERO},
                       BUILD_LIMIT_EXTENDED},
    [PRESET_SMALL] = {GRID_SEARCH,
                      {PACK_NEST, HEADER_ZERO},
                      BUILD_LIMIT_EXTENDED},
    [PRESET_VANILLA] = {GRID_SEARCH,
                        {PACK_NEST, HEADER_NONE},
                        BUILD_LIMIT_VANILLA},
    [PRESET_ID] = {GRID_ID, {PACK_SHARE, HEADER_ZERO}, BUILD_LIMIT_EXTENDED},
};

static const struct nbstage_choice preset_choices[PRESET_COUNT] = {
    [PRESET_COMPATIBLE] = CHOICE("compatible", "auto, share, zero: exact, for "
                                               "every engine; demos kept"),
    [PRESET_REPACK] =
        CHOICE("repack", "keep, nest, zero: smaller; Doom 1.9 demos in sync"),
    [PRESET_SMALL] = CHOICE("small", "search, nest, zero: the smallest for "
                                     "every engine"),
    [PRESET_VANILLA] = CHOICE("vanilla", "search, nest, none, limit vanilla: "
                                         "for Doom 1.9"),
    [PRESET_ID] = CHOICE("id", "id, share, zero: the grid of DoomBSP"),
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
    [SEARCH_SMALLEST] = CHOICE("smallest", "the smallest lump"),
    [SEARCH_VANILLA] = CHOICE(
        "vanilla", "the first to meet the vanilla limit, else the smallest"),
    [SEARCH_EXTENDED] = CHOICE("extended", "the first below 65,536 words, "
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
    [FIT_NONE] = CHOICE("none", "none; lists stay as they are"),
    [FIT_VANILLA] =
        CHOICE("vanilla", "the vanilla limit; more lines are tested"),
    [FIT_EXTENDED] =
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

#define OPTION(option_name, option_type, option_default, option_help) \
    .size = sizeof(struct nbstage_option), .name = option_name, \
    .type = NBSTAGE_OPTION_##option_type, .default_value = option_default, \
    .help = option_help
#define CHOICES(list) .choices = list, .choice_count = COUNT(list)

const struct nbstage_option options_table[OPTION_COUNT] = {
    [OPTION_PRESET] = {OPTION("preset", CHOICE, "compatible",
                              "several options by one name"),
                       CHOICES(preset_choices)},
    [OPTION_SOURCE] = {OPTION("source", CHOICE, "geometry",
                              "what the lists are made from"),
                       CHOICES(source_choices)},
    [OPTION_GRID] = {OPTION("grid", CHOICE, "auto",
                            "where the grid of blocks begins"),
                     CHOICES(grid_choices), .form = "X,Y"},
    [OPTION_GOAL] = {OPTION("goal", CHOICE, "smallest",
                            "what grid=search looks for"),
                     CHOICES(goal_choices)},
    [OPTION_THREADS] = {OPTION("threads", INTEGER, "0",
                               "that search, 0 to 128; 0: one a processor"),
                        .minimum = 0, .maximum = SCORE_OFFSETS},
    [OPTION_BOUNDS] = {OPTION("bounds", CHOICE, "lines",
                              "what the grid has to enclose"),
                       CHOICES(bounds_choices)},
    [OPTION_PRUNE] = {OPTION("prune", CHOICE, "tagged",
                             "which lines are left out"),
                      CHOICES(prune_choices)},
    [OPTION_PACK] = {OPTION("pack", CHOICE, "share", "how lists are stored"),
                     CHOICES(pack_choices)},
    [OPTION_HEADER] = {OPTION("header", CHOICE, "zero",
                              "what stands before a list's linedefs"),
                       CHOICES(header_choices)},
    [OPTION_FIT] = {OPTION("fit", CHOICE, "none",
                           "a limit to merge lists into"),
                    CHOICES(fit_choices)},
    [OPTION_FORMAT] = {OPTION("format", CHOICE, "auto", "the form of the lump"),
                       CHOICES(format_choices)},
    [OPTION_LIMIT] = {OPTION("limit", CHOICE, "extended",
                             "what a classic lump has to meet"),
                      CHOICES(limit_choices)},
    [OPTION_OVERFLOW] = {OPTION("overflow", CHOICE, "empty",
                                "what a map over the limit gets"),
                         CHOICES(overflow_choices)},
    [OPTION_CHECK_NODES] = {OPTION("check-nodes", FLAG, "no",
                                   "hold the lists against the map's segs"),
                            CHOICES(flag_choices)},
    [OPTION_INFLATE_LIMIT] = {OPTION("inflate-limit", INTEGER, "1024",
                                     "MiB a compressed lump may grow to"),
                              .minimum = 1, .maximum = 1 << 20},
    [OPTION_MAX_BLOCKS] = {OPTION("max-blocks", INTEGER, "262144",
                                  "blocks that the grid may have"),
                           .minimum = 1,
                           .maximum = INT64_C(1) << ENTRY_BLOCK_BITS},
    [OPTION_MAX_ENTRIES] = {OPTION("max-entries", INTEGER, "16777216",
                                   "times that lines may touch blocks"),
                            .minimum = 1, .maximum = UINT32_MAX},
    [OPTION_MAX_MEMORY] = {OPTION("max-memory", INTEGER, "0",
                                  "MiB that a map may take; 0: by its size"),
                           .minimum = 0, .maximum = 1 << 20},
};

// ---------------------------------------------------------------------------
// What the options do with a number: the place of a choice, or an integer

static void set_preset(struct build_options *options, int64_t choice)
{
    const struct preset *preset = &presets[choice];
    options->grid = (struct grid_request){preset->grid, 0, 0};
    options->goal = SEARCH_SMALLEST;
    options->pack = preset->pack;
    options->limit = preset->limit;
}

static void set_source(struct build_options *options, int64_t choice)
{
    options->source = (enum build_source)choice;
}

static void set_grid(struct build_options *options, int64_t choice)
{
    options->grid = (struct grid_request){(enum grid_placement)choice, 0, 0};
}

static void set_goal(struct build_options *options, int64_t choice)
{
    options->goal = (enum search_goal)choice;
}

static void set_threads(struct build_options *options, int64_t count)
{
    options->threads = (size_t)count;
}

static void set_bounds(struct build_options *options, int64_t choice)
{
    options->bounds = (enum build_bounds)choice;
}

static void set_prune(struct build_options *options, int64_t choice)
{
    options->prune = (enum prune_policy)choice;
}

static void set_pack(struct build_options *options, int64_t choice)
{
    options->pack.mode = (enum pack_mode)choice;
}

static void set_header(struct build_options *options, int64_t choice)
{
    options->pack.header = (enum pack_header)choice;
}

static void set_fit(struct build_options *options, int64_t choice)
{
    options->fit = (enum fit_limit)choice;
}

static void set_format(struct build_options *options, int64_t choice)
{
    options->format = (enum build_format)choice;
}

static void set_limit(struct build_options *options, int64_t choice)
{
    options->limit = (enum build_limit)choice;
}

static void set_overflow(struct build_options *options, int64_t choice)
{
    options->overflow = (enum build_overflow)choice;
}

static void set_check_nodes(struct build_options *options, int64_t choice)
{
    options->check_nodes = choice != 0;
}

static size_t bytes_of(int64_t mebibytes)
{
    uint64_t bytes = (uint64_t)mebibytes << 20;
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

static void set_inflate_limit(struct build_options *options, int64_t mebibytes)
{
    options->inflate_limit = bytes_of(mebibytes);
}

static void set_max_blocks(struct build_options *options, int64_t count)
{
    options->limits.blocks = (uint64_t)count;
}

static void set_max_entries(struct build_options *options, int64_t count)
{
    options->limits.entries = (uint64_t)count;
}

static void set_max_memory(struct build_options *options, int64_t mebibytes)
{
    options->limits.memory = bytes_of(mebibytes);
}

// ---------------------------------------------------------------------------
// Values that are neither

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
static bool set_grid_from_form(struct build_options *options, const char *value)
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

static const struct {
    void (*set_number)(struct build_options *options, int64_t number);
    bool (*set_form)(struct build_options *options, const char *value);
} setters[OPTION_COUNT] = {
    [OPTION_PRESET] = {set_preset, NULL},
    [OPTION_SOURCE] = {set_source, NULL},
    [OPTION_GRID] = {set_grid, set_grid_from_form},
    [OPTION_GOAL] = {set_goal, NULL},
    [OPTION_THREADS] = {set_threads, NULL},
    [OPTION_BOUNDS] = {set_bounds, NULL},
    [OPTION_PRUNE] = {set_prune, NULL},
    [OPTION_PACK] = {set_pack, NULL},
    [OPTION_HEADER] = {set_header, NULL},
    [OPTION_FIT] = {set_fit, NULL},
    [OPTION_FORMAT] = {set_format, NULL},
    [OPTION_LIMIT] = {set_limit, NULL},
    [OPTION_OVERFLOW] = {set_overflow, NULL},
    [OPTION_CHECK_NODES] = {set_check_nodes, NULL},
    [OPTION_INFLATE_LIMIT] = {set_inflate_limit, NULL},
    [OPTION_MAX_BLOCKS] = {set_max_blocks, NULL},
    [OPTION_MAX_ENTRIES] = {set_max_entries, NULL},
    [OPTION_MAX_MEMORY] = {set_max_memory, NULL},
};

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
            setters[i].set_number(options, number);
        else if (!setters[i].set_form || !setters[i].set_form(options, value))
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
        setters[i].set_number(options, number);
    }
}
