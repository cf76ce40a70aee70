// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a fuzz target is: one function that takes any bytes.  libFuzzer calls
// it with inputs that it makes up, replay.c with those that are kept.

#ifndef TARGET_H
#define TARGET_H

#include <stddef.h>
#include <stdint.h>

// Reads one input; returns 0.  The name is libFuzzer's.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// Ends the process with a sentence about a promise that was broken.
_Noreturn void target_fail(const char *file, int line, const char *sentence);

// Holds the code to a promise.
#define REQUIRE(condition, sentence) \
    ((condition) ? (void)0 : target_fail(__FILE__, __LINE__, sentence))

#endif
