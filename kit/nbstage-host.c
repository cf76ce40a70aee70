/* SPDX-License-Identifier: 0BSD */
/*
 * Finding a stage, loading it and using it: see nbstage-host.h.
 *
 * Every public function that can fail empties the sentence first, so the
 * sentence always belongs to the last call.
 */
#include "nbstage-host.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <dlfcn.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/auxv.h>
#else
#include <unistd.h>
#endif
#endif

/* C++ compilers warn of C's casts. */
#ifdef __cplusplus
#define CAST(type, value) static_cast<type>(value)
#else
#define CAST(type, value) ((type)(value))
#endif

/* ------------------------------------------------------------------------ */
/* Sentences */

/* The number of the first character of a text in UTF-8, and how many bytes it
   has.  A byte that is not UTF-8 is NBSTAGE_NONE. */
static uint32_t read_character(const char *text, size_t *length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t number = CAST(unsigned char, text[0]);
    size_t size = number < 0x80 ? 1 : number < 0xE0 ? 2 : number < 0xF0 ? 3 : 4;
    *length = 1;
    if (number < 0x80)
        return number;
    if (number < 0xC0 || number > 0xF4)
        return NBSTAGE_NONE;
    number &= 0x7Fu >> size;
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return NBSTAGE_NONE;
        number = number << 6 | (CAST(unsigned char, text[i]) & 0x3Fu);
    }
    if (number < least[size] || number > 0x10FFFF ||
        (number >= 0xD800 && number <= 0xDFFF))
        return NBSTAGE_NONE;
    *length = size;
    return number;
}

bool nbstage_is_printable(const char *text, size_t *length, uint32_t *number)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0, 0x1F},        {0x7F, 0x9F},
        {0x61C, 0x61C},   {0x200E, 0x200F},
        {0x2028, 0x202E}, {0x2066, 0x2069},
        {0xFFFE, 0xFFFF}, {NBSTAGE_NONE, NBSTAGE_NONE},
    };
    *number = read_character(text, length);
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (*number >= hidden[i].first && *number <= hidden[i].last)
            return false;
    return true;
}

/* Names from maps and command lines must not control a terminal. */
static void make_printable(char *text)
{
    char *to = text;
    size_t length;
    uint32_t number;
    for (; *text; text += length) {
        if (nbstage_is_printable(text, &length, &number)) {
            memmove(to, text, length);
            to += length;
        } else {
            *to++ = '?';
        }
    }
    *to = '\0';
}

static void forget_error(struct nbstage *stage)
{
    stage->error[0] = '\0';
    stage->status = NBSTAGE_OK;
}

/* Leaves a sentence; false, for callers to return. */
static bool fail(struct nbstage *stage, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(stage->error, sizeof stage->error, format, arguments);
    va_end(arguments);
    make_printable(stage->error);
    return false;
}

static bool fail_for_memory(struct nbstage *stage)
{
    stage->status = NBSTAGE_OUT_OF_MEMORY;
    return fail(stage, "out of memory");
}

/* Closes the stage, but keeps the sentence; false. */
static bool fail_closed(struct nbstage *stage)
{
    struct nbstage failed = *stage;
    nbstage_close(stage);
    memcpy(stage->error, failed.error, sizeof stage->error);
    stage->status = failed.status;
    return false;
}

#ifdef _WIN32
/* ------------------------------------------------------------------------ */
/* Opening, on systems without dlopen() */

static bool find_and_open(struct nbstage *stage, const char *name,
                          const char *folders)
{
    (void)name;
    (void)folders;
    return fail(stage, "stages cannot be loaded on Windows");
}

bool nbstage_get_folder(const char *folders, size_t index, const char **folder,
                        size_t *length)
{
    (void)folders;
    (void)index;
    (void)folder;
    (void)length;
    return false;
}

static void close_library(void *library)
{
    (void)library;
}

#else
/* ------------------------------------------------------------------------ */
/* Finding */

/* Where stages are usually installed, if the builder does not define it: the
   folder for this kind of machine, then the folders of all systems. */
