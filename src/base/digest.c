// SPDX-License-Identifier: GPL-2.0-or-later
//
// The digest of a line begins as a multiple of a large odd number, so it costs
// one addition from line to line.  Multiples alone are not enough: the sums of
// lines 1 and 4 and of lines 2 and 3 would be equal.  Folding the upper bits
// into the lower ones, and these into the upper ones again, makes such sums
// differ.

#include "base/digest.h"

#include "base/vector.h"

// 2^64 divided by the golden ratio, which spreads multiples evenly.
static const uint64_t digest_factor = UINT64_C(0x9E3779B97F4A7C15);

struct digest_form digest_form(size_t line_count, uint32_t salt)
{
    struct digest_form form = {0, digest_factor * (2 * (uint64_t)salt + 1)};
    while (form.length_mask < line_count)
        form.length_mask = form.length_mask << 1 | 1;
    return form;
}

VECTOR_BODY void digest_series_body(struct digest_form form, uint64_t first,
                                    size_t count, uint64_t *digests)
{
    uint64_t multiple = first;
    for (size_t i = 0; i < count; i++, multiple += form.factor) {
        uint64_t digest = multiple ^ multiple >> 29;
        digest ^= digest << 32;
        digests[i] = (digest & ~form.length_mask) + 1;
    }
}

VECTOR_FUNCTION(digest_series,
                (struct digest_form form, uint64_t first, size_t count,
                 uint64_t *digests),
                (form, first, count, digests))

void digest_lines(struct digest_form form, size_t first_line, size_t count,
                  uint64_t *digests)
{
    digest_series(form, (first_line + 1) * form.factor, count, digests);
}
