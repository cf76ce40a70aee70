// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compiler hints for the loops that take most of the time.

#ifndef VECTOR_H
#define VECTOR_H

#include <stdint.h>

// Marks a function with a loop that compilers turn into vector code.  It is
// compiled twice, for every x86-64 and for those with AVX2; the loader takes
// the one for the machine at hand.  Elsewhere it is plain C, also where
// BLOCKSWEEP_NO_VECTOR is defined.  The thread sanitizer needs that, as it
// starts after the loader has chosen.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__has_attribute) && \
    !defined(BLOCKSWEEP_NO_VECTOR)
#if __has_attribute(__target_clones__)
#define VECTOR_FUNCTION __attribute__((__target_clones__("avx2", "default")))
#endif
#endif
#ifndef VECTOR_FUNCTION
#define VECTOR_FUNCTION
#endif

#if defined(__GNUC__)

// Asks for the memory that many bytes ahead, if it exists.  This is worth it
// far ahead only: machines look ahead by themselves, but not into the next
// page.
#define PREFETCH(address, ahead) \
    __builtin_prefetch((const void *)((uintptr_t)(address) + (ahead)))

// Declares a function that is compiled into each of its callers, where
// constants make its loop fast.
#define VECTOR_BODY static inline __attribute__((__always_inline__))

#else
#define PREFETCH(address, ahead) ((void)0)
#define VECTOR_BODY static inline
#endif

#endif
