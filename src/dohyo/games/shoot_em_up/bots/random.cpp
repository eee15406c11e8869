// Shoot-Em-Up's simplest robot: any action that does not leave the board. A place to start from.

#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

struct Action {
    char kind;  // M to move, S to shoot
    int dx, dy;
};

// Choose what to do on square (x, y). Your own ideas go here.
Action choose(int x, int y, std::mt19937& chance) {
    std::uniform_int_distribution<int> any(0, 17);
    while (true) {
        int number = any(chance);
        Action action{number < 9 ? 'M' : 'S', number % 9 / 3 - 1, number % 3 - 1};
        bool stays = x + action.dx >= 0 && x + action.dx <= 9 && y + action.dy >= 0 && y + action.dy <= 9;
        bool aims = action.dx != 0 || action.dy != 0;
        if (action.kind == 'M' ? stays : aims) return action;
    }
}

int main() {
    // Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run
    // differs.
    const char* seed = std::getenv("DOHYO_SEED");
    std::mt19937 chance(seed ? std::strtoul(seed, nullptr, 10) : std::random_device{}());

    int x = 0, y = 0;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        char what = 0;
        words >> what;
        // Won, lost: another combat may follow. D is what a person wants shown, and here is nothing to show.
        if (what == 'W' || what == 'L' || what == 'D') continue;
        if (what == 'P') words >> x >> y;  // a combat begins, and this is our square
        // H and N say whether the opponent has just hit us, and from where. This robot does not mind.
        Action action = choose(x, y, chance);
        if (action.kind == 'M') {
            x += action.dx;
            y += action.dy;
        }
        // endl flushes, "\n" would not
        std::cout << action.kind << ' ' << action.dx << ' ' << action.dy << std::endl;
    }
}
