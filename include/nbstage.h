/* SPDX-License-Identifier: 0BSD */
/*
 * nbstage.h - the interface between node builders and their stages, version 1
 *
 * A stage makes one or more lumps of a Doom-engine map: blocksweep makes
 * BLOCKMAP; others could make REJECT or NODES.  A stage is a shared object
 * that a node builder, the host, loads at run time.  This header is the whole
 * contract.  It compiles as C89 and as C++, and needs no library.
 *
 * A host in seven steps:
 *   1. dlopen() the stage and look up NBSTAGE_SYMBOL, its only export, which
 *      is an nbstage_describe_function.
 *   2. describe(NBSTAGE_ABI) returns the descriptor, or NULL if the stage
 *      cannot serve this version of the interface.
 *   3. descriptor->create(&host, &instance)
 *   4. descriptor->set_option(instance, "pack", "nest"), as often as needed
 *   5. descriptor->build(instance, &map, &result)
 *   6. use result.lumps, then descriptor->free_result(instance, &result)
 *   7. descriptor->destroy(instance), and dlclose() if no instance is left
 * Repeat 5 and 6 for every map.  nbstage-host.c, the host kit, does all of it.
 *
 * Structures
 *   The first member of a structure is its size in bytes, set by the side that
 *   provides the structure: `map.size = sizeof map`.  Set a structure to all
 *   zeros before filling it in; zero means "absent" or "default".  The elements
 *   of an array of structures are `size` bytes apart, as the first element
 *   says: step with NBSTAGE_AT, never with [index].
 *
 * Later releases
 *   Members are appended, never where padding was; zero in one means what was
 *   before.  Only nbstage_array and nbstage_member, which has no size, stay as
 *   they are.  No structure is smaller than here.  A reader takes members
 *   beyond the size as zero and writes nothing there, so old hosts work with
 *   new stages and new hosts with old stages.
 *   Numbers are added for new cases.  To one that it does not know, a stage
 *   answers NBSTAGE_UNSUPPORTED.  A host takes an unknown status as a failure,
 *   level of a message as DEBUG, type of an option as TEXT, kind of a fact as
 *   VALUE.  As long as all this holds, NBSTAGE_ABI is 1.
 *
 * Threads
 *   describe() and create() may be called on any thread.  Each instance belongs
 *   to one thread at a time; different instances are independent.  A stage may
 *   start threads inside a call, but they end before the call returns and never
 *   call the host.
 *
 * Behaviour in the host's process
 *   A stage writes to no file and no standard stream, does not end the
 *   process, installs no signal handler, and keeps nothing after destroy().
 *   It leaves the locale, the environment, the working folder, the umask, the
 *   signal mask and the rounding mode as they are.  It never writes to the
 *   memory that a map points to.
 */
#ifndef NBSTAGE_H
#define NBSTAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How functions are called and the symbol is exported:
   NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
   nbstage_describe(uint32_t abi) { ... } */
#if defined(_WIN32) && !defined(_WIN64)
#define NBSTAGE_CALL __cdecl
#else
#define NBSTAGE_CALL
#endif
#if defined(_WIN32)
#define NBSTAGE_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define NBSTAGE_EXPORT __attribute__((visibility("default")))
#else
#define NBSTAGE_EXPORT
#endif

/* The version of the interface, and the one symbol that a stage exports. */
#define NBSTAGE_ABI 1
#define NBSTAGE_SYMBOL "nbstage_describe"

/* Element `index` of an array of structures that may be of another size than
   this header's: NBSTAGE_AT(struct nbstage_lump, result.lumps, 0)->data */
#ifdef __cplusplus
#define NBSTAGE_AT(type, array, index) \
    (static_cast<const type *>(static_cast<const void *>( \
        reinterpret_cast<const char *>(array) + (array)->size * (index))))
#else
#define NBSTAGE_AT(type, array, index) \
    ((const type *)(const void *)((const char *)(array) + \
                                  (size_t)(index) * (array)->size))
#endif

/* Whether the writer of the structure knew this member. */
#define NBSTAGE_HAS(type, pointer, member) \
    ((pointer)->size >= offsetof(type, member) + sizeof((pointer)->member))

/* --- Status --- */

/* What the functions of a stage return.  After anything but NBSTAGE_OK,
   last_error() has a sentence, if there is an instance to ask. */
typedef int32_t nbstage_status;

