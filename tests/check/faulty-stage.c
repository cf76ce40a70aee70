// SPDX-License-Identifier: GPL-2.0-or-later
//
// A small stage that keeps every promise of nbstage.h, but for the one fault
// that the environment variable FAULT names, if there is one.
//
// It reads plain lumps in Doom format and arrays.  In its BLOCKMAP every block
// lists every line, which is poor, but right.

#define _GNU_SOURCE

#include "nbstage.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { ROOM = 256 };

static char fault[32]; // set before the descriptor is returned

static int is(const char *name)
{
    return strcmp(fault, name) == 0;
}

// What an instance has handed over, for destroy.
struct made {
    struct made *next;
    struct nbstage_lump lump;
    struct nbstage_fact facts[4];
    unsigned char *bytes;
    struct nbstage_vertex vertices[ROOM];
    struct nbstage_line lines[ROOM];
};

struct options {
    long extra;
    int mood;
    int strict;
    const char *pointer; // of the host
};

struct nbstage_instance {
    struct nbstage_host host;
    struct options options;
    unsigned set; // options that set_option has set
    const struct nbstage_map *map;
    struct made *made;
    int is_spoilt;
    char error[200];
};

static struct options common; // of all instances

static struct options *options_of(struct nbstage_instance *instance)
{
    return is("global-options") ? &common : &instance->options;
}

static void *take(struct nbstage_instance *instance, size_t size)
{
    const struct nbstage_host *host = &instance->host;
    if (!host->allocate || is("ignores-allocate"))
        return malloc(size);
    return host->allocate(host->context, size);
}

static void give(struct nbstage_instance *instance, void *memory)
{
    const struct nbstage_host *host = &instance->host;
    if (!host->release || is("ignores-allocate"))
        free(memory);
    else if (memory || is("releases-null"))
        host->release(host->context, memory);
}

static nbstage_status fail(struct nbstage_instance *instance,
                           nbstage_status status, const char *sentence)
{
    snprintf(instance->error, sizeof instance->error, "%s%s", sentence,
             is("error-newline") ? "\n"
             : is("error-stop")  ? "."
             : is("error-bytes") ? "\xFF"
                                 : "");
    if (is("error-missing"))
        instance->error[0] = '\0';
    return status == NBSTAGE_UNSUPPORTED && is("wrong-status") ? 2 : status;
}

// Also the work of a thread, with a copy of the instance.
static void *report(void *given)
{
    const struct nbstage_instance *instance = given;
    const struct nbstage_host *host = &instance->host;
    if (is("calls-late") || is("leaves-thread"))
        usleep(20000);
    if (is("needs-callbacks") || (host->log && !is("leaves-thread")))
        host->log(host->context, is("log-level") ? 9 : NBSTAGE_LOG_INFO,
                  is("log-newline") ? "a map\n" : "a map is built");
    return NULL;
}

// ---------------------------------------------------------------------------
// What no guest should do

#ifdef _WIN32

static void leave_system_traces(void)
{
    if (is("descriptor") && !CreateEventW(NULL, FALSE, FALSE, NULL))
        abort();
    if (is("environment"))
        _putenv("FAULTY=yes");
}

static void stay_loaded(void)
{
    HMODULE module;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN |
                           GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       fault, &module);
}

#else

static void leave_system_traces(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (is("signal-handler"))
        signal(SIGUSR1, SIG_IGN);
    if (is("signal-mask"))
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (is("umask"))
        umask(077);
    if (is("environment"))
        setenv("FAULTY", "yes", 1);
    if (is("descriptor") && open("/dev/null", O_RDONLY) < 0)
        abort();
    if (is("writes-file"))
        close(open("/dev/null", O_WRONLY | O_CREAT, 0600));
    if (is("starts-process")) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
}

static void stay_loaded(void)
{
    Dl_info place;
    if (dladdr(&fault, &place))
        dlopen(place.dli_fname, RTLD_NOW);
}

#endif