#ifndef NBSTAGE_PLUGINDIR
#if defined __linux__ && defined __x86_64__ && defined __LP64__
#define MACHINE_FOLDER "/usr/lib/x86_64-linux-gnu/nbstage:"
#elif defined __linux__ && defined __i386__
#define MACHINE_FOLDER "/usr/lib/i386-linux-gnu/nbstage:"
#elif defined __linux__ && defined __aarch64__ && defined __LP64__
#define MACHINE_FOLDER "/usr/lib/aarch64-linux-gnu/nbstage:"
#elif defined __linux__ && defined __arm__ && defined __ARM_PCS_VFP
#define MACHINE_FOLDER "/usr/lib/arm-linux-gnueabihf/nbstage:"
#elif defined __linux__ && defined __riscv && defined __LP64__
#define MACHINE_FOLDER "/usr/lib/riscv64-linux-gnu/nbstage:"
#else
#define MACHINE_FOLDER ""
#endif
#ifdef __LP64__
#define LIB64_FOLDERS "/usr/local/lib64/nbstage:/usr/lib64/nbstage:"
#else
#define LIB64_FOLDERS ""
#endif
#define NBSTAGE_PLUGINDIR \
    "/usr/local/lib/nbstage:" MACHINE_FOLDER LIB64_FOLDERS "/usr/lib/nbstage"
#endif

static bool has_ending(const char *text, const char *ending)
{
    size_t length = strlen(text);
    return length > strlen(ending) &&
           strcmp(text + length - strlen(ending), ending) == 0;
}

/* dlopen() may wait for ever on anything else. */
static bool is_regular_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* "FOLDER/NAME.so", to be freed; NULL if memory runs out. */
static char *join_path(const char *folder, size_t folder_length,
                       const char *name)
{
    size_t size = folder_length + strlen(name) + sizeof "/.so";
    char *path = CAST(char *, malloc(size));
    if (path)
        snprintf(path, size, "%.*s/%s%s", CAST(int, folder_length), folder,
                 name, has_ending(name, ".so") ? "" : ".so");
    return path;
}

/* Takes the folder `*index` of a text with colons between folders; where there
   are fewer, takes their number off the index and returns false. */
static bool take_folder(const char *folders, size_t *index, const char **folder,
                        size_t *length)
{
    for (; folders && *folders; folders += *folders == ':') {
        *folder = folders;
        *length = strcspn(folders, ":");
        folders += *length;
        if (*length > 0 && (*index)-- == 0)
            return true;
    }
    return false;
}

/* Whether the program has more rights than the user who started it, so that the
   environment must not say what it loads.  Linux answers without a feature
   macro, unlike secure_getenv(), and knows of capabilities, too. */
static bool has_more_rights(void)
{
#ifdef __linux__
    return getauxval(AT_SECURE) != 0;
#else
    return getuid() != geteuid() || getgid() != getegid();
#endif
}

static const char *get_first_folders(void)
{
    return has_more_rights() ? NULL : getenv("NBSTAGE_PLUGIN_PATH");
}

bool nbstage_get_folder(const char *folders, size_t index, const char **folder,
                        size_t *length)
{
    return take_folder(get_first_folders(), &index, folder, length) ||
           take_folder(folders ? folders : NBSTAGE_PLUGINDIR, &index, folder,
                       length);
}

/* Finds the path of a stage in the first of the folders that has it, to be
   freed; NULL if none has it.  False with a sentence if memory runs out. */
static bool find_in_folders(struct nbstage *stage, const char *folders,
                            const char *name, char **path)
{
    const char *folder;
    size_t length;
    *path = NULL;
    for (size_t i = 0; nbstage_get_folder(folders, i, &folder, &length); i++) {
        *path = join_path(folder, length, name);
        if (!*path)
            return fail_for_memory(stage);
        if (is_regular_file(*path))
            return true;
        free(*path);
        *path = NULL;
    }
    return true;
}

