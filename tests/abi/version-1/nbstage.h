/* SPDX-License-Identifier: 0BSD */
#ifndef NBSTAGE_H
#define NBSTAGE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
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
#define NBSTAGE_ABI 1
#define NBSTAGE_SYMBOL "nbstage_describe"
#ifdef __cplusplus
#define NBSTAGE_AT(type, array, index) \
    (static_cast<const type *>(static_cast<const void *>( \
        reinterpret_cast<const char *>(array) + (array)->size * (index))))
#else
#define NBSTAGE_AT(type, array, index) \
    ((const type *)(const void *)((const char *)(array) + \
                                  (size_t)(index) * (array)->size))
#endif
#define NBSTAGE_HAS(type, pointer, member) \
    ((pointer)->size >= offsetof(type, member) + sizeof((pointer)->member))
typedef int32_t nbstage_status;
#define NBSTAGE_OK 0
#define NBSTAGE_BAD_CALL 1
#define NBSTAGE_UNKNOWN_OPTION 2
#define NBSTAGE_BAD_VALUE 3
#define NBSTAGE_BAD_MAP 4
#define NBSTAGE_UNSUPPORTED 5
#define NBSTAGE_OVER_LIMIT 6
#define NBSTAGE_OUT_OF_MEMORY 7
#define NBSTAGE_CANCELLED 8
#define NBSTAGE_LOG_WARNING 1
#define NBSTAGE_LOG_INFO 2
#define NBSTAGE_LOG_DEBUG 3
struct nbstage_host {
    size_t size;
    void *context;
    void *(NBSTAGE_CALL *allocate)(void *context, size_t bytes);
    void(NBSTAGE_CALL *release)(void *context, void *memory);
    void(NBSTAGE_CALL *log)(void *context, int32_t level, const char *message);
    int32_t(NBSTAGE_CALL *progress)(void *context, uint32_t done,
                                    uint32_t total);
};
#define NBSTAGE_PLAIN 0
#define NBSTAGE_ZLIB 1
#define NBSTAGE_GZIP 2
#define NBSTAGE_DEFLATE 3
struct nbstage_lump {
    size_t size;
    const char *name;
    const void *data;
    size_t data_size;
    uint32_t compression;
};
#define NBSTAGE_FORMAT_DETECT 0
#define NBSTAGE_FORMAT_DOOM 1
#define NBSTAGE_FORMAT_HEXEN 2
#define NBSTAGE_FORMAT_DOOM64 3
#define NBSTAGE_FORMAT_UDMF 4
#define NBSTAGE_NONE 0xFFFFFFFFu
struct nbstage_member {
    uint32_t type;
    uint32_t offset;
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
#define NBSTAGE_FIXED 8
#define NBSTAGE_FLOAT 9
#define NBSTAGE_DOUBLE 10
#define NBSTAGE_NAME 11
#define NBSTAGE_SIZE (sizeof(size_t) == 8 ? NBSTAGE_U64 : NBSTAGE_U32)
#define NBSTAGE_BEHIND 0x100
#define NBSTAGE_SET(member, number, structure, field) \
    ((member).type = (number), (member).offset = offsetof(structure, field), \
     (member).target = 0)
#define NBSTAGE_SET_BEHIND(member, number, structure, pointer, pointed_to, \
                           field) \
    ((member).type = (number) + NBSTAGE_BEHIND, \
     (member).offset = offsetof(structure, pointer), \
     (member).target = offsetof(pointed_to, field))
struct nbstage_array {
    size_t size;
    const void *data;
    size_t count;
    size_t stride;
    uint32_t is_indirect;
};
#define NBSTAGE_SET_ARRAY(description, elements, number) \
    ((description).array.size = sizeof(description), \
     (description).array.data = (elements), \
     (description).array.count = (number), \
     (description).array.stride = sizeof *(elements))
