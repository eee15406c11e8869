/* aBOTcalypse's random play by hand in C, as drop_block.c, by the rules of the text (`post`).

   How far a meteor goes by its direction is written into `ACROSS` and `UPWARD` by whoever loads this: the game's own
   numbers, which another cosine may not give to the last bit. */

#include "chance.h"

enum { SEATS = 100, WIDTH = 100, TOP_ROW = 99, MAX_METEORS = 72, HIGHEST = 100 };
enum { UP, RIGHT, DOWN, LEFT };
enum { GONE, ALIVE, BODY };
enum { BY_FALL = 1, BY_ROCK, BY_THROW, BY_METEOR, BY_COLLISION };

typedef struct {
    double meteor_x[MAX_METEORS], meteor_y[MAX_METEORS];
    int64_t rocks[2 * WIDTH], next_angle, next_x, x[SEATS], y[SEATS], height[WIDTH];
    int32_t turn, limit, score[SEATS], meteors;
    int16_t cause[SEATS], meteor_angle[MAX_METEORS], bots;
    int8_t status[SEATS], order[SEATS], rules, dealt, rolled, crashed;
} State;

double ACROSS[180], UPWARD[180];

static const int X_STEP[4] = {0, 1, 0, -1};

/* --- dice */

static void roll_meteor(State *s, uint32_t *draw, uint32_t turn, uint64_t seed) {
    s->next_angle = (int64_t)uniform(draw, turn, seed, 180) - 180;
    s->next_x = uniform(draw, turn, seed, WIDTH);
    s->rolled = 1;
}

static void deal(State *s, uint64_t seed) {
    uint32_t draw = 0;
    for (int b = 0; b < s->bots; b++) {
        int is_new;
        do {
            s->x[b] = uniform(&draw, 0, seed, WIDTH);
            is_new = 1;
            for (int other = 0; other < b; other++)
                is_new &= s->x[other] != s->x[b];
        } while (!is_new);
        s->status[b] = ALIVE;
    }
    s->dealt = 1;
    roll_meteor(s, &draw, 0, seed);
}

/* --- rocks and bots */

static int kill_all_at(State *s, int64_t x, int64_t y, int cause) {
    int killed = 0;
    for (int b = 0; b < s->bots; b++)
        if (s->status[b] == ALIVE && s->x[b] == x && s->y[b] == y) {
            s->status[b] = GONE;
            s->cause[b] = (int16_t)cause;
            killed++;
        }
    return killed;
}

static void push_rock(State *s, int64_t x, int64_t y) {
    if (y < s->height[x]) {
        kill_all_at(s, x, y, BY_ROCK);
    } else {
        kill_all_at(s, x, s->height[x], BY_ROCK);
        s->height[x]++;
    }
}

static void shatter(State *s, int64_t x, int64_t y, int cause) {
    int64_t top = --s->height[x];
    for (int b = 0; b < s->bots; b++)
        if (s->status[b] == ALIVE && s->x[b] == x && s->y[b] >= y) {
            if (s->y[b] > y && s->y[b] >= top) {
                s->y[b]--;
            } else {
                s->status[b] = GONE;
                s->cause[b] = (int16_t)(s->y[b] == y ? cause : BY_ROCK);
            }
        }
}

static int hit(State *s, int64_t x, int64_t y, int cause) {
    if ((uint64_t)x >= WIDTH || (uint64_t)y >= HIGHEST)
        return 1;
    if (y < s->height[x]) {
        shatter(s, x, y, cause);
        return 1;
    }
    return y == s->height[x] && kill_all_at(s, x, y, cause) > 0;
}

/* --- what bots do */

static void move(State *s, int b, int direction) {
    if (direction == UP) {
        if (s->y[b] < s->height[s->x[b]] && s->y[b] < TOP_ROW)
            s->y[b]++;
    } else if (direction == DOWN) {
        s->y[b] -= s->y[b] > 0;
    } else {
        int64_t x = s->x[b] + X_STEP[direction];
        if ((uint64_t)x >= WIDTH)
            return;
        int64_t fall = s->y[b] - s->height[x];
        s->x[b] = x;
        if (fall > 0)
            s->y[b] = s->height[x];
        if (fall > 1) {
            s->status[b] = BODY;
            s->cause[b] = BY_FALL;
        }
    }
}

static void drop(State *s, int b, int direction) {
    int64_t x = s->x[b] + X_STEP[direction], y = s->y[b];
    if (direction == DOWN) {
        if (y == s->height[x])
            s->height[x]++;
    } else if (direction == UP) {
        if (y < TOP_ROW)
            push_rock(s, x, y + (y < s->height[x]));
    } else if ((uint64_t)x < WIDTH) {
        push_rock(s, x, y);
    }
}

