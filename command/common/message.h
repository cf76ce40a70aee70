// SPDX-License-Identifier: GPL-2.0-or-later
//
// Messages on standard error.

#ifndef MESSAGE_H
#define MESSAGE_H

#include "base/macros.h"
#include "platform/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MESSAGE_SIZE = 4096 }; // bytes; longer messages are truncated

// Prints "blocksweep: SENTENCE" on one line: line breaks in names become "?".
void message_print(const char *format, ...) PRINTF_LIKE(1, 2);

// Prints that memory ran out; returns STATUS_FILE.
enum exit_status message_out_of_memory(void);

// Passes messages to a function instead; NULL ends the redirection.
void message_redirect(void (*print)(void *context, const char *sentence),
                      void *context);

// Drops messages, or no longer.
void message_mute(bool is_muted);

// Prints a message on standard error, ignoring message_redirect.
void message_put(const char *sentence);

// Reads the first character of a text in UTF-8: its length in bytes and its
// number in Unicode.  A byte that is not UTF-8 has the length 1 and the number
// NOT_UTF8.  Returns false if it must not be printed: it controls a terminal,
// changes the direction of writing or ends a line.
#define NOT_UTF8 UINT32_MAX
bool message_read_character(const char *text, size_t *length, uint32_t *number);

// The same, but on terminals that do not show UTF-8 only ASCII is printable.
bool message_is_printable(const char *text, size_t *length, uint32_t *number);

// Replaces unprintable characters, including line breaks, by question marks.
void message_make_printable(char *text);

// Writes a text with unprintable characters replaced; returns the number of
// characters written.
int message_write(FILE *file, const char *text);

// The same for `size` bytes with a NUL behind them.  Line breaks and tabs are
// kept; a lone carriage return becomes a line break.
void message_write_lines(FILE *file, const char *text, size_t size);

// Appends a name to a list with commas; "..." stands for names that do not fit.
void message_add_name(char *names, size_t size, const char *name);

// Sentences kept for a report.
struct sentences {
    char **sentence;
    size_t count;
};

// Adds a copy; returns false if memory runs out.
bool sentences_add(struct sentences *sentences, const char *sentence);

void sentences_free(struct sentences *sentences);

#endif
