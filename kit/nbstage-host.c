/* SPDX-License-Identifier: 0BSD */
/*
 * Finding a stage, loading it and using it: see nbstage-host.h.
 *
 * Every public function that can fail empties the sentence first, so the
 * sentence always belongs to the last call.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* for readlink() */
#endif

#include "nbstage-host.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#define SLASH "\\"
#define BETWEEN_FOLDERS ";"
#define kit_compare_names _stricmp
#define kit_close_library(library) FreeLibrary(CAST(HMODULE, library))
#define kit_find_symbol(library, name) \
    GetProcAddress(CAST(HMODULE, library), name)
#define SYMBOL FARPROC
#else
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#elif defined __APPLE__
#include <mach-o/dyld.h>
#endif
#define SLASH "/"
#define BETWEEN_FOLDERS ":"
#define kit_compare_names strcmp
#define kit_close_library dlclose
#define kit_find_symbol dlsym
#define SYMBOL void *
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
static uint32_t kit_read_character(const char *text, size_t *length)
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
    *number = kit_read_character(text, length);
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (*number >= hidden[i].first && *number <= hidden[i].last)
            return false;
    return true;
}

/* Names from maps and command lines must not control a terminal. */
static void kit_make_printable(char *text)
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

static bool kit_fail_for_memory(struct nbstage *stage)
{
    stage->status = NBSTAGE_OUT_OF_MEMORY;
    return kit_fail(stage, NBSTAGE_FAILURE_OTHER, "out of memory");
}

/* Closes the stage, but keeps the sentence; false. */
static bool kit_fail_closed(struct nbstage *stage)
{
    struct nbstage failed = *stage;
    nbstage_close(stage);
    memcpy(stage->error, failed.error, sizeof stage->error);
    stage->failure = failed.failure;
    stage->status = failed.status;
    return false;
}

/* Where the builder's own installation has stages. */
#ifndef NBSTAGE_PLUGINDIR
#define NBSTAGE_PLUGINDIR ""
#endif

#define UNUSABLE "%s: not a stage that can be used: "
#define NOT_REGULAR UNUSABLE "it is no regular file"

/* ------------------------------------------------------------------------ */
/* Folders */

/* "FOLDER/NAME" with an ending, to be freed; NULL if memory runs out. */
static char *kit_join_path(const char *folder, const char *name,
                           const char *ending)
{
    size_t size = strlen(folder) + strlen(name) + strlen(ending) + 2;
    char *path = CAST(char *, malloc(size));
    if (path)
        snprintf(path, size, "%s" SLASH "%s%s", folder, name, ending);
    return path;
}

/* A copy of a part of a text, to be freed; NULL if memory runs out. */
static char *kit_copy_part(const char *text, size_t length)
{
    char *copy = CAST(char *, malloc(length + 1));
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* A copy to be freed; NULL with a sentence if memory runs out. */
static char *kit_copy_text(struct nbstage *stage, const char *text)
{
    char *copy = kit_copy_part(text, strlen(text));
    if (!copy)
        kit_fail_for_memory(stage);
    return copy;
}

/* Stores the path of folder `*index` of a text with several folders, to be
   freed; NULL if memory runs out.  Where there are fewer, takes their number
   off the index and returns false. */
static bool kit_take_folder(const char *folders, size_t *index, char **path)
{
    for (; folders && *folders; folders += *folders != '\0') {
        size_t length = strcspn(folders, BETWEEN_FOLDERS);
        if (length > 0 && (*index)-- == 0) {
            *path = kit_copy_part(folders, length);
            return true;
        }
        folders += length;
    }
    return false;
}

#ifdef _WIN32
/* ------------------------------------------------------------------------ */
/* Windows */

static const char *const kit_endings[] = {".dll"};

static bool kit_is_path(const char *name)
{
    return strpbrk(name, "/\\") || (name[0] != '\0' && name[1] == ':');
}

/* A text in UTF-16, to be freed; NULL if memory runs out.  What is not UTF-8 is
   taken to be in the system's code page, as the arguments of main() are. */
static wchar_t *kit_to_wide(const char *text)
{
    const UINT page = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text,
                                          -1, NULL, 0) > 0
                          ? CP_UTF8
                          : CP_ACP;
    const int size = MultiByteToWideChar(page, 0, text, -1, NULL, 0);
    wchar_t *wide =
        CAST(wchar_t *, calloc(CAST(size_t, size) + 1, sizeof(wchar_t)));
    if (wide)
        MultiByteToWideChar(page, 0, text, -1, wide, size);
    return wide;
}

