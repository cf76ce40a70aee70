// SPDX-License-Identifier: GPL-2.0-or-later
//
// Loops that compilers turn into vector code.  On x86-64 they are compiled
// twice, for every such machine and for those with AVX2, and a call takes the
// one for the machine at hand.  Elsewhere they are plain C, also where
// functions are unwound by SEH, as gcc does not align the stack for AVX2 there,
// and where BLOCKSWEEP_NO_VECTOR is defined.

#ifndef VECTOR_H
#define VECTOR_H

#include <stdint.h>

#if defined(__GNUC__)

// Asks for the memory that many bytes ahead, if it exists.  This is worth it
// far ahead only: machines look ahead by themselves, but not into the next
// page.
#define PREFETCH(address, ahead) \
    __builtin_prefetch((const void *)((uintptr_t)(address) + (ahead)))

// Declares a function that is compiled into each of its callers: the body of
// a VECTOR_FUNCTION, or a loop that constants make fast.
#define VECTOR_BODY static inline __attribute__((__always_inline__))

#else
#define PREFETCH(address, ahead) ((void)0)
#define VECTOR_BODY static inline
#endif

// Makes function `name` of name_body, which has the same parameters in
// parentheses; `arguments` are their names in parentheses.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SEH__) && \
    !defined(BLOCKSWEEP_NO_VECTOR)
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
#define VECTOR_FUNCTION(name, parameters, arguments) \
    static void name parameters \
    { \
        name##_body arguments; \
    }
#endif

#endif