static void leave_traces(void)
{
    if (is("locale") && !setlocale(LC_ALL, "C.UTF-8"))
        setlocale(LC_ALL, "English");
    if (is("folder") && chdir("/") != 0)
        abort();
    if (is("rounding-mode"))
        fesetround(FE_TOWARDZERO);
    leave_system_traces();
}

static void misbehave(struct nbstage_instance *instance)
{
    static struct nbstage_instance copy;
    pthread_t thread;
    if (is("other-thread") || is("calls-late"))
        copy = *instance;
    if (is("prints"))
        fputs("hello\n", stdout), fflush(stdout);
    if (is("warns"))
        fputs("hello\n", stderr);
    if (is("exits"))
        exit(0);
    if (is("aborts"))
        abort();
    if (is("hangs"))
        for (;;)
            usleep(1000);
    if (is("other-thread") && pthread_create(&thread, NULL, report, &copy) == 0)
        pthread_join(thread, NULL);
    if ((is("calls-late") || is("leaves-thread")) &&
        pthread_create(&thread, NULL, report, &copy) == 0)
        pthread_detach(thread);
    leave_traces();
}

// ---------------------------------------------------------------------------
// Instances

static nbstage_status create(const struct nbstage_host *given,
                             struct nbstage_instance **instance)
{
    struct nbstage_instance begin = {.options = {0}};
    if (!instance)
        return is("null") ? **(nbstage_status **)instance : NBSTAGE_BAD_CALL;
    if (!is("create-keeps"))
        *instance = NULL;
    if (given && given->size < sizeof *given && !is("host-size"))
        return NBSTAGE_BAD_CALL;
    if (given)
        begin.host = *given;
    if (!begin.host.allocate != !begin.host.release && !is("half-pair"))
        return NBSTAGE_BAD_CALL;
    struct nbstage_instance *made = take(&begin, sizeof *made);
    if (!made)
        return NBSTAGE_OUT_OF_MEMORY;
    *made = begin;
    if (is("error-at-first"))
        strcpy(made->error, "nothing has happened");
    if (is("leak"))
        (void)!malloc(50);
    *instance = made;
    return NBSTAGE_OK;
}

static const char *const yes_no[] = {"no", "yes"};
static const char *const moods[] = {"quiet", "loud"};

static nbstage_status choose(struct nbstage_instance *instance,
                             const char *const *names, const char *value,
                             int *chosen)
{
    for (int i = 0; i < 2; i++)
        if (strcmp(value, names[i]) == 0) {
            *chosen = i;
            return NBSTAGE_OK;
        }
    if (is("refused-is-set"))
        *chosen = 1;
    return is("takes-any-choice")
               ? NBSTAGE_OK
               : fail(instance, NBSTAGE_BAD_VALUE, "it was one of two words");
}

static nbstage_status set(struct nbstage_instance *instance, const char *name,
                          const char *value, int by_default)
{
    static const char *const names[] = {"extra", "mood", "strict"};
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!name || !value)
        return fail(instance, NBSTAGE_BAD_CALL, "an option has a name");
    struct options ignored, *options = options_of(instance);
    unsigned option = 0;
    while (option < COUNT(names) && strcmp(name, names[option]) != 0)
        option++;
    if (option == COUNT(names))
        return fail(instance,
                    is("unknown-is-bad") ? NBSTAGE_BAD_VALUE
                                         : NBSTAGE_UNKNOWN_OPTION,
                    "there are other options");
    if (is("keeps-pointer"))
        options->pointer = value;
    for (struct made *made = instance->made; made && is("option-spoils");
         made = made->next)
        memset(made->bytes, 'x', 8);
    if (by_default && instance->set & 1u << option && !is("default-wins"))
        options = &ignored;
    if (!by_default)
        instance->set |= 1u << option;
    if (option == 1)
        return choose(instance, moods, value, &options->mood);
    if (option == 2)
        return choose(instance, yes_no, value, &options->strict);
    if (value[0] >= '0' && value[0] <= '7' + is("takes-more") && !value[1] &&
        !(is("default-refused") && value[0] == '0')) {
        options->extra = value[0] - '0';
        return NBSTAGE_OK;
    }
    return fail(instance, NBSTAGE_BAD_VALUE, "extra takes numbers from 0 to 7");
}

