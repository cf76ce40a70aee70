// SPDX-License-Identifier: GPL-2.0-or-later
//
// Coordinates are kept as 16.16, truncated toward zero, as ZDBSP and source
// ports keep them, but read exactly: a double may round 0.1 up where
// truncation must not.  65536ths have at most 16 decimals, so 16 digits of
// the fraction decide, and with N for them floor(N / 10^16 * 2^16) is N / 5^16.

#include "map/udmf-numbers.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hexadecimal_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Reads an integer without sign: decimal, 0x..., or octal with a leading 0.
// False if it is none or beyond 32 bits.
static bool read_integer(const char *c, const char *end, uint32_t *value)
{
    uint64_t number = 0;
    unsigned base = 10;
    if (end - c > 2 && c[0] == '0' && (c[1] | 32) == 'x') {
        base = 16;
        c += 2;
    } else if (end - c > 1 && c[0] == '0') {
        base = 8;
    }
    if (c == end)
        return false;
    for (; c < end; c++) {
        int digit = hexadecimal_digit(*c);
        if (digit < 0 || (unsigned)digit >= base)
            return false;
        number = number * base + (unsigned)digit;
        if (number > UINT32_MAX)
            return false;
    }
    *value = (uint32_t)number;
    return true;
}

bool udmf_read_unsigned(const struct udmf_token *token, uint32_t *value)
{
    const char *begin = token->begin;
    if (begin < token->end && *begin == '+')
        begin++;
    return read_integer(begin, token->end, value);
}

bool udmf_read_integer(const struct udmf_token *token, int64_t *value)
{
    const char *c = token->begin;
    bool negative = c < token->end && *c == '-';
    uint32_t magnitude;
    if (c < token->end && (*c == '-' || *c == '+'))
        c++;
    if (!read_integer(c, token->end, &magnitude))
        return false;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

// A decimal number: its digits, where the point is among them, and what the
// exponent shifts it by.
struct decimal {
    const char *digits; // with at most one '.' among them
    const char *end;
    ptrdiff_t point; // digits before it, exponent included
};

// Larger than the number of digits in any text, so that more makes no
// difference.
static const ptrdiff_t largest_exponent = PTRDIFF_MAX / 16;

static bool read_exponent(const char *c, const char *end, ptrdiff_t *exponent)
{
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    if (c == end)
        return false;
    for (*exponent = 0; c < end; c++) {
        if (!is_digit(*c))
            return false;
        if (*exponent < largest_exponent)
            *exponent = *exponent * 10 + (*c - '0');
    }
    if (negative)
        *exponent = -*exponent;
    return true;
}

static bool read_decimal(const char *c, const char *end,
                         struct decimal *decimal)
{
    size_t digit_count = 0;
    bool has_point = false;
    ptrdiff_t exponent = 0;
    decimal->digits = c;
    decimal->point = 0;
    for (; c < end && (is_digit(*c) || (*c == '.' && !has_point)); c++) {
        if (*c == '.') {
            has_point = true;
        } else {
            digit_count++;
            decimal->point += !has_point;
        }
    }
    decimal->end = c;
    if (digit_count == 0)
        return false;
    if (c < end && ((*c | 32) != 'e' || !read_exponent(c + 1, end, &exponent)))
        return false;
    decimal->point += exponent;
    return true;
}

// Takes the digits of a decimal one by one; behind the last there are zeros.
static unsigned next_digit(struct decimal *decimal)
{
    if (decimal->digits < decimal->end && *decimal->digits == '.')
        decimal->digits++;
    if (decimal->digits == decimal->end)
        return 0;
    return (unsigned)(*decimal->digits++ - '0');
}

enum { FRACTION_DIGITS = 16, WHOLE_LIMIT = 65536 };

#define OUT_OF_RANGE UINT32_MAX

static const uint64_t five_to_the_16 = UINT64_C(152587890625);

// The magnitude in 16.16, rounded down; OUT_OF_RANGE from WHOLE_LIMIT on.
static uint32_t decimal_to_fixed(struct decimal decimal)
{
    uint64_t whole = 0;
    ptrdiff_t left = decimal.point;
    // Zeros behind the digits cannot make 0 larger, and anything else is soon
    // over the limit, so this ends however large the exponent is.
    for (; left > 0 && whole < WHOLE_LIMIT; left--) {
        if (whole == 0 && decimal.digits == decimal.end)
            return 0;
        whole = whole * 10 + next_digit(&decimal);
    }
    if (whole >= WHOLE_LIMIT)
        return OUT_OF_RANGE;
    uint64_t fraction = 0;
    for (int i = 0; i < FRACTION_DIGITS; i++) {
        // A negative point puts zeros before the digits.
        unsigned digit = left < 0 ? 0 : next_digit(&decimal);
        left += left < 0;
        fraction = fraction * 10 + digit;
    }
    return (uint32_t)(whole << 16 | fraction / five_to_the_16);
}

bool udmf_read_fixed(const struct udmf_token *token, int32_t *value)
{
    const char *c = token->begin;
    bool negative = c < token->end && *c == '-';
    if (c < token->end && (*c == '-' || *c == '+'))
        c++;
    struct decimal decimal;
    uint32_t magnitude;
    bool based = token->end - c > 1 && c[0] == '0' &&
                 read_integer(c, token->end, &magnitude);
    if (based)
        magnitude = magnitude < WHOLE_LIMIT ? magnitude << 16 : OUT_OF_RANGE;
    else if (read_decimal(c, token->end, &decimal))
        magnitude = decimal_to_fixed(decimal);
    else
        return false;
    if (magnitude > (uint32_t)INT32_MAX + negative)
        return false;
    *value = negative ? (int32_t) - (int64_t)magnitude : (int32_t)magnitude;
    return true;
}
