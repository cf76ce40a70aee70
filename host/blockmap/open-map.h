// SPDX-License-Identifier: GPL-2.0-or-later
//
// What verify, show and diff begin with: a WAD and its maps, and for each map
// its lumps, its lines, the blockmap that it has, and the lists that this
// should have.

#ifndef OPEN_MAP_H
#define OPEN_MAP_H

#include "arguments.h"
#include "blockmap/expected.h"
#include "file/budget.h"
#include "file/maps.h"

struct open_file {
    const struct arguments *arguments;
    struct nbstage stage; // with an instance of the file's own
    const char *path;
    struct wad wad;
    char flaw[WAD_FLAW_SIZE]; // why no more of it can be read; else empty

    // The maps selected, in the order of the file.
    const struct map_place **places;
    size_t count;

    struct budget budget; // what the maps so far have used

    struct sentences *warnings; // where the stage's go to; NULL drops them
};

// Opens a file, and another one unless that is NULL; what --map names must be
// in at least one of them.  A file without maps is STATUS_MAP_FAILED.  On
// failure there has been a message; free the files either way.
enum exit_status open_file_read(const struct arguments *arguments,
                                const struct nbstage *stage,
                                const char *const *paths,
                                struct open_file *file,
                                struct open_file *other);

void open_file_free(struct open_file *file);

// Checks that one map is selected for an option, which may be NULL, that takes
// no more.  STATUS_USAGE with a message.
enum exit_status open_file_check_one(const struct open_file *file,
                                     const char *option);

struct open_map {
    const char *name;
    char *error; // why the map cannot be read or compared; else NULL
    char *doubt; // why nothing is expected though it can be read; else NULL
    struct sentences warnings; // the doubt is one of them
    struct nbstage_map map;    // all lumps, for the stage
    struct nbstage_lump *lumps;

    // The lines, and which of them the option prune leaves out.
    bool has_decoded;
    struct nbstage_decoded decoded;
    size_t line_count; // 0 if that is not known
    bool has_pruned;
    struct nbstage_decoded pruned; // the same with all harmless lines left out

    // The lump that the map has.  It is not read if lumps of the map are
    // outside the file or have no end, the file cannot be read, or its budget
    // is used up.
    bool is_unread;
    struct nbstage_lump *lump; // one of `lumps`, cut to whole words; or NULL
    struct blockmap present;

    bool has_expected;
    struct expected expected;
    struct nbstage_result expected_result; // has the bytes of `expected`
};

// Reads selected map `index` of a file.  A map that cannot be read has an
// error, which has been printed.  Unless it is unread it has its present
// blockmap, too; where the linedefs cannot be counted, all numbers below 65,536
// are taken for linedefs.
void open_map_read(struct open_file *file, size_t index, struct open_map *map);

// Finds the linedefs whose missing entries do no harm, for verdicts.
void open_map_find_harmless(struct open_file *file, struct open_map *map);

void open_map_free(struct open_file *file, struct open_map *map);

// Prints why nothing is expected of a map that could be read.
void open_map_print_doubt(const struct open_file *file,
                          const struct open_map *map);

// The form of the lump that a map has, or "none" without one.
const char *open_map_form_name(const struct open_map *map);

// Builds a map's blockmap with options, up to one without a name, that overrule
// the command line's.  Free
// the result with the stage's free_result.  Returns NULL, or the stage's
// sentence, which is valid until its next call.
const char *open_map_build(struct open_file *file, const struct open_map *map,
                           const struct stage_setting *settings,
                           struct nbstage_result *result);

// Reads the blockmap in a result, whose bytes must stay.
void open_map_read_result(const struct nbstage_result *result,
                          size_t line_count, struct blockmap *blockmap);

// The value of an option of the stage on the command line, or its default, or
// `unknown` if the stage does not have it.
const char *open_map_setting(const struct open_file *file, const char *name,
                             const char *unknown);

// That of the option prune.
const char *open_map_prune(const struct open_file *file);

#endif
