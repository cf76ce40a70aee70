// SPDX-License-Identifier: GPL-2.0-or-later
//
// A pool that keeps nothing and has no limit, to link the module with: every
// request reaches the host, who must give memory.

#include "pool.h"

void pool_limit(struct pool *pool, size_t bytes)
{
    (void)pool;
    (void)bytes;
}

void *pool_allocate(void *user, size_t bytes)
{
    const struct pool *pool = user;
    return pool->allocate(pool->user, bytes);
}

void pool_release(void *user, void *memory)
{
    const struct pool *pool = user;
    pool->release(pool->user, memory);
}

void pool_empty(struct pool *pool)
{
    (void)pool;
}
