# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints a TEXTMAP of square rooms in columns and rows around 0,0:
# awk -v columns=N -v rows=N -v step=UNITS -v size=UNITS.  Of the four lines of
# a room one is two-sided and one has a special.

function line(from, to, more)
{
    printf "linedef { v1 = %d; v2 = %d; sidefront = 0; %s}\n", from, to, more
}

BEGIN {
    print "namespace = \"doom\";"
    for (row = 0; row < rows; row++)
        for (column = 0; column < columns; column++) {
            x = (column - (columns - 1) / 2) * step - size / 2 + row * 7 % 64
            y = (row - (rows - 1) / 2) * step - size / 2 + column * 5 % 64
            printf "vertex { x = %d.0; y = %d.0; }\n", x, y
            printf "vertex { x = %d.0; y = %d.0; }\n", x, y + size
            printf "vertex { x = %d.0; y = %d.0; }\n", x + size, y + size
            printf "vertex { x = %d.0; y = %d.0; }\n", x + size, y
        }
    for (first = 0; first < 4 * columns * rows; first += 4) {
        line(first, first + 1, "")
        line(first + 1, first + 2, "sideback = 0; twosided = true; ")
        line(first + 2, first + 3, "special = 11; id = 3; ")
        line(first + 3, first, "")
    }
    print "sidedef { sector = 0; }"
    print "sector { texturefloor = \"FLAT\"; textureceiling = \"FLAT\"; }"
}