static nbstage_status set_option(struct nbstage_instance *instance,
                                 const char *name, const char *value)
{
    return set(instance, name, value, 0);
}

static nbstage_status set_default(struct nbstage_instance *instance,
                                  const char *name, const char *value)
{
    return set(instance, name, value, !is("default-stays"));
}

static const char *last_error(const struct nbstage_instance *instance)
{
    return is("error-null") ? NULL : instance->error;
}

static void free_made(struct nbstage_instance *instance, struct made *made)
{
    struct made **link = &instance->made;
    if (is("uses-map-later") && instance->map->size == 0)
        abort();
    while (*link && *link != made)
        link = &(*link)->next;
    if (!*link)
        return;
    *link = made->next;
    if (!is("leaks-bytes"))
        give(instance, made->bytes);
    give(instance, made);
    if (is("releases-twice"))
        give(instance, made);
}

static void destroy(struct nbstage_instance *instance)
{
    if (!instance && !is("null-destroy"))
        return;
    while (instance->made && !is("leaves-results"))
        free_made(instance, instance->made);
    give(instance, is("releases-null") ? NULL : instance);
}

// ---------------------------------------------------------------------------
// Maps

static int word(const void *bytes)
{
    int16_t number;
    memcpy(&number, bytes, sizeof number);
    return number;
}

static const void *at(const void *array, size_t stride, size_t size, size_t i)
{
    return (const char *)array + i * (is("ignores-stride") ? size : stride);
}

// The coordinates are in map units here.
static nbstage_status read_arrays(struct nbstage_instance *instance,
                                  const struct nbstage_map *map,
                                  struct made *made)
{
    const int halves = map->vertex_form == NBSTAGE_FORM_16;
    const int half_lines =
        map->line_form == NBSTAGE_FORM_16 && !is("ignores-form");
    if ((!map->vertices || !map->lines) && !is("trusts-members"))
        return fail(instance, NBSTAGE_BAD_MAP, "the map has an array of two");
    if (map->vertex_stride < (halves ? 4 : 8) || map->vertex_form > 1 ||
        map->line_size < (half_lines ? 4 : 8) || map->line_form > 1 ||
        map->line_stride < map->line_size)
        return fail(instance, NBSTAGE_BAD_MAP, "a size or form is impossible");
    for (size_t i = 0; i < map->vertex_count; i++) {
        const void *place = at(map->vertices, map->vertex_stride, 8, i);
        memcpy(&made->vertices[i], place, halves ? 4 : 8);
        if (halves)
            made->vertices[i] = (struct nbstage_vertex){
                word(place) * 65536, word((const char *)place + 2) * 65536};
    }
    for (size_t i = 0; i < map->line_count; i++) {
        const unsigned char *place =
            at(map->lines, map->line_stride, sizeof *made->lines, i);
        memcpy(&made->lines[i], place, half_lines ? 4 : 8);
        if (half_lines) {
            made->lines[i].v1 = (uint16_t)word(place);
            made->lines[i].v2 = (uint16_t)word(place + 2);
        }
    }
    return NBSTAGE_OK;
}

