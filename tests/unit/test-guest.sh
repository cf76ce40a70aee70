#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the tests of the module as a guest where there is a locale with a decimal
# comma.

. "$SOURCE_DIR/tests/help/library.sh"

# All else is as it is without a locale, which localedef regrets.
cat >comma.source <<END
LC_NUMERIC
decimal_point ","
thousands_sep "."
grouping 3;3
END LC_NUMERIC
END
localedef -c -i comma.source ./comma 2>warnings || true
if [ -e comma/LC_NUMERIC ]; then
    LOCPATH=$folder
    COMMA_LOCALE=comma
    export LOCPATH COMMA_LOCALE
fi
"$BUILD_DIR/tests/unit/guest"
