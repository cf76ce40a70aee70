// SPDX-License-Identifier: GPL-2.0-or-later
//
// A small host for nbstage-check: copies a WAD with the BLOCKMAPs of a stage,
// or with its own of a single block.
//
//     small-host IN OUT [STAGE[,OPTIONS]]
//
// The environment variable SMALL_HOST has it do one thing wrong, as hosts do.

#define _POSIX_C_SOURCE 200809L

#include "nbstage-host.h"
#include "wadfile.h"
#include "wadwriter.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct nbstage stage; // all zeros: none is loaded

static bool is_wrong(const char *fault)
{
    const char *wanted = getenv("SMALL_HOST");
    return wanted && strcmp(wanted, fault) == 0;
}

static void leave_file(const char *beginning, const char *end)
{
    char path[1000];
    snprintf(path, sizeof path, "%s%s", beginning, end);
    wadfile_write_bytes(path, "", 0);
}

// ---------------------------------------------------------------------------
// Callbacks

static char *kept_warnings[100];

static void log_message(void *context, int32_t level, const char *message)
{
    static size_t count;
    (void)context;
    if (is_wrong("keeps-100-warnings"))
        *(char *volatile *)&kept_warnings[count++ * 100] = strdup(message);
    if (is_wrong("aborts-on-level") && level > NBSTAGE_LOG_DEBUG)
        abort();
}

static void *allocate(void *context, size_t bytes)
{
    (void)context;
    char *memory = malloc(bytes + 64);
    return memory + (is_wrong("misaligns") ? 4 : 0);
}

static void release(void *context, void *memory)
{
    (void)context;
    free((char *)memory - (is_wrong("misaligns") ? 4 : 0));
}

// ---------------------------------------------------------------------------
// The map

// Hands over the arrays as they lie in the lumps.
static struct nbstage_map hand_over(const struct wadfile_map *map)
{
    const struct wadfile_lump *lines = wadfile_find_lump(map, "LINEDEFS");
    const struct wadfile_lump *vertices = wadfile_find_lump(map, "VERTEXES");
    struct nbstage_map given = nbstage_new_map(map->name, NBSTAGE_FORMAT_DOOM);
    given.lines = lines->data;
    given.line_count = lines->size / 14;
    given.line_stride = is_wrong("wrong-stride") ? 10 : 14;
    given.line_size = sizeof(struct nbstage_line16);
    given.line_form = NBSTAGE_FORM_16;
    given.vertices = vertices->data;
    given.vertex_count = vertices->size / 4;
    given.vertex_stride = sizeof(struct nbstage_vertex16);
    given.vertex_form =
        is_wrong("wrong-form") ? NBSTAGE_FORM_32 : NBSTAGE_FORM_16;
    if (is_wrong("no-size"))
        given.size = 0;
    return given;
}

static void put_own(struct wadwriter *writer, const struct wadfile_map *map)
{
    struct buffer lump = {0};
    const int header[] = {-16, -16, 1, 1, 5, 0};
    for (size_t i = 0; i < 6; i++)
        buffer_put_u16(&lump, (unsigned)header[i] & 0xFFFF);
    for (size_t i = 0; i < wadfile_find_lump(map, "LINEDEFS")->size / 14; i++)
        buffer_put_u16(&lump, (unsigned)i);
    buffer_put_u16(&lump, 0xFFFF);
    wadwriter_put(writer, "BLOCKMAP", lump.bytes, lump.size);
    buffer_free(&lump);
}

// ---------------------------------------------------------------------------
// The lump

static const struct nbstage_lump *find_lump_wrongly(void)
{
    const struct nbstage_result *result = &stage.result;
    if (is_wrong("takes-first-lump"))
        return result->lumps;
    for (size_t i = 0; i < result->lump_count; i++)
        if (strcmp(result->lumps[i].name, "BLOCKMAP") == 0)
            return &result->lumps[i];
    return NULL;
}

static const struct nbstage_lump *build(const struct wadfile_map *map)
{
    static struct nbstage_result copy;
    const struct nbstage_map given = hand_over(map);
    const struct nbstage_lump *lump = nbstage_build(&stage, &given);
    while (!lump && stage.descriptor && is_wrong("tries-for-ever"))
        lump = nbstage_build(&stage, &given);
    if (is_wrong("aborts-on-status") && (unsigned)stage.status > 8)
        abort();
    for (size_t i = 0; i < stage.result.fact_count; i++)
        if (is_wrong("aborts-on-kind") &&
            NBSTAGE_AT(struct nbstage_fact, stage.result.facts, i)->kind > 2)
            abort();
    copy = stage.result;
    if (is_wrong("frees-first"))
        nbstage_free(&stage);
    if (lump && is_wrong("frees-twice"))
        stage.descriptor->free_result(stage.instance, &copy);
    if (lump && (is_wrong("takes-first-lump") || is_wrong("steps-by-index")))
        return find_lump_wrongly();
    return lump;
}

