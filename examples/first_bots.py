"""A bot for each of the four games that come with Dohyo, to start from; run it, and each plays a match."""

import dohyo

LETTERS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}  # of Drop-Block: rows down, columns right
SIGNS = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "W": (-1, 0)}  # of Wondev Woman: cells right, cells down


class Runner(dohyo.Bot):
    """aBOTcalypse: steps onto free ground, and throws where an enemy stands in its row."""

    def act(self, observation):
        for right, up in observation.enemies:
            if up == 0:
                return f"throw {'right' if right > 0 else 'left'} {abs(right)}"
        side = self.random.choice([-1, 1])
        return ("move right" if side > 0 else "move left") if observation.sign(side, 0) == "." else "rest"


class Careful(dohyo.Bot):
    """Drop-Block: keeps off blocks that are about to fall."""

    def act(self, observation):
        me = observation.me
        safe = []
        for action, (down, right) in LETTERS.items():
            row, column = me.row + down, me.column + right
            if 0 <= row < 18 and 0 <= column < 18 and observation.blocks[row // 3][column // 3] == 0:
                safe.append(action)
        return self.random.choice([*safe, "A"])


class Sniper(dohyo.Bot):
    """Shoot-Em-Up: shoots back where it was hit from, and never leaves the board."""

    def act(self, observation):
        if observation.hit_from and observation.has_power:
            right, down = observation.hit_from
            return f"S {right} {down}"
        return self.random.choice([one for one in observation.legal_actions if observation.stays_on_board(one)])


class Climber(dohyo.Bot):
    """Wondev Woman: steps as high as it can."""

    def act(self, observation):
        return max(observation.legal_actions, key=lambda action: self.height_after(observation, action))

    def height_after(self, observation, action):
        kind, *words = action.split()
        if kind != "MOVE&BUILD":
            return -1
        x, y = observation.own[int(words[0])]
        x += sum(SIGNS[sign][0] for sign in words[1])
        y += sum(SIGNS[sign][1] for sign in words[1])
        return observation.heights[y][x]


if __name__ == "__main__":
    for game, bots in {
        "abotcalypse": [Runner] * 2,
        "drop-block": [Careful] * 4,
        "shoot-em-up": [Sniper] * 2,
        "wondev-woman": [Climber] * 2,
    }.items():
        print(game, dohyo.play(game, bots, seed=1, clock=60).result.places)
