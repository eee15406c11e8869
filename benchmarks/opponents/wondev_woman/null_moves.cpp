// A strong player of Wondev Woman, for measuring: alpha-beta with null moves, fitted weights, and a guess at the fog.
// It stops by its own processor time, so that a busy machine makes it slow and not weak: `--clock mode=cpu`.
#pragma GCC optimize("O3")
#pragma GCC target("popcnt,bmi,bmi2,lzcnt")
#include <bits/stdc++.h>
using namespace std;
typedef uint64_t Mask;
struct Actions { int n = 0; uint8_t at[256]; void add(int a) { at[n++] = a; } };

static const double FIRST_TURN = 0.3, TURN = 0.042;  // seconds
static const int WON = 1000000, CERTAIN = 900000, MARGIN = 300, PLIES = 60, ENTRIES = 1 << 17;

// --- the board: bit 8 * y + x; the eighth row and column are always empty -----------------------------------------
static const int DX[8] = {1, 1, 0, -1, -1, -1, 0, 1}, DY[8] = {0, -1, -1, -1, 0, 1, 1, 1};
static const char *NAME[8] = {"E", "NE", "N", "NW", "W", "SW", "S", "SE"};
static int to[64][8], units;  // to: a cell's neighbour by direction, -1 where there is none
static Mask beside[64];
struct Board {
    Mask low[4];            // by level: the cells in play that are not higher
    int8_t at[2][2];        // by player and unit: its cell, -1 if it is nowhere
    int16_t points[2];
    uint8_t mover, out;     // out: a bit for each player that can no longer move
};
static int count(Mask m) { return __builtin_popcountll(m); }
static Mask bit(int cell) { return cell < 0 ? 0 : Mask(1) << cell; }
static bool has(Mask m, int cell) { return cell >= 0 && m >> cell & 1; }
static Mask of(const Board &b, int p) { return bit(b.at[p][0]) | (units == 2 ? bit(b.at[p][1]) : 0); }
static Mask around(Mask m) { Mask r = m | m << 8 | m >> 8; return r | r << 1 | r >> 1; }
static int height(const Board &b, int c) {
    Mask m = bit(c);
    return b.low[0] & m ? 0 : b.low[1] & m ? 1 : b.low[2] & m ? 2 : b.low[3] & m ? 3 : 4;
}
static Mask enter(const Board &b, int c) { return beside[c] & b.low[min(3, height(b, c) + 1)]; }
// An action is push << 7 | unit << 6 | direction << 3 | second direction; who is not in `view` forbids nothing.
static Actions legal(const Board &b, Mask view = ~Mask(0)) {
    Actions found;
    int p = b.mover;
    Mask theirs = of(b, 1 - p), seen = of(b, p) | (theirs & view);
    for (int u = 0; u < units; u++) {
        int start = b.at[p][u];
        if (start < 0) continue;
        Mask ways = enter(b, start) & ~(of(b, p) | theirs), build = b.low[3] & (~seen | bit(start));
        for (int d = 0; d < 8; d++) {
            int there = to[start][d];
            if (has(ways, there)) {
                for (int e = 0; e < 8; e++) if (has(build, to[there][e])) found.add(u << 6 | d << 3 | e);
            } else if (units == 2 && has(theirs, there)) {
                Mask beyond = enter(b, there) & ~seen;
                for (int e : {(d + 7) & 7, d, (d + 1) & 7})
                    if (has(beyond, to[there][e])) found.add(128 | u << 6 | d << 3 | e);
            }
        }
    }
    return found;
}
static Board after(const Board &b, int action) {
    Board n = b;
    int p = b.mover, u = action >> 6 & 1, there = to[b.at[p][u]][action >> 3 & 7], beyond = to[there][action & 7];
    int raised = action & 128 ? there : beyond;
    if (!(action & 128)) {
        n.at[p][u] = there;
        n.points[p] += height(n, there) == 3;
    }
    if (!has(of(n, 0) | of(n, 1), beyond)) {  // else somebody unseen stands there, and nothing is built or pushed
        if (action & 128) for (int v = 0; v < units; v++) if (n.at[1 - p][v] == there) n.at[1 - p][v] = beyond;
        int h = height(n, raised);
        if (h < 4) n.low[h] &= ~bit(raised);
    }
    if (!(n.out >> (1 - p) & 1)) n.mover = 1 - p;
    return n;
}

