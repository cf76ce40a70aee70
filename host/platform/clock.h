// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef CLOCK_H
#define CLOCK_H

// Seconds on a clock that only runs forward.
double clock_now(void);

#endif
