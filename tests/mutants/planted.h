// SPDX-License-Identifier: GPL-2.0-or-later
//
// plant.pl puts this at the top of each file that it plants faults in.  The
// environment chooses the fault of a process: BLOCKSWEEP_FAULT is its number.
// BLOCKSWEEP_REACHED names a file with a byte for each fault; a byte becomes 1
// when a process reaches the fault's place, even if the process is then killed.
// System calls are made directly, because tests make those of the C library
// fail.

#include <sys/syscall.h>

extern int atoi(const char *);
extern char *getenv(const char *);
extern long syscall(long, ...);

static int planted_fault = -1;
static volatile unsigned char *planted_reached;

__attribute__((__constructor__)) static void planted_begin(void)
{
    const char *fault = getenv("BLOCKSWEEP_FAULT");
    const char *path = getenv("BLOCKSWEEP_REACHED");
    long file = path ? syscall(SYS_open, path, 2 /* read and write */) : -1;
    if (fault)
        planted_fault = atoi(fault);
    if (file < 0)
        return;
    long mapped = syscall(SYS_mmap, (void *)0, 4096UL, 3 /* read, write */,
                          1 /* shared */, file, 0L);
    if (mapped > 0 || mapped < -4095)
        planted_reached = (volatile unsigned char *)mapped;
    syscall(SYS_close, file);
}

static inline int planted(int fault)
{
    if (planted_reached)
        planted_reached[fault] = 1;
    return planted_fault == fault;
}
