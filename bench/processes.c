// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whole processes from start to exit, by turns: the command, which makes all
// blockmaps anew in a copy of the file, ZDBSP, and cp.  They write to a folder
// of their own in TMPDIR, which is removed at the end.  The command waits until
// its file is on the disk; ZDBSP and cp do not, so cp is also run with sync.
//
// With -N and -E, ZDBSP makes no nodes and leaves REJECT alone.  glBSP always
// makes nodes, so it cannot be compared.

#include "config.h"

#include "bench.h"

#include "fail.h"
#include "files.h"
#include "process.h"
#include "record.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <wordexp.h>

enum { MOST_CONTENDERS = 4, MEGABYTE = 1 << 20 };

#define BUILD "\"$BLOCKSWEEP\" build --plugin=\"$PLUGIN\" --grid=fit --quiet "
#define OURS \
    { \
        "blocksweep", BUILD "\"$IN\" -o \"$OUT\"/out.wad" \
    }
#define COPY \
    { \
        "cp", "cp \"$IN\" \"$OUT\"/out.wad" \
    }
#define COPY_AND_SYNC \
    { \
        "cp and sync", "sh -c 'cp \"$0\" \"$1\" && exec sync \"$1\"' \"$IN\" " \
                       "\"$OUT\"/out.wad" \
    }

// The first contender is what the others are compared with.  Words are as in a
// shell; $IN is what is read, $OUT the folder to write to.
static const struct contest {
    const char *key;
    const char *title;
    enum { WHOLE, LARGE, SMALL } input;
    size_t rounds;
    struct {
        const char *name;
        const char *words;
    } contenders[MOST_CONTENDERS];
} contests[] = {
    {"processes",
     "Freedoom Phase 2",
     WHOLE,
     21,
     {OURS,
      {"zdbsp", "zdbsp -N -E -t -o \"$OUT\"/out.wad \"$IN\""},
      COPY,
      COPY_AND_SYNC}},
    {"large_file",
     "A large file of Freedoom Phase 2 again and again",
     LARGE,
     5,
     {OURS, COPY, COPY_AND_SYNC}},
    {"small_files",
     "Files with a map each",
     SMALL,
     5,
     {{"--jobs=1", BUILD "--jobs=1 \"$IN\"/* -o \"$OUT\""},
      {"--jobs=2", BUILD "--jobs=2 \"$IN\"/* -o \"$OUT\""}}},
};

enum { CONTESTS = sizeof contests / sizeof *contests };

struct row {
    const char *name;
    wordexp_t words;
    struct samples samples[FIGURES];
    double medians[FIGURES];
    double wall_spread; // quartiles, nanoseconds
    double processor_spread;
};

// ---------------------------------------------------------------------------
// The folder

static char folder[512];
static volatile sig_atomic_t is_interrupted;

// A path in the folder, until the next call.
static const char *find(const char *name)
{
    static char path[sizeof folder + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remove_folder(void)
{
    files_empty(find("out"));
    files_empty(find("small"));
    rmdir(find("out"));
    rmdir(find("small"));
    files_empty(folder);
    rmdir(folder);
}

static void interrupt(int number)
{
    is_interrupted = number;
}

static void make_folder(void)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(folder, sizeof folder, "%s/blocksweep-bench-XXXXXX",
                          parent && *parent ? parent : "/tmp");
    if (length < 0 || (size_t)length >= sizeof folder)
        fail("TMPDIR is too long");
    if (!mkdtemp(folder))
        fail("no folder can be made in TMPDIR: %s", strerror(errno));
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    atexit(remove_folder);
    if (mkdir(find("out"), 0777) != 0 || mkdir(find("small"), 0777) != 0 ||
        setenv("OUT", find("out"), 1) != 0)
        fail("no folder can be made in TMPDIR: %s", strerror(errno));
}

// Whether the disk takes what is read and what is written, and half of the
// memory keeps it.
static bool has_room(double bytes)
{
    struct statvfs system;
    double memory =
        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return statvfs(folder, &system) == 0 &&
           2 * bytes < (double)system.f_bavail * (double)system.f_frsize &&
           2 * bytes < memory / 2;
}

// Writes what a contest reads.  Returns how many files it makes; 0 if there is
// no room.
static size_t prepare(const struct bench *bench, const struct contest *contest)
{
    const struct maps *maps = &bench->maps;
    const size_t copies =
        (bench->megabytes * MEGABYTE - 1) / bench->maps.size + 1;
    const size_t files = contest->input == SMALL ? bench->files : 1;
    double size = contest->input == SMALL ? 0 : (double)maps->size;
    if (contest->input == LARGE)
        size *= (double)copies;
    for (size_t i = 0; contest->input == SMALL && i < files; i++)
        size += (double)files_map_size(&maps->map[i % maps->count]);
    if (!has_room(size)) {
        printf("%s: left out.\n%.0f MB are too much for memory or the file "
               "system; see --megabytes and --files.\n\n",
               contest->title, 2 * size / MEGABYTE);
        return 0;
    }
    setenv("IN",
           contest->input == WHOLE   ? bench->wad_path
           : contest->input == LARGE ? find("large.wad")
                                     : find("small"),
           1);
    if (contest->input == LARGE)
        files_write_copies(getenv("IN"), maps, copies);
    for (size_t i = 0; contest->input == SMALL && i < files; i++) {
        char name[32];
        snprintf(name, sizeof name, "small/%04zu.wad", i);
        files_write_map(find(name), &maps->map[i % maps->count]);
    }
    return files;
}

// ---------------------------------------------------------------------------
// Running

// Runs a contender to its end, and adds its figures if `is_warm`.  False if it
// is not installed.
static bool run(struct row *row, size_t files, bool is_warm)
{
    uint64_t figures[FIGURES];
    files_empty(find("out"));
    int status = process_measure(row->words.we_wordv, figures);
    if (is_interrupted)
        fail("interrupted");
    if (status == NOT_INSTALLED)
        return false;
    if (status != 0)
        fail("%s has failed on Freedoom with status %d", row->name, status);
    if (files_empty(find("out")) != files)
        fail("%s has not written %zu files", row->name, files);
    for (size_t i = 0; is_warm && i < FIGURES; i++)
        samples_add(&row->samples[i], figures[i]);
    return true;
}

// Adds the contenders that are installed; a first run of each warms up.
static size_t add_rows(const struct bench *bench, const struct contest *contest,
                       size_t files, struct row rows[MOST_CONTENDERS])
{
    size_t count = 0;
    for (size_t i = 0; i < MOST_CONTENDERS && contest->contenders[i].name;
         i++) {
        struct row *row = &rows[count];
        *row = (struct row){.name = contest->contenders[i].name};
        row->words.we_offs = 2;
        if (wordexp(contest->contenders[i].words, &row->words,
                    WRDE_DOOFFS | WRDE_NOCMD | WRDE_UNDEF) != 0)
            fail("no memory for the words of %s", row->name);
        row->words.we_wordv[0] = (char *)bench->program_path;
        row->words.we_wordv[1] = "--run";
        if (run(row, files, false)) {
            count++;
        } else {
            printf("%s is left out: it is not installed.\n", row->name);
            wordfree(&row->words);
        }
    }
    return count;
}

static void measure(struct row *rows, size_t count, size_t files, size_t rounds)
{
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++)
            run(&rows[i], files, true);
    for (struct row *row = rows; row < rows + count; row++) {
        for (size_t i = 0; i < FIGURES; i++)
            row->medians[i] = samples_median(&row->samples[i]);
        row->wall_spread = samples_spread(&row->samples[WALL]);
        row->processor_spread = samples_spread(&row->samples[PROCESSOR]);
    }
}

