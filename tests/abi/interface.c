// SPDX-License-Identifier: GPL-2.0-or-later
//
// Nothing but what a stage exports: the types of one symbol are the interface.

#include "nbstage.h"

const struct nbstage_descriptor *nbstage_describe(uint32_t abi);

const struct nbstage_descriptor *nbstage_describe(uint32_t abi)
{
    (void)abi;
    return NULL;
}
