// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parts of libglbsp 2.24 that the adapter uses, so that a build does not
// need its header: the result of GlbspBuildNodes, and the members of its
// structures up to the last one used.

#ifndef GLBSP_TYPES_H
#define GLBSP_TYPES_H

// glbsp_ret_e
enum glbsp_status {
    GLBSP_OK,
    GLBSP_UNKNOWN, // any other failure
    GLBSP_BAD_ARGUMENTS,
    GLBSP_BAD_INFO_FIXED,
    GLBSP_READ_ERROR,
    GLBSP_WRITE_ERROR,
    GLBSP_CANCELLED,
};

// displaytype_e
enum glbsp_display {
    GLBSP_NO_DISPLAY,
    GLBSP_BUILD_PROGRESS, // two bars
    GLBSP_FILE_PROGRESS,  // one bar
};

// nodebuildinfo_t
struct glbsp_info {
    const char *input_file;
    const char *output_file;
    const char **extra_files;
    int factor, no_reject, no_progress;
    int quiet;
    int mini_warnings, force_hexen, pack_sides, fast;
    int spec_version, load_all, no_normal, force_normal;
    int gwa_mode; // the output has GL nodes alone
};

// nodebuildcomms_t
struct glbsp_comms {
    const char *message; // from GlbspStrDup, for GlbspFree
    int cancelled;       // set by the caller, at any time
};

// nodebuildfuncs_t
struct glbsp_functions {
    void (*fatal_error)(const char *format, ...);
    void (*print_msg)(const char *format, ...);
    void (*ticker)(void);
    int (*display_open)(enum glbsp_display type); // false if there is none
    void (*display_setTitle)(const char *title);
    void (*display_setBar)(int bar, int count); // bars count from 1
    void (*display_setBarLimit)(int bar, int limit);
    void (*display_setBarText)(int bar, const char *text);
    void (*display_close)(void);
};

#endif
