// SPDX-License-Identifier: GPL-2.0-or-later
//
// Divides work among processes and prints what they print in order.

#ifndef WORKERS_H
#define WORKERS_H

#include "message.h"

// What is to be done for each item from 0 to count - 1.
struct work {
    size_t count;
    size_t processes; // that work at a time; with 1, this one does

    // Called in this process, in the order of the items: before the report of
    // an item is printed, and after it.
    void (*begin)(void *context, size_t item);
    void (*end)(void *context, size_t item, enum exit_status status);

    // Works on an item, mostly in another process.  What it prints on standard
    // output, and its messages, appear when those of all items before have.
    enum exit_status (*run)(void *context, size_t item);

    // Called in this process in place of the report if the other process has
    // ended while it was at work on the item.
    enum exit_status (*fail)(void *context, size_t item, const char *sentence);

    void *context; // for these functions
};

// Returns when all is done.  Where the system refuses processes, there are
// fewer.  A signal that ends this process ends the others before.  No process
// may have threads, and what they print must have no control characters but
// line breaks and tabs.
void workers_run(const struct work *work);

// Whether this system has such processes; else all is done one after the other.
bool workers_can_divide(void);

// Processors that this process may run on.
size_t workers_count_processors(void);

#endif
