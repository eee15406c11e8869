/* Drop-Block's step and random play by hand in C: the limit that compiled rules are measured against.

   Built as a shared library. It plays what a batch's rollout plays, seeds, dice and policy included, so that both must
   end in the same states: what is compared does the same work. States have the batch's own layout. */

#include "chance.h"

enum { SEATS = 4, SQUARES = 18, BLOCKS = 6, WIDTH = 3, FLOOR = BLOCKS * BLOCKS };

typedef struct {
    int32_t turn, limit, fallen_at[SEATS];
    int8_t row[SEATS], column[SEATS], facing[SEATS], stun[SEATS], block[FLOOR], dealt, idle_on, column_first;
} State;

static const int ROW_STEP[4] = {-1, 0, 1, 0}, COLUMN_STEP[4] = {0, 1, 0, -1};

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
            uint32_t square = uniform(&draw, 0, seed, SQUARES * SQUARES);
            row = (int)square / SQUARES;
            column = (int)square % SQUARES;
            open = 1;
            for (int q = 0; q < p; q++)
                open &= apart(row, column, s->row[q], s->column[q]) > 3;
        } while (!open);
        s->row[p] = (int8_t)row;
        s->column[p] = (int8_t)column;
        s->facing[p] = (int8_t)uniform(&draw, 0, seed, 4);
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
    return -1;
}

static inline void turn(State *s, int64_t *word, uint64_t seed) {
    (void)seed;
    step(s, (int)below(word, 6));
}

#include "rollout.h"
