// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prints where the members of nbstage.h are: for each "MEMBER(structure,
// member)" of the generated file members.h, the structure, the member, its
// offset, its size, and the size of the structure.

#include "nbstage.h"

#include <stdio.h>

#define MEMBER(structure, member) \
    printf("%s %s %zu %zu %zu\n", #structure, #member, \
           offsetof(struct structure, member), \
           sizeof(((struct structure *)0)->member), sizeof(struct structure));

int main(void)
{
#include "members.h"
    return 0;
}
