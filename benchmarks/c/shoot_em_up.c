/* Shoot-Em-Up's random play by hand in C, as drop_block.c. */

#include "chance.h"

enum { SEATS = 2, WIDTH = 10, MOVES = 9, ACTIONS = 17, LIVES = 3 };
enum { SHOT_DOWN = 1, LEFT_BOARD = 2, PAIR_LIMIT = 4 };

typedef struct {
    int32_t turn, limit;
    int8_t x[SEATS], y[SEATS], hits[SEATS], shot[SEATS], power[SEATS], was_hit[SEATS], hit_x[SEATS], hit_y[SEATS],
        told[SEATS], ended, loser, dealt;
} State;

static const int8_t X_OF[ACTIONS] = {-1, -1, -1, 0, 0, 0, 1, 1, 1, -1, -1, -1, 0, 0, 1, 1, 1};
static const int8_t Y_OF[ACTIONS] = {-1, 0, 1, -1, 0, 1, -1, 0, 1, -1, 0, 1, -1, 1, -1, 0, 1};

static void deal(State *s, uint64_t seed) {
    uint64_t state = seed % 2147483647;
    if (state == 0)
        state = 123459876;
    for (int p = 0; p < SEATS; p++) {
        state = 16807 * state % 2147483647;
        s->x[p] = (int8_t)(state % WIDTH);
        state = 16807 * state % 2147483647;
        s->y[p] = (int8_t)(state % WIDTH);
    }
    s->dealt = 1;
}

static int is_ahead(int dx, int dy, int x_step, int y_step) {
    int steps = x_step ? dx * x_step : dy * y_step;
    return steps >= 1 && dx == steps * x_step && dy == steps * y_step;
}

static void end(State *s, int loser, int why) {
    s->ended = (int8_t)why;
    s->loser = (int8_t)loser;
}

static inline void step(State *s, int action) {
    int p = s->turn & 1, q = 1 - p;
    if (s->told[p])
        s->was_hit[p] = 0;
    s->told[p] = 1;
    if (action < MOVES) {
        unsigned x = (unsigned)(s->x[p] + X_OF[action]), y = (unsigned)(s->y[p] + Y_OF[action]);
        s->shot[p] = 0;
        if (x >= WIDTH || y >= WIDTH) {
            end(s, p, LEFT_BOARD);
        } else {
            s->x[p] = (int8_t)x;
            s->y[p] = (int8_t)y;
        }
    } else {
        s->power[p] = s->shot[p] == 0;
        s->shot[p] = (int8_t)action;
        if (s->power[p] && is_ahead(s->x[q] - s->x[p], s->y[q] - s->y[p], X_OF[action], Y_OF[action])) {
            s->was_hit[q] = 1;
            s->hit_x[q] = (int8_t)-X_OF[action];
            s->hit_y[q] = (int8_t)-Y_OF[action];
            if (++s->hits[q] == LIVES)
                end(s, q, SHOT_DOWN);
        }
    }
    s->turn++;
    if (!s->ended && s->turn >= SEATS * s->limit)
        end(s, -1, PAIR_LIMIT);
}

static inline void turn(State *s, int64_t *word, uint64_t seed) {
    (void)seed;
    step(s, (int)below(word, ACTIONS));
}

static inline int over(const State *s) { return s->ended != 0 || s->limit == 0; }

static inline int winner(const State *s) { return s->ended == 0 || s->loser < 0 ? -1 : 1 - s->loser; }

#include "rollout.h"
