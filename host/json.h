// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes JSON to standard output, an element at a time.  Objects and arrays
// are opened and closed by the caller; commas and line breaks come by
// themselves.  `key` is NULL for the elements of an array.

#ifndef JSON_H
#define JSON_H

#include "nbstage.h"
#include "sentences.h"

#include <stdbool.h>

// '{' or '['.
void json_open(char bracket);
void json_close(char bracket);

// The key of an object or array that is opened next.
void json_key(const char *key);

void json_string(const char *key, const char *value);
void json_integer(const char *key, long long value);
void json_count(const char *key, size_t value);

// Whole numbers stay whole.
void json_number(const char *key, double value);

void json_seconds(const char *key, double value);
void json_boolean(const char *key, bool value);

// Opens the object that is the report of a command, with the members that all
// reports begin with: the version of what the names mean, and who reports, with
// a stage if that is not NULL.
void json_begin_report(const char *command,
                       const struct nbstage_descriptor *stage);

void json_sentences(const char *key, const struct sentences *sentences);

#endif
