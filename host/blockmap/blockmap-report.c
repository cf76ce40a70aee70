// SPDX-License-Identifier: GPL-2.0-or-later

#include "config.h"

#include "blockmap/blockmap-report.h"

#include "report.h"

#include <inttypes.h>

// Origins are in map units; in XBM1 they may have a fraction.
void blockmap_report_json(const struct blockmap *blockmap, const char *form)
{
    json_count("bytes", blockmap->bytes);
    json_string("form", form);
    json_string("fault", blockmap_fault_names[blockmap->fault]);
    json_number("origin_x", blockmap_edge(blockmap->origin_x, 0));
    json_number("origin_y", blockmap_edge(blockmap->origin_y, 0));
    json_integer("columns", blockmap->columns);
    json_integer("rows", blockmap->rows);
    json_count("words", blockmap->words.count);
    json_integer("largest_offset", blockmap->largest_offset);
    json_string("headers", blockmap_headers_names[blockmap->headers]);
    json_count("lists", blockmap->list_count);
    json_count("nested_lists", blockmap->nested_count);
    json_count("duplicate_lists", blockmap->duplicate_count);
    json_count("unsorted_lists", blockmap->unsorted_count);
    json_count("repeating_lists", blockmap->repeating_count);
    json_count("too_large_lists", blockmap->too_large_count);
    json_count("unreached_words", blockmap->unreached_words);
    json_count("odd_bytes", blockmap->odd_bytes);
    json_count("unreadable_blocks", blockmap->unreadable_count);
}

void blockmap_report_engines_json(const struct engine_verdicts *verdicts)
{
    json_open("engines", '[');
    for (size_t i = 0; verdicts && i < verdicts->count; i++) {
        json_open(NULL, '{');
        json_string("engine", verdicts->engine[i]->name);
        json_string("verdict", engine_verdict_names[verdicts->verdict[i]]);
        json_close('}');
    }
    json_close(']');
}

void blockmap_report_fault(const char *which, const struct blockmap *blockmap)
{
    if (blockmap->fault == BLOCKMAP_NO_GRID)
        finding_print("unreadable %slump: %zu bytes hold no grid", which,
                      blockmap->bytes);
    if (blockmap->fault == BLOCKMAP_NO_TABLE)
        finding_print("unreadable %slump: %zu words are too few for the "
                      "offsets of %" PRIu32 " x %" PRIu32 " blocks",
                      which, blockmap->words.count, blockmap->columns,
                      blockmap->rows);
    if (blockmap->fault == BLOCKMAP_TOO_MANY_BLOCKS)
        finding_print("unreadable %slump: %" PRIu32 " x %" PRIu32
                      " blocks are too many; max-blocks allows for %" PRIu64,
                      which, blockmap->columns, blockmap->rows,
                      blockmap->limit);
    if (blockmap->fault == BLOCKMAP_TOO_MUCH_MEMORY)
        finding_print("unreadable %slump: its %zu bytes may take more than the "
                      "%" PRIu64 " MiB of memory that max-memory allows for",
                      which, blockmap->bytes, blockmap->limit >> 20);
}

const char *blockmap_report_reason(enum list_fault fault)
{
    static const char *const reasons[] = {
        [LIST_IN_TABLE] = "its offset is in the table of offsets",
        [LIST_OUTSIDE] = "its offset is past the end of the lump",
        [LIST_ENDLESS] = "its list has no end",
    };
    return reasons[fault];
}
