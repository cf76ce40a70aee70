// SPDX-License-Identifier: GPL-2.0-or-later
//
// The numbers of a UDMF map.

#ifndef UDMF_NUMBERS_H
#define UDMF_NUMBERS_H

#include "map/udmf.h"

// Each reads a value and returns whether it is such a number.

// An integer in any notation, of 32 bits, without a minus.
bool udmf_read_unsigned(const struct udmf_token *token, uint32_t *value);

// An integer in any notation, of 32 bits and a sign.
bool udmf_read_integer(const struct udmf_token *token, int64_t *value);

// A float or an integer in any notation, as 16.16.
bool udmf_read_fixed(const struct udmf_token *token, int32_t *value);

#endif
