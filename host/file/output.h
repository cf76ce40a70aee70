// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef OUTPUT_H
#define OUTPUT_H

#include <zlib.h>

// Where a file is written to.
struct output {
    gzFile stream;  // to be compressed, or NULL; keeps errors, for gzerror
    int descriptor; // where plain bytes go
    int error;      // errno of the first call that could not write these
};

#endif
