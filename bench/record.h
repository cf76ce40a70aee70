// SPDX-License-Identifier: GPL-2.0-or-later
//
// The figures as JSON.  They are kept in memory until record_save(), so a
// benchmark that fails leaves no half of a file.  `key` is NULL for the
// elements of an array.

#ifndef RECORD_H
#define RECORD_H

#include <stdint.h>

// Begins an object, which is the whole record; record_save() ends it.
void record_begin(void);

// Writes the file if `path` is not NULL, and forgets the record.
void record_save(const char *path);

void record_open_object(const char *key);
void record_close_object(void);
void record_open_array(const char *key);
void record_close_array(void);

void record_integer(const char *key, int64_t value);
void record_number(const char *key, double value); // to 9 digits
void record_string(const char *key, const char *value);

#endif