/* A text in UTF-8, to be freed; NULL if memory runs out. */
static char *kit_from_wide(const wchar_t *wide)
{
    const int size =
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = CAST(char *, calloc(CAST(size_t, size) + 1, 1));
    if (text)
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

static bool kit_is_regular_file(const char *path)
{
    wchar_t *wide = kit_to_wide(path);
    const DWORD attributes =
        wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    return !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

static bool kit_has_more_rights(void)
{
    return false;
}

/* Takes the folder of the program, "nbstage" in it, or one of the environment,
   as kit_take_folder does. */
static bool kit_take_first_folder(size_t *index, char **path)
{
    wchar_t program[4096 + sizeof "\\nbstage"];
    const DWORD length = GetModuleFileNameW(NULL, program, 4096);
    wchar_t *slash = length < 4096 ? wcsrchr(program, L'\\') : NULL;
    const wchar_t *wide = _wgetenv(L"NBSTAGE_PLUGIN_PATH");
    char *folders;
    bool taken;
    if (slash && *index < 2) {
        wcscpy(slash, *index > 0          ? L"\\nbstage"
                      : slash[-1] == L':' ? L"\\"
                                          : L"");
        *path = kit_from_wide(program);
        return true;
    }
    *index -= slash ? 2 : 0;
    if (!wide)
        return false;
    folders = kit_from_wide(wide);
    *path = NULL;
    taken = !folders || kit_take_folder(folders, index, path);
    free(folders);
    return taken;
}

static bool kit_take_usual_folder(size_t *index, char **path)
{
    return kit_take_folder(NBSTAGE_PLUGINDIR, index, path);
}

/* Leaves the system's sentence, in the language of the user, and its number. */
static bool kit_fail_to_load(struct nbstage *stage, int failure,
                             const char *path, const wchar_t *name)
{
    const wchar_t *names[] = {name, name, name};
    wchar_t wide[400];
    const DWORD error = GetLastError();
    DWORD length = FormatMessageW(
        FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_ARGUMENT_ARRAY, NULL, error,
        0, wide, 400, CAST(va_list *, CAST(void *, names)));
    char *text;
    while (length > 0 && wcschr(L" .\r\n\x3002", wide[length - 1]))
        length--;
    wide[length] = L'\0';
    text = kit_from_wide(wide);
    kit_fail(stage, failure, "the stage cannot be loaded: %s: %s (error %lu)",
             path, text ? text : "", error);
    free(text);
    return false;
}

static bool kit_load_library(struct nbstage *stage, const char *path)
{
    wchar_t full[4096];
    wchar_t *wide = kit_to_wide(path), *name = NULL;
    DWORD attributes, mode;
    if (!wide)
        return kit_fail_for_memory(stage);
    if (GetFullPathNameW(wide, 4096, full, &name) >= 4096)
        *full = L'\0';
    free(wide);
    attributes = GetFileAttributesW(full);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return kit_fail_to_load(stage, NBSTAGE_FAILURE_NOT_FOUND, path, full);
    if (attributes & FILE_ATTRIBUTE_DIRECTORY)
        return kit_fail(stage, NBSTAGE_FAILURE_UNUSABLE, NOT_REGULAR, path);
    /* Without a window that says what is wrong. */
    SetThreadErrorMode(SEM_FAILCRITICALERRORS, &mode);
    stage->library = LoadLibraryExW(full, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!stage->library)
        kit_fail_to_load(stage, NBSTAGE_FAILURE_UNUSABLE, path, name);
    SetThreadErrorMode(mode, NULL);
    return stage->library;
}

#else
/* ------------------------------------------------------------------------ */
/* POSIX */

/* What the files of stages may end with. */
static const char *const kit_endings[] = {
#ifdef __APPLE__
    ".dylib",
#endif
    ".so",
};

/* Where stages usually are: the folder for this kind of machine, then those of
   all systems. */
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
#elif defined __APPLE__ /* Homebrew's and MacPorts' */
#define MACHINE_FOLDER "/opt/homebrew/lib/nbstage:/opt/local/lib/nbstage:"
#else
#define MACHINE_FOLDER ""
#endif
#if defined __LP64__ && !defined __APPLE__
#define LIB64_FOLDERS "/usr/local/lib64/nbstage:/usr/lib64/nbstage:"
#else
#define LIB64_FOLDERS ""
#endif
#define USUAL_FOLDERS \
    "/usr/local/lib/nbstage:" MACHINE_FOLDER LIB64_FOLDERS "/usr/lib/nbstage"

static bool kit_is_path(const char *name)
{
    return strchr(name, '/');
}

/* dlopen() may wait for ever on anything else. */
static bool kit_is_regular_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Whether the program has more rights than the user who started it, so that
   neither the environment nor the program's place must say what it loads.
   Linux knows of capabilities, too. */
static bool kit_has_more_rights(void)
{
#ifdef __linux__
    return getauxval(AT_SECURE) != 0;
#else
    return getuid() != geteuid() || getgid() != getegid();
#endif
}

static bool kit_take_first_folder(size_t *index, char **path)
{
    return !kit_has_more_rights() &&
           kit_take_folder(getenv("NBSTAGE_PLUGIN_PATH"), index, path);
}

/* "../lib/nbstage" of the running program, as kit_take_folder does; false where
   that is not known. */
static bool kit_take_folder_of_program(char **path)
{
    char program[4096];
#ifdef __APPLE__
    uint32_t size = sizeof program;
    bool found = _NSGetExecutablePath(program, &size) == 0;
#else
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    bool found = size > 0;
    program[found ? size : 0] = '\0';
#endif
    for (int i = 0; found && i < 2; i++) {
        char *slash = strrchr(program, '/');
        found = slash;
        if (slash)
            *slash = '\0';
    }
    if (!found)
        return false;
    *path = kit_join_path(program, "lib/nbstage", "");
    return true;
}

static bool kit_take_usual_folder(size_t *index, char **path)
{
    return kit_take_folder(NBSTAGE_PLUGINDIR, index, path) ||
           kit_take_folder(USUAL_FOLDERS, index, path) ||
           (*index == 0 && !kit_has_more_rights() &&
            kit_take_folder_of_program(path));
}

static bool kit_load_library(struct nbstage *stage, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return kit_fail(stage, NBSTAGE_FAILURE_NOT_FOUND,
                        "the stage cannot be loaded: %s: %s", path,
                        strerror(errno));
    if (!S_ISREG(status.st_mode))
        return kit_fail(stage, NBSTAGE_FAILURE_UNUSABLE, NOT_REGULAR, path);
    stage->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return stage->library ||
           kit_fail(stage, NBSTAGE_FAILURE_UNUSABLE,
                    "the stage cannot be loaded: %s", dlerror());
}

#endif

/* ------------------------------------------------------------------------ */
/* Finding */

static bool kit_has_ending(const char *text, const char *ending)
{
    size_t length = strlen(text);
    return length > strlen(ending) &&
           kit_compare_names(text + length - strlen(ending), ending) == 0;
}

/* Finds "FOLDER/NAME" with one of the endings, to be freed; NULL if there is no
   such file.  False with a sentence if memory runs out. */
static bool kit_find_in_folder(struct nbstage *stage, const char *folder,
                               const char *name, char **path)
{
    for (size_t i = 0; i < sizeof kit_endings / sizeof *kit_endings; i++) {
        *path = kit_join_path(
            folder, name,
            kit_has_ending(name, kit_endings[i]) ? "" : kit_endings[i]);
        if (!*path)
            return kit_fail_for_memory(stage);
        if (kit_is_regular_file(*path))
            return true;
        free(*path);
    }
    *path = NULL;
    return true;
}

/* Takes the folder `index` of all that are searched, in order, as
   kit_take_folder does; false after the last. */
static bool kit_take_any_folder(const char *folders, size_t index, char **path)
{
    return kit_take_first_folder(&index, path) ||
           (folders ? kit_take_folder(folders, &index, path)
                    : kit_take_usual_folder(&index, path));
}

/* Finds the path of a stage in the first of the folders that has it, to be
   freed; NULL if none has it.  False with a sentence if memory runs out. */
static bool kit_find_in_folders(struct nbstage *stage, const char *folders,
                                const char *name, char **path)
{
    char *folder;
    bool searched = true;
    *path = NULL;
    for (size_t i = 0;
         searched && !*path && kit_take_any_folder(folders, i, &folder); i++) {
        searched = folder ? kit_find_in_folder(stage, folder, name, path)
                          : kit_fail_for_memory(stage);
        free(folder);
    }
    return searched;
}

static bool kit_fail_to_find(struct nbstage *stage, const char *name,
                             const char *folders)
{
    char list[600] = "";
    char *folder, *here;
    for (size_t i = 0; kit_take_any_folder(folders, i, &folder); i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                 folder ? folder : "?");
        free(folder);
    }
    if (!kit_find_in_folder(stage, ".", name, &here))
        return false;
    kit_fail(stage, NBSTAGE_FAILURE_NOT_FOUND,
             "no stage named '%s' was found in these folders: %s%s%s%s", name,
             *list ? list : "none",
             kit_has_more_rights()
                 ? "; NBSTAGE_PLUGIN_PATH is ignored in a set-ID "
                   "program"
                 : "; NBSTAGE_PLUGIN_PATH can name others",
             here ? "; for the file in the current folder write " : "",
             here ? here : "");
    free(here);
    return false;
}

/* ------------------------------------------------------------------------ */
/* Opening */

static bool kit_makes_lump(const struct nbstage_descriptor *descriptor,
                           const char *name)
{
    for (size_t i = 0; i < descriptor->lump_name_count; i++)
        if (strcmp(descriptor->lump_names[i], name) == 0)
            return true;
    return false;
}

/* Gets the descriptor and checks that it can be used. */
static bool kit_take_descriptor(struct nbstage *stage,
                                nbstage_describe_function describe)
{
    const char *path = stage->path ? stage->path : "the program itself";
    if (!describe)
        return kit_fail(stage, NBSTAGE_FAILURE_UNUSABLE,
                        UNUSABLE "the file has no symbol %s", path,
                        NBSTAGE_SYMBOL);
    stage->descriptor = describe(NBSTAGE_ABI);
    if (!stage->descriptor)
        return kit_fail(stage, NBSTAGE_FAILURE_UNUSABLE,
                        UNUSABLE "the stage does not serve version %d of the "
                                 "interface",
                        path, NBSTAGE_ABI);
    if (!NBSTAGE_HAS(struct nbstage_descriptor, stage->descriptor, needs_lump))
        return kit_fail(stage, NBSTAGE_FAILURE_UNUSABLE,
                        UNUSABLE "the stage's descriptor is cut off", path);
    if (!stage->lump_name)
        stage->lump_name = stage->descriptor->lump_name_count > 0
                               ? stage->descriptor->lump_names[0]
                               : "any";
    if (!kit_makes_lump(stage->descriptor, stage->lump_name))
        return kit_fail(stage, NBSTAGE_FAILURE_UNUSABLE,
                        UNUSABLE "the stage does not make %s lumps", path,
                        stage->lump_name);
    return true;
}

static nbstage_describe_function kit_find_describe(void *library)
{
    const SYMBOL symbol = kit_find_symbol(library, NBSTAGE_SYMBOL);
    nbstage_describe_function describe;
    /* The standard has no cast from an object pointer to a function. */
    memcpy(&describe, &symbol, sizeof describe);
    return describe;
}

static bool kit_find_and_open(struct nbstage *stage, const char *name,
                              const char *folders)
{
    if (kit_is_path(name))
        stage->path = kit_copy_text(stage, name);
    else if (kit_find_in_folders(stage, folders, name, &stage->path) &&
             !stage->path)
        return kit_fail_to_find(stage, name, folders);
    return stage->path &&
           ((kit_load_library(stage, stage->path) &&
             kit_take_descriptor(stage, kit_find_describe(stage->library))) ||
            kit_fail_closed(stage));
}

bool nbstage_find(struct nbstage *stage, const char *name, const char *folders,
                  const char *lump_name)
{
    /* The name may be in the stage that is open: it is closed afterwards. */
    struct nbstage next;
    bool opened;
    memset(&next, 0, sizeof next);
    next.lump_name = lump_name;
    opened = kit_find_and_open(&next, name, folders);
    nbstage_close(stage);
    *stage = next;
    return opened;
}

bool nbstage_open(struct nbstage *stage, nbstage_describe_function describe,
                  const char *lump_name)
{
    nbstage_close(stage);
    stage->lump_name = lump_name;
    return kit_take_descriptor(stage, describe) || kit_fail_closed(stage);
}

bool nbstage_is_loaded(const struct nbstage *stage)
{
    return stage->instance;
}

/* ------------------------------------------------------------------------ */
/* Instances */

static void kit_destroy_instance(struct nbstage *stage)
{
    nbstage_free(stage);
    if (stage->instance)
        stage->descriptor->destroy(stage->instance);
    stage->instance = NULL;
}

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
    stage->status = stage->descriptor->create(
        callbacks ? callbacks : &of_commands, &stage->instance);
    if (stage->status != NBSTAGE_OK)
        return kit_fail(stage, NBSTAGE_FAILURE_OTHER,
                        "the stage %s makes no instance: status %d",
                        stage->descriptor->name, CAST(int, stage->status));
    return true;
}

