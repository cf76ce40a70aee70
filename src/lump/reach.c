// SPDX-License-Identifier: GPL-2.0-or-later

#include "lump/reach.h"

#include "lines/lines.h"
#include "lump/engines.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct reach reach_find(engine_set named, int32_t distance)
{
    struct reach reach = {.loss = GRID_HOLDS};
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        const struct engine *engine = &engine_table[i];
        const enum grid_loss loss = grid_find_loss(distance, engine->reach);
        if ((named && !(named & ENGINE_BIT(i))) || loss == GRID_HOLDS ||
            loss < reach.loss)
            continue;
        const int32_t begins = grid_loss_begins(loss, engine->reach);
        if (loss > reach.loss || begins < reach.begins)
            reach.begins = begins;
        if (loss > reach.loss)
            reach.engines = 0;
        reach.loss = loss;
        reach.engines |= ENGINE_BIT(i);
    }
    return reach;
}

void reach_describe(const struct reach *reach, int32_t distance,
                    char text[REACH_TEXT])
{
    char engines[REACH_TEXT / 2];
    text[0] = '\0';
    if (reach->loss == GRID_HOLDS)
        return;
    engines_list(reach->engines, engines, sizeof engines);
    snprintf(text, REACH_TEXT,
             "over %ld units from the grid's origin %s in %s, and lines reach "
             "%ld",
             (long)reach->begins,
             reach->loss == GRID_MAY_PASS_ALL ? "walls may not block"
                                              : "shots may pass walls",
             engines, (long)distance);
}

const char *reach_advise(const struct reach *reach, engine_set named,
                         int32_t least_distance)
{
    return reach_find(named, least_distance).loss < reach->loss
               ? "try grid=fit"
               : "no blockmap can help, as the map is too large for these "
                 "ports";
}
