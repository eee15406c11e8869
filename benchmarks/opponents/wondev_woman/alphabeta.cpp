// A strong plain player of Wondev Woman, for measuring: alpha-beta over bit masks, weights chosen by hand.
// DOHYO_PARAM_DEPTH=1 makes it a one-ply evaluator, 2 a minimax of two plies; else it deepens as the clock allows.
// An enemy that is not seen is taken to be where it can be, nearest to where it was seen last.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
typedef uint64_t Mask;

static const int W = 8;                                             // bit 8 * y + x; the eighth column is always empty
static const int STEP[8] = {1, -W + 1, -W, -W - 1, -1, W - 1, W, W + 1};  // E NE N NW W SW S SE
static const char *NAME[8] = {"E", "NE", "N", "NW", "W", "SW", "S", "SE"};
struct Action { int push, unit, first, second; };
struct Board { Mask low[4]; int at[2][2], points[2]; };             // low: cells in play that are not higher; at: -1 unknown

static int units, size_, nodes;
static chrono::steady_clock::time_point until;
static bool late;

static Mask bit(int cell) { return cell < 0 ? 0 : Mask(1) << cell; }
static Mask around(Mask cells) {
    Mask rows = cells | cells << 8 | cells >> 8;
    return rows | (rows & 0x7f7f7f7f7f7f7f7fULL) << 1 | (rows & 0xfefefefefefefefeULL) >> 1;
}
static int count(Mask cells) { return __builtin_popcountll(cells); }
static Mask of(const Board &b, int p) { return bit(b.at[p][0]) | (units == 2 ? bit(b.at[p][1]) : 0); }
static int height(const Board &b, int cell) {
    Mask m = bit(cell);
    return b.low[0] & m ? 0 : b.low[1] & m ? 1 : b.low[2] & m ? 2 : b.low[3] & m ? 3 : 4;
}
static Mask enter(const Board &b, int cell) { return around(bit(cell)) & ~bit(cell) & b.low[min(3, height(b, cell) + 1)]; }
static int to(int cell, int d) {
    int x = cell % W + (STEP[d] + 1 + 4 * W) % W - 1, y = cell / W + (d >= 1 && d <= 3 ? -1 : d >= 5 ? 1 : 0);
    return x < 0 || y < 0 || x > 6 || y > 6 ? -1 : y * W + x;
}