static bool kit_fail_without_instance(struct nbstage *stage)
{
    return kit_fail(stage, NBSTAGE_FAILURE_OTHER,
                    "the stage %s has no instance: nbstage_create has not been "
                    "called, or has failed",
                    stage->descriptor->name);
}

bool nbstage_load(struct nbstage *stage, const char *request,
                  const char *defaults, const char *folders,
                  const char *lump_name, const struct nbstage_host *callbacks)
{
    char *name, *comma;
    bool loaded;
    if (!request) {
        nbstage_close(stage);
        return true;
    }
    kit_forget_error(stage);
    name = kit_copy_text(stage, request);
    if (!name)
        return kit_fail_closed(stage);
    comma = strchr(name, ',');
    if (comma)
        *comma = '\0';
    loaded = nbstage_find(stage, name, folders, lump_name) &&
             nbstage_create(stage, callbacks) &&
             nbstage_set_defaults(stage, defaults ? defaults : "") &&
             nbstage_set_options(stage, comma ? comma + 1 : "");
    free(name);
    return loaded || kit_fail_closed(stage);
}

void nbstage_close(struct nbstage *stage)
{
    kit_destroy_instance(stage);
    if (stage->library)
        kit_close_library(stage->library);
    free(stage->path);
    memset(stage, 0, sizeof *stage);
}

