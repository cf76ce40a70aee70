// SPDX-License-Identifier: GPL-2.0-or-later
//
// In place of libglbsp: leaves the file as it is, and needs no memory.

#include "config.h"

#include "glbsp-types.h"

#include <stdio.h>

enum glbsp_status GlbspBuildNodes(const struct glbsp_info *info,
                                  const struct glbsp_functions *functions,
                                  volatile struct glbsp_comms *comms);
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
