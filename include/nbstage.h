/* SPDX-License-Identifier: 0BSD */
/*
 * nbstage.h - the interface between node builders and their stages, version 1
 *
 * A stage makes lumps of a Doom-engine map; blocksweep makes BLOCKMAP.  It is a
 * shared object with one exported function, NBSTAGE_SYMBOL.  A node builder,
 * the host, loads it.  This header is the whole contract.  It compiles as C89
 * (with <stdint.h>) and as C++.  nbstage-host.h does a host's side of it.
 *
 *   stage = describe(NBSTAGE_ABI);             NULL: not this version
 *   instance = stage->create(&host);           NULL: no memory, or a bad host
 *   stage->set_option(instance, "pack", "nest", NBSTAGE_BY_USER);
 *   stage->build(instance, &map);              for each map; then
 *   lump = stage->get_lump(instance, "BLOCKMAP");
 *   stage->destroy(instance);
 *
 * Structures.  Version 1 is frozen since release 0.1.0.  A structure that
 * begins with `size` may grow at its end in later releases, never into padding.
 * The writer sets size = sizeof and zeroes what it does not use; zero means
 * "absent" or "default".  The reader uses the members that `size` covers.
 * These are at least those of 1.0, else NBSTAGE_BAD_CALL; later ones say so in
 * a comment.  nbstage_array and structures without `size` never change.
 * Pointers are not NULL unless a comment allows it.  Text ends with NUL.  It is
 * UTF-8, but names that come from files may be any bytes.
 *
 * Numbers.  Later releases may add numbers.  A stage answers
 * NBSTAGE_UNSUPPORTED to a number that it does not know.  A host treats an
 * unknown status as a failure, an unknown level as NBSTAGE_LOG_DEBUG and an
 * unknown type of option as NBSTAGE_OPTION_TEXT.
 *
 * Extensions.  Only this project adds members and numbers.  Others use numbers
 * from 0x40000000 on, and export functions under names of their own, which a
 * host looks up in the same file.
 *
 * Memory.  A stage reads what the host hands over during the call only, and may
 * use memory that is not from allocate().  What a stage returns is the stage's:
 * a descriptor is constant and valid while the stage is loaded, the rest until
 * the next build() or destroy().  Unload a stage when no instance is left, or
 * never.
 *
 * Threads.  describe() and create() may be called on any thread at any time.
 * An instance is used by one thread at a time; instances are independent.  A
 * stage may start threads, but they end before the call returns and call no
 * function of the host's, not even allocate().
 *
 * Manners.  A stage does not write to the map, files or standard streams,
 * change the locale, environment, working folder, signals or rounding mode, let
 * an exception out, or end the process.
 */
#ifndef NBSTAGE_H
#define NBSTAGE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#define NBSTAGE_SIZE_OF(pointer) reinterpret_cast<const size_t &>(*(pointer))
#define NBSTAGE_NULL_OF(structure) static_cast<structure *>(NULL)
#else
#define NBSTAGE_SIZE_OF(pointer) (*(const size_t *)(const void *)(pointer))
#define NBSTAGE_NULL_OF(structure) ((structure *)NULL)
#endif
#define NBSTAGE_ABI 1
#define NBSTAGE_SYMBOL "nbstage_describe"

/* NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
   nbstage_describe(uint32_t abi) { ... }           in C++, extern "C" */
#if defined(_WIN32)
#define NBSTAGE_CALL __cdecl
#define NBSTAGE_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define NBSTAGE_CALL
#define NBSTAGE_EXPORT __attribute__((visibility("default")))
#else
#define NBSTAGE_CALL
#define NBSTAGE_EXPORT
#endif

/* Whether the writer of a structure knew a member that came after 1.0. */
#define NBSTAGE_HAS(type, pointer, member) (NBSTAGE_SIZE_OF(pointer) >= \
    offsetof(type, member) + sizeof((pointer)->member))

