// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much longer everything takes than in a plain build: the thread sanitizer
// looks at each access to memory.  Tests that try very much divide it by this.

#ifndef SLOWNESS_H
#define SLOWNESS_H

#if defined(__SANITIZE_THREAD__)
#define SLOWNESS 8
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLOWNESS 8
#endif
#endif

#ifndef SLOWNESS
#define SLOWNESS 1
#endif

#endif
