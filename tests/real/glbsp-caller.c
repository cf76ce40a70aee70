// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program of somebody else's that uses libglbsp, by Debian's header:
//
//     glbsp-caller [OPTION]... IN.wad [-o OUT.wad]
//
// with the options of glbsp, and with the result of libglbsp as exit status.
// Messages go to standard output, and what else it is shown to standard error,
// a line each.  The environment variable CANCEL names the title of the display
// at which it cancels.  It handles SIGTERM itself, ignores SIGHUP and leaves
// other signals alone, and means to keep doing so.  Compiling it proves that
// the adapter's own header agrees with Debian's.

// For sigaction and NSIG.
#define _DEFAULT_SOURCE

#include "glbsp-types.h"

#include <glbsp.h>

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME_PLACE(ours, theirs, member) \
    _Static_assert(offsetof(struct ours, member) == offsetof(theirs, member), \
                   #member)
SAME_PLACE(glbsp_info, nodebuildinfo_t, quiet);
SAME_PLACE(glbsp_info, nodebuildinfo_t, gwa_mode);
SAME_PLACE(glbsp_comms, nodebuildcomms_t, cancelled);
SAME_PLACE(glbsp_functions, nodebuildfuncs_t, display_setBar);
SAME_PLACE(glbsp_functions, nodebuildfuncs_t, display_setBarLimit);
SAME_PLACE(glbsp_functions, nodebuildfuncs_t, display_setBarText);

static volatile nodebuildcomms_t comms;

static void print_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

static void end_fatally(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    exit(99);
}

static void do_nothing(void)
{
}

static void handle_signal(int number)
{
    (void)number;
}

static boolean_g open_display(displaytype_e type)
{
    fprintf(stderr, "display %d opens\n", (int)type);
    return TRUE;
}

static void set_title(const char *title)
{
    const char *cancel = getenv("CANCEL");
    fprintf(stderr, "title %s\n", title);
    if (cancel && strcmp(cancel, title) == 0)
        comms.cancelled = TRUE;
}

static void set_bar(int bar, int count)
{
    (void)bar;
    (void)count;
}

static void set_bar_text(int bar, const char *text)
{
    (void)bar;
    (void)text;
}

static void close_display(void)
{
    fprintf(stderr, "display closes\n");
}

static const nodebuildfuncs_t functions = {
    end_fatally, print_message, do_nothing,   open_display, set_title,
    set_bar,     set_bar,       set_bar_text, close_display};

static void read_actions(struct sigaction actions[NSIG])
{
    for (int i = 1; i < NSIG; i++)
        sigaction(i, NULL, &actions[i]);
}

int main(int argc, char **argv)
{
    nodebuildinfo_t info = default_buildinfo;
    static struct sigaction before[NSIG], after[NSIG];
    signal(SIGTERM, handle_signal);
    signal(SIGHUP, SIG_IGN);
    read_actions(before);
    glbsp_ret_e status =
        GlbspParseArgs(&info, &comms, (const char **)argv + 1, argc - 1);
    if (status == GLBSP_E_OK)
        status = GlbspCheckInfo(&info, &comms);
    if (status == GLBSP_E_OK)
        status = GlbspBuildNodes(&info, &functions, &comms);
    read_actions(after);
    for (int i = 1; i < NSIG; i++)
        if (before[i].sa_handler != after[i].sa_handler)
            fprintf(stderr, "signal %d has another action\n", i);
    if (status != GLBSP_E_OK)
        fprintf(stderr, "Error: %s\n", comms.message);
    GlbspFree(comms.message);
    GlbspFree(info.input_file);
    GlbspFree(info.output_file);
    return (int)status;
}