#define NBSTAGE_OK 0
#define NBSTAGE_BAD_CALL 1 /* a NULL pointer, a size that is not set, ... */
#define NBSTAGE_UNKNOWN_OPTION 2 /* set_option: there is no such option */
#define NBSTAGE_BAD_VALUE 3      /* set_option: it does not take this value */
#define NBSTAGE_BAD_MAP 4        /* build: it, or a description, is wrong */
#define NBSTAGE_UNSUPPORTED 5    /* build: this stage does not read the form */
/* build: the result would break a limit and the options ask for an error; or
   the map takes more than the options allow. */
#define NBSTAGE_OVER_LIMIT 6
#define NBSTAGE_OUT_OF_MEMORY 7 /* allocate() returned NULL, for example */
#define NBSTAGE_CANCELLED 8     /* build: progress() asked to stop */

/* --- What the host provides --- */

/* Levels of log messages. */
#define NBSTAGE_LOG_WARNING 1 /* the result may not be what was wanted */
#define NBSTAGE_LOG_INFO 2    /* a choice that the stage made */
#define NBSTAGE_LOG_DEBUG 3   /* of interest to authors of stages */

/* Callbacks, each of which may be NULL.  They are called only from inside a
   call into the stage, on the thread that made that call.  They must return,
   without exceptions or longjmp, and must not use the instance. */
struct nbstage_host {
    size_t size;   /* sizeof(struct nbstage_host) */
    void *context; /* the first argument of every callback */

    /* Returns at least `bytes` bytes (never 0) aligned for any type, or NULL.
       Give both of these or neither; without them the stage takes memory
       from the C library or the system.  release() is never called with NULL.
       An instance may keep memory between calls; destroy() releases all of
       it. */
    void *(NBSTAGE_CALL *allocate)(void *context, size_t bytes);
    void(NBSTAGE_CALL *release)(void *context, void *memory);

    /* One message, in English, UTF-8, without a newline.  `message` is valid
       during the call only. */
    void(NBSTAGE_CALL *log)(void *context, int32_t level, const char *message);

    /* The current step of build() has finished `done` of `total` parts; total
       is not 0.  There may be several steps, and each may end early.  Return 0
       to go on, anything else to cancel: the call then returns
       NBSTAGE_CANCELLED soon. */
    int32_t(NBSTAGE_CALL *progress)(void *context, uint32_t done,
                                    uint32_t total);
};

/* --- The map that the host hands over --- */

/* How the bytes of a lump are stored. */
#define NBSTAGE_PLAIN 0
#define NBSTAGE_ZLIB 1    /* RFC 1950 */
#define NBSTAGE_GZIP 2    /* RFC 1952 */
#define NBSTAGE_DEFLATE 3 /* RFC 1951, without header */

/* A lump, given to the stage or made by it. */
struct nbstage_lump {
    size_t size;          /* sizeof(struct nbstage_lump) */
    const char *name;     /* "LINEDEFS": at most 8 characters, upper case */
    const void *data;     /* may be NULL if data_size is 0 */
    size_t data_size;     /* in bytes, as stored */
    uint32_t compression; /* NBSTAGE_PLAIN, ...; PLAIN if made by a stage */
};

/* Which rules the lumps, or the attributes in the arrays, follow. */
#define NBSTAGE_FORMAT_DETECT 0 /* by the lumps, else DOOM */
#define NBSTAGE_FORMAT_DOOM 1   /* Doom, Heretic, Strife */
#define NBSTAGE_FORMAT_HEXEN 2  /* Hexen, ZDoom in Hexen format */
#define NBSTAGE_FORMAT_DOOM64 3 /* Doom 64 */
#define NBSTAGE_FORMAT_UDMF 4   /* any namespace */

/* No such thing: the absent side of a line. */
#define NBSTAGE_NONE 0xFFFFFFFFu

/* A host hands over its own structures where they lie.  For each number that a
   stage may read, a member says which type it has and at which offset it is in
   every element; all zero means that the host does not have it.  Numbers are in
   the machine's order of bytes and need no alignment. */
