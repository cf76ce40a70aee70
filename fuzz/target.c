// SPDX-License-Identifier: GPL-2.0-or-later

#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void target_fail(const char *file, int line, const char *sentence)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, sentence);
    abort();
}

void require_sentence(const char *sentence)
{
    REQUIRE(sentence[0] != '\0', "a sentence is not empty");
    while (*sentence >= ' ' && *sentence <= '~')
        sentence++;
    REQUIRE(*sentence == '\0', "a sentence is a line of printable characters");
}

uint8_t input_u8(struct input *input)
{
    if (input->size == 0)
        return 0;
    input->size--;
    return *input->bytes++;
}

uint16_t input_u16(struct input *input)
{
    unsigned low = input_u8(input);
    unsigned high = input_u8(input);
    return (uint16_t)(low | high << 8);
}

struct input input_bytes(struct input *input, size_t size)
{
    struct input taken = *input;
    if (taken.size > size)
        taken.size = size;
    input->bytes += taken.size;
    input->size -= taken.size;
    return taken;
}

void input_line(struct input *input, char *line, size_t size)
{
    size_t length = 0;
    while (input->size > 0) {
        char c = (char)input_u8(input);
        if (c == '\n')
            break;
        if (length + 1 < size)
            line[length++] = c;
    }
    line[length] = '\0';
}

uint8_t *input_copy(const struct input *input)
{
    uint8_t *copy = malloc(input->size > 0 ? input->size : 1);
    REQUIRE(copy, "there is memory for the input");
    if (input->size > 0)
        memcpy(copy, input->bytes, input->size);
    return copy;
}