/* ------------------------------------------------------------------------ */
/* Options */

static const struct nbstage_option *kit_get_option(const struct nbstage *stage,
                                                   size_t index)
{
    return NBSTAGE_AT(struct nbstage_option, stage->descriptor->options, index);
}

/* Whether the first characters of a text are the name of a flag. */
static bool kit_is_flag(const struct nbstage *stage, const char *text,
                        size_t length)
{
    for (size_t i = 0; i < stage->descriptor->option_count; i++) {
        const struct nbstage_option *option = kit_get_option(stage, i);
        if (option->type == NBSTAGE_OPTION_FLAG &&
            strlen(option->name) == length &&
            strncmp(option->name, text, length) == 0)
            return true;
    }
    return false;
}

/* Whether what follows a comma is another option. */
static bool kit_begins_option(const struct nbstage *stage, const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    if (text[length] == '=')
        return length > 0;
    return strcspn(text, ",") == length && kit_is_flag(stage, text, length);
}

/* Ends the first option of a text; returns the rest, or NULL without one. */
static char *kit_cut_option(const struct nbstage *stage, char *text)
{
    char *comma = strchr(text, ',');
    while (comma && !kit_begins_option(stage, comma + 1))
        comma = strchr(comma + 1, ',');
    if (!comma)
        return NULL;
    *comma = '\0';
    return comma + 1;
}