static int list(const Board &b, int p, Action *out) {
    int n = 0;
    Mask mine = of(b, p), theirs = of(b, 1 - p), all = mine | theirs;
    for (int u = 0; u < units; u++) {
        int start = b.at[p][u];
        if (start < 0) continue;
        Mask ways = enter(b, start) & ~all;
        for (int d = 0; d < 8; d++) {
            int there = to(start, d);
            if (there < 0) continue;
            if (ways & bit(there)) {
                Mask build = b.low[3] & (~all | bit(start));
                for (int e = 0; e < 8; e++) {
                    int cell = to(there, e);
                    if (cell >= 0 && build & bit(cell)) out[n++] = {0, u, d, e};
                }
            } else if (units == 2 && theirs & bit(there)) {
                Mask pushed = enter(b, there) & ~all;
                for (int turn = -1; turn <= 1; turn++) {
                    int e = (d + turn + 8) % 8, cell = to(there, e);
                    if (cell >= 0 && pushed & bit(cell)) out[n++] = {1, u, d, e};
                }
            }
        }
    }
    return n;
}
static void raise_(Board &b, int cell) {
    int h = height(b, cell);
    if (h < 4) b.low[h] &= ~bit(cell);
}
static Board after(const Board &b, int p, const Action &a) {
    Board n = b;
    int there = to(b.at[p][a.unit], a.first), beyond = to(there, a.second);
    if (a.push) {
        for (int u = 0; u < units; u++) if (n.at[1 - p][u] == there) n.at[1 - p][u] = beyond;
        raise_(n, there);
    } else {
        n.at[p][a.unit] = there;
        if (height(n, there) == 3) n.points[p]++;
        if (!((of(n, 0) | of(n, 1)) & bit(beyond))) raise_(n, beyond);
    }
    return n;
}
static Mask grown(const Board &b, Mask cells) {
    return cells | (around(cells) & b.low[1]) | (around(cells & ~b.low[0]) & b.low[2]) | (around(cells & ~b.low[1]) & b.low[3]);
}
static int value(const Board &b, int p) {
    static const int STAND[4] = {0, 15, 40, 50}, NEAR[4] = {3, 6, 12, 30}, STUCK[3] = {-200, -60, -20}, LAND[4] = {5, 7, 10, 13};
    Mask all = of(b, 0) | of(b, 1);
    int total = 100 * (b.points[p] - b.points[1 - p]);
    for (int q = 0; q < 2; q++) for (int u = 0; u < units; u++) if (b.at[q][u] >= 0) {
        Mask ways = enter(b, b.at[q][u]) & ~all;
        int worth = STAND[min(3, height(b, b.at[q][u]))], n = count(ways);
        for (int h = 0; h < 4; h++) worth += NEAR[h] * count(ways & b.low[h] & (h ? ~b.low[h - 1] : ~Mask(0)));
        if (n < 3) worth += STUCK[n];
        if (ways & ~b.low[2]) worth += q == p ? 30 : 60;            // the other side moves next
        total += q == p ? worth : -worth;
    }
    Mask mine = of(b, p), theirs = of(b, 1 - p), first = 0, second = 0;
    for (int i = 0; i < 8; i++) {
        Mask m = grown(b, mine), t = grown(b, theirs), seen = mine | theirs;
        if (m == mine && t == theirs) break;
        first |= m & ~seen & ~t;
        second |= t & ~seen & ~m;
        mine = m, theirs = t;
    }
    for (int h = 0; h < 4; h++) {
        Mask level = b.low[h] & (h ? ~b.low[h - 1] : ~Mask(0));
        total += LAND[h] * (count(first & level) - count(second & level));
    }
    return total + 3 * (count(mine) - count(theirs));
}
static int search(const Board &b, int p, int depth, int alpha, int beta, int passed) {
    if ((++nodes & 63) == 0 && chrono::steady_clock::now() > until) late = true;
    if (late) return 0;
    if (depth == 0) return value(b, p);
    Action all[300];
    int n = list(b, p, all);
    if (!n) return passed ? 10 * value(b, p) : -search(b, 1 - p, depth - 1, -beta, -alpha, 1) - 300;
    int score[300], order[300];
    for (int i = 0; i < n; i++) order[i] = i;
    if (depth > 1) {
        for (int i = 0; i < n; i++) score[i] = value(after(b, p, all[i]), p);
        sort(order, order + n, [&](int x, int y) { return score[x] > score[y]; });
    }
    for (int i = 0; i < n; i++) {
        int found = -search(after(b, p, all[order[i]]), 1 - p, depth - 1, -beta, -alpha, 0);
        if (late) return 0;
        if (found > alpha) alpha = found;
        if (alpha >= beta) break;
    }
    return alpha;
}
// Where an enemy that is not seen may be: the cell in play, out of sight, that is nearest to where it was last.
static int guess(const Board &b, int last, Mask sight) {
    Mask reached = bit(last), free_ = b.low[3] & ~sight & ~of(b, 0) & ~of(b, 1);
    for (int i = 0; i < 8 && last >= 0; i++) {
        if (reached & free_) return __builtin_ctzll(reached & free_);
        reached = around(reached) & b.low[3];
    }
    return -1;
}
int main() {
    cin >> size_ >> units;
    const char *told = getenv("DOHYO_PARAM_DEPTH");
    int last[2] = {-1, -1}, points[2] = {0, 0}, deepest = told ? atoi(told) : 20;
    for (string row; cin >> row;) {
        until = chrono::steady_clock::now() + chrono::milliseconds(told ? 45 : 38);
        Board b;
        memset(b.low, 0, sizeof b.low);
        for (int y = 0; y < size_; y++) {
            if (y) cin >> row;
            for (int x = 0; x < size_; x++)
                for (int h = 0; h < 4; h++) if (row[x] != '.' && row[x] - '0' <= h) b.low[h] |= bit(y * W + x);
        }
        for (int p = 0; p < 2; p++) for (int u = 0; u < 2; u++) b.at[p][u] = -1;
        for (int p = 0; p < 2; p++) for (int u = 0, x, y; u < units; u++) {
            cin >> x >> y;
            if (x >= 0) b.at[p][u] = y * W + x;
        }
        for (int u = 0; u < units; u++) if (b.at[1][u] < 0) b.at[1][u] = guess(b, last[u], around(of(b, 0)));
        for (int u = 0; u < 2; u++) last[u] = b.at[1][u];
        b.points[0] = points[0], b.points[1] = points[1];
        int n;
        cin >> n;
        cin.ignore();
        vector<string> given(n);
        for (auto &line : given) getline(cin, line);
        if (!n) { puts("ACCEPT-DEFEAT"); fflush(stdout); continue; }
        vector<Action> acts;
        vector<int> score, order;
        for (auto &line : given) {
            char kind[20], one[4], two[4]; int unit;
            sscanf(line.c_str(), "%19s %d %3s %3s", kind, &unit, one, two);
            Action a{kind[0] == 'P', unit, 0, 0};
            for (int d = 0; d < 8; d++) { if (!strcmp(NAME[d], one)) a.first = d; if (!strcmp(NAME[d], two)) a.second = d; }
            order.push_back(acts.size());
            acts.push_back(a);
            score.push_back(value(after(b, 0, a), 0));
        }
        sort(order.begin(), order.end(), [&](int x, int y) { return score[x] > score[y]; });
        int best = order[0];
        late = false;
        for (int depth = 1; depth < deepest && !late; depth++) {
            int alpha = -1000000, top = -1;
            for (int i : order) {
                int found = -search(after(b, 0, acts[i]), 1, depth, -1000000, -alpha, 0);
                if (late) break;
                if (found > alpha) alpha = found, top = i;
            }
            if (top < 0) continue;
            best = top;
            order.erase(find(order.begin(), order.end(), top));
            order.insert(order.begin(), top);
        }
        Action &a = acts[best];
        if (!a.push && height(b, to(b.at[0][a.unit], a.first)) == 3) points[0]++;
        puts(given[best].c_str());
        fflush(stdout);
    }
}