/* --- Status, which set_option and build return --- */
typedef int32_t nbstage_status;
#define NBSTAGE_OK 0
#define NBSTAGE_BAD_CALL 1       /* NULL, a short structure */
#define NBSTAGE_UNKNOWN_OPTION 2 /* set_option: there is none of this name */
#define NBSTAGE_BAD_VALUE 3      /* set_option: the option refuses the value */
#define NBSTAGE_BAD_MAP 4        /* build: the map or a description is wrong */
#define NBSTAGE_UNSUPPORTED 5    /* a number or a map that it does not know */
#define NBSTAGE_OVER_LIMIT 6     /* build: over a limit that options set */
#define NBSTAGE_OUT_OF_MEMORY 7
#define NBSTAGE_CANCELLED 8 /* build: progress() asked for it */

/* --- What the host provides --- */
#define NBSTAGE_LOG_WARNING 1
#define NBSTAGE_LOG_INFO 2
#define NBSTAGE_LOG_DEBUG 3

/* A stage calls these only during a call of the host's, on the same thread.
   They return normally, and do not use the instance.  Any may be NULL, but
   allocate and release only together. */
struct nbstage_host {
    size_t size;
    void *context; /* the first argument of all; may be NULL */

    /* Like malloc() and free(), aligned as malloc() does; never for 0 bytes,
       never NULL. */
    void *(NBSTAGE_CALL *allocate)(void *context, size_t bytes);
    void(NBSTAGE_CALL *release)(void *context, void *memory);

    /* A sentence, valid during the call.  It may have control characters. */
    void(NBSTAGE_CALL *log)(void *context, int32_t level, const char *text);

    /* done/total is the part of the whole build that is done, from 0 to 1.  It
       never falls, but may repeat; total is not 0.  A long build calls this
       about ten times a second.  Return 0 to go on, anything else to cancel.
       To cancel from another thread, set a flag and read it here. */
    int32_t(NBSTAGE_CALL *progress)(void *context, uint32_t done,
                                    uint32_t total);
};

/* --- The map --- */
struct nbstage_lump {
    const char *name; /* "LINEDEFS"; "" is the map's marker */
    const void *data; /* may be NULL if data_size is 0 */
    size_t data_size; /* bytes */
};

/* The host's own arrays, where they lie.  A member says where in each element
   a number is and which type it has; all zero: unknown.  Numbers are in the
   machine's byte order and need not be aligned.  A type where it does not
   belong, and a member that ends beyond its element, is NBSTAGE_BAD_MAP. */
struct nbstage_member {
    uint32_t type;
    uint32_t offset; /* bytes */
};
#define NBSTAGE_ABSENT 0
#define NBSTAGE_U8 1
#define NBSTAGE_I8 2
#define NBSTAGE_U16 3
#define NBSTAGE_I16 4
#define NBSTAGE_U32 5
#define NBSTAGE_I32 6
#define NBSTAGE_U64 7
#define NBSTAGE_I64 8
/* For coordinates and heights only, where the types above are map units.  A
   stage that works in 16.16 rounds towards zero; what that cannot hold is
   NBSTAGE_BAD_MAP, as are NaN and infinity. */
#define NBSTAGE_FIXED 9 /* int32_t, 16.16 */
#define NBSTAGE_FLOAT 10
#define NBSTAGE_DOUBLE 11
#define NBSTAGE_NAME 12 /* char[8], padded with NULs: for flats only */
/* In place of the number of a vertex, side or sector: a pointer that equals the
   address of an element of an array that the same map describes.  The address
   is data + i * stride, or pointer i; of equal ones the first counts.  NULL:
   none.  Any other, if it is used, is NBSTAGE_BAD_MAP.  It is never followed.
   If lines point to a base class, `data` and offsets begin at that base. */
#define NBSTAGE_POINTER 13

/* Every description of an array begins with this. */
struct nbstage_array {
    size_t size;      /* of the description */
    const void *data; /* may be NULL if count is 0 */
    size_t count;     /* of elements */
    size_t stride;    /* bytes from one element, or pointer, to the next; >0 */
    uint32_t kind;
    uint32_t reserved; /* 0, else NBSTAGE_UNSUPPORTED */
};
#define NBSTAGE_ELEMENTS 0 /* data has the elements */
#define NBSTAGE_POINTERS 1 /* data has pointers to them, none of them NULL */

