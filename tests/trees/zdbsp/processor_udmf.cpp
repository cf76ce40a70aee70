/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has the function by which our script knows a version with UDMF. */
#include "processor.h"

void FProcessor::WriteUDMF(FWadWriter &)
{
}
