#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that mutants.pl plants each kind of fault where it can be, and none in
# comments, strings, declarations, or lines for the preprocessor.

. "$SOURCE_DIR/tests/help/library.sh"

cat >sample.c <<'END'
// if (a < 1) a = 2;
#define MORE(a) \
    ((a) < 1 && true)
static const int table[] = {1, 2};
static_assert(sizeof table == 8, "1 < 2");
struct pair {
    int a[2];
};

/* a == 1;
   return 1; */
static int work(struct pair *pair, int count)
{
    static_assert(1 < 2, "");
    char text[20] = {0};
    const char *quoted = "a < 1 \" && true;";
    if (count <= 1 || !pair) // 1 < 2
        return -5;
    for (int i = 0; i < count; i++)
        pair->a[i] += 0x10U;
    switch (count - 'a') {
    case 3:
        work(pair,
             4);
        break;
    }
    free(pair);
    text[7] = '1';
    return quoted[count] == *text;
}
END
cat >expected <<'END'
17: if (count <= 1 || !pair) // 1 < 2 -> if (!(count <= 1 || !pair)) // 1 < 2
17: if (count <= 1 || !pair) // 1 < 2 -> if (count < 1 || !pair) // 1 < 2
17: if (count <= 1 || !pair) // 1 < 2 -> if (count <= 0 || !pair) // 1 < 2
17: if (count <= 1 || !pair) // 1 < 2 -> if (count <= 1 && !pair) // 1 < 2
18: return -5; -> ;
18: return -5; -> return -6;
19: for (int i = 0; i < count; i++) -> for (int i = 1; i < count; i++)
19: for (int i = 0; i < count; i++) -> for (int i = 0; i <= count; i++)
20: pair->a[i] += 0x10U; -> ;
20: pair->a[i] += 0x10U; -> pair->a[i] -= 0x10U;
20: pair->a[i] += 0x10U; -> pair->a[i] += (0x10U + 1);
21: switch (count - 'a') { -> switch (count + 'a') {
22: case 3: -> case 4:
23: work(pair, 4); -> ;
24: 4); -> 5);
25: break; -> ;
28: text[7] = '1'; -> ;
28: text[7] = '1'; -> text[8] = '1';
29: return quoted[count] == *text; -> return quoted[count] != *text;
END
perl "$SOURCE_DIR/tests/mutants/mutants.pl" list sample.c |
    sed 's/^sample.c://' >found
diff expected found || fail "these faults were expected"
