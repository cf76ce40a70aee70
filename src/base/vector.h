// SPDX-License-Identifier: GPL-2.0-or-later
//
// For the loops that take most of the time: hints to compilers, and SSE2.

#ifndef VECTOR_H
#define VECTOR_H

#include <stdint.h> // defines __GLIBC__ with glibc

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

#if defined(__SSE2__) && !defined(BLOCKSWEEP_NO_VECTOR)
#include <emmintrin.h>
#define VECTOR_SSE2 // emmintrin.h is included
#endif

// Declares a function that is compiled into each of its callers, where
// constants make its loop fast.
#if defined(__GNUC__)
#define VECTOR_BODY static inline __attribute__((__always_inline__))
#else
#define VECTOR_BODY static inline
#endif

#endif
