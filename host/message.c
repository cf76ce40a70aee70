// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "message.h"

#include "nbstage-host.h"
#include "platform/system.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Printable text

bool message_shows_utf8(void)
{
    static int utf8 = -1; // unknown
    if (utf8 < 0)
        utf8 = system_shows_utf8();
    return utf8;
}

bool message_is_printable(const char *text, size_t *length, uint32_t *number)
{
    return nbstage_is_printable(text, length, number) &&
           (*length == 1 || message_shows_utf8());
}

void message_make_printable(char *text)
{
    char *to = text;
    size_t length;
    uint32_t number;
    for (; *text; text += length) {
        if (message_is_printable(text, &length, &number)) {
            memmove(to, text, length);
            to += length;
        } else {
            *to++ = '?';
        }
    }
    *to = '\0';
}

// Writes the first character of a text; returns its bytes.
static size_t write_character(FILE *file, const char *text)
{
    size_t length;
    uint32_t number;
    if (message_is_printable(text, &length, &number))
        fwrite(text, 1, length, file);
    else
        putc('?', file);
    return length;
}

int message_write(FILE *file, const char *text)
{
    int count = 0;
    for (; *text; count++)
        text += write_character(file, text);
    return count;
}

void message_write_lines(FILE *file, const char *text, size_t size)
{
    const char *end = text + size;
    while (text < end) {
        bool is_return = *text == '\r';
        if (is_return && text[1] != '\n')
            putc('\n', file);
        else if (*text == '\n' || *text == '\t')
            putc(*text, file);
        else if (!is_return)
            text += write_character(file, text) - 1;
        text++;
    }
}

// ---------------------------------------------------------------------------
// Progress

enum { PROGRESS_WIDTH = 60 };

static bool progress_is_visible;
static bool has_progress = true;

void message_show_progress(const char *text)
{
    char line[PROGRESS_WIDTH];
    if (!has_progress)
        return;
    snprintf(line, sizeof line, "%s", text);
    message_make_printable(line);
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

static const char before_message[] = "blocksweep: ";

// The message that is held back; empty if none is.
static char held[LINE_SIZE];
static bool is_holding;

// What was printed before on standard output comes before, too.
static void print_on_standard_error(const char *line)
{
    message_remove_progress();
    fflush(stdout);
    fprintf(stderr, "%s\n", line);
    fflush(stderr); // which has a buffer on Windows
}

static void (*print_message)(const char *line) = print_on_standard_error;

void message_redirect(void (*print_line)(const char *line))
{
    print_message = print_line;
    has_progress = false;
}

void message_pass_on(const char *line)
{
    print_message(line);
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

const char *message_held(void)
{
    return held[0] ? held + sizeof before_message - 1 : NULL;
}

void message_print(const char *format, ...)
{
    char line[LINE_SIZE];
    const size_t begin = sizeof before_message - 1;
    memcpy(line, before_message, sizeof before_message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + begin, sizeof line - begin, format, arguments);
    va_end(arguments);
    message_make_printable(line);
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