static bool fail_to_find(struct nbstage *stage, const char *name,
                         const char *folders)
{
    const char *variable = get_first_folders();
    char *here = join_path(".", 1, name);
    if (!here)
        return fail_for_memory(stage);
    bool is_here = is_regular_file(here);
    fail(stage,
         "no stage named '%s' was found; NBSTAGE_PLUGIN_PATH (%s) and %s were "
         "searched%s%s",
         name,
         variable            ? variable
         : has_more_rights() ? "ignored in a set-ID program"
                             : "not set",
         folders ? folders : NBSTAGE_PLUGINDIR,
         is_here ? "; for the file in the current folder write " : "",
         is_here ? here : "");
    free(here);
    return false;
}

/* ------------------------------------------------------------------------ */
/* Opening */

static void close_library(void *library)
{
    if (library)
        dlclose(library);
}

static bool makes_lump(const struct nbstage_descriptor *descriptor,
                       const char *name)
{
    for (size_t i = 0; i < descriptor->lump_name_count; i++)
        if (strcmp(descriptor->lump_names[i], name) == 0)
            return true;
    return false;
}

#define UNUSABLE "%s: not a stage that can be used: "

/* Gets the descriptor and checks that it can be used. */
static bool take_descriptor(struct nbstage *stage, const char *path)
{
    nbstage_describe_function describe;
    void *symbol = dlsym(stage->library, NBSTAGE_SYMBOL);
    if (!symbol)
        return fail(stage, UNUSABLE "the file has no symbol %s", path,
                    NBSTAGE_SYMBOL);
    /* The standard has no cast from an object pointer to a function. */
    memcpy(&describe, &symbol, sizeof describe);
    stage->descriptor = describe(NBSTAGE_ABI);
    if (!stage->descriptor)
        return fail(stage,
                    UNUSABLE "the stage does not serve version %d of the "
                             "interface",
                    path, NBSTAGE_ABI);
    if (!NBSTAGE_HAS(struct nbstage_descriptor, stage->descriptor, destroy))
        return fail(stage, UNUSABLE "the stage's descriptor is cut off", path);
    if (!makes_lump(stage->descriptor, stage->lump_name))
        return fail(stage, UNUSABLE "the stage does not make %s lumps", path,
                    stage->lump_name);
    return true;
}

static bool open_file(struct nbstage *stage, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return fail(stage, UNUSABLE "it is no regular file", path);
    stage->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!stage->library)
        return fail(stage, "the stage cannot be loaded: %s", dlerror());
    return take_descriptor(stage, path) || fail_closed(stage);
}

static bool find_and_open(struct nbstage *stage, const char *name,
                          const char *folders)
{
    if (strchr(name, '/'))
        return open_file(stage, name);
    char *path;
    if (!find_in_folders(stage, folders, name, &path))
        return false;
    if (!path)
        return fail_to_find(stage, name, folders);
    bool opened = open_file(stage, path);
    free(path);
    return opened;
}
#endif

bool nbstage_open(struct nbstage *stage, const char *name, const char *folders,
                  const char *lump_name)
{
    /* The name may be in the stage that is open: it is closed afterwards. */
    struct nbstage next;
    memset(&next, 0, sizeof next);
    next.lump_name = lump_name;
    bool opened = find_and_open(&next, name, folders);
    nbstage_close(stage);
    *stage = next;
    return opened;
}

/* ------------------------------------------------------------------------ */
/* Instances */

static void destroy_instance(struct nbstage *stage)
{
    nbstage_free(stage);
    if (stage->instance)
        stage->descriptor->destroy(stage->instance);
    stage->instance = NULL;
}

static void print_warning(void *context, int32_t level, const char *message)
{
    char sentence[1024];
    (void)context;
    if (level != NBSTAGE_LOG_WARNING)
        return;
    snprintf(sentence, sizeof sentence, "%s", message);
    make_printable(sentence);
    fprintf(stderr, "warning: %s\n", sentence);
}

bool nbstage_create(struct nbstage *stage, const struct nbstage_host *callbacks)
{
    static const struct nbstage_host of_commands = {
        sizeof of_commands, NULL, NULL, NULL, print_warning, NULL};
    destroy_instance(stage);
    forget_error(stage);
    if (!stage->descriptor)
        return fail(stage, "no stage is loaded");
    stage->status = stage->descriptor->create(
        callbacks ? callbacks : &of_commands, &stage->instance);
    if (stage->status != NBSTAGE_OK)
        return fail(stage, "the stage %s makes no instance: status %d",
                    stage->descriptor->name, CAST(int, stage->status));
    return true;
}

