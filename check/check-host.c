// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a host with a stage that misbehaves, once for each way to misbehave, and
// judges what the host did by its exit status, by what it printed and by the
// file that it wrote.
//
// All files are in a temporary folder: files/ has in.wad and out.wad, stages/
// the stage, and temporary/ what the host makes in TMPDIR.  Two runs come
// first: one with a stage that behaves shows what the host prints anyway, one
// without the stage makes the host's own blockmaps.

#define _XOPEN_SOURCE 700 // for nftw()

#include "config.h"

#include "check-host.h"

#include "bad-stage.h"
#include "host-wad.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, MOST_WORDS = 200 };

// What a host is to do.
enum expected {
    BUILT,         // every map has the stage's lump
    BUILT_EMPTY,   // which is empty
    BUILT_OR_NOT,  // or every map has the host's
    SECOND_FAILED, // the second map has the host's lump, the others the stage's
    FALLEN_BACK,   // every map has the host's lump
    ENDED,         // or there is no file, and the exit status is not 0
    REFUSED,       // the same, but the exit status is not 0 in any case
};

// The command line of the host, and what is in it.
static const char *command;
static bool has_in, has_out, has_stage, has_option, has_brackets;

// The folder, what is in it, and what the first runs leave there.
static char folder[PATH_SIZE / 2];
static char files[PATH_SIZE], stages[PATH_SIZE], temporary[PATH_SIZE];
static char in[PATH_SIZE], out[PATH_SIZE], stage_file[PATH_SIZE];
static char printed[PATH_SIZE], complaints[PATH_SIZE];
static char own_file[PATH_SIZE], usual_file[PATH_SIZE];

static struct host_wad input;   // in.wad
static struct host_wad library; // the bytes of the bad stage

// What the last run printed, and its exit status.
static struct host_wad said;
static int exit_status;

// Ends the test with a sentence, and with the beginning of what the host said.
#define fail_with_output(...) (show_output(), fail(__VA_ARGS__))

static void show_output(void)
{
    for (size_t i = 0; i < said.size && i < 200; i++)
        putchar(said.bytes[i] < ' ' || said.bytes[i] > '~' ? ' '
                                                           : said.bytes[i]);
    fflush(stdout);
}

// ---------------------------------------------------------------------------
// The command line

// Copies the text of a placeholder.  Returns its end in the line, or NULL if
// this is none.
static const char *fill_in(const char *at, const char *option, FILE *to)
{
    const struct {
        const char *name, *text;
        bool *is_there;
    } all[] = {
        {"{in}", in, &has_in},
        {"{out}", out, &has_out},
        {"{stage}", BAD_STAGE, &has_stage},
        {"{option}", option, &has_option},
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        if (strncmp(at, all[i].name, strlen(all[i].name)) != 0)
            continue;
        fputs(all[i].text, to);
        *all[i].is_there = true;
        return at + strlen(all[i].name);
    }
    return NULL;
}

// Copies the line as words, each with a NUL at its end, without quotes, and if
// `is_without_stage` without what is in brackets.  Returns what is wrong with
// it, or NULL.
static const char *split_line(bool is_without_stage, const char *option,
                              FILE *to)
{
    char quote = '\0';
    bool in_word = false, in_brackets = false;
    for (const char *at = command; *at;) {
        const bool is_left_out = in_brackets && is_without_stage;
        const char *end = is_left_out ? NULL : fill_in(at, option, to);
        char c = *at++;
        if (!quote && strchr(" \t\r\n", c)) {
            if (in_word)
                fputc('\0', to);
            in_word = false;
            continue;
        }
        if (!quote && (c == '[' || c == ']')) {
            in_brackets = c == '[';
            has_brackets = true;
            continue;
        }
        in_word |= !is_left_out;
        if (end) {
            at = end;
        } else if (quote ? c == quote : c == '\'' || c == '"') {
            quote = quote ? '\0' : c;
        } else {
            if (c == '\\' && quote != '\'' && (c = *at++) == '\0')
                return "it ends with a backslash";
            if (!is_left_out)
                fputc(c, to);
        }
    }
    if (in_word)
        fputc('\0', to);
    return quote         ? "a quote is not closed"
           : in_brackets ? "a bracket is not closed"
                         : NULL;
}

