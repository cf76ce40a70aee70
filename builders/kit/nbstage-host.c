/* SPDX-License-Identifier: 0BSD */
/* Finding a stage, loading it and using it: see nbstage-host.h. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* for readlink() */
#endif

#include "nbstage-host.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define SLASH "\\"
#define PATH_SIGNS "/\\:"
#define COLON ";" /* between folders */
#define ENDING ".dll"
#define kit_close_library(library) FreeLibrary(CAST(HMODULE, library))
#define kit_find_symbol(file, name) GetProcAddress(CAST(HMODULE, file), name)
#define SYMBOL FARPROC
#define kit_has_more_rights() false
#else
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#include <sys/auxv.h>
#endif
#define SLASH "/"
#define PATH_SIGNS "/"
#define COLON ":"
#define ENDING ".so"
#define kit_close_library dlclose
#define kit_find_symbol dlsym
#define SYMBOL void *
#endif

/* C++ compilers warn of C's casts, and clang of its NULL. */
#ifdef __cplusplus
#undef NULL
#define NULL nullptr
#define CAST(type, value) static_cast<type>(value)
#else
#define CAST(type, value) ((type)(value))
#endif

/* --- Sentences --- */

/* The number of the first character of a text in UTF-8, and how many bytes it
   has.  A byte that is not UTF-8 is NBSTAGE_NONE. */
static uint32_t kit_read_character(const char *text, size_t *length)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    uint32_t number = CAST(unsigned char, text[0]);
    const size_t more =
        CAST(size_t, (number >= 0xC0) + (number >= 0xE0) + (number >= 0xF0));
    *length = 1;
    if (more == 0)
        return number < 0x80 ? number : NBSTAGE_NONE;
    number &= 0x7Fu >> more;
    for (size_t i = 1; i <= more; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return NBSTAGE_NONE;
        number = number << 6 | (CAST(unsigned char, text[i]) & 0x3Fu);
    }
    if (number < least[more] || number > 0x10FFFF || number >> 11 == 0x1B)
        return NBSTAGE_NONE; /* 0xD800 to 0xDFFF are halves of characters */
    *length = more + 1;
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
    *number = kit_read_character(text, length);
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (*number >= hidden[i].first && *number <= hidden[i].last)
            return false;
    return true;
}

/* Names from maps and command lines must not control a terminal. */
static void kit_make_printable(char *text)
{
    size_t length;
    uint32_t number;
    for (; *text != '\0'; text += length)
        if (!nbstage_is_printable(text, &length, &number))
            memset(text, '?', length);
}

static void kit_forget_error(struct nbstage *stage)
{
    stage->error[0] = '\0';
    stage->failure = NBSTAGE_FAILURE_NONE;
    stage->status = NBSTAGE_OK;
}

/* Leaves a sentence; false, for callers to return. */
static bool kit_fail(struct nbstage *stage, int failure, const char *format,
                     ...)
{
    va_list arguments;
    stage->failure = failure;
    va_start(arguments, format);
    vsnprintf(stage->error, sizeof stage->error, format, arguments);
    va_end(arguments);
    kit_make_printable(stage->error);
    return false;
}

/* --- Folders and files, as each system has them --- */

enum { KIT_PATH_SIZE = 4096, KIT_LIST_SIZE = 4 * KIT_PATH_SIZE };

/* Where the builder's own installation has stages. */
#ifndef NBSTAGE_PLUGINDIR
#define NBSTAGE_PLUGINDIR ""
#endif

#ifdef _WIN32
/* What is not UTF-8 is taken to be in the system's code page, as the arguments
   of main() are.  A path that is too long becomes "". */
static void kit_to_wide(const char *path, wchar_t *wide)
{
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide,
                            KIT_PATH_SIZE) == 0 &&
        MultiByteToWideChar(CP_ACP, 0, path, -1, wide, KIT_PATH_SIZE) == 0)
        wide[0] = L'\0';
}

static bool kit_is_regular_file(const char *path)
{
    wchar_t wide[KIT_PATH_SIZE];
    kit_to_wide(path, wide);
    /* The number that stands for no file has this bit, too. */
    return !(GetFileAttributesW(wide) & FILE_ATTRIBUTE_DIRECTORY);
}

