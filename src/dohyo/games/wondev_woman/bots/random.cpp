// Wondev Woman's simplest player: any of the legal actions, in every league. A place to start from.

#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

struct Unit {
    int x, y;  // -1 -1 for an enemy that is not seen
};

struct Turn {
    std::vector<std::string> rows;  // a digit is a cell's height, a dot a hole; 4 is out of play
    std::vector<Unit> mine, theirs;
    std::vector<std::string> actions;
};

// Read what a turn begins with; false when the match is over.
bool read(Turn& turn, int size, int units) {
    turn.rows.resize(size);
    turn.mine.resize(units);
    turn.theirs.resize(units);
    for (std::string& row : turn.rows) std::cin >> row;
    for (Unit& unit : turn.mine) std::cin >> unit.x >> unit.y;
    for (Unit& unit : turn.theirs) std::cin >> unit.x >> unit.y;
    int count = 0;
    std::cin >> count;
    turn.actions.resize(count);
    for (std::string& action : turn.actions) std::getline(std::cin >> std::ws, action);
    return bool(std::cin);
}

// Choose one of the actions, such as "MOVE&BUILD 0 N SW". Your own ideas go here.
std::string choose(const Turn& turn, std::mt19937& chance) {
    if (turn.actions.empty()) return "ACCEPT-DEFEAT no way to go";  // whatever is said now, the player is out
    std::uniform_int_distribution<std::size_t> any(0, turn.actions.size() - 1);
    return turn.actions[any(chance)];  // a text behind the action is shown to those who watch
}

int main() {
    // Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run
    // differs.
    const char* seed = std::getenv("DOHYO_SEED");
    std::mt19937 chance(seed ? std::strtoul(seed, nullptr, 10) : std::random_device{}());

    int size = 0, units = 0;
    std::cin >> size >> units;  // once, before the first turn
    Turn turn;
    while (read(turn, size, units)) std::cout << choose(turn, chance) << std::endl;  // endl flushes, "\n" would not
}
