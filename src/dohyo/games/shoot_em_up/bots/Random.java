// Shoot-Em-Up's simplest robot: any action that does not leave the board. A place to start from.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.SplittableRandom;

public class Random {
    // Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run
    // differs.
    static final String SEED = System.getenv("DOHYO_SEED");
    static final SplittableRandom CHANCE =
            SEED == null ? new SplittableRandom() : new SplittableRandom(Long.parseLong(SEED));

    static int x; // where we are
    static int y;

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {
            String[] words = line.split(" ");
            // Won, lost: another combat may follow. D is what a person wants shown, and here is nothing to show.
            if (line.startsWith("W") || line.startsWith("L") || line.startsWith("D")) continue;
            if (line.startsWith("P")) { // a combat begins, and this is our square
                x = Integer.parseInt(words[1]);
                y = Integer.parseInt(words[2]);
            }
            // H and N say whether the opponent has just hit us, and from where. This robot does not mind.
            System.out.print(choose() + "\n");
            System.out.flush();
        }
    }

    /** Choose what to do on square (x, y): "M dx dy" to move, "S dx dy" to shoot. Your own ideas go here. */
    static String choose() {
        while (true) {
            boolean shoots = CHANCE.nextBoolean();
            int dx = CHANCE.nextInt(3) - 1;
            int dy = CHANCE.nextInt(3) - 1;
            if (shoots && (dx != 0 || dy != 0)) return "S " + dx + " " + dy;
            if (!shoots && isOnBoard(x + dx) && isOnBoard(y + dy)) {
                x += dx;
                y += dy;
                return "M " + dx + " " + dy;
            }
        }
    }

    static boolean isOnBoard(int number) {
        return 0 <= number && number <= 9;
    }
}
