/* Connect four's random play by hand in C, as drop_block.c. A player's stones are bits: column * 8 + row. */

#include "chance.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

enum { SEATS = 2, COLUMNS = 7, FOUR = 1, FULL = 2, GIVEN_UP = 3 };

typedef struct {
    uint64_t stones[SEATS];
    int32_t turn, ended;
} State;

#define TOP_ROW 0x20202020202020ULL

static void deal(State *s, uint64_t seed) {
    (void)s;
    (void)seed;
}

static int fours(uint64_t stones, int by) {
    uint64_t pairs = stones & stones >> by;
    return (pairs & pairs >> 2 * by) != 0;
}

/* The k-th of these bits. */
static inline uint64_t kth(uint64_t bits, uint32_t k) {
#ifdef __BMI2__
    return _pdep_u64(1ULL << k, bits);
#else
    for (; k > 0; k--)
        bits &= bits - 1;
    return bits & -bits;
#endif
}

static inline void turn(State *s, int64_t *word, uint64_t seed) {
    (void)seed;
    uint64_t taken = s->stones[0] | s->stones[1], room = ~taken & TOP_ROW;
    uint64_t top = kth(room, below(word, (uint32_t)__builtin_popcountll(room))), column = 2 * top - (top >> 5);
    uint64_t *mine = &s->stones[s->turn & 1];
    *mine |= (taken + (column & 0x01010101010101ULL)) & column & ~taken;
    s->turn++;
    if (fours(*mine, 1) | fours(*mine, 7) | fours(*mine, 8) | fours(*mine, 9))
        s->ended = FOUR;
    else if (s->turn == 42)
        s->ended = FULL;
}

static inline int over(const State *s) { return s->ended != 0; }

static inline int winner(const State *s) { return s->ended == FOUR ? (s->turn + 1) & 1 : -1; }

#include "rollout.h"
