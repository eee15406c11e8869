/* Wondev Woman's random play by hand in C, as drop_block.c: cells are bits, and the k-th legal action is found without
   a list of all. Two units a player, as in the leagues from wood 1 on, or one. */

#include "chance.h"

enum { SEATS = 2, WAYS = 8, WIDTH = 8, CELLS = 63, TOP = 3, ROUNDS = 200, CHOICES = 32, NONE = -1 };
enum { REACH = 1, REACHED = 1, LEFT_ALONE = 2, AHEAD = 3, BOTH_OUT = 4, ROUND_LIMIT = 5 };

typedef struct {
    uint64_t low[TOP + 1], taken;
    int32_t turn;
    int16_t rounds, points[SEATS];
    int8_t height[CELLS], at[2 * SEATS], out[SEATS], told[SEATS], mover, ended, dealt, size, map, units, push, fog, goal;
} State;

static const int STEP[WAYS] = {1, -8, -7, -9, 8, 9, 7, -1}; /* E N NE NW S SE SW W */
static const uint8_t AHEAD_OF[WAYS][3] = {{0, 2, 5}, {1, 2, 3}, {0, 1, 2}, {1, 3, 7}, {4, 5, 6}, {0, 4, 5}, {4, 6, 7}, {3, 6, 7}};

#define BIT(cell) (1ULL << (cell))
#define BOARD 0x7F7F7F7F7F7F7F00ULL

/* The cells around each; the eighth column and the row above the board are never in play. */
static uint64_t BESIDE[64];

__attribute__((constructor)) static void prepare(void) {
    for (int cell = WIDTH; cell < CELLS; cell++) {
        uint64_t centre = BIT(cell), row = centre | centre << 1 | centre >> 1;
        BESIDE[cell] = (row | row << WIDTH | row >> WIDTH) & ~centre & BOARD;
    }
}

static inline uint64_t beside(int cell) { return BESIDE[cell]; }

/* --- the deal */

static uint64_t draw_map(int map, uint32_t *draw, uint64_t seed) {
    uint64_t cells = 0;
    if (map != 3) {
        int size = map == 1 ? 5 : 7;
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++)
                if (map == 1 || (x > 3 ? x - 3 : 3 - x) + (y > 3 ? y - 3 : 3 - y) <= 3)
                    cells |= BIT(8 * y + x);
        return cells;
    }
    int wanted = 25 + (int)uniform(draw, 0, seed, 10);
    for (int draws = 0; draws < 1000; draws++) {
        if (__builtin_popcountll(cells) >= wanted) {
            uint64_t reached = 0, spread = cells & -cells;
            while (spread != reached) {
                reached = spread;
                uint64_t rows = reached | reached << 1 | reached >> 1;
                spread = (rows | rows << 8 | rows >> 8) & cells;
            }
            if (reached == cells)
                break;
        }
        uint32_t x = uniform(draw, 0, seed, 6), y = uniform(draw, 0, seed, 6);
        cells |= BIT(8 * y + x) | BIT(8 * y + 5 - x);
    }
    return cells;
}

static void deal(State *s, uint64_t seed) {
    static const int8_t SIZE[4] = {0, 5, 7, 6};
    uint32_t draw = 0;
    int map = s->map ? s->map : 1 + (int)uniform(&draw, 0, seed, 3);
    uint64_t cells = draw_map(map, &draw, seed), free = cells;
    s->size = SIZE[map];
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++)
            s->height[8 * (y + 1) + x] = cells >> (8 * y + x) & 1 ? 0 : -1;
    for (int level = 0; level <= TOP; level++)
        s->low[level] = cells << WIDTH;
    for (int p = 0; p < SEATS; p++)
        for (int unit = 0; unit < s->units; unit++) {
            uint32_t cell;
            do {
                uint32_t x = uniform(&draw, 0, seed, 7);
                cell = 8 * uniform(&draw, 0, seed, 7) + x;
            } while (!(free >> cell & 1));
            free ^= BIT(cell);
            s->at[2 * p + unit] = (int8_t)(cell + WIDTH);
            s->taken |= BIT(cell + WIDTH);
        }
    s->dealt = 1;
}

/* --- what is legal */

typedef struct {
    uint8_t upto[CHOICES];   /* actions of a choice and of all before it; 176 at most */
    uint64_t where[CHOICES]; /* the cells of a choice's second direction */
} Legal;

static inline uint64_t ahead_of(int there, int way) {
    uint64_t cells = 0;
    for (int i = 0; i < 3; i++)
        cells |= BIT((there + STEP[AHEAD_OF[way][i]]) & 63);
    return cells & beside(there);
}

