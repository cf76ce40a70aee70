/* SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE 1        /* for dladdr() and RTLD_DEFAULT */
#define _FILE_OFFSET_BITS 64 /* for stat() of any file */
#include "nbstage-host.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifndef NBSTAGE_PLUGINDIR
#define NBSTAGE_PLUGINDIR ""
#endif
enum { KIT_SIZE = sizeof(((struct nbstage *)0)->error) };
/* Leaves a sentence that is safe for terminals, in UTF-8; returns false. */
static bool kit_fail(struct nbstage *stage, const char *format, ...)
{
    static const unsigned long mask[] = {0xFF, 0x1F, 0xF, 0xF},
                               least[] = {' ', 0xA0, 0x800, 0x10000},
                               most[] = {'~', 0x7FF, 0xFFFF, 0x10FFFF};
    unsigned char *c = (unsigned char *)stage->error;
    int n;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(stage->error, KIT_SIZE, format, arguments);
    va_end(arguments);
    for (; *c; c += n) {
        const int more = (*c >= 0xC2) + (*c >= 0xE0) + (*c >= 0xF0);
        unsigned long number = *c & mask[more];
        for (n = 1; n <= more && (c[n] & 0xC0) == 0x80; n++)
            number = number << 6 | (c[n] & 0x3FU);
        if (n > more && number >= least[more] && number <= most[more] &&
            number - 0xD800 > 0x7FF && number - 0x2028 > 6 &&
            number - 0x2066 > 3)
            continue;
        *c = '?';
        n = 1;
    }
    return false;
}

static void NBSTAGE_CALL kit_log(void *none, int32_t level, const char *text)
{
    struct nbstage safe;
    (void)none;
    if (level == NBSTAGE_LOG_WARNING && !kit_fail(&safe, "%s", text))
        fprintf(stderr, "warning: %s\n", safe.error);
}

#ifdef _WIN32
#include <windows.h>
#define KIT_SLASHES "/\\:"
#define KIT_COLON ";" /* between folders */
#define KIT_ENDING ".dll"
#define issetugid() 0
static void kit_list_folders(char *list)
{
    const DWORD length = GetModuleFileNameA(NULL, list, KIT_SIZE);
    char *slash = length < KIT_SIZE ? strrchr(list, '\\') : NULL;
    *(slash ? slash : list) = '\0';
}

/* What a stage needs comes from its own folder, not from the current one. */
static nbstage_describe_function kit_load(struct nbstage *stage)
{
    char path[KIT_SIZE];
    const DWORD length = GetFullPathNameA(stage->path, KIT_SIZE, path, NULL),
                from = LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR |
                       LOAD_LIBRARY_SEARCH_DEFAULT_DIRS;
    const UINT mode = SetErrorMode(SEM_FAILCRITICALERRORS); /* no boxes */
    HMODULE file = length < KIT_SIZE ? LoadLibraryExA(path, NULL, from) : NULL;
    FARPROC symbol = file ? GetProcAddress(file, NBSTAGE_SYMBOL) : NULL;
    if (!symbol)
        kit_fail(stage, "%s: cannot be loaded: Windows error %lu", stage->path,
                 GetLastError());
    SetErrorMode(mode);
    return (nbstage_describe_function)(uintptr_t)symbol;
}
#else
#include <dlfcn.h>
#include <unistd.h>
#define KIT_SLASHES "/"
#define KIT_COLON ":"
#define KIT_ENDING ".so"
#ifdef __linux__
#include <sys/auxv.h>
#define issetugid() (getauxval(AT_SECURE) != 0)
#endif

/* The C library's folder is right for every architecture. */
static void kit_list_folders(char *list)
{
    Dl_info info;
    const char *file = "/lib/";
    if (dladdr(dlsym(RTLD_DEFAULT, "ldiv"), &info) && info.dli_fname[0] == '/')
        file = info.dli_fname;
    snprintf(list, KIT_SIZE, "/usr/local/lib/nbstage:%s%.*s/nbstage",
             strncmp(file, "/lib", 4) == 0 ? "/usr" : "",
             (int)(strrchr(file, '/') - file), file);
}

