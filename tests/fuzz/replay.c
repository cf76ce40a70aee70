// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a target on files, without libFuzzer: any compiler will do.

#include "module.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct buffer file = buffer_read_file(argv[i]);
        // Of just its size, so that reading past it is noticed.
        uint8_t *copy = buffer_copy_exactly(file.bytes, file.size);
        // Should the process end here, this is the input that did it.
        printf("%s\n", argv[i]);
        fflush(stdout);
        LLVMFuzzerTestOneInput(copy, file.size);
        free(copy);
        buffer_free(&file);
    }
    printf("%d inputs\n", argc - 1);
    return 0;
}
