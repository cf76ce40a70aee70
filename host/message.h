// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the command says on standard error, and how it ends.

#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdio.h>

// Exit statuses, as blocksweep(1) tells them.
enum exit_status {
    STATUS_DONE,
    STATUS_MAP_FAILED, // a map failed, or the input is not a sound WAD
    STATUS_USAGE,
    STATUS_FILE, // a file could not be read or written
};

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) \
    __attribute__((__format__(__printf__, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

// Prints "blocksweep: sentence" and a newline, in one line whatever names are
// in it.
void message_print(const char *format, ...) PRINTF_LIKE(1, 2);

// Puts question marks for what terminals take as commands, line breaks among
// them.
void message_make_printable(char *text);

// Writes a text of any length with such question marks.
void message_write(FILE *file, const char *text);

enum { MESSAGE_NAME_SIZE = 16 }; // room for the name of a map

// Copies the name of a map, made printable.
void message_name(const char *name, char copy[MESSAGE_NAME_SIZE]);

// Says that memory ran out; STATUS_FILE.
enum exit_status message_out_of_memory(void);

#endif