static inline int list(const State *restrict s, int p, Legal *restrict legal) {
    uint64_t view = ~0ULL, enemies = BIT(s->at[2 * (1 - p)]), own = 0;
    for (int unit = 0; unit < s->units; unit++) {
        enemies |= BIT(s->at[2 * (1 - p) + unit]);
        own |= beside(s->at[2 * p + unit]);
    }
    if (s->fog) {
        view = own;
        for (int unit = 0; unit < s->units; unit++)
            view |= BIT(s->at[2 * p + unit]);
    }
    uint64_t free = ~(s->taken & view);
    int total = 0;
    for (int unit = 0; unit < 2; unit++) {
        int start = s->at[2 * p + unit], level = s->height[start] + 1;
        uint64_t enter = s->low[level < TOP ? level : TOP] & ~s->taken & beside(start);
        uint64_t around = s->low[TOP] & (free | BIT(start));
        if (unit >= s->units)
            enter = 0;
        for (int way = 0; way < WAYS; way++) {
            int there = (start + STEP[way]) & 63;
            uint64_t where = around & beside(there) & -(enter >> there & 1);
            legal->where[unit * WAYS + way] = where;
            total += __builtin_popcountll(where);
            legal->upto[unit * WAYS + way] = (uint8_t)total;
        }
    }
    for (int i = 16; i < CHOICES; i++)
        legal->upto[i] = (uint8_t)total;
    if (s->push && own & enemies) {
        for (int unit = 0; unit < 2; unit++)
            for (int way = 0; way < WAYS; way++) {
                int start = s->at[2 * p + unit], there = start + STEP[way];
                if (unit < s->units && beside(start) & enemies & BIT(there & 63)) {
                    int level = s->height[there] + 1;
                    uint64_t where = s->low[level < TOP ? level : TOP] & free & ahead_of(there, way);
                    legal->where[16 + unit * WAYS + way] = where;
                    total += __builtin_popcountll(where);
                }
                legal->upto[16 + unit * WAYS + way] = (uint8_t)total;
            }
    }
    return total;
}

/* --- a turn */

static void build(State *s, int cell) {
    s->low[s->height[cell]] &= ~BIT(cell);
    s->height[cell]++;
}

static void go_out(State *s, int p) {
    s->out[p] = 1;
    if (s->goal == REACH)
        s->ended = LEFT_ALONE;
    else if (s->out[1 - p])
        s->ended = BOTH_OUT;
    else if (s->points[1 - p] > s->points[p])
        s->ended = AHEAD;
}

static void go_to(State *s, int slot, int cell) {
    s->taken ^= BIT(s->at[slot]) | BIT(cell);
    s->at[slot] = (int8_t)cell;
}

static void act(State *s, int p, int choice, int second) {
    int slot = 2 * p + (choice >> 3 & 1), there = s->at[slot] + STEP[choice & 7], cell = there + STEP[second];
    int blocked = s->taken >> cell & 1;
    if (choice < 16) {
        blocked = (s->taken & ~BIT(s->at[slot])) >> cell & 1;
        go_to(s, slot, there);
        s->points[p] = (int16_t)(s->points[p] + (s->height[there] == TOP));
        if (!blocked)
            build(s, cell);
    } else if (!blocked) {
        int pushed = 2 * (1 - p);
        go_to(s, s->at[pushed] == there ? pushed : pushed + 1, cell);
        build(s, there);
    }
}

static int on_top(const State *s, int p) {
    int found = 0;
    for (int unit = 0; unit < s->units; unit++)
        found |= s->height[s->at[2 * p + unit]] == TOP;
    return found;
}

static int leads_alone(const State *s, int p) { return s->out[1 - p] && s->points[p] > s->points[1 - p]; }

static void pass_on(State *s, int p) {
    if (!s->ended && (p == 1 || s->out[1])) {
        s->rounds++;
        if (s->goal == REACH) {
            if (on_top(s, 0) || on_top(s, 1))
                s->ended = REACHED;
        } else if (leads_alone(s, 0) || leads_alone(s, 1)) {
            s->ended = AHEAD;
        }
        if (!s->ended && s->rounds == ROUNDS)
            s->ended = ROUND_LIMIT;
    }
    if (!s->out[1 - p])
        s->mover = (int8_t)(1 - p);
}

static inline void turn(State *s, int64_t *word, uint64_t seed) {
    (void)seed;
    int p = s->mover, choice = 0;
    Legal legal;
    int total = list(s, p, &legal);
    uint32_t k = below(word, total ? (uint32_t)total : 1);
    s->told[p] = 1;
    if (total == 0) {
        go_out(s, p);
    } else {
        for (int i = 0; i < CHOICES; i++)
            choice += legal.upto[i] <= (uint8_t)k;
        if (choice > 0)
            k -= legal.upto[choice - 1];
        int there = s->at[2 * p + (choice >> 3 & 1)] + STEP[choice & 7], second = 0;
        uint32_t sum = 0;
        for (int way = 0; way < WAYS; way++) {
            sum += legal.where[choice] >> ((there + STEP[way]) & 63) & 1;
            second += sum <= k;
        }
        act(s, p, choice, second);
    }
    s->turn++;
    pass_on(s, p);
}

static inline int over(const State *s) { return s->ended != 0; }

static int score(const State *s, int p) {
    if (s->goal != REACH)
        return s->points[p];
    return s->out[p] ? -1 : s->ended == REACHED && on_top(s, p);
}

static inline int winner(const State *s) {
    int first = score(s, 0), second = score(s, 1);
    return first == second ? -1 : first < second;
}

#include "rollout.h"
