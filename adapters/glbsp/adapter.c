// SPDX-License-Identifier: GPL-2.0-or-later
//
// Preloaded into a program that uses libglbsp, this replaces GlbspBuildNodes:
// it calls the real one, then has the stage build the blockmaps of the file
// that glBSP wrote.  The program sees one call.
//
// Programs that do not use libglbsp, such as children of that program, are not
// affected: nothing here runs by itself, and it loads without libglbsp.

#include "config.h"

#include "build/job.h"
#include "common/commands.h"
#include "glbsp-types.h"
#include "common/message.h"
#include "nbstage-host.h"
#include "nbstage.h"
#include "platform/file.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum glbsp_status (*build_nodes_function)(
    const struct glbsp_info *info, const struct glbsp_functions *functions,
    volatile struct glbsp_comms *comms);

enum glbsp_status GlbspBuildNodes(const struct glbsp_info *info,
                                  const struct glbsp_functions *functions,
                                  volatile struct glbsp_comms *comms);

// ---------------------------------------------------------------------------
// The report of a build, declared in build/job.h.  Messages go where glBSP's
// own messages go, and progress to a bar like the one that glBSP shows for
// reading and writing files.  libglbsp works on one file at a time and keeps
// the caller's functions in globals; so does this.

enum { ONLY_BAR = 1, MAP_PARTS = 100 };

static struct {
    const struct glbsp_info *info;
    const struct glbsp_functions *functions;
    const volatile struct glbsp_comms *comms;
    bool has_bar;
    size_t position; // of the bar
} display;

void build_report_message(struct build *build, const char *sentence)
{
    (void)build;
    display.functions->print_msg("blocksweep: %s\n", sentence);
}

static void display_begin(const struct glbsp_info *info,
                          const struct glbsp_functions *functions,
                          const volatile struct glbsp_comms *comms)
{
    display.info = info;
    display.functions = functions;
    display.comms = comms;
    display.position = 0;
    display.has_bar = functions->display_open(GLBSP_FILE_PROGRESS);
    if (!display.has_bar)
        return;
    functions->display_setTitle("Building blockmaps");
    functions->display_setBarText(ONLY_BAR, "Building blockmaps");
}

// The bar only goes forward, although each step of a build begins at 0.
int32_t build_report_progress(void *context, uint32_t done, uint32_t total)
{
    const struct build *build = context;
    const size_t before = (size_t)(build->current - build->maps);
    const size_t part = (size_t)(1.0 * MAP_PARTS * done / total);
    const size_t position = before * MAP_PARTS + part;
    if (display.has_bar && position > display.position) {
        const size_t limit = build->map_count * MAP_PARTS;
        display.position = position;
        display.functions->display_setBarLimit(ONLY_BAR, (int)limit);
        display.functions->display_setBar(ONLY_BAR, (int)position);
    }
    display.functions->ticker();
    return display.comms->cancelled;
}

void build_report_begin(struct build *build)
{
    (void)build; // glBSP has reported its own work
    if (!display.info->quiet)
        display.functions->print_msg("\n");
}

// A message has already reported a map that failed.
void build_report_map(struct build *build, const struct build_map *map)
{
    char line[80];
    (void)build;
    if (display.info->quiet || map->error)
        return;
    snprintf(line, sizeof line, "%s: blockmap of %d bytes", map->name,
             (int)map->made->data_size);
    message_make_printable(line);
    display.functions->print_msg("%s\n", line);
}

void build_report_end(struct build *build)
{
    int built = 0;
    for (size_t i = 0; i < build->map_count; i++)
        built += !build->maps[i].error;
    if (!display.info->quiet && build->written)
        display.functions->print_msg(
            "Built %d blockmap%s with %s %s\n", built, built == 1 ? "" : "s",
            build->stage.descriptor->name, build->stage.descriptor->version);
}

// ---------------------------------------------------------------------------
// The build

// Stores libglbsp's function of this name; false if there is none.
static bool find_function(const char *name, void *function)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol;
}

// Leaves a message for the caller, in memory that glBSP frees.
static void set_message(volatile struct glbsp_comms *comms, const char *text)
{
    const char *(*duplicate)(const char *text);
    void (*release)(const char *text);
    if (!find_function("GlbspStrDup", &duplicate) ||
        !find_function("GlbspFree", &release))
        return;
    release(comms->message);
    comms->message = duplicate(text);
}

// Where this library is tells where stages are.
static void find_stages(char folders[2 * LOCATION_SIZE])
{
    static const char here;
    char path[PATH_MAX];
    Dl_info info;
    if (dladdr(&here, &info) == 0 || !realpath(info.dli_fname, path))
        *path = '\0';
    location_of_stages_near(path, "/nbstage", folders);
}

static enum exit_status build_blockmaps(const char *file)
{
    const struct arguments arguments = {
        .input = file, .in_place = true, .options = getenv("NBSTAGE_OPTIONS")};
    struct nbstage stage = {0};
    char folders[2 * LOCATION_SIZE];
    find_stages(folders);
    enum exit_status status = STATUS_USAGE;
    if (nbstage_find(&stage, PACKAGE_NAME, folders, "BLOCKMAP")) {
        status = build_run(&arguments, &stage, NULL);
    } else {
        build_report_message(NULL, stage.error);
        if (stage.status == NBSTAGE_OUT_OF_MEMORY)
            status = STATUS_FILE;
    }
    nbstage_close(&stage);
    return status;
}

// Reports to the caller what became of the blockmaps, in glBSP's way.  Messages
// have already given the reasons.
static enum glbsp_status finish(enum exit_status status, const char *file,
                                volatile struct glbsp_comms *comms)
{
    static const enum glbsp_status statuses[] = {
        [STATUS_MAP_FAILED] = GLBSP_UNKNOWN,
        [STATUS_USAGE] = GLBSP_BAD_ARGUMENTS,
        [STATUS_FILE] = GLBSP_WRITE_ERROR,
    };
    char sentence[1024];
    if (status == STATUS_DONE)
        return GLBSP_OK;
    if (comms->cancelled)
        return GLBSP_CANCELLED;
    snprintf(sentence, sizeof sentence,
             status == STATUS_MAP_FAILED
                 ? "not all blockmaps of %.900s were built; the others are "
                   "glBSP's"
                 : "no blockmaps were built; %.900s is as glBSP wrote it",
             file);
    message_make_printable(sentence);
    set_message(comms, sentence);
    return statuses[status];
}

// A GWA file holds GL nodes for maps in another file, and no blockmaps.  What
// is no file, such as /dev/null, cannot be replaced.
enum glbsp_status GlbspBuildNodes(const struct glbsp_info *info,
                                  const struct glbsp_functions *functions,
                                  volatile struct glbsp_comms *comms)
{
    build_nodes_function build_nodes;
    struct stat file;
    if (!find_function("GlbspBuildNodes", &build_nodes))
        return GLBSP_UNKNOWN;
    enum glbsp_status status = build_nodes(info, functions, comms);
    if (status != GLBSP_OK || info->gwa_mode)
        return status;
    if (comms->cancelled)
        return GLBSP_CANCELLED;
    if (stat(info->output_file, &file) == 0 && !S_ISREG(file.st_mode))
        return GLBSP_OK;
    display_begin(info, functions, comms);
    enum exit_status built = build_blockmaps(info->output_file);
    if (display.has_bar)
        functions->display_close();
    return finish(built, info->output_file, comms);
}
