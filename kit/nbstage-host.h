/* SPDX-License-Identifier: 0BSD */
/*
 * nbstage-host.h - the host's side of nbstage.h, ready to use
 *
 * Copy nbstage.h, nbstage-host.h and nbstage-host.c into your node builder.
 * They are C99, compile as C++, and need the C library and, of POSIX, dlopen()
 * and stat().  They compile for Windows, too, where no stage can be loaded.
 *
 *     static struct nbstage stage; // all zeros: no stage is loaded
 *
 *     // user_option is NULL if the user asks for no stage
 *     if (!nbstage_load(&stage, user_option, NULL, "BLOCKMAP", NULL))
 *         warn("%s; going on without the stage", stage.error);
 *     for (every map) {
 *         const struct nbstage_lump *lump = nbstage_build(&stage, &map);
 *         if (lump)
 *             write_lump("BLOCKMAP", lump->data, lump->data_size);
 *         else // there is no stage, or it has failed with this map
 *             build_blockmap_as_before();
 *         if (stage.error[0] != '\0')
 *             warn("%s", stage.error);
 *     }
 *     nbstage_close(&stage);
 *
 * What fails returns false, or NULL, and leaves a sentence in `error`; what
 * does not leaves it empty.  A structure belongs to one thread at a time, but
 * each thread may load the same stage into a structure of its own.
 *
 * hosting.md is a guide, with three hosts as examples, and nbstage-host(3) the
 * manual.
 */
#ifndef NBSTAGE_HOST_H
#define NBSTAGE_HOST_H

#include "nbstage.h"

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A stage that is loaded; all zeros stand for none.  For reading only. */
struct nbstage {
    /* What failed last: a sentence without a full stop, a newline or other
       control characters, "" if nothing has. */
    char error[1024];

    /* What a function of the stage returned last, or NBSTAGE_OUT_OF_MEMORY if
       there was none for a call of these; tells NBSTAGE_CANCELLED and
       NBSTAGE_BAD_VALUE, for example, from other failures. */
    nbstage_status status;

    /* The stage and its options; NULL if none is loaded. */
    const struct nbstage_descriptor *descriptor;

    /* The one that builds; NULL before nbstage_create. */
    struct nbstage_instance *instance;

    /* What the last build made: the lump, others, and facts. */
    struct nbstage_result result;

    const char *lump_name; /* as given to nbstage_open */
    void *library;         /* as from dlopen() */
};

/*
 * Does all that has to be done before the first build: nbstage_open,
 * nbstage_create, nbstage_set_options.  `request` is what users give to an
 * option such as --blockmap-plugin: "NAME" or "NAME,OPTIONS".  NAME ends at
 * the first comma.  NULL asks for no stage: what was loaded is closed, and
 * that is no failure.  On failure no stage is loaded.
 */
bool nbstage_load(struct nbstage *stage, const char *request,
                  const char *folders, const char *lump_name,
                  const struct nbstage_host *callbacks);

/*
 * Loads the stage `name`: a path if there is a slash in it, else the name of a
 * file, with or without ".so", that is looked for in the folders of the
 * environment variable NBSTAGE_PLUGIN_PATH, and then in `folders`, each with
 * colons between them.  NULL in place of `folders` stands for
 * NBSTAGE_PLUGINDIR, to be defined when nbstage-host.c is compiled, as what
 * `pkg-config --variable=plugindir nbstage` tells; without it, for folders in
 * which stages often are.  What was loaded before is closed.
 *
 * Fails, with no stage loaded, if the file is not there, is not a regular file
 * that is a stage of this version, or does not make lumps of the name
 * `lump_name`, which has to stay valid.
 */
bool nbstage_open(struct nbstage *stage, const char *name, const char *folders,
                  const char *lump_name);

/*
 * Tells the folders that nbstage_open searches, in this order, so that a host
 * can list the stages in them: stores the path of folder `index`, from 0, which
 * has `*length` characters and no '\0' after them.  Returns false after the
 * last folder.
 */
bool nbstage_get_folder(const char *folders, size_t index, const char **folder,
                        size_t *length);

/*
 * Makes the instance that builds, with default options, in place of the one
 * there was.  `callbacks` are copied, but what callbacks->context points to is
 * not: it has to be there until nbstage_close, or until another instance is in
 * place, because a stage may call back whenever it is called.  NULL stands for
 * the callbacks of a command: warnings of the stage are printed to standard
 * error.
 */
bool nbstage_create(struct nbstage *stage,
                    const struct nbstage_host *callbacks);

/*
 * Sets options from a text such as "grid=search,pack=nest".  A flag may be
 * given by its name alone, which stands for NAME=yes.  A value may have commas
 * in it, as in "grid=8,8,pack=nest": what follows a comma is another option
 * only if it is of the form NAME=VALUE or the name of a flag.  On failure the
 * options before the wrong one are set.
 */
bool nbstage_set_options(struct nbstage *stage, const char *options);

/* Prints the options for users: names, values, defaults and help. */
void nbstage_print_options(const struct nbstage *stage, FILE *file);

/* A map of lumps, for nbstage_build; they are not copied. */
struct nbstage_map nbstage_map_from_lumps(const char *name,
                                          const struct nbstage_lump *lumps,
                                          size_t lump_count);

/* Stores a vertex, its coordinates truncated to 16.16 as those of UDMF are.
   False if one does not fit, or is no number: no stage can build such a map. */
bool nbstage_vertex_from_doubles(double x, double y,
                                 struct nbstage_vertex *vertex);

/*
 * A map of arrays, for nbstage_build; the arrays are not copied.  `vertices`
 * are vertex_size bytes apart, and each begins with x and y as a struct
 * nbstage_vertex does: int32_t in 16.16.  Other members may be set in what is
 * returned, such as sectors and lumps, and the format is to be set wherever it
 * is not that of Doom: by its rules lines may ask to be left out.
 */
struct nbstage_map
nbstage_map_from_arrays(const char *name, const void *vertices,
                        size_t vertex_count, size_t vertex_size,
                        const struct nbstage_line *lines, size_t line_count);

/*
 * Builds the lump of one map.  The lump is the stage's, and valid until the
 * next build, nbstage_free or nbstage_close.  Its data_size is 0 if the map is
 * to have the empty lump.
 *
 * If no stage is loaded it returns NULL, too, but with no sentence: that there
 * is none was told when it could not be loaded.
 */
const struct nbstage_lump *nbstage_build(struct nbstage *stage,
                                         const struct nbstage_map *map);

/* Frees what the last build made, where that is not to wait for the next. */
void nbstage_free(struct nbstage *stage);

/* Unloads the stage, with all that belongs to it; all is zeros again. */
void nbstage_close(struct nbstage *stage);

#ifdef __cplusplus
}
#endif

#endif