static char *text_of_words;

// Makes the words of the command, with NULL at the end, which are valid until
// the next call.  Returns what is wrong with it, or NULL.
static const char *make_words(bool is_without_stage, const char *option,
                              char *words[MOST_WORDS])
{
    size_t size = 0, count = 0;
    free(text_of_words);
    text_of_words = NULL;
    FILE *to = open_memstream(&text_of_words, &size);
    if (!to)
        return "out of memory";
    const char *flaw = split_line(is_without_stage, option, to);
    if (fclose(to) != 0)
        return "out of memory";
    for (char *at = text_of_words; at < text_of_words + size;
         at += strlen(at) + 1) {
        if (count == MOST_WORDS - 1)
            return "it has too many words";
        words[count++] = at;
    }
    words[count] = NULL;
    return flaw               ? flaw
           : count == 0       ? "it names no program"
           : !has_in          ? "it has no {in}"
           : is_without_stage ? NULL
           : !has_stage       ? "it has no {stage}"
                              : NULL;
}

// ---------------------------------------------------------------------------
// The folder

static int remove_entry(const char *path, const struct stat *status, int type,
                        struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

static void remove_folder(const char *path)
{
    enum { OPEN_FOLDERS = 16 };
    nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool is_written = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && is_written;
}

// Puts the stage where the host finds it, or what the test has in its place.
static bool put_stage(const char *behaviour)
{
    const size_t length = strlen(NBSTAGE_SYMBOL);
    static const char text[] = "This is no library.\n";
    unlink(stage_file);
    if (strcmp(behaviour, "no-file") == 0)
        return true;
    if (strcmp(behaviour, "no-library") == 0)
        return write_file(stage_file, text, sizeof text - 1);
    // The symbol gets another name of the same length.
    if (strcmp(behaviour, "no-symbol") == 0)
        for (size_t i = 0; i + length <= library.size; i++)
            if (memcmp(library.bytes + i, NBSTAGE_SYMBOL, length) == 0)
                library.bytes[i] = 'x';
    return write_file(stage_file, library.bytes, library.size);
}

// Makes the files and the environment that a run begins with.
static bool prepare(const char *behaviour)
{
    char path[2 * PATH_SIZE];
    const char *before = getenv("NBSTAGE_PLUGIN_PATH");
    snprintf(path, sizeof path, "%s:%s", stages, before ? before : "");
    remove_folder(files);
    remove_folder(temporary);
    unlink(complaints);
    return mkdir(files, 0700) == 0 && mkdir(temporary, 0700) == 0 &&
           write_file(in, input.bytes, input.size) && put_stage(behaviour) &&
           setenv("NBSTAGE_PLUGIN_PATH", path, 1) == 0 &&
           setenv("TMPDIR", temporary, 1) == 0 &&
           setenv(BAD_STAGE_COMPLAINTS, complaints, 1) == 0 &&
           setenv(BAD_STAGE_BEHAVIOUR, behaviour, 1) == 0;
}

// Fails if a folder has an entry besides the two.
static void judge_folder(const char *path, const char *first,
                         const char *second, const char *what)
{
    DIR *entries = opendir(path);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries)))
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, first) != 0 &&
            strcmp(entry->d_name, second) != 0)
            fail_with_output("the host left a file behind in %s: %s", what,
                             entry->d_name);
    if (entries)
        closedir(entries);
}

// ---------------------------------------------------------------------------
// Running

// No file becomes larger than this, as when a host prints without an end.
enum { MOST_BYTES = 1 << 28 };