struct nbstage_vertices {
    struct nbstage_array array;
    struct nbstage_member x;
    struct nbstage_member y;
};
struct nbstage_lines {
    struct nbstage_array array;
    struct nbstage_member v1;
    struct nbstage_member v2;
    struct nbstage_member flags;
    struct nbstage_member special;
    struct nbstage_member tag;
    struct nbstage_member args[5];
    struct nbstage_member front_side;
    struct nbstage_member back_side;
    struct nbstage_member front_sector;
    struct nbstage_member back_sector;
};
#define NBSTAGE_LINE_TWO_SIDED 0x1u
#define NBSTAGE_LINE_BLOCKING 0x2u
#define NBSTAGE_LINE_OTHER 0x4u
struct nbstage_sides {
    struct nbstage_array array;
    struct nbstage_member sector;
};
struct nbstage_sectors {
    struct nbstage_array array;
    struct nbstage_member floor;
    struct nbstage_member ceiling;
    struct nbstage_member floor_flat;
    struct nbstage_member ceiling_flat;
    struct nbstage_member special;
    struct nbstage_member tag;
    struct nbstage_member flags;
};
#define NBSTAGE_SECTOR_SLOPED 0x1u
#define NBSTAGE_SECTOR_MORE_TAGS 0x2u
#define NBSTAGE_SECTOR_MOVES 0x4u
#define NBSTAGE_SECTOR_OTHER 0x8u
struct nbstage_things {
    struct nbstage_array array;
    struct nbstage_member type;
    struct nbstage_member special;
    struct nbstage_member args[5];
};
struct nbstage_map {
    size_t size;
    const char *name;
    uint32_t format;
    const struct nbstage_lump *lumps;
    size_t lump_count;
#define NBSTAGE_LISTED 0
#define NBSTAGE_LEFT_OUT 1
    const unsigned char *left_out;
    size_t left_out_count;
    const struct nbstage_vertices *vertices;
    const struct nbstage_lines *lines;
    const struct nbstage_sides *sides;
    const struct nbstage_sectors *sectors;
    const struct nbstage_things *things;
};
#define NBSTAGE_FACT_VALUE 0
#define NBSTAGE_FACT_FLAG 1
struct nbstage_fact {
    size_t size;
    const char *name;
    int64_t value;
    const char *text;
    uint32_t kind;
};
struct nbstage_result {
    size_t size;
    const struct nbstage_lump *lumps;
    size_t lump_count;
};
#define NBSTAGE_OPTION_CHOICE 1
#define NBSTAGE_OPTION_INTEGER 2
#define NBSTAGE_OPTION_TEXT 3
#define NBSTAGE_OPTION_FLAG 4
#define NBSTAGE_OPTION_LIST 5
struct nbstage_choice {
    size_t size;
    const char *name;
    const char *help;
};
struct nbstage_option {
    size_t size;
    const char *name;
    int32_t type;
    const char *default_value;
    const char *help;
    const struct nbstage_choice *choices;
    size_t choice_count;
    const char *form;
    int64_t minimum;
    int64_t maximum;
    const char *group;
};
struct nbstage_instance;
struct nbstage_descriptor {
    size_t size;
    uint32_t abi;
    const char *name;
    const char *version;
    const char *summary;
    const char *const *lump_names;
    size_t lump_name_count;
    const struct nbstage_option *options;
    size_t option_count;
    nbstage_status(NBSTAGE_CALL *create)(const struct nbstage_host *host,
                                         struct nbstage_instance **instance);
    nbstage_status(NBSTAGE_CALL *set_option)(struct nbstage_instance *instance,
                                             const char *name,
                                             const char *value);
    nbstage_status(NBSTAGE_CALL *build)(struct nbstage_instance *instance,
                                        const struct nbstage_map *map,
                                        struct nbstage_result *result);
    int32_t(NBSTAGE_CALL *get_fact)(struct nbstage_instance *instance,
                                    size_t index, struct nbstage_fact *fact);
    void(NBSTAGE_CALL *free_result)(struct nbstage_instance *instance,
                                    struct nbstage_result *result);
    const char *(NBSTAGE_CALL *last_error)(
        const struct nbstage_instance *instance);
    void(NBSTAGE_CALL *destroy)(struct nbstage_instance *instance);
    nbstage_status(NBSTAGE_CALL *set_default)(struct nbstage_instance *instance,
                                              const char *name,
                                              const char *value);
    int32_t(NBSTAGE_CALL *needs_lump)(const struct nbstage_instance *instance,
                                      const char *name);
};
typedef const struct nbstage_descriptor *(
    NBSTAGE_CALL *nbstage_describe_function)(uint32_t abi);
#ifdef __cplusplus
}
#endif
#endif
