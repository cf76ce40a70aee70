// SPDX-License-Identifier: GPL-2.0-or-later
//
// bench: measures the stage as a host meets it, prints tables, and writes the
// same figures as JSON.
//
//   bench [--freedoom=DIR] [--json=FILE] [--only=SECTION] [--quick]
//         [--megabytes=NUMBER] [--files=NUMBER]
//
// --megabytes is the size of the large file, --files the number of small ones
// that whole processes are measured with.  They are written to TMPDIR.
// PLUGIN in the environment names the module, BLOCKSWEEP the command.  A
// section whose maps or programs are not installed is left out with a line.

#include "config.h"

#include "bench.h"

#include "fail.h"
#include "process.h"
#include "record.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct section {
    const char *name;
    void (*run)(const struct bench *bench);
    bool needs_freedoom;
};

static const struct section sections[] = {
    {"freedoom", bench_freedoom, true}, {"search", bench_search, true},
    {"packing", bench_packing, true},   {"growth", bench_growth, false},
    {"hosted", bench_hosted, true},     {"processes", bench_processes, true},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

struct arguments {
    const char *freedoom; // folder
    const char *json;     // NULL: no file
    const char *only;     // NULL: all sections
    bool quick;
    size_t megabytes, files; // 0: as many as usual
};

size_t bench_rounds(const struct bench *bench, size_t rounds)
{
    return bench->quick && rounds > 3 ? 3 : rounds;
}

static const char usage[] =
    "usage: bench [--freedoom=DIR] [--json=FILE] [--only=SECTION] [--quick] "
    "[--megabytes=NUMBER] [--files=NUMBER]; sections are freedoom, search, "
    "packing, growth, hosted and processes";

static const char *read_section(const char *name)
{
    for (size_t i = 0; i < SECTIONS; i++)
        if (strcmp(sections[i].name, name) == 0)
            return name;
    fail("%s", usage);
}

static size_t read_count(const char *text, size_t most)
{
    char *end;
    unsigned long count = strtoul(text, &end, 10);
    if (*end || count < 1 || count > most)
        fail("%s", usage);
    return count;
}

static struct arguments read_arguments(int argc, char **argv)
{
    static const struct option options[] = {
        {"freedoom", required_argument, NULL, 'f'},
        {"json", required_argument, NULL, 'j'},
        {"only", required_argument, NULL, 'o'},
        {"quick", no_argument, NULL, 'q'},
        {"megabytes", required_argument, NULL, 'm'},
        {"files", required_argument, NULL, 'n'},
        {0},
    };
    struct arguments arguments = {.freedoom = "/usr/share/games/doom"};
    int letter;
    opterr = 0;
    while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (letter == 'f')
            arguments.freedoom = optarg;
        else if (letter == 'j')
            arguments.json = optarg;
        else if (letter == 'o')
            arguments.only = read_section(optarg);
        else if (letter == 'q')
            arguments.quick = true;
        else if (letter == 'm')
            arguments.megabytes = read_count(optarg, 2000); // less than 2 GB
        else if (letter == 'n')
            arguments.files = read_count(optarg, 4000);
        else
            fail("%s", usage);
    }
    if (optind < argc)
        fail("%s", usage);
    return arguments;
}

static const char *read_environment(const char *name)
{
    const char *value = getenv(name);
    if (!value)
        fail("%s is not set; `make bench` sets it", name);
    return value;
}

static void record_stage(const struct bench *bench)
{
    record_integer("version", 1);
    record_open_object("stage");
    record_string("name", bench->module.stage->name);
    record_string("version", bench->module.stage->version);
    record_close_object();
}

static void run_sections(const struct bench *bench, const char *only)
{
    for (size_t i = 0; i < SECTIONS; i++) {
        const struct section *section = &sections[i];
        if (only && strcmp(only, section->name) != 0)
            continue;
        if (section->needs_freedoom && bench->maps.count == 0)
            printf("Section %s is left out: there are no maps in %s.\n\n",
                   section->name, bench->wad_path);
        else
            section->run(bench);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    enum { QUICK_MAPS = 4 };
    if (argc > 2 && strcmp(argv[1], "--run") == 0)
        return process_run(argv + 2);
    struct arguments arguments = read_arguments(argc, argv);
    char wad_path[4096];
    snprintf(wad_path, sizeof wad_path, "%s/freedoom2.wad", arguments.freedoom);
    struct bench bench = {
        .program_path = argv[0],
        .module_path = read_environment("PLUGIN"),
        .command_path = read_environment("BLOCKSWEEP"),
        .wad_path = wad_path,
        .quick = arguments.quick,
        .megabytes = arguments.megabytes ? arguments.megabytes
                     : arguments.quick   ? 50
                                         : 1024,
        .files = arguments.files   ? arguments.files
                 : arguments.quick ? 16
                                   : 4000,
    };
    bench.module = module_load(bench.module_path);
    maps_read(wad_path, &bench.maps);
    if (bench.quick && bench.maps.count > QUICK_MAPS)
        bench.maps.count = QUICK_MAPS;
    record_begin();
    record_stage(&bench);
    run_sections(&bench, arguments.only);
    record_save(arguments.json);
    maps_free(&bench.maps);
    module_unload(&bench.module);
    if (fclose(stdout) != 0)
        fail("standard output cannot be written");
    return EXIT_SUCCESS;
}