/* Stores the folders to search, or "" if they are too long. */
static void kit_list_folders(const char *folders, char *list)
{
    wchar_t program[KIT_PATH_SIZE] = L"", named[KIT_PATH_SIZE] = L"";
    char beside[3 * KIT_PATH_SIZE], variable[3 * KIT_PATH_SIZE];
    wchar_t *slash;
    GetModuleFileNameW(NULL, program, KIT_PATH_SIZE - 1);
    slash = wcsrchr(program, L'\\');
    *(slash ? slash : program) = L'\0';
    GetEnvironmentVariableW(L"NBSTAGE_PLUGIN_PATH", named, KIT_PATH_SIZE);
    WideCharToMultiByte(CP_UTF8, 0, program, -1, beside, sizeof beside, NULL,
                        NULL);
    WideCharToMultiByte(CP_UTF8, 0, named, -1, variable, sizeof variable, NULL,
                        NULL);
    if (snprintf(list, KIT_LIST_SIZE, "%s;%s\\nbstage;%s;%s", beside, beside,
                 variable,
                 folders ? folders : NBSTAGE_PLUGINDIR) >= KIT_LIST_SIZE)
        *list = '\0';
}

static bool kit_load_library(struct nbstage *stage)
{
    wchar_t path[KIT_PATH_SIZE], full[KIT_PATH_SIZE] = L"";
    DWORD mode, error;
    kit_to_wide(stage->path, path);
    GetFullPathNameW(path, KIT_PATH_SIZE, full, NULL);
    /* Without a window that says what is wrong. */
    SetThreadErrorMode(SEM_FAILCRITICALERRORS, &mode);
    stage->library = LoadLibraryExW(full, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    error = GetLastError();
    SetThreadErrorMode(mode, NULL);
    return stage->library ||
           kit_fail(stage, NBSTAGE_FAILURE_UNUSABLE,
                    "the stage cannot be loaded: %s: error %lu of Windows",
                    stage->path, error);
}

#else
/* Where stages usually are. */
#ifdef __LP64__
#define USUAL_FOLDERS \
    "/usr/local/lib/nbstage:/usr/local/lib64/nbstage:" \
    "/usr/lib/x86_64-linux-gnu/nbstage:/usr/lib/aarch64-linux-gnu/nbstage:" \
    "/usr/lib64/nbstage:/usr/lib/nbstage"
#else
#define USUAL_FOLDERS \
    "/usr/local/lib/nbstage:/usr/lib/i386-linux-gnu/nbstage:" \
    "/usr/lib/arm-linux-gnueabihf/nbstage:/usr/lib/nbstage"
#endif

/* dlopen() may wait for ever on anything else. */
static bool kit_is_regular_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Whether the program has more rights than its user, by capabilities, too. */
static bool kit_has_more_rights(void)
{
#ifdef __linux__
    return getauxval(AT_SECURE) != 0;
#else
    return getuid() != geteuid() || getgid() != getegid();
#endif
}

#ifdef __linux__
/* Whether a file has all that dlopen() maps of it; it would crash otherwise.
   What is no library is left to that. */
static bool kit_is_whole(const char *path)
{
    ElfW(Ehdr) header;
    ElfW(Phdr) segment;
    struct stat status;
    FILE *file = fopen(path, "rb");
    uint64_t end;
    bool is_whole = true;
    if (file && fstat(fileno(file), &status) == 0 &&
        fread(&header, sizeof header, 1, file) == 1 &&
        memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
        header.e_phentsize == sizeof segment &&
        fseek(file, CAST(long, header.e_phoff), SEEK_SET) == 0)
        for (int i = 0; is_whole && i < header.e_phnum; i++) {
            is_whole = fread(&segment, sizeof segment, 1, file) == 1;
            if (is_whole && segment.p_type == PT_LOAD) {
                end = segment.p_offset;
                end += segment.p_filesz;
                is_whole = end <= CAST(uint64_t, status.st_size);
            }
        }
    if (file)
        fclose(file);
    return is_whole;
}
#endif

/* Stores the folders to search, or "" if they are too long. */
static void kit_list_folders(const char *folders, char *list)
{
    char program[KIT_PATH_SIZE] = "", *slash = NULL;
    const char *named = NULL;
    if (!kit_has_more_rights()) {
        named = getenv("NBSTAGE_PLUGIN_PATH");
        if (!folders &&
            readlink("/proc/self/exe", program, KIT_PATH_SIZE - 1) > 0)
            slash = strrchr(program, '/');
    }
    *(slash ? slash : program) = '\0';
    if (snprintf(list, KIT_LIST_SIZE, "%s:%s:%s%s", named ? named : "",
                 folders ? folders : NBSTAGE_PLUGINDIR ":" USUAL_FOLDERS,
                 program, slash ? "/../lib/nbstage" : "") >= KIT_LIST_SIZE)
        *list = '\0';
}

static bool kit_load_library(struct nbstage *stage)
{
    stage->library = dlopen(stage->path, RTLD_NOW | RTLD_LOCAL);
    return stage->library ||
           kit_fail(stage, NBSTAGE_FAILURE_UNUSABLE,
                    "the stage cannot be loaded: %s", dlerror());
}
#endif

/* Leaves empty folders out of a list. */
static void kit_tidy_list(char *list)
{
    char *to = list;
    for (const char *from = list; *from != '\0'; from++)
        if (*from != COLON[0] || (to > list && to[-1] != COLON[0]))
            *to++ = *from;
    to -= to > list && to[-1] == COLON[0];
    *to = '\0';
}

/* Stores the path of a stage: the name, if that is a path, or the first regular
   file of this name in the folders. */
static bool kit_find_path(struct nbstage *stage, const char *name,
                          const char *folders, char *path)
{
    static const char *const endings[] = {ENDING, ""};
    char list[KIT_LIST_SIZE];
    const char *folder = list;
    size_t length = strlen(name);
    if (strpbrk(name, PATH_SIGNS) && length < KIT_PATH_SIZE) {
        memcpy(path, name, length + 1);
        return true;
    }
    kit_list_folders(folders, list);
    kit_tidy_list(list);
    for (; *folder != '\0'; folder += length + (folder[length] != '\0')) {
        length = strcspn(folder, COLON);
        for (int i = 0; i < 2; i++)
            if (snprintf(path, KIT_PATH_SIZE, "%.*s" SLASH "%s%s",
                         CAST(int, length), folder, name,
                         endings[i]) < KIT_PATH_SIZE &&
                kit_is_regular_file(path))
                return true;
    }
    return kit_fail(
        stage, NBSTAGE_FAILURE_NOT_FOUND,
        "no stage named '%s' was found in these folders%s: %s", name,
        kit_has_more_rights() ? ""
                              : ", to which NBSTAGE_PLUGIN_PATH can add others",
        list);
}

/* --- Opening --- */

static bool kit_refuse(struct nbstage *stage, const char *why, const char *what)
{
    return kit_fail(stage, NBSTAGE_FAILURE_UNUSABLE,
                    "%s: not a stage that can be used: it %s%s",
                    stage->path[0] != '\0' ? stage->path : "the program itself",
                    why, what);
}

/* Gets the descriptor and checks that it can be used. */
static bool kit_take_descriptor(struct nbstage *stage,
                                nbstage_describe_function describe,
                                const char *lump_name)
{
    const struct nbstage_descriptor *descriptor;
    if (!describe)
        return kit_refuse(stage, "has no symbol ", NBSTAGE_SYMBOL);
    descriptor = describe(NBSTAGE_ABI);
    if (!descriptor || descriptor->abi != NBSTAGE_ABI)
        return kit_refuse(stage, "does not serve this interface", "");
    if (!NBSTAGE_HAS(struct nbstage_descriptor, descriptor, needs_lump))
        return kit_refuse(stage, "has a descriptor that is cut off", "");
    for (size_t i = 0; i < descriptor->lump_name_count; i++)
        if (!lump_name || strcmp(descriptor->lump_names[i], lump_name) == 0) {
            stage->lump_name = descriptor->lump_names[i];
            stage->descriptor = descriptor;
            return true;
        }
    return kit_refuse(stage, "does not make ",
                      lump_name ? lump_name : "any lump");
}

static bool kit_open_path(struct nbstage *stage, const char *lump_name)
{
    SYMBOL symbol;
    nbstage_describe_function describe;
    if (!kit_is_regular_file(stage->path))
        return kit_fail(stage, NBSTAGE_FAILURE_NOT_FOUND,
                        "the stage cannot be loaded: %s: no such file, or "
                        "not a regular one",
                        stage->path);
#ifdef __linux__
    if (!kit_is_whole(stage->path))
        return kit_refuse(stage, "is cut off; install it anew", "");
#endif
    if (!kit_load_library(stage))
        return false;
    symbol = kit_find_symbol(stage->library, NBSTAGE_SYMBOL);
    /* The standard has no cast from an object pointer to a function. */
    memcpy(&describe, &symbol, sizeof describe);
    return kit_take_descriptor(stage, describe, lump_name);
}

static void kit_destroy_instance(struct nbstage *stage)
{
    nbstage_free(stage);
    if (stage->instance)
        stage->descriptor->destroy(stage->instance);
    stage->instance = NULL;
}

/* Unloads the stage, but keeps the sentence about what failed; false. */
static bool kit_unload(struct nbstage *stage)
{
    kit_destroy_instance(stage);
    if (stage->library)
        kit_close_library(stage->library);
    stage->descriptor = NULL;
    stage->library = NULL;
    stage->lump_name = NULL;
    stage->path[0] = '\0';
    return false;
}

bool nbstage_find(struct nbstage *stage, const char *name, const char *folders,
                  const char *lump_name)
{
    char path[KIT_PATH_SIZE] = "";
    bool found;
    kit_forget_error(stage);
    /* The name may be in the stage that is open. */
    found = kit_find_path(stage, name, folders, path);
    kit_unload(stage);
    memcpy(stage->path, path, sizeof stage->path);
    return (found && kit_open_path(stage, lump_name)) || kit_unload(stage);
}

bool nbstage_open(struct nbstage *stage, nbstage_describe_function describe,
                  const char *lump_name)
{
    nbstage_close(stage);
    return kit_take_descriptor(stage, describe, lump_name);
}

bool nbstage_is_loaded(const struct nbstage *stage)
{
    return stage->instance;
}

void nbstage_close(struct nbstage *stage)
{
    kit_unload(stage);
    memset(stage, 0, sizeof *stage);
}

/* --- Instances --- */

static void NBSTAGE_CALL kit_print_warning(void *context, int32_t level,
                                           const char *message)
{
    char sentence[1024];
    (void)context;
    if (level != NBSTAGE_LOG_WARNING)
        return;
    snprintf(sentence, sizeof sentence, "%s", message);
    kit_make_printable(sentence);
    fprintf(stderr, "warning: %s\n", sentence);
}

bool nbstage_create(struct nbstage *stage, const struct nbstage_host *callbacks)
{
    static const struct nbstage_host of_commands = {
        sizeof of_commands, NULL, NULL, NULL, kit_print_warning, NULL};
    kit_destroy_instance(stage);
    kit_forget_error(stage);
    if (!stage->descriptor)
        return kit_fail(stage, NBSTAGE_FAILURE_OTHER, "no stage is loaded");
    stage->callbacks = callbacks ? *callbacks : of_commands;
    stage->status =
        stage->descriptor->create(&stage->callbacks, &stage->instance);
    return stage->status == NBSTAGE_OK ||
           kit_fail(stage, NBSTAGE_FAILURE_OTHER,
                    "the stage %s makes no instance: status %" PRId32,
                    stage->descriptor->name, stage->status);
}

/* For functions that need one, and begin with this. */
static bool kit_has_instance(struct nbstage *stage)
{
    kit_forget_error(stage);
    return stage->instance ||
           kit_fail(stage, NBSTAGE_FAILURE_OTHER, "%s",
                    stage->descriptor ? "nbstage_create has not been called, "
                                        "or has failed"
                                      : "no stage is loaded");
}

bool nbstage_load(struct nbstage *stage, const char *request,
                  const char *defaults, const char *folders,
                  const char *lump_name, const struct nbstage_host *callbacks)
{
    char name[KIT_PATH_SIZE + 1]; /* a longer one is not found, either */
    const size_t length = request ? strcspn(request, ",") : 0;
    if (!request) {
        nbstage_close(stage);
        return true;
    }
    snprintf(name, sizeof name, "%.*s", CAST(int, length), request);
    return (nbstage_find(stage, name, folders, lump_name) &&
            nbstage_create(stage, callbacks) &&
            nbstage_set_defaults(stage, defaults ? defaults : "") &&
            nbstage_set_options(stage, request + length +
                                           (request[length] != '\0'))) ||
           kit_unload(stage);
}

/* Leaves the stage's sentence about what failed, after these words. */
static bool kit_fail_as_told(struct nbstage *stage, int failure,
                             const char *words)
{
    const char *told = stage->descriptor->last_error(stage->instance);
    return kit_fail(stage, failure, "%s%s", words,
                    *told != '\0' ? told
                                  : "the stage fails and does not say why");
}

/* --- Options --- */

/* Whether the first characters of a text are the name of a flag. */
static bool kit_is_flag(const struct nbstage *stage, const char *text,
                        size_t length)
{
    for (size_t i = 0; i < stage->descriptor->option_count; i++) {
        const struct nbstage_option *option =
            NBSTAGE_AT(struct nbstage_option, stage->descriptor->options, i);
        if (option->type == NBSTAGE_OPTION_FLAG &&
            strlen(option->name) == length &&
            strncmp(option->name, text, length) == 0)
            return true;
    }
    return false;
}

/* Ends the first option of a text at its comma; returns the second, or NULL. */
static char *kit_cut_option(const struct nbstage *stage, char *text)
{
    while ((text = strchr(text, ',')) != NULL) {
        const size_t length =
            strspn(++text, "abcdefghijklmnopqrstuvwxyz0123456789-");
        if (text[length] == '=' ? length > 0
                                : strcspn(text, ",") == length &&
                                      kit_is_flag(stage, text, length)) {
            text[-1] = '\0';
            return text;
        }
    }
    return NULL;
}

/* Sets an option, or its default if a failure is one of defaults. */
static bool kit_set(struct nbstage *stage, const char *name, const char *value,
                    int failure)
{
    const struct nbstage_descriptor *descriptor = stage->descriptor;
    const bool by_default = failure == NBSTAGE_FAILURE_DEFAULT;
    char warning[400];
    if (!value && !by_default && !kit_is_flag(stage, name, strlen(name)))
        return kit_fail(stage, failure,
                        "'%s' is not an option: write NAME=VALUE", name);
    stage->status = (by_default && descriptor->set_default
                         ? descriptor->set_default
                         : descriptor->set_option)(stage->instance, name,
                                                   value ? value : "yes");
    if (stage->status == NBSTAGE_OK)
        return true;
    if (stage->status != NBSTAGE_UNKNOWN_OPTION &&
        stage->status != NBSTAGE_BAD_VALUE)
        failure = NBSTAGE_FAILURE_OTHER; /* nobody has named a wrong one */
    if (!by_default || stage->status != NBSTAGE_UNKNOWN_OPTION)
        return kit_fail_as_told(stage, failure,
                                by_default ? "the host's default: " : "");
    stage->status = NBSTAGE_OK;
    snprintf(warning, sizeof warning,
             "the host's default '%s': the stage %s has no such option", name,
             descriptor->name);
    if (stage->callbacks.log)
        stage->callbacks.log(stage->callbacks.context, NBSTAGE_LOG_WARNING,
                             warning);
    return true;
}

static bool kit_set_options(struct nbstage *stage, const char *options,
                            int failure)
{
    char copy[KIT_PATH_SIZE], *option = copy;
    bool set = kit_has_instance(stage);
    if (!set || *options == '\0')
        return set;
    if (snprintf(copy, sizeof copy, "%s", options) >= KIT_PATH_SIZE)
        return kit_fail(stage, failure, "the options are too long");
    while (set && option) {
        char *next = kit_cut_option(stage, option), *sign = strchr(option, '=');
        if (sign)
            *sign++ = '\0';
        set = kit_set(stage, option, sign, failure);
        option = next;
    }
    return set;
}

bool nbstage_set_options(struct nbstage *stage, const char *options)
{
    return kit_set_options(stage, options, NBSTAGE_FAILURE_OPTION);
}

bool nbstage_set_defaults(struct nbstage *stage, const char *defaults)
{
    return kit_set_options(stage, defaults, NBSTAGE_FAILURE_DEFAULT);
}

bool nbstage_set_option(struct nbstage *stage, const char *name,
                        const char *value)
{
    return kit_has_instance(stage) &&
           kit_set(stage, name, value, NBSTAGE_FAILURE_OPTION);
}

/* Prints "pack=share|nest", "max-memory=0..131072", "grid=auto|X,Y". */
static void kit_print_option(const struct nbstage_option *option, FILE *file)
{
    char sign = '=';
    fputs(option->name, file);
    for (size_t i = 0; i < option->choice_count; i++, sign = '|')
        fprintf(file, "%c%s", sign,
                NBSTAGE_AT(struct nbstage_choice, option->choices, i)->name);
    if (option->type == NBSTAGE_OPTION_INTEGER)
        fprintf(file, "=%" PRId64 "..%" PRId64, option->minimum,
                option->maximum);
    else if (option->form || sign == '=')
        fprintf(file, "%c%s", sign, option->form ? option->form : "TEXT");
    fprintf(file, "\n    %s", option->help ? option->help : "");
    if (option->default_value && *option->default_value != '\0')
        fprintf(file, " (default: %s)", option->default_value);
    fputc('\n', file);
}

void nbstage_print_options(const struct nbstage *stage, FILE *file)
{
    for (size_t i = 0; stage->descriptor && i < stage->descriptor->option_count;
         i++)
        kit_print_option(
            NBSTAGE_AT(struct nbstage_option, stage->descriptor->options, i),
            file);
}

/* --- Building --- */

struct nbstage_map nbstage_new_map(const char *name, uint32_t format)
{
    struct nbstage_map map;
    memset(&map, 0, sizeof map);
    map.size = sizeof map;
    map.name = name;
    map.format = format;
    return map;
}

struct nbstage_map nbstage_map_from_lumps(const char *name,
                                          const struct nbstage_lump *lumps,
                                          size_t lump_count)
{
    struct nbstage_map map = nbstage_new_map(name, NBSTAGE_FORMAT_DETECT);
    map.lumps = lumps;
    map.lump_count = lump_count;
    return map;
}

const struct nbstage_lump *nbstage_build(struct nbstage *stage,
                                         const struct nbstage_map *map)
{
    kit_forget_error(stage);
    if (!stage->descriptor || !kit_has_instance(stage))
        return NULL;
    nbstage_free(stage);
    stage->status =
        stage->descriptor->build(stage->instance, map, &stage->result);
    if (stage->status != NBSTAGE_OK) {
        kit_fail_as_told(stage, NBSTAGE_FAILURE_OTHER, "");
        return NULL;
    }
    for (size_t i = 0; i < stage->result.lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, stage->result.lumps, i);
        if (strcmp(lump->name, stage->lump_name) == 0)
            return lump;
    }
    kit_fail(stage, NBSTAGE_FAILURE_OTHER, "the stage %s made no %s",
             stage->descriptor->name, stage->lump_name);
    return NULL;
}

bool nbstage_get_fact(struct nbstage *stage, const char *name,
                      struct nbstage_fact *fact)
{
    for (size_t i = 0; stage->instance; i++) {
        memset(fact, 0, sizeof *fact);
        fact->size = sizeof *fact;
        if (!stage->descriptor->get_fact(stage->instance, i, fact))
            break;
        if (strcmp(fact->name, name) == 0)
            return true;
    }
    return false;
}

void nbstage_free(struct nbstage *stage)
{
    if (stage->instance && stage->result.size > 0)
        stage->descriptor->free_result(stage->instance, &stage->result);
    memset(&stage->result, 0, sizeof stage->result);
    stage->result.size = sizeof stage->result;
}
