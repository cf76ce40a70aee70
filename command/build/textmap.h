// SPDX-License-Identifier: GPL-2.0-or-later
//
// TEXTMAP as blocks, for a comparison that does not see comments, blanks, the
// order of fields, or how a number is written.

#ifndef TEXTMAP_H
#define TEXTMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum textmap_kind {
    TEXTMAP_THING,
    TEXTMAP_LINEDEF,
    TEXTMAP_SIDEDEF,
    TEXTMAP_SECTOR,
    TEXTMAP_VERTEX,
    TEXTMAP_OTHER, // blocks of any other name
    TEXTMAP_KINDS,
};

// The members of `numbers`: what builders number anew, or compute with.
enum {
    TEXTMAP_V1,
    TEXTMAP_V2,
    TEXTMAP_FRONT,
    TEXTMAP_BACK,
    TEXTMAP_NUMBERS,
    TEXTMAP_X = TEXTMAP_V1, // of a vertex, in 16.16
    TEXTMAP_Y = TEXTMAP_V2,
    TEXTMAP_OWN_SECTOR = TEXTMAP_V1, // of a sidedef
};

struct textmap_block {
    const unsigned char *name, *fields; // where they begin in the text
    int64_t numbers[TEXTMAP_NUMBERS];   // 0 for x and y, else -1 if not given
    uint64_t digest;                    // of all other fields, in any order
};

struct textmap {
    const unsigned char *end;
    struct textmap_block *blocks[TEXTMAP_KINDS];
    size_t counts[TEXTMAP_KINDS];
    uint64_t digest; // of the fields outside blocks
    bool is_read;    // false: the text is malformed
};

enum { TEXTMAP_NAME_SIZE = 32 };

// Reads a text, which must outlive the result.  Returns false if memory runs
// out.  Call textmap_free in any case.
bool textmap_read(const unsigned char *bytes, size_t size,
                  struct textmap *text);

// Stores the name of a block, or of the first field that differs between two
// blocks of a kind; "" if only the number of fields or their order does.  Long
// names are truncated.
void textmap_name_block(const struct textmap *text,
                        const struct textmap_block *block,
                        char name[TEXTMAP_NAME_SIZE]);
void textmap_name_field(const struct textmap *a,
                        const struct textmap_block *block_of_a,
                        const struct textmap *b,
                        const struct textmap_block *block_of_b,
                        enum textmap_kind kind, char name[TEXTMAP_NAME_SIZE]);

void textmap_free(struct textmap *text);

#endif