static void fly(State *s, int b, int x_step, int64_t distance) {
    int64_t y = s->y[b], x = s->x[b] + x_step;
    if (distance >= y)
        distance = y > 0 ? y - 1 : 0;
    double slope = distance > 0 ? (double)y / (double)distance : 1.0;
    while (!hit(s, x, y, BY_THROW)) {
        x += x_step;
        y = (int64_t)((double)y - slope);
    }
}

static void throw(State *s, int b, int k) {
    if (k == 1)
        hit(s, s->x[b], s->y[b] - 1, BY_THROW);
    else if (k >= 2)
        fly(s, b, k & 1 ? -1 : 1, (k - 2) / 2);
    else if (s->y[b] < TOP_ROW && !hit(s, s->x[b], s->y[b] + 1, BY_THROW))
        hit(s, s->x[b], s->y[b], BY_THROW);
}

static void collide(State *s) {
    for (int b = 0; b < s->bots; b++)
        if (s->status[b] == ALIVE)
            for (int other = 0; other < s->bots; other++)
                if (other != b && s->status[other] != GONE && s->x[other] == s->x[b] && s->y[other] == s->y[b]) {
                    s->status[b] = BODY;
                    s->cause[b] = BY_COLLISION;
                    break;
                }
    for (int b = 0; b < s->bots; b++)
        if (s->status[b] == BODY)
            s->status[b] = GONE;
}

static void fly_meteors(State *s) {
    int left = 0;
    for (int m = 0; m < s->meteors; m++) {
        s->meteor_x[m] += ACROSS[s->meteor_angle[m] + 180];
        s->meteor_y[m] += UPWARD[s->meteor_angle[m] + 180];
    }
    if (s->meteors < MAX_METEORS) {
        s->meteor_x[s->meteors] = (double)s->next_x;
        s->meteor_y[s->meteors] = TOP_ROW;
        s->meteor_angle[s->meteors++] = (int16_t)s->next_angle;
    }
    for (int m = 0; m < s->meteors; m++)
        if (!hit(s, (int64_t)s->meteor_x[m], (int64_t)s->meteor_y[m], BY_METEOR)) {
            s->meteor_x[left] = s->meteor_x[m];
            s->meteor_y[left] = s->meteor_y[m];
            s->meteor_angle[left++] = s->meteor_angle[m];
        }
    for (int m = left; m < s->meteors; m++) {
        s->meteor_x[m] = s->meteor_y[m] = 0;
        s->meteor_angle[m] = 0;
    }
    s->meteors = left;
}

static int over(const State *s) {
    if (s->turn >= s->limit)
        return 1;
    for (int b = 0; b < s->bots; b++)
        if (s->status[b] == ALIVE)
            return 0;
    return 1;
}

/* An action is its place in the list: rest, four moves, four drops, throws up and down, then right and left by
   distance, by turns. */
static inline void turn(State *s, int64_t *word, uint64_t seed) {
    int action[SEATS];
    for (int b = 0; b < s->bots; b++)
        if (s->status[b] == ALIVE)
            action[b] = (int)below(word, 11 + 2 * 101);
    for (int b = 0; b < s->bots; b++) {
        int at = b;
        for (; at > 0 && s->y[s->order[at - 1]] > s->y[b]; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = (int8_t)b;
    }
    for (int i = 0; i < s->bots; i++) {
        int b = s->order[i];
        if (s->status[b] == ALIVE && action[b] >= 1 && action[b] < 5)
            move(s, b, action[b] - 1);
    }
    for (int i = 0; i < s->bots; i++) {
        int b = s->order[i];
        if (s->status[b] == ALIVE && action[b] >= 5 && action[b] < 9)
            drop(s, b, action[b] - 5);
    }
    for (int i = 0; i < s->bots; i++) {
        int b = s->order[i];
        if (s->status[b] == ALIVE && action[b] >= 9)
            throw(s, b, action[b] - 9);
    }
    collide(s);
    fly_meteors(s);
    s->turn++;
    s->rolled = 0;
    for (int b = 0; b < s->bots; b++)
        if (s->status[b] == GONE && s->score[b] == 0)
            s->score[b] = s->turn;
    if (!over(s)) {
        uint32_t draw = 0;
        roll_meteor(s, &draw, (uint32_t)s->turn, seed);
    }
}

static int winner(const State *s) {
    int best = 0, most = -1, shared = 0;
    for (int b = 0; b < s->bots; b++) {
        int score = s->status[b] == ALIVE ? s->limit : s->score[b];
        shared = score == most ? 1 : score > most ? 0 : shared;
        if (score > most) {
            most = score;
            best = b;
        }
    }
    return shared ? -1 : best;
}

#include "rollout.h"
