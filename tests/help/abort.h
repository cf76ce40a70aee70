// SPDX-License-Identifier: GPL-2.0-or-later
//
// The end of a test, or of a program for tests, where something is wrong with
// what it is given.

#ifndef ABORT_H
#define ABORT_H

#include <check.h>
#include <stdio.h>

// Takes a format and its arguments.  Check tells the sentence of tests only, so
// it is on standard error, too.
#define abort_with(...) \
    do { \
        fprintf(stderr, __VA_ARGS__); \
        fputc('\n', stderr); \
        ck_abort_msg(__VA_ARGS__); \
    } while (0)

#endif