/* NBSTAGE_SET_ARRAY(lines, level->lines, level->line_count);
   NBSTAGE_SET_POINTERS(lines, level->line_pointers, level->line_count);
   NBSTAGE_SET(lines.v1, NBSTAGE_POINTER, struct line, start);
   A type of another size than the field's does not compile. */
#define NBSTAGE_SET_ARRAY(description, elements, number) \
    ((description).array.size = sizeof(description), \
     (description).array.data = (elements), \
     (description).array.count = (number), \
     (description).array.stride = sizeof *(elements))
#define NBSTAGE_SET_POINTERS(description, elements, number) \
    (NBSTAGE_SET_ARRAY(description, elements, number), \
     (description).array.kind = NBSTAGE_POINTERS)
#define NBSTAGE_SET(member, number, structure, field) \
    ((member).type = (number), \
     (member).offset = offsetof(structure, field) + 0 * sizeof(char[ \
         NBSTAGE_BYTES(number) == sizeof(NBSTAGE_NULL_OF(structure)->field) \
         ? 1 : -1]))
#define NBSTAGE_BYTES(type) \
    ((type) < 3 ? 1U : (type) < 5 ? 2U : (type) < 7 ? 4U : (type) < 9 ? 8U : \
     (type) < 11 ? 4U : (type) < 13 ? 8U : sizeof(void *))

struct nbstage_vertices {
    struct nbstage_array array;
    struct nbstage_member x, y; /* needed */
};

/* Only v1 and v2 are needed.  A stage keeps a line that it knows too little of,
   so describe a member only if it is the map's own.  Flags, specials, tags,
   args and types are as in the map's format; only as many low bits count as its
   lumps have.  A side or sector is none if its number is negative or has all
   bits of its type set.  Any other number without an element, and a vertex that
   is none, is NBSTAGE_BAD_MAP.  Describe sides, or the sectors of lines, which
   count only without sides.
   If `flags` is absent, all but vertices, v1, v2 and left_out is read from the
   lumps instead, if they have as many lines: line i is record i.  So it is in
   UDMF, always; with other lumps it is unknown there. */
struct nbstage_lines {
    struct nbstage_array array;
    struct nbstage_member v1, v2; /* vertices; needed */
    struct nbstage_member flags, special;
    struct nbstage_member tag, args[5]; /* args in Hexen format, else tag */
    struct nbstage_member front_side, back_side;
    struct nbstage_member front_sector, back_sector;
    struct nbstage_member left_out; /* not 0: the stage leaves the line out */
};
struct nbstage_sides {
    struct nbstage_array array;
    struct nbstage_member sector;
};
struct nbstage_sectors {
    struct nbstage_array array;
    struct nbstage_member floor, ceiling;
    struct nbstage_member floor_flat, ceiling_flat; /* or a number for each */
    struct nbstage_member special, tag;
};
struct nbstage_things {
    struct nbstage_array array;
    struct nbstage_member type;
    struct nbstage_member special, args[5]; /* Hexen format */
};

#define NBSTAGE_FORMAT_DETECT 0 /* by the lumps, else Doom */
#define NBSTAGE_FORMAT_DOOM 1
#define NBSTAGE_FORMAT_HEXEN 2
#define NBSTAGE_FORMAT_DOOM64 3
#define NBSTAGE_FORMAT_UDMF 4

/* A map: lumps, arrays, or both.  What has no array comes from the lumps. */
struct nbstage_map {
    size_t size;
    const char *name; /* "MAP01"; may be NULL */
    uint32_t format;
    uint32_t needs; /* bits that a stage knows or refuses the map; none yet */

    /* All lumps of the map, with the bytes that the WAD has, in any order; of
       two with one name the first counts.  The map has no others, unless
       lump_count is 0: then they are unknown. */
    const struct nbstage_lump *lumps;
    size_t lump_count;

    /* NULL: unknown.  An array with a count of 0: the map has none; a map
       without vertices or lines is NBSTAGE_BAD_MAP. */
    const struct nbstage_vertices *vertices;
    const struct nbstage_lines *lines;
    const struct nbstage_sides *sides;
    const struct nbstage_sectors *sectors;
    const struct nbstage_things *things;
};

