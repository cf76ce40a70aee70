// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "message.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Printable text

// The length of a control character at the beginning of a text, as a byte or in
// UTF-8; 0 if there is none.
static size_t control_length(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    if (first < ' ' || first == 0x7F)
        return first != '\0';
    return first == 0xC2 && ((unsigned char)text[1] & 0xE0) == 0x80 ? 2 : 0;
}

// Replaces control characters by question marks.
static void make_printable(char *text)
{
    while (*text) {
        size_t length = control_length(text);
        if (length > 0)
            memset(text, '?', length);
        text += length > 0 ? length : 1;
    }
}

void message_write(FILE *file, const char *text)
{
    while (*text) {
        size_t length = control_length(text);
        fwrite(length > 0 ? "??" : text, 1, length > 0 ? length : 1, file);
        text += length > 0 ? length : 1;
    }
}

void message_name(const char *name, char copy[MESSAGE_NAME_SIZE])
{
    snprintf(copy, MESSAGE_NAME_SIZE, "%s", name);
    make_printable(copy);
}

// ---------------------------------------------------------------------------
// Progress

enum { PROGRESS_WIDTH = 60 };

static bool progress_is_visible;

void message_show_progress(const char *text)
{
    char line[PROGRESS_WIDTH];
    snprintf(line, sizeof line, "%s", text);
    make_printable(line);
    fprintf(stderr, "\r%-*s", PROGRESS_WIDTH, line);
    fflush(stderr);
    progress_is_visible = true;
}

void message_remove_progress(void)
{
    if (!progress_is_visible)
        return;
    fprintf(stderr, "\r%*s\r", PROGRESS_WIDTH, "");
    fflush(stderr);
    progress_is_visible = false;
}

// ---------------------------------------------------------------------------
// Messages

enum { LINE_SIZE = 4096 };

// The message that is held back; empty if none is.
static char held[LINE_SIZE];
static bool is_holding;

// What was printed before on standard output comes before, too.
static void print_on_standard_error(const char *line)
{
    message_remove_progress();
    fflush(stdout);
    fprintf(stderr, "%s\n", line);
}

static void (*print_message)(const char *line) = print_on_standard_error;

void message_redirect(void (*print_line)(const char *line))
{
    print_message = print_line;
}

static void print_held(const char *ending)
{
    char line[LINE_SIZE + 32];
    if (!held[0])
        return;
    snprintf(line, sizeof line, "%s%s", held, ending);
    held[0] = '\0';
    print_message(line);
}

void message_hold(void)
{
    print_held("");
    is_holding = true;
}

void message_let_go(const char *ending)
{
    print_held(ending);
    is_holding = false;
}

void message_print(const char *format, ...)
{
    char line[LINE_SIZE] = "blocksweep: ";
    size_t begin = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + begin, sizeof line - begin, format, arguments);
    va_end(arguments);
    make_printable(line);
    print_held("");
    if (is_holding)
        memcpy(held, line, sizeof held);
    else
        print_message(line);
}

enum exit_status message_out_of_memory(void)
{
    message_print("out of memory");
    return STATUS_FILE;
}

// ---------------------------------------------------------------------------
// Sentences

bool sentences_add(struct sentences *sentences, const char *sentence)
{
    char **more =
        realloc(sentences->sentence, (sentences->count + 1) * sizeof *more);
    char *copy = strdup(sentence);
    if (more)
        sentences->sentence = more;
    if (more && copy)
        sentences->sentence[sentences->count++] = copy;
    else
        free(copy);
    return more && copy;
}

void sentences_free(struct sentences *sentences)
{
    for (size_t i = 0; i < sentences->count; i++)
        free(sentences->sentence[i]);
    free(sentences->sentence);
    *sentences = (struct sentences){0};
}