static bool fail_without_instance(struct nbstage *stage)
{
    return fail(stage,
                "the stage %s has no instance: nbstage_create has not been "
                "called, or has failed",
                stage->descriptor->name);
}

/* A copy to be freed; NULL with a sentence if memory runs out. */
static char *copy_text(struct nbstage *stage, const char *text)
{
    char *copy = CAST(char *, malloc(strlen(text) + 1));
    if (copy)
        strcpy(copy, text);
    else
        fail_for_memory(stage);
    return copy;
}

bool nbstage_load(struct nbstage *stage, const char *request,
                  const char *folders, const char *lump_name,
                  const struct nbstage_host *callbacks)
{
    if (!request) {
        nbstage_close(stage);
        return true;
    }
    forget_error(stage);
    char *name = copy_text(stage, request);
    if (!name)
        return fail_closed(stage);
    char *comma = strchr(name, ',');
    if (comma)
        *comma = '\0';
    bool loaded = nbstage_open(stage, name, folders, lump_name) &&
                  nbstage_create(stage, callbacks) &&
                  nbstage_set_options(stage, comma ? comma + 1 : "");
    free(name);
    return loaded || fail_closed(stage);
}

void nbstage_close(struct nbstage *stage)
{
    destroy_instance(stage);
    close_library(stage->library);
    memset(stage, 0, sizeof *stage);
}

/* ------------------------------------------------------------------------ */
/* Options */

static const struct nbstage_option *get_option(const struct nbstage *stage,
                                               size_t index)
{
    return NBSTAGE_AT(struct nbstage_option, stage->descriptor->options, index);
}

/* Whether the first characters of a text are the name of a flag. */
static bool is_flag(const struct nbstage *stage, const char *text,
                    size_t length)
{
    for (size_t i = 0; i < stage->descriptor->option_count; i++) {
        const struct nbstage_option *option = get_option(stage, i);
        if (option->type == NBSTAGE_OPTION_FLAG &&
            strlen(option->name) == length &&
            strncmp(option->name, text, length) == 0)
            return true;
    }
    return false;
}

/* Whether what follows a comma is another option. */
static bool begins_option(const struct nbstage *stage, const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    if (text[length] == '=')
        return length > 0;
    return strcspn(text, ",") == length && is_flag(stage, text, length);
}

/* Ends the first option of a text; returns the rest, or NULL without one. */
static char *cut_option(const struct nbstage *stage, char *text)
{
    char *comma = strchr(text, ',');
    while (comma && !begins_option(stage, comma + 1))
        comma = strchr(comma + 1, ',');
    if (!comma)
        return NULL;
    *comma = '\0';
    return comma + 1;
}

/* Sets one option from "NAME=VALUE", which is cut at the sign, or "FLAG". */
static bool set_option(struct nbstage *stage, char *text)
{
    const struct nbstage_descriptor *descriptor = stage->descriptor;
    const char *value = "yes";
    char *sign = strchr(text, '=');
    if (sign) {
        *sign = '\0';
        value = sign + 1;
    } else if (!is_flag(stage, text, strlen(text))) {
        return fail(stage,
                    "the stage %s: '%s' is not an option with a value, "
                    "NAME=VALUE, nor the name of a flag",
                    descriptor->name, text);
    }
    stage->status = descriptor->set_option(stage->instance, text, value);
    if (stage->status != NBSTAGE_OK)
        return fail(stage, "the stage %s: %s", descriptor->name,
                    descriptor->last_error(stage->instance));
    return true;
}

bool nbstage_set_options(struct nbstage *stage, const char *options)
{
    forget_error(stage);
    if (!stage->descriptor)
        return fail(stage, "no stage is loaded that takes options");
    if (!stage->instance)
        return fail_without_instance(stage);
    if (*options == '\0')
        return true;
    char *copy = copy_text(stage, options);
    bool set = copy;
    char *option = copy;
    while (set && option) {
        char *next = cut_option(stage, option);
        set = set_option(stage, option);
        option = next;
    }
    free(copy);
    return set;
}

