// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options as text: lines of a name, "=" and a value.  Each is taken if the
// table of options says so, by a plain reading of it, and else leaves all
// options what they were and a sentence no longer than there is room for.

#include "options.h"
#include "target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// What the table says about a name; NULL if nothing.
static const struct nbstage_option *find_option(const char *name)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strcmp(options_table[i].name, name) == 0)
            return &options_table[i];
    return NULL;
}

static bool is_choice(const struct nbstage_option *option, const char *value)
{
    for (size_t i = 0; i < option->choice_count; i++)
        if (strcmp(option->choices[i].name, value) == 0)
            return true;
    return false;
}

// Whether text is names of choices with commas between them, each once, and the
// first of the table only alone.
static bool is_list(const struct nbstage_option *option, const char *text)
{
    char copy[256];
    size_t counts[16] = {0};
    size_t items = 0;
    if (text[0] == ',' || strstr(text, ",,") || strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    for (char *name = strtok(copy, ","); name; name = strtok(NULL, ",")) {
        size_t i = 0;
        while (i < option->choice_count &&
               strcmp(option->choices[i].name, name) != 0)
            i++;
        if (i == option->choice_count || ++counts[i] > 1)
            return false;
        items++;
    }
    return items > 0 && text[strlen(text) - 1] != ',' &&
           (counts[0] == 0 || items == 1);
}

// Whether text is digits and nothing else.
static bool is_digits(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

// A 16-bit number with a sign or without, up to `end`.
static bool is_coordinate(const char *text, const char *end)
{
    char *behind;
    const char *digits = text + (*text == '-' || *text == '+');
    if (*digits < '0' || *digits > '9')
        return false;
    errno = 0;
    long number = strtol(text, &behind, 10);
    return behind == end && errno == 0 && number >= INT16_MIN &&
           number <= INT16_MAX;
}

// Whether the text has the form "X,Y".
static bool is_place(const char *value)
{
    const char *comma = strchr(value, ',');
    return comma && is_coordinate(value, comma) &&
           is_coordinate(comma + 1, value + strlen(value));
}

static bool is_valid(const struct nbstage_option *option, const char *value)
{
    if (option->type == NBSTAGE_OPTION_LIST)
        return is_list(option, value);
    if (option->type != NBSTAGE_OPTION_INTEGER)
        return is_choice(option, value) || (option->form && is_place(value));
    if (!is_digits(value))
        return false;
    errno = 0;
    long long number = strtoll(value, NULL, 10);
    return errno == 0 && number >= option->minimum && number <= option->maximum;
}

static nbstage_status expected_status(const char *name, const char *value)
{
    const struct nbstage_option *option = find_option(name);
    if (!option)
        return NBSTAGE_UNKNOWN_OPTION;
    return is_valid(option, value) ? NBSTAGE_OK : NBSTAGE_BAD_VALUE;
}

static void set(struct build_options *options, const char *name,
                const char *value, size_t message_size)
{
    struct build_options before;
    memcpy(&before, options, sizeof before);
    // Of just this size, so that a byte more is noticed.
    char *message = calloc(message_size, 1);
    REQUIRE(message, "there is memory for the message");
    nbstage_status status =
        options_set(options, name, value, false, message, message_size);
    REQUIRE(status == expected_status(name, value),
            "options take what their table says");
    if (status != NBSTAGE_OK) {
        REQUIRE(memcmp(&before, options, sizeof before) == 0,
                "a value that is not taken changes nothing");
        REQUIRE(memchr(message, '\0', message_size), "the sentence ends");
        require_sentence(message);
    }
    free(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    struct build_options options;
    memset(&options, 0, sizeof options);
    options_set_defaults(&options);
    size_t message_size = 64 + input_u8(&input);
    while (input.size > 0) {
        char line[256];
        input_line(&input, line, sizeof line);
        char *value = strchr(line, '=');
        if (value)
            *value++ = '\0';
        set(&options, line, value ? value : "", message_size);
    }
    return 0;
}