struct nbstage_member {
    uint32_t type; /* NBSTAGE_ABSENT, ... */
    uint32_t offset;
    /* 0, or with NBSTAGE_BEHIND: `offset` is that of a pointer to another
       structure, and this that of the number there; NULL: NBSTAGE_NONE. */
    uint32_t target;
};
#define NBSTAGE_ABSENT 0
#define NBSTAGE_U8 1
#define NBSTAGE_I8 2
#define NBSTAGE_U16 3
#define NBSTAGE_I16 4
#define NBSTAGE_U32 5
#define NBSTAGE_I32 6
#define NBSTAGE_U64 7
#define NBSTAGE_FIXED 8   /* int32_t, 16.16; coordinates and heights only */
#define NBSTAGE_FLOAT 9   /* likewise; truncated to 16.16, as in TEXTMAP */
#define NBSTAGE_DOUBLE 10 /* likewise */
#define NBSTAGE_NAME 11   /* char[8], padded with NULs; flats only */
#define NBSTAGE_SIZE (sizeof(size_t) == 8 ? NBSTAGE_U64 : NBSTAGE_U32)
#define NBSTAGE_BEHIND 0x100 /* added to any other type */

/* NBSTAGE_SET(lines.v1, NBSTAGE_I32, struct line, start) fills in a member, or
   NBSTAGE_SET_BEHIND(lines.v1, NBSTAGE_SIZE, struct line, start, struct vertex,
   index) where `start` is a pointer. */
#define NBSTAGE_SET(member, number, structure, field) \
    ((member).type = (number), (member).offset = offsetof(structure, field), \
     (member).target = 0)
#define NBSTAGE_SET_BEHIND(member, number, structure, pointer, pointed_to, \
                           field) \
    ((member).type = (number) + NBSTAGE_BEHIND, \
     (member).offset = offsetof(structure, pointer), \
     (member).target = offsetof(pointed_to, field))

/* What every description of an array begins with. */
struct nbstage_array {
    size_t size;      /* of the description: sizeof(struct nbstage_lines) */
    const void *data; /* may be NULL if count is 0 */
    size_t count;     /* of elements */
    size_t stride;    /* bytes from one element, or pointer, to the next */
    /* 1: `data` is an array of pointers to the elements, none of them NULL.
       0: of the elements themselves. */
    uint32_t is_indirect;
};

/* NBSTAGE_SET_ARRAY(lines, level->lines, level->line_count): of structures, or
   of pointers to them. */
#define NBSTAGE_SET_ARRAY(description, elements, number) \
    ((description).array.size = sizeof(description), \
     (description).array.data = (elements), \
     (description).array.count = (number), \
     (description).array.stride = sizeof *(elements))

/* Whole numbers are map units. */
struct nbstage_vertices {
    struct nbstage_array array;
    struct nbstage_member x; /* must be there */
    struct nbstage_member y; /* must be there */
};

/* Describe a number only if it is what the map has; a stage keeps a line that
   it knows too little of.  In the binary formats the lower 16 bits of flags,
   special and tag count, as in the lumps; of the flags of Doom 64, 32.
   The number of a side or sector is none if it is negative, or if all its bits
   are set.  Describe the sectors, or the sides and the sectors of these; if
   both are there, the sides count.
   A host without `flags` may hand over LINEDEFS or TEXTMAP: if there are as
   many lines in it, all but v1 and v2 is read from the lumps, also of sides,
   sectors and things. */
struct nbstage_lines {
    struct nbstage_array array;
    struct nbstage_member v1; /* number of its start vertex; must be there */
    struct nbstage_member v2; /* number of its end vertex; must be there */
    struct nbstage_member flags;
    struct nbstage_member special;
    struct nbstage_member tag;     /* UDMF: the id, -1 for none; not in Hexen */
    struct nbstage_member args[5]; /* Hexen and UDMF */
    struct nbstage_member front_side;
    struct nbstage_member back_side;
    struct nbstage_member front_sector;
    struct nbstage_member back_sector;
};

/* The flags of lines in UDMF.  The binary formats have their own, as in
   LINEDEFS.  A stage keeps lines with flags that it does not know, and lines
   beside sectors with such flags, unless the line asks to be left out by a
   convention of its format. */
#define NBSTAGE_LINE_TWO_SIDED 0x1u
#define NBSTAGE_LINE_BLOCKING 0x2u /* blocking, blockmonsters, ... is true */
#define NBSTAGE_LINE_OTHER 0x4u    /* another field that may matter is */

struct nbstage_sides {
    struct nbstage_array array;
    struct nbstage_member sector;
};

struct nbstage_sectors {
    struct nbstage_array array;
    struct nbstage_member floor; /* its height; whole numbers are map units */
    struct nbstage_member ceiling;
    struct nbstage_member floor_flat; /* its name, or any number for it */
    struct nbstage_member ceiling_flat;
    struct nbstage_member special;
    struct nbstage_member tag;   /* 0 for none */
    struct nbstage_member flags; /* absent: none; in UDMF unknown */
};

