/* Random play over a batch's own arrays, for the game whose file includes this at its end.

   That file has the type State, with the batch's own layout, SEATS (the most), and

       void deal(State *s, uint64_t seed);                    the dice's move at the start
       void turn(State *s, int64_t *word, uint64_t seed);     one turn, with lots from `word`, and the dice after it
       int over(const State *s);
       int winner(const State *s);                            a seat, or -1

   "size" is a state's size in bytes; "begin" starts slots [first, last); "roll" plays `steps` turns in each. `wins` has
   `seats` + 1 counts a slot: games won by each seat, and by nobody. */

#include "chance.h"

int64_t size(void) { return sizeof(State); }

static uint64_t begin_one(int64_t at, State *states, const State *blank, Slot *slots, uint32_t low, uint32_t high) {
    uint64_t seed = seed_of(at, slots[at].game, low, high);
    states[at] = *blank;
    slots[at].turn = 0;
    slots[at].ended = 0;
    slots[at].word = mixed(mixed((uint32_t)seed ^ 0x706F6C69U) ^ (uint32_t)(seed >> 32));
    deal(&states[at], seed);
    return seed;
}

void begin(int64_t first, int64_t last, State *states, const State *blank, Slot *slots, uint32_t low, uint32_t high) {
    for (int64_t at = first; at < last; at++)
        begin_one(at, states, blank, slots, low, high);
}

void roll(int64_t first, int64_t last, State *states, const State *blank, Slot *slots, int64_t *wins, int64_t seats,
          uint32_t low, uint32_t high, int64_t steps) {
    for (int64_t at = first; at < last; at++) {
        State *s = &states[at];
        uint64_t seed = seed_of(at, slots[at].game, low, high);
        for (int64_t i = 0; i < steps; i++) {
            turn(s, &slots[at].word, seed);
            slots[at].turn++;
            if (over(s)) {
                int won = winner(s);
                wins[at * (seats + 1) + (won < 0 ? seats : won)]++;
                slots[at].game++;
                seed = begin_one(at, states, blank, slots, low, high);
            }
        }
    }
}