/* "none|share|nest", "1..128", "X,Y": the values that an option takes. */
static void print_values(const struct nbstage_option *option, FILE *file)
{
    for (size_t i = 0; i < option->choice_count; i++)
        fprintf(file, "%s%s", i > 0 ? "|" : "",
                NBSTAGE_AT(struct nbstage_choice, option->choices, i)->name);
    if (option->type == NBSTAGE_OPTION_INTEGER)
        fprintf(file, "%lld..%lld", CAST(long long, option->minimum),
                CAST(long long, option->maximum));
    else if (option->form)
        fprintf(file, "%s%s", option->choice_count > 0 ? "|" : "",
                option->form);
    else if (option->choice_count == 0)
        fputs("TEXT", file);
}

void nbstage_print_options(const struct nbstage *stage, FILE *file)
{
    size_t count = stage->descriptor ? stage->descriptor->option_count : 0;
    for (size_t i = 0; i < count; i++) {
        const struct nbstage_option *option = get_option(stage, i);
        fprintf(file, "%s=", option->name);
        print_values(option, file);
        fprintf(file, "\n    %s", option->help ? option->help : "");
        if (option->default_value && *option->default_value)
            fprintf(file, " (default: %s)", option->default_value);
        fputc('\n', file);
    }
}

/* ------------------------------------------------------------------------ */
/* Building */

struct nbstage_map nbstage_map_from_lumps(const char *name,
                                          const struct nbstage_lump *lumps,
                                          size_t lump_count)
{
    struct nbstage_map map;
    memset(&map, 0, sizeof map);
    map.size = sizeof map;
    map.name = name;
    map.lumps = lumps;
    map.lump_count = lump_count;
    return map;
}

static bool to_fixed_point(double coordinate, int32_t *fixed)
{
    double scaled = coordinate * 65536;
    if (!(scaled > INT32_MIN - 1.0 && scaled < INT32_MAX + 1.0))
        return false; /* also for NaN */
    *fixed = CAST(int32_t, scaled);
    return true;
}

bool nbstage_vertex_from_doubles(double x, double y,
                                 struct nbstage_vertex *vertex)
{
    return to_fixed_point(x, &vertex->x) && to_fixed_point(y, &vertex->y);
}

struct nbstage_map
nbstage_map_from_arrays(const char *name, const void *vertices,
                        size_t vertex_count, size_t vertex_size,
                        const struct nbstage_line *lines, size_t line_count)
{
    struct nbstage_map map;
    memset(&map, 0, sizeof map);
    map.size = sizeof map;
    map.name = name;
    map.vertices = CAST(const struct nbstage_vertex *, vertices);
    map.vertex_count = vertex_count;
    map.vertex_size = vertex_size;
    map.lines = lines;
    map.line_count = line_count;
    map.line_size = sizeof *lines;
    return map;
}

const struct nbstage_lump *nbstage_build(struct nbstage *stage,
                                         const struct nbstage_map *map)
{
    const struct nbstage_descriptor *descriptor = stage->descriptor;
    forget_error(stage);
    if (!stage->descriptor)
        return NULL;
    if (!stage->instance) {
        fail_without_instance(stage);
        return NULL;
    }
    nbstage_free(stage);
    stage->status = descriptor->build(stage->instance, map, &stage->result);
    if (stage->status != NBSTAGE_OK) {
        fail(stage, "%s", descriptor->last_error(stage->instance));
        return NULL;
    }
    for (size_t i = 0; i < stage->result.lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, stage->result.lumps, i);
        if (strcmp(lump->name, stage->lump_name) == 0)
            return lump;
    }
    fail(stage, "the stage %s made no %s", descriptor->name, stage->lump_name);
    return NULL;
}

void nbstage_free(struct nbstage *stage)
{
    if (stage->instance && stage->result.size > 0)
        stage->descriptor->free_result(stage->instance, &stage->result);
    memset(&stage->result, 0, sizeof stage->result);
    stage->result.size = sizeof stage->result;
}