// --- how good it is for who moves, in thousandths of log odds: linear in the weights ------------------------------
enum { STAND = 0, NEAR = 4, STUCK = 8, SCORES = 11, BESIDE, SHUT, TWO = 14, SHUT_7 = 18, SHUT_11, TOUCHED, HIGH_NEAR,
       HIGH_TOPS, PUSHED, DROPPED, WAITING, FIRST = 50, ALONE = 54, NEXT = 58, SOON, SHARED, REACH, LEAD, OUT,
       APART = 64, HIGH_SHARED = 68, SOON_HIGH, FEATURES };
static const int WEIGHTS[3][FEATURES] = {  // with 6, 16 and 26 cells in play; in between they change evenly
    {-404, -22, 278, -166, 299, 1061, 898, 57, 344, -656, -809, 985, -136, -137, 888, 813, 354, 156, -29, 222, -124,
     -414, 37, -66, -182, -113, 363, 363, -485, 191, 751, 639, 291, 564, -471, -508, 644, -1, -80, 289, 657, 387, 131,
     -353, 19, -372, -133, 227, -510, -365, 905, 1685, 1772, 1276, 350, 632, 210, -479, -142, 313, 385, 714, 1538, 92,
     -1056, -498, -438, -324, 172, -171},
    {300, 345, 215, 66, 38, -34, -79, -109, -235, 10, -44, 242, 71, -416, 87, 89, 44, 10, -39, 67, -336, 56, 125,
     -165, 72, 161, 267, 119, 29, 12, -25, -131, -30, -278, -71, -94, 140, 2, -323, 99, 80, 12, 0, 85, 100, -305, 139,
     -3, -433, -262, 436, 555, 385, 198, 224, 207, -110, -213, 13, -47, 8, 108, 307, -751, 150, -11, 142, 93, 29,
     137},
    {30, 52, 2, 0, 9, 36, 59, 52, -823, -197, -57, -1, 57, -424, -2, -1, 2, 0, -270, -63, -21, 22, 24, 7, 8, -71, -23,
     -18, -20, 21, 36, 74, 61, -758, -331, -121, -34, 2, -443, -2, 13, 4, -13, -221, 44, 7, 4, 6, -42, -61, 111, 103,
     -20, 27, 118, -45, -30, -49, -46, -82, 0, -6, 33, 24, 10, 81, 102, 32, 10, 93},
};
static int table[21][FEATURES];
static void prepare() {
    for (int c = 0; c < 64; c++) for (int d = 0; d < 8; d++) {
        int x = c % 8 + DX[d], y = c / 8 + DY[d];
        to[c][d] = c % 8 < 7 && c / 8 < 7 && x >= 0 && y >= 0 && x < 7 && y < 7 ? y * 8 + x : -1;
        beside[c] |= bit(to[c][d]);
    }
    for (int cells = 6; cells <= 26; cells++) for (int k = 0; k < FEATURES; k++) {
        int i = cells > 16, on = cells - 6 - 10 * i;  // a phase, and by how many cells it is over
        table[cells - 6][k] = lround((WEIGHTS[i][k] * (10 - on) + WEIGHTS[i + 1][k] * on) / 10.0);
    }
}
static Mask grown(const Board &b, Mask m) {
    Mask high = m & ~b.low[0];
    return (around(m) & b.low[1]) | (around(high) & b.low[2]) | (around(high & ~b.low[1]) & b.low[3]);
}
static int by_level(const Board &b, Mask mine, Mask theirs, const int *w) {
    int total = 0;
    for (int l = 0, n, before = 0; l < 4; l++, before = n) {
        n = count(mine & b.low[l]) - count(theirs & b.low[l]);
        total += w[l] * (n - before);
    }
    return total;
}
// Whether a unit can be pushed by one beside it to one of some cells.
static bool is_pushed(int from, int cell, Mask cells) {
    int d = find(to[from], to[from] + 8, cell) - to[from];
    return has(cells, to[cell][(d + 7) & 7]) || has(cells, to[cell][d]) || has(cells, to[cell][(d + 1) & 7]);
}
static int of_units(const Board &b, int p, const int *w) {
    Mask enemies = b.out >> (1 - p) & 1 ? 0 : of(b, 1 - p), all = of(b, 0) | of(b, 1);
    int total = 0;
    for (int u = 0; u < units; u++) if (b.at[p][u] >= 0) {
        int cell = b.at[p][u], level = min(3, height(b, cell));
        Mask ways = enter(b, cell) & ~all, one = bit(cell) | ways, two = one | (grown(b, one) & ~all), home = one;
        int n = count(ways), tops = count(ways & ~b.low[2]);
        total += w[STAND + level] + by_level(b, ways, 0, w + NEAR) + by_level(b, two & ~one, 0, w + TWO);
        if (n < 3) total += w[STUCK + n];
        if (tops) total += w[SCORES];
        if (enemies & beside[cell]) total += w[TOUCHED] + (level > 1 ? w[BESIDE] : 0);
        if (level > 1) total += w[HIGH_NEAR] * count(ways & b.low[2] & ~b.low[1]) + (tops > 1 ? w[HIGH_TOPS] : 0);
        for (int i = 0; i < 8 && n && count(home) < 12; i++) home |= grown(b, home);
        int room = count(home);
        total += room < 5 ? w[SHUT] : room < 8 ? w[SHUT_7] : room < 12 ? w[SHUT_11] : 0;
        for (int v = 0; v < 2 && level && units == 2; v++) if (has(enemies & beside[cell], b.at[1 - p][v])) {
            if (is_pushed(b.at[1 - p][v], cell, b.low[level - 1] & ~all)) total += w[PUSHED];
            if (level > 1 && is_pushed(b.at[1 - p][v], cell, b.low[level - 2] & ~all)) total += w[DROPPED];
        }
    }
    return total;
}
static int of_land(const Board &b, int p, const int *w) {
    Mask mine = b.out >> p & 1 ? 0 : of(b, p), theirs = b.out >> (1 - p) & 1 ? 0 : of(b, 1 - p);
    Mask first = 0, second = 0, shared = 0;
    int total = 0;
    for (int i = 0; i < 8; i++) {
        Mask m = mine | grown(b, mine), t = theirs | grown(b, theirs), old = mine | theirs;
        if (m == mine && t == theirs) break;
        first |= m & ~old & ~t, second |= t & ~old & ~m, shared |= m & t & ~old;
        mine = m, theirs = t;
        if (i < 2) total += w[NEXT + i] * (count(first) - count(second));
        if (i == 1) total += w[SOON_HIGH] * (count(first & ~b.low[1]) - count(second & ~b.low[1]));
    }
    total += w[SHARED] * count(shared) + w[REACH] * (count(mine) - count(theirs));
    total += w[HIGH_SHARED] * count(shared & ~b.low[1]) + by_level(b, first, second, w + FIRST);
    if (!(mine & theirs)) total += by_level(b, mine, theirs, w + APART);
    return total + by_level(b, mine & ~theirs, theirs & ~mine, w + ALONE);
}
static int value(const Board &b) {
    int p = b.mover, o = 1 - p, total;
    const int *w = table[min(26, max(6, count(b.low[3]))) - 6];
    total = w[LEAD] * (b.points[p] - b.points[o]) + of_land(b, p, w);
    total += b.out >> p & 1 ? w[OUT] : of_units(b, p, w);
    return total - (b.out >> o & 1 ? w[OUT] : of_units(b, o, w + WAITING));
}

