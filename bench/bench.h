// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the sections of the benchmark share.  Each measures, prints its table,
// and records its figures under a key of its own.

#ifndef BENCH_H
#define BENCH_H

#include "maps.h"
#include "module.h"

#include <stdbool.h>

struct bench {
    struct module module;
    const char *program_path; // of the benchmark
    const char *module_path;
    const char *command_path; // of blocksweep
    const char *wad_path;     // of Freedoom Phase 2
    struct maps maps;         // in it; none if it is not there
    bool quick;               // a few repetitions, to see that all works
    size_t megabytes;         // of the large file
    size_t files;             // small ones
};

// How often something is repeated; less for a quick run.
size_t bench_rounds(const struct bench *bench, size_t rounds);

// Every map of Freedoom, against copying the same bytes; peak memory.
void bench_freedoom(const struct bench *bench);

// The search for the best of all grids, by number of threads.
void bench_search(const struct bench *bench);

// What nesting and covering lists save and take.
void bench_packing(const struct bench *bench);

// Time and memory as generated maps grow.
void bench_growth(const struct bench *bench);

// Maps as they lie in a builder, with its own work between them.
void bench_hosted(const struct bench *bench);

// Whole processes: the command against other builders and cp.
void bench_processes(const struct bench *bench);

#endif