/* The flags of sectors: floor or ceiling is not flat (UDMF planes); it has more
   than one tag (UDMF moreids); something may move it that neither tags and
   specials nor things and scripts show; another field may matter. */
#define NBSTAGE_SECTOR_SLOPED 0x1u
#define NBSTAGE_SECTOR_MORE_TAGS 0x2u
#define NBSTAGE_SECTOR_MOVES 0x4u
#define NBSTAGE_SECTOR_OTHER 0x8u

struct nbstage_things {
    struct nbstage_array array;
    struct nbstage_member type;
    struct nbstage_member special; /* Hexen and UDMF */
    struct nbstage_member args[5]; /* Hexen and UDMF */
};

/* A map, as raw lumps, as arrays, or both.  What has no array comes from the
   lumps: things, the present BLOCKMAP, nodes, scripts.  All of it is the host's
   and stays unchanged until build() returns; later the stage does not use it.
 */
struct nbstage_map {
    size_t size; /* sizeof(struct nbstage_map) */
    /* "MAP01", for messages, and because games have rules for maps of some
       names, as Heretic has for its bosses (E1M8).  May be NULL: a stage that
       needs the name then expects the worst. */
    const char *name;
    uint32_t format; /* NBSTAGE_FORMAT_DETECT, ... */
    /* In any order.  Pass all; of one name the first counts.  A marker that has
       bytes, which may be scripts, is a lump with the name of the map. */
    const struct nbstage_lump *lumps;
    size_t lump_count;
    /* For each line of the map NBSTAGE_LISTED, or NBSTAGE_LEFT_OUT if it is to
       be left out besides those that options leave out.  NULL if there are
       none.  The count must be that of the map's lines. */
#define NBSTAGE_LISTED 0
#define NBSTAGE_LEFT_OUT 1
    const unsigned char *left_out;
    size_t left_out_count;
    /* NULL where there is no array. */
    const struct nbstage_vertices *vertices;
    const struct nbstage_lines *lines;
    const struct nbstage_sides *sides;
    const struct nbstage_sectors *sectors;
    const struct nbstage_things *things;
};

/* --- What a stage returns --- */

#define NBSTAGE_FACT_VALUE 0 /* a number, or a word */
#define NBSTAGE_FACT_FLAG 1  /* yes, 1, or no, 0 */

/* Something worth knowing about a build: a size, a choice that was made.  The
   stage's manual lists the names, which are valid while it is loaded; words are
   valid until the next build() or destroy(). */
struct nbstage_fact {
    size_t size;      /* sizeof(struct nbstage_fact) */
    const char *name; /* "largest_offset": lower case, digits, underscores */
    int64_t value;    /* the fact, where it is a number */
    const char *text; /* where it is a word; NULL where it is a number */
    uint32_t kind;    /* NBSTAGE_FACT_VALUE, ... */
};

/* The host zeroes it, sets `size` and passes it to build().  What it points to
   belongs to the stage (in memory from the host's allocate) and is valid until
   free_result() or destroy().  A result is freed once, with the instance that
   made it; a copy of it counts as the result itself. */
struct nbstage_result {
    size_t size; /* sizeof(struct nbstage_result) */
    /* At least one, in the order of the descriptor's lump_names; the host makes
       those that are left out.  If data_size is 0, the lump is empty. */
    const struct nbstage_lump *lumps;
    size_t lump_count;
};

/* --- The stage --- */

/* Types of options.  Values are always handed over as text. */
#define NBSTAGE_OPTION_CHOICE 1  /* one of `choices`, or of the form `form` */
#define NBSTAGE_OPTION_INTEGER 2 /* decimal, minimum to maximum */
#define NBSTAGE_OPTION_TEXT 3    /* anything; `form` describes it */
#define NBSTAGE_OPTION_FLAG 4    /* "no" or "yes", which are the choices */
#define NBSTAGE_OPTION_LIST 5    /* some of `choices`, with commas between */

struct nbstage_choice {
    size_t size; /* sizeof(struct nbstage_choice) */
    const char *name;
    const char *help; /* a line of help, no full stop */
};

