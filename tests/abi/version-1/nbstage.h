/* SPDX-License-Identifier: 0BSD */
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
#define NBSTAGE_HAS(type, pointer, member) (NBSTAGE_SIZE_OF(pointer) >= \
    offsetof(type, member) + sizeof((pointer)->member))
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
    void(NBSTAGE_CALL *log)(void *context, int32_t level, const char *text);
    int32_t(NBSTAGE_CALL *progress)(void *context, uint32_t done,
                                    uint32_t total);
};
struct nbstage_lump {
    const char *name;
    const void *data;
    size_t data_size;
};
struct nbstage_member {
    uint32_t type;
    uint32_t offset;
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
#define NBSTAGE_FIXED 9
#define NBSTAGE_FLOAT 10
#define NBSTAGE_DOUBLE 11
#define NBSTAGE_NAME 12
#define NBSTAGE_POINTER 13
struct nbstage_array {
    size_t size;
    const void *data;
    size_t count;
    size_t stride;
    uint32_t kind;
    uint32_t reserved;
};
#define NBSTAGE_ELEMENTS 0
#define NBSTAGE_POINTERS 1
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
    struct nbstage_member x, y;
};
struct nbstage_lines {
    struct nbstage_array array;
    struct nbstage_member v1, v2;
    struct nbstage_member flags, special;
    struct nbstage_member tag, args[5];
    struct nbstage_member front_side, back_side;
    struct nbstage_member front_sector, back_sector;
    struct nbstage_member left_out;
};
struct nbstage_sides {
    struct nbstage_array array;
    struct nbstage_member sector;
};
struct nbstage_sectors {
    struct nbstage_array array;
    struct nbstage_member floor, ceiling;
    struct nbstage_member floor_flat, ceiling_flat;
    struct nbstage_member special, tag;
};
struct nbstage_things {
    struct nbstage_array array;
    struct nbstage_member type;
    struct nbstage_member special, args[5];
};
#define NBSTAGE_FORMAT_DETECT 0
#define NBSTAGE_FORMAT_DOOM 1
#define NBSTAGE_FORMAT_HEXEN 2
#define NBSTAGE_FORMAT_DOOM64 3
#define NBSTAGE_FORMAT_UDMF 4
struct nbstage_map {
    size_t size;
    const char *name;
    uint32_t format;
    uint32_t needs;
    const struct nbstage_lump *lumps;
    size_t lump_count;
    const struct nbstage_vertices *vertices;
    const struct nbstage_lines *lines;
    const struct nbstage_sides *sides;
    const struct nbstage_sectors *sectors;
    const struct nbstage_things *things;
};
#define NBSTAGE_OPTION_CHOICE 1
#define NBSTAGE_OPTION_INTEGER 2
#define NBSTAGE_OPTION_TEXT 3
#define NBSTAGE_OPTION_FLAG 4
#define NBSTAGE_OPTION_LIST 5
struct nbstage_choice {
    const char *name, *help;
};
struct nbstage_option {
    size_t size;
    const char *name;
    int32_t type;
    const char *default_value;
    const char *help;
    const char *group;
    const char *form;
    const struct nbstage_choice *choices;
    size_t choice_count;
    int64_t minimum, maximum;
};
struct nbstage_fact {
    size_t size;
    int64_t number;
    const char *text;
};
#define NBSTAGE_BY_HOST 0
#define NBSTAGE_BY_USER 1
struct nbstage_instance;
struct nbstage_descriptor {
    size_t size;
    uint32_t abi;
    const char *name;
    const char *version;
    const char *summary;
    const char *const *lump_names, *const *fact_names;
    const struct nbstage_option *const *options;
    struct nbstage_instance *(NBSTAGE_CALL *create)(
        const struct nbstage_host *host);
    void(NBSTAGE_CALL *destroy)(struct nbstage_instance *instance);
    nbstage_status(NBSTAGE_CALL *set_option)(struct nbstage_instance *instance,
                                             const char *name,
                                             const char *value, int32_t by);
    nbstage_status(NBSTAGE_CALL *build)(struct nbstage_instance *instance,
                                        const struct nbstage_map *map);
    const struct nbstage_lump *(NBSTAGE_CALL *get_lump)(
        struct nbstage_instance *instance, const char *name);
    const struct nbstage_fact *(NBSTAGE_CALL *get_fact)(
        struct nbstage_instance *instance, const char *name);
    const char *(NBSTAGE_CALL *last_error)(struct nbstage_instance *instance);
};
typedef const struct nbstage_descriptor *(
    NBSTAGE_CALL *nbstage_describe_function)(uint32_t abi);
#ifdef __cplusplus
}
#endif
#endif