static nbstage_status read_lumps(struct nbstage_instance *instance,
                                 struct nbstage_map *map, struct made *made)
{
    const struct nbstage_lump *found[2] = {NULL, NULL};
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct nbstage_lump *lump =
            is("ignores-step") ? &map->lumps[i]
                               : NBSTAGE_AT(struct nbstage_lump, map->lumps, i);
        if (lump->compression != NBSTAGE_PLAIN ||
            strcmp(lump->name, "BEHAVIOR") == 0 ||
            strcmp(lump->name, "LEAFS") == 0)
            return fail(instance, NBSTAGE_UNSUPPORTED, "this is another form");
        if (strcmp(lump->name, "VERTEXES") == 0)
            found[0] = lump;
        if (strcmp(lump->name, "LINEDEFS") == 0)
            found[1] = lump;
    }
    if (!found[0] || !found[1])
        return fail(instance, NBSTAGE_BAD_MAP, "expected two lumps");
    map->vertex_count = found[0]->data_size / 4;
    map->line_count = found[1]->data_size / 14;
    if (map->vertex_count > ROOM || map->line_count > ROOM)
        return fail(instance, NBSTAGE_OVER_LIMIT, "the map is too large");
    if (is("writes-map"))
        *(unsigned char *)found[1]->data = 0;
    if (is("reads-beyond"))
        instance->is_spoilt +=
            ((const volatile char *)found[0]->data)[found[0]->data_size];
    for (size_t i = 0; i < map->vertex_count; i++) {
        const char *bytes = (const char *)found[0]->data + 4 * i;
        made->vertices[i] = (struct nbstage_vertex){word(bytes) * 65536,
                                                    word(bytes + 2) * 65536};
    }
    for (size_t i = 0; i < map->line_count; i++) {
        const char *bytes = (const char *)found[1]->data + 14 * i;
        made->lines[i].v1 = (uint16_t)word(bytes);
        made->lines[i].v2 = (uint16_t)word(bytes + 2);
    }
    return NBSTAGE_OK;
}

static nbstage_status read_map(struct nbstage_instance *instance,
                               struct nbstage_map *map, struct made *made)
{
    if (map->format > NBSTAGE_FORMAT_DOOM)
        return fail(instance, NBSTAGE_UNSUPPORTED, "this is another format");
    if (map->lump_count > 0 && !map->lumps)
        return fail(instance, NBSTAGE_BAD_CALL, "the map has no lumps");
    if (map->lump_count > 0 &&
        !NBSTAGE_HAS(struct nbstage_lump, map->lumps, compression))
        return fail(instance, NBSTAGE_BAD_CALL, "a lump has no size");
    if ((map->lines || map->vertices || is("trusts-members")) &&
        (map->vertex_count > ROOM || map->line_count > ROOM))
        return fail(instance, NBSTAGE_OVER_LIMIT, "the map is too large");
    nbstage_status status = map->lines || map->vertices || is("trusts-members")
                                ? read_arrays(instance, map, made)
                                : read_lumps(instance, map, made);
    if (status == NBSTAGE_OK && map->left_out_count != 0 &&
        map->left_out_count != map->line_count && !is("left-out-count"))
        status = fail(instance, NBSTAGE_BAD_MAP, "left_out has other lines");
    if (status == NBSTAGE_OK && map->line_count == 0)
        status = fail(instance, NBSTAGE_BAD_MAP, "the map has no lines");
    for (size_t i = 0; status == NBSTAGE_OK && i < map->line_count; i++)
        while (made->lines[i].v1 >= map->vertex_count ||
               made->lines[i].v2 >= map->vertex_count) {
            if (is("damage-hangs"))
                continue;
            if (is("damage-crashes"))
                abort();
            return fail(instance, NBSTAGE_BAD_MAP, "there is no such vertex");
        }
    return status;
}

// ---------------------------------------------------------------------------
// Building

static void put(unsigned char **next, long number)
{
    *(*next)++ = (unsigned char)number;
    *(*next)++ = (unsigned char)(number >> 8);
}

// How many words there are after the lists.
static long count_extra(struct nbstage_instance *instance,
                        const struct nbstage_map *map)
{
    static unsigned calls;
    static size_t shared;
    const struct options *options = options_of(instance);
    if (options->pointer)
        return options->pointer[0] - '0';
    if (is("unstable"))
        return calls++ % 7;
    if (is("rounding-matters"))
        return lrint((double)map->line_count + 0.3) % 7;
    if (is("locale-matters"))
        return localeconv()->decimal_point[0] % 7;
    if (is("not-for-threads")) {
        shared = map->line_count % 7;
        for (int i = 0; i < 100; i++)
            sched_yield();
        return (long)shared;
    }
    return options->extra + options->mood;
}