static _Noreturn void execute(char **words)
{
    const struct rlimit limit = {MOST_BYTES, MOST_BYTES};
    setrlimit(RLIMIT_FSIZE, &limit);
    const int output = open(printed, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int null = open("/dev/null", O_RDONLY);
    if (dup2(null, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0)
        execvp(words[0], words);
    fprintf(stderr, "%s cannot be started: %s\n", words[0], strerror(errno));
    _exit(127);
}

// Waits for the host, half of the time that the test has.
static int wait_for_host(pid_t child)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    const double end = now() + settings.seconds / 2;
    int status = 0;
    while (now() < end) {
        if (waitpid(child, &status, WNOHANG) == child)
            return status;
        nanosleep(&pause, NULL);
    }
    kill(child, SIGKILL);
    fail("the host had not ended after %g s", settings.seconds / 2);
}

// Runs the host.  The test fails if it does not end by itself.
static void run_host(const char *behaviour, const char *option)
{
    char *words[MOST_WORDS];
    const char *flaw =
        make_words(strcmp(behaviour, "without-stage") == 0, option, words);
    if (flaw)
        fail("the command cannot be run: %s", flaw);
    if (!prepare(behaviour))
        fail("files cannot be made in %s: %s", folder, strerror(errno));
    const pid_t child = fork();
    if (child == 0)
        execute(words);
    const int status = child < 0 ? -1 : wait_for_host(child);
    host_wad_free(&said);
    host_wad_read(&said, printed); // it need not be a WAD
    if (WIFSIGNALED(status))
        fail_with_output("the host was ended by signal %d, %s",
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
    exit_status = WEXITSTATUS(status);
    if (exit_status == 127 || status < 0)
        fail_with_output("the host cannot be started");
}

// ---------------------------------------------------------------------------
// What the host printed

static size_t count_in(const struct host_wad *text, const char *part)
{
    const size_t length = strlen(part);
    size_t count = 0;
    for (size_t i = 0; i + length <= text->size; i++)
        count += memcmp(text->bytes + i, part, length) == 0;
    return count;
}

// Whether a line has the stage's sentence, or has its name and was not printed
// when the stage behaved.
static bool tells_of_failure(void)
{
    char *line = NULL;
    size_t size = 0;
    struct host_wad usual;
    host_wad_read(&usual, usual_file);
    FILE *lines = fopen(printed, "r");
    bool tells = false;
    while (lines && !tells && getline(&line, &size, lines) >= 0)
        tells = strstr(line, BAD_STAGE_SENTENCE) ||
                (strstr(line, BAD_STAGE) && count_in(&usual, line) == 0);
    if (lines)
        fclose(lines);
    free(line);
    host_wad_free(&usual);
    return tells;
}

static void judge_output(enum expected expected)
{
    static const char *const raw[] = {BAD_STAGE_RAW};
    for (size_t i = 0; i < COUNT(raw); i++)
        if (count_in(&said, raw[i]) > 0)
            fail("the host printed byte \\x%02X of the stage's sentence as it "
                 "is; control characters and what is not UTF-8 must not reach "
                 "a terminal",
                 (unsigned char)raw[i][0]);
    if (expected >= SECOND_FAILED && !tells_of_failure() &&
        !(expected == REFUSED && count_in(&said, BAD_STAGE_UNKNOWN_NAME) > 0))
        fail_with_output("the host did not say that the stage failed: expected "
                         "the stage's sentence, '%s', or its name, '%s'",
                         BAD_STAGE_SENTENCE, BAD_STAGE);
}

// ---------------------------------------------------------------------------
// What the host wrote

static bool is_blockmap(const struct host_lump *lump)
{
    return strcmp(lump->name, "BLOCKMAP") == 0;
}

// Whether the lump is the BLOCKMAP of this map in another file, if there is
// one.
static bool is_same_as_in(const struct host_wad *wad, size_t map,
                          const struct host_lump *lump)
{
    for (size_t i = 0; i < wad->lump_count; i++)
        if (is_blockmap(&wad->lumps[i]) && map-- == 0)
            return host_wad_has_bytes(lump, wad->lumps[i].data,
                                      wad->lumps[i].size);
    return false;
}

static bool is_from_stage(enum expected expected, size_t map,
                          const struct host_lump *lump)
{
    unsigned char made[BAD_STAGE_LUMP_SIZE];
    size_t size = bad_stage_write_lump(made, BAD_STAGE_FEWEST_LINES + map);
    if (expected == BUILT_EMPTY)
        return lump->size == 0;
    if (strcmp(running_test->name, "large-lump") == 0)
        return lump->size == BAD_STAGE_LARGE_SIZE &&
               memcmp(lump->data, made, size) == 0;
    return host_wad_has_bytes(lump, made, size);
}

static void judge_blockmap(enum expected expected, const struct host_wad *own,
                           size_t map, const struct host_lump *lump)
{
    const bool can_be_built =
        expected == SECOND_FAILED ? map != 1 : expected <= BUILT_OR_NOT;
    const bool can_be_own =
        expected == SECOND_FAILED ? map == 1 : expected >= BUILT_OR_NOT;
    if ((can_be_built && is_from_stage(expected, map, lump)) ||
        (can_be_own &&
         (is_same_as_in(&input, map, lump) || is_same_as_in(own, map, lump))))
        return;
    if (!can_be_own)
        fail_with_output("MAP%02zu: BLOCKMAP, of %zu bytes, is not the one "
                         "that the stage made",
                         map + 1, lump->size);
    fail_with_output(
        "MAP%02zu: BLOCKMAP, of %zu bytes, is %s", map + 1, lump->size,
        has_brackets ? "neither the input's nor the host's own"
                     : "not the input's; if it is the host's own, put what "
                       "asks for the stage in [brackets]");
}

// Compares the lumps with those of the run without the stage, if there was one,
// else with the input's.
static void judge_lumps(enum expected expected, const struct host_wad *own,
                        const struct host_wad *wad)
{
    const struct host_wad *base = own->lump_count > 0 ? own : &input;
    size_t map = 0;
    for (size_t i = 0; i < base->lump_count || i < wad->lump_count; i++) {
        const struct host_lump *old = &base->lumps[i], *new = &wad->lumps[i];
        const bool is_lost = i >= wad->lump_count;
        const bool is_extra = i >= base->lump_count;
        if (is_lost || is_extra || strcmp(old->name, new->name) != 0)
            fail_with_output("lump %zu of the host's file is %s; expected %s",
                             i, is_lost ? "missing" : new->name,
                             is_extra ? "none" : old->name);
        if (is_blockmap(new))
            judge_blockmap(expected, own, map++, new);
        else if (!host_wad_has_bytes(new, old->data, old->size))
            fail_with_output("lump %zu of the host's file, %s, is not as it "
                             "was",
                             i, new->name);
    }
}

static bool is_input(const struct host_wad *wad)
{
    return wad->size == input.size &&
           memcmp(wad->bytes, input.bytes, input.size) == 0;
}

static void judge_file(enum expected expected)
{
    struct host_wad wad, own;
    const bool may_refuse = expected >= ENDED && exit_status != 0;
    host_wad_read(&wad, in);
    if (has_out && !is_input(&wad))
        fail_with_output("the host changed its input");
    host_wad_free(&wad);
    const char *flaw = host_wad_read(&wad, has_out ? out : in);
    if (flaw && access(has_out ? out : in, F_OK) == 0)
        fail_with_output("the host's file %s", flaw);
    if (flaw && !may_refuse)
        fail_with_output("the host wrote no file");
    host_wad_read(&own, own_file);
    if (!flaw && !(may_refuse && is_input(&wad)))
        judge_lumps(expected, &own, &wad);
    host_wad_free(&own);
    host_wad_free(&wad);
}

static void judge_complaints(void)
{
    char line[200] = "";
    FILE *file = fopen(complaints, "r");
    if (file && fgets(line, sizeof line, file))
        fail("the host breaks the contract: %.*s", (int)strcspn(line, "\n"),
             line);
    if (file)
        fclose(file);
}

// ---------------------------------------------------------------------------
// The tests

static void judge(enum expected expected)
{
    judge_complaints();
    if (expected <= BUILT_EMPTY && exit_status != 0)
        fail_with_output("the host ended with status %d, though the stage had "
                         "built all maps",
                         exit_status);
    if (expected == REFUSED && exit_status == 0)
        fail_with_output("the host ended with status 0, though the stage "
                         "refused the user's option");
    judge_file(expected);
    judge_output(expected);
    judge_folder(files, "in.wad", "out.wad", "the folder of {out}");
    judge_folder(temporary, ".", ".", "TMPDIR");
}

static void run_and_judge(enum expected expected, const char *option)
{
    if (!has_option && expected == REFUSED)
        skip("the command has no {option}");
    run_host(running_test->name, option);
    judge(expected);
}

// A function for a table, which is called without arguments.
#define FOR_TESTS(function, expected, option) \
    static void function(void) \
    { \
        run_and_judge(expected, option); \
    }
FOR_TESTS(built, BUILT, BAD_STAGE_ACCEPTED)
FOR_TESTS(built_empty, BUILT_EMPTY, BAD_STAGE_ACCEPTED)
FOR_TESTS(built_or_not, BUILT_OR_NOT, BAD_STAGE_ACCEPTED)
FOR_TESTS(second_failed, SECOND_FAILED, BAD_STAGE_ACCEPTED)
FOR_TESTS(fallen_back, FALLEN_BACK, BAD_STAGE_ACCEPTED)
FOR_TESTS(fallen_back_or_ended, ENDED, BAD_STAGE_ACCEPTED)
FOR_TESTS(bad_value, REFUSED, BAD_STAGE_BAD_VALUE)
FOR_TESTS(unknown_option, REFUSED, BAD_STAGE_UNKNOWN)

// In every sentence the stage is the subject, and the host has to do what the
// name of the function says.
const struct test host_tests[] = {
    {"plain", "builds every map", built},
    {"bare", "has no function that may be missing", built},
    {"longer-structures", "has longer structures than the header", built},
    {"newer-interface", "is made for a newer version, serves this one", built},
    {"unknown-options", "has options of unknown types", built},
    {"unknown-facts", "returns facts of unknown names and kinds", built},
    {"huge-facts", "returns facts with the largest numbers", built_or_not},
    {"other-lump-first", "returns another lump before BLOCKMAP", built},
    {"empty-lump", "returns an empty lump", built_empty},
    {"large-lump", "returns a lump of 16 MiB", built_or_not},
    {"warnings", "logs 10,000 messages", built},
    {"fails", "fails with a sentence", fallen_back},
    {"fails-once", "fails with the second map", second_failed},
    {"says-nothing", "fails without a sentence", fallen_back},
    {"long-sentence", "fails with a sentence of 100,000 bytes", fallen_back},
    {"raw-sentence", "fails with a sentence of control bytes", fallen_back},
    {"no-memory", "runs out of memory", fallen_back},
    {"unknown-status", "fails with a status of a later version", fallen_back},
    {"negative-status", "fails with the status -1", fallen_back},
    {"hangs", "takes half a second unless cancelled, and fails", fallen_back},
    {"cancelled", "is cancelled, though nobody asked", fallen_back_or_ended},
    {"no-blockmap", "returns another lump only", fallen_back},
    {"bad-value", "refuses the value of the user's option", bad_value},
    {"unknown-option", "does not have the user's option", unknown_option},
    {"no-instance", "makes no instance", fallen_back_or_ended},
    {"other-version", "does not serve this version", fallen_back_or_ended},
    {"other-lumps", "does not make BLOCKMAP", fallen_back_or_ended},
    {"no-file", "is not there", fallen_back_or_ended},
    {"no-library", "is a file that is no library", fallen_back_or_ended},
    {"no-symbol", "is a library without the symbol", fallen_back_or_ended},
    {0},
};

static void run_without_stage(void)
{
    struct host_wad own;
    const char *path = has_out ? out : in;
    run_host("without-stage", "");
    const char *flaw = host_wad_read(&own, path);
    if (exit_status != 0 || flaw)
        fail_with_output("without the stage, the host ended with status %d, "
                         "and its file %s",
                         exit_status, flaw ? flaw : "can be read");
    size_t count = 0;
    for (size_t i = 0; i < own.lump_count; i++)
        count += is_blockmap(&own.lumps[i]);
    if (count != BAD_STAGE_MAPS)
        fail_with_output("without the stage, the host wrote %zu BLOCKMAP "
                         "lumps; expected %d",
                         count, BAD_STAGE_MAPS);
    host_wad_free(&own);
    if (rename(path, own_file) != 0)
        fail("%s: %s", own_file, strerror(errno));
}

// Learns what the host does without the stage, and with one that behaves.
static void run_first(void)
{
    if (has_brackets)
        run_without_stage();
    run_host("plain", BAD_STAGE_ACCEPTED);
    if (rename(printed, usual_file) != 0)
        fail("%s: %s", usual_file, strerror(errno));
}

const struct test host_load_test = {"host", "runs", run_first};

static _Noreturn void end_with(int status, const char *sentence,
                               const char *more)
{
    fprintf(stderr, "nbstage-check: %s%s\n", sentence, more);
    host_end();
    exit(status);
}

// Reads the stage that misbehaves: seen from this program, in the build tree or
// where it is installed, or where it was to be installed.
static bool read_library(void)
{
    static const char *const places[] = {".libs", "../lib/nbstage-check"};
    char path[2 * PATH_SIZE], program[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    for (size_t i = 0; slash && i < COUNT(places); i++) {
        snprintf(path, sizeof path, "%.*s%s/" BAD_STAGE ".so",
                 (int)(slash + 1 - program), program, places[i]);
        host_wad_read(&library, path);
        if (library.size > 0)
            return true;
    }
    host_wad_read(&library, CHECK_FOLDER "/" BAD_STAGE ".so");
    return library.size > 0;
}

void host_begin(const char *given)
{
    static const struct {
        char *path;
        const char *name;
    } all[] = {
        {files, "files"},      {stages, "stages"},
        {in, "files/in.wad"},  {out, "files/out.wad"},
        {printed, "printed"},  {stage_file, "stages/" BAD_STAGE ".so"},
        {own_file, "own"},     {temporary, "temporary"},
        {usual_file, "usual"}, {complaints, "complaints"},
    };
    char *words[MOST_WORDS];
    char path[PATH_SIZE / 2], *absolute = NULL;
    const char *parent = getenv("TMPDIR");
    command = given;
    const char *flaw = make_words(false, "", words);
    if (flaw)
        end_with(2, "the command of the host cannot be run: ", flaw);
    snprintf(path, sizeof path, "%s/nbstage-check.XXXXXX",
             parent && *parent ? parent : "/tmp");
    if (mkdtemp(path))
        absolute = realpath(path, NULL);
    if (!absolute || strlen(absolute) >= sizeof folder)
        end_with(3, "no temporary folder can be made: ", strerror(errno));
    strcpy(folder, absolute);
    free(absolute);
    for (size_t i = 0; i < COUNT(all); i++)
        snprintf(all[i].path, PATH_SIZE, "%s/%s", folder, all[i].name);
    if (!read_library())
        end_with(3, "the stage for hosts is missing: ",
                 CHECK_FOLDER "/" BAD_STAGE ".so");
    if (mkdir(stages, 0700) != 0 || !host_wad_make(&input))
        end_with(3, "the files for the host cannot be made: ", strerror(errno));
}

void host_end(void)
{
    host_wad_free(&input);
    host_wad_free(&library);
    free(text_of_words);
    if (*folder)
        remove_folder(folder);
}
