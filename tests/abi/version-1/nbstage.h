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
        reinterpret_cast<const char *>(array) + \
        static_cast<size_t>(index) * (array)->size)))
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
struct nbstage_vertex {
    int32_t x;
    int32_t y;
};
#define NBSTAGE_LINE_TWO_SIDED 0x1u
#define NBSTAGE_LINE_BLOCKING 0x2u
#define NBSTAGE_LINE_OTHER 0x4u
struct nbstage_line {
    uint32_t v1;
    uint32_t v2;
    uint32_t flags;
    uint32_t special;
    uint32_t tag;
    int32_t args[5];
    uint32_t front_sector;
    uint32_t back_sector;
};
struct nbstage_vertex16 {
    int16_t x;
    int16_t y;
};
struct nbstage_line16 {
    uint16_t v1;
    uint16_t v2;
    uint16_t flags;
    uint16_t special;
    uint16_t tag;
};
#define NBSTAGE_FORM_32 0
#define NBSTAGE_FORM_16 1
#define NBSTAGE_LISTED 0
#define NBSTAGE_LEFT_OUT 1
#define NBSTAGE_SECTOR_SLOPED 0x1u
#define NBSTAGE_SECTOR_MORE_TAGS 0x2u
#define NBSTAGE_SECTOR_MOVES 0x4u
#define NBSTAGE_SECTOR_OTHER 0x8u
struct nbstage_sector {
    int32_t floor;
    int32_t ceiling;
    uint32_t special;
    uint32_t tag;
    uint32_t flags;
};
struct nbstage_map {
    size_t size;
    const char *name;
    uint32_t format;
    const struct nbstage_lump *lumps;
    size_t lump_count;
    const void *vertices;
    size_t vertex_count;
    size_t vertex_stride;
    const void *lines;
    size_t line_count;
    size_t line_stride;
    size_t line_size;
    const void *sectors;
    size_t sector_count;
    size_t sector_stride;
    size_t sector_size;
    uint32_t vertex_form;
    uint32_t line_form;
    uint32_t flags_complete;
    const unsigned char *left_out;
    size_t left_out_count;
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
    const struct nbstage_fact *facts;
    size_t fact_count;
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
