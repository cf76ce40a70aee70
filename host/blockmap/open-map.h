// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the commands that look at blockmaps begin with: a WAD and its maps, and
// for each map its lumps, the blockmap that it has, and the true one.
//
// The true lists come from the stage, which builds them on blocks that are
// those of the present grid, one to one; see truth.h.

#ifndef OPEN_MAP_H
#define OPEN_MAP_H

#include "arguments.h"
#include "blockmap/blockmap.h"
#include "file/maps.h"

struct open_file {
    const struct arguments *arguments;
    struct nbstage stage; // with an instance of the file's own
    const char *path;
    struct wad wad;
    struct map_places maps;

    // The maps selected, in the order of the file.
    const struct map_place **places;
    size_t count;

    struct open_map *current; // the map that warnings are about; or NULL
};

// Opens a file.  A file without maps is STATUS_MAP_FAILED.  On failure there
// has been a message; free the file either way.
enum exit_status open_file_read(const struct arguments *arguments,
                                const struct nbstage *stage, const char *path,
                                struct open_file *file);

// Opens two files; what --map names must be in at least one of them.
enum exit_status open_file_read_both(const struct arguments *arguments,
                                     const struct nbstage *stage,
                                     struct open_file *old,
                                     struct open_file *new);

void open_file_free(struct open_file *file);

struct open_map {
    const char *name;
    char *error;               // why the map cannot be read; else NULL
    char *doubt;               // why there is no truth though it can; else NULL
    struct sentences warnings; // a doubt among them
    struct nbstage_map map;    // all lumps, to hand to the stage
    struct nbstage_lump *lumps;
    size_t line_count; // linedefs; 0 if that is not known

    // The lump that the map has; it is not looked at where lumps of the map
    // are outside the file, or do not end.
    bool is_cut;
    bool has_blockmap;
    struct nbstage_lump *lump; // one of `lumps`, cut to whole words; or NULL
    const unsigned char *bytes;
    size_t size;
    struct blockmap present;

    // All linedefs in all blocks that they touch.  Block 0,0 of the present
    // grid is block west,south of the true one, which reaches as far as the
    // lines do, and at least to the present grid's south-west corner.
    bool has_expected;
    struct blockmap expected;
    size_t west;
    size_t south;
    struct nbstage_result expected_result; // whose bytes `truth` is of

    // For each linedef, whether the stage's option prune leaves it out, as a
    // build would; NULL where none is.
    bool *left_out;
};

// Looks at selected map `index` of a file.  A map that cannot be read has an
// error, which has been printed.  If it is not cut it has its present blockmap,
// too, which is read as that of 65,536 linedefs.
void open_map_read(struct open_file *file, size_t index, struct open_map *map);

// Keeps why there can be no truth of a map that could be read, and has it among
// the warnings.
void open_map_doubt(struct open_map *map, const char *sentence);

// Says why there is no truth of a map that could be read.
void open_map_print_doubt(const struct open_file *file,
                          const struct open_map *map);

// The form of the lump that a map has, or "none" without one.
const char *open_map_form_name(const struct open_map *map);

void open_map_free(struct open_file *file, struct open_map *map);

// Builds a map's blockmap with other options, behind those of the command line.
// The result is for the stage's free_result.  NULL, or the stage's sentence,
// valid until its next call.
const char *open_map_build(struct open_file *file,
                           const struct nbstage_map *map,
                           const struct stage_setting *settings,
                           size_t setting_count, struct nbstage_result *result);

// Reads the blockmap in a result, whose bytes must stay.  The blockmap is for
// blockmap_free either way.
void open_map_read_result(const struct nbstage_result *result,
                          size_t line_count, struct blockmap *blockmap);

// Whether the stage can hand back the lines of maps.
bool open_map_can_decode(const struct open_file *file);

// Has the stage decode a map, for its free_decoded; it has to be able to.
// NULL, or the stage's sentence, valid until its next call.
const char *open_map_decode(struct open_file *file, const struct open_map *map,
                            struct nbstage_decoded *decoded);

// The same with another value of the option prune.
const char *open_map_decode_as(struct open_file *file,
                               const struct open_map *map, const char *prune,
                               struct nbstage_decoded *decoded);

// The value of the option prune that the command line gives, or the default.
const char *open_map_prune(const struct open_file *file);

// The fact of this name; NULL if there is none.
const struct nbstage_fact *open_map_fact(const struct nbstage_result *result,
                                         const char *name);

// A fact that is a number; 0 if there is none of this name.
int64_t open_map_number(const struct nbstage_result *result, const char *name);

// Prints why a map cannot be compared, and gives it that error.
void open_map_fail(struct open_file *file, struct open_map *map,
                   const char *sentence);

#endif