static nbstage_status write_lump(struct nbstage_instance *instance,
                                 const struct nbstage_map *map,
                                 struct made *made)
{
    long least[2] = {32767, 32767}, most[2] = {-32768, -32768};
    for (size_t i = 0; i < map->vertex_count; i++)
        for (size_t axis = 0; axis < 2; axis++) {
            const struct nbstage_vertex *vertex = &made->vertices[i];
            long place = (axis ? vertex->y : vertex->x) >> 16;
            least[axis] = place < least[axis] ? place : least[axis];
            most[axis] = place > most[axis] ? place : most[axis];
        }
    const size_t columns = (size_t)(most[0] - least[0]) / 128 + 1;
    const size_t blocks = columns * (size_t)((most[1] - least[1]) / 128 + 1);
    const long extra = count_extra(instance, map);
    const size_t words = 4 + blocks + map->line_count + 2 + (size_t)extra;
    if (blocks + 4 > 65535)
        return fail(instance, NBSTAGE_OVER_LIMIT, "the map is too large");
    if (is("shared-result") && instance->made->next)
        made->bytes = instance->made->next->bytes;
    else
        made->bytes = take(instance, 2 * words + (is("short-block") ? 0 : 2));
    if (!made->bytes && !is("unchecked-memory"))
        return NBSTAGE_OUT_OF_MEMORY;
    unsigned char *next = made->bytes;
    put(&next, least[0]);
    put(&next, least[1]);
    put(&next, (long)columns);
    put(&next, (long)(blocks / columns));
    for (size_t i = 0; i < blocks; i++)
        put(&next, (long)(4 + blocks));
    put(&next, 0);
    for (size_t i = 0; i < map->line_count; i++) {
        int is_left_out = map->left_out && !is("ignores-left-out") &&
                          map->left_out[i] != NBSTAGE_LISTED;
        put(&next, is_left_out || (is("misses-line") && i == 2) ? 0 : (long)i);
    }
    put(&next, 0xFFFF);
    for (long i = 0; i < extra + is("short-block"); i++)
        put(&next, 0);
    made->lump = (struct nbstage_lump){.size = sizeof made->lump,
                                       .name = "BLOCKMAP",
                                       .data = made->bytes,
                                       .data_size = 2 * words};
    return NBSTAGE_OK;
}

static struct nbstage_fact fact(const char *name, long value, uint32_t kind)
{
    return (struct nbstage_fact){.size = sizeof(struct nbstage_fact),
                                 .name = name,
                                 .value = value,
                                 .kind = kind};
}

static void fill(const struct nbstage_map *map, struct made *made,
                 struct nbstage_result *result)
{
    made->facts[0] = fact("linedefs", (long)map->line_count, 0);
    made->facts[1] = fact("is_large", is("fact-flag") ? 7 : 1, 2);
    made->facts[2] = fact("wall", 1, 1);
    made->facts[3] =
        fact(is("fact-name") ? "Wall" : "wall", 2, is("fact-list") ? 0 : 1);
    if (is("lump-name"))
        made->lump.name = "REJECT";
    if (is("lump-packed"))
        made->lump.compression = NBSTAGE_ZLIB;
    if (is("lump-size"))
        made->lump.size = 8;
    if (is("lump-null"))
        made->lump.data = NULL;
    if (is("result-size-changed"))
        result->size = 100;
    result->lumps = &made->lump;
    result->lump_count = is("no-lumps") ? 0 : 1;
    result->facts = made->facts;
    result->fact_count = COUNT(made->facts);
}

// Reads the map of a call into memory that the instance keeps.
static nbstage_status begin(struct nbstage_instance *instance,
                            const struct nbstage_map *given,
                            struct nbstage_map *map, struct made **made)
{
    if (!given || (given->size < sizeof *given && !is("map-size")))
        return fail(instance, NBSTAGE_BAD_CALL, "the map has no size");
    *map = *given;
    instance->map = given;
    *made = take(instance, sizeof **made);
    if (!*made) {
        instance->is_spoilt = is("spoilt-by-memory");
        return fail(instance, NBSTAGE_OUT_OF_MEMORY, "there is no memory");
    }
    memset(*made, 0, sizeof **made);
    (*made)->next = instance->made;
    instance->made = *made;
    misbehave(instance);
    return instance->is_spoilt
               ? fail(instance, NBSTAGE_BAD_MAP, "something went wrong before")
               : read_map(instance, map, *made);
}