// ---------------------------------------------------------------------------
// Results

static void print_table(const struct row *rows, size_t count)
{
    const double *ours = rows[0].medians;
    printf("%-13s %8s %6s %6s %8s %6s %6s %6s %6s %6s\n"
           "%-13s %8s %6s %6s %8s %6s %6s %6s %6s %6s\n",
           "", "Wall", "Spread", "/first", "Proc.", "Spread", "/first", "Peak",
           "Read", "Writ.", "", "s", "%", "", "s", "%", "", "MB", "MB", "MB");
    for (const struct row *row = rows; row < rows + count; row++) {
        const double *medians = row->medians;
        printf("%-13s %8.4f %6.1f %6.2f %8.4f %6.1f %6.2f %6.1f %6.0f %6.0f\n",
               row->name, medians[WALL] / 1e9,
               100 * row->wall_spread / medians[WALL],
               medians[WALL] / ours[WALL], medians[PROCESSOR] / 1e9,
               100 * row->processor_spread / medians[PROCESSOR],
               medians[PROCESSOR] / ours[PROCESSOR], medians[PEAK] / MEGABYTE,
               medians[READ] / MEGABYTE, medians[WRITTEN] / MEGABYTE);
    }
    putchar('\n');
}

static void record_rows(const char *key, const struct row *rows, size_t count,
                        size_t files, size_t rounds)
{
    record_open_object(key);
    record_integer("rounds", (int64_t)rounds);
    record_integer("files", (int64_t)files);
    record_open_array("commands");
    for (const struct row *row = rows; row < rows + count; row++) {
        const double *medians = row->medians;
        record_open_object(NULL);
        record_string("command", row->name);
        record_number("wall_seconds", medians[WALL] / 1e9);
        record_number("wall_spread_seconds", row->wall_spread / 1e9);
        record_number("wall_to_first_ratio",
                      medians[WALL] / rows->medians[WALL]);
        record_number("processor_seconds", medians[PROCESSOR] / 1e9);
        record_number("processor_spread_seconds", row->processor_spread / 1e9);
        record_number("processor_to_first_ratio",
                      medians[PROCESSOR] / rows->medians[PROCESSOR]);
        record_number("peak_memory_bytes", medians[PEAK]);
        record_number("read_bytes", medians[READ]);
        record_number("written_bytes", medians[WRITTEN]);
        record_number("disk_written_bytes", medians[DISK]);
        record_close_object();
    }
    record_close_array();
    record_close_object();
}

void bench_processes(const struct bench *bench)
{
    make_folder();
    printf("Whole processes, by turns; medians, and the distance of the "
           "quartiles.\nThe command syncs its files to the disk; ZDBSP and cp "
           "do not.  Peak memory is\nthat of the largest process.  Read and "
           "written is by calls, without what is\nmapped.  The folder is\n"
           "%s.\n\n",
           folder);
    for (size_t i = 0; i < CONTESTS; i++) {
        const struct contest *contest = &contests[i];
        struct row rows[MOST_CONTENDERS];
        size_t rounds = bench_rounds(bench, contest->rounds);
        size_t files = prepare(bench, contest);
        if (files == 0)
            continue;
        size_t count = add_rows(bench, contest, files, rows);
        measure(rows, count, files, rounds);
        printf("%s; files: %zu, runs: %zu.\n\n", contest->title, files, rounds);
        print_table(rows, count);
        fflush(stdout);
        record_rows(contest->key, rows, count, files, rounds);
        while (count > 0)
            wordfree(&rows[--count].words);
        unlink(find("large.wad"));
    }
}
