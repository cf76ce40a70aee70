// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program that has maps built by whatever libraries of the process have
// GlbspBuildNodes:
//
//     glbsp-user FILE.wad
//
// and exits with the result.  It takes no memory itself.

#include "config.h"

#include "glbsp-types.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef enum glbsp_status (*build_nodes_function)(
    const struct glbsp_info *info, const struct glbsp_functions *functions,
    volatile struct glbsp_comms *comms);

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
    build_nodes_function build_nodes;
    void *symbol = dlsym(RTLD_DEFAULT, "GlbspBuildNodes");
    if (argc != 2 || !symbol) {
        fputs("usage: glbsp-user FILE.wad, with the adapter preloaded\n",
              stderr);
        return 99;
    }
    memcpy(&build_nodes, &symbol, sizeof build_nodes);
    struct glbsp_info info = {.output_file = argv[1], .quiet = 1};
    enum glbsp_status status = build_nodes(&info, &functions, &comms);
    if (status != GLBSP_OK)
        fprintf(stderr, "Error: %s\n", comms.message);
    return (int)status;
}
