// SPDX-License-Identifier: GPL-2.0-or-later
//
// One table holds the commands, another one the host's options and which
// commands take them; the stage brings its own.

#include "config.h"

#include "option-tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Those of the stage's options that limit what a map may take.
#define LIMITS "inflate-limit max-blocks max-entries max-memory"

const struct command_entry command_table[COMMAND_COUNT] = {
    [COMMAND_BUILD] =
        {"build",
         "Usage: blocksweep [build] [OPTION]... IN.wad -o OUT.wad\n"
         "  or:  blocksweep [build] [OPTION]... --in-place IN.wad\n"
         "Builds the BLOCKMAP lumps of the maps in a WAD file with a stage "
         "that is\nloaded at run time.\n",
         "build the BLOCKMAP lumps of maps", true, NULL, 1,
         "a map or the builder failed"},
    [COMMAND_VERIFY] =
        {"verify",
         "Usage: blocksweep verify [OPTION]... FILE.wad...\n"
         "Holds the BLOCKMAP lumps of maps, whoever built them, against the "
         "lines of the\nmaps.\n",
         "hold lumps against the lines of their maps", true, "prune " LIMITS,
         SIZE_MAX, "a lump or a map is not sound"},
    [COMMAND_SHOW] =
        {"show",
         "Usage: blocksweep show [OPTION]... FILE.wad\n"
         "Shows what is in the BLOCKMAP lumps of maps, whoever built them, or "
         "in those\nthat a build would make where there are none.\n",
         "show what is in lumps", true, "prune " LIMITS, 1,
         "a map cannot be shown"},
    [COMMAND_DIFF] =
        {"diff",
         "Usage: blocksweep diff [OPTION]... OLD.wad NEW.wad\n"
         "Tells what differs between the BLOCKMAP lumps of two files, map by "
         "map.\n",
         "compare the lumps of two files", true, LIMITS, 2,
         "a map differs or failed"},
    [COMMAND_PLUGINS] =
        {"plugins",
         "Usage: blocksweep plugins [OPTION]...\n"
         "Shows the stages that are installed, and which of them is loaded.\n",
         "show the stages that are installed", false, "", 0,
         "the stage cannot be loaded"},
};

// The commands that take an option, as bits.
enum {
    BUILD = 1 << COMMAND_BUILD,
    VERIFY = 1 << COMMAND_VERIFY,
    SHOW = 1 << COMMAND_SHOW,
    DIFF = 1 << COMMAND_DIFF,
    PLUGINS = 1 << COMMAND_PLUGINS,
    EVERY = (1 << COMMAND_COUNT) - 1,
};

// Each command takes one of the options of a name.
static const struct host_option host_options[] = {
    {"output", 'o', VALUE_FILE, "FILE", BUILD, "write the result to FILE"},
    {"in-place", 'i', VALUE_NONE, NULL, BUILD,
     "write the result over the input"},
    {"backup", 'b', VALUE_NONE, NULL, BUILD,
     "keep what the target was as TARGET~"},
    {"builder", 'B', VALUE_BUILDER, "COMMAND", BUILD,
     "run a node builder first: a name, 'CMD {in} -o {out}'"},
    {"builder-timeout", 'T', VALUE_OTHER, "SECONDS", BUILD,
     "end it after this time (default: 3600, 0 for never)"},
    {"verbose", 'v', VALUE_NONE, NULL, BUILD, "show what the builder prints"},
    {"nodes", 'n', VALUE_NONE, NULL, VERIFY,
     "hold the lists against the map's segs, too"},
    {"strict", 's', VALUE_NONE, NULL, VERIFY,
     "fail on extra lines and on empty lumps, too"},
    {"verbose", 'v', VALUE_NONE, NULL, VERIFY,
     "name every finding, and every extra line"},
    {"verbose", 'v', VALUE_NONE, NULL, DIFF, "name every block that differs"},
    {"verbose", 'v', VALUE_NONE, NULL, PLUGINS, "tell their options, too"},
    {"svg", 'S', VALUE_FILE, "FILE", SHOW,
     "write a picture of one map to FILE"},
    {"svg", 'S', VALUE_FILE, "FILE", DIFF,
     "write a picture of what differs in one map"},
    {"html", 'H', VALUE_FILE, "FILE", SHOW,
     "write a page with that picture to FILE"},
    {"shared", 'r', VALUE_NONE, NULL, SHOW,
     "mark blocks that share a list in the picture"},
    {"list", 'l', VALUE_OTHER, "PLACE", SHOW,
     "print a block: its number, or X,Y in map units"},
    {"map", 'm', VALUE_MAPS, "LIST", BUILD | VERIFY | SHOW | DIFF,
     "take only these maps: MAP01,MAP04-MAP07"},
    {"plugin", 'p', VALUE_STAGE, "FILE", BUILD | VERIFY | SHOW | DIFF,
     "use this stage: a path, or a name to search for"},
    {"plugin", 'p', VALUE_STAGE, "FILE", PLUGINS,
     "tell of this stage alone: a path, or a name"},
    {"quiet", 'q', VALUE_NONE, NULL, EVERY, "print only warnings and errors"},
    {"json", 'j', VALUE_NONE, NULL, EVERY, "print the report as JSON"},
    {"help", 'h', VALUE_NONE, NULL, EVERY, "print this help and exit"},
    {"version", 'V', VALUE_NONE, NULL, EVERY, "print the version and exit"},
};