/* Sets one option, or its default, from "NAME=VALUE", which is cut at the sign,
   or "FLAG". */
static bool kit_set_option(struct nbstage *stage, char *text, bool by_default)
{
    const struct nbstage_descriptor *descriptor = stage->descriptor;
    const int failure =
        by_default ? NBSTAGE_FAILURE_DEFAULT : NBSTAGE_FAILURE_OPTION;
    const char *value = "yes";
    char *sign = strchr(text, '=');
    if (sign) {
        *sign = '\0';
        value = sign + 1;
    } else if (!kit_is_flag(stage, text, strlen(text))) {
        return kit_fail(stage, failure,
                        "the stage %s: '%s' is not an option with a value, "
                        "NAME=VALUE, nor the name of a flag",
                        descriptor->name, text);
    }
    stage->status = by_default && descriptor->set_default
                        ? descriptor->set_default(stage->instance, text, value)
                        : descriptor->set_option(stage->instance, text, value);
    if (stage->status == NBSTAGE_OK)
        return true;
    if (by_default && stage->status == NBSTAGE_UNKNOWN_OPTION) {
        stage->status = NBSTAGE_OK;
        return true;
    }
    return kit_fail(stage, failure, "the stage %s: %s%s", descriptor->name,
                    by_default ? "the host's default: " : "",
                    descriptor->last_error(stage->instance));
}

