// Wondev Woman's simplest player: any of the legal actions, in every league. A place to start from.

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

    static final BufferedReader IN = new BufferedReader(new InputStreamReader(System.in));

    static int size;
    static int units; // a player
    static String[] rows; // a digit is a cell's height, a dot a hole; 4 is out of play
    static int[][] mine; // x and y of each unit
    static int[][] theirs; // -1 -1 for one that is not seen
    static String[] actions;

    public static void main(String[] arguments) throws IOException {
        size = Integer.parseInt(IN.readLine()); // these two lines come once, before the first turn
        units = Integer.parseInt(IN.readLine());
        while (readTurn()) {
            System.out.print(choose() + "\n");
            System.out.flush();
        }
    }

    /** Read what a turn begins with; false when the match is over. */
    static boolean readTurn() throws IOException {
        rows = new String[size];
        for (int y = 0; y < size; y++) rows[y] = IN.readLine();
        if (rows[0] == null) return false;
        mine = readUnits();
        theirs = readUnits();
        actions = new String[Integer.parseInt(IN.readLine())];
        for (int i = 0; i < actions.length; i++) actions[i] = IN.readLine();
        return true;
    }

    static int[][] readUnits() throws IOException {
        int[][] places = new int[units][];
        for (int i = 0; i < units; i++) {
            String[] words = IN.readLine().split(" ");
            places[i] = new int[] {Integer.parseInt(words[0]), Integer.parseInt(words[1])};
        }
        return places;
    }

    /** Choose one of the actions, such as "MOVE&BUILD 0 N SW". Your own ideas go here. */
    static String choose() {
        if (actions.length == 0) return "ACCEPT-DEFEAT no way to go"; // whatever is said now, the player is out
        return actions[CHANCE.nextInt(actions.length)]; // a text behind the action is shown to those who watch
    }
}