static nbstage_status go_on(struct nbstage_instance *instance)
{
    const struct nbstage_host *host = &instance->host;
    for (uint32_t i = 0; host->progress && i < 5; i++)
        if (host->progress(host->context, i, is("progress-total") ? 0 : 5) !=
                0 &&
            !is("ignores-cancel"))
            return fail(instance, NBSTAGE_CANCELLED, "the host cancelled");
    return NBSTAGE_OK;
}

static nbstage_status build(struct nbstage_instance *instance,
                            const struct nbstage_map *given,
                            struct nbstage_result *result)
{
    struct nbstage_map map;
    struct made *made = NULL;
    if (!instance)
        return NBSTAGE_BAD_CALL;
    if (!result || (result->size < sizeof *result && !is("result-size")))
        return fail(instance, NBSTAGE_BAD_CALL, "the result has no size");
    *result = (struct nbstage_result){.size = result->size};
    nbstage_status status = begin(instance, given, &map, &made);
    if (status == NBSTAGE_OK)
        status = go_on(instance);
    if (status == NBSTAGE_OK)
        status = write_lump(instance, &map, made);
    if (status == NBSTAGE_OK && options_of(instance)->strict &&
        map.line_count > 50)
        status = fail(instance, NBSTAGE_OVER_LIMIT, "the map is too large");
    if (status == NBSTAGE_OUT_OF_MEMORY)
        fail(instance, status, "there is no memory");
    if (status == NBSTAGE_OK) {
        if (options_of(instance)->mood || is("needs-callbacks") ||
            is("log-level") || is("log-newline"))
            report(instance);
        fill(&map, made, result);
    } else if (made && is("leaks-when-it-fails")) {
        instance->made = made->next;
    } else if (made && !is("failed-with-lumps")) {
        free_made(instance, made);
    } else if (made) {
        result->lumps = &made->lump;
    }
    return status;
}

static void free_result(struct nbstage_instance *instance,
                        struct nbstage_result *result)
{
    if (result->lumps)
        free_made(instance, (void *)((char *)result->lumps -
                                     offsetof(struct made, lump)));
    if (!is("keeps-result"))
        *result = (struct nbstage_result){.size = result->size};
}

// ---------------------------------------------------------------------------
// Optional functions

static nbstage_status decode(struct nbstage_instance *instance,
                             const struct nbstage_map *given,
                             struct nbstage_decoded *decoded)
{
    struct nbstage_map map;
    struct made *made = NULL;
    if (!instance)
        return is("decode-null") ? NBSTAGE_OK : NBSTAGE_BAD_CALL;
    if (!decoded || (decoded->size < sizeof *decoded && !is("decode-size")) ||
        (decoded->size > sizeof *decoded && is("decode-longer")))
        return fail(instance, NBSTAGE_BAD_CALL, "there is no size");
    *decoded = (struct nbstage_decoded){.size = decoded->size};
    nbstage_status status = begin(instance, given, &map, &made);
    if (status == NBSTAGE_OK)
        status = go_on(instance);
    if (status != NBSTAGE_OK) {
        if (made && !is("decode-leaks"))
            free_made(instance, made);
        else if (made)
            instance->made = made->next;
        return status;
    }
    made->vertices[0].x += is("decode-wrong");
    decoded->format = NBSTAGE_FORMAT_DOOM;
    decoded->vertices = made->vertices;
    decoded->vertex_count = map.vertex_count;
    decoded->vertex_stride = sizeof *made->vertices;
    decoded->lines = made->lines;
    decoded->line_count = map.line_count;
    decoded->line_stride = decoded->line_size = sizeof *made->lines;
    return NBSTAGE_OK;
}