/* --- Options and facts --- */
#define NBSTAGE_OPTION_CHOICE 1  /* one of `choices`, or as `form` says */
#define NBSTAGE_OPTION_INTEGER 2 /* decimal, minimum to maximum */
#define NBSTAGE_OPTION_TEXT 3    /* anything; `form` describes it */
#define NBSTAGE_OPTION_FLAG 4    /* "no" or "yes", which are the choices */
#define NBSTAGE_OPTION_LIST 5    /* some of `choices`, with commas between */

struct nbstage_choice {
    const char *name, *help;
};
/* For --help and menus.  Values are always set as text. */
struct nbstage_option {
    size_t size;
    const char *name; /* "max-memory": lower case, digits, hyphens */
    int32_t type;
    const char *default_value;
    const char *help;  /* a line, no full stop */
    const char *group; /* a heading for the options that follow; may be NULL */
    const char *form;  /* of values that are no choice, "X,Y"; may be NULL */
    const struct nbstage_choice *choices; /* may be NULL */
    size_t choice_count;
    int64_t minimum, maximum; /* of an INTEGER */
};

/* A fact about a build, such as a size, or a choice that was made. */
struct nbstage_fact {
    size_t size;
    int64_t number;   /* 1 or 0 for "yes" or "no" */
    const char *text; /* "yes", "no" or another word; NULL: it is a number */
};

/* --- The stage --- */
#define NBSTAGE_BY_HOST 0 /* a default of the builder */
#define NBSTAGE_BY_USER 1

struct nbstage_instance; /* options, results and memory of one user */

struct nbstage_descriptor {
    size_t size;
    uint32_t abi;        /* NBSTAGE_ABI */
    const char *name;    /* "blocksweep" */
    const char *version; /* "1.0.0" */
    const char *summary; /* a line, no full stop */
    /* Arrays that end with NULL. */
    const char *const *lump_names, *const *fact_names;
    const struct nbstage_option *const *options;

    /* An instance with default options.  `host` may be NULL and is copied; its
       context must outlive the instance.  NULL: no memory, or a bad host. */
    struct nbstage_instance *(NBSTAGE_CALL *create)(
        const struct nbstage_host *host);

    /* Frees an instance and all that it returned.  NULL is allowed. */
    void(NBSTAGE_CALL *destroy)(struct nbstage_instance *instance);

    /* Sets an option for the builds that follow.  The last call for an option
       counts, but in any order the host gives way to the user, who sets an
       option by name or through others, as a preset or ports; a preset gives
       way to what the same side sets by name.  On failure nothing changes. */
    nbstage_status(NBSTAGE_CALL *set_option)(struct nbstage_instance *instance,
                                             const char *name,
                                             const char *value, int32_t by);

    /* An instance can build again after a failure. */
    nbstage_status(NBSTAGE_CALL *build)(struct nbstage_instance *instance,
                                        const struct nbstage_map *map);

    /* A lump of the last build, with its bytes as in the WAD; empty on purpose
       if data_size is 0.  NULL: the build failed, or this map gets no such lump
       from the stage, and the host does as without one.  Of lumps that fit each
       other only, as SEGS and NODES, a host uses all or none. */
    const struct nbstage_lump *(NBSTAGE_CALL *get_lump)(
        struct nbstage_instance *instance, const char *name);

    /* A fact about the last build, also if that failed; NULL: none. */
    const struct nbstage_fact *(NBSTAGE_CALL *get_fact)(
        struct nbstage_instance *instance, const char *name);

    /* Why the last failed call failed: what is wrong, where, what was
       expected; no full stop.  "" if none has failed.  As in log(), there may
       be control characters.  Valid until the next call with the instance. */
    const char *(NBSTAGE_CALL *last_error)(struct nbstage_instance *instance);
};

typedef const struct nbstage_descriptor *(
    NBSTAGE_CALL *nbstage_describe_function)(uint32_t abi);
#ifdef __cplusplus
}
#endif
#endif
