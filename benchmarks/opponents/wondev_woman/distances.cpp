// A strong plain player of Wondev Woman, for measuring: alpha-beta with iterative deepening, cells won by distance.
// An enemy that is not seen is taken to be where it was seen last, if that cell is still possible, and else nowhere.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

static const int W = 9, CELLS = W * W;
static const int STEP[8] = {1, -W + 1, -W, -W - 1, -1, W - 1, W, W + 1};  // E NE N NW W SW S SE
static const char *NAME[8] = {"E", "NE", "N", "NW", "W", "SW", "S", "SE"};
struct Action { int push, unit, first, second, score; };
struct Board { signed char height[CELLS]; int at[2][2], points[2]; };

static int units, size_, nodes;
static chrono::steady_clock::time_point until;
static bool late;

static bool holds(const Board &b, int cell) {
    for (int p = 0; p < 2; p++) for (int u = 0; u < units; u++) if (b.at[p][u] == cell) return true;
    return false;
}
static bool open_(const Board &b, int cell) { return b.height[cell] >= 0 && b.height[cell] < 4; }

static void list(const Board &b, int p, vector<Action> &out) {
    for (int u = 0; u < units; u++) {
        int start = b.at[p][u];
        if (!start) continue;
        for (int d = 0; d < 8; d++) {
            int there = start + STEP[d];
            if (!open_(b, there)) continue;
            bool enemy = b.at[1 - p][0] == there || (units == 2 && b.at[1 - p][1] == there);
            if (enemy && units == 2) {
                for (int turn = -1; turn <= 1; turn++) {
                    int e = (d + turn + 8) % 8, beyond = there + STEP[e];
                    if (open_(b, beyond) && b.height[beyond] <= b.height[there] + 1 && !holds(b, beyond))
                        out.push_back({1, u, d, e, 0});
                }
            } else if (!holds(b, there) && b.height[there] <= b.height[start] + 1) {
                for (int e = 0; e < 8; e++) {
                    int cell = there + STEP[e];
                    if (open_(b, cell) && (cell == start || !holds(b, cell))) out.push_back({0, u, d, e, 0});
                }
            }
        }
    }
}
static Board after(const Board &b, int p, const Action &a) {
    Board n = b;
    int there = b.at[p][a.unit] + STEP[a.first], beyond = there + STEP[a.second];
    if (a.push) {
        for (int u = 0; u < units; u++) if (n.at[1 - p][u] == there) n.at[1 - p][u] = beyond;
        n.height[there]++;
    } else {
        n.at[p][a.unit] = there;
        if (n.height[there] == 3) n.points[p]++;
        n.height[beyond]++;
    }
    return n;
}
static int value(const Board &b, int p) {
    int away[2][CELLS], total = 0;
    for (int q = 0; q < 2; q++) {
        memset(away[q], 1, sizeof away[q]);
        int line[CELLS], head = 0, tail = 0;
        for (int u = 0; u < units; u++) if (b.at[q][u]) away[q][b.at[q][u]] = 0, line[tail++] = b.at[q][u];
        while (head < tail) {
            int from = line[head++];
            for (int step : STEP) {
                int to = from + step;
                if (open_(b, to) && b.height[to] <= b.height[from] + 1 && away[q][to] > 1000)
                    away[q][to] = away[q][from] + 1, line[tail++] = to;
            }
        }
    }
    for (int cell = 0; cell < CELLS; cell++) if (open_(b, cell)) {
        int worth = 4 + 2 * b.height[cell];
        if (away[p][cell] < away[1 - p][cell]) total += worth;
        if (away[p][cell] > away[1 - p][cell]) total -= worth;
    }
    for (int q = 0; q < 2; q++) for (int u = 0; u < units; u++) if (b.at[q][u]) {
        int ways = 0, here = b.at[q][u], worth = 6 * b.height[here];
        for (int step : STEP) {
            int to = here + step;
            if (open_(b, to) && b.height[to] <= b.height[here] + 1 && !holds(b, to)) ways++, worth += 1 + 2 * b.height[to];
        }
        if (!ways) worth -= 60;
        total += q == p ? worth : -worth;
    }
    return total + 40 * (b.points[p] - b.points[1 - p]);
}
static int search(const Board &b, int p, int depth, int alpha, int beta, int passed) {
    if ((++nodes & 63) == 0 && chrono::steady_clock::now() > until) late = true;
    if (late) return 0;
    if (depth == 0) return value(b, p);
    vector<Action> all;
    list(b, p, all);
    if (all.empty()) return passed ? value(b, p) : -search(b, 1 - p, depth - 1, -beta, -alpha, 1) - 60;
    if (depth > 1) {
        for (auto &a : all) a.score = value(after(b, p, a), p);
        sort(all.begin(), all.end(), [](const Action &x, const Action &y) { return x.score > y.score; });
    }
    for (auto &a : all) {
        int found = -search(after(b, p, a), 1 - p, depth - 1, -beta, -alpha, 0);
        if (late) return 0;
        if (found > alpha) alpha = found;
        if (alpha >= beta) break;
    }
    return alpha;
}
int main() {
    cin >> size_ >> units;
    int last[2] = {0, 0}, points[2] = {0, 0};
    for (string row; cin >> row;) {
        until = chrono::steady_clock::now() + chrono::milliseconds(38);
        Board b;
        memset(b.height, -1, sizeof b.height);
        memset(b.at, 0, sizeof b.at);
        for (int y = 0; y < size_; y++) {
            if (y) cin >> row;
            for (int x = 0; x < size_; x++) b.height[(y + 1) * W + x + 1] = row[x] == '.' ? -1 : row[x] - '0';
        }
        for (int p = 0; p < 2; p++) for (int u = 0, x, y; u < units; u++) {
            cin >> x >> y;
            if (x >= 0) b.at[p][u] = (y + 1) * W + x + 1;
            else if (p == 1 && last[u] && open_(b, last[u])) {
                bool seen = false;  // would be seen there
                for (int v = 0; v < units; v++) {
                    int gap = abs(b.at[0][v] - last[u]);
                    seen |= gap == 0 || gap == 1 || (gap >= W - 1 && gap <= W + 1);
                }
                if (!seen && b.at[1][0] != last[u]) b.at[1][u] = last[u];
            }
            if (p == 1) last[u] = b.at[1][u];
        }
        b.points[0] = points[0], b.points[1] = points[1];
        int count;
        cin >> count;
        cin.ignore();
        vector<string> given(count);
        for (auto &line : given) getline(cin, line);
        if (!count) { puts("ACCEPT-DEFEAT"); fflush(stdout); continue; }
        vector<Action> all;
        list(b, 0, all);
        // Only what we are told is legal: an enemy that we imagine may stand in the way of it.
        vector<pair<int, string>> told;
        vector<Action> acts;
        for (auto &line : given) {
            char kind[20], one[4], two[4]; int unit;
            sscanf(line.c_str(), "%19s %d %3s %3s", kind, &unit, one, two);
            Action a{kind[0] == 'P', unit, 0, 0, 0};
            for (int d = 0; d < 8; d++) { if (!strcmp(NAME[d], one)) a.first = d; if (!strcmp(NAME[d], two)) a.second = d; }
            acts.push_back(a);
        }
        int best = 0;
        late = false;
        for (auto &a : acts) a.score = value(after(b, 0, a), 0);
        vector<int> order(acts.size());
        for (size_t i = 0; i < order.size(); i++) order[i] = i;
        sort(order.begin(), order.end(), [&](int x, int y) { return acts[x].score > acts[y].score; });
        best = order[0];
        for (int depth = 1; depth < 12 && !late; depth++) {
            int alpha = -1000000, top = -1;
            for (int i : order) {
                int found = -search(after(b, 0, acts[i]), 1, depth, -1000000, -alpha, 0);
                if (late) break;
                if (found > alpha) alpha = found, top = i;
            }
            if (top >= 0) {
                best = top;
                order.erase(find(order.begin(), order.end(), top));
                order.insert(order.begin(), top);
            }
        }
        Action &a = acts[best];
        if (!a.push && b.height[b.at[0][a.unit] + STEP[a.first]] == 3) points[0]++;
        puts(given[best].c_str());
        fflush(stdout);
    }
}