static void free_decoded(struct nbstage_instance *instance,
                         struct nbstage_decoded *decoded)
{
    if (decoded->vertices)
        free_made(instance, (void *)((char *)decoded->vertices -
                                     offsetof(struct made, vertices)));
    *decoded = (struct nbstage_decoded){.size = decoded->size};
}

static nbstage_status explain(struct nbstage_instance *instance,
                              const struct nbstage_result *result,
                              const char *part, size_t index, char *text,
                              size_t text_size)
{
    text[0] = '\0';
    if (!result->lumps || strcmp(part, "linedef") != 0 || index > 1)
        return fail(instance, NBSTAGE_BAD_CALL, "there is no such part");
    if (is("explains-beyond"))
        strcpy(text, "it is in every block");
    else
        snprintf(text, text_size, "it is in every block");
    return NBSTAGE_OK;
}

static int32_t needs_lump(const struct nbstage_instance *instance,
                          const char *name)
{
    (void)instance;
    return strcmp(name, "LINEDEFS") == 0 ||
           (strcmp(name, "VERTEXES") == 0 && !is("needs-more"));
}

// ---------------------------------------------------------------------------
// The descriptor

#define CHOICE(name) \
    { \
        sizeof(struct nbstage_choice), name, "a choice" \
    }
static struct nbstage_choice mood_choices[] = {CHOICE("quiet"), CHOICE("loud")};
static struct nbstage_choice flag_choices[] = {CHOICE("no"), CHOICE("yes")};
static const char *lump_names[] = {"BLOCKMAP"};

#define OPTION(option_name, option_type, value) \
    .size = sizeof(struct nbstage_option), .name = option_name, \
    .type = option_type, .default_value = value, .help = "an option"
static struct nbstage_option options[] = {
    {OPTION("extra", NBSTAGE_OPTION_INTEGER, "0"), .maximum = 7},
    {OPTION("mood", NBSTAGE_OPTION_CHOICE, "quiet"), .choices = mood_choices,
     .choice_count = 2},
    {OPTION("strict", NBSTAGE_OPTION_FLAG, "no"), .choices = flag_choices,
     .choice_count = 2},
};

static struct nbstage_descriptor descriptors[2] = {
    {.size = sizeof *descriptors,
     .abi = NBSTAGE_ABI,
     .name = "faulty",
     .version = "1.0",
     .summary = "a stage for tests",
     .lump_names = lump_names,
     .lump_name_count = 1,
     .options = options,
     .option_count = COUNT(options),
     .create = create,
     .set_option = set_option,
     .build = build,
     .free_result = free_result,
     .last_error = last_error,
     .destroy = destroy,
     .set_default = set_default,
     .decode = decode,
     .free_decoded = free_decoded,
     .explain = explain,
     .needs_lump = needs_lump}};

NBSTAGE_EXPORT const struct nbstage_descriptor *NBSTAGE_CALL
nbstage_describe(uint32_t abi);

#ifdef SECOND_EXPORT
NBSTAGE_EXPORT int second_export = 1;
#endif

const struct nbstage_descriptor *NBSTAGE_CALL nbstage_describe(uint32_t abi)
{
    static int calls;
    const char *name = getenv("FAULT");
    snprintf(fault, sizeof fault, "%s", name ? name : "");
    if (abi < 1 || is("refuses"))
        return NULL;
    if (is("no-functions"))
        descriptors->build = NULL;
    if (is("summary"))
        descriptors->summary = "a stage.";
    if (is("half-decoder"))
        descriptors->free_decoded = NULL;
    if (is("lower-lump"))
        lump_names[0] = "blockmap";
    if (is("option-name"))
        options[1].name = "Mood";
    if (is("option-twice"))
        options[1].name = "extra";
    if (is("flag-choices"))
        flag_choices[0].name = "off";
    if (is("maximum"))
        options[0].maximum = 70;
    if (is("other-default"))
        options[0].default_value = "1";
    if (is("stays-loaded"))
        stay_loaded();
    descriptors[1] = descriptors[0];
    return &descriptors[is("two-descriptors") ? calls++ % 2 : 0];
}
