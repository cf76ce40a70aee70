/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads options as ZDBSP does: main [--blockmap-plugin=NAME[,OPTION=VALUE]...]
   or -V. */
#include "processor.h"

enum { no_argument, required_argument };

static const struct {
    const char *name;
    int has_arg, *flag, val;
} long_opts[] = {
    {"version", no_argument, 0, 'V'},
    {"comments", no_argument, 0, 'c'},
};

static void take_option(int ch, char *optarg)
{
    switch (ch) {
    case 'V':
        // clang-format off
        printf(
"  -V, --version            Display version information\n"
        );
        // clang-format on
        exit(optarg ? 1 : 0);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        for (const auto &option : long_opts) {
            const size_t length = strlen(option.name);
            if (strncmp(argv[i], "--", 2) != 0 ||
                strncmp(argv[i] + 2, option.name, length) != 0)
                continue;
            char *value = argv[i] + 2 + length;
            take_option(option.val, *value == '=' ? value + 1 : nullptr);
        }
    FProcessor(0).Write();
    FProcessor(1).Write();
    return 0;
}