static void print_error(void)
{
    char line[64];
    if (stage.error[0] == '\0' || is_wrong("is-silent"))
        return;
    if (is_wrong("prints-raw") && stage.instance)
        printf("%s\n", stage.descriptor->last_error(stage.instance));
    else if (is_wrong("short-line") && stage.instance)
        printf("%s\n",
               strcpy(line, stage.descriptor->last_error(stage.instance)));
    else
        printf("%s\n", stage.error);
}

// Writes the BLOCKMAP of a map.  False ends the program.
static bool put_blockmap(struct wadwriter *writer,
                         const struct wadfile_map *map)
{
    static unsigned char kept[65536];
    static size_t kept_size;
    const struct nbstage_lump *lump = build(map);
    print_error();
    if (!lump && stage.descriptor && is_wrong("crashes"))
        lump = (const struct nbstage_lump *)(uintptr_t)8;
    if (!lump && stage.descriptor && is_wrong("ends"))
        return false;
    if (lump && is_wrong("fixed-size"))
        memcpy(kept, lump->data, lump->data_size);
    if (lump && is_wrong("keeps-last") && lump->data_size <= sizeof kept) {
        memcpy(kept, lump->data, lump->data_size);
        kept_size = lump->data_size;
    }
    if (!lump && kept_size > 0)
        wadwriter_put(writer, "BLOCKMAP", kept, kept_size);
    else if (!lump || (lump->data_size == 0 && is_wrong("ignores-empty")))
        put_own(writer, map);
    else
        wadwriter_put(writer, "BLOCKMAP", lump->data, lump->data_size);
    return true;
}

// ---------------------------------------------------------------------------

static const struct wadfile_map *find_map(const struct wadfile *wad,
                                          const struct wadfile_lump *lump)
{
    for (size_t i = 0; i < wad->map_count; i++)
        if (lump >= wad->maps[i].lumps &&
            lump < wad->maps[i].lumps + wad->maps[i].lump_count)
            return &wad->maps[i];
    return NULL;
}

static bool is_lost(const struct wadfile *wad, const struct wadfile_lump *lump)
{
    const struct wadfile_map *map = find_map(wad, lump);
    if (!stage.descriptor)
        return false;
    return (is_wrong("loses-others") && !map) ||
           (is_wrong("loses-map") && map && stage.error[0] != '\0');
}

// The lump to be written in place of this one.
static const struct wadfile_lump *take_turns(const struct wadfile_lump *lump)
{
    if (!stage.descriptor || !is_wrong("swaps-lumps"))
        return lump;
    return strcmp(lump->name, "BLOCKMAP") == 0 ? lump - 1
           : strcmp(lump->name, "REJECT") == 0 ? lump + 1
                                               : lump;
}

static int copy(const char *in, const char *out)
{
    struct wadfile wad = wadfile_read(in);
    struct wadwriter writer = {0};
    for (size_t i = 0; i < wad.lump_count; i++) {
        const struct wadfile_lump *lump = take_turns(&wad.lumps[i]);
        if (is_lost(&wad, lump))
            continue;
        if (strcmp(lump->name, "BLOCKMAP") != 0)
            wadwriter_put(&writer, lump->name, lump->data, lump->size);
        else if (!put_blockmap(&writer, find_map(&wad, lump)))
            return 1;
    }
    wadwriter_write(&writer, out);
    if (is_wrong("empties-file") && stage.error[0] != '\0')
        wadfile_write_bytes(out, "", 0);
    if (is_wrong("changes-input"))
        wadfile_write_bytes(in, wad.bytes, wad.size - 1);
    wadfile_free(&wad);
    return 0;
}

// Whether to go on, maybe without the stage.
static bool load(const char *request)
{
    const struct nbstage_host callbacks = {
        sizeof callbacks, NULL,
        allocate,         is_wrong("half-allocates") ? NULL : release,
        log_message,      NULL};
    if (nbstage_load(&stage, request, NULL, NULL, "BLOCKMAP", &callbacks)) {
        if (is_wrong("needs-set-default"))
            stage.descriptor->set_default(stage.instance, "word", "accepted");
        if (!is_wrong("refuses-newer") || stage.descriptor->abi == NBSTAGE_ABI)
            return true;
        nbstage_close(&stage);
        return true;
    }
    print_error();
    if (is_wrong("needs-stage"))
        puts(stage.descriptor->name);
    return stage.failure != NBSTAGE_FAILURE_OPTION ||
           is_wrong("ignores-options");
}

int main(int argc, char **argv)
{
    const struct rlimit none = {0};
    setrlimit(RLIMIT_CORE, &none);
    if (argc < 3 || (argc > 3 && !load(argv[3])))
        return 2;
    int status = copy(argv[1], argv[2]);
    nbstage_close(&stage);
    if (is_wrong("leaves-lock"))
        leave_file(argv[2], ".lock");
    if (is_wrong("leaves-temporary"))
        leave_file(getenv("TMPDIR"), "/left");
    return status;
}
