// Drop-Block's simplest player: any of the six letters. A place to start from.

#include <array>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

struct Player {
    int row, column;  // -1 -1 when fallen
    char facing;
    int stun;  // own turns that are still blocked
};

struct Turn {
    int me;  // which of the four players I am: 0, 1, 2 or 3
    int number;
    std::array<std::array<int, 6>, 6> blocks;
    std::array<Player, 4> players;
};

// Read the 13 lines that a turn begins with; false when the match is over.
bool read(Turn& turn) {
    std::cin >> turn.me >> turn.number;
    for (auto& row : turn.blocks) {
        for (int& block : row) std::cin >> block;
    }
    for (Player& player : turn.players) std::cin >> player.row >> player.column >> player.facing >> player.stun;
    std::string end;
    std::cin >> end;
    return end == "EOD";
}

// Choose what to do: U, R, D or L to move, A to attack, N for nothing. Your own ideas go here.
char choose(const Turn&, std::mt19937& chance) {
    std::uniform_int_distribution<int> letter(0, 5);
    return "URDLAN"[letter(chance)];
}

int main() {
    // Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run
    // differs.
    const char* seed = std::getenv("DOHYO_SEED");
    std::mt19937 chance(seed ? std::strtoul(seed, nullptr, 10) : std::random_device{}());

    std::cout << "READY" << std::endl;  // within a second of the start; endl flushes, "\n" would not
    Turn turn;
    while (read(turn)) std::cout << choose(turn, chance) << std::endl;
}
