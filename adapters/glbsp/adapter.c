// SPDX-License-Identifier: GPL-2.0-or-later
//
// Preloaded into a program that uses libglbsp, this replaces GlbspBuildNodes:
// it calls the real one, then has the stage build the blockmaps of the file
// that glBSP wrote.  The program sees one call.
//
// Programs that do not use libglbsp, such as children of that program, are not
// affected: nothing here runs by itself, and it loads without libglbsp.

#include "config.h"

#include "build/build.h"
#include "display.h"
#include "install-folders.h"
#include "platform/location.h"

#include <dlfcn.h>
#include <limits.h>
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
static const char *find_stages(void)
{
    static const char here;
    static char path[PATH_MAX];
    Dl_info info;
    return dladdr(&here, &info) != 0 && realpath(info.dli_fname, path)
               ? location_of_stages_near(path, PKGLIBDIR)
               : PLUGINDIR;
}

static enum exit_status build_blockmaps(const char *file)
{
    const struct arguments arguments = {
        .input = file,
        .in_place = true,
        .options = getenv("NBSTAGE_OPTIONS"),
    };
    struct nbstage stage;
    enum exit_status status = stage_load("blocksweep", find_stages(), &stage);
    if (status == STATUS_DONE)
        status = build_run(&arguments, &stage, NULL);
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

// Whether a path names a file that can be read and replaced; /dev/null cannot.
static bool is_regular(const char *path)
{
    struct stat file;
    return stat(path, &file) != 0 || S_ISREG(file.st_mode);
}

// A GWA file holds GL nodes for maps in another file, and no blockmaps.
enum glbsp_status GlbspBuildNodes(const struct glbsp_info *info,
                                  const struct glbsp_functions *functions,
                                  volatile struct glbsp_comms *comms)
{
    build_nodes_function build_nodes;
    if (!find_function("GlbspBuildNodes", &build_nodes))
        return GLBSP_UNKNOWN;
    enum glbsp_status status = build_nodes(info, functions, comms);
    if (status != GLBSP_OK || info->gwa_mode)
        return status;
    if (comms->cancelled)
        return GLBSP_CANCELLED;
    if (!is_regular(info->output_file))
        return GLBSP_OK;
    display_begin(info, functions, comms);
    enum exit_status built = build_blockmaps(info->output_file);
    display_end();
    return finish(built, info->output_file, comms);
}