/* An option of a stage; hosts can make command lines and menus from these. */
struct nbstage_option {
    size_t size;      /* sizeof(struct nbstage_option) */
    const char *name; /* "pack": lower case, digits and hyphens */
    int32_t type;     /* NBSTAGE_OPTION_CHOICE, ... */
    const char *default_value;
    const char *help;                     /* a line of help, no full stop */
    const struct nbstage_choice *choices; /* of a CHOICE, FLAG or LIST */
    size_t choice_count;
    /* Of values that are not among the choices, such as "X,Y"; or NULL. */
    const char *form;
    int64_t minimum; /* of an INTEGER */
    int64_t maximum;
    /* The heading of options that follow each other, or NULL. */
    const char *group;
};

/* One user of a stage: its options, its memory, its last error. */
struct nbstage_instance;

/* What a stage is and does: valid while the stage is loaded, the same for every
   caller, readable from any thread. */
struct nbstage_descriptor {
    size_t size;                   /* sizeof(struct nbstage_descriptor) */
    uint32_t abi;                  /* NBSTAGE_ABI, as asked for */
    const char *name;              /* "blocksweep" */
    const char *version;           /* "1.0.0" */
    const char *summary;           /* a line about it, no full stop */
    const char *const *lump_names; /* that it makes: "BLOCKMAP" */
    size_t lump_name_count;
    const struct nbstage_option *options;
    size_t option_count;

    /* Makes an instance with default options and stores it in *instance; on
       failure stores NULL.  `host` is copied; NULL means no callbacks.
       Errors: NBSTAGE_BAD_CALL, NBSTAGE_OUT_OF_MEMORY. */
    nbstage_status(NBSTAGE_CALL *create)(const struct nbstage_host *host,
                                         struct nbstage_instance **instance);

    /* Sets an option for the calls that follow.  A later call overrides an
       earlier one.  On failure the option keeps its value.  Both are copied.
       Errors: NBSTAGE_BAD_CALL, NBSTAGE_UNKNOWN_OPTION, NBSTAGE_BAD_VALUE,
       NBSTAGE_OUT_OF_MEMORY; the sentence names what is valid. */
    nbstage_status(NBSTAGE_CALL *set_option)(struct nbstage_instance *instance,
                                             const char *name,
                                             const char *value);

    /* Builds the stage's lumps for one map.  `map` and all it points to stay
       the host's.  On success *result is filled and must be given to
       free_result().  On failure it has no lumps; freeing it is harmless.
       Errors: all but the two of options. */
    nbstage_status(NBSTAGE_CALL *build)(struct nbstage_instance *instance,
                                        const struct nbstage_map *map,
                                        struct nbstage_result *result);

    /* Stores fact `index`, from 0 on, about the last build() on the instance,
       which may have failed, in *fact, whose size the host has set.  Returns 1,
       or 0 if there are not so many. */
    int32_t(NBSTAGE_CALL *get_fact)(struct nbstage_instance *instance,
                                    size_t index, struct nbstage_fact *fact);

    /* Frees what a result points to and empties it.  Only `size` of an emptied
       result need be valid. */
    void(NBSTAGE_CALL *free_result)(struct nbstage_instance *instance,
                                    struct nbstage_result *result);

    /* The sentence about the last call on this instance that failed: what is
       wrong, where (map, lump, index), what was expected.  Without a full stop
       or newline; "" if nothing has failed.  Valid until the next call. */
    const char *(NBSTAGE_CALL *last_error)(
        const struct nbstage_instance *instance);

    /* Frees the instance, which may be NULL, and the results that it has not
       freed yet. */
    void(NBSTAGE_CALL *destroy)(struct nbstage_instance *instance);

    /* A stage need not have what follows: any of these may be NULL. */

    /* Sets what an option is unless the user says otherwise, for hosts that
       know better than the stage.  It gives way to set_option for this option,
       or for one that decides about it, such as a preset, in any order.
       Otherwise like set_option; without it, call set_option before the
       user's. */
    nbstage_status(NBSTAGE_CALL *set_default)(struct nbstage_instance *instance,
                                              const char *name,
                                              const char *value);

    /* Whether build() may use a lump of this name with the options that are
       set.  If it returns 0, a host may leave the lump out of the map.  Without
       it, build() may use all lumps. */
    int32_t(NBSTAGE_CALL *needs_lump)(const struct nbstage_instance *instance,
                                      const char *name);
};

/* The type of the exported symbol.  `abi` is the host's NBSTAGE_ABI; a stage
   returns NULL to any that it does not know. */
typedef const struct nbstage_descriptor *(
    NBSTAGE_CALL *nbstage_describe_function)(uint32_t abi);

#ifdef __cplusplus
}
#endif

#endif
