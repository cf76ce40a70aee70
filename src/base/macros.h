// SPDX-License-Identifier: GPL-2.0-or-later
//
// Macros that the core and the command share.

#ifndef MACROS_H
#define MACROS_H

// The number of elements of an array.
#define COUNT(array) (sizeof(array) / sizeof *(array))

// Has compilers check a function's arguments against its format.  MinGW is set
// up to use formats as glibc does.
#if defined(__MINGW32__) && !defined(__clang__)
#define PRINTF_LIKE(text, first) \
    __attribute__((__format__(__gnu_printf__, text, first)))
#elif defined(__GNUC__)
#define PRINTF_LIKE(text, first) \
    __attribute__((__format__(__printf__, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

#endif
