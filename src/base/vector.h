// SPDX-License-Identifier: GPL-2.0-or-later
//
// Loops that compilers turn into vector code.  On x86-64 they are compiled
// twice, for every such machine and for those with AVX2, and the machine at
// hand decides when they are called.  Elsewhere they are plain C.

#ifndef VECTOR_H
#define VECTOR_H

#include <stdint.h>

// Asks for memory so many bytes ahead that will be needed soon, if it is there
// at all.  Worth it where it is far ahead:
// machines look ahead by themselves, but not into the next page.
#if defined(__GNUC__)
#define PREFETCH(address, ahead) \
    __builtin_prefetch((const void *)((uintptr_t)(address) + (ahead)))
#else
#define PREFETCH(address, ahead) ((void)0)
#endif

#if defined(__x86_64__) && defined(__GNUC__)

// Declares the body of a function for VECTOR_FUNCTION.
#define VECTOR_BODY static inline __attribute__((__always_inline__))

// Makes function `name` of name_body, which has the same parameters in
// parentheses; `arguments` are their names in parentheses.
#define VECTOR_FUNCTION(name, parameters, arguments) \
    __attribute__((__target__("avx2"))) static void name##_avx2 parameters \
    { \
        name##_body arguments; \
    } \
    static void name##_sse2 parameters \
    { \
        name##_body arguments; \
    } \
    static void name parameters \
    { \
        if (__builtin_cpu_supports("avx2")) \
            name##_avx2 arguments; \
        else \
            name##_sse2 arguments; \
    }

#else

#define VECTOR_BODY static inline
#define VECTOR_FUNCTION(name, parameters, arguments) \
    static void name parameters \
    { \
        name##_body arguments; \
    }

#endif

#endif
