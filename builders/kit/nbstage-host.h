/* SPDX-License-Identifier: 0BSD */
/* nbstage-host.h - lets a node builder use a stage; nbstage.h is the interface
   Copy it, nbstage-host.c and nbstage.h: C99 or C++11, -ldl for dlopen().  One
   rule: false means that the user would not get what they asked for.  Print
   stage.error, remove what you have written, and end with a failure.  True with
   nothing means: use your own code. */
#ifndef NBSTAGE_HOST_H
#define NBSTAGE_HOST_H
#include "nbstage.h"
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#define NBSTAGE_MUST_USE __attribute__((warn_unused_result))
#else
#define NBSTAGE_MUST_USE
#endif
/* All zeros at first.  One thread at a time uses it. */
struct nbstage {
    /* Settings for nbstage_open.  Without `log`, warnings go to standard error.
       `describe` is of a linked-in stage, which its name finds before files. */
    struct nbstage_host host;
    nbstage_describe_function describe;
    /* For reading.  Once a stage is loaded, you may call its other functions:
       descriptor->set_option(instance, "overflow", "xbm1", NBSTAGE_BY_HOST). */
    const struct nbstage_descriptor *descriptor; /* NULL: none is loaded */
    struct nbstage_instance *instance;
    nbstage_status status; /* what the stage returned last */
    unsigned build_count;  /* calls of its build */
    bool is_asked_for;     /* by the user */
    char lump_name[9], path[1024], error[1024]; /* error: safe to print */
};

/* Loads a stage.  `asked` is what the user gave to --blockmap-plugin or the
   like: NAME or NAME,OPTION=VALUE,...; NULL if they did not give it; "" for no
   stage.  `usual` is the builder's own choice if `asked` is NULL, in the same
   form; NULL for none.  If it is not installed, it is not missed; if it does
   not work, it is closed with one warning.  A comma begins an option if
   letters, digits, _ or - and = follow; two commas stand for one.  NAME with a
   slash is a path.  Any other is a file NAME.so or NAME.dll in the folders of
   the variable NBSTAGE_PLUGIN_PATH, of the macro NBSTAGE_PLUGINDIR,
   /usr/local/lib/nbstage, and nbstage beside the C library; on Windows the
   program's folder in place of the last two.  A set-ID program ignores the
   variable and refuses its user's paths. */
NBSTAGE_MUST_USE bool nbstage_open(struct nbstage *stage, const char *asked,
                                   const char *usual, const char *lump_name);

/* Builds the lump of a map, valid until the next build or nbstage_close.  True
   and NULL: your own code makes it, as no stage is loaded, or the usual one
   makes none of this map or failed.  If the user asked for a stage and you do
   not call this, or do not write the lump, tell them. */
NBSTAGE_MUST_USE bool nbstage_build(struct nbstage *stage,
                                    const struct nbstage_map *map,
                                    const struct nbstage_lump **lump);

/* Ends the use of a stage.  Warns if the user asked for it and nbstage_build
   was never called.  Settings and `error` stay. */
void nbstage_close(struct nbstage *stage);
#ifdef __cplusplus
}
#endif
#endif
