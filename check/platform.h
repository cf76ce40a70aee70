// SPDX-License-Identifier: GPL-2.0-or-later
//
// What differs between systems: platform-posix.c and platform-windows.c.

#ifndef CHECK_PLATFORM_H
#define CHECK_PLATFORM_H

#include "check.h"
#include "maps.h"

// Makes the arguments of main() UTF-8.
void platform_begin(int *argc, char ***argv);

// ---------------------------------------------------------------------------
// Processes

// Memory of zeros that the processes of process_run share; ends the program if
// there is none.
void *memory_share(size_t size);
void memory_unshare(void *memory, size_t size);

// On Windows process_run runs this program again with the same arguments.
// There this returns the shared memory; NULL in the first process.
void *memory_of_parent(void);

// A temporary file that processes of process_run can print to; NULL if none can
// be made.
FILE *file_for_output(void);

struct ending {
    bool in_time;
    bool crashed;
    char how[64]; // the name of the crash, or the exit status
};

// Runs `work` in a process of its own, which ends with this one, and prints to
// a file.  Returns when it has ended, at `end_time` or when ending_signal is
// set; nothing that the process has started is left.
struct ending process_run(void (*work)(void), FILE *printed, double end_time);

// ---------------------------------------------------------------------------
// Memory

size_t page_size(void);

// Whole pages, and after them one that cannot be touched; NULL if there are
// none.
void *pages_allocate(size_t size);
void pages_protect(void *pages, size_t size); // from being written
void pages_free(void *pages, size_t size);

// ---------------------------------------------------------------------------
// Shared objects

extern const char *const stage_endings[]; // "" first, NULL after the last
bool is_path(const char *name);
bool is_readable(const char *path);

// NULL after a failure, with a sentence.
void *library_open(const char *path, char *sentence, size_t size);
void *library_symbol(void *library, const char *name);
bool library_close(void *library);
bool library_is_loaded(const char *path);

// Passes the names that the stage exports to a function; skips the test if they
// cannot be read.
void list_exports(void *library, void (*see)(const char *name));

// ---------------------------------------------------------------------------
// What the process holds

// Threads; 0 where the system does not tell.
size_t count_threads(void);

struct held {
    size_t mappings;
    size_t descriptors;
    size_t memory; // bytes
};
struct held process_measure(void);

// Whether a program, or a library that it loads first, has a function.
bool process_has(const char *function);

// Changes what a stage has to leave alone; and adds lines of it all to a text.
void process_change(void);
void process_write(struct text *text);

// Has the test fail at calls of the system that are not for memory, threads or
// the time; skips it where this cannot be.
void forbid_system_calls(void);

#endif
