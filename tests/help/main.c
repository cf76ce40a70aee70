// SPDX-License-Identifier: GPL-2.0-or-later
//
// The main function of test programs that have none of their own: they run
// their tests, and nothing has to be made before.

#include "context-for-tests.h"

int main(void)
{
    return run_tests(all_tests());
}
