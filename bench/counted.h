// SPDX-License-Identifier: GPL-2.0-or-later
//
// A host's callbacks that keep account of what a stage has asked for.

#ifndef COUNTED_H
#define COUNTED_H

#include "nbstage.h"

// Bytes, as asked for.
struct counted {
    size_t in_use;
    size_t peak; // the most that were in use at once
};

// A host with these callbacks; `counted` begins as zeros.
struct nbstage_host counted_host(struct counted *counted);

#endif
