/* Drop-Block's step and random play by hand in C: the limit that compiled rules are measured against.

   Built as a shared library. It plays what a batch's rollout plays, seeds, dice and policy included, so that both must
   end in the same states: what is compared does the same work. States have the batch's own layout.

   "begin" starts slots [first, last), "roll" plays `steps` turns in each; `wins` has five counts a slot: games won by
   each seat, and by nobody. */

#include <stdint.h>
#include <string.h>

enum { SEATS = 4, SQUARES = 18, BLOCKS = 6, WIDTH = 3, FLOOR = BLOCKS * BLOCKS };

typedef struct {
    int32_t turn, limit, fallen_at[SEATS];
    int8_t row[SEATS], column[SEATS], facing[SEATS], stun[SEATS], block[FLOOR], dealt, idle_on, column_first;
} State;

typedef struct {
    int64_t word, game, turn, ended;
} Slot;

static const int ROW_STEP[4] = {-1, 0, 1, 0}, COLUMN_STEP[4] = {0, 1, 0, -1};

/* --- chance */

static uint32_t mixed(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7FEB352DU;
    x ^= x >> 15;
    x *= 0x846CA68BU;
    return x ^ (x >> 16);
}

static uint32_t lot(int64_t *word) {
    uint32_t x = (uint32_t)*word;
    *word = x * 747796405U + 2891336453U;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737U;
    return (x >> 22) ^ x;
}

static uint32_t philox(uint32_t draw, uint64_t seed) {
    uint32_t x0 = draw, x1 = 0, x2 = 0, x3 = 0, k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
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

static uint32_t uniform(uint32_t *draw, uint64_t seed, uint32_t n) {
    uint32_t unfair = (uint32_t)(4294967296ULL % n);
    for (;;) {
        uint32_t x = philox((*draw)++, seed);
        if (x >= unfair)
            return x % n;
    }
}

/* --- the rules */

static int apart(int a, int b, int c, int d) {
    int rows = a > c ? a - c : c - a, columns = b > d ? b - d : d - b;
    return rows + columns;
}

static int block_at(int row, int column) { return (int)((unsigned)row / WIDTH * BLOCKS + (unsigned)column / WIDTH); }

static void deal(State *s, uint64_t seed) {
    uint32_t draw = 0;
    for (int p = 0; p < SEATS; p++) {
        int open, row, column;
        do {
            uint32_t square = uniform(&draw, seed, SQUARES * SQUARES);
            row = (int)square / SQUARES;
            column = (int)square % SQUARES;
            open = 1;
            for (int q = 0; q < p; q++)
                open &= apart(row, column, s->row[q], s->column[q]) > 3;
        } while (!open);
        s->row[p] = (int8_t)row;
        s->column[p] = (int8_t)column;
        s->facing[p] = (int8_t)uniform(&draw, seed, 4);
    }
    s->dealt = 1;
}

static int can_enter(const State *s, int p, int row, int column) {
    if (row < 0 || row >= SQUARES || column < 0 || column >= SQUARES || s->block[block_at(row, column)] < 0)
        return 0;
    for (int q = 0; q < SEATS; q++)
        if (q != p && s->row[q] >= 0 && apart(row, column, s->row[q], s->column[q]) <= 3)
            return 0;
    return 1;
}

static void step(State *s, int action) {
    int p = s->turn % SEATS;
    if (s->row[p] >= 0 && s->stun[p] == 0) {
        if (action < 4) {
            int row = s->row[p] + ROW_STEP[action], column = s->column[p] + COLUMN_STEP[action];
            s->facing[p] = (int8_t)action;
            if (can_enter(s, p, row, column)) {
                s->row[p] = (int8_t)row;
                s->column[p] = (int8_t)column;
            }
        } else if (action == 4) {
            int d = s->facing[p], n = 1;
            int row = s->row[p] / WIDTH + ROW_STEP[d], column = s->column[p] / WIDTH + COLUMN_STEP[d];
            for (; row >= 0 && row < BLOCKS && column >= 0 && column < BLOCKS; n++) {
                if (s->block[row * BLOCKS + column] == 0)
                    s->block[row * BLOCKS + column] = (int8_t)(4 * n);
                row += ROW_STEP[d];
                column += COLUMN_STEP[d];
            }
            s->stun[p] = 3;
        }
    }
    if (s->row[p] >= 0 && s->stun[p] > 0)
        s->stun[p]--;
    for (int q = 0; q < SEATS; q++)
        if (s->row[q] >= 0 && s->block[block_at(s->row[q], s->column[q])] == 1) {
            s->row[q] = s->column[q] = -1;
            s->fallen_at[q] = s->turn;
        }
    for (int b = 0; b < FLOOR; b++) {
        int8_t v = s->block[b];
        s->block[b] = (int8_t)(v - (v > 0) + (v < 0) - 19 * (v == 1));
    }
    s->turn++;
}

static int standing(const State *s) {
    int alive = 0;
    for (int p = 0; p < SEATS; p++)
        alive += s->row[p] >= 0;
    return alive;
}

static int over(const State *s) {
    int alive = standing(s);
    return alive == 1 || s->turn >= s->limit || (alive == 0 && !s->idle_on);
}

static int winner(const State *s) {
    for (int p = 0; p < SEATS && standing(s) == 1; p++)
        if (s->row[p] >= 0)
            return p;
    return SEATS;
}

/* --- slots */

static void begin_one(int64_t at, State *states, const State *blank, Slot *slots, uint32_t low, uint32_t high) {
    uint32_t lower = mixed(mixed((uint32_t)at) ^ low);
    uint32_t upper = mixed(mixed((uint32_t)slots[at].game) ^ high ^ lower) & 0x7FFFFFFF;
    states[at] = *blank;
    slots[at].turn = 0;
    slots[at].ended = 0;
    slots[at].word = mixed(mixed(lower ^ 0x706F6C69U) ^ upper);
    deal(&states[at], (uint64_t)upper << 32 | lower);
}

void begin(int64_t first, int64_t last, State *states, const State *blank, Slot *slots, uint32_t low, uint32_t high) {
    for (int64_t at = first; at < last; at++)
        begin_one(at, states, blank, slots, low, high);
}

void roll(int64_t first, int64_t last, State *states, const State *blank, Slot *slots, int64_t *wins, uint32_t low,
          uint32_t high, int64_t steps) {
    for (int64_t at = first; at < last; at++) {
        State *s = &states[at];
        for (int64_t i = 0; i < steps; i++) {
            step(s, (int)(((uint64_t)lot(&slots[at].word) * 6) >> 32));
            slots[at].turn++;
            if (over(s)) {
                wins[at * (SEATS + 1) + winner(s)]++;
                slots[at].game++;
                begin_one(at, states, blank, slots, low, high);
            }
        }
    }
}
