/* What random play in C shares with a batch: its seeds, the words of its policies, the dice of most games. */

#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

typedef struct {
    int64_t word, game, turn, ended;
} Slot;

static inline uint32_t mixed(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7FEB352DU;
    x ^= x >> 15;
    x *= 0x846CA68BU;
    return x ^ (x >> 16);
}

/* The match's seed of a slot's present game. */
static inline uint64_t seed_of(int64_t at, int64_t game, uint32_t low, uint32_t high) {
    uint32_t lower = mixed(mixed((uint32_t)at) ^ low);
    uint32_t upper = mixed(mixed((uint32_t)game) ^ high ^ lower) & 0x7FFFFFFF;
    return (uint64_t)upper << 32 | lower;
}

/* A policy's number from 0 .. n-1. */
static inline uint32_t below(int64_t *word, uint32_t n) {
    uint32_t x = (uint32_t)*word;
    *word = x * 747796405U + 2891336453U;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737U;
    return (uint32_t)((uint64_t)((x >> 22) ^ x) * n >> 32);
}

static inline uint32_t philox(uint32_t draw, uint32_t turn, uint64_t seed) {
    uint32_t x0 = draw, x1 = turn, x2 = 0, x3 = 0, k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int i = 0; i < 10; i++) {
        uint64_t a = (uint64_t)0xD2511F53U * x0, b = (uint64_t)0xCD9E8D57U * x2;
        uint32_t y0 = (uint32_t)(b >> 32) ^ x1 ^ k0, y2 = (uint32_t)(a >> 32) ^ x3 ^ k1;
        x1 = (uint32_t)b;
        x3 = (uint32_t)a;
        x0 = y0;
        x2 = y2;
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    return x0;
}

/* The dice's next number from 0 .. n-1 in this turn. */
static inline uint32_t uniform(uint32_t *draw, uint32_t turn, uint64_t seed, uint32_t n) {
    uint32_t unfair = (uint32_t)(4294967296ULL % n);
    for (;;) {
        uint32_t x = philox((*draw)++, turn, seed);
        if (x >= unfair)
            return x % n;
    }
}

#endif