// --- the search ---------------------------------------------------------------------------------------------------
static Mask key_of(const Board &b) {
    Mask k = 0, rest = (uint8_t)b.at[0][0] | (uint8_t)b.at[0][1] << 8 | (uint8_t)b.at[1][0] << 16;
    rest |= Mask((uint8_t)b.at[1][1]) << 24 | Mask(b.mover) << 32 | Mask(b.out) << 34;
    rest |= Mask((b.points[0] - b.points[1]) & 255) << 40;
    for (Mask part : {b.low[0], b.low[1], b.low[2], b.low[3], rest}) k = (k ^ k >> 29 ^ part) * 0x9E3779B97F4A7C15ULL;
    return k ^ k >> 29;
}
struct Entry { Mask key; int worth; uint8_t action, bound, depth, turn; };  // bound: 0 exact, 1 at least, 2 at most
static Entry entries[ENTRIES];
static int cuts[2][256], killers[PLIES + 1][2], nodes;  // what has cut off: by player and action, and by ply
static uint8_t turn;
static bool late;
static double until;
static double used() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
static int search(const Board &b, int depth, int ply, int alpha, int beta, bool may_pass);
static int child(const Board &b, const Board &n, int depth, int ply, int alpha, int beta) {
    if (n.mover == b.mover) return search(n, depth, ply, alpha, beta, true);
    return -search(n, depth, ply, -beta, -alpha, true);
}
static int worth_after(const Board &b, int action) {
    Board n = after(b, action);
    return n.mover == b.mover ? value(n) : -value(n);
}
// Who cannot move leaves the board to the other one.
static int goes_out(Board b, int depth, int ply, int alpha, int beta) {
    int p = b.mover, ahead = b.points[p] - b.points[1 - p];
    b.out |= 1 << p;
    if (b.out == 3 || ahead < 0) return ahead > 0 ? WON - ply : ahead < 0 ? ply - WON : 0;
    b.mover = 1 - p;
    return -search(b, max(0, depth - 1), ply + 1, -beta, -alpha, true);
}
static int search(const Board &b, int depth, int ply, int alpha, int beta, bool may_pass) {
    if ((++nodes & 127) == 0 && used() > until) late = true;
    if (late) return 0;
    if (ply >= PLIES) return value(b);
    Mask key = key_of(b);
    Entry &entry = entries[key & (ENTRIES - 1)];
    int known = entry.key == key ? entry.action : -1, p = b.mover, lowest = alpha;
    if (known >= 0 && entry.turn == turn && entry.depth >= depth && may_pass &&
        (entry.bound == 0 || (entry.bound == 1 ? entry.worth >= beta : entry.worth <= alpha))) return entry.worth;
    Actions all = legal(b);
    int n = all.n;
    if (!n) return goes_out(b, depth, ply, alpha, beta);
    int now = value(b);
    if (depth <= 0) return now;
    if (beta - alpha <= 1 && abs(beta) < CERTAIN) {  // who is so well off need not look at all actions
        if (depth <= 4 && now - MARGIN * depth >= beta) return now;
        if (may_pass && depth >= 2 && now >= beta && !b.out) {
            Board n = b;
            n.mover = 1 - p;
            int worth = -search(n, depth - (depth >= 6 ? 4 : 3), ply + 1, -beta, 1 - beta, false);
            if (late || worth >= beta) return late ? 0 : beta;
        }
    }
    // On the last ply by what has cut off before, as values cost too much there; else by the value after each action.
    int order[256], *killer = killers[ply];
    for (int i = 0; i < n; i++) {
        int a = all.at[i], is_killer = a == killer[0] ? 2 : a == killer[1];
        if (a == known) order[i] = 1 << 30;
        else if (depth >= 2) order[i] = worth_after(b, a) + 75 * is_killer;
        else order[i] = is_killer ? is_killer << 28 : cuts[p][a];
    }
    int best = -2 * WON, chosen = -1, width = depth >= 4 ? 36 : depth == 3 ? 28 : depth == 2 ? 18 : n;
    for (int i = 0; i < n && (i < width || best <= -CERTAIN); i++) {
        if (depth >= 2 || i < 6) {  // behind that, order does not pay
            int first = max_element(order + i, order + n) - order;
            swap(order[i], order[first]), swap(all.at[i], all.at[first]);
        }
        Board next = after(b, all.at[i]);
        int left = n == 1 && depth > 1 ? depth : depth - 1, worth, fewer = 0;  // what is forced costs no depth
        if (i >= 3 && depth >= 2) fewer = 1 + (depth >= 4 && i >= 8) + (depth >= 6 && i >= 16);
        if (depth == 1 || i == 0) worth = child(b, next, left, ply + 1, alpha, beta);
        else {
            worth = child(b, next, max(0, left - fewer), ply + 1, alpha, alpha + 1);
            if (!late && fewer && worth > alpha) worth = child(b, next, left, ply + 1, alpha, alpha + 1);
            if (!late && worth > alpha && worth < beta) worth = child(b, next, left, ply + 1, alpha, beta);
        }
        if (late) return 0;
        if (worth <= best) continue;
        best = worth, chosen = all.at[i], alpha = max(alpha, worth);
        if (worth < beta) continue;
        if (killer[0] != chosen) killer[1] = killer[0], killer[0] = chosen;
        cuts[p][chosen] += depth * depth;
        break;
    }
    int bound = best >= beta ? 1 : best <= lowest ? 2 : 0;
    if (entry.turn != turn || entry.depth <= depth || entry.key == key)
        entry = {key, best, uint8_t(chosen), uint8_t(bound), uint8_t(depth), turn};
    return best;
}
// The best of what may be done on a board, by iterative deepening.
static int think(const Board &b, const vector<uint8_t> &all) {
    vector<pair<int, int>> order;
    for (int a : all) order.push_back({-worth_after(b, a), a});
    sort(order.begin(), order.end());
    nodes = 0, late = false, turn++;
    memset(cuts, 0, sizeof cuts), memset(killers, -1, sizeof killers);
    for (int depth = 1; depth < 30 && !late && order.size() > 1; depth++) {
        int top = -2 * WON;
        for (int i = 0; i < (int)order.size(); i++) {
            Board next = after(b, order[i].second);
            int fewer = i >= 4 && depth >= 3 ? 1 + (i >= 12 && depth >= 5) : 0, worth = top + 1;
            if (i) worth = child(b, next, depth - fewer, 1, top, top + 1);
            if (i && fewer && !late && worth > top) worth = child(b, next, depth, 1, top, top + 1);
            if (!late && worth > top) worth = child(b, next, depth, 1, top, 2 * WON);
            if (late) break;
            if (i && worth <= top) continue;
            top = worth;
            rotate(order.begin(), order.begin() + i, order.begin() + i + 1);
        }
    }
    return order[0].second;
}

