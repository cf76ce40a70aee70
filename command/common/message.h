// SPDX-License-Identifier: GPL-2.0-or-later
//
// Messages on standard error, and how the command exits.

#ifndef MESSAGE_H
#define MESSAGE_H

#include "base/macros.h"
#include "platform/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MESSAGE_SIZE = 4096 }; // bytes of a sentence, which is cut to them

// Prints "blocksweep: sentence" in one line, whatever names are in it.
void message_print(const char *format, ...) PRINTF_LIKE(1, 2);

// Prints that memory ran out; returns STATUS_FILE.
enum exit_status message_out_of_memory(void);

// Passes sentences to a function instead; NULL ends that.
void message_redirect(void (*print)(void *context, const char *sentence),
                      void *context);

// Prints a sentence on standard error, wherever others are passed.
void message_put(const char *sentence);

// The same as nbstage_is_printable, but where terminals do not show UTF-8
// nothing beyond ASCII is printable.
bool message_is_printable(const char *text, size_t *length, uint32_t *number);

// Replaces what is not printable, line breaks among it, by question marks.
void message_make_printable(char *text);

// Writes a text of any length so; returns the number of characters written.
int message_write(FILE *file, const char *text);

// The same for `size` bytes, after which there is a NUL; line breaks and tabs
// stay, and a carriage return is a line break, too.
void message_write_lines(FILE *file, const char *text, size_t size);

// Appends a name to a list with commas, or "..." for the rest.
void message_add_name(char *names, size_t size, const char *name);

// Sentences kept for a report.
struct sentences {
    char **sentence;
    size_t count;
};

// Keeps a copy; returns false if memory runs out.
bool sentences_add(struct sentences *sentences, const char *sentence);

void sentences_free(struct sentences *sentences);

#endif
