/* SPDX-License-Identifier: 0BSD */
/*
 * nbstage-host.h - the host's side of nbstage.h, ready to use
 *
 * Copy nbstage.h, nbstage-host.h and nbstage-host.c into your node builder.
 * They are C99, also compile as C++, and need the C library and POSIX's
 * dlopen() and stat(), or Windows 7.
 *
 * A function that fails returns false or NULL and leaves a sentence in `error`;
 * one that succeeds leaves `error` empty.  A structure belongs to one thread at
 * a time.  hosting.md is a guide, and nbstage-host(3) the manual.
 */
#ifndef NBSTAGE_HOST_H
#define NBSTAGE_HOST_H

#include "nbstage.h"

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NBSTAGE_FAILURE_NONE 0
#define NBSTAGE_FAILURE_NOT_FOUND 1 /* there is no such file */
#define NBSTAGE_FAILURE_UNUSABLE 2  /* the file is not a stage for this host */
#define NBSTAGE_FAILURE_OPTION 3    /* the user's options are wrong */
#define NBSTAGE_FAILURE_DEFAULT 4   /* the host's defaults are wrong */
#define NBSTAGE_FAILURE_OTHER 5     /* memory, the build: see `status` */

/* A loaded stage; all zeros stand for none.  For reading only. */
struct nbstage {
    /* What failed last: a sentence in UTF-8 without a full stop, of which every
       character is printable; "" if nothing has. */
    char error[1024];

    /* NBSTAGE_FAILURE_NONE, ...  Go on without a stage that is missing, but end
       if an option is wrong: the user wanted another result. */
    int failure;

    /* What the stage returned last, such as NBSTAGE_CANCELLED. */
    nbstage_status status;

    const struct nbstage_descriptor *descriptor; /* NULL if none is loaded */
    struct nbstage_instance *instance; /* NULL before nbstage_create */
    struct nbstage_result result;      /* of the last build */
    struct nbstage_host callbacks;     /* as given to nbstage_create */
    const char *lump_name;             /* of the lumps that are built */
    char path[4096]; /* of its file; "" if it is linked into the program */
    void *library;   /* as from dlopen() or LoadLibraryW() */
};

/*
 * Prepares for the first build: calls nbstage_find, nbstage_create,
 * nbstage_set_defaults and nbstage_set_options.  `request` is what users give
 * to an option such as --blockmap-plugin: "NAME" or "NAME,OPTIONS".  NULL asks
 * for no stage: a loaded stage is closed, and the call succeeds.  `defaults`
 * are the host's own options, such as "overflow=xbm1"; NULL if it has none.  On
 * failure no stage is loaded.
 */
bool nbstage_load(struct nbstage *stage, const char *request,
                  const char *defaults, const char *folders,
                  const char *lump_name, const struct nbstage_host *callbacks);

/*
 * Loads the stage `name`.  A name with a slash is a path.  Any other name is a
 * file, with or without ".so", in one of these folders; colons separate them:
 *   1. those of the environment variable NBSTAGE_PLUGIN_PATH;
 *   2. those of `folders`, and no others, if it is not NULL;
 *   3. those of the macro NBSTAGE_PLUGINDIR, if you define it when you compile
 *      nbstage-host.c, as `pkg-config --variable=plugindir nbstage` prints it;
 *   4. the usual ones of this system, such as /usr/local/lib/nbstage;
 *   5. ../lib/nbstage, seen from the folder of the running program.
 * A program with more rights than its user, such as a set-ID one, ignores the
 * first and the last.
 *
 * On Windows the ending is ".dll", a name with a backslash or a colon is a
 * path, too, and semicolons separate folders.  The folder of the running
 * program and "nbstage" in it are searched first; 4 and 5 do not exist.  Names
 * and folders are in UTF-8.
 *
 * Fails, with no stage loaded, if there is no such file, if it is cut off or no
 * stage of this version, or if the stage does not make lumps named `lump_name`;
 * NULL stands for the stage's first lump.
 */
bool nbstage_find(struct nbstage *stage, const char *name, const char *folders,
                  const char *lump_name);

/* Uses a stage that is linked into the program: `describe` is its
   nbstage_describe.  Fails as nbstage_find does. */
bool nbstage_open(struct nbstage *stage, nbstage_describe_function describe,
                  const char *lump_name);

/* Makes the instance that builds, with default options, and replaces the one
   before.  callbacks->context must stay valid until nbstage_close or the next
   nbstage_create.  NULL prints warnings to standard error. */
bool nbstage_create(struct nbstage *stage,
                    const struct nbstage_host *callbacks);

/* Whether a stage has an instance, and so can build. */
bool nbstage_is_loaded(const struct nbstage *stage);

/* Sets options from a text such as "grid=8,8,pack=nest".  A comma begins
   another option only before NAME=VALUE, or before the name of a flag, which
   stands for NAME=yes.  On failure the options before the wrong one are set. */
bool nbstage_set_options(struct nbstage *stage, const char *options);

/* Sets one option, whatever its value contains. */
bool nbstage_set_option(struct nbstage *stage, const char *name,
                        const char *value);

/* Sets the host's defaults, which give way to options that the user sets, or
   stands for by a preset.  One that the stage does not have is a warning. */
bool nbstage_set_defaults(struct nbstage *stage, const char *defaults);

/* Prints the options for users: names, values, defaults and help. */
void nbstage_print_options(const struct nbstage *stage, FILE *file);

/* A map of lumps, for nbstage_build; they are not copied. */
struct nbstage_map nbstage_map_from_lumps(const char *name,
                                          const struct nbstage_lump *lumps,
                                          size_t lump_count);

/* A map without lumps and arrays: set the members of those that you hand over.
   `format` is NBSTAGE_FORMAT_DOOM, ..., or NBSTAGE_FORMAT_DETECT with lumps. */
struct nbstage_map nbstage_new_map(const char *name, uint32_t format);

/* Builds the lump of one map, which is valid until the next build, nbstage_free
   or nbstage_close.  Its data_size is 0 if the map gets the empty lump.
   Without a stage returns NULL at once, and leaves no sentence. */
const struct nbstage_lump *nbstage_build(struct nbstage *stage,
                                         const struct nbstage_map *map);

/* Stores a fact about the last build, which may have failed; false if it has no
   fact of this name.  The stage's manual lists the names. */
bool nbstage_get_fact(struct nbstage *stage, const char *name,
                      struct nbstage_fact *fact);

/* Frees what the last build made, without waiting for the next build. */
void nbstage_free(struct nbstage *stage);

/* Unloads the stage and all that belongs to it; all members are zeros again. */
void nbstage_close(struct nbstage *stage);

/*
 * Whether the first character of a text in UTF-8, which must not be empty, can
 * be printed: no control character, and none that changes the direction of
 * writing or ends lines.  Stores its length in bytes and its number in Unicode.
 * A byte that is not UTF-8 has the length 1 and the number NBSTAGE_NONE.
 */
bool nbstage_is_printable(const char *text, size_t *length, uint32_t *number);

#ifdef __cplusplus
}
#endif

#endif