// --- the fog: boards that may be the true one, and how likely; heights and our own units are always known ---------
typedef vector<pair<double, Board>> Worlds;
static Mask sight(const Board &b, int p) {
    Mask seen = 0;
    for (int u = 0; u < units; u++) if (b.at[p][u] >= 0) seen |= bit(b.at[p][u]) | beside[b.at[p][u]];
    return seen;
}
static bool fits(const Board &b, const Board &seen, Mask view) {
    bool found = !memcmp(b.low, seen.low, sizeof b.low) && !memcmp(b.at[0], seen.at[0], 2);
    for (int u = 0; u < units; u++) {
        int cell = b.at[1][u], known = seen.at[1][u];
        found &= known >= 0 ? cell == known : has(b.low[3] & ~view, cell);
    }
    return found;
}
static Worlds look(const Worlds &before, const Board &seen, Mask view, bool foggy) {
    map<Mask, pair<double, Board>> found;
    auto add = [&](Board b, double weight) {
        b.mover = 0;
        if (fits(b, seen, view)) found.insert({key_of(b), {0.0, b}}).first->second.first += weight;
    };
    for (size_t rank = 0; rank < before.size() && found.size() < 4000; rank++) {
        Board b = before[rank].second, still = b;
        b.mover = 1, still.out |= 2;
        Actions all = legal(b, foggy ? sight(b, 1) : ~Mask(0));
        add(still, before[rank].first * (all.n ? 0.002 : 1));
        double total = 0, odds[256];  // who plays well rarely does what is bad for it
        bool is_judged = rank < 40 && before[rank].first > 0.003;
        for (int i = 0; i < all.n && is_judged; i++) total += odds[i] = exp(worth_after(b, all.at[i]) / 500.0);
        for (int i = 0; i < all.n; i++) {
            double likely = is_judged ? 0.2 / all.n + 0.8 * odds[i] / total : 1 / 60.0;
            add(after(b, all.at[i]), before[rank].first * likely);
        }
    }
    for (int c = 0; c < 64 * 64 && before.empty(); c++) {  // nothing is known yet
        Board b = seen;
        for (int u = 0; u < units; u++) if (b.at[1][u] < 0) b.at[1][u] = u ? c / 64 : c % 64;
        if (b.at[1][0] != b.at[1][1] && !(of(b, 1) & of(b, 0))) add(b, 1);
    }
    Worlds sorted;
    double total = 0;
    for (auto &each : found) total += each.second.first;
    for (auto &each : found) sorted.push_back({each.second.first / total, each.second.second});
    sort(sorted.begin(), sorted.end(), [](auto &x, auto &y) { return x.first > y.first; });
    return sorted;
}
int main() {
    int size;
    Worlds worlds;
    bool foggy = true;
    prepare();
    cin >> size >> units;
    for (string row; cin >> row;) {
        until = used() + (worlds.empty() ? FIRST_TURN : TURN);
        Board seen = {{0, 0, 0, 0}, {{-1, -1}, {-1, -1}}, {0, 0}, 0, 0};
        for (int y = 0; y < size; y++) {
            if (y) cin >> row;
            for (int x = 0; x < size; x++)
                for (int h = 0; h < 4; h++) if (row[x] != '.' && row[x] - '0' <= h) seen.low[h] |= bit(y * 8 + x);
        }
        for (int p = 0; p < 2; p++) for (int u = 0, x, y; u < units; u++) {
            cin >> x >> y;
            if (x >= 0) seen.at[p][u] = y * 8 + x;
            if (p && x >= 0 && !has(sight(seen, 0), y * 8 + x)) foggy = false;  // we see somebody from afar
        }
        int n;
        cin >> n;
        map<int, string> given;
        vector<uint8_t> all;
        for (string kind, first, second; n-- > 0;) {
            int u, d, e;
            cin >> kind >> u >> first >> second;
            for (d = 0; first != NAME[d]; d++) {}
            for (e = 0; second != NAME[e]; e++) {}
            all.push_back((kind == "PUSH&BUILD") << 7 | u << 6 | d << 3 | e);
            given[all.back()] = kind + " " + to_string(u) + " " + first + " " + second;
        }
        Worlds next = look(worlds, seen, foggy && units == 2 ? sight(seen, 0) : ~Mask(0), foggy && units == 2);
        worlds = next.empty() ? look({}, seen, sight(seen, 0), true) : next;
        int best = all.empty() ? -1 : think(worlds.empty() ? seen : worlds[0].second, all);
        cout << (best < 0 ? "ACCEPT-DEFEAT" : given[best]) << endl;
        for (auto &each : worlds) if (best >= 0) each.second = after(each.second, best);
    }
}
