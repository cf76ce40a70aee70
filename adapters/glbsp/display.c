// SPDX-License-Identifier: GPL-2.0-or-later
//
// Messages go where glBSP's own messages go, and progress to a bar like the one
// that glBSP shows for reading and writing files.  libglbsp works on one file
// at a time and keeps the caller's functions in globals; so does this file.

#include "config.h"

#include "display.h"

#include "build/build.h"
#include "message.h"

#include <stdbool.h>
#include <stdio.h>

enum { ONLY_BAR = 1, MAP_PARTS = 100 };

static struct {
    const struct glbsp_info *info;
    const struct glbsp_functions *functions;
    const volatile struct glbsp_comms *comms;
    bool has_bar;
    size_t position; // of the bar
} display;

static void print_message(const char *line)
{
    display.functions->print_msg("%s\n", line);
}

void display_begin(const struct glbsp_info *info,
                   const struct glbsp_functions *functions,
                   const volatile struct glbsp_comms *comms)
{
    display.info = info;
    display.functions = functions;
    display.comms = comms;
    display.position = 0;
    message_redirect(print_message);
    display.has_bar = functions->display_open(GLBSP_FILE_PROGRESS);
    if (!display.has_bar)
        return;
    functions->display_setTitle("Building blockmaps");
    functions->display_setBarText(ONLY_BAR, "Building blockmaps");
}

void display_end(void)
{
    if (display.has_bar)
        display.functions->display_close();
}

// The bar only goes forward, although each step of a build begins at 0.
static void show_bar(size_t position, size_t limit)
{
    if (position <= display.position)
        return;
    display.position = position;
    display.functions->display_setBarLimit(ONLY_BAR, (int)limit);
    display.functions->display_setBar(ONLY_BAR, (int)position);
}

bool build_report_progress(const struct build_report *report, size_t map_index,
                           uint32_t done, uint32_t total)
{
    size_t part = (size_t)(1.0 * MAP_PARTS * done / total);
    if (display.has_bar)
        show_bar(map_index * MAP_PARTS + part, report->map_count * MAP_PARTS);
    display.functions->ticker();
    return !display.comms->cancelled;
}

void build_report_begin(const struct build_report *report)
{
    (void)report; // glBSP has reported its own work
    if (!display.info->quiet)
        display.functions->print_msg("\n");
}

// A message has already reported a map that failed.
void build_report_map(const struct build_report *report, size_t map_index)
{
    const struct map_report *map = &report->maps[map_index];
    char line[80];
    if (display.info->quiet || map->error)
        return;
    snprintf(line, sizeof line, "%s: blockmap of %d bytes", map->name,
             (int)map->bytes_after);
    message_make_printable(line);
    print_message(line);
}

void build_report_end(const struct build_report *report)
{
    int built = 0;
    for (size_t i = 0; i < report->map_count; i++)
        built += !report->maps[i].error;
    if (!display.info->quiet && report->written)
        display.functions->print_msg("Built %d blockmap%s with %s %s\n", built,
                                     built == 1 ? "" : "s",
                                     report->stage->descriptor->name,
                                     report->stage->descriptor->version);
}