static bool kit_set_options(struct nbstage *stage, const char *options,
                            bool by_default)
{
    char *copy, *option;
    bool set;
    kit_forget_error(stage);
    if (!stage->descriptor)
        return kit_fail(stage, NBSTAGE_FAILURE_OTHER,
                        "no stage is loaded that takes options");
    if (!stage->instance)
        return kit_fail_without_instance(stage);
    if (*options == '\0')
        return true;
    copy = option = kit_copy_text(stage, options);
    set = copy;
    while (set && option) {
        char *next = kit_cut_option(stage, option);
        set = kit_set_option(stage, option, by_default);
        option = next;
    }
    free(copy);
    return set;
}

bool nbstage_set_options(struct nbstage *stage, const char *options)
{
    return kit_set_options(stage, options, false);
}

bool nbstage_set_defaults(struct nbstage *stage, const char *defaults)
{
    return kit_set_options(stage, defaults, true);
}

/* "share|nest", "1..128", "X,Y": the values that an option takes. */
static void kit_print_values(const struct nbstage_option *option, FILE *file)
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
        const struct nbstage_option *option = kit_get_option(stage, i);
        fprintf(file, "%s=", option->name);
        kit_print_values(option, file);
        fprintf(file, "\n    %s", option->help ? option->help : "");
        if (option->default_value && *option->default_value)
            fprintf(file, " (default: %s)", option->default_value);
        fputc('\n', file);
    }
}

/* ------------------------------------------------------------------------ */
/* Building */

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
    const struct nbstage_descriptor *descriptor = stage->descriptor;
    kit_forget_error(stage);
    if (!stage->descriptor)
        return NULL;
    if (!stage->instance) {
        kit_fail_without_instance(stage);
        return NULL;
    }
    nbstage_free(stage);
    stage->status = descriptor->build(stage->instance, map, &stage->result);
    if (stage->status != NBSTAGE_OK) {
        const char *sentence = descriptor->last_error(stage->instance);
        if (*sentence != '\0')
            kit_fail(stage, NBSTAGE_FAILURE_OTHER, "%s", sentence);
        else
            kit_fail(stage, NBSTAGE_FAILURE_OTHER,
                     "the stage %s failed with status %d and does not say why",
                     descriptor->name, CAST(int, stage->status));
        return NULL;
    }
    for (size_t i = 0; i < stage->result.lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, stage->result.lumps, i);
        if (strcmp(lump->name, stage->lump_name) == 0)
            return lump;
    }
    kit_fail(stage, NBSTAGE_FAILURE_OTHER, "the stage %s made no %s",
             descriptor->name, stage->lump_name);
    return NULL;
}

void nbstage_free(struct nbstage *stage)
{
    if (stage->instance && stage->result.size > 0)
        stage->descriptor->free_result(stage->instance, &stage->result);
    memset(&stage->result, 0, sizeof stage->result);
    stage->result.size = sizeof stage->result;
}