enum {
    HOST_OPTION_COUNT = sizeof host_options / sizeof *host_options,
    // The number of an option of the stage is its index behind this.
    FIRST_STAGE_OPTION = 256,
};

const char *command_names(char names[COMMAND_NAMES_SIZE])
{
    size_t length = 0;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        length +=
            (size_t)snprintf(names + length, COMMAND_NAMES_SIZE - length,
                             "%s%s", i > 0 ? ", " : "", command_table[i].name);
    return names;
}

// ---------------------------------------------------------------------------
// The options that a command takes

// Whether a name is one of the words of a text.
static bool is_word_of(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; *name && (at = strstr(at, name)); at += length)
        if ((at == text || at[-1] == ' ') &&
            (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool takes_stage_option(enum command command,
                               const struct nbstage_option *option)
{
    const char *taken = command_table[command].stage_options;
    return !taken || is_word_of(taken, option->name);
}

bool option_tables_get(enum command command, const struct nbstage *stage,
                       size_t index, struct known_option *option)
{
    for (size_t i = 0; i < HOST_OPTION_COUNT; i++) {
        const struct host_option *host = &host_options[i];
        if ((host->commands & 1u << command) && index-- == 0) {
            *option = (struct known_option){host, NULL};
            return true;
        }
    }
    size_t stage_count = stage ? stage->descriptor->option_count : 0;
    for (size_t i = 0; i < stage_count; i++) {
        const struct nbstage_option *of_stage =
            NBSTAGE_AT(struct nbstage_option, stage->descriptor->options, i);
        if (takes_stage_option(command, of_stage) && index-- == 0) {
            *option = (struct known_option){NULL, of_stage};
            return true;
        }
    }
    return false;
}

const char *option_name(const struct known_option *option)
{
    return option->host ? option->host->name : option->stage->name;
}

bool option_is_flag(const struct nbstage_option *option)
{
    return option->type == NBSTAGE_OPTION_FLAG;
}

bool option_needs_value(const struct known_option *option)
{
    return option->host ? option->host->kind != VALUE_NONE
                        : !option_is_flag(option->stage);
}

// ---------------------------------------------------------------------------
// Reading

static int number_of(const struct known_option *option, size_t index)
{
    return option->host ? option->host->letter
                        : FIRST_STAGE_OPTION + (int)index;
}

static int argument_of(const struct known_option *option)
{
    if (option_needs_value(option))
        return required_argument;
    return option->host ? no_argument : optional_argument;
}

// Fills in getopt's view of the options.
static void fill_reader(struct option_reader *reader)
{
    char *letter = reader->letters;
    *letter++ = ':'; // tells missing values from unknown options
    struct known_option option;
    for (size_t i = 0;
         option_tables_get(reader->command, reader->stage, i, &option); i++) {
        reader->options[i] =
            (struct option){option_name(&option), argument_of(&option), NULL,
                            number_of(&option, i)};
        if (!option.host)
            continue;
        *letter++ = option.host->letter;
        if (option_needs_value(&option))
            *letter++ = ':';
    }
}

bool option_reader_begin(struct option_reader *reader, enum command command,
                         const struct nbstage *stage)
{
    size_t count = HOST_OPTION_COUNT;
    if (stage)
        count += stage->descriptor->option_count;
    *reader = (struct option_reader){
        .command = command,
        .stage = stage,
        .letters = calloc(2 * HOST_OPTION_COUNT + 2, 1),
        .options = calloc(count + 1, sizeof *reader->options),
    };
    if (!reader->letters || !reader->options) {
        option_reader_end(reader);
        return false;
    }
    fill_reader(reader);
    opterr = 0;
    optind = 0;
    return true;
}

// The option with a number of getopt's; neither if it is no option's.
static struct known_option find_option(const struct option_reader *reader,
                                       int number)
{
    struct known_option option;
    for (size_t i = 0;
         option_tables_get(reader->command, reader->stage, i, &option); i++)
        if (number_of(&option, i) == number)
            return option;
    return (struct known_option){NULL, NULL};
}

bool option_reader_next(struct option_reader *reader, int argc, char **argv)
{
    reader->letter =
        getopt_long(argc, argv, reader->letters, reader->options, NULL);
    bool misused = reader->letter == '?' || reader->letter == ':';
    reader->option = find_option(reader, misused ? optopt : reader->letter);
    return reader->letter != -1;
}

void option_reader_end(struct option_reader *reader)
{
    free(reader->letters);
    free(reader->options);
    *reader = (struct option_reader){0};
}
