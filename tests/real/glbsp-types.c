// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the adapter says of libglbsp, held against Debian's header: compiling
// this is the test.

#include "glbsp-types.h"

#include <glbsp.h>

#include <stddef.h>

#define SAME_VALUE(ours, theirs) \
    _Static_assert((int)(ours) == (int)(theirs), #ours)
#define SAME_PLACE(ours, theirs, member) \
    _Static_assert(offsetof(ours, member) == offsetof(theirs, member) && \
                       sizeof((ours){0}.member) == sizeof((theirs){0}.member), \
                   #ours " " #member)

SAME_VALUE(GLBSP_OK, GLBSP_E_OK);
SAME_VALUE(GLBSP_UNKNOWN, GLBSP_E_Unknown);
SAME_VALUE(GLBSP_BAD_ARGUMENTS, GLBSP_E_BadArgs);
SAME_VALUE(GLBSP_BAD_INFO_FIXED, GLBSP_E_BadInfoFixed);
SAME_VALUE(GLBSP_READ_ERROR, GLBSP_E_ReadError);
SAME_VALUE(GLBSP_WRITE_ERROR, GLBSP_E_WriteError);
SAME_VALUE(GLBSP_CANCELLED, GLBSP_E_Cancelled);
_Static_assert(sizeof(enum glbsp_status) == sizeof(glbsp_ret_e), "status");

SAME_VALUE(GLBSP_NO_DISPLAY, DIS_INVALID);
SAME_VALUE(GLBSP_BUILD_PROGRESS, DIS_BUILDPROGRESS);
SAME_VALUE(GLBSP_FILE_PROGRESS, DIS_FILEPROGRESS);
_Static_assert(sizeof(enum glbsp_display) == sizeof(displaytype_e), "display");

#define INFO(member) SAME_PLACE(struct glbsp_info, nodebuildinfo_t, member)
INFO(input_file);
INFO(output_file);
INFO(extra_files);
INFO(factor);
INFO(no_reject);
INFO(no_progress);
INFO(quiet);
INFO(mini_warnings);
INFO(force_hexen);
INFO(pack_sides);
INFO(fast);
INFO(spec_version);
INFO(load_all);
INFO(no_normal);
INFO(force_normal);
INFO(gwa_mode);

#define COMMS(member) SAME_PLACE(struct glbsp_comms, nodebuildcomms_t, member)
COMMS(message);
COMMS(cancelled);

#define FUNCTION(member) \
    SAME_PLACE(struct glbsp_functions, nodebuildfuncs_t, member)
FUNCTION(fatal_error);
FUNCTION(print_msg);
FUNCTION(ticker);
FUNCTION(display_open);
FUNCTION(display_setTitle);
FUNCTION(display_setBar);
FUNCTION(display_setBarLimit);
FUNCTION(display_setBarText);
FUNCTION(display_close);