static nbstage_describe_function kit_load(struct nbstage *stage)
{
    void *file = dlopen(stage->path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = file ? dlsym(file, NBSTAGE_SYMBOL) : NULL;
    if (!symbol) { /* musl does not say which file has no such symbol */
        const char *said = dlerror(), *why = said ? said : "no function";
        const int is_named = strstr(why, stage->path) != NULL;
        kit_fail(stage, "cannot be loaded: %s%s%s",
                 is_named ? "" : stage->path, is_named ? "" : ": ", why);
    }
    return (nbstage_describe_function)(uintptr_t)symbol;
}
#endif

/* Whether stage->path is a regular file; to open a FIFO would block. */
static bool kit_is_file(struct nbstage *stage, int length)
{
    struct stat status;
    const bool is_file = length < KIT_SIZE && stat(stage->path, &status) == 0 &&
                         (status.st_mode & S_IFMT) == S_IFREG;
    if (!is_file)
        stage->path[0] = '\0';
    return is_file;
}

static bool kit_find(struct nbstage *stage, const char *name)
{
    const bool has_more_rights = issetugid() != 0;
    const char *named = has_more_rights ? NULL : getenv("NBSTAGE_PLUGIN_PATH");
    char last[KIT_SIZE], list[KIT_SIZE] = "";
    const char *folders[] = {named ? named : "", NBSTAGE_PLUGINDIR, last}, *at;
    int i, length;
    if (strpbrk(name, KIT_SLASHES) && has_more_rights && stage->is_asked_for)
        return kit_fail(stage, "%s: a set-ID program takes no paths", name);
    if (strpbrk(name, KIT_SLASHES))
        return kit_is_file(stage,
                           snprintf(stage->path, KIT_SIZE, "%s", name)) ||
               kit_fail(stage, "%s: there is no such file", name);
    kit_list_folders(last);
    for (i = 0; i < 3; i++)
        for (at = folders[i]; *(at += strspn(at, KIT_COLON)); at += length) {
            length = (int)strcspn(at, KIT_COLON);
            if (kit_is_file(stage,
                            snprintf(stage->path, KIT_SIZE,
                                     "%.*s/%s" KIT_ENDING, length, at, name)))
                return true;
            snprintf(list + strlen(list), KIT_SIZE - strlen(list), "%s%.*s",
                     *list ? KIT_COLON : "", length, at);
        }
    return kit_fail(stage, "there is no stage '%s' in %s", name, list);
}

/* Ends a text before ",OPTION=", makes one comma of two, returns the rest. */
static char *kit_cut(char *text)
{
    char *end = text;
    for (; *text; *end++ = *text++) {
        const size_t length =
            strspn(text + 1, "abcdefghijklmnopqrstuvwxyz0123456789_-"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (*text == ',' && length > 0 && text[length + 1] == '=') {
            *end = '\0';
            return text + 1;
        }
        if (*text == ',' && text[1] == ',')
            text++;
    }
    *end = '\0';
    return NULL;
}

/* Checks all that a host reads or calls, and makes an instance. */
static bool kit_take(struct nbstage *stage, const struct nbstage_descriptor *d)
{
    const char *const *name;
    const struct nbstage_option *const *o;
    bool is_stage = d &&
                    NBSTAGE_HAS(struct nbstage_descriptor, d, last_error) &&
                    d->abi == NBSTAGE_ABI && d->name && d->version &&
                    d->summary && d->lump_names && d->fact_names &&
                    d->options && d->create && d->destroy && d->set_option &&
                    d->build && d->get_lump && d->get_fact && d->last_error;
    for (o = is_stage ? d->options : NULL; is_stage && *o; o++) {
        is_stage = NBSTAGE_HAS(struct nbstage_option, *o, maximum) &&
                   (*o)->name && (*o)->default_value && (*o)->help;
        for (size_t i = 0; is_stage && i < (*o)->choice_count; i++)
            is_stage = (*o)->choices && (*o)->choices[i].name &&
                       (*o)->choices[i].help;
    }
    if (!is_stage)
        return kit_fail(stage, "%s: this is not a complete stage of version %d",
                        stage->path, NBSTAGE_ABI);
    for (name = d->lump_names; *name && strcmp(*name, stage->lump_name) != 0;)
        name++;
    if (!*name)
        return kit_fail(stage, "%s: this stage does not make %s", stage->path,
                        stage->lump_name);
    stage->descriptor = d;
    stage->instance = d->create(&stage->host);
    stage->status = stage->instance ? NBSTAGE_OK : NBSTAGE_OUT_OF_MEMORY;
    return stage->instance || kit_fail(stage, "%s: out of memory", stage->path);
}

static bool kit_check(struct nbstage *stage, nbstage_status status)
{
    const char *told = stage->descriptor->last_error(stage->instance);
    stage->status = status;
    return status == NBSTAGE_OK ||
           kit_fail(stage, "%s", told && *told ? told : "the stage failed");
}

static bool kit_start(struct nbstage *stage, char *name)
{
    nbstage_describe_function entry = stage->describe;
    const struct nbstage_descriptor *d = entry ? entry(NBSTAGE_ABI) : NULL;
    char *option = kit_cut(name);
    if (d && d->name && strcmp(d->name, name) == 0)
        snprintf(stage->path, KIT_SIZE, "%.99s", name);
    else if (!kit_find(stage, name) || !(entry = kit_load(stage)))
        return false;
    if (!kit_take(stage, d = entry(NBSTAGE_ABI)))
        return false;
    for (char *next; option; option = next) {
        char *value = strchr(option, '=');
        next = kit_cut(option);
        *value++ = '\0';
        if (!kit_check(stage, d->set_option(stage->instance, option, value,
                                            stage->is_asked_for)))
            return false;
    }
    return true;
}

/* A usual stage that was found gives way with a warning. */
static bool kit_give_way(struct nbstage *stage)
{
    if (!stage->is_asked_for && stage->path[0] != '\0')
        stage->host.log(stage->host.context, NBSTAGE_LOG_WARNING, stage->error);
    if (!stage->is_asked_for || stage->build_count == 0)
        nbstage_close(stage);
    return !stage->is_asked_for;
}

/* The file stays in memory: what it has begun may outlive the instance. */
void nbstage_close(struct nbstage *stage)
{
    if (stage->instance && stage->is_asked_for && stage->build_count == 0 &&
        stage->error[0] == '\0')
        stage->host.log(stage->host.context, NBSTAGE_LOG_WARNING,
                        "the stage that was asked for was never used");
    if (stage->instance)
        stage->descriptor->destroy(stage->instance);
    stage->descriptor = NULL;
    stage->instance = NULL;
}

bool nbstage_open(struct nbstage *stage, const char *asked, const char *usual,
                  const char *lump_name)
{
    const char *wanted = asked ? asked : usual ? usual : "";
    char copy[4 * KIT_SIZE];
    nbstage_close(stage);
    memset(&stage->status, 0, sizeof *stage - offsetof(struct nbstage, status));
    stage->is_asked_for = asked && *asked;
    stage->host.size = sizeof stage->host;
    stage->host.log = stage->host.log ? stage->host.log : kit_log;
    snprintf(stage->lump_name, sizeof stage->lump_name, "%s", lump_name);
    if (snprintf(copy, sizeof copy, "%s", wanted) >= (int)sizeof copy)
        kit_fail(stage, "the options of the stage are too long");
    else if (*wanted == '\0' || kit_start(stage, copy))
        return true;
    return kit_give_way(stage);
}

bool nbstage_build(struct nbstage *stage, const struct nbstage_map *map,
                   const struct nbstage_lump **lump)
{
    const struct nbstage_descriptor *d = stage->descriptor;
    *lump = NULL;
    stage->error[0] = '\0';
    if (!d)
        return true;
    stage->build_count++;
    if (!kit_check(stage, d->build(stage->instance, map)))
        return stage->status != NBSTAGE_CANCELLED && kit_give_way(stage);
    *lump = d->get_lump(stage->instance, stage->lump_name);
    if (*lump && !(*lump)->data && (*lump)->data_size > 0)
        *lump = NULL;
    return *lump || !stage->is_asked_for ||
           kit_fail(stage, "the stage made no %s", stage->lump_name);
}
