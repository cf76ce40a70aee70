// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program that has blockmaps built by the adapter, and no memory of its own:
//
//     glbsp-user FILE.wad
//
// with the adapter and no-glbsp.so preloaded.  Its status is the result.
// no-glbsp.so is made of this file, too: in place of libglbsp, it leaves FILE
// as it is.

#include "config.h"

#include "glbsp-types.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef enum glbsp_status build_nodes(const struct glbsp_info *info,
                                      const struct glbsp_functions *functions,
                                      volatile struct glbsp_comms *comms);
build_nodes GlbspBuildNodes;
const char *GlbspStrDup(const char *text);
void GlbspFree(const char *text);

enum glbsp_status GlbspBuildNodes(const struct glbsp_info *info,
                                  const struct glbsp_functions *functions,
                                  volatile struct glbsp_comms *comms)
{
    (void)info;
    (void)functions;
    (void)comms;
    return GLBSP_OK;
}

// There is one message at a time.
const char *GlbspStrDup(const char *text)
{
    static char copy[2048];
    snprintf(copy, sizeof copy, "%s", text);
    return copy;
}

void GlbspFree(const char *text)
{
    (void)text;
}

static void print_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

static void do_nothing(void)
{
}

static int open_no_display(enum glbsp_display type)
{
    (void)type;
    return 0;
}

int main(int argc, char **argv)
{
    static const struct glbsp_functions functions = {
        .print_msg = print_message,
        .ticker = do_nothing,
        .display_open = open_no_display,
    };
    static volatile struct glbsp_comms comms;
    build_nodes *build;
    void *symbol = dlsym(RTLD_DEFAULT, "GlbspBuildNodes");
    if (argc != 2 || !symbol)
        return 99;
    memcpy(&build, &symbol, sizeof build);
    struct glbsp_info info = {.output_file = argv[1], .quiet = 1};
    enum glbsp_status status = build(&info, &functions, &comms);
    if (status != GLBSP_OK)
        fprintf(stderr, "Error: %s\n", comms.message);
    return (int)status;
}
