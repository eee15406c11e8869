"""The words of the program `koth`. (English, Japanese)"""

from __future__ import annotations

WORDS = {
    # --- what it is, and its options
    "koth.about": (
        "every bot of a folder in some games, and the challenge's leaderboard",
        "フォルダー内の全ボットで何試合か行い、チャレンジの順位表を表示",
    ),
    "koth.option.n.about": ("games", "試合数"),
    "koth.option.n.takes": ("1 to 1000", "1 から 1000"),
    "koth.option.turns.about": ("turns of a game", "1 試合のターン数"),
    "koth.option.turns.takes": ("1 to 1000000", "1 から 1000000"),
    "koth.option.rules.about": ("which rules", "ルール"),
    "koth.option.rules.takes": ("post or classic", "post か classic"),
    "koth.left-out": ("{bot} does not take part: {reason}", "{bot} は参加できません: {reason}"),
    "koth.finding": (
        "{bot} misbehaves (it takes part, and rests where it fails): {finding}",
        "{bot} に問題があります(参加はでき、失敗したターンは休みになります): {finding}",
    ),
    "koth.begins": (
        "Bots: {bots}. Games: {games}, of at most {turns} turns each.",
        "ボット {bots} 個、{games} 試合(各最大 {turns} ターン)。",
    ),
    "koth.game": ("Game {number} of {games}: {scores}", "試合 {number}/{games}: {scores}"),
    "koth.disturbed": (
        "Game {number} of {games} counts for nobody: Dohyo itself stood still each time that it was tried (stopped,"
        " or the machine asleep).",
        "試合 {number}/{games} は無効です。Dohyo 自体が(一時停止またはスリープで)毎回止まりました。",
    ),
    "koth.lapse": (
        "{bot}: 1 turn without an answer ({fault}), in game {game} turn {turn}",
        "{bot}: 返答なし 1 ターン({fault})、試合 {game} ターン {turn}",
    ),
    "koth.lapse-answered": (
        "{bot}: 1 turn with a fault ({fault}), in game {game} turn {turn}",
        "{bot}: 違反 1 ターン({fault})、試合 {game} ターン {turn}",
    ),
    "koth.lapses": (
        "{bot}: {turns} turns without an answer ({fault}), first in game {game} turn {turn}",
        "{bot}: 返答なし {turns} ターン({fault})、最初は試合 {game} ターン {turn}",
    ),
    "koth.lapses-answered": (
        "{bot}: {turns} turns with a fault ({fault}), first in game {game} turn {turn}",
        "{bot}: 違反 {turns} ターン({fault})、最初は試合 {game} ターン {turn}",
    ),
    "koth.more-turns": (
        "Most bots survived ({survived} of {lives}): longer games would tell them apart better, --turns {turns}.",
        "多くのボットが生き残りました({survived}/{lives})。試合を長くすると差が出ます: --turns {turns}",
    ),
    "koth.more-games": (
        "Most bots died within the first {early} turns ({died} of {lives}): more games would even out their luck,"
        " -n {games}.",
        "多くのボットが最初の {early} ターンで死にました({died}/{lives})。試合を増やすと運の差が減ります: -n {games}",
    ),
}
