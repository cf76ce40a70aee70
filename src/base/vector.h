// SPDX-License-Identifier: GPL-2.0-or-later
//
// Hints to compilers, and SSE2, for the hottest loops.

#ifndef VECTOR_H
#define VECTOR_H

#include <stdint.h> // defines __GLIBC__ with glibc

// Marks a function with a loop that compilers vectorise.  It is compiled twice,
// for baseline x86-64 and for AVX2, and a resolver picks one when the program
// is loaded.  Elsewhere, and where BLOCKSWEEP_NO_VECTOR is defined, it is plain
// C.  Builds with the thread sanitizer need that, as resolvers run before its
// runtime starts.
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

// Begins to load memory that is soon read.
#if defined(__GNUC__)
#define VECTOR_PREFETCH(address) __builtin_prefetch(address)
#else
#define VECTOR_PREFETCH(address) ((void)(address))
#endif

// Declares a function that is always inlined, so that its loop is specialised
// for the constants that each caller passes.
#if defined(__GNUC__)
#define VECTOR_BODY static inline __attribute__((__always_inline__))
#else
#define VECTOR_BODY static inline
#endif

#endif
